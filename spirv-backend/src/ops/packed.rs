//! Packed operations: dot products of bytes and halves with accumulation, packing and unpacking of
//! four bytes.

use rspirv::spirv::{Capability, GlslStd450Op as GLOp, Op, PackedVectorFormat, Word};
use trellis_dxil_frontend::dxop::PackedOp;

use super::Emitter;
use crate::error::{Error, InvalidKind};
use crate::values::Scalar;
use crate::values::Shape;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: PackedOp) -> Result<(), Error> {
    match op {
        PackedOp::Dot2AddHalf => dot2_add_half(e),
        PackedOp::Dot4AddI8Packed => dot4_add(e, true),
        PackedOp::Dot4AddU8Packed => dot4_add(e, false),
        PackedOp::Unpack4x8 => unpack(e),
        PackedOp::Pack4x8 => pack(e),
    }
}

/// Emits `acc + ax * bx + ay * by`, halves widened first: the products of two halves are exact in
/// `f32`.
fn dot2_add_half(e: &mut Emitter<'_>) -> Result<(), Error> {
    let half = e.value_shape(e.arg_value(1)?)?;
    let pair = Shape {
        lanes: 2,
        relaxed: false,
        ..half
    };
    let (ty, pair_ty) = (e.b.ty_f32(), e.shape_type(pair));
    let mut vectors = [0; 2];
    for (vector, first) in vectors.iter_mut().zip([1, 3]) {
        let parts = [e.arg_id(first)?, e.arg_id(first + 1)?];
        let narrow = e.b.construct(pair_ty, &parts);
        *vector = e.resize_float(pair, 32, narrow);
    }
    let dot = e.b.op(Op::Dot, ty, &vectors);
    let acc = e.arg_id(0)?;
    let id = e.b.op(Op::FAdd, ty, &[acc, dot]);
    e.set_result(0, id);
    Ok(())
}

/// Returns the byte `index` of a `u32`, widened.
fn byte(e: &mut Emitter<'_>, value: Word, index: u32, signed: bool) -> Word {
    let (offset, count) = (e.b.const_u32(8 * index), e.b.const_u32(8));
    let op = match signed {
        true => Op::BitFieldSExtract,
        false => Op::BitFieldUExtract,
    };
    e.b.word(op, &[value, offset, count])
}

/// Emits the dot product of four bytes plus an accumulator, modulo 2^32. The dot instructions are
/// core from SPIR-V 1.6 (and mandatory from Vulkan 1.3) on, and used if the options allow it.
fn dot4_add(e: &mut Emitter<'_>, signed: bool) -> Result<(), Error> {
    let [mut sum, a, b] = e.arg_ids(0)?;
    let is_core = e.options.target.spirv_version() >= (1, 6);
    if is_core && e.options.extensions.integer_dot_product {
        e.b.caps.add(Capability::DotProduct);
        e.b.caps.add(Capability::DotProductInput4x8BitPacked);
        let format = PackedVectorFormat::PackedVectorFormat4x8Bit as Word;
        // The instructions with an accumulator saturate; D3D's wrap around.
        let op = if signed { Op::SDot } else { Op::UDot };
        let dot = e.b.word(op, &[a, b, format]);
        sum = e.b.word(Op::IAdd, &[dot, sum]);
    } else {
        for index in 0..4 {
            let [x, y] = [a, b].map(|v| byte(e, v, index, signed));
            let product = e.b.word(Op::IMul, &[x, y]);
            sum = e.b.word(Op::IAdd, &[sum, product]);
        }
    }
    e.set_result(0, sum);
    Ok(())
}

/// Unpacks four bytes to four integers; the mode determines whether they are signed.
fn unpack(e: &mut Emitter<'_>) -> Result<(), Error> {
    let signed = e.arg_choice(0, "mode", &[false, true])?;
    let packed = e.arg_id(1)?;
    for index in 0..4 {
        if !e.is_result_used(index) {
            continue;
        }
        let field = e.field_type(e.call.inst, index)?;
        let shape = e.shape(field)?;
        let Scalar::Int(width @ (16 | 32)) = shape.scalar else {
            return Err(e.invalid(InvalidKind::Type, format!("Unpack4x8 to {}", shape.scalar)));
        };
        let value = byte(e, packed, index, signed);
        let id = e.resize_int(Shape::U32, width, signed, value);
        e.set_result(index, id);
    }
    Ok(())
}

/// Packs four integers to four bytes: truncated, or clamped (as signed numbers) to the range of
/// unsigned or signed bytes.
fn pack(e: &mut Emitter<'_>) -> Result<(), Error> {
    let range = match e.arg_const(0)? {
        0 => None,
        1 => Some((0, 255)),
        2 => Some((-128i32 as u32, 127)),
        mode => {
            let what = format!("with mode {mode}, expected 0, 1 or 2");
            return Err(e.invalid_operand(what));
        }
    };
    let shape = e.value_shape(e.arg_value(1)?)?;
    let (ty, eight, mut packed) = (e.b.ty_u32(), e.b.const_u32(8), 0);
    for index in 0..4 {
        let value = e.arg_id(1 + index)?;
        // Clamping compares signed numbers; truncation ignores the upper bits.
        let mut value = e.resize_int(shape, 32, range.is_some(), value);
        if let Some((low, high)) = range {
            let (low, high) = (e.b.const_u32(low), e.b.const_u32(high));
            value = e.b.ext(GLOp::SClamp, ty, &[value, low, high]);
        }
        packed = if index == 0 {
            let mask = e.b.const_u32(0xFF);
            e.b.op(Op::BitwiseAnd, ty, &[value, mask])
        } else {
            let offset = e.b.const_u32(8 * index as u32);
            e.b.op(Op::BitFieldInsert, ty, &[packed, value, offset, eight])
        };
    }
    e.set_result(0, packed);
    Ok(())
}
