//! The plain data of [`Shader`].

use smallvec::SmallVec;

use super::stages::{
    AmplificationProperties, DomainProperties, GeometryProperties, HullProperties, MeshProperties,
    WaveSize,
};
use crate::kinds::{
    ComponentType, InterpolationMode, ResourceClass, ResourceKind, SamplerKind, SemanticKind,
    ShaderKind, Version,
};
use crate::module::{FunctionId, GlobalId, Name, TypeId};

/// One element of a signature: a semantic over `rows` x `cols` registers.
#[derive(Clone, PartialEq, Debug)]
pub struct SignatureElement {
    /// Number that `loadInput`/`storeOutput` name it by.
    pub id: u32,
    /// Semantic name as written, such as `TEXCOORD` or `SV_Position`.
    pub name: Name,
    /// Component type.
    pub ty: ComponentType,
    /// Meaning.
    pub semantic: SemanticKind,
    /// Semantic index of each row (`TEXCOORD3` → 3).
    pub indices: SmallVec<[u32; 2]>,
    /// Interpolation.
    pub interpolation: InterpolationMode,
    /// Rows (array length); at least 1.
    pub rows: u32,
    /// Columns (components), 1 to 4.
    pub cols: u8,
    /// First register row; -1 when not packed (system-generated).
    pub start_row: i32,
    /// First component in the register; -1 when not packed.
    pub start_col: i8,
    /// Geometry output stream.
    pub stream: u8,
    /// Components that are dynamically indexed.
    pub dynamic_mask: u8,
    /// Components that are used (0xF when the metadata does not specify them).
    pub usage_mask: u8,
}

/// The three signatures of an entry point.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Signatures {
    /// Inputs.
    pub input: Vec<SignatureElement>,
    /// Outputs.
    pub output: Vec<SignatureElement>,
    /// Patch constants, or per-primitive outputs of a mesh shader.
    pub patch_constant: Vec<SignatureElement>,
}

/// Size of a range without upper bound (`Texture2D t[] : register(t0)`).
pub const UNBOUNDED: u32 = u32::MAX;

/// A resource range that a shader declares.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Resource {
    /// Class.
    pub class: ResourceClass,
    /// Shape.
    pub kind: ResourceKind,
    /// Number within its class; `createHandle` names it by (class, id).
    pub id: u32,
    /// Name, empty when stripped (then taken from `STAT` where that part has it).
    pub name: Name,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower_bound: u32,
    /// Number of registers; [`UNBOUNDED`] for a range without end.
    pub range_size: u32,
    /// Global variable of a library resource.
    pub global: Option<GlobalId>,
    /// Type of the symbol (pointee of the metadata's `undef` pointer), if specified.
    pub symbol_type: Option<TypeId>,
    /// Element type of a typed buffer or texture.
    pub component: Option<ComponentType>,
    /// Element stride of a structured buffer in bytes.
    pub stride: Option<u32>,
    /// Samples of a multisampled texture; 0 when not specified.
    pub sample_count: u32,
    /// `globallycoherent`.
    pub globally_coherent: bool,
    /// The UAV has a hidden counter.
    pub has_counter: bool,
    /// Rasterizer-ordered view.
    pub rasterizer_ordered: bool,
    /// Constant buffer size in bytes.
    pub cbuffer_size: u32,
    /// Sampler flavour.
    pub sampler_kind: SamplerKind,
    /// Sampler feedback flavour (0 min mip, 1 mip region used).
    pub feedback_kind: Option<u32>,
    /// Used with 64-bit atomics.
    pub atomic64: bool,
    /// `reordercoherent` (SM 6.9).
    pub reorder_coherent: bool,
    /// The status of loads from a raw or structured buffer is used (DXBC only).
    pub has_status: bool,
}

/// Properties of an entry point; each `None` if the metadata does not have it.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Properties {
    /// Shader flags (feature bits, metadata tag 0).
    pub flags: u64,
    /// Threads of a group.
    pub num_threads: Option<[u32; 3]>,
    /// Wave size.
    pub wave_size: Option<WaveSize>,
    /// Of a geometry shader.
    pub geometry: Option<GeometryProperties>,
    /// Of a domain shader.
    pub domain: Option<DomainProperties>,
    /// Of a hull shader.
    pub hull: Option<HullProperties>,
    /// Of a mesh shader.
    pub mesh: Option<MeshProperties>,
    /// Of an amplification shader.
    pub amplification: Option<AmplificationProperties>,
    /// Ray payload size in bytes.
    pub payload_size: Option<u32>,
    /// Ray attribute size in bytes.
    pub attribute_size: Option<u32>,
    /// Automatic binding space.
    pub auto_binding_space: Option<u32>,
    /// Serialized root signature in the metadata.
    pub root_signature: Option<Box<[u8]>>,
    /// Stage of a library function.
    pub kind: Option<ShaderKind>,
    /// Of a node of a work graph.
    pub node: Option<Box<super::NodeProperties>>,
    /// Tags without a field here: (tag, metadata node).
    pub other: Vec<(u32, crate::metadata::MdId)>,
}

/// An entry point.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct EntryPoint {
    /// Function; `None` for a library's resource-only entry.
    pub function: Option<FunctionId>,
    /// Name.
    pub name: Name,
    /// Stage.
    pub kind: ShaderKind,
    /// Signatures.
    pub signatures: Signatures,
    /// Properties.
    pub properties: Properties,
}

/// Shader-level description of a module, from its metadata and the container's parts.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Shader {
    /// Stage of the program (`Library` for `lib_6_x`).
    pub kind: ShaderKind,
    /// Shader model.
    pub model: Version,
    /// DXIL version.
    pub dxil_version: Version,
    /// Validator version.
    pub validator_version: Version,
    /// Entry points.
    pub entry_points: Vec<EntryPoint>,
    /// Resources of all classes, sorted by (class, id).
    pub resources: Vec<Resource>,
    /// Low precision is native 16-bit rather than minimum precision (`-enable-16bit-types`).
    pub native_low_precision: bool,
    /// Denorm mode of 32-bit floats: 0 any, 1 preserve, 2 flush to zero.
    pub denorm_mode: u32,
    /// Feature bits of the `SFI0` part, 0 without one.
    pub feature_flags: u64,
}

impl Resource {
    /// Returns a range of one register, unnamed, in space 0, without properties of its kind: for
    /// other front ends.
    pub fn new(class: ResourceClass, kind: ResourceKind, id: u32, lower_bound: u32) -> Self {
        Self {
            class,
            kind,
            id,
            name: Name::default(),
            space: 0,
            lower_bound,
            range_size: 1,
            global: None,
            symbol_type: None,
            component: None,
            stride: None,
            sample_count: 0,
            globally_coherent: false,
            has_counter: false,
            rasterizer_ordered: false,
            cbuffer_size: 0,
            sampler_kind: SamplerKind::Default,
            feedback_kind: None,
            atomic64: false,
            reorder_coherent: false,
            has_status: false,
        }
    }
}

impl EntryPoint {
    /// Returns an entry point without signatures and properties: for other front ends.
    pub fn new(kind: ShaderKind, name: Name, function: FunctionId) -> Self {
        Self {
            function: Some(function),
            name,
            kind,
            signatures: Signatures::default(),
            properties: Properties::default(),
        }
    }
}

impl Shader {
    /// Returns a shader without entry points and resources: for other front ends.
    pub fn new(kind: ShaderKind, model: Version) -> Self {
        Self {
            kind,
            model,
            dxil_version: Version::default(),
            validator_version: Version::default(),
            entry_points: Vec::new(),
            resources: Vec::new(),
            native_low_precision: false,
            denorm_mode: 0,
            feature_flags: 0,
        }
    }

    /// Returns the resource that `createHandle` names by class and number.
    pub fn resource(&self, class: ResourceClass, id: u32) -> Option<&Resource> {
        self.resources
            .iter()
            .find(|r| r.class == class && r.id == id)
    }
}
