//! Enumerations of the token format (`d3d12TokenizedProgramFormat.hpp`), with FXC's names.

/// Declares an enumeration with the format's numbers and the names in FXC's listing.
macro_rules! codes {
    ($($(#[$meta:meta])* $name:ident { $($variant:ident = $code:literal $text:literal,)+ })+) => {$(
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

            /// Returns its name in FXC's listing.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }
    )+};
}

codes! {
    /// Register file of an operand.
    RegisterFile {
        Temp = 0 "r",
        Input = 1 "v",
        Output = 2 "o",
        IndexableTemp = 3 "x",
        Immediate32 = 4 "l",
        Immediate64 = 5 "d",
        Sampler = 6 "s",
        Resource = 7 "t",
        ConstantBuffer = 8 "cb",
        ImmediateConstantBuffer = 9 "icb",
        Label = 10 "label",
        InputPrimitiveId = 11 "vPrim",
        OutputDepth = 12 "oDepth",
        Null = 13 "null",
        Rasterizer = 14 "rasterizer",
        OutputCoverageMask = 15 "oMask",
        Stream = 16 "m",
        FunctionBody = 17 "fb",
        FunctionTable = 18 "ft",
        Interface = 19 "fp",
        FunctionInput = 20 "function_input",
        FunctionOutput = 21 "function_output",
        OutputControlPointId = 22 "vOutputControlPointID",
        InputForkInstanceId = 23 "vForkInstanceID",
        InputJoinInstanceId = 24 "vJoinInstanceID",
        InputControlPoint = 25 "vicp",
        OutputControlPoint = 26 "vocp",
        InputPatchConstant = 27 "vpc",
        InputDomainPoint = 28 "vDomain",
        ThisPointer = 29 "this",
        UnorderedAccessView = 30 "u",
        ThreadGroupSharedMemory = 31 "g",
        InputThreadId = 32 "vThreadID",
        InputThreadGroupId = 33 "vThreadGroupID",
        InputThreadIdInGroup = 34 "vThreadIDInGroup",
        InputCoverageMask = 35 "vCoverage",
        InputThreadIdInGroupFlattened = 36 "vThreadIDInGroupFlattened",
        InputGsInstanceId = 37 "vGSInstanceID",
        OutputDepthGreaterEqual = 38 "oDepthGE",
        OutputDepthLessEqual = 39 "oDepthLE",
        CycleCounter = 40 "vCycleCounter",
        OutputStencilRef = 41 "oStencilRef",
        InputInnerCoverage = 42 "vInnerCoverage",
    }

    /// Minimum precision of an operand.
    MinPrecision {
        Default = 0 "",
        Float16 = 1 "min16f",
        Float2_8 = 2 "min2_8f",
        Sint16 = 4 "min16i",
        Uint16 = 5 "min16u",
    }

    /// Dimension of a resource.
    ResourceDimension {
        Unknown = 0 "unknown",
        Buffer = 1 "buffer",
        Texture1D = 2 "texture1d",
        Texture2D = 3 "texture2d",
        Texture2DMS = 4 "texture2dms",
        Texture3D = 5 "texture3d",
        TextureCube = 6 "texturecube",
        Texture1DArray = 7 "texture1darray",
        Texture2DArray = 8 "texture2darray",
        Texture2DMSArray = 9 "texture2dmsarray",
        TextureCubeArray = 10 "texturecubearray",
        RawBuffer = 11 "raw_buffer",
        StructuredBuffer = 12 "structured_buffer",
    }

    /// Type that a component of a resource has in a shader.
    ReturnType {
        Unorm = 1 "unorm",
        Snorm = 2 "snorm",
        Sint = 3 "sint",
        Uint = 4 "uint",
        Float = 5 "float",
        Mixed = 6 "mixed",
        Double = 7 "double",
        Continued = 8 "<continued>",
        Unused = 9 "<unused>",
    }

    /// Result format of `resinfo`.
    ResinfoType {
        Float = 0 "",
        RcpFloat = 1 "_rcpFloat",
        Uint = 2 "_uint",
    }

    /// Mode of a sampler.
    SamplerMode {
        Default = 0 "mode_default",
        Comparison = 1 "mode_comparison",
        Mono = 2 "mode_mono",
    }

    /// Interpolation of a pixel shader's input.
    Interpolation {
        Undefined = 0 "",
        Constant = 1 "constant",
        Linear = 2 "linear",
        LinearCentroid = 3 "linear centroid",
        LinearNoPerspective = 4 "linear noperspective",
        LinearNoPerspectiveCentroid = 5 "linear noperspective centroid",
        LinearSample = 6 "linear sample",
        LinearNoPerspectiveSample = 7 "linear noperspective sample",
    }

    /// System value of a declaration.
    SystemValue {
        Undefined = 0 "undefined",
        Position = 1 "position",
        ClipDistance = 2 "clip_distance",
        CullDistance = 3 "cull_distance",
        RenderTargetArrayIndex = 4 "rendertarget_array_index",
        ViewportArrayIndex = 5 "viewport_array_index",
        VertexId = 6 "vertex_id",
        PrimitiveId = 7 "primitive_id",
        InstanceId = 8 "instance_id",
        IsFrontFace = 9 "is_front_face",
        SampleIndex = 10 "sampleIndex",
        FinalQuadUEq0EdgeTessFactor = 11 "finalQuadUeq0EdgeTessFactor",
        FinalQuadVEq0EdgeTessFactor = 12 "finalQuadVeq0EdgeTessFactor",
        FinalQuadUEq1EdgeTessFactor = 13 "finalQuadUeq1EdgeTessFactor",
        FinalQuadVEq1EdgeTessFactor = 14 "finalQuadVeq1EdgeTessFactor",
        FinalQuadUInsideTessFactor = 15 "finalQuadUInsideTessFactor",
        FinalQuadVInsideTessFactor = 16 "finalQuadVInsideTessFactor",
        FinalTriUEq0EdgeTessFactor = 17 "finalTriUeq0EdgeTessFactor",
        FinalTriVEq0EdgeTessFactor = 18 "finalTriVeq0EdgeTessFactor",
        FinalTriWEq0EdgeTessFactor = 19 "finalTriWeq0EdgeTessFactor",
        FinalTriInsideTessFactor = 20 "finalTriInsideTessFactor",
        FinalLineDetailTessFactor = 21 "finalLineDetailTessFactor",
        FinalLineDensityTessFactor = 22 "finalLineDensityTessFactor",
    }

    /// Topology of a geometry shader's output.
    OutputTopology {
        PointList = 1 "pointlist",
        LineStrip = 3 "linestrip",
        TriangleStrip = 5 "trianglestrip",
    }

    /// Domain of the tessellator.
    TessDomain {
        Undefined = 0 "domain_undefined",
        Isoline = 1 "domain_isoline",
        Tri = 2 "domain_tri",
        Quad = 3 "domain_quad",
    }

    /// Partitioning of the tessellator.
    TessPartitioning {
        Undefined = 0 "partitioning_undefined",
        Integer = 1 "partitioning_integer",
        Pow2 = 2 "partitioning_pow2",
        FractionalOdd = 3 "partitioning_fractional_odd",
        FractionalEven = 4 "partitioning_fractional_even",
    }

    /// Output primitive of the tessellator.
    TessOutputPrimitive {
        Undefined = 0 "output_undefined",
        Point = 1 "output_point",
        Line = 2 "output_line",
        TriangleCw = 3 "output_triangle_cw",
        TriangleCcw = 4 "output_triangle_ccw",
    }

    /// Class of custom data.
    CustomDataClass {
        Comment = 0 "comment",
        DebugInfo = 1 "debuginfo",
        Opaque = 2 "opaque",
        ImmediateConstantBuffer = 3 "dcl_immediateConstantBuffer",
        ShaderMessage = 4 "shader_message",
        ClipPlaneMapping = 5 "clip_plane_mapping",
    }
}

impl RegisterFile {
    /// Returns whether instructions read values of it.
    pub fn is_value(self) -> bool {
        !matches!(
            self,
            Self::Sampler
                | Self::Resource
                | Self::Label
                | Self::Null
                | Self::Rasterizer
                | Self::Stream
                | Self::FunctionBody
                | Self::FunctionTable
                | Self::Interface
                | Self::UnorderedAccessView
                | Self::ThreadGroupSharedMemory
                | Self::OutputDepth
                | Self::OutputDepthGreaterEqual
                | Self::OutputDepthLessEqual
                | Self::OutputCoverageMask
                | Self::OutputStencilRef
        )
    }

    /// Returns whether instructions write it.
    pub fn is_destination(self) -> bool {
        matches!(
            self,
            Self::Temp
                | Self::Output
                | Self::IndexableTemp
                | Self::Null
                | Self::OutputDepth
                | Self::OutputDepthGreaterEqual
                | Self::OutputDepthLessEqual
                | Self::OutputCoverageMask
                | Self::OutputStencilRef
        )
    }

    /// Returns the least and most indices that an operand of an instruction has; `has_ranges` is
    /// [`Program::has_ranges`](super::Program::has_ranges).
    pub(super) fn index_counts(self, has_ranges: bool) -> (u8, u8) {
        let ranges = u8::from(has_ranges);
        match self {
            Self::Temp
            | Self::ImmediateConstantBuffer
            | Self::Label
            | Self::Stream
            | Self::FunctionInput
            | Self::FunctionOutput
            | Self::FunctionBody
            | Self::FunctionTable
            | Self::InputPatchConstant
            | Self::ThreadGroupSharedMemory => (1, 1),
            Self::Input | Self::Output => (1, 2),
            Self::IndexableTemp
            | Self::InputControlPoint
            | Self::OutputControlPoint
            | Self::Interface => (2, 2),
            Self::ThisPointer => (1, 3),
            Self::Sampler | Self::Resource | Self::UnorderedAccessView => (1 + ranges, 1 + ranges),
            Self::ConstantBuffer => (2 + ranges, 2 + ranges),
            _ => (0, 0),
        }
    }
}

/// Primitive of a geometry shader's input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum InputPrimitive {
    /// Points.
    Point,
    /// Lines.
    Line,
    /// Triangles.
    Triangle,
    /// Lines with adjacency.
    LineAdj,
    /// Triangles with adjacency.
    TriangleAdj,
    /// Patches of 1 to 32 control points.
    Patch(u8),
}

impl InputPrimitive {
    /// Returns the primitive with this number; `None` if there is none.
    pub fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            1 => Self::Point,
            2 => Self::Line,
            3 => Self::Triangle,
            6 => Self::LineAdj,
            7 => Self::TriangleAdj,
            8..=39 => Self::Patch((code - 7) as u8),
            _ => return None,
        })
    }

    /// Returns the number of vertices.
    pub fn vertices(self) -> u32 {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Triangle => 3,
            Self::LineAdj => 4,
            Self::TriangleAdj => 6,
            Self::Patch(points) => points.into(),
        }
    }
}
