//! `compile-corpus`: makes every compiled shader of the corpus again, and its manifest.
//!
//! The compiler runs once per shader, in the corpus folder and with the source's relative path, so
//! that debug information holds no path of this machine. Its output is written to a temporary
//! folder and replaces the committed file only if a byte differs.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use thiserror::Error;
use trellis_corpus::manifest::{Manifest, ManifestError, ShaderEntry, Stage};

use crate::header::{self, HeaderError};

/// The first shader model that a compiler of its own is for: the shaders of those before are compiled by
/// DXC 1.7, which has a native library for Linux, and has none of these.
const FIRST_OF_LATEST: (u32, u32) = (6, 8);

/// Options of the task.
pub(crate) struct Options {
    /// The compiler.
    pub(crate) dxc: PathBuf,
    /// The compiler for shader models from [`FIRST_OF_LATEST`] on; without it, their shaders are left
    /// out.
    pub(crate) latest_dxc: Option<PathBuf>,
    /// Compare only.
    pub(crate) check: bool,
    /// Only sources whose path contains this.
    pub(crate) only: Option<String>,
    /// Compilers at once.
    pub(crate) jobs: Option<usize>,
}

/// The result of the task.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Shaders that compiled.
    pub(crate) compiled: usize,
    /// Files that differ from the committed ones: written, or with `--check` only reported.
    pub(crate) changed: usize,
    /// Shaders that did not compile.
    pub(crate) failed: usize,
    /// Shaders for which there is no compiler.
    pub(crate) left_out: usize,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            compiled,
            changed,
            failed,
            left_out,
        } = self;
        write!(f, "compiled {compiled}, changed {changed}, failed {failed}")?;
        if *left_out > 0 {
            let (major, minor) = FIRST_OF_LATEST;
            write!(
                f,
                ", left out {left_out} of shader model {major}.{minor} or later (give --latest-dxc)"
            )?;
        }
        Ok(())
    }
}

/// Why nothing was compiled.
#[derive(Debug, Error)]
pub(crate) enum Error {
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A source's header is wrong.
    #[error("{source_path}: {error}")]
    Header {
        /// The source, relative to the corpus folder.
        source_path: String,
        /// Line and reason.
        error: HeaderError,
    },
    /// The headers do not make a good manifest.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A file name that is not UTF-8.
    #[error("{}: expected a file name in UTF-8", .0.display())]
    Name(PathBuf),
}

/// Attaches a path to an I/O error.
fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::Io { path, source }
}

/// Compiles (or checks) the corpus in `folder`.
pub(crate) fn run(folder: &Path, options: &Options) -> Result<Outcome, Error> {
    let folder = &folder.canonicalize().map_err(at(folder))?;
    let dxc = find_command(&options.dxc)?;
    let latest = options
        .latest_dxc
        .as_deref()
        .map(find_command)
        .transpose()?;
    let files = list_files(folder)?;
    let all = read_headers(folder, &files)?;
    let wanted = |entry: &&ShaderEntry| {
        options
            .only
            .as_ref()
            .is_none_or(|only| entry.source.contains(only.as_str()))
    };
    let entries: Vec<&ShaderEntry> = all.shaders.iter().filter(wanted).collect();
    let count = entries.len();
    let entries: Vec<(&ShaderEntry, &Path)> = entries
        .into_iter()
        .filter_map(|entry| {
            let latest = || latest.as_deref();
            let dxc = if needs_latest(&entry.profile) {
                latest()?
            } else {
                &dxc
            };
            Some((entry, dxc))
        })
        .collect();

    let scratch = Scratch::new()?;
    let mut outcome = compile_all(folder, &scratch.0, &entries, options);
    outcome.left_out = count - entries.len();
    let manifest = folder.join("manifest.json");
    let text = all.to_json();
    outcome.changed += usize::from(update(&manifest, text.as_bytes(), options.check)?);
    if options.only.is_none() {
        outcome.changed += remove_strays(folder, &files, &all, options.check)?;
    }
    Ok(outcome)
}

/// Returns the compiler's path as it can be started from another folder; a bare name is left to
/// `PATH`.
fn find_command(dxc: &Path) -> Result<PathBuf, Error> {
    if dxc.components().count() > 1 {
        dxc.canonicalize().map_err(at(dxc))
    } else {
        Ok(dxc.to_owned())
    }
}

/// Returns true for a profile such as `cs_6_9`, which [`Options::latest_dxc`] compiles.
fn needs_latest(profile: &str) -> bool {
    let mut numbers = profile.split('_').skip(1).map(|number| number.parse().ok());
    match (numbers.next().flatten(), numbers.next()) {
        // `lib_6_x` has what all models have.
        (Some(major), Some(minor)) => (major, minor.unwrap_or(0)) >= FIRST_OF_LATEST,
        _ => false,
    }
}

/// Returns every file below `folder`, relative, with `/`, sorted.
fn list_files(folder: &Path) -> Result<BTreeSet<String>, Error> {
    let mut files = BTreeSet::new();
    let mut pending = vec![(folder.to_owned(), String::new())];
    while let Some((path, prefix)) = pending.pop() {
        for entry in fs::read_dir(&path).map_err(at(&path))? {
            let entry = entry.map_err(at(&path))?;
            let name = entry.file_name();
            let name = name.to_str().ok_or_else(|| Error::Name(entry.path()))?;
            let relative = format!("{prefix}{name}");
            if entry.file_type().map_err(at(&entry.path()))?.is_dir() {
                pending.push((entry.path(), format!("{relative}/")));
            } else {
                files.insert(relative);
            }
        }
    }
    Ok(files)
}

/// Does `file`'s name end in `.extension`?
fn has_extension(file: &str, extension: &str) -> bool {
    Path::new(file)
        .extension()
        .is_some_and(|found| found == extension)
}

/// Returns the manifest of the sources' headers, sorted by path.
fn read_headers(folder: &Path, files: &BTreeSet<String>) -> Result<Manifest, Error> {
    let mut manifest = Manifest::default();
    for source in files.iter().filter(|file| has_extension(file, "hlsl")) {
        let path = folder.join(source);
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        let entries = header::parse(source, &text).map_err(|error| Error::Header {
            source_path: source.clone(),
            error,
        })?;
        manifest.shaders.extend(entries);
    }
    manifest.shaders.sort_by(|a, b| a.path.cmp(&b.path));
    manifest.check()?;
    Ok(manifest)
}

/// A folder for the compiler's outputs, which is removed with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, Error> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("trellis-compile-corpus-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).map_err(at(&path))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A temporary folder that cannot be removed is harmless.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Compiles `entries` on several threads, with a progress line on a terminal.
fn compile_all(
    folder: &Path,
    scratch: &Path,
    entries: &[(&ShaderEntry, &Path)],
    options: &Options,
) -> Outcome {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = options.jobs.unwrap_or(cores).clamp(1, entries.len().max(1));
    let next = AtomicUsize::new(0);
    let outcome = Mutex::new(Outcome::default());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&(entry, dxc)) = entries.get(index) else {
                        break;
                    };
                    let output = scratch.join(format!("{index}.dxil"));
                    let result = compile_one(folder, &output, dxc, entry, options.check);
                    let mut outcome = outcome
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner);
                    report(&mut outcome, entry, result, entries.len(), options.check);
                }
            });
        }
    });
    if io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
    outcome
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Counts and prints one result.
fn report(
    outcome: &mut Outcome,
    entry: &ShaderEntry,
    result: Result<bool, String>,
    total: usize,
    check: bool,
) {
    let terminal = io::stderr().is_terminal();
    let clear = if terminal { "\r\x1b[K" } else { "" };
    match result {
        Ok(changed) => {
            outcome.compiled += 1;
            if changed {
                outcome.changed += 1;
                let word = if check { "differs" } else { "wrote" };
                eprintln!("{clear}{word} {}", entry.path);
            }
        }
        Err(message) => {
            outcome.failed += 1;
            eprintln!("{clear}failed {}: {}", entry.path, message.trim_end());
        }
    }
    if terminal {
        let done = outcome.compiled + outcome.failed;
        eprint!("{clear}{done} of {total}: {}", entry.path);
        let _ = io::stderr().flush();
    }
}

/// Compiles one shader; returns whether the result differs from the committed file, which it
/// replaces unless `check`.
fn compile_one(
    folder: &Path,
    output: &Path,
    dxc: &Path,
    entry: &ShaderEntry,
    check: bool,
) -> Result<bool, String> {
    let run = Command::new(dxc)
        .current_dir(folder)
        .args(["-T", &entry.profile])
        // A library has all of its functions: the entry point of its header is not an argument.
        .args(if entry.stage == Stage::Library {
            Vec::new()
        } else {
            vec!["-E", &entry.entry]
        })
        .args(&entry.options)
        .arg("-Fo")
        .arg(output)
        .arg(&entry.source)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start {}: {error}", dxc.display()))?;
    if !run.status.success() {
        let said = String::from_utf8_lossy(&run.stderr);
        return Err(format!("the compiler stopped with {}\n{said}", run.status));
    }
    let bytes = fs::read(output).map_err(|error| format!("the compiler wrote nothing: {error}"))?;
    let _ = fs::remove_file(output);
    update(&folder.join(&entry.path), &bytes, check).map_err(|error| error.to_string())
}

/// Does the file at `path` differ from `bytes`? If so it is written, unless `check`.
fn update(path: &Path, bytes: &[u8], check: bool) -> Result<bool, Error> {
    let changed = match fs::read(path) {
        Ok(old) => old != bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(at(path)(error)),
    };
    if changed && !check {
        fs::write(path, bytes).map_err(at(path))?;
    }
    Ok(changed)
}

/// Removes compiled files without a source, or with `check` only reports them.
fn remove_strays(
    folder: &Path,
    files: &BTreeSet<String>,
    manifest: &Manifest,
    check: bool,
) -> Result<usize, Error> {
    let known: BTreeSet<&str> = manifest.shaders.iter().map(|s| s.path.as_str()).collect();
    let mut count = 0;
    for file in files {
        if has_extension(file, "dxil") && !known.contains(file.as_str()) {
            count += 1;
            let word = if check { "stray" } else { "removed" };
            eprintln!("{word} {file}: it has no source");
            if !check {
                let path = folder.join(file);
                fs::remove_file(&path).map_err(at(&path))?;
            }
        }
    }
    Ok(count)
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Options, Outcome, run};
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Returns a corpus of one shader, and a "compiler" that copies the source to the output.
    fn sandbox(name: &str) -> (PathBuf, PathBuf) {
        let folder =
            std::env::temp_dir().join(format!("trellis-xtask-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("shaders/a")).unwrap();
        fs::write(
            folder.join("shaders/a/b.hlsl"),
            "// trellis: cs_6_0 main -O3\n// About.\n",
        )
        .unwrap();
        let dxc = folder.join("dxc");
        fs::write(
            &dxc,
            "#!/bin/sh\n[ \"$1$2$3$4$5$6\" = '-Tcs_6_0-Emain-O3-Fo' ] && cp \"$8\" \"$7\"\n",
        )
        .unwrap();
        make_executable(&dxc);
        (folder.join("shaders"), dxc)
    }

    fn make_executable(path: &Path) {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn options(dxc: &Path, check: bool) -> Options {
        Options {
            dxc: dxc.to_owned(),
            latest_dxc: None,
            check,
            only: None,
            jobs: Some(2),
        }
    }

    #[test]
    fn compiles_then_finds_nothing_to_change() {
        let (folder, dxc) = sandbox("compile");
        let outcome = |compiled, changed, failed| Outcome {
            compiled,
            changed,
            failed,
            left_out: 0,
        };
        // `--check` on a fresh corpus reports the shader and the manifest, and writes neither.
        assert_eq!(
            run(&folder, &options(&dxc, true)).unwrap(),
            outcome(1, 2, 0)
        );
        assert!(!folder.join("a/b.dxil").exists());
        assert_eq!(
            run(&folder, &options(&dxc, false)).unwrap(),
            outcome(1, 2, 0)
        );
        assert_eq!(
            run(&folder, &options(&dxc, true)).unwrap(),
            outcome(1, 0, 0)
        );
        // A changed and a stray file are found.
        fs::write(folder.join("a/b.dxil"), "other").unwrap();
        fs::write(folder.join("a/stray.dxil"), "").unwrap();
        assert_eq!(
            run(&folder, &options(&dxc, true)).unwrap(),
            outcome(1, 2, 0)
        );
        assert_eq!(
            run(&folder, &options(&dxc, false)).unwrap(),
            outcome(1, 2, 0)
        );
        assert!(!folder.join("a/stray.dxil").exists());
    }

    #[test]
    fn later_shader_models_have_a_compiler_of_their_own() {
        let (folder, dxc) = sandbox("latest");
        fs::write(
            folder.join("a/c.hlsl"),
            "// trellis: lib_6_8 main\n// About.\n",
        )
        .unwrap();
        let mut options = options(&dxc, false);
        let outcome = run(&folder, &options).unwrap();
        assert_eq!(
            (outcome.compiled, outcome.failed, outcome.left_out),
            (1, 0, 1)
        );
        assert!(outcome.to_string().contains("left out 1"));
        // Its arguments are -T lib_6_8 -Fo OUTPUT SOURCE.
        let latest = folder.with_file_name("latest");
        fs::write(&latest, "#!/bin/sh\ncp \"$5\" \"$4\"\n").unwrap();
        make_executable(&latest);
        options.latest_dxc = Some(latest);
        let outcome = run(&folder, &options).unwrap();
        assert_eq!(
            (outcome.compiled, outcome.failed, outcome.left_out),
            (2, 0, 0)
        );
        assert!(folder.join("a/c.dxil").exists());
    }

    #[test]
    fn a_shader_that_does_not_compile_is_counted() {
        let (folder, dxc) = sandbox("fail");
        fs::write(
            folder.join("a/c.hlsl"),
            "// trellis: ps_6_0 main\n// About.\n",
        )
        .unwrap();
        let outcome = run(&folder, &options(&dxc, false)).unwrap();
        assert_eq!((outcome.compiled, outcome.failed), (1, 1));
        assert!(!folder.join("a/c.dxil").exists());
    }

    #[test]
    fn a_bad_header_names_its_file_and_line() {
        let (folder, dxc) = sandbox("header");
        fs::write(folder.join("a/c.hlsl"), "int x;\n").unwrap();
        let error = run(&folder, &options(&dxc, false)).unwrap_err().to_string();
        assert!(error.starts_with("a/c.hlsl: line 1: "), "{error}");
    }
}
