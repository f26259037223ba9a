//! Another library with this interface that reads programs of shader models 4 and 5 in place of this one,
//! for comparison.
//!
//! The environment variable `TRELLIS_DXBC_LIBRARY` names it. It is loaded when the first such program
//! is parsed, and stays.

use std::env;
use std::ffi::{OsStr, OsString};

use libloading::{Error, Library};

/// Name of the environment variable.
const VARIABLE: &str = "TRELLIS_DXBC_LIBRARY";

/// Loads a library. Its internal calls must not resolve to our functions, which have the same names
/// and come first in the process.
///
/// # Safety
/// The initialization of the library may run in this process.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
unsafe fn open(path: &OsStr) -> Result<Library, Error> {
    use libloading::os::unix;
    /// `RTLD_DEEPBIND`: the library's own symbols come first.
    const DEEP_BIND: std::ffi::c_int = 8;
    let flags = unix::RTLD_NOW | unix::RTLD_LOCAL | DEEP_BIND;
    // SAFETY: the caller's promise is the same.
    Ok(unsafe { unix::Library::open(Some(path), flags) }?.into())
}

/// Loads a library. Where names are of libraries rather than of the process, nothing else is needed;
/// elsewhere the library must have been linked with `-Bsymbolic`.
///
/// # Safety
/// The initialization of the library may run in this process.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
unsafe fn open(path: &OsStr) -> Result<Library, Error> {
    // SAFETY: the caller's promise is the same.
    unsafe { Library::new(path) }
}

/// Returns whether the environment names a library.
pub(crate) fn is_named() -> bool {
    path().is_some()
}

fn path() -> Option<OsString> {
    env::var_os(VARIABLE).filter(|path| !path.is_empty())
}

/// Loads the library that the environment names, and finds its functions.
///
/// # Errors
/// It is not named, cannot be loaded, lacks a function, or is this library, as `is_own` reports.
pub(crate) fn load<F>(
    find: impl FnOnce(&Library) -> Result<F, Error>,
    is_own: impl FnOnce(&F) -> bool,
) -> Result<(F, Library), String> {
    let Some(path) = path() else {
        return Err(format!("{VARIABLE} names no library"));
    };
    let name = path.to_string_lossy();
    let failed = |error| format!("{VARIABLE}: cannot use {name}: {error}");
    // SAFETY: who sets the variable chooses a library whose initialization may run in this process.
    let library = unsafe { open(&path) }.map_err(failed)?;
    let functions = find(&library).map_err(failed)?;
    if is_own(&functions) {
        return Err(format!("{VARIABLE}: {name} is this library"));
    }
    Ok((functions, library))
}
