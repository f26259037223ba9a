//! Other structurizers on the same functions: LLVM's StructurizeCFG and Stackifier, Binaryen's
//! Relooper, and a model of Beyond Relooper.
//!
//! It compares the number of blocks, the branches that runs take in addition to the input's, and
//! copies. A run draws the results of calls and reads at random, computes everything else and stops
//! after some calls, reads and writes, which no structurizer adds or removes: so the number of
//! branches for each of them shows how many were added.

mod relooper;
mod run;
mod splitting;
mod stackifier;
pub mod webassembly;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use inkwell::context::Context;
use inkwell::module::Module;
use trellis_structurizer::{Options, Target, structurize};

pub use relooper::Relooper;
pub use splitting::{Split, beyond_relooper};
pub use stackifier::Stackifier;

use crate::passes::Machine;
use crate::program::Program;
use crate::read::{Settings, parse, read_named};
use run::branches;

/// The passes of AMDGPU's back end before its structured control flow, as far as LLVM 14 has them
/// for all targets.
const STRUCTURIZE_CFG: &str =
    "function(mergereturn,lowerswitch,fix-irreducible,unify-loop-exits,structurizecfg)";

/// Rounds of which the shortest time is taken.
const TIMED: usize = 5;

/// The result of a structurizer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbers {
    /// Blocks.
    pub blocks: usize,
    /// Of these, copies.
    pub copies: usize,
    /// Branches for each call, read or write, on average; not a number for functions without.
    pub branches: f64,
    /// Time; of StructurizeCFG for the whole file.
    pub time: Duration,
}

/// Runs a command that reads everything before it writes; returns its output, and its messages.
fn pipe(command: &mut Command, input: &str) -> Result<(Vec<u8>, String), String> {
    let problem = |error: std::io::Error| error.to_string();
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().map_err(problem)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).map_err(problem)?;
    }
    let output = child.wait_with_output().map_err(problem)?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() {
        true => Ok((output.stdout, messages)),
        false => Err(messages),
    }
}

/// Returns the numbers of an unchanged function with `parameters` parameters.
pub fn as_it_is(program: &Program, parameters: usize) -> Numbers {
    Numbers {
        blocks: program.func.num_blocks(),
        branches: branches(program, &program.func, parameters),
        ..Numbers::default()
    }
}

/// Returns the numbers of this structurizer for a target.
///
/// # Errors
/// See [`structurize`].
pub fn ours(
    program: &Program,
    parameters: usize,
    target: Target,
) -> Result<Numbers, trellis_structurizer::Error> {
    let mut options = Options::default();
    options.verify = false;
    options.target = target;
    let mut time = Duration::MAX;
    let mut structured = None;
    for _ in 0..TIMED {
        let (func, start) = (program.func.clone(), Instant::now());
        structured = Some(structurize(func, &options)?);
        time = time.min(start.elapsed());
    }
    Ok(
        structured.map_or_else(Numbers::default, |structured| Numbers {
            blocks: structured.order.len(),
            copies: structured.report.copies as usize,
            branches: branches(program, &structured.func, parameters),
            time,
        }),
    )
}

/// Returns the numbers of LLVM's StructurizeCFG for a function of a bitcode file.
///
/// # Errors
/// LLVM refuses the file or the result, as a text.
pub fn structurize_cfg(
    machine: &Machine,
    path: &Path,
    function: &str,
    parameters: usize,
) -> Result<Numbers, String> {
    let context = Context::create();
    let module = Module::parse_bitcode_from_path(path, &context).map_err(|e| e.to_string())?;
    let start = Instant::now();
    machine
        .run(&module, &[STRUCTURIZE_CFG.to_owned()])
        .map_err(|e| e.to_string())?;
    let time = start.elapsed();
    let text = module.print_to_string().to_string();
    let program = parse(&text)
        .and_then(|parsed| read_named(&parsed, function, Settings::default()))
        .map_err(|e| e.to_string())?;
    Ok(Numbers {
        blocks: program.func.num_blocks(),
        copies: 0,
        branches: branches(&program, &program.func, parameters),
        time,
    })
}
