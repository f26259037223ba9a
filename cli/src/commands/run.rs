//! `trellis run`: runs a compute shader on the CPU.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use trellis_corpus::failure::{Failure, Kind};
use trellis_corpus::guard::guarded;
use trellis_dxil::ErrorKind;
use trellis_dxil_interpreter::dispatch::{Dispatch, Mismatch};
use trellis_dxil_interpreter::{Error, Inputs, Options};

use crate::files;
use crate::problem::Problem;

const RUN_EXAMPLES: &str = "\
Examples:
  trellis run shader.dxil --template > inputs.json    write a template with all declared resources
  trellis run shader.dxil --inputs inputs.json
  trellis run shader.dxil --inputs inputs.json --wave 64

The inputs are a JSON file: groups, and for each resource its class, register, kind and contents.

  { \"groups\": [2, 1, 1], \"bindings\": [
      { \"class\": \"srv\", \"register\": 0, \"kind\": \"structured\", \"stride\": 4, \"data\": {\"u32\": [1, 2, 3]} },
      { \"class\": \"uav\", \"register\": 0, \"kind\": \"raw\", \"bytes\": 64 } ] }

The output has the same form and holds the final contents of the UAVs. If a binding has `expect`, the result is \
compared with it; the exit status is 1 if they differ.";

/// Arguments of `trellis run`.
#[derive(Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct RunArgs {
    /// The shader: a DXBC container or LLVM bitcode; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// JSON file with groups, resources and their contents
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present = "template")]
    pub(crate) inputs: Option<PathBuf>,
    /// Print a template of the --inputs file for the shader instead of running it
    #[arg(long, conflicts_with = "inputs")]
    pub(crate) template: bool,
    /// Output file for the JSON; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Entry point to run; required if there are several compute shaders
    #[arg(short, long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Number of lanes per wave: a power of two from 4 to 128 [default: the size that the inputs
    /// or the shader specify, otherwise 32]
    #[arg(long, value_name = "N")]
    pub(crate) wave: Option<u32>,
    /// Maximum number of executed instructions, summed over all lanes
    #[arg(long, value_name = "N", default_value_t = 1 << 28)]
    pub(crate) steps: u64,
}

/// Runs a shader and prints the final contents of its UAVs, or prints a template of its inputs.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.input, output, false)?;
    let bytes = files::read(&args.input)?;
    let Some(path) = &args.inputs else {
        let mut text = template(&bytes).map_err(Problem::failed("read", &args.input))?;
        text.push('\n');
        files::write(output, text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    };
    let wrong = |error: &dyn std::error::Error| {
        Problem::usage_error(format!("{} is not a dispatch file", files::name_of(path)))
            .because(error)
    };
    let text = files::read_text(path).map_err(Problem::into_usage_error)?;
    let mut dispatch = Dispatch::from_json(&text).map_err(|error| {
        wrong(&error).help("`trellis run SHADER --template` prints a dispatch file for a shader")
    })?;
    if let Some(entry) = &args.entry {
        dispatch.entry.clone_from(entry);
    }
    let inputs = Inputs::try_from(&dispatch).map_err(|error| wrong(&error))?;
    let options = Options {
        wave: args.wave.or(dispatch.wave),
        steps: args.steps,
    };
    let result = guarded(|| Ok(trellis_dxil_interpreter::run(&bytes, &inputs, &options)));
    let what = format!("cannot run {}", files::name_of(&args.input));
    let outputs = result
        .map_err(Problem::failed("run", &args.input))?
        .map_err(|error| explain(what, &error))?;
    let mut text = outputs.to_dispatch(&dispatch).to_json();
    text.push('\n');
    files::write(output, text.as_bytes())?;
    let mut wrong = outputs
        .mismatches(&dispatch)
        .map_err(|error| Problem::usage_error("the expectations are malformed").because(&error))?
        .into_iter();
    match wrong.next() {
        None => Ok(ExitCode::SUCCESS),
        Some((place, mismatch)) => Err(Problem::input_error(format!(
            "{place} differs from the expected contents: {}",
            describe(&mismatch)
        ))),
    }
}

/// Returns a dispatch file with all resources that the shader declares.
fn template(bytes: &[u8]) -> Result<String, Failure> {
    let input =
        guarded(|| trellis_dxil::frontend::read(bytes).map_err(|error| Failure::from(&error)))?;
    Ok(
        trellis_dxil_interpreter::generate::dispatch(&input.module, &input.shader, [1, 1, 1], 64)
            .to_json(),
    )
}

fn explain(what: String, error: &Error) -> Problem {
    let problem = Problem::input_error(what).because(error);
    match error {
        Error::Entry { .. } | Error::NotCompute { .. } => {
            problem.help(Kind::from(ErrorKind::EntryPoint).help())
        }
        Error::Unbound { .. } => problem.help(
            "add a binding to the inputs file; `trellis reflect` prints the shader's resources",
        ),
        Error::Steps { .. } => problem.help("--steps changes the limit"),
        _ => problem,
    }
}

fn describe(mismatch: &Mismatch) -> String {
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold("0x".to_owned(), |text, byte| format!("{text}{byte:02x}"))
    };
    let (expected, found) = (hex(&mismatch.expected), hex(&mismatch.found));
    match mismatch.offset {
        Some(offset) => format!("at byte {offset}: expected {expected}, found {found}"),
        None => format!("counter: expected {expected}, found {found}"),
    }
}
