//! The passes: from the client's function to the graph that the plan is made for.
//!
//! [`convergence_regions`] adds the edges that keep blocks in their loops; [`empty_blocks`] removes
//! blocks from the function itself, and [`conditions`] joins branches of it. [`Graph::compute`]
//! then takes the reachable blocks as nodes; [`reducibility`] adds nodes to that graph and
//! redirects its edges, the function no longer changes.

pub(crate) mod conditions;
pub(crate) mod convergence_regions;
pub(crate) mod dispatch;
pub(crate) mod empty_blocks;
pub(crate) mod graph;
mod join;
pub(crate) mod reducibility;
pub(crate) mod single_return;
pub(crate) mod subtrees;

pub(crate) use graph::{Code, DispatchCase, Edge, Edit, Graph, Node, NodeKind};
