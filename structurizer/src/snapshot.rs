//! The graph after each stage that changed it, for pictures.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::analysis::FlowGraph;
use crate::entity::{EntityRef, PrimaryMap};
use crate::ir::{Block, Function};
use crate::maps::FxHashSet;
use crate::passes::{Graph, Node, NodeKind};
use crate::remark::Remark;
use crate::result::{Merge, Structured};
use crate::stage::Stage;

/// The graph after a stage that changed it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Snapshot {
    /// The stage; `None` for the input.
    pub stage: Option<Stage>,
    /// The reachable blocks; the first is the entry.
    pub nodes: Vec<SnapshotNode>,
    /// The decisions since the snapshot before: by this stage, and by those before it that
    /// change the plan and no graph.
    pub remarks: Vec<Remark>,
}

/// A block of a [`Snapshot`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SnapshotNode {
    /// The label: the block's name, or the purpose of an inserted one.
    pub name: String,
    /// The block, if it has one already: nodes that passes insert get one later.
    pub block: Option<Block>,
    /// True if the structurizer inserted it.
    pub inserted: bool,
    /// True if a remark of the snapshot is about it.
    pub changed: bool,
    /// Number of phis.
    pub phis: u32,
    /// Number of instructions.
    pub insts: u32,
    /// Distinct successors, as indices of nodes.
    pub successors: Vec<u32>,
    /// The construct that it is the header of.
    pub header: Header,
}

/// Merge instruction of a [`SnapshotNode`], with indices of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Header {
    /// None.
    #[default]
    None,
    /// Of a selection.
    Selection {
        /// The merge block.
        merge: u32,
    },
    /// Of a loop. Before the constructs are made, neither block is known.
    Loop {
        /// The merge block.
        merge: Option<u32>,
        /// The continue target, or the latch.
        continue_target: Option<u32>,
    },
}

/// The snapshots of a run; nothing is kept if there is no list.
pub(crate) struct Snapshots<'a> {
    list: Option<&'a mut Vec<Snapshot>>,
    /// Number of blocks of the input.
    input_blocks: usize,
}

impl<'a> Snapshots<'a> {
    /// Adds the snapshots of a run on a function to a list, if there is one.
    pub(crate) fn new(list: Option<&'a mut Vec<Snapshot>>, func: &Function) -> Self {
        Self {
            list,
            input_blocks: func.num_blocks(),
        }
    }
    /// Adds a snapshot if its graph differs from the last one's.
    pub(crate) fn add(&mut self, snapshot: impl FnOnce() -> Snapshot) {
        let Some(list) = &mut self.list else { return };
        let mut snapshot = snapshot();
        for node in &mut snapshot.nodes {
            // Passes add blocks to the function.
            let is_added = |block: Block| block.index() >= self.input_blocks;
            node.inserted |= node.block.is_some_and(is_added);
        }
        if list.last().is_none_or(|last| !last.has_graph_of(&snapshot)) {
            list.push(snapshot);
        }
    }
}

impl Snapshot {
    /// Returns whether two snapshots show the same blocks and edges.
    fn has_graph_of(&self, other: &Self) -> bool {
        let same = |(a, b): (&SnapshotNode, &SnapshotNode)| {
            a.block == b.block
                && a.name == b.name
                && a.successors == b.successors
                && (a.phis, a.insts) == (b.phis, b.insts)
        };
        self.nodes.len() == other.nodes.len() && self.nodes.iter().zip(&other.nodes).all(same)
    }
}

/// Returns the graph of a function, without unreachable blocks.
pub(crate) fn of_function(func: &Function, stage: Option<Stage>) -> Snapshot {
    let order: Vec<Block> = FlowGraph::of(func).reverse_post_order().collect();
    let mut number: PrimaryMap<Block, Option<u32>> = PrimaryMap::with_len(func.num_blocks());
    for (i, &block) in order.iter().enumerate() {
        number[block] = Some(i as u32);
    }
    let nodes = order
        .iter()
        .map(|&b| node(func, b, func.num_blocks(), |to| number[to]))
        .collect();
    Snapshot {
        stage,
        nodes,
        remarks: Vec::new(),
    }
}

fn node(
    func: &Function,
    block: Block,
    originals: usize,
    number: impl Fn(Block) -> Option<u32>,
) -> SnapshotNode {
    let mut seen = FxHashSet::default();
    let successors = func.successors(block).filter_map(number);
    let successors = successors.filter(|&to| seen.insert(to)).collect();
    SnapshotNode {
        name: block.to_string(),
        block: Some(block),
        inserted: block.index() >= originals,
        changed: false,
        phis: func.phis(block).count() as u32,
        insts: func
            .insts(block)
            .fold(0, |sum: u32, inst| sum.saturating_add(func.size(inst))),
        successors,
        header: Header::None,
    }
}

/// Returns the graph that the passes make.
pub(crate) fn of_graph(func: &Function, graph: &Graph, stage: Stage) -> Snapshot {
    let inserted = |name: &str| SnapshotNode {
        name: name.to_owned(),
        block: None,
        inserted: true,
        changed: false,
        phis: 0,
        insts: 0,
        successors: Vec::new(),
        header: Header::None,
    };
    let made = |n: Node| {
        let made = match graph.kind(n) {
            NodeKind::Block(block) => node(func, block, func.num_blocks(), |_| None),
            NodeKind::Empty if n == Node::ENTRY => inserted("entry"),
            NodeKind::Empty if graph.loop_headed_by(n).is_some() => inserted("header"),
            NodeKind::Empty => inserted("latch"),
            NodeKind::Dispatch { .. } | NodeKind::DispatchSwitch => inserted("dispatch"),
        };
        let header = graph.loop_headed_by(n).map(|l| Header::Loop {
            merge: None,
            continue_target: Some(graph.latch(l).as_u32()),
        });
        SnapshotNode {
            successors: graph.edges(n).iter().map(|e| e.to.as_u32()).collect(),
            header: header.unwrap_or_default(),
            ..made
        }
    };
    Snapshot {
        stage: Some(stage),
        nodes: graph.nodes().map(made).collect(),
        remarks: Vec::new(),
    }
}

/// Returns the graph of a result.
pub(crate) fn of_structured(structured: &Structured) -> Snapshot {
    let func = &structured.func;
    let mut number: PrimaryMap<Block, Option<u32>> = PrimaryMap::with_len(func.num_blocks());
    for (i, &block) in structured.order.iter().enumerate() {
        number[block] = Some(i as u32);
    }
    let originals = func.num_blocks() - structured.report.blocks as usize;
    let one = |&block: &Block| {
        let header = match structured.merges[block] {
            Merge::None => Header::None,
            Merge::Selection { merge, .. } => {
                number[merge].map_or(Header::None, |merge| Header::Selection { merge })
            }
            Merge::Loop {
                merge,
                continue_target,
                ..
            } => Header::Loop {
                merge: number[merge],
                continue_target: number[continue_target],
            },
        };
        SnapshotNode {
            header,
            ..node(func, block, originals, |to| number[to])
        }
    };
    Snapshot {
        stage: None,
        nodes: structured.order.iter().map(one).collect(),
        remarks: Vec::new(),
    }
}
