//! `cargo xtask test`: everything that CI tests. Tests that need a program that is not installed
//! are skipped with a message.

use std::path::{Path, PathBuf};
use std::process::Command;

/// One run of the test suite, and what it skipped.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Commands that failed.
    pub(crate) failed: Vec<String>,
    /// The skipped tests, and why.
    pub(crate) skipped: Vec<String>,
}

/// Runs all tests.
pub(crate) fn run() -> Outcome {
    let mut outcome = Outcome::default();
    outcome.cargo(&["test", "--workspace", "--no-fail-fast"], &[]);
    outcome.cargo(
        &[
            "test",
            "--package",
            "trellis-structurizer",
            "--features",
            "petgraph",
            "--test",
            "it",
            "petgraph::",
        ],
        &[],
    );
    outcome.cargo(
        &[
            "test",
            "--package",
            "trellis-structurizer",
            "--features",
            "petgraph",
            "--doc",
            "petgraph",
        ],
        &[],
    );
    match llvm_prefix() {
        Some(prefix) => {
            let environment = [("LLVM_SYS_140_PREFIX", prefix.as_path())];
            outcome.cargo(
                &[
                    "test",
                    "--package",
                    "trellis-dxil-frontend",
                    "--features",
                    "llvm",
                    "--test",
                    "it",
                    "llvm::",
                ],
                &environment,
            );
            outcome.cargo(
                &["test", "--package", "llvm-graphs", "--features", "llvm"],
                &environment,
            );
        }
        None => {
            for what in [
                "the comparison of our bitcode reader with LLVM",
                "graphs that LLVM made",
            ] {
                outcome.skipped.push(format!(
                    "{what}: LLVM 14 and its headers are not installed (Debian: llvm-14-dev)"
                ));
            }
        }
    }
    for (program, what) in [
        (
            "spirv-val",
            "SPIRV-Tools' opinion of random structured graphs",
        ),
        ("bash", "the check of shell completions"),
    ] {
        if !is_installed(program) {
            outcome
                .skipped
                .push(format!("{what}: `{program}` is not installed"));
        }
    }
    outcome
}

impl Outcome {
    fn cargo(&mut self, arguments: &[&str], environment: &[(&str, &Path)]) {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let line = format!("cargo {}", arguments.join(" "));
        println!("# {line}");
        let mut command = Command::new(cargo);
        command.args(arguments);
        for (name, value) in environment {
            command.env(name, value);
        }
        match command.status() {
            Ok(status) if status.success() => {}
            Ok(status) => self.failed.push(format!("{line}: {status}")),
            Err(error) => self.failed.push(format!("{line}: {error}")),
        }
    }
}

/// Returns where LLVM 14 is installed, with its headers.
fn llvm_prefix() -> Option<PathBuf> {
    let given = std::env::var_os("LLVM_SYS_140_PREFIX").map(PathBuf::from);
    let usual = [
        "/usr/lib/llvm-14",
        "/usr/lib/llvm14",
        "/opt/homebrew/opt/llvm@14",
        "/usr/local/opt/llvm@14",
    ]
    .map(PathBuf::from);
    given
        .into_iter()
        .chain(usual)
        .find(|p| p.join("include/llvm-c/Core.h").exists() && p.join("bin/llvm-config").exists())
}

fn is_installed(program: &str) -> bool {
    let Some(path) = std::env::var_os("PATH") else {
        return false;
    };
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
