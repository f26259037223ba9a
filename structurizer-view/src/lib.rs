//! Draws the control-flow graph after each stage of the structurizer: SVG and DOT.
//!
//! [`Picture::of`] lays a [`Snapshot`](trellis_structurizer::Snapshot) out; [`Picture::svg`] draws
//! it. [`dot`] writes the same graph for Graphviz.
//! All output is text in memory and deterministic; names of the input are escaped.
//!
//! ```
//! use trellis_structurizer_view::{Figure, Picture};
//! let func = trellis_structurizer::text::parse("a: b c\nb: d\nc: d\nd: ret").unwrap();
//! let trace = trellis_structurizer::trace(func, &trellis_structurizer::Options::default()).unwrap();
//! let figure = Figure::new(&trace.snapshots[0], &|_| None);
//! let svg = Picture::of(&figure).unwrap().svg(&figure);
//! assert!(svg.starts_with("<svg"));
//! ```

mod dot;
mod escape;
mod figure;
mod layout;
mod picture;
mod plain;
mod rank;
mod stages;
mod style;

pub use dot::{dot, dot_for_layout};
pub use figure::{EdgeKind, Figure, FigureEdge, FigureNode, Node};
pub use picture::{Picture, side_by_side};
pub use stages::{about, title};
pub use style::{DARK, LIGHT};

use thiserror::Error;

/// Most nodes, and most nodes plus bends of edges, that are laid out.
pub const MAX_NODES: usize = 2_000;
/// WebAssembly lays out on the caller's stack, which is small.
pub(crate) const MAX_POINTS: usize = if cfg!(target_family = "wasm") {
    4_000
} else {
    20_000
};

/// The reason why there is no picture.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// More than [`MAX_NODES`] nodes, or edges too long to follow.
    #[error("a graph of {nodes} nodes and {edges} edges is too large to draw")]
    TooLarge {
        /// Number of nodes.
        nodes: usize,
        /// Number of edges.
        edges: usize,
    },
    /// The layout failed; the text forms of the graph still work.
    #[error("the graph could not be laid out: {what}")]
    Layout {
        /// The reason.
        what: &'static str,
    },
}
