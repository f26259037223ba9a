//! Built-in variables: declared on first use, once each.

use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass, Word};
use trellis_dxil_frontend::shader::{SemanticKind, ShaderKind, SignatureElement};

use super::Interface;
use super::link::is_of_primitive;
use crate::error::{Error, InvalidKind};
use crate::values::Shape;
use crate::values::{FunctionBuilder, Scalar};

/// Returns the value of a built-in input.
pub(crate) fn load_builtin(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    builtin: BuiltIn,
    shape: Shape,
) -> Word {
    let ty = e.shape_type(shape);
    let variable = builtin_variable(
        e,
        io,
        builtin,
        StorageClass::Input,
        ty,
        matches!(shape.scalar, Scalar::Int(_)),
    );
    e.load(ty, variable)
}

/// Returns the same of another type.
pub(crate) fn load_builtin_of(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    builtin: BuiltIn,
    ty: Word,
) -> Word {
    let variable = builtin_variable(e, io, builtin, StorageClass::Input, ty, false);
    e.load(ty, variable)
}

/// Returns the input coverage: the one word of `SampleMask`.
pub(crate) fn load_coverage(e: &mut FunctionBuilder<'_>, io: &mut Interface) -> Word {
    let pointer = mask_pointer(e, io, StorageClass::Input);
    let ty = e.b.ty_u32();
    e.load(ty, pointer)
}

/// Returns the number of samples of the render targets: Vulkan determines it when the pipeline is
/// created, so it is a specialization constant, unless an option gives it.
pub(crate) fn sample_count(e: &mut FunctionBuilder<'_>, io: &mut Interface) -> Word {
    if let Some(count) = e.options.interface.sample_count {
        return e.b.const_u32(count);
    }
    if io.sample_count == 0 {
        let id =
            e.b.spec_const_u32(e.options.interface.sample_count_spec_id, 1);
        e.b.name(id, "RenderTargetSampleCount");
        io.sample_count = id;
    }
    io.sample_count
}

/// Returns the pointer to the one word of `SampleMask`.
pub(super) fn mask_pointer(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    class: StorageClass,
) -> Word {
    let word = e.b.ty_u32();
    let array = e.b.ty_array(word, 1);
    let variable = builtin_variable(e, io, BuiltIn::SampleMask, class, array, true);
    let (ptr_ty, zero) = (e.b.ty_ptr(class, word), e.b.const_u32(0));
    e.b.op(Op::AccessChain, ptr_ty, &[variable, zero])
}

/// Returns where the distances of an element begin in the array of its semantic, and the array's
/// size. Elements follow each other in the order of their registers.
pub(super) fn distance_range(list: &[SignatureElement], element: &SignatureElement) -> (u32, u32) {
    // The id breaks ties between elements at one register.
    let key = |e: &SignatureElement| (e.start_row, e.start_col, e.id);
    let (mut first, mut total) = (0, 0);
    for other in list
        .iter()
        .filter(|o| o.semantic == element.semantic && o.stream == element.stream)
    {
        let size = other.rows * u32::from(other.cols);
        total += size;
        if key(other) < key(element) {
            first += size;
        }
    }
    (first, total)
}

/// Returns the variable of a built-in, declared if this is its first use. `integer`: it holds
/// integers, which a pixel shader must not interpolate.
pub(super) fn builtin_variable(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    builtin: BuiltIn,
    class: StorageClass,
    ty: Word,
    integer: bool,
) -> Word {
    let input = class == StorageClass::Input;
    if let Some(known) = io.builtin(builtin, input) {
        return known;
    }
    let kind = e.entry.kind;
    let of_primitive = input && is_of_primitive(e, io, builtin);
    if of_primitive {
        e.b.caps.add(Capability::MeshShadingEXT);
    } else if let Some(capability) =
        capability(builtin, kind, e.options.target.spirv_version() >= (1, 5))
    {
        e.b.caps.add(capability);
    }
    let id = e.b.variable(class, ty, None);
    e.b.decorate(id, Decoration::BuiltIn, &[builtin as Word]);
    if of_primitive {
        e.b.decorate(id, Decoration::PerPrimitiveEXT, &[]);
    }
    if input && integer && kind == ShaderKind::Pixel {
        e.b.decorate(id, Decoration::Flat, &[]);
    }
    if builtin == BuiltIn::Position && !input && e.options.interface.invariant_position {
        e.b.decorate(id, Decoration::Invariant, &[]);
    }
    if changes_within(builtin, kind) {
        e.b.decorate(id, Decoration::Volatile, &[]);
    }
    e.b.name(id, name(builtin, kind, input));
    io.builtins.push((builtin, input, id));
    id
}

/// Returns true if a built-in may have another value after a call of another shader (Vulkan:
/// VUID-StandaloneSpirv-VulkanMemoryModel-04678).
fn changes_within(builtin: BuiltIn, kind: ShaderKind) -> bool {
    match builtin {
        BuiltIn::RayTmaxKHR => kind == ShaderKind::Intersection,
        BuiltIn::SubgroupLocalInvocationId | BuiltIn::SubgroupLtMask => {
            crate::stage::is_ray_tracing(kind) && kind != ShaderKind::AnyHit
        }
        _ => false,
    }
}

/// Emits `PointSize = 1.0`.
pub(super) fn store_point_size(e: &mut FunctionBuilder<'_>, io: &mut Interface) {
    let float = e.b.ty_f32();
    let variable = builtin_variable(
        e,
        io,
        BuiltIn::PointSize,
        StorageClass::Output,
        float,
        false,
    );
    let one = e.b.const_f32(1.0);
    e.b.op_void(Op::Store, &[variable, one]);
}

/// Adds the execution modes that a pixel output requires.
pub(super) fn output_modes(e: &mut FunctionBuilder<'_>, semantic: SemanticKind) {
    match semantic {
        SemanticKind::Depth => e.b.execution_mode(ExecutionMode::DepthReplacing, &[]),
        SemanticKind::DepthGreaterEqual => {
            e.b.execution_mode(ExecutionMode::DepthReplacing, &[]);
            e.b.execution_mode(ExecutionMode::DepthGreater, &[]);
        }
        SemanticKind::DepthLessEqual => {
            e.b.execution_mode(ExecutionMode::DepthReplacing, &[]);
            e.b.execution_mode(ExecutionMode::DepthLess, &[]);
        }
        SemanticKind::StencilRef => {
            e.b.execution_mode(ExecutionMode::StencilRefReplacingEXT, &[]);
        }
        _ => {}
    }
}

/// Refuses a row or column that the element does not have.
pub(super) fn check_column(
    e: &FunctionBuilder<'_>,
    element: &SignatureElement,
    column: u64,
) -> Result<u32, Error> {
    if column < u64::from(element.cols) {
        return Ok(column as u32);
    }
    Err(e.invalid(
        InvalidKind::Signature,
        format!(
            "column {column} of element {} ({}), which has {}",
            element.id, element.name, element.cols
        ),
    ))
}

/// Returns the capability that a built-in needs beyond `Shader`. `layered`: the target's SPIR-V has
/// the layer and viewport index of vertex shaders in its core.
fn capability(builtin: BuiltIn, kind: ShaderKind, layered: bool) -> Option<Capability> {
    let pixel = kind == ShaderKind::Pixel;
    let geometry = kind == ShaderKind::Geometry;
    Some(match builtin {
        BuiltIn::ClipDistance => Capability::ClipDistance,
        BuiltIn::CullDistance => Capability::CullDistance,
        // With mesh shading comes all that a mesh shader may write.
        BuiltIn::PrimitiveId | BuiltIn::Layer | BuiltIn::ViewportIndex
            if kind == ShaderKind::Mesh =>
        {
            return None;
        }
        BuiltIn::PrimitiveId if pixel => Capability::Geometry,
        BuiltIn::PointSize if geometry => Capability::GeometryPointSize,
        BuiltIn::PointSize if kind == ShaderKind::Domain => Capability::TessellationPointSize,
        BuiltIn::SampleId | BuiltIn::SamplePosition => Capability::SampleRateShading,
        BuiltIn::Layer if pixel || geometry => Capability::Geometry,
        BuiltIn::ViewportIndex if pixel || geometry => Capability::MultiViewport,
        BuiltIn::Layer if layered => Capability::ShaderLayer,
        BuiltIn::ViewportIndex if layered => Capability::ShaderViewportIndex,
        BuiltIn::Layer | BuiltIn::ViewportIndex => Capability::ShaderViewportIndexLayerEXT,
        BuiltIn::BaseVertex | BuiltIn::BaseInstance | BuiltIn::DrawIndex => {
            Capability::DrawParameters
        }
        BuiltIn::ViewIndex => Capability::MultiView,
        BuiltIn::FullyCoveredEXT => Capability::FragmentFullyCoveredEXT,
        BuiltIn::FragStencilRefEXT => Capability::StencilExportEXT,
        BuiltIn::BaryCoordKHR | BuiltIn::BaryCoordNoPerspKHR => Capability::FragmentBarycentricKHR,
        BuiltIn::PrimitiveShadingRateKHR | BuiltIn::ShadingRateKHR => {
            Capability::FragmentShadingRateKHR
        }
        BuiltIn::SubgroupSize | BuiltIn::SubgroupLocalInvocationId => Capability::GroupNonUniform,
        BuiltIn::SubgroupLtMask => Capability::GroupNonUniformBallot,
        _ => return None,
    })
}

/// Returns the name of the variable.
fn name(builtin: BuiltIn, kind: ShaderKind, input: bool) -> &'static str {
    match builtin {
        BuiltIn::Position if input => "in.SV_Position",
        BuiltIn::PrimitiveId if !input => "out.SV_PrimitiveID",
        BuiltIn::InvocationId if kind == ShaderKind::Geometry => "in.SV_GSInstanceID",
        BuiltIn::InvocationId => "in.SV_OutputControlPointID",
        BuiltIn::TessCoord => "in.SV_DomainLocation",
        BuiltIn::TessLevelOuter => "SV_TessFactor",
        BuiltIn::TessLevelInner => "SV_InsideTessFactor",
        BuiltIn::Position => "out.SV_Position",
        BuiltIn::PointSize => "out.PointSize",
        BuiltIn::FragCoord => "in.SV_Position",
        BuiltIn::FragDepth => "out.SV_Depth",
        BuiltIn::FragStencilRefEXT => "out.SV_StencilRef",
        BuiltIn::SampleMask => "SV_Coverage",
        BuiltIn::ClipDistance => "SV_ClipDistance",
        BuiltIn::CullDistance => "SV_CullDistance",
        BuiltIn::PrimitiveTriangleIndicesEXT | BuiltIn::PrimitiveLineIndicesEXT => "out.indices",
        BuiltIn::CullPrimitiveEXT => "out.SV_CullPrimitive",
        BuiltIn::PrimitiveId => "in.SV_PrimitiveID",
        BuiltIn::SampleId => "in.SV_SampleIndex",
        BuiltIn::Layer => "SV_RenderTargetArrayIndex",
        BuiltIn::ViewportIndex => "SV_ViewportArrayIndex",
        BuiltIn::FrontFacing => "in.SV_IsFrontFace",
        BuiltIn::VertexIndex => "in.VertexIndex",
        BuiltIn::InstanceIndex => "in.InstanceIndex",
        BuiltIn::BaseVertex => "in.SV_StartVertexLocation",
        BuiltIn::BaseInstance => "in.SV_StartInstanceLocation",
        BuiltIn::DrawIndex => "in.DrawIndex",
        BuiltIn::ViewIndex => "in.SV_ViewID",
        BuiltIn::FullyCoveredEXT => "in.SV_InnerCoverage",
        BuiltIn::BaryCoordKHR | BuiltIn::BaryCoordNoPerspKHR => "in.SV_Barycentrics",
        BuiltIn::PrimitiveShadingRateKHR => "out.SV_ShadingRate",
        BuiltIn::ShadingRateKHR => "in.SV_ShadingRate",
        BuiltIn::GlobalInvocationId => "in.SV_DispatchThreadID",
        BuiltIn::WorkgroupId => "in.SV_GroupID",
        BuiltIn::LocalInvocationId => "in.SV_GroupThreadID",
        BuiltIn::LocalInvocationIndex => "in.SV_GroupIndex",
        BuiltIn::SubgroupSize => "in.WaveLaneCount",
        BuiltIn::SubgroupLocalInvocationId => "in.WaveLaneIndex",
        BuiltIn::SubgroupLtMask => "in.WaveLowerLanes",
        BuiltIn::HelperInvocation => "in.IsHelperLane",
        BuiltIn::LaunchIdKHR => "in.DispatchRaysIndex",
        BuiltIn::LaunchSizeKHR => "in.DispatchRaysDimensions",
        BuiltIn::WorldRayOriginKHR => "in.WorldRayOrigin",
        BuiltIn::WorldRayDirectionKHR => "in.WorldRayDirection",
        BuiltIn::ObjectRayOriginKHR => "in.ObjectRayOrigin",
        BuiltIn::ObjectRayDirectionKHR => "in.ObjectRayDirection",
        BuiltIn::ObjectToWorldKHR => "in.ObjectToWorld",
        BuiltIn::WorldToObjectKHR => "in.WorldToObject",
        BuiltIn::RayTminKHR => "in.RayTMin",
        BuiltIn::RayTmaxKHR => "in.RayTCurrent",
        BuiltIn::IncomingRayFlagsKHR => "in.RayFlags",
        BuiltIn::HitKindKHR => "in.HitKind",
        BuiltIn::InstanceId => "in.InstanceIndex",
        BuiltIn::InstanceCustomIndexKHR => "in.InstanceID",
        BuiltIn::RayGeometryIndexKHR => "in.GeometryIndex",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::distance_range;
    use trellis_dxil_frontend::shader::{
        ComponentType, InterpolationMode, SemanticKind, SignatureElement,
    };

    fn clip(id: u32, start_row: i32, start_col: i8, rows: u32, cols: u8) -> SignatureElement {
        SignatureElement {
            id,
            name: "SV_ClipDistance".into(),
            ty: ComponentType::F32,
            semantic: SemanticKind::ClipDistance,
            indices: Default::default(),
            interpolation: InterpolationMode::Linear,
            rows,
            cols,
            start_row,
            start_col,
            stream: 0,
            dynamic_mask: 0,
            usage_mask: 0xF,
        }
    }

    #[test]
    fn distances_follow_their_registers() {
        let list = [
            clip(0, 3, 0, 1, 2),
            clip(1, 2, 0, 1, 4),
            clip(2, 3, 2, 1, 1),
        ];
        assert_eq!(distance_range(&list, &list[0]), (4, 7));
        assert_eq!(distance_range(&list, &list[1]), (0, 7));
        assert_eq!(distance_range(&list, &list[2]), (6, 7));
    }
}
