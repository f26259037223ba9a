//! A figure for Graphviz.

use std::fmt::Write as _;

use trellis_structurizer::Header;

use crate::escape::Dot;
use crate::figure::{EdgeKind, Figure};
use crate::picture::node_size;
use crate::stages::{about, title};

/// Pixels in an inch, which DOT measures sizes in.
pub(crate) const INCH: f64 = 72.0;

/// Returns the figure in Graphviz's language, to be read and drawn by others.
pub fn dot(figure: &Figure) -> String {
    let mut text = format!(
        "digraph {{\n  label=\"{}\\n{}\" labelloc=t fontname=Helvetica\n",
        title(figure.stage),
        about(figure.stage)
    );
    text.push_str("  node [shape=box style=\"rounded,filled\" fillcolor=white fontname=Helvetica fontsize=11]\n");
    for (index, node) in figure.nodes.iter() {
        let _ = write!(text, "  {index} [label=\"{}", Dot(&node.name));
        if !node.detail.is_empty() {
            let _ = write!(text, "\\n{}", Dot(&node.detail));
        }
        text.push('"');
        let colour = match (node.inserted, node.header) {
            (true, _) => "#ffe0a3",
            (false, Header::Loop { .. }) => "#cfe3ff",
            (false, Header::Selection { .. }) => "#e4ebf3",
            (false, Header::None) => "white",
        };
        let _ = write!(text, " fillcolor=\"{colour}\"");
        if node.changed {
            text.push_str(" penwidth=2.5 color=\"#c2410c\"");
        }
        text.push_str("]\n");
    }
    for edge in &figure.edges {
        let style = match edge.kind {
            EdgeKind::Flow => "",
            EdgeKind::Merge => " [style=dashed color=\"#7c5cbf\" constraint=false]",
            EdgeKind::Continue => " [style=dotted color=\"#0f7b6c\" constraint=false]",
        };
        let _ = writeln!(text, "  {} -> {}{style}", edge.from, edge.to);
    }
    text.push_str("}\n");
    text
}

/// Returns the figure without text but with the sizes of its nodes: the input from which
/// `dot -Tplain` makes the layout for [`Picture::of_plain`](crate::Picture::of_plain).
pub fn dot_for_layout(figure: &Figure) -> String {
    let mut text =
        "digraph {\n  ranksep=0.5 nodesep=0.25\n  node [shape=box label=\"\" fixedsize=true]\n"
            .to_owned();
    for (index, node) in figure.nodes.iter() {
        let (width, height) = node_size(node);
        let _ = writeln!(
            text,
            "  {index} [width={:.3} height={:.3}]",
            width / INCH,
            height / INCH
        );
    }
    for edge in &figure.edges {
        let _ = writeln!(text, "  {} -> {}", edge.from, edge.to);
    }
    text.push_str("}\n");
    text
}
