//! One program, run in three ways: by the evaluator of its syntax, if there is one, by the interpreter of
//! its DXIL, and by a device after its conversion.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use dxbc_evaluator::Error;
use gpu_test::case::Case;
use gpu_test::execute::{self, NotRun};
use gpu_test::vulkan::Device;
use gpu_test::{interpret, spirv_module};
use llvm_graphs::campaign::{self, Answer};
use trellis_dxil_interpreter::dispatch::{Class, Place};

use crate::compiler::{Session, error_line};
use crate::evaluate;
use crate::failure;
use crate::hlsl;
use crate::program::Compilation;

/// A random program.
pub trait Subject: Clone {
    /// Returns the seed that it was made from.
    fn seed(&self) -> u64;
    /// Returns it as HLSL.
    fn text(&self) -> String;
    /// Returns the number of statements.
    fn size(&self) -> usize;
    /// Returns the options with which it is compiled: all have the same results.
    fn compilations(&self) -> Vec<Compilation>;
    /// Returns whether results depend on the width of waves.
    fn has_waves(&self) -> bool;
    /// Returns the resources that the compiled program has, with their contents, for waves of
    /// `wave` lanes if it has any.
    ///
    /// # Errors
    /// The program cannot be run.
    fn case(&self, dxil: &[u8], wave: u32) -> Result<Case, Verdict>;
    /// Returns the output buffer by the evaluator; `None` without one.
    fn meaning(&self) -> Option<Result<Vec<u8>, evaluate::Error>> {
        None
    }
    /// Returns whether a compiler is known to be wrong about it: the usual one, or FXC if that compiles it,
    /// too.
    fn is_known_bug(&self, with_fxc: bool) -> bool;
    /// Returns the smallest program found with at most `tests` calls of `keeps`.
    #[must_use]
    fn shrink(self, tests: usize, keeps: &mut dyn FnMut(&Self) -> bool) -> Self;
}

/// The kind of a difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The results of two compilations, or of the evaluator: the compiler or the interpreter is wrong.
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
}

impl Kind {
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

impl From<Difference> for Verdict {
    fn from(difference: Difference) -> Self {
        Self::Failed(vec![difference])
    }
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Equal => Self::Equal(Vec::new()),
            Verdict::Skipped(reason) => Self::Skipped(reason),
            Verdict::Failed(found) => match found.into_iter().next() {
                Some(first) => Self::Failed(first.kind.text().to_owned(), first.text),
                None => Self::Equal(Vec::new()),
            },
        }
    }
}

/// A program compiled, with its resources.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Options of the compiler.
    pub options: Compilation,
    /// DXIL, or FXC's DXBC.
    pub dxil: Vec<u8>,
    /// Inputs.
    pub case: Case,
}

impl Compiled {
    /// Returns a difference of its results with the options that it was compiled with.
    fn named(&self, difference: Difference) -> Difference {
        let (profile, level) = (hlsl::profile(self.options), self.options.level);
        let text = format!("{profile} {level}: {}", difference.text);
        Difference { text, ..difference }
    }
}

/// Contents of the UAVs after a run.
type Contents = Vec<(Place, Vec<u8>)>;

/// The wave size without a device.
pub const WAVE: u32 = 8;

/// Widths of waves at which a program without wave operations must do the same.
const WIDTHS: [u32; 4] = [4, 16, 32, 64];

/// The stage in which the compiler runs.
pub const COMPILE: &str = "compile";

/// Why a program is not compared to its end: the fault is not in the translation.
const FXC_IS_WRONG: &str = "FXC's tokens do not compute what the HLSL does";

/// Judges programs, on one thread.
pub struct Judge<'c> {
    /// Called with the name of each stage before it begins.
    pub stage: Box<dyn Fn(&str)>,
    /// FXC, if it compiles each program, too.
    pub fxc: Option<Session<'c>>,
    session: Session<'c>,
    device: Option<(Device, Option<String>)>,
    validation: bool,
}

impl<'c> Judge<'c> {
    /// Creates a judge without a device.
    pub fn new(session: Session<'c>) -> Self {
        Self {
            stage: Box::new(|_| {}),
            fxc: None,
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

    /// Compiles a program with each of its options.
    ///
    /// # Errors
    /// Why there is nothing to run.
    pub fn compile(&self, program: &impl Subject) -> Result<Vec<Compiled>, Verdict> {
        let text = program.text();
        let one = |options: Compilation| {
            (self.stage)(COMPILE);
            let (session, name) = match &self.fxc {
                Some(fxc) if options.fxc => (fxc, "FXC"),
                _ => (&self.session, "the compiler"),
            };
            let dxil = session.compile(&text, options).map_err(|error| {
                Verdict::Skipped(format!("{name}: {}", error_line(&error.to_string())))
            })?;
            let case = program.case(&dxil, self.wave())?;
            Ok(Compiled {
                options,
                dxil,
                case,
            })
        };
        let mut all = program.compilations();
        if self.fxc.is_some() {
            all.extend(Compilation::with_fxc(program.seed()));
        }
        let mut all: Vec<Compiled> = all.into_iter().map(one).collect::<Result<_, Verdict>>()?;
        // DXBC does not have the components of typed resources, and so their formats.
        if let Some((first, others)) = all.split_first_mut() {
            for binding in others
                .iter_mut()
                .flat_map(|other| other.case.bindings_mut())
            {
                let of_first = first.case.bindings().iter();
                if let Some(same) = { of_first }.find(|same| same.place == binding.place) {
                    binding.clone_from(same);
                }
            }
        }
        Ok(all)
    }

    /// Compiles and runs a program in all ways. Those with known bugs of the compiler are skipped. A
    /// panic is a failure. Replaces a device on which a shader did not end.
    pub fn judge(&mut self, program: &impl Subject) -> Verdict {
        if program.is_known_bug(self.fxc.is_some()) {
            return Verdict::Skipped("a compiler is known to be wrong about it".to_owned());
        }
        let judged = catch_unwind(AssertUnwindSafe(|| match self.compile(program) {
            Ok(compiled) => self.compare(program, &compiled),
            Err(verdict) => verdict,
        }));
        if let Some((device, part)) = &mut self.device
            && device.is_lost()
            && let Ok((fresh, _)) = Device::open(part.as_deref(), self.validation)
        {
            *device = fresh;
        }
        judged.unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().cloned().or_else(|| {
                let text = payload.downcast_ref::<&str>();
                text.map(|text| (*text).to_owned())
            });
            Verdict::Failed(vec![Difference {
                kind: Kind::Panic,
                text: text.unwrap_or_default(),
            }])
        })
    }

    fn compare(&self, program: &impl Subject, compiled: &[Compiled]) -> Verdict {
        (self.stage)("interpret");
        let Interpreted {
            left,
            differences: mut list,
            mut skipped,
        } = match interpreted(program, compiled, self.wave()) {
            Ok(interpreted) => interpreted,
            Err(verdict) => return verdict,
        };
        if let Some((device, _)) = &self.device {
            for (compiled, expected) in compiled.iter().zip(&left) {
                if let Err(what) = self.on_device(device, compiled, expected, &mut list) {
                    // The device is of no use to the other module then.
                    let is_busy = what.starts_with("time: ");
                    skipped = Some(format!("the device lacks {what}"));
                    if is_busy {
                        break;
                    }
                }
            }
        }
        match (list.is_empty(), skipped) {
            (false, _) => Verdict::Failed(list),
            (true, Some(reason)) => Verdict::Skipped(reason),
            (true, None) => Verdict::Equal,
        }
    }

    /// Converts a program, runs it on a device, and adds differences to a list.
    ///
    /// # Errors
    /// The device cannot run it: why.
    fn on_device(
        &self,
        device: &Device,
        compiled: &Compiled,
        expected: &Contents,
        list: &mut Vec<Difference>,
    ) -> Result<(), String> {
        let Compiled { dxil, case, .. } = compiled;
        let mut differs = |kind, text| list.push(compiled.named(Difference { kind, text }));
        (self.stage)("convert");
        let options = trellis_spirv_backend::Options::default();
        let converted = match trellis_spirv_backend::convert(dxil, &options) {
            Ok(output) => output,
            Err(error) => {
                differs(Kind::Conversion, error.to_string());
                return Ok(());
            }
        };
        let module = spirv_module::read(&converted.words);
        (self.stage)("device");
        let run = module.map_err(NotRun::Failed);
        match run.and_then(|module| execute::run(device, &module, case)) {
            Ok(left) => {
                let found = contents(case, left.resources);
                if let Some(difference) = difference(Kind::Device, expected, &found) {
                    differs(Kind::Device, difference.text);
                }
                for text in left.messages {
                    differs(Kind::Run, text);
                }
            }
            Err(NotRun::Skipped(what)) => return Err(what),
            // Software devices compile large shaders for longer than they are waited for; the
            // interpreter has shown that the program ends.
            Err(NotRun::Failed(text)) if text.contains("still ran after") => {
                return Err(format!("time: {text}"));
            }
            Err(NotRun::Failed(text)) => differs(Kind::Run, text),
        }
        Ok(())
    }

    /// Replies to a campaign's lines until there are no more (see [`campaign::serve`]).
    ///
    /// # Errors
    /// Input or output is gone.
    pub fn serve<S: Subject>(
        mut self,
        generate: impl Fn(u64) -> S,
        folder: &Path,
        input: impl BufRead,
        output: impl Write,
    ) -> std::io::Result<()> {
        campaign::serve(folder, input, output, |seed, folder| {
            let program = generate(seed);
            match folder {
                Some(folder) => failure::write(&mut self, program, folder).into(),
                None => self.judge(&program).into(),
            }
        })
    }
}

/// Runs a program that was compiled by the evaluator and the interpreter only, the latter with
/// waves of [`WAVE`] lanes where it matters.
pub fn judge_without_device(program: &impl Subject, compiled: &[Compiled]) -> Verdict {
    match interpreted(program, compiled, WAVE) {
        Ok(found) if found.differences.is_empty() => Verdict::Equal,
        Ok(found) => Verdict::Failed(found.differences),
        Err(verdict) => verdict,
    }
}

/// Results of the interpreter.
struct Interpreted {
    /// The UAVs after each compiled program.
    left: Vec<Contents>,
    differences: Vec<Difference>,
    /// Why the programs cannot all be equal.
    skipped: Option<String>,
}

/// Runs the compiled programs in the interpreter, and compares with the first: the evaluator, the other
/// programs, and other widths, where the program has one meaning at all. FXC compiles some programs to tokens
/// that compute something else, and these are compared with the tokens' own results.
fn interpreted(
    program: &impl Subject,
    compiled: &[Compiled],
    wave: u32,
) -> Result<Interpreted, Verdict> {
    let failed = |kind, text| Difference { kind, text };
    let run = |Compiled { dxil, case, .. }: &Compiled, width: u32| {
        let Some(dispatch) = &case.dispatch else {
            return Err(failed(Kind::Interpreter, "no dispatch".to_owned()));
        };
        match interpret::run(dxil, dispatch, Some(width)) {
            Ok((left, 0)) => Ok(contents(case, left.resources)),
            Ok((_, outside)) => Err(failed(Kind::Bounds, format!("{outside} accesses"))),
            Err(error) => Err(failed(Kind::Interpreter, error.to_string())),
        }
    };
    let Some((first, others)) = compiled.split_first() else {
        return Err(failed(Kind::Interpreter, "nothing is compiled".to_owned()).into());
    };
    let (expected, mut list) = (run(first, wave)?, Vec::new());
    let (mut left, mut skipped) = (Vec::new(), None);
    match program.meaning() {
        Some(Ok(bytes)) => {
            let places = expected.iter().map(|(place, _)| *place);
            let meant = places.map(|place| (place, bytes.clone())).collect();
            list.extend(difference(Kind::Meaning, &meant, &expected));
        }
        Some(Err(error)) => {
            return Err(failed(Kind::Meaning, format!("the evaluator: {error}")).into());
        }
        None => {}
    }
    for other in others {
        let tokens = tokens(other)?;
        let found = run(other, wave).map_err(|failure| other.named(failure))?;
        if tokens
            .as_ref()
            .is_some_and(|tokens| difference(Kind::Meaning, &expected, tokens).is_some())
        {
            skipped = Some(FXC_IS_WRONG.to_owned());
        }
        let expected = tokens.as_ref().unwrap_or(&expected);
        let differs = difference(Kind::Meaning, expected, &found);
        list.extend(differs.map(|difference| other.named(difference)));
        left.push(found);
    }
    for width in WIDTHS.into_iter().filter(|_| !program.has_waves()) {
        let differs = difference(Kind::Widths, &expected, &run(first, width)?);
        list.extend(differs.map(|d| Difference {
            text: format!("waves of {wave} and of {width} lanes: {}", d.text),
            ..d
        }));
    }
    left.insert(0, expected);
    Ok(Interpreted {
        left,
        differences: list,
        skipped,
    })
}

/// Returns the UAVs after FXC's tokens ran, without a translation; `None` for DXIL, and for tokens for which
/// the evaluator has no rules.
///
/// # Errors
/// FXC made an endless loop.
fn tokens(
    Compiled {
        options,
        dxil,
        case,
    }: &Compiled,
) -> Result<Option<Contents>, Verdict> {
    let dispatch = case.dispatch.as_ref().filter(|_| options.fxc);
    match dispatch.map(|dispatch| dxbc_evaluator::run(dxil, dispatch)) {
        Some(Ok(contents)) => Ok(Some(contents)),
        Some(Err(Error::Endless)) => Err(Verdict::Skipped(FXC_IS_WRONG.to_owned())),
        _ => Ok(None),
    }
}

/// Returns the UAVs among the resources of a case.
fn contents(case: &Case, resources: Vec<(Vec<u8>, Option<u32>)>) -> Contents {
    let bindings = case.dispatch.iter().flat_map(|dispatch| &dispatch.bindings);
    { bindings.zip(resources) }
        .filter(|(binding, _)| binding.place.class == Class::Uav)
        .map(|(binding, (bytes, _))| (binding.place, bytes))
        .collect()
}

/// Returns the first word in which UAVs differ. One that only one of the compiled programs has is
/// not compared.
fn difference(kind: Kind, expected: &Contents, found: &Contents) -> Option<Difference> {
    expected.iter().find_map(|(place, expected)| {
        let (_, found) = found.iter().find(|(other, _)| other == place)?;
        if expected.len() != found.len() {
            let text = format!("{place}: {} bytes, found {}", expected.len(), found.len());
            return Some(Difference { kind, text });
        }
        let words = expected.chunks(4).zip(found.chunks(4));
        let (at, (a, b)) = words.enumerate().find(|(_, (a, b))| a != b)?;
        let text = format!("{place}, word {at}: expected {a:02x?}, found {b:02x?}");
        Some(Difference { kind, text })
    })
}
