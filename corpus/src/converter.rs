//! The interface between a batch and the backend that converts its shaders.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use trellis_dxil::{Entry, Output};

use crate::failure::Failure;

/// Converts shaders, from any thread. The tests of a batch have their own implementation.
pub trait Converter: Sync {
    /// Returns the converter for one thread.
    fn worker(&self) -> Box<dyn Worker + '_>;

    /// Returns all that the results depend on in addition to the program and the inputs, such as the
    /// options: results are [cached](crate::cache) under it. `None`, the default, if that has no name;
    /// nothing is cached then.
    fn identity(&self) -> Option<String> {
        None
    }

    /// Returns the clock that conversions are timed by: the processor time of the thread, so that
    /// times do not depend on other programs.
    fn clock(&self) -> fn() -> Duration {
        thread_time
    }
}

/// Returns the processor time of this thread.
#[cfg(unix)]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns the time since the first call: the standard library does not have the time of a thread.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    elapsed_time()
}

/// Returns the time since the first call.
pub(crate) fn elapsed_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Converts shaders on one thread, and may keep memory between them.
pub trait Worker {
    /// Parses a file's contents, once for all of its entry points.
    fn open<'a>(&'a mut self, bytes: &'a [u8]) -> Result<Box<dyn Opened + 'a>, Failure>;
}

/// A converted entry point.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The output.
    pub output: Output,
    /// Why spirv-val, which was asked for, could not check the output; `None` if it did, or was not
    /// asked for.
    pub not_validated: Option<String>,
}

impl From<Output> for Converted {
    /// Returns an output that all validators that were asked for have checked.
    fn from(output: Output) -> Self {
        Self {
            output,
            not_validated: None,
        }
    }
}

/// A parsed file.
pub trait Opened {
    /// Returns the entry points, in the module's order.
    fn entries(&self) -> Vec<Entry>;

    /// Returns true for a library, which may have no entry points: only functions for others.
    fn is_library(&self) -> bool;

    /// Converts the entry point at this index of [`Opened::entries`]. A returned
    /// output has been verified.
    fn convert(&mut self, entry: usize) -> Result<Converted, Failure>;

    /// Called after the last conversion of the file, unless one panicked.
    fn close(self: Box<Self>) {}
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use trellis_dxil::frontend::shader::ShaderKind;

    use super::{elapsed_time, thread_time};
    use crate::manifest::Stage;

    #[cfg(unix)]
    #[test]
    fn a_thread_that_waits_takes_no_processor_time() {
        let (thread, elapsed) = (thread_time(), elapsed_time());
        std::thread::sleep(Duration::from_millis(200));
        let (thread, elapsed) = (thread_time() - thread, elapsed_time() - elapsed);
        assert!(thread < elapsed / 2, "{thread:?} of {elapsed:?}");
    }

    #[test]
    fn stages_have_the_names_of_manifests() {
        for (kind, stage) in [
            (ShaderKind::Vertex, Stage::Vertex),
            (ShaderKind::Hull, Stage::Hull),
            (ShaderKind::Domain, Stage::Domain),
            (ShaderKind::Geometry, Stage::Geometry),
            (ShaderKind::Pixel, Stage::Pixel),
            (ShaderKind::Compute, Stage::Compute),
            (ShaderKind::Amplification, Stage::Amplification),
            (ShaderKind::Mesh, Stage::Mesh),
            (ShaderKind::Library, Stage::Library),
        ] {
            assert_eq!(kind.name(), stage.name());
        }
    }
}
