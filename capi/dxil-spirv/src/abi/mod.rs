//! The interface's types, as C has them: numbers, structs and callbacks of API 2.68.
//!
//! Enumerations are numbers, since a caller may pass any. Tests compare the sizes, offsets and numbers
//! with a C compiler's.

#![expect(
    missing_docs,
    reason = "the interface's own names; its header documents them"
)]

mod numbers;
mod options;
mod structs;

pub use numbers::*;
pub use options::*;
pub use structs::*;
