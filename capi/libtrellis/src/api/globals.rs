//! Functions without an object.

use std::ffi::c_char;

use crate::abi::{self, Status, TRELLIS_API_VERSION};

/// Returns the version of the library, such as `0.1.0`, which ends with a zero.
#[unsafe(no_mangle)]
pub extern "C" fn trellis_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Returns the version of the interface that the library has: `TRELLIS_API_VERSION` of its header.
#[unsafe(no_mangle)]
pub extern "C" fn trellis_api_version() -> u32 {
    TRELLIS_API_VERSION
}

/// Returns the name of a status, such as `unsupported`, which ends with a zero.
#[unsafe(no_mangle)]
pub extern "C" fn trellis_status_name(status: Status) -> *const c_char {
    let name = match status {
        abi::TRELLIS_OK => c"ok",
        abi::TRELLIS_INVALID_ARGUMENT => c"invalid argument",
        abi::TRELLIS_INVALID_HANDLE => c"invalid handle",
        abi::TRELLIS_BUSY => c"busy",
        abi::TRELLIS_INVALID_OPTION => c"invalid option",
        abi::TRELLIS_UNREADABLE => c"unreadable",
        abi::TRELLIS_NO_ENTRY => c"no entry point",
        abi::TRELLIS_UNSUPPORTED => c"unsupported",
        abi::TRELLIS_INVALID_SHADER => c"invalid shader",
        abi::TRELLIS_NO_BINDING => c"no binding",
        abi::TRELLIS_NO_STAGE_IO => c"no stage input or output",
        abi::TRELLIS_NO_ROOT_SIGNATURE => c"no root signature",
        abi::TRELLIS_INTERNAL => c"internal error",
        abi::TRELLIS_UNAVAILABLE => c"unavailable",
        _ => c"unknown status",
    };
    name.as_ptr()
}
