//! The tests of the C library, one module each. They are one program, so that the converter is linked
//! once for them; the header of `tests/sequences.rs`, another one, has the reason.

#![allow(
    clippy::unwrap_used,
    reason = "tests state what they expect by unwrapping it"
)]

mod abi;
mod bad_input;
#[cfg(unix)]
mod book;
mod calls;
#[cfg(unix)]
mod client;
mod common;
mod convert;
mod header;
mod threads;
