//! The tests of the analyses, one module each, in one program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod divergence;
mod filetests;
mod liveness;
#[cfg(feature = "petgraph")]
mod petgraph;
mod variables;
