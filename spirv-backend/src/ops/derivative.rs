//! Screen-space derivatives. (In compute shaders the quads come from the execution mode that the
//! entry point declares.)

use rspirv::spirv::{Capability, Op};
use trellis_dxil_frontend::dxop::{DerivativeOp, DxCall};

use super::{Emitter, has_derivatives};
use crate::error::Error;
use crate::values::Scalar;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, call: &DxCall<'_>, op: DerivativeOp) -> Result<(), Error> {
    let op = match op {
        DerivativeOp::DerivCoarseX => Op::DPdxCoarse,
        DerivativeOp::DerivCoarseY => Op::DPdyCoarse,
        DerivativeOp::DerivFineX => Op::DPdxFine,
        DerivativeOp::DerivFineY => Op::DPdyFine,
    };
    let shape = e.shape(call.ty)?;
    if !has_derivatives(e) {
        let ty = e.shape_type(shape);
        let zero = e.b.const_null(ty);
        e.set(call.inst, 0, zero);
        return Ok(());
    }
    e.b.caps.add(Capability::DerivativeControl);
    // SPIR-V derives 32-bit floats only.
    let wide = shape.with(Scalar::Float(32));
    let value = e.arg_id(call, 0)?;
    let (ty, value) = (e.shape_type(wide), e.resize_float(shape, 32, value));
    let derivative = e.b.op(op, ty, &[value]);
    let id = e.resize_float(wide, shape.width(), derivative);
    e.set_new(call.inst, shape, id);
    Ok(())
}
