//! Traversal of an acceleration structure by a ray query: instances, geometries and primitives in
//! the order of the inputs, each compared with the ray.
//!
//! Rules of the DXR functional specification that this follows:
//! - A triangle is hit for `TMin < t < TCurrent`, and `TCurrent` is the `t` of the committed hit. So of
//!   triangles at the same `t` the first in the order of the inputs is committed.
//! - A box is a candidate if the ray is in it for any `t` from `TMin` to `TCurrent`. Its opacity is
//!   only reported: the shader commits hits of boxes.
//! - Whether a primitive is opaque is decided by the geometry, then the instance, then the ray.
//!   `RAY_FLAG_CULL_OPAQUE` and `RAY_FLAG_CULL_NON_OPAQUE` see the result.
//! - Front is where the corners are clockwise, in the space of the object, whatever the instance's
//!   transform does to them.

use super::intersect::{Ray, is_in_box, triangle};
use crate::dispatch::{Geometry, Instance, Scene};

/// `RAY_FLAG_…`.
pub(super) mod flag {
    pub(crate) const FORCE_OPAQUE: u32 = 0x1;
    pub(crate) const FORCE_NON_OPAQUE: u32 = 0x2;
    pub(crate) const ACCEPT_FIRST_HIT: u32 = 0x4;
    pub(crate) const CULL_BACK: u32 = 0x10;
    pub(crate) const CULL_FRONT: u32 = 0x20;
    pub(crate) const CULL_OPAQUE: u32 = 0x40;
    pub(crate) const CULL_NON_OPAQUE: u32 = 0x80;
    pub(crate) const SKIP_TRIANGLES: u32 = 0x100;
    pub(crate) const SKIP_BOXES: u32 = 0x200;
}

/// `D3D12_RAYTRACING_INSTANCE_FLAG_…`.
mod instance_flag {
    pub(super) const CULL_DISABLE: u8 = 1;
    pub(super) const FRONT_COUNTERCLOCKWISE: u8 = 2;
    pub(super) const FORCE_OPAQUE: u8 = 4;
    pub(super) const FORCE_NON_OPAQUE: u8 = 8;
}

/// Three rows of four.
pub(super) type Matrix = [[f32; 4]; 3];

/// An acceleration structure with the inverse transforms of its instances.
#[derive(Debug)]
pub(in crate::exec) struct Structure {
    scene: Scene,
    /// From world to object, by instance; `None` for a transform without inverse: no ray hits it.
    to_object: Vec<Option<Matrix>>,
}

impl From<&Scene> for Structure {
    fn from(scene: &Scene) -> Self {
        let to_object = scene.instances.iter().map(|i| inverse(&i.transform));
        Self {
            to_object: to_object.collect(),
            scene: scene.clone(),
        }
    }
}

impl Structure {
    /// Returns an instance.
    pub(super) fn instance(&self, number: u32) -> Option<&Instance> {
        self.scene.instances.get(number as usize)
    }

    /// Returns an instance's transform from world to object.
    pub(super) fn to_object(&self, number: u32) -> Option<&Matrix> {
        self.to_object.get(number as usize)?.as_ref()
    }

    fn geometry(&self, at: &At) -> Option<&Geometry> {
        let mesh = self.instance(at.instance)?.mesh;
        self.scene.meshes.get(mesh)?.get(at.geometry as usize)
    }

    /// Returns the corners of a triangle in the space of its object.
    pub(super) fn corners(&self, at: &At) -> Option<&[[f32; 3]; 3]> {
        self.geometry(at)?.triangles.get(at.primitive as usize)
    }
}

/// A primitive's position in its structure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct At {
    pub(super) instance: u32,
    pub(super) geometry: u32,
    pub(super) primitive: u32,
}

/// The primitive that was hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum HitKind {
    #[default]
    Nothing,
    Triangle,
    Box,
}

/// A candidate or a committed hit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Hit {
    pub(super) kind: HitKind,
    pub(super) at: At,
    pub(super) t: f32,
    pub(super) barycentrics: [f32; 2],
    pub(super) front: bool,
    pub(super) opaque: bool,
    /// The ray in the space of the object.
    pub(super) ray: Ray,
}

/// State of a ray query.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::exec) struct Query {
    /// Number of the structure.
    pub(super) structure: usize,
    pub(super) flags: u32,
    pub(super) mask: u8,
    pub(super) ray: Ray,
    pub(super) t_min: f32,
    /// `TMax` of the ray, then the `t` of the committed hit.
    pub(super) t_current: f32,
    /// The next primitive.
    pub(super) next: At,
    /// True while there may be candidates.
    pub(super) is_traversing: bool,
    pub(super) candidate: Hit,
    pub(super) committed: Hit,
}

impl Query {
    /// Commits the candidate with a `t`.
    pub(super) fn commit(&mut self, t: f32) {
        self.committed = Hit {
            t,
            ..self.candidate
        };
        self.t_current = t;
        if self.flags & flag::ACCEPT_FIRST_HIT != 0 {
            self.is_traversing = false;
        }
    }

    /// Continues up to the next candidate that the shader must see. Returns the number of
    /// instances, geometries and primitives that were visited; stops where they are more than
    /// `most`.
    pub(super) fn proceed(&mut self, structure: &Structure, most: u64) -> u64 {
        self.candidate = Hit::default();
        let mut visited = 0;
        while self.is_traversing && visited <= most {
            visited += 1;
            self.advance(structure);
            if self.candidate.kind != HitKind::Nothing {
                break;
            }
        }
        visited
    }

    /// Visits one primitive, or moves to the next geometry or instance.
    fn advance(&mut self, structure: &Structure) {
        let at = self.next;
        let Some(instance) = structure.instance(at.instance) else {
            self.is_traversing = false;
            return;
        };
        let to_object = structure
            .to_object(at.instance)
            .filter(|_| instance.mask & self.mask != 0);
        let (Some(to_object), Some(geometry)) = (to_object, structure.geometry(&at)) else {
            self.next = At {
                instance: at.instance + 1,
                ..At::default()
            };
            return;
        };
        let primitive = at.primitive as usize;
        let opaque = self.is_opaque(instance, geometry);
        let skipped = self.flags
            & if geometry.triangles.is_empty() {
                flag::SKIP_BOXES
            } else {
                flag::SKIP_TRIANGLES
            };
        let culled = self.flags
            & if opaque {
                flag::CULL_OPAQUE
            } else {
                flag::CULL_NON_OPAQUE
            };
        let count = geometry.triangles.len().max(geometry.boxes.len());
        if primitive >= count || skipped | culled != 0 {
            self.next = At {
                geometry: at.geometry + 1,
                primitive: 0,
                ..at
            };
            return;
        }
        self.next.primitive += 1;
        let hit = Hit {
            at,
            opaque,
            ray: to_space(to_object, &self.ray),
            ..Hit::default()
        };
        if let Some(corners) = geometry.triangles.get(primitive) {
            self.visit_triangle(instance, corners, hit);
        } else if let Some(bounds) = geometry.boxes.get(primitive)
            && is_in_box(&hit.ray, bounds, [self.t_min, self.t_current])
        {
            self.candidate = Hit {
                kind: HitKind::Box,
                ..hit
            };
        }
    }

    fn visit_triangle(&mut self, instance: &Instance, corners: &[[f32; 3]; 3], hit: Hit) {
        let Some(found) = triangle(&hit.ray, corners) else {
            return;
        };
        let front =
            found.clockwise == (instance.flags & instance_flag::FRONT_COUNTERCLOCKWISE == 0);
        let culling = if front {
            flag::CULL_FRONT
        } else {
            flag::CULL_BACK
        };
        let culls = instance.flags & instance_flag::CULL_DISABLE == 0;
        let within = self.t_min < found.t && found.t < self.t_current;
        if !within || (culls && self.flags & culling != 0) {
            return;
        }
        self.candidate = Hit {
            kind: HitKind::Triangle,
            t: found.t,
            barycentrics: found.barycentrics,
            front,
            ..hit
        };
        if hit.opaque {
            self.commit(found.t);
            self.candidate = Hit::default();
        }
    }

    fn is_opaque(&self, instance: &Instance, geometry: &Geometry) -> bool {
        if self.flags & flag::FORCE_OPAQUE != 0 {
            true
        } else if self.flags & flag::FORCE_NON_OPAQUE != 0 {
            false
        } else if instance.flags & instance_flag::FORCE_OPAQUE != 0 {
            true
        } else if instance.flags & instance_flag::FORCE_NON_OPAQUE != 0 {
            false
        } else {
            geometry.opaque
        }
    }
}

/// Returns a ray in another space.
fn to_space(matrix: &Matrix, ray: &Ray) -> Ray {
    let [x, y, z] = ray.direction;
    let direction = matrix.map(|[a, b, c, _]| a * x + b * y + c * z);
    let [x, y, z] = ray.origin;
    let origin = matrix.map(|[a, b, c, d]| a * x + b * y + c * z + d);
    Ray { origin, direction }
}

/// Returns the inverse of a transform: computed in `f64`, rounded once.
fn inverse(matrix: &Matrix) -> Option<Matrix> {
    let m = matrix.map(|row| row.map(f64::from));
    let cofactor = |row: usize, column: usize| {
        let [r, s] = [(row + 1) % 3, (row + 2) % 3];
        let [c, d] = [(column + 1) % 3, (column + 2) % 3];
        m[r][c] * m[s][d] - m[r][d] * m[s][c]
    };
    let determinant: f64 = (0..3)
        .map(|column| m[0][column] * cofactor(0, column))
        .sum();
    if determinant == 0.0 || !determinant.is_finite() {
        return None;
    }
    let mut inverse = [[0.0; 4]; 3];
    for (row, numbers) in inverse.iter_mut().enumerate() {
        let linear = [0, 1, 2].map(|column| cofactor(column, row) / determinant);
        let moved: f64 = linear.iter().zip(m).map(|(n, row)| n * row[3]).sum();
        for (number, exact) in numbers.iter_mut().zip(linear) {
            // Without the sign of a zero.
            *number = exact as f32 + 0.0;
        }
        numbers[3] = 0.0 - moved as f32;
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_takes_back_what_a_transform_does() {
        // Twice as large, turned by a right angle, moved.
        let matrix = [
            [0.0, -2.0, 0.0, 5.0],
            [2.0, 0.0, 0.0, 6.0],
            [0.0, 0.0, 2.0, 7.0],
        ];
        let expected = [
            [0.0, 0.5, 0.0, -3.0],
            [-0.5, 0.0, 0.0, 2.5],
            [0.0, 0.0, 0.5, -3.5],
        ];
        assert_eq!(inverse(&matrix), Some(expected));
        assert_eq!(inverse(&[[0.0; 4]; 3]), None);
        assert_eq!(inverse(&[[f32::NAN; 4]; 3]), None);
    }
}
