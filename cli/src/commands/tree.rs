//! `trellis tree`

use std::process::ExitCode;

use trellis_dxil::structurizer::Tree;
use trellis_dxil::structurizer::tree::Pretty;

use crate::files;
use crate::problem::Problem;
use crate::subject::subjects;
use crate::view_args::TreeArgs;

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
