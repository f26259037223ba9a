//! Removal of empty blocks with one successor, for the passes that choose which of them to remove.
//!
//! The predecessors of a removed block branch to its successor instead, and the phis there get the
//! operands of both. That is correct for any of these blocks; which ones are removed is a matter of
//! shape, and each pass has its rule in a file of its own. The function is unchanged if no block is
//! removed.
//!
//! Precondition: a checked function. Postcondition: a checked function with the same traces;
//! removed blocks are unreachable.

use alloc::vec::Vec;

use crate::analysis::{cfg::Cfg, dfs::Dfs};
use crate::entity::{EntityRef, EntityVec};
use crate::ir::{Block, Function, LoopHint, Terminator, Value, ValueKind};
use crate::memory::sum_of_kept_bytes;

/// A switch with more successors keeps its empty cases.
const MANY_CASES: usize = 16;

/// Returns whether a block has no instructions and one successor, another block. The entry has to
/// stay.
pub(super) fn is_empty_step(func: &Function, block: Block) -> bool {
    block.index() != 0
        && func.insts(block).next().is_none()
        && matches!(func.term(block), Terminator::Branch(to) if to != block)
}

/// The graph of a function's blocks, and the blocks that are removed.
#[derive(Default)]
pub(super) struct EmptySteps {
    pub(super) cfg: Cfg<Block>,
    pub(super) dfs: Dfs<Block>,
    /// The block that control reaches by a branch to a block: itself, unless it is removed.
    leads_to: EntityVec<Block, Block>,
    any: bool,
    phis: Phis,
}

/// The phis of the block that gets other operands, and the operands of the phi at hand.
#[derive(Default)]
struct Phis {
    phis: Vec<Value>,
    /// Operands of which some may be for removed predecessors.
    work: Vec<(Block, Value)>,
    operands: Vec<(Block, Value)>,
}

sum_of_kept_bytes!(EmptySteps {
    cfg,
    dfs,
    leads_to,
    any,
    phis,
});
sum_of_kept_bytes!(Phis {
    phis,
    work,
    operands,
});

impl EmptySteps {
    /// Finds the graph of a function, of which nothing is removed yet.
    pub(super) fn start(&mut self, func: &Function) {
        self.cfg.compute_of(func);
        self.dfs.compute(&self.cfg, Block::new(0));
        self.leads_to.refill_with(func.num_blocks(), |block| block);
        self.any = false;
    }

    /// Removes a block with one successor. Blocks are decided in post-order: those after it are.
    pub(super) fn remove(&mut self, block: Block) {
        self.leads_to[block] = self.target(block);
        self.any = true;
    }
    /// Returns where control would continue if the block were removed.
    pub(super) fn target(&self, block: Block) -> Block {
        self.leads_to[self.cfg.succs(block)[0]]
    }
    /// Returns the predecessors of a block that the entry reaches.
    pub(super) fn reached_preds(&self, block: Block) -> impl Iterator<Item = Block> {
        let preds = self.cfg.preds(block).iter().copied();
        preds.filter(|&p| self.dfs.reached(p))
    }
    fn is_back_edge(&self, from: Block, to: Block) -> bool {
        self.dfs.is_ancestor(to, from)
    }
    /// Returns whether a block may be removed: it is empty, reached by forward edges only, and no
    /// latch.
    pub(super) fn may_remove(&self, func: &Function, block: Block) -> bool {
        let keeps = |p: Block| matches!(func.term(p), Terminator::BreakBranch { .. });
        self.dfs.reached(block)
            && is_empty_step(func, block)
            && func.loop_hint(block) == LoopHint::None
            && !self.is_back_edge(block, self.target(block))
            && self
                .reached_preds(block)
                .all(|p| !self.is_back_edge(p, block) && !keeps(p))
    }
    /// Returns whether some predecessor would get a second edge to the target of the block: phis
    /// there could not tell the two apart, and a branch would not be one any more.
    pub(super) fn would_double(&self, func: &Function, block: Block) -> bool {
        let to = self.target(block);
        let leads_there = |p: Block| {
            let mut others = self.cfg.succs(p).iter().filter(|&&s| s != block);
            others.any(|&s| self.leads_to[s] == to)
        };
        // A switch is checked for each of its successors: one with many keeps its empty cases, and
        // so does one with phis at stake.
        let has_phis = func.has_phis(to);
        let keeps_cases = |p: Block| {
            matches!(func.term(p), Terminator::Switch { .. })
                && (has_phis || self.cfg.succs(p).len() > MANY_CASES)
        };
        self.reached_preds(block)
            .any(|p| keeps_cases(p) || leads_there(p))
    }

    /// Redirects the branches and gives phis their operands, if anything is removed.
    pub(super) fn apply(&mut self, func: &mut Function) {
        if !self.any {
            return;
        }
        let mut phis = core::mem::take(&mut self.phis);
        for block in func.blocks() {
            self.set_phis(func, block, &mut phis);
        }
        self.phis = phis;
        for block in func.blocks() {
            func.retarget(block, |to| self.leads_to[to]);
        }
    }

    fn removes(&self, block: Block) -> bool {
        self.leads_to[block] != block
    }

    /// Replaces the operands for removed predecessors by operands for theirs.
    fn set_phis(&self, func: &mut Function, block: Block, memory: &mut Phis) {
        let changes = |&p: &Block| self.dfs.reached(p) && self.removes(p);
        if !func.has_phis(block)
            || self.removes(block)
            || !self.cfg.preds(block).iter().any(changes)
        {
            return;
        }
        let Phis {
            phis,
            work,
            operands,
        } = memory;
        phis.clear();
        phis.extend(func.phis(block));
        for &phi in phis.iter() {
            operands.clear();
            work.extend(func.phi_operands(phi).map(|o| (o.pred, o.value)));
            work.reverse();
            while let Some((pred, value)) = work.pop() {
                if !changes(&pred) {
                    operands.push((pred, value));
                } else if func.value_kind(value) == ValueKind::Phi(pred) {
                    work.extend(func.phi_operands(value).map(|o| (o.pred, o.value)));
                } else {
                    work.extend(self.cfg.preds(pred).iter().map(|&p| (p, value)));
                }
            }
            // A predecessor that is a switch, or that branches to the block directly too, comes up
            // twice with one value.
            operands.sort_by_key(|o: &(Block, Value)| o.0);
            operands.dedup_by_key(|o| o.0);
            func.set_phi_operands(phi, operands);
        }
    }
}
