//! `compile-corpus`: makes every compiled shader of the corpus again, and its manifest.
//!
//! FXC makes the DXBC (shader model 5.1) of the shaders that a test runs, in a folder next to
//! theirs; `exceptions.txt` there lists shaders whose DXBC computes something else, with the
//! reason.
//!
//! The compiler runs once per shader, in the corpus folder and with the source's relative path, so
//! that debug information holds no path of this machine. Its output is written to a temporary
//! folder and replaces the committed file only if a byte differs.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use indicatif::ProgressBar;
use rayon::prelude::*;
use trellis_corpus::manifest::{Manifest, ShaderEntry, Stage};

use crate::{header, root};

/// The first shader model that needs the latest compiler: shaders of earlier models are compiled by
/// DXC 1.7, which has a native library for Linux, and does not support this one.
const FIRST_OF_LATEST: (u32, u32) = (6, 8);

/// Arguments of the task.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder with the shaders (default: the corpus)
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// The HLSL compiler: any command that takes dxc's arguments.
    #[arg(long, value_name = "PATH", required_unless_present = "fxc")]
    dxc: Option<PathBuf>,
    /// FXC: any command that takes its arguments; without it, the DXBC is unchanged.
    #[arg(long, value_name = "PATH")]
    fxc: Option<PathBuf>,
    /// The compiler for shader models 6.8 and later (DXC 1.8 or newer); without it, their shaders
    /// are unchanged.
    #[arg(long, value_name = "PATH")]
    latest_dxc: Option<PathBuf>,
    /// Write nothing; exit with 1 if a file would change.
    #[arg(long)]
    check: bool,
    /// Compile only sources whose path contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Number of compilers that run at once (default: one per core)
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: usize,
}

/// The result of the task.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    /// Shaders that compiled.
    compiled: usize,
    /// Files that differ from the committed ones: written, or with `--check` only reported.
    changed: usize,
    /// Shaders that did not compile.
    failed: usize,
    /// Shaders for which there is no compiler.
    left_out: usize,
    /// Shaders that FXC does not take.
    rejected: usize,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (compiled, changed, failed) = (self.compiled, self.changed, self.failed);
        write!(f, "compiled {compiled}, changed {changed}, failed {failed}")?;
        if self.left_out > 0 {
            let (major, minor) = FIRST_OF_LATEST;
            let model = format!("shader model {major}.{minor} or later (give --latest-dxc)");
            write!(f, ", left out {} of {model}", self.left_out)?;
        }
        if self.rejected > 0 {
            write!(f, ", rejected by FXC {}", self.rejected)?;
        }
        Ok(())
    }
}

/// Attaches a path to an I/O error.
fn at(path: &Path) -> impl FnOnce(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Runs the task.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let outcome = compile(arguments)?;
    println!("{outcome}");
    let changed = if arguments.check { outcome.changed } else { 0 };
    Ok(crate::status(outcome.failed == 0 && changed == 0))
}

/// Compiles (or checks) the corpus.
fn compile(arguments: &Arguments) -> Result<Outcome, String> {
    let folder = arguments
        .folder
        .clone()
        .unwrap_or_else(|| root().join("corpus/shaders"));
    let folder = &folder.canonicalize().map_err(at(&folder))?;
    let find = |command: &Option<PathBuf>| command.as_deref().map(find_command).transpose();
    let dxc = find(&arguments.dxc)?;
    let latest = find(&arguments.latest_dxc)?;
    let fxc = find(&arguments.fxc)?;
    let files = list_files(folder)?;
    let all = read_headers(folder, &files)?;
    let only = arguments.only.as_deref().unwrap_or_default();
    let wanted = all
        .shaders
        .iter()
        .filter(|entry| entry.source.contains(only));
    let mut outcome = Outcome::default();
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let both = tested(folder, &files)?;
    for entry in wanted {
        match (needs_latest(&entry.profile), &latest, &dxc) {
            (false, _, Some(compiler)) | (true, Some(compiler), _) => {
                jobs.push(Job::dxil(compiler, entry));
            }
            (true, None, Some(_)) => outcome.left_out += 1,
            (_, _, None) => {}
        }
        if let Some(fxc) = fxc.as_deref().filter(|_| both.contains(&entry.path)) {
            jobs.extend(Job::dxbc(fxc, entry));
        }
    }

    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let bar = ProgressBar::new(jobs.len() as u64);
    let results: Vec<Result<bool, String>> = crate::threads(arguments.jobs)?.install(|| {
        let compile = |(index, job): (usize, &Job<'_>)| {
            let output = scratch.path().join(format!("{index}.dxil"));
            let result = compile_one(folder, &output, job, arguments.check);
            bar.inc(1);
            result
        };
        jobs.par_iter().enumerate().map(compile).collect()
    });
    bar.finish_and_clear();
    let word = if arguments.check { "differs" } else { "wrote" };
    let mut known: BTreeSet<&str> = all.shaders.iter().map(|s| s.path.as_str()).collect();
    for (result, job) in results.into_iter().zip(&jobs) {
        match result {
            Ok(changed) => {
                outcome.compiled += 1;
                known.insert(&job.path);
                if changed {
                    outcome.changed += 1;
                    eprintln!("{word} {}", job.path);
                }
            }
            Err(message) if job.path.ends_with(".dxbc") => {
                outcome.rejected += 1;
                eprintln!("rejected {}: {}", job.path, message.trim_end());
            }
            Err(message) => {
                outcome.failed += 1;
                eprintln!("failed {}: {}", job.path, message.trim_end());
            }
        }
    }
    let manifest = folder.join("manifest.json");
    outcome.changed += usize::from(update(
        &manifest,
        all.to_json().as_bytes(),
        arguments.check,
    )?);
    if arguments.only.is_none() {
        let dxbc = folder.join(DXBC);
        let of_fxc = match fxc.is_some() && dxbc.exists() {
            true => list_files(&dxbc)?,
            false => BTreeSet::new(),
        };
        let of_fxc = of_fxc.iter().map(|file| format!("{DXBC}/{file}"));
        let compiled = files.iter().filter(|file| file.ends_with(".dxil")).cloned();
        let of_fxc = of_fxc.filter(|file| file.ends_with(".dxbc"));
        for file in compiled
            .chain(of_fxc)
            .filter(|file| !known.contains(file.as_str()))
        {
            let word = if arguments.check { "stray" } else { "removed" };
            eprintln!("{word} {file}: it has no source");
            if !arguments.check {
                let path = folder.join(file);
                fs::remove_file(&path).map_err(at(&path))?;
            }
            outcome.changed += 1;
        }
    }
    Ok(outcome)
}

/// Returns a compiler path that is valid in other folders; a bare name is searched for in
/// `PATH`.
fn find_command(dxc: &Path) -> Result<PathBuf, String> {
    match dxc.components().count() {
        1 => Ok(dxc.to_owned()),
        _ => dxc.canonicalize().map_err(at(dxc)),
    }
}

/// Returns true for a profile such as `cs_6_9`, which [`Arguments::latest_dxc`] compiles.
fn needs_latest(profile: &str) -> bool {
    let mut numbers = profile.split('_').skip(1).map(|number| number.parse().ok());
    match (numbers.next().flatten(), numbers.next()) {
        // `lib_6_x` has the features of all models.
        (Some(major), Some(minor)) => (major, minor.unwrap_or(0)) >= FIRST_OF_LATEST,
        _ => false,
    }
}

/// Returns every file below `folder`, relative, with `/`, sorted.
fn list_files(folder: &Path) -> Result<BTreeSet<String>, String> {
    let relative = |path: PathBuf| {
        let name = path.strip_prefix(folder).ok().and_then(Path::to_str);
        let name = name.map(|name| name.replace(std::path::MAIN_SEPARATOR, "/"));
        name.ok_or_else(|| format!("{}: expected a file name in UTF-8", path.display()))
    };
    crate::files_below(folder)?
        .into_iter()
        .map(relative)
        .collect()
}

/// Returns the manifest of the sources' headers, sorted by path.
fn read_headers(folder: &Path, files: &BTreeSet<String>) -> Result<Manifest, String> {
    let mut manifest = Manifest::default();
    for source in files.iter().filter(|file| file.ends_with(".hlsl")) {
        let path = folder.join(source);
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        let entries = header::parse(source, &text);
        manifest
            .shaders
            .extend(entries.map_err(|problem| format!("{source}: {problem}"))?);
    }
    manifest.shaders.sort_by(|a, b| a.path.cmp(&b.path));
    manifest.check().map_err(|error| error.to_string())?;
    Ok(manifest)
}

/// The folder with the DXBC, relative to the shaders' folder.
const DXBC: &str = "../dxbc";

/// A run of a compiler.
struct Job<'a> {
    compiler: &'a Path,
    entry: &'a ShaderEntry,
    profile: String,
    options: Vec<&'a str>,
    /// The compiled file, relative to the shaders' folder.
    path: String,
}

impl<'a> Job<'a> {
    fn dxil(compiler: &'a Path, entry: &'a ShaderEntry) -> Self {
        Self {
            compiler,
            entry,
            profile: entry.profile.clone(),
            options: entry.options.iter().map(String::as_str).collect(),
            path: entry.path.clone(),
        }
    }

    /// `None` for the stages that shader model 5.1 lacks.
    fn dxbc(compiler: &'a Path, entry: &'a ShaderEntry) -> Option<Self> {
        let stage = entry.profile.split('_').next()?;
        let path = entry.path.strip_suffix(".dxil")?;
        let of_both = |option: &&str| option.starts_with("-D");
        let plain = entry.options.iter().any(|option| option == "-Od");
        let level = if plain { "-Od" } else { "-O3" };
        let options = entry.options.iter().map(String::as_str).filter(of_both);
        ["vs", "ps", "gs", "hs", "ds", "cs"]
            .contains(&stage)
            .then(|| Self {
                compiler,
                entry,
                profile: format!("{stage}_5_1"),
                options: options.chain([level]).collect(),
                path: format!("{DXBC}/{path}.dxbc"),
            })
    }
}

/// Returns the shaders that tests run in both forms, `.dxil`: the ones next to a test file or that
/// it names, without the exceptions.
fn tested(folder: &Path, files: &BTreeSet<String>) -> Result<BTreeSet<String>, String> {
    let mut tested = BTreeSet::new();
    for file in files {
        let Some(stem) = file.strip_suffix(".run.json") else {
            continue;
        };
        tested.insert(format!("{stem}.dxil"));
        let path = folder.join(file);
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        let parent = stem.rsplit_once('/').map_or("", |(parent, _)| parent);
        let names = text.split('"').filter(|name| name.ends_with(".dxil"));
        tested.extend(names.map(|name| format!("{parent}/{name}")));
    }
    let path = folder.join(DXBC).join("exceptions.txt");
    if path.exists() {
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        for (name, _) in text.lines().filter_map(|line| line.split_once(": ")) {
            tested.remove(&format!("{name}.dxil"));
        }
    }
    Ok(tested)
}

/// Compiles one shader; returns whether the result differs from the committed file, which it
/// replaces unless `check`.
fn compile_one(folder: &Path, output: &Path, job: &Job<'_>, check: bool) -> Result<bool, String> {
    let (compiler, entry) = (job.compiler, job.entry);
    let mut command = Command::new(compiler);
    command.current_dir(folder).args(["-T", &job.profile]);
    // A library has all of its functions: the entry point of its header is not an argument.
    if entry.stage != Stage::Library {
        command.args(["-E", &entry.entry]);
    }
    command
        .args(&job.options)
        .arg("-Fo")
        .arg(output)
        .arg(&entry.source);
    let run = command.stdin(Stdio::null()).output();
    let run = run.map_err(|error| format!("cannot start {}: {error}", compiler.display()))?;
    if !run.status.success() {
        let said = String::from_utf8_lossy(&run.stderr);
        return Err(format!("the compiler stopped with {}\n{said}", run.status));
    }
    let bytes = fs::read(output).map_err(|error| format!("the compiler wrote nothing: {error}"))?;
    update(&folder.join(&job.path), &bytes, check)
}

/// Does the file at `path` differ from `bytes`? If so it is written, unless `check`.
fn update(path: &Path, bytes: &[u8], check: bool) -> Result<bool, String> {
    let changed = match fs::read(path) {
        Ok(old) => old != bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(at(path)(error)),
    };
    if changed && !check {
        let parent = path.parent().unwrap_or(path);
        fs::create_dir_all(parent).map_err(at(parent))?;
        fs::write(path, bytes).map_err(at(path))?;
    }
    Ok(changed)
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Arguments, Outcome, compile};
    use std::fs;
    use std::path::Path;

    use tempfile::TempDir;

    /// Writes a "compiler".
    fn write_compiler(path: &Path, script: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Returns a folder with a corpus of one shader, and a "compiler" that copies the source to the output; and
    /// arguments for them.
    fn sandbox() -> (TempDir, Arguments) {
        let folder = tempfile::tempdir().unwrap();
        let (shaders, dxc) = (folder.path().join("shaders"), folder.path().join("dxc"));
        fs::create_dir_all(shaders.join("a")).unwrap();
        let text = "// trellis: cs_6_0 main -O3\n// About.\n";
        fs::write(shaders.join("a/b.hlsl"), text).unwrap();
        let check = "[ \"$1$2$3$4$5$6\" = '-Tcs_6_0-Emain-O3-Fo' ] && cp \"$8\" \"$7\"";
        write_compiler(&dxc, check);
        let arguments = Arguments {
            folder: Some(shaders),
            dxc: Some(dxc),
            fxc: None,
            latest_dxc: None,
            check: false,
            only: None,
            jobs: 2,
        };
        (folder, arguments)
    }

    #[test]
    fn compiles_then_finds_nothing_to_change() {
        let (folder, mut arguments) = sandbox();
        let folder = folder.path().join("shaders");
        let mut expect = |check, changed| {
            arguments.check = check;
            let expected = Outcome {
                compiled: 1,
                changed,
                ..Outcome::default()
            };
            assert_eq!(compile(&arguments), Ok(expected));
        };
        // `--check` on a fresh corpus reports the shader and the manifest, and writes neither.
        expect(true, 2);
        assert!(!folder.join("a/b.dxil").exists());
        expect(false, 2);
        expect(true, 0);
        // A changed and a stray file are found.
        fs::write(folder.join("a/b.dxil"), "other").unwrap();
        fs::write(folder.join("a/stray.dxil"), "").unwrap();
        expect(true, 2);
        expect(false, 2);
        assert!(!folder.join("a/stray.dxil").exists());
    }

    #[test]
    fn later_shader_models_have_another_compiler() {
        let (folder, mut arguments) = sandbox();
        let source = folder.path().join("shaders/a/c.hlsl");
        fs::write(&source, "// trellis: lib_6_8 main\n// About.\n").unwrap();
        let outcome = compile(&arguments).unwrap();
        assert_eq!(
            (outcome.compiled, outcome.failed, outcome.left_out),
            (1, 0, 1)
        );
        assert!(outcome.to_string().contains("left out 1"));
        // Its arguments are -T lib_6_8 -Fo OUTPUT SOURCE.
        let latest = folder.path().join("latest");
        write_compiler(&latest, "cp \"$5\" \"$4\"");
        arguments.latest_dxc = Some(latest);
        let outcome = compile(&arguments).unwrap();
        assert_eq!(
            (outcome.compiled, outcome.failed, outcome.left_out),
            (2, 0, 0)
        );
        assert!(source.with_extension("dxil").exists());
    }

    #[test]
    fn a_shader_that_does_not_compile_is_counted() {
        let (folder, arguments) = sandbox();
        let source = folder.path().join("shaders/a/c.hlsl");
        fs::write(&source, "// trellis: ps_6_0 main\n// About.\n").unwrap();
        let outcome = compile(&arguments).unwrap();
        assert_eq!((outcome.compiled, outcome.failed), (1, 1));
        assert!(!source.with_extension("dxil").exists());
    }

    #[test]
    fn a_bad_header_names_its_file_and_line() {
        let (folder, arguments) = sandbox();
        fs::write(folder.path().join("shaders/a/c.hlsl"), "int x;\n").unwrap();
        let error = compile(&arguments).unwrap_err();
        assert!(error.starts_with("a/c.hlsl: line 1: "), "{error}");
    }
}
