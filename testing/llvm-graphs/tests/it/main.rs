//! The tests with graphs and shaders of LLVM, one module each. They are one program, so that LLVM is
//! linked once for them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(feature = "llvm")]
mod c_programs;
#[cfg(feature = "llvm")]
mod comparison;
#[cfg(feature = "llvm")]
mod differential;
#[cfg(feature = "llvm")]
mod listing;
#[cfg(feature = "llvm")]
mod optimized;
mod shaders;
