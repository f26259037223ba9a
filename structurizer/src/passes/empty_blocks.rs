//! Empty-block elimination: an empty block with one predecessor is removed.
//!
//! Optimizers reduce `if (c) {}`, an empty case and a break to an edge with an empty block on it. A
//! block with several predecessors stays: SPIR-V needs a merge block there anyway, and this is the
//! one that the source had.

use super::empty_steps::{EmptySteps, is_empty_step};
use crate::ir::Function;
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// Removes the blocks from the function. Linear in the function.
pub(super) fn run(func: &mut Function, steps: &mut EmptySteps, remarks: &mut Remarks) {
    let mut all = func.blocks();
    if !all.any(|b| is_empty_step(func, b) && !func.has_phis(b)) {
        return;
    }
    steps.start(func);
    for i in (0..steps.dfs.rpo().len()).rev() {
        let block = steps.dfs.rpo()[i];
        if !func.has_phis(block)
            && steps.cfg.preds(block).len() == 1
            && steps.may_remove(func, block)
            && !steps.would_double(func, block)
        {
            let to = steps.target(block);
            steps.remove(block);
            remarks.add(Stage::EmptyBlocks, block, Decision::Removed { to });
        }
    }
    steps.apply(func);
}
