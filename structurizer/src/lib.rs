//! Turns any control-flow graph into SPIR-V structured control flow.
//!
//! A client builds an [`ir::Function`] and calls [`structurize`]; the result is the same function
//! with fresh blocks and phis, a [`Merge`] for each header, and a block order that SPIR-V accepts.
//!
//! # Examples
//!
//! A branch whose two arms merge. [`text`] is the notation for graphs that the tests use:
//!
//! ```
//! use trellis_structurizer::{Merge, Options, Tree, structurize, text};
//!
//! let func = text::parse("a: b c\nb: d\nc: d\nd: ret").unwrap();
//! let entry = func.entry().unwrap();
//! let result = structurize(func, &Options::default())?;
//! assert!(matches!(result.merges[entry], Merge::Selection { .. }));
//! assert_eq!(result.report.selectors, 0);
//! println!("{}", Tree::of(&result));
//! # Ok::<(), trellis_structurizer::Error>(())
//! ```
//!
//! # Features
//! - `std` (default): std's part of the dependencies. Without it the crate and all of its
//!   dependencies need `alloc` only; the API is the same.
//! - `serde`: serialization of [`Counters`] and [`Stages`].

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod analysis;
mod build;
mod check;
mod counters;
mod entity;
pub mod equivalence;
mod error;
pub mod ir;
mod maps;
mod passes;
mod plan;
mod remark;
mod result;
mod selects;
mod snapshot;
mod ssa;
mod stage;
mod target;
pub mod text;
mod trace;
pub mod tree;
pub mod verify;
mod workspace;

pub use check::{CheckError, check};
pub use counters::Counters;
pub use error::Error;
pub use remark::{Decision, Remark};
pub use result::{Merge, Options, Report, Structured};
pub use snapshot::{Header, Snapshot, SnapshotNode};
pub use stage::{Changes, Stage, StageInfo, Stages};
pub use target::Target;
pub use trace::{Trace, trace};
pub use tree::Tree;
pub use workspace::Workspace;

use ir::Function;

/// Structurizes a function. Total: every well-formed function has a result.
///
/// The stages, in the order of [`Stage::TABLE`]:
/// 1. the passes change the function and its graph: they remove empty blocks, join branches to
///    the same targets, and make the graph reducible with one
///    back edge per loop, since everything after them is about loops with one header;
/// 2. the plan decides everything else: the merge target of each loop, the linear order of the
///    blocks that carries correctness and convergence, the scopes, and where a selector is needed;
/// 3. construction writes the blocks of the plan;
/// 4. SSA construction inserts phis and selectors, once all paths are known;
/// 5. selections that decide about values only become selects;
/// 6. the verifier checks the specification's rules, from the result alone;
/// 7. the comparison checks that the result behaves like the function, from both alone.
///
/// # Errors
/// [`Error::Malformed`] for a function that a client built wrongly, [`Error::TooLarge`] beyond
/// [`Options::max_blocks`], [`Error::ResultTooLarge`] beyond [`Options::max_growth`];
/// [`Error::Internal`] and [`Error::Verify`] would be bugs here, reported
/// instead of wrong output.
pub fn structurize(func: Function, options: &Options) -> Result<Structured, Error> {
    Workspace::new().structurize(func, options)
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
