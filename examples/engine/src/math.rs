//! Vectors and matrices, as far as a camera needs them. Coordinates are left-handed: y is up.

/// Three numbers.
pub type Vec3 = [f32; 3];

/// A matrix, by columns, as constant buffers of HLSL have it.
pub type Mat4 = [[f32; 4]; 4];

/// Returns `a + s * b`.
pub fn add(a: Vec3, s: f32, b: Vec3) -> Vec3 {
    std::array::from_fn(|i| a[i] + s * b[i])
}

/// Returns the scalar product.
pub fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the vector product.
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j] * b[k] - a[k] * b[j]
    })
}

/// Returns the vector of length 1 in the same direction.
pub fn normalize(a: Vec3) -> Vec3 {
    let length = dot(a, a).sqrt();
    a.map(|x| x / length)
}

/// Returns the matrix that applies `b`, then `a`.
pub fn multiply(a: Mat4, b: Mat4) -> Mat4 {
    b.map(|column| std::array::from_fn(|row| (0..4).map(|k| a[k][row] * column[k]).sum()))
}

/// A position and the directions of its view, each of length 1.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    /// Position.
    pub eye: Vec3,
    /// To the right of the picture.
    pub right: Vec3,
    /// To its top.
    pub up: Vec3,
    /// Into it.
    pub forward: Vec3,
}

impl Camera {
    /// Returns a camera that looks at a point.
    pub fn new(eye: Vec3, target: Vec3) -> Self {
        let forward = normalize(add(target, -1.0, eye));
        let right = normalize(cross([0.0, 1.0, 0.0], forward));
        Self {
            eye,
            right,
            up: cross(forward, right),
            forward,
        }
    }

    /// Returns the matrix from the world to the camera's coordinates.
    pub fn view(&self) -> Mat4 {
        let rows = [self.right, self.up, self.forward];
        let mut matrix = [[0.0; 4]; 4];
        for (index, row) in rows.iter().enumerate() {
            for axis in 0..3 {
                matrix[axis][index] = row[axis];
            }
            matrix[3][index] = -dot(*row, self.eye);
        }
        matrix[3][3] = 1.0;
        matrix
    }
}

/// Returns a perspective projection to depths from 0 (near) to 1 (far).
pub fn perspective(tan_half_fov: f32, aspect: f32, near: f32, far: f32) -> Mat4 {
    let depth = far / (far - near);
    [
        [1.0 / (tan_half_fov * aspect), 0.0, 0.0, 0.0],
        [0.0, 1.0 / tan_half_fov, 0.0, 0.0],
        [0.0, 0.0, depth, 1.0],
        [0.0, 0.0, -near * depth, 0.0],
    ]
}

/// Returns a parallel projection of `half` to each side of the middle, to depths from 0 to 1.
pub fn parallel(half: f32, near: f32, far: f32) -> Mat4 {
    let depth = 1.0 / (far - near);
    [
        [1.0 / half, 0.0, 0.0, 0.0],
        [0.0, 1.0 / half, 0.0, 0.0],
        [0.0, 0.0, depth, 0.0],
        [0.0, 0.0, -near * depth, 1.0],
    ]
}

#[cfg(test)]
mod tests {
    use super::{Camera, multiply, parallel, perspective};

    fn apply(m: super::Mat4, v: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|row| (0..4).map(|k| m[k][row] * v[k]).sum())
    }

    #[test]
    fn what_a_camera_looks_at_is_in_the_middle() {
        let camera = Camera::new([1.0, 2.0, -5.0], [1.0, 0.5, 3.0]);
        let matrix = multiply(perspective(0.5, 1.5, 1.0, 100.0), camera.view());
        let [x, y, z, w] = apply(matrix, [1.0, 0.5, 3.0, 1.0]);
        assert!(x.abs() < 1e-5 && y.abs() < 1e-5, "{x} {y}");
        assert!(0.0 < z && z < w, "{z} {w}");
        // Higher is above, and right is right.
        assert!(apply(matrix, [1.0, 1.5, 3.0, 1.0])[1] > 0.0);
        assert!(apply(matrix, [2.0, 0.5, 3.0, 1.0])[0] > 0.0);
    }

    #[test]
    fn depths_are_from_0_to_1() {
        for matrix in [perspective(0.5, 1.5, 2.0, 50.0), parallel(3.0, 2.0, 50.0)] {
            for (z, expected) in [(2.0, 0.0), (50.0, 1.0)] {
                let [_, _, depth, w] = apply(matrix, [0.0, 0.0, z, 1.0]);
                assert!((depth / w - expected).abs() < 1e-5, "{z}: {}", depth / w);
            }
        }
    }
}
