//! The tests of the reader, one module each. They are one program, so that it is linked once for
//! them; `tests/mutate.rs` is another one, since it measures the allocations of the whole program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bitcode;
mod bitcode_errors;
mod container;
mod debug_info;
mod dxop;
mod function_errors;
mod fuzzing;
mod listing;
mod nodes;
mod shader;
mod shader_mutations;
mod small_module;
