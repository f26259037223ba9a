//! Wave operations as subgroup operations.
//!
//! [`super::subgroup`] has the instructions, [`super::wave_match`] scans over masks.

use rspirv::spirv::{GroupOperation, Op, Word};
use trellis_dxil_frontend::dxop::WaveOp;

use super::Emitter;
use super::state::Combine;
use super::subgroup::{
    and_live, ballot, count_mask, helper, raw_ballot, set_mask, shuffle, subgroup_op,
};
use super::vector::by_component;
use super::{system, wave_match};
use crate::error::Error;
use crate::values::Scalar;
use crate::values::Shape;

/// The operations of `WaveOpKind`.
const ARITHMETIC: [Combine; 4] = [Combine::Sum, Combine::Product, Combine::Min, Combine::Max];

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: WaveOp) -> Result<(), Error> {
    system::reconverge(e);
    match op {
        WaveOp::WaveIsFirstLane => {
            let id = is_first_lane(e);
            e.set_result(0, id);
        }
        WaveOp::WaveAnyTrue => vote(e, true)?,
        WaveOp::WaveAllTrue => vote(e, false)?,
        WaveOp::WaveActiveAllEqual => all_equal(e)?,
        WaveOp::WaveActiveBallot => {
            let cond = e.arg_id(0)?;
            let mask = ballot(e, cond);
            set_mask(e, mask);
        }
        WaveOp::WaveReadLaneAt => read_lane(e)?,
        WaveOp::WaveReadLaneFirst => {
            let shape = e.shape(e.call.ty)?;
            let value = e.arg_id(0)?;
            let id = read_first(e, shape, value);
            e.set_new_result(shape, id);
        }
        WaveOp::WaveActiveOp => {
            let combine = e.arg_choice(1, "operation", &ARITHMETIC)?;
            let signed = e.arg_const(2)? == 0;
            reduce(e, combine, signed, GroupOperation::Reduce)?;
        }
        WaveOp::WavePrefixOp => {
            let combine = e.arg_choice(1, "operation", &ARITHMETIC)?;
            let signed = e.arg_const(2)? == 0;
            reduce(e, combine, signed, GroupOperation::ExclusiveScan)?;
        }
        WaveOp::WaveActiveBit => {
            let choices = [Combine::And, Combine::Or, Combine::Xor];
            let combine = e.arg_choice(1, "operation", &choices)?;
            reduce(e, combine, false, GroupOperation::Reduce)?;
        }
        WaveOp::WaveAllBitCount => bit_count(e, GroupOperation::Reduce)?,
        WaveOp::WavePrefixBitCount => bit_count(e, GroupOperation::ExclusiveScan)?,
        WaveOp::WaveMatch => wave_match::wave_match(e)?,
        WaveOp::WaveMultiPrefixOp => wave_match::multi_prefix(e)?,
        WaveOp::WaveMultiPrefixBitCount => wave_match::multi_prefix_bit_count(e)?,
    }
    Ok(())
}

/// Returns the lowest lane that takes part, where helper lanes do not, and the ballot of the lanes
/// that do. Without one, the lane is not defined.
fn first_live_lane(e: &mut Emitter<'_>, helper: Word) -> (Word, Word) {
    let word = e.b.ty_u32();
    let live = e.b.flag(Op::LogicalNot, &[helper]);
    let mask = raw_ballot(e, live);
    let first = subgroup_op(e, Op::GroupNonUniformBallotFindLSB, word, &[mask]);
    (first, mask)
}

fn is_first_lane(e: &mut Emitter<'_>) -> Word {
    let bool_ty = e.b.ty_bool();
    if let Some(helper) = helper(e) {
        let (first, _) = first_live_lane(e, helper);
        let this = system::lane_index(e);
        return e.b.op(Op::IEqual, bool_ty, &[this, first]);
    }
    subgroup_op(e, Op::GroupNonUniformElect, bool_ty, &[])
}

/// Returns the value of the first lane that takes part. Where only helper lanes run, it is 0, as on
/// all devices of D3D, which does not define it.
fn read_first(e: &mut Emitter<'_>, shape: Shape, value: Word) -> Word {
    let ty = e.shape_type(shape);
    if let Some(helper) = helper(e) {
        let (first, mask) = first_live_lane(e, helper);
        let value = shuffle(e, ty, value, first);
        let (boolean, zero) = (e.b.ty_bool(), e.b.const_u32(0));
        let count = count_mask(e, mask, GroupOperation::Reduce);
        // Without a live lane the lane's number is undefined in Vulkan. D3D's devices return 0, on
        // which vkd3d-proton's test_sm67_helper_lane_only_wave_ops relies.
        let exists = e.b.op(Op::INotEqual, boolean, &[count, zero]);
        let exists = e.splat(shape.with(Scalar::Bool), exists);
        let zero = e.b.const_null(ty);
        return e.b.op(Op::Select, ty, &[exists, value, zero]);
    }
    subgroup_op(e, Op::GroupNonUniformBroadcastFirst, ty, &[value])
}

/// Emits `WaveReadLaneAt`: a broadcast from a constant lane, else a shuffle (whether the lane
/// number is uniform is not known here).
fn read_lane(e: &mut Emitter<'_>) -> Result<(), Error> {
    let shape = e.shape(e.call.ty)?;
    let (ty, value, lane) = (e.shape_type(shape), e.arg_id(0)?, e.arg_value(1)?);
    let lane_id = e.id(lane)?;
    let op = match e.const_int(lane) {
        Some(_) => Op::GroupNonUniformBroadcast,
        None => Op::GroupNonUniformShuffle,
    };
    let id = subgroup_op(e, op, ty, &[value, lane_id]);
    e.set_new_result(shape, id);
    Ok(())
}

/// Emits `WaveActiveAnyTrue` or `WaveActiveAllTrue`.
fn vote(e: &mut Emitter<'_>, any: bool) -> Result<(), Error> {
    let (ty, mut cond) = (e.b.ty_bool(), e.arg_id(0)?);
    let id = if any {
        cond = and_live(e, cond);
        subgroup_op(e, Op::GroupNonUniformAny, ty, &[cond])
    } else {
        if let Some(helper) = helper(e) {
            // The vote of a helper lane must not count.
            cond = e.b.op(Op::LogicalOr, ty, &[cond, helper]);
        }
        subgroup_op(e, Op::GroupNonUniformAll, ty, &[cond])
    };
    e.set_result(0, id);
    Ok(())
}

fn all_equal(e: &mut Emitter<'_>) -> Result<(), Error> {
    let shape = e.value_shape(e.arg_value(0)?)?;
    let value = e.arg_id(0)?;
    // The upper bits of narrow integers may differ between lanes.
    let mut value = e.zero_extended(shape, value);
    if let Some(helper) = helper(e) {
        // A helper lane agrees with the first lane that takes part.
        let first = read_first(e, shape, value);
        let helper = e.splat(shape.with(Scalar::Bool), helper);
        let ty = e.shape_type(shape);
        value = e.b.op(Op::Select, ty, &[helper, first, value]);
    }
    let result = shape.with(Scalar::Bool);
    let id = by_component(e, shape, result, value, |e, _, value| {
        let ty = e.b.ty_bool();
        subgroup_op(e, Op::GroupNonUniformAllEqual, ty, &[value])
    });
    e.set_result(0, id);
    Ok(())
}

fn reduce(
    e: &mut Emitter<'_>,
    combine: Combine,
    signed: bool,
    how: GroupOperation,
) -> Result<(), Error> {
    let shape = e.shape(e.call.ty)?;
    let Some(op) = combine.op(shape.scalar, signed) else {
        return Err(e.unsupported_on(format!("{} ({combine:?})", shape.scalar)));
    };
    let ty = e.shape_type(shape);
    let mut value = e.arg_id(0)?;
    if matches!(combine, Combine::Min | Combine::Max) {
        // The upper bits of narrow integers matter to comparisons alone.
        value = e.extended(shape, signed, value);
    }
    if let Some(helper) = helper(e) {
        let identity = combine.identity(e, shape, signed);
        let cond = e.splat(shape.with(Scalar::Bool), helper);
        value = e.b.op(Op::Select, ty, &[cond, identity, value]);
    }
    let id = subgroup_op(e, op, ty, &[how as Word, value]);
    e.set_new_result(shape, id);
    Ok(())
}

/// Emits the number of lanes (or of lower lanes) for which the operand is true.
fn bit_count(e: &mut Emitter<'_>, how: GroupOperation) -> Result<(), Error> {
    let cond = e.arg_id(0)?;
    let mask = ballot(e, cond);
    let id = count_mask(e, mask, how);
    e.set_result(0, id);
    Ok(())
}
