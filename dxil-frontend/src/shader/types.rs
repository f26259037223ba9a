//! The plain data of [`Shader`]. Numbers follow DXIL's own enumerations (DirectXShaderCompiler,
//! `DxilConstants.h`).

use smallvec::SmallVec;

use super::stages::{
    AmplificationProperties, DomainProperties, GeometryProperties, HullProperties, MeshProperties,
    WaveSize,
};
use crate::module::{FunctionId, GlobalId, Name, TypeId};

/// Declares an enumeration with D3D's names and numbers.
macro_rules! codes {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $code:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "D3D's own names")]
        pub enum $name {
            $($variant = $code,)+
        }

        impl $name {
            /// Returns the variant with this number; `None` if there is none.
            pub fn from_code(code: u32) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

codes! {
    /// Pipeline stage of an entry point (DXIL `ShaderKind`).
    #[derive(PartialOrd, Ord)]
    ShaderKind {
        Pixel = 0,
        Vertex = 1,
        Geometry = 2,
        Hull = 3,
        Domain = 4,
        Compute = 5,
        Library = 6,
        RayGeneration = 7,
        Intersection = 8,
        AnyHit = 9,
        ClosestHit = 10,
        Miss = 11,
        Callable = 12,
        Mesh = 13,
        Amplification = 14,
        Node = 15,
    }
}

impl ShaderKind {
    /// Returns the stage's name in reports, listings and messages, such as `ray-generation`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pixel => "pixel",
            Self::Vertex => "vertex",
            Self::Geometry => "geometry",
            Self::Hull => "hull",
            Self::Domain => "domain",
            Self::Compute => "compute",
            Self::Library => "library",
            Self::RayGeneration => "ray-generation",
            Self::Intersection => "intersection",
            Self::AnyHit => "any-hit",
            Self::ClosestHit => "closest-hit",
            Self::Miss => "miss",
            Self::Callable => "callable",
            Self::Mesh => "mesh",
            Self::Amplification => "amplification",
            Self::Node => "node",
        }
    }
}

impl std::fmt::Display for ShaderKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A two-part version number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct Version {
    /// Major.
    pub major: u32,
    /// Minor.
    pub minor: u32,
}

codes! {
    /// Scalar component type of signatures and typed resources (DXIL `ComponentType`).
    ComponentType {
        Invalid = 0,
        I1 = 1,
        I16 = 2,
        U16 = 3,
        I32 = 4,
        U32 = 5,
        I64 = 6,
        U64 = 7,
        F16 = 8,
        F32 = 9,
        F64 = 10,
        SNormF16 = 11,
        UNormF16 = 12,
        SNormF32 = 13,
        UNormF32 = 14,
        SNormF64 = 15,
        UNormF64 = 16,
        PackedS8x32 = 17,
        PackedU8x32 = 18,
    }
}

codes! {
    /// Class of a resource (DXIL `ResourceClass`): the register letter `t`, `u`, `b`, `s`.
    #[derive(PartialOrd, Ord)]
    ResourceClass {
        Srv = 0,
        Uav = 1,
        CBuffer = 2,
        Sampler = 3,
    }
}

codes! {
    /// Shape of a resource (DXIL `ResourceKind`).
    #[non_exhaustive]
    ResourceKind {
        Invalid = 0,
        Texture1D = 1,
        Texture2D = 2,
        Texture2DMS = 3,
        Texture3D = 4,
        TextureCube = 5,
        Texture1DArray = 6,
        Texture2DArray = 7,
        Texture2DMSArray = 8,
        TextureCubeArray = 9,
        TypedBuffer = 10,
        RawBuffer = 11,
        StructuredBuffer = 12,
        CBuffer = 13,
        Sampler = 14,
        TBuffer = 15,
        RTAccelerationStructure = 16,
        FeedbackTexture2D = 17,
        FeedbackTexture2DArray = 18,
    }
}

codes! {
    /// Semantic of a signature element (DXIL `SemanticKind`).
    #[non_exhaustive]
    SemanticKind {
        Arbitrary = 0,
        VertexID = 1,
        InstanceID = 2,
        Position = 3,
        RenderTargetArrayIndex = 4,
        ViewPortArrayIndex = 5,
        ClipDistance = 6,
        CullDistance = 7,
        OutputControlPointID = 8,
        DomainLocation = 9,
        PrimitiveID = 10,
        GSInstanceID = 11,
        SampleIndex = 12,
        IsFrontFace = 13,
        Coverage = 14,
        InnerCoverage = 15,
        Target = 16,
        Depth = 17,
        DepthLessEqual = 18,
        DepthGreaterEqual = 19,
        StencilRef = 20,
        DispatchThreadID = 21,
        GroupID = 22,
        GroupIndex = 23,
        GroupThreadID = 24,
        TessFactor = 25,
        InsideTessFactor = 26,
        ViewID = 27,
        Barycentrics = 28,
        ShadingRate = 29,
        CullPrimitive = 30,
        StartVertexLocation = 31,
        StartInstanceLocation = 32,
        Invalid = 33,
    }
}

codes! {
    /// Interpolation of an input (DXIL `InterpolationMode`).
    #[non_exhaustive]
    InterpolationMode {
        Undefined = 0,
        Constant = 1,
        Linear = 2,
        LinearCentroid = 3,
        LinearNoperspective = 4,
        LinearNoperspectiveCentroid = 5,
        LinearSample = 6,
        LinearNoperspectiveSample = 7,
        Invalid = 8,
    }
}

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

codes! {
    /// Sampler flavour (DXIL `SamplerKind`).
    #[non_exhaustive]
    SamplerKind {
        Default = 0,
        Comparison = 1,
        Mono = 2,
    }
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
    /// Tags that have no field of their own: (tag, metadata node).
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

impl Shader {
    /// Returns the resource that `createHandle` names by class and number.
    pub fn resource(&self, class: ResourceClass, id: u32) -> Option<&Resource> {
        self.resources
            .iter()
            .find(|r| r.class == class && r.id == id)
    }
}
