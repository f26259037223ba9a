//! `cargo xtask machine-code`: the machine code of converted shaders from a driver's compiler.
//!
//! Mesa's RADV compiles for any AMD GPU without one: a family is chosen by a variable of the environment,
//! which each process reads once, so that each family needs a separate process.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Output, Stdio};

use clap::Args;
use gpu_test::spirv_module::read_all;
use gpu_test::vulkan::{Compiler, Device, Error};
use gpu_test::worker_process::again;
use serde::{Deserialize, Serialize};

mod report;

/// Arguments of the task.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo xtask machine-code out                               all .spv in a folder
  cargo xtask machine-code out --against reference           compared with the same files of another folder
  cargo xtask machine-code out --family navi21,navi31        for two generations of GPUs
  cargo xtask machine-code out --device llvmpipe             compile times of lavapipe")]
pub(crate) struct Arguments {
    /// The folder with SPIR-V (`trellis batch` makes one).
    folder: PathBuf,
    /// Another folder: shaders are compared with shaders of the same name.
    #[arg(long, value_name = "FOLDER")]
    against: Option<PathBuf>,
    /// AMD GPUs for which RADV compiles, by the names of the driver.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "navi21"
    )]
    family: Vec<String>,
    /// Another driver: part of the device's name.
    #[arg(long, value_name = "NAME-PART", conflicts_with = "family")]
    device: Option<String>,
    /// Only shaders whose path contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Compile each shader this many times; the least time counts.
    #[arg(long, value_name = "N", default_value_t = 1)]
    rounds: u32,
    /// How many shaders to list.
    #[arg(long, value_name = "N", default_value_t = 20)]
    worst: usize,
    /// Write the numbers of each shader as JSON.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Fail if the shaders of this file have more instructions together than it says; with
    /// `TRELLIS_BLESS=1`, write it. A file of another driver is not compared.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// Compile this folder in this process and print the numbers as JSON.
    #[arg(long, hide = true)]
    worker: Option<PathBuf>,
    /// The first file that a worker compiles.
    #[arg(long, hide = true, default_value_t = 0)]
    from: usize,
}

/// The numbers of a shader.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Row {
    /// Path in its folder, and the entry point if the module has several.
    shader: String,
    /// By the driver's names; the time in microseconds.
    numbers: BTreeMap<String, f64>,
    /// Why there are none.
    skipped: Option<String>,
    /// Version of the driver.
    driver: String,
}

/// The name under which the time is among the numbers of the driver.
const TIME: &str = "Compile time (us)";

/// Runs the task.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    if let Some(folder) = &arguments.worker {
        // The first process reads the reason from here.
        let result = compile_all(arguments, folder).inspect_err(|reason| println!("{reason}"));
        return Ok(crate::status(result.is_ok()));
    }
    let families = match arguments.device {
        Some(_) => vec![None],
        None => arguments.family.iter().map(|f| Some(f.as_str())).collect(),
    };
    let mut result = Ok(ExitCode::SUCCESS);
    for family in families {
        let folders = [Some(&arguments.folder), arguments.against.as_ref()];
        let tables = folders.into_iter().flatten();
        let tables = tables.map(|folder| of_folder(arguments, folder, family));
        match tables.collect::<Result<Vec<_>, String>>() {
            Ok(tables) => {
                let name = family.or(arguments.device.as_deref()).unwrap_or_default();
                let printed = report::print(arguments, name, &tables);
                result = result.and(printed.map(|()| ExitCode::SUCCESS));
            }
            Err(reason) => {
                println!("skipped: {reason}");
                break;
            }
        }
    }
    result
}

/// Compiles a folder in separate processes: a driver that crashes ends its process, and the next one
/// continues after the shader.
fn of_folder(
    arguments: &Arguments,
    folder: &Path,
    family: Option<&str>,
) -> Result<Vec<Row>, String> {
    let files = modules(arguments, folder)?;
    let (mut rows, mut done) = (Vec::new(), 0);
    while done < files.len() {
        let output = start(folder, family, done)?;
        let text = String::from_utf8_lossy(&output.stdout);
        for line in text.lines() {
            let of_file: Vec<Row> = serde_json::from_str(line).map_err(|_| line.to_owned())?;
            rows.extend(of_file);
            done += 1;
        }
        if output.status.success() {
            break;
        }
        if let Some(path) = files.get(done) {
            rows.push(Row {
                shader: name_in(folder, path),
                skipped: Some("the driver crashed".to_owned()),
                ..Row::default()
            });
            done += 1;
        }
    }
    Ok(rows)
}

/// Runs this task in a process that has the driver, from a file on.
fn start(folder: &Path, family: Option<&str>, from: usize) -> Result<Output, String> {
    let mut command = again()?;
    command.arg("--from").arg(from.to_string());
    command.arg("--worker").arg(folder);
    if let Some(family) = family {
        command.env("RADV_FORCE_FAMILY", family);
        command.env("VK_LOADER_DRIVERS_SELECT", "*radeon*");
    }
    // With the cache, the times of reading files would be measured.
    command.env("MESA_SHADER_CACHE_DISABLE", "true");
    command
        .stderr(Stdio::null())
        .output()
        .map_err(|error| error.to_string())
}

/// Returns the name of a file in a folder, without its extension.
fn name_in(folder: &Path, path: &Path) -> String {
    let name = path.strip_prefix(folder).unwrap_or(path);
    name.with_extension("").to_string_lossy().into_owned()
}

/// Compiles the shaders and prints the numbers of each file as a line.
fn compile_all(arguments: &Arguments, folder: &Path) -> Result<(), String> {
    let part = arguments.device.as_deref();
    let opened = Device::open(part, false).map_err(|error| error.to_string())?;
    let device = opened.0;
    let compiler = device.compiler().map_err(|error| error.to_string())?;
    let files = modules(arguments, folder)?;
    for path in files.iter().skip(arguments.from) {
        let name = name_in(folder, path);
        let mut rows = of_file(&compiler, path, &name, arguments.rounds).unwrap_or_else(|reason| {
            vec![Row {
                shader: name,
                skipped: Some(reason),
                ..Row::default()
            }]
        });
        for row in &mut rows {
            row.driver.clone_from(&device.info.driver);
        }
        let line = serde_json::to_string(&rows).map_err(|error| error.to_string())?;
        println!("{line}");
    }
    Ok(())
}

/// Compiles the entry points of a file.
fn of_file(
    compiler: &Compiler<'_>,
    path: &Path,
    name: &str,
    rounds: u32,
) -> Result<Vec<Row>, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let words: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
        .collect();
    let modules = read_all(&words)?;
    let several = modules.len() > 1;
    let mut rows = Vec::new();
    for module in modules {
        let mut row = Row {
            shader: if several {
                format!("{name}:{}", module.entry)
            } else {
                name.to_owned()
            },
            ..Row::default()
        };
        for _ in 0..rounds.max(1) {
            match compiler.compile(&module) {
                Ok(compiled) => {
                    let time = compiled.time.as_secs_f64() * 1e6;
                    let least = row.numbers.get(TIME).map_or(time, |old| old.min(time));
                    row.numbers = compiled.statistics.into_iter().collect();
                    row.numbers.insert(TIME.to_owned(), least);
                }
                Err(Error::Unsupported(what)) => row.skipped = Some(what),
                Err(error) => row.skipped = Some(error.to_string()),
            }
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Returns the modules of a folder and those in it, sorted.
fn modules(arguments: &Arguments, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let only = arguments.only.as_deref().unwrap_or_default();
    let mut files = crate::files_below(folder)?;
    files.retain(|path| path.extension().is_some_and(|ext| ext == "spv"));
    files.retain(|path| name_in(folder, path).contains(only));
    Ok(files)
}
