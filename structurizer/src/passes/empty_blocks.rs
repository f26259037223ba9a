//! Empty-block elimination: an empty block with one predecessor is removed.
//!
//! Optimizers reduce `if (c) {}`, an empty case and a break to an edge with an empty block on it. A
//! block with several predecessors stays: SPIR-V needs a merge block there anyway, and the source
//! had this one. So do blocks with phis.
//!
//! Precondition: a checked function. Postcondition: a checked function with the same traces;
//! removed blocks are unreachable.

use alloc::vec::Vec;

use crate::analysis::cfg::Cfg;
use crate::analysis::flow::Flow;
use crate::entity::{EntityRef, PrimaryMap};
use crate::ir::{Block, Function, LoopHint, PhiOperand, Terminator, Value};
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// A switch with more successors keeps its empty cases.
const MANY_CASES: usize = 16;

/// The blocks that are removed.
#[derive(Default)]
pub(crate) struct EmptyBlocks {
    /// The block that control reaches by a branch to a block: itself, unless it is removed.
    leads_to: PrimaryMap<Block, Block>,
    /// The block that control comes from where a block branches: itself, unless it is removed.
    comes_from: PrimaryMap<Block, Block>,
    phis: Vec<Value>,
    operands: Vec<(Block, Value)>,
}

impl EmptyBlocks {
    /// Removes the blocks from a function and its graph. Linear in the function.
    pub(crate) fn run(&mut self, func: &mut Function, flow: &mut Flow, remarks: &mut Remarks) {
        if !func.blocks().any(|block| is_empty(func, block)) {
            return;
        }
        self.leads_to.refill_with(func.num_blocks(), |block| block);
        let mut is_changed = false;
        // In post-order, so that it is known where control continues after a block.
        for &block in flow.dfs.rpo().iter().rev() {
            if let Some(to) = self.target(func, flow, block) {
                self.leads_to[block] = to;
                is_changed = true;
                remarks.add(Stage::EmptyBlocks, block, Decision::Removed { to });
            }
        }
        if is_changed {
            self.set_operands(func, flow);
            for block in func.blocks() {
                func.retarget(block, |to| self.leads_to[to]);
            }
            flow.bypass(&self.leads_to);
        }
    }

    /// Returns where control continues instead if a block is removed; none if it stays. The entry stays, and so
    /// does a latch.
    fn target(&self, func: &Function, flow: &Flow, block: Block) -> Option<Block> {
        let Flow { cfg, dfs } = flow;
        let [pred] = *cfg.preds(block) else {
            return None;
        };
        if !is_empty(func, block)
            || func.loop_hint(block) != LoopHint::None
            || matches!(func.term(pred), Terminator::BreakBranch { .. })
        {
            return None;
        }
        let to = self.leads_to[cfg.succs(block)[0]];
        let is_latch = dfs.is_ancestor(to, block);
        (!is_latch && !self.would_double(func, cfg, [pred, block, to])).then_some(to)
    }

    /// Returns whether the predecessor of a block would get a second edge to where the block leads:
    /// phis there could not distinguish the two, and a branch would have a single target.
    fn would_double(
        &self,
        func: &Function,
        cfg: &Cfg<Block>,
        [pred, block, to]: [Block; 3],
    ) -> bool {
        let succs = cfg.succs(pred);
        // A switch is checked for each of its successors: one with many keeps its empty cases, and
        // so does one with phis at stake.
        let keeps_cases = matches!(func.term(pred), Terminator::Switch { .. })
            && (func.has_phis(to) || succs.len() > MANY_CASES);
        let mut others = succs.iter().filter(|&&s| s != block);
        keeps_cases || others.any(|&s| self.leads_to[s] == to)
    }

    /// Replaces the operands for removed predecessors by operands for the blocks that control comes from.
    fn set_operands(&mut self, func: &mut Function, flow: &Flow) {
        let Flow { cfg, dfs } = flow;
        let Self {
            comes_from,
            phis,
            operands,
            ..
        } = self;
        comes_from.refill_with(func.num_blocks(), |block| block);
        for &block in dfs.rpo() {
            if self.leads_to[block] != block {
                comes_from[block] = comes_from[cfg.preds(block)[0]];
            }
        }
        phis.clear();
        for block in func.blocks() {
            let preds = cfg.preds(block);
            if func.has_phis(block) && preds.iter().any(|&p| self.leads_to[p] != p) {
                phis.extend(func.phis(block));
            }
        }
        for &phi in phis.iter() {
            operands.clear();
            let moved = |o: PhiOperand| (comes_from[o.pred], o.value);
            operands.extend(func.phi_operands(phi).map(moved));
            operands.sort_by_key(|o: &(Block, Value)| o.0);
            func.set_phi_operands(phi, operands);
        }
    }
}

/// Returns whether a block does nothing but branch to another one, and is not the entry.
fn is_empty(func: &Function, block: Block) -> bool {
    block.index() != 0
        && func.is_empty_block(block)
        && matches!(func.term(block), Terminator::Branch(to) if to != block)
}
