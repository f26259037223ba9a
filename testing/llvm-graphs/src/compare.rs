//! Compares the structured form of a program with the program: on the CPU, in the wave
//! interpreter, on a Vulkan device.

use gpu_test::vulkan::Device;
use structurizer_testkit::check::{self, Checks};
use structurizer_testkit::simt::SimError;
use thiserror::Error;
use trellis_structurizer::ir::Function;
use trellis_structurizer::{Options, Stages, Structured, structurize};

use crate::device::{self, Lane};
use crate::evaluate::{self, Run, evaluate};
use crate::program::{INPUTS, Program};
use crate::shader::{self, Layout, shader};

/// Blocks that a run of an unstructured program may take.
pub const STEPS: usize = 200_000;
/// Maximum number of executed blocks of a structured program per executed block of the unstructured
/// one. A chain of selector tests is as long as constructs are nested.
const GROWTH: usize = 40;

/// A difference.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Difference {
    /// The structurizer gives no result.
    #[error("structurize: {0}")]
    Structurize(#[from] trellis_structurizer::Error),
    /// The result does something else than the program.
    #[error("lane {lane} of the structured program: {what}")]
    Structured {
        /// The lane: which input.
        lane: usize,
        /// The difference.
        what: String,
    },
    /// The wave interpreter or another of the structurizer's own checks.
    #[error("{0}")]
    Check(#[from] check::Failure),
    /// The shader could not be built.
    #[error("shader: {0}")]
    Shader(#[from] shader::Error),
    /// The device gives no traces.
    #[error("device: {0}")]
    Device(#[from] device::Error),
    /// The device does something else than the program.
    #[error("lane {lane} on the device: {what}")]
    OnDevice {
        /// The lane: which input.
        lane: usize,
        /// The difference.
        what: String,
    },
}

impl Difference {
    /// Returns the difference without numbers: two of one kind are likely one bug.
    pub fn kind(&self) -> String {
        match self {
            Difference::Structurize(_) => "structurize".to_owned(),
            Difference::Structured { .. } => "structured".to_owned(),
            Difference::Check(failure) => failure.kind(),
            Difference::Shader(_) => "shader".to_owned(),
            Difference::Device(_) => "device".to_owned(),
            Difference::OnDevice { .. } => "on the device".to_owned(),
        }
    }
}

/// The comparisons for each program.
#[derive(Clone, Copy, Debug)]
pub struct Checker {
    /// The stages of the structurizer that run.
    pub stages: Stages,
    /// Runs of the wave interpreter; with 0 it is not used.
    pub simt: u64,
}

/// The most switches that a `continue` may exit: as in the converter, because of Mesa.
const CONTINUE_SWITCHES: u32 = 1;

/// Returns how many blocks a result may have for each block of the input. Each edge to a target
/// that many switches share may become a block, so that edges count where there are more than two a
/// block: peeled loops around a switch have these.
fn growth(func: &Function) -> usize {
    let edges: usize = func
        .blocks()
        .map(|block| func.successors(block).count())
        .sum();
    Checks::default().growth * edges.div_ceil(2 * func.num_blocks().max(1)).max(1)
}

/// Returns the first difference between two traces, as a text; `None` if they are the same.
pub fn difference(expected: &Run, found: &Run) -> Option<String> {
    if expected == found {
        return None;
    }
    let count = expected.events.len().max(found.events.len());
    for index in 0..count {
        let (wanted, got) = (expected.events.get(index), found.events.get(index));
        if wanted != got {
            return Some(format!("event {index}: expected {wanted:?}, found {got:?}"));
        }
    }
    Some(format!(
        "expected the result {}, found {}",
        expected.returned, found.returned
    ))
}

/// Returns the trace of each lane of a program, with which all others are compared.
///
/// # Errors
/// Those of [`evaluate()`] with the lane.
pub fn expected(
    program: &Program,
    func: &Function,
    inputs: &[[u32; INPUTS]],
) -> Result<Vec<Run>, (usize, evaluate::Error)> {
    inputs
        .iter()
        .enumerate()
        .map(|(lane, input)| evaluate(program, func, input, STEPS).map_err(|error| (lane, error)))
        .collect()
}

impl Checker {
    /// Structurizes a program and compares it with the expected traces, and with the program in the
    /// wave interpreter. Gives the structured function.
    ///
    /// # Errors
    /// The first [`Difference`].
    pub fn check(
        &self,
        program: &Program,
        inputs: &[[u32; INPUTS]],
        expected: &[Run],
    ) -> Result<Structured, Difference> {
        let mut options = Options::default();
        options.stages = self.stages;
        options.max_continue_switches = CONTINUE_SWITCHES;
        let structured = structurize(program.func.clone(), &options)?;
        for (lane, (input, wanted)) in inputs.iter().zip(expected).enumerate() {
            let found = evaluate(program, &structured.func, input, STEPS * GROWTH);
            let what = match found {
                Ok(run) => difference(wanted, &run),
                Err(error) => Some(error.to_string()),
            };
            if let Some(what) = what {
                return Err(Difference::Structured { lane, what });
            }
        }
        if self.simt > 0 {
            let growth = growth(&program.func);
            let checks = Checks {
                runs: self.simt,
                stages: self.stages,
                growth,
                max_continue_switches: CONTINUE_SWITCHES,
                ..Checks::default()
            };
            match check::check_function(&program.func, &checks) {
                // LLVM keeps branches on undefined values in code that never runs; the wave
                // interpreter, which decides by chance, gets there.
                Err(check::Failure::Input(SimError::UndefinedCondition { .. })) => {}
                result => result?,
            }
        }
        Ok(structured)
    }

    /// Makes the graph of a program smaller for as long as there is a difference of the same kind
    /// and each lane's run ends, with at most `tests` tests. The program also runs on the device,
    /// if there is one.
    pub fn shrink(
        &self,
        program: &Program,
        inputs: &[[u32; INPUTS]],
        device: Option<&Device>,
        kind: &str,
        tests: usize,
    ) -> Program {
        let with = |func: &Function| Program {
            func: func.clone(),
            ops: program.ops.clone(),
            constants: program.constants.clone(),
        };
        let fails = |func: &Function| {
            let smaller = with(func);
            // On a device a lane that does not end would end all.
            let Ok(expected) = expected(&smaller, func, inputs) else {
                return false;
            };
            let result =
                self.check(&smaller, inputs, &expected)
                    .and_then(|structured| match device {
                        Some(device) => {
                            run_on_device(device, &smaller, &structured, inputs, &expected)
                        }
                        None => Ok(()),
                    });
            result.is_err_and(|difference| difference.kind() == kind)
        };
        with(&check::shrink(program.func.clone(), tests, &fails))
    }
}

/// Runs a structured program as a shader and compares it with the expected traces: by their
/// digests, and only if those differ by the events.
///
/// # Errors
/// [`Difference::Shader`], [`Difference::Device`], [`Difference::OnDevice`].
pub fn run_on_device(
    device: &Device,
    program: &Program,
    structured: &Structured,
    inputs: &[[u32; INPUTS]],
    expected: &[Run],
) -> Result<(), Difference> {
    let layout = Layout {
        lanes: expected.len() as u32,
        events: 0,
    };
    let found = device::run(device, shader(program, structured, layout)?, layout, inputs)?;
    let differs = |(lane, wanted): &(usize, &Run)| found.get(*lane) != Some(&Lane::of(wanted));
    let Some((first, wanted)) = expected.iter().enumerate().find(differs) else {
        return Ok(());
    };
    // Once more, with the events.
    let layout = layout_of(expected);
    let found = device::run(device, shader(program, structured, layout)?, layout, inputs)?;
    for (lane, (wanted, found)) in expected.iter().zip(&found).enumerate() {
        if let Some(what) = difference(wanted, &found.run) {
            return Err(Difference::OnDevice { lane, what });
        }
    }
    let what = format!(
        "the digest of {} events, but not the events in a second run",
        wanted.events.len()
    );
    Err(Difference::OnDevice { lane: first, what })
}

/// Returns a layout with space for the longest trace, and some more for a shader that has too many
/// events.
pub fn layout_of(expected: &[Run]) -> Layout {
    let longest = expected
        .iter()
        .map(|run| run.events.len())
        .max()
        .unwrap_or(0);
    Layout {
        lanes: expected.len() as u32,
        events: longest as u32 + 8,
    }
}
