//! The nesting of the selections of a plan, and which of them are left from inside.

use alloc::vec::Vec;

use super::blocks::{Blocks, Ending};
use crate::entity::{EntityRef, EntityVec};
use crate::ir::{Block, Function, Terminator};
use crate::result::Merge;

/// What the nesting of the selections of a plan costs a driver.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Selections {
    /// How many a break, a `continue` or a return leaves while others fall out of an arm.
    pub(crate) left: usize,
    /// How many are around one block, at most.
    pub(crate) depth: usize,
    /// How many branches more than one lead to a continue target that is not empty: a driver with
    /// one kind of `continue` keeps a flag for them, and runs the target where the loop begins.
    pub(crate) continues: usize,
}

impl Blocks {
    /// Finds out how the selections nest and are left. Linear in the blocks and edges.
    pub(crate) fn selections(&self, func: &Function) -> Selections {
        let mut nesting = Nesting::of(self, func);
        for (i, &block) in (0..).zip(&self.order) {
            nesting.close_until(i);
            nesting.visit(self, block);
        }
        nesting.close_until(u32::MAX);
        Selections {
            continues: self.repeated_continues(func, &nesting.preds),
            ..nesting.found
        }
    }

    /// Returns [`Selections::continues`].
    fn repeated_continues(&self, func: &Function, preds: &EntityVec<Block, u32>) -> usize {
        let of_loop = |&block: &Block| match self.blocks[block].merge {
            Merge::Loop {
                continue_target, ..
            } => {
                let in_input = continue_target.index() < func.num_blocks();
                let is_empty = !in_input || func.insts(continue_target).next().is_none();
                let more = preds[continue_target].saturating_sub(1) as usize;
                if is_empty { 0 } else { more }
            }
            _ => 0,
        };
        self.order.iter().map(of_loop).sum()
    }
}

/// The selections around a block, while the blocks are visited in order.
struct Nesting {
    index: EntityVec<Block, u32>,
    /// The farthest block in the order that each block leads to; [`u32::MAX`] for a return.
    farthest: EntityVec<Block, u32>,
    /// How many branches lead to each block.
    preds: EntityVec<Block, u32>,
    open: Vec<Open>,
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

impl Nesting {
    fn of(blocks: &Blocks, func: &Function) -> Self {
        let mut index: EntityVec<Block, u32> = EntityVec::new(blocks.len());
        for (i, &block) in (0..).zip(&blocks.order) {
            index[block] = i;
        }
        let mut farthest: EntityVec<Block, u32> = EntityVec::new(blocks.len());
        let mut preds = farthest.clone();
        for edge in blocks.edges.values() {
            farthest[edge.from] = farthest[edge.from].max(index[edge.to]);
            preds[edge.to] += 1;
        }
        for &block in &blocks.order {
            let ended_as = match blocks.blocks[block].ending {
                Ending::Unchanged => block,
                Ending::CopyOf(original) => original,
                _ => continue,
            };
            if let Some(Terminator::Return(_)) = func.terminator(ended_as) {
                farthest[block] = u32::MAX;
            }
        }
        Self {
            index,
            farthest,
            preds,
            open: Vec::new(),
            found: Selections::default(),
        }
    }

    /// Closes the selections whose merge block is at a place or before it.
    fn close_until(&mut self, at: u32) {
        while let Some(closed) = self.open.pop_if(|open| open.end <= at) {
            self.found.left += usize::from(closed.far > closed.end && closed.falls);
            if let Some(around) = self.open.last_mut() {
                around.far = around.far.max(closed.far);
            }
        }
    }

    fn visit(&mut self, blocks: &Blocks, block: Block) {
        let planned = blocks.blocks[block];
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
            self.open.push(Open {
                end: self.index[merge],
                far: 0,
                falls: self.preds[merge] > own,
            });
            self.found.depth = self.found.depth.max(self.open.len());
        }
        if let Some(around) = self.open.last_mut() {
            around.far = around.far.max(self.farthest[block]);
        }
    }
}
