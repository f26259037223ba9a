//! Merged returns: copies of an empty block that ends the invocation, for the edges that cost a
//! selector.
//!
//! An optimizer leaves one return. Where edges into it cross others, the plan has a selector or a
//! breakable block because of them; each such edge gets a copy of the block. Which edges these are
//! is read off the remarks of the plan.

use super::Planned;
use crate::entity::EntityRef;
use crate::ir::{Block, Function, Terminator, Value};
use crate::remark::{Decision, Remarks};
use crate::result::{Error, Options};
use crate::snapshot::Snapshots;
use crate::stage::Stage;

/// The most edges that are split at once.
const MAX_EDGES: usize = 256;

/// A function with split returns.
pub(super) struct Split {
    pub(super) func: Function,
    pub(super) remarks: Remarks,
}

/// Splits the edges into empty ends that cost a selector; none if there are none.
pub(super) fn run(planned: &Planned, options: &Options) -> Result<Option<Split>, Error> {
    let func = &planned.func;
    if !func.blocks().any(|block| is_empty_end(func, block)) {
        return Ok(None);
    }
    let mut reasons = Remarks::new(true);
    crate::plan_function(func.clone(), options, &mut reasons, &mut Snapshots(None))?;
    let mut edges: Vec<(Block, Block)> = Vec::new();
    for remark in reasons.finish() {
        let is_reason = |&(from, to): &(Block, Block)| {
            func.has_block(from)
                && func.has_block(to)
                && is_empty_end(func, to)
                && func.successors(from).any(|s| s == to)
        };
        edges.extend(remark.edges.iter().copied().filter(is_reason));
    }
    edges.sort_unstable();
    edges.dedup();
    edges.truncate(MAX_EDGES);
    if edges.is_empty() {
        return Ok(None);
    }
    let mut split = Split {
        func: func.clone(),
        remarks: Remarks::new(options.remarks),
    };
    for (from, to) in edges {
        split_edge(&mut split.func, from, to);
        let decision = Decision::Copied;
        split.remarks.add(Stage::Returns, to, decision);
    }
    Ok(Some(split))
}

/// Returns whether a block does nothing but end the invocation, possibly with one of its own phis.
fn is_empty_end(func: &Function, block: Block) -> bool {
    func.terminator(block).is_some_and(Terminator::is_exit)
        && func.insts(block).next().is_none()
        && block.index() != 0
}

/// Gives an edge its own copy of an empty end.
fn split_edge(func: &mut Function, from: Block, to: Block) {
    let operand = |func: &Function, value: Value| {
        let is_own = func.phis(to).any(|phi| phi == value);
        let mut operands = func.phi_operands(value).filter(|_| is_own);
        let own = operands.find(|operand| operand.pred == from);
        own.map_or(value, |operand| operand.value)
    };
    let mut terminator = func.term(to);
    if let Terminator::Return(Some(value)) = &mut terminator {
        *value = operand(func, *value);
    }
    let copy = func.add_block();
    func.set_terminator(copy, terminator);
    func.retarget(from, |target| if target == to { copy } else { target });
    let phis: Vec<Value> = func.phis(to).collect();
    for phi in phis {
        func.remove_phi_operands(phi, |pred| pred == from);
    }
}
