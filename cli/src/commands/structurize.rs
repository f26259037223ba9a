//! `trellis structurize`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use trellis_dxil::structurizer::text::print_structured;
use trellis_dxil::structurizer::{Tree, structurize};
use trellis_explorer::graph_of;

use crate::files;
use crate::problem::Problem;
use crate::subject::{StageArgs, graph};

const STRUCTURIZE_EXAMPLES: &str = "\
Examples:
  trellis structurize graph.cfg
  trellis structurize graph.cfg --tree    print pseudo-code with ifs, loops and switches";

/// Arguments of `trellis structurize`.
#[derive(Args)]
#[command(after_help = STRUCTURIZE_EXAMPLES)]
pub(crate) struct StructurizeArgs {
    /// The function in the structurizer's text form; - for standard input
    #[arg(value_name = "GRAPH", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Output file for the result; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Print pseudo-code with ifs, loops and switches instead of the function's text form
    #[arg(long)]
    pub(crate) tree: bool,
    #[command(flatten)]
    pub(crate) stages: StageArgs,
}

/// Structurizes a graph.
pub(crate) fn run(args: &StructurizeArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.input, output, false)?;
    let text = files::read_text(&args.input)?;
    let name = files::name_of(&args.input);
    let function = graph(&name, graph_of(&text))?;
    let structured = structurize(function, &args.stages.options()).map_err(|error| {
        Problem::input_error(format!("cannot structurize {name}"))
            .because(&error)
            .help("each block must have a terminator, each phi one operand per predecessor, and each use must be dominated by its definition")
    })?;
    let text = match args.tree {
        true => Tree::of(&structured).to_string(),
        false => print_structured(&structured),
    };
    files::write(output, text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
