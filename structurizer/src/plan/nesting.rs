//! Counts over the blocks of a plan for its cost: how selections nest and which are left from inside, loops
//! that returns leave, and operands of phis for values that pass inserted blocks.

use smallvec::{SmallVec, smallvec};

use super::blocks::{Blocks, Ending, OutEdge};
use crate::entity::{Adjacency, EntityRef, EntityVec};
use crate::ir::{Block, Function, Terminator};
use crate::result::Merge;

/// What the nesting of the selections of a plan costs a driver.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Selections {
    /// How many a break, a `continue` or a return leaves while others fall out of an arm.
    pub(crate) left: usize,
    /// How many are around one block, at most.
    pub(crate) depth: usize,
}

impl Blocks {
    /// Finds out how the selections nest and are left. Linear in the blocks and edges.
    pub(crate) fn selections(&self, func: &Function) -> Selections {
        // Nearly all functions have so few blocks that nothing is allocated.
        let mut places: SmallVec<[Place; 64]> = smallvec![Place::default(); self.len()];
        find_places(self, func, &mut places);
        let mut nesting = Nesting {
            blocks: self,
            places: &places,
            open: SmallVec::new(),
            found: Selections::default(),
        };
        for (i, &block) in (0..).zip(&self.order) {
            nesting.close_until(i);
            nesting.visit(block);
        }
        nesting.close_until(u32::MAX);
        nesting.found
    }

    /// Returns how many operands the phis have that inserted blocks need for what the branches through them
    /// give to the phis of their targets. Those that all branches give one value are counted, too. Linear in
    /// the blocks and edges.
    pub(crate) fn carried_operands(&self, func: &Function) -> usize {
        let input = func.num_blocks();
        let mut leaving: Adjacency<Block, OutEdge> = Adjacency::default();
        leaving.regroup(self.len(), || {
            self.edges.iter().map(|(e, edge)| (edge.from, e))
        });
        // How many values each inserted block gets at most, and by how many branches.
        let mut carried: EntityVec<Block, (usize, usize)> = EntityVec::new(self.len());
        for &block in &self.order {
            for &edge in &leaving[block] {
                let edge = &self.edges[edge];
                let values = match edge.assigns.expand() {
                    Some(assigning) => func.phis(assigning.target).count(),
                    None => carried[block].0,
                };
                if edge.to.index() >= input {
                    let (most, branches) = &mut carried[edge.to];
                    *most = values.max(*most);
                    *branches += 1;
                }
            }
        }
        let operands = carried
            .values()
            .iter()
            .map(|&(values, branches)| match branches {
                0 | 1 => 0,
                _ => values.saturating_mul(branches),
            });
        operands.fold(0, usize::saturating_add)
    }

    /// Returns how many loops in other loops a return inside leaves. Linear in the blocks.
    pub(crate) fn nested_returns(&self, func: &Function) -> usize {
        // The merge block of each open loop, and whether there is a return in it.
        let mut open: SmallVec<[(Block, bool); 8]> = SmallVec::new();
        let mut found = 0;
        for &block in &self.order {
            while let Some(&(merge, returns)) = open.last()
                && merge == block
            {
                open.pop();
                if let Some(around) = open.last_mut() {
                    found += usize::from(returns);
                    around.1 |= returns;
                }
            }
            if let Merge::Loop { merge, .. } = self.blocks[block].merge {
                open.push((merge, false));
            }
            if let Some(innermost) = open.last_mut() {
                innermost.1 |= self.returns(block, func);
            }
        }
        found
    }

    /// Returns whether a block returns.
    fn returns(&self, block: Block, func: &Function) -> bool {
        let ended_as = match self.blocks[block].ending {
            Ending::Unchanged => block,
            Ending::CopyOf(original) => original,
            _ => return false,
        };
        matches!(func.terminator(ended_as), Some(Terminator::Return(_)))
    }
}

/// What is looked up of a block.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Its index in the order.
    index: u32,
    /// The farthest block in the order that it leads to; [`u32::MAX`] for a return.
    farthest: u32,
    /// How many branches lead to it.
    preds: u32,
}

/// The selections around a block, while the blocks are visited in order.
struct Nesting<'a> {
    blocks: &'a Blocks,
    places: &'a [Place],
    open: SmallVec<[Open; 8]>,
    found: Selections,
}

/// A selection that is open.
struct Open {
    /// Where its merge block is.
    end: u32,
    /// The farthest block that what is inside leads to.
    far: u32,
    /// Whether an arm falls through to the merge block.
    falls: bool,
}

/// Looks up the places of the blocks, in a list of a place for each.
fn find_places(blocks: &Blocks, func: &Function, places: &mut [Place]) {
    for (i, &block) in (0..).zip(&blocks.order) {
        let place = &mut places[block.index()];
        place.index = i;
        if blocks.returns(block, func) {
            place.farthest = u32::MAX;
        }
    }
    for edge in blocks.edges.values() {
        let to = &mut places[edge.to.index()];
        to.preds += 1;
        let index = to.index;
        let from = &mut places[edge.from.index()];
        from.farthest = from.farthest.max(index);
    }
}

impl Nesting<'_> {
    /// Closes the selections whose merge block is at a place or before it.
    fn close_until(&mut self, at: u32) {
        while let Some(last) = self.open.last()
            && last.end <= at
        {
            self.found.left += usize::from(last.far > last.end && last.falls);
            let far = last.far;
            self.open.pop();
            if let Some(around) = self.open.last_mut() {
                around.far = around.far.max(far);
            }
        }
    }

    fn visit(&mut self, block: Block) {
        let blocks = self.blocks;
        let planned = &blocks.blocks[block];
        if let (Merge::Selection { merge, .. }, Ending::Conditional { .. } | Ending::Test) =
            (planned.merge, planned.ending)
        {
            let own = match planned.ending {
                Ending::Conditional {
                    then, otherwise, ..
                } => u32::from(blocks.target(then) == merge || blocks.target(otherwise) == merge),
                // A test of a selector skips what is in it.
                _ => 1,
            };
            let merge = self.places[merge.index()];
            self.open.push(Open {
                end: merge.index,
                far: 0,
                falls: merge.preds > own,
            });
            self.found.depth = self.found.depth.max(self.open.len());
        }
        if let Some(around) = self.open.last_mut() {
            around.far = around.far.max(self.places[block.index()].farthest);
        }
    }
}
