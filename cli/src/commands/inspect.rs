//! `trellis dis`, `trellis reflect` and `trellis list`: the contents of a shader.

use std::process::ExitCode;

use trellis_corpus::guard::guarded;

use crate::args::{DisArgs, ListArgs, ReflectArgs};
use crate::files;
use crate::library;
use crate::problem::Problem;

/// Prints the disassembly.
pub(crate) fn dis(args: &DisArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.input, output, false)?;
    let bytes = files::read(&args.input)?;
    let text = if library::is_spirv(&bytes) {
        guarded(|| library::spirv_words(&bytes).and_then(|words| library::spirv_assembly(&words)))
    } else {
        guarded(|| library::dxil_listing(&bytes))
    };
    let text = text.map_err(|failure| {
        Problem::of_failure(
            format!("cannot disassemble {}", files::name_of(&args.input)),
            &failure,
        )
    })?;
    files::write(output, text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the reflection.
pub(crate) fn reflect(args: &ReflectArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.input, output, false)?;
    let options = library::reflection_options(&args.places)?;
    let bytes = files::read(&args.input)?;
    let failed = |failure| {
        Problem::of_failure(
            format!("cannot reflect {}", files::name_of(&args.input)),
            &failure,
        )
    };
    let mut text = guarded(|| library::reflection(&bytes, &options)).map_err(failed)?;
    text.push('\n');
    files::write(output, text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the entry points, one per line.
pub(crate) fn list(args: &ListArgs) -> Result<ExitCode, Problem> {
    let bytes = files::read(&args.input)?;
    let failed = |failure| {
        Problem::of_failure(
            format!("cannot read {}", files::name_of(&args.input)),
            &failure,
        )
    };
    let entries = guarded(|| trellis_corpus::backend::entries(&bytes)).map_err(failed)?;
    let lines: Vec<String> = entries
        .iter()
        .map(|entry| format!("{} {}", entry.stage, entry.name))
        .collect();
    let text = if lines.is_empty() {
        String::new()
    } else {
        lines.join("\n") + "\n"
    };
    files::write_standard(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
