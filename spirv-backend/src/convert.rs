//! The conversion of a shader from bytes to words: calls the steps in order.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::DxDeclarations;
use trellis_dxil_frontend::module::{Function, FunctionId, Module};
use trellis_dxil_frontend::shader::{EntryPoint, ShaderKind};
use trellis_dxil_frontend::{Error as ReadError, Input, Library, link, names_from_stat};
use trellis_entity::{EntitySet, PrimaryMap};
use trellis_structurizer::{CheckError, ir};
use trellis_structurizer::{Counters, Workspace};

use crate::emit::{Body, emit_module};
use crate::entry::choose;
use crate::error::{Error, Feature, InvalidKind, Limit, Location};
use crate::interface::patch_location;
use crate::legalize::legalize;
use crate::lower::{Source, lower};
use crate::options::{Options, Target};
use crate::spirv_val::{cannot_validate, validate};
use crate::stage::execution_model;
use crate::verify::verify;

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
    /// Location of register 0 of the patch constants of a hull or domain shader, which both stages
    /// must agree on: pass the hull shader's as the domain shader's option
    /// [`patch_location`](crate::options::InterfaceOptions::patch_location). `None` in other
    /// stages.
    pub patch_location: Option<u32>,
}

impl Output {
    /// Creates an output, for other converters such as the tests'.
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

/// Converts shaders one after another, and keeps the memory of the structurizer between them: for a
/// thread that converts many. Results do not depend on earlier conversions, and an error leaves the
/// converter as usable as it was.
///
/// It keeps some megabytes at most ([`Workspace`]). Threads share nothing if each has its own converter.
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
    structurizer: Workspace,
    #[cfg(test)]
    each_instruction: bool,
}

impl Converter {
    /// Returns a converter that keeps nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a converter for one conversion: memory is freed as soon as no other stage needs it.
    fn for_one() -> Self {
        Self {
            structurizer: Workspace::for_one(),
            #[cfg(test)]
            each_instruction: false,
        }
    }

    /// Converts one entry point, as [`convert`].
    ///
    /// # Errors
    /// As [`convert`].
    pub fn convert(&mut self, bytes: &[u8], options: &Options) -> Result<Output, Error> {
        self.run(From::Bytes(bytes), options)
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
        self.run(From::Entry(input, entry), options)
    }

    /// Runs the stages of a conversion.
    fn run(&mut self, from: From<'_>, options: &Options) -> Result<Output, Error> {
        if options.debug.validate && !cfg!(feature = "validate") {
            return Err(Error::NoValidator);
        }
        let (emitted, mut output, at);
        // The module and the functions are freed before the words exist: joining the sections takes
        // as much memory as the result.
        {
            // Read: an LLVM module, and the shader that its metadata describes.
            let read_here;
            let (input, entry) = match from {
                From::Entry(input, entry) => (input, entry),
                From::Bytes(bytes) => {
                    read_here = read(bytes, options)?;
                    let entry = choose(&read_here.shader, options.entry.as_deref())?;
                    (&read_here, entry)
                }
            };
            at = (options.debug.validate).then(|| Location::function(&entry.name));
            let roots = roots(entry)?;
            check_target(entry, options)?;

            // Legalize: DXIL that SPIR-V cannot express becomes DXIL that it can.
            let ops = DxDeclarations::new(&input.module);
            let legal = legalize(&input.module, &ops, &input.shader, &roots, options)?;
            let ops = match &legal {
                // Vendors' intrinsics became operations.
                Some(legal) if options.vendor.applies(&input.shader) => DxDeclarations::new(legal),
                _ => ops,
            };
            let module = legal.as_ref().unwrap_or(&input.module);
            let source = Source::new((module, legal.is_some()), &ops, options, entry);
            #[cfg(test)]
            let source = Source {
                each_instruction: self.each_instruction || source.each_instruction,
                ..source
            };

            // Lower each function to the structurizer's form, and structurize it.
            let structurizer_options = options.structurizer_options();
            let (mut bodies, mut functions) = (Vec::new(), Worklist::new(module, &roots));
            while let Some((id, function)) = functions.next()? {
                let mut func = ir::Function::new();
                let lowered = lower(&source, function, &mut func)?;
                functions.add(&lowered.callees);
                func.shrink_to_fit();
                let structured = (self.structurizer)
                    .structurize(func, &structurizer_options)
                    .map_err(|error| structurizer_error(&function.name, error))?;
                bodies.push(Body {
                    id,
                    function,
                    structured,
                    lowered,
                });
            }
            check_recursion(module, &bodies)?;
            check_dispatch(entry, &bodies)?;

            // Emit the sections of the SPIR-V module.
            emitted = emit_module(&source, &input.shader, entry, options, &bodies)?;
            output = Output::new(Vec::new(), input.shader.export_name(entry), entry.kind);
            if matches!(entry.kind, ShaderKind::Hull | ShaderKind::Domain) {
                output.patch_location = Some(patch_location(entry, options));
            }
            for body in &bodies {
                output.structurizer += Counters::from(&body.structured.report);
            }
        }
        // Assemble the sections, and verify the words.
        output.words = emitted.assemble()?;
        verify(&output.words).map_err(Error::Verify)?;

        // Validate with spirv-val.
        if let Some(at) = at {
            if let Some(feature) = cannot_validate(&output.words) {
                return Err(Error::unsupported(feature, at));
            }
            validate(&output.words, options.target)?;
        }
        Ok(output)
    }
}

/// The module of a conversion: to read, or read before, with the entry point.
enum From<'a> {
    Bytes(&'a [u8]),
    Entry(&'a Input<'a>, &'a EntryPoint),
}

impl std::fmt::Debug for Converter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Converter").finish_non_exhaustive()
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

/// Converts one entry point of a DXBC container or DXIL bitcode: the entry point that
/// [`Options::entry`] names, else the only one.
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
/// See [`Error`]: malformed or unsupported input, or a resource without a binding, with its
/// location.
pub fn convert(bytes: &[u8], options: &Options) -> Result<Output, Error> {
    Converter::for_one().convert(bytes, options)
}

/// Converts one entry point of libraries that are [linked](trellis_dxil_frontend::link), as [`convert`].
///
/// # Errors
/// As [`convert`], and errors of linking.
pub fn convert_linked(libraries: &[&[u8]], options: &Options) -> Result<Output, Error> {
    let inputs = libraries.iter().map(|bytes| read(bytes, options));
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let libraries: Vec<_> = inputs.iter().map(Library::from).collect();
    let linked = link(&libraries).map_err(|error| Error::Read(ReadError::from(error).into()))?;
    let entry = choose(&linked.shader, options.entry.as_deref())?;
    convert_entry(&linked, entry, options)
}

/// Converts every entry point of a module, in the module's order; [`Options::entry`] is ignored.
///
/// # Errors
/// The input cannot be read. Each entry point has its own result.
pub fn convert_all(bytes: &[u8], options: &Options) -> Result<Vec<Result<Output, Error>>, Error> {
    let mut converter = Converter::new();
    let input = read(bytes, options)?;
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
    let input = trellis_dxbc_frontend::read(bytes)?;
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

/// Reads a file, with the names that the container keeps apart: for several conversions with
/// [`convert_entry`].
///
/// # Errors
/// The input cannot be read.
pub fn read<'a>(bytes: &'a [u8], options: &Options) -> Result<Input<'a>, Error> {
    let mut input = match options.debug.debug_info {
        true => trellis_dxbc_frontend::read_with_debug_info(bytes)?,
        false => trellis_dxbc_frontend::read(bytes)?,
    };
    if options.debug.names
        && let Some(container) = &input.container
        && input.shader.resources.iter().any(|r| r.name.is_empty())
    {
        names_from_stat(container, &mut input.shader)?;
    }
    Ok(input)
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

/// Rejects a stage that the target does not have.
fn check_target(entry: &EntryPoint, options: &Options) -> Result<(), Error> {
    if crate::stage::is_ray_tracing(entry.kind) && options.target.spirv_version() < (1, 4) {
        let feature = Feature::StageTarget {
            stage: entry.kind,
            spirv: (1, 4),
            minimum: Target::Vulkan1_2,
        };
        return Err(Error::unsupported(feature, Location::function(&entry.name)));
    }
    Ok(())
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
            // No invocation runs the phase of the control points.
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

/// Returns the error of a function that the structurizer has no result for: unsupported if it, or its
/// result, would be too large; invalid if it uses a value where that has none, which lowering leaves
/// to the structurizer to find; else a bug.
fn structurizer_error(function: &str, error: trellis_structurizer::Error) -> Error {
    use trellis_structurizer::Error as Structurizer;
    match error {
        Structurizer::TooLarge { .. } | Structurizer::ResultTooLarge { .. } => {
            Error::unsupported(Limit::ControlFlow, Location::function(function))
        }
        // Lowering leaves dominance to the structurizer's check, so this is an error of the input.
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

/// Functions and all that they call, callers first.
pub(crate) struct Worklist<'a> {
    module: &'a Module,
    seen: EntitySet<FunctionId>,
    next: SmallVec<[FunctionId; 8]>,
}

impl<'a> Worklist<'a> {
    pub(crate) fn new(module: &'a Module, roots: &[FunctionId]) -> Self {
        Self {
            module,
            seen: EntitySet::new(),
            next: roots.iter().rev().copied().collect(),
        }
    }

    /// Returns the next function, whose callees are to be added.
    ///
    /// # Errors
    /// It has no body.
    pub(crate) fn next(&mut self) -> Result<Option<(FunctionId, &'a Function)>, Error> {
        while let Some(id) = self.next.pop() {
            let function = self.module.function(id);
            if function.is_declaration || function.blocks.is_empty() {
                return Err(Error::invalid(
                    InvalidKind::Function,
                    "the function has no body",
                    Location::function(&function.name),
                ));
            }
            if self.seen.insert(id) {
                return Ok(Some((id, function)));
            }
        }
        Ok(None)
    }

    /// Adds the functions that the last one calls.
    pub(crate) fn add(&mut self, callees: &[FunctionId]) {
        self.next.extend(callees.iter().rev().copied());
    }
}

/// Rejects an amplification shader that never calls `DispatchMesh`: SPIR-V requires `OpEmitMeshTasksEXT`.
fn check_dispatch(entry: &EntryPoint, bodies: &[Body<'_>]) -> Result<(), Error> {
    let dispatches = || bodies.iter().any(|body| body.lowered.dispatches);
    if entry.kind != ShaderKind::Amplification || dispatches() {
        return Ok(());
    }
    let detail = "an amplification shader that never calls DispatchMesh";
    let at = Location::function(&entry.name);
    Err(Error::invalid(InvalidKind::ControlFlow, detail, at))
}

/// Rejects recursion, which DXIL and SPIR-V forbid: removes functions that call no remaining
/// function until none remains.
fn check_recursion(module: &Module, bodies: &[Body<'_>]) -> Result<(), Error> {
    // Nearly all shaders, as DXC inlines calls.
    if bodies.len() <= 1 && bodies.iter().all(|b| b.lowered.callees.is_empty()) {
        return Ok(());
    }
    let mut index = PrimaryMap::from(vec![usize::MAX; module.functions.len()]);
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
