//! The passes: from the client's function to the graph that the plan is made for.
//!
//! [`convergence_regions`] adds the edges that keep blocks in their loops; [`phi_only_blocks`] and
//! [`empty_blocks`] remove blocks from the function itself, and [`conditions`] joins branches of it. [`Graph::compute`]
//! then takes the reachable blocks as nodes; [`shared_headers`] and [`reducibility`] add nodes to
//! that graph and redirect its edges, the function does not change any more.

mod conditions;
pub(crate) mod convergence_regions;
pub(crate) mod dispatch;
mod empty_blocks;
mod empty_steps;
pub(crate) mod graph;
mod join;
mod phi_only_blocks;
pub(crate) mod reducibility;
pub(crate) mod shared_headers;
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
    steps: empty_steps::EmptySteps,
    exits: phi_only_blocks::Exits,
    conditions: conditions::Analysis,
}

sum_of_kept_bytes!(Cleaner {
    steps,
    exits,
    conditions,
});

impl Cleaner {
    /// Removes phi-only blocks ([`phi_only_blocks`]).
    pub(crate) fn phi_only_blocks(&mut self, func: &mut Function, remarks: &mut Remarks) {
        phi_only_blocks::run(func, &mut self.steps, &mut self.exits, remarks);
    }
    /// Removes empty blocks ([`empty_blocks`]).
    pub(crate) fn empty_blocks(&mut self, func: &mut Function, remarks: &mut Remarks) {
        empty_blocks::run(func, &mut self.steps, remarks);
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
