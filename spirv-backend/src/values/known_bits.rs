//! Bits of integers that are 0 for all operands, from the operands' instructions, in time that
//! [`DEPTH`] bounds and without a table.

use trellis_dxil_frontend::dxop::{DxCall, Op};
use trellis_dxil_frontend::module::{BinaryOp, CastOp, Inst, InstKind, Type, ValueId};

use super::FunctionContext;

/// How many instructions are looked through.
const DEPTH: u32 = 5;

/// Returns true if no bit is 1 in both numbers, so that their sum has the bits of either.
pub(crate) fn are_disjoint(c: &FunctionContext<'_>, a: ValueId, b: ValueId) -> bool {
    let Some(all) = bits(c, a) else {
        return false;
    };
    let zeros = zeros(c, a, DEPTH);
    zeros != 0 && (zeros | self::zeros(c, b, DEPTH)) & all == all
}

/// Returns how many of the lowest bits are 0, as far as that is known.
pub(crate) fn low_zeros(c: &FunctionContext<'_>, value: ValueId) -> u32 {
    zeros(c, value, DEPTH).trailing_ones()
}

/// Returns how many of the lowest bits are known, and a number with these bits: the bits of a
/// constant that is added to a number whose lowest bits are 0.
pub(crate) fn low_bits(c: &FunctionContext<'_>, value: ValueId) -> (u32, u64) {
    if let Some(number) = c.const_int(value) {
        return (u64::BITS, number);
    }
    match scaled(c, value) {
        Some(Scaled { value, shift, more }) => (low_zeros(c, value) + shift, more.into()),
        None => (low_zeros(c, value), 0),
    }
}

/// Returns the width of an integer.
pub(crate) fn width(c: &FunctionContext<'_>, value: ValueId) -> u32 {
    bits(c, value).map_or(u64::BITS, u64::count_ones)
}

/// Returns a number that an integer is not above, if it is unsigned.
pub(crate) fn greatest(c: &FunctionContext<'_>, value: ValueId) -> f64 {
    let all = bits(c, value).unwrap_or(u64::MAX);
    (all & !zeros(c, value, DEPTH)) as f64
}

/// A number of 32 bits as `(value << shift) + more`, modulo 2 to the power of 32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    pub(crate) value: ValueId,
    /// At most 31.
    pub(crate) shift: u32,
    pub(crate) more: u32,
}

/// Returns an operation on a 32-bit number and a constant as scale and offset, if it is a sum, a
/// shift to the left or a product with a power of two.
pub(crate) fn scaled_by(
    c: &FunctionContext<'_>,
    op: BinaryOp,
    [lhs, rhs]: [ValueId; 2],
) -> Option<Scaled> {
    let (value, number) = match (c.const_int(lhs), c.const_int(rhs)) {
        (_, Some(number)) => (lhs, number as u32),
        // A constant on the left of a shift is the shifted value, not the amount.
        (Some(number), None) if op != BinaryOp::Shl => (rhs, number as u32),
        _ => return None,
    };
    let (shift, more) = match op {
        // D3D takes shift amounts modulo the width.
        BinaryOp::Shl => (number & 31, 0),
        BinaryOp::Mul if number.is_power_of_two() => (number.trailing_zeros(), 0),
        BinaryOp::Add => (0, number),
        // `|` is a sum where no bit is 1 in both.
        BinaryOp::Or if are_disjoint(c, lhs, rhs) => (0, number),
        _ => return None,
    };
    Some(Scaled { value, shift, more })
}

/// Returns the parts of a number of 32 bits that is a sum of constants and a number that is shifted or
/// multiplied by powers of two, in any order; `None` for other types.
fn scaled(c: &FunctionContext<'_>, value: ValueId) -> Option<Scaled> {
    if bits(c, value) != Some(u32::MAX.into()) {
        return None;
    }
    let (shift, more) = (0, 0);
    let mut parts = Scaled { value, shift, more };
    for _ in 0..DEPTH {
        let Some((_, inst)) = c.def(parts.value) else {
            break;
        };
        let Some(next) = parts.through(c, inst) else {
            break;
        };
        parts = next;
    }
    Some(parts)
}

impl Scaled {
    /// Looks through the instruction that the value is the result of.
    fn through(self, c: &FunctionContext<'_>, inst: &Inst) -> Option<Self> {
        let InstKind::Binary { op, lhs, rhs, .. } = inst.kind else {
            return None;
        };
        let inner = scaled_by(c, op, [lhs, rhs])?;
        let shift = self.shift + inner.shift;
        (shift < u32::BITS).then_some(Self {
            value: inner.value,
            shift,
            more: self.more.wrapping_add(inner.more << self.shift),
        })
    }
}

/// Returns the bits that an integer of the value's type has; `None` for other types.
fn bits(c: &FunctionContext<'_>, value: ValueId) -> Option<u64> {
    match c.module.types.get(c.value_type(value).ok()?)? {
        Type::Int(64) => Some(u64::MAX),
        Type::Int(width) if *width < 64 => Some((1 << width) - 1),
        _ => None,
    }
}

/// How many bits a texture's sizes, elements and levels have, with some to spare.
const TEXTURE_SIZE_BITS: u32 = 20;

/// Returns whether a value is a result of `GetDimensions` for a texture: it names a level, which
/// buffers do not have.
fn is_texture_size(c: &FunctionContext<'_>, value: ValueId) -> bool {
    let Some((inst, _)) = c.def(value) else {
        return false;
    };
    matches!(
        DxCall::parse(c.module, c.function, inst),
        Ok(Some(call)) if call.op == Op::GetDimensions && call.operand(1).is_some_and(|level| !c.is_undef(level))
    )
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
    // Nothing is known of both where nothing is known of the first.
    let both = |a, b| match of(a) {
        0 => 0,
        zeros => zeros & of(b),
    };
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
            BinaryOp::Or | BinaryOp::Xor => both(lhs, rhs),
            BinaryOp::Shl => amount(rhs).map_or(0, |by| of(lhs) << by | low(by)),
            BinaryOp::LShr => amount(rhs).map_or(0, |by| (of(lhs) & all) >> by | !(all >> by)),
            BinaryOp::Mul => low(of(lhs).trailing_ones() + of(rhs).trailing_ones()),
            BinaryOp::Add | BinaryOp::Sub => low(both(lhs, rhs).trailing_ones()),
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
        InstKind::Select { then, else_, .. } => both(then, else_),
        InstKind::ExtractValue { aggregate, .. } if is_texture_size(c, aggregate) => {
            !(all & low(TEXTURE_SIZE_BITS))
        }
        _ => 0,
    }
}
