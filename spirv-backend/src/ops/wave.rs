//! Wave operations as subgroup operations.
//!
//! In pixel shaders D3D excludes helper lanes from wave operations (unless the entry point has
//! `WaveOpsIncludeHelperLanes`), Vulkan includes them. So there a helper lane contributes the
//! identity of the operation: false to a ballot, the identity to a reduction. What a helper lane
//! itself receives is undefined in D3D. Scans over masks are in [`super::wave_match`].

use rspirv::spirv::{Capability, GroupOperation, Op, Scope, Word};
use trellis_dxil_frontend::dxop::{DxCall, WaveOp};
use trellis_dxil_frontend::module::Attribute;
use trellis_dxil_frontend::shader::ShaderKind;

use super::Emitter;
use super::vector::by_component;
use super::{system, wave_match};
use crate::error::{Error, InvalidKind};
use crate::values::Scalar;
use crate::values::Shape;

/// A binary operation that is reduced or scanned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Combine {
    /// Sum.
    Sum,
    /// Product.
    Product,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, call: &DxCall<'_>, op: WaveOp) -> Result<(), Error> {
    if e.entry.kind == ShaderKind::Pixel && includes_helpers(e) {
        system::reconverge(e);
    }
    match op {
        WaveOp::WaveIsFirstLane => {
            let id = is_first_lane(e);
            e.set(call.inst, 0, id);
        }
        WaveOp::WaveAnyTrue => vote(e, call, true)?,
        WaveOp::WaveAllTrue => vote(e, call, false)?,
        WaveOp::WaveActiveAllEqual => all_equal(e, call)?,
        WaveOp::WaveActiveBallot => {
            let cond = e.arg_id(call, 0)?;
            let mask = ballot(e, cond);
            set_mask(e, call, mask);
        }
        WaveOp::WaveReadLaneAt => read_lane(e, call)?,
        WaveOp::WaveReadLaneFirst => {
            let shape = e.shape(call.ty)?;
            let value = e.arg_id(call, 0)?;
            let id = read_first(e, shape, value);
            e.set_new(call.inst, shape, id);
        }
        WaveOp::WaveActiveOp => {
            let combine = arithmetic(e, call, 1)?;
            let signed = e.arg_const(call, 2)? == 0;
            reduce(e, call, combine, signed, GroupOperation::Reduce)?;
        }
        WaveOp::WavePrefixOp => {
            let combine = arithmetic(e, call, 1)?;
            let signed = e.arg_const(call, 2)? == 0;
            reduce(e, call, combine, signed, GroupOperation::ExclusiveScan)?;
        }
        WaveOp::WaveActiveBit => {
            let combine = match e.arg_const(call, 1)? {
                0 => Combine::And,
                1 => Combine::Or,
                2 => Combine::Xor,
                other => {
                    return Err(e.invalid(
                        InvalidKind::Operand,
                        format!("WaveActiveBit with operation {other}, expected 0 to 2"),
                    ));
                }
            };
            reduce(e, call, combine, false, GroupOperation::Reduce)?;
        }
        WaveOp::WaveAllBitCount => bit_count(e, call, GroupOperation::Reduce)?,
        WaveOp::WavePrefixBitCount => bit_count(e, call, GroupOperation::ExclusiveScan)?,
        WaveOp::WaveMatch => wave_match::wave_match(e, call)?,
        WaveOp::WaveMultiPrefixOp => wave_match::multi_prefix(e, call)?,
        WaveOp::WaveMultiPrefixBitCount => wave_match::multi_prefix_bit_count(e, call)?,
    }
    Ok(())
}

/// Returns the operand of scope "subgroup".
pub(crate) fn subgroup(e: &mut Emitter<'_>) -> Word {
    e.b.const_u32(Scope::Subgroup as u32)
}

/// Returns the type of a ballot.
pub(crate) fn mask_type(e: &mut Emitter<'_>) -> Word {
    let word = e.b.ty_u32();
    e.b.ty_vec(word, 4)
}

/// "This lane is a helper", where helper lanes must be left out of wave operations; `None` where
/// all lanes take part.
fn helper(e: &mut Emitter<'_>) -> Option<Word> {
    if e.entry.kind != ShaderKind::Pixel || includes_helpers(e) {
        return None;
    }
    Some(system::is_helper_lane(e))
}

/// Returns the truth value "this lane takes part in wave operations".
pub(crate) fn is_live(e: &mut Emitter<'_>) -> Word {
    match helper(e) {
        Some(helper) => {
            let ty = e.b.ty_bool();
            e.b.op(Op::LogicalNot, ty, &[helper])
        }
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

/// Lanes for which `cond` is true, helper lanes left out.
pub(crate) fn ballot(e: &mut Emitter<'_>, cond: Word) -> Word {
    let cond = match helper(e) {
        Some(helper) => {
            let ty = e.b.ty_bool();
            let live = e.b.op(Op::LogicalNot, ty, &[helper]);
            e.b.op(Op::LogicalAnd, ty, &[cond, live])
        }
        None => cond,
    };
    raw_ballot(e, cond)
}

/// Lanes for which `cond` is true.
pub(crate) fn raw_ballot(e: &mut Emitter<'_>, cond: Word) -> Word {
    e.b.caps.add(Capability::GroupNonUniformBallot);
    let (ty, scope) = (mask_type(e), subgroup(e));
    e.b.op(Op::GroupNonUniformBallot, ty, &[scope, cond])
}

/// Hands over a ballot as the four fields of `dx.types.fouri32`.
pub(crate) fn set_mask(e: &mut Emitter<'_>, call: &DxCall<'_>, mask: Word) {
    let word = e.b.ty_u32();
    e.set_parts(call, word, mask, 4);
}

/// Returns the lowest lane that takes part, where helper lanes do not, and the ballot of those that
/// do. Without one, the lane is not defined.
fn first_live_lane(e: &mut Emitter<'_>, helper: Word) -> (Word, Word) {
    let (word, bool_ty) = (e.b.ty_u32(), e.b.ty_bool());
    let live = e.b.op(Op::LogicalNot, bool_ty, &[helper]);
    let mask = raw_ballot(e, live);
    let scope = subgroup(e);
    let first =
        e.b.op(Op::GroupNonUniformBallotFindLSB, word, &[scope, mask]);
    (first, mask)
}

fn is_first_lane(e: &mut Emitter<'_>) -> Word {
    let bool_ty = e.b.ty_bool();
    if let Some(helper) = helper(e) {
        let (first, _) = first_live_lane(e, helper);
        let this = system::lane_index(e);
        return e.b.op(Op::IEqual, bool_ty, &[this, first]);
    }
    e.b.caps.add(Capability::GroupNonUniform);
    let scope = subgroup(e);
    e.b.op(Op::GroupNonUniformElect, bool_ty, &[scope])
}

/// Returns the value of the first lane that takes part. Where only helper lanes run, it is 0, as on
/// all devices of D3D, which does not define it.
fn read_first(e: &mut Emitter<'_>, shape: Shape, value: Word) -> Word {
    let ty = e.shape_type(shape);
    if let Some(helper) = helper(e) {
        let (first, mask) = first_live_lane(e, helper);
        let value = shuffle(e, ty, value, first);
        let (word, boolean) = (e.b.ty_u32(), e.b.ty_bool());
        let (reduce, zero) = (GroupOperation::Reduce as Word, e.b.const_u32(0));
        let scope = subgroup(e);
        let count = [scope, reduce, mask];
        let count = e.b.op(Op::GroupNonUniformBallotBitCount, word, &count);
        let exists = e.b.op(Op::INotEqual, boolean, &[count, zero]);
        let exists = e.splat(shape.with(Scalar::Bool), exists);
        let zero = e.b.const_null(ty);
        return e.b.op(Op::Select, ty, &[exists, value, zero]);
    }
    e.b.caps.add(Capability::GroupNonUniformBallot);
    let scope = subgroup(e);
    e.b.op(Op::GroupNonUniformBroadcastFirst, ty, &[scope, value])
}

/// Returns the value of lane `lane`, which may differ between lanes.
pub(crate) fn shuffle(e: &mut Emitter<'_>, ty: Word, value: Word, lane: Word) -> Word {
    e.b.caps.add(Capability::GroupNonUniformShuffle);
    let scope = subgroup(e);
    e.b.op(Op::GroupNonUniformShuffle, ty, &[scope, value, lane])
}

/// Emits `WaveReadLaneAt`: a broadcast from a constant lane, else a shuffle (whether the lane
/// number is uniform is not known here).
fn read_lane(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let shape = e.shape(call.ty)?;
    let (ty, value, lane) = (
        e.shape_type(shape),
        e.arg_id(call, 0)?,
        e.arg_value(call, 1)?,
    );
    let lane_id = e.id(lane)?;
    let id = if e.const_int(lane).is_some() {
        e.b.caps.add(Capability::GroupNonUniformBallot);
        let scope = subgroup(e);
        e.b.op(Op::GroupNonUniformBroadcast, ty, &[scope, value, lane_id])
    } else {
        shuffle(e, ty, value, lane_id)
    };
    e.set_new(call.inst, shape, id);
    Ok(())
}

/// Emits `WaveActiveAnyTrue` or `WaveActiveAllTrue`.
fn vote(e: &mut Emitter<'_>, call: &DxCall<'_>, any: bool) -> Result<(), Error> {
    let (ty, mut cond) = (e.b.ty_bool(), e.arg_id(call, 0)?);
    if let Some(helper) = helper(e) {
        cond = if any {
            let live = e.b.op(Op::LogicalNot, ty, &[helper]);
            e.b.op(Op::LogicalAnd, ty, &[cond, live])
        } else {
            e.b.op(Op::LogicalOr, ty, &[cond, helper])
        };
    }
    e.b.caps.add(Capability::GroupNonUniformVote);
    let scope = subgroup(e);
    let op = match any {
        true => Op::GroupNonUniformAny,
        false => Op::GroupNonUniformAll,
    };
    let id = e.b.op(op, ty, &[scope, cond]);
    e.set(call.inst, 0, id);
    Ok(())
}

fn all_equal(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let shape = e.value_shape(e.arg_value(call, 0)?)?;
    let value = e.arg_id(call, 0)?;
    let mut value = e.zero_extended(shape, value);
    if let Some(helper) = helper(e) {
        // A helper lane agrees with the first lane that takes part.
        let first = read_first(e, shape, value);
        let helper = e.splat(shape.with(Scalar::Bool), helper);
        let ty = e.shape_type(shape);
        value = e.b.op(Op::Select, ty, &[helper, first, value]);
    }
    e.b.caps.add(Capability::GroupNonUniformVote);
    let result = shape.with(Scalar::Bool);
    let id = by_component(e, shape, result, value, |e, _, value| {
        let (ty, scope) = (e.b.ty_bool(), subgroup(e));
        e.b.op(Op::GroupNonUniformAllEqual, ty, &[scope, value])
    });
    e.set(call.inst, 0, id);
    Ok(())
}

/// Returns the `WaveOpKind` in operand `index`.
fn arithmetic(e: &Emitter<'_>, call: &DxCall<'_>, index: usize) -> Result<Combine, Error> {
    Ok(match e.arg_const(call, index)? {
        0 => Combine::Sum,
        1 => Combine::Product,
        2 => Combine::Min,
        3 => Combine::Max,
        other => {
            return Err(e.invalid_operand(call, format!("with operation {other}, expected 0 to 3")));
        }
    })
}

impl Combine {
    /// Returns the subgroup instruction; `None` if the type does not have the operation.
    pub(crate) fn op(self, scalar: Scalar, signed: bool) -> Option<Op> {
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
    pub(crate) fn identity(self, e: &mut Emitter<'_>, shape: Shape, signed: bool) -> Word {
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

fn reduce(
    e: &mut Emitter<'_>,
    call: &DxCall<'_>,
    combine: Combine,
    signed: bool,
    how: GroupOperation,
) -> Result<(), Error> {
    let shape = e.shape(call.ty)?;
    let Some(op) = combine.op(shape.scalar, signed) else {
        return Err(e.unsupported_on(call, format!("{} ({combine:?})", shape.scalar)));
    };
    let ty = e.shape_type(shape);
    let mut value = e.arg_id(call, 0)?;
    if matches!(combine, Combine::Min | Combine::Max) {
        value = if signed {
            e.sign_extended(shape, value)
        } else {
            e.zero_extended(shape, value)
        };
    }
    if let Some(helper) = helper(e) {
        let identity = combine.identity(e, shape, signed);
        let cond = if shape.lanes == 1 {
            helper
        } else {
            e.splat(shape.with(Scalar::Bool), helper)
        };
        value = e.b.op(Op::Select, ty, &[cond, identity, value]);
    }
    e.b.caps.add(Capability::GroupNonUniformArithmetic);
    let scope = subgroup(e);
    let id = e.b.op(op, ty, &[scope, how as Word, value]);
    e.set_new(call.inst, shape, id);
    Ok(())
}

/// Emits the number of lanes (or of lower lanes) for which the operand is true.
fn bit_count(e: &mut Emitter<'_>, call: &DxCall<'_>, how: GroupOperation) -> Result<(), Error> {
    let cond = e.arg_id(call, 0)?;
    let mask = ballot(e, cond);
    let id = count_mask(e, mask, how);
    e.set(call.inst, 0, id);
    Ok(())
}

/// Returns the number of lanes (or of lower lanes) in a mask.
pub(crate) fn count_mask(e: &mut Emitter<'_>, mask: Word, how: GroupOperation) -> Word {
    e.b.caps.add(Capability::GroupNonUniformBallot);
    let (word, scope) = (e.b.ty_u32(), subgroup(e));
    e.b.op(
        Op::GroupNonUniformBallotBitCount,
        word,
        &[scope, how as Word, mask],
    )
}
