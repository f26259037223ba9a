//! `cargo xtask gpu-test`: converted shaders on a Vulkan device.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use clap::Args;
use gpu_test::generate::{self, Generated};
use gpu_test::install::ensure_device;
use gpu_test::suite::{self, SuiteError};
use gpu_test::table::{Outcome, Row, Table};
use gpu_test::vulkan;
use gpu_test::worker_process::again;

use crate::root;

/// Arguments of the task.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo xtask gpu-test                                  all tests on lavapipe
  cargo xtask gpu-test waves --device swiftshader       the tests of a folder on another device
  cargo xtask gpu-test --html report.html               the table as a page: ours, DXC's, the interpreter's
  cargo xtask gpu-test --generate loops --dxc dxc       make test files for shaders whose path contains `loops`")]
pub(crate) struct Arguments {
    /// Only shaders whose path contains one of these.
    only: Vec<String>,
    /// The folder with shaders and manifest (default: the corpus).
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// The device: part of its name (default: lavapipe, or the first one).
    #[arg(long, value_name = "NAME-PART")]
    device: Option<String>,
    /// List the devices.
    #[arg(long)]
    list: bool,
    /// Run without the validation layer.
    #[arg(long)]
    no_validation: bool,
    /// Run without the references: DXC's SPIR-V and the interpreter.
    #[arg(long)]
    no_references: bool,
    /// Number of threads, each with a separate device (default: one per core)
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Write the expected contents of the tests again, where the references agree with the device.
    #[arg(long)]
    bless: bool,
    /// Print failures and the summary only.
    #[arg(long, short)]
    quiet: bool,
    /// Also write the table as an HTML page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Run one test that requires a separate process, and print its rows as JSON.
    #[arg(long, hide = true, value_name = "TEST")]
    alone: Option<String>,
    /// Make test files for shaders whose path contains this.
    #[arg(
        long,
        value_name = "PATH",
        conflicts_with = "bless",
        overrides_with = "generate"
    )]
    generate: Option<String>,
    /// With --generate: the HLSL compiler, to make the reference `NAME.dxc.spv`.
    #[arg(long, value_name = "PATH", requires = "generate")]
    dxc: Option<PathBuf>,
    /// Make no reference after all.
    #[arg(long, hide = true)]
    no_dxc: bool,
    /// With --generate: how many cases a shader gets at most.
    #[arg(long, value_name = "N", default_value_t = 2)]
    cases: usize,
    /// With --generate: overwrite existing test files
    #[arg(long, requires = "generate")]
    replace: bool,
}

/// Runs the task.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    ensure_device(arguments.device.as_deref())?;
    if arguments.list {
        for device in vulkan::list().map_err(|error| error.to_string())? {
            let note = if device.usable {
                ""
            } else {
                ": too old for the tests"
            };
            println!("{} (Vulkan {}){note}", device.name, device.version);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(part) = &arguments.generate {
        return generate(arguments, part);
    }
    let options = suite::Options {
        folder: folder(arguments),
        dxbc: arguments
            .folder
            .is_none()
            .then(|| root().join("corpus/dxbc")),
        device: arguments.device.clone(),
        validation: !arguments.no_validation,
        jobs: arguments
            .jobs
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into)),
        only: arguments.only.clone(),
        references: !arguments.no_references,
        bless: arguments.bless,
        alone: arguments.alone.clone(),
    };
    let fail = |error: SuiteError| error.to_string();
    let mut table = suite::run(&options).map_err(fail)?;
    if options.alone.is_some() {
        println!(
            "{}",
            serde_json::to_string(&table.rows).map_err(|error| error.to_string())?
        );
        return Ok(ExitCode::SUCCESS);
    }
    for test in suite::alone(&options).map_err(fail)? {
        table.add(alone(&test)?);
    }
    print(&table, arguments.quiet);
    if let Some(path) = &arguments.html {
        std::fs::write(path, gpu_test::html::render(&table))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(crate::status(table.count(Outcome::Failed) == 0))
}

/// A closed pipe is not an error.
fn print(table: &Table, quiet: bool) {
    let text = if quiet {
        table.without_passed()
    } else {
        table.to_string()
    };
    let _ = writeln!(io::stdout(), "{text}");
}

/// Makes test files, each shader in a separate process: a driver that crashes ends only that.
fn generate(arguments: &Arguments, part: &str) -> Result<ExitCode, String> {
    let options = generate::Options {
        folder: folder(arguments),
        only: part.to_owned(),
        dxc: arguments.dxc.clone().filter(|_| !arguments.no_dxc),
        device: arguments.device.clone(),
        cases: arguments.cases,
        replace: arguments.replace,
    };
    let paths = generate::matching(&options)?;
    if paths.len() > 1 {
        for path in &paths {
            let child = |more: &[&str]| {
                let mut command = again()?;
                let status = command.args(["--generate", path]).args(more).status();
                status.map_err(|error| error.to_string())
            };
            let status = child(&[])?;
            if status.code().is_none() && arguments.dxc.is_some() {
                println!("         the driver crashed ({status}): again without DXC's SPIR-V");
                child(&["--no-dxc"])?;
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    for (path, generated) in generate::run(&options)? {
        match generated {
            Generated::Written(cases, remarks) => {
                println!("written  {path}: {cases} cases");
                for remark in &remarks {
                    println!("         {remark}");
                }
            }
            Generated::Kept => println!("kept     {path}"),
            Generated::Nothing(mut reasons) => {
                println!("nothing  {path}");
                reasons.sort();
                reasons.dedup();
                for reason in &reasons {
                    println!("         {reason}");
                }
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the rows of a test that requires a separate process.
fn alone(test: &str) -> Result<Vec<Row>, String> {
    let start = Instant::now();
    let mut command = again()?;
    command.args(["--alone", test]);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| error.to_string())?;
    Ok(serde_json::from_slice(&output.stdout).unwrap_or_else(|_| {
        vec![Row::problem(
            test.to_owned(),
            format!("its process: {}", output.status),
            start.elapsed(),
        )]
    }))
}

fn folder(arguments: &Arguments) -> PathBuf {
    arguments
        .folder
        .clone()
        .unwrap_or_else(|| root().join("corpus/shaders"))
}
