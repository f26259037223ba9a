//! The text form of a graph.

use trellis_dxil::structurizer::text::{parse, print_structured};
use trellis_dxil::structurizer::trace;

use crate::answer::{Answer, Failure, Request, TextView};
use crate::dxil::{options, view};
use crate::labels::Labels;
use crate::marks;

/// Computes the page's contents for a graph.
pub(crate) fn explore(text: &str, request: &Request) -> Answer {
    try_explore(text, request).unwrap_or_else(Answer::of_error)
}

/// Returns the graph of a text that has more: files of the structurizer's own tests have the expected
/// result after a line `---`.
pub fn graph_of(text: &str) -> &str {
    text.split_once("\n---\n").map_or(text, |(graph, _)| graph)
}

fn try_explore(text: &str, request: &Request) -> Result<Answer, Failure> {
    let options = options(request)?.structurizer_options();
    let text = graph_of(text);
    let func = parse(text).map_err(|error| Failure::new("read", &error.to_string()))?;
    let labels = Labels::of(text, func.num_blocks());
    let trace =
        trace(func, &options).map_err(|error| Failure::new("structurize", &error.to_string()))?;
    let output = print_structured(&trace.structured);
    Ok(Answer {
        functions: vec![view("", 0, &trace, &labels, request.largest_graph)],
        input: TextView {
            text: text.to_owned(),
            ..TextView::default()
        },
        output: TextView {
            marks: marks::of_labels(&output),
            text: output,
            ..TextView::default()
        },
        ..Answer::default()
    })
}
