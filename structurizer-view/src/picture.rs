//! A placed figure as SVG.

use std::fmt::Write as _;

use trellis_structurizer::tree::Names;
use trellis_structurizer::{Header, Snapshot};

use crate::Error;
use crate::escape::Xml;
use crate::figure::{EdgeKind, Figure, FigureNode};
use crate::layout::{Layout, Route, layout};
use crate::stages::{about, title};
use crate::style::{DARK, LEGEND, LIGHT, Sample};

/// Margin around everything, in pixels.
const MARGIN: f64 = 16.0;
/// The minimum width of a picture, so that its title fits.
const NARROWEST: f64 = 420.0;
/// Height of a line of small text.
const LINE: f64 = 17.0;
/// Top of the graph, below the title and the sentence.
const HEAD: f64 = 30.0;

/// Positions of the parts of a [`Figure`].
#[derive(Clone, Debug)]
pub struct Picture {
    layout: Layout,
}

/// Returns the width and height in pixels that the text of a node needs.
pub(crate) fn node_size(node: &FigureNode) -> (f64, f64) {
    let width = (text_width(&node.name) * 7.4).max(text_width(&node.detail) * 5.7) + 22.0;
    (
        width.max(44.0).ceil(),
        if node.detail.is_empty() { 26.0 } else { 38.0 },
    )
}

/// Counts characters, East Asian scripts and signs twice.
fn text_width(text: &str) -> f64 {
    text.chars()
        .map(|c| if c as u32 >= 0x1100 { 2.0 } else { 1.0 })
        .sum()
}

impl Picture {
    /// Lays a figure out.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and [`Error::Layout`] if no layout is found.
    pub fn of(figure: &Figure) -> Result<Self, Error> {
        let sizes = figure.nodes.values().map(node_size).collect();
        Ok(Self {
            layout: layout(figure, &sizes)?,
        })
    }

    /// Takes the layout from Graphviz: `plain` is the output of `dot -Tplain` for
    /// [`dot_for_layout`](crate::dot_for_layout).
    ///
    /// # Errors
    /// [`Error::Layout`] if `plain` is not in that form.
    pub fn of_plain(figure: &Figure, plain: &str) -> Result<Self, Error> {
        Ok(Self {
            layout: crate::plain::layout(figure, plain)?,
        })
    }

    /// Returns the SVG element of a snapshot's graph, as [`Picture::inline`] does.
    ///
    /// # Errors
    /// The graph is too large, or cannot be laid out.
    pub fn element(snapshot: &Snapshot, names: &dyn Names) -> Result<String, Error> {
        let figure = Figure::with_names(snapshot, names);
        Ok(Self::of(&figure)?.inline(&figure))
    }

    /// Returns the picture as an SVG file, with a title and a legend.
    pub fn svg(&self, figure: &Figure) -> String {
        self.document(figure, true)
    }

    /// Returns the picture as an SVG element without title, style and legend, for a page that has rules
    /// for the classes `tv-…`.
    pub fn inline(&self, figure: &Figure) -> String {
        self.document(figure, false)
    }

    fn document(&self, figure: &Figure, whole: bool) -> String {
        let width = self.layout.width.max(NARROWEST) + 2.0 * MARGIN;
        let mut out = String::new();
        let mut y = MARGIN;
        if whole {
            y += 14.0;
            text(
                &mut out,
                "tv-text tv-title",
                MARGIN,
                y,
                &title(figure.stage),
            );
            for line in wrapped(about(figure.stage), width - 2.0 * MARGIN) {
                y += LINE;
                text(&mut out, "tv-text tv-small", MARGIN, y, &line);
            }
            y += HEAD - 8.0;
        }
        draw(
            &mut out,
            figure,
            &self.layout,
            ((width - self.layout.width) / 2.0, y),
        );
        y += self.layout.height + MARGIN;
        if whole {
            y = legend(&mut out, width, y + 8.0);
        }
        frame(&out, (width, y), whole, &title(figure.stage))
    }
}

/// Draws several placed figures next to each other, each under its own caption, with one legend: an
/// SVG file.
pub fn side_by_side(parts: &[(&str, &Figure, &Picture)]) -> String {
    let columns: Vec<f64> = parts
        .iter()
        .map(|(caption, _, p)| p.layout.width.max(text_width(caption) * 9.2))
        .collect();
    let gaps = MARGIN * 2.5 * (parts.len() as f64 - 1.0).max(0.0);
    let width = (columns.iter().sum::<f64>() + gaps).max(NARROWEST) + 2.0 * MARGIN;
    let mut out = String::new();
    let mut x = (width - columns.iter().sum::<f64>() - gaps) / 2.0;
    let mut bottom = 0.0_f64;
    for ((caption, figure, picture), column) in parts.iter().zip(&columns) {
        text(
            &mut out,
            "tv-text tv-title",
            x + (column - text_width(caption) * 8.6).max(0.0) / 2.0,
            MARGIN + 14.0,
            caption,
        );
        draw(
            &mut out,
            figure,
            &picture.layout,
            (
                x + (column - picture.layout.width) / 2.0,
                MARGIN + HEAD + 2.0,
            ),
        );
        bottom = bottom.max(MARGIN + HEAD + picture.layout.height);
        x += column + MARGIN * 2.5;
    }
    let end = legend(&mut out, width, bottom + MARGIN + 8.0);
    frame(
        &out,
        (width, end),
        true,
        &parts.iter().map(|p| p.0).collect::<Vec<_>>().join(", "),
    )
}

/// Returns the element around a picture's parts.
fn frame(parts: &str, (width, height): (f64, f64), whole: bool, label: &str) -> String {
    let (width, height) = (width.ceil(), height.ceil());
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tv\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n",
        Xml(label)
    );
    if whole {
        let _ = write!(
            out,
            "<style>\n{LIGHT}@media (prefers-color-scheme:dark){{\n{DARK}}}\n</style>\n<rect class=\"tv-bg\" width=\"{width}\" height=\"{height}\"/>\n"
        );
    }
    out.push_str(parts);
    out.push_str("</svg>\n");
    out
}

fn text(out: &mut String, class: &str, x: f64, y: f64, text: &str) {
    let _ = writeln!(
        out,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
        Xml(text)
    );
}

/// Words of small text in lines of at most this width.
fn wrapped(text: &str, width: f64) -> Vec<String> {
    let most = (width / 5.6).max(20.0);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if text_width(line) + text_width(word) < most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Edges, then nodes above them.
fn draw(out: &mut String, figure: &Figure, layout: &Layout, (dx, dy): (f64, f64)) {
    let _ = writeln!(out, "<g transform=\"translate({dx:.1} {dy:.1})\">");
    for (edge, route) in figure.edges.iter().zip(&layout.edges) {
        let up = match (route.first(), route.last()) {
            (Some(first), Some(last)) => first.1 > last.1,
            _ => false,
        };
        let class = match edge.kind {
            EdgeKind::Flow if up => "back",
            EdgeKind::Flow => "flow",
            EdgeKind::Merge => "merge",
            EdgeKind::Continue => "continue",
        };
        curve(out, class, route);
    }
    for (index, node) in figure.nodes.iter() {
        let place = layout.nodes[index];
        let mut class = "tv-node".to_owned();
        class.push_str(match node.header {
            Header::None => "",
            Header::Selection { .. } => " tv-selection",
            Header::Loop { .. } => " tv-loop",
        });
        class.push_str(if node.inserted { " tv-inserted" } else { "" });
        class.push_str(if node.changed { " tv-changed" } else { "" });
        let _ = write!(out, "<g class=\"{class}\" data-node=\"{}\"", index.as_u32());
        if let Some(block) = node.block {
            let _ = write!(out, " data-block=\"{block}\"");
        }
        let (left, top) = (place.x - place.width / 2.0, place.y - place.height / 2.0);
        let _ = writeln!(
            out,
            "><rect class=\"tv-box\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"5\"/>",
            place.width, place.height
        );
        if node.header != Header::None {
            let _ = writeln!(
                out,
                "<rect class=\"tv-bar\" x=\"{left:.1}\" y=\"{:.1}\" width=\"4\" height=\"{:.1}\"/>",
                top + 5.0,
                place.height - 10.0
            );
        }
        if node.changed {
            let _ = writeln!(
                out,
                "<circle class=\"tv-dot\" cx=\"{:.1}\" cy=\"{top:.1}\" r=\"4.5\"/>",
                left + place.width
            );
        }
        let base = if node.detail.is_empty() {
            place.y + 4.0
        } else {
            place.y - 3.0
        };
        text(out, "tv-text tv-name", place.x, base, &node.name);
        if !node.detail.is_empty() {
            text(out, "tv-text tv-detail", place.x, base + 14.0, &node.detail);
        }
        out.push_str("</g>\n");
    }
    out.push_str("</g>\n");
}

/// Draws an edge with its tip.
fn curve(out: &mut String, class: &str, route: &Route) {
    let (Some((first, rest)), Some(&tip)) = (route.split_first(), route.last()) else {
        return;
    };
    // Seen from the tip, where the edge comes from; a control point may lie on the tip.
    let from = route
        .iter()
        .rev()
        .find(|p| (p.0 - tip.0).hypot(p.1 - tip.1) > 1.0)
        .copied()
        .unwrap_or(tip);
    let length = (tip.0 - from.0).hypot(tip.1 - from.1).max(1.0);
    let (ux, uy) = ((tip.0 - from.0) / length, (tip.1 - from.1) / length);
    let _ = write!(
        out,
        "<path class=\"tv-{class}\" d=\"M{:.1} {:.1}",
        first.0, first.1
    );
    let (pieces, _) = rest.as_chunks::<3>();
    for (index, [a, b, end]) in pieces.iter().enumerate() {
        // The line ends inside the tip.
        let end = if index + 1 == pieces.len() {
            (end.0 - ux * 4.0, end.1 - uy * 4.0)
        } else {
            *end
        };
        let _ = write!(
            out,
            "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
            a.0, a.1, b.0, b.1, end.0, end.1
        );
    }
    let (back_x, back_y) = (tip.0 - ux * 7.5, tip.1 - uy * 7.5);
    let (side_x, side_y) = (-uy * 3.2, ux * 3.2);
    let _ = writeln!(
        out,
        "\"/><path class=\"tv-tip-{class}\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/>",
        tip.0,
        tip.1,
        back_x + side_x,
        back_y + side_y,
        back_x - side_x,
        back_y - side_y
    );
}

/// Draws the legend from this height on; returns the height at which it ends.
fn legend(out: &mut String, width: f64, top: f64) -> f64 {
    let (mut x, mut y) = (MARGIN, top);
    for (sample, what) in LEGEND {
        let needed = 34.0 + text_width(what) * 5.8 + 12.0;
        if x + needed > width - MARGIN && x > MARGIN {
            (x, y) = (MARGIN, y + LINE + 3.0);
        }
        match sample {
            Sample::Box(class) => {
                let _ = write!(
                    out,
                    "<g class=\"{class}\"><rect class=\"tv-box\" x=\"{x:.1}\" y=\"{:.1}\" width=\"26\" height=\"13\" rx=\"3\"/>",
                    y - 10.0
                );
                let _ = writeln!(
                    out,
                    "<rect class=\"tv-bar\" x=\"{x:.1}\" y=\"{:.1}\" width=\"4\" height=\"9\"/></g>",
                    y - 8.0
                );
            }
            Sample::Line(class) => curve(
                out,
                class,
                &vec![
                    (x, y - 4.0),
                    (x + 9.0, y - 4.0),
                    (x + 18.0, y - 4.0),
                    (x + 27.0, y - 4.0),
                ],
            ),
        }
        text(out, "tv-text tv-small", x + 32.0, y, what);
        x += needed;
    }
    y + MARGIN
}
