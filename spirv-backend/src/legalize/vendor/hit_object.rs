//! NVAPI's hit objects: a word names one, which the result of an increment of the counter gave.
//! Shader tables, payloads and attributes are operands of a call of `TraceRay` or `CallShader`
//! after it, in which a second result takes the place of a shader's index.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::{CastOp, ValueId};

use super::nvapi::{Nvapi, SRC0, SRC1, SRC2, error, needing};
use super::writer::Writer;
use crate::error::Error;
use crate::vendor::{Private, WITH_RECORD};

/// Operations on hit objects.
const TRACE_RAY: u64 = 67;
const MAKE_HIT: u64 = 68;
const MAKE_HIT_WITH_INDEX: u64 = 69;
const MAKE_MISS: u64 = 70;
const REORDER_THREAD: u64 = 71;
const INVOKE: u64 = 72;
const GET_RAY_DESC: u64 = 79;
const GET_ATTRIBUTES: u64 = 80;
const LOAD_CONSTANT: u64 = 82;
const MAKE_NOP: u64 = 85;
const GET_CLUSTER_ID: u64 = 96;

/// Positions in a call of `TraceRay`: the contributions to the number of the record, the miss shader's
/// index, the payload.
const CONTRIBUTION: usize = 3;
const MULTIPLIER: usize = 4;
const MISS_SHADER: usize = 5;
const PAYLOAD: usize = 14;

/// Returns the results that an operation has, where the shader does not give the number.
pub(super) fn results(operation: u64) -> usize {
    match operation {
        GET_RAY_DESC => 8,
        _ => 1,
    }
}

/// Writes an operation; `None` if it is not one on hit objects, or has no translation.
pub(super) fn write(
    w: &mut Writer<'_>,
    nvapi: &Nvapi,
    operation: u64,
) -> Result<Option<SmallVec<[ValueId; 4]>>, Error> {
    let none = w.number(0);
    let result = match operation {
        // Its result is known after the call.
        TRACE_RAY | MAKE_HIT | MAKE_HIT_WITH_INDEX => {
            return Ok(Some(SmallVec::from_slice(&[none, none])));
        }
        INVOKE | GET_ATTRIBUTES => {
            object(w, nvapi, SRC0)?;
            none
        }
        MAKE_MISS => {
            make_miss(w, nvapi)?;
            none
        }
        MAKE_NOP => {
            let made = w.hit_object(Op::HitObjectMakeNop, &[]);
            w.made_object = Some(made);
            none
        }
        REORDER_THREAD => {
            reorder(w, nvapi)?;
            none
        }
        GET_RAY_DESC => return ray(w, nvapi).map(Some),
        LOAD_CONSTANT => {
            let (object, offset) = (object(w, nvapi, SRC0)?, nvapi.operand(w, SRC0 + 1)?);
            let op = Op::HitObjectLoadLocalRootTableConstant;
            w.dx(op, &[object, offset], w.int)
        }
        73 | 83 | 84 => {
            let op = match operation {
                73 => Op::HitObjectIsMiss,
                83 => Op::HitObjectIsHit,
                _ => Op::HitObjectIsNop,
            };
            let object = object(w, nvapi, SRC0)?;
            let is = w.vote(op, object);
            w.cast(CastOp::ZExt, is, w.int)
        }
        74..=78 | 81 | GET_CLUSTER_ID => {
            let op = match operation {
                74 => Op::HitObjectInstanceID,
                75 => Op::HitObjectInstanceIndex,
                76 => Op::HitObjectPrimitiveIndex,
                77 => Op::HitObjectGeometryIndex,
                78 => Op::HitObjectHitKind,
                GET_CLUSTER_ID => Op::HitObjectClusterID,
                _ => Op::HitObjectShaderTableIndex,
            };
            let object = object(w, nvapi, SRC0)?;
            w.dx(op, &[object], w.int)
        }
        _ => return Ok(None),
    };
    Ok(Some(SmallVec::from_slice(&[result])))
}

/// Takes the call that belongs to an operation; returns true if the instruction is one. `given` are the
/// results of increments of the counter.
pub(super) fn call(
    w: &mut Writer<'_>,
    nvapi: &Nvapi,
    operation: u64,
    given: &[ValueId],
) -> Result<bool, Error> {
    let Some(op) = w.call(w.at)?.map(|call| call.op) else {
        return Ok(false);
    };
    let mut operands = w.operands(w.at)?;
    let shader = match op {
        Op::TraceRay => operands.get(MISS_SHADER).copied(),
        Op::CallShader => operands.first().copied(),
        _ => None,
    };
    if shader.is_none() || shader != given.last().copied() {
        return Ok(false);
    }
    match (operation, op, given) {
        (TRACE_RAY, Op::TraceRay, &[object, _]) => {
            operands[MISS_SHADER] = nvapi.operand(w, SRC0)?;
            let made = w.hit_object(Op::HitObjectTraceRay, &operands);
            w.hit_objects.insert(object, made);
        }
        // The first call has the attributes, the second the ray.
        (MAKE_HIT | MAKE_HIT_WITH_INDEX, Op::CallShader, _) => w.attributes = Some(operands[1]),
        (MAKE_HIT | MAKE_HIT_WITH_INDEX, Op::TraceRay, &[object, _]) => {
            let made = make_hit(w, nvapi, operation, operands)?;
            w.hit_objects.insert(object, made);
        }
        (INVOKE, Op::TraceRay, _) => {
            let object = object(w, nvapi, SRC0)?;
            w.dx_void(Op::HitObjectInvoke, &[object, operands[PAYLOAD]]);
        }
        (GET_ATTRIBUTES, Op::CallShader, _) => {
            let object = object(w, nvapi, SRC0)?;
            w.dx_void(Op::HitObjectAttributes, &[object, operands[1]]);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Returns the object that an operand names.
fn object(w: &Writer<'_>, nvapi: &Nvapi, word: u64) -> Result<ValueId, Error> {
    let named = nvapi.operand(w, word)?;
    let known = w.hit_objects.get(&named).copied();
    known.ok_or_else(|| {
        let needs = "SPV_NV_shader_invocation_reorder";
        let text = "a hit object that control flow selects, or that is kept in memory";
        needing(w, text, Some(needs))
    })
}

/// Returns three floats that are stored from a word on.
fn floats<const N: usize>(
    w: &mut Writer<'_>,
    nvapi: &Nvapi,
    first: u64,
) -> Result<[ValueId; N], Error> {
    let mut values = [w.number(0); N];
    for (value, word) in values.iter_mut().zip(first..) {
        let bits = nvapi.operand(w, word)?;
        *value = w.cast(CastOp::BitCast, bits, w.float);
    }
    Ok(values)
}

/// Makes the hit of a ray; `operands` are the operands of the call of `TraceRay`.
fn make_hit(
    w: &mut Writer<'_>,
    nvapi: &Nvapi,
    operation: u64,
    mut operands: SmallVec<[ValueId; 8]>,
) -> Result<ValueId, Error> {
    let attributes = w
        .attributes
        .take()
        .ok_or_else(|| error(w, "a hit without attributes"))?;
    let with_index = operation == MAKE_HIT_WITH_INDEX;
    operands[CONTRIBUTION] = nvapi.operand(w, SRC1)?;
    if !with_index {
        operands[MULTIPLIER] = nvapi.operand(w, SRC1 + 1)?;
    }
    operands[PAYLOAD] = attributes;
    // NVAPI has the geometry before the primitive.
    let mut numbers = [attributes; 4];
    for (number, word) in numbers.iter_mut().zip([0, 2, 1, 3]) {
        *number = nvapi.operand(w, SRC0 + word)?;
    }
    let code = if with_index { WITH_RECORD } else { 0 };
    w.coded(Private::MakeHit, code, &numbers, w.int);
    Ok(w.hit_object(Op::HitObjectTraceRay, &operands))
}

fn make_miss(w: &mut Writer<'_>, nvapi: &Nvapi) -> Result<(), Error> {
    let (flags, index) = (w.number(0), nvapi.operand(w, SRC0)?);
    let [t_min, t_max] = floats(w, nvapi, SRC0 + 1)?;
    let [x, y, z] = floats(w, nvapi, SRC1)?;
    let [dx, dy, dz] = floats(w, nvapi, SRC2)?;
    let operands = [flags, index, x, y, z, t_min, dx, dy, dz, t_max];
    let made = w.hit_object(Op::HitObjectMakeMiss, &operands);
    w.made_object = Some(made);
    Ok(())
}

/// Reorders by an object and a hint, or by a hint alone.
fn reorder(w: &mut Writer<'_>, nvapi: &Nvapi) -> Result<(), Error> {
    let has_object = nvapi.number(w, SRC0)? != 0;
    let object = match has_object {
        true => object(w, nvapi, SRC0 + 1)?,
        false => w.hit_object(Op::HitObjectMakeNop, &[]),
    };
    let (hint, bits) = (nvapi.operand(w, SRC0 + 2)?, nvapi.operand(w, SRC0 + 3)?);
    w.dx_void(Op::MaybeReorderThread, &[object, hint, bits]);
    Ok(())
}

/// Returns the bits of a ray: its least and greatest distance, origin and direction.
fn ray(w: &mut Writer<'_>, nvapi: &Nvapi) -> Result<SmallVec<[ValueId; 4]>, Error> {
    let object = object(w, nvapi, SRC0)?;
    let mut parts = SmallVec::<[ValueId; 8]>::new();
    for op in [Op::HitObjectRayTMin, Op::HitObjectRayTCurrent] {
        parts.push(w.dx(op, &[object], w.float));
    }
    for op in [Op::HitObjectWorldRayOrigin, Op::HitObjectWorldRayDirection] {
        for i in 0..3 {
            let component = w.number(i);
            parts.push(w.dx(op, &[object, component], w.float));
        }
    }
    let bits = parts.iter().map(|&v| w.cast(CastOp::BitCast, v, w.int));
    Ok(bits.collect())
}
