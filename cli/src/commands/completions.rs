//! `trellis completions`

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Arguments;
use crate::files;
use crate::problem::Problem;

/// Prints the completion script of a shell.
pub(crate) fn run(shell: Shell) -> Result<ExitCode, Problem> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "trellis", &mut text);
    files::write_standard(&text)?;
    Ok(ExitCode::SUCCESS)
}
