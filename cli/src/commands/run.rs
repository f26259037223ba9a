//! `trellis run`: runs a compute shader, or shaders of the graphics pipeline, on the CPU.

mod picture;
mod trace;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueHint};
use trellis_corpus::failure::{Failure, Kind};
use trellis_corpus::guard::guarded;
use trellis_dxil::ErrorKind;
use trellis_dxil::frontend::Input;
use trellis_dxil::frontend::shader::{EntryPoint, ShaderKind};
use trellis_dxil_interpreter::dispatch::{Dispatch, DispatchError, Draw, Mismatch};
use trellis_dxil_interpreter::{
    Error, Inputs, Invocation, Options, Step, generate, run_draw_modules, run_module,
};

use crate::files;
use crate::problem::Problem;

const RUN_EXAMPLES: &str = "\
Examples:
  trellis run shader.dxil --template > inputs.json    write a template with all declared resources and inputs
  trellis run shader.dxil --inputs inputs.json
  trellis run shader.dxil --inputs inputs.json --wave 64
  trellis run pixel.dxil --inputs draw.json --png picture.png
  trellis run shader.dxil --inputs inputs.json --trace 5,0,0     the values that one thread computes

The inputs are a JSON file. For a compute shader: groups, and for each resource its class, register, kind and contents.

  { \"groups\": [2, 1, 1], \"bindings\": [
      { \"class\": \"srv\", \"register\": 0, \"kind\": \"structured\", \"stride\": 4, \"data\": {\"u32\": [1, 2, 3]} },
      { \"class\": \"uav\", \"register\": 0, \"kind\": \"raw\", \"bytes\": 64 } ] }

For a shader of the graphics pipeline: a draw, with values of the inputs for each vertex, by semantic. The vertices of \
a pixel shader are the corners of triangles, which cover the target if SV_Position is not given.

  { \"vertices\": 3, \"size\": [64, 64],
    \"inputs\": [{ \"semantic\": \"COLOR\", \"format\": \"R32G32_FLOAT\", \"data\": {\"f32\": [0, 0, 1, 0, 0, 1]} }],
    \"targets\": [{ \"format\": \"R8G8B8A8_UNORM\" }] }

The output has the same form, with the final contents of the UAVs, and of targets and outputs in `expect`. \
If the inputs have `expect`, the result is compared with it; the exit status is 1 if they differ.";

const TAKEN: &str =
    "compute shaders, also those of libraries, and stages of the graphics pipeline can be run";

/// Arguments of `trellis run`.
#[derive(Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct RunArgs {
    /// The shader: a DXBC container or LLVM bitcode; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// JSON file with groups or vertices, resources and their contents
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present = "template")]
    pub(crate) inputs: Option<PathBuf>,
    /// Print a template of the --inputs file for the shader instead of running it
    #[arg(long, conflicts_with = "inputs")]
    pub(crate) template: bool,
    /// Output file for the JSON; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// PNG file for the first render target of a draw; its layers are one below the other
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "template")]
    pub(crate) png: Option<PathBuf>,
    /// Entry point to run; required if there are several compute shaders
    #[arg(short, long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Number of lanes per wave: a power of two from 4 to 128 [default: the size that the inputs
    /// or the shader specify, otherwise 32]
    #[arg(long, value_name = "N")]
    pub(crate) wave: Option<u32>,
    /// Print the instructions that an invocation runs, with the values that they compute, and lines of HLSL if the
    /// shader has debug information: X,Y,Z of a thread of the dispatch, X,Y of a pixel, the number of a vertex,
    /// patch or primitive. -o writes the results
    #[arg(
        long,
        value_name = "ID",
        value_delimiter = ',',
        num_args = 1,
        conflicts_with = "template"
    )]
    pub(crate) trace: Vec<u32>,
    /// Maximum number of executed instructions, summed over all lanes
    #[arg(long, value_name = "N", default_value_t = 1 << 28)]
    pub(crate) steps: u64,
}

/// Runs a shader and prints the results, or prints a template of its inputs.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.input, output, false)?;
    files::check_output(&args.input, args.png.as_deref(), false)?;
    let bytes = files::read(&args.input)?;
    let input = guarded(|| {
        let input = match args.trace.is_empty() {
            true => trellis_dxil::dxbc::read(&bytes),
            false => trellis_dxil::dxbc::read_with_debug_info(&bytes),
        };
        input.map_err(|e| Failure::from(&e))
    });
    let input = input.map_err(Problem::failed("read", &args.input))?;
    let entry = of_a_draw(&input);
    let kinds = input.shader.entry_points.iter().map(|entry| entry.kind);
    if entry.is_none() && !kinds.clone().any(|kind| kind == ShaderKind::Compute) {
        let stages = kinds.filter(|kind| *kind != ShaderKind::Library);
        let mut stages: Vec<_> = stages.map(ShaderKind::name).collect();
        stages.dedup();
        let text = format!("the stages of its entry points are: {}", stages.join(", "));
        let problem = Problem::input_error(format!("cannot run {}", files::name_of(&args.input)));
        return Err(problem.because(&io::Error::other(text)).help(TAKEN));
    }
    let Some(path) = &args.inputs else {
        let (module, shader) = (&input.module, &input.shader);
        let text = match entry {
            Some(entry) => generate::draw(module, shader, entry).to_json(),
            None => generate::dispatch(module, shader, [1, 1, 1], 64).to_json(),
        };
        files::write(output, format!("{text}\n").as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    };
    let text = files::read_text(path).map_err(Problem::into_usage_error)?;
    let (text, wrong, trace) = match entry {
        Some(entry) => draw(args, path, (&input, entry.kind), &text)?,
        None => dispatch(args, path, &input, &text)?,
    };
    if !args.trace.is_empty() {
        if trace.is_empty() {
            let text = "no invocation has the number that --trace names";
            return Err(Problem::usage_error(text));
        }
        let trace = guarded(|| trace::text(&input.module, &trace));
        let trace = trace.map_err(Problem::failed("list", &args.input))?;
        files::write(None, trace.as_bytes())?;
    }
    if args.trace.is_empty() || output.is_some() {
        files::write(output, format!("{text}\n").as_bytes())?;
    }
    match wrong {
        None => Ok(ExitCode::SUCCESS),
        Some((place, mismatch)) => Err(Problem::input_error(format!(
            "{place} differs from the expected contents: {}",
            describe(&mismatch)
        ))),
    }
}

/// The results as JSON, the first that is not as expected, and the trace.
type Results = (String, Option<(String, Mismatch)>, Vec<Step>);

/// Returns the entry point of a shader that a draw runs; `None` if the shader runs in a dispatch.
fn of_a_draw<'i>(input: &'i Input<'_>) -> Option<&'i EntryPoint> {
    let is_drawn = !matches!(input.shader.kind, ShaderKind::Compute | ShaderKind::Library);
    input.shader.entry_points.first().filter(|_| is_drawn)
}

fn wrong(path: &Path, error: &DispatchError) -> Problem {
    let name = files::name_of(path);
    Problem::usage_error(format!("{name} is not a file of inputs for this shader"))
        .because(error)
        .help("`trellis run SHADER --template` prints a file of inputs for a shader")
}

/// Runs a compute shader.
fn dispatch(
    args: &RunArgs,
    path: &Path,
    input: &Input<'_>,
    text: &str,
) -> Result<Results, Problem> {
    if args.png.is_some() {
        let text = "--png draws the target of a draw, and the shader is a compute shader";
        return Err(Problem::usage_error(text));
    }
    let mut dispatch = Dispatch::from_json(text).map_err(|error| wrong(path, &error))?;
    if let Some(entry) = &args.entry {
        dispatch.entry.clone_from(entry);
    }
    let inputs = Inputs::try_from(&dispatch).map_err(|error| wrong(path, &error))?;
    let options = options(args, dispatch.wave, ShaderKind::Compute)?;
    let outputs = result(args, || {
        run_module(&input.module, &input.shader, &inputs, &options)
    })?;
    let wrong = outputs.mismatches(&dispatch.bindings);
    let mut wrong = wrong
        .map_err(|error| self::wrong(path, &error))?
        .into_iter();
    let first = wrong
        .next()
        .map(|(place, wrong)| (place.to_string(), wrong));
    let json = outputs.to_dispatch(&dispatch).to_json();
    Ok((json, first, outputs.trace))
}

/// Runs shaders of the graphics pipeline.
fn draw(
    args: &RunArgs,
    path: &Path,
    (input, stage): (&Input<'_>, ShaderKind),
    text: &str,
) -> Result<Results, Problem> {
    let draw = Draw::from_json(text).map_err(|error| wrong(path, &error))?;
    let others = draw.stages.iter();
    let others = others.map(|name| files::read(&args.input.with_file_name(name)));
    let others = others.collect::<Result<Vec<_>, _>>()?;
    let options = options(args, draw.wave, stage)?;
    let outputs = result(args, || {
        let others = others.iter().map(|bytes| trellis_dxil::dxbc::read(bytes));
        let others = others.collect::<Result<Vec<_>, _>>()?;
        let shaders: Vec<_> = std::iter::once(input)
            .chain(&others)
            .map(|input| (&*input.module, &input.shader))
            .collect();
        run_draw_modules(&shaders, &draw, &options)
    })?;
    if let Some(png) = &args.png {
        let target = draw.targets.first().zip(outputs.targets.first());
        let Some((target, texels)) = target else {
            let text = "--png draws the first render target, and the inputs have none";
            return Err(Problem::usage_error(text));
        };
        let file = picture::png(&draw, target.format, texels)
            .map_err(|error| Problem::usage_error("cannot encode the picture").because(&error))?;
        files::write(Some(png), &file)?;
    }
    let mut wrong = outputs
        .mismatches(&draw)
        .map_err(|error| wrong(path, &error))?;
    let first = (!wrong.is_empty()).then(|| wrong.swap_remove(0));
    let json = outputs.to_draw(&draw).to_json();
    Ok((json, first, outputs.resources.trace))
}

fn options(args: &RunArgs, wave: Option<u32>, stage: ShaderKind) -> Result<Options, Problem> {
    let mut id = [0; 3];
    let Some(given) = id.get_mut(..args.trace.len()) else {
        return Err(Problem::usage_error("--trace takes at most three numbers"));
    };
    given.copy_from_slice(&args.trace);
    Ok(Options {
        wave: args.wave.or(wave),
        steps: args.steps,
        noise: None,
        trace: (!args.trace.is_empty()).then_some(Invocation { stage, id }),
    })
}

/// Returns the result of a run.
fn result<T>(args: &RunArgs, run: impl FnOnce() -> Result<T, Error>) -> Result<T, Problem> {
    let what = format!("cannot run {}", files::name_of(&args.input));
    guarded(|| Ok(run()))
        .map_err(Problem::failed("run", &args.input))?
        .map_err(|error| explain(what, &error))
}

fn explain(what: String, error: &Error) -> Problem {
    let problem = Problem::input_error(what).because(error);
    match error {
        Error::Entry { .. } => problem.help(Kind::from(ErrorKind::EntryPoint).help()),
        Error::Stage { .. } => problem.help(TAKEN),
        Error::Unbound { .. } | Error::NotInHeap { .. } => problem.help(
            "add a binding to the inputs file; `trellis reflect` prints the shader's resources",
        ),
        Error::NoInput { .. } => problem.help(
            "add an input to the inputs file; `trellis reflect` prints the shader's signatures",
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
