//! The conversion of a shader from bytes to words: calls the steps in order.

use std::mem::take;

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::DxDeclarations;
use trellis_dxil_frontend::module::{Function, FunctionId};
use trellis_dxil_frontend::shader::{EntryPoint, ShaderKind};
use trellis_dxil_frontend::{Input, Reader};
use trellis_entity::PrimaryMap;
use trellis_structurizer::ir::{self, CheckError};
use trellis_structurizer::{Counters, Workspace};

use crate::emit::{self, Body, Emitted};
use crate::entry::choose;
use crate::error::{Error, Feature, InvalidKind, Limit, Location};
use crate::interface::patch_location;
use crate::legalize::legalize;
use crate::lower::{self, Lowered, Source, lower};
use crate::options::{Options, Target};
use crate::recycle::recycled;
use crate::spirv_val::{cannot_validate, validate};
use crate::stage::execution_model;
use crate::verify;

/// A converted entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Output {
    /// The SPIR-V module, in the machine's byte order.
    pub words: Vec<u32>,
    /// Name of the entry point.
    pub entry: String,
    /// Its stage.
    pub stage: ShaderKind,
    /// Counters of the structurizer, for all functions together.
    pub structurizer: Counters,
    /// Location of register 0 of the patch constants of a hull or domain shader, which both stages must
    /// agree on: that of the hull shader is for the domain shader's option
    /// [`patch_location`](crate::options::InterfaceOptions::patch_location). `None` in other stages.
    pub patch_location: Option<u32>,
}

impl Output {
    /// Makes an output, for other converters such as those of tests.
    pub fn new(words: Vec<u32>, entry: impl Into<String>, stage: ShaderKind) -> Self {
        Self {
            words,
            entry: entry.into(),
            stage,
            structurizer: Counters::default(),
            patch_location: None,
        }
    }

    /// Returns the module as bytes, as files hold it (little-endian).
    pub fn bytes(&self) -> Vec<u8> {
        self.words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect()
    }
}

/// The most bytes that a [`Converter`] keeps: more than nearly all shaders need.
const MAX_KEPT: usize = 16 << 20;

/// Inputs of as many bytes, with outputs of as many words, are small: what they need is far below
/// [`MAX_KEPT`]. To count what is kept touches all structures, and would be a few percent of the time
/// of a small shader.
const SMALL: usize = 16 << 10;
/// After so many small ones it is counted nevertheless.
const MOST_UNCOUNTED: u32 = 32;

/// Converts shaders one after another, and keeps the memory of reading, lowering, structurizing,
/// emission and verification between them: for a thread that converts many. Results do not depend on
/// what was converted before, and an error leaves the converter as usable as it was.
///
/// It keeps 16 MiB at most: after a shader that needs more it frees everything. After small shaders it
/// looks at that from time to time only. Threads share nothing if each has a converter of its own.
///
/// ```
/// use trellis_spirv_backend::{Converter, Options, convert};
///
/// let dxil = include_bytes!("../tests/data/collatz.dxil");
/// let mut converter = Converter::new();
/// let options = Options::default();
/// for _ in 0..3 {
///     assert_eq!(converter.convert(dxil, &options)?, convert(dxil, &options)?);
/// }
/// # Ok::<(), trellis_spirv_backend::Error>(())
/// ```
#[derive(Default)]
pub struct Converter {
    reader: Reader,
    ops: DxDeclarations,
    lowering: lower::Buffers,
    structurizer: Workspace,
    bodies: Vec<Body<'static>>,
    emission: emit::Buffers,
    verification: verify::Buffers,
    /// Conversions since [`Converter::limit_kept`].
    uncounted: u32,
    /// True for one conversion: memory is given back as soon as a phase does not need it any more.
    is_for_one: bool,
    #[cfg(test)]
    each_instruction: bool,
}

impl Converter {
    /// Returns a converter that keeps nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn for_one() -> Self {
        Self {
            structurizer: Workspace::for_one(),
            is_for_one: true,
            ..Self::default()
        }
    }

    /// Converts one entry point, as [`convert`].
    ///
    /// # Errors
    /// As [`convert`].
    pub fn convert(&mut self, bytes: &[u8], options: &Options) -> Result<Output, Error> {
        let output = self.read_and_run(bytes, options);
        let words = output
            .as_ref()
            .map_or(usize::MAX, |output| output.words.len());
        self.uncounted += 1;
        if bytes.len() > SMALL || words > SMALL || self.uncounted >= MOST_UNCOUNTED {
            self.limit_kept();
        }
        output
    }

    fn read_and_run(&mut self, bytes: &[u8], options: &Options) -> Result<Output, Error> {
        let mut input = self.read_named(bytes, options)?;
        if self.is_for_one {
            input.module.shrink_to_fit();
            self.reader = Reader::default();
        }
        let emitted = match choose(&input.shader, options.entry.as_deref()) {
            Ok(entry) => self.emit(&input, entry, options),
            Err(error) => Err(error),
        };
        match self.is_for_one {
            true => drop(input),
            false => self.reader.recycle(input),
        }
        self.finish(emitted?, options)
    }

    /// Reads a file, with the names that the container keeps apart: for several conversions with
    /// [`convert_entry`](Self::convert_entry). [`recycle`](Self::recycle) takes the input back.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn read<'a>(&mut self, bytes: &'a [u8], options: &Options) -> Result<Input<'a>, Error> {
        let input = self.read_named(bytes, options);
        self.limit_kept();
        input
    }

    /// Takes the memory of an input, for the next one.
    pub fn recycle(&mut self, input: Input<'_>) {
        self.reader.recycle(input);
        self.limit_kept();
    }

    /// Converts an entry point of a module that was read before, as [`convert_entry`].
    ///
    /// # Errors
    /// As [`convert`].
    pub fn convert_entry(
        &mut self,
        input: &Input<'_>,
        entry: &EntryPoint,
        options: &Options,
    ) -> Result<Output, Error> {
        let emitted = self.emit(input, entry, options);
        let output = emitted.and_then(|emitted| self.finish(emitted, options));
        self.limit_kept();
        output
    }

    /// Returns the bytes that are kept.
    pub fn kept_bytes(&self) -> usize {
        self.reader.kept_bytes()
            + self.ops.kept_bytes()
            + self.lowering.bytes()
            + self.structurizer.kept_bytes()
            + self.bodies.capacity() * size_of::<Body<'_>>()
            + self.emission.bytes()
            + self.verification.bytes()
    }

    fn read_named<'a>(&mut self, bytes: &'a [u8], options: &Options) -> Result<Input<'a>, Error> {
        let mut input = match options.debug.debug_info {
            true => self.reader.read_with_debug_info(bytes)?,
            false => self.reader.read(bytes)?,
        };
        if options.debug.names
            && let Some(container) = &input.container
            && input.shader.resources.iter().any(|r| r.name.is_empty())
        {
            self.reader.names_from_stat(container, &mut input.shader)?;
        }
        Ok(input)
    }

    fn limit_kept(&mut self) {
        self.uncounted = 0;
        if self.kept_bytes() > MAX_KEPT {
            *self = Self::default();
        }
    }
}

impl std::fmt::Debug for Converter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kept_bytes = self.kept_bytes();
        f.debug_struct("Converter")
            .field("kept_bytes", &kept_bytes)
            .finish_non_exhaustive()
    }
}

/// An entry point of a module, as [`entry_points`] lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Name, as [`Options::entry`] takes it.
    pub name: String,
    /// Stage.
    pub stage: ShaderKind,
}

/// Converts one entry point of a DXBC container or DXIL bitcode: the one that [`Options::entry`]
/// names, else the only one.
///
/// The output has passed Trellis's own verifier, and SPIRV-Tools' validator if
/// [`validate`](crate::options::DebugOptions::validate) is on. The function keeps no state: it may
/// be called from any number of threads, and gives the same words for the same input and options.
///
/// ```
/// let dxil = include_bytes!("../tests/data/collatz.dxil");
/// let output = trellis_spirv_backend::convert(dxil, &trellis_spirv_backend::Options::default())?;
/// assert_eq!(output.words[0], 0x0723_0203);
/// assert_eq!(output.entry, "main");
/// # Ok::<(), trellis_spirv_backend::Error>(())
/// ```
///
/// # Errors
/// See [`Error`]: what is malformed, unsupported or without a binding, and where.
pub fn convert(bytes: &[u8], options: &Options) -> Result<Output, Error> {
    Converter::for_one().convert(bytes, options)
}

/// Converts every entry point of a module, in the module's order; [`Options::entry`] is ignored.
///
/// # Errors
/// The input cannot be read. Each entry point has its own result.
pub fn convert_all(bytes: &[u8], options: &Options) -> Result<Vec<Result<Output, Error>>, Error> {
    let mut converter = Converter::new();
    let input = converter.read(bytes, options)?;
    Ok(input
        .shader
        .shaders()
        .map(|entry| converter.convert_entry(&input, entry, options))
        .collect())
}

/// Lists the entry points of a module, in the module's order.
///
/// # Errors
/// The input cannot be read.
pub fn entry_points(bytes: &[u8]) -> Result<Vec<Entry>, Error> {
    let input = trellis_dxil_frontend::read(bytes)?;
    Ok(input
        .shader
        .exports()
        .into_iter()
        .map(|(entry, name)| Entry {
            name: name.to_owned(),
            stage: entry.kind,
        })
        .collect())
}

/// Reads the input, with the names that the container keeps apart.
pub(crate) fn read<'a>(bytes: &'a [u8], options: &Options) -> Result<Input<'a>, Error> {
    Converter::new().read(bytes, options)
}

/// Converts an entry point of a module that was read before.
///
/// # Errors
/// As [`convert`].
pub fn convert_entry(
    input: &Input<'_>,
    entry: &EntryPoint,
    options: &Options,
) -> Result<Output, Error> {
    Converter::for_one().convert_entry(input, entry, options)
}

/// A module whose sections are complete, and what else is known of the output.
struct Unfinished {
    module: Emitted,
    /// Place for an error of validation, if the output is validated.
    validated: Option<Location>,
    entry: String,
    stage: ShaderKind,
    structurizer: Counters,
    patch_location: Option<u32>,
}

impl Converter {
    /// Converts an entry point up to where the input is not needed any more.
    fn emit(
        &mut self,
        input: &Input<'_>,
        entry: &EntryPoint,
        options: &Options,
    ) -> Result<Unfinished, Error> {
        if options.debug.validate && !cfg!(feature = "validate") {
            return Err(Error::NoValidator);
        }
        let at = || Location::function(&entry.name);
        let roots = roots(entry)?;
        if crate::stage::is_ray_tracing(entry.kind) && options.target.spirv_version() < (1, 4) {
            let feature = Feature::StageTarget {
                stage: entry.kind,
                spirv: (1, 4),
                minimum: Target::Vulkan1_2,
            };
            return Err(Error::unsupported(feature, at()));
        }
        self.ops.read(&input.module);
        let ops = &self.ops;
        let mut legal = legalize(&input.module, ops, &input.shader, &roots, options)?;
        if self.is_for_one
            && let Some(module) = &mut legal
        {
            module.shrink_to_fit();
        }
        let module = legal.as_ref().unwrap_or(&input.module);
        let source = Source::new(module, ops, options, entry);
        #[cfg(test)]
        let source = Source {
            each_instruction: self.each_instruction || source.each_instruction,
            ..source
        };
        let mut bodies: Vec<Body<'_>> = recycled(take(&mut self.bodies));
        let mut memory = (&mut self.lowering, &mut self.structurizer);
        let is_for_one = self.is_for_one;
        make_bodies(
            &source,
            &roots,
            options,
            &mut memory,
            is_for_one,
            &mut bodies,
        )?;
        if self.is_for_one {
            (self.lowering, self.structurizer) = Default::default();
        }
        let mut structurizer = Counters::default();
        for body in &bodies {
            structurizer += Counters::from(&body.structured.report);
        }
        let module = emit::emit_module(
            &source,
            &input.shader,
            entry,
            options,
            &bodies,
            &mut self.emission,
        )?;
        if self.is_for_one {
            bodies.clear();
            self.emission = emit::Buffers::default();
        }
        for body in bodies.drain(..).rev() {
            self.lowering.recycle(body.lowered);
            self.structurizer.recycle(body.structured);
        }
        self.bodies = recycled(bodies);
        Ok(Unfinished {
            module,
            validated: options.debug.validate.then(at),
            entry: input.shader.export_name(entry).to_owned(),
            stage: entry.kind,
            structurizer,
            patch_location: matches!(entry.kind, ShaderKind::Hull | ShaderKind::Domain)
                .then(|| patch_location(entry, options)),
        })
    }

    /// Assembles a module and verifies it.
    fn finish(&mut self, emitted: Unfinished, options: &Options) -> Result<Output, Error> {
        let Unfinished {
            module,
            validated,
            entry,
            stage,
            structurizer,
            patch_location,
        } = emitted;
        let words = module.assemble(&mut self.emission)?;
        if self.is_for_one {
            self.emission = emit::Buffers::default();
        }
        verify::verify(&words, &mut self.verification).map_err(Error::Verify)?;
        if let Some(at) = validated {
            if let Some(feature) = cannot_validate(&words) {
                return Err(Error::unsupported(feature, at));
            }
            validate(&words, options.target)?;
        }
        Ok(Output {
            words,
            entry,
            stage,
            structurizer,
            patch_location,
        })
    }
}

/// Returns the functions that the stage of an entry point begins with: its own, and of a hull
/// shader the patch-constant function.
pub(crate) fn roots(entry: &EntryPoint) -> Result<SmallVec<[FunctionId; 2]>, Error> {
    let at = || Location::function(&entry.name);
    if execution_model(entry.kind).is_none() {
        return Err(Error::unsupported(Feature::Stage(entry.kind), at()));
    }
    let mut roots: SmallVec<[FunctionId; 2]> = entry.function.into_iter().collect();
    if entry.kind == ShaderKind::Hull {
        let missing = || {
            let detail = "a hull shader without a patch-constant function";
            Error::invalid(InvalidKind::StageProperty, detail, at())
        };
        let hull = entry.properties.hull.ok_or_else(missing)?;
        if hull.output_control_points == 0 {
            roots.clear();
        }
        roots.push(hull.patch_constant_function.ok_or_else(missing)?);
    }
    if roots.is_empty() {
        return Err(Error::invalid(
            InvalidKind::Function,
            "the entry point has no function",
            at(),
        ));
    }
    Ok(roots)
}

/// The memory in which functions are lowered and structurized.
type Memory<'a> = (&'a mut lower::Buffers, &'a mut Workspace);

/// Lowers and structurizes the entry point's functions and all that they call, callers first.
fn make_bodies<'a>(
    source: &Source<'a>,
    roots: &[FunctionId],
    options: &Options,
    memory: &mut Memory<'_>,
    is_for_one: bool,
    bodies: &mut Vec<Body<'a>>,
) -> Result<(), Error> {
    let options = options.structurizer_options();
    lower_all(
        source,
        roots,
        memory,
        |(buffers, workspace), (id, function), mut func, mut lowered| {
            if is_for_one {
                buffers.free_scratch();
                func.shrink_to_fit();
                lowered.shrink_to_fit();
            }
            let structured = workspace
                .structurize(func, &options)
                .map_err(|error| structurizer_error(&function.name, error))?;
            bodies.push(Body {
                id,
                function,
                structured,
                lowered,
            });
            Ok(())
        },
    )?;
    check_recursion(source, bodies)
}

/// Returns the error of a function that the structurizer has no result for: unsupported if it, or its
/// result, would be too large; invalid if it uses a value where that has none, which lowering leaves
/// to the structurizer to find; else a bug.
fn structurizer_error(function: &str, error: trellis_structurizer::Error) -> Error {
    use trellis_structurizer::Error as Structurizer;
    match error {
        Structurizer::TooLarge { .. } | Structurizer::ResultTooLarge { .. } => {
            Error::unsupported(Limit::ControlFlow, Location::function(function))
        }
        Structurizer::Malformed(error @ CheckError::NotDominated { .. }) => {
            let at = Location::function(function);
            Error::invalid(InvalidKind::Value, error.to_string(), at)
        }
        source => Error::Structurize {
            function: function.to_owned(),
            source,
        },
    }
}

/// Lowers functions and all that they call, callers first, and hands each over.
pub(crate) fn lower_all<'a>(
    source: &Source<'a>,
    roots: &[FunctionId],
    memory: &mut Memory<'_>,
    mut hand_over: impl FnMut(
        &mut Memory<'_>,
        (FunctionId, &'a Function),
        ir::Function,
        Box<Lowered>,
    ) -> Result<(), Error>,
) -> Result<(), Error> {
    let module = source.module;
    let buffers = &mut *memory.0;
    let (mut made, mut wanted) = (take(&mut buffers.made), take(&mut buffers.wanted));
    made.clear();
    wanted.clear();
    wanted.extend(roots.iter().rev());
    while let Some(id) = wanted.pop() {
        let function = module.function(id);
        if function.is_declaration || function.blocks.is_empty() {
            return Err(Error::invalid(
                InvalidKind::Function,
                "the function has no body",
                Location::function(&function.name),
            ));
        }
        if !made.insert(id) {
            continue;
        }
        let (buffers, workspace) = &mut *memory;
        let mut func = workspace.function();
        let lowered = lower(source, function, &mut func, buffers)?;
        wanted.extend(lowered.callees.iter().rev());
        hand_over(memory, (id, function), func, lowered)?;
    }
    (memory.0.made, memory.0.wanted) = (made, wanted);
    Ok(())
}

/// Rejects recursion, which DXIL and SPIR-V forbid: removes functions that call no remaining
/// function until none remains.
fn check_recursion(source: &Source<'_>, bodies: &[Body<'_>]) -> Result<(), Error> {
    if bodies.len() <= 1 && bodies.iter().all(|b| b.lowered.callees.is_empty()) {
        return Ok(());
    }
    let mut index = PrimaryMap::from(vec![usize::MAX; source.module.functions.len()]);
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
    for (i, body) in bodies.iter().enumerate() {
        index[body.id] = i;
    }
    for (i, body) in bodies.iter().enumerate() {
        for callee in &body.lowered.callees {
            callers[index[*callee]].push(i);
        }
    }
    let mut left: Vec<usize> = bodies.iter().map(|b| b.lowered.callees.len()).collect();
    let mut ready: Vec<usize> = (0..bodies.len()).filter(|&i| left[i] == 0).collect();
    let mut done = 0;
    while let Some(i) = ready.pop() {
        done += 1;
        for &caller in &callers[i] {
            left[caller] -= 1;
            if left[caller] == 0 {
                ready.push(caller);
            }
        }
    }
    if done == bodies.len() {
        return Ok(());
    }
    let function = (0..bodies.len())
        .find(|&i| left[i] > 0)
        .map_or("", |i| &*bodies[i].function.name);
    Err(Error::invalid(
        InvalidKind::Recursion,
        "recursion, which shaders may not have",
        Location::function(function),
    ))
}

#[cfg(test)]
mod tests;
