//! `trellis dis`, `trellis reflect` and `trellis list`: the contents of a shader.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum, ValueHint};
use trellis_corpus::failure::Failure;
use trellis_corpus::guard::guarded;
use trellis_corpus::modules::{is_spirv, words_of};
use trellis_dxil::disassemble;
use trellis_dxil::reflect::RootSignatureReflection;

use crate::color::ColorArgs;
use crate::files;
use crate::problem::Problem;
use crate::table;
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
    #[command(flatten)]
    pub(crate) color: ColorArgs,
}

const REFLECT_EXAMPLES: &str = "\
Examples:
  trellis reflect shader.dxil
  trellis reflect shader.dxil -o shader.json
  trellis reflect shader.dxil --format table     for people
  trellis reflect lib.dxil --entry main          an entry point and the resources that it uses";

/// The form of a reflection.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Json,
    Table,
}

/// Arguments of `trellis reflect`.
#[derive(Args)]
#[command(after_help = REFLECT_EXAMPLES)]
pub(crate) struct ReflectArgs {
    /// The shader: a DXBC container or LLVM bitcode; or a root signature; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Output file for the text; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Describe only this entry point
    #[arg(short, long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// The form of the text: `table` for people
    #[arg(long, value_enum, default_value_t = Format::Json)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) places: BindingArgs,
}

const LIST_EXAMPLES: &str = "\
Examples:
  trellis list lib.dxil
  trellis list *.dxil
  trellis list lib.dxil | grep '^compute '";

/// Arguments of `trellis list`.
#[derive(Args)]
#[command(after_help = LIST_EXAMPLES)]
pub(crate) struct ListArgs {
    /// Shaders: DXBC containers or LLVM bitcode; - for standard input
    #[arg(value_name = "IN", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) inputs: Vec<PathBuf>,
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
    args.color.write(output, &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the reflection.
pub(crate) fn reflect(args: &ReflectArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.input, output, false)?;
    let options = translation::reflection_options(&args.places)?.with_entry(args.entry.clone());
    let bytes = files::read(&args.input)?;
    let failed = Problem::failed("reflect", &args.input);
    let reflect = || trellis_dxil::reflect(&bytes, &options).map_err(|error| Failure::from(&error));
    let json = match RootSignatureReflection::of_file(&bytes) {
        Some(root_signature) => files::json(&BTreeMap::from([("root_signature", root_signature)]))?,
        None => files::json(&guarded(reflect).map_err(failed)?)?,
    };
    let text = match args.format {
        Format::Json => json,
        Format::Table => table::of_json(&json)
            .map_err(|error| Problem::usage_error("cannot write the table").because(&error))?,
    };
    files::write(output, text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the entry points, one per line; of several files each line begins with the file.
pub(crate) fn list(args: &ListArgs) -> Result<ExitCode, Problem> {
    let mut status = ExitCode::SUCCESS;
    for input in &args.inputs {
        let prefix = match args.inputs.len() {
            1 => String::new(),
            _ => format!("{}: ", files::name_of(input)),
        };
        match entries(input, &prefix) {
            Ok(text) => files::write_standard(text.as_bytes())?,
            Err(problem) => {
                problem.print();
                status = problem.exit_code();
            }
        }
    }
    Ok(status)
}

/// Returns a line for each entry point of a file.
fn entries(input: &Path, prefix: &str) -> Result<String, Problem> {
    let bytes = files::read(input)?;
    let failed = Problem::failed("read", input);
    let entries = guarded(|| trellis_corpus::backend::entries(&bytes)).map_err(failed)?;
    let lines = entries.iter();
    let lines = lines.map(|entry| format!("{prefix}{} {}\n", entry.stage, entry.name));
    Ok(lines.collect())
}
