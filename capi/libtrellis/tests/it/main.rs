//! The tests of the C library, one module each. They are one program, so that the converter is linked
//! once for them; the header of `tests/sequences.rs`, another one, has the reason.

#![allow(
    clippy::unwrap_used,
    reason = "tests state what they expect by unwrapping it"
)]
#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "the interface is one for C: each block passes pointers to what is alive during the call, or \
              what a client may pass by mistake"
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
