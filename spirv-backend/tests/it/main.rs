//! The tests of the converter, one module each. They are one program, so that it is linked once for them;
//! `tests/converter.rs` and `tests/mutate.rs` are others, since their allocators count.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod assembled;
mod assembler;
mod bindings;
mod byte_offsets;
mod common;
mod corpus;
mod debug_info;
mod device_addresses;
mod divisions;
mod layer_options;
mod legalize;
mod linking;
mod mesh;
mod mutated;
mod nodes;
mod operations;
mod outputs;
mod producers;
mod ray_tracing;
mod root_signature;
mod stage_io;
mod stages;
mod texel_buffers;
mod untranslated;
