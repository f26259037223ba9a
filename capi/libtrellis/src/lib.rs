//! The C library of Trellis: `trellis.h`, `libtrellis`.
//!
//! The functions are in [`api`], their types and numbers in [`abi`]; the header is made of both. Programs
//! in Rust use `trellis-dxil`; this crate is a thin layer over it.
//!
//! * Each function checks its arguments: null pointers, numbers that are not defined, handles that
//!   were freed, answers of callbacks. A mistake, like a shader that cannot be translated, is a status
//!   and an error object. So is a panic, which would be a bug.
//! * Only the objects have state.

// An interface for C cannot be written without unsafe code; each block states why it is sound.
#![allow(
    unsafe_code,
    reason = "an interface for C cannot be written without it; each block says why it is sound"
)]

pub mod abi;
pub mod api;

mod answer;
mod bindings;
mod failure;
mod output;
mod settings;
mod shader;
mod stage_io;
mod text;
