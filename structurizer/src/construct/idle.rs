//! Block constructs that nobody leaves by a break in the end: their switch goes, and with it a
//! level of nesting.
//!
//! Whether lanes break out of a block construct is known only when everything in it has been
//! written: the selection that an escape was expected from may have turned out to need no join, or
//! the escape passes by a switch further in that it may not leave directly.

use trellis_entity::SecondaryMap;

use crate::construct::emit::Emitter;
use crate::ir::{Block, Terminator};
use crate::result::Merge;

impl Emitter<'_> {
    /// Makes a plain branch of each default-only switch of ours whose merge block is reached from
    /// one place only, by falling out of the construct at its end. Runs on the resolved graph.
    pub(super) fn drop_idle_constructs(&mut self) {
        if self.block_constructs.is_empty() {
            return;
        }
        let mut arrivals: SecondaryMap<Block, u32> = SecondaryMap::new();
        for branch in &self.branches {
            arrivals[branch.to] += 1;
        }
        let mut position = SecondaryMap::with_default(0u32);
        for (at, &block) in self.order.iter().enumerate() {
            position[block] = at as u32;
        }
        for header in std::mem::take(&mut self.block_constructs) {
            let (Merge::Selection { merge, .. }, Terminator::Switch { default, .. }) =
                (self.merges[header], self.func.term(header))
            else {
                continue;
            };
            if arrivals[merge] == 1 && self.falls_out(default, merge, &position) {
                self.func
                    .set_terminator(header, Terminator::Branch(default));
                self.merges[header] = Merge::None;
                self.report.block_constructs -= 1;
            }
        }
    }

    /// Whether control that enters a construct at a block gets to its merge block along the
    /// construct's own level: from merge block to merge block, and by plain branches. Steps go
    /// forwards and stop behind the construct, so all constructs together cost no more than the
    /// blocks that there are.
    fn falls_out(&self, mut at: Block, merge: Block, position: &SecondaryMap<Block, u32>) -> bool {
        while at != merge {
            let next = match (self.merges[at], self.func.term(at)) {
                (Merge::Selection { merge: next, .. } | Merge::Loop { merge: next, .. }, _) => next,
                (Merge::None, Terminator::Branch(next)) => next,
                _ => return false,
            };
            if position[next] <= position[at] || position[next] > position[merge] {
                return false;
            }
            at = next;
        }
        true
    }
}
