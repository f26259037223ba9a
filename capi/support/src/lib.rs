//! The boundary of Trellis's C libraries: handles, panics, and text.
//!
//! * [`handle`]: opaque handles that detect most mistakes of their users.
//! * [`catch`]: panics do not unwind into C.
//! * [`text`]: strings and ranges of bytes.

// A boundary to C cannot be written without unsafe code; each block states why it is sound.
#![allow(
    unsafe_code,
    reason = "a boundary to C cannot be written without it; each block says why it is sound"
)]

pub mod handle;
pub mod text;

mod catch;

pub use catch::catch;
