//! Arithmetic of `dx.op`: floats, minimum and maximum, wide multiplication, dot products.

use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};
use trellis_dxil_frontend::dxop::{DxCall, Op as Dx};

use super::arith::unsigned_division;
use crate::error::Error;
use crate::values::Shape;
use crate::values::{Emitter, Scalar};

/// How a one-to-one operation is written in SPIR-V.
#[derive(Clone, Copy)]
enum Simple {
    /// `GLSL.std.450` of the operands.
    Ext(GLOp),
    /// The same of sign-extended (`true`) or zero-extended integers.
    ExtInt(GLOp, bool),
}

/// The operations that SPIR-V has as they are. D3D's `min` and `max` prefer the number over NaN, as
/// `NMin` and `NMax` do.
fn simple(op: Dx) -> Option<Simple> {
    Some(match op {
        Dx::FAbs => Simple::Ext(GLOp::FAbs),
        Dx::Cos => Simple::Ext(GLOp::Cos),
        Dx::Sin => Simple::Ext(GLOp::Sin),
        Dx::Tan => Simple::Ext(GLOp::Tan),
        Dx::Acos => Simple::Ext(GLOp::Acos),
        Dx::Asin => Simple::Ext(GLOp::Asin),
        Dx::Atan => Simple::Ext(GLOp::Atan),
        Dx::Hcos => Simple::Ext(GLOp::Cosh),
        Dx::Hsin => Simple::Ext(GLOp::Sinh),
        Dx::Htan => Simple::Ext(GLOp::Tanh),
        Dx::Exp => Simple::Ext(GLOp::Exp2),
        Dx::Log => Simple::Ext(GLOp::Log2),
        Dx::Frc => Simple::Ext(GLOp::Fract),
        Dx::Sqrt => Simple::Ext(GLOp::Sqrt),
        Dx::Rsqrt => Simple::Ext(GLOp::InverseSqrt),
        Dx::RoundNe => Simple::Ext(GLOp::RoundEven),
        Dx::RoundNi => Simple::Ext(GLOp::Floor),
        Dx::RoundPi => Simple::Ext(GLOp::Ceil),
        Dx::RoundZ => Simple::Ext(GLOp::Trunc),
        Dx::FMax => Simple::Ext(GLOp::NMax),
        Dx::FMin => Simple::Ext(GLOp::NMin),
        Dx::FMad | Dx::Fma => Simple::Ext(GLOp::Fma),
        Dx::IMax => Simple::ExtInt(GLOp::SMax, true),
        Dx::IMin => Simple::ExtInt(GLOp::SMin, true),
        Dx::UMax => Simple::ExtInt(GLOp::UMax, false),
        Dx::UMin => Simple::ExtInt(GLOp::UMin, false),
        _ => return None,
    })
}

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    if let Some(how) = simple(call.op) {
        return emit_simple(e, call, how);
    }
    match call.op {
        Dx::Saturate => saturate(e, call),
        Dx::IsNaN | Dx::IsInf | Dx::IsFinite | Dx::IsNormal => classify(e, call),
        Dx::IMad | Dx::UMad => multiply_add(e, call),
        Dx::IMul => wide_multiply(e, call, Op::SMulExtended),
        Dx::UMul => wide_multiply(e, call, Op::UMulExtended),
        Dx::UDiv => divide(e, call),
        Dx::UAddc => carry(e, call, Op::IAddCarry),
        Dx::USubb => carry(e, call, Op::ISubBorrow),
        Dx::Dot2 => dot(e, call, 2),
        Dx::Dot3 => dot(e, call, 3),
        Dx::Dot4 => dot(e, call, 4),
        other => Err(e.unsupported(other.name())),
    }
}

fn emit_simple(e: &mut Emitter<'_>, call: &DxCall<'_>, how: Simple) -> Result<(), Error> {
    let shape = e.shape(call.ty)?;
    let ty = e.shape_type(shape);
    let mut operands = smallvec::SmallVec::<[Word; 3]>::new();
    for index in 0..call.args.len() {
        let id = e.arg_id(call, index)?;
        operands.push(match how {
            Simple::ExtInt(_, true) => e.sign_extended(shape, id),
            Simple::ExtInt(_, false) => e.zero_extended(shape, id),
            Simple::Ext(_) => id,
        });
    }
    let (Simple::Ext(op) | Simple::ExtInt(op, _)) = how;
    if matches!(how, Simple::Ext(_)) != matches!(shape.scalar, Scalar::Float(_))
        || (matches!(how, Simple::ExtInt(..)) && shape.scalar == Scalar::Bool)
    {
        return Err(e.invalid(format!("{} of {:?}", call.op.name(), shape.scalar)));
    }
    if ty_width_above_32(shape)
        && !matches!(
            op,
            GLOp::FAbs
                | GLOp::NMax
                | GLOp::NMin
                | GLOp::Fma
                | GLOp::SMax
                | GLOp::SMin
                | GLOp::UMax
                | GLOp::UMin
                | GLOp::Sqrt
        )
    {
        return Err(e.unsupported(format!("{} of 64 bits", call.op.name())));
    }
    let id = e.b.ext(op, ty, &operands);
    e.set_new(call.inst, shape, id);
    Ok(())
}

fn ty_width_above_32(shape: Shape) -> bool {
    shape.width() > 32
}

/// Clamps to 0 to 1; NaN gives 0, as D3D wants and `NClamp` does.
fn saturate(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let shape = float_shape(e, call)?;
    let (ty, value) = (e.shape_type(shape), e.arg_id(call, 0)?);
    let (zero, one) = (e.splat_float(shape, 0.0), e.splat_float(shape, 1.0));
    let id = e.b.ext(GLOp::NClamp, ty, &[value, zero, one]);
    e.set_new(call.inst, shape, id);
    Ok(())
}

fn float_shape(e: &Emitter<'_>, call: &DxCall<'_>) -> Result<Shape, Error> {
    let shape = e.value_shape(e.arg_value(call, 0)?)?;
    if matches!(shape.scalar, Scalar::Float(_)) {
        Ok(shape)
    } else {
        Err(e.invalid(format!("{} of {:?}", call.op.name(), shape.scalar)))
    }
}

/// `isnan`, `isinf`, `isfinite`, `isnormal`. The last two look at the bits: SPIR-V's own need the
/// capability Kernel.
fn classify(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let shape = float_shape(e, call)?;
    let (bool_ty, value) = (e.shape_type(shape.with(Scalar::Bool)), e.arg_id(call, 0)?);
    let id = match call.op {
        Dx::IsNaN => e.b.op_ids(Op::IsNan, bool_ty, &[value]),
        Dx::IsInf => e.b.op_ids(Op::IsInf, bool_ty, &[value]),
        _ => {
            let bits = shape.with(Scalar::Int(shape.width()));
            let exponent_mask = match shape.width() {
                16 => 0x7C00,
                32 => 0x7F80_0000,
                _ => 0x7FF0_0000_0000_0000,
            };
            let (ty, mask) = (e.shape_type(bits), e.splat_int(bits, exponent_mask));
            let raw = e.b.bitcast(ty, value);
            let exponent = e.b.op_ids(Op::BitwiseAnd, ty, &[raw, mask]);
            let finite = e.b.op_ids(Op::INotEqual, bool_ty, &[exponent, mask]);
            if call.op == Dx::IsFinite {
                finite
            } else {
                let zero = e.splat_int(bits, 0);
                let normalized = e.b.op_ids(Op::INotEqual, bool_ty, &[exponent, zero]);
                e.b.op_ids(Op::LogicalAnd, bool_ty, &[finite, normalized])
            }
        }
    };
    e.set(call.inst, 0, id);
    Ok(())
}

fn multiply_add(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let shape = e.shape(call.ty)?;
    let (ty, a, b, c) = (
        e.shape_type(shape),
        e.arg_id(call, 0)?,
        e.arg_id(call, 1)?,
        e.arg_id(call, 2)?,
    );
    let product = e.b.op_ids(Op::IMul, ty, &[a, b]);
    let id = e.b.op_ids(Op::IAdd, ty, &[product, c]);
    e.set_new(call.inst, shape, id);
    Ok(())
}

/// 32 x 32 → 64 bits. Field 0 is the upper half, field 1 the lower, as in D3D's
/// `imul destHI, destLO, a, b`; SPIR-V's struct has the lower half first.
fn wide_multiply(e: &mut Emitter<'_>, call: &DxCall<'_>, op: Op) -> Result<(), Error> {
    let (a, b, ty) = (e.arg_id(call, 0)?, e.arg_id(call, 1)?, e.b.ty_u32());
    if !e.is_used(call.inst, 0) {
        let low = e.b.op_ids(Op::IMul, ty, &[a, b]);
        e.set(call.inst, 1, low);
        return Ok(());
    }
    let pair_ty = e.b.ty_struct(&[ty, ty]);
    let pair = e.b.op_ids(op, pair_ty, &[a, b]);
    for (field, member) in [(0, 1), (1, 0)] {
        if e.is_used(call.inst, field) {
            let id = e.b.extract(ty, pair, member);
            e.set(call.inst, field, id);
        }
    }
    Ok(())
}

/// Field 0 is the quotient, field 1 the remainder; both are all ones where the divisor is zero.
fn divide(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let (a, b) = (e.arg_id(call, 0)?, e.arg_id(call, 1)?);
    let nonzero = e.const_int(e.arg_value(call, 1)?).is_some_and(|c| c != 0);
    for (field, quotient) in [(0, true), (1, false)] {
        if e.is_used(call.inst, field) {
            let id = unsigned_division(e, Shape::U32, quotient, a, b, nonzero);
            e.set(call.inst, field, id);
        }
    }
    Ok(())
}

/// Sum or difference, and whether it carried or borrowed.
fn carry(e: &mut Emitter<'_>, call: &DxCall<'_>, op: Op) -> Result<(), Error> {
    let (a, b, ty) = (e.arg_id(call, 0)?, e.arg_id(call, 1)?, e.b.ty_u32());
    let pair_ty = e.b.ty_struct(&[ty, ty]);
    let pair = e.b.op_ids(op, pair_ty, &[a, b]);
    if e.is_used(call.inst, 0) {
        let id = e.b.extract(ty, pair, 0);
        e.set(call.inst, 0, id);
    }
    if e.is_used(call.inst, 1) {
        let flag = e.b.extract(ty, pair, 1);
        let id = e.is_nonzero(flag);
        e.set(call.inst, 1, id);
    }
    Ok(())
}

/// Dot product of two vectors that come component by component.
fn dot(e: &mut Emitter<'_>, call: &DxCall<'_>, lanes: usize) -> Result<(), Error> {
    let shape = e.shape(call.ty)?;
    let mut parts = smallvec::SmallVec::<[Word; 8]>::new();
    for index in 0..2 * lanes {
        parts.push(e.arg_id(call, index)?);
    }
    let ty = e.shape_type(shape);
    let vector_ty = e.b.ty_vec(ty, lanes as u32);
    let (a, b) = parts.split_at(lanes);
    let (a, b) = (e.b.construct(vector_ty, a), e.b.construct(vector_ty, b));
    let id = e.b.op_ids(Op::Dot, ty, &[a, b]);
    e.set_new(call.inst, shape, id);
    Ok(())
}
