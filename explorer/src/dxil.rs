//! A shader.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use trellis_dxil::frontend::debug_info::{Source, sources};
use trellis_dxil::frontend::disasm::disassemble;
use trellis_dxil::frontend::read_with_debug_info;
use trellis_dxil::structurizer::tree::Names;
use trellis_dxil::structurizer::{Trace, trace};
use trellis_dxil::{Options, control_flow, entry_points};
use trellis_structurizer_view::Picture;

use crate::answer::{Answer, EntryView, Failure, FunctionView, Request, SourceView, TextView};
use crate::{marks, spirv};

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

/// Computes what the page shows of a shader with these options, if they could be read.
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
    let input = trellis_dxil::dxbc::read(bytes)
        .map_err(|error| Failure::new("read", &error.to_string()))?;
    // A listing that is too long does not stop the conversion.
    let listing = disassemble(&input.module, Some(&input.shader), input.container.as_ref());
    answer.input.text = listing.unwrap_or_else(|error| format!("; {error}\n"));
    answer.sources = embedded(bytes);
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
        cut: 0,
    };
    answer.output_bytes = size;
    Ok(())
}

/// Returns the source files that the compiler embedded.
fn embedded(bytes: &[u8]) -> Vec<SourceView> {
    let Ok(input) = read_with_debug_info(bytes) else {
        return Vec::new();
    };
    let view = |source: Source<'_>| SourceView {
        name: source.name.into_owned(),
        text: TextView {
            text: source.text.into_owned(),
            ..TextView::default()
        },
    };
    sources(&input.module.metadata).map(view).collect()
}

/// Returns what the page shows of a function.
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
