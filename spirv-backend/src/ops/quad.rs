//! Quad operations: exchange between the four lanes of a quad, helper lanes included.

use rspirv::spirv::{Capability, ExecutionMode, Op, Scope, Word};
use trellis_dxil_frontend::dxop::{DxCall, QuadOp};
use trellis_dxil_frontend::shader::ShaderKind;

use super::State;
use super::system;
use crate::error::{Error, InvalidKind};
use crate::values::FunctionBuilder;

/// Directions of `OpGroupNonUniformQuadSwap`, which D3D numbers alike: across x, across y,
/// diagonal.
const ACROSS_X: u32 = 0;
const ACROSS_Y: u32 = 1;
const DIAGONAL: u32 = 2;

/// Emits one operation of this family.
pub(crate) fn emit(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
    op: QuadOp,
) -> Result<(), Error> {
    match op {
        QuadOp::QuadReadLaneAt => read_lane(e, state, call),
        QuadOp::QuadOp => {
            let direction = e.arg_const(call, 1)?;
            if direction > u64::from(DIAGONAL) {
                return Err(e.invalid(
                    InvalidKind::Operand,
                    format!("QuadOp with operation {direction}, expected 0 to 2"),
                ));
            }
            let shape = e.shape(call.ty)?;
            let (ty, value) = (e.shape_type(shape), e.arg_id(call, 0)?);
            let id = swap(e, ty, value, direction as u32);
            e.set_new(call.inst, shape, id);
            Ok(())
        }
        QuadOp::QuadVote => vote(e, call),
    }
}

fn subgroup(e: &mut FunctionBuilder<'_>) -> Word {
    e.b.const_u32(Scope::Subgroup as u32)
}

/// Returns the value of the neighbour in a direction.
fn swap(e: &mut FunctionBuilder<'_>, ty: Word, value: Word, direction: u32) -> Word {
    e.b.caps.add(Capability::GroupNonUniformQuad);
    let (scope, direction) = (subgroup(e), e.b.const_u32(direction));
    e.b.op(Op::GroupNonUniformQuadSwap, ty, &[scope, value, direction])
}

/// Emits `QuadReadLaneAt`. A lane index that is not constant needs a shuffle:
/// `OpGroupNonUniformQuadBroadcast` requires a uniform one.
fn read_lane(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
) -> Result<(), Error> {
    let shape = e.shape(call.ty)?;
    let (ty, value, lane) = (
        e.shape_type(shape),
        e.arg_id(call, 0)?,
        e.arg_value(call, 1)?,
    );
    let scope = subgroup(e);
    let id = if let Some(lane) = e.const_int(lane) {
        e.b.caps.add(Capability::GroupNonUniformQuad);
        let index = e.b.const_u32(lane as u32 & 3);
        e.b.op(Op::GroupNonUniformQuadBroadcast, ty, &[scope, value, index])
    } else {
        e.b.caps.add(Capability::GroupNonUniformShuffle);
        let (word, first_mask, lane_mask) = (e.b.ty_u32(), e.b.const_u32(!3), e.b.const_u32(3));
        let this = system::lane_index(e, state);
        let first = e.b.op(Op::BitwiseAnd, word, &[this, first_mask]);
        let lane = e.id(lane)?;
        let lane = e.b.op(Op::BitwiseAnd, word, &[lane, lane_mask]);
        let index = e.b.op(Op::BitwiseOr, word, &[first, lane]);
        e.b.op(Op::GroupNonUniformShuffle, ty, &[scope, value, index])
    };
    e.set_new(call.inst, shape, id);
    Ok(())
}

/// Emits `QuadAny` and `QuadAll`: an instruction where the device has it, else two exchanges reach
/// all four lanes.
fn vote(e: &mut FunctionBuilder<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let (op, single) = match e.arg_const(call, 1)? {
        0 => (Op::LogicalOr, Op::GroupNonUniformQuadAnyKHR),
        1 => (Op::LogicalAnd, Op::GroupNonUniformQuadAllKHR),
        other => {
            return Err(e.invalid(
                InvalidKind::Operand,
                format!("QuadVote with operation {other}, expected 0 or 1"),
            ));
        }
    };
    let (ty, mut value) = (e.b.ty_bool(), e.arg_id(call, 0)?);
    let is_pixel = e.entry.kind == ShaderKind::Pixel;
    if is_pixel {
        system::reconverge(e);
    }
    if e.options.extensions.quad_control {
        e.b.caps.add(Capability::QuadControlKHR);
        if is_pixel {
            e.b.execution_mode(ExecutionMode::RequireFullQuadsKHR, &[]);
            e.b.execution_mode(ExecutionMode::QuadDerivativesKHR, &[]);
        }
        let id = e.b.op(single, ty, &[value]);
        e.set(call.inst, 0, id);
        return Ok(());
    }
    for direction in [ACROSS_X, ACROSS_Y] {
        let other = swap(e, ty, value, direction);
        value = e.b.op(op, ty, &[value, other]);
    }
    e.set(call.inst, 0, value);
    Ok(())
}
