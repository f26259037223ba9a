//! `trellis batch`

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use trellis_corpus::backend::Backend;
use trellis_corpus::batch::Settings;
use trellis_corpus::cache::{CacheSettings, fingerprint};
use trellis_corpus::converter::Converter;
use trellis_corpus::inputs::{self, Filter, InputError};
use trellis_corpus::isolate::Limits;
use trellis_corpus::report::{Report, SCHEMA, ShaderReport, Validator};
use trellis_dxil::Options;

use crate::args::BatchArgs;
use crate::files;
use crate::isolation::{self, Setup};
use crate::library;
use crate::problem::Problem;
use crate::progress::{Lines, Progress};

/// Maximum number of failures listed on standard error; the report lists all of them.
const LISTED_FAILURES: usize = 20;

/// Converts the shaders and writes the reports.
pub(crate) fn run(args: &BatchArgs) -> Result<ExitCode, Problem> {
    for file in [&args.report, &args.html, &args.junit, &args.sarif]
        .into_iter()
        .flatten()
    {
        check_report_path(file)?;
    }
    let options = library::options(&args.translation)?;
    let (target, validate) = (options.target, options.debug.validate);
    let signature = root_signature(args)?;
    let converter = converter(args, options, signature)?;
    let filter = Filter::new(&args.include, &args.exclude)
        .map_err(|error| Problem::usage_error(error.to_string()))?;
    let inputs = inputs::collect(&args.inputs, &filter).map_err(|error| wrong_inputs(&error))?;
    // A bar would be among the lines.
    let hidden = args.quiet || (args.json_lines && std::io::stdout().is_terminal());
    let progress = Progress::new(inputs.len() as u64, hidden);
    let lines = Lines::default();
    let mut settings = Settings::default();
    settings.output = Some(args.output.clone());
    settings.jobs = args.jobs.map(usize::from);
    settings.shard = args.shard;
    settings.cache = cache(args)?;
    settings.fail_fast = args.fail_fast && !args.keep_going;
    let finished = |shaders: &[ShaderReport]| {
        let failed = shaders.iter().filter(|shader| shader.error.is_some());
        progress.finished(failed.count() as u64);
        for shader in shaders.iter().filter(|_| args.json_lines) {
            lines.print(shader);
        }
    };
    let run = || trellis_corpus::batch::run(&inputs, &*converter, &settings, &finished);
    let result = progress.during(run);
    let (totals, shaders) = result.map_err(|error| {
        Problem::usage_error(format!(
            "cannot write to the folder {}",
            args.output.display()
        ))
        .because(&error)
    })?;

    let report = Report {
        schema: SCHEMA,
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
    if !args.quiet {
        print_failures(&report, args.report.is_some());
    }
    if let Some(error) = &report.totals.cache_error {
        // If standard error is closed, the message cannot be shown.
        let _ = writeln!(std::io::stderr(), "not cached: {error}");
    }
    // Print the summary even if a report cannot be written: the shaders have been written.
    let written = write_reports(args, &report);
    if args.json_lines {
        lines.print(&serde_json::json!({ "totals": report.totals }));
        lines.finish()?;
    } else {
        files::write_standard(format!("{}\n", report.totals).as_bytes())?;
    }
    written?;
    Ok(if report.totals.failed > 0 {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

/// Returns the settings of the cache, with a hash of this program: a development build has the version
/// of others.
fn cache(args: &BatchArgs) -> Result<Option<CacheSettings>, Problem> {
    let Some(folder) = args.cache.clone() else {
        return Ok(None);
    };
    let program = std::env::current_exe().and_then(std::fs::read);
    let program = program.map_err(|error| {
        Problem::usage_error("cannot read this program's own file, which --cache needs")
            .because(&error)
    })?;
    Ok(Some(CacheSettings {
        folder,
        program: fingerprint(&program),
    }))
}

/// Returns the bytes of the file with the root signature, which the options do not have as text.
fn root_signature(args: &BatchArgs) -> Result<Option<Vec<u8>>, Problem> {
    let path = args.translation.places.root_signature.as_ref();
    path.map(|path| files::read(path).map_err(Problem::into_usage_error))
        .transpose()
}

/// Returns the converter that the arguments ask for: in this process or in others.
fn converter(
    args: &BatchArgs,
    options: Options,
    root_signature: Option<Vec<u8>>,
) -> Result<Box<dyn Converter>, Problem> {
    let addresses = args.translation.places.root_addresses;
    let name = root_signature.as_deref().map(fingerprint);
    let backend = Backend::new(options.clone())
        .with_bindings_name(name.map(|name| format!("{name} {addresses}")));
    let limits = Limits {
        time: args.time_limit,
        memory: args.memory_limit.map(|mib| u64::from(mib.get()) << 20),
    };
    if !args.isolate && limits == Limits::default() {
        return Ok(Box::new(backend));
    }
    let setup = Setup {
        options,
        root_signature,
        root_addresses: addresses,
    };
    let isolated = isolation::start(&setup, limits, backend.identity())?;
    Ok(Box::new(isolated))
}

/// Rejects a report on standard output, whose last line is the summary.
fn check_report_path(file: &Path) -> Result<(), Problem> {
    if files::is_standard(file) {
        return Err(Problem::usage_error(
            "cannot write a report to standard output, which receives the summary",
        )
        .help("specify a file name"));
    }
    Ok(())
}

pub(crate) fn wrong_inputs(error: &InputError) -> Problem {
    let help = match error {
        InputError::Io { .. } => "check the path; `batch` does not accept standard input (-)",
        InputError::Manifest { .. } => {
            "a manifest is a JSON object with a list `shaders`; see corpus/shaders/manifest.json for an example"
        }
        InputError::Archive { .. } => "archives are zip, tar and tar.zst, by their names",
        InputError::Empty { .. } => {
            "shaders in a folder or archive are files named *.dxil, *.cso, *.dxbc or *.bc, and others that begin like DXIL; --include and --exclude choose among them"
        }
    };
    let problem = Problem::usage_error(error.to_string()).help(help);
    match std::error::Error::source(error) {
        Some(source) => problem.because(source),
        None => problem,
    }
}

/// Lists the first failures on standard error, one per line.
fn print_failures(report: &Report, has_report: bool) {
    let hint = if has_report {
        "see the report"
    } else {
        "--report FILE lists all of them"
    };
    let failures = report
        .failures()
        .map(|(shader, failure)| (shader, failure.message.as_str()));
    let not_validated = report
        .shaders
        .iter()
        .filter_map(|shader| Some((shader, shader.not_validated.as_deref()?)));
    let renamed = report.shaders.iter().filter_map(|shader| {
        let reason = format!(
            "another input has the output {}",
            shader.clashes_with.as_deref()?
        );
        Some((shader, reason))
    });
    let renamed: Vec<_> = renamed.collect();
    let renamed = renamed
        .iter()
        .map(|(shader, reason)| (*shader, reason.as_str()));
    let mut text = list("failed", "failures", failures, hint);
    text += &list("not validated", "not validated", not_validated, hint);
    text += &list("renamed", "renamed", renamed, hint);
    // If standard error is closed, the messages cannot be shown.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Returns a line for each of the first shaders and its reason, and one that counts the rest.
fn list<'a>(
    label: &str,
    rest: &str,
    shaders: impl Iterator<Item = (&'a ShaderReport, &'a str)>,
    hint: &str,
) -> String {
    let mut text = String::new();
    let mut count = 0usize;
    for (shader, reason) in shaders {
        count += 1;
        if count > LISTED_FAILURES {
            continue;
        }
        let entry = shader
            .entry
            .as_ref()
            .map(|entry| format!(" ({})", entry.escape_debug()))
            .unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{label}: {}{entry}: {reason}", shader.input);
    }
    if count > LISTED_FAILURES {
        let more = count - LISTED_FAILURES;
        let _ = writeln!(text, "… and {more} more {rest}: {hint}");
    }
    text
}

/// Writes all reports that can be written, and returns the first problem; others are printed.
fn write_reports(args: &BatchArgs, report: &Report) -> Result<(), Problem> {
    type Render<'a> = &'a dyn Fn() -> serde_json::Result<String>;
    let reports: [(&Option<PathBuf>, Render<'_>); 4] = [
        (&args.report, &|| report.to_json()),
        (&args.html, &|| Ok(trellis_corpus::html::render(report))),
        (&args.junit, &|| Ok(trellis_corpus::junit::render(report))),
        (&args.sarif, &|| trellis_corpus::sarif::render(report)),
    ];
    let mut first = Ok(());
    for (path, render) in reports {
        let Some(path) = path else { continue };
        let unwritable = |error: serde_json::Error| {
            Problem::usage_error("cannot write the report").because(&error)
        };
        let text = render().map_err(unwritable);
        let written = text.and_then(|text| files::write(Some(path), text.as_bytes()));
        match written {
            Err(problem) if first.is_err() => problem.print(),
            Err(problem) => first = Err(problem),
            Ok(()) => {}
        }
    }
    first
}
