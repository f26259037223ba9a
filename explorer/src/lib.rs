//! Computes the explorer's contents for a shader: the graph after each stage of the structurizer,
//! the pseudo-code, the listing of the DXIL and the assembly of the SPIR-V, with the lines of each
//! block.
//!
//! [`explore`] computes an [`Answer`] for a [`Request`]; [`answer_bytes`] does so for a request as
//! bytes, as the page sends it. The page runs this crate as WebAssembly, or sends requests to
//! `trellis serve`: the program `trellis-explorer` is one call of [`answer_bytes`] between standard
//! input and output, and is compiled for WASI. [`page()`] makes the page.
//!
//! ```
//! use trellis_explorer::{Request, explore};
//!
//! let answer = explore(b"a: b c\nb: d\nc: d\nd: ret\n", &Request::default());
//! assert!(answer.error.is_none());
//! let steps = &answer.functions[0].steps;
//! assert!(steps[0].svg.starts_with("<svg"));
//! ```

mod answer;
mod dxil;
mod graph;
mod labels;
mod marks;
pub mod page;
mod sources;
mod spdb;
mod spirv;

pub use answer::{
    Answer, Failure, FunctionView, RemarkView, Request, SourceView, StepView, TextView,
};
pub use graph::graph_of;
pub use labels::Labels;
pub use page::page;

use trellis_dxil::Options;
use trellis_dxil::frontend::is_dxil;

/// Computes the page's contents for a shader, or for the text form of a graph.
///
/// An input that cannot be read, or not be converted, has an [`Answer::error`]; the parts that
/// could be computed before are there nevertheless.
pub fn explore(bytes: &[u8], request: &Request) -> Answer {
    if bytes.is_empty() {
        return Answer::of_error(Failure::new("read", "the file is empty"));
    }
    if let Some(words) = spirv::words(bytes) {
        return spirv::explore(&words);
    }
    if is_dxil(bytes) {
        if request.words {
            return dxil::convert(bytes, request);
        }
        return dxil::explore(bytes, dxil::options(request), request.largest_graph);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => graph::explore(text, request),
        _ => Answer::of_error(Failure::new(
            "read",
            "neither a shader (DXIL, DXBC, SPIR-V) nor the text form of a graph",
        )),
    }
}

/// Computes the page's contents for DXIL that is converted with these options. Graphs of more than
/// `largest_graph` blocks are not drawn.
pub fn explore_with(bytes: &[u8], options: Options, largest_graph: usize) -> Answer {
    dxil::explore(bytes, Ok(options), largest_graph)
}

/// Answers a request in the form in which the page sends it: a line of JSON, the [`Request`], and after
/// the line break the bytes of the input. The answer is JSON.
pub fn answer_bytes(request: &[u8]) -> Vec<u8> {
    let end = request.iter().position(|&byte| byte == b'\n');
    let (line, bytes) = match end {
        Some(end) => (&request[..end], &request[end + 1..]),
        None => (request, &[][..]),
    };
    let answer = match serde_json::from_slice::<Request>(line) {
        Ok(request) => explore(bytes, &request),
        Err(error) => Answer::of_error(Failure::new("request", &error.to_string())),
    };
    answer.json()
}
