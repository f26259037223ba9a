//! `trellis structurize`

use std::process::ExitCode;

use trellis_explorer::graph_of;

use crate::args::StructurizeArgs;
use crate::files;
use crate::library;
use crate::problem::Problem;

/// Structurizes a graph.
pub(crate) fn run(args: &StructurizeArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.input, output, false)?;
    let text = files::read_text(&args.input)?;
    let result = library::structurize(
        &files::name_of(&args.input),
        graph_of(&text),
        args.tree,
        &args.stages.options(),
    )?;
    files::write(output, result.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
