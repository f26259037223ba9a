//! A function of the structurizer, with the meaning of its instructions.

use trellis_structurizer::ir::{Function, Inst, Type};

/// Number of 32-bit values in the input array, a power of two.
pub const INPUTS: usize = 16;

/// A function with the meaning of its instructions and constants.
///
/// The structurizer keeps payloads, so the same tables serve a structured copy of the function.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The graph. Values have the type of [`bits`], [`POINTER`] or [`FIRST_OTHER`] and up.
    pub func: Function,
    /// The operation of each instruction, by payload.
    pub ops: Vec<Op>,
    /// The value of each constant, by payload; a pointer's is an element number of the input.
    pub constants: Vec<u64>,
}

impl Program {
    /// Returns the operation of an instruction of a function of the program; none for the
    /// structurizer's instructions.
    pub(crate) fn op(&self, func: &Function, inst: Inst) -> Option<&Op> {
        self.ops.get(func.payload(inst)? as usize)
    }
}

impl Op {
    /// Returns whether the result depends on more than the operands.
    pub(crate) fn has_effect(&self) -> bool {
        matches!(self, Op::Load | Op::Event | Op::Call(_) | Op::Opaque(_))
    }
}

/// A pointer into the input array: its value is a number of an element.
///
/// As a number, a pointer can go through phis and selects, for which SPIR-V's logical addressing
/// has no form.
pub const POINTER: Type = Type(65);

/// The first type that is neither an integer nor [`POINTER`]: floats, vectors and so on, which only
/// graphs are made of.
pub const FIRST_OTHER: u32 = 66;

/// Returns the type of integers of `width` bits, 1 to 64.
pub const fn bits(width: u32) -> Type {
    Type(width)
}

/// Returns the number of bits of a type's values; `None` for other types than integers.
pub fn width(ty: Type) -> Option<u32> {
    match ty {
        Type::BOOL => Some(1),
        Type::SELECTOR => Some(32),
        POINTER => Some(32),
        Type(width @ 1..=64) => Some(width),
        Type(_) => None,
    }
}

/// Returns a value truncated to `width` bits.
pub fn truncate(value: u64, width: u32) -> u64 {
    if width >= 64 {
        value
    } else {
        value & ((1 << width) - 1)
    }
}

/// Returns a value of `width` bits, sign-extended to 64.
pub fn sign_extend(value: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    (value << unused) as i64 >> unused
}

/// The operation of an instruction. Operands are the uses of the structurizer's instruction, in
/// LLVM's order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Two integers of one width to a third.
    Binary(Binary),
    /// Two integers to one bit.
    Compare(Predicate),
    /// A bit and two values: the first of them if the bit is set.
    Select,
    /// An integer to one of another width, zero-extended or truncated.
    ZeroExtend,
    /// An integer to a wider one, sign-extended.
    SignExtend,
    /// The operand as it is.
    Copy,
    /// A pointer and a signed number of elements to add.
    Element,
    /// The input's element that a pointer names.
    Load,
    /// Two numbers of 32 bits, an id and a value, that the outside sees.
    Event,
    /// A call of the function of this number, which the outside sees and only the graph is made of.
    Call(u32),
    /// An instruction that is only a node of the graph; its name in LLVM's text form.
    Opaque(&'static str),
}

/// An operation on two integers (LLVM's language reference, "Binary Operations", "Bitwise Binary
/// Operations", "Standard C/C++ Library Intrinsics").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient; undefined for a divisor of 0.
    UDiv,
    /// Unsigned remainder; undefined for a divisor of 0.
    URem,
    /// Signed quotient, rounded to zero; undefined for a divisor of 0 and on overflow.
    SDiv,
    /// Signed remainder; undefined for a divisor of 0 and on overflow.
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift to the left; poison for too large an amount.
    Shl,
    /// Shift to the right, zeros come in; poison for too large an amount.
    LShr,
    /// Shift to the right, the sign comes in; poison for too large an amount.
    AShr,
    /// The smaller unsigned one.
    UMin,
    /// The larger unsigned one.
    UMax,
    /// The smaller signed one.
    SMin,
    /// The larger signed one.
    SMax,
    /// Unsigned difference, not below 0.
    USubSat,
    /// Unsigned sum, not above the largest number.
    UAddSat,
}

/// A comparison of two integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Predicate {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Unsigned greater.
    Ugt,
    /// Unsigned greater or equal.
    Uge,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Signed greater.
    Sgt,
    /// Signed greater or equal.
    Sge,
    /// Signed less.
    Slt,
    /// Signed less or equal.
    Sle,
}

impl Predicate {
    /// All of them.
    pub const ALL: [Self; 10] = {
        use Predicate::*;
        [Eq, Ne, Ugt, Uge, Ult, Ule, Sgt, Sge, Slt, Sle]
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_and_signs() {
        assert_eq!(
            (
                width(bits(7)),
                width(POINTER),
                width(Type::BOOL),
                width(Type(FIRST_OTHER))
            ),
            (Some(7), Some(32), Some(1), None)
        );
        assert_eq!(
            (truncate(0x1ff, 8), truncate(u64::MAX, 64)),
            (0xff, u64::MAX)
        );
        assert_eq!(
            (
                sign_extend(0x80, 8),
                sign_extend(0x7f, 8),
                sign_extend(1, 1),
                sign_extend(u64::MAX, 64)
            ),
            (-128, 127, -1, -1)
        );
    }
}
