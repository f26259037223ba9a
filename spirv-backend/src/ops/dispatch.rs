//! Dispatch of `dx.op` calls to their families.

use rspirv::spirv::{Capability, ExecutionMode};
use trellis_dxil_frontend::dxop::{Effects, FamilyOp, Op};
use trellis_dxil_frontend::shader::ShaderKind;

use super::{
    Emitter, atomic, bits, buffer, cbuffer, convert, counter, derivative, descriptor_check,
    feedback, gather, geometry, hit_object, image, math, mesh, node, packed, quad, ray_query,
    ray_tracing, sample, sync, system, value_check, vector, wave, wave_functions,
};
use crate::error::Error;
use crate::interface;

/// Declares an operation's requirements for the whole entry point.
fn require(e: &mut Emitter<'_>) -> Result<(), Error> {
    let derives = Effects::DERIVATIVE.union(Effects::IMPLICIT_LOD);
    if matches!(
        e.entry.kind,
        ShaderKind::Compute | ShaderKind::Node | ShaderKind::Mesh | ShaderKind::Amplification
    ) {
        if e.call.op.effects().any(derives) {
            derivative::derivative_group(e);
        } else if matches!(e.call.op.classify(), FamilyOp::Quad(_)) {
            derivative::quad_group(e);
        }
    }
    if e.options.extensions.preserve_nan
        && matches!(
            e.call.op,
            Op::IsNaN | Op::IsInf | Op::IsFinite | Op::IsNormal
        )
    {
        let shape = e.call.operand(0).map(|value| e.value_shape(value));
        let width = shape.transpose()?.map_or(32, crate::values::Shape::width);
        e.b.caps.add(Capability::SignedZeroInfNanPreserve);
        e.b.execution_mode(ExecutionMode::SignedZeroInfNanPreserve, &[width]);
    }
    Ok(())
}

/// Emits the functions that operations call.
pub(crate) fn emit_functions(e: &mut Emitter<'_>) {
    if e.counter_function != 0 {
        counter::function(e);
    }
    descriptor_check::emit(e);
    value_check::emit(e);
    wave_functions::emit_all(e);
    node::functions::emit_all(e);
}

/// Emits one DXIL operation.
pub(super) fn emit(e: &mut Emitter<'_>) -> Result<(), Error> {
    require(e)?;
    value_check::stores(e)?;
    match e.call.op.classify() {
        FamilyOp::SamplerFeedback(op) => feedback::emit(e, op),
        FamilyOp::Atomic(op) => atomic::emit(e, op),
        FamilyOp::Barrier(op) => sync::emit(e, op),
        FamilyOp::Bit(op) => bits::emit(e, op),
        FamilyOp::Buffer(op) => buffer::emit(e, op),
        FamilyOp::CBuffer(op) => cbuffer::emit(e, op),
        FamilyOp::Convert(op) => convert::emit(e, op),
        FamilyOp::Derivative(op) => derivative::emit(e, op),
        FamilyOp::Gather(op) => gather::emit(e, op),
        FamilyOp::Geometry(op) => geometry::emit(e, op),
        FamilyOp::HitObject(op) => hit_object::emit(e, op),
        FamilyOp::Math(op) => math::emit(e, op),
        FamilyOp::Mesh(op) => mesh::emit(e, op),
        FamilyOp::Node(op) => node::emit(e, op),
        FamilyOp::Packed(op) => packed::emit(e, op),
        FamilyOp::Quad(op) => quad::emit(e, op),
        FamilyOp::RayQuery(op) => ray_query::emit(e, op),
        FamilyOp::RayTracing(op) => ray_tracing::emit(e, op),
        FamilyOp::Sample(op) => sample::emit(e, op),
        FamilyOp::Signature(op) => interface::emit(&mut e.f, &mut e.interface, op),
        FamilyOp::System(op) => system::emit(e, op),
        FamilyOp::Texture(op) => image::emit(e, op),
        FamilyOp::Vector(op) => vector::emit(e, op),
        FamilyOp::Wave(op) => wave::emit(e, op),

        // Lowering folds handles into their uses, and turns operations that end an invocation into
        // control flow. These are calls in a position or stage where that is not possible.
        FamilyOp::Handle(_) | FamilyOp::Termination(_) => Err(e.unsupported(e.call.op)),

        // No operation of these families is supported.
        FamilyOp::Debug(_) | FamilyOp::LinAlg(_) | FamilyOp::Register(_) | FamilyOp::Reserved => {
            Err(e.unsupported(e.call.op))
        }
    }
}
