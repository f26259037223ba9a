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

/// The most blocks of a function whose remarks are looked at: the list of the edges that are pending
/// at each merge block takes more than linear time.
const MAX_BLOCKS: usize = 1 << 11;

/// A function with split returns.
pub(super) struct Split {
    pub(super) func: Function,
    pub(super) remarks: Remarks,
}

/// Which edges are split.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Edges {
    /// Those that a remark of the plan names as the reason of a selector or a breakable block.
    Named,
    /// All but one into each empty end.
    All,
}

/// Splits edges into empty ends; none if there are none.
pub(super) fn run(
    planned: &Planned,
    edges: Edges,
    options: &Options,
) -> Result<Option<Split>, Error> {
    let func = &planned.func;
    if !func.blocks().any(|block| is_empty_end(func, block)) {
        return Ok(None);
    }
    let mut func = func.clone();
    let mut edges = match edges {
        Edges::Named if func.num_blocks() > MAX_BLOCKS => return Ok(None),
        Edges::Named => named_edges(&func, options)?,
        Edges::All => {
            end_at_steps(&mut func);
            all_edges(&func)
        }
    };
    edges.truncate(MAX_EDGES);
    if edges.is_empty() {
        return Ok(None);
    }
    let mut split = Split {
        func,
        remarks: Remarks::new(options.remarks),
    };
    for (from, to) in edges {
        split_edge(&mut split.func, from, to);
        let decision = Decision::Copied;
        split.remarks.add(Stage::Returns, to, decision);
    }
    Ok(Some(split))
}

/// Ends the invocation in empty blocks that lead to an empty end: they are empty ends then.
fn end_at_steps(func: &mut Function) {
    // From the last block to the first, as chains mostly lead forward.
    for block in (1..func.num_blocks()).rev().map(Block::new) {
        let Some(Terminator::Branch(to)) = func.terminator(block) else {
            continue;
        };
        let is_step = func.insts(block).next().is_none() && !func.has_phis(block);
        if is_step && to != block && is_empty_end(func, to) {
            let terminator = end_from(func, block, to);
            func.set_terminator(block, terminator);
            remove_operands(func, block, to);
        }
    }
}

/// Returns the edges into empty ends that the remarks of a plan name.
fn named_edges(func: &Function, options: &Options) -> Result<Vec<(Block, Block)>, Error> {
    let mut reasons = Remarks::new(true);
    crate::plan_function(func.clone(), options, &mut reasons, &mut Snapshots(None))?;
    let is_reason = |&(from, to): &(Block, Block)| {
        func.has_block(from)
            && func.has_block(to)
            && is_empty_end(func, to)
            && func.successors(from).any(|s| s == to)
    };
    let remarks = reasons.finish();
    let named = remarks.iter().flat_map(|remark| remark.edges.iter());
    let mut edges: Vec<(Block, Block)> = named.copied().filter(is_reason).collect();
    edges.sort_unstable();
    edges.dedup();
    Ok(edges)
}

/// Returns the edges into empty ends, but for the first of each.
fn all_edges(func: &Function) -> Vec<(Block, Block)> {
    let edges_of = |block: Block| func.successors(block).map(move |to| (to, block));
    let mut edges: Vec<(Block, Block)> = func.blocks().flat_map(edges_of).collect();
    edges.retain(|&(to, _)| is_empty_end(func, to));
    edges.sort_unstable();
    edges.dedup();
    let mut rest = Vec::new();
    for list in edges.chunk_by(|a, b| a.0 == b.0) {
        rest.extend(list.iter().skip(1).map(|&(to, from)| (from, to)));
    }
    rest
}

/// Returns whether a block does nothing but end the invocation, possibly with one of its own phis.
fn is_empty_end(func: &Function, block: Block) -> bool {
    func.terminator(block).is_some_and(Terminator::is_exit)
        && func.insts(block).next().is_none()
        && block.index() != 0
}

/// Gives an edge its own copy of an empty end.
fn split_edge(func: &mut Function, from: Block, to: Block) {
    let terminator = end_from(func, from, to);
    let copy = func.add_block();
    func.set_terminator(copy, terminator);
    func.retarget(from, |target| if target == to { copy } else { target });
    remove_operands(func, from, to);
}

/// Returns the terminator of an empty end for the invocations that come from a block: the operand
/// takes the place of a phi that it returns.
fn end_from(func: &Function, from: Block, to: Block) -> Terminator {
    let mut terminator = func.term(to);
    if let Some(value) = terminator.value_mut()
        && func.phis(to).any(|phi| phi == *value)
    {
        let mut operands = func.phi_operands(*value);
        if let Some(own) = operands.find(|operand| operand.pred == from) {
            *value = own.value;
        }
    }
    terminator
}

fn remove_operands(func: &mut Function, from: Block, to: Block) {
    let phis: Vec<Value> = func.phis(to).collect();
    for phi in phis {
        func.remove_phi_operands(phi, |pred| pred == from);
    }
}
