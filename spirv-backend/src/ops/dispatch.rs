//! Dispatch of `dx.op` calls to their families.

use rspirv::spirv::{Capability, ExecutionMode};
use trellis_dxil_frontend::dxop::{DxCall, Effects, FamilyOp, Op};
use trellis_dxil_frontend::shader::ShaderKind;

use super::{
    Emitter, atomic, bits, buffer, cbuffer, convert, counter, derivative, feedback, gather,
    geometry, hit_object, image, math, mesh, node, packed, quad, ray_query, ray_tracing, sample,
    sync, system, vector, wave, wave_functions,
};
use crate::error::Error;
use crate::interface;

/// Declares what an operation requires of the whole entry point.
fn require(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let derives = Effects::DERIVATIVE.union(Effects::IMPLICIT_LOD);
    if matches!(
        e.entry.kind,
        ShaderKind::Compute | ShaderKind::Node | ShaderKind::Mesh | ShaderKind::Amplification
    ) {
        if call.op.effects().any(derives) {
            derivative::derivative_group(e);
        } else if matches!(call.op.classify(), FamilyOp::Quad(_)) {
            derivative::quad_group(e);
        }
    }
    if e.options.extensions.preserve_nan
        && matches!(call.op, Op::IsNaN | Op::IsInf | Op::IsFinite | Op::IsNormal)
    {
        let shape = call.operand(0).map(|value| e.value_shape(value));
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
    wave_functions::emit_all(e);
    node::functions::emit_all(e);
}

/// Emits one DXIL operation.
pub(super) fn emit(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    require(e, call)?;
    match call.op.classify() {
        FamilyOp::SamplerFeedback(op) => feedback::emit(e, call, op),
        FamilyOp::Atomic(op) => atomic::emit(e, call, op),
        FamilyOp::Barrier(op) => sync::emit(e, call, op),
        FamilyOp::Bit(op) => bits::emit(e, call, op),
        FamilyOp::Buffer(op) => buffer::emit(e, call, op),
        FamilyOp::CBuffer(op) => cbuffer::emit(e, call, op),
        FamilyOp::Convert(op) => convert::emit(e, call, op),
        FamilyOp::Derivative(op) => derivative::emit(e, call, op),
        FamilyOp::Gather(op) => gather::emit(e, call, op),
        FamilyOp::Geometry(op) => geometry::emit(e, call, op),
        FamilyOp::HitObject(op) => hit_object::emit(e, call, op),
        FamilyOp::Math(op) => math::emit(e, call, op),
        FamilyOp::Mesh(op) => mesh::emit(e, call, op),
        FamilyOp::Node(op) => node::emit(e, call, op),
        FamilyOp::Packed(op) => packed::emit(e, call, op),
        FamilyOp::Quad(op) => quad::emit(e, call, op),
        FamilyOp::RayQuery(op) => ray_query::emit(e, call, op),
        FamilyOp::RayTracing(op) => ray_tracing::emit(e, call, op),
        FamilyOp::Sample(op) => sample::emit(e, call, op),
        FamilyOp::Signature(op) => interface::emit(&mut e.f, &mut e.interface, call, op),
        FamilyOp::System(op) => system::emit(e, call, op),
        FamilyOp::Texture(op) => image::emit(e, call, op),
        FamilyOp::Vector(op) => vector::emit(e, call, op),
        FamilyOp::Wave(op) => wave::emit(e, call, op),

        // Lowering folds handles into their uses, and turns what ends an invocation into control
        // flow. These are calls in a position or stage where that is not possible.
        FamilyOp::Handle(_) | FamilyOp::Termination(_) => Err(e.unsupported(call.op)),

        // No operation of these families is supported.
        FamilyOp::Debug(_) | FamilyOp::LinAlg(_) | FamilyOp::Register(_) | FamilyOp::Reserved => {
            Err(e.unsupported(call.op))
        }
    }
}
