//! Atomic operations on floats, which intrinsics of vendors have: on 32 bits by
//! `SPV_EXT_shader_atomic_float_add`, on two halves by `SPV_NV_shader_atomic_fp16_vector`.
//!
//! Operand and old value are words. A texture of four halves has two pairs, one of which the lowest
//! bit of `x` chooses: the operation is on all four, with values for the other pair that change
//! nothing.

use rspirv::spirv::{Capability, Op, Word};
use smallvec::SmallVec;

use super::Emitter;
use super::atomic_target::{AtomicTarget, element_pointer};
use super::texel::texel_pointer;
use crate::error::Error;
use crate::resources::{Access, Handle, Texel};
use crate::vendor::FloatAtomic;

/// Emits an operation on the target of a handle.
pub(super) fn emit(e: &mut Emitter<'_>, handle: &Handle, op: FloatAtomic) -> Result<(), Error> {
    // The values that change nothing, two halves each.
    let (op, nothing) = match op {
        FloatAtomic::Add => return add(e, handle),
        FloatAtomic::AddHalves => (Op::AtomicFAddEXT, 0x8000_8000),
        FloatAtomic::MinHalves => (Op::AtomicFMinEXT, 0x7C00_7C00),
        FloatAtomic::MaxHalves => (Op::AtomicFMaxEXT, 0xFC00_FC00),
    };
    let value = e.arg_id(5)?;
    let old = if handle.desc.is_image() {
        on_texture(e, handle, (op, value, nothing))?
    } else {
        let pointer = element_pointer(e, handle, 2, Access::HalfPairs)?;
        on_halves(e, op, pointer, value, 2)
    };
    e.set_result(0, old);
    Ok(())
}

/// Adds floats of 32 bits; old value and operand are their bits.
fn add(e: &mut Emitter<'_>, handle: &Handle) -> Result<(), Error> {
    let target = if handle.desc.is_image() {
        AtomicTarget::of(e, handle, 2)?
    } else {
        AtomicTarget {
            pointer: element_pointer(e, handle, 2, Access::Floats)?,
            texel: Texel::Float,
        }
    };
    if target.texel != Texel::Float {
        return Err(e.unsupported_on("floats in an image of integers"));
    }
    e.b.caps.add(Capability::AtomicFloat32AddEXT);
    let value = target.operand(e, 5)?;
    target.emit(e, Op::AtomicFAddEXT, &[value]);
    Ok(())
}

/// Emits an operation on 2 or 4 halves, whose bits are a word or two; returns the bits of the old
/// value.
fn on_halves(e: &mut Emitter<'_>, op: Op, pointer: Word, bits: Word, lanes: u32) -> Word {
    e.b.caps.add(Capability::AtomicFloat16VectorNV);
    let half = e.b.ty_float(16);
    let (ty, bits_ty) = (e.b.ty_vec(half, lanes), e.b.ty_words(lanes / 2));
    let value = e.b.bitcast(ty, bits);
    let old = e.atomic(op, ty, pointer, &[value]);
    e.b.bitcast(bits_ty, old)
}

/// Emits an operation on a pair of halves of a texture; returns the old ones.
fn on_texture(
    e: &mut Emitter<'_>,
    handle: &Handle,
    (op, value, nothing): (Op, Word, u32),
) -> Result<Word, Error> {
    let lanes = e.resources.halves(&e.f, handle);
    let shape = handle
        .desc
        .image()
        .filter(|s| s.coords <= 3 && !s.multisampled);
    let (Some(lanes), Some(shape)) = (lanes, shape) else {
        let what = "16-bit floats in a resource that is not declared with two or four floats";
        return Err(e.unsupported_on(format!("{what}: {}", handle.desc.form())));
    };
    let half = e.b.ty_float(16);
    let ty = e.b.ty_vec(half, lanes);
    if lanes == 2 {
        let coordinate = e.arg_vector(2, shape.coords)?;
        let pointer = texel_pointer(e, handle, Access::Image, coordinate, ty)?;
        return Ok(on_halves(e, op, pointer, value, 2));
    }
    let (word, boolean, one) = (e.b.ty_u32(), e.b.ty_bool(), e.b.const_u32(1));
    let (x, zero) = (e.arg_id(2)?, e.b.const_u32(0));
    let mut coordinate: SmallVec<[Word; 3]> = SmallVec::new();
    coordinate.push(e.b.op(Op::ShiftRightLogical, word, &[x, one]));
    for i in 1..shape.coords {
        coordinate.push(e.arg_id(2 + i)?);
    }
    let coordinate = e.b.vector(word, &coordinate);
    let pointer = texel_pointer(e, handle, Access::Image, coordinate, ty)?;
    let odd = e.b.op(Op::BitwiseAnd, word, &[x, one]);
    let odd = e.b.op(Op::INotEqual, boolean, &[odd, zero]);
    let nothing = e.b.const_u32(nothing);
    let low = e.b.op(Op::Select, word, &[odd, nothing, value]);
    let high = e.b.op(Op::Select, word, &[odd, value, nothing]);
    let words = e.b.ty_vec(word, 2);
    let bits = e.b.construct(words, &[low, high]);
    let old = on_halves(e, op, pointer, bits, 4);
    let (low, high) = (e.b.extract(word, old, 0), e.b.extract(word, old, 1));
    Ok(e.b.op(Op::Select, word, &[odd, high, low]))
}
