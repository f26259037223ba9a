//! The only file that calls the translator: what the commands want of it, with its errors as
//! [`Failure`]s and [`Problem`]s.

use std::path::Path;
use std::sync::Arc;

use trellis_corpus::failure::{Failure, Kind};
use trellis_spirv_backend::bindings::{BindingFile, BindingModel, DefaultBindings};
use trellis_spirv_backend::{MeshOutputs, Options};
use trellis_structurizer::Tree;
use trellis_structurizer::ir::Function;
use trellis_structurizer::text::{ParseError, parse, print_structured};

use crate::args::{BindingArgs, TranslationArgs};
use crate::files;
use crate::problem::Problem;

/// Returns the backend's options: those of `--options`, replaced by the arguments that are given.
pub(crate) fn options(args: &TranslationArgs) -> Result<Options, Problem> {
    let mut options = match &args.options {
        Some(path) => options_file(path)?,
        None => Options::default(),
    };
    options.bindings = bindings(&args.places)?;
    options.mesh = args.mesh.as_deref().map(mesh_outputs).transpose()?;
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
    options.workarounds.point_size &= !args.no_point_size;
    options.workarounds.tessellation_point_size |= args.tessellation_point_size;
    options.debug.names &= !args.strip_names;
    options.debug.validate |= args.validate;
    if options.debug.validate && !cfg!(feature = "validate") {
        return Err(
            Problem::wrong_use("this build has no spirv-val").help(Kind::NoValidator.help())
        );
    }
    Ok(options)
}

/// Reads a file of `--options`.
fn options_file(path: &Path) -> Result<Options, Problem> {
    let text = files::read_text(path).map_err(Problem::into_wrong_use)?;
    serde_json::from_str(&text).map_err(|error| {
        let name = files::name_of(path);
        Problem::wrong_use(format!("{name} is not a file of options"))
            .because(&error)
            .help("`trellis options` lists the options, `trellis help options` shows a file")
    })
}

/// The outputs of the mesh shader in a file.
fn mesh_outputs(path: &Path) -> Result<Arc<MeshOutputs>, Problem> {
    let bytes = files::read(path).map_err(Problem::into_wrong_use)?;
    let outputs = MeshOutputs::read(&bytes, None);
    outputs.map(Arc::new).map_err(|error| {
        Problem::wrong_use(format!(
            "{} is no mesh shader to link with",
            files::name_of(path)
        ))
        .because(&error)
    })
}

/// The binding model that the command line asks for.
fn bindings(args: &BindingArgs) -> Result<Arc<dyn BindingModel>, Problem> {
    let shifts = args
        .shift
        .map_or_else(DefaultBindings::default, |shifts| shifts.0);
    Ok(match &args.bindings {
        None => Arc::new(shifts),
        Some(path) => Arc::new(binding_file(path, shifts)?),
    })
}

/// Options that matter to a reflection: where resources go.
pub(crate) fn reflection_options(args: &BindingArgs) -> Result<Options, Problem> {
    Ok(Options::default().with_bindings(bindings(args)?))
}

/// A file that maps resources to sets and bindings; what it does not name is placed by `shifts`.
fn binding_file(path: &Path, shifts: DefaultBindings) -> Result<BindingFile, Problem> {
    let text = files::read_text(path).map_err(Problem::into_wrong_use)?;
    BindingFile::parse(&text, shifts).map_err(|error| {
        let problem = Problem::wrong_use(format!("{} is no binding file", files::name_of(path)));
        problem
            .because(&error)
            .help("`trellis help convert` shows the form of one")
    })
}

/// SPIR-V's magic number as a file begins with it, in either byte order.
const SPIRV: [[u8; 4]; 2] = [[0x03, 0x02, 0x23, 0x07], [0x07, 0x23, 0x02, 0x03]];

/// Does a file begin like SPIR-V?
pub(crate) fn is_spirv(bytes: &[u8]) -> bool {
    SPIRV.iter().any(|magic| bytes.starts_with(magic))
}

/// The words of a SPIR-V file in the byte order of its first word.
pub(crate) fn spirv_words(bytes: &[u8]) -> Result<Vec<u32>, Failure> {
    let word = if bytes.starts_with(&SPIRV[1]) {
        u32::from_be_bytes
    } else {
        u32::from_le_bytes
    };
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(Failure::new(
            Kind::SpirV,
            format!("{} bytes are no whole number of 4-byte words", bytes.len()),
        ));
    }
    Ok(words.iter().map(|bytes| word(*bytes)).collect())
}

/// SPIR-V as assembly.
pub(crate) fn spirv_assembly(words: &[u32]) -> Result<String, Failure> {
    trellis_spirv_backend::disassemble(words)
        .map_err(|error| Failure::new(Kind::SpirV, format!("not SPIR-V: {error}")))
}

/// DXIL as a listing.
pub(crate) fn dxil_listing(bytes: &[u8]) -> Result<String, Failure> {
    let listing = trellis_dxil_frontend::read(bytes).and_then(|input| {
        trellis_dxil_frontend::disasm::disassemble(
            &input.module,
            Some(&input.shader),
            input.container.as_ref(),
        )
    });
    listing.map_err(|error| Failure::from(&error))
}

/// What a shader says about itself, as JSON.
pub(crate) fn reflection(bytes: &[u8], options: &Options) -> Result<String, Failure> {
    let reflection =
        trellis_spirv_backend::reflect(bytes, options).map_err(|error| Failure::from(&error))?;
    serde_json::to_string_pretty(&reflection)
        .map_err(|error| Failure::new(Kind::Other, error.to_string()))
}

/// Structurizes a function that is written as text; `tree` asks for pseudo-code.
pub(crate) fn structurize(
    name: &str,
    text: &str,
    tree: bool,
    options: &trellis_structurizer::Options,
) -> Result<String, Problem> {
    let result = trellis_structurizer::structurize(graph(name, text)?, options);
    let structured = result.map_err(|error| {
        Problem::bad_input(format!("cannot structurize {name}"))
            .because(&error)
            .help(WELL_FORMED)
    })?;
    if tree {
        return Ok(Tree::of(&structured).to_string());
    }
    Ok(print_structured(&structured))
}

/// A graph that is written as text.
pub(crate) fn graph(name: &str, text: &str) -> Result<Function, Problem> {
    parse(text).map_err(|error| parse_problem(name, text, &error))
}

/// What a graph must be.
const WELL_FORMED: &str = "each block needs a terminator, each phi an operand for each predecessor, and each use a definition that dominates it";

/// A parser's error with the line it is about.
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
    let problem = Problem::bad_input(format!(
        "{name} is no control-flow graph: line {}, column {}",
        error.line, error.column
    ));
    let wanted = format!("expected {}, found {}", error.expected, error.found);
    // There is nothing to show of an empty text.
    let problem = if text.is_empty() {
        problem.because(error)
    } else {
        problem.at(name, text, line_start + column, wanted)
    };
    problem.help("a line is `block: successor successor`, for example `a: b c`, or the long form that `trellis structurize` prints")
}
