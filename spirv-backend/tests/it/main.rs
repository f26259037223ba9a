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
mod hit_objects;
mod layer_options;
mod layers;
mod legalize;
mod memory;
mod mesh;
mod mutated;
mod nodes;
mod operations;
mod ray_query;
mod ray_tracing;
mod resources;
mod root_signature;
mod stage_io;
mod stages;
mod texel_buffers;
mod untranslated;
mod vectors;
mod vendor;
