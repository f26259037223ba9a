//! Continue targets: whether a loop's latch is its continue target, or a fresh block before the
//! back edge.

use super::Context;
use super::tree::Tree;
use crate::analysis::loops::Loop;
use crate::entity::{PackedOption, PrimaryMap};
use crate::ir::Terminator;
use crate::passes::{Node, NodeKind};
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// The continue targets.
#[derive(Debug, Default)]
pub(crate) struct ContinueTargets {
    node: PrimaryMap<Loop, PackedOption<Node>>,
}

impl ContinueTargets {
    /// Chooses the continue targets. Linear in the number of loops.
    pub(super) fn choose(&mut self, cx: Context<'_>, tree: &Tree, remarks: &mut Remarks) {
        let graph = cx.graph;
        self.node.reset(graph.loops().len());
        if !cx.runs(Stage::ContinueTargets) {
            return;
        }
        for l in graph.loops().all() {
            let (latch, header) = (graph.latch(l), graph.header(l));
            if latch == header {
                continue;
            }
            if latch_suits(cx, tree, l) {
                self.node[l] = latch.into();
            }
            if remarks.wanted() {
                let (latch, header) = (graph.name(latch), graph.name(header));
                let (block, decision) = match self.node[l].expand() {
                    Some(_) => (latch, Decision::ContinueTarget { header }),
                    None => (header, Decision::FreshContinueTarget),
                };
                remarks.add(Stage::ContinueTargets, block, decision);
            }
        }
    }
}

/// Returns whether a latch may be its loop's continue target: it ends in the back edge, perhaps
/// with a conditional exit edge, and it has no children in the placement tree.
fn latch_suits(cx: Context<'_>, tree: &Tree, l: Loop) -> bool {
    let graph = cx.graph;
    let latch = graph.latch(l);
    let edges = graph.edges(latch);
    let leaves = |to: Node| {
        to != Node::ENTRY && tree.loop_depth(tree.placed_in(to)) < tree.loop_depth(l.into())
    };
    let ends_well = match graph.kind(latch) {
        NodeKind::Empty => edges.len() == 1,
        NodeKind::Dispatch { .. } | NodeKind::DispatchSwitch => false,
        NodeKind::Block(block) => match cx.func.term(block) {
            Terminator::Branch(_) => true,
            Terminator::CondBranch { .. } => {
                let header = graph.header(l);
                edges.iter().all(|e| e.to == header || leaves(e.to))
            }
            _ => false,
        },
    };
    ends_well && graph.loops().innermost(latch) == l.into() && tree.children(latch).is_empty()
}

impl ContinueTargets {
    /// Returns the node that is a loop's continue target itself; none where a fresh block is.
    pub(crate) fn node(&self, l: Loop) -> Option<Node> {
        self.node[l].expand()
    }
    /// Returns whether a node is the continue target of a loop.
    pub(crate) fn is_target(&self, node: Node, l: Loop) -> bool {
        self.node[l] == node.into()
    }
    /// Returns the nodes that are continue targets.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> {
        self.node.values().filter_map(|node| node.expand())
    }
    /// Returns the loop whose continue target an edge leads to, if it does.
    pub(crate) fn continues(&self, cx: Context<'_>, from: Node, to: Node) -> Option<Loop> {
        let l = cx.graph.loops().innermost(to).expand()?;
        (cx.is_back_edge_of(l, from, to) || self.is_target(to, l)).then_some(l)
    }
}
