//! Properties of geometry, tessellation, mesh and amplification shaders, launch types of nodes.
//!
//! The enumerations have the numbers of D3D (DirectXShaderCompiler, `DxilConstants.h`). A number
//! that D3D does not define is kept as `Unknown`, so that a consumer can report it.

use crate::module::FunctionId;

/// Declares an enumeration with numbers and a variant for all others.
macro_rules! open_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $code:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
            /// A number that D3D does not define.
            Unknown(u32),
        }

        impl $name {
            /// Returns the variant with this number.
            pub const fn from_code(code: u32) -> Self {
                match code {
                    $($code => Self::$variant,)+
                    other => Self::Unknown(other),
                }
            }

            /// Returns the number.
            pub const fn code(self) -> u32 {
                match self {
                    $(Self::$variant => $code,)+
                    Self::Unknown(code) => code,
                }
            }
        }
    };
}

open_enum! {
    /// Topology of a geometry shader's output (D3D `PrimitiveTopology`).
    PrimitiveTopology {
        /// Points.
        PointList = 1,
        /// Separate lines.
        LineList = 2,
        /// Connected lines.
        LineStrip = 3,
        /// Separate triangles.
        TriangleList = 4,
        /// Connected triangles.
        TriangleStrip = 5,
    }
}

open_enum! {
    /// Domain that the tessellator subdivides (D3D `TessellatorDomain`).
    TessellatorDomain {
        /// A set of lines.
        IsoLine = 1,
        /// A triangle.
        Triangle = 2,
        /// A quadrilateral.
        Quad = 3,
    }
}

open_enum! {
    /// Division of an edge by the tessellator (D3D `TessellatorPartitioning`).
    TessellatorPartitioning {
        /// Into equal parts; factors are rounded up to integers.
        Integer = 1,
        /// Into a power of two of equal parts.
        Pow2 = 2,
        /// Into an odd number of parts, two of another length.
        FractionalOdd = 3,
        /// Into an even number of parts, two of another length.
        FractionalEven = 4,
    }
}

open_enum! {
    /// Primitives that the tessellator outputs (D3D `TessellatorOutputPrimitive`).
    TessellatorOutputPrimitive {
        /// Points.
        Point = 1,
        /// Lines.
        Line = 2,
        /// Clockwise triangles.
        TriangleCw = 3,
        /// Counter-clockwise triangles.
        TriangleCcw = 4,
    }
}

open_enum! {
    /// Primitives that a mesh shader outputs (D3D `MeshOutputTopology`).
    MeshTopology {
        /// Lines.
        Line = 1,
        /// Triangles.
        Triangle = 2,
    }
}

open_enum! {
    /// How a node of a work graph runs for its records (D3D `NodeLaunchType`).
    NodeLaunch {
        /// A grid of thread groups for each record.
        Broadcasting = 1,
        /// A thread group for several records, up to the node's limit.
        Coalescing = 2,
        /// A thread for each record.
        Thread = 3,
    }
}

impl Default for NodeLaunch {
    fn default() -> Self {
        Self::Unknown(0)
    }
}

/// Primitive that a geometry shader reads (D3D `InputPrimitive`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum InputPrimitive {
    /// A point.
    Point,
    /// A line.
    Line,
    /// A triangle.
    Triangle,
    /// A line and the vertices next to it.
    LineAdjacency,
    /// A triangle and the vertices next to it.
    TriangleAdjacency,
    /// A patch with this number of control points, 1 to 32.
    Patch(u32),
    /// A number that D3D does not define.
    Unknown(u32),
}

impl InputPrimitive {
    /// Number of a patch of one control point, less one.
    const BEFORE_PATCHES: u32 = 7;

    /// Returns the primitive with this number.
    pub const fn from_code(code: u32) -> Self {
        match code {
            1 => Self::Point,
            2 => Self::Line,
            3 => Self::Triangle,
            6 => Self::LineAdjacency,
            7 => Self::TriangleAdjacency,
            8..=39 => Self::Patch(code - Self::BEFORE_PATCHES),
            other => Self::Unknown(other),
        }
    }

    /// Returns the number of vertices; 0 for an unknown primitive.
    pub const fn vertices(self) -> u32 {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Triangle => 3,
            Self::LineAdjacency => 4,
            Self::TriangleAdjacency => 6,
            Self::Patch(points) => points,
            Self::Unknown(_) => 0,
        }
    }

    /// Returns the number.
    pub const fn code(self) -> u32 {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Triangle => 3,
            Self::LineAdjacency => 6,
            Self::TriangleAdjacency => 7,
            Self::Patch(points) => Self::BEFORE_PATCHES + points,
            Self::Unknown(code) => code,
        }
    }
}

/// Properties of a geometry shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GeometryProperties {
    /// Primitive that it reads.
    pub input: InputPrimitive,
    /// Most vertices that an instance emits.
    pub max_vertices: u32,
    /// Mask of the streams that it writes.
    pub streams: u32,
    /// Topology of its output.
    pub output: PrimitiveTopology,
    /// Instances per primitive.
    pub instances: u32,
}

/// Properties of a hull shader.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HullProperties {
    /// Patch-constant function.
    pub patch_constant_function: Option<FunctionId>,
    /// Control points of the patch that it reads.
    pub input_control_points: u32,
    /// Control points that it writes.
    pub output_control_points: u32,
    /// Domain that is subdivided.
    pub domain: TessellatorDomain,
    /// Division of edges.
    pub partitioning: TessellatorPartitioning,
    /// Primitives that the tessellator outputs.
    pub output_primitive: TessellatorOutputPrimitive,
    /// Largest tessellation factor.
    pub max_factor: f32,
}

/// Properties of a domain shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DomainProperties {
    /// Domain that is subdivided.
    pub domain: TessellatorDomain,
    /// Control points of the patch that it reads.
    pub input_control_points: u32,
}

/// Properties of a mesh shader, except its thread counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeshProperties {
    /// Most vertices that a group outputs.
    pub max_vertices: u32,
    /// Most primitives that a group outputs.
    pub max_primitives: u32,
    /// Primitives that the shader outputs.
    pub topology: MeshTopology,
    /// Size of the payload that it reads in bytes.
    pub payload_size: u32,
}

/// Properties of an amplification shader, except its thread counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AmplificationProperties {
    /// Size of the payload that it writes in bytes.
    pub payload_size: u32,
}

/// Numbers of lanes that a wave may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaveSize {
    /// Fewest.
    pub minimum: u32,
    /// Most; 0 if only `minimum` is given.
    pub maximum: u32,
    /// Preferred number; 0 if none is given.
    pub preferred: u32,
}

impl WaveSize {
    /// Returns the size of a shader that requires one number of lanes.
    pub const fn exactly(lanes: u32) -> Self {
        Self {
            minimum: lanes,
            maximum: lanes,
            preferred: lanes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip() {
        for code in 0..64 {
            assert_eq!(InputPrimitive::from_code(code).code(), code);
            assert_eq!(PrimitiveTopology::from_code(code).code(), code);
            assert_eq!(TessellatorDomain::from_code(code).code(), code);
            assert_eq!(TessellatorPartitioning::from_code(code).code(), code);
            assert_eq!(TessellatorOutputPrimitive::from_code(code).code(), code);
            assert_eq!(MeshTopology::from_code(code).code(), code);
        }
        assert_eq!(InputPrimitive::from_code(10), InputPrimitive::Patch(3));
        assert_eq!(MeshTopology::from_code(0), MeshTopology::Unknown(0));
    }
}
