//! `atomicrmw` and `cmpxchg` on groupshared memory: relaxed, visible to the group (D3D orders
//! memory with barriers). On records of nodes, visible to the device.

use rspirv::spirv::{Capability, MemorySemantics, Op, Scope, StorageClass, Word};
use trellis_dxil_frontend::module::{InstId, RmwOp, ValueId};

use super::access::slot_pointer;
use super::root::Index;
use super::{GroupsharedAccess, Memory, order_groupshared};
use crate::error::{Error, Feature, InvalidKind, MemoryFeature};
use crate::values::{FunctionBuilder, Scalar};

/// Returns the pointer, scope and semantics: the first operands of every atomic instruction.
fn atomic_operands(
    e: &mut FunctionBuilder<'_>,
    memory: &mut Memory,
    pointer: ValueId,
    value: ValueId,
) -> Result<(Vec<Word>, Word, Word), Error> {
    let scalar = e.scalar(e.value_type(value)?)?;
    if let Some((record, address)) = memory.in_record(e, pointer)? {
        return memory.atomic_record(e, (record, &address), scalar);
    }
    let location = memory.storage_location(e, pointer)?;
    if location.root.class != StorageClass::Workgroup {
        return Err(e.unsupported(MemoryFeature::AtomicClass));
    }
    if location.root.slot != scalar || !matches!(scalar, Scalar::Int(32 | 64)) {
        return Err(e.unsupported(MemoryFeature::AtomicWidth {
            access: scalar.to_string(),
            memory: location.root.slot.to_string(),
        }));
    }
    if location.index == Index::Outside {
        return Err(e.invalid(
            InvalidKind::Memory,
            "an atomic operation outside of its variable",
        ));
    }
    if scalar == Scalar::Int(64) {
        e.b.caps.add(Capability::Int64Atomics);
    }
    order_groupshared(e, memory, location.root.class, GroupsharedAccess::Atomic);
    let pointer = slot_pointer(e, &location, 0);
    let (scope, relaxed) = (
        e.b.const_u32(Scope::Workgroup as u32),
        e.b.const_u32(MemorySemantics::RELAXED.bits()),
    );
    let ty = e.scalar_type(scalar);
    Ok((vec![pointer, scope, relaxed], ty, relaxed))
}

/// Returns the pointer to a word of groupshared memory; `word` is of its type.
pub(crate) fn word_pointer(
    e: &mut FunctionBuilder<'_>,
    memory: &mut Memory,
    pointer: ValueId,
    word: ValueId,
) -> Result<Word, Error> {
    Ok(atomic_operands(e, memory, pointer, word)?.0[0])
}

/// Emits an `atomicrmw`.
pub(super) fn read_modify_write(
    e: &mut FunctionBuilder<'_>,
    memory: &mut Memory,
    inst: InstId,
    op: RmwOp,
    pointer: ValueId,
    value: ValueId,
) -> Result<(), Error> {
    let op = match op {
        RmwOp::Xchg => Op::AtomicExchange,
        RmwOp::Add => Op::AtomicIAdd,
        RmwOp::Sub => Op::AtomicISub,
        RmwOp::And => Op::AtomicAnd,
        RmwOp::Or => Op::AtomicOr,
        RmwOp::Xor => Op::AtomicXor,
        RmwOp::Max => Op::AtomicSMax,
        RmwOp::Min => Op::AtomicSMin,
        RmwOp::UMax => Op::AtomicUMax,
        RmwOp::UMin => Op::AtomicUMin,
        RmwOp::Nand => return Err(e.unsupported(Feature::instruction("atomicrmw nand"))),
    };
    let (mut operands, ty, _) = atomic_operands(e, memory, pointer, value)?;
    operands.push(e.id(value)?);
    let id = e.b.op(op, ty, &operands);
    e.set(inst, 0, id);
    Ok(())
}

/// Emits a `cmpxchg`, whose results are the old value and whether it was the expected one.
pub(super) fn compare_exchange(
    e: &mut FunctionBuilder<'_>,
    memory: &mut Memory,
    inst: InstId,
    pointer: ValueId,
    compare: ValueId,
    new: ValueId,
) -> Result<(), Error> {
    let (mut operands, ty, relaxed) = atomic_operands(e, memory, pointer, new)?;
    let (compare, new) = (e.id(compare)?, e.id(new)?);
    operands.extend([relaxed, new, compare]);
    let id = e.b.op(Op::AtomicCompareExchange, ty, &operands);
    e.set(inst, 0, id);
    if e.is_used(inst, 1) {
        let same = e.b.flag(Op::IEqual, &[id, compare]);
        e.set(inst, 1, same);
    }
    Ok(())
}
