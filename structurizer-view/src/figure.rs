//! The contents of a picture: nodes with their text, and edges by kind.

use std::borrow::Cow;

use trellis_structurizer::ir::Block;
use trellis_structurizer::tree::Names;
use trellis_structurizer::{Header, Snapshot, Stage};

use crate::escape::shortened;

/// Longest line of text in a node, in characters.
const LONGEST: usize = 28;

/// A graph to draw.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The stage whose result it is; `None` for the input.
    pub stage: Option<Stage>,
    /// The nodes; the first is the entry.
    pub nodes: Vec<FigureNode>,
    /// The edges. Those of control flow come first, sorted by their source.
    pub edges: Vec<FigureEdge>,
}

/// A node of a [`Figure`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FigureNode {
    /// The block, if it has one.
    pub block: Option<Block>,
    /// Its name: the first line.
    pub name: String,
    /// Its contents: the second line; empty for none.
    pub detail: String,
    /// True if the structurizer inserted it.
    pub inserted: bool,
    /// True if the stage has a remark about it.
    pub changed: bool,
    /// Of what it is the header.
    pub header: Header,
}

/// An edge of a [`Figure`], between indices of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FigureEdge {
    /// Its source.
    pub from: u32,
    /// Its target.
    pub to: u32,
    /// Its kind.
    pub kind: EdgeKind,
}

/// The kind of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeKind {
    /// Control may go this way.
    Flow,
    /// From a header to its merge block.
    Merge,
    /// From a loop header to its continue target.
    Continue,
}

impl Figure {
    /// As [`Figure::new`], with the names of what was structurized.
    pub fn with_names(snapshot: &Snapshot, names: &dyn Names) -> Self {
        Self::new(snapshot, &|block| names.block(block).map(Cow::into_owned))
    }

    /// Returns the graph of a snapshot. `name` returns the input's name of a block; it is shown
    /// next to the structurizer's number.
    pub fn new(snapshot: &Snapshot, name: &dyn Fn(Block) -> Option<String>) -> Self {
        let count = snapshot.nodes.len() as u32;
        let nodes = snapshot.nodes.iter().map(|node| {
            let mut parts: Vec<String> = node.block.and_then(name).into_iter().collect();
            parts.extend(counted(node.phis, "phi"));
            parts.extend(counted(node.insts, "inst"));
            FigureNode {
                block: node.block,
                name: shortened(&node.name, LONGEST),
                detail: shortened(&parts.join(" · "), LONGEST),
                inserted: node.inserted,
                changed: node.changed,
                header: node.header,
            }
        });
        let mut edges = Vec::new();
        for (from, node) in snapshot.nodes.iter().enumerate() {
            let edge = |&to: &u32| FigureEdge {
                from: from as u32,
                to,
                kind: EdgeKind::Flow,
            };
            edges.extend(node.successors.iter().map(edge));
        }
        for (from, node) in snapshot.nodes.iter().enumerate() {
            let mut add = |to, kind| {
                edges.push(FigureEdge {
                    from: from as u32,
                    to,
                    kind,
                });
            };
            match node.header {
                Header::None => {}
                Header::Selection { merge } => add(merge, EdgeKind::Merge),
                Header::Loop {
                    merge,
                    continue_target,
                } => {
                    // A loop of one block continues with itself.
                    if let Some(target) = continue_target.filter(|&target| target as usize != from)
                    {
                        add(target, EdgeKind::Continue);
                    }
                    if let Some(merge) = merge {
                        add(merge, EdgeKind::Merge);
                    }
                }
            }
        }
        edges.retain(|edge| edge.from < count && edge.to < count);
        Self {
            stage: snapshot.stage,
            nodes: nodes.collect(),
            edges,
        }
    }
}

/// Returns `3 insts`, or `None` for none.
fn counted(count: u32, what: &str) -> Option<String> {
    (count > 0).then(|| format!("{count} {what}{}", if count == 1 { "" } else { "s" }))
}
