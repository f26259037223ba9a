//! LLVM's own arithmetic: binary operations, comparisons and `select`; casts are in
//! [`super::cast`].
//!
//! Cases that LLVM leaves undefined follow D3D's rules: shift amounts are taken modulo the width,
//! unsigned division by zero gives all ones. Cases that D3D leaves undefined, too (signed division
//! by zero or with overflow), give some value, but never undefined behaviour. The reader has checked
//! that operations and types fit.

use crate::ops::Emitter;
use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};
use trellis_dxil_frontend::module::{BinaryOp, InstId, InstKind, Predicate, ValueId};

use crate::error::Error;
use crate::values::known_bits::{Scaled, are_disjoint, scaled_by};
use crate::values::{Scalar, Sum};
use crate::values::{Shape, float_constant};

/// Emits a binary operation.
pub(crate) fn binary(
    e: &mut Emitter<'_>,
    inst: InstId,
    op: BinaryOp,
    operands: [ValueId; 2],
) -> Result<(), Error> {
    let shape = e.shape(e.result_type(inst))?;
    let id = match shape.scalar {
        Scalar::Bool => bool_binary(e, shape, op, operands)?,
        Scalar::Int(_) => int_binary(e, (inst, shape), op, operands)?,
        Scalar::Float(_) => float_binary(e, shape, op, operands)?,
    };
    e.set_new(inst, shape, id);
    Ok(())
}

/// Emits an instruction on two operands of the type of its result.
fn on_both(
    e: &mut Emitter<'_>,
    code: Op,
    shape: Shape,
    [lhs, rhs]: [ValueId; 2],
) -> Result<Word, Error> {
    let ty = e.shape_type(shape);
    let (lhs, rhs) = (e.id(lhs)?, e.id(rhs)?);
    Ok(e.b.op(code, ty, &[lhs, rhs]))
}

/// Emits arithmetic modulo 2.
fn bool_binary(
    e: &mut Emitter<'_>,
    shape: Shape,
    op: BinaryOp,
    operands: [ValueId; 2],
) -> Result<Word, Error> {
    let code = match op {
        BinaryOp::Xor if shape.lanes == 1 && e.const_int(operands[1]) == Some(1) => {
            let (ty, value) = (e.shape_type(shape), e.id(operands[0])?);
            return Ok(e.b.op(Op::LogicalNot, ty, &[value]));
        }
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor => Op::LogicalNotEqual,
        BinaryOp::Mul | BinaryOp::And => Op::LogicalAnd,
        BinaryOp::Or => Op::LogicalOr,
        BinaryOp::URem | BinaryOp::SRem => return Ok(e.splat_bool(shape, false)),
        // The only defined divisor is 1, the only defined shift amount 0.
        _ => return e.id(operands[0]),
    };
    on_both(e, code, shape, operands)
}

fn int_binary(
    e: &mut Emitter<'_>,
    (inst, shape): (InstId, Shape),
    op: BinaryOp,
    [lhs, rhs]: [ValueId; 2],
) -> Result<Word, Error> {
    let ty = e.shape_type(shape);
    let a = e.id(lhs)?;
    let id = match op {
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            let amount = shift_amount(e, shape, rhs)?;
            let (code, a) = match op {
                BinaryOp::Shl => (Op::ShiftLeftLogical, a),
                BinaryOp::LShr => (Op::ShiftRightLogical, e.zero_extended(shape, a)),
                _ => (Op::ShiftRightArithmetic, e.sign_extended(shape, a)),
            };
            e.b.op(code, ty, &[a, amount])
        }
        BinaryOp::UDiv | BinaryOp::URem => {
            let b = e.id(rhs)?;
            let (a, b) = (e.zero_extended(shape, a), e.zero_extended(shape, b));
            let nonzero = e.is_never_zero(rhs);
            let part = part(e, (inst, shape), [op, BinaryOp::UDiv], [lhs, rhs]);
            unsigned_division(e, shape, part, a, b, nonzero)
        }
        BinaryOp::SDiv | BinaryOp::SRem => {
            let b = e.id(rhs)?;
            let (a, b) = (e.sign_extended(shape, a), e.sign_extended(shape, b));
            let all_ones = u64::MAX >> (64 - shape.bits());
            let divisor = match e.const_int(rhs) {
                Some(c) if c != 0 && c & all_ones != all_ones => Divisor::Harmless,
                _ if e.is_never_zero(rhs) => Divisor::NotZero,
                _ => Divisor::Any,
            };
            let part = part(e, (inst, shape), [op, BinaryOp::SDiv], [lhs, rhs]);
            signed_division(e, shape, part, a, b, divisor)
        }
        _ => {
            let code = match op {
                BinaryOp::Add => Op::IAdd,
                BinaryOp::Sub => Op::ISub,
                BinaryOp::Mul => Op::IMul,
                BinaryOp::And => Op::BitwiseAnd,
                // Drivers find constant offsets of addresses in sums only. An `or` that joins the
                // bits of two variables is shorter unchanged.
                BinaryOp::Or
                    if !shape.relaxed
                        && (e.const_int(lhs).is_some() || e.const_int(rhs).is_some())
                        && are_disjoint(e, lhs, rhs) =>
                {
                    Op::IAdd
                }
                BinaryOp::Or => Op::BitwiseOr,
                _ => Op::BitwiseXor,
            };
            let b = e.id(rhs)?;
            e.b.op(code, ty, &[a, b])
        }
    };
    if e.sums.is_wanted() && shape.lanes == 1 && shape.bits() == 32 {
        note_sum(e, op, [lhs, rhs], id)?;
    }
    Ok(id)
}

/// Records the result of an operation on a number and a constant, if it is a sum or a shift to the
/// left.
fn note_sum(
    e: &mut Emitter<'_>,
    op: BinaryOp,
    operands: [ValueId; 2],
    id: Word,
) -> Result<(), Error> {
    if let Some(Scaled { value, shift, more }) = scaled_by(e, op, operands) {
        let value = e.id(value)?;
        e.note_sum(id, Sum { value, shift, more });
    }
    Ok(())
}

/// Returns a shift amount modulo the width. DXC mostly masks it already: then nothing is added.
fn shift_amount(e: &mut Emitter<'_>, shape: Shape, amount: ValueId) -> Result<Word, Error> {
    let mask = u64::from(shape.bits() - 1);
    if let Some(constant) = e.const_int(amount) {
        return Ok(e.splat_int(shape, constant & mask));
    }
    let id = e.id(amount)?;
    if let Some((_, def)) = e.def(amount)
        && let InstKind::Binary {
            op: BinaryOp::And,
            lhs,
            rhs,
            ..
        } = def.kind
        && [lhs, rhs]
            .into_iter()
            .filter_map(|v| e.const_int(v))
            .any(|c| c <= mask)
    {
        return Ok(id);
    }
    let (ty, mask) = (e.shape_type(shape), e.splat_int(shape, mask));
    Ok(e.b.op(Op::BitwiseAnd, ty, &[id, mask]))
}

/// The requested result of a division.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The quotient.
    Quotient,
    /// The remainder.
    Remainder,
    /// The remainder, where the quotient is computed anyway.
    RemainderOfQuotient,
}

/// How many instructions before and after a remainder may be its quotient.
const NEAR: u32 = 32;

/// Returns the result that a division must compute; `quotient` is the operation that gives its
/// quotient. Drivers expand a 64-bit division to hundreds of instructions, and its remainder to
/// hundreds more.
fn part(
    e: &Emitter<'_>,
    (inst, shape): (InstId, Shape),
    [op, quotient]: [BinaryOp; 2],
    operands: [ValueId; 2],
) -> Part {
    if op == quotient {
        return Part::Quotient;
    }
    let is_quotient = |kind: InstKind| matches!(kind, InstKind::Binary { op, lhs, rhs, .. } if op == quotient && [lhs, rhs] == operands);
    let mut near = e.neighbours(inst, NEAR);
    if shape.width() == 64 && near.any(|near| is_quotient(e.kind(near))) {
        Part::RemainderOfQuotient
    } else {
        Part::Remainder
    }
}

/// Emits a quotient or remainder of unsigned numbers; the divisor is not 0.
fn divide(e: &mut Emitter<'_>, ty: Word, part: Part, a: Word, b: Word) -> Word {
    match part {
        Part::Quotient => e.b.op(Op::UDiv, ty, &[a, b]),
        Part::Remainder => e.b.op(Op::UMod, ty, &[a, b]),
        Part::RemainderOfQuotient => {
            let quotient = e.b.op(Op::UDiv, ty, &[a, b]);
            let multiple = e.b.op(Op::IMul, ty, &[quotient, b]);
            e.b.op(Op::ISub, ty, &[a, multiple])
        }
    }
}

/// Emits a quotient or remainder; all ones where the divisor is zero (D3D's `udiv`).
pub(crate) fn unsigned_division(
    e: &mut Emitter<'_>,
    shape: Shape,
    part: Part,
    a: Word,
    b: Word,
    nonzero: bool,
) -> Word {
    let ty = e.shape_type(shape);
    if nonzero {
        return divide(e, ty, part, a, b);
    }
    let bool_ty = e.shape_type(shape.with(Scalar::Bool));
    let (zero, ones) = (e.splat_int(shape, 0), e.splat_int(shape, u64::MAX));
    let is_zero = e.b.op(Op::IEqual, bool_ty, &[b, zero]);
    let safe = if shape.width() <= 32 && !shape.relaxed {
        let one = e.splat_int(shape, 1);
        e.b.ext(GLOp::UMax, ty, &[b, one])
    } else {
        // Devices have no maximum of 64 bits, and numbers of minimum precision are masked first.
        e.b.op(Op::Select, ty, &[is_zero, ones, b])
    };
    let result = divide(e, ty, part, a, safe);
    e.b.op(Op::Select, ty, &[is_zero, ones, result])
}

/// Known facts about a divisor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Divisor {
    /// It is a constant, and neither 0 nor -1.
    Harmless,
    /// It is not 0.
    NotZero,
    /// Nothing.
    Any,
}

/// Emits a quotient or remainder. SPIR-V leaves two cases undefined: divisor 0, and the least
/// number by -1. So magnitudes are divided as unsigned numbers, and the result gets its sign:
/// drivers do no less for a signed division, and the magnitude of the least number is right as an
/// unsigned one. A divisor of 0, undefined in D3D, is replaced by 1.
fn signed_division(
    e: &mut Emitter<'_>,
    shape: Shape,
    part: Part,
    a: Word,
    b: Word,
    divisor: Divisor,
) -> Word {
    let ty = e.shape_type(shape);
    if divisor == Divisor::Harmless {
        return signed(e, ty, part, a, b);
    }
    if shape.width() < 32 {
        // Mesa divides these by floats, whose sign costs nothing.
        return short_signed_division(e, shape, part, a, b);
    }
    let magnitude = e.b.ext(GLOp::SAbs, ty, &[a]);
    let mut by = e.b.ext(GLOp::SAbs, ty, &[b]);
    if divisor == Divisor::Any {
        let one = e.splat_int(shape, 1);
        by = e.b.ext(GLOp::UMax, ty, &[by, one]);
    }
    let sign = match part {
        Part::Quotient => e.b.op(Op::BitwiseXor, ty, &[a, b]),
        _ => a,
    };
    let result = divide(e, ty, part, magnitude, by);
    let bool_ty = e.shape_type(shape.with(Scalar::Bool));
    let zero = e.splat_int(shape, 0);
    let is_negative = e.b.op(Op::SLessThan, bool_ty, &[sign, zero]);
    let negated = e.b.op(Op::SNegate, ty, &[result]);
    e.b.op(Op::Select, ty, &[is_negative, negated, result])
}

/// The same of numbers that drivers divide as floats with a sign: both divisors are replaced by 1, and
/// the quotient by -1 is a negation, which is right for all dividends (the least one wraps to itself).
fn short_signed_division(e: &mut Emitter<'_>, shape: Shape, part: Part, a: Word, b: Word) -> Word {
    let (ty, bool_ty) = (e.shape_type(shape), e.shape_type(shape.with(Scalar::Bool)));
    let one = e.splat_int(shape, 1);
    let next = e.b.op(Op::IAdd, ty, &[b, one]);
    let special = e.b.op(Op::ULessThanEqual, bool_ty, &[next, one]);
    let safe = e.b.op(Op::Select, ty, &[special, one, b]);
    let result = signed(e, ty, part, a, safe);
    if part != Part::Quotient {
        return result;
    }
    let negated = e.b.op(Op::SNegate, ty, &[a]);
    e.b.op(Op::Select, ty, &[special, negated, result])
}

fn signed(e: &mut Emitter<'_>, ty: Word, part: Part, a: Word, b: Word) -> Word {
    let code = match part {
        Part::Quotient => Op::SDiv,
        _ => Op::SRem,
    };
    e.b.op(code, ty, &[a, b])
}

fn float_binary(
    e: &mut Emitter<'_>,
    shape: Shape,
    op: BinaryOp,
    [lhs, rhs]: [ValueId; 2],
) -> Result<Word, Error> {
    let code = match op {
        // LLVM 3.7 writes negation as `fsub -0.0, x`.
        BinaryOp::FSub
            if float_constant(e, lhs).is_some_and(|x| x == 0.0 && x.is_sign_negative()) =>
        {
            let ty = e.shape_type(shape);
            let value = e.id(rhs)?;
            return Ok(e.b.op(Op::FNegate, ty, &[value]));
        }
        BinaryOp::FAdd => Op::FAdd,
        BinaryOp::FSub => Op::FSub,
        BinaryOp::FMul => Op::FMul,
        BinaryOp::FDiv => Op::FDiv,
        _ => Op::FRem,
    };
    on_both(e, code, shape, [lhs, rhs])
}

/// Emits a comparison.
pub(crate) fn compare(
    e: &mut Emitter<'_>,
    inst: InstId,
    predicate: Predicate,
    [lhs, rhs]: [ValueId; 2],
) -> Result<(), Error> {
    let shape = e.value_shape(lhs)?;
    let ty = e.shape_type(shape.with(Scalar::Bool));
    let id = if let Scalar::Float(_) = shape.scalar {
        compare_floats(e, shape, predicate, lhs, rhs)?
    } else {
        let (code, signed) = int_comparison(predicate);
        let (a, b) = (e.id(lhs)?, e.id(rhs)?);
        if shape.scalar == Scalar::Bool {
            compare_bools(e, ty, code, a, b)
        } else {
            let (a, b) = (e.extended(shape, signed, a), e.extended(shape, signed, b));
            e.b.op(code, ty, &[a, b])
        }
    };
    e.set(inst, 0, id);
    Ok(())
}

/// SPIR-V's comparison of integers, and whether it is signed.
fn int_comparison(predicate: Predicate) -> (Op, bool) {
    match predicate {
        Predicate::IEq => (Op::IEqual, false),
        Predicate::INe => (Op::INotEqual, false),
        Predicate::IUgt => (Op::UGreaterThan, false),
        Predicate::IUge => (Op::UGreaterThanEqual, false),
        Predicate::IUlt => (Op::ULessThan, false),
        Predicate::IUle => (Op::ULessThanEqual, false),
        Predicate::ISgt => (Op::SGreaterThan, true),
        Predicate::ISge => (Op::SGreaterThanEqual, true),
        Predicate::ISlt => (Op::SLessThan, true),
        _ => (Op::SLessThanEqual, true),
    }
}

/// Emits a comparison of `i1`: as an unsigned number true is 1, as a signed one it is -1.
fn compare_bools(e: &mut Emitter<'_>, ty: Word, comparison: Op, a: Word, b: Word) -> Word {
    // (combine, first, second): the negated operand comes first.
    let (code, negated, other) = match comparison {
        Op::IEqual => return e.b.op(Op::LogicalEqual, ty, &[a, b]),
        Op::INotEqual => return e.b.op(Op::LogicalNotEqual, ty, &[a, b]),
        Op::ULessThan | Op::SGreaterThan => (Op::LogicalAnd, a, b),
        Op::UGreaterThan | Op::SLessThan => (Op::LogicalAnd, b, a),
        Op::ULessThanEqual | Op::SGreaterThanEqual => (Op::LogicalOr, a, b),
        _ => (Op::LogicalOr, b, a),
    };
    let negated = e.b.op(Op::LogicalNot, ty, &[negated]);
    e.b.op(code, ty, &[negated, other])
}

fn compare_floats(
    e: &mut Emitter<'_>,
    shape: Shape,
    predicate: Predicate,
    lhs: ValueId,
    rhs: ValueId,
) -> Result<Word, Error> {
    let result = shape.with(Scalar::Bool);
    let ty = e.shape_type(result);
    let code = match predicate {
        Predicate::FFalse => return Ok(e.splat_bool(result, false)),
        Predicate::FTrue => return Ok(e.splat_bool(result, true)),
        Predicate::FOrd | Predicate::FUno => {
            // OpOrdered and OpUnordered need the capability Kernel.
            let a = e.id(lhs)?;
            let mut unordered = e.b.op(Op::IsNan, ty, &[a]);
            if lhs != rhs && float_constant(e, rhs).is_none_or(f64::is_nan) {
                let b = e.id(rhs)?;
                let other = e.b.op(Op::IsNan, ty, &[b]);
                unordered = e.b.op(Op::LogicalOr, ty, &[unordered, other]);
            }
            return Ok(if predicate == Predicate::FUno {
                unordered
            } else {
                e.b.op(Op::LogicalNot, ty, &[unordered])
            });
        }
        Predicate::FOeq => Op::FOrdEqual,
        Predicate::FOgt => Op::FOrdGreaterThan,
        Predicate::FOge => Op::FOrdGreaterThanEqual,
        Predicate::FOlt => Op::FOrdLessThan,
        Predicate::FOle => Op::FOrdLessThanEqual,
        Predicate::FOne => Op::FOrdNotEqual,
        Predicate::FUeq => Op::FUnordEqual,
        Predicate::FUgt => Op::FUnordGreaterThan,
        Predicate::FUge => Op::FUnordGreaterThanEqual,
        Predicate::FUlt => Op::FUnordLessThan,
        Predicate::FUle => Op::FUnordLessThanEqual,
        _ => Op::FUnordNotEqual,
    };
    let (a, b) = (e.id(lhs)?, e.id(rhs)?);
    Ok(e.b.op(code, ty, &[a, b]))
}

/// Emits a `select`.
pub(crate) fn select(
    e: &mut Emitter<'_>,
    inst: InstId,
    cond: ValueId,
    [then, else_]: [ValueId; 2],
) -> Result<(), Error> {
    let shape = e.shape(e.result_type(inst))?;
    let cond_lanes = e.value_shape(cond)?.lanes;
    let (ty, mut cond, then, else_) = (e.shape_type(shape), e.id(cond)?, e.id(then)?, e.id(else_)?);
    if cond_lanes != shape.lanes {
        // SPIR-V before 1.4 requires a condition for each component.
        cond = e.splat(shape.with(Scalar::Bool), cond);
    }
    let id = e.b.op(Op::Select, ty, &[cond, then, else_]);
    e.set_new(inst, shape, id);
    Ok(())
}
