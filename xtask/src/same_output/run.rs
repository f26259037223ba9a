//! Both programs on each input, on all cores.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Output;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;

use super::Error;
use super::compare::{Outcome, Side, compare_files, compare_runs};
use super::graphs::{Input, Kind, files_below};
use super::programs::{Pair, STAGES};
use super::table::Row;

/// The options that the corpus is converted with.
const OPTION_SETS: [&[&str]; 5] = [
    &[],
    &["--target", "vulkan1.1"],
    &["--target", "vulkan1.2", "--no-point-size"],
    &[
        "--target",
        "vulkan1.4",
        "--dynamic-offsets",
        "--shift",
        "srv=0,uav=100",
    ],
    &["--strip-names", "--min-precision", "native"],
];

/// The folder for the outputs of differences.
#[derive(Clone, Debug)]
pub(super) struct Keep(PathBuf);

impl Keep {
    /// Makes the folder.
    ///
    /// # Errors
    /// [`Error::NotEmpty`] if something is in it: it would look like a difference of this run.
    pub(super) fn new(folder: PathBuf) -> Result<Self, Error> {
        std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        let mut entries = std::fs::read_dir(&folder).map_err(Error::io(&folder))?;
        if entries.next().is_some() {
            Err(Error::NotEmpty(folder))
        } else {
            Ok(Self(folder))
        }
    }

    /// Writes a file `KIND/NAME.END`, whatever characters the kind and the name have.
    fn write(&self, kind: &str, name: &str, end: &str, contents: &[u8]) -> Result<(), Error> {
        let folder = self.0.join(file_name(kind));
        std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        let file = folder.join(format!("{}.{end}", file_name(name)));
        std::fs::write(&file, contents).map_err(Error::io(&file))
    }
}

/// Returns a text as part of a file name that any system allows.
fn file_name(text: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    let text = text.replace("--", "");
    text.chars()
        .map(|c| if allowed(c) { c } else { '_' })
        .collect()
}

/// Runs both programs.
pub(super) struct Runner<'a> {
    pub(super) pair: &'a Pair,
    pub(super) keep: Option<&'a Keep>,
    pub(super) scratch: &'a Path,
}

impl Runner<'_> {
    /// Converts the shaders of a manifest with each set of options; a row a set.
    pub(super) fn corpus(&self, manifest: &Path) -> Result<Vec<Row>, Error> {
        OPTION_SETS
            .iter()
            .map(|options| self.batch(manifest, options))
            .collect()
    }

    /// Converts with one set of options. A batch uses all cores itself.
    fn batch(&self, manifest: &Path, options: &[&str]) -> Result<Row, Error> {
        let name = format!("corpus {}", options.join(" "));
        let mut row = Row::new(name.trim_end());
        let folder = |side: Side| self.scratch.join("spirv").join(side.name());
        let mut outputs = Vec::new();
        for side in Side::BOTH {
            let mut command = self.pair.get(side).batch(manifest, options, &folder(side));
            match command.output() {
                Ok(output) => outputs.push(output),
                Err(error) => row.add("batch", Outcome::Failed(format!("{side}: {error}"))),
            }
        }
        if let [old, new] = outputs.as_slice() {
            match compare_runs(old, new) {
                Outcome::Refused => {
                    // Some shaders have no form with these options: the counts have their number.
                    row.notes
                        .push(String::from_utf8_lossy(&new.stdout).trim_end().to_owned());
                    row.add("batch", Outcome::Same);
                }
                other => row.add("batch", other),
            }
        }
        self.spirv(&mut row, &folder(Side::Old), &folder(Side::New))?;
        for side in Side::BOTH {
            let folder = folder(side);
            if folder.exists() {
                std::fs::remove_dir_all(&folder).map_err(Error::io(&folder))?;
            }
        }
        Ok(row)
    }

    /// Compares all files below two folders.
    fn spirv(&self, row: &mut Row, old: &Path, new: &Path) -> Result<(), Error> {
        let mut names = BTreeSet::new();
        for folder in [old, new].into_iter().filter(|folder| folder.exists()) {
            let files = files_below(folder)?;
            let inside = |file: &PathBuf| file.strip_prefix(folder).map(Path::to_owned).ok();
            names.extend(files.iter().filter_map(inside));
        }
        if names.is_empty() {
            row.add(
                "batch",
                Outcome::Failed("no program writes a file".to_owned()),
            );
        }
        for name in names {
            let (old, new) = (read(&old.join(&name))?, read(&new.join(&name))?);
            let outcome = compare_files(old.as_deref(), new.as_deref());
            let name = name.display().to_string();
            if let (Some(keep), Outcome::Differs(_)) = (self.keep, &outcome) {
                for (side, contents) in Side::BOTH.into_iter().zip([&old, &new]) {
                    if let Some(contents) = contents {
                        keep.write(&row.name, &name, &format!("{}.spv", side.name()), contents)?;
                    }
                }
            }
            row.add(&name, outcome);
        }
        Ok(())
    }

    /// Structurizes the graphs of a kind.
    pub(super) fn graphs(&self, kind: &Kind) -> Result<Row, Error> {
        let bar = progress(kind);
        let (inputs, mut missing): (Vec<&Input>, Vec<&Input>) = kind
            .inputs
            .iter()
            .partition(|input| self.is_comparable(input));
        let outcomes = inputs.par_iter().map(|input| {
            let outcome = self.graph(kind, input);
            bar.inc(1);
            outcome
        });
        let outcomes: Vec<Outcome> = outcomes.collect::<Result<_, Error>>()?;
        bar.finish_and_clear();
        let mut row = Row::new(&kind.name);
        row.notes.clone_from(&kind.notes);
        missing.sort_by_key(|input| input.without);
        for list in missing.chunk_by(|a, b| a.without == b.without) {
            let name = list[0].without.map_or("", |stage| STAGES[stage].0);
            let count = list.len();
            row.notes.push(format!(
                "{count} graphs without `{name}` are not compared: a program lacks that stage"
            ));
        }
        for (input, outcome) in inputs.into_iter().zip(outcomes) {
            row.add(&input.name, outcome);
        }
        Ok(row)
    }

    /// Returns whether both programs have the stage that is disabled for an input, if any.
    fn is_comparable(&self, input: &Input) -> bool {
        let has = |side: Side, stage| self.pair.get(side).has_stage(stage);
        input
            .without
            .is_none_or(|stage| Side::BOTH.into_iter().all(|side| has(side, stage)))
    }

    fn graph(&self, kind: &Kind, input: &Input) -> Result<Outcome, Error> {
        let outputs = Side::BOTH.map(|side| self.structurize(side, input));
        let (old, new) = match outputs {
            [Ok(old), Ok(new)] => (old, new),
            [Err(problem), _] | [_, Err(problem)] => return Ok(Outcome::Failed(problem)),
        };
        let outcome = match compare_runs(&old, &new) {
            Outcome::Refused if !kind.may_refuse => {
                let words = String::from_utf8_lossy(&new.stderr);
                let first = words.lines().next().unwrap_or_default();
                Outcome::Failed(format!("both programs refuse it: {first}"))
            }
            other => other,
        };
        if let Some(keep) = self.keep
            && !matches!(outcome, Outcome::Same | Outcome::Refused)
        {
            let graph = std::fs::read(&input.file).map_err(Error::io(&input.file))?;
            keep.write(&kind.name, &input.name, "cfg", &graph)?;
            for (side, output) in Side::BOTH.into_iter().zip([&old, &new]) {
                let text = [&output.stdout[..], &output.stderr[..]].concat();
                keep.write(
                    &kind.name,
                    &input.name,
                    &format!("{}.txt", side.name()),
                    &text,
                )?;
            }
        }
        Ok(outcome)
    }

    fn structurize(&self, side: Side, input: &Input) -> Result<Output, String> {
        let program = self.pair.get(side);
        let mut command = match input.without {
            None => program.structurize(&input.file),
            Some(stage) => {
                let command = program.structurize_without(&input.file, stage);
                let (name, older) = STAGES[stage];
                command
                    .ok_or_else(|| format!("{side} has neither a stage `{name}` nor `{older}`"))?
            }
        };
        command.output().map_err(|error| format!("{side}: {error}"))
    }
}

/// Returns what is in a file; `None` if the file does not exist.
fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match std::fs::read(path) {
        Ok(contents) => Ok(Some(contents)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io(path)(error)),
    }
}

/// Returns a bar on standard error if that is a terminal.
fn progress(kind: &Kind) -> ProgressBar {
    let length = kind.inputs.len() as u64;
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    bar.set_message(kind.name.clone());
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_files_is_not_for_differences() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("new/folder");
        let keep = Keep::new(folder.clone()).unwrap();
        keep.write("corpus --target x", "a/b.spv", "old.spv", b"a")
            .unwrap();
        assert_eq!(
            std::fs::read(folder.join("corpus_target_x/a_b.spv.old.spv")).unwrap(),
            b"a"
        );
        assert_eq!(Keep::new(folder).unwrap_err().status(), 2);
    }

    /// Programs of every Unix replace `trellis`: `true` prints nothing and `echo` its arguments.
    #[cfg(unix)]
    fn run(old: &str, new: &str, keep: Option<&Keep>) -> (Row, String) {
        let scratch = tempfile::tempdir().unwrap();
        let scratch = scratch.path();
        let pair = Pair::new(old.into(), new.into(), scratch).unwrap();
        let runner = Runner {
            pair: &pair,
            keep,
            scratch,
        };
        let file = scratch.join("a.cfg");
        std::fs::write(&file, "a: ret\n").unwrap();
        let input = |without| Input {
            name: "a".to_owned(),
            file: file.clone(),
            without,
        };
        let inputs = vec![input(None), input(Some(0))];
        let kind = Kind {
            name: "graphs".to_owned(),
            inputs,
            ..Kind::default()
        };
        let row = runner.graphs(&kind).unwrap();
        let rows = std::slice::from_ref(&row);
        let text = super::super::table::Report {
            revision: "v1",
            rows,
        }
        .to_string();
        (row, text)
    }

    #[cfg(unix)]
    #[test]
    fn equal_programs_are_the_same() {
        let (row, text) = run("echo", "echo", None);
        assert!(row.is_same(), "{text}");
        assert!(
            text.contains("\ngraphs         2        0        0        0\n"),
            "{text}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_differing_program_is_reported_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let keep = Keep::new(folder.path().to_owned()).unwrap();
        let (row, text) = run("echo", "true", Some(&keep));
        assert!(!row.is_same(), "{text}");
        assert!(text.contains("- line 1: structurize "), "{text}");
        assert!(text.contains("+ the output has ended"), "{text}");
        let kept = |end: &str| std::fs::read_to_string(folder.path().join("graphs").join(end));
        assert_eq!(kept("a.cfg").unwrap(), "a: ret\n");
        assert!(kept("a.old.txt").unwrap().starts_with("structurize "));
        assert_eq!(kept("a.new.txt").unwrap(), "");
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_is_removed_or_writes_nothing_is_a_failure() {
        let scratch = tempfile::tempdir().unwrap();
        let program = scratch.path().join("echo");
        std::os::unix::fs::symlink("/bin/echo", &program).unwrap();
        let pair = Pair::new(program.clone(), "echo".into(), scratch.path()).unwrap();
        let runner = Runner {
            pair: &pair,
            keep: None,
            scratch: scratch.path(),
        };
        assert!(
            !runner
                .batch(Path::new("manifest.json"), &[])
                .unwrap()
                .is_same()
        );
        std::fs::remove_file(&program).unwrap();
        let input = Input {
            name: "a".to_owned(),
            file: "a.cfg".into(),
            without: None,
        };
        let kind = Kind {
            name: "graphs".to_owned(),
            inputs: vec![input],
            ..Kind::default()
        };
        assert!(!runner.graphs(&kind).unwrap().is_same());
    }
}
