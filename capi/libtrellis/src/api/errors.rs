//! Errors and texts.

use std::ffi::c_char;
use std::ptr;

use trellis_c_support::handle;

use super::{free, put_sized, run, share};
use crate::abi::{ErrorHandle, Location, Status, TextHandle};
use crate::failure::ErrorObject;
use crate::text::Text;

/// Frees an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_error_free(error: *mut ErrorHandle) -> Status {
    // SAFETY: the caller promises that it is null or a handle of this library.
    unsafe { free::<ErrorObject>(error.cast()) }
}

/// Returns the status of the call that made an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_error_status(error: *const ErrorHandle) -> Status {
    // SAFETY: the caller promises that it is null or a handle of this library.
    match unsafe { share::<ErrorObject, _>(error) } {
        Ok(error) => error.status,
        Err(failure) => failure.status,
    }
}

/// Returns the text of an error, without a line break at its end; an empty one if `error` is not one.
/// `length` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_error_text(
    error: *const ErrorHandle,
    length: *mut usize,
) -> *const c_char {
    // SAFETY: the caller promises that it is null or a handle of this library.
    let found = unsafe { handle::share::<ErrorObject>(error.cast()) };
    // SAFETY: the caller promises that `length` is null or can be written.
    unsafe { answer(found.as_ref().ok().map(|error| &error.text), length) }
}

/// Writes where in the shader an error is, as far as it is known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_error_location(
    error: *const ErrorHandle,
    location: *mut Location,
    location_size: usize,
) -> Status {
    // SAFETY: the caller promises that the handle is null or this library's, and that
    // `location_size` bytes can be written.
    unsafe {
        run(ptr::null_mut(), || {
            let error = share::<ErrorObject, _>(error)?;
            put_sized(location, location_size, error.location())
        })
    }
}

/// Frees a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_text_free(text: *mut TextHandle) -> Status {
    // SAFETY: the caller promises that it is null or a handle of this library.
    unsafe { free::<Text>(text.cast()) }
}

/// Returns where a text begins; an empty one if `text` is not one. `length` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trellis_text_data(
    text: *const TextHandle,
    length: *mut usize,
) -> *const c_char {
    // SAFETY: the caller promises that it is null or a handle of this library.
    let found = unsafe { handle::share::<Text>(text.cast()) };
    // SAFETY: the caller promises that `length` is null or can be written.
    unsafe { answer(found.as_deref().ok(), length) }
}

/// Returns a text for C, empty if there is none.
///
/// # Safety
/// `length` is null or can be written.
unsafe fn answer(text: Option<&Text>, length: *mut usize) -> *const c_char {
    if !length.is_null() {
        let value = text.map_or(0, Text::len);
        // SAFETY: it is not null, and the caller promises that it can be written.
        unsafe { length.write_unaligned(value) };
    }
    text.map_or(c"".as_ptr(), Text::as_ptr)
}
