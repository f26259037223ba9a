//! `trellis batch`

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use trellis_corpus::backend::Backend;
use trellis_corpus::batch::Settings;
use trellis_corpus::inputs::{self, InputError};
use trellis_corpus::report::{Report, ShaderReport, Validator};

use crate::args::BatchArgs;
use crate::files;
use crate::library;
use crate::problem::Problem;

/// How many failures are told on standard error; the report has them all.
const TOLD_FAILURES: usize = 20;

/// Converts many shaders.
pub(crate) fn run(args: &BatchArgs) -> Result<ExitCode, Problem> {
    for file in [&args.report, &args.html].into_iter().flatten() {
        check_report_path(file)?;
    }
    let options = library::options(&args.translation)?;
    let (target, validate) = (options.target, options.debug.validate);
    let converter = Backend::new(options);
    let inputs = inputs::collect(&args.inputs).map_err(|error| wrong_inputs(&error))?;
    let bar = progress(inputs.len() as u64);
    let settings = Settings {
        output: Some(args.output.clone()),
        jobs: args.jobs.map(usize::from),
    };
    let finished = |_: &[ShaderReport]| bar.inc(1);
    let result = trellis_corpus::batch::run(&inputs, &converter, &settings, &finished);
    bar.finish_and_clear();
    let (totals, shaders) = result.map_err(|error| {
        Problem::wrong_use(format!(
            "cannot write to the folder {}",
            args.output.display()
        ))
        .because(&error)
    })?;

    let report = Report {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        target: target.name().to_owned(),
        validator: if validate {
            Validator::TrellisAndSpirvVal
        } else {
            Validator::Trellis
        },
        totals,
        shaders,
    };
    tell_failures(&report, args.report.is_some());
    // The summary comes even if a report cannot be written: the shaders have been.
    let written = write_reports(args, &report);
    files::write_standard(format!("{}\n", report.totals).as_bytes())?;
    written?;
    Ok(if report.totals.failed > 0 {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

/// A report on standard output would hide the last line's summary, or be spoilt by it.
fn check_report_path(file: &Path) -> Result<(), Problem> {
    if files::is_standard(file) {
        return Err(Problem::wrong_use(
            "a report cannot go to standard output, whose last line is the summary",
        )
        .help("give the name of a file"));
    }
    Ok(())
}

fn wrong_inputs(error: &InputError) -> Problem {
    let help = match error {
        InputError::Io { .. } => {
            "check the path; - is not possible here, since a batch is about files"
        }
        InputError::Manifest { .. } => {
            "a manifest is a JSON object with a list `shaders`; see corpus/shaders/manifest.json for one"
        }
        InputError::Empty { .. } => {
            "a folder's shaders are named *.dxil, *.cso, *.dxbc or *.bc, or begin like DXIL"
        }
    };
    let problem = Problem::wrong_use(error.to_string()).help(help);
    match std::error::Error::source(error) {
        Some(source) => problem.because(source),
        None => problem,
    }
}

/// A bar on standard error if that is a terminal.
fn progress(length: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} shaders, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Tells the first failures on standard error, a line each.
fn tell_failures(report: &Report, has_report: bool) {
    let mut text = String::new();
    let mut count = 0usize;
    for (shader, failure) in report.failures() {
        count += 1;
        if count > TOLD_FAILURES {
            continue;
        }
        let entry = shader
            .entry
            .as_ref()
            .map(|entry| format!(" ({})", entry.escape_debug()))
            .unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "failed: {}{entry}: {}", shader.input, failure.message);
    }
    if count > TOLD_FAILURES {
        let where_else = if has_report {
            "see the report"
        } else {
            "--report FILE lists all"
        };
        let _ = writeln!(
            text,
            "… and {} more failures: {where_else}",
            count - TOLD_FAILURES
        );
    }
    // If standard error is closed there is nobody to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn write_reports(args: &BatchArgs, report: &Report) -> Result<(), Problem> {
    if let Some(path) = &args.report {
        let text = report
            .to_json()
            .map_err(|error| Problem::wrong_use("cannot write the report").because(&error))?;
        files::write(Some(path), text.as_bytes())?;
    }
    if let Some(path) = &args.html {
        files::write(Some(path), trellis_corpus::html::render(report).as_bytes())?;
    }
    Ok(())
}
