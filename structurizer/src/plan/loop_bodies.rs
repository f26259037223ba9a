//! Loop bodies in breakable blocks: one branch to a continue target with instructions.
//!
//! `for (…; i++) { if (a) { x; if (b) continue; y; } z; }` has two branches to its continue target,
//! `i++` with the test. A driver with one kind of `continue` runs such a target where the loop begins,
//! with a flag for the first iteration, and all values of the loop pass through selections by that flag.
//! With the body in a breakable block its merge block is what was the continue target, each `continue`
//! is a break, and an empty block is the continue target:
//!
//! ```text
//! loop { switch { default: if (a) { x; if (b) break; y; } z; } i++; if (!…) break; }
//! ```
//!
//! Only loops that end at their continue target are changed: a driver has no break out of two constructs
//! either. The block hides the merge blocks of switches around the loop, which nothing in a loop
//! leads to, and switches in it must not have an edge to its merge block. Cost: linear in the blocks and
//! edges.

use alloc::vec::Vec;

use smallvec::SmallVec;

use super::blocks::{Blocks, Ending, OutEdge, OutEdgeData, PlannedBlock};
use crate::entity::{EntityRef, EntityVec};
use crate::ir::{Block, Function, SelectionHint, Terminator};
use crate::result::Merge;

/// A loop that may be changed.
struct Body {
    header: Block,
    merge: Block,
    latch: Block,
    /// Where the branches to the continue target are in the order.
    continues: SmallVec<[usize; 4]>,
    /// The edges from the header; one where the breakable block is entered by it.
    leaves_header: SmallVec<[OutEdge; 2]>,
    back: Option<OutEdge>,
    /// True if control leaves the loop from elsewhere than the continue target.
    is_left: bool,
}

/// In place of the number of a loop, where there is none.
const NO_LOOP: u32 = u32::MAX;

/// The loops, by number, that a block is the header, the merge block and the continue target of.
#[derive(Clone)]
struct Parts {
    header: u32,
    merge: u32,
    latch: u32,
}

/// What the blocks of the order before each place have.
struct Before {
    /// How many of them end the function, or are copies of blocks that may.
    ends: Vec<usize>,
    /// The start of the innermost switch around the place, with one at the place itself; 0 without one, as no
    /// loop starts before it.
    switch: Vec<usize>,
}

impl Blocks {
    /// Puts the bodies of loops with several branches to a continue target in breakable blocks; returns
    /// the headers and what were their continue targets.
    pub(crate) fn close_bodies(&mut self, func: &Function) -> SmallVec<[(Block, Block); 4]> {
        let mut changed = SmallVec::new();
        if self.repeated_continues(func) == 0 {
            return changed;
        }
        let places = self.places();
        let bodies = self.bodies(func, &places);
        if bodies.is_empty() {
            return changed;
        }
        let before = self.before(func, &places);
        // Where new blocks go: in front of the block that is at a place now.
        let mut inserted: Vec<(usize, Block)> = Vec::new();
        for body in &bodies {
            if is_closed(body, &places, &before) {
                self.close(body, &places, &mut inserted);
                changed.push((body.header, body.latch));
            }
        }
        self.insert(inserted);
        changed
    }

    /// Returns the place of each block in the order; [`usize::MAX`] for others.
    fn places(&self) -> EntityVec<Block, usize> {
        let mut places = EntityVec::filled(usize::MAX, self.len());
        for (i, &block) in self.order.iter().enumerate() {
            places[block] = i;
        }
        places
    }

    /// Returns the loops whose continue target has instructions and an exit, with the edges at their parts.
    fn bodies(&self, func: &Function, places: &EntityVec<Block, usize>) -> Vec<Body> {
        let mut bodies: Vec<Body> = { self.order.iter() }
            .filter_map(|&header| self.body(header, func))
            .collect();
        if bodies.is_empty() {
            return bodies;
        }
        let none = Parts {
            header: NO_LOOP,
            merge: NO_LOOP,
            latch: NO_LOOP,
        };
        let mut parts = EntityVec::filled(none, self.len());
        for (number, body) in bodies.iter().enumerate() {
            parts[body.header].header = number as u32;
            parts[body.merge].merge = number as u32;
            parts[body.latch].latch = number as u32;
        }
        for (number, edge) in self.edges.values().iter().enumerate() {
            let (id, from) = (OutEdge::new(number), &parts[edge.from]);
            let to = &parts[edge.to];
            if let Some(body) = bodies.get_mut(from.header as usize) {
                body.leaves_header.push(id);
            }
            if let Some(body) = bodies.get_mut(to.latch as usize) {
                body.continues.push(places[edge.from]);
            }
            let is_back = from.latch != NO_LOOP && from.latch == to.header;
            if is_back && let Some(body) = bodies.get_mut(to.header as usize) {
                body.back = Some(id);
            }
            // The merge block may be the header of the next loop.
            if !is_back && let Some(body) = bodies.get_mut(to.merge as usize) {
                body.is_left |= edge.from != body.latch;
            }
        }
        bodies
    }

    /// Returns the loop of a header, if its continue target has instructions and an exit.
    fn body(&self, header: Block, func: &Function) -> Option<Body> {
        let planned = self.blocks[header];
        let Merge::Loop {
            merge,
            continue_target: latch,
            ..
        } = planned.merge
        else {
            return None;
        };
        let in_input = latch.index() < func.num_blocks();
        let suits = in_input
            && latch != header
            && func.insts(latch).next().is_some()
            && self.blocks[latch].merge == Merge::None
            && matches!(self.blocks[latch].ending, Ending::Conditional { .. })
            && matches!(
                planned.ending,
                Ending::Branch(_) | Ending::Conditional { .. }
            );
        suits.then_some(Body {
            header,
            merge,
            latch,
            continues: SmallVec::new(),
            leaves_header: SmallVec::new(),
            back: None,
            is_left: false,
        })
    }

    /// Looks at the blocks in their order.
    fn before(&self, func: &Function, places: &EntityVec<Block, usize>) -> Before {
        let count = self.order.len();
        let mut before = Before {
            ends: Vec::with_capacity(count + 1),
            switch: Vec::with_capacity(count),
        };
        let mut ends = 0;
        // Open switches: start, end.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (place, &block) in self.order.iter().enumerate() {
            let planned = self.blocks[block];
            while open.last().is_some_and(|&(_, end)| end <= place) {
                open.pop();
            }
            // A break of a switch is that of the innermost one.
            if let (
                Merge::Selection { merge, .. },
                Ending::Switch(_) | Ending::SelectorSwitch | Ending::Breakable(_),
            ) = (planned.merge, planned.ending)
            {
                open.push((place, places[merge]));
            }
            before.ends.push(ends);
            before
                .switch
                .push(open.last().map_or(0, |&(start, _)| start));
            ends += usize::from(match planned.ending {
                Ending::CopyOf(_) => true,
                Ending::Unchanged => matches!(
                    func.terminator(block),
                    Some(Terminator::Return(_) | Terminator::Kill)
                ),
                _ => false,
            });
        }
        before.ends.push(ends);
        before
    }

    /// Puts the body of a loop in a breakable block.
    fn close(
        &mut self,
        body: &Body,
        places: &EntityVec<Block, usize>,
        inserted: &mut Vec<(usize, Block)>,
    ) {
        let &Body { header, latch, .. } = body;
        // The continue target: the back edge passes through it.
        let end = self.blocks.push(PlannedBlock::default());
        if let Some(back) = body.back {
            self.edges[back].to = end;
        }
        let back = self.plain_edge(end, header);
        self.blocks[end].ending = Ending::Branch(back);
        inserted.push((places[latch] + 1, end));
        // The breakable block, between the header and what it branches to.
        let switch = self.blocks.push(PlannedBlock::default());
        let (ending, after) = (self.blocks[header].ending, places[header] + 1);
        inserted.push((after, switch));
        let enter = match ending {
            Ending::Branch(edge) => {
                self.edges[edge].from = switch;
                edge
            }
            _ => {
                let branch = self.blocks.push(PlannedBlock {
                    merge: Merge::None,
                    ending,
                });
                for &edge in &body.leaves_header {
                    self.edges[edge].from = branch;
                }
                inserted.push((after, branch));
                self.report.blocks += 1;
                self.plain_edge(switch, branch)
            }
        };
        let edge = self.plain_edge(header, switch);
        self.blocks[switch] = PlannedBlock {
            merge: Merge::Selection {
                merge: latch,
                hint: SelectionHint::None,
            },
            ending: Ending::Breakable(enter),
        };
        let planned = &mut self.blocks[header];
        planned.ending = Ending::Branch(edge);
        if let Merge::Loop {
            continue_target, ..
        } = &mut planned.merge
        {
            *continue_target = end;
        }
        self.any_breakable = true;
        self.report.breakable_blocks += 1;
        self.report.blocks += 2;
    }

    fn plain_edge(&mut self, from: Block, to: Block) -> OutEdge {
        self.edges.push(OutEdgeData {
            from,
            to,
            assigns: None.into(),
            code: None.into(),
            selector: None.into(),
        })
    }

    /// Puts blocks in the order, those of one place as they are.
    fn insert(&mut self, mut inserted: Vec<(usize, Block)>) {
        inserted.sort_by_key(|&(place, _)| place);
        let mut order = Vec::with_capacity(self.order.len() + inserted.len());
        let mut next = inserted.into_iter().peekable();
        for (place, &block) in self.order.iter().enumerate() {
            while let Some((_, new)) = next.next_if(|&(at, _)| at <= place) {
                order.push(new);
            }
            order.push(block);
        }
        order.extend(next.map(|(_, new)| new));
        self.order = order;
    }
}

/// Returns whether a loop has several branches to its continue target, whether all of them may be
/// breaks, and whether control leaves the loop there only.
fn is_closed(body: &Body, places: &EntityVec<Block, usize>, before: &Before) -> bool {
    let (first, last) = (places[body.header], places[body.latch]);
    body.continues.len() >= 2
        && first < last
        && !body.is_left
        && before.ends.get(first) == before.ends.get(last)
        && { body.continues.iter() }
            .all(|&from| from >= first && before.switch.get(from).is_some_and(|&s| s < first))
}
