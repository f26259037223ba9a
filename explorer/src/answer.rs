//! Requests of the page and answers to it, in JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use trellis_dxil::structurizer::tree::{Names, Pretty};
use trellis_dxil::structurizer::{Snapshot, Trace, Tree};
use trellis_structurizer_view::{MAX_NODES, about};

use crate::marks::{self, Mark};

/// The parts of an input to show.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Request {
    /// The entry point; `None` for the first.
    pub entry: Option<String>,
    /// Options, in the form of `trellis convert --options`; `null` for the defaults.
    pub options: Value,
    /// Most blocks of a graph that is drawn.
    pub largest_graph: usize,
    /// Whether the answer is the SPIR-V alone, as words.
    pub words: bool,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            entry: None,
            options: Value::Null,
            largest_graph: MAX_NODES,
            words: false,
        }
    }
}

/// The contents of the page for an input.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Answer {
    /// The entry points of a shader, in the module's order.
    pub entries: Vec<EntryView>,
    /// Index of the entry point that is shown.
    pub entry: usize,
    /// The functions of the entry point, callers first; one of a graph.
    pub functions: Vec<FunctionView>,
    /// Why there are no functions; the output may be there nevertheless.
    pub no_functions: Option<String>,
    /// The listing of the DXIL; of a graph, its text.
    pub input: TextView,
    /// The assembly of DXBC, which the DXIL was translated from.
    pub assembly: Option<TextView>,
    /// The entry point as HLSL.
    pub hlsl: Option<TextView>,
    /// The SPIR-V as assembly; of a graph, the text of the structured function.
    pub output: TextView,
    /// The source files that the compiler embedded.
    pub sources: Vec<SourceView>,
    /// The SPIR-V, little-endian words in base64, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Bytes of the output; 0 if there is none, and of a graph.
    pub output_bytes: usize,
    /// Why there is no output, or nothing at all.
    pub error: Option<Failure>,
}

impl Answer {
    /// Returns an answer that is an error alone.
    pub fn of_error(error: Failure) -> Self {
        Self {
            error: Some(error),
            ..Self::default()
        }
    }

    /// Returns the answer as JSON.
    pub fn json(&self) -> Vec<u8> {
        // Maps have strings as keys, and no part of an answer fails to serialize.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Truncates each text after `most` bytes.
    pub fn shorten(&mut self, most: usize) {
        let pseudo_code = self.functions.iter_mut().map(|view| &mut view.pseudo_code);
        let sources = self.sources.iter_mut().map(|source| &mut source.text);
        let texts = [&mut self.input, &mut self.output].into_iter();
        let texts = texts.chain(&mut self.assembly).chain(&mut self.hlsl);
        for view in texts.chain(pseudo_code).chain(sources) {
            let end = view.text.floor_char_boundary(most);
            view.cut = view.text.len() - end;
            view.text.truncate(end);
        }
    }
}

/// An entry point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EntryView {
    /// Its name.
    pub name: String,
    /// Its stage, such as `compute`.
    pub stage: &'static str,
}

/// A function, and how it was structurized.
#[derive(Clone, Debug, Serialize)]
pub struct FunctionView {
    /// Its name; empty for a graph.
    pub name: String,
    /// The input, and the graph after each stage that changed it.
    pub steps: Vec<StepView>,
    /// The result as pseudo-code.
    pub pseudo_code: TextView,
}

impl FunctionView {
    /// Returns the view of the function with this number. `draw` returns the picture of the graph after a stage,
    /// or the reason why there is none.
    pub fn of(
        name: &str,
        number: usize,
        trace: &Trace,
        names: &dyn Names,
        mut draw: impl FnMut(&Snapshot) -> Result<String, String>,
    ) -> Self {
        let steps = trace.snapshots.iter().map(|snapshot| {
            let (svg, not_drawn) = match draw(snapshot) {
                Ok(svg) => (svg, None),
                Err(why) => (String::new(), Some(why)),
            };
            let remarks = snapshot.remarks.iter().map(|remark| RemarkView {
                block: remark.block.to_string(),
                name: names.block(remark.block).map(Into::into),
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
        let pretty = Pretty::of(&tree).names(names).instructions(true);
        let text = pretty.to_string();
        Self {
            name: name.to_owned(),
            steps: steps.collect(),
            pseudo_code: TextView {
                marks: marks::of_pseudo_code(&text, number),
                text,
                ..TextView::default()
            },
        }
    }
}

/// The graph after a stage.
#[derive(Clone, Debug, Serialize)]
pub struct StepView {
    /// The stage's name; `input` for the input.
    pub stage: &'static str,
    /// One sentence that describes the stage.
    pub about: &'static str,
    /// The picture, an element of SVG; empty if there is none.
    pub svg: String,
    /// Why there is no picture.
    pub not_drawn: Option<String>,
    /// Decisions since the step before.
    pub remarks: Vec<RemarkView>,
}

/// A decision of the structurizer.
#[derive(Clone, Debug, Serialize)]
pub struct RemarkView {
    /// The block that it is about.
    pub block: String,
    /// The input's name of the block.
    pub name: Option<String>,
    /// The decision and its reason.
    pub text: String,
}

/// A text, and the lines of each block.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TextView {
    /// The text.
    pub text: String,
    /// Where blocks begin, in the order of lines.
    pub marks: Vec<Mark>,
    /// Lines, and the number of a `DILocation` in the listing that each is of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<(usize, u32)>,
    /// Lines of assembly, and the index and the line of the source file that each is of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source_lines: Vec<(usize, usize, u32)>,
    /// Bytes that were cut off.
    pub cut: usize,
}

/// A source file.
#[derive(Clone, Debug, Serialize)]
pub struct SourceView {
    /// Its name.
    pub name: String,
    /// Its text.
    #[serde(flatten)]
    pub text: TextView,
}

/// Why something is missing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Failure {
    /// The sort of error, as in the report of a batch.
    pub kind: String,
    /// The message.
    pub message: String,
}

impl Failure {
    /// Returns a failure of a sort.
    pub fn new(kind: &str, message: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            message: message.to_owned(),
        }
    }
}

impl From<&trellis_dxil::Error> for Failure {
    fn from(error: &trellis_dxil::Error) -> Self {
        Self::new(error.kind().name(), &error.to_string())
    }
}
