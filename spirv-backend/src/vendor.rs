//! Operations that intrinsics of vendors become and DXIL does not have.
//!
//! Between legalization, which makes them, and emission they are calls of `AtomicCompareExchange` and
//! `AtomicBinOp` in a form that no shader has: the former on an undefined handle, with the number of the
//! operation in place of a coordinate, the latter with the numbers of [`FloatAtomic`].

pub(crate) mod wave_matrix;

use trellis_dxil_frontend::dxop::{DxCall, Op};
use trellis_dxil_frontend::module::{Constant, Function, Module, Type, TypeId};

/// Positions of the operands of a private operation.
pub(crate) const NUMBER: usize = 1;
pub(crate) const OPERANDS: usize = 2;

/// Name of the struct that a matrix is.
pub(crate) const MATRIX: &str = "trellis.matrix";

/// The contribution of the ray to the number of a hit's record is that number.
pub(crate) const WITH_RECORD: u32 = 1;

/// An atomic operation on floats, which is an `AtomicBinOp` on words that contain them. Its numbers follow
/// each other from `1 << 16` on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatAtomic {
    /// Adds a float of 32 bits.
    Add,
    /// Adds two halves.
    AddHalves,
    /// The lesser ones of two halves each.
    MinHalves,
    /// The greater ones of two halves each.
    MaxHalves,
}

impl FloatAtomic {
    const ALL: [Self; 4] = [Self::Add, Self::AddHalves, Self::MinHalves, Self::MaxHalves];

    /// Returns the number of the operation.
    pub(crate) fn number(self) -> u64 {
        (1 << 16) + self as u64
    }

    /// Returns the operation with a number.
    pub(crate) fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.number() == number)
    }
}

/// An operation that is neither DXIL's nor LLVM's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Private {
    /// The device's clock: 64 bits.
    DeviceClock,
    /// The number of the draw in an indirect command.
    DrawIndex,
    /// The word at a device address: its low word, high word, and an offset.
    LoadWord,
    /// The bits of a barycentric coordinate: whether it is perspective-correct, and its number; both
    /// are constants.
    Barycentric,
    /// Makes a hit of the `HitObjectTraceRay` after it, whose pointer to the payload is that to the hit's
    /// attributes: the numbers of the instance, primitive and geometry, and the kind of hit. The upper 24
    /// bits of the number are [`WITH_RECORD`] or 0.
    MakeHit,
    /// The conversion of a word from or to a float of 8 bits. The upper 24 bits of the number are AGS's.
    Float8,
    /// Words of a matrix of a wave that are not yet one: the words before them, if any, and up to
    /// three words. The result is an operand of the operations below.
    MatrixWords,
    /// The number of elements that a lane has of a matrix. Of this and the following operations, the
    /// upper 24 bits of the number are AGS's number of the type or product.
    MatrixLength,
    /// A matrix with equal elements: the word that begins with one. The result of an operation that makes
    /// a matrix is a struct with the 8 words that a lane has of it.
    MatrixFill,
    /// A matrix in a buffer: handle, address, stride.
    MatrixLoad,
    /// Stores a matrix to a buffer: handle, address, stride, matrix.
    MatrixStore,
    /// A matrix in groupshared memory: pointer to a word, stride in words.
    MatrixLoadShared,
    /// Stores a matrix to groupshared memory: pointer to a word, stride in words, matrix.
    MatrixStoreShared,
    /// Another type of matrix, in the next 8 bits, and bit 16 for saturation.
    MatrixConvert,
    /// The product of two matrices, plus a third.
    MatrixMultiply,
    /// The sum, difference, product or quotient (1 to 5 in bits 8 to 15; 3 and 5 are both the
    /// product) of the elements of two matrices.
    MatrixArithmetic,
}

impl Private {
    const ALL: [Self; 16] = [
        Self::DeviceClock,
        Self::DrawIndex,
        Self::LoadWord,
        Self::Barycentric,
        Self::MakeHit,
        Self::Float8,
        Self::MatrixWords,
        Self::MatrixLength,
        Self::MatrixFill,
        Self::MatrixLoad,
        Self::MatrixStore,
        Self::MatrixLoadShared,
        Self::MatrixStoreShared,
        Self::MatrixConvert,
        Self::MatrixMultiply,
        Self::MatrixArithmetic,
    ];

    /// Returns the number of the operation.
    pub(crate) fn number(self) -> u64 {
        self as u64
    }

    /// Returns the operation with a number, whose upper bits are the operation's own.
    pub(crate) fn from_number(number: u64) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|op| op.number() == number & 0xFF)
    }
}

/// Returns true if a call is a private operation on matrices, whose operands and result have other
/// types than the operation that encodes it.
pub(crate) fn is_on_matrices(module: &Module, function: &Function, call: &DxCall<'_>) -> bool {
    let constant = |i| module.constant(Some(function), call.operand(i)?);
    if call.op != Op::AtomicCompareExchange
        || !constant(0).is_some_and(|handle| handle.value == Constant::Undef)
    {
        return false;
    }
    let number = call.operand(1);
    let number = number.and_then(|number| module.const_int(Some(function), number));
    let op = number.and_then(Private::from_number);
    op.is_some_and(|op| op.number() >= Private::MatrixWords.number())
}

/// Returns true if a type is a matrix's.
pub(crate) fn is_matrix(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty), Type::Struct { name: Some(name), .. } if name == MATRIX)
}
