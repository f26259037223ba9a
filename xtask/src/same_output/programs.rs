//! The two `trellis` programs: that of a revision, built in a checkout of its own, and that of the
//! working tree.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::Error;
use super::compare::Side;

/// Stages that `--without` can switch off: the name, and the name in older revisions.
pub(super) const STAGES: [(&str, &str); 14] = [
    ("phi-only-blocks", "break-phis"),
    ("empty-blocks", "degenerate-blocks"),
    ("conditions", "conditions"),
    // These two were one stage, which has no row: without it both are off.
    ("shared-headers", "shared-headers"),
    ("loop-exits", "loop-exits"),
    ("continue-targets", "continue-ladders"),
    ("switch-order", "fall-through"),
    ("break-flattening", "break-flattening"),
    ("breakable-blocks", "interleaved-breaks"),
    ("arm-flattening", "merge-scopes"),
    ("sibling-arms", "sibling-arms"),
    ("exit-block-duplication", "duplication"),
    ("loop-ends", "loop-ends"),
    ("selects", "selects"),
];

/// A `trellis` program.
#[derive(Clone, Debug)]
pub(super) struct Program {
    path: PathBuf,
    /// The name of each of [`STAGES`] in this program; none if it has neither name.
    stages: [Option<&'static str>; STAGES.len()],
}

impl Program {
    /// Runs a program to get its names of the stages.
    ///
    /// # Errors
    /// [`Error::Command`] for a program that cannot structurize the graph of one block.
    fn new(path: PathBuf, scratch: &Path) -> Result<Self, Error> {
        let graph = scratch.join("probe.cfg");
        std::fs::write(&graph, "a: ret\n").map_err(Error::io(&graph))?;
        let program = Self {
            path,
            stages: [None; STAGES.len()],
        };
        succeed(&mut program.structurize(&graph))?;
        let accepts = |name: &str| {
            let mut command = program.structurize(&graph);
            succeed(command.args(["--without", name])).is_ok()
        };
        let stages = STAGES.map(|(name, older)| name_of([name, older], accepts));
        Ok(Self { stages, ..program })
    }

    /// Returns the command that structurizes a graph with all stages.
    pub(super) fn structurize(&self, graph: &Path) -> Command {
        let mut command = self.command("structurize");
        command.arg(graph);
        command
    }

    /// Returns whether the program has a stage, an index into [`STAGES`].
    pub(super) fn has_stage(&self, stage: usize) -> bool {
        self.stages[stage].is_some()
    }

    /// Returns the command that structurizes a graph without a stage, an index into [`STAGES`];
    /// `None` if the program does not have the stage.
    pub(super) fn structurize_without(&self, graph: &Path, stage: usize) -> Option<Command> {
        let mut command = self.structurize(graph);
        command.args(["--without", self.stages[stage]?]);
        Some(command)
    }

    /// Returns the command that converts the shaders of a manifest.
    pub(super) fn batch(&self, manifest: &Path, options: &[&str], out: &Path) -> Command {
        let mut command = self.command("batch");
        command.arg(manifest).arg("-o").arg(out).args(options);
        command
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.path);
        command.arg(name).stdin(Stdio::null());
        command
    }
}

/// Returns the first name that a program accepts.
fn name_of(names: [&str; 2], accepts: impl Fn(&str) -> bool) -> Option<&str> {
    names.into_iter().find(|name| accepts(name))
}

/// Both programs.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    old: Program,
    new: Program,
}

impl Pair {
    /// Runs two programs to get their names of the stages.
    ///
    /// # Errors
    /// [`Error::Command`] for a program that cannot structurize the graph of one block.
    pub(super) fn new(old: PathBuf, new: PathBuf, scratch: &Path) -> Result<Self, Error> {
        Ok(Self {
            old: Program::new(old, scratch)?,
            new: Program::new(new, scratch)?,
        })
    }

    /// Returns the program of a side.
    pub(super) fn get(&self, side: Side) -> &Program {
        match side {
            Side::Old => &self.old,
            Side::New => &self.new,
        }
    }
}

/// Returns the full hash of the commit that a revision names.
///
/// # Errors
/// [`Error::Revision`] if there is none, [`Error::Command`] if there is no git.
pub(super) fn commit(root: &Path, revision: &str) -> Result<String, Error> {
    let mut command = git(root);
    command.args(["rev-parse", "--verify", "--quiet", "--end-of-options"]);
    command.arg(format!("{revision}^{{commit}}"));
    let output = output_of(&mut command)?;
    if !output.status.success() {
        return Err(Error::Revision(revision.to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Builds both programs. That of a commit is kept below the target folder for the next time.
///
/// # Errors
/// [`Error::Command`] if one cannot be built or does not run.
pub(super) fn build(root: &Path, commit: &str, scratch: &Path) -> Result<Pair, Error> {
    let folder = target_folder(root)?.join("same-output");
    std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
    let old = folder.join(format!("trellis-{commit}{}", std::env::consts::EXE_SUFFIX));
    if !old.exists() {
        let worktree = Worktree::add(root, &folder.join(format!("rev-{commit}")), commit)?;
        // One folder for all revisions: most of them have the same dependencies.
        let built = build_in(&worktree.path, Some(&folder.join("build")))?;
        // An interrupted copy does not result in a broken program under the final name.
        let partial = old.with_extension("partial");
        std::fs::copy(&built, &partial).map_err(Error::io(&partial))?;
        std::fs::rename(&partial, &old).map_err(Error::io(&old))?;
    }
    // A copy, since a build meanwhile would put another program under the same name.
    let new = scratch.join(format!("trellis-new{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(build_in(root, None)?, &new).map_err(Error::io(&new))?;
    Pair::new(old, new, scratch)
}

/// A checkout of a commit, which is removed with this value.
struct Worktree<'a> {
    root: &'a Path,
    path: PathBuf,
}

impl<'a> Worktree<'a> {
    fn add(root: &'a Path, path: &Path, commit: &str) -> Result<Self, Error> {
        if path.exists() {
            // An interrupted run left it.
            std::fs::remove_dir_all(path).map_err(Error::io(path))?;
        }
        let mut command = git(root);
        // Twice `-f`, since git may still list the folder, and even have it locked.
        command
            .args(["worktree", "add", "--quiet", "-f", "-f", "--detach"])
            .arg(path)
            .arg(commit);
        succeed(&mut command)?;
        Ok(Self {
            root,
            path: path.to_owned(),
        })
    }

    fn remove(&self) -> Result<(), Error> {
        succeed(
            git(self.root)
                .args(["worktree", "remove", "--force"])
                .arg(&self.path),
        )
        .map(drop)
    }
}

impl Drop for Worktree<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.remove() {
            eprintln!("warning: {error}");
        }
    }
}

fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(root);
    command
}

/// Returns cargo's command in a folder.
pub(crate) fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder);
    command
}

/// Returns where cargo builds the workspace of a folder.
pub(crate) fn target_folder(root: &Path) -> Result<PathBuf, Error> {
    let mut command = cargo(root);
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    let output = succeed(&mut command)?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let folder = metadata["target_directory"].as_str().map(PathBuf::from);
    folder.ok_or_else(|| problem(&command, "no target_directory in what it prints"))
}

/// Builds the program of a checkout and returns where it lies.
fn build_in(folder: &Path, target: Option<&Path>) -> Result<PathBuf, Error> {
    let mut command = cargo(folder);
    command.args(["build", "--release", "--bin", "trellis"]);
    command.args(["--message-format", "json-render-diagnostics"]);
    if let Some(target) = target {
        command.env("CARGO_TARGET_DIR", target);
    }
    // Standard error stays the user's, who sees the progress and what does not compile.
    command.stderr(Stdio::inherit());
    let output = succeed(&mut command)?;
    let text = String::from_utf8_lossy(&output.stdout);
    executable(&text).ok_or_else(|| problem(&command, "no program `trellis` in what it built"))
}

/// Returns the path of the program `trellis` from cargo's messages, one JSON object per line.
fn executable(messages: &str) -> Option<PathBuf> {
    messages.lines().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let is_program = message["target"]["name"] == "trellis";
        message["executable"]
            .as_str()
            .filter(|_| is_program)
            .map(PathBuf::from)
    })
}

/// Runs a command to its end, whatever that is.
fn output_of(command: &mut Command) -> Result<Output, Error> {
    let output = command.stdin(Stdio::null()).output();
    output.map_err(|error| problem(command, &error.to_string()))
}

/// Runs a command that must succeed.
pub(crate) fn succeed(command: &mut Command) -> Result<Output, Error> {
    let output = output_of(command)?;
    if output.status.success() {
        return Ok(output);
    }
    let words = String::from_utf8_lossy(&output.stderr);
    Err(problem(
        command,
        format!("{}\n{words}", output.status).trim_end(),
    ))
}

/// Returns the error of a command.
pub(crate) fn problem(command: &Command, problem: &str) -> Error {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    Error::Command {
        command: words.join(" "),
        problem: problem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_structurizer::Stage;

    #[test]
    fn the_stages_are_those_of_the_structurizer() {
        // A stage with a new name keeps its row, with the name it had.
        assert_eq!(
            STAGES.map(|names| names.0),
            Stage::OPTIONAL.map(Stage::name)
        );
    }

    #[test]
    fn the_older_name_of_a_stage_is_for_programs_that_refuse_the_first() {
        let names = ["new", "old"];
        assert_eq!(name_of(names, |_| true), Some("new"));
        assert_eq!(name_of(names, |name| name == "old"), Some("old"));
        assert_eq!(name_of(names, |_| false), None);
    }

    #[test]
    fn the_program_is_found_in_cargos_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"cli"},"executable":null}
no JSON
{"reason":"compiler-artifact","target":{"name":"trellis"},"executable":"/t/release/trellis"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(
            executable(messages).as_deref(),
            Some(Path::new("/t/release/trellis"))
        );
        assert_eq!(
            executable("{\"target\":{\"name\":\"trellis\"},\"executable\":null}"),
            None
        );
        assert_eq!(executable(""), None);
    }

    #[test]
    fn a_missing_program_is_a_typed_error() {
        let scratch = tempfile::tempdir().unwrap();
        let error = Program::new(scratch.path().join("trellis"), scratch.path()).unwrap_err();
        assert!(matches!(&error, Error::Command { .. }), "{error}");
        assert_eq!(error.status(), 1);
    }
}
