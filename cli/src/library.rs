//! The only file that calls the translator: the operations that the commands need, with errors
//! converted to [`Failure`]s and [`Problem`]s.

use std::path::Path;
use std::sync::Arc;

use trellis_corpus::failure::{Failure, Kind};
pub(crate) use trellis_corpus::modules::{is_spirv, words_of as spirv_words};
use trellis_dxil::bindings::{
    BindingFile, BindingModel, DefaultBindings, RootSignatureBindings, RootSignatureError,
};
use trellis_dxil::stage_io::StageIoFile;
use trellis_dxil::structurizer::Tree;
use trellis_dxil::structurizer::ir::Function;
use trellis_dxil::structurizer::text::{ParseError, parse, print_structured};
use trellis_dxil::{ErrorKind, MeshOutputs, Options};

use crate::args::{BindingArgs, TranslationArgs};
use crate::files;
use crate::problem::Problem;

/// Returns the backend's options: those of `--options`, overridden by the given arguments.
pub(crate) fn options(args: &TranslationArgs) -> Result<Options, Problem> {
    let mut options = match &args.options {
        Some(path) => options_file(path)?,
        None => Options::default().with_debug_info(true),
    };
    options.bindings = bindings(&args.places, &*options.bindings)?;
    if let Some(path) = &args.mesh {
        options.mesh = Some(mesh_outputs(path)?);
    }
    if let Some(path) = &args.stage_io {
        options.stage_io = Arc::new(stage_io_file(path)?);
    }
    if let Some(target) = args.target {
        options.target = target;
    }
    if let Some(min_precision) = args.min_precision {
        options.interface.min_precision = min_precision;
    }
    if args.patch_location.is_some() {
        options.interface.patch_location = args.patch_location;
    }
    options.extensions.dynamic_offsets |= args.dynamic_offsets;
    options.vendor.ags = args.ags.or(options.vendor.ags);
    options.vendor.nvapi = args.nvapi.or(options.vendor.nvapi);
    options.workarounds.point_size &= !args.no_point_size;
    options.workarounds.tessellation_point_size |= args.tessellation_point_size;
    options.debug.names &= !args.strip_names;
    options.debug.debug_info &= !args.strip_debug;
    options.debug.validate |= args.validate;
    if options.debug.validate && !cfg!(feature = "validate") {
        return Err(Problem::usage_error("this build has no spirv-val")
            .help(Kind::from(ErrorKind::NoValidator).help()));
    }
    Ok(options)
}

/// Reads the file given by `--options`.
fn options_file(path: &Path) -> Result<Options, Problem> {
    let text = files::read_text(path).map_err(Problem::into_usage_error)?;
    let read = serde_json::from_str::<Options>(&text);
    let mut options = read.map_err(|error| {
        let name = files::name_of(path);
        Problem::usage_error(format!("{name} is not an options file"))
            .because(&error)
            .help(
                "`trellis options` lists the options, `trellis help options` shows an example file",
            )
    })?;
    // Who compiles with debug information and converts by hand wants to see it.
    let value = serde_json::from_str::<serde_json::Value>(&text).unwrap_or_default();
    if value.pointer("/debug/debug_info").is_none() {
        options.debug.debug_info = true;
    }
    Ok(options)
}

/// Returns the outputs of the mesh shader in a file.
fn mesh_outputs(path: &Path) -> Result<Arc<MeshOutputs>, Problem> {
    let bytes = files::read(path).map_err(Problem::into_usage_error)?;
    let outputs = MeshOutputs::read(&bytes, None);
    outputs.map(Arc::new).map_err(|error| {
        Problem::usage_error(format!(
            "{} is not a mesh shader to link with",
            files::name_of(path)
        ))
        .because(&error)
    })
}

/// Returns the binding model of `--root-signature`, or of `--bindings` and `--shift`, which override
/// `model`.
fn bindings(
    args: &BindingArgs,
    model: &dyn BindingModel,
) -> Result<Arc<dyn BindingModel>, Problem> {
    if let Some(path) = &args.root_signature {
        let bytes = files::read(path).map_err(Problem::into_usage_error)?;
        return root_signature(&bytes, args.root_addresses).map_err(|error| {
            let name = files::name_of(path);
            Problem::usage_error(format!("{name} has no root signature that can be used"))
                .because(&error)
        });
    }
    let file = model
        .to_file()
        .unwrap_or_else(|| DefaultBindings::default().into());
    let shifts = args.shift.unwrap_or_default();
    let default = shifts.apply(file.default_bindings());
    Ok(Arc::new(match &args.bindings {
        None => file.with_default_bindings(default),
        Some(path) => binding_file(path, default)?,
    }))
}

/// Returns the binding model of a root signature in a file with these bytes.
pub(crate) fn root_signature(
    bytes: &[u8],
    addresses: bool,
) -> Result<Arc<dyn BindingModel>, RootSignatureError> {
    let model = RootSignatureBindings::read(bytes)?;
    Ok(Arc::new(match addresses {
        true => model.with_addresses(),
        false => model,
    }))
}

/// Returns the options that affect a reflection: the binding model.
pub(crate) fn reflection_options(args: &BindingArgs) -> Result<Options, Problem> {
    let options = Options::default();
    let bindings = bindings(args, &*options.bindings)?;
    Ok(options.with_bindings(bindings))
}

/// Reads a file that maps resources to sets and bindings; `shifts` apply to all other resources.
fn binding_file(path: &Path, shifts: DefaultBindings) -> Result<BindingFile, Problem> {
    let text = files::read_text(path).map_err(Problem::into_usage_error)?;
    BindingFile::parse(&text, shifts).map_err(|error| {
        let problem =
            Problem::usage_error(format!("{} is not a binding file", files::name_of(path)));
        problem
            .because(&error)
            .help("`trellis help convert` shows its format")
    })
}

/// Reads a file with the places of stage inputs and outputs.
fn stage_io_file(path: &Path) -> Result<StageIoFile, Problem> {
    let text = files::read_text(path).map_err(Problem::into_usage_error)?;
    serde_json::from_str(&text).map_err(|error| {
        let name = files::name_of(path);
        Problem::usage_error(format!("{name} is not a file of stage inputs and outputs"))
            .because(&error)
            .help("`trellis help convert` shows its format")
    })
}

/// Disassembles SPIR-V.
pub(crate) fn spirv_assembly(words: &[u32]) -> Result<String, Failure> {
    trellis_dxil::disassemble(words).map_err(|error| Failure::from(&error))
}

/// Returns the LLVM listing of a DXIL shader.
pub(crate) fn dxil_listing(bytes: &[u8]) -> Result<String, Failure> {
    let listing = trellis_dxil::frontend::read(bytes).and_then(|input| {
        trellis_dxil::frontend::disasm::disassemble(
            &input.module,
            Some(&input.shader),
            input.container.as_ref(),
        )
    });
    listing.map_err(|error| Failure::from(&error))
}

/// Returns the reflection of a shader as JSON.
pub(crate) fn reflection(bytes: &[u8], options: &Options) -> Result<String, Failure> {
    let reflection =
        trellis_dxil::reflect(bytes, options).map_err(|error| Failure::from(&error))?;
    serde_json::to_string_pretty(&reflection)
        .map_err(|error| Failure::new(Kind::Other, error.to_string()))
}

/// Structurizes a function in text form; returns pseudo-code if `tree` is set.
pub(crate) fn structurize(
    name: &str,
    text: &str,
    tree: bool,
    options: &trellis_dxil::structurizer::Options,
) -> Result<String, Problem> {
    let result = trellis_dxil::structurizer::structurize(graph(name, text)?, options);
    let structured = result.map_err(|error| {
        Problem::input_error(format!("cannot structurize {name}"))
            .because(&error)
            .help(WELL_FORMED)
    })?;
    if tree {
        return Ok(Tree::of(&structured).to_string());
    }
    Ok(print_structured(&structured))
}

/// Parses the text form of a graph.
pub(crate) fn graph(name: &str, text: &str) -> Result<Function, Problem> {
    parse(text).map_err(|error| parse_problem(name, text, &error))
}

/// The rules for a well-formed graph.
const WELL_FORMED: &str = "each block must have a terminator, each phi one operand per predecessor, and each use must be dominated by its definition";

/// Converts a parser's error to a problem that shows the line in question.
fn parse_problem(name: &str, text: &str, error: &ParseError) -> Problem {
    let line_start: usize = text
        .split_inclusive('\n')
        .take((error.line as usize).saturating_sub(1))
        .map(str::len)
        .sum();
    let line = text.get(line_start..).unwrap_or("");
    let column: usize = line
        .chars()
        .take((error.column as usize).saturating_sub(1))
        .map(char::len_utf8)
        .sum();
    let problem = Problem::input_error(format!(
        "{name} is not a control-flow graph: line {}, column {}",
        error.line, error.column
    ));
    let wanted = format!("expected {}, found {}", error.expected, error.found);
    // An empty text has no line to show.
    let problem = if text.is_empty() {
        problem.because(error)
    } else {
        problem.at(name, text, line_start + column, wanted)
    };
    problem.help("a line is `block: successor successor`, for example `a: b c`, or the long form that `trellis structurize` prints")
}
