//! The graph that the other files of this module read: the blocks of the order, the edges between
//! them, and where the copies of an edge are.

use alloc::vec::Vec;

use crate::Structured;
use crate::analysis::{cfg::Cfg, dfs::Dfs, dominators::Dominators, loops::Loops};
use crate::entity::{Adjacency, PrimaryMap};
use crate::ir::{Block, Function, InstKind, Terminator, Value, ValueKind};

/// Blocks that are not in the order have no edges here.
pub(super) struct Flow<'a> {
    pub(super) func: &'a Function,
    /// The blocks of the order that exist, each once.
    pub(super) order: Vec<Block>,
    pub(super) cfg: Cfg<Block>,
    in_order: PrimaryMap<Block, bool>,
    dominators: Option<Dominators<Block>>,
    depths: PrimaryMap<Block, u32>,
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
        let mut succs = Adjacency::with_capacity(n, n * 2);
        for block in func.blocks() {
            if in_order[block] {
                let targets = func.successors(block);
                succs.extend(targets.filter(|&to| in_order.get(to) == Some(&true)));
            }
            succs.end_list();
        }
        let cfg = Cfg::new(succs);
        let mut depths = PrimaryMap::with_len(n);
        let dominators = order.first().map(|&entry| {
            let dfs = Dfs::new(&cfg, entry);
            let loops = Loops::new(&cfg, &dfs);
            depths = PrimaryMap::from_fn(n, |block| loops.depth_of(loops.innermost(block)));
            Dominators::new(&cfg, &dfs)
        });
        Self {
            func,
            order,
            cfg,
            in_order,
            dominators,
            depths,
        }
    }

    /// Returns how many loops a block is in.
    pub(super) fn depth(&self, block: Block) -> u32 {
        self.depths[block]
    }

    /// Returns whether the copies of an edge are at the end of its predecessor, before a switch.
    /// Not if that would overwrite phis of `to` while they are live: they are at the end of `from`
    /// only if `to` dominates it, which no block does that a switch of a valid result leads to.
    pub(super) fn is_before_switch(&self, from: Block, to: Block) -> bool {
        matches!(self.func.term(from), Terminator::Switch { .. })
            && !self
                .dominators
                .as_ref()
                .is_some_and(|d| d.dominates(to, from))
    }

    /// Returns whether the copies of an edge are at the end of its predecessor.
    pub(super) fn is_at_end(&self, from: Block, to: Block) -> bool {
        matches!(self.func.term(from), Terminator::Branch(_)) || self.is_before_switch(from, to)
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
    /// these include the selector: [`Tree`](crate::Tree) shows the comparison at the branch.
    pub(super) fn terminator_uses(&self, block: Block) -> impl Iterator<Item = Value> + '_ {
        let func = self.func;
        let value = func.term(block).value().filter(|&v| func.has_value(v));
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
