//! The differential test of one seed: a random LLVM function after LLVM's passes, in LLVM's JIT and
//! in ours.

use std::fmt;
use std::path::Path;

use gpu_test::vulkan::{self, Device};
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use structurizer_testkit::simt::is_reducible;
use trellis_structurizer::Stages;
use trellis_structurizer::ir::{Block, Terminator};
use trellis_structurizer::text::print;

use crate::campaign::{Answer, put};
use crate::compare::{Checker, Difference, difference, expected, run_on_device};
use crate::device;
use crate::evaluate::Run;
use crate::jit::Jit;
use crate::lower::FUNCTION;
use crate::passes::{self, Machine};
use crate::program::{INPUTS, Op, Program};
use crate::random::{Plan, Random, inputs, plan};
use crate::read::{Settings, parse, read_named};

/// Lanes of a run, each with its own input.
pub const LANES: usize = 32;
/// Graphs that a shrinker tries.
const TESTS: usize = 3000;
/// The same with a device.
const TESTS_ON_DEVICE: usize = 200;

/// The stage of LLVM's passes and JIT.
const LLVM: &str = "LLVM";
/// The stage of the shader on the device.
const DEVICE: &str = "device";

/// The stages whose crash is not a failure, for [`crate::campaign::Options`]. All comparisons
/// except the device's were done before it.
pub const CRASHES: &[(&str, &str)] = &[
    (LLVM, "LLVM crashed"),
    (DEVICE, "the driver crashed: same on the CPU"),
];

/// The names of the numbers in [`Answer::Equal`]: blocks after LLVM's passes, switches, events of all
/// lanes, and whether some cycle has several entries and the device ran it.
pub const NUMBERS: [&str; 5] = [
    "blocks",
    "switches",
    "events",
    "irreducible",
    "on the device",
];

/// The state of a thread that tests seeds.
pub struct Worker {
    machine: Machine,
    /// The device, if one is used.
    pub device: Option<Device>,
    /// Runs of the wave interpreter for each graph.
    pub simt: u64,
    /// True if failures are shrunk.
    pub shrinks: bool,
    /// Called with the name of each stage before it begins; a process that crashes did so in this stage.
    pub stage: Box<dyn Fn(&str)>,
}

/// A difference, or an error on the way there.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The seed.
    pub seed: u64,
    /// The kind, without numbers.
    pub kind: String,
    /// A difference.
    pub what: String,
    /// The passes that ran.
    pub passes: Vec<String>,
    /// The shrunk graph in the structurizer's text form; empty if there was none.
    pub cfg: String,
    /// The LLVM function after the passes.
    pub ll: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "seed {}: {}: {}\n  passes: {}\n{}",
            self.seed,
            self.kind,
            self.what,
            self.passes.join(","),
            self.cfg
        )
    }
}

impl Failure {
    fn write(&self, folder: &Path) -> Result<(), String> {
        put(folder, self.seed, ".cfg", self.cfg.as_bytes())?;
        put(folder, self.seed, ".ll", self.ll.as_bytes())?;
        put(folder, self.seed, ".txt", self.to_string().as_bytes())
    }
}

/// A random function as a program.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program.
    pub program: Program,
    /// The inputs of its lanes.
    pub inputs: Vec<[u32; INPUTS]>,
    /// The trace in LLVM's JIT for each.
    pub runs: Vec<Run>,
}

/// A seed's function after LLVM's passes.
struct Made {
    passes: Vec<String>,
    ll: String,
    program: Program,
    /// The trace of the JIT, if it ran.
    runs: Vec<Run>,
}

/// Seeds that are not run on devices. Mesa 25.0 turns an `if` of 902 into selects, and some lanes
/// then see fewer events: with `DontFlatten` at that `if`, or with the events kept, it is right, as
/// SwiftShader is.
const DRIVER_BUGS: [u64; 1] = [902];

/// Reason why a comparison is not possible.
enum Stop {
    Skip(String),
    Fail {
        kind: &'static str,
        what: String,
        ll: String,
    },
}

impl Worker {
    /// Returns a worker with LLVM's code generator for this machine.
    ///
    /// # Errors
    /// LLVM has none.
    pub fn new(device: Option<Device>, simt: u64) -> Result<Self, passes::Error> {
        Ok(Worker {
            machine: Machine::open()?,
            device,
            simt,
            shrinks: true,
            stage: Box::new(|_| {}),
        })
    }

    /// Tests a seed, on the device, too, if there is one. It is skipped if the function has an
    /// instruction that only LLVM runs.
    ///
    /// # Errors
    /// A [`Failure`], its graph shrunk.
    pub fn check(&self, seed: u64) -> Result<Answer, Box<Failure>> {
        (self.stage)(LLVM);
        let plan = plan(seed);
        let inputs = inputs(seed, LANES);
        let passes = passes::draw(seed);
        let made = match self.make(seed, &plan, &passes, &inputs) {
            Ok(made) => made,
            Err(Stop::Skip(why)) => return Ok(Answer::Skipped(why)),
            Err(Stop::Fail { kind, what, ll }) => {
                let failure = Failure {
                    seed,
                    kind: kind.to_owned(),
                    what,
                    passes,
                    cfg: String::new(),
                    ll,
                };
                return Err(Box::new(if self.shrinks {
                    self.fewer_passes(failure, &plan, &inputs)
                } else {
                    failure
                }));
            }
        };
        (self.stage)("structurizer");
        let checker = Checker {
            stages: stages(seed),
            simt: self.simt,
        };
        let device = self
            .device
            .as_ref()
            .filter(|_| !DRIVER_BUGS.contains(&seed));
        let result = checker
            .check(&made.program, &inputs, &made.runs)
            .and_then(|structured| match device {
                Some(device) => {
                    (self.stage)(DEVICE);
                    run_on_device(device, &made.program, &structured, &inputs, &made.runs)
                }
                None => Ok(()),
            });
        match result {
            Ok(()) => Ok(Answer::Equal(numbers(&made, device.is_some()))),
            // All but the device have shown that it ends.
            Err(Difference::Device(device::Error::Vulkan(vulkan::Error::Timeout(_)))) => Ok(
                Answer::Skipped("the device lacks time: same on the CPU".to_owned()),
            ),
            Err(difference) => Err(Box::new(self.failure(
                seed,
                &checker,
                made,
                &inputs,
                &difference,
            ))),
        }
    }

    /// Tests a seed. With a folder, its failure is shrunk and written there.
    pub fn answer(&mut self, seed: u64, folder: Option<&Path>) -> Answer {
        self.shrinks = false;
        let failure = match self.check(seed) {
            Ok(answer) => return answer,
            Err(failure) => failure,
        };
        let Some(folder) = folder else {
            return Answer::Failed(failure.kind, failure.what);
        };
        // First as it is, in case that shrinking crashes.
        let written = failure.write(folder);
        self.shrinks = true;
        let shrunk = self.check(seed).err().map(|small| small.write(folder));
        Some(shrunk.unwrap_or(written)).into()
    }

    /// Returns the function of a seed, read.
    ///
    /// # Errors
    /// Why there is none, as a text: see [`Answer::Skipped`] and [`Failure`].
    pub fn case(&self, seed: u64) -> Result<Case, String> {
        let inputs = inputs(seed, LANES);
        match self.make(seed, &plan(seed), &passes::draw(seed), &inputs) {
            Ok(made) => Ok(Case {
                program: made.program,
                inputs,
                runs: made.runs,
            }),
            Err(Stop::Skip(why) | Stop::Fail { what: why, .. }) => Err(why),
        }
    }

    fn failure(
        &self,
        seed: u64,
        checker: &Checker,
        made: Made,
        inputs: &[[u32; INPUTS]],
        difference: &Difference,
    ) -> Failure {
        let kind = difference.kind();
        let (device, tests) = match (difference, self.shrinks) {
            // A device that does not end one shader runs no other.
            (_, false) | (Difference::Device(_), _) => (None, 0),
            (Difference::OnDevice { .. } | Difference::Shader(_), true) => {
                (self.device.as_ref(), TESTS_ON_DEVICE)
            }
            (_, true) => (None, TESTS),
        };
        let mut func = made.program.func.clone();
        if tests > 0 {
            (self.stage)("shrink");
            func = checker
                .shrink(&made.program, inputs, device, &kind, tests)
                .func;
        }
        Failure {
            seed,
            kind,
            what: difference.to_string(),
            passes: made.passes,
            cfg: print(&func),
            ll: made.ll,
        }
    }

    /// Returns the function of a plan after these passes, and its behaviour: LLVM's JIT and our
    /// reading of the function agree on that.
    fn make(
        &self,
        seed: u64,
        plan: &Plan,
        passes: &[String],
        inputs: &[[u32; INPUTS]],
    ) -> Result<Made, Stop> {
        let fail = |kind: &'static str, what: String, ll: &str| Stop::Fail {
            kind,
            what,
            ll: ll.to_owned(),
        };
        let context = Context::create();
        let before = plan.to_llvm();
        let module = passes::read_text(&context, &before);
        let module = module.map_err(|error| fail("lower", error, &before))?;
        self.machine
            .run(&module, passes)
            .map_err(|error| match error {
                // LLVM 14's own bug, and no function to compare.
                passes::Error::Verify { pass, .. } => {
                    Stop::Skip(format!("broken by LLVM's {pass}"))
                }
                passes::Error::TooLarge { .. } => {
                    Stop::Skip("too large after LLVM's passes".to_owned())
                }
                error => fail("passes", error.to_string(), &before),
            })?;
        let ll = module.print_to_string().to_string();
        let settings = Settings {
            convergent: seed.is_multiple_of(3),
        };
        let program = parse(&ll)
            .and_then(|parsed| read_named(&parsed, FUNCTION, settings))
            .map_err(|error| fail("read", error.to_string(), &ll))?;
        if let Some(Op::Opaque(what)) = program.ops.iter().find(|op| matches!(op, Op::Opaque(_))) {
            return Err(Stop::Skip((*what).to_owned()));
        }
        let ours = expected(&program, &program.func, inputs).map_err(|(lane, error)| {
            fail("model", format!("lane {lane} as it was read: {error}"), &ll)
        })?;
        let level = [
            OptimizationLevel::None,
            OptimizationLevel::None,
            OptimizationLevel::Less,
            OptimizationLevel::Default,
        ][seed as usize % 4];
        let jit = Jit::new(&module, level).map_err(|error| fail("jit", error.to_string(), &ll))?;
        let mut runs = Vec::with_capacity(inputs.len());
        for (lane, (input, ours)) in inputs.iter().zip(&ours).enumerate() {
            let run = jit.run(input);
            if let Some(what) = difference(&run, ours) {
                return Err(fail(
                    "model",
                    format!("lane {lane} as it was read: {what}"),
                    &ll,
                ));
            }
            runs.push(run);
        }
        Ok(Made {
            passes: passes.to_vec(),
            ll,
            program,
            runs,
        })
    }

    /// Drops passes while the failure stays.
    fn fewer_passes(&self, mut failure: Failure, plan: &Plan, inputs: &[[u32; INPUTS]]) -> Failure {
        let mut index = 0;
        while index < failure.passes.len() {
            let mut fewer = failure.passes.clone();
            fewer.remove(index);
            match self.make(failure.seed, plan, &fewer, inputs) {
                Err(Stop::Fail { kind, what, ll }) if kind == failure.kind => {
                    failure = Failure {
                        what,
                        ll,
                        passes: fewer,
                        ..failure
                    }
                }
                _ => index += 1,
            }
        }
        failure
    }
}

/// Returns the structurizer's stages for a seed: mostly all.
fn stages(seed: u64) -> Stages {
    let mut random = Random::new(seed ^ 0x0057_a6e5);
    if random.percent(75) {
        return Stages::ALL;
    }
    trellis_structurizer::Stage::ALL
        .into_iter()
        .filter(|_| random.percent(50))
        .fold(Stages::NONE, Stages::with)
}

/// Returns the [`NUMBERS`] of a seed.
fn numbers(made: &Made, on_device: bool) -> Vec<u64> {
    let func = &made.program.func;
    let is_switch =
        |&block: &Block| matches!(func.terminator(block), Some(Terminator::Switch { .. }));
    let numbers = [
        func.num_blocks(),
        func.blocks().filter(is_switch).count(),
        made.runs.iter().map(|run| run.events.len()).sum(),
        usize::from(!is_reducible(func)),
        usize::from(on_device),
    ];
    numbers.map(|number| number as u64).to_vec()
}
