//! Acceleration structures: their meshes and instances, as a dispatch file writes them.

use serde::{Deserialize, Serialize};
use trellis_dxil_frontend::described;

use super::{Class, DispatchError, Place};

/// An acceleration structure and where it is bound: at a register, or in the heap of resources.
///
/// ```
/// use trellis_dxil_interpreter::dispatch::Dispatch;
/// let dispatch = Dispatch::from_json(r#"{
///   "groups": [1, 1, 1],
///   "scenes": [{
///     "register": 0,
///     "meshes": [[{ "triangles": [[[0, 0, 1], [0, 1, 1], [1, 0, 1]]], "opaque": true }], [{ "boxes": [[[0, 0, 0], [1, 1, 1]]] }]],
///     "instances": [{ "mesh": 0 }, { "mesh": 1, "id": 7, "mask": 1, "transform": [[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0]] }]
///   }]
/// }"#)?;
/// assert_eq!(dispatch.scenes[0].instances[1].id, 7);
/// # Ok::<(), trellis_dxil_interpreter::dispatch::DispatchError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Register (an SRV's); 0 where `heap` is given.
    #[serde(default)]
    pub register: u32,
    /// Register space.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub space: u32,
    /// Index into the heap of resources; no register then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap: Option<u32>,
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
    /// No any-hit shader runs, and no candidate of a ray query is made. For other geometry an any-hit
    /// shader runs at most once per primitive.
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

impl Instance {
    /// Returns an instance of a mesh where the mesh is: visible to all rays, without flags.
    pub fn of(mesh: usize) -> Self {
        Self {
            mesh,
            id: 0,
            mask: all(),
            group: 0,
            transform: identity(),
            flags: 0,
        }
    }
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

described! {
    /// A rule for acceleration structures.
    #[derive(Copy)]
    SceneRule {
        Mesh { mesh: usize } => "mesh {mesh}: expected geometries of triangles or of boxes";
        Instance { mesh: usize, meshes: usize } =>
            "an instance of mesh {mesh}, of which there are {meshes}";
    }
}

impl Scene {
    /// Returns where the structure is bound.
    pub fn place(&self) -> Place {
        Place {
            heap: self.heap,
            ..Place::at(Class::Srv, self.space, self.register)
        }
    }

    /// Checks the conditions whose violation devices leave undefined.
    ///
    /// # Errors
    /// A mesh without primitives or with both kinds, or an instance of a mesh that does not exist.
    pub fn check(&self) -> Result<(), DispatchError> {
        let fail = |rule| {
            Err(DispatchError::Scene {
                place: self.place(),
                rule,
            })
        };
        for (number, mesh) in self.meshes.iter().enumerate() {
            let kinds: Vec<bool> = mesh.iter().map(|g| g.triangles.is_empty()).collect();
            let whole = mesh
                .iter()
                .all(|g| g.triangles.is_empty() != g.boxes.is_empty());
            if !whole || kinds.is_empty() || kinds.iter().any(|kind| *kind != kinds[0]) {
                return fail(SceneRule::Mesh { mesh: number });
            }
        }
        let meshes = self.meshes.len();
        match self.instances.iter().find(|i| i.mesh >= meshes) {
            Some(&Instance { mesh, .. }) => fail(SceneRule::Instance { mesh, meshes }),
            None => Ok(()),
        }
    }
}
