//! Stage 8: constructs and escapes.
//!
//! [`placement`] gives every node a place in a tree whose preorder is the linear order that carries
//! correctness; [`layout`] decides which nodes are arms of a branch and which follow it, and
//! numbers the order; [`emit`] walks it and writes blocks, merges and selectors.

mod blocks;
mod collect;
pub(crate) mod emit;
mod ends;
mod fall_through;
mod follow;
mod idle;
mod join;
pub(crate) mod layout;
pub(crate) mod placement;
mod switch;
mod targets;
pub(crate) mod transfer;
