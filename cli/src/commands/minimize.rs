//! `trellis minimize-corpus`: the shaders of a set that are needed to keep its features.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use trellis_corpus::backend::Backend;
use trellis_corpus::inputs::{self, Filter};
use trellis_corpus::minimize::{Minimized, copy, minimize};

use super::batch::wrong_inputs;
use super::stat::no_threads;
use crate::files::{self, printable};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::translation::{self, TranslationArgs};

const MINIMIZE_EXAMPLES: &str = "\
Examples:
  trellis minimize-corpus shaders/ -o few/
  trellis minimize-corpus shaders/ more.zip --list > files.txt
  trellis minimize-corpus shaders/ --json > chosen.json
  trellis minimize-corpus shaders/ -o few/ --include 'lit/**' --target vulkan1.1

The inputs are given as to `trellis batch`. Each is read and converted; its features are its DXIL operations with their \
overloads, stage, shader model, flags, metadata, resources and signature elements, the counters of the structurizer in \
buckets by powers of two, the instructions, capabilities and extensions of its SPIR-V, and the kinds of failures. A \
greedy set cover chooses shaders that together have all features; of shaders with equal features it takes the smallest. \
The result depends on the contents and the options, not on names, the order of the inputs or the number of jobs.

The files keep the paths that they have below their folder or archive. The last line on standard output is

  chosen N of N shaders, N of N bytes, features N

and a line before it for each chosen shader, with the number of features that none before it has. With --list the \
lines are the names of the chosen inputs alone. With --list or --json nothing is written unless -o is given, too. The \
JSON has for each chosen shader `brings`, the features that no shader before it has, and `alone`, those that no other has. \
The exit status is 1 if an input cannot be read.";

/// Arguments of `trellis minimize-corpus`.
#[derive(Args)]
#[command(after_help = MINIMIZE_EXAMPLES)]
pub(crate) struct MinimizeArgs {
    /// Shader files, folders, archives and manifests
    #[arg(required = true, value_name = "INPUT", value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder for copies of the chosen shaders; created if it does not exist
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath,
          required_unless_present_any = ["list", "json"])]
    pub(crate) output: Option<PathBuf>,
    /// Print only the names of the chosen inputs
    #[arg(long)]
    pub(crate) list: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Include only paths below a folder, archive or manifest that match one of these patterns
    #[arg(long, value_name = "PATTERN")]
    pub(crate) include: Vec<String>,
    /// Exclude paths that match one of these patterns
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<String>,
    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Do not show progress on standard error
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) translation: TranslationArgs,
}

/// Features that are named in a line.
const NAMED: usize = 3;

/// Chooses the shaders, and copies or lists them.
pub(crate) fn run(args: &MinimizeArgs) -> Result<ExitCode, Problem> {
    let converter = Backend::new(translation::options(&args.translation)?);
    let filter = Filter::new(&args.include, &args.exclude)
        .map_err(|error| Problem::usage_error(error.to_string()))?;
    let inputs = inputs::collect(&args.inputs, &filter).map_err(|error| wrong_inputs(&error))?;
    let progress = Progress::new(inputs.len() as u64, args.quiet);
    let finished = || progress.finished(0);
    let jobs = args.jobs.map(usize::from);
    let result = progress
        .during(|| minimize(&inputs, &converter, jobs, &finished))
        .map_err(|error| no_threads(&error))?;
    if let Some(folder) = &args.output {
        copy(&inputs, &result, folder).map_err(|failure| {
            Problem::usage_error("cannot copy the chosen shaders").because(&failure)
        })?;
    }
    let text = if args.json {
        files::json(&result)?
    } else if args.list {
        let names = result.chosen.iter();
        names.map(|chosen| format!("{}\n", chosen.input)).collect()
    } else {
        text_of(&result)
    };
    files::write_standard(text.as_bytes())?;
    for input in &result.not_read {
        files::note(&format!("not read: {}: {}", input.input, input.message));
    }
    Ok(ExitCode::from(u8::from(!result.not_read.is_empty())))
}

fn text_of(result: &Minimized) -> String {
    let mut text = format!("{:>8} {:>9}  input: features\n", "new", "bytes");
    for chosen in &result.chosen {
        let others = chosen.brings.iter();
        let others = others.filter(|name| chosen.alone.binary_search(name).is_err());
        let named: Vec<&str> = { chosen.alone.iter().chain(others) }
            .map(String::as_str)
            .take(NAMED)
            .collect();
        let more = if chosen.brings.len() > NAMED {
            ", …"
        } else {
            ""
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:>8} {:>9}  {}: {}{more}",
            chosen.brings.len(),
            chosen.bytes,
            printable(&chosen.input),
            printable(&named.join(", "))
        );
    }
    let _ = writeln!(
        text,
        "chosen {} of {} shaders, {} of {} bytes, features {}",
        result.chosen.len(),
        result.shaders,
        result.chosen_bytes,
        result.bytes,
        result.features
    );
    text
}
