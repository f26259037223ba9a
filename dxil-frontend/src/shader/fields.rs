//! Positions and tags of the fields in DXIL's metadata (DirectXShaderCompiler,
//! `DxilMetadataHelper.h`). Positions count the operands of a node; a tag names the value that
//! follows it in a tag-value list.

/// `dx.version`, `dx.valver`.
pub(super) mod version {
    pub(in crate::shader) const MAJOR: usize = 0;
    pub(in crate::shader) const MINOR: usize = 1;
    pub(in crate::shader) const COUNT: usize = 2;
}

/// `dx.shaderModel`.
pub(super) mod shader_model {
    pub(in crate::shader) const KIND: usize = 0;
    pub(in crate::shader) const MAJOR: usize = 1;
    pub(in crate::shader) const MINOR: usize = 2;
    pub(in crate::shader) const COUNT: usize = 3;
}

/// A node of `dx.entryPoints`.
pub(super) mod entry_point {
    pub(in crate::shader) const FUNCTION: usize = 0;
    pub(in crate::shader) const NAME: usize = 1;
    pub(in crate::shader) const SIGNATURES: usize = 2;
    pub(in crate::shader) const RESOURCES: usize = 3;
    pub(in crate::shader) const PROPERTIES: usize = 4;
    pub(in crate::shader) const COUNT: usize = 5;
}

/// Tags of an entry point's properties.
pub(super) mod property {
    pub(in crate::shader) const SHADER_FLAGS: u32 = 0;
    pub(in crate::shader) const GEOMETRY: u32 = 1;
    pub(in crate::shader) const DOMAIN: u32 = 2;
    pub(in crate::shader) const HULL: u32 = 3;
    pub(in crate::shader) const NUM_THREADS: u32 = 4;
    pub(in crate::shader) const AUTO_BINDING_SPACE: u32 = 5;
    pub(in crate::shader) const RAY_PAYLOAD_SIZE: u32 = 6;
    pub(in crate::shader) const RAY_ATTRIBUTE_SIZE: u32 = 7;
    pub(in crate::shader) const SHADER_KIND: u32 = 8;
    pub(in crate::shader) const MESH: u32 = 9;
    pub(in crate::shader) const AMPLIFICATION: u32 = 10;
    pub(in crate::shader) const WAVE_SIZE: u32 = 11;
    pub(in crate::shader) const ROOT_SIGNATURE: u32 = 12;
    pub(in crate::shader) const NODE_LAUNCH: u32 = 13;
    pub(in crate::shader) const NODE_IS_PROGRAM_ENTRY: u32 = 14;
    pub(in crate::shader) const NODE_ID: u32 = 15;
    pub(in crate::shader) const NODE_LOCAL_ROOT_ARGUMENTS: u32 = 16;
    pub(in crate::shader) const NODE_SHARE_INPUT_OF: u32 = 17;
    pub(in crate::shader) const NODE_DISPATCH_GRID: u32 = 18;
    pub(in crate::shader) const NODE_MAX_RECURSION_DEPTH: u32 = 19;
    pub(in crate::shader) const NODE_INPUTS: u32 = 20;
    /// Node outputs are tag 21.
    pub(in crate::shader) const NODE_MAX_DISPATCH_GRID: u32 = 22;
    pub(in crate::shader) const WAVE_SIZE_RANGE: u32 = 23;
}

/// Tags of an input or output of a node.
pub(super) mod node_io {
    pub(in crate::shader) const ID: u32 = 0;
    pub(in crate::shader) const FLAGS: u32 = 1;
    pub(in crate::shader) const RECORD: u32 = 2;
    pub(in crate::shader) const MAX_RECORDS: u32 = 3;
    pub(in crate::shader) const MAX_RECORDS_SHARED_WITH: u32 = 4;
    pub(in crate::shader) const ARRAY_SIZE: u32 = 5;
    pub(in crate::shader) const ALLOW_SPARSE: u32 = 6;
}

/// Tags of the type of a node's records.
pub(super) mod node_record {
    pub(in crate::shader) const SIZE: u32 = 0;
    pub(in crate::shader) const DISPATCH_GRID: u32 = 1;
    pub(in crate::shader) const ALIGNMENT: u32 = 2;
}

/// A hull shader's state.
pub(super) mod hull {
    pub(in crate::shader) const PATCH_CONSTANT_FUNCTION: usize = 0;
    pub(in crate::shader) const INPUT_CONTROL_POINTS: usize = 1;
    pub(in crate::shader) const OUTPUT_CONTROL_POINTS: usize = 2;
    pub(in crate::shader) const DOMAIN: usize = 3;
    pub(in crate::shader) const PARTITIONING: usize = 4;
    pub(in crate::shader) const OUTPUT_PRIMITIVE: usize = 5;
    pub(in crate::shader) const MAX_FACTOR: usize = 6;
    pub(in crate::shader) const COUNT: usize = 7;
}

/// A mesh shader's state.
pub(super) mod mesh {
    pub(in crate::shader) const NUM_THREADS: usize = 0;
    pub(in crate::shader) const MAX_VERTICES: usize = 1;
    pub(in crate::shader) const MAX_PRIMITIVES: usize = 2;
    pub(in crate::shader) const TOPOLOGY: usize = 3;
    pub(in crate::shader) const PAYLOAD_SIZE: usize = 4;
    pub(in crate::shader) const COUNT: usize = 5;
}

/// An amplification shader's state.
pub(super) mod amplification {
    pub(in crate::shader) const NUM_THREADS: usize = 0;
    pub(in crate::shader) const PAYLOAD_SIZE: usize = 1;
    pub(in crate::shader) const COUNT: usize = 2;
}

/// Lists of signature elements of an entry point.
pub(super) mod signatures {
    pub(in crate::shader) const INPUT: usize = 0;
    pub(in crate::shader) const OUTPUT: usize = 1;
    pub(in crate::shader) const PATCH_CONSTANT: usize = 2;
}

/// A signature element.
pub(super) mod element {
    pub(in crate::shader) const ID: usize = 0;
    pub(in crate::shader) const NAME: usize = 1;
    pub(in crate::shader) const COMPONENT_TYPE: usize = 2;
    pub(in crate::shader) const SEMANTIC: usize = 3;
    pub(in crate::shader) const SEMANTIC_INDICES: usize = 4;
    pub(in crate::shader) const INTERPOLATION: usize = 5;
    pub(in crate::shader) const ROWS: usize = 6;
    pub(in crate::shader) const COLUMNS: usize = 7;
    pub(in crate::shader) const START_ROW: usize = 8;
    pub(in crate::shader) const START_COLUMN: usize = 9;
    pub(in crate::shader) const TAGS: usize = 10;
    /// Fields without the tag-value list, which may be absent.
    pub(in crate::shader) const COUNT: usize = 10;
}

/// Tags of a signature element.
pub(super) mod element_tag {
    pub(in crate::shader) const OUTPUT_STREAM: u32 = 0;
    pub(in crate::shader) const DYNAMIC_INDEX_MASK: u32 = 2;
    pub(in crate::shader) const USAGE_MASK: u32 = 3;
}

/// Lists of resources, in `dx.resources` or an entry point.
pub(super) mod resource_lists {
    pub(in crate::shader) const SRVS: usize = 0;
    pub(in crate::shader) const UAVS: usize = 1;
    pub(in crate::shader) const CBUFFERS: usize = 2;
    pub(in crate::shader) const SAMPLERS: usize = 3;
    pub(in crate::shader) const COUNT: usize = 4;
}

/// A resource of any class.
pub(super) mod resource {
    pub(in crate::shader) const ID: usize = 0;
    pub(in crate::shader) const VARIABLE: usize = 1;
    pub(in crate::shader) const NAME: usize = 2;
    pub(in crate::shader) const SPACE: usize = 3;
    pub(in crate::shader) const LOWER_BOUND: usize = 4;
    pub(in crate::shader) const RANGE_SIZE: usize = 5;
    /// The fields of all classes and the first of its class.
    pub(in crate::shader) const COUNT: usize = 7;
}

/// Further fields of an SRV.
pub(super) mod srv {
    pub(in crate::shader) const SHAPE: usize = 6;
    pub(in crate::shader) const SAMPLE_COUNT: usize = 7;
    pub(in crate::shader) const TAGS: usize = 8;
}

/// Further fields of a UAV.
pub(super) mod uav {
    pub(in crate::shader) const SHAPE: usize = 6;
    pub(in crate::shader) const GLOBALLY_COHERENT: usize = 7;
    pub(in crate::shader) const COUNTER: usize = 8;
    pub(in crate::shader) const RASTERIZER_ORDERED: usize = 9;
    pub(in crate::shader) const TAGS: usize = 10;
    /// Fields without the tag-value list, which may be absent.
    pub(in crate::shader) const COUNT: usize = 10;
}

/// Further fields of a constant buffer.
pub(super) mod cbuffer {
    pub(in crate::shader) const SIZE: usize = 6;
}

/// Further fields of a sampler.
pub(super) mod sampler {
    pub(in crate::shader) const KIND: usize = 6;
}

/// Tags of an SRV or UAV.
pub(super) mod resource_tag {
    pub(in crate::shader) const ELEMENT_TYPE: u32 = 0;
    pub(in crate::shader) const STRUCTURE_STRIDE: u32 = 1;
    pub(in crate::shader) const SAMPLER_FEEDBACK_KIND: u32 = 2;
    pub(in crate::shader) const ATOMIC64: u32 = 3;
    pub(in crate::shader) const REORDER_COHERENT: u32 = 4;
}

/// A list of `dx.typeAnnotations`: its tag selects what it annotates, pairs of subject and
/// annotation follow.
pub(super) mod annotations {
    pub(in crate::shader) const TAG: usize = 0;
    pub(in crate::shader) const FIRST_PAIR: usize = 1;
    pub(in crate::shader) const STRUCTURES: u32 = 0;
    pub(in crate::shader) const FUNCTIONS: u32 = 1;
}

/// The annotation of a structure: its size, then its fields.
pub(super) mod structure {
    pub(in crate::shader) const SIZE: usize = 0;
    pub(in crate::shader) const FIRST_FIELD: usize = 1;
}

/// The annotation of a parameter.
pub(super) mod parameter {
    pub(in crate::shader) const QUALIFIER: usize = 0;
    pub(in crate::shader) const FIELD: usize = 1;
    pub(in crate::shader) const SEMANTIC_INDICES: usize = 2;
}

/// Tags of a field's annotation.
pub(super) mod field_tag {
    pub(in crate::shader) const SNORM: u32 = 0;
    pub(in crate::shader) const UNORM: u32 = 1;
    pub(in crate::shader) const MATRIX: u32 = 2;
    pub(in crate::shader) const CBUFFER_OFFSET: u32 = 3;
    pub(in crate::shader) const SEMANTIC: u32 = 4;
    pub(in crate::shader) const INTERPOLATION: u32 = 5;
    pub(in crate::shader) const NAME: u32 = 6;
    pub(in crate::shader) const COMPONENT_TYPE: u32 = 7;
    pub(in crate::shader) const PRECISE: u32 = 8;
    pub(in crate::shader) const CBUFFER_USED: u32 = 9;
    pub(in crate::shader) const BIT_FIELD_WIDTH: u32 = 12;
    pub(in crate::shader) const VECTOR_SIZE: u32 = 13;
}
