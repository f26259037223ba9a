//! Tests of the crate's public interface.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod assembler;
mod decode;
mod growth;
mod listing;
mod translate;
