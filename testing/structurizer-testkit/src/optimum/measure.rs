//! The cost of a result of the structurizer, counted on the result alone.

use trellis_entity::EntityRef;
use trellis_structurizer::Structured;
use trellis_structurizer::ir::{Block, InstKind, Terminator, ValueKind};

/// Returns the cost of the result of a graph with this number of nodes, each of which is a block: tests
/// that its paths have and paths of the input do not, and switches with a default case only.
pub fn cost_of(after: &Structured, nodes: usize) -> u32 {
    let func = &after.func;
    // The input's branches have conditions that its instructions compute.
    let is_test = |&block: &Block| {
        let end = func.terminator(block);
        let value = end.and_then(Terminator::value);
        let is_breakable =
            matches!(end, Some(Terminator::Switch { cases, .. }) if cases.is_empty());
        !is_breakable
            && value.is_some_and(|value| match func.value_kind(value) {
                ValueKind::Result { inst, .. } => {
                    !matches!(func.inst_kind(inst), InstKind::Client(_))
                }
                _ => true,
            })
    };
    // A test that only another test leads to is part of that one.
    let pred = |block: Block| {
        let leads = |&pred: &Block| func.successors(pred).any(|to| to == block);
        let mut preds = after.order.iter().copied().filter(leads);
        preds.next().filter(|_| preds.next().is_none())
    };
    let is_part = |mut block: Block| loop {
        match pred(block) {
            Some(before) if is_test(&before) => return true,
            Some(before) if before.index() >= nodes && func.successors(before).count() == 1 => {
                block = before;
            }
            _ => return false,
        }
    };
    let is_breakable = |block: &&Block| matches!(func.terminator(**block), Some(Terminator::Switch { cases, .. }) if cases.is_empty());
    let tests = { after.order.iter() }.filter(|&block| is_test(block) && !is_part(*block));
    (tests.count() + after.order.iter().filter(is_breakable).count()) as u32
}
