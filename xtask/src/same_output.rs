//! `cargo xtask same-output --against REV`: whether every output is that of a revision, to the
//! byte. It is the test of a change that is to leave all output as it is.
//!
//! `programs` makes the two `trellis` programs, `graphs` the inputs, `run` the runs of both on each
//! input, `compare` finds the differences, and `table` prints the results.

mod compare;
mod graphs;
mod programs;
mod run;
mod table;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::stress::parse_seeds;
pub(crate) use programs::{cargo, problem, succeed, target_folder};
use run::{Keep, Runner};
use table::Row;

/// Arguments of `same-output`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The revision to compare the working tree with: anything that `git rev-parse` takes.
    #[arg(long, value_name = "REV")]
    against: String,
    /// The seeds of random graphs, like 1..1000; the last one is not among them.
    #[arg(long, value_name = "A..B", default_value = "1..4001", value_parser = parse_seeds)]
    seeds: Range<u64>,
    /// Compare the `.cfg` files below this folder, too; may be given several times.
    #[arg(long, value_name = "FOLDER")]
    graphs: Vec<PathBuf>,
    /// Write both outputs of each difference to this folder, which must be empty or new.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// Why the outputs cannot be compared.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The revision does not exist.
    #[error("`{0}` is not a revision of this repository")]
    Revision(String),
    /// A command that must succeed did not.
    #[error("{command}: {problem}")]
    Command { command: String, problem: String },
    /// There is no graph to compare.
    #[error("no file below {} is named *.cfg", .0.display())]
    NoGraphs(PathBuf),
    /// A folder of the command line that has no graphs.
    #[error("--graphs: {0}")]
    Folder(Box<Error>),
    /// The folder for differences would mix those of two runs.
    #[error("--keep: {} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// A bitcode file of the C programs cannot be read.
    #[cfg(feature = "llvm")]
    #[error("C programs: {0}")]
    Bitcode(#[from] llvm_graphs::read::Error),
}

impl Error {
    /// Returns a function that makes the error about `path` of an I/O error.
    pub(crate) fn io(path: &Path) -> impl Fn(std::io::Error) -> Self + '_ {
        |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }

    /// Returns the exit status: 2 for invalid arguments, else 1.
    fn status(&self) -> u8 {
        match self {
            Self::Revision(_) | Self::Folder(_) | Self::NotEmpty(_) => 2,
            _ => 1,
        }
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match compare_all(arguments) {
        Ok(rows) => {
            print!(
                "{}",
                table::Report {
                    revision: &arguments.against,
                    rows: &rows
                }
            );
            ExitCode::from(u8::from(!rows.iter().all(Row::is_same)))
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.status())
        }
    }
}

/// The outputs of two programs for a set of shaders, compared.
pub(crate) struct Corpus(Vec<Row>);

impl Corpus {
    /// Converts the shaders of a manifest with both programs, with several sets of options.
    ///
    /// # Errors
    /// A program that does not run, and files that cannot be read or written.
    pub(crate) fn compare(
        old: &Path,
        new: &Path,
        manifest: &Path,
        scratch: &Path,
    ) -> Result<Self, Error> {
        let pair = programs::Pair::new(old.to_owned(), new.to_owned(), scratch)?;
        let runner = Runner {
            pair: &pair,
            keep: None,
            scratch,
        };
        runner.corpus(manifest).map(Self)
    }

    /// Returns whether every output of both is the same.
    pub(crate) fn is_same(&self) -> bool {
        self.0.iter().all(Row::is_same)
    }

    /// Returns the results as a table; `old` is what the first program is called.
    pub(crate) fn report<'a>(&'a self, old: &'a str) -> impl std::fmt::Display + 'a {
        table::Report {
            revision: old,
            rows: &self.0,
        }
    }
}

fn compare_all(arguments: &Arguments) -> Result<Vec<Row>, Error> {
    let manifest_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = manifest_folder.join("..");
    let root = root.canonicalize().map_err(Error::io(&root))?;
    let scratch = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    let scratch = scratch.path();
    // A usage error is reported before minutes are spent on building.
    let commit = programs::commit(&root, &arguments.against)?;
    let keep = arguments.keep.clone().map(Keep::new).transpose()?;
    let mut kinds = graphs::from_folders(scratch, &arguments.graphs)?;
    kinds.splice(0..0, graphs::built_in(&root, scratch, &arguments.seeds)?);
    let pair = programs::build(&root, &commit, scratch)?;
    let runner = Runner {
        pair: &pair,
        keep: keep.as_ref(),
        scratch,
    };
    let mut rows = runner.corpus(&root.join("corpus/shaders/manifest.json"))?;
    for kind in &kinds {
        rows.push(runner.graphs(kind)?);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn parse(words: &[&str]) -> Result<Arguments, clap::Error> {
        let program = std::iter::once(&"same-output");
        Line::try_parse_from(program.chain(words)).map(|line| line.arguments)
    }

    #[test]
    fn the_command_line_is_read() {
        let plain = parse(&["--against", "HEAD~2"]).unwrap();
        assert_eq!((plain.against.as_str(), plain.seeds), ("HEAD~2", 1..4001));
        assert!(plain.graphs.is_empty() && plain.keep.is_none());
        let words = [
            "--against",
            "v1",
            "--seeds",
            "5..7",
            "--graphs",
            "a",
            "--graphs",
            "b",
        ];
        let all = parse(&[&words[..], &["--keep", "k"]].concat()).unwrap();
        assert_eq!(all.seeds, 5..7);
        assert_eq!(all.graphs, [Path::new("a"), Path::new("b")]);
        assert_eq!(all.keep.as_deref(), Some(Path::new("k")));
    }

    #[test]
    fn a_wrong_command_line_is_refused_with_status_2() {
        let wrong: [&[&str]; 3] = [&[], &["--against"], &["--against", "v1", "--seeds", "7..5"]];
        for words in wrong {
            assert_eq!(
                parse(words).err().map(|error| error.exit_code()),
                Some(2),
                "{words:?}"
            );
        }
    }

    #[test]
    fn wrong_use_has_another_status_than_a_failure() {
        let no_graphs = || Error::NoGraphs("folder".into());
        assert_eq!(Error::Folder(Box::new(no_graphs())).status(), 2);
        assert_eq!(no_graphs().status(), 1);
        assert_eq!(Error::Revision("v0".to_owned()).status(), 2);
    }
}
