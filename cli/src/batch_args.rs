//! The grammar of `trellis batch`.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use trellis_corpus::details::Amount;
use trellis_corpus::shard::Shard;

use crate::args::TranslationArgs;

pub(crate) const BATCH_EXAMPLES: &str = "\
Examples:
  trellis batch shaders/ -o spirv/
  trellis batch shaders/ more/x.dxil -o spirv/ --jobs 4 --report report.json
  trellis batch corpus/shaders/manifest.json -o out/ --validate --html report.html
  trellis batch shaders/ -o spirv/ --junit tests.xml --sarif failures.sarif
  trellis batch shaders/ -o spirv/ --parquet results.parquet   a table for Arrow or DuckDB
  trellis batch game.zip cache.tar.zst -o spirv/         what is in archives
  trellis batch shaders/ -o spirv/ --include 'lit/**' --exclude '*_debug.dxil'
  trellis batch shaders/ -o spirv/ --shard 2/8           one of eight parts
  trellis batch shaders/ -o spirv/ --cache ~/.cache/trellis   convert only what has changed
  trellis batch shaders/ -o spirv/ --time-limit 10 --memory-limit 2048

For a folder or an archive, all shaders in it are converted: files named *.dxil, *.cso, *.dxbc or *.bc, and others \
that begin with the magic number of a DXBC container or of LLVM bitcode. Links to folders are followed; one that leads \
to a folder that it is in is reported as a failure. A file named *.json is a manifest.

The outputs mirror the folders of the inputs: a/b.dxil becomes DIR/a/b.spv. With several folders, each keeps its \
name below DIR. Where two outputs would have the same name, the later one keeps its extension (b.cso.spv). A \
library with several entry points gives one file per entry point: lib.ENTRY.spv.

Failures are reported on standard error and in the report. A shader that fails has no output and does not stop \
the batch. The last line on standard output is

  converted N, valid N, failed N

followed by \", without entry points N\" if there are libraries that have none: they are skipped. A failed shader has an `error` in the report: its `kind` (such as read, unsupported or invalid), `message` and \
`location`. If a feature is not supported, `feature` is its sort and `operation` the DXIL operation, if it is about \
one; of invalid DXIL, `invalid` is the sort of rule that is broken.

`valid` counts the outputs that passed Trellis's own verifier and, with --validate, spirv-val too. An output that \
does not pass is counted as failed and is not written. Of an output that the built-in spirv-val cannot check, since it \
does not know an extension, the summary says \"not validated N\", and the report why. The results do not depend on the number of jobs.

With --fail-fast, no more inputs are taken after the first failure; the summary says \"not run N\". With --json-lines \
each finished shader is an object on a line of its own, with the fields of the report, in the order in which they are \
finished; the last line is an object with `totals`. Progress is shown on standard error: a bar on a \
terminal, else a line every 10 seconds.

With --isolate each job has a process of its own that converts its shaders: one that overflows the stack or ends in \
another way fails the shader that it was converting (kind crashed) and is replaced, and the batch goes on. --time-limit and \
--memory-limit do the same to a shader that takes more (kinds time-limit and memory-limit); the memory is what the process \
may map in addition to what it has at its start. Results are the same as without.

With --cache the summary says \"from the cache N\" if there are results of earlier batches. They are found by the \
content of the shader, the options and the program: no result is ever out of date. Damaged files in the folder are made again, \
several batches can use it at the same time, and it can be deleted at any time. With --cache-limit a batch removes at \
its end what was used least recently. If it cannot be written, a message \
says so and all shaders are converted.";

/// Arguments of `trellis batch`.
#[derive(Args)]
pub(crate) struct BatchArgs {
    /// Shaders, folders and archives (*.zip, *.tar, *.tar.zst) of shaders, and manifests (*.json)
    #[arg(value_name = "IN", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Include only shaders of folders, archives and manifests whose path matches: `*` does not
    /// match `/`, `**` does, and a pattern without `/` matches file names
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Exclude shaders of folders, archives and manifests whose path matches
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
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
    /// ones come first [default: as many as fit into 16 MiB]
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
