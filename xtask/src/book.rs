//! `cargo xtask book`: builds the book of `docs/` with mdbook, with the explorer's page in it.
//!
//! mdbook is the one that is installed, or, with `--install`, one that cargo compiles into the target folder,
//! without what the book does not need (search, a server). The links of the pages that it writes are checked:
//! each leads to a file of the book.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::explorer;

/// The version of mdbook that is installed.
const VERSION: &str = "0.5.4";

/// The explorer's page in the book. `docs/explorer.md` shows it.
pub(crate) const EXPLORER: &str = "explorer/index.html";

/// Arguments of the task.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Compile mdbook into the target folder if none is installed.
    #[arg(long)]
    install: bool,
}

/// What prevents the book from being built.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    /// There is no mdbook.
    #[error(
        "mdbook is not installed; `cargo xtask book --install` or `cargo install --locked mdbook` does that"
    )]
    NoProgram,
    /// Something failed.
    #[error("{0}")]
    Failed(String),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Runs the task. Without mdbook, it is skipped with a message.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.install && find().is_none() && !install() {
        println!("skipped: mdbook cannot be installed");
        return ExitCode::SUCCESS;
    }
    match build() {
        Ok(book) => {
            println!("{}", book.join("index.html").display());
            ExitCode::SUCCESS
        }
        Err(Problem::NoProgram) => {
            println!("skipped: {}", Problem::NoProgram);
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the folder of the program that `--install` writes.
fn tools() -> PathBuf {
    explorer::target_folder()
        .join("tools")
        .join(format!("mdbook-{VERSION}"))
}

/// Returns mdbook: the one that is installed, or that of `--install`.
fn find() -> Option<PathBuf> {
    let own = tools().join("bin/mdbook");
    let programs = [PathBuf::from("mdbook"), own];
    programs.into_iter().find(|program| {
        let mut version = Command::new(program);
        version.arg("--version").stdout(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    })
}

/// Compiles mdbook; returns whether that succeeded.
fn install() -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args([
            "install",
            "--locked",
            "--quiet",
            "mdbook",
            "--no-default-features",
        ])
        .args(["--version", VERSION, "--root"])
        .arg(tools())
        .arg("--target-dir")
        .arg(tools().join("build"))
        // The book is small: what matters is the time until the program is there.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    let installed = command.status().is_ok_and(|status| status.success());
    // What it was made of is larger than the program, and is not needed again.
    let _ = fs::remove_dir_all(tools().join("build"));
    installed
}

/// Builds the book and returns its folder.
pub(crate) fn build() -> Result<PathBuf, Problem> {
    let program = find().ok_or(Problem::NoProgram)?;
    let book = explorer::target_folder().join("book");
    let _ = fs::remove_dir_all(&book);
    let status = Command::new(program)
        .arg("build")
        .arg(explorer::root().join("docs"))
        .arg("--dest-dir")
        .arg(fs::canonicalize(explorer::target_folder())?.join("book"))
        .status()?;
    if !status.success() {
        return Err(Problem::Failed(format!("mdbook: {status}")));
    }
    let page = book.join(EXPLORER);
    if explorer::target_is_installed() {
        explorer::make_small(&page).map_err(Problem::Failed)?;
    } else {
        println!("skipped: the explorer, since {}", explorer::NO_TARGET);
        fs::create_dir_all(page.parent().unwrap_or(&book))?;
        fs::write(&page, NO_EXPLORER)?;
    }
    let dead = dead_links(&book)?;
    if !dead.is_empty() {
        let list = dead.join("\n");
        return Err(Problem::Failed(format!(
            "links to no file of the book:\n{list}"
        )));
    }
    Ok(book)
}

/// The page in place of the explorer's, where Rust's target is not installed.
const NO_EXPLORER: &str = "<!doctype html><meta charset=\"utf-8\"><title>The explorer</title>\
    <p>This book was built without the explorer: <code>rustup target add wasm32-wasip1</code> was missing.\n";

/// Returns the links of the book's pages that lead to no file, each with its page.
fn dead_links(book: &Path) -> io::Result<Vec<String>> {
    let mut dead = BTreeSet::new();
    let mut folders = vec![book.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html")
                // The explorer's page has no links to files, but scripts with what looks like some.
                && !path.ends_with(EXPLORER)
            {
                let text = fs::read_to_string(&path)?;
                for target in targets(&text) {
                    if !folder.join(target).exists() {
                        dead.insert(format!("{}: {target}", path.display()));
                    }
                }
            }
        }
    }
    Ok(dead.into_iter().collect())
}

/// Returns the paths that a page links to, without those of other servers.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    let attributes = ["href=\"", "src=\""];
    attributes.into_iter().flat_map(|attribute| {
        let links = text.split(attribute).skip(1);
        links.filter_map(|rest| {
            let target = rest.split(['"', '#', '?']).next()?;
            let elsewhere = target.contains("://")
                || target.starts_with(['/', '$', '+'])
                || target.starts_with("data:");
            (!elsewhere && !target.is_empty()).then_some(target)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_no_file_are_found() {
        let book = tempfile::tempdir().expect("a folder");
        let write =
            |name: &str, text: &str| fs::write(book.path().join(name), text).expect("written");
        write(
            "a.html",
            "<a href=\"b.html#x\"><img src=\"c.png\"><a href=\"https://d/e\"><a href=\"#f\">",
        );
        write("b.html", "");
        let dead = dead_links(book.path()).expect("read");
        assert_eq!(dead.len(), 1);
        assert!(dead[0].ends_with("a.html: c.png"), "{dead:?}");
    }
}
