//! Labels: the exits of targets with multi-level exits.
//!
//! Of the nodes that follow a construct, the first one is where its merge block leads. Each further
//! one gets a breakable block, a *labelled block*, around the construct and the nodes before it:
//!
//! ```text
//! 'c: {
//!     'b: {
//!         if … { … } // its merge block leads to a
//!         a          // falls through to b
//!     }
//!     b
//! }
//! c
//! ```
//!
//! So every pending target has its own merge block or continue target in an enclosing construct,
//! and everything that arrives at a merge block has the same target: no selector is needed (Ramsey,
//! "Beyond Relooper", 2022, which wraps the children of a node in the dominator tree in the same
//! way).

use alloc::vec::Vec;

use super::{Continuation, Ending, NodeList, Router, Step, internal};
use crate::entity::{PackedOption, PrimaryMap};
use crate::ir::{Block, SelectionHint};
use crate::maps::FxHashMap;
use crate::passes::Node;
use crate::plan::positions::Position;
use crate::result::StageError;

/// The exits that the constructs around the current code offer.
pub(super) struct Labels {
    /// Merge blocks and continue targets by the position that they lead to; inner constructs are
    /// last.
    open: FxHashMap<Position, Vec<Block>>,
    /// The merge block of the labelled block before a node.
    merge: PrimaryMap<Node, PackedOption<Block>>,
}

impl Labels {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            open: FxHashMap::default(),
            merge: PrimaryMap::with_len(nodes),
        }
    }
    /// Returns the block of the innermost construct that leads to a target.
    pub(super) fn innermost(&self, target: Position) -> Option<Block> {
        self.open.get(&target)?.last().copied()
    }
}

impl Router<'_> {
    /// Opens an exit: `block` leads to the target until it is closed.
    pub(super) fn open_label(&mut self, target: PackedOption<Position>, block: Block) {
        if let (Some(labels), Some(target)) = (&mut self.labels, target.expand()) {
            labels.open.entry(target).or_default().push(block);
        }
    }

    /// Closes an exit when its block is routed.
    pub(super) fn close_label(&mut self, target: PackedOption<Position>, block: Block) {
        if let (Some(labels), Some(target)) = (&mut self.labels, target.expand())
            && let Some(open) = labels.open.get_mut(&target)
            && open.last() == Some(&block)
        {
            open.pop();
        }
    }

    /// Returns the blocks in which a list of following nodes starts: of a list that starts after a
    /// labelled block, its merge block.
    pub(super) fn label_of(&self, list: NodeList) -> Option<Block> {
        let labels = self.labels.as_ref()?;
        let &first = self.walk.lists[list.range()].first()?;
        labels.merge[first].expand()
    }

    /// Opens a labelled block for each node of a list from `block` on; the last node's is
    /// outermost. Returns the block inside, in which the construct begins.
    pub(super) fn open_labels(
        &mut self,
        mut block: Block,
        list: NodeList,
    ) -> Result<Block, StageError> {
        if self.labels.is_none() {
            return Ok(block);
        }
        for i in list.range().rev() {
            let node = self.walk.lists[i];
            let (inside, merge) = (self.fresh(), self.fresh());
            self.out.order.push(inside);
            let edge = self.add_edge(block, inside);
            self.end(block, Ending::Breakable(edge));
            self.selection(block, merge, SelectionHint::None);
            self.out.report.breakable_blocks += 1;
            self.out.any_breakable = true;
            self.walk.breakable.push((block, node));
            if let Some(labels) = &mut self.labels {
                labels.merge[node] = merge.into();
            }
            let position = self.position(node)?;
            self.open_label(position.into(), merge);
            block = inside;
        }
        Ok(block)
    }

    /// Routes a merge block where all paths continue with the first of the following nodes, or with
    /// the outer continuation.
    pub(super) fn labelled_merge(
        &mut self,
        merge: Block,
        following: NodeList,
        at: Continuation,
    ) -> Result<(), StageError> {
        let position = self.next_position(following, at)?;
        self.close_label(position, merge);
        let targets = self.walk.pending.take(merge);
        if targets.only().is_some_and(|only| position != only.into()) || targets.len() > 1 {
            return Err(internal("a merge block with several targets"));
        }
        let is_reached = !targets.is_empty();
        let is_label = self.label_of(following) == Some(merge);
        if !is_reached && !is_label && !self.walk.arrivals[merge].is_optional {
            self.out.order.push(merge);
            self.end(merge, Ending::Unreachable);
        }
        if following.is_empty() {
            return if is_reached {
                self.leave(merge, targets, at)
            } else {
                Ok(())
            };
        }
        let node = self.walk.lists[following.next as usize];
        let rest = following.rest();
        let mut inner = at;
        if let Some(after) = self.label_of(rest) {
            inner.position = self.next_position(rest, at)?;
            inner.block = after.into();
            self.walk.steps.push(Step::Merge(after, rest, at));
        }
        if is_reached {
            self.walk.arrivals[merge].alias = self.entry(node).into();
            self.walk.steps.push(Step::Region(node, inner));
        }
        Ok(())
    }
}

impl NodeList {
    /// Returns the list without its first node.
    pub(super) fn rest(self) -> Self {
        Self {
            next: (self.next + 1).min(self.end),
            end: self.end,
        }
    }
}
