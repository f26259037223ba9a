//! Bits of integers that are 0 whatever the operands are, by a look at the instructions before: in
//! time that [`DEPTH`] bounds, without a table.

use trellis_dxil_frontend::module::{BinaryOp, CastOp, InstKind, Type, ValueId};

use crate::values::FunctionContext;

/// How many instructions are looked through.
const DEPTH: u32 = 5;

/// Returns true if no bit is 1 in both numbers, so that their sum has the bits of either.
pub(super) fn are_disjoint(c: &FunctionContext<'_>, a: ValueId, b: ValueId) -> bool {
    let Some(all) = bits(c, a) else {
        return false;
    };
    let zeros = zeros(c, a, DEPTH);
    zeros != 0 && (zeros | self::zeros(c, b, DEPTH)) & all == all
}

/// Returns how many of the lowest bits are 0, as far as that is known.
pub(super) fn low_zeros(c: &FunctionContext<'_>, value: ValueId) -> u32 {
    zeros(c, value, DEPTH).trailing_ones()
}

/// Returns how many of the lowest bits are known, and a number with these bits: those of a constant that
/// is added to a number whose lowest bits are 0.
pub(super) fn low_bits(c: &FunctionContext<'_>, value: ValueId) -> (u32, u64) {
    if let Some(number) = c.const_int(value) {
        return (u64::BITS, number);
    }
    if let Some((_, inst)) = c.def(value)
        && let InstKind::Binary {
            op: BinaryOp::Add | BinaryOp::Or,
            lhs,
            rhs,
            ..
        } = inst.kind
    {
        for (number, other) in [(lhs, rhs), (rhs, lhs)] {
            if let Some(number) = c.const_int(number) {
                return (low_zeros(c, other), number);
            }
        }
    }
    (low_zeros(c, value), 0)
}

/// A number of 32 bits as `(value << shift) + more`, modulo 2 to the power of 32.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaled {
    /// The value.
    pub(super) value: ValueId,
    /// At most 31.
    pub(super) shift: u32,
    /// The constant.
    pub(super) more: u32,
}

/// Returns the parts of a number that is a shifted one, or a sum of that and a constant.
pub(super) fn scaled(c: &FunctionContext<'_>, value: ValueId) -> Option<Scaled> {
    let shifted = |shifted| match c.def(shifted)?.1.kind {
        InstKind::Binary {
            op: BinaryOp::Shl,
            lhs,
            rhs,
            ..
        } => Some((lhs, c.const_int(rhs)? as u32 & 31)),
        _ => None,
    };
    if bits(c, value) != Some(u32::MAX.into()) {
        return None;
    }
    if let Some((value, shift)) = shifted(value) {
        let more = 0;
        return Some(Scaled { value, shift, more });
    }
    let InstKind::Binary { op, lhs, rhs, .. } = c.def(value)?.1.kind else {
        return None;
    };
    let (sum, more) = match (c.const_int(lhs), c.const_int(rhs)) {
        (_, Some(more)) => (lhs, more as u32),
        (Some(more), _) => (rhs, more as u32),
        _ => return None,
    };
    let (value, shift) = shifted(sum)?;
    // `|` is a sum where the constant has only bits that the shift left 0.
    let is_sum = match op {
        BinaryOp::Add => true,
        BinaryOp::Or => more >> shift == 0,
        _ => false,
    };
    is_sum.then_some(Scaled { value, shift, more })
}

/// Returns the bits that an integer of the value's type has; `None` for other types.
fn bits(c: &FunctionContext<'_>, value: ValueId) -> Option<u64> {
    match c.module.types.get(c.value_type(value).ok()?)? {
        Type::Int(64) => Some(u64::MAX),
        Type::Int(width) if *width < 64 => Some((1 << width) - 1),
        _ => None,
    }
}

/// Returns bits of a value that are 0, and perhaps bits that its type does not have.
fn zeros(c: &FunctionContext<'_>, value: ValueId, depth: u32) -> u64 {
    if let Some(number) = c.const_int(value) {
        return !number;
    }
    let (Some((_, inst)), Some(all)) = (c.def(value), bits(c, value)) else {
        return 0;
    };
    if depth == 0 {
        return 0;
    }
    let of = |value| zeros(c, value, depth - 1);
    let low = |count: u32| {
        if count >= 64 {
            u64::MAX
        } else {
            (1 << count) - 1
        }
    };
    // D3D takes shift amounts modulo the width.
    let amount = |value| {
        let amount = c.const_int(value)?;
        u32::try_from(amount & u64::from(all.count_ones() - 1)).ok()
    };
    match inst.kind {
        InstKind::Binary { op, lhs, rhs, .. } => match op {
            BinaryOp::And => of(lhs) | of(rhs),
            BinaryOp::Or | BinaryOp::Xor => of(lhs) & of(rhs),
            BinaryOp::Shl => amount(rhs).map_or(0, |by| of(lhs) << by | low(by)),
            BinaryOp::LShr => amount(rhs).map_or(0, |by| (of(lhs) & all) >> by | !(all >> by)),
            BinaryOp::Mul => low(of(lhs).trailing_ones() + of(rhs).trailing_ones()),
            BinaryOp::Add | BinaryOp::Sub => {
                low(of(lhs).trailing_ones().min(of(rhs).trailing_ones()))
            }
            _ => 0,
        },
        InstKind::Cast {
            op: CastOp::ZExt,
            value,
        } => of(value) | bits(c, value).map_or(0, |narrow| !narrow),
        InstKind::Cast {
            op: CastOp::Trunc,
            value,
        } => of(value),
        InstKind::Select { then, else_, .. } => of(then) & of(else_),
        _ => 0,
    }
}
