//! Runs work on inputs: without the interpreter lock, on a large enough stack, and with panics as errors.

use pyo3::prelude::*;
use trellis_corpus::guard::guarded;

use crate::fault::Fault;

/// Work that finds less stack than this runs on one of [`STACK`] bytes. A conversion does not
/// recurse over its input, so that this is generous. Threads of Python have 8 MiB on Linux, but 512
/// KiB on macOS, or the size set by `threading.stack_size`; a test has threads of 128 KiB.
const RED_ZONE: usize = 1 << 20;
/// A stack that is allocated for a call; only the pages that are touched use memory.
const STACK: usize = 4 << 20;

/// Runs `work`, and raises its error as an exception.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Fault> + Send,
) -> PyResult<T> {
    py.detach(|| {
        stacker::maybe_grow(RED_ZONE, STACK, || {
            // A panic is a failure of the outer result.
            guarded(|| Ok(work())).unwrap_or_else(|failure| Err(failure.into()))
        })
    })
    .map_err(|fault| fault.raise(py))
}
