//! DXIL's own enumerations (DirectXShaderCompiler, `DxilConstants.h`).

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

codes! {
    /// Sampler flavour (DXIL `SamplerKind`).
    #[non_exhaustive]
    SamplerKind {
        Default = 0,
        Comparison = 1,
        Mono = 2,
    }
}
