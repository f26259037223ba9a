//! Constants and constant expressions.

use super::{ArithFlags, BinaryOp, CastOp, PoolRange, Predicate, TypeId, ValueId};

/// A constant. Operands of aggregates and expressions are ranges of
/// [`Module::const_operands`](super::Module::const_operands).
#[derive(Clone, PartialEq, Debug)]
pub enum Constant {
    /// Zero of any type (`null`, `zeroinitializer`).
    Null,
    /// Undefined value.
    Undef,
    /// Integer, truncated to the type's width and zero-extended to 64 bits.
    Int(u64),
    /// Bits of a half, float or double, zero-extended to 64 bits.
    Float(u64),
    /// Struct, array or vector of other constants: value numbers in `const_operands`.
    Aggregate(PoolRange),
    /// Array or vector of plain numbers: raw bits, one `u64` an element.
    Data(Box<[u64]>),
    /// `i8` array given as a string; `true` when a terminating NUL, which the bytes here leave out,
    /// is part of it.
    String(Box<[u8]>, bool),
    /// Binary constant expression.
    Binary {
        /// Operation.
        op: BinaryOp,
        /// Wrap and exact flags.
        flags: ArithFlags,
        /// Two operands.
        operands: [ValueId; 2],
    },
    /// Cast constant expression.
    Cast {
        /// Operation.
        op: CastOp,
        /// Operand.
        value: ValueId,
    },
    /// `getelementptr` constant expression: base, then indices.
    Gep {
        /// `inbounds` flag.
        inbounds: bool,
        /// Type that the first index steps over.
        source: TypeId,
        /// Base and indices in `const_operands`.
        operands: PoolRange,
    },
    /// `select` constant expression: condition, true, false.
    Select([ValueId; 3]),
    /// `icmp` or `fcmp` constant expression.
    Cmp {
        /// Predicate.
        predicate: Predicate,
        /// Two operands.
        operands: [ValueId; 2],
    },
    /// `extractelement`, `insertelement`, `shufflevector` constant expressions, rarely seen.
    VectorOp {
        /// The operation.
        op: VectorOp,
        /// Operands in `const_operands`.
        operands: PoolRange,
    },
}

impl Constant {
    /// Returns the operands of an aggregate or expression in order; `pool` is
    /// [`Module::const_operands`](super::Module::const_operands).
    pub fn operands<'a>(&'a self, pool: &'a [u32]) -> impl Iterator<Item = ValueId> + 'a {
        let none = PoolRange::default();
        let (own, range): (&[ValueId], _) = match self {
            Self::Aggregate(range) => (&[], *range),
            Self::Gep { operands, .. } | Self::VectorOp { operands, .. } => (&[], *operands),
            Self::Binary { operands, .. } | Self::Cmp { operands, .. } => (operands, none),
            Self::Select(operands) => (operands, none),
            Self::Cast { value, .. } => (std::slice::from_ref(value), none),
            _ => (&[], none),
        };
        let pool = pool.get(range.range()).unwrap_or_default();
        let pool = pool.iter().map(|&value| ValueId::from_u32(value));
        own.iter().copied().chain(pool)
    }
}

/// Vector constant expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VectorOp {
    /// `extractelement`.
    Extract,
    /// `insertelement`.
    Insert,
    /// `shufflevector`.
    Shuffle,
}

/// A constant with its type.
#[derive(Clone, PartialEq, Debug)]
pub struct ConstantData {
    /// Type.
    pub ty: TypeId,
    /// Content.
    pub value: Constant,
}
