//! `trellis tree`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use trellis_dxil::structurizer::Tree;
use trellis_dxil::structurizer::tree::Pretty;

use crate::files;
use crate::problem::Problem;
use crate::subject::{SubjectArgs, subjects};

const TREE_EXAMPLES: &str = "\
Examples:
  trellis tree shader.dxil                    the structured control flow
  trellis tree shader.dxil --instructions     with the DXIL of each block
  trellis tree graph.cfg                      from the text form of a graph
  trellis tree shader.dxil --without loop-exits
  trellis tree graph.cfg --target rust        with labels in place of selectors

Comments (//) name the blocks of the structured function, with the DXIL's labels in parentheses. A `block` is a breakable \
block: a switch with only a default case, which serves as the target of breaks.";

/// Arguments of `trellis tree`.
#[derive(Args)]
#[command(after_help = TREE_EXAMPLES)]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Print phis and instructions; a shader's are printed as by `trellis dis`
    #[arg(short = 'I', long)]
    pub(crate) instructions: bool,
    /// Output file for the text; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// Prints the structured functions as pseudo-code.
pub(crate) fn run(args: &TreeArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.subject.input, output, false)?;
    let subjects = subjects(&args.subject)?;
    let mut text = String::new();
    for subject in &subjects {
        if subjects.len() > 1 {
            text.push_str(if text.is_empty() { "" } else { "\n" });
            text.push_str(&format!("// ==== {} ====\n", subject.name));
        }
        let tree = Tree::of(&subject.trace.structured);
        text.push_str(
            &Pretty::of(&tree)
                .names(&*subject.names)
                .instructions(args.instructions)
                .to_string(),
        );
    }
    files::write(output, text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
