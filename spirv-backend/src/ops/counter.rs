//! The hidden counter of a structured buffer: a storage buffer of its own with one word,
//! or a texel buffer.

use rspirv::spirv::{MemorySemantics, Op, Scope};
use trellis_dxil_frontend::dxop::DxCall;

use super::State;
use super::elements::Texels;
use crate::error::{Error, InvalidKind};
use crate::resources::Access;
use crate::resources::arg_handle;
use crate::values::FunctionBuilder;

/// Emits `BufferUpdateCounter(uav, inc)`: 1 yields the old value, -1 the new one.
pub(crate) fn update(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
) -> Result<(), Error> {
    let step = e.arg_const(call, 1)? as u8 as i8;
    if step != 1 && step != -1 {
        return Err(e.invalid(
            InvalidKind::Operand,
            format!("BufferUpdateCounter by {step}, expected 1 or -1"),
        ));
    }
    let handle = arg_handle(e, call, 0)?;
    let (u32_ty, zero, one) = (e.b.ty_u32(), e.b.const_u32(0), e.b.const_u32(1));
    let pointer = if state.resources.is_texels(e, &handle, true)? {
        Texels::of(e, state, &handle, true)?.pointer(e, state, zero)
    } else {
        let d = state.resources.descriptor(e, &handle, Access::Counter)?;
        state.resources.descriptor_pointer(e, &d, &[zero], u32_ty)
    };
    let (scope, relaxed) = (
        e.b.const_u32(Scope::Device as u32),
        e.b.const_u32(MemorySemantics::RELAXED.bits()),
    );
    let operands = vec![pointer, scope, relaxed, one];
    let mut id = e.b.op(
        if step > 0 {
            Op::AtomicIAdd
        } else {
            Op::AtomicISub
        },
        u32_ty,
        &operands,
    );
    if step < 0 && e.is_used(call.inst, 0) {
        id = e.b.op(Op::ISub, u32_ty, &[id, one]);
    }
    e.set(call.inst, 0, id);
    Ok(())
}
