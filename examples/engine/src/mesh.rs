//! Meshes: a floor, a knot, a sphere, a torus, in one buffer of vertices and one of indices.

use std::f32::consts::TAU;
use std::ops::Range;

use crate::math::{Vec3, add, cross, dot, normalize};

/// All vertices and indices.
#[derive(Debug, Default)]
pub struct Meshes {
    /// As `Vertex` in `shaders/types.hlsli`: position, normal, texture coordinates.
    pub vertices: Vec<[f32; 8]>,
    /// Three for each triangle; they count from the first of all vertices.
    pub indices: Vec<u32>,
}

impl Meshes {
    /// Adds a square on the ground, with `repetitions` of its texture, and returns its indices.
    pub fn floor(&mut self, half: f32, repetitions: f32) -> Range<u32> {
        self.surface([1, 1], |u, v| {
            let position = [half * (2.0 * u - 1.0), 0.0, half * (2.0 * v - 1.0)];
            (
                position,
                [0.0, 1.0, 0.0],
                [u * repetitions, v * repetitions],
            )
        })
    }

    /// Adds a sphere of radius 1.
    pub fn sphere(&mut self, steps: u32) -> Range<u32> {
        self.surface([2 * steps, steps], |u, v| {
            let (a, b) = (TAU * u, TAU / 2.0 * v);
            let normal = [a.cos() * b.sin(), b.cos(), a.sin() * b.sin()];
            (normal, normal, [2.0 * u, v])
        })
    }

    /// Adds a torus around the z axis, whose tube has radius `thickness` and is 1 from the axis.
    pub fn torus(&mut self, thickness: f32, steps: u32) -> Range<u32> {
        let circle = |t: f32| [(TAU * t).cos(), (TAU * t).sin(), 0.0];
        self.tube([3 * steps, steps], thickness, [2.0, 1.0], circle)
    }

    /// Adds a knot that winds twice around one axis of a torus and three times around the other.
    pub fn knot(&mut self, thickness: f32, steps: u32) -> Range<u32> {
        let curve = |t: f32| {
            let (a, b) = (2.0 * TAU * t, 3.0 * TAU * t);
            let radius = 2.0 + 0.9 * b.cos();
            [radius * a.cos(), radius * a.sin(), 0.9 * b.sin()]
        };
        self.tube([12 * steps, steps], thickness, [8.0, 1.0], curve)
    }

    /// Adds a tube along a closed curve.
    fn tube(
        &mut self,
        steps: [u32; 2],
        thickness: f32,
        repetitions: [f32; 2],
        curve: impl Fn(f32) -> Vec3,
    ) -> Range<u32> {
        self.surface(steps, |u, v| {
            let (middle, h) = (curve(u), 1e-3);
            let along = normalize(add(curve(u + h), -1.0, curve(u - h)));
            // A direction that turns with the curve and returns to itself.
            let out = add(middle, -dot(middle, along), along);
            let out = normalize(add(out, 0.5, cross(along, [0.0, 0.0, 1.0])));
            let out = normalize(add(out, -dot(out, along), along));
            let side = cross(along, out);
            let (sin, cos) = (TAU * v).sin_cos();
            let normal = normalize(add(out.map(|x| x * cos), sin, side));
            let uv = [u * repetitions[0], v * repetitions[1]];
            (add(middle, thickness, normal), normal, uv)
        })
    }

    /// Adds a surface: position, normal and texture coordinates of two parameters from 0 to 1.
    fn surface(
        &mut self,
        steps: [u32; 2],
        at: impl Fn(f32, f32) -> (Vec3, Vec3, [f32; 2]),
    ) -> Range<u32> {
        let [columns, rows] = steps;
        let (first, begin) = (self.vertices.len() as u32, self.indices.len() as u32);
        for row in 0..=rows {
            for column in 0..=columns {
                let (p, n, t) = at(column as f32 / columns as f32, row as f32 / rows as f32);
                let vertex = [p[0], p[1], p[2], n[0], n[1], n[2], t[0], t[1]];
                self.vertices.push(vertex);
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let corner = |x: u32, y: u32| first + (row + y) * (columns + 1) + column + x;
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
                self.triangle([a, b, c]);
                self.triangle([d, c, b]);
            }
        }
        begin..self.indices.len() as u32
    }

    /// Adds a triangle, clockwise for who looks at its outer side, as Direct3D has it.
    fn triangle(&mut self, [a, b, c]: [u32; 3]) {
        let part = |index: u32, from: usize| -> Vec3 {
            std::array::from_fn(|i| self.vertices[index as usize][from + i])
        };
        let edges = [b, c].map(|end| add(part(end, 0), -1.0, part(a, 0)));
        let normals = add(add(part(a, 3), 1.0, part(b, 3)), 1.0, part(c, 3));
        let is_clockwise = dot(cross(edges[0], edges[1]), normals) >= 0.0;
        let order = if is_clockwise { [a, b, c] } else { [a, c, b] };
        self.indices.extend(order);
    }
}

#[cfg(test)]
mod tests {
    use super::Meshes;

    #[test]
    fn normals_have_length_1_and_tubes_close() {
        let mut meshes = Meshes::default();
        let ranges = [
            meshes.floor(3.0, 1.0),
            meshes.sphere(8),
            meshes.torus(0.3, 8),
            meshes.knot(0.4, 8),
        ];
        for vertex in &meshes.vertices {
            let length = vertex[3..6].iter().map(|x| x * x).sum::<f32>();
            assert!((length - 1.0).abs() < 1e-4, "{vertex:?}");
        }
        let knot = &meshes.indices[ranges[3].start as usize..ranges[3].end as usize];
        let first = meshes.vertices[*knot.iter().min().expect("it has triangles") as usize];
        let at_end = |v: &&[f32; 8]| (0..3).all(|i| (v[i] - first[i]).abs() < 1e-4);
        assert!(meshes.vertices.iter().filter(at_end).count() >= 4);
    }
}
