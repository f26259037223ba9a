//! `trellis tree`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use trellis_corpus::failure::{Failure, Kind};
use trellis_corpus::guard::guarded;
use trellis_dxil::error::EntryPointError;
use trellis_dxil::frontend::is_dxil;
use trellis_dxil::structurizer::Tree;
use trellis_dxil::structurizer::tree::Pretty;

use crate::color::ColorArgs;
use crate::files;
use crate::problem::Problem;
use crate::subject::{SubjectArgs, subjects_of};

const TREE_EXAMPLES: &str = "\
Examples:
  trellis tree shader.dxil                    the shader as HLSL
  trellis tree shader.dxil --target spirv     the structured control flow, as convert makes it
  trellis tree shader.dxil --instructions     the same with the DXIL of each block
  trellis tree graph.cfg                      from the text form of a graph
  trellis tree shader.dxil --without loop-exits
  trellis tree graph.cfg --target rust        with labels in place of selectors

Operations that HLSL cannot express are written as UNWRITTEN or by name; the first lines count them.

In the control flow comments (//) name the blocks of the structured function, with the DXIL's labels in parentheses. A `block` is a breakable \
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
    #[command(flatten)]
    pub(crate) color: ColorArgs,
}

/// Prints a shader as HLSL, or the structured functions as pseudo-code.
pub(crate) fn run(args: &TreeArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.subject.input, output, false)?;
    let bytes = files::read(&args.subject.input)?;
    if !args.instructions && args.subject.stages.is_default() && is_dxil(&bytes) {
        args.color.write(output, &hlsl(&args.subject, &bytes)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let subjects = subjects_of(&args.subject, &bytes)?;
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
    args.color.write(output, &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the HLSL of a shader.
fn hlsl(subject: &SubjectArgs, bytes: &[u8]) -> Result<String, Problem> {
    let print = || {
        let printed = trellis_hlsl::print(bytes, subject.entry.as_deref());
        printed.map(|printed| printed.text).map_err(failure)
    };
    guarded(print).map_err(Problem::failed("print", &subject.input))
}

/// Reuses the messages of the converter's errors where it has the same.
fn failure(error: trellis_hlsl::Error) -> Failure {
    let error: trellis_dxil::Error = match error {
        trellis_hlsl::Error::Read(error) => error.into(),
        trellis_hlsl::Error::EntryPoint { available, .. } if available.is_empty() => {
            EntryPointError::None.into()
        }
        trellis_hlsl::Error::EntryPoint { name, available } => match name {
            Some(name) => EntryPointError::NotFound { name, available }.into(),
            None => EntryPointError::Ambiguous { available }.into(),
        },
        other => return Failure::new(Kind::Other, other.to_string()),
    };
    Failure::from(&error)
}
