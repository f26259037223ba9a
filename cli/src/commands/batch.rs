//! `trellis batch`

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{BufWriter, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap::parser::ValueSource;
use trellis_corpus::backend::Backend;
use trellis_corpus::batch::Settings;
use trellis_corpus::cache::{CacheSettings, fingerprint};
use trellis_corpus::converter::Converter;
use trellis_corpus::details;
use trellis_corpus::inputs::{self, Filter, Input, InputError};
use trellis_corpus::isolate::Limits;
use trellis_corpus::junit;
use trellis_corpus::report::{Report, ShaderReport, Summary, Validator};
use trellis_corpus::spool::Spool;
use trellis_dxil::Options;

use crate::args::Arguments;
use crate::batch_args::BatchArgs;
use crate::files::{self, printable};
use crate::isolation::{self, Setup};
use crate::library;
use crate::problem::Problem;
use crate::progress::{self, Progress};

/// Maximum number of failures listed on standard error; the report lists all of them.
const LISTED_FAILURES: usize = 20;

/// Converts the shaders and writes the reports.
pub(crate) fn run(args: &BatchArgs) -> Result<ExitCode, Problem> {
    let reports = [
        &args.report,
        &args.html,
        &args.junit,
        &args.sarif,
        &args.parquet,
    ];
    for file in reports.into_iter().flatten() {
        check_report_path(file)?;
    }
    if cfg!(not(feature = "parquet")) && args.parquet.is_some() {
        return Err(
            Problem::usage_error("this build cannot write Parquet tables")
                .help("build with the feature `parquet`, which is on by default"),
        );
    }
    let options = library::options(&args.translation)?;
    let (target, validate) = (options.target, options.debug.validate);
    let signature = root_signature(args)?;
    let backend = Backend::new(options.clone());
    let converter = converter(args, options, signature)?;
    let filter = Filter::new(&args.include, &args.exclude)
        .map_err(|error| Problem::usage_error(error.to_string()))?;
    let inputs = inputs::collect(&args.inputs, &filter).map_err(|error| wrong_inputs(&error))?;
    // A bar would be among the lines.
    let hidden = args.quiet || (args.json_lines && std::io::stdout().is_terminal());
    let progress = Progress::new(inputs.len() as u64, hidden);
    let lines = progress::Lines::default();
    let mut settings = Settings::default();
    settings.output = Some(args.output.clone());
    settings.jobs = args.jobs.map(usize::from);
    settings.shard = args.shard;
    settings.cache = cache(args)?;
    settings.sync = args.sync;
    // `trellis compare` tells outputs in two reports apart by their hashes.
    settings.measure = args.parquet.is_some() || args.report.is_some() || args.json_lines;
    settings.fail_fast = args.fail_fast && !args.keep_going;
    let finished = |shaders: &[ShaderReport]| {
        let failed = shaders.iter().filter(|shader| shader.error.is_some());
        progress.finished(failed.count() as u64);
        for shader in shaders.iter().filter(|_| args.json_lines) {
            lines.print(shader);
        }
    };
    let run = || trellis_corpus::batch::run_spooled(&inputs, &*converter, &settings, &finished);
    let result = progress.during(run);
    let (totals, mut spool) = result.map_err(|error| {
        Problem::usage_error(format!(
            "cannot write to the folder {}",
            args.output.display()
        ))
        .because(&error)
    })?;
    let summary = Summary {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        target: target.name().to_owned(),
        validator: if validate {
            Validator::TrellisAndSpirvVal
        } else {
            Validator::Trellis
        },
        totals,
    };
    print_failures(&mut spool, args).map_err(|error| unreadable(&error))?;
    if let Some(error) = &summary.totals.cache_error {
        // If standard error is closed, the message cannot be shown.
        let _ = writeln!(std::io::stderr(), "not cached: {error}");
    }
    // Print the summary even if a report cannot be written: the shaders have been written.
    let page = Page {
        inputs: &inputs,
        backend: &backend,
    };
    let written = write_reports(args, &summary, &mut spool, &page);
    if args.json_lines {
        lines.print(&serde_json::json!({ "totals": summary.totals }));
        lines.finish()?;
    } else {
        files::write_standard(format!("{}\n", summary.totals).as_bytes())?;
    }
    written?;
    Ok(if summary.totals.failed > 0 {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

fn unreadable(error: &std::io::Error) -> Problem {
    Problem::usage_error("cannot read the temporary files with the results").because(error)
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
        limit: args.cache_limit.map(|mib| u64::from(mib.get()) << 20),
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

/// The first lines of a kind, and how many there are.
struct List<'a> {
    label: &'a str,
    rest: &'a str,
    text: String,
    count: usize,
}

impl<'a> List<'a> {
    fn new(label: &'a str, rest: &'a str) -> Self {
        Self {
            label,
            rest,
            text: String::new(),
            count: 0,
        }
    }

    fn push(&mut self, shader: &ShaderReport, reason: &str) {
        self.count += 1;
        if self.count > LISTED_FAILURES {
            return;
        }
        let entry = shader
            .entry
            .as_ref()
            .map(|entry| format!(" ({})", entry.escape_debug()))
            .unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.text,
            "{}: {}{entry}: {reason}",
            self.label,
            // One line, whatever the file is called.
            printable(&shader.input)
        );
    }

    /// Returns the lines, and one that counts the rest.
    fn finish(mut self, hint: &str) -> String {
        if let Some(more) = self.count.checked_sub(LISTED_FAILURES)
            && more > 0
        {
            let _ = writeln!(self.text, "… and {more} more {}: {hint}", self.rest);
        }
        self.text
    }
}

/// Lists the first failures on standard error, one per line, and what else is notable.
fn print_failures(spool: &mut Spool, args: &BatchArgs) -> std::io::Result<()> {
    let hint = if args.report.is_some() {
        "see the report"
    } else {
        "--report FILE lists all of them"
    };
    let mut failed = List::new("failed", "failures");
    let mut not_validated = List::new("not validated", "not validated");
    let mut renamed = List::new("renamed", "renamed");
    for shader in spool.iter_notable()? {
        let shader = shader?;
        if let Some(failure) = &shader.error {
            failed.push(&shader, &failure.message);
        }
        if args.quiet {
            continue;
        }
        if let Some(reason) = &shader.not_validated {
            not_validated.push(&shader, reason);
        }
        if let Some(output) = &shader.clashes_with {
            let reason = match output.ends_with('/') {
                true => format!("another output is in the folder {output}"),
                false => format!("another input has the output {output}"),
            };
            renamed.push(&shader, &reason);
        }
    }
    let lists = [failed, not_validated, renamed].map(|lines| lines.finish(hint));
    // If standard error is closed, the messages cannot be shown.
    let _ = std::io::stderr().write_all(lists.concat().as_bytes());
    Ok(())
}

/// What the HTML page is made of in addition to the report.
struct Page<'a> {
    inputs: &'a [Input],
    backend: &'a Backend,
}

impl Page<'_> {
    /// Writes the HTML page, for which the inputs are read again.
    fn write(
        &self,
        args: &BatchArgs,
        path: &Path,
        report: &Report,
        of_input: &[usize],
    ) -> Result<(), Problem> {
        let amount = args.details.unwrap_or_default();
        let jobs = args.jobs.map(usize::from);
        let details = details::collect(self.inputs, self.backend, report, of_input, amount, jobs);
        let mut details = details.map_err(|error| {
            Problem::usage_error("cannot start the threads that make the page").because(&error)
        })?;
        details.options = translation_options(std::env::args_os());
        let page = trellis_corpus::html::render_with(report, &details);
        files::write(Some(path), page.as_bytes())
    }
}

/// Returns the options of the translation that a command line has, which are those of `trellis convert`, too.
fn translation_options(line: impl IntoIterator<Item = OsString>) -> Vec<String> {
    let mut options = Vec::new();
    let command = Arguments::command();
    let given = command.clone().try_get_matches_from(line);
    let Some(("batch", given)) = given.as_ref().ok().and_then(|given| given.subcommand()) else {
        return options;
    };
    let arguments = command.find_subcommand("batch").into_iter();
    for argument in arguments.flat_map(clap::Command::get_arguments) {
        let id = argument.get_id().as_str();
        let is_of_translation = argument.get_help_heading() == Some("Translation");
        let Some(name) = argument.get_long().filter(|_| is_of_translation) else {
            continue;
        };
        if given.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let values = given.get_raw(id).into_iter().flatten();
        let values = values.map(|value| value.to_string_lossy());
        if !argument.get_action().takes_values() {
            options.push(format!("--{name}"));
        } else if argument.is_require_equals_set() {
            options.extend(values.map(|value| format!("--{name}={value}")));
        } else {
            options.extend(values.flat_map(|value| [format!("--{name}"), value.into_owned()]));
        }
    }
    options
}

/// Removes what a killed batch left of the reports that are written.
fn remove_leftovers(args: &BatchArgs) {
    let reports = [&args.report, &args.sarif, &args.junit, &args.html];
    #[cfg(feature = "parquet")]
    let reports = reports.into_iter().chain([&args.parquet]);
    for path in reports.into_iter().flatten() {
        trellis_corpus::files::remove_leftovers(path);
    }
}

/// Writes all reports that can be written, and returns the first problem; others are printed.
fn write_reports(
    args: &BatchArgs,
    summary: &Summary,
    spool: &mut Spool,
    source: &Page<'_>,
) -> Result<(), Problem> {
    remove_leftovers(args);
    let mut first = Ok(());
    let mut note = |written: Result<(), Problem>| match written {
        Err(problem) if first.is_err() => problem.print(),
        Err(problem) => first = Err(problem),
        Ok(()) => {}
    };
    if let Some(path) = &args.report {
        note(files::write_with(path, |file| {
            let mut to = BufWriter::new(file);
            summary.write_json(spool.iter()?, &mut to)?;
            to.flush()
        }));
    }
    if let Some(path) = &args.sarif {
        // It has nothing of the others.
        let is_failed = |shader: &std::io::Result<ShaderReport>| {
            shader
                .as_ref()
                .map_or(true, |shader| shader.error.is_some())
        };
        let report = spool
            .iter_notable()
            .and_then(|all| all.filter(is_failed).collect());
        let report = report.map(|failed| summary.clone().with(failed));
        let report = report.map_err(|error| unreadable(&error));
        note(report.and_then(|report| {
            let text = trellis_corpus::sarif::render(&report)
                .map_err(|error| Problem::usage_error("cannot write the report").because(&error))?;
            files::write(Some(path), text.as_bytes())
        }));
    }
    if let Some(path) = &args.junit {
        note(files::write_with(path, |file| {
            let mut to = BufWriter::new(file);
            junit::write(summary, spool.iter()?, &mut to)?;
            to.flush()
        }));
    }
    #[cfg(feature = "parquet")]
    if let Some(path) = &args.parquet {
        // Inputs are taken in order: those that were not run are the last ones.
        let not_run = usize::try_from(summary.totals.not_run).unwrap_or(usize::MAX);
        let first = source.inputs.len().saturating_sub(not_run);
        let not_run = source.inputs[first..].iter().map(ToString::to_string);
        note(files::write_with(path, |file| {
            trellis_corpus::table::write(spool.iter()?, not_run, file)
        }));
    }
    if let Some(path) = &args.html {
        // The page has them all at once.
        let results = spool.collect_with_inputs();
        let results = results.map_err(|error| unreadable(&error));
        note(results.and_then(|(shaders, of_input)| {
            let report = summary.clone().with(shaders);
            source.write(args, path, &report, &of_input)
        }));
    }
    first
}

#[cfg(test)]
mod tests {
    use super::translation_options;

    #[test]
    fn options_of_the_translation_are_as_given() {
        let line = "trellis batch x.dxil --target vulkan1.1 -o out --jobs 2 --shift=srv=1,uav=2 --ags --strip-names";
        let options = translation_options(line.split(' ').map(Into::into));
        let expected =
            "--target vulkan1.1 --shift srv=1,uav=2 --strip-names --ags=u0,space2147420894";
        assert_eq!(options.join(" "), expected);
    }
}
