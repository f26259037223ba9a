//! The content of an acceleration structure, as a test file writes it.

use serde::{Deserialize, Serialize};

/// An acceleration structure and where it is bound.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Register (an SRV's).
    pub register: u32,
    /// Register space.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub space: u32,
    /// Meshes: bottom-level structures, each of several geometries.
    pub meshes: Vec<Vec<Geometry>>,
    /// Instances of the meshes.
    pub instances: Vec<Instance>,
}

/// A geometry of a mesh: triangles or boxes.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// Triangles, by their three corners.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triangles: Vec<[[f32; 3]; 3]>,
    /// Boxes, by their least and greatest corner.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<[[f32; 3]; 2]>,
    /// No any-hit shader runs. For other geometry it runs at most once per primitive.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opaque: bool,
}

/// An instance of a mesh.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instance {
    /// Index of the mesh.
    pub mesh: usize,
    /// Number that a shader reads as `InstanceID`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub id: u32,
    /// Visibility mask.
    #[serde(default = "all", skip_serializing_if = "is_all")]
    pub mask: u8,
    /// Added to the number of the hit group.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub group: u32,
    /// From object to world: three rows of four.
    #[serde(default = "identity", skip_serializing_if = "is_identity")]
    pub transform: [[f32; 4]; 3],
    /// `D3D12_RAYTRACING_INSTANCE_FLAGS`, which are Vulkan's too: 1 no culling, 2 front faces
    /// counterclockwise, 4 opaque, 8 not opaque.
    #[serde(default, skip_serializing_if = "is_no_flag")]
    pub flags: u8,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_no_flag(flags: &u8) -> bool {
    *flags == 0
}

fn all() -> u8 {
    0xFF
}

fn is_all(mask: &u8) -> bool {
    *mask == all()
}

fn identity() -> [[f32; 4]; 3] {
    [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ]
}

fn is_identity(transform: &[[f32; 4]; 3]) -> bool {
    *transform == identity()
}

impl Scene {
    /// Checks the conditions whose violation Vulkan leaves undefined.
    ///
    /// # Errors
    /// A mesh without primitives or with both kinds, or an instance of a mesh that does not exist.
    pub fn check(&self) -> Result<(), String> {
        for (index, mesh) in self.meshes.iter().enumerate() {
            let kinds: Vec<bool> = mesh.iter().map(|g| g.triangles.is_empty()).collect();
            let whole = mesh
                .iter()
                .all(|g| g.triangles.is_empty() != g.boxes.is_empty());
            if !whole || kinds.is_empty() || kinds.iter().any(|kind| *kind != kinds[0]) {
                return Err(format!(
                    "mesh {index}: expected geometries of triangles or of boxes"
                ));
            }
        }
        match self.instances.iter().find(|i| i.mesh >= self.meshes.len()) {
            Some(instance) => Err(format!(
                "an instance of mesh {}, of which there are {}",
                instance.mesh,
                self.meshes.len()
            )),
            None => Ok(()),
        }
    }
}
