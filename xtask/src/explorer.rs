//! `explorer`: compiles the explorer's engine to WebAssembly and makes its page.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Args;
use trellis_explorer::page::{Engine, Sample, page};

use crate::{root, target_folder};

/// The most bytes that the page has when a server compresses it, as most do.
const MAX_COMPRESSED: usize = 3 << 20;

/// The target of Rust's that the engine is compiled for.
const TARGET: &str = "wasm32-wasip1";

/// Arguments of the task.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The page (default: explorer.html in the target folder)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the task.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    if !target_is_installed() {
        println!("skipped: the explorer: Rust's target {TARGET} is not installed");
        return Ok(ExitCode::SUCCESS);
    }
    let default = || target_folder().join("explorer.html");
    let output = arguments.output.clone().unwrap_or_else(default);
    let (size, compressed) = make(&output).map_err(|error| error.to_string())?;
    println!(
        "{}: {size} bytes, {compressed} compressed",
        output.display()
    );
    match compressed > MAX_COMPRESSED {
        true => Err(format!("more than {MAX_COMPRESSED} bytes compressed")),
        false => Ok(ExitCode::SUCCESS),
    }
}

/// Returns true if there is a standard library for the target.
fn target_is_installed() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    output.is_ok_and(|output| {
        let folder = String::from_utf8_lossy(&output.stdout);
        output.status.success() && Path::new(folder.trim()).is_dir()
    })
}

/// Makes the page; returns its bytes, and those after gzip.
fn make(output: &Path) -> io::Result<(usize, usize)> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--package", "trellis-explorer"])
        .args(["--bin", "trellis-explorer", "--profile", "page"])
        .args(["--target", TARGET])
        .current_dir(root())
        .status()?;
    if !status.success() {
        return Err(io::Error::other("the engine could not be compiled"));
    }
    let module = fs::read(
        target_folder()
            .join(TARGET)
            .join("page")
            .join("trellis-explorer.wasm"),
    )?;
    let text = page(Engine::Wasm(&module), &samples()?);
    if let Some(folder) = output.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(output, &text)?;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text.as_bytes())?;
    Ok((text.len(), encoder.finish()?.len()))
}

/// Returns the shaders and graphs of `explorer/samples.txt`, each with its HLSL.
fn samples() -> io::Result<Vec<Sample>> {
    let list = fs::read_to_string(root().join("explorer/samples.txt"))?;
    let lines = list
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &str| {
        let path = |extension: &str| root().join(format!("{line}.{extension}"));
        let all = ["dxil", "dxbc", "cfg"].into_iter();
        let found = all.map(|extension| (path(extension), extension));
        let (path, extension) = { found }
            .find(|(path, _)| path.exists())
            .ok_or_else(|| io::Error::other(format!("there is no shader {line}")))?;
        Ok(Sample {
            name: format!("{}.{extension}", line.rsplit('/').next().unwrap_or(line)),
            bytes: fs::read(path)?,
            source: fs::read_to_string(root().join(format!("{line}.hlsl"))).ok(),
        })
    };
    lines.map(read).collect()
}
