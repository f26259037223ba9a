//! Parts for tests of the structurizer: inputs, an execution model, and one function that checks
//! everything.
//!
//! | module | contents |
//! |---|---|
//! | [`generate`] | random graphs, random structured programs, families of graphs of a given size |
//! | [`harness`] | numbers from the environment, files with expected results |
//! | [`simt`] | runs a function before and after structurization, all lanes of a wave together |
//! | [`optimum`] | the least cost of a structured program with a given graph, by exhaustive search |
//! | [`flow`] | which calls of a program follow each other, and which repeat together |
//! | [`check`] | every property of a result in one function, and a shrinker for functions that fail |
//! | [`shrink`] | a shrinker for syntax trees |
//!
//! Nothing here shares code with the structurizer's passes: the crate uses only the public API of
//! `trellis-structurizer`.
//!
//! ```
//! use structurizer_testkit::check::{Checks, check_function};
//! use structurizer_testkit::generate::random_function;
//!
//! for seed in 0..20 {
//!     check_function(&random_function(seed, 30), &Checks::default())?;
//! }
//! # Ok::<(), structurizer_testkit::check::Failure>(())
//! ```

pub mod check;
pub mod flow;
pub mod generate;
pub mod harness;
pub mod optimum;
pub mod shrink;
pub mod simt;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
