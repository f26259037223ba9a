//! `trellis dis`, `trellis reflect` and `trellis list`: the contents of a shader.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use trellis_corpus::failure::Failure;
use trellis_corpus::guard::guarded;
use trellis_corpus::modules::{is_spirv, words_of};
use trellis_dxil::disassemble;

use crate::files;
use crate::problem::Problem;
use crate::translation::{self, BindingArgs};

const DIS_EXAMPLES: &str = "\
Examples:
  trellis dis shader.dxil
  trellis dis shader.dxil -o shader.ll
  trellis dis shader.spv
  trellis convert shader.dxil | trellis dis -";

/// Arguments of `trellis dis`.
#[derive(Args)]
#[command(after_help = DIS_EXAMPLES)]
pub(crate) struct DisArgs {
    /// The shader: DXBC container, LLVM bitcode, or SPIR-V; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Output file for the text; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

const REFLECT_EXAMPLES: &str = "\
Examples:
  trellis reflect shader.dxil
  trellis reflect shader.dxil -o shader.json";

/// Arguments of `trellis reflect`.
#[derive(Args)]
#[command(after_help = REFLECT_EXAMPLES)]
pub(crate) struct ReflectArgs {
    /// The shader: a DXBC container or LLVM bitcode; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Output file for the JSON; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) places: BindingArgs,
}

const LIST_EXAMPLES: &str = "\
Examples:
  trellis list lib.dxil
  trellis list lib.dxil | grep '^compute '";

/// Arguments of `trellis list`.
#[derive(Args)]
#[command(after_help = LIST_EXAMPLES)]
pub(crate) struct ListArgs {
    /// The shader: a DXBC container or LLVM bitcode; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
}

/// Prints the disassembly.
pub(crate) fn dis(args: &DisArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.input, output, false)?;
    let bytes = files::read(&args.input)?;
    let text = guarded(|| {
        if is_spirv(&bytes) {
            return disassemble(&words_of(&bytes)?).map_err(|error| Failure::from(&error));
        }
        trellis_dxil::dxbc::disassemble(&bytes).map_err(|error| Failure::from(&error))
    });
    let text = text.map_err(Problem::failed("disassemble", &args.input))?;
    files::write(output, text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the reflection.
pub(crate) fn reflect(args: &ReflectArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.input, output, false)?;
    let options = translation::reflection_options(&args.places)?;
    let bytes = files::read(&args.input)?;
    let failed = Problem::failed("reflect", &args.input);
    let reflect = || trellis_dxil::reflect(&bytes, &options).map_err(|error| Failure::from(&error));
    let reflection = guarded(reflect).map_err(failed)?;
    files::write(output, files::json(&reflection)?.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the entry points, one per line.
pub(crate) fn list(args: &ListArgs) -> Result<ExitCode, Problem> {
    let bytes = files::read(&args.input)?;
    let failed = Problem::failed("read", &args.input);
    let entries = guarded(|| trellis_corpus::backend::entries(&bytes)).map_err(failed)?;
    let lines = entries.iter();
    let lines = lines.map(|entry| format!("{} {}\n", entry.stage, entry.name));
    let text: String = lines.collect();
    files::write_standard(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
