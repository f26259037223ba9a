//! The optimum: the least cost that any structured program with a given graph needs, by exhaustive
//! search, for graphs of few blocks.
//!
//! A structured program *has* a graph if it runs each block of the graph once as it is, and nothing
//! else but merge blocks, loops, breakable blocks and tests of selectors. Its cost is
//! [`TEST`] per test and [`BREAKABLE_BLOCK`] per breakable block:
//!
//! * A *test* sends invocations on to one of several blocks, by a selector that they carry. A test
//!   that only another test leads to is part of that one, so a chain of comparisons and a switch are
//!   one test each.
//! * A *join* is a branch that takes the place of several to the same targets, with a phi of their
//!   conditions: `&&`, `||` and `?:`. It is free; see `joins`.
//! * A *breakable block* is a switch with a default case only.
//!
//! What the program may be: sequences, selections whose merge block is any block, switches with
//! fall-through, loops with any merge block and any continue construct, and exits as SPIR-V 1.6
//! (section 2.11) allows them; see `state`. Not among them are loops that run once, as breakable
//! blocks whose exits may leave switches, too; and blocks are not copied.
//!
//! [`all_graphs`] makes every graph of so many blocks, [`least_cost`] searches, [`Measure`] counts
//! what a result of the structurizer has.

mod graph;
mod joins;
mod lower;
mod measure;
mod search;
mod state;
#[cfg(test)]
mod tests;

pub use graph::{Digraph, MAX_NODES, Set, all_graphs, nodes};
pub use measure::Measure;
pub use search::{Found, least_cost};
pub use state::{BREAKABLE_BLOCK, TEST};

use crate::generate::plain;
use trellis_structurizer::ir::Function;
use trellis_structurizer::{Error, Options, structurize};

/// A graph's result against the optimum.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What the result has.
    pub measure: Measure,
    /// The optimum, if the result costs more.
    pub better: Option<Found>,
}

impl Comparison {
    /// Returns what the result costs more than the optimum.
    pub fn gap(&self) -> u32 {
        let optimum = self.better.as_ref();
        optimum.map_or(0, |found| self.measure.cost() - found.cost)
    }
}

/// Returns the function of a graph: each node is a block with one instruction, which has a side
/// effect.
pub fn function(graph: &Digraph) -> Function {
    plain(&graph.shape())
}

/// Structurizes a graph and compares the result with the optimum.
///
/// # Errors
/// Those of the structurizer.
pub fn compare(graph: &Digraph, options: &Options) -> Result<Comparison, Error> {
    let after = structurize(function(graph), options)?;
    let measure = Measure::of(&after, graph);
    let better = measure
        .cost()
        .checked_sub(1)
        .and_then(|bound| least_cost(graph, bound));
    Ok(Comparison { measure, better })
}
