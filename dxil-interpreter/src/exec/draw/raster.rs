//! Rasterization of triangles: coverage, interpolation, depth (Direct3D 11.3 functional
//! specification, 15 and 16).
//!
//! Edge functions are homogeneous (Olano and Greer 1997), so that no triangle is clipped: a pixel
//! outside the clip volume is not covered.

use crate::exec::texture::positions;

/// Fractions of a pixel that positions are rounded to.
const SUBPIXELS: f64 = 256.0;

/// The part of a target that a viewport covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewport {
    pub(super) left: i32,
    pub(super) size: [i32; 2],
}

/// A triangle in a target.
#[derive(Clone, Debug, Default)]
pub(in crate::exec) struct Triangle {
    /// Edge functions of the corners: a plane that is 0 at the other two, not below 0 inside.
    edges: [[f64; 3]; 3],
    /// The same for corners that are not rounded, for interpolation.
    planes: [[f64; 3]; 3],
    /// Factors of the corners' weights with and without perspective.
    perspective: [f64; 3],
    linear: [f64; 3],
    /// `z` and `w` of the corners.
    depths: [[f64; 2]; 3],
    /// The first pixels, and those after the last.
    pub(super) bounds: [[i32; 2]; 2],
    /// A corner is outside the range of depths.
    is_deep: bool,
    pub(in crate::exec) is_front: bool,
    pub(in crate::exec) layer: u32,
    pub(in crate::exec) viewport: u32,
}

impl Triangle {
    /// Returns the triangle with corners in clip space; `None` if it has no area.
    pub(super) fn new(corners: [[f32; 4]; 3], viewport: Viewport) -> Option<Self> {
        let corners = corners.map(|corner| corner.map(f64::from));
        let size = viewport.size.map(f64::from);
        let all_visible = corners.iter().all(|corner| corner[3] > 0.0);
        // D3D's rasterizer has positions with 8 bits after the point.
        let snap = |at: f64| (at * SUBPIXELS).round_ties_even() / SUBPIXELS;
        // Column, row and weight: the weight is 1 if no corner is behind the eye.
        let exact = corners.map(|[x, y, _, w]| {
            let (x, y) = ((x + w) * 0.5 * size[0], (w - y) * 0.5 * size[1]);
            let left = f64::from(viewport.left);
            if all_visible {
                [x / w + left, y / w, 1.0]
            } else {
                [x + left * w, y, w]
            }
        });
        let rows = if all_visible {
            exact.map(|[x, y, w]| [snap(x), snap(y), w])
        } else {
            exact
        };
        if rows.as_flattened().iter().any(|at| !at.is_finite()) {
            return None;
        }
        let edges = edges(&rows);
        let area: f64 = (0..3).map(|axis| rows[0][axis] * edges[0][axis]).sum();
        if area == 0.0 {
            return None;
        }
        let weights = corners.map(|corner| corner[3]);
        let bounds = |axis: usize, end: i32| {
            let at = rows.map(|row| row[axis]);
            let low = at.iter().copied().fold(f64::INFINITY, f64::min).floor() as i32;
            let high = at.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil() as i32;
            let first = if axis == 0 { viewport.left } else { 0 };
            if all_visible {
                [low.clamp(first, end), high.clamp(first, end)]
            } else {
                [first, end]
            }
        };
        let columns = bounds(0, viewport.left + viewport.size[0]);
        let lines = bounds(1, viewport.size[1]);
        Some(Self {
            // Positive inside, whatever the winding is.
            edges: edges.map(|edge| edge.map(|n| n * area.signum())),
            planes: self::edges(&exact),
            perspective: if all_visible {
                weights.map(|w| 1.0 / w)
            } else {
                [1.0; 3]
            },
            linear: if all_visible { [1.0; 3] } else { weights },
            depths: corners.map(|corner| [corner[2], corner[3]]),
            bounds: [[columns[0], lines[0]], [columns[1], lines[1]]],
            is_deep: corners
                .iter()
                .any(|corner| !(0.0..=corner[3]).contains(&corner[2])),
            is_front: area > 0.0,
            layer: 0,
            viewport: 0,
        })
    }

    /// Returns whether a position is inside, or on a top or left edge.
    pub(super) fn covers(&self, at: [f64; 2]) -> bool {
        let sides = values(&self.edges, at).into_iter().zip(&self.edges);
        let is_in = |(side, &[a, b, _]): (f64, &[f64; 3])| {
            side > 0.0 || side == 0.0 && (a > 0.0 || a == 0.0 && b > 0.0)
        };
        sides.map(is_in).fold(true, |all, is_in| all & is_in)
            && (!self.is_deep || (0.0..=1.0).contains(&self.depth(at)[0]))
    }

    /// Returns the weights of the corners with perspective.
    pub(in crate::exec) fn perspective(&self, at: [f64; 2]) -> [f64; 3] {
        self.weights(at, self.perspective)
    }

    /// Returns the weights of the corners without perspective.
    pub(in crate::exec) fn linear(&self, at: [f64; 2]) -> [f64; 3] {
        self.weights(at, self.linear)
    }

    fn weights(&self, at: [f64; 2], factors: [f64; 3]) -> [f64; 3] {
        let planes = values(&self.planes, at);
        let weights = [0, 1, 2].map(|corner| planes[corner] * factors[corner]);
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// Returns the depth and `w` at a position.
    pub(in crate::exec) fn depth(&self, at: [f64; 2]) -> [f64; 2] {
        let weights = self.perspective(at);
        let [z, w] = [0, 1].map(|part| {
            let terms = self.depths.iter().zip(weights);
            terms
                .map(|(depth, weight)| depth[part] * weight)
                .sum::<f64>()
        });
        [z / w, w]
    }
}

/// Returns the edge functions of a triangle; the sign inside is the winding's.
fn edges(rows: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|corner| {
        let (a, b) = (rows[(corner + 1) % 3], rows[(corner + 2) % 3]);
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    })
}

fn values(edges: &[[f64; 3]; 3], at: [f64; 2]) -> [f64; 3] {
    edges.map(|[a, b, c]| a * at[0] + b * at[1] + c)
}

/// Returns the position of a sample in its pixel.
pub(in crate::exec) fn sample_offset(samples: u32, sample: u32) -> [f64; 2] {
    let position = positions(samples).get(sample as usize);
    let position = position.copied().unwrap_or_default();
    position.map(|sixteenths| 0.5 + f64::from(sixteenths) / 16.0)
}

/// Returns the position of the centroid in a pixel: the centre if all samples are covered, else the
/// first covered sample.
pub(in crate::exec) fn centroid(samples: u32, coverage: u32) -> [f64; 2] {
    if coverage == 0 || coverage.count_ones() >= samples {
        [0.5; 2]
    } else {
        sample_offset(samples, coverage.trailing_zeros())
    }
}
