//! `cargo xtask python`: the Python package in a fresh virtual environment.
//!
//! Makes the environment, installs what the tests need, builds the wheel with maturin and installs it, and
//! runs the tests, the type checker on the package and its tests, and the comparison of the stubs with the
//! native module. What is not installed, and cannot be, is skipped with a message.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Arguments of the task.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run the tests of the pipeline on a cluster, with Ray, instead of the others.
    #[arg(long)]
    ray: bool,
    /// The interpreter.
    #[arg(long, value_name = "PATH", default_value = "python3")]
    python: PathBuf,
    /// Further arguments for pytest.
    #[arg(last = true, value_name = "ARGUMENTS")]
    pytest: Vec<String>,
}

/// The oldest version of Python that the package supports.
const OLDEST: (u32, u32) = (3, 9);

/// A command that failed, or could not be started.
type Problem = String;

/// Runs the task.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match check(arguments) {
        Ok(None) => ExitCode::SUCCESS,
        Ok(Some(skipped)) => {
            println!("skipped: {skipped}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Runs all checks; returns why they are skipped, if they are.
fn check(arguments: &Arguments) -> Result<Option<String>, Problem> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../python");
    let folder = folder.canonicalize().map_err(|error| error.to_string())?;
    if let Some(reason) = missing(&arguments.python) {
        return Ok(Some(reason));
    }
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| folder.join("target"), PathBuf::from);
    let venv = target.join(if arguments.ray { "venv-ray" } else { "venv" });
    let mut make = Command::new(&arguments.python);
    if succeeds(make.args(["-m", "venv", "--clear"]).arg(&venv)).is_err() {
        let reason = "Python cannot make virtual environments (Debian: python3-venv)";
        return Ok(Some(reason.to_owned()));
    }
    let environment = Environment { folder, venv };
    let mut requirements = vec!["requirements.txt"];
    if arguments.ray {
        requirements.push("requirements-ray.txt");
    }
    for file in requirements {
        if let Err(problem) = environment.run("pip", &["install", "--quiet", "--requirement", file])
        {
            return Ok(Some(format!(
                "python/{file} cannot be installed: {problem}"
            )));
        }
    }
    environment.install(&target.join("wheels"))?;
    let mut tests: Vec<&str> = vec!["-m", "pytest"];
    match arguments.ray {
        true => tests.push("tests/test_cluster.py"),
        false => tests.extend(["tests", "--ignore=tests/test_cluster.py"]),
    }
    tests.extend(arguments.pytest.iter().map(String::as_str));
    environment.run("python", &tests)?;
    if !arguments.ray {
        environment.run("python", &["-m", "doctest", "README.md"])?;
        environment.run("python", &["-m", "mypy"])?;
        let stubs = [
            "-m",
            "mypy.stubtest",
            "--mypy-config-file",
            "pyproject.toml",
        ];
        let modules = ["trellis._native"];
        environment.run("python", &[&stubs[..], &modules[..]].concat())?;
    }
    Ok(None)
}

/// Returns why an interpreter cannot be used, if it cannot.
fn missing(python: &Path) -> Option<String> {
    let version = "import sys; print(*sys.version_info[:2])";
    let output = Command::new(python).args(["-c", version]).output();
    let text = match output {
        Ok(output) if output.status.success() => output.stdout,
        _ => return Some(format!("{} is not installed", python.display())),
    };
    let text = String::from_utf8_lossy(&text);
    let mut numbers = text.split_whitespace().map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) if (major, minor) >= OLDEST => None,
        _ => Some(format!(
            "{} has version {}, and {}.{} is needed",
            python.display(),
            text.trim().replace(' ', "."),
            OLDEST.0,
            OLDEST.1
        )),
    }
}

/// A virtual environment, and the folder that its programs run in.
struct Environment {
    folder: PathBuf,
    venv: PathBuf,
}

impl Environment {
    /// Builds the wheel and installs it.
    fn install(&self, wheels: &Path) -> Result<(), Problem> {
        // Another version may be there from before.
        let _ = std::fs::remove_dir_all(wheels);
        let out = wheels.to_string_lossy();
        let profile = ["build", "--profile", "dev", "--quiet", "--out"];
        self.run("maturin", &[&profile[..], &[&*out]].concat())?;
        let built = std::fs::read_dir(wheels).map_err(|error| error.to_string())?;
        let wheel = built
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .next();
        let wheel = wheel.ok_or("maturin made no wheel")?;
        let install = ["install", "--quiet", "--no-deps", &wheel.to_string_lossy()];
        self.run("pip", &install)
    }

    /// Runs a program of the environment.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<(), Problem> {
        let programs = self
            .venv
            .join(if cfg!(windows) { "Scripts" } else { "bin" });
        let mut command = Command::new(programs.join(program));
        command.args(arguments).current_dir(&self.folder);
        command.env("VIRTUAL_ENV", &self.venv);
        command.env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        succeeds(&mut command)
            .map_err(|problem| format!("{program} {}: {problem}", arguments.join(" ")))
    }
}

/// Runs a command, whose output is shown.
fn succeeds(command: &mut Command) -> Result<(), Problem> {
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    }
}
