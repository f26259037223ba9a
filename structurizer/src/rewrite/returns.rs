//! Merged returns: copies of an empty block that ends the invocation, for the edges that cost a
//! selector.
//!
//! An optimizer leaves one return. Where edges into it cross others, the plan has a selector or a
//! breakable block because of them; each such edge gets a copy of the block. The cost is linear in the
//! function.

use alloc::vec::Vec;

use smallvec::SmallVec;

use super::Planned;
use super::reasons::Edge;
use crate::entity::{EntityRef, EntityVec, PackedOption};
use crate::ir::{Block, Function, Terminator, Value, ValueKind};
use crate::planner::Planner;
use crate::remark::{Decision, Remarks};
use crate::result::{Error, Options};
use crate::stage::Stage;

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
    planner: &mut Planner,
) -> Result<Option<Split>, Error> {
    let func: &Function = &planned.func;
    if !func.blocks().any(|block| is_empty_end(func, block)) {
        return Ok(None);
    }
    let is_wanted = |&&(_, to): &&Edge| is_empty_end(func, to);
    let (func, edges) = match edges {
        Edges::Named => {
            if !has_merged_ends(func) {
                return Ok(None);
            }
            let reasons = planned.reasons(options, planner)?.iter();
            let edges: Vec<Edge> = reasons.filter(is_wanted).copied().collect();
            if edges.is_empty() {
                return Ok(None);
            }
            (func.clone(), edges)
        }
        Edges::All => {
            let mut func = func.clone();
            end_at_steps(&mut func);
            let edges = all_edges(&func);
            (func, edges)
        }
    };
    if edges.is_empty() {
        return Ok(None);
    }
    let mut func = func;
    let mut remarks = Remarks::new(options.remarks);
    for &(_, to) in &edges {
        remarks.add(Stage::Returns, to, Decision::Copied);
    }
    split_edges(&mut func, &edges);
    Ok(Some(Split { func, remarks }))
}

/// Returns whether several branches lead to some empty end.
fn has_merged_ends(func: &Function) -> bool {
    let mut leads: EntityVec<Block, bool> = EntityVec::new(func.num_blocks());
    func.blocks().any(|block| {
        let mut ends = func.successors(block).filter(|&to| is_empty_end(func, to));
        ends.any(|end| core::mem::replace(&mut leads[end], true))
    })
}

/// Ends the invocation in empty blocks that lead to an empty end: they are empty ends then.
fn end_at_steps(func: &mut Function) {
    // What the phi that an end returns gets from the steps that lead there, each to one end.
    let mut given: EntityVec<Block, PackedOption<Value>> = EntityVec::new(func.num_blocks());
    for end in func.blocks().filter(|&block| is_empty_end(func, block)) {
        let phi = returned_phi(func, end);
        for operand in phi.into_iter().flat_map(|phi| func.phi_operands(phi)) {
            if step(func, operand.pred) == Some(end) {
                given[operand.pred] = operand.value.into();
            }
        }
    }
    let mut ended: EntityVec<Block, bool> = EntityVec::new(func.num_blocks());
    let mut ends = Vec::new();
    // From the last block to the first, as chains mostly lead forward.
    for block in (1..func.num_blocks()).rev().map(Block::new) {
        if let Some(to) = step(func, block)
            && is_empty_end(func, to)
        {
            let terminator = end_with(func, to, given[block].expand());
            func.set_terminator(block, terminator);
            if func.has_phis(to) {
                ended[block] = true;
                ends.push(to);
            }
        }
    }
    ends.sort_unstable();
    ends.dedup();
    for end in ends {
        remove_operands(func, end, |pred| ended[pred]);
    }
}

/// Returns where an empty block leads that does nothing but branch.
fn step(func: &Function, block: Block) -> Option<Block> {
    match func.term(block) {
        Terminator::Branch(to) if block.index() != 0 && func.is_empty_block(block) => Some(to),
        _ => None,
    }
}

/// Returns the edges into empty ends, but for the first of each.
fn all_edges(func: &Function) -> Vec<Edge> {
    let edges_of = |block: Block| func.successors(block).map(move |to| (to, block));
    let mut edges: Vec<Edge> = func.blocks().flat_map(edges_of).collect();
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

/// Gives edges copies of the empty ends that they lead to.
fn split_edges(func: &mut Function, edges: &[Edge]) {
    let n = func.num_blocks();
    // The copies, in the order of the edges, and what the edges bring along.
    let copies: Vec<Block> = edges.iter().map(|_| func.add_block()).collect();
    let mut by_end: Vec<usize> = (0..edges.len()).collect();
    by_end.sort_by_key(|&i| edges[i].1);
    let mut given: EntityVec<Block, PackedOption<Value>> = EntityVec::new(n);
    let mut split_from: EntityVec<Block, PackedOption<Block>> = EntityVec::new(n);
    for list in by_end.chunk_by(|&a, &b| edges[a].1 == edges[b].1) {
        let end = edges[list[0]].1;
        let phi = returned_phi(func, end);
        for operand in phi.into_iter().flat_map(|phi| func.phi_operands(phi)) {
            given[operand.pred] = operand.value.into();
        }
        for &i in list {
            let from = edges[i].0;
            let terminator = end_with(func, end, phi.and(given[from].expand()));
            func.set_terminator(copies[i], terminator);
            split_from[from] = end.into();
        }
        remove_operands(func, end, |pred| split_from[pred] == end.into());
    }
    let mut by_source: Vec<usize> = (0..edges.len()).collect();
    by_source.sort_by_key(|&i| edges[i].0);
    let mut copy_of: EntityVec<Block, PackedOption<Block>> = EntityVec::new(n);
    for list in by_source.chunk_by(|&a, &b| edges[a].0 == edges[b].0) {
        for &i in list {
            copy_of[edges[i].1] = copies[i].into();
        }
        func.retarget(edges[list[0]].0, |to| copy_of[to].expand().unwrap_or(to));
        for &i in list {
            copy_of[edges[i].1] = None.into();
        }
    }
}

/// Returns the phi that an empty end returns, if it is one of its own.
fn returned_phi(func: &Function, end: Block) -> Option<Value> {
    let value = func.term(end).value()?;
    (func.value_kind(value) == ValueKind::Phi(end)).then_some(value)
}

/// Returns the terminator of an empty end for the invocations that bring a value along for the phi
/// that it returns.
fn end_with(func: &Function, end: Block, given: Option<Value>) -> Terminator {
    let mut terminator = func.term(end);
    if let (Some(_), Some(given), Some(value)) =
        (returned_phi(func, end), given, terminator.value_mut())
    {
        *value = given;
    }
    terminator
}

/// Removes the operands of a block's phis for some predecessors.
fn remove_operands(func: &mut Function, block: Block, removes: impl Fn(Block) -> bool) {
    let phis: SmallVec<[Value; 8]> = func.phis(block).collect();
    for phi in phis {
        func.remove_phi_operands(phi, &removes);
    }
}
