//! LLVM instructions: dispatch to the families that emit them, and the vector instructions.

use rspirv::spirv::{Op, Word};
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::module::{Constant, InstId, InstKind, Type, ValueId, ValueKind};

use super::Emitter;
use crate::error::{Error, InvalidKind};
use crate::ops::{arith, cast, dispatch, sync};

/// Emits one instruction that is neither folded into its users nor a terminator.
#[inline(always)]
pub(crate) fn emit(e: &mut Emitter<'_>, inst: InstId) -> Result<(), Error> {
    match e.kind(inst) {
        InstKind::Binary { op, lhs, rhs, .. } => arith::binary(e, inst, op, [lhs, rhs]),
        InstKind::Cast { op, value } => cast::emit(e, inst, op, value),
        InstKind::Cmp {
            predicate,
            lhs,
            rhs,
            ..
        } => arith::compare(e, inst, predicate, [lhs, rhs]),
        InstKind::Select { cond, then, else_ } => arith::select(e, inst, cond, [then, else_]),
        InstKind::Alloca { .. }
        | InstKind::Load { .. }
        | InstKind::Store { .. }
        | InstKind::AtomicRmw { .. }
        | InstKind::CmpXchg { .. } => crate::memory::emit(&mut e.f, &mut e.memory, inst),
        InstKind::Call { callee, args, .. } => match e.parse(inst)? {
            Some(call) => {
                e.context.call = call;
                dispatch::emit(e)
            }
            None => {
                let args: SmallVec<[ValueId; 8]> = e.function.values_in(args).collect();
                call(e, inst, callee, &args)
            }
        },
        InstKind::ExtractElement { vector, index } => element(e, inst, [vector, index], None),
        InstKind::InsertElement {
            vector,
            value,
            index,
        } => element(e, inst, [vector, index], Some(value)),
        InstKind::ShuffleVector { a, b, mask } => shuffle(e, inst, a, b, mask),
        InstKind::Fence { .. } => {
            sync::fence(e);
            Ok(())
        }
        other => Err(e.invalid(
            InvalidKind::ControlFlow,
            format!("{other:?} inside a block"),
        )),
    }
}

/// Emits an `OpFunctionCall` of a function of the shader.
fn call(e: &mut Emitter<'_>, inst: InstId, callee: ValueId, args: &[ValueId]) -> Result<(), Error> {
    let target = match e.module.value(None, callee).map(|v| v.kind) {
        Some(ValueKind::Function(f)) => e
            .function_ids
            .get(f.as_u32() as usize)
            .copied()
            .unwrap_or(0),
        _ => 0,
    };
    if target == 0 {
        return Err(e.invalid(
            InvalidKind::Function,
            "a call of a function that is not part of the shader",
        ));
    }
    let ret = e.result_type(inst);
    let ty = match e.module.ty(ret) {
        Type::Void => e.b.ty_void(),
        _ => e.spirv_type(ret)?,
    };
    e.resources.enter_section(&mut e.f);
    // The function may write outputs whose stores are pending here.
    crate::interface::end_block(&mut e.f, &mut e.interface);
    let mut operands: SmallVec<[Word; 8]> = smallvec![target];
    for &arg in args {
        operands.push(e.id(arg)?);
    }
    let id = e.b.op(Op::FunctionCall, ty, &operands);
    e.set(inst, 0, id);
    Ok(())
}

/// Emits the extraction of an element of a vector, or its replacement by a value.
fn element(
    e: &mut Emitter<'_>,
    inst: InstId,
    [vector, index]: [ValueId; 2],
    value: Option<ValueId>,
) -> Result<(), Error> {
    let ty = e.result_type(inst);
    let ty = e.spirv_type(ty)?;
    let source = e.id(vector)?;
    let part = value.map(|value| e.id(value)).transpose()?;
    let known = e.const_int(index);
    let known = known.map(|i| component(e, vector, i)).transpose()?;
    let id = match (part, known) {
        (None, Some(i)) => e.b.extract(ty, source, i),
        (Some(part), Some(i)) => e.b.op(Op::CompositeInsert, ty, &[part, source, i]),
        (None, None) => {
            let index = e.id(index)?;
            e.b.op(Op::VectorExtractDynamic, ty, &[source, index])
        }
        (Some(part), None) => {
            let index = e.id(index)?;
            e.b.op(Op::VectorInsertDynamic, ty, &[source, part, index])
        }
    };
    e.set(inst, 0, id);
    Ok(())
}

/// Returns a constant component number of a vector, checked against its length.
fn component(e: &Emitter<'_>, vector: ValueId, index: u64) -> Result<u32, Error> {
    let len = e.value_shape(vector)?.lanes;
    if index < u64::from(len) {
        Ok(index as u32)
    } else {
        Err(e.invalid(
            InvalidKind::Operand,
            format!("component {index} of a vector of {len}"),
        ))
    }
}

fn shuffle(
    e: &mut Emitter<'_>,
    inst: InstId,
    a: ValueId,
    b: ValueId,
    mask: ValueId,
) -> Result<(), Error> {
    let lanes = mask_lanes(e, mask)?;
    let total = 2 * e.value_shape(a)?.lanes;
    let ty = e.result_type(inst);
    let ty = e.spirv_type(ty)?;
    let mut operands = vec![e.id(a)?, e.id(b)?];
    for lane in lanes {
        // SPIR-V writes an undefined component as 0xFFFFFFFF.
        let lane = lane.unwrap_or(u32::MAX);
        if lane != u32::MAX && lane >= total {
            return Err(e.invalid(
                InvalidKind::Operand,
                format!("shuffle takes component {lane} of {total}"),
            ));
        }
        operands.push(lane);
    }
    let id = e.b.op(Op::VectorShuffle, ty, &operands);
    e.set(inst, 0, id);
    Ok(())
}

/// Returns the components of a constant shuffle mask; `None` is undefined.
fn mask_lanes(e: &Emitter<'_>, mask: ValueId) -> Result<SmallVec<[Option<u32>; 4]>, Error> {
    let len = e.value_shape(mask)?.lanes as usize;
    let data = e
        .module
        .constant(Some(e.function), mask)
        .ok_or_else(|| e.invalid(InvalidKind::Operand, "a shuffle mask must be constant"))?;
    Ok(match &data.value {
        Constant::Null => smallvec::smallvec![Some(0); len],
        Constant::Undef => smallvec::smallvec![None; len],
        Constant::Data(lanes) => lanes.iter().map(|&l| Some(l as u32)).collect(),
        Constant::Aggregate(parts) => e
            .module
            .const_operands
            .get(parts.range())
            .unwrap_or_default()
            .iter()
            .map(|&v| e.const_int(ValueId::from_u32(v)).map(|l| l as u32))
            .collect(),
        _ => {
            return Err(e.invalid(
                InvalidKind::Operand,
                "a shuffle mask must be a plain constant",
            ));
        }
    })
}
