//! Where a semantic goes: a user-defined location or one of Vulkan's built-ins.

use rspirv::spirv::BuiltIn;
use trellis_dxil_frontend::shader::{InterpolationMode, SemanticKind, SignatureElement};

use super::boundary::Boundary;
use crate::options::Options;
use crate::values::Scalar;
use crate::values::Shape;

/// Where an element goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// A variable with a location.
    User,
    /// A built-in.
    Builtin(BuiltIn, Form),
}

/// How the components of an element relate to the built-in variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// A scalar or vector of this shape: component = column.
    Plain(Shape),
    /// Element 0 of an array of one `u32`.
    Mask,
    /// A part of the `float` array that all elements of the semantic share.
    Distances,
    /// Tessellation factors: an array of so many floats, of which D3D has the first.
    Factors(u32),
    /// `FragCoord`, whose `w` is the reciprocal of D3D's.
    FragCoord,
    /// A boolean that D3D has as all ones or zero.
    Flag,
    /// An index from which a base is subtracted.
    Rebased(BuiltIn),
}

const F32X3: Shape = Shape {
    scalar: Scalar::Float(32),
    lanes: 3,
    relaxed: false,
};
const F32X4: Shape = Shape {
    scalar: Scalar::Float(32),
    lanes: 4,
    relaxed: false,
};

/// Place of an element at a boundary; `None` for a semantic that D3D does not allow there.
pub(super) fn place(
    boundary: Boundary,
    element: &SignatureElement,
    options: &Options,
) -> Option<Place> {
    use SemanticKind as S;
    let plain = |builtin, shape| Some(Place::Builtin(builtin, Form::Plain(shape)));
    let indexed = |rebase: bool, index, base| {
        Some(Place::Builtin(
            index,
            if rebase {
                Form::Rebased(base)
            } else {
                Form::Plain(Shape::U32)
            },
        ))
    };
    match (boundary, element.semantic) {
        (Boundary::VertexInput, S::VertexID) => indexed(
            options.interface.vertex_id_zero_based,
            BuiltIn::VertexIndex,
            BuiltIn::BaseVertex,
        ),
        (Boundary::VertexInput, S::InstanceID) => indexed(
            options.interface.instance_id_zero_based,
            BuiltIn::InstanceIndex,
            BuiltIn::BaseInstance,
        ),
        (Boundary::VertexInput, _) => Some(Place::User),

        (Boundary::PatchOutput | Boundary::PatchInput, S::TessFactor) => {
            Some(Place::Builtin(BuiltIn::TessLevelOuter, Form::Factors(4)))
        }
        (Boundary::PatchOutput | Boundary::PatchInput, S::InsideTessFactor) => {
            Some(Place::Builtin(BuiltIn::TessLevelInner, Form::Factors(2)))
        }
        // System values mean nothing here: they are numbers like others.
        (
            Boundary::PatchOutput | Boundary::PatchInput,
            S::Arbitrary | S::Position | S::ClipDistance | S::CullDistance,
        ) => Some(Place::User),
        (
            Boundary::PatchOutput | Boundary::PatchInput,
            S::RenderTargetArrayIndex | S::ViewPortArrayIndex,
        ) => Some(Place::User),
        (Boundary::PatchOutput | Boundary::PatchInput, _) => None,

        // Of several streams one is rasterized; what others write is for stream output only.
        (Boundary::GeometryOutput, _) if element.stream > 0 => Some(Place::User),
        (Boundary::GeometryOutput, S::PrimitiveID) => plain(BuiltIn::PrimitiveId, Shape::U32),

        (Boundary::PixelInput, S::Position) => {
            Some(Place::Builtin(BuiltIn::FragCoord, Form::FragCoord))
        }
        (Boundary::PixelInput, S::ShadingRate) => plain(BuiltIn::ShadingRateKHR, Shape::U32),
        (Boundary::VertexOutput | Boundary::GeometryOutput, S::ShadingRate) => {
            plain(BuiltIn::PrimitiveShadingRateKHR, Shape::U32)
        }
        (b, S::RenderTargetArrayIndex | S::ViewPortArrayIndex) if b.is_arrayed() => {
            Some(Place::User)
        }
        (b, S::RenderTargetArrayIndex) if b != Boundary::PixelOutput => {
            plain(BuiltIn::Layer, Shape::U32)
        }
        (b, S::ViewPortArrayIndex) if b != Boundary::PixelOutput => {
            plain(BuiltIn::ViewportIndex, Shape::U32)
        }
        (b, S::ClipDistance) if b != Boundary::PixelOutput => {
            Some(Place::Builtin(BuiltIn::ClipDistance, Form::Distances))
        }
        (b, S::CullDistance) if b != Boundary::PixelOutput => {
            Some(Place::Builtin(BuiltIn::CullDistance, Form::Distances))
        }
        (b, S::Position) if b != Boundary::PixelOutput => plain(BuiltIn::Position, F32X4),
        (b, S::Arbitrary | S::InstanceID) if b != Boundary::PixelOutput => Some(Place::User),

        (Boundary::MeshVertex, S::Position) => plain(BuiltIn::Position, F32X4),
        (Boundary::MeshVertex, S::ClipDistance) => {
            Some(Place::Builtin(BuiltIn::ClipDistance, Form::Distances))
        }
        (Boundary::MeshVertex, S::CullDistance) => {
            Some(Place::Builtin(BuiltIn::CullDistance, Form::Distances))
        }
        (Boundary::MeshVertex | Boundary::MeshPrimitive, S::Arbitrary) => Some(Place::User),
        (Boundary::MeshPrimitive, S::PrimitiveID) => plain(BuiltIn::PrimitiveId, Shape::U32),
        (Boundary::MeshPrimitive, S::RenderTargetArrayIndex) => plain(BuiltIn::Layer, Shape::U32),
        (Boundary::MeshPrimitive, S::ViewPortArrayIndex) => {
            plain(BuiltIn::ViewportIndex, Shape::U32)
        }
        (Boundary::MeshPrimitive, S::ShadingRate) => {
            plain(BuiltIn::PrimitiveShadingRateKHR, Shape::U32)
        }
        (Boundary::MeshPrimitive, S::CullPrimitive) => {
            Some(Place::Builtin(BuiltIn::CullPrimitiveEXT, Form::Flag))
        }

        (Boundary::PixelInput, S::IsFrontFace) => {
            Some(Place::Builtin(BuiltIn::FrontFacing, Form::Flag))
        }
        (Boundary::PixelInput, S::PrimitiveID) => plain(BuiltIn::PrimitiveId, Shape::U32),
        (Boundary::PixelInput, S::SampleIndex) => plain(BuiltIn::SampleId, Shape::U32),
        (Boundary::PixelInput, S::Coverage) => {
            Some(Place::Builtin(BuiltIn::SampleMask, Form::Mask))
        }
        (Boundary::PixelInput, S::InnerCoverage) => {
            Some(Place::Builtin(BuiltIn::FullyCoveredEXT, Form::Flag))
        }
        (Boundary::PixelInput, S::Barycentrics) => {
            use InterpolationMode as I;
            let flat_screen = matches!(
                element.interpolation,
                I::LinearNoperspective
                    | I::LinearNoperspectiveCentroid
                    | I::LinearNoperspectiveSample
            );
            plain(
                if flat_screen {
                    BuiltIn::BaryCoordNoPerspKHR
                } else {
                    BuiltIn::BaryCoordKHR
                },
                F32X3,
            )
        }

        (Boundary::PixelOutput, S::Target) => Some(Place::User),
        (Boundary::PixelOutput, S::Depth | S::DepthLessEqual | S::DepthGreaterEqual) => {
            plain(BuiltIn::FragDepth, Shape::F32)
        }
        (Boundary::PixelOutput, S::Coverage) => {
            Some(Place::Builtin(BuiltIn::SampleMask, Form::Mask))
        }
        (Boundary::PixelOutput, S::StencilRef) => plain(BuiltIn::FragStencilRefEXT, Shape::U32),
        _ => None,
    }
}
