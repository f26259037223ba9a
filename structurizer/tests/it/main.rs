//! The tests of the structurizer, one module each. They are one program, so that it is linked once for
//! them; the header of `tests/random.rs`, which is another, has the reason.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod analysis;
mod break_flattening;
mod common;
mod continue_switches;
mod empty_blocks;
mod equivalence;
mod families;
mod filetests;
mod natural;
mod regions;
mod simt;
mod sizes;
mod snapshots;
mod source_tree;
mod spirv_val;
mod stages;
mod targets;
mod text;
mod tree;
mod uniform;
mod verify;
mod workspace;
