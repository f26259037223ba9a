//! Translates DXIL modules to Vulkan SPIR-V.

pub mod bindings;
pub mod error;
pub mod options;

mod builder;
mod capabilities;
mod emit;
mod emitter;
mod interface;
mod lower;
mod memory;
mod ops;
mod resources;

pub use error::{Error, Location};
pub use options::{MinPrecision, Options, Target};
