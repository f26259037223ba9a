//! The passes: from the client's function to the graph that the plan is made for.
//!
//! [`convergence_regions`] adds the edges that keep blocks in their loops; [`phi_only_blocks`] and
//! [`empty_blocks`] remove blocks from the function itself. [`Graph::of`]
//! then takes the reachable blocks as nodes; [`shared_headers`] and [`reducibility`] add nodes to
//! that graph and redirect its edges, the function does not change any more.

pub(crate) mod convergence_regions;
pub(crate) mod dispatch;
pub(crate) mod empty_blocks;
mod empty_steps;
pub(crate) mod graph;
pub(crate) mod phi_only_blocks;
pub(crate) mod reducibility;
pub(crate) mod shared_headers;
pub(crate) mod single_return;
pub(crate) mod subtrees;

pub(crate) use dispatch::Form;
pub(crate) use graph::{Code, DispatchCase, Edge, Graph, Node, NodeKind};
