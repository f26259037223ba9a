//! The tests of sets of shaders, one module each. They are one program, so that the converter is linked
//! once for them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod archives;
mod cache;
mod minimize;
mod report_schema;
#[path = "../../src/sample.rs"]
mod sample;
mod sarif_schema;
mod support;

// The names that `sample` has.
use trellis_corpus::{failure, report};
