//! Quad operations: exchange between the four lanes of a quad, helper lanes included.

use rspirv::spirv::{Capability, ExecutionMode, Op, Word};
use trellis_dxil_frontend::dxop::QuadOp;
use trellis_dxil_frontend::shader::ShaderKind;

use super::Emitter;
use super::subgroup::{mask_type, raw_ballot, subgroup, subgroup_op};
use super::system;
use crate::error::Error;
use crate::values::{Scalar, Shape};

/// Directions of `OpGroupNonUniformQuadSwap`, which D3D numbers alike: across x, across y,
/// diagonal.
const ACROSS_X: u32 = 0;
const ACROSS_Y: u32 = 1;
const DIAGONAL: u32 = 2;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: QuadOp) -> Result<(), Error> {
    match op {
        QuadOp::QuadReadLaneAt => read_lane(e),
        QuadOp::QuadOp => {
            let directions = [ACROSS_X, ACROSS_Y, DIAGONAL];
            let direction = e.arg_choice(1, "operation", &directions)?;
            let shape = e.shape(e.call.ty)?;
            let (ty, value) = (e.shape_type(shape), e.arg_id(0)?);
            let mut id = swap(e, ty, value, direction);
            if is_robust(e) {
                let this = system::lane_index(e);
                // Across x, across y and diagonally change bit 0, bit 1 or both of the lane's
                // number.
                let lane = e.b.word_with(Op::BitwiseXor, this, direction + 1);
                id = or_zero(e, shape, id, lane);
            }
            e.set_new_result(shape, id);
            Ok(())
        }
        QuadOp::QuadVote => vote(e),
    }
}

/// Returns the value of the neighbour in a direction.
fn swap(e: &mut Emitter<'_>, ty: Word, value: Word, direction: u32) -> Word {
    // The scope is declared first.
    subgroup(e);
    let direction = e.b.const_u32(direction);
    subgroup_op(e, Op::GroupNonUniformQuadSwap, ty, &[value, direction])
}

/// Emits `QuadReadLaneAt`. A lane index that is not constant needs a shuffle:
/// `OpGroupNonUniformQuadBroadcast` requires a uniform one.
fn read_lane(e: &mut Emitter<'_>) -> Result<(), Error> {
    let shape = e.shape(e.call.ty)?;
    let (ty, value, lane) = (e.shape_type(shape), e.arg_id(0)?, e.arg_value(1)?);
    subgroup(e);
    let (op, operand, index) = if let Some(lane) = e.const_int(lane) {
        let index = e.b.const_u32(lane as u32 & 3);
        (Op::GroupNonUniformQuadBroadcast, index, None)
    } else {
        let lane_mask = e.b.const_u32(3);
        let lane = e.id(lane)?;
        let lane = e.b.word(Op::BitwiseAnd, &[lane, lane_mask]);
        let index = of_quad(e, lane);
        (Op::GroupNonUniformShuffle, index, Some(index))
    };
    let mut id = subgroup_op(e, op, ty, &[value, operand]);
    if is_robust(e) {
        let lane = index.unwrap_or_else(|| of_quad(e, operand));
        id = or_zero(e, shape, id, lane);
    }
    e.set_new_result(shape, id);
    Ok(())
}

/// Returns the lane of the wave that is a lane of this one's quad.
fn of_quad(e: &mut Emitter<'_>, lane: Word) -> Word {
    let first_mask = e.b.const_u32(!3);
    let this = system::lane_index(e);
    let first = e.b.word(Op::BitwiseAnd, &[this, first_mask]);
    e.b.word(Op::BitwiseOr, &[first, lane])
}

/// Returns true if a quirk requires that reads from an inactive lane return 0. In pixel shaders all
/// lanes of a quad run.
fn is_robust(e: &Emitter<'_>) -> bool {
    e.options.quirks.robust_quad_reads
        && matches!(e.entry.kind, ShaderKind::Compute | ShaderKind::Node)
}

/// Returns a value that was read of a lane; 0 if the lane does not run.
fn or_zero(e: &mut Emitter<'_>, shape: Shape, value: Word, lane: Word) -> Word {
    let bool_ty = e.b.ty_bool();
    mask_type(e);
    let yes = e.b.const_bool(true);
    let running = raw_ballot(e, yes);
    let op = Op::GroupNonUniformBallotBitExtract;
    let runs = subgroup_op(e, op, bool_ty, &[running, lane]);
    let runs = e.splat(shape.with(Scalar::Bool), runs);
    let ty = e.shape_type(shape);
    let zero = e.b.const_null(ty);
    e.b.op(Op::Select, ty, &[runs, value, zero])
}

/// Emits `QuadAny` and `QuadAll`: an instruction where the device has it, else two exchanges reach
/// all four lanes.
fn vote(e: &mut Emitter<'_>) -> Result<(), Error> {
    let choices = [
        (Op::LogicalOr, Op::GroupNonUniformQuadAnyKHR),
        (Op::LogicalAnd, Op::GroupNonUniformQuadAllKHR),
    ];
    let (op, single) = e.arg_choice(1, "operation", &choices)?;
    let (ty, mut value) = (e.b.ty_bool(), e.arg_id(0)?);
    let is_pixel = e.entry.kind == ShaderKind::Pixel;
    system::reconverge(e);
    if e.options.extensions.quad_control {
        e.b.caps.add(Capability::QuadControlKHR);
        if is_pixel {
            e.b.execution_mode(ExecutionMode::RequireFullQuadsKHR, &[]);
            e.b.execution_mode(ExecutionMode::QuadDerivativesKHR, &[]);
        }
        let id = e.b.op(single, ty, &[value]);
        e.set_result(0, id);
        return Ok(());
    }
    for direction in [ACROSS_X, ACROSS_Y] {
        let other = swap(e, ty, value, direction);
        value = e.b.op(op, ty, &[value, other]);
    }
    e.set_result(0, value);
    Ok(())
}
