//! The details of one shader.

use serde::Serialize;
use trellis_dxil::frontend::debug_info::sources;
use trellis_dxil::frontend::{disasm, read, read_with_debug_info};
use trellis_dxil::structurizer::tree::{Names, Pretty};
use trellis_dxil::structurizer::{Remark, Snapshot, Trace, Tree, trace};
use trellis_dxil::{ControlFlow, Options, control_flow, disassemble};
use trellis_structurizer_view::Picture;

use crate::backend::Backend;
use crate::failure::Failure;
use crate::guard::guarded;

/// Most blocks of a graph that is drawn: larger ones cannot be read on a page.
const MAX_BLOCKS: usize = 400;

/// Most bytes of one text; the rest is left out, and the page says so.
const MAX_TEXT: usize = 4 << 20;

/// What the page of a shader shows. Each part that is missing has a reason.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    functions: Part<Vec<Function>>,
    sources: Vec<Source>,
    dxil: Part<Text>,
    spirv: Part<Text>,
}

/// A part of the page, or why it is missing.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Part<T> {
    Ok(T),
    Missing(String),
}

impl<T> From<Result<T, Failure>> for Part<T> {
    fn from(result: Result<T, Failure>) -> Self {
        match result {
            Ok(value) => Self::Ok(value),
            Err(failure) => Self::Missing(failure.message),
        }
    }
}

/// A text, of which the end may be left out.
#[derive(Debug, Serialize)]
struct Text {
    text: String,
    /// Bytes that were left out.
    #[serde(skip_serializing_if = "is_zero")]
    cut: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl From<String> for Text {
    fn from(mut text: String) -> Self {
        let end = text.floor_char_boundary(MAX_TEXT);
        let cut = text.len() - end;
        text.truncate(end);
        Self { text, cut }
    }
}

/// An embedded source file.
#[derive(Debug, Serialize)]
struct Source {
    name: String,
    #[serde(flatten)]
    text: Text,
}

/// A function of the shader before and after structurization.
#[derive(Debug, Serialize)]
struct Function {
    name: String,
    /// Number of blocks before and after.
    blocks: [usize; 2],
    before: Part<String>,
    after: Part<String>,
    tree: Text,
    remarks: Vec<RemarkText>,
}

#[derive(Debug, Serialize)]
struct RemarkText {
    stage: &'static str,
    block: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    text: String,
}

/// Returns the details of an entry point.
pub(super) fn details(bytes: &[u8], backend: &Backend, entry: Option<&str>) -> Page {
    let mut options = backend
        .options()
        .clone()
        .with_entry(entry.map(str::to_owned));
    // The batch has validated the output.
    options.debug.validate = false;
    Page {
        functions: guarded(|| functions(bytes, &options)).into(),
        sources: guarded(|| Ok(embedded(bytes))).unwrap_or_default(),
        dxil: guarded(|| listing(bytes)).into(),
        spirv: guarded(|| assembly(bytes, &options)).into(),
    }
}

fn functions(bytes: &[u8], options: &Options) -> Result<Vec<Function>, Failure> {
    let functions = control_flow(bytes, options).map_err(|error| Failure::from(&error))?;
    functions
        .iter()
        .map(|function| {
            let traced = trace(function.function.clone(), &options.structurizer_options());
            let traced = traced.map_err(|source| {
                Failure::from(&trellis_dxil::Error::Structurize {
                    function: function.name.clone(),
                    source,
                })
            })?;
            Ok(of_function(function, &traced))
        })
        .collect()
}

fn of_function(function: &ControlFlow, trace: &Trace) -> Function {
    let (first, last) = (trace.snapshots.first(), trace.snapshots.last());
    let blocks = |snapshot: Option<&Snapshot>| snapshot.map_or(0, |snapshot| snapshot.nodes.len());
    let tree = Tree::of(&trace.structured);
    let remarks = trace.structured.report.remarks.iter();
    Function {
        name: function.name.clone(),
        blocks: [blocks(first), blocks(last)],
        before: picture(first, function),
        after: picture(last, function),
        tree: Pretty::of(&tree).names(function).to_string().into(),
        remarks: remarks.map(|remark| of_remark(remark, function)).collect(),
    }
}

fn of_remark(remark: &Remark, names: &ControlFlow) -> RemarkText {
    RemarkText {
        stage: remark.stage.name(),
        block: remark.block.to_string(),
        name: names.block(remark.block).map(std::borrow::Cow::into_owned),
        text: remark.sentence(),
    }
}

/// Returns the SVG element of a graph.
fn picture(snapshot: Option<&Snapshot>, names: &ControlFlow) -> Part<String> {
    let Some(snapshot) = snapshot else {
        return Part::Missing("the function has no blocks".to_owned());
    };
    let blocks = snapshot.nodes.len();
    if blocks > MAX_BLOCKS {
        return Part::Missing(format!(
            "the graph has {blocks} blocks; the page draws at most {MAX_BLOCKS}"
        ));
    }
    match Picture::element(snapshot, names) {
        Ok(svg) => Part::Ok(svg),
        Err(error) => Part::Missing(error.to_string()),
    }
}

/// Returns the source files that the compiler embedded.
fn embedded(bytes: &[u8]) -> Vec<Source> {
    let Ok(input) = read_with_debug_info(bytes) else {
        return Vec::new();
    };
    sources(&input.module.metadata)
        .map(|source| Source {
            name: source.name.into_owned(),
            text: source.text.into_owned().into(),
        })
        .collect()
}

/// Returns the listing of the whole module, all entry points of a library together.
fn listing(bytes: &[u8]) -> Result<Text, Failure> {
    let listing = read(bytes).and_then(|input| {
        disasm::disassemble(&input.module, Some(&input.shader), input.container.as_ref())
    });
    listing
        .map(Text::from)
        .map_err(|error| Failure::from(&error))
}

fn assembly(bytes: &[u8], options: &Options) -> Result<Text, Failure> {
    let output = trellis_dxil::convert(bytes, options).map_err(|error| Failure::from(&error))?;
    let text = disassemble(&output.words).map_err(|error| Failure::from(&error))?;
    Ok(text.into())
}
