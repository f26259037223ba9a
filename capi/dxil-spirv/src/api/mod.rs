//! The functions. Each has the reference's name, arguments and meaning.
//!
//! # Safety
//! As in the reference: pointers are null, or refer to a value of their type, of the length that is
//! passed with them; strings end with a zero; handles are null or came from this library (freed
//! ones are detected); callbacks may be called with their data, on the thread of the call, until
//! they are replaced or their converter is freed. Null pointers are errors unless the reference
//! allows them.

#![expect(
    clippy::missing_safety_doc,
    reason = "the module's documentation has the rules for all functions"
)]

mod functions;
mod globals;
mod objects;

use std::ffi::c_char;
use std::ptr;

use trellis_c_support::catch;

pub use functions::*;
pub use globals::*;
pub use objects::*;

use crate::abi::{Bool, FALSE, ResultCode, result};
use crate::failure::{Failure, Result};
use crate::log;

/// A result of a function.
trait Answer {
    /// Result of the body, if it succeeds.
    type Body;
    fn done(body: Self::Body) -> Self;
    fn failed(code: ResultCode) -> Self;
}

impl Answer for ResultCode {
    type Body = ();
    fn done((): ()) -> Self {
        result::SUCCESS
    }
    fn failed(code: ResultCode) -> Self {
        code
    }
}

impl Answer for () {
    type Body = ();
    fn done((): ()) -> Self {}
    fn failed(_: ResultCode) -> Self {}
}

/// A stage, or a number: unknown, or none.
impl Answer for u32 {
    type Body = Self;
    fn done(body: Self) -> Self {
        body
    }
    fn failed(_: ResultCode) -> Self {
        0
    }
}

impl Answer for Bool {
    type Body = bool;
    fn done(body: bool) -> Self {
        body.into()
    }
    fn failed(_: ResultCode) -> Self {
        FALSE
    }
}

impl Answer for *const c_char {
    type Body = Self;
    fn done(body: Self) -> Self {
        body
    }
    fn failed(_: ResultCode) -> Self {
        ptr::null()
    }
}

/// Runs the body of a function; its errors and panics become a line of the log and a result.
fn run<R: Answer>(function: &str, body: impl FnOnce() -> Result<R>) -> R {
    let failure = match catch(body) {
        Ok(Ok(done)) => return done,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::new(
            result::ERROR_GENERIC,
            format!("internal error (a bug in Trellis): {panic}"),
        ),
    };
    if !failure.text.is_empty() {
        // Outside of `catch`: panics of the client's callback are not ours to catch.
        log::error(format_args!("{function}: {}", failure.text));
    }
    R::failed(failure.code)
}

/// Writes a result to the caller's memory.
///
/// # Safety
/// `to` is null, or can be written.
unsafe fn put<T>(to: *mut T, value: T) -> Result<()> {
    // SAFETY: the caller's promise is the same.
    unsafe { put_each([to], [value]) }
}

/// Writes results to the caller's memory.
///
/// # Errors
/// One of the pointers is null; the others are written.
///
/// # Safety
/// Each pointer is null, or can be written.
unsafe fn put_each<T, const N: usize>(to: [*mut T; N], values: [T; N]) -> Result<()> {
    for (to, value) in to.into_iter().zip(values) {
        if !to.is_null() {
            // SAFETY: it is not null, and the caller promises that it can be written.
            unsafe { to.write_unaligned(value) };
        }
    }
    if to.iter().any(|to| to.is_null()) {
        return Err(Failure::argument("a result has no place: a null pointer"));
    }
    Ok(())
}
