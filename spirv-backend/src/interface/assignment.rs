//! The assignment of semantics to user-defined locations and to Vulkan's built-ins.
//!
//! One function per kind of boundary maps each semantic that D3D allows there.

use rspirv::spirv::BuiltIn;
use trellis_dxil_frontend::shader::{InterpolationMode, SemanticKind, SignatureElement};

use super::boundary::{Boundary, Element};
use crate::options::Options;
use crate::values::Shape;

/// The SPIR-V variable that a signature element is assigned to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Assignment {
    /// A variable with a location.
    Location,
    /// A built-in.
    Builtin(BuiltIn, Encoding),
}

/// Encoding of the components of an element in a built-in variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    /// A scalar or vector of this shape: component = column.
    Plain(Shape),
    /// Element 0 of an array of one `u32`: a sample mask.
    Mask,
    /// A part of the `float` array that all elements of the semantic share.
    Distances,
    /// Tessellation factors: an array of this number of floats; D3D has the first ones.
    Factors(u32),
    /// `FragCoord`, whose `w` is the reciprocal of D3D's.
    FragCoord,
    /// A boolean that D3D has as all ones or zero.
    Flag,
    /// An index from which a base is subtracted.
    Rebased(BuiltIn),
}

const F32X3: Shape = Shape::F32.of_lanes(3);
const F32X4: Shape = Shape::F32.of_lanes(4);

/// Returns the assignment of an element at a boundary, or `None` for a semantic that D3D does not
/// allow there.
#[inline(always)]
pub(super) fn assignment(element: Element<'_>, options: &Options) -> Option<Assignment> {
    use SemanticKind as S;
    let semantic = element.semantic;
    match element.boundary {
        Boundary::VertexInput => Some(vertex_input(semantic, options)),
        Boundary::PatchOutput | Boundary::PatchInput => patch_constant(semantic),
        // One of several streams is rasterized; the others are for stream output only.
        Boundary::GeometryOutput if element.stream > 0 => Some(Assignment::Location),
        Boundary::GeometryOutput if semantic == S::PrimitiveID => {
            plain(BuiltIn::PrimitiveId, Shape::U32)
        }
        Boundary::VertexOutput | Boundary::GeometryOutput if semantic == S::ShadingRate => {
            plain(BuiltIn::PrimitiveShadingRateKHR, Shape::U32)
        }
        Boundary::PixelInput => pixel_input(&element),
        Boundary::PixelOutput => pixel_output(semantic),
        Boundary::MeshPrimitive => mesh_primitive(semantic),
        _ if element.boundary.is_arrayed()
            && matches!(semantic, S::RenderTargetArrayIndex | S::ViewPortArrayIndex) =>
        {
            Some(Assignment::Location)
        }
        _ => between_stages(semantic),
    }
}

fn builtin(builtin: BuiltIn, encoding: Encoding) -> Option<Assignment> {
    Some(Assignment::Builtin(builtin, encoding))
}

fn plain(which: BuiltIn, shape: Shape) -> Option<Assignment> {
    builtin(which, Encoding::Plain(shape))
}

/// Returns the assignment of a vertex input: every semantic other than the two indices is an
/// attribute.
fn vertex_input(semantic: SemanticKind, options: &Options) -> Assignment {
    let (index, base, rebase) = match semantic {
        SemanticKind::VertexID => (
            BuiltIn::VertexIndex,
            BuiltIn::BaseVertex,
            options.interface.vertex_id_zero_based,
        ),
        SemanticKind::InstanceID => (
            BuiltIn::InstanceIndex,
            BuiltIn::BaseInstance,
            options.interface.instance_id_zero_based,
        ),
        _ => return Assignment::Location,
    };
    Assignment::Builtin(
        index,
        if rebase {
            Encoding::Rebased(base)
        } else {
            Encoding::Plain(Shape::U32)
        },
    )
}

fn patch_constant(semantic: SemanticKind) -> Option<Assignment> {
    use SemanticKind as S;
    match semantic {
        S::TessFactor => builtin(BuiltIn::TessLevelOuter, Encoding::Factors(4)),
        S::InsideTessFactor => builtin(BuiltIn::TessLevelInner, Encoding::Factors(2)),
        // These system values have no meaning in a patch constant: they are plain numbers.
        S::Arbitrary
        | S::Position
        | S::ClipDistance
        | S::CullDistance
        | S::RenderTargetArrayIndex
        | S::ViewPortArrayIndex => Some(Assignment::Location),
        _ => None,
    }
}

/// Returns the semantics that have the same assignment at all boundaries between stages.
fn between_stages(semantic: SemanticKind) -> Option<Assignment> {
    use SemanticKind as S;
    match semantic {
        S::RenderTargetArrayIndex => plain(BuiltIn::Layer, Shape::U32),
        S::ViewPortArrayIndex => plain(BuiltIn::ViewportIndex, Shape::U32),
        S::ClipDistance => builtin(BuiltIn::ClipDistance, Encoding::Distances),
        S::CullDistance => builtin(BuiltIn::CullDistance, Encoding::Distances),
        S::Position => plain(BuiltIn::Position, F32X4),
        S::Arbitrary | S::InstanceID => Some(Assignment::Location),
        _ => None,
    }
}

fn mesh_primitive(semantic: SemanticKind) -> Option<Assignment> {
    use SemanticKind as S;
    match semantic {
        S::PrimitiveID => plain(BuiltIn::PrimitiveId, Shape::U32),
        S::ShadingRate => plain(BuiltIn::PrimitiveShadingRateKHR, Shape::U32),
        S::CullPrimitive => builtin(BuiltIn::CullPrimitiveEXT, Encoding::Flag),
        _ => between_stages(semantic),
    }
}

fn pixel_input(element: &SignatureElement) -> Option<Assignment> {
    use InterpolationMode as I;
    use SemanticKind as S;
    match element.semantic {
        S::Position => builtin(BuiltIn::FragCoord, Encoding::FragCoord),
        S::ShadingRate => plain(BuiltIn::ShadingRateKHR, Shape::U32),
        S::IsFrontFace => builtin(BuiltIn::FrontFacing, Encoding::Flag),
        S::PrimitiveID => plain(BuiltIn::PrimitiveId, Shape::U32),
        S::SampleIndex => plain(BuiltIn::SampleId, Shape::U32),
        S::Coverage => builtin(BuiltIn::SampleMask, Encoding::Mask),
        S::InnerCoverage => builtin(BuiltIn::FullyCoveredEXT, Encoding::Flag),
        S::Barycentrics => {
            let linear_in_screen_space = matches!(
                element.interpolation,
                I::LinearNoperspective
                    | I::LinearNoperspectiveCentroid
                    | I::LinearNoperspectiveSample
            );
            let which = if linear_in_screen_space {
                BuiltIn::BaryCoordNoPerspKHR
            } else {
                BuiltIn::BaryCoordKHR
            };
            plain(which, F32X3)
        }
        semantic => between_stages(semantic),
    }
}

fn pixel_output(semantic: SemanticKind) -> Option<Assignment> {
    use SemanticKind as S;
    match semantic {
        S::Target => Some(Assignment::Location),
        S::Depth | S::DepthLessEqual | S::DepthGreaterEqual => {
            plain(BuiltIn::FragDepth, Shape::F32)
        }
        S::Coverage => builtin(BuiltIn::SampleMask, Encoding::Mask),
        S::StencilRef => plain(BuiltIn::FragStencilRefEXT, Shape::U32),
        _ => None,
    }
}
