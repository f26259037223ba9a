//! `cargo xtask table-test`: other programs read the Parquet table of a batch.
//!
//! Converts the corpus and some files that fail, writes the table and the JSON report of the same results, and has
//! pyarrow and DuckDB compare the two, value by value. They come from a Python environment of the target folder; where
//! they cannot be installed, this is skipped with a message.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use trellis_corpus::backend::Backend;
use trellis_corpus::batch::{Settings, run_spooled};
use trellis_corpus::inputs::{Filter, Input, collect};
use trellis_corpus::report::{Summary, Validator};
use trellis_corpus::table;
use trellis_dxil::Options;

/// What a step returns that did not work.
type Problem = Box<dyn std::error::Error>;

/// The packages that read the table.
const PACKAGES: [&str; 2] = ["pyarrow", "duckdb"];

/// Runs the test.
pub(crate) fn run() -> ExitCode {
    let python = match python() {
        Ok(python) => python,
        Err(reason) => {
            println!("skipped: the table in other programs: {reason}");
            return ExitCode::SUCCESS;
        }
    };
    match compare(&python) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Returns a Python that has the packages: the system's, or one of the target folder.
fn python() -> Result<PathBuf, String> {
    let system = PathBuf::from("python3");
    if has_packages(&system) {
        return Ok(system);
    }
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = program.parent().and_then(Path::parent);
    let folder = target.unwrap_or(Path::new(".")).join("table-test-python");
    let python = folder.join("bin/python3");
    if has_packages(&python) {
        return Ok(python);
    }
    let mut environment = Command::new(&system);
    let made = environment.args(["-m", "venv"]).arg(&folder).status();
    if !made.is_ok_and(|status| status.success()) {
        return Err("python3 cannot make an environment (Debian: python3-venv)".to_owned());
    }
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet"]);
    install.args(["--disable-pip-version-check", "--only-binary", ":all:"]);
    let installed = install.args(PACKAGES).status();
    match installed.is_ok_and(|status| status.success()) && has_packages(&python) {
        true => Ok(python),
        false => Err(format!("{} cannot be installed", PACKAGES.join(" and "))),
    }
}

fn has_packages(python: &Path) -> bool {
    let import = format!("import {}", PACKAGES.join(", "));
    let mut command = Command::new(python);
    let command = command.args(["-c", &import]).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Returns true if the programs read what was written.
fn compare(python: &Path) -> Result<bool, Problem> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = tempfile::tempdir()?;
    let broken = folder.path().join("broken");
    std::fs::create_dir(&broken)?;
    // What is read and fails, and what is not read.
    std::fs::write(broken.join("a.dxil"), "no shader")?;
    std::fs::write(broken.join("ü \"'.dxil"), "DXBC")?;
    let arguments = [repository.join("corpus/shaders/manifest.json"), broken];
    let mut inputs = collect(&arguments, &Filter::default())?;
    inputs.push(Input::file(folder.path().join("none.dxil"), "none.dxil"));

    let mut settings = Settings::default();
    settings.output = Some(folder.path().join("out"));
    settings.measure = true;
    let options = Options::default();
    let target = options.target.name().to_owned();
    let (totals, mut spool) = run_spooled(&inputs, &Backend::new(options), &settings, &|_| {})?;
    let summary = Summary {
        target,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        validator: Validator::Trellis,
        totals,
    };
    let (report, table) = (
        folder.path().join("report.json"),
        folder.path().join("results.parquet"),
    );
    summary.write_json(spool.iter()?, &mut std::fs::File::create(&report)?)?;
    let late = ["late.dxil".to_owned()].into_iter();
    table::write(spool.iter()?, late, std::fs::File::create(&table)?)?;
    let script = repository.join("xtask/scripts/read-table.py");
    let status = Command::new(python)
        .args([&script, &table, &report, &folder.path().join("out")])
        .status()?;
    Ok(status.success())
}
