//! Bits of integers: reversal, counts, first set bit, fields, sum of absolute differences.
//!
//! Vulkan's bit instructions take 32-bit integers only, so 16-bit ones are widened and 64-bit ones
//! are taken apart into (low, high).

use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};
use trellis_dxil_frontend::dxop::BitOp;
use trellis_dxil_frontend::module::ValueId;

use super::Emitter;
use super::vector::by_component;
use crate::error::Error;
use crate::values::Scalar;
use crate::values::Shape;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: BitOp) -> Result<(), Error> {
    match op {
        BitOp::Bfrev => reverse(e),
        BitOp::Countbits => count(e),
        BitOp::FirstbitLo => first_low(e),
        BitOp::FirstbitHi => first_high(e, false),
        BitOp::FirstbitSHi => first_high(e, true),
        BitOp::Ibfe => extract_field(e, Op::BitFieldSExtract),
        BitOp::Ubfe => extract_field(e, Op::BitFieldUExtract),
        BitOp::Bfi => insert_field(e),
        BitOp::Msad => sum_of_absolute_differences(e),
    }
}

/// Returns the shape and id of the one operand.
fn int_operand(e: &mut Emitter<'_>) -> Result<(Shape, Word), Error> {
    Ok((e.value_shape(e.arg_value(0)?)?, e.arg_id(0)?))
}

fn reverse(e: &mut Emitter<'_>) -> Result<(), Error> {
    let (shape, value) = int_operand(e)?;
    let ty = e.shape_type(shape);
    let id = match shape.bits() {
        32 => e.b.op(Op::BitReverse, ty, &[value]),
        16 => {
            let wide = shape.with(Scalar::Int(32));
            let (wide_ty, sixteen) = (e.shape_type(wide), e.splat_int(wide, 16));
            let converted = |e: &mut Emitter<'_>, ty: Word, id: Word| match shape.width() {
                16 => e.b.op(Op::UConvert, ty, &[id]),
                _ => id,
            };
            let widened = converted(e, wide_ty, value);
            let reversed = e.b.op(Op::BitReverse, wide_ty, &[widened]);
            let low = e.b.op(Op::ShiftRightLogical, wide_ty, &[reversed, sixteen]);
            converted(e, ty, low)
        }
        _ => by_component(e, shape, shape, value, reverse_64),
    };
    e.set_new_result(shape, id);
    Ok(())
}

fn reverse_64(e: &mut Emitter<'_>, shape: Shape, value: Word) -> Word {
    let [low, high] = e.split_words(value);
    let ty = e.shape_type(shape);
    let pair_ty = e.b.ty_words(2);
    let swapped = e.b.construct(pair_ty, &[high, low]);
    let reversed = e.b.op(Op::BitReverse, pair_ty, &[swapped]);
    e.b.bitcast(ty, reversed)
}

fn count(e: &mut Emitter<'_>) -> Result<(), Error> {
    let (shape, value) = int_operand(e)?;
    let result = shape.with(Scalar::Int(32));
    let ty = e.shape_type(result);
    let id = if shape.width() == 64 {
        by_component(e, shape, result, value, |e, _, value| {
            let [low, high] = e
                .split_words(value)
                .map(|half| e.b.word(Op::BitCount, &[half]));
            e.b.word(Op::IAdd, &[low, high])
        })
    } else {
        let value = e.resize_int(shape, 32, false, value);
        e.b.op(Op::BitCount, ty, &[value])
    };
    e.set_result(0, id);
    Ok(())
}

/// Emits the position of the lowest set bit, -1 for 0.
fn first_low(e: &mut Emitter<'_>) -> Result<(), Error> {
    let (shape, value) = int_operand(e)?;
    let result = shape.with(Scalar::Int(32));
    let ty = e.shape_type(result);
    let id = if shape.width() == 64 {
        by_component(e, shape, result, value, |e, _, value| {
            first_low_64(e, value)
        })
    } else {
        let value = e.resize_int(shape, 32, false, value);
        e.b.ext(GLOp::FindILsb, ty, &[value])
    };
    e.set_result(0, id);
    Ok(())
}

fn first_low_64(e: &mut Emitter<'_>, value: Word) -> Word {
    let ty = e.b.ty_u32();
    let [low, high] = e.split_words(value);
    let found_low = e.b.ext(GLOp::FindILsb, ty, &[low]);
    let found_high = e.b.ext(GLOp::FindILsb, ty, &[high]);
    // -1 stays -1 when bit 5 is set in it.
    let thirty_two = e.b.const_u32(32);
    let found_high = e.b.op(Op::BitwiseOr, ty, &[found_high, thirty_two]);
    let has_low = e.is_nonzero(low);
    e.b.op(Op::Select, ty, &[has_low, found_low, found_high])
}

/// Emits the position of the highest set bit (for `FirstbitSHi`: the highest bit that differs from
/// the sign), *counted from the most significant bit*; -1 if there is none. DXC subtracts it from
/// the width to make HLSL's `firstbithigh`.
fn first_high(e: &mut Emitter<'_>, signed: bool) -> Result<(), Error> {
    let (shape, value) = int_operand(e)?;
    let result = shape.with(Scalar::Int(32));
    let (ty, bool_ty) = (e.shape_type(result), e.shape_type(shape.with(Scalar::Bool)));
    let from_low = if shape.width() == 64 {
        by_component(e, shape, result, value, |e, _, value| {
            first_high_64(e, signed, value)
        })
    } else {
        let value = e.resize_int(shape, 32, signed, value);
        let op = if signed {
            GLOp::FindSMsb
        } else {
            GLOp::FindUMsb
        };
        e.b.ext(op, ty, &[value])
    };
    let (none, top) = (
        e.splat_int(result, u64::MAX),
        e.splat_int(result, u64::from(shape.bits() - 1)),
    );
    let from_high = e.b.op(Op::ISub, ty, &[top, from_low]);
    let missing = e.b.op(Op::IEqual, bool_ty, &[from_low, none]);
    let id = e.b.op(Op::Select, ty, &[missing, none, from_high]);
    e.set_result(0, id);
    Ok(())
}

/// Returns the position of the highest bit, counted from the lowest; -1 if no bit is set.
fn first_high_64(e: &mut Emitter<'_>, signed: bool, value: Word) -> Word {
    let ty = e.b.ty_u32();
    let [mut low, mut high] = e.split_words(value);
    if signed {
        // Bits that differ from the sign.
        let shift = e.b.const_u32(31);
        let sign = e.b.op(Op::ShiftRightArithmetic, ty, &[high, shift]);
        low = e.b.op(Op::BitwiseXor, ty, &[low, sign]);
        high = e.b.op(Op::BitwiseXor, ty, &[high, sign]);
    }
    let found_low = e.b.ext(GLOp::FindUMsb, ty, &[low]);
    let found_high = e.b.ext(GLOp::FindUMsb, ty, &[high]);
    let thirty_two = e.b.const_u32(32);
    let found_high = e.b.op(Op::BitwiseOr, ty, &[found_high, thirty_two]);
    let has_high = e.is_nonzero(high);
    e.b.op(Op::Select, ty, &[has_high, found_high, found_low])
}

/// Returns the offset and width of a field, each modulo 32, the width cut at bit 32 (beyond it
/// SPIR-V is undefined; D3D shifts in nothing).
fn field(e: &mut Emitter<'_>, width: ValueId, offset: ValueId) -> Result<[Word; 2], Error> {
    if let (Some(width), Some(offset)) = (e.const_int(width), e.const_int(offset)) {
        let offset = offset as u32 & 31;
        let width = (width as u32 & 31).min(32 - offset);
        return Ok([e.b.const_u32(offset), e.b.const_u32(width)]);
    }
    let (ty, mask, size) = (e.b.ty_u32(), e.b.const_u32(31), e.b.const_u32(32));
    let (width, offset) = (e.id(width)?, e.id(offset)?);
    let width = e.b.op(Op::BitwiseAnd, ty, &[width, mask]);
    let offset = e.b.op(Op::BitwiseAnd, ty, &[offset, mask]);
    let room = e.b.op(Op::ISub, ty, &[size, offset]);
    Ok([offset, e.b.ext(GLOp::UMin, ty, &[width, room])])
}

fn extract_field(e: &mut Emitter<'_>, op: Op) -> Result<(), Error> {
    let [offset, count] = field(e, e.arg_value(0)?, e.arg_value(1)?)?;
    let value = e.arg_id(2)?;
    let id = e.b.word(op, &[value, offset, count]);
    e.set_result(0, id);
    Ok(())
}

fn insert_field(e: &mut Emitter<'_>) -> Result<(), Error> {
    let [offset, count] = field(e, e.arg_value(0)?, e.arg_value(1)?)?;
    let (value, base) = (e.arg_id(2)?, e.arg_id(3)?);
    let id = e.b.word(Op::BitFieldInsert, &[base, value, offset, count]);
    e.set_result(0, id);
    Ok(())
}

/// Emits `msad`: adds to the accumulator, for each byte of the reference that is not zero, its
/// distance from the byte of the source. Mesa knows this shape, with the accumulator added last, as
/// one instruction.
fn sum_of_absolute_differences(e: &mut Emitter<'_>) -> Result<(), Error> {
    let [reference, source, base] = e.arg_ids(0)?;
    let (ty, zero, eight) = (e.b.ty_u32(), e.b.const_u32(0), e.b.const_u32(8));
    let bool_ty = e.b.ty_bool();
    let addends = [0, 8, 16, 24].map(|offset| {
        let offset = e.b.const_u32(offset);
        let [r, s] =
            [reference, source].map(|v| e.b.op(Op::BitFieldUExtract, ty, &[v, offset, eight]));
        let difference = e.b.op(Op::ISub, ty, &[r, s]);
        let distance = e.b.ext(GLOp::SAbs, ty, &[difference]);
        let is_masked = e.b.op(Op::IEqual, bool_ty, &[r, zero]);
        e.b.op(Op::Select, ty, &[is_masked, zero, distance])
    });
    // The accumulator is added last: Mesa recognizes a sum of four masked differences of bytes as
    // one instruction, but not with the accumulator as its first addend.
    let [first, rest @ ..] = addends;
    let sum = rest
        .into_iter()
        .fold(first, |sum, addend| e.b.op(Op::IAdd, ty, &[sum, addend]));
    let sum = e.b.op(Op::IAdd, ty, &[sum, base]);
    e.set_result(0, sum);
    Ok(())
}
