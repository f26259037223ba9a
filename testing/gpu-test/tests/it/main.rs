//! The tests on Vulkan devices except the corpus tests, one module each. They are one program, so that
//! the converter is linked once for them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod coverage;
mod layer_options;
mod multisample;
mod odd_integers;
mod operations;
mod places;
mod restructured;
mod root_layouts;
mod stream_output;
mod work_graphs;
