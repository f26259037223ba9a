//! The functions. Each has the reference's name, arguments and meaning.
//!
//! # Safety
//! As in the reference: pointers are null, or refer to what their type says, of the length that is
//! passed with them; strings end with a zero; handles are null or came from this library (freed ones
//! are detected); callbacks may be called with their data, on the thread of the call, until they are
//! replaced or their converter is freed. Null pointers are errors unless the reference allows them.

#![expect(
    clippy::missing_safety_doc,
    reason = "the module's documentation has the rules, which are those of all functions"
)]

mod blob;
mod converter;
mod globals;
mod queries;
mod setters;

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::Arc;

use trellis_c_support::{catch, handle};

pub use blob::*;
pub use converter::*;
pub use globals::*;
pub use queries::*;
pub use setters::*;

use crate::abi::{Bool, FALSE, ResultCode, result};
use crate::blob::{Blob, OwnBlob};
use crate::converter::{Converter, OwnConverter};
use crate::failure::{Failure, Result};
use crate::foreign::{Functions, Handle};
use crate::log;

/// What a function returns when it fails.
trait OnError {
    fn on_error(code: ResultCode) -> Self;
}

impl OnError for ResultCode {
    fn on_error(code: ResultCode) -> Self {
        code
    }
}

impl OnError for () {
    fn on_error(_: ResultCode) -> Self {}
}

/// A stage, or a number: unknown, or none.
impl OnError for u32 {
    fn on_error(_: ResultCode) -> Self {
        0
    }
}

impl OnError for Bool {
    fn on_error(_: ResultCode) -> Self {
        FALSE
    }
}

impl OnError for *const c_char {
    fn on_error(_: ResultCode) -> Self {
        ptr::null()
    }
}

/// Runs the body of a function; its errors and panics become a line of the log and a result.
fn run<R: OnError>(function: &str, body: impl FnOnce() -> Result<R>) -> R {
    let failure = match catch(body) {
        Ok(Ok(done)) => return done,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::new(
            result::ERROR_GENERIC,
            format!("internal error (a bug in Trellis): {panic}"),
        ),
    };
    if !failure.text.is_empty() {
        // The callback is the client's: what it does is not ours to catch.
        log::error(format_args!("dxil_spv_{function}: {}", failure.text));
    }
    R::on_error(failure.code)
}

/// Runs a function of a blob.
///
/// # Safety
/// `blob` is null or a handle of this library.
unsafe fn with_blob<R: OnError>(
    function: &str,
    blob: *mut c_void,
    own: impl FnOnce(&Arc<OwnBlob>) -> Result<R>,
    foreign: impl FnOnce(&'static Functions, Handle) -> R,
) -> R {
    run(function, || {
        // SAFETY: the caller's promise is the same.
        let blob = unsafe { handle::share::<Blob>(blob) }?;
        match &*blob {
            Blob::Own(blob) => own(blob),
            Blob::Foreign(blob) => {
                blob.functions.share_log();
                Ok(foreign(blob.functions, blob.handle))
            }
        }
    })
}

/// Runs a function of a converter.
///
/// # Safety
/// `converter` is null or a handle of this library.
unsafe fn with_converter<R: OnError>(
    function: &str,
    converter: *mut c_void,
    own: impl FnOnce(&mut OwnConverter) -> Result<R>,
    foreign: impl FnOnce(&'static Functions, Handle) -> R,
) -> R {
    run(function, || {
        // SAFETY: the caller's promise is the same.
        let mut converter = unsafe { handle::lock::<Converter>(converter) }?;
        match &mut *converter {
            Converter::Own(converter) => own(converter),
            Converter::Foreign(converter) => {
                converter.functions.share_log();
                Ok(foreign(converter.functions, converter.handle))
            }
        }
    })
}

/// Writes a result to where the caller wants it.
///
/// # Safety
/// `to` is null, or can be written.
unsafe fn put<T>(to: *mut T, value: T) -> Result<()> {
    if to.is_null() {
        return Err(Failure::argument("a result has no place: a null pointer"));
    }
    // SAFETY: it is not null, and the caller promises that it can be written.
    unsafe { to.write_unaligned(value) };
    Ok(())
}
