//! `trellis reduce`: shrinks a shader while it fails alike, or while a command accepts it.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use clap::{Args, ValueHint};
use tempfile::TempDir;
use trellis_corpus::backend::Backend;
use trellis_corpus::failure::Failure;
use trellis_corpus::files::write_whole;
use trellis_corpus::guard::guarded;
use trellis_corpus::reduce::{self, Progress, ReduceError};

use crate::files;
use crate::problem::Problem;
use crate::translation::{self, TranslationArgs};

const REDUCE_EXAMPLES: &str = "\
Examples:
  trellis reduce shader.dxil -o small.dxil                        the same sort of failure as the shader has
  trellis reduce shader.dxil -o small.dxil --until unsupported    any failure of that kind
  trellis reduce shader.dxil -o small.dxil --until unsupported:operation:SampleLevel
  trellis reduce shader.dxil -o small.dxil --until invalid:recursion --entry main
  trellis reduce shader.dxil -o small.dxil --command './crashes.sh {}' --timeout 10

The shader is taken apart, and everything that the failure does not need is removed: parts of the container, bodies of functions, \
debug information, edges of branches and switches, instructions (their values become zero), metadata, and names. The \
result is always the same for a shader and a condition. Types, declarations of functions and constants of the module stay, \
as others are numbered after them; functions whose calls have metadata as arguments keep their instructions.

Without --until, the failure must have the sort and the message of the shader's own, but for names and numbers. \
A sort is the kind of the failure, then the feature and the operation that are not supported or the sort of rule that is \
broken, as in `trellis batch --report`, with `:` between them; one with fewer parts is the same for all that begin with \
it. A shader with several entry points has the failures of all, unless --entry names one.

With --command, a shader is of interest if the command exits with status 0. It is run by `sh` in the current folder, with \
{} replaced by the quoted path of a temporary file, or with the path added at the end; after --timeout seconds it \
is killed, and the shader is not of interest.

Each improvement is written at once, whole, so that the output can be used at any time. The last line on standard output is

  N bytes -> N bytes, tests N, improvements N, rounds N";

/// Arguments of `trellis reduce`.
#[derive(Args)]
#[command(after_help = REDUCE_EXAMPLES)]
pub(crate) struct ReduceArgs {
    /// The shader
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// The file for the result
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// Failure that the result must have [default: the shader's failure, with its message]
    #[arg(long, value_name = "SORT", conflicts_with = "command")]
    pub(crate) until: Option<String>,
    /// Command that exits with status 0 if a shader is interesting
    #[arg(long, value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// Seconds after which the command is killed
    #[arg(long, value_name = "SECONDS", default_value_t = 30, requires = "command",
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) timeout: u64,
    /// Convert only this entry point
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Print each improvement on standard error
    #[arg(short, long)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) translation: TranslationArgs,
}

/// Time between two looks at whether a command has ended.
const WAIT: Duration = Duration::from_millis(2);

/// Reduces the shader.
pub(crate) fn run(args: &ReduceArgs) -> Result<ExitCode, Problem> {
    files::check_output(&args.input, Some(&args.output), false)?;
    if files::is_standard(&args.output) {
        return Err(Problem::usage_error(
            "cannot write to standard output, which receives the summary",
        )
        .help("specify a file name"));
    }
    let bytes = files::read(&args.input)?;
    let mut failed = None;
    let mut improved = |progress: &Progress<'_>| {
        if failed.is_none() {
            failed = files::write(Some(&args.output), progress.bytes).err();
        }
        if args.verbose {
            let (size, tests) = (progress.bytes.len(), progress.tests);
            files::note(&format!(
                "{size} bytes after {tests} tests: {}",
                progress.pass
            ));
        }
    };
    let result = match &args.command {
        Some(command) => {
            let mut test = External::new(command, args)?;
            let mut holds = |bytes: &[u8]| test.accepts(bytes);
            let result = reduce::reduce(&bytes, &mut holds, &mut improved);
            test.finish()?;
            result
        }
        None => {
            let test = Alike::new(&bytes, args)?;
            let mut holds = |bytes: &[u8]| test.fails_alike(bytes);
            reduce::reduce(&bytes, &mut holds, &mut improved)
        }
    };
    let summary = result.map_err(|error| not_reduced(args, &error))?;
    if let Some(problem) = failed {
        return Err(problem);
    }
    let line = format!(
        "{} bytes -> {} bytes, tests {}, improvements {}, rounds {}\n",
        summary.before, summary.after, summary.tests, summary.improvements, summary.rounds
    );
    files::write_standard(line.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn not_reduced(args: &ReduceArgs, error: &ReduceError) -> Problem {
    let name = files::name_of(&args.input);
    let problem = Problem::input_error(format!("cannot reduce {name}")).because(error);
    match error {
        ReduceError::NotInteresting if args.command.is_some() => {
            problem.help("the command must exit with status 0 for the shader itself")
        }
        ReduceError::NotInteresting => {
            problem.help("`trellis batch FILE -o DIR --report FILE` has the shader's failures")
        }
        _ => problem,
    }
}

/// The condition that a shader fails alike.
struct Alike {
    backend: Backend,
    entry: Option<String>,
    /// The sort of failure, or its beginning.
    sort: String,
    /// The message of the shader's own failure without names and numbers: other causes have the same sort.
    message: Option<String>,
}

impl Alike {
    /// Takes the sort from the arguments, or from the shader's first failure.
    fn new(bytes: &[u8], args: &ReduceArgs) -> Result<Self, Problem> {
        let mut alike = Self {
            backend: Backend::new(translation::options(&args.translation)?),
            entry: args.entry.clone(),
            sort: String::new(),
            message: None,
        };
        match &args.until {
            Some(sort) => alike.sort.clone_from(sort),
            None => {
                let name = files::name_of(&args.input);
                let first = alike.failures(bytes).into_iter().next();
                let first = first.ok_or_else(|| {
                    Problem::input_error(format!("{name} does not fail"))
                        .help("--command has other conditions")
                })?;
                alike.sort = first.sort();
                alike.message = Some(first.shape());
            }
        }
        Ok(alike)
    }

    fn fails_alike(&self, bytes: &[u8]) -> bool {
        self.failures(bytes).iter().any(|failure| {
            let sort = failure.sort();
            let rest = sort.strip_prefix(self.sort.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':')) && {
                self.message.as_ref()
            }
            .is_none_or(|text| *text == failure.shape())
        })
    }

    /// Returns the failures of all entry points, or of the chosen one.
    fn failures(&self, bytes: &[u8]) -> Vec<Failure> {
        let entries = match &self.entry {
            Some(entry) => Ok(vec![Some(entry.clone())]),
            None => guarded(|| trellis_corpus::backend::entries(bytes)).map(|entries| {
                let names = entries.into_iter().map(|entry| Some(entry.name));
                let names: Vec<_> = names.collect();
                // A shader without entry points fails with a specific error.
                if names.is_empty() { vec![None] } else { names }
            }),
        };
        let entries = match entries {
            Ok(entries) => entries,
            Err(failure) => return vec![failure],
        };
        let convert =
            |entry: Option<String>| guarded(|| self.backend.convert(bytes, entry.as_deref())).err();
        entries.into_iter().filter_map(convert).collect()
    }
}

/// The condition that a command accepts a shader.
struct External<'a> {
    command: &'a str,
    timeout: Duration,
    /// Holds `file`; removed with it.
    folder: TempDir,
    file: PathBuf,
    /// Why the command could not be run.
    problem: Option<Problem>,
}

impl<'a> External<'a> {
    fn new(command: &'a str, args: &ReduceArgs) -> Result<Self, Problem> {
        // With the extension of the shader, which programs may look at.
        let extension = args.input.extension().and_then(|e| e.to_str());
        let extension = extension.unwrap_or("dxil");
        let folder = tempfile::Builder::new().prefix("trellis-reduce-").tempdir();
        let folder = folder.map_err(|error| {
            Problem::usage_error("cannot make a temporary folder").because(&error)
        })?;
        Ok(Self {
            command,
            timeout: Duration::from_secs(args.timeout),
            file: folder.path().join(format!("shader.{extension}")),
            folder,
            problem: None,
        })
    }

    fn accepts(&mut self, bytes: &[u8]) -> bool {
        if self.problem.is_some() {
            return false;
        }
        match self.run(bytes) {
            Ok(accepts) => accepts,
            Err(error) => {
                let problem = Problem::usage_error("cannot run the command");
                self.problem = Some(problem.because(&error));
                false
            }
        }
    }

    fn run(&self, bytes: &[u8]) -> std::io::Result<bool> {
        write_whole(&self.file, bytes)?;
        let path = quoted(&self.file);
        let line = match self.command.contains("{}") {
            true => self.command.replace("{}", &path),
            false => format!("{} {path}", self.command),
        };
        let mut command = Command::new("sh");
        command
            .args(["-c", &line])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // In a separate process group, so that its children end with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status.success());
            }
            if start.elapsed() >= self.timeout {
                #[cfg(unix)]
                let _ = Command::new("kill")
                    .args(["-KILL", "--", &format!("-{}", child.id())])
                    .stderr(Stdio::null())
                    .status();
                // It may have ended in the meantime.
                let _ = child.kill();
                child.wait()?;
                return Ok(false);
            }
            std::thread::sleep(WAIT);
        }
    }

    /// Removes the temporary files.
    fn finish(self) -> Result<(), Problem> {
        // Files that the command left may not be removable; the result does not depend on them.
        let _ = self.folder.close();
        self.problem.map_or(Ok(()), Err)
    }
}

/// Returns a path as one word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"))
}
