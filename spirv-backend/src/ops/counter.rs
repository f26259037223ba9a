//! The hidden counter of a structured buffer: a separate storage buffer with one word, a texel
//! buffer, or a word at a device address.
//!
//! A view may have no counter. Its address in a buffer of addresses is 0 then, and a function makes
//! sure that nothing is accessed there: D3D defines that the old and the new value are 0.

use rspirv::spirv::{Op, StorageClass, Word};

use super::Emitter;
use super::texel::texel_pointer;
use crate::error::{Error, InvalidKind};
use crate::resources::Access;
use crate::resources::arg_handle;

/// Emits `BufferUpdateCounter(uav, inc)`: 1 yields the old value, -1 the new one.
pub(crate) fn update(e: &mut Emitter<'_>) -> Result<(), Error> {
    let step = e.arg_const(1)? as u8 as i8;
    if step != 1 && step != -1 {
        return Err(e.invalid(
            InvalidKind::Operand,
            format!("BufferUpdateCounter by {step}, expected 1 or -1"),
        ));
    }
    let handle = arg_handle(e, 0)?;
    if let Some(address) = e.resources.counter_in_buffer(&mut e.f, &handle)? {
        let id = update_at(e, address, step);
        e.set_result(0, id);
        return Ok(());
    }
    let (u32_ty, zero, one) = (e.b.ty_u32(), e.b.const_u32(0), e.b.const_u32(1));
    let pointer = if e.resources.is_texels(&e.f, &handle, true)? {
        texel_pointer(e, &handle, Access::Texels { counter: true }, zero, u32_ty)?
    } else {
        let d = e.descriptor(&handle, Access::Counter)?;
        e.descriptor_pointer(&d, &[zero], u32_ty)
    };
    let op = if step > 0 {
        Op::AtomicIAdd
    } else {
        Op::AtomicISub
    };
    let mut id = e.atomic(op, u32_ty, pointer, &[one]);
    if step < 0 && e.is_result_used(0) {
        id = e.b.op(Op::ISub, u32_ty, &[id, one]);
    }
    e.set_result(0, id);
    Ok(())
}

/// Updates the counter at an address that may be 0.
fn update_at(e: &mut Emitter<'_>, address: Word, step: i8) -> Word {
    if e.counter_function == 0 {
        e.counter_function = e.b.id();
    }
    let step = i32::from(step);
    let arguments = [step, step.min(0)].map(|number| e.b.const_u32(number as u32));
    let [step, more] = arguments;
    let operands = [e.counter_function, address, step, more];
    e.b.word(Op::FunctionCall, &operands)
}

/// Emits the function of [`update_at`]: it adds to the counter, and returns the old value and a
/// number more; without a counter it returns 0.
pub(super) fn function(e: &mut Emitter<'_>) {
    let (word, boolean) = (e.b.ty_u32(), e.b.ty_bool());
    let (pair, booleans) = (e.b.ty_vec(word, 2), e.b.ty_vec(boolean, 2));
    let parameters = [pair, word, word];
    let ty = e.b.ty_function(word, &parameters);
    let ids =
        e.f.b
            .begin_function(e.counter_function, word, ty, &parameters);
    let &[address, step, more] = ids.as_slice() else {
        return;
    };
    let (start, found, end) = (e.b.id(), e.b.id(), e.b.id());
    e.b.begin_block(start);
    let (null, zero) = (e.b.const_null(pair), e.b.const_u32(0));
    let differs = e.b.op(Op::INotEqual, booleans, &[address, null]);
    let exists = e.b.op(Op::Any, boolean, &[differs]);
    e.b.branch_if(exists, [found, end], end);
    e.b.begin_block(found);
    let block = e.resources.counter_block(&mut e.f, address);
    let pointer =
        e.b.access(StorageClass::PhysicalStorageBuffer, word, block, &[zero]);
    let old = e.atomic(Op::AtomicIAdd, word, pointer, &[step]);
    let value = e.b.op(Op::IAdd, word, &[old, more]);
    e.b.op_void(Op::Branch, &[end]);
    e.b.begin_block(end);
    let result = e.b.op(Op::Phi, word, &[zero, start, value, found]);
    e.b.op_void(Op::ReturnValue, &[result]);
    e.b.finish_function();
    e.f.b.name(e.counter_function, "update_counter");
}
