//! The tests of the crate, as one program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod assembler;
mod common;
mod corpus;
mod graphs;
mod hostile;
mod naga;
