//! `cargo xtask check`: the checks of a few minutes for the crates that changed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};

use clap::Args;
use serde::Deserialize;

/// Arguments of the task.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Check all crates, not only those that changed.
    #[arg(long)]
    all: bool,
    /// The revision that changes are compared with (default: origin/HEAD if there is one, else HEAD)
    #[arg(long, value_name = "REV")]
    against: Option<String>,
}

/// What `cargo metadata` prints of the workspace.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_root: String,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: String,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

/// Formats, lints and tests the changed crates: their unit tests, and the file tests of the structurizer.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match check(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn check(arguments: &Arguments) -> Result<(), String> {
    let packages = match arguments.all {
        true => vec!["--workspace".to_owned()],
        false => changed(arguments.against.as_deref())?,
    };
    cargo(&["fmt", "--all", "--check"])?;
    if packages.is_empty() {
        println!("no crate changed");
        return Ok(());
    }
    let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
    cargo(
        &[
            &["clippy", "--all-targets"],
            &packages[..],
            &["--", "-D", "warnings"],
        ]
        .concat(),
    )?;
    // `--lib` is an error where no package has a library.
    let unit_tests = ["test", "--no-fail-fast", "--bins"];
    let lib: &[&str] = match has_library(&packages)? {
        true => &["--lib"],
        false => &[],
    };
    cargo(&[&unit_tests[..], lib, &packages[..]].concat())?;
    if packages.contains(&"trellis-structurizer") || arguments.all {
        cargo(&[
            "test",
            "-p",
            "trellis-structurizer",
            "--test",
            "it",
            "filetests",
        ])?;
    }
    Ok(())
}

/// Returns `-p` and the name of each package with files that changed since a revision, or that git does not
/// know.
fn changed(revision: Option<&str>) -> Result<Vec<String>, String> {
    let metadata = metadata()?;
    let of = |revision: &str| output("git", &["merge-base", revision, "HEAD"]);
    let base = match revision {
        Some(revision) => of(revision)?,
        None => of("origin/HEAD").unwrap_or_else(|_| "HEAD".to_owned()),
    };
    let mut files = output("git", &["diff", "--name-only", base.trim()])?;
    files += &output("git", &["ls-files", "--others", "--exclude-standard"])?;
    let root = Path::new(&metadata.workspace_root);
    // The innermost package of each file.
    let package_of = |file: &str| {
        let path = root.join(file);
        let around = metadata.packages.iter().filter_map(|package| {
            let folder = Path::new(&package.manifest_path).parent()?;
            path.starts_with(folder)
                .then_some((folder.as_os_str().len(), package))
        });
        around
            .max_by_key(|&(depth, _)| depth)
            .map(|(_, package)| package.name.clone())
    };
    let names: BTreeSet<String> = files.lines().filter_map(package_of).collect();
    Ok(names
        .into_iter()
        .flat_map(|name| ["-p".to_owned(), name])
        .collect())
}

fn metadata() -> Result<Metadata, String> {
    let text = output("cargo", &["metadata", "--no-deps", "--format-version", "1"])?;
    serde_json::from_str(&text).map_err(|e| e.to_string())
}

/// Returns whether one of the packages, or of all with `--workspace`, has a library.
fn has_library(packages: &[&str]) -> Result<bool, String> {
    let is_library = |target: &Target| target.kind.iter().any(|kind| kind.ends_with("lib"));
    let is_chosen = |name: &str| packages.contains(&name) || packages.contains(&"--workspace");
    let packages = metadata()?.packages;
    let mut chosen = packages.iter().filter(|package| is_chosen(&package.name));
    Ok(chosen.any(|package| package.targets.iter().any(is_library)))
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    println!("# cargo {}", arguments.join(" "));
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(program).args(arguments).status();
    match status.map_err(|e| e.to_string())?.success() {
        true => Ok(()),
        false => Err(format!("cargo {} failed", arguments.join(" "))),
    }
}

fn output(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{program} {} failed", arguments.join(" "))),
    }
}
