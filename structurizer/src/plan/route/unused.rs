//! Removal of breakable blocks that nothing breaks out of: their switch is removed, and with it a
//! level of nesting.
//!
//! Breaks out of a breakable block are only known when everything in it has been routed: the
//! selection that a selector was expected from may have turned out to need no merge block, or the
//! branch bypasses a switch further in that it may not leave directly.

use super::{Ending, Router};
use crate::entity::PrimaryMap;
use crate::ir::Block;
use crate::result::Merge;

/// Facts about the blocks of the output.
#[derive(Default)]
pub(super) struct Unused {
    edges_into: PrimaryMap<Block, u32>,
    /// The index of each block in the order.
    index: PrimaryMap<Block, usize>,
}

impl Router<'_> {
    /// Makes a plain branch of each breakable block whose merge block is reached by one edge only,
    /// by falling out of the construct at its end, and of each label that nothing reaches. Runs
    /// after aliases are resolved.
    pub(super) fn remove_unused(&mut self) {
        if self.walk.breakable.is_empty() {
            return;
        }
        let mut unused = core::mem::take(&mut self.walk.unused);
        let Unused { edges_into, index } = &mut unused;
        edges_into.reset(self.out.blocks.len());
        for edge in self.out.edges.values() {
            edges_into[edge.to] += 1;
        }
        index.reset(self.out.blocks.len());
        for (i, &block) in self.out.order.iter().enumerate() {
            index[block] = i;
        }
        for i in 0..self.walk.breakable.len() {
            let header = self.walk.breakable[i].0;
            let planned = self.out.blocks[header];
            let (Merge::Selection { merge, .. }, Ending::Breakable(edge)) =
                (planned.merge, planned.ending)
            else {
                continue;
            };
            // A label that nothing reaches is not in the order, and neither is its target.
            let is_unused = self.labels.is_some() && edges_into[merge] == 0
                || edges_into[merge] == 1 && self.falls_out(self.out.target(edge), merge, index);
            if is_unused {
                self.end(header, Ending::Branch(edge));
                self.out.blocks[header].merge = Merge::None;
                self.out.report.breakable_blocks -= 1;
            }
        }
        self.walk.unused = unused;
    }

    /// Returns whether control that enters a construct at a block gets to its merge block along the
    /// construct's own level: from merge block to merge block, and by plain branches. Steps lead
    /// forward and stop after the construct, so all constructs together cost no more than the
    /// blocks that there are.
    fn falls_out(&self, mut at: Block, merge: Block, index: &PrimaryMap<Block, usize>) -> bool {
        while at != merge {
            let planned = &self.out.blocks[at];
            let next = match (planned.merge, planned.ending) {
                (Merge::Selection { merge: next, .. } | Merge::Loop { merge: next, .. }, _) => next,
                (Merge::None, Ending::Branch(edge)) => self.out.target(edge),
                _ => return false,
            };
            if index[next] <= index[at] || index[next] > index[merge] {
                return false;
            }
            at = next;
        }
        true
    }
}
