//! LLVM's numbers of operators, predicates, casts and flags, in constant expressions and in
//! instructions.

use crate::module::{ArithFlags, BinaryOp, CastOp, Predicate, Type, TypeId};

use super::errors::{bad_field, operand_type};
use super::{Builder, Result};

impl Builder {
    /// Returns the binary operation with LLVM's number on values of type `ty`.
    #[inline(always)]
    pub(super) fn binary_op(&self, code: u64, ty: TypeId) -> Result<BinaryOp> {
        use BinaryOp as B;
        const INT: [BinaryOp; 13] = {
            use BinaryOp::*;
            [
                Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor,
            ]
        };
        let Some(&int) = INT.get(code as usize) else {
            return Err(bad_field("binary operation", code, "0 to 12"));
        };
        let op = match self.scalar(ty) {
            Type::Int(_) => Some(int),
            Type::Half | Type::Float | Type::Double => match int {
                B::Add => Some(B::FAdd),
                B::Sub => Some(B::FSub),
                B::Mul => Some(B::FMul),
                B::SDiv => Some(B::FDiv),
                B::SRem => Some(B::FRem),
                _ => None,
            },
            _ => None,
        };
        op.map_or_else(
            || {
                operand_type(
                    "operand of a binary operation",
                    ty,
                    "integers, or floating point for add, sub, mul, div and rem",
                )
            },
            Ok,
        )
    }

    /// Checks that integer predicates compare integers and pointers, the others floating-point
    /// values.
    #[inline]
    pub(super) fn check_predicate(&self, predicate: Predicate, ty: TypeId) -> Result<()> {
        let is_float = predicate.is_float();
        match self.scalar(ty) {
            Type::Int(_) | Type::Pointer { .. } if !is_float => Ok(()),
            Type::Half | Type::Float | Type::Double if is_float => Ok(()),
            _ => operand_type(
                "operand of a comparison",
                ty,
                if is_float {
                    "floating point"
                } else {
                    "an integer or a pointer"
                },
            ),
        }
    }
}

/// Returns the cast with LLVM's number.
pub(super) fn cast_op(code: u64) -> Result<CastOp> {
    use CastOp as C;
    const ALL: [CastOp; 13] = [
        C::Trunc,
        C::ZExt,
        C::SExt,
        C::FPToUI,
        C::FPToSI,
        C::UIToFP,
        C::SIToFP,
        C::FPTrunc,
        C::FPExt,
        C::PtrToInt,
        C::IntToPtr,
        C::BitCast,
        C::AddrSpaceCast,
    ];
    let op = usize::try_from(code).ok().and_then(|i| ALL.get(i));
    op.copied()
        .ok_or_else(|| bad_field("cast", code, "0 to 12"))
}

/// Returns the predicate with LLVM's number: 0 to 15 for floating point, 32 to 41 for integers.
pub(super) fn predicate(code: u64) -> Result<Predicate> {
    const FLOAT: [Predicate; 16] = {
        use Predicate::*;
        [
            FFalse, FOeq, FOgt, FOge, FOlt, FOle, FOne, FOrd, FUno, FUeq, FUgt, FUge, FUlt, FUle,
            FUne, FTrue,
        ]
    };
    const INT: [Predicate; 10] = {
        use Predicate::*;
        [IEq, INe, IUgt, IUge, IUlt, IUle, ISgt, ISge, ISlt, ISle]
    };
    let found = match code {
        0..=15 => FLOAT.get(code as usize),
        32..=41 => INT.get(code as usize - 32),
        _ => None,
    };
    found
        .copied()
        .ok_or_else(|| bad_field("predicate", code, "0 to 15 or 32 to 41"))
}

/// Flags of a binary operation; bits that do not belong to it are dropped, as LLVM does.
pub(super) fn arith_flags(op: BinaryOp, bits: u64) -> ArithFlags {
    use BinaryOp as B;
    match op {
        B::Add | B::Sub | B::Mul | B::Shl => {
            ArithFlags(bits as u16 & (ArithFlags::NUW | ArithFlags::NSW))
        }
        B::UDiv | B::SDiv | B::LShr | B::AShr => {
            ArithFlags(if bits & 1 != 0 { ArithFlags::EXACT } else { 0 })
        }
        B::FAdd | B::FSub | B::FMul | B::FDiv | B::FRem => fast_math(bits),
        B::URem | B::SRem | B::And | B::Or | B::Xor => ArithFlags::default(),
    }
}

/// Returns the fast-math flags: bit 0 means all of them.
pub(super) fn fast_math(bits: u64) -> ArithFlags {
    const ALL: u16 =
        ArithFlags::FAST | ArithFlags::NNAN | ArithFlags::NINF | ArithFlags::NSZ | ArithFlags::ARCP;
    ArithFlags(if bits & 1 != 0 {
        ALL
    } else {
        (bits as u16) << 3 & ALL
    })
}
