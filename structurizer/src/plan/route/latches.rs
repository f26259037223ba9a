//! Back edges of loops without a separate continue target.
//!
//! Such a loop has an empty block before the back edge. Where only one branch leads to it, the block
//! of that branch is the continue target instead, and the empty block is removed: a loop of one block
//! continues at its header (`OpLoopMerge %merge %header`). The rules of SPIR-V that this keeps:
//!
//! * the continue construct is that block alone, so its other branch may only leave the loop;
//! * it is the header, or no header of another construct, and neither a merge block nor a case.
//!   Then the only branch to it becomes the `continue` of the loop, out of the same constructs as
//!   before.
//!
//! Linear in the blocks and edges.

use super::{Ending, Router};
use crate::entity::PrimaryMap;
use crate::ir::Block;
use crate::plan::blocks::OutEdge;
use crate::remark::Decision;
use crate::result::Merge;
use crate::stage::Stage;

/// The branches to a block.
#[derive(Clone, Copy, Debug, Default)]
enum Incoming {
    #[default]
    None,
    One(OutEdge),
    Several,
}

/// Lookup tables of the output's blocks.
#[derive(Default)]
pub(super) struct Latches {
    incoming: PrimaryMap<Block, Incoming>,
    is_merge: PrimaryMap<Block, bool>,
    is_removed: PrimaryMap<Block, bool>,
}

impl Router<'_> {
    /// Adds the back edges from fresh continue targets, or removes these blocks. Runs after aliases
    /// are resolved.
    pub(super) fn close_loops(&mut self) {
        let latches = core::mem::take(&mut self.walk.latches);
        let mut memory = core::mem::take(&mut self.walk.latch_blocks);
        let may_remove = self.cx.runs(Stage::LoopEnds) && !latches.is_empty();
        if may_remove {
            memory.compute(self);
        }
        let mut any_removed = false;
        for &(header, latch) in &latches {
            let only = match may_remove {
                true => memory.only_branch(self, header, latch),
                false => None,
            };
            let Some(edge) = only else {
                let back = self.add_edge(latch, header);
                self.end(latch, Ending::Branch(back));
                continue;
            };
            let block = self.out.edges[edge].from;
            self.out.edges[edge].to = header;
            if let Merge::Loop {
                continue_target, ..
            } = &mut self.out.blocks[header].merge
            {
                *continue_target = block;
            }
            memory.is_removed[latch] = true;
            any_removed = true;
            self.remarks
                .add(Stage::LoopEnds, block, Decision::ContinueTarget { header });
        }
        if any_removed {
            self.out.order.retain(|&block| !memory.is_removed[block]);
        }
        self.walk.latches = latches;
        self.walk.latch_blocks = memory;
    }
}

impl Latches {
    fn compute(&mut self, router: &Router<'_>) {
        let out = &router.out;
        self.incoming.reset(out.blocks.len());
        self.is_merge.reset(out.blocks.len());
        self.is_removed.reset(out.blocks.len());
        for (edge, data) in out.edges.iter() {
            let incoming = &mut self.incoming[data.to];
            *incoming = match incoming {
                Incoming::None => Incoming::One(edge),
                _ => Incoming::Several,
            };
        }
        for &block in &out.order {
            if let Merge::Selection { merge, .. } | Merge::Loop { merge, .. } =
                out.blocks[block].merge
            {
                self.is_merge[merge] = true;
            }
        }
    }

    /// Returns the only branch to a fresh continue target, if the block that it is in may be the
    /// continue target.
    fn only_branch(&self, router: &Router<'_>, header: Block, latch: Block) -> Option<OutEdge> {
        let out = &router.out;
        let Incoming::One(edge) = self.incoming[latch] else {
            return None;
        };
        // Where a construct inside ends at the empty block, it needs that as its merge block.
        if self.is_merge[latch] {
            return None;
        }
        let Merge::Loop { merge, .. } = out.blocks[header].merge else {
            return None;
        };
        let block = out.edges[edge].from;
        let leaves_loop = match out.blocks[block].ending {
            Ending::Branch(_) => true,
            Ending::Conditional {
                then, otherwise, ..
            } => {
                let other = if then == edge { otherwise } else { then };
                out.target(other) == merge
            }
            _ => false,
        };
        let is_plain =
            block == header || out.blocks[block].merge == Merge::None && !self.is_merge[block];
        (leaves_loop && is_plain && self.follows_a_branch(router, block)).then_some(edge)
    }

    /// Returns whether one branch leads to a block from before, and not as to a case of a switch.
    fn follows_a_branch(&self, router: &Router<'_>, block: Block) -> bool {
        let Incoming::One(edge) = self.incoming[block] else {
            return false;
        };
        matches!(
            router.out.blocks[router.out.edges[edge].from].ending,
            Ending::Branch(_) | Ending::Conditional { .. } | Ending::Test
        )
    }
}
