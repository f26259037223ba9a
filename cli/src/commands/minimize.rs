//! `trellis minimize-corpus`: the shaders of a set that are needed to keep its features.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use trellis_corpus::backend::Backend;
use trellis_corpus::inputs::{self, Filter};
use trellis_corpus::minimize::{Minimized, copy, minimize};

use super::batch::wrong_inputs;
use super::stat::no_threads;
use crate::files::{self, printable};
use crate::library;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::tool_args::MinimizeArgs;

/// Features that are named in a line.
const NAMED: usize = 3;

/// Chooses the shaders, and copies or lists them.
pub(crate) fn run(args: &MinimizeArgs) -> Result<ExitCode, Problem> {
    let converter = Backend::new(library::options(&args.translation)?);
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
        serde_json::to_string_pretty(&result)
            .map_err(|error| Problem::usage_error("cannot write the JSON").because(&error))?
            + "\n"
    } else if args.list {
        let names = result.chosen.iter();
        names.map(|chosen| format!("{}\n", chosen.input)).collect()
    } else {
        text_of(&result)
    };
    files::write_standard(text.as_bytes())?;
    for input in &result.not_read {
        // If standard error is closed, the message cannot be shown.
        let _ = writeln!(
            std::io::stderr(),
            "not read: {}: {}",
            input.input,
            input.message
        );
    }
    Ok(if result.not_read.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
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
