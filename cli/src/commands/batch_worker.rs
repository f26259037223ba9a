//! `trellis batch-worker`: a process of `trellis batch --isolate`, which converts the shaders that
//! the batch sends on standard input.

use std::process::ExitCode;

use crate::isolation;
use crate::problem::Problem;

/// Converts until the batch sends no more.
pub(crate) fn run() -> Result<ExitCode, Problem> {
    let done = isolation::work();
    done.map_err(|error| {
        Problem::usage_error("a batch has to run this command")
            .because(&error)
            .help("`trellis batch --isolate` does")
    })?;
    Ok(ExitCode::SUCCESS)
}
