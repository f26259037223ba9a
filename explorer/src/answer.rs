//! What the page asks, and what it gets, as they are in JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::marks::Mark;

/// What to show of an input.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Request {
    /// The entry point; `None` for the first.
    pub entry: Option<String>,
    /// Options, in the form of `trellis convert --options`; `null` for the defaults.
    pub options: Value,
    /// True to leave the pictures out.
    pub without_pictures: bool,
}

/// What the page shows of an input.
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
    /// The SPIR-V as assembly; of a graph, the text of the structured function.
    pub output: TextView,
    /// Bytes of the output; 0 if there is none, and of a graph.
    pub output_bytes: usize,
    /// Why there is no output, or nothing at all.
    pub error: Option<Failure>,
}

impl Answer {
    pub(crate) fn of_error(error: Failure) -> Self {
        Self {
            error: Some(error),
            ..Self::default()
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

/// The graph after a stage.
#[derive(Clone, Debug, Serialize)]
pub struct StepView {
    /// The stage's name; `input` for the input.
    pub stage: &'static str,
    /// One sentence on what the stage does.
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
    /// What was decided and why.
    pub text: String,
}

/// A text, and the lines of each block.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TextView {
    /// The text.
    pub text: String,
    /// Where blocks begin, in the order of lines.
    pub marks: Vec<Mark>,
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
    pub(crate) fn new(kind: &str, message: &str) -> Self {
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
