//! Branches in the functions that a node gets in addition to its own.

use crate::ops::Emitter;
use rspirv::spirv::{Op, Word};

/// Emits `if (condition) then`.
pub(crate) fn when(e: &mut Emitter<'_>, condition: Word, then: impl FnOnce(&mut Emitter<'_>)) {
    let (taken, merge) = (e.b.id(), e.b.id());
    e.b.branch_if(condition, [taken, merge], merge);
    e.b.begin_block(taken);
    then(e);
    e.b.op_void(Op::Branch, &[merge]);
    e.b.begin_block(merge);
}

/// Emits `condition ? then : otherwise`, where only one of the two is computed.
pub(crate) fn choose(
    e: &mut Emitter<'_>,
    condition: Word,
    ty: Word,
    then: impl FnOnce(&mut Emitter<'_>) -> Word,
    otherwise: impl FnOnce(&mut Emitter<'_>) -> Word,
) -> Word {
    let (yes, no, merge) = (e.b.id(), e.b.id(), e.b.id());
    e.b.branch_if(condition, [yes, no], merge);
    let first = arm(e, yes, merge, then);
    let second = arm(e, no, merge, otherwise);
    e.b.begin_block(merge);
    let (id, operands) = e.b.phi(ty, 2);
    for (index, (value, block)) in [first, second].into_iter().enumerate() {
        e.b.set_phi(operands, index, value, block);
    }
    id
}

/// Emits one side of a branch; gives its value and the block that it ends in, which has nothing but
/// the branch to the merge block.
fn arm(
    e: &mut Emitter<'_>,
    label: Word,
    merge: Word,
    value: impl FnOnce(&mut Emitter<'_>) -> Word,
) -> (Word, Word) {
    e.b.begin_block(label);
    let (before, value) = (e.b.block_number(), value(e));
    if e.b.block_number() == before {
        e.b.op_void(Op::Branch, &[merge]);
        return (value, label);
    }
    let end = e.b.id();
    e.b.op_void(Op::Branch, &[end]);
    e.b.begin_block(end);
    e.b.op_void(Op::Branch, &[merge]);
    (value, end)
}
