//! The functions.
//!
//! # Safety
//! Pointers are null, or refer to a value of their type, of the length that is passed with them.
//! Handles are null or came from this library; freed ones are detected. Callbacks may be called
//! with their data by any call that uses the options that they were set in, on its thread.

#![expect(
    clippy::missing_safety_doc,
    reason = "the module's documentation has the rules for all functions"
)]

// In the order of the header, which the blank lines keep.
mod globals;

mod errors;

mod shaders;

mod options;

mod convert;

use std::ffi::{c_char, c_void};
use std::fmt::Display;
use std::ptr;

use trellis_c_support::handle::{self, Locked, Object, Shared};
use trellis_c_support::{catch, text};
use trellis_dxil::Options;

pub use convert::*;
pub use errors::*;
pub use globals::*;
pub use options::*;
pub use shaders::*;

use crate::abi::{ErrorHandle, OptionsHandle, Status, TRELLIS_OK, TextHandle};
use crate::failure::{ErrorObject, Failure, Result};
use crate::settings::Settings;
use crate::text::Text;

/// Runs the body of a function; its errors and panics become a status and an error object.
///
/// # Safety
/// `error` is null or can be written.
unsafe fn run(error: *mut *mut ErrorHandle, body: impl FnOnce() -> Result<()>) -> Status {
    let failure = match catch(body) {
        Ok(Ok(())) => None,
        Ok(Err(failure)) => Some(failure),
        Err(panic) => Some(Failure::panic(&panic)),
    };
    let status = failure
        .as_ref()
        .map_or(TRELLIS_OK, |failure| failure.status);
    if !error.is_null() {
        let object = failure.map_or(ptr::null_mut(), |failure| {
            handle::create(ErrorObject::from(failure))
        });
        // SAFETY: it is not null, and the caller promises that it can be written.
        unsafe { error.write_unaligned(object.cast()) };
    }
    status
}

/// Frees an object; null is allowed.
///
/// # Safety
/// `handle` is null or came from this library.
unsafe fn free<T: Object>(handle: *mut c_void) -> Status {
    if handle.is_null() {
        return TRELLIS_OK;
    }
    // SAFETY: the caller promises that the handle came from this library; a null error is allowed.
    unsafe {
        run(ptr::null_mut(), || {
            drop(handle::free::<T>(handle)?);
            Ok(())
        })
    }
}

/// Returns the object of a handle, to read it.
///
/// # Safety
/// `handle` is null or came from this library.
unsafe fn share<T: Object, H>(handle: *const H) -> Result<Shared<T>> {
    // SAFETY: the caller's promise is the same.
    Ok(unsafe { handle::share::<T>(handle.cast()) }?)
}

/// Returns the object of a handle, to change it.
///
/// # Safety
/// `handle` is null or came from this library.
unsafe fn lock<T: Object, H>(handle: *mut H) -> Result<Locked<T>> {
    // SAFETY: the caller's promise is the same.
    Ok(unsafe { handle::lock::<T>(handle.cast()) }?)
}

/// Returns the object of a handle that may be null.
///
/// # Safety
/// `handle` is null or came from this library.
unsafe fn share_some<T: Object, H>(handle: *const H) -> Result<Option<Shared<T>>> {
    if handle.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise is the same.
    Ok(Some(unsafe { share::<T, H>(handle) }?))
}

/// Returns the options of a handle that may be null.
///
/// # Safety
/// `options` is null or came from this library.
unsafe fn options_of(options: *const OptionsHandle) -> Result<Options> {
    // SAFETY: the caller's promise is the same.
    let settings = unsafe { share_some::<Settings, _>(options) }?;
    Ok(settings.map_or_else(Options::default, |settings| settings.options().clone()))
}

/// Runs a function that makes an object, and writes its handle: null until it is made.
///
/// # Safety
/// `to` and `error` are null or can be written.
unsafe fn make<T: Object, H>(
    to: *mut *mut H,
    error: *mut *mut ErrorHandle,
    object: impl FnOnce() -> Result<T>,
) -> Status {
    // SAFETY: the caller's promises are the same.
    unsafe {
        run(error, || {
            put(to, ptr::null_mut())?;
            put(to, handle::create(object()?).cast())
        })
    }
}

/// Runs a function that makes a text: as [`make`].
///
/// # Safety
/// As [`make`].
unsafe fn make_text<E: Display>(
    to: *mut *mut TextHandle,
    error: *mut *mut ErrorHandle,
    text: impl FnOnce() -> Result<std::result::Result<String, E>>,
) -> Status {
    // SAFETY: the caller's promises are the same.
    unsafe {
        make(to, error, || match text()? {
            Ok(text) => Ok(Text::new(&text)),
            Err(error) => Err(Failure::panic(&error.to_string())),
        })
    }
}

/// Writes a result to the caller's memory.
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

/// Writes the first `size` bytes of a struct; bytes after the end of `T` become 0.
///
/// # Safety
/// `to` is null, or `size` bytes can be written.
unsafe fn put_sized<T: Copy>(to: *mut T, size: usize, value: T) -> Result<()> {
    if to.is_null() {
        return Err(Failure::argument("a result has no place: a null pointer"));
    }
    if isize::try_from(size).is_err() || size < size_of::<usize>() {
        return Err(Failure::argument(format!("{size} bytes for a result")));
    }
    let (to, value) = (to.cast::<u8>(), &raw const value);
    let own = size.min(size_of::<T>());
    // SAFETY: it is not null, the caller promises that `size` bytes can be written, and `own` is at most
    // that and the size of `value`.
    unsafe {
        ptr::copy_nonoverlapping(value.cast::<u8>(), to, own);
        ptr::write_bytes(to.add(own), 0, size - own);
    }
    Ok(())
}

/// Returns the bytes that a caller passes.
///
/// # Safety
/// `data` is null, or has `size` bytes that remain during the call.
unsafe fn bytes<'a>(data: *const c_void, size: usize) -> Result<&'a [u8]> {
    // SAFETY: the caller's promise is the same.
    let bytes = unsafe { text::bytes(data, size) };
    bytes.ok_or_else(|| Failure::argument("the data is null, or too large"))
}

/// Returns the text that a caller passes.
///
/// # Safety
/// `text` is null, or has `length` bytes that remain during the call.
unsafe fn string<'a>(what: &str, text: *const c_char, length: usize) -> Result<&'a str> {
    // SAFETY: the caller's promise is the same.
    let bytes = unsafe { bytes(text.cast(), length) };
    let bytes = bytes.map_err(|_| Failure::argument(format!("{what} is null, or too long")))?;
    std::str::from_utf8(bytes).map_err(|_| Failure::argument(format!("{what} is not UTF-8")))
}

/// Returns the name of an entry point: none if it is null.
///
/// # Safety
/// As [`string`].
unsafe fn entry_name<'a>(name: *const c_char, length: usize) -> Result<Option<&'a str>> {
    if name.is_null() && length == 0 {
        return Ok(None);
    }
    // SAFETY: the caller's promise is the same.
    Ok(Some(unsafe {
        string("the name of the entry point", name, length)
    }?))
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::{run, trellis_error_free, trellis_error_status, trellis_error_text};
    use crate::abi;

    #[test]
    fn a_panic_is_an_error() {
        let mut error = ptr::null_mut();
        // SAFETY: `error` can be written, and is a handle then.
        unsafe {
            let status = run(&raw mut error, || panic!("of a test"));
            assert_eq!(status, abi::TRELLIS_INTERNAL);
            assert_eq!(trellis_error_status(error), status);
            let mut length = 0;
            let text = trellis_error_text(error, &raw mut length).cast::<u8>();
            let text = std::slice::from_raw_parts(text, length + 1);
            assert!(text.ends_with(b"of a test\0"));
            assert_eq!(trellis_error_free(error), abi::TRELLIS_OK);
            assert_eq!(run(ptr::null_mut(), || panic!("again")), status);
        }
    }
}
