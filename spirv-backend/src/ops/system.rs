//! System values that are operations: thread and group ids, lane numbers, coverage, draw
//! parameters, the cycle counter.

use rspirv::spirv::{BuiltIn, Capability, GlslStd450Op as GLOp, Op, Scope, Word};
use trellis_dxil_frontend::dxop::{Op as Dx, SystemOp};
use trellis_dxil_frontend::shader::{NodeLaunch, ShaderKind};

use super::Emitter;
use crate::error::Error;
use crate::interface;
use crate::resources::NodeVariable;
use crate::values::Scalar;
use crate::values::Shape;

const U32X3: Shape = Shape::U32.of_lanes(3);

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: SystemOp) -> Result<(), Error> {
    let id = match op {
        SystemOp::ThreadId if is_broadcasting(e) => of_node(e, NodeVariable::Thread)?,
        SystemOp::GroupId if is_broadcasting(e) => of_node(e, NodeVariable::Group)?,
        SystemOp::ThreadId => component(e, BuiltIn::GlobalInvocationId)?,
        SystemOp::GroupId => component(e, BuiltIn::WorkgroupId)?,
        SystemOp::ThreadIdInGroup => component(e, BuiltIn::LocalInvocationId)?,
        SystemOp::FlattenedThreadIdInGroup => word(e, BuiltIn::LocalInvocationIndex),
        SystemOp::WaveGetLaneIndex => lane_index(e),
        SystemOp::WaveGetLaneCount => match e.options.workarounds.wave_lane_count {
            Some(count) => e.b.const_u32(count),
            None => lane_count(e),
        },
        SystemOp::SampleIndex => word(e, BuiltIn::SampleId),
        SystemOp::PrimitiveID => word(e, BuiltIn::PrimitiveId),
        SystemOp::GSInstanceID | SystemOp::OutputControlPointID => word(e, BuiltIn::InvocationId),
        SystemOp::DomainLocation => domain_location(e)?,
        SystemOp::ViewID => interface::view_id(&mut e.f, &mut e.interface)?,
        SystemOp::StartVertexLocation => word(e, BuiltIn::BaseVertex),
        SystemOp::StartInstanceLocation => word(e, BuiltIn::BaseInstance),
        SystemOp::Coverage => interface::load_coverage(&mut e.f, &mut e.interface),
        SystemOp::InnerCoverage => {
            let covered = flag(e, BuiltIn::FullyCoveredEXT);
            e.bool_to_u32(covered, 1, 0)
        }
        SystemOp::IsHelperLane => is_helper_lane(e),
        SystemOp::CycleCounterLegacy => {
            cycle_counter(e);
            return Ok(());
        }
        SystemOp::RenderTargetGetSampleCount => interface::sample_count(&mut e.f, &mut e.interface),
        SystemOp::RenderTargetGetSamplePosition => {
            sample_position(e)?;
            return Ok(());
        }
        SystemOp::GetGroupWaveIndex | SystemOp::GetGroupWaveCount => {
            return Err(e.unsupported(e.call.op));
        }
    };
    e.set_result(0, id);
    Ok(())
}

/// Returns a built-in that is a word.
fn word(e: &mut Emitter<'_>, builtin: BuiltIn) -> Word {
    e.builtin(builtin, Shape::U32)
}

/// Returns a built-in that is a boolean.
fn flag(e: &mut Emitter<'_>, builtin: BuiltIn) -> Word {
    e.builtin(builtin, Shape::of(Scalar::Bool))
}

/// Returns the number of lanes of a wave.
fn lane_count(e: &mut Emitter<'_>) -> Word {
    let count = word(e, BuiltIn::SubgroupSize);
    let threads = e.entry.properties.num_threads;
    let threads = threads.map(|size| size.into_iter().fold(1, u32::saturating_mul));
    if !e.options.quirks.small_waves || threads != Some(32) {
        return count;
    }
    let (ty, most) = (e.b.ty_u32(), e.b.const_u32(32));
    e.b.ext(GLOp::UMin, ty, &[count, most])
}

/// Returns a component of a three-component built-in.
fn component(e: &mut Emitter<'_>, builtin: BuiltIn) -> Result<Word, Error> {
    let index = component_number(e)?;
    let vector = e.builtin(builtin, U32X3);
    let ty = e.b.ty_u32();
    Ok(e.b.extract(ty, vector, index))
}

/// Returns the constant number of a component of three.
fn component_number(e: &Emitter<'_>) -> Result<u32, Error> {
    let index = e.arg_const(0)?;
    if index > 2 {
        return Err(e.invalid_operand(format!("of component {index}")));
    }
    Ok(index as u32)
}

/// Returns true if the shader is a node whose groups its dispatcher treats as groups of a record's
/// grid.
fn is_broadcasting(e: &Emitter<'_>) -> bool {
    let node = e.entry.properties.node.as_deref();
    e.entry.kind == ShaderKind::Node
        && !e.options.extensions.shader_enqueue
        && node.is_some_and(|node| node.launch == NodeLaunch::Broadcasting)
}

/// Returns a component of an id of a broadcasting node, which its dispatcher sets.
fn of_node(e: &mut Emitter<'_>, which: NodeVariable) -> Result<Word, Error> {
    let index = component_number(e)?;
    let vector = e.resources.nodes.load(&mut e.f, which);
    let ty = e.b.ty_u32();
    Ok(e.b.extract(ty, vector, index))
}

/// Returns a coordinate in the tessellated patch: u, v, and for triangles w.
fn domain_location(e: &mut Emitter<'_>) -> Result<Word, Error> {
    let index = component_number(e)?;
    let floats = U32X3.with(Scalar::Float(32));
    let vector = e.builtin(BuiltIn::TessCoord, floats);
    let ty = e.b.ty_f32();
    Ok(e.b.extract(ty, vector, index))
}

/// Returns the number of this lane in its wave.
pub(crate) fn lane_index(e: &mut Emitter<'_>) -> Word {
    word(e, BuiltIn::SubgroupLocalInvocationId)
}

/// Emits whether this is a helper invocation. After a demotion only `OpIsHelperInvocationEXT`
/// reports it; without any, the built-in does and needs no capability.
pub(crate) fn is_helper_lane(e: &mut Emitter<'_>) -> Word {
    if e.entry.kind != ShaderKind::Pixel {
        return e.b.const_bool(false);
    }
    if e.options.extensions.demote && e.source.ops.calls(Dx::Discard) {
        e.b.caps.add(Capability::DemoteToHelperInvocation);
        return e.b.flag(Op::IsHelperInvocationEXT, &[]);
    }
    flag(e, BuiltIn::HelperInvocation)
}

/// Declares that the shader relies on which invocations run together, if the option allows the
/// device's extension for it.
pub(super) fn reconverge(e: &mut Emitter<'_>) {
    if e.options.extensions.maximal_reconvergence {
        e.b.maximally_reconverges();
    }
}

/// Emits the standard position of a sample of the render targets.
fn sample_position(e: &mut Emitter<'_>) -> Result<(), Error> {
    let (samples, index, ty) = (
        interface::sample_count(&mut e.f, &mut e.interface),
        e.arg_id(0)?,
        e.b.ty_f32(),
    );
    let position = super::image::standard_position(e, samples, index);
    e.set_parts(ty, position, 2);
    Ok(())
}

/// Emits the low and high word of the shader clock.
fn cycle_counter(e: &mut Emitter<'_>) {
    e.b.caps.add(Capability::ShaderClockKHR);
    e.b.caps.extension("SPV_KHR_shader_clock");
    let ty = e.b.ty_u32();
    let (pair_ty, scope) = (e.b.ty_vec(ty, 2), e.b.const_u32(Scope::Subgroup as u32));
    let clock = e.b.op(Op::ReadClockKHR, pair_ty, &[scope]);
    e.set_parts(ty, clock, 2);
}
