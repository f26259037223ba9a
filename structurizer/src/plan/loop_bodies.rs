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
//! leads to, and switches in it must not have an edge to its merge block. Cost: linear in the blocks for
//! each loop that is changed or nearly so, and in the edges.

use smallvec::SmallVec;

use super::blocks::{Blocks, Ending, OutEdge, OutEdgeData, PlannedBlock};
use crate::entity::{EntityRef, EntityVec};
use crate::ir::{Block, Function, SelectionHint, Terminator};
use crate::result::Merge;

/// A loop that may be changed.
#[derive(Clone, Copy)]
struct Body {
    header: Block,
    merge: Block,
    latch: Block,
}

/// The place of each block in the order; [`usize::MAX`] for others.
type Places = EntityVec<Block, usize>;

impl Blocks {
    /// Puts the bodies of loops with several branches to a continue target in breakable blocks; returns
    /// the headers and what were their continue targets.
    pub(crate) fn close_bodies(&mut self, func: &Function) -> SmallVec<[(Block, Block); 4]> {
        let mut changed = SmallVec::new();
        if self.repeated_continues(func) == 0 {
            return changed;
        }
        let mut places = Places::new(0);
        for i in 0..self.order.len() {
            let Some(body) = self.body(self.order[i], func) else {
                continue;
            };
            if places.is_empty() {
                self.find_places(&mut places);
            }
            if self.is_closed(body, func, &places) {
                self.close(body, &places);
                self.find_places(&mut places);
                changed.push((body.header, body.latch));
            }
        }
        changed
    }

    fn find_places(&self, places: &mut Places) {
        places.refill(usize::MAX, self.len());
        for (i, &block) in self.order.iter().enumerate() {
            places[block] = i;
        }
    }

    /// Returns the loop of a header, if its continue target has instructions and the only exit.
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
        })
    }

    /// Returns whether a loop has several branches to its continue target, whether all of them may be
    /// breaks, and whether control leaves the loop there only.
    fn is_closed(&self, body: Body, func: &Function, places: &Places) -> bool {
        let (first, last) = (places[body.header], places[body.latch]);
        let mut continues: SmallVec<[usize; 8]> = SmallVec::new();
        for edge in self.edges.values() {
            if edge.to == body.merge && edge.from != body.latch {
                return false;
            }
            if edge.to == body.latch {
                continues.push(places[edge.from]);
            }
        }
        if continues.len() < 2 || first >= last {
            return false;
        }
        self.order[first..last].iter().all(|&block| {
            let planned = self.blocks[block];
            let ends = match planned.ending {
                Ending::CopyOf(_) => true,
                Ending::Unchanged => matches!(
                    func.terminator(block),
                    Some(Terminator::Return(_) | Terminator::Kill)
                ),
                _ => false,
            };
            // A break of a switch is that of the innermost one.
            let in_switch = match (planned.merge, planned.ending) {
                (
                    Merge::Selection { merge, .. },
                    Ending::Switch(_) | Ending::SelectorSwitch | Ending::Breakable(_),
                ) => {
                    let span = places[block]..places[merge];
                    continues.iter().any(|from| span.contains(from))
                }
                _ => false,
            };
            !ends && !in_switch
        })
    }

    /// Puts the body of a loop in a breakable block.
    fn close(&mut self, body: Body, places: &Places) {
        let Body { header, latch, .. } = body;
        // The continue target: the back edge passes through it.
        let end = self.blocks.push(PlannedBlock::default());
        for edge in (0..self.edges.len()).map(OutEdge::new) {
            let edge = &mut self.edges[edge];
            if edge.from == latch && edge.to == header {
                edge.to = end;
            }
        }
        let back = self.plain_edge(end, header);
        self.blocks[end].ending = Ending::Branch(back);
        self.order.insert(places[latch] + 1, end);
        // The breakable block, between the header and what it branches to.
        let switch = self.blocks.push(PlannedBlock::default());
        let (ending, after) = (self.blocks[header].ending, places[header] + 1);
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
                for edge in (0..self.edges.len()).map(OutEdge::new) {
                    let edge = &mut self.edges[edge];
                    if edge.from == header {
                        edge.from = branch;
                    }
                }
                self.order.insert(after, branch);
                self.report.blocks += 1;
                self.plain_edge(switch, branch)
            }
        };
        let edge = self.plain_edge(header, switch);
        self.order.insert(after, switch);
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
            assigns: None,
            code: None.into(),
            selector: None.into(),
        })
    }
}
