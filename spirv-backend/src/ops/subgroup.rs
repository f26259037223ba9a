//! Subgroup instructions, and the lanes that take part in wave operations.
//!
//! In pixel shaders D3D excludes helper lanes from wave operations (unless the entry point has
//! `WaveOpsIncludeHelperLanes`), Vulkan includes them. So there a helper lane contributes the
//! identity of the operation: false to a ballot, the identity to a reduction. The result in a
//! helper lane itself is undefined in D3D.

use rspirv::spirv::{Capability, GroupOperation, Op, Scope, Word};
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::module::Attribute;
use trellis_dxil_frontend::shader::ShaderKind;

use super::state::Combine;
use super::{Emitter, system};
use crate::values::{Scalar, Shape};

/// Returns the operand of scope "subgroup".
pub(super) fn subgroup(e: &mut Emitter<'_>) -> Word {
    e.b.const_u32(Scope::Subgroup as u32)
}

/// Emits a subgroup instruction; the operands are those after the scope.
pub(super) fn subgroup_op(e: &mut Emitter<'_>, op: Op, ty: Word, operands: &[Word]) -> Word {
    e.b.caps.add(match op {
        Op::GroupNonUniformElect => Capability::GroupNonUniform,
        Op::GroupNonUniformAny | Op::GroupNonUniformAll | Op::GroupNonUniformAllEqual => {
            Capability::GroupNonUniformVote
        }
        Op::GroupNonUniformShuffle => Capability::GroupNonUniformShuffle,
        Op::GroupNonUniformQuadSwap | Op::GroupNonUniformQuadBroadcast => {
            Capability::GroupNonUniformQuad
        }
        Op::GroupNonUniformBallot
        | Op::GroupNonUniformBallotBitCount
        | Op::GroupNonUniformBallotBitExtract
        | Op::GroupNonUniformBallotFindLSB
        | Op::GroupNonUniformBroadcast
        | Op::GroupNonUniformBroadcastFirst => Capability::GroupNonUniformBallot,
        _ => Capability::GroupNonUniformArithmetic,
    });
    let mut all: SmallVec<[Word; 4]> = smallvec![subgroup(e)];
    all.extend_from_slice(operands);
    e.b.op(op, ty, &all)
}

/// Returns the type of a ballot.
pub(super) fn mask_type(e: &mut Emitter<'_>) -> Word {
    // Ballots have 128 bits, whatever the size of a subgroup is.
    e.b.ty_words(4)
}

/// "This lane is a helper", where helper lanes must be left out of wave operations; `None` where
/// all lanes take part.
pub(super) fn helper(e: &mut Emitter<'_>) -> Option<Word> {
    if e.entry.kind != ShaderKind::Pixel || includes_helpers(e) {
        return None;
    }
    Some(system::is_helper_lane(e))
}

/// Returns the truth value "this lane takes part in wave operations".
pub(super) fn is_live(e: &mut Emitter<'_>) -> Word {
    match helper(e) {
        Some(helper) => e.b.flag(Op::LogicalNot, &[helper]),
        None => e.b.const_bool(true),
    }
}

/// Returns true if the entry point has the attribute of `[WaveOpsIncludeHelperLanes]`.
fn includes_helpers(e: &Emitter<'_>) -> bool {
    let groups = e
        .entry
        .function
        .and_then(|f| e.module.functions.get(f))
        .and_then(|f| f.attributes.checked_sub(1))
        .and_then(|list| e.module.attributes.get(list as usize));
    let is_it = |a: &Attribute| matches!(a, Attribute::String(name, _) if &**name == "waveops-include-helper-lanes");
    groups.is_some_and(|groups| {
        groups
            .iter()
            .filter_map(|&g| e.module.attribute_groups.get(g as usize))
            .any(|g| g.attributes.iter().any(is_it))
    })
}

/// Returns the truth value `cond`, false for helper lanes where these must be left out.
pub(super) fn and_live(e: &mut Emitter<'_>, cond: Word) -> Word {
    let Some(helper) = helper(e) else {
        return cond;
    };
    let live = e.b.flag(Op::LogicalNot, &[helper]);
    e.b.flag(Op::LogicalAnd, &[cond, live])
}

/// Lanes for which `cond` is true, helper lanes left out.
pub(super) fn ballot(e: &mut Emitter<'_>, cond: Word) -> Word {
    let cond = and_live(e, cond);
    raw_ballot(e, cond)
}

/// Lanes for which `cond` is true.
pub(super) fn raw_ballot(e: &mut Emitter<'_>, cond: Word) -> Word {
    let ty = mask_type(e);
    subgroup_op(e, Op::GroupNonUniformBallot, ty, &[cond])
}

/// Hands over a ballot as the four fields of `dx.types.fouri32`.
pub(super) fn set_mask(e: &mut Emitter<'_>, mask: Word) {
    let word = e.b.ty_u32();
    e.set_parts(word, mask, 4);
}

/// Returns the value of lane `lane`, which may differ between lanes.
pub(super) fn shuffle(e: &mut Emitter<'_>, ty: Word, value: Word, lane: Word) -> Word {
    subgroup_op(e, Op::GroupNonUniformShuffle, ty, &[value, lane])
}

/// Returns the number of lanes (or of lower lanes) in a mask.
pub(super) fn count_mask(e: &mut Emitter<'_>, mask: Word, how: GroupOperation) -> Word {
    let word = e.b.ty_u32();
    subgroup_op(
        e,
        Op::GroupNonUniformBallotBitCount,
        word,
        &[how as Word, mask],
    )
}

impl Combine {
    /// Returns the subgroup instruction; `None` if the type does not have the operation.
    pub(super) fn op(self, scalar: Scalar, signed: bool) -> Option<Op> {
        Some(match (self, scalar, signed) {
            (Self::Sum, Scalar::Float(_), _) => Op::GroupNonUniformFAdd,
            (Self::Product, Scalar::Float(_), _) => Op::GroupNonUniformFMul,
            (Self::Min, Scalar::Float(_), _) => Op::GroupNonUniformFMin,
            (Self::Max, Scalar::Float(_), _) => Op::GroupNonUniformFMax,
            (Self::Sum, Scalar::Int(_), _) => Op::GroupNonUniformIAdd,
            (Self::Product, Scalar::Int(_), _) => Op::GroupNonUniformIMul,
            (Self::Min, Scalar::Int(_), true) => Op::GroupNonUniformSMin,
            (Self::Min, Scalar::Int(_), false) => Op::GroupNonUniformUMin,
            (Self::Max, Scalar::Int(_), true) => Op::GroupNonUniformSMax,
            (Self::Max, Scalar::Int(_), false) => Op::GroupNonUniformUMax,
            (Self::And, Scalar::Int(_), _) => Op::GroupNonUniformBitwiseAnd,
            (Self::Or, Scalar::Int(_), _) => Op::GroupNonUniformBitwiseOr,
            (Self::Xor, Scalar::Int(_), _) => Op::GroupNonUniformBitwiseXor,
            _ => return None,
        })
    }

    /// Returns the identity of an operation.
    pub(super) fn identity(self, e: &mut Emitter<'_>, shape: Shape, signed: bool) -> Word {
        if let Scalar::Float(_) = shape.scalar {
            let value = match self {
                Self::Product => 1.0,
                Self::Min => f64::INFINITY,
                Self::Max => f64::NEG_INFINITY,
                _ => 0.0,
            };
            return e.splat_float(shape, value);
        }
        let least = 1u64 << (shape.width() - 1);
        let value = match (self, signed) {
            (Self::Product, _) => 1,
            (Self::Min, true) => least - 1,
            (Self::Max, true) => least,
            (Self::Min, false) | (Self::And, _) => u64::MAX,
            _ => 0,
        };
        e.splat_int(shape, value)
    }
}
