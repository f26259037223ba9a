//! One program, run in three ways: by the evaluator of its syntax, by the interpreter of its DXIL,
//! and by a device after its conversion.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gpu_test::case::Case;
use gpu_test::execute::{self, NotRun, Observed};
use gpu_test::vulkan::Device;
use gpu_test::{interpret, spirv_module};
use structurizer_testkit::generate::Rng;
use trellis_dxil_interpreter::dispatch::{Binding, Class, Data, Dispatch, Kind as Shape};

use crate::compiler::{self, Session, error_line};
use crate::evaluate::{self, evaluate};
use crate::hlsl;
use crate::program::*;

/// The kind of a difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The interpreter's results and those of the evaluator: the compiler or the
    /// interpreter is wrong.
    Meaning,
    /// The interpreter's results at several widths of waves, in a program without wave operations.
    Widths,
    /// The device's results and the interpreter's.
    Device,
    /// The interpreter does not run the program.
    Interpreter,
    /// The program accesses its buffers out of bounds.
    Bounds,
    /// Conversion fails.
    Conversion,
    /// The device fails, or the validation layer reports an error.
    Run,
    /// A panic.
    Panic,
    /// The process crashed, or did not end.
    Crash,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Meaning,
        Self::Widths,
        Self::Device,
        Self::Interpreter,
        Self::Bounds,
        Self::Conversion,
        Self::Run,
        Self::Panic,
        Self::Crash,
    ];

    /// Returns its description.
    pub fn text(self) -> &'static str {
        match self {
            Self::Meaning => {
                "the interpreter differs from the HLSL: the compiler or the interpreter is wrong"
            }
            Self::Widths => {
                "the interpreter's results depend on the width of waves, though the program has no wave operations"
            }
            Self::Device => "the converted shader on the device differs from the interpreter",
            Self::Interpreter => "the interpreter does not run the program",
            Self::Bounds => "the program accesses its buffers out of bounds",
            Self::Conversion => "the program is not converted",
            Self::Run => "the device does not run the converted program as it should",
            Self::Panic => "a panic",
            Self::Crash => "a crash",
        }
    }
}

/// A difference, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Kind.
    pub kind: Kind,
    /// The expected and the found value.
    pub text: String,
}

/// Outcome of a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// All results are the same.
    Equal,
    /// It was not compared: why.
    Skipped(String),
    /// The differences, the most severe first.
    Failed(Vec<Difference>),
}

/// A program with all that belongs to its run.
#[derive(Clone, Debug)]
pub struct Trial {
    /// HLSL.
    pub text: String,
    /// DXIL.
    pub dxil: Vec<u8>,
    /// Inputs; the expectations are the interpreter's.
    pub case: Case,
}

/// The wave size without a device.
pub const WAVE: u32 = 8;

/// Widths of waves at which a program without wave operations must do the same.
const WIDTHS: [u32; 4] = [4, 16, 32, 64];

/// Returns the input buffer's contents: random numbers from the program's seed.
pub fn inputs(program: &Program) -> Vec<u32> {
    let mut rng = Rng::new(!program.seed);
    (0..INPUTS).map(|_| (rng.next_u64() >> 32) as u32).collect()
}

/// Returns the program's resources. A program with wave operations is run with waves of `wave`
/// lanes.
pub fn case(program: &Program, wave: u32) -> Case {
    let buffer = |class| Binding {
        stride: Some(4),
        ..Binding::new(class, 0, 0, Shape::Structured)
    };
    let bytes = u64::from(program.lanes) * u64::from(program.groups) * u64::from(SLOTS) * 4;
    let input = Binding {
        data: Some(Data::U32(inputs(program))),
        ..buffer(Class::Srv)
    };
    let output = Binding {
        bytes: Some(bytes),
        ..buffer(Class::Uav)
    };
    let dispatch = Dispatch {
        about: String::new(),
        entry: String::new(),
        groups: [program.groups, 1, 1],
        wave: program.has_waves().then_some(wave),
        bindings: vec![input, output],
        scenes: Vec::new(),
    };
    let name = dispatch.wave.map_or("random program".to_owned(), |wave| {
        format!("random program, waves of {wave}")
    });
    Case {
        name,
        dispatch: Some(dispatch),
        ..Case::default()
    }
}

/// Seeds whose DXIL differs from the HLSL (DXC 1.7): two nested breaks in an `[unroll]` loop,
/// where it executes a store that no lane reaches. The interpreter and the device agree on them.
pub const COMPILER_BUGS: [u64; 1] = [1692];

/// The stage in which the compiler runs.
pub const COMPILE: &str = "compile";

/// Judges programs, on one thread.
pub struct Judge<'c> {
    /// Called with the name of each stage before it begins.
    pub stage: Box<dyn Fn(&str)>,
    pub(crate) session: Session<'c>,
    pub(crate) device: Option<(Device, Option<String>)>,
    validation: bool,
}

impl<'c> Judge<'c> {
    /// Creates a judge without a device.
    pub fn new(session: Session<'c>) -> Self {
        Self {
            stage: Box::new(|_| {}),
            session,
            device: None,
            validation: false,
        }
    }

    /// Returns a judge with a device (see [`Device::open`]).
    ///
    /// # Errors
    /// The device does not exist.
    pub fn with_device(
        session: Session<'c>,
        part: Option<&str>,
        validation: bool,
    ) -> Result<Self, gpu_test::vulkan::Error> {
        let device = Device::open(part, validation)?.0;
        Ok(Self {
            device: Some((device, part.map(str::to_owned))),
            validation,
            ..Self::new(session)
        })
    }

    /// Lanes of a wave.
    pub fn wave(&self) -> u32 {
        self.device
            .as_ref()
            .map_or(WAVE, |(device, _)| device.features.wave_default)
    }

    /// Returns the program compiled.
    ///
    /// # Errors
    /// The compiler's.
    pub fn trial(&self, program: &Program) -> Result<Trial, compiler::Error> {
        let text = hlsl::print(program);
        (self.stage)(COMPILE);
        let dxil = self.session.compile(&text, program.options)?;
        Ok(Trial {
            text,
            dxil,
            case: case(program, self.wave()),
        })
    }

    /// Compiles and runs a program in all ways. Seeds of [`COMPILER_BUGS`] are skipped.
    pub fn judge(&mut self, program: &Program) -> Verdict {
        if COMPILER_BUGS.contains(&program.seed) {
            return Verdict::Skipped(
                "the compiler stores what no lane of the source reaches".to_owned(),
            );
        }
        match self.trial(program) {
            Ok(trial) => self.judge_trial(program, &trial),
            Err(error) => {
                Verdict::Skipped(format!("the compiler: {}", error_line(&error.to_string())))
            }
        }
    }

    /// Runs a program that was compiled.
    pub fn judge_trial(&mut self, program: &Program, trial: &Trial) -> Verdict {
        self.caught(|judge| judge.compare(program, trial))
    }

    /// Returns a verdict; a panic is one, too. Replaces a device on which a shader did not end.
    pub(crate) fn caught(&mut self, compare: impl FnOnce(&Self) -> Verdict) -> Verdict {
        let judged = catch_unwind(AssertUnwindSafe(|| compare(self)));
        if let Some((device, part)) = &mut self.device
            && device.is_lost()
            && let Ok((fresh, _)) = Device::open(part.as_deref(), self.validation)
        {
            *device = fresh;
        }
        judged.unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().cloned().or_else(|| {
                payload
                    .downcast_ref::<&str>()
                    .map(|text| (*text).to_owned())
            });
            Verdict::Failed(vec![Difference {
                kind: Kind::Panic,
                text: text.unwrap_or_default(),
            }])
        })
    }

    fn compare(&self, program: &Program, trial: &Trial) -> Verdict {
        let mut list = Vec::new();
        (self.stage)("interpret");
        let interpreted = match interpreted(program, trial, self.wave(), &mut list) {
            Ok(interpreted) => interpreted,
            Err(difference) => return Verdict::Failed(vec![difference]),
        };
        let mut skipped = None;
        if let Some((device, _)) = &self.device {
            let differs = |left: Observed| {
                let found = left.resources.last().map_or(&[][..], |(bytes, _)| bytes);
                difference(Kind::Device, &interpreted, found)
            };
            let run = self.on_device(device, &trial.dxil, &trial.case, &mut list, differs);
            skipped = run.err();
        }
        Verdict::of(list, skipped)
    }

    /// Converts a program, runs it on a device, and adds differences to a list.
    ///
    /// # Errors
    /// The device cannot run it: why.
    pub(crate) fn on_device(
        &self,
        device: &Device,
        dxil: &[u8],
        case: &Case,
        list: &mut Vec<Difference>,
        differs: impl FnOnce(Observed) -> Option<Difference>,
    ) -> Result<(), String> {
        (self.stage)("convert");
        let options = trellis_spirv_backend::Options::default();
        let converted = match trellis_spirv_backend::convert(dxil, &options) {
            Ok(output) => output,
            Err(error) => {
                let (kind, text) = (Kind::Conversion, error.to_string());
                list.push(Difference { kind, text });
                return Ok(());
            }
        };
        let module = spirv_module::read(&converted.words);
        (self.stage)("device");
        let run = module.map_err(NotRun::Failed);
        let kind = Kind::Run;
        match run.and_then(|module| execute::run(device, &module, case)) {
            Ok(mut left) => {
                let messages = std::mem::take(&mut left.messages);
                list.extend(differs(left));
                list.extend(messages.into_iter().map(|text| Difference { kind, text }));
            }
            Err(NotRun::Skipped(what)) => return Err(what),
            // Software devices compile large shaders for longer than they are waited for; the
            // interpreter has shown that the program ends.
            Err(NotRun::Failed(text)) if text.contains("still ran after") => {
                return Err(format!("time: {text}"));
            }
            Err(NotRun::Failed(text)) => list.push(Difference { kind, text }),
        }
        Ok(())
    }
}

impl Verdict {
    /// Returns the verdict with these differences, where the device did not run for a reason.
    pub(crate) fn of(list: Vec<Difference>, skipped: Option<String>) -> Self {
        match (list.is_empty(), skipped) {
            (false, _) => Verdict::Failed(list),
            (true, Some(what)) => Verdict::Skipped(format!("the device lacks {what}")),
            (true, None) => Verdict::Equal,
        }
    }
}

/// Runs a program that was compiled by the evaluator and the interpreter only, the latter with
/// waves of [`WAVE`] lanes where it matters.
pub fn judge_without_device(program: &Program, trial: &Trial) -> Verdict {
    let mut list = Vec::new();
    match interpreted(program, trial, WAVE, &mut list) {
        Ok(_) if list.is_empty() => Verdict::Equal,
        Ok(_) => Verdict::Failed(list),
        Err(difference) => Verdict::Failed(vec![difference]),
    }
}

/// Returns the output buffer after the interpreter ran the DXIL, compared with the evaluator and
/// with other widths where the program has one meaning at all.
fn interpreted(
    program: &Program,
    trial: &Trial,
    wave: u32,
    list: &mut Vec<Difference>,
) -> Result<Vec<u8>, Difference> {
    let run = |width: u32| {
        let dispatch = trial
            .case
            .dispatch
            .as_ref()
            .ok_or_else(|| "no dispatch".to_owned());
        let ran = dispatch.and_then(|dispatch| {
            interpret::run(&trial.dxil, dispatch, Some(width)).map_err(|error| error.to_string())
        });
        match ran {
            Ok((mut left, 0)) => Ok(left.resources.pop().unwrap_or_default().0),
            Ok((_, outside)) => Err(Difference {
                kind: Kind::Bounds,
                text: format!("{outside} accesses"),
            }),
            Err(text) => Err(Difference {
                kind: Kind::Interpreter,
                text,
            }),
        }
    };
    let bytes = run(wave)?;
    if program.has_waves() {
        return Ok(bytes);
    }
    match evaluate(program, &inputs(program)) {
        Ok(numbers) => {
            let meant: Vec<u8> = numbers
                .iter()
                .flat_map(|number| number.to_le_bytes())
                .collect();
            list.extend(difference(Kind::Meaning, &meant, &bytes));
        }
        Err(
            error @ (evaluate::Error::Wave | evaluate::Error::Steps | evaluate::Error::Malformed),
        ) => {
            return Err(Difference {
                kind: Kind::Meaning,
                text: format!("the evaluator: {error}"),
            });
        }
    }
    for width in WIDTHS {
        let other = run(width)?;
        let differs = difference(Kind::Widths, &bytes, &other).map(|d| Difference {
            text: format!("waves of {wave} and of {width} lanes: {}", d.text),
            ..d
        });
        if differs.is_some() {
            list.extend(differs);
            break;
        }
    }
    Ok(bytes)
}

/// Returns the first slot in which two output buffers differ.
fn difference(kind: Kind, expected: &[u8], found: &[u8]) -> Option<Difference> {
    let words = |bytes: &[u8]| -> Vec<u32> {
        bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|word| u32::from_le_bytes(*word))
            .collect()
    };
    let (expected, found) = (words(expected), words(found));
    if expected == found {
        return None;
    }
    if expected.len() != found.len() {
        return Some(Difference {
            kind,
            text: format!("{} numbers expected, {} found", expected.len(), found.len()),
        });
    }
    let pairs = || {
        expected
            .iter()
            .zip(&found)
            .enumerate()
            .filter(|(_, (a, b))| a != b)
    };
    let (at, (a, b)) = pairs().next()?;
    let (thread, slot) = (at as u32 / SLOTS, at as u32 % SLOTS);
    Some(Difference {
        kind,
        text: format!(
            "thread {thread}, record {slot}: expected {a:#x}, found {b:#x} ({} slots differ)",
            pairs().count()
        ),
    })
}
