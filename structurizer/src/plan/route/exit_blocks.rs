//! Exit-block duplication: copies of blocks that only end the invocation, for branches that would
//! need a selector to reach them.

use super::destination::Destination;
use super::{Continuation, Ending, Router};
use crate::entity::PackedOption;
use crate::ir::Block;
use crate::passes::subtrees::{Leads, Subtree};
use crate::passes::{Edge, Node};
use crate::plan::positions::Position;
use crate::remark::Decision;
use crate::result::StageError;
use crate::stage::Stage;

/// Maximum number of constructs through which a branch is followed outwards before it is assumed to
/// need a selector.
const MAX_CONSTRUCTS_LEFT: u32 = 64;

impl Router<'_> {
    /// Returns a copy of the block that an edge leads to, if that only ends the invocation and a
    /// branch to it would need a selector.
    pub(super) fn exit_copy(
        &mut self,
        node: Node,
        edge: Edge,
        d: Destination,
        at: Continuation,
    ) -> Result<Option<Block>, StageError> {
        let Some(original) = edge.assigns.expand().filter(|&block| {
            self.cx.graph.block(edge.to) == Some(block) && self.cx.may_copy_exit(edge.to)
        }) else {
            return Ok(None);
        };
        let target = self.position(edge.to)?;
        if self.needs_no_selector(target, d, at) {
            return Ok(None);
        }
        let Some(from) = self.cx.graph.block(node) else {
            return Ok(None);
        };
        let block = self.fresh();
        self.out.order.push(block);
        self.end(block, Ending::CopyOf { original, from });
        self.out.report.copies += 1;
        self.remarks
            .add(Stage::ExitBlocks, original, Decision::Copied);
        Ok(Some(block))
    }

    /// Returns whether control reaches the target without a selector, as far as is known before the
    /// other pending targets are routed: by falling through, or out of loops and switches all of
    /// whose exits meet there, too.
    fn needs_no_selector(
        &self,
        target: Position,
        mut d: Destination,
        mut at: Continuation,
    ) -> bool {
        for _ in 0..MAX_CONSTRUCTS_LEFT {
            if d.arrives {
                return true;
            }
            let Some(outer) = self.left_for(target, d, at) else {
                return false;
            };
            at = outer;
            let Some(next) = self.find_destination(at, target) else {
                return false;
            };
            d = next;
        }
        false
    }

    /// Returns the continuation of the loop or switch that a destination leaves, if all its exits
    /// have the same target.
    fn left_for(&self, target: Position, d: Destination, at: Continuation) -> Option<Continuation> {
        let scope = &self.shape.scopes[at.scope];
        let own = &self.walk.open[at.scope];
        let leaves = |merge: PackedOption<Block>| d.is_exit && merge == d.block.into();
        if scope.is_switch()
            && leaves(own.merge)
            && scope
                .head
                .expand()
                .is_some_and(|head| self.all_go_to(head, target))
        {
            return Some(own.outer);
        }
        let left = scope.loop_scope.expand()?;
        let l = self.shape.scopes[left].of_loop.expand()?;
        let merge_target = self.shape.exits.merge_target(l)?;
        let goes_there = self.shape.positions.of(merge_target) == Some(target);
        (leaves(self.walk.open[left].merge) && goes_there).then_some(self.walk.open[left].outer)
    }

    /// Returns whether all edges that leave the dominator subtree of a node lead to the target.
    fn all_go_to(&self, node: Node, target: Position) -> bool {
        let Some(Leads::To(to)) = self.shape.subtrees.get(node).map(Subtree::leads) else {
            return false;
        };
        self.shape.positions.of(to) == Some(target)
    }
}
