//! `trellis try`: runs any shader with made-up resources and compares the results.

mod compare;
mod device;
mod first;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::{Args, ValueHint};
use trellis_corpus::failure::Failure;
use trellis_corpus::guard::guarded;
use trellis_corpus::inputs::{self, Filter, Input};
use trellis_corpus::modules::{is_spirv, words_of};
use trellis_dxil::Options;
use trellis_dxil::frontend::shader::{EntryPoint, ShaderKind};
use trellis_dxil_interpreter::dispatch::{Binding, Scene};
use trellis_dxil_interpreter::log::Log;
use trellis_dxil_interpreter::{
    DrawOutputs, Error, Inputs, Outputs, View, generate, run_draw_modules, run_module,
};

use super::batch::wrong_inputs;
use crate::files::{self, printable};
use crate::problem::Problem;
use compare::{Comparison, Values};
use device::Device;

const TRY_EXAMPLES: &str = "\
Examples:
  trellis try shaders/
  trellis try shader.dxil --against other.spv
  trellis try dxil/ --against dxbc/

Each entry point runs with resources that its reflection describes, filled with random numbers: a mixture of floats \
around 1 and small integers, floats alone, and integers alone. It runs in the interpreter of `trellis run`, and its \
SPIR-V on a Vulkan device, by the program `trellis-device` next to this one or in PATH; their outputs are compared.

The interpreter runs several times, with different last digits of each float operation, as large as Vulkan permits, and \
different orders of accesses to memory, and any values where they are undefined. Results that are the same each time have to be \
exact; others may differ four times as much, and where they have no digit in common they are not compared.

Descriptor heaps are filled with the resources that the shader uses, at its indices.

With --against the results are compared with another file's, or with the file of the same name in a folder: \
SPIR-V, which runs on the device, or DXIL and DXBC, which run in the interpreter without a device.

Each entry point has a line: equal, differs with the first difference and, of a vertex, pixel or compute shader, the first \
instruction whose value differs, not run or failed with the reason. The last line \
on standard output is

  equal N, differ N, not run N, failed N

The exit status is 1 if a shader differs or cannot be converted.";

/// Runs of the interpreter that are varied.
const VARIED: u64 = 6;
/// The same for a shader that differs from these: few runs may all miss the device's result.
const VARIED_MORE: u64 = 40;

/// Arguments of `trellis try`.
#[derive(Args)]
#[command(after_help = TRY_EXAMPLES)]
pub(crate) struct TryArgs {
    /// Shaders, folders and archives of shaders, and manifests (*.json)
    #[arg(required = true, value_name = "IN", value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Compare with this file, or with the file of the same name in this folder
    #[arg(long, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub(crate) against: Option<PathBuf>,
    /// Number of runs of each entry point, with different contents
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) cases: u64,
    /// Maximum number of instructions of a run, summed over all lanes
    #[arg(long, value_name = "N", default_value_t = 1 << 24)]
    pub(crate) steps: u64,
    /// Time limit in seconds of a run on the device
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) time_limit: u64,
    /// Folder for the inputs, expected and found results of runs that differ
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) keep: Option<PathBuf>,
    /// Number of shaders to run in parallel [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

/// The result of an entry point.
enum Verdict {
    Equal(Comparison),
    Differs(String),
    NotRun(String),
    Failed(String),
}

/// Runs and compares the shaders.
pub(crate) fn run(args: &TryArgs) -> Result<ExitCode, Problem> {
    let list = inputs::collect(&args.inputs, &Filter::default());
    let list = list.map_err(|error| wrong_inputs(&error))?;
    let device = Device::find(args.time_limit)?;
    match &device {
        Some(device) => files::note(&format!("device: {}", device.name)),
        None => files::note("no device: the program `trellis-device` is not installed"),
    }
    let tried = Tried { args, device };
    let next = AtomicUsize::new(0);
    let report = Mutex::new(Report::default());
    let work = || -> Result<(), Problem> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(input) = list.get(at) else {
                return Ok(());
            };
            let verdicts = tried.file(input);
            let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
            report.add(at, verdicts)?;
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, Into::into);
    let jobs = args.jobs.map_or(cores, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (1..jobs).map(|_| scope.spawn(work)).collect();
        let panicked = |_| Err(Problem::usage_error("a thread panicked"));
        let joined = threads.into_iter();
        let joined = joined.map(|thread| thread.join().unwrap_or_else(panicked));
        std::iter::once(work())
            .chain(joined)
            .collect::<Result<(), _>>()
    })?;
    let report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
    let [equal, differ, not_run, failed] = report.totals;
    let text = format!("equal {equal}, differ {differ}, not run {not_run}, failed {failed}\n");
    files::write_standard(text.as_bytes())?;
    Ok(ExitCode::from(u8::from(differ + failed > 0)))
}

/// Results of files, printed in their order.
#[derive(Default)]
struct Report {
    /// Number of the file to be printed next.
    next: usize,
    /// Results of files after it.
    waiting: BTreeMap<usize, Vec<(String, Verdict)>>,
    /// Entry points that are equal, differ, were not run, and failed.
    totals: [usize; 4],
}

impl Report {
    fn add(&mut self, file: usize, verdicts: Vec<(String, Verdict)>) -> Result<(), Problem> {
        self.waiting.insert(file, verdicts);
        while let Some(verdicts) = self.waiting.remove(&self.next) {
            self.next += 1;
            for (name, verdict) in verdicts {
                let (index, line) = match verdict {
                    Verdict::Equal(same) => (0, format!("equal: {name}: {same}")),
                    Verdict::Differs(first) => (1, format!("differs: {name}: {first}")),
                    Verdict::NotRun(reason) => (2, format!("not run: {name}: {reason}")),
                    Verdict::Failed(reason) => (3, format!("failed: {name}: {reason}")),
                };
                self.totals[index] += 1;
                files::write_standard((printable(&line) + "\n").as_bytes())?;
            }
        }
        Ok(())
    }
}

/// A run of shaders.
struct Tried<'a> {
    args: &'a TryArgs,
    device: Option<Device>,
}

/// A run of an entry point in the interpreter: its inputs and results as JSON, which are a dispatch's
/// or a draw's.
struct Interpreted {
    inputs: String,
    values: Values,
    /// Results with variations.
    varied: Vec<Values>,
}

impl Tried<'_> {
    /// Runs the entry points of a file.
    fn file(&self, input: &Input) -> Vec<(String, Verdict)> {
        let name = input.to_string();
        let failed = |error: &Failure| vec![(name.clone(), Verdict::Failed(error.message.clone()))];
        let bytes = match input.read() {
            Ok(bytes) => bytes,
            Err(error) => return failed(&error),
        };
        let read = || trellis_dxil::dxbc::read(&bytes).map_err(|error| Failure::from(&error));
        let read = match guarded(read) {
            Ok(read) => read,
            Err(error) => return failed(&error),
        };
        let entries = read.shader.shaders().map(|entry| {
            let name = format!("{name}: {} ({})", entry.name, entry.kind);
            let tried = guarded(|| Ok(self.entry(input, &bytes, &read, entry)));
            (
                name,
                tried.unwrap_or_else(|error| Verdict::Failed(error.message)),
            )
        });
        let list: Vec<_> = entries.collect();
        if list.is_empty() {
            return vec![(name, Verdict::NotRun("no entry point".to_owned()))];
        }
        list
    }

    /// Runs an entry point.
    fn entry(
        &self,
        input: &Input,
        bytes: &[u8],
        read: &trellis_dxil::frontend::Input<'_>,
        entry: &EntryPoint,
    ) -> Verdict {
        let options = Options::default().with_entry(Some(entry.name.to_string()));
        let words = match trellis_dxil::convert(bytes, &options) {
            Ok(output) => output.words,
            Err(error) => return Verdict::Failed(error.to_string()),
        };
        let other = match self.other(input) {
            Ok(other) => other,
            Err(reason) => return Verdict::NotRun(reason),
        };
        let mut all = Comparison::default();
        let mut reasons = Vec::new();
        for seed in 0..self.args.cases {
            let case = Case {
                input,
                read,
                entry,
                seed,
                log: None,
            };
            match self.case(&case, &words, other.as_deref()) {
                Ok(comparison) => match &comparison.first {
                    Some(first) => {
                        let mut text = format!("seed {seed}: {first}");
                        if self.args.against.is_none() {
                            let first = self.first_value(&case, bytes);
                            text += "; ";
                            text += &first.unwrap_or_else(|reason| format!("not traced: {reason}"));
                        }
                        return Verdict::Differs(text);
                    }
                    None => all.add(comparison),
                },
                Err(reason) => reasons.push(format!("seed {seed}: {reason}")),
            }
        }
        if all.words == 0 {
            if reasons.is_empty() {
                reasons.push("it writes nothing".to_owned());
            }
            return Verdict::NotRun(reasons.swap_remove(0));
        }
        Verdict::Equal(all)
    }

    /// Returns the file that `--against` names for a shader.
    fn other(&self, input: &Input) -> Result<Option<Vec<u8>>, String> {
        let Some(path) = &self.args.against else {
            return Ok(None);
        };
        let read = |path: &Path| {
            files::read(path)
                .map(Some)
                .map_err(|_| format!("no {}", path.display()))
        };
        if !path.is_dir() {
            return read(path);
        }
        let path = path.join(&input.relative);
        let extensions = inputs::EXTENSIONS.into_iter().chain(["spv"]);
        let mut paths = extensions.map(|extension| path.with_extension(extension));
        match paths.find(|path| path.exists()) {
            Some(path) => read(&path),
            None => Err(format!("no file like {}", path.display())),
        }
    }

    /// Returns the lanes of a wave, if a module has operations of waves.
    fn wave(&self, words: &[u32]) -> Option<u32> {
        let device = self.device.as_ref().filter(|_| uses_waves(words));
        device.map(|device| device.wave)
    }

    /// Runs an entry point with the contents of a seed.
    fn case(
        &self,
        case: &Case<'_, '_>,
        ours: &[u32],
        other: Option<&[u8]>,
    ) -> Result<Comparison, String> {
        let wave = self.wave(ours);
        let interpret = |varied: u64| case.interpret(case.read, wave, self.args.steps, varied);
        let interpreted = interpret(VARIED)?;
        let of_device = |words: &[u32]| -> Result<Values, String> {
            let device = self.device.as_ref().ok_or("no device")?;
            Values::read(&device.run(words, &interpreted.inputs)?, case.is_draw())
        };
        let (expected, found) = match other {
            None => (None, of_device(ours)?),
            Some(other) if is_spirv(other) => {
                let words = words_of(other).map_err(|error| error.message)?;
                (Some(of_device(&words)?), of_device(ours)?)
            }
            Some(other) => {
                let read = trellis_dxil::dxbc::read(other).map_err(|error| error.to_string())?;
                let steps = self.args.steps;
                (None, case.interpret(&read, wave, steps, 0)?.values)
            }
        };
        let expected = expected.as_ref().unwrap_or(&interpreted.values);
        let mut comparison = compare::compare(expected, &interpreted.varied, &found)?;
        if comparison.first.is_some() {
            let varied = interpret(VARIED_MORE)?.varied;
            comparison = compare::compare(expected, &varied, &found)?;
        }
        if let (Some(folder), Some(_)) = (&self.args.keep, &comparison.first) {
            case.keep(folder, &interpreted.inputs)?;
        }
        Ok(comparison)
    }
}

/// A run of an entry point with the contents of a seed.
struct Case<'a, 'b> {
    input: &'a Input,
    read: &'a trellis_dxil::frontend::Input<'b>,
    entry: &'a EntryPoint,
    seed: u64,
    /// The log that the shader writes.
    log: Option<Log>,
}

impl Case<'_, '_> {
    fn is_draw(&self) -> bool {
        !matches!(self.entry.kind, ShaderKind::Compute | ShaderKind::Library)
    }

    /// Fills the resources, and adds the log.
    fn fill(&self, bindings: &mut Vec<Binding>, renamed: &[u32]) -> Result<(), String> {
        bindings.retain(|binding| self.log.is_none_or(|log| binding.place != log.place()));
        generate::fill(&self.read.shader, bindings, self.seed);
        if !renamed.is_empty() {
            generate::rename(bindings, renamed).map_err(|error| error.to_string())?;
        }
        bindings.extend(self.log.map(Log::binding));
        Ok(())
    }

    /// Writes the inputs of a run that differs.
    fn keep(&self, folder: &Path, inputs: &str) -> Result<(), String> {
        let file = self.input.relative.replace(['/', '\\'], "_");
        let name = format!("{file}.{}.{}.json", self.entry.name, self.seed);
        let written = files::write(Some(&folder.join(name)), inputs.as_bytes());
        written.map_err(|_| format!("cannot write to {}", folder.display()))
    }

    /// Runs a shader in the interpreter, with inputs for this one.
    fn interpret(
        &self,
        shader: &trellis_dxil::frontend::Input<'_>,
        wave: Option<u32>,
        steps: u64,
        varied: u64,
    ) -> Result<Interpreted, String> {
        let (module, own) = (&*self.read.module, &self.read.shader);
        let options = |noise: Option<u64>| trellis_dxil_interpreter::Options {
            // Waves of other sizes have other orders, too.
            wave: wave.or(noise.map(|seed| 4 << (seed % 4))),
            steps,
            noise,
            trace: None,
        };
        let noises = std::iter::once(None).chain((1..=varied).map(Some));
        let text = |error: Error| error.to_string();
        let (inputs, mut results): (String, Vec<_>);
        let mut renamed = Vec::new();
        if self.is_draw() {
            let mut draw = generate::draw(module, own, self.entry);
            draw.wave = wave;
            if self.entry.kind == ShaderKind::Vertex {
                // A device captures lines.
                draw.vertices = 4;
            }
            if self.entry.kind == ShaderKind::Pixel {
                // A device does not show its coverage and stencil references.
                draw.outputs.clear();
            }
            let modules = [(&*shader.module, &shader.shader)];
            let outputs = loop {
                self.fill(&mut draw.bindings, &renamed)?;
                let run = |noise| run_draw_modules(&modules, &draw, &options(noise));
                let all = noises.clone().map(run).collect::<Result<Vec<_>, _>>();
                let Err(Error::NotInHeap { index, view }) = all else {
                    break all.map_err(text)?;
                };
                let (bindings, scenes) = (&mut draw.bindings, &mut draw.scenes);
                add_to_heap((index, view), bindings, scenes, &mut renamed)?;
            };
            inputs = draw.to_json();
            let values = |outputs: &DrawOutputs| Values::of_draw(&outputs.to_draw(&draw));
            results = outputs.iter().map(values).collect::<Result<_, _>>()?;
        } else {
            let mut dispatch = generate::dispatch(module, own, [1; 3], 64);
            dispatch.wave = wave;
            let outputs = loop {
                self.fill(&mut dispatch.bindings, &renamed)?;
                let given = Inputs::try_from(&dispatch);
                let mut given = given.map_err(|error| error.to_string())?;
                given.entry = self.entry.name.to_string();
                let (of, is) = (&shader.module, &shader.shader);
                let run = |noise| run_module(of, is, &given, &options(noise));
                let all = noises.clone().map(run).collect::<Result<Vec<_>, _>>();
                let Err(Error::NotInHeap { index, view }) = all else {
                    break all.map_err(text)?;
                };
                let (bindings, scenes) = (&mut dispatch.bindings, &mut dispatch.scenes);
                add_to_heap((index, view), bindings, scenes, &mut renamed)?;
            };
            inputs = dispatch.to_json();
            let values = |outputs: &Outputs| Values::of_dispatch(&outputs.to_dispatch(&dispatch));
            results = outputs.iter().map(values).collect::<Result<_, _>>()?;
        }
        let varied = results.split_off(1);
        let values = results.pop().unwrap_or_default();
        Ok(Interpreted {
            inputs,
            values,
            varied,
        })
    }
}

/// Returns whether a module has wave operations other than quad operations.
fn uses_waves(words: &[u32]) -> bool {
    // `OpCapability`, the first instructions; `GroupNonUniform` to `GroupNonUniformClustered`.
    let mut instructions = words.get(5..).unwrap_or_default().chunks_exact(2);
    let mut capabilities = instructions
        .by_ref()
        .take_while(|words| words[0] == 2 << 16 | 17);
    capabilities.any(|words| (61..=67).contains(&words[1]))
}

/// Adds a resource to a heap. Of the words that are large indices all become other ones.
fn add_to_heap(
    (index, view): (u32, View),
    bindings: &mut Vec<Binding>,
    scenes: &mut Vec<Scene>,
    renamed: &mut Vec<u32>,
) -> Result<(), String> {
    if index < generate::MAX_HEAP {
        let added = generate::add_to_heap(index, &view, bindings, scenes);
        return added.map_err(|error| error.to_string());
    }
    if renamed.contains(&index) {
        return Err(Error::NotInHeap { index, view }.to_string());
    }
    renamed.push(index);
    Ok(())
}
