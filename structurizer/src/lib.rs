//! Turns any control-flow graph into SPIR-V structured control flow.
//!
//! A client builds an [`ir::Function`] and calls [`structurize`]; the result is the same function
//! with fresh blocks and phis, a [`Merge`] for each header, and a block order that SPIR-V accepts.

pub mod ir;
pub mod simt;
pub mod text;
pub mod verify;
mod result;

pub use result::{Error, Merge, Options, Report, Structured};

use ir::Function;

/// Structurizes a function. Total: every well-formed function has a result.
pub fn structurize(func: Function, options: &Options) -> Result<Structured, Error> {
    ir::check(&func)?;
    let _ = options;
    Err(Error::NotYet)
}
