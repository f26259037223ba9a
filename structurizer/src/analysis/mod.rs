//! Analyses of a control-flow graph: dominators, post-dominators, the frontiers of both, the loop
//! nesting forest, reachability.
//!
//! Each is a value that is computed from a borrowed graph and never patched. For clients,
//! [`FlowGraph`] has them on the blocks of a function. The passes use the same algorithms on other
//! graphs: each algorithm is one file, generic over the index type.

pub(crate) mod ancestors;
pub(crate) mod cfg;
pub(crate) mod dfs;
pub(crate) mod dominators;
pub(crate) mod flow;
mod flow_graph;
pub(crate) mod forward_dominators;
pub(crate) mod loops;
pub(crate) mod postdominators;

pub use flow_graph::{DominatorTree, FlowGraph, LoopForest, LoopInfo};
pub use forward_dominators::ForwardDominators;
