//! `trellis completions`

use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::files;
use crate::problem::Problem;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  trellis completions bash > ~/.local/share/bash-completion/completions/trellis
  trellis completions zsh > ~/.zfunc/_trellis
  trellis completions fish > ~/.config/fish/completions/trellis.fish
  trellis completions powershell >> $PROFILE";

/// Arguments of `trellis completions`.
#[derive(Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell to generate completions for
    shell: Shell,
}

/// Prints the completion script of a shell; `command` is the grammar.
pub(crate) fn run(args: &CompletionsArgs, mut command: Command) -> Result<ExitCode, Problem> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "trellis", &mut text);
    files::write_standard(&text)?;
    Ok(ExitCode::SUCCESS)
}
