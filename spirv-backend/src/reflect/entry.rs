//! Entry points and the elements of their signatures.

use serde::Serialize;
use trellis_dxil_frontend::shader::{
    EntryPoint, InterpolationMode, MeshTopology, SemanticKind, SignatureElement,
};

use super::node::{NodeReflection, node};
use super::stages::{self, GeometryReflection, TessellationReflection, geometry, tessellation};
use crate::mesh_outputs::primitive_location;
use crate::options::Options;

/// One entry point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EntryReflection {
    /// Name.
    pub name: String,
    /// Stage.
    pub stage: &'static str,
    /// Threads of a group: x, y, z.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workgroup_size: Option<[u32; 3]>,
    /// Wave sizes that the shader accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wave_size: Option<WaveSize>,
    /// Primitives, streams and instances of a geometry shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geometry: Option<GeometryReflection>,
    /// Properties of the patches of a hull or domain shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tessellation: Option<TessellationReflection>,
    /// Output of a mesh shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshReflection>,
    /// Launch type, input and outputs of a node of a work graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeReflection>,
    /// Bytes of the payload: between amplification and mesh shader, of a ray, or of a callable
    /// shader's data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_size: Option<u32>,
    /// Bytes of the hit attributes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute_size: Option<u32>,
    /// Inputs.
    pub inputs: Vec<ElementReflection>,
    /// Outputs.
    pub outputs: Vec<ElementReflection>,
    /// Patch constants or per-primitive outputs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patch_constants: Vec<ElementReflection>,
}

/// Outputs of a mesh shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MeshReflection {
    /// `line` or `triangle`.
    pub topology: &'static str,
    /// Most vertices of a group.
    pub max_vertices: u32,
    /// Most primitives of a group.
    pub max_primitives: u32,
    /// The Vulkan location of register 0 of the per-primitive outputs (`patch_constants`).
    pub primitive_location: u32,
}

/// Wave sizes (`[WaveSize]`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct WaveSize {
    /// Smallest.
    pub min: u32,
    /// Largest.
    pub max: u32,
    /// Preferred, 0 for none.
    pub preferred: u32,
}

/// One element of a signature.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ElementReflection {
    /// Semantic name.
    pub semantic: String,
    /// Semantic index of each row.
    pub indices: Vec<u32>,
    /// System value, such as `Position`; absent for user semantics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_value: Option<String>,
    /// Component type, such as `F32`.
    pub component: String,
    /// Rows.
    pub rows: u32,
    /// Components of a row.
    pub columns: u8,
    /// Stream of a geometry shader's output, if it is not the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<u8>,
    /// First register, if the element is packed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub register: Option<u32>,
    /// First component in the register.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_column: Option<u32>,
    /// Interpolation mode of an input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpolation: Option<String>,
}

pub(super) fn entry((e, name): (&EntryPoint, &str), options: &Options) -> EntryReflection {
    let elements = |list: &[SignatureElement], input: bool| {
        list.iter()
            .map(|element| self::element(element, input))
            .collect()
    };
    EntryReflection {
        name: name.to_owned(),
        stage: e.kind.name(),
        workgroup_size: e.properties.num_threads,
        wave_size: e.properties.wave_size.map(|size| WaveSize {
            min: size.minimum,
            max: size.maximum,
            preferred: size.preferred,
        }),
        geometry: e.properties.geometry.map(geometry),
        tessellation: tessellation(e, options),
        mesh: e.properties.mesh.map(|mesh| MeshReflection {
            topology: match mesh.topology {
                MeshTopology::Line => "line",
                MeshTopology::Triangle => "triangle",
                MeshTopology::Unknown(0) => "undefined",
                MeshTopology::Unknown(_) => stages::UNKNOWN,
            },
            max_vertices: mesh.max_vertices,
            max_primitives: mesh.max_primitives,
            primitive_location: primitive_location(&e.signatures),
        }),
        node: e
            .properties
            .node
            .as_deref()
            .map(|properties| node(properties, name)),
        payload_size: e
            .properties
            .mesh
            .map(|mesh| mesh.payload_size)
            .or(e.properties.amplification.map(|stage| stage.payload_size))
            .or(e.properties.payload_size)
            .filter(|&bytes| bytes > 0),
        attribute_size: e.properties.attribute_size,
        inputs: elements(&e.signatures.input, true),
        outputs: elements(&e.signatures.output, false),
        patch_constants: elements(&e.signatures.patch_constant, false),
    }
}

fn element(e: &SignatureElement, input: bool) -> ElementReflection {
    ElementReflection {
        semantic: e.name.to_string(),
        indices: e.indices.to_vec(),
        system_value: (e.semantic != SemanticKind::Arbitrary).then(|| format!("{:?}", e.semantic)),
        component: format!("{:?}", e.ty),
        rows: e.rows,
        columns: e.cols,
        stream: (e.stream > 0).then_some(e.stream),
        register: u32::try_from(e.start_row).ok(),
        first_column: u32::try_from(e.start_col).ok(),
        interpolation: (input && e.interpolation != InterpolationMode::Undefined)
            .then(|| format!("{:?}", e.interpolation)),
    }
}
