//! Analyses of a function's values and loops, on the public API of `trellis-structurizer`.
//!
//! | type | contents |
//! |---|---|
//! | [`Liveness`] | the values that are live at the start and at the end of each block |
//! | [`Variables`] | out of SSA: variables and copies in place of the phis of a result |
//! | [`Divergence`] | the values and branches that may differ between invocations that run together |
//! | [`LoopDetails`] | latches, exits and preheader of each loop, induction phis, constant trip counts |
//!
//! Dominators, post-dominators, the loop forest and reachability are in
//! [`trellis_structurizer::analysis`]; the feature `petgraph` lends graphs to petgraph. Each
//! analysis is a value that is computed from a borrowed
//! [well-formed](trellis_structurizer::check()) function and never patched. Clients describe their
//! instructions by closures: the semantics of instructions are opaque to the structurizer.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod divergence;
mod joins;
mod lists;
mod liveness;
mod loops;
#[cfg(feature = "petgraph")]
pub mod petgraph;
mod trip_count;
pub mod variables;

pub use divergence::{Dataflow, Divergence, Instructions, Rule};
pub use liveness::Liveness;
pub use loops::{Induction, LoopDetails, Meaning};
pub use trip_count::{Comparison, Test};
pub use variables::Variables;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
