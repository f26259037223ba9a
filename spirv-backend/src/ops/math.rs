//! Arithmetic of `dx.op`: floats, minimum and maximum, wide multiplication, dot products.

use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};
use trellis_dxil_frontend::dxop::MathOp;

use super::Emitter;
use super::arith::{Part, unsigned_division};
use crate::error::Error;
use crate::values::Scalar;
use crate::values::Shape;

/// A `GLSL.std.450` instruction that an operation corresponds to one to one.
#[derive(Clone, Copy)]
enum Simple {
    /// Of floats.
    Float(GLOp),
    /// Of sign-extended integers.
    Signed(GLOp),
    /// Of zero-extended integers.
    Unsigned(GLOp),
}

/// Emits one operation of this family. D3D's `min` and `max` prefer the number over NaN, as `NMin`
/// and `NMax` do.
pub(crate) fn emit(e: &mut Emitter<'_>, op: MathOp) -> Result<(), Error> {
    let simple = match op {
        MathOp::FAbs => Simple::Float(GLOp::FAbs),
        MathOp::Cos => Simple::Float(GLOp::Cos),
        MathOp::Sin => Simple::Float(GLOp::Sin),
        MathOp::Tan => Simple::Float(GLOp::Tan),
        MathOp::Acos => Simple::Float(GLOp::Acos),
        MathOp::Asin => Simple::Float(GLOp::Asin),
        MathOp::Atan => Simple::Float(GLOp::Atan),
        MathOp::Hcos => Simple::Float(GLOp::Cosh),
        MathOp::Hsin => Simple::Float(GLOp::Sinh),
        MathOp::Htan => Simple::Float(GLOp::Tanh),
        MathOp::Exp => Simple::Float(GLOp::Exp2),
        MathOp::Log => Simple::Float(GLOp::Log2),
        MathOp::Frc => Simple::Float(GLOp::Fract),
        MathOp::Sqrt => Simple::Float(GLOp::Sqrt),
        MathOp::Rsqrt => Simple::Float(GLOp::InverseSqrt),
        MathOp::RoundNe => Simple::Float(GLOp::RoundEven),
        MathOp::RoundNi => Simple::Float(GLOp::Floor),
        MathOp::RoundPi => Simple::Float(GLOp::Ceil),
        MathOp::RoundZ => Simple::Float(GLOp::Trunc),
        MathOp::FMax => Simple::Float(GLOp::NMax),
        MathOp::FMin => Simple::Float(GLOp::NMin),
        MathOp::FMad if e.is_precise(e.call.inst) && !e.options.quirks.precise_fma => {
            // The product is rounded, since a device may fuse `Fma` or not, and the result must not
            // depend on that. The caller decorates both instructions with `NoContraction`.
            return multiply_add(e, [Op::FMul, Op::FAdd]);
        }
        MathOp::FMad | MathOp::Fma => Simple::Float(GLOp::Fma),
        MathOp::IMax => Simple::Signed(GLOp::SMax),
        MathOp::IMin => Simple::Signed(GLOp::SMin),
        MathOp::UMax => Simple::Unsigned(GLOp::UMax),
        MathOp::UMin => Simple::Unsigned(GLOp::UMin),
        MathOp::Saturate => return saturate(e),
        MathOp::IsNaN | MathOp::IsInf | MathOp::IsFinite | MathOp::IsNormal => {
            return classify(e, op);
        }
        MathOp::IMad | MathOp::UMad => return multiply_add(e, [Op::IMul, Op::IAdd]),
        MathOp::IMul => return wide_multiply(e, Op::SMulExtended),
        MathOp::UMul => return wide_multiply(e, Op::UMulExtended),
        MathOp::UDiv => return divide(e),
        MathOp::UAddc => return carry(e, Op::IAddCarry),
        MathOp::USubb => return carry(e, Op::ISubBorrow),
        MathOp::Dot2 => return dot(e, 2),
        MathOp::Dot3 => return dot(e, 3),
        MathOp::Dot4 => return dot(e, 4),
    };
    let shape = e.shape(e.call.ty)?;
    let ty = e.shape_type(shape);
    let mut operands = smallvec::SmallVec::<[Word; 3]>::new();
    for index in 0..e.call.args.len() {
        let id = e.arg_id(index)?;
        operands.push(match simple {
            Simple::Signed(_) => e.sign_extended(shape, id),
            Simple::Unsigned(_) => e.zero_extended(shape, id),
            Simple::Float(_) => id,
        });
    }
    let (Simple::Float(op) | Simple::Signed(op) | Simple::Unsigned(op)) = simple;
    let mut id = e.b.ext(op, ty, &operands);
    if op == GLOp::InverseSqrt && e.options.quirks.finite_rsqrt && shape.width() == 32 {
        let most = e.splat_float(shape, f64::from(f32::MAX));
        id = e.b.ext(GLOp::NMin, ty, &[id, most]);
    }
    e.set_new_result(shape, id);
    Ok(())
}

/// Clamps to 0 to 1; NaN gives 0, as D3D requires and `NClamp` does.
fn saturate(e: &mut Emitter<'_>) -> Result<(), Error> {
    let shape = e.value_shape(e.arg_value(0)?)?;
    let (ty, value) = (e.shape_type(shape), e.arg_id(0)?);
    let (zero, one) = (e.splat_float(shape, 0.0), e.splat_float(shape, 1.0));
    let id = e.b.ext(GLOp::NClamp, ty, &[value, zero, one]);
    e.set_new_result(shape, id);
    Ok(())
}

/// Emits `isnan`, `isinf`, `isfinite`, `isnormal`. The last two test the bits, because SPIR-V's own
/// instructions need the capability Kernel.
fn classify(e: &mut Emitter<'_>, class: MathOp) -> Result<(), Error> {
    let shape = e.value_shape(e.arg_value(0)?)?;
    let (bool_ty, value) = (e.shape_type(shape.with(Scalar::Bool)), e.arg_id(0)?);
    let id = match class {
        MathOp::IsNaN => e.b.op(Op::IsNan, bool_ty, &[value]),
        MathOp::IsInf => e.b.op(Op::IsInf, bool_ty, &[value]),
        _ => {
            let bits = shape.with(Scalar::Int(shape.width()));
            let exponent_mask = match shape.width() {
                16 => 0x7C00,
                _ => 0x7F80_0000,
            };
            let (ty, mask) = (e.shape_type(bits), e.splat_int(bits, exponent_mask));
            let raw = e.b.bitcast(ty, value);
            let exponent = e.b.op(Op::BitwiseAnd, ty, &[raw, mask]);
            let mut id = e.b.op(Op::INotEqual, bool_ty, &[exponent, mask]);
            if class == MathOp::IsNormal {
                let zero = e.splat_int(bits, 0);
                let normalized = e.b.op(Op::INotEqual, bool_ty, &[exponent, zero]);
                id = e.b.op(Op::LogicalAnd, bool_ty, &[id, normalized]);
            }
            id
        }
    };
    e.set_result(0, id);
    Ok(())
}

/// Emits a product and a sum.
fn multiply_add(e: &mut Emitter<'_>, [multiply, add]: [Op; 2]) -> Result<(), Error> {
    let shape = e.shape(e.call.ty)?;
    let ty = e.shape_type(shape);
    let [a, b, c] = e.arg_ids(0)?;
    let product = e.b.op(multiply, ty, &[a, b]);
    let id = e.b.op(add, ty, &[product, c]);
    e.set_new_result(shape, id);
    Ok(())
}

/// Emits a multiplication of 32 x 32 → 64 bits. Field 0 is the upper half, field 1 the lower, as in
/// D3D's `imul destHI, destLO, a, b`; SPIR-V's struct has the lower half first.
fn wide_multiply(e: &mut Emitter<'_>, op: Op) -> Result<(), Error> {
    let (a, b, ty) = (e.arg_id(0)?, e.arg_id(1)?, e.b.ty_u32());
    if !e.is_result_used(0) {
        // The low half alone is a plain product: one instruction without a struct.
        let low = e.b.op(Op::IMul, ty, &[a, b]);
        e.set_result(1, low);
        return Ok(());
    }
    let pair_ty = e.b.ty_struct(&[ty, ty]);
    let pair = e.b.op(op, pair_ty, &[a, b]);
    for (field, member) in [(0, 1), (1, 0)] {
        if e.is_result_used(field) {
            let id = e.b.extract(ty, pair, member);
            e.set_result(field, id);
        }
    }
    Ok(())
}

/// Emits an unsigned division: field 0 is the quotient, field 1 the remainder; both are all ones if
/// the divisor is zero.
fn divide(e: &mut Emitter<'_>) -> Result<(), Error> {
    let (a, b) = (e.arg_id(0)?, e.arg_id(1)?);
    let divisor = e.arg_value(1)?;
    let nonzero = e.is_never_zero(divisor);
    for (field, part) in [(0, Part::Quotient), (1, Part::Remainder)] {
        if e.is_result_used(field) {
            let id = unsigned_division(e, Shape::U32, part, a, b, nonzero);
            e.set_result(field, id);
        }
    }
    Ok(())
}

/// Emits a sum or difference, and whether it carried or borrowed.
fn carry(e: &mut Emitter<'_>, op: Op) -> Result<(), Error> {
    let (a, b, ty) = (e.arg_id(0)?, e.arg_id(1)?, e.b.ty_u32());
    let pair_ty = e.b.ty_struct(&[ty, ty]);
    let pair = e.b.op(op, pair_ty, &[a, b]);
    if e.is_result_used(0) {
        let id = e.b.extract(ty, pair, 0);
        e.set_result(0, id);
    }
    if e.is_result_used(1) {
        // SPIR-V gives 0 or 1 as a word, D3D a truth value.
        let flag = e.b.extract(ty, pair, 1);
        let id = e.is_nonzero(flag);
        e.set_result(1, id);
    }
    Ok(())
}

/// Emits the dot product of two vectors that are given by components.
fn dot(e: &mut Emitter<'_>, lanes: usize) -> Result<(), Error> {
    let shape = e.shape(e.call.ty)?;
    let mut parts = smallvec::SmallVec::<[Word; 8]>::new();
    for index in 0..2 * lanes {
        parts.push(e.arg_id(index)?);
    }
    let ty = e.shape_type(shape);
    let vector_ty = e.b.ty_vec(ty, lanes as u32);
    let (a, b) = parts.split_at(lanes);
    let (a, b) = (e.b.construct(vector_ty, a), e.b.construct(vector_ty, b));
    let id = e.b.op(Op::Dot, ty, &[a, b]);
    e.set_new_result(shape, id);
    Ok(())
}
