//! Strings and ranges of bytes from and to C.

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char, c_void};

/// Returns a string for C. It ends at the first zero of the text, if there is one.
pub fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(text.get(..end).unwrap_or_default()).unwrap_or_default()
}

/// Reads a string of C; `None` if it is null. Bytes that are not UTF-8 are replaced.
///
/// # Safety
/// `text` is null, or a string that ends with a zero, and remains unchanged for `'a`.
pub unsafe fn read<'a>(text: *const c_char) -> Option<Cow<'a, str>> {
    if text.is_null() {
        return None;
    }
    // SAFETY: it is not null, and the caller promises that it ends with a zero and remains.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy())
}

/// Returns a range of bytes; `None` if it is null or too large to be one. A size of 0 is an empty
/// range, null or not.
///
/// # Safety
/// `data` is null, or `size` bytes at `data` can be read and remain unchanged for `'a`.
pub unsafe fn bytes<'a>(data: *const c_void, size: usize) -> Option<&'a [u8]> {
    if size == 0 {
        return Some(&[]);
    }
    if data.is_null() || isize::try_from(size).is_err() {
        return None;
    }
    // SAFETY: it is not null, not larger than an object can be, and the caller promises the rest.
    Some(unsafe { std::slice::from_raw_parts(data.cast(), size) })
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::{bytes, c_string, read};

    #[test]
    fn strings_end_at_the_first_zero() {
        assert_eq!(c_string("ab\0c").as_bytes(), b"ab");
        assert_eq!(c_string("").as_bytes(), b"");
        assert_eq!(c_string("\u{1}?x").as_bytes(), b"\x01?x");
    }

    #[test]
    fn null_is_nothing() {
        // SAFETY: null is allowed, and the other is a literal.
        unsafe {
            assert_eq!(read(ptr::null()), None);
            assert_eq!(read(c"main".as_ptr()).as_deref(), Some("main"));
        }
    }

    #[test]
    fn ranges() {
        let data = [1u8, 2];
        let at = data.as_ptr().cast();
        // SAFETY: null is allowed, and the others are within `data` or refused.
        unsafe {
            assert_eq!(bytes(ptr::null(), 0), Some(&[][..]));
            assert_eq!(bytes(ptr::null(), 1), None);
            assert_eq!(bytes(at, 2), Some(&data[..]));
            assert_eq!(bytes(at, usize::MAX), None);
        }
    }
}
