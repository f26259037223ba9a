//! `cargo xtask pgo`: builds `trellis` with fat LTO and a profile of execution
//! (profile-guided optimization, PGO).
//!
//! Builds the program with counters, converts the corpus and the large shaders of `benches` with it, merges
//! the counts with LLVM's `llvm-profdata`, and builds with them: LLVM inlines what is called often, and puts
//! code that runs next to each other and what rarely runs elsewhere. At last the corpus is converted by
//! both programs, and every output must be the same.
//!
//! The builds differ in their flags alone, and in one target folder share what runs while building.
//!
//! With `--bolt` the program is then laid out anew by BOLT, from counts of its own (`bolt`).

mod bolt;

use std::ffi::OsString;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use bolt::Bolt;
use clap::Args;

use crate::same_output::{Corpus, Error, cargo, problem, succeed, target_folder};

/// Cargo's profile: fat LTO, one codegen unit.
const PROFILE: &str = "dist";

/// Manifests of the shaders that are converted for the profile.
const MANIFESTS: [&str; 2] = [
    "corpus/shaders/manifest.json",
    "benches/shaders/manifest.json",
];

/// How to get `llvm-profdata`.
const NO_PROFDATA: &str = "llvm-profdata is not installed; \
    `rustup component add llvm-tools` does that, or LLVM_PROFDATA names one of rustc's version of LLVM";

/// Arguments of the task.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Convert these shaders, too, for the profile: what `trellis batch` takes; may be given several times
    #[arg(long, value_name = "PATH")]
    shaders: Vec<PathBuf>,
    /// Then lay the program out anew by how often each block runs, with LLVM's BOLT; on Linux
    #[arg(long)]
    bolt: bool,
}

/// Runs the task.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match build(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Builds everything; returns whether the outputs are the same.
fn build(arguments: &Arguments) -> Result<bool, Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = root.canonicalize().map_err(Error::io(&root))?;
    let compiler = Compiler::find()?;
    // What is missing is reported before minutes are spent on building.
    let profdata = compiler.profdata()?;
    let bolt = arguments.bolt.then(Bolt::find).transpose()?;
    let folder = target_folder(&root)?.join("pgo");
    std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
    let builds = Builds {
        root: &root,
        folder: &folder,
        host: &compiler.host,
    };
    let counts = folder.join("counts");
    let counting = builds.counting(&counts)?;
    let manifests = MANIFESTS.map(|path| root.join(path));
    let shaders = || manifests.iter().chain(&arguments.shaders);
    make_counts(&counting, &counts, shaders())?;
    let profile = merge(&profdata, &counts, &folder)?;
    builds.with_profile(&profile, bolt.is_some())?;
    if let Some(bolt) = &bolt {
        lay_out(bolt, &builds, shaders())?;
    }
    let scratch = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    let corpus = Corpus::compare(&counting, &builds.program(), &manifests[0], scratch.path())?;
    print!("{}", corpus.report("the program with counters"));
    println!("profile: {}", profile.display());
    println!("program: {}", builds.program().display());
    Ok(corpus.is_same())
}

/// The compiler's host, and where its tools are.
struct Compiler {
    host: String,
    sysroot: PathBuf,
}

impl Compiler {
    fn find() -> Result<Self, Error> {
        let rustc = |arguments: &[&str]| {
            let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
            let output = succeed(command.args(arguments))?;
            Ok::<_, Error>(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let version = rustc(&["-vV"])?;
        let host = host(&version).ok_or_else(|| {
            let command = Command::new("rustc");
            problem(&command, "no host in what `rustc -vV` prints")
        })?;
        Ok(Self {
            host: host.to_owned(),
            sysroot: PathBuf::from(rustc(&["--print", "sysroot"])?),
        })
    }

    /// Returns LLVM's program that merges counts.
    ///
    /// # Errors
    /// What to install.
    fn profdata(&self) -> Result<PathBuf, Error> {
        if let Some(program) = std::env::var_os("LLVM_PROFDATA") {
            return Ok(program.into());
        }
        let name = format!("llvm-profdata{}", std::env::consts::EXE_SUFFIX);
        let folder = self.sysroot.join("lib/rustlib").join(&self.host);
        let program = folder.join("bin").join(name);
        if program.exists() {
            Ok(program)
        } else {
            Err(problem(&Command::new(program), NO_PROFDATA))
        }
    }
}

/// Returns the host from what `rustc -vV` prints.
fn host(version: &str) -> Option<&str> {
    version.lines().find_map(|line| line.strip_prefix("host: "))
}

/// The builds with counters and with a profile.
struct Builds<'a> {
    root: &'a Path,
    /// The target folder of both.
    folder: &'a Path,
    /// Flags for a target that is named do not apply to what runs while building.
    host: &'a str,
}

impl Builds<'_> {
    /// Returns the folder of what is built.
    fn output(&self) -> PathBuf {
        self.folder.join(self.host).join(PROFILE)
    }

    /// Returns the program that the last build made.
    fn program(&self) -> PathBuf {
        let name = format!("trellis{}", std::env::consts::EXE_SUFFIX);
        self.output().join(name)
    }

    /// Returns where the program with counters is kept, since the build with a profile replaces it.
    fn kept(&self) -> PathBuf {
        let name = format!("trellis-with-counters{}", std::env::consts::EXE_SUFFIX);
        self.folder.join(name)
    }

    /// Builds the program with counters, which it writes to a folder.
    fn counting(&self, counts: &Path) -> Result<PathBuf, Error> {
        let mut flag = OsString::from("-Cprofile-generate=");
        flag.push(counts);
        let mut command = self.cargo(&[flag]);
        succeed(&mut command)?;
        let kept = self.kept();
        std::fs::copy(self.program(), &kept).map_err(Error::io(&kept))?;
        Ok(kept)
    }

    /// Builds with a profile, in a form that functions can be moved in if it `is_for_bolt`.
    fn with_profile(&self, profile: &Path, is_for_bolt: bool) -> Result<(), Error> {
        let mut flag = OsString::from("-Cprofile-use=");
        flag.push(profile);
        let mut flags = vec![flag];
        flags.extend(is_for_bolt.then(|| bolt::LINK_FLAG.into()));
        let mut command = self.cargo(&flags);
        succeed(&mut command).map(drop)
    }

    fn cargo(&self, flags: &[OsString]) -> Command {
        let mut command = cargo(self.root);
        command.args(["build", "--profile", PROFILE, "--target", self.host]);
        command.args(["--package", "trellis-cli", "--bin", "trellis"]);
        command.env("CARGO_TARGET_DIR", self.folder);
        command.env("CARGO_ENCODED_RUSTFLAGS", with_flags(flags));
        command.stderr(std::process::Stdio::inherit());
        command
    }
}

/// Returns the flags of the environment, which cargo separates by this character, with more.
fn with_flags(more: &[OsString]) -> OsString {
    const SEPARATOR: &str = "\u{1f}";
    let mut flags = match std::env::var_os("CARGO_ENCODED_RUSTFLAGS") {
        Some(encoded) => encoded,
        None => std::env::var("RUSTFLAGS")
            .unwrap_or_default()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(SEPARATOR)
            .into(),
    };
    for flag in more {
        if !flags.is_empty() {
            flags.push(SEPARATOR);
        }
        flags.push(flag);
    }
    flags
}

/// Lays the program out anew, in its place.
fn lay_out<'a>(
    bolt: &Bolt,
    builds: &Builds<'_>,
    shaders: impl Iterator<Item = &'a PathBuf>,
) -> Result<(), Error> {
    let program = builds.program();
    let file = |name: &str| builds.folder.join(name);
    let (counting, counts, done) = (file("bolt-counting"), file("bolt.fdata"), file("bolt-done"));
    bolt.counting(&program, &counting, &counts)?;
    let scratch = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    // The counts of a second process would replace those of the first.
    let mut command = batch(&counting, scratch.path());
    succeed(command.args(shaders))?;
    bolt.with_counts(&program, &counts, &done)?;
    std::fs::rename(&done, &program).map_err(Error::io(&program))
}

/// Returns the command that converts shaders to a folder, on one thread: several would lose counts,
/// each time others.
fn batch(program: &Path, output: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["batch", "--quiet", "--jobs", "1", "-o"]);
    command.arg(output);
    command
}

/// Converts what the profile is of, with the program that counts.
fn make_counts<'a>(
    counting: &Path,
    counts: &Path,
    shaders: impl Iterator<Item = &'a PathBuf>,
) -> Result<(), Error> {
    if counts.exists() {
        std::fs::remove_dir_all(counts).map_err(Error::io(counts))?;
    }
    let scratch = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    for (number, input) in shaders.enumerate() {
        let output = scratch.path().join(number.to_string());
        succeed(batch(counting, &output).arg(input))?;
    }
    Ok(())
}

/// Merges the counts in a folder to a profile, and returns its path. The name depends on the contents,
/// since cargo compares flags and not what they name.
fn merge(profdata: &Path, counts: &Path, folder: &Path) -> Result<PathBuf, Error> {
    let merged = folder.join("merged.profdata");
    let mut command = Command::new(profdata);
    command.arg("merge").arg("-o").arg(&merged).arg(counts);
    succeed(&mut command)?;
    let contents = std::fs::read(&merged).map_err(Error::io(&merged))?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&contents);
    let profile = folder.join(format!("{:016x}.profdata", hasher.finish()));
    std::fs::rename(&merged, &profile).map_err(Error::io(&profile))?;
    Ok(profile)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_found() {
        let version =
            "rustc 1.95.0\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0";
        assert_eq!(host(version), Some("x86_64-unknown-linux-gnu"));
        assert_eq!(host("rustc 1.95.0"), None);
    }

    #[test]
    fn a_missing_tool_is_named() {
        let compiler = Compiler {
            host: "none".to_owned(),
            sysroot: PathBuf::from("no/such/folder"),
        };
        if std::env::var_os("LLVM_PROFDATA").is_none() {
            let error = compiler.profdata().unwrap_err();
            assert!(
                error
                    .to_string()
                    .contains("rustup component add llvm-tools")
            );
        }
    }

    #[test]
    fn the_flag_comes_after_those_of_the_user() {
        let flags = with_flags(&["-Cprofile-use=a b".into(), "-Cx".into()]);
        let flags = flags.to_str().unwrap();
        assert!(flags.ends_with("-Cprofile-use=a b\u{1f}-Cx"));
    }

    #[test]
    fn the_shaders_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        assert!(MANIFESTS.iter().all(|path| root.join(path).exists()));
    }
}
