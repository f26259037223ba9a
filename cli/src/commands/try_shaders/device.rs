//! The Vulkan device: a process for each run, so that neither a crash of a driver nor a shader that
//! does not end stops others.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Deserialize;
use tempfile::TempDir;

use crate::problem::Problem;

/// Name of the program that runs SPIR-V on a device.
const PROGRAM: &str = "trellis-device";

/// Status of the program if the device lacks a feature.
const LACKS: i32 = 3;

/// Time between two checks whether a process has ended.
const CHECK: Duration = Duration::from_millis(5);

/// The program, and its description of the device.
pub(super) struct Device {
    program: PathBuf,
    time_limit: Duration,
    pub(super) name: String,
    /// Lanes of a wave.
    pub(super) wave: u32,
}

#[derive(Deserialize)]
struct Described {
    name: String,
    wave: u32,
}

impl Device {
    /// Finds the program next to this one, or in PATH; `None` if it is not installed.
    pub(super) fn find(seconds: u64) -> Result<Option<Self>, Problem> {
        let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
        let own = std::env::current_exe().ok();
        let next = own.map(|path| path.with_file_name(&name));
        let program = next
            .filter(|path| path.exists())
            .unwrap_or_else(|| name.into());
        let output = match Command::new(&program).stderr(Stdio::piped()).output() {
            Ok(output) => output,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let text = format!("cannot run {}", program.display());
                return Err(Problem::usage_error(text).because(&error));
            }
        };
        let described: Described = serde_json::from_slice(&output.stdout).map_err(|_| {
            let text = String::from_utf8_lossy(&output.stderr);
            let text = text.trim().lines().last().unwrap_or("no answer");
            Problem::usage_error(format!("{PROGRAM} has no device: {text}"))
        })?;
        Ok(Some(Self {
            program,
            time_limit: Duration::from_secs(seconds),
            name: described.name,
            wave: described.wave,
        }))
    }

    /// Runs a module, and returns the results as JSON.
    pub(super) fn run(&self, words: &[u32], inputs: &str) -> Result<String, String> {
        let text = |error: std::io::Error| format!("{PROGRAM}: {error}");
        let folder = TempDir::new().map_err(text)?;
        let file = |name: &str| folder.path().join(name);
        let words: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(file("shader.spv"), words).map_err(text)?;
        std::fs::write(file("inputs.json"), inputs).map_err(text)?;
        let create = |name: &str| std::fs::File::create(file(name)).map_err(text);
        let mut child = Command::new(&self.program)
            .args([file("inputs.json"), file("shader.spv")])
            .stdin(Stdio::null())
            .stdout(create("output")?)
            .stderr(create("error")?)
            .spawn()
            .map_err(text)?;
        let end = Instant::now() + self.time_limit;
        let status = loop {
            match child.try_wait().map_err(text)? {
                Some(status) => break status,
                None if Instant::now() > end => {
                    child.kill().and_then(|()| child.wait()).map_err(text)?;
                    let seconds = self.time_limit.as_secs();
                    return Err(format!("it still ran on the device after {seconds} s"));
                }
                None => std::thread::sleep(CHECK),
            }
        };
        let read = |name: &str| std::fs::read(file(name)).unwrap_or_default();
        if status.success() {
            let output = String::from_utf8(read("output")).unwrap_or_default();
            return Ok(output);
        }
        let error = read("error");
        let error = String::from_utf8_lossy(&error);
        let last = error.trim().lines().last().unwrap_or_default();
        match status.code() {
            Some(LACKS) => Err(last.to_owned()),
            Some(_) => Err(format!("{PROGRAM}: {last}")),
            None => Err(format!("the driver crashed: {status}")),
        }
    }
}
