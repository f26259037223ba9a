//! A shader.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use trellis_dxil::frontend::Input;
use trellis_dxil::frontend::container::FourCC;
use trellis_dxil::frontend::disasm::disassemble;
use trellis_dxil::frontend::module::{FunctionId, Module};
use trellis_dxil::structurizer::tree::Names;
use trellis_dxil::structurizer::{Trace, trace};
use trellis_dxil::{ControlFlow, Options, control_flow, dxbc, entry_points};
use trellis_structurizer_view::Picture;

use crate::answer::{Answer, EntryView, Failure, FunctionView, Request, TextView};
use crate::spdb::Database;
use crate::{marks, sources, spirv};

/// The part with FXC's debug information.
const DATABASE: FourCC = FourCC(*b"SPDB");

/// Returns the options of a request.
pub(crate) fn options(request: &Request) -> Result<Options, Failure> {
    let options = match &request.options {
        Value::Null => Options::default(),
        options => serde_json::from_value(options.clone())
            .map_err(|error| Failure::new("options", &format!("the options: {error}")))?,
    };
    Ok(match &request.entry {
        Some(entry) => options.with_entry(Some(entry.clone())),
        None => options,
    })
}

/// Computes the page's contents for a shader with these options, if they could be read.
pub(crate) fn explore(
    bytes: &[u8],
    options: Result<Options, Failure>,
    largest_graph: usize,
) -> Answer {
    let mut answer = Answer::default();
    if let Err(error) = fill(&mut answer, bytes, options, largest_graph) {
        answer.error = Some(error);
    }
    answer
}

/// Converts a shader, and shows nothing else of it.
pub(crate) fn convert(bytes: &[u8], request: &Request) -> Answer {
    let converted = options(request).and_then(|options| {
        trellis_dxil::convert(bytes, &options).map_err(|error| Failure::from(&error))
    });
    match converted {
        Ok(output) => Answer {
            output_bytes: output.words.len() * 4,
            words: Some(BASE64_STANDARD.encode(output.bytes())),
            ..Answer::default()
        },
        Err(error) => Answer::of_error(error),
    }
}

/// Computes as much as there is.
fn fill(
    answer: &mut Answer,
    bytes: &[u8],
    options: Result<Options, Failure>,
    largest_graph: usize,
) -> Result<(), Failure> {
    let failed = |error: dxbc::Error| Failure::new("read", &error.to_string());
    let with_debug_info = dxbc::read_with_debug_info(bytes).map_err(failed)?;
    answer.sources = sources::embedded(&with_debug_info);
    // The program that is converted.
    let input = match &options {
        Ok(options) if !options.debug.debug_info => dxbc::read(bytes).map_err(failed)?,
        _ => with_debug_info,
    };
    // A listing that is too long does not stop the conversion.
    let listing = disassemble(&input.module, Some(&input.shader), input.container.as_ref());
    answer.input.text = listing.unwrap_or_else(|error| format!("; {error}\n"));
    let entries = entry_points(bytes).map_err(|error| Failure::from(&error))?;
    let mut options = options?.with_block_names(true);
    let wanted = options.entry.as_ref();
    let found = match wanted {
        None => Some(0),
        Some(name) => entries.iter().position(|entry| entry.name == *name),
    };
    answer.entries = entries
        .iter()
        .map(|entry| EntryView {
            name: entry.name.clone(),
            stage: entry.stage.name(),
        })
        .collect();
    let Some((index, entry)) = found.and_then(|index| Some((index, entries.get(index)?))) else {
        return Err(match wanted {
            Some(name) => Failure::new("entry_point", &format!("no entry point `{name}`")),
            None => Failure::new("entry_point", "the library has no entry points"),
        });
    };
    answer.entry = index;
    options.entry = Some(entry.name.clone());
    // Nor do texts of functions that are too long. Any other error is one of the conversion, too.
    let functions = control_flow(bytes, &options).unwrap_or_else(|error| {
        answer.no_functions = Some(error.to_string());
        Vec::new()
    });
    answer.input.marks = marks::of_listing(&answer.input.text, &functions);
    fill_assembly(answer, bytes, &input, &functions);
    answer.hlsl = Some(hlsl(bytes, &input.module, &entry.name, &functions));
    for (number, function) in functions.iter().enumerate() {
        let traced = trace(function.function.clone(), &options.structurizer_options());
        let traced = traced.map_err(|error| Failure::new("structurize", &error.to_string()))?;
        let shown = view(&function.name, number, &traced, function, largest_graph);
        answer.functions.push(shown);
    }
    let (text, size) = spirv::assembly(bytes, &options)?;
    answer.output = TextView {
        marks: marks::of_assembly(&text, functions.len()),
        text,
        ..TextView::default()
    };
    answer.output_bytes = size;
    Ok(())
}

/// Shows the assembly of DXBC, and the sources that FXC embedded.
fn fill_assembly(answer: &mut Answer, bytes: &[u8], input: &Input<'_>, functions: &[ControlFlow]) {
    let Ok(Some((text, places))) = dxbc::disassemble_with_places(bytes) else {
        return;
    };
    let part = { &input.container }
        .as_ref()
        .and_then(|container| container.part(DATABASE));
    let database = part.map_or_else(Database::default, |part| Database::read(part.data));
    let mut assembly = TextView {
        marks: marks::of_places(
            { places.iter() }.map(|place| (place.line, &*place.function, place.block)),
            functions,
        ),
        text,
        ..TextView::default()
    };
    for (offset, file, line) in database.lines {
        let at = { places.iter() }.find(|place| place.offset == offset as usize);
        { &mut assembly.source_lines }.extend(at.map(|at| (at.line, file, line)));
    }
    assembly.source_lines.dedup();
    answer.assembly = Some(assembly);
    answer.sources = database.sources;
}

/// Returns the entry point as HLSL.
fn hlsl(bytes: &[u8], module: &Module, entry: &str, functions: &[ControlFlow]) -> TextView {
    let printed = match trellis_hlsl::print(bytes, Some(entry)) {
        Ok(printed) => printed,
        Err(error) => {
            return TextView {
                text: format!("// {error}\n"),
                ..TextView::default()
            };
        }
    };
    let name = |id: FunctionId| {
        module
            .functions
            .get(id)
            .map_or("", |function| &function.name)
    };
    let origins = &printed.origins;
    let places = { origins.iter() }.map(|at| (at.line, name(at.function), at.block));
    let mut locations = Vec::new();
    for origin in origins {
        let function = functions.iter().find(|f| f.name == name(origin.function));
        let lines = origin
            .insts
            .iter()
            .filter_map(|inst| function?.line(inst.as_u32()));
        let nodes = lines.filter_map(|line| {
            let (_, node) = line.rsplit_once("!dbg !")?;
            node.split(' ').next()?.parse().ok()
        });
        locations.extend(nodes.map(|node| (origin.line, node)));
    }
    locations.sort_unstable();
    locations.dedup();
    TextView {
        marks: marks::of_places(places, functions),
        text: printed.text,
        locations,
        ..TextView::default()
    }
}

/// Returns the page's contents for a function.
pub(crate) fn view(
    name: &str,
    number: usize,
    trace: &Trace,
    names: &dyn Names,
    largest_graph: usize,
) -> FunctionView {
    FunctionView::of(name, number, trace, names, |snapshot| {
        let blocks = snapshot.nodes.len();
        if blocks > largest_graph {
            return Err(format!(
                "the graph has {blocks} blocks; at most {largest_graph} are drawn"
            ));
        }
        Picture::element(snapshot, names).map_err(|error| error.to_string())
    })
}
