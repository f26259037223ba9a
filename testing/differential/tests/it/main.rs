//! The tests of random HLSL programs, one module each. They are one program, so that the converter is
//! linked once for them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod assembled;
mod programs;
mod recompiled;
mod shapes;
mod typed;
