//! The passes: from the client's function to the graph that the plan is made for.
//!
//! [`convergence_regions`] adds the edges that keep blocks in their loops; [`empty_blocks`] removes
//! blocks from the function itself, and [`conditions`] joins branches of it. [`Graph::compute`] then
//! takes the reachable blocks as nodes; [`reducibility`] adds nodes to that graph and redirects its
//! edges, the function does not change any more.

mod conditions;
pub(crate) mod convergence_regions;
pub(crate) mod dispatch;
mod empty_blocks;
pub(crate) mod graph;
mod join;
pub(crate) mod reducibility;
pub(crate) mod single_return;
pub(crate) mod subtrees;

pub(crate) use dispatch::Form;
pub(crate) use graph::{Code, DispatchCase, Edge, Edit, Graph, Node, NodeKind};

use crate::ir::Function;
use crate::memory::sum_of_kept_bytes;
use crate::remark::Remarks;

/// The passes that change the function, with their memory.
#[derive(Default)]
pub(crate) struct Cleaner {
    empty_blocks: empty_blocks::EmptyBlocks,
    conditions: conditions::Analysis,
}

sum_of_kept_bytes!(Cleaner {
    empty_blocks,
    conditions,
});

impl Cleaner {
    /// Removes empty blocks ([`empty_blocks`]).
    pub(crate) fn empty_blocks(&mut self, func: &mut Function, remarks: &mut Remarks) {
        self.empty_blocks.run(func, remarks);
    }
    /// Joins branches to the same targets ([`conditions`]) in a function that may get `room` more entries;
    /// returns whether it changed.
    pub(crate) fn conditions(
        &mut self,
        func: &mut Function,
        room: usize,
        remarks: &mut Remarks,
    ) -> bool {
        conditions::run(func, remarks, room, &mut self.conditions)
    }
}
