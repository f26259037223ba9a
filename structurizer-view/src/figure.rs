//! The contents of a picture: nodes with their text, and edges by kind.

use std::borrow::Cow;

use trellis_entity::{PrimaryMap, entity_impl};
use trellis_structurizer::ir::Block;
use trellis_structurizer::tree::Names;
use trellis_structurizer::{Header, Snapshot, Stage};

use crate::escape::shortened;

/// Longest line of text in a node, in characters.
const LONGEST: usize = 28;

/// A node of a [`Figure`]; in its layout a bend of an edge, too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);
entity_impl!(Node, "n");

/// A graph to draw.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The stage whose result it is; `None` for the input.
    pub stage: Option<Stage>,
    /// The nodes; the first is the entry.
    pub nodes: PrimaryMap<Node, FigureNode>,
    /// The edges. Those of control flow come first, sorted by their source.
    pub edges: Vec<FigureEdge>,
}

/// The contents of a node.
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
    /// The construct that it is the header of.
    pub header: Header,
}

/// An edge of a [`Figure`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FigureEdge {
    /// Its source.
    pub from: Node,
    /// Its target.
    pub to: Node,
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
    /// As [`Figure::new`], with the names in the function that was structurized.
    pub fn with_names(snapshot: &Snapshot, names: &dyn Names) -> Self {
        Self::new(snapshot, &|block| names.block(block).map(Cow::into_owned))
    }

    /// Returns the graph of a snapshot. `name` returns the input's name of a block; it is shown
    /// next to the structurizer's number.
    pub fn new(snapshot: &Snapshot, name: &dyn Fn(Block) -> Option<String>) -> Self {
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
        let nodes: PrimaryMap<Node, FigureNode> = nodes.collect();
        let mut edges = Vec::new();
        let mut add = |from, to, kind| {
            let to = Node::from_u32(to);
            if nodes.is_valid(to) {
                edges.push(FigureEdge { from, to, kind });
            }
        };
        for (from, node) in nodes.keys().zip(&snapshot.nodes) {
            for &to in &node.successors {
                add(from, to, EdgeKind::Flow);
            }
        }
        for (from, node) in nodes.iter() {
            match node.header {
                Header::None => {}
                Header::Selection { merge } => add(from, merge, EdgeKind::Merge),
                Header::Loop {
                    merge,
                    continue_target,
                } => {
                    // A loop of one block continues with itself.
                    if let Some(target) = continue_target.filter(|&target| target != from.as_u32())
                    {
                        add(from, target, EdgeKind::Continue);
                    }
                    if let Some(merge) = merge {
                        add(from, merge, EdgeKind::Merge);
                    }
                }
            }
        }
        Self {
            stage: snapshot.stage,
            nodes,
            edges,
        }
    }
}

/// Returns `3 insts`, or `None` for none.
fn counted(count: u32, what: &str) -> Option<String> {
    (count > 0).then(|| format!("{count} {what}{}", if count == 1 { "" } else { "s" }))
}
