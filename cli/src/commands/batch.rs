//! `trellis batch`

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{BufWriter, IsTerminal as _, Write as _};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::builder::BoolishValueParser;
use clap::parser::ValueSource;
use clap::{ArgAction, Args, Command, ValueHint};
use trellis_corpus::backend::{Backend, Setup};
use trellis_corpus::batch::Settings;
use trellis_corpus::cache::{CacheSettings, fingerprint};
use trellis_corpus::converter::Converter;
use trellis_corpus::details::{self, Amount};
use trellis_corpus::failure::Kind;
use trellis_corpus::inputs::{self, Filter, Input, InputError};
use trellis_corpus::isolate::Limits;
use trellis_corpus::junit;
use trellis_corpus::report::{Report, ShaderReport, Summary, Validator};
use trellis_corpus::shard::Shard;
use trellis_corpus::spool::Spool;
use trellis_dxil::Options;

use crate::files::{self, printable};
use crate::isolation;
use crate::problem::Problem;
use crate::progress::{self, Progress};
use crate::translation::{self, TranslationArgs};

const BATCH_EXAMPLES: &str = "\
Examples:
  trellis batch shaders/ -o spirv/
  trellis batch shaders/ more/x.dxil -o spirv/ --jobs 4 --report report.json
  trellis batch corpus/shaders/manifest.json -o out/ --validate --html report.html
  trellis batch shaders/ -o spirv/ --junit tests.xml --sarif failures.sarif
  trellis batch shaders/ -o spirv/ --parquet results.parquet   a table for Arrow or DuckDB
  trellis batch game.zip cache.tar.zst -o spirv/         shaders in archives
  trellis batch shaders/ -o spirv/ --include 'lit/**' --exclude '*_debug.dxil'
  trellis batch shaders/ -o spirv/ --shard 2/8           one of eight parts
  trellis batch shaders/ -o spirv/ --cache ~/.cache/trellis   convert only changed shaders
  trellis batch shaders/ -o spirv/ --time-limit 10 --memory-limit 2048

For a folder or an archive, all shaders in it are converted: files named *.dxil, *.cso, *.dxbc or *.bc, and others \
that begin with the magic number of a DXBC container or of LLVM bitcode. Links are followed, unless --follow-links=no; one that leads \
to a folder that it is in is reported as a failure. A file named *.json is a manifest.

The outputs mirror the folders of the inputs: a/b.dxil becomes DIR/a/b.spv. With several folders, each keeps its \
name below DIR. Where two outputs would have the same name, the later one keeps its extension (b.cso.spv). A \
library with several entry points gives one file per entry point: lib.ENTRY.spv.

Failures are reported on standard error and in the report. A shader that fails has no output and does not stop \
the batch. The last line on standard output is

  converted N, valid N, failed N

followed by \", without entry points N\" if there are libraries that have none: they are skipped. A failed shader has an `error` in the report: its `kind` (such as read, unsupported or invalid), `message` and \
`location`. If a feature is not supported, `feature` is its sort and `operation` the DXIL operation, if it is about \
one; of an invalid shader, `invalid` is the sort of rule that is broken.

`valid` counts the outputs that passed Trellis's own verifier and, with --validate, spirv-val too. An output that \
does not pass is counted as failed and is not written. Of an output that the built-in spirv-val cannot check, since it \
does not know an extension, the summary says \"not validated N\", and the report why. The results do not depend on the number of jobs.

With --fail-fast, no more inputs are taken after the first failure; the summary says \"not run N\"; so does \
a batch that a full disk stops, with exit status 2. With --json-lines \
each finished shader is one line with a JSON object, with the fields of the report, in the order in which they are \
finished; the last line is an object with `totals`. Progress is shown on standard error: a bar on a \
terminal, else a line every 10 seconds.

With --isolate each job converts its shaders in a separate process: if it overflows the stack or ends in \
another way, the shader fails (kind crashed), the process is replaced, and the batch continues. --time-limit and \
--memory-limit do the same to a shader that takes more (kinds time-limit and memory-limit); the memory limit applies to \
memory that the process maps after its start. Results are the same as without.

With --cache the summary says \"from the cache N\" if there are results of earlier batches. They are found by the \
content of the shader, the options and the program: no result is ever out of date. Damaged files in the folder are made again, \
several batches can use it at the same time, and it can be deleted at any time. With --cache-limit a batch removes at \
its end the files that were used least recently. If the cache cannot be written, a message \
says so and all shaders are converted.";

/// Arguments of `trellis batch`.
#[derive(Args)]
#[command(after_help = BATCH_EXAMPLES)]
pub(crate) struct BatchArgs {
    /// Shaders, folders and archives (*.zip, *.tar, *.tar.zst, *.tar.gz) of shaders, and manifests
    /// (*.json)
    #[arg(value_name = "IN", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Include only shaders of folders, archives and manifests whose path matches: `*` does not
    /// match `/`, `**` does, and a pattern without `/` matches file names
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Exclude shaders of folders, archives and manifests whose path matches
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Follow symbolic links in folders: `no` for untrusted folders, whose links may lead to any file
    #[arg(long, value_name = "YES|NO", default_value = "yes", action = ArgAction::Set,
          value_parser = BoolishValueParser::new(), hide_possible_values = true)]
    pub(crate) follow_links: bool,
    /// Convert one of N parts of the shaders, chosen by content: equal shaders are in one part
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Folder for the SPIR-V files; created if it does not exist
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,
    /// Number of shaders to convert in parallel [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Folder of the cache, which reuses results of earlier batches with the same program and
    /// options; created if it does not exist
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cache: Option<PathBuf>,
    /// Maximum size of the --cache folder after the batch, in MiB: the least recently used results
    /// are removed
    #[arg(long, value_name = "MIB", requires = "cache")]
    pub(crate) cache_limit: Option<NonZeroU32>,
    /// Flush each output to disk before it gets its name, so that it is complete even after a power
    /// failure
    #[arg(long)]
    pub(crate) sync: bool,
    /// Convert in worker processes, one per job, so that no shader can stop the batch
    #[arg(long)]
    pub(crate) isolate: bool,
    /// Time limit per shader in seconds, such as 0.5; implies --isolate
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Memory limit per shader in MiB, on Linux; implies --isolate
    #[arg(long, value_name = "MIB")]
    pub(crate) memory_limit: Option<NonZeroU32>,
    /// Stop after the first shader that fails; the summary counts the inputs that were not run
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Convert all shaders, regardless of failures (the default)
    #[arg(long, conflicts_with = "fail_fast")]
    pub(crate) keep_going: bool,
    /// Show only failures on standard error: no progress, renamed or unvalidated outputs
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Print a line of JSON per finished shader, and the totals last, instead of the summary
    #[arg(long)]
    pub(crate) json_lines: bool,
    /// Write a JSON report with the result of each shader
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,
    /// Write the report as one HTML page: totals, distributions, failures by cause, operations, and the
    /// shaders with their graphs and texts
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,
    /// Number of shaders with graphs and texts on the page, `all` or `none`; failed, slow and large
    /// ones come first [default: the number that fits into 4 MiB]
    #[arg(long, value_name = "N", requires = "html")]
    pub(crate) details: Option<Amount>,
    /// Write the report as JUnit XML, with a test case per shader
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) junit: Option<PathBuf>,
    /// Write the failures as SARIF 2.1.0
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) sarif: Option<PathBuf>,
    /// Write the results as a Parquet table, with a row per shader
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) parquet: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) translation: TranslationArgs,
}

/// Parses a time of more than 0 seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let time = time.filter(|time| !time.is_zero());
    time.ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

/// Maximum number of failures listed on standard error; the report lists all of them.
const LISTED_FAILURES: usize = 20;

/// Converts the shaders and writes the reports.
pub(crate) fn run(args: &BatchArgs, grammar: &Command) -> Result<ExitCode, Problem> {
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
    let options = translation::options(&args.translation)?;
    let (target, validate) = (options.target, options.debug.validate);
    let signature = root_signature(args)?;
    let backend = Backend::new(options.clone());
    let converter = converter(args, options, signature)?;
    let filter = Filter::new(&args.include, &args.exclude)
        .map_err(|error| Problem::usage_error(error.to_string()))?;
    let filter = match args.follow_links {
        true => filter,
        false => filter.without_links(),
    };
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
    // `trellis compare` distinguishes outputs in two reports by their hashes.
    settings.measure = args.parquet.is_some() || args.report.is_some() || args.json_lines;
    settings.fail_fast = args.fail_fast && !args.keep_going;
    let is_disk_full = AtomicBool::new(false);
    let finished = |shaders: &[ShaderReport]| {
        let mut failures = shaders.iter().filter_map(|shader| shader.error.as_ref());
        let is_full = failures.any(|failure| failure.kind == Kind::DiskFull);
        is_disk_full.fetch_or(is_full, Ordering::Relaxed);
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
        files::note(&format!("not cached: {error}"));
    }
    // Print the summary even if a report cannot be written: the shaders have been written.
    let page = Page {
        inputs: &inputs,
        backend: &backend,
        grammar,
        hidden,
    };
    let written = write_reports(args, &summary, &mut spool, &page);
    if args.json_lines {
        lines.print(&serde_json::json!({ "totals": summary.totals }));
        lines.finish()?;
    } else {
        files::write_standard(format!("{}\n", summary.totals).as_bytes())?;
    }
    written?;
    if is_disk_full.into_inner() {
        let text = format!("the disk of {} is full", args.output.display());
        return Err(Problem::usage_error(text).help(Kind::DiskFull.help()));
    }
    Ok(ExitCode::from(u8::from(summary.totals.failed > 0)))
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

/// Returns the converter that the arguments request: in this process or in others.
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
        InputError::Archive { .. } => "archives are zip, tar, tar.zst and tar.gz, by their names",
        InputError::Empty { .. } => {
            "shaders in a folder or archive are files named *.dxil, *.cso, *.dxbc or *.bc, and others that begin like DXIL; --include and --exclude choose among them"
        }
    };
    Problem::of(error).help(help)
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

/// Lists the first failures and other notable events on standard error, one per line.
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

/// Inputs of the HTML page other than the report.
struct Page<'a> {
    inputs: &'a [Input],
    backend: &'a Backend,
    grammar: &'a Command,
    /// No progress is shown.
    hidden: bool,
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
        let progress = Progress::new(self.inputs.len() as u64, self.hidden);
        let read = || progress.finished(0);
        let collect = || {
            details::collect(
                self.inputs,
                self.backend,
                report,
                of_input,
                amount,
                jobs,
                &read,
            )
        };
        let mut details = progress.during(collect).map_err(|error| {
            Problem::usage_error("cannot start the threads that make the page").because(&error)
        })?;
        details.options = translation_options(self.grammar, std::env::args_os());
        let page = trellis_corpus::html::render_with(report, &details);
        files::write(Some(path), page.as_bytes())
    }
}

/// Returns the translation options of a command line, which `trellis convert` has, too.
fn translation_options(command: &Command, line: impl IntoIterator<Item = OsString>) -> Vec<String> {
    let mut options = Vec::new();
    let given = command.clone().try_get_matches_from(line);
    let Some(("batch", given)) = given.as_ref().ok().and_then(|given| given.subcommand()) else {
        return options;
    };
    let arguments = command.find_subcommand("batch").into_iter();
    for argument in arguments.flat_map(Command::get_arguments) {
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

/// Removes temporary files of the reports that a killed batch left.
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
        // The other reports may be on another disk: all are tried.
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
    use clap::CommandFactory as _;

    use super::translation_options;
    use crate::args::Arguments;

    #[test]
    fn options_of_the_translation_are_as_given() {
        let line = "trellis batch x.dxil --target vulkan1.1 -o out --jobs 2 --shift=srv=1,uav=2 --ags --strip-names";
        let options = translation_options(&Arguments::command(), line.split(' ').map(Into::into));
        let expected =
            "--target vulkan1.1 --shift srv=1,uav=2 --strip-names --ags=u0,space2147420894";
        assert_eq!(options.join(" "), expected);
    }
}
