//! LLVM's Stackifier: the WebAssembly back end of LLVM 14 makes loops of irreducible cycles
//! (`WebAssemblyFixIrreducibleControlFlow`), sorts the blocks (`CFGSort`) and nests them
//! (`CFGStackify`).
//!
//! `llc` runs as a process on a skeleton of the function (see [`super::webassembly`]), so that none
//! of its other passes changes the graph.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use trellis_structurizer::ir::Function;

use super::pipe;
use super::run::targets;

/// The passes whose time is measured, by LLVM's names.
const PASSES: [&str; 3] = [
    "WebAssembly Fix Irreducible Control Flow",
    "WebAssembly CFG Sort",
    "WebAssembly CFG Stackify",
];

/// Options of `llc` without which its other passes copy blocks, merge their ends, or make comparisons
/// of a switch.
const OPTIONS: [&str; 8] = [
    "-mtriple=wasm32-unknown-unknown",
    "-O2",
    "-disable-tail-duplicate",
    "-disable-early-taildup",
    "-disable-branch-fold",
    "-tail-dup-placement=false",
    "-min-jump-table-entries=2",
    "-switch-peel-threshold=101",
];

/// Copies of each function where time is measured, which LLVM reports in tenths of milliseconds.
const TIMED: usize = 20;

/// Rounds of which the shortest time is taken.
const ROUNDS: usize = 3;

/// LLVM's code generator with the WebAssembly target.
#[derive(Clone, Debug)]
pub struct Stackifier {
    llc: PathBuf,
}

impl Stackifier {
    /// Looks for `llc` of LLVM 14 at `LLVM_SYS_140_PREFIX`, in the path and in the usual folders.
    ///
    /// # Errors
    /// There is none, or it lacks the target: a message.
    pub fn find() -> Result<Self, String> {
        let given = std::env::var_os("LLVM_SYS_140_PREFIX")
            .map(|prefix| Path::new(&prefix).join("bin/llc"));
        let usual = [
            "llc-14",
            "/usr/lib/llvm-14/bin/llc",
            "/usr/lib/llvm14/bin/llc",
            "/opt/homebrew/opt/llvm@14/bin/llc",
            "/usr/local/opt/llvm@14/bin/llc",
            "llc",
        ];
        for llc in given.into_iter().chain(usual.map(PathBuf::from)) {
            let Ok(output) = Command::new(&llc).arg("--version").output() else {
                continue;
            };
            let version = String::from_utf8_lossy(&output.stdout).into_owned();
            if version.contains("version 14.") && version.contains("wasm32") {
                return Ok(Stackifier { llc });
            }
        }
        Err("LLVM 14's llc with the target wasm32 is not installed (Debian: llvm-14)".to_owned())
    }

    /// Returns a WebAssembly module with the functions, in order.
    ///
    /// # Errors
    /// `llc` fails: its message.
    pub fn run(&self, functions: &[&Function]) -> Result<Vec<u8>, String> {
        let output = self.llc(&module(functions, 1), &[])?;
        Ok(output.0)
    }

    /// Returns the time of the passes that structurize, for all functions.
    ///
    /// # Errors
    /// `llc` fails, or its report has another form: a message.
    pub fn time(&self, functions: &[&Function]) -> Result<Duration, String> {
        let text = module(functions, TIMED);
        let mut shortest = f64::INFINITY;
        for _ in 0..ROUNDS {
            let (_, report) = self.llc(&text, &["-time-passes"])?;
            shortest = shortest.min(seconds(&report)?);
        }
        Ok(Duration::from_secs_f64(shortest / TIMED as f64))
    }

    fn llc(&self, text: &str, arguments: &[&str]) -> Result<(Vec<u8>, String), String> {
        let mut command = Command::new(&self.llc);
        command.arg("-filetype=obj").args(OPTIONS).args(arguments);
        pipe(command.args(["-o", "-", "-"]), text)
    }
}

/// Returns the seconds that a report of LLVM's has for the passes that structurize.
fn seconds(report: &str) -> Result<f64, String> {
    let mut seconds = 0.0;
    for pass in PASSES {
        let mut lines = report.lines();
        let line = lines.find(|line| line.trim_end().ends_with(pass));
        // The last of several columns is the time of the wall clock, and its part of all.
        let time = line
            .and_then(|line| line.rsplit_once('('))
            .and_then(|(columns, _)| columns.split_whitespace().last()?.parse::<f64>().ok());
        seconds += time.ok_or_else(|| format!("llc reports no time of {pass}"))?;
    }
    Ok(seconds)
}

/// Returns `copies` copies of the functions' skeletons in LLVM's text form.
fn module(functions: &[&Function], copies: usize) -> String {
    let most = functions.iter().map(|func| func.num_blocks()).max();
    let mut text = String::new();
    for block in 0..most.unwrap_or(0) {
        let _ = writeln!(text, "declare void @b{block}()\ndeclare i32 @c{block}()");
    }
    for copy in 0..copies {
        for (number, func) in functions.iter().enumerate() {
            let _ = writeln!(text, "define void @f{copy}_{number}() {{");
            skeleton(&mut text, func);
            text.push_str("}\n");
        }
    }
    text
}

fn skeleton(text: &mut String, func: &Function) {
    let Some(entry) = func.entry() else { return };
    let _ = writeln!(text, "entry:\n  br label %b{}", entry.as_u32());
    for block in func.blocks() {
        let number = block.as_u32();
        let _ = writeln!(text, "b{number}:\n  call void @b{number}()");
        let to: Vec<u32> = targets(func, block).iter().map(|to| to.as_u32()).collect();
        if to.len() > 1 {
            let _ = writeln!(text, "  %c{number} = call i32 @c{number}()");
        }
        let _ = match to[..] {
            [] => writeln!(text, "  ret void"),
            [to] => writeln!(text, "  br label %b{to}"),
            [first, second] => writeln!(
                text,
                "  %d{number} = icmp ne i32 %c{number}, 0\n  br i1 %d{number}, label %b{second}, label %b{first}"
            ),
            [first, ref others @ ..] => {
                let _ = write!(text, "  switch i32 %c{number}, label %b{first} [");
                for (place, to) in others.iter().enumerate() {
                    let _ = write!(text, " i32 {}, label %b{to}", place + 1);
                }
                writeln!(text, " ]")
            }
        };
    }
}
