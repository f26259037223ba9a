//! Intersections of a ray with triangles and boxes.
//!
//! Triangles: S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle Intersection" (JCGT 2(1),
//! 2013), in `f32`. The corners are sheared so that the ray becomes the third axis; a corner comes
//! out the same for every triangle that has it, so no ray passes between triangles with a common
//! edge. A ray through an edge hits the triangle whose left or top edge it is, seen along the ray,
//! as the DXR functional specification requires: of two triangles with a common edge it hits one.
//!
//! Boxes: the interval of `t` in which the ray is between each pair of planes, in `f64`, bounds
//! included.

/// A ray in the space of the object that it is tested against.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Ray {
    pub(super) origin: [f32; 3],
    pub(super) direction: [f32; 3],
}

/// A hit of a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TriangleHit {
    pub(super) t: f32,
    /// Weights of the second and third corner.
    pub(super) barycentrics: [f32; 2],
    /// The corners are clockwise as the ray's origin sees them, in a left-handed system.
    pub(super) clockwise: bool,
}

/// Returns where the line of a ray meets a triangle; the caller compares `t` with the ray's extent.
pub(super) fn triangle(ray: &Ray, corners: &[[f32; 3]; 3]) -> Option<TriangleHit> {
    // A NaN in any X makes a triangle inactive.
    if corners.iter().any(|corner| corner[0].is_nan()) {
        return None;
    }
    let direction = ray.direction;
    let magnitude = |axis: usize| direction[axis].abs();
    let z = (1..3).fold(0, |most, axis| {
        if magnitude(axis) > magnitude(most) {
            axis
        } else {
            most
        }
    });
    let (mut x, mut y) = ((z + 1) % 3, (z + 2) % 3);
    // Keeps the winding.
    if direction[z] < 0.0 {
        std::mem::swap(&mut x, &mut y);
    }
    let shear = [
        direction[x] / direction[z],
        direction[y] / direction[z],
        1.0 / direction[z],
    ];
    let [a, b, c] = corners.map(|corner| {
        let at = [0, 1, 2].map(|axis| corner[axis] - ray.origin[axis]);
        [
            at[x] - shear[0] * at[z],
            at[y] - shear[1] * at[z],
            shear[2] * at[z],
        ]
    });
    let edges = [[b, c], [c, a], [a, b]];
    // Where an edge function is 0 in `f32`, `f64` has its sign: products of two `f32` are exact
    // there.
    let mut weights = edges.map(|[p, q]| q[0] * p[1] - q[1] * p[0]);
    if weights.contains(&0.0) {
        weights = edges.map(|[p, q]| {
            let [px, py, qx, qy] = [p[0], p[1], q[0], q[1]].map(f64::from);
            (qx * py - qy * px) as f32
        });
    }
    let [u, v, w] = weights;
    let sum = u + v + w;
    // Also false for NaN: such a ray hits nothing.
    let (positive, negative) = (sum > 0.0, sum < 0.0);
    if !positive && !negative {
        return None;
    }
    let inside = edges.iter().zip(weights).all(|([p, q], weight)| {
        if weight == 0.0 {
            is_top_left(if positive { [*p, *q] } else { [*q, *p] })
        } else {
            (weight > 0.0) == positive
        }
    });
    let t = (u * a[2] + v * b[2] + w * c[2]) / sum;
    inside.then_some(TriangleHit {
        t,
        barycentrics: [v / sum, w / sum],
        clockwise: positive,
    })
}

/// Returns whether an edge of a triangle whose corners are clockwise (X to the right, Y up) is a
/// left or a top edge.
fn is_top_left([from, to]: [[f32; 3]; 2]) -> bool {
    to[1] > from[1] || (to[1] == from[1] && to[0] > from[0])
}

/// Returns whether a ray is in a box for some `t` from `extent[0]` to `extent[1]`.
pub(super) fn is_in_box(ray: &Ray, [least, greatest]: &[[f32; 3]; 2], extent: [f32; 2]) -> bool {
    // A NaN in the least X makes a box inactive.
    if least[0].is_nan() {
        return false;
    }
    let [mut begin, mut end] = extent.map(f64::from);
    for axis in 0..3 {
        let [origin, direction, low, high] = [
            ray.origin[axis],
            ray.direction[axis],
            least[axis],
            greatest[axis],
        ]
        .map(f64::from);
        if direction == 0.0 {
            if !(low..=high).contains(&origin) {
                return false;
            }
            continue;
        }
        let (one, other) = ((low - origin) / direction, (high - origin) / direction);
        begin = begin.max(one.min(other));
        end = end.min(one.max(other));
    }
    begin <= end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks along Z: X is to the right, Y is up.
    fn forward(x: f32, y: f32) -> Ray {
        Ray {
            origin: [x, y, -1.0],
            direction: [0.0, 0.0, 1.0],
        }
    }

    /// Left below, left above, right below: clockwise.
    const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]];

    #[test]
    fn a_triangle_is_hit_from_both_sides() {
        let front = triangle(&forward(0.5, 0.25), &CORNERS).expect("a hit");
        assert_eq!((front.t, front.barycentrics), (2.0, [0.25, 0.5]));
        assert!(front.clockwise);
        let behind = Ray {
            origin: [0.5, 0.25, 5.0],
            direction: [0.0, 0.0, -2.0],
        };
        let back = triangle(&behind, &CORNERS).expect("a hit");
        assert_eq!((back.t, back.barycentrics), (2.0, [0.25, 0.5]));
        assert!(!back.clockwise);
    }

    #[test]
    fn a_ray_beside_or_along_a_triangle_misses() {
        assert_eq!(triangle(&forward(0.75, 0.75), &CORNERS), None);
        let along = Ray {
            origin: [-1.0, 0.25, 1.0],
            direction: [1.0, 0.0, 0.0],
        };
        assert_eq!(triangle(&along, &CORNERS), None);
        let nowhere = Ray::default();
        assert_eq!(triangle(&nowhere, &CORNERS), None);
        let flat = [CORNERS[0], CORNERS[1], CORNERS[0]];
        assert_eq!(triangle(&forward(0.0, 0.5), &flat), None);
        let mut inactive = CORNERS;
        inactive[2][0] = f32::NAN;
        assert_eq!(triangle(&forward(0.25, 0.25), &inactive), None);
    }

    /// A square of two triangles with the diagonal in common: each point belongs to one of them,
    /// with either winding.
    #[test]
    fn a_common_edge_belongs_to_one_triangle() {
        let other = [[1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
        let turned = |[a, b, c]: [[f32; 3]; 3]| [a, c, b];
        for at in [0.25, 0.5, 0.7, 0.1] {
            let ray = forward(at, 1.0 - at);
            for (one, two) in [(CORNERS, other), (turned(CORNERS), turned(other))] {
                let hits = [one, two].map(|corners| triangle(&ray, &corners).is_some());
                assert!(hits[0] != hits[1], "{at}: {hits:?}");
            }
        }
        // The left edge belongs to the triangle, the lower one does not.
        assert!(triangle(&forward(0.0, 0.5), &CORNERS).is_some());
        assert!(triangle(&forward(0.5, 0.0), &CORNERS).is_none());
    }

    /// Six triangles around a point: a ray through it hits one of them, whatever its direction.
    #[test]
    fn a_common_corner_belongs_to_one_triangle() {
        let rim = [
            [2.0, 0.5, 1.0],
            [1.0, 2.0, 0.5],
            [-1.0, 2.0, 0.0],
            [-2.0, -0.5, 1.5],
            [-1.0, -2.0, 1.0],
            [1.0, -2.0, 0.25],
        ];
        for direction in [[0.0, 0.0, 1.0], [0.25, -0.5, 1.0], [0.1, 0.3, -0.7]] {
            let ray = Ray {
                origin: [0, 1, 2].map(|axis: usize| [0.0, 0.0, 1.0][axis] - direction[axis]),
                direction,
            };
            let hits = (0..6).filter(|&n| {
                let corners = [[0.0, 0.0, 1.0], rim[n], rim[(n + 1) % 6]];
                triangle(&ray, &corners).is_some()
            });
            assert_eq!(hits.count(), 1, "{direction:?}");
        }
    }

    #[test]
    fn a_box_is_hit_within_the_extent() {
        let unit = [[0.0, 0.0, 1.0], [1.0, 1.0, 2.0]];
        let ray = forward(0.5, 0.5);
        assert!(is_in_box(&ray, &unit, [0.0, 10.0]));
        assert!(is_in_box(&ray, &unit, [2.5, 2.5]), "from within");
        assert!(is_in_box(&ray, &unit, [0.0, 2.0]), "up to the face");
        assert!(!is_in_box(&ray, &unit, [0.0, 1.5]), "too near");
        assert!(!is_in_box(&ray, &unit, [3.5, 9.0]), "too far");
        assert!(!is_in_box(&forward(1.5, 0.5), &unit, [0.0, 10.0]));
        assert!(is_in_box(&forward(1.0, 0.5), &unit, [0.0, 10.0]), "a face");
        let mut inactive = unit;
        inactive[0][0] = f32::NAN;
        assert!(!is_in_box(&ray, &inactive, [0.0, 10.0]));
    }
}
