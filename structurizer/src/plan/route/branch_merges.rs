//! Merge blocks for branches that need none, for targets in which each conditional branch has one
//! ([`Target::branch_merges`](crate::Target::branch_merges)).
//!
//! A branch with a break or a continue as one edge needs no merge instruction. Here it gets one:
//! its merge block is the target of the other edge, if that has no other predecessor, or else an
//! empty block on that edge; where both edges are exits, an unreachable block. The branch of a back
//! edge is unchanged: a loop's continue part ends with it (WGSL's `break if`).
//!
//! Such readers also take a branch to a merge block for the end of its construct, so that a loop
//! header that is a merge block gets an empty block before it: its back edge must not look like
//! such a branch.
//!
//! Linear in the blocks and edges.

use alloc::vec::Vec;

use super::{Ending, Router};
use crate::entity::{EntityRef, PackedOption, PrimaryMap};
use crate::ir::{Block, SelectionHint};
use crate::plan::blocks::{OutEdge, OutEdgeData};
use crate::result::Merge;

/// Uses of a block by others.
#[derive(Clone, Copy, Default)]
struct Use {
    /// Number of edges that lead to it, without back edges.
    edges: u32,
    /// True if it is the merge block of a header, or the continue target or header of a loop.
    is_named: bool,
    /// True if branches to it are breaks or continues.
    is_exit: bool,
}

impl Router<'_> {
    /// Gives each conditional branch a merge block. Runs when all edges are final.
    pub(super) fn declare_merges(&mut self) {
        if !self.cx.options.target.branch_merges {
            return;
        }
        self.separate_headers();
        let mut uses = self.uses_of_blocks();
        let mut test_in: PrimaryMap<Block, Option<[OutEdge; 2]>> =
            PrimaryMap::with_len(self.out.blocks.len());
        for test in &self.out.tests {
            test_in[test.block] = Some([test.then, test.otherwise]);
        }
        let old = core::mem::take(&mut self.out.order);
        let mut order = Vec::with_capacity(old.len());
        for block in old {
            order.push(block);
            let planned = self.out.blocks[block];
            if planned.merge != Merge::None {
                continue;
            }
            let edges = match planned.ending {
                Ending::Conditional {
                    then, otherwise, ..
                } => Some([then, otherwise]),
                _ => test_in[block],
            };
            let Some(edges) = edges else { continue };
            if edges.iter().any(|&edge| self.is_back_edge(edge)) {
                continue;
            }
            let merge = match edges.iter().find(|&&e| !uses[self.out.target(e)].is_exit) {
                Some(&inner) => {
                    let to = self.out.target(inner);
                    let of_to = &mut uses[to];
                    if of_to.edges == 1 && !of_to.is_named {
                        of_to.is_named = true;
                        to
                    } else {
                        let between = self.block_in(inner);
                        order.push(between);
                        between
                    }
                }
                None => {
                    let unreachable = self.fresh();
                    self.end(unreachable, Ending::Unreachable);
                    order.push(unreachable);
                    unreachable
                }
            };
            self.selection(block, merge, SelectionHint::None);
        }
        self.out.order = order;
    }

    /// Adds a block before each loop header that is a merge block.
    fn separate_headers(&mut self) {
        let mut before: PrimaryMap<Block, PackedOption<Block>> =
            PrimaryMap::with_len(self.out.blocks.len());
        let mut order = core::mem::take(&mut self.out.order);
        for &block in &order {
            let planned = self.out.blocks[block];
            let (Merge::Selection { merge, .. } | Merge::Loop { merge, .. }) = planned.merge else {
                continue;
            };
            let is_header = matches!(self.out.blocks[merge].merge, Merge::Loop { .. });
            if is_header {
                let fresh = self.fresh();
                before[merge] = fresh.into();
                if let Merge::Selection { merge, .. } | Merge::Loop { merge, .. } =
                    &mut self.out.blocks[block].merge
                {
                    *merge = fresh;
                }
            }
        }
        for index in 0..self.out.edges.len() {
            let edge = OutEdge::new(index);
            let to = self.out.edges[edge].to;
            if let Some(fresh) = before[to].expand()
                && !self.is_back_edge(edge)
            {
                self.out.edges[edge].to = fresh;
            }
        }
        for block in core::mem::take(&mut order) {
            if let Some(fresh) = before[block].expand() {
                let edge = self.add_edge(fresh, block);
                self.end(fresh, Ending::Branch(edge));
                order.push(fresh);
            }
            order.push(block);
        }
        self.out.order = order;
    }

    fn is_back_edge(&self, edge: OutEdge) -> bool {
        let edge = &self.out.edges[edge];
        let merge = self.out.blocks[edge.to].merge;
        matches!(merge, Merge::Loop { continue_target, .. } if continue_target == edge.from)
    }

    fn uses_of_blocks(&self) -> PrimaryMap<Block, Use> {
        let mut uses: PrimaryMap<Block, Use> = PrimaryMap::with_len(self.out.blocks.len());
        for (edge, data) in self.out.edges.iter() {
            uses[data.to].edges += u32::from(!self.is_back_edge(edge));
        }
        for &block in &self.out.order {
            let planned = &self.out.blocks[block];
            match planned.merge {
                Merge::None => {}
                Merge::Selection { merge, .. } => {
                    uses[merge].is_named = true;
                    let is_switch =
                        !matches!(planned.ending, Ending::Conditional { .. } | Ending::Test);
                    uses[merge].is_exit |= is_switch;
                }
                Merge::Loop {
                    merge,
                    continue_target,
                    ..
                } => {
                    uses[block].is_named = true;
                    for named in [merge, continue_target] {
                        uses[named].is_named = true;
                        uses[named].is_exit = true;
                    }
                }
            }
        }
        uses
    }

    /// Puts an empty block into an edge.
    fn block_in(&mut self, edge: OutEdge) -> Block {
        let between = self.fresh();
        let data = self.out.edges[edge];
        let second = self.out.edges.push_to_long(OutEdgeData {
            from: between,
            ..data
        });
        self.out.edges[edge] = OutEdgeData {
            from: data.from,
            to: between,
            assigns: None.into(),
            code: None.into(),
            selector: None.into(),
        };
        self.end(between, Ending::Branch(second));
        between
    }
}
