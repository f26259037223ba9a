//! `cargo xtask deb`: the Debian package of the `trellis` command, by cargo-deb, and a check of it.
//!
//! The package has the program, its manual pages and its shell completions, which the program itself writes.
//! The check unpacks it into a folder and runs the program from there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Arguments of the task.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// File for the package (default: `debian/trellis.deb` in the target folder)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Profile of the program: `dist` is a tenth faster than `release`, and takes a third longer to build.
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,
    /// Package this program, such as that of `cargo xtask pgo`, instead of building one
    #[arg(long, value_name = "FILE", conflicts_with = "profile")]
    program: Option<PathBuf>,
}

/// What a step returns that did not work.
type Problem = Box<dyn std::error::Error>;

/// The completions: the shell and the name of its file, as in `cli/Cargo.toml`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "trellis.bash"),
    ("zsh", "_trellis"),
    ("fish", "trellis.fish"),
];

/// What the package must have, in addition to a page for each command.
const FILES: [&str; 6] = [
    "usr/bin/trellis",
    "usr/share/man/man1/trellis.1.gz",
    "usr/share/man/man1/trellis-batch.1.gz",
    "usr/share/bash-completion/completions/trellis",
    "usr/share/zsh/vendor-completions/_trellis",
    "usr/share/fish/vendor_completions.d/trellis.fish",
];

/// Makes the package and checks it; what is not installed is skipped with a message.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match make(arguments) {
        Ok(Some(package)) => println!("{}: ok", package.display()),
        Ok(None) => {}
        Err(problem) => {
            eprintln!("error: {problem}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Returns the package, or `None` if it cannot be made here.
fn make(arguments: &Arguments) -> Result<Option<PathBuf>, Problem> {
    if !succeeds(cargo().args(["deb", "--version"])) {
        println!("skipped: cargo-deb is not installed (cargo install --locked cargo-deb)");
        return Ok(None);
    }
    let target = target()?;
    let (folder, built) = match &arguments.program {
        Some(program) => given(program, &target)?,
        None => build(&arguments.profile, &target)?,
    };
    write_extras(&built)?;
    let package = match &arguments.output {
        Some(package) => package.clone(),
        None => target.join("debian/trellis.deb"),
    };
    let mut deb = cargo();
    deb.args(["deb", "--locked", "--package", "trellis-cli", "--no-build"]);
    deb.args(["--profile", &arguments.profile, "--output"]);
    // It runs in the folder of the workspace.
    check(
        deb.arg(std::path::absolute(&package)?)
            .env("CARGO_TARGET_DIR", folder),
    )?;
    check_package(&package)?;
    Ok(Some(package))
}

/// Builds the program; returns the target folder, and the folder in it that has the program.
fn build(profile: &str, target: &Path) -> Result<(PathBuf, PathBuf), Problem> {
    let mut command = cargo();
    command.args(["build", "--locked", "--package", "trellis-cli"]);
    check(command.args(["--profile", profile]))?;
    let built = target.join(match profile {
        "dev" => "debug",
        profile => profile,
    });
    Ok((target.to_owned(), built))
}

/// Returns a target folder that has nothing but a program, and the folder in it that has the program: cargo
/// would not notice that a program of its own was replaced.
fn given(program: &Path, target: &Path) -> Result<(PathBuf, PathBuf), Problem> {
    let folder = target.join("deb");
    let built = folder.join("release");
    fs::create_dir_all(&built)?;
    fs::copy(program, built.join("trellis"))
        .map_err(|error| format!("{}: {error}", program.display()))?;
    Ok((folder, built))
}

/// Writes the completions and manual pages of the program in a folder.
fn write_extras(built: &Path) -> Result<(), Problem> {
    let program = built.join("trellis");
    // In the manifest this is `target/release/deb`, which cargo-deb takes for the folder of the profile.
    let extra = built.join("deb");
    if extra.exists() {
        fs::remove_dir_all(&extra)?;
    }
    fs::create_dir_all(&extra)?;
    for (shell, name) in COMPLETIONS {
        let output = Command::new(&program)
            .args(["completions", shell])
            .output()?;
        if !output.status.success() {
            return Err(format!("trellis completions {shell}: {}", output.status).into());
        }
        fs::write(extra.join(name), output.stdout)?;
    }
    let pages = extra.join("man");
    check(Command::new(&program).arg("man").arg(&pages))?;
    compress(&pages)
}

/// Compresses manual pages, as Debian's policy has them: without a time, so that they are the same again.
fn compress(pages: &Path) -> Result<(), Problem> {
    let mut gzip = Command::new("gzip");
    gzip.args(["-9", "--no-name"]);
    for page in fs::read_dir(pages)? {
        gzip.arg(page?.path());
    }
    check(&mut gzip)
}

/// Unpacks a package and runs its program.
fn check_package(package: &Path) -> Result<(), Problem> {
    if !succeeds(Command::new("dpkg-deb").arg("--version")) {
        println!("skipped: the check of the package, since dpkg-deb is not installed");
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    check(
        Command::new("dpkg-deb")
            .arg("-x")
            .arg(package)
            .arg(folder.path()),
    )?;
    for name in FILES {
        let size = fs::metadata(folder.path().join(name)).map(|file| file.len());
        if size.as_ref().map_or(true, |size| *size == 0) {
            return Err(format!("the package lacks {name}: {size:?}").into());
        }
    }
    let output = Command::new(folder.path().join(FILES[0]))
        .arg("-V")
        .output()?;
    let version = format!("trellis {}\n", env!("CARGO_PKG_VERSION"));
    if output.stdout != version.as_bytes() {
        let printed = String::from_utf8_lossy(&output.stdout);
        return Err(format!("the package's program prints `{printed}` as its version").into());
    }
    // The libraries that it is linked with are the package's dependencies.
    let fields = Command::new("dpkg-deb").arg("-f").arg(package).output()?;
    let fields = String::from_utf8_lossy(&fields.stdout).into_owned();
    match fields.contains("\nDepends: libc6") {
        true => Ok(()),
        false => Err(format!("the package does not depend on libc6:\n{fields}").into()),
    }
}

/// Returns the target folder, which this program is in.
fn target() -> Result<PathBuf, Problem> {
    let program = std::env::current_exe()?;
    let target = program.parent().and_then(Path::parent);
    Ok(target
        .ok_or("this program is not in a target folder")?
        .to_owned())
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn succeeds(command: &mut Command) -> bool {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn check(command: &mut Command) -> Result<(), Problem> {
    let status = command
        .status()
        .map_err(|error| format!("{command:?}: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{command:?}: {status}").into()),
    }
}
