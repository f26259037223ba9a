//! The graph that the other files of this module read: the blocks of the order, the edges between
//! them, and where the copies of an edge are.

use alloc::vec::Vec;

use trellis_entity::{Adjacency, PrimaryMap};
use trellis_structurizer::Structured;
use trellis_structurizer::analysis::{DominatorTree, FlowGraph, LoopForest};
use trellis_structurizer::ir::{Block, Function, InstKind, Terminator, Value, ValueKind};

use crate::lists::edges;

/// Blocks that are not in the order have no edges here.
pub(super) struct Flow<'a> {
    pub(super) func: &'a Function,
    /// The blocks of the order that exist, each once.
    pub(super) order: Vec<Block>,
    /// The distinct predecessors of each block.
    pub(super) preds: Adjacency<Block, Block>,
    in_order: PrimaryMap<Block, bool>,
    graph: Option<(DominatorTree, LoopForest)>,
}

/// A phi and its operand for a predecessor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EdgeOperand {
    pub(super) pred: Block,
    pub(super) block: Block,
    pub(super) phi: Value,
    pub(super) value: Value,
}

impl<'a> Flow<'a> {
    pub(super) fn of(structured: &'a Structured) -> Self {
        let func = &structured.func;
        let n = func.num_blocks();
        let mut in_order: PrimaryMap<Block, bool> = PrimaryMap::with_len(n);
        let mut order = structured.order.clone();
        order.retain(|&b| func.has_block(b) && !core::mem::replace(&mut in_order[b], true));
        let edges: Vec<(Block, Block)> = edges(func)
            .into_iter()
            .filter(|&(from, to)| in_order[from] && in_order[to])
            .map(|(from, to)| (to, from))
            .collect();
        let graph = order.first().map(|&entry| {
            let graph = FlowGraph::from_entry(func, entry);
            (graph.dominators(), graph.loops())
        });
        Self {
            func,
            order,
            preds: Adjacency::group(n, || edges.iter().copied()),
            in_order,
            graph,
        }
    }

    /// Returns how many loops a block is in.
    pub(super) fn depth(&self, block: Block) -> u32 {
        let graph = self.graph.as_ref();
        let innermost = graph.and_then(|(_, loops)| loops.innermost(block));
        innermost.map_or(0, |l| l.depth)
    }

    /// Returns whether the copies of an edge are at the end of its predecessor, before a switch.
    /// Not if that would overwrite phis of `to` while they are live: they are at the end of `from`
    /// only if `to` dominates it, which no block does that a switch of a valid result leads to.
    pub(super) fn is_before_switch(&self, from: Block, to: Block) -> bool {
        let graph = self.graph.as_ref();
        matches!(self.func.terminator(from), Some(Terminator::Switch { .. }))
            && !graph.is_some_and(|(dominators, _)| dominators.dominates(to, from))
    }

    /// Returns whether the copies of an edge are at the end of its predecessor.
    pub(super) fn is_at_end(&self, from: Block, to: Block) -> bool {
        matches!(self.func.terminator(from), Some(Terminator::Branch(_)))
            || self.is_before_switch(from, to)
    }

    /// Returns the operands of all phis, in the order of their blocks.
    pub(super) fn operands(&self) -> impl Iterator<Item = EdgeOperand> + '_ {
        let func = self.func;
        let phis = self
            .order
            .iter()
            .flat_map(|&block| func.phis(block).map(move |phi| (block, phi)));
        phis.flat_map(move |(block, phi)| {
            let all = func.phi_operands(phi);
            let known =
                all.filter(|o| self.in_order.get(o.pred) == Some(&true) && func.has_value(o.value));
            known.map(move |o| EdgeOperand {
                pred: o.pred,
                block,
                phi,
                value: o.value,
            })
        })
    }

    /// Returns the values that a block's terminator reads. Where it branches on a selector test,
    /// these include the selector: [`Tree`](trellis_structurizer::Tree) shows the comparison at the branch.
    pub(super) fn terminator_uses(&self, block: Block) -> impl Iterator<Item = Value> + '_ {
        let func = self.func;
        let value = func.terminator(block).and_then(Terminator::value);
        let value = value.filter(|&v| func.has_value(v));
        let selector = value.and_then(|v| match func.value_kind(v) {
            ValueKind::Result { inst, .. } => match func.inst_kind(inst) {
                InstKind::SelectorTest { .. } => func.uses(inst).first().copied(),
                InstKind::Client(_) | InstKind::Select => None,
            },
            _ => None,
        });
        value.into_iter().chain(selector)
    }
}
