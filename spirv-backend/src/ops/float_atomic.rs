//! Atomic operations on floats, which intrinsics of vendors have: on 32 bits by
//! `SPV_EXT_shader_atomic_float_add`, on two halves by `SPV_NV_shader_atomic_fp16_vector`.
//!
//! Operand and old value are words. A texture of four halves is one of two pairs, of which the lowest bit
//! of `x` chooses one: the operation is on all four, with values for the other pair that change nothing.

use rspirv::spirv::{Capability, MemorySemantics, Op, Scope, Word};
use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::DxCall;

use super::Emitter;
use super::atomic::{AtomicTarget, finish, operand, target, texel_pointer};
use super::buffer;
use super::elements::Elements;
use crate::error::Error;
use crate::resources::{Handle, Texel};
use crate::vendor::FloatAtomic;

/// Emits an operation on what a handle names.
pub(super) fn emit(
    e: &mut Emitter<'_>,
    call: &DxCall<'_>,
    handle: &Handle,
    op: FloatAtomic,
) -> Result<(), Error> {
    // The values that change nothing, two halves each.
    let (op, nothing) = match op {
        FloatAtomic::Add => return add(e, call, handle),
        FloatAtomic::AddHalves => (Op::AtomicFAddEXT, 0x8000_8000),
        FloatAtomic::MinHalves => (Op::AtomicFMinEXT, 0x7C00_7C00),
        FloatAtomic::MaxHalves => (Op::AtomicFMaxEXT, 0xFC00_FC00),
    };
    let value = e.arg_id(call, 5)?;
    let old = if handle.desc.is_image() {
        on_texture(e, call, handle, (op, value, nothing))?
    } else {
        let (index, offset) = (e.arg_value(call, 2)?, e.arg_value(call, 3)?);
        let elements = Elements::of_half_pairs(e, handle)?;
        let address = buffer::address(e, &handle.desc, index, offset, 4)?;
        let pointer = elements.pointer(e, address)?;
        on_halves(e, op, pointer, value, 2)
    };
    e.set(call.inst, 0, old);
    Ok(())
}

/// Adds floats of 32 bits; old value and operand are their bits.
fn add(e: &mut Emitter<'_>, call: &DxCall<'_>, handle: &Handle) -> Result<(), Error> {
    let target = if handle.desc.is_image() {
        target(e, call, handle, 2)?
    } else {
        let (index, offset) = (e.arg_value(call, 2)?, e.arg_value(call, 3)?);
        let elements = Elements::of_floats(e, handle)?;
        let address = buffer::address(e, &handle.desc, index, offset, 4)?;
        AtomicTarget {
            pointer: elements.pointer(e, address)?,
            texel: Texel::Float,
        }
    };
    if target.texel != Texel::Float {
        return Err(e.unsupported_on(call, "floats in an image of integers"));
    }
    e.b.caps.add(Capability::AtomicFloat32AddEXT);
    let value = operand(e, call, 5, target)?;
    finish(e, call, Op::AtomicFAddEXT, target, &[], &[value]);
    Ok(())
}

/// Emits an operation on 2 or 4 halves, whose bits are a word or two; returns those of the old value.
fn on_halves(e: &mut Emitter<'_>, op: Op, pointer: Word, bits: Word, lanes: u32) -> Word {
    e.b.caps.add(Capability::AtomicFloat16VectorNV);
    let (half, word) = (e.b.ty_float(16), e.b.ty_u32());
    let (ty, bits_ty) = (e.b.ty_vec(half, lanes), e.b.ty_vec(word, lanes / 2));
    let value = e.b.bitcast(ty, bits);
    let scope = e.b.const_u32(Scope::Device as u32);
    let relaxed = e.b.const_u32(MemorySemantics::RELAXED.bits());
    let old = e.b.op(op, ty, &[pointer, scope, relaxed, value]);
    e.b.bitcast(bits_ty, old)
}

/// Emits an operation on a pair of halves of a texture; returns the old ones.
fn on_texture(
    e: &mut Emitter<'_>,
    call: &DxCall<'_>,
    handle: &Handle,
    (op, value, nothing): (Op, Word, u32),
) -> Result<Word, Error> {
    let lanes = e.resources.halves(&mut e.f, handle);
    let shape = handle
        .desc
        .image()
        .filter(|s| s.coords <= 3 && !s.multisampled);
    let (Some(lanes), Some(shape)) = (lanes, shape) else {
        let of = format!("a {:?} of {:?}", handle.desc.kind, handle.desc.component);
        let what = "halves of what is not a declared resource of two or four floats";
        return Err(e.unsupported_on(call, format!("{what}: {of}")));
    };
    let half = e.b.ty_float(16);
    let ty = e.b.ty_vec(half, lanes);
    if lanes == 2 {
        let coordinate = e.arg_vector(call, 2, shape.coords)?;
        let pointer = texel_pointer(e, handle, coordinate, ty)?;
        return Ok(on_halves(e, op, pointer, value, 2));
    }
    let (word, boolean, one) = (e.b.ty_u32(), e.b.ty_bool(), e.b.const_u32(1));
    let (x, zero) = (e.arg_id(call, 2)?, e.b.const_u32(0));
    let mut coordinate: SmallVec<[Word; 3]> = SmallVec::new();
    coordinate.push(e.b.op(Op::ShiftRightLogical, word, &[x, one]));
    for i in 1..shape.coords {
        coordinate.push(e.arg_id(call, 2 + i)?);
    }
    let coordinate_ty = e.b.ty_vec(word, shape.coords as u32);
    let coordinate = e.b.construct(coordinate_ty, &coordinate);
    let pointer = texel_pointer(e, handle, coordinate, ty)?;
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
