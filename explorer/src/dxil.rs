//! A shader.

use serde_json::Value;
use trellis_dxil::frontend::disasm::disassemble;
use trellis_dxil::structurizer::tree::{Names, Pretty};
use trellis_dxil::structurizer::{Trace, Tree, trace};
use trellis_dxil::{Options, control_flow, entry_points};
use trellis_structurizer_view::{Picture, about};

use crate::answer::{
    Answer, EntryView, Failure, FunctionView, RemarkView, Request, StepView, TextView,
};
use crate::{marks, spirv};

/// Returns the options of a request, with names of blocks.
pub(crate) fn options(request: &Request) -> Result<Options, Failure> {
    let options = match &request.options {
        Value::Null => Options::default(),
        options => serde_json::from_value(options.clone())
            .map_err(|error| Failure::new("options", &format!("the options: {error}")))?,
    };
    Ok(options.with_block_names(true))
}

/// Computes what the page shows of a shader.
pub(crate) fn explore(bytes: &[u8], request: &Request) -> Answer {
    let mut answer = Answer::default();
    if let Err(error) = fill(&mut answer, bytes, request) {
        answer.error = Some(error);
    }
    answer
}

/// Computes as much as there is.
fn fill(answer: &mut Answer, bytes: &[u8], request: &Request) -> Result<(), Failure> {
    let input = trellis_dxil::frontend::read(bytes)
        .map_err(|error| Failure::new("read", &error.to_string()))?;
    // A listing that is too long does not stop the conversion.
    let listing = disassemble(&input.module, Some(&input.shader), input.container.as_ref());
    answer.input.text = listing.unwrap_or_else(|error| format!("; {error}\n"));
    let entries = entry_points(bytes).map_err(|error| Failure::from(&error))?;
    let mut options = options(request)?;
    let wanted = request.entry.as_ref().or(options.entry.as_ref());
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
        let shown = view(&function.name, number, &traced, function, request);
        answer.functions.push(shown);
    }
    let (text, size) = spirv::assembly(bytes, &options)?;
    answer.output = TextView {
        marks: marks::of_assembly(&text, functions.len()),
        text,
    };
    answer.output_bytes = size;
    Ok(())
}

/// Returns what the page shows of a function.
pub(crate) fn view(
    name: &str,
    number: usize,
    trace: &Trace,
    names: &dyn Names,
    request: &Request,
) -> FunctionView {
    let steps = trace.snapshots.iter().map(|snapshot| {
        let picture = match request.without_pictures {
            true => Err("the layout failed".to_owned()),
            false => Picture::element(snapshot, names).map_err(|error| error.to_string()),
        };
        let (svg, not_drawn) = match picture {
            Ok(svg) => (svg, None),
            Err(why) => (String::new(), Some(why)),
        };
        let remarks = snapshot.remarks.iter().map(|remark| RemarkView {
            block: remark.block.to_string(),
            text: remark.sentence(),
        });
        StepView {
            stage: snapshot.stage.map_or("input", |stage| stage.name()),
            about: about(snapshot.stage),
            svg,
            not_drawn,
            remarks: remarks.collect(),
        }
    });
    let tree = Tree::of(&trace.structured);
    let text = Pretty::of(&tree)
        .names(names)
        .instructions(true)
        .to_string();
    FunctionView {
        name: name.to_owned(),
        steps: steps.collect(),
        pseudo_code: TextView {
            marks: marks::of_pseudo_code(&text, number),
            text,
        },
    }
}
