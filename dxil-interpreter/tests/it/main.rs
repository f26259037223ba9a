//! The tests of the interpreter, one module each. They are one program, so that it is linked once for
//! them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod corpus;
mod dxbc;
mod graphs;
mod hostile;
mod linking;
mod rules;
