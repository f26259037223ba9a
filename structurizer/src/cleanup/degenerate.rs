//! Stage 5, degenerate blocks: a block with one predecessor that does nothing goes.
//!
//! What an optimizer leaves of `if (c) {}`, of an empty case and of a break is an edge with an
//! empty block on it. A block with several predecessors stays: SPIR-V wants a merge block there
//! anyway, and this is the one that the source had.

use super::Cleanup;
use crate::ir::{Block, Function};
use crate::stage::{Decision, Remarks, Stage};

pub(super) fn choose(func: &Function, cleanup: &mut Cleanup, remarks: &mut Remarks) {
    for i in (0..cleanup.dfs.rpo.len()).rev() {
        let b = cleanup.dfs.rpo[i];
        let block = Block::from_u32(b);
        if func.has_phis(block) || cleanup.cfg.preds(b).len() != 1 || !cleanup.may_go(func, b) {
            continue;
        }
        if cleanup.would_double(func, b) {
            continue;
        }
        let to = cleanup.target(b);
        cleanup.remove(b);
        remarks.add(
            Stage::DegenerateBlocks,
            block,
            Decision::Removed {
                to: Block::from_u32(to),
            },
        );
    }
}
