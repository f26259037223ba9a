//! The graph after each stage, for pictures: [`trace`] does what
//! [`structurize`](crate::structurize) does and keeps what it saw on the way.

use crate::canonicalize::{Graph, NodeKind};
use crate::ir::{Block, Function};
use crate::result::{Error, Merge, Options, Structured};
use crate::stage::{Remark, Stage};

/// The graph after a stage.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The stage; `None` for the input.
    pub stage: Option<Stage>,
    /// The blocks; the first is the entry. Those that no path reaches are left out.
    pub nodes: Vec<SnapshotNode>,
    /// What the stage decided.
    pub remarks: Vec<Remark>,
}

/// A block of a [`Snapshot`].
#[derive(Clone, Debug)]
pub struct SnapshotNode {
    /// What to call it: the block's name, or what an inserted one is for.
    pub name: String,
    /// The block, if it has one already: those that stage 0 inserts get theirs later.
    pub block: Option<Block>,
    /// Whether the structurizer made it.
    pub inserted: bool,
    /// Whether the stage has a remark about it.
    pub changed: bool,
    /// How many phis it has.
    pub phis: u32,
    /// How many instructions it has.
    pub insts: u32,
    /// Distinct successors, as indices of nodes.
    pub successors: Vec<u32>,
    /// What it is the header of.
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

/// A structured function and how it came about.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The input, and the graph after each stage that decided something, in the order in which they
    /// run.
    pub snapshots: Vec<Snapshot>,
    /// The result, with remarks.
    pub structured: Structured,
}

/// Structurizes a function and keeps the graph after each stage. Costs a copy of the graph a stage:
/// for people who look, not for batches.
///
/// # Errors
/// Those of [`structurize`](crate::structurize).
pub fn trace(func: Function, options: &Options) -> Result<Trace, Error> {
    let options = Options {
        remarks: true,
        ..options.clone()
    };
    let mut snapshots = Vec::new();
    let structured = crate::run(func, &options, Some(&mut snapshots))?;
    let result = of_structured(&structured);
    for stage in [Stage::Constructs, Stage::Phis] {
        let mut snapshot = result.clone();
        snapshot.stage = Some(stage);
        if stage == Stage::Constructs {
            // Phis come last.
            for node in snapshot.nodes.iter_mut().filter(|n| n.inserted) {
                node.phis = 0;
            }
        }
        snapshots.push(snapshot);
    }
    let mut kept = Vec::new();
    for mut snapshot in snapshots {
        snapshot.remarks = structured
            .report
            .remarks
            .iter()
            .copied()
            .filter(|r| Some(r.stage) == snapshot.stage)
            .collect();
        for node in &mut snapshot.nodes {
            node.changed = node
                .block
                .is_some_and(|block| snapshot.remarks.iter().any(|r| r.block == block));
        }
        if !snapshot.remarks.is_empty() || matches!(snapshot.stage, None | Some(Stage::Constructs))
        {
            kept.push(snapshot);
        }
    }
    Ok(Trace {
        snapshots: kept,
        structured,
    })
}

/// The graph of a function.
pub(crate) fn of_function(func: &Function, stage: Option<Stage>, originals: usize) -> Snapshot {
    let mut order: Vec<Block> = vec![Block::from_u32(0)];
    let mut number = vec![u32::MAX; func.num_blocks()];
    number[0] = 0;
    let mut next = 0;
    while let Some(&block) = order.get(next) {
        next += 1;
        for to in func.successors(block) {
            let slot = &mut number[to.as_u32() as usize];
            if *slot == u32::MAX {
                *slot = order.len() as u32;
                order.push(to);
            }
        }
    }
    let nodes = order
        .iter()
        .map(|&b| node(func, b, originals, |to| number[to.as_u32() as usize]))
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
    number: impl Fn(Block) -> u32,
) -> SnapshotNode {
    let mut successors: Vec<u32> = Vec::new();
    for to in func.successors(block).map(number) {
        if !successors.contains(&to) {
            successors.push(to);
        }
    }
    SnapshotNode {
        name: block.to_string(),
        block: Some(block),
        inserted: block.as_u32() as usize >= originals,
        changed: false,
        phis: func.phis(block).count() as u32,
        insts: func.insts(block).count() as u32,
        successors,
        header: Header::None,
    }
}

/// The canonical graph.
pub(crate) fn of_graph(func: &Function, graph: &Graph, stage: Stage) -> Snapshot {
    let mut nodes: Vec<SnapshotNode> = Vec::with_capacity(graph.len());
    for n in 0..graph.len() as u32 {
        let successors = graph.edges(n).iter().map(|e| e.to).collect();
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
        let made = match graph.kinds[n as usize] {
            NodeKind::Block(block) => node(func, block, func.num_blocks(), |to| {
                graph.node_of[to.as_u32() as usize]
            }),
            NodeKind::Empty if n == 0 => inserted("entry"),
            NodeKind::Empty => inserted("latch"),
            NodeKind::Dispatch { .. } => inserted("dispatch"),
        };
        nodes.push(SnapshotNode { successors, ..made });
    }
    for (l, &header) in graph.loops.headers.iter().enumerate() {
        nodes[header as usize].header = Header::Loop {
            merge: None,
            continue_target: Some(graph.latch[l]),
        };
    }
    Snapshot {
        stage: Some(stage),
        nodes,
        remarks: Vec::new(),
    }
}

fn of_structured(structured: &Structured) -> Snapshot {
    let func = &structured.func;
    let mut number = vec![u32::MAX; func.num_blocks()];
    for (i, &block) in structured.order.iter().enumerate() {
        number[block.as_u32() as usize] = i as u32;
    }
    let at = |block: Block| number[block.as_u32() as usize];
    let originals = func.num_blocks() - structured.report.blocks as usize;
    let one = |&block: &Block| {
        let header = match structured.merges[block] {
            Merge::None => Header::None,
            Merge::Selection { merge, .. } => Header::Selection { merge: at(merge) },
            Merge::Loop {
                merge,
                continue_target,
                ..
            } => Header::Loop {
                merge: Some(at(merge)),
                continue_target: Some(at(continue_target)),
            },
        };
        SnapshotNode {
            header,
            ..node(func, block, originals, at)
        }
    };
    Snapshot {
        stage: None,
        nodes: structured.order.iter().map(one).collect(),
        remarks: Vec::new(),
    }
}
