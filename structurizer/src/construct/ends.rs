//! Copies of blocks that only end the lane, for branches that would have to escape to them.

use crate::canonicalize::{Edge, Node, NodeKind};
use crate::construct::emit::Emitter;
use crate::construct::transfer::{Context, Destination, destination};
use crate::graph::NONE;
use crate::ir::{Block, Terminator, ValueKind};
use crate::stage::{Decision, Stage};

/// How many constructs out a way is followed before it is taken for an escape.
const MAX_CONSTRUCTS_LEFT: u32 = 64;

impl Emitter<'_> {
    /// A copy of the block that the edge leads to, if that only ends the lane and a branch to it
    /// would cost a selector.
    pub(super) fn end_block(
        &mut self,
        edge: Edge,
        d: Destination,
        context: Context,
    ) -> Option<Block> {
        let original = edge.assigns?;
        let terminator = self.func.term(original);
        let may_copy = match terminator {
            Terminator::Return(Some(v)) => matches!(
                self.func.value_kind(v),
                ValueKind::Constant { .. } | ValueKind::Undef
            ),
            t => t.is_exit(),
        };
        if !self.copies
            || !may_copy
            || !self.func.is_empty_block(original)
            || self.graph.kinds[edge.to as usize] != NodeKind::Block(original)
        {
            return None;
        }
        if self.is_free(self.layout.position[edge.to as usize], d, context) {
            return None;
        }
        let block = self.fresh();
        self.order.push(block);
        self.func.set_terminator(block, terminator);
        self.report.copies += 1;
        self.remarks
            .add(Stage::Duplication, original, Decision::Copied);
        Some(block)
    }

    /// Whether control gets to the target without anybody deciding, as far as can be told before
    /// the other lanes are known: by falling through, or out of loops and switches all of whose
    /// ways out meet there, too.
    fn is_free(&self, target: u32, mut d: Destination, mut context: Context) -> bool {
        for _ in 0..MAX_CONSTRUCTS_LEFT {
            if d.natural {
                return true;
            }
            let frame = self.layout.frames[context.frame as usize];
            let leaves_switch = d.direct
                && self
                    .open
                    .get(context.frame as usize)
                    .is_some_and(|open| open.merge == Some(d.block));
            if leaves_switch
                && frame.loop_ == NONE
                && frame.head != NONE
                && self.all_go_to(frame.head, target)
            {
                context = self.open[context.frame as usize].outer;
                let Some(next) = destination(&self.layout.frames, &self.open, context, target)
                else {
                    return false;
                };
                d = next;
                continue;
            }
            let left = if frame.loop_ == NONE {
                frame.loop_frame
            } else {
                context.frame
            };
            let Some(open) = self
                .open
                .get(left as usize)
                .filter(|open| d.direct && open.merge == Some(d.block))
            else {
                return false;
            };
            let l = self.layout.frames[left as usize].loop_;
            let follow = self.placement.follows.follow[l as usize];
            if self.layout.position.get(follow as usize) != Some(&target) {
                return false;
            }
            context = open.outer;
            let Some(next) = destination(&self.layout.frames, &self.open, context, target) else {
                return false;
            };
            d = next;
        }
        false
    }

    /// Whether all edges that leave what hangs on a node lead to the target.
    fn all_go_to(&self, node: Node, target: u32) -> bool {
        let number = |to: u64| {
            self.graph
                .dfs
                .rpo
                .get(to as usize)
                .is_some_and(|&to| self.layout.position[to as usize] == target)
        };
        self.placement
            .subtrees
            .get(node as usize)
            .is_some_and(|subtree| subtree.target().is_ok_and(|to| to.is_some_and(number)))
    }
}
