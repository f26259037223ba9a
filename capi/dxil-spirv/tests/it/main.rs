//! The tests of the C interface, one module each. They are one program, so that the converter is linked
//! once for them; the header of `tests/sequences.rs`, another one, has the reason.

#![allow(
    clippy::unwrap_used,
    reason = "tests state what they expect by unwrapping it"
)]

mod bad_input;
mod calls;
mod client;
mod common;
mod convert;
mod interface;
mod nodes;
mod places;
mod readme;
mod threads;
