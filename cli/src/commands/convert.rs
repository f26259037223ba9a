//! `trellis convert`

use std::process::ExitCode;

use trellis_corpus::failure::Failure;
use trellis_corpus::guard::guarded;

use crate::args::ConvertArgs;
use crate::files;
use crate::library;
use crate::problem::Problem;

/// Converts one shader.
pub(crate) fn run(args: &ConvertArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.input, output, !args.asm)?;
    let mut options = library::options(&args.translation)?;
    if args.entry.is_some() {
        options.entry.clone_from(&args.entry);
    }
    let bytes = files::read(&args.input)?;
    let name = files::name_of(&args.input);
    if library::is_spirv(&bytes) {
        return Err(Problem::input_error(format!("{name} is already SPIR-V"))
            .help("`trellis dis` prints it"));
    }
    let failed = |failure| Problem::of_failure(format!("cannot convert {name}"), &failure);
    let converted =
        guarded(|| trellis_dxil::convert(&bytes, &options).map_err(|e| Failure::from(&e)))
            .map_err(failed)?;
    if args.asm {
        let text = guarded(|| library::spirv_assembly(&converted.words)).map_err(failed)?;
        files::write(output, text.as_bytes())?;
    } else {
        files::write(output, &converted.bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}
