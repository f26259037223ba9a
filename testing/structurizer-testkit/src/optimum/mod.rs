//! The optimum: the least cost that any structured program with a given graph needs, by exhaustive
//! search, for graphs of few blocks.
//!
//! A structured program *has* a graph if it runs each block of the graph once as it is, and nothing
//! else but merge blocks, loops, breakable blocks and tests of selectors. Its cost is the number of
//! tests, breakable blocks and loops that run once:
//!
//! * A *test* sends invocations on to one of several blocks, by a selector that they carry. A test
//!   that only another test leads to is part of that one, so a chain of comparisons and a switch are
//!   one test each.
//! * A *breakable block* is a switch with a default case only, for the breaks inside; so is a loop that
//!   runs once, whose breaks may leave switches, too.
//!
//! The space of programs: sequences, selections whose merge block is any block, switches with
//! fall-through, loops with any merge block and any continue construct, and exits as SPIR-V 1.6
//! (section 2.11) allows them; see `search`. Blocks are not copied.
//!
//! [`all_graphs`] makes every graph with a number of blocks, [`least_cost`] searches, [`cost_of`]
//! computes the cost of a result of the structurizer.

mod graph;
mod measure;
mod search;
#[cfg(test)]
mod tests;

pub use graph::{Digraph, Set, all_graphs};
pub use measure::cost_of;
pub use search::least_cost;

use crate::generate::plain;
use trellis_structurizer::ir::Function;
use trellis_structurizer::{Error, Options, structurize};

/// Returns the function of a graph: each node is a block with one instruction, which has a side
/// effect.
pub fn function(graph: &Digraph) -> Function {
    plain(&graph.shape())
}

/// Structurizes a graph. Returns the cost of the result, and how much less the optimum costs.
///
/// # Errors
/// Those of the structurizer.
pub fn compare(graph: &Digraph) -> Result<(u32, u32), Error> {
    let after = structurize(function(graph), &Options::default())?;
    let cost = cost_of(&after, graph.num_nodes());
    let better = cost.checked_sub(1);
    let better = better.and_then(|bound| least_cost(graph, bound));
    Ok((cost, cost - better.unwrap_or(cost)))
}
