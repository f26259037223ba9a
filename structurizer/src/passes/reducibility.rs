//! Reducibility: a graph in which every cycle is a loop with one header and one back edge.
//!
//! * An irreducible loop (Havlak's forest) gets a dispatch header ([`dispatch`]).
//! * Several back edges to one header share a latch. If only one of them is ever taken, and the
//!   other edges of its block leave the loop, the others lead to that block.
//!
//! The cost is linear but for the analyses of the new graph. Postcondition: reducible; each loop
//! has exactly one back edge.

use super::dispatch::{self, Form};
use super::graph::{Edit, Graph, Node, NodeKind};
use crate::analysis::loops::Loop;
use crate::ir::{Function, Terminator};
use crate::remark::{Decision, Remarks};
use crate::result::Options;
use crate::stage::Stage;

/// Maximum number of rounds. Dispatch headers and latches do not change which loops exist, so one
/// round is enough; if it were not, an error of a later stage is better than an endless loop.
const MAX_ROUNDS: u32 = 4;

/// Makes the graph reducible, with one back edge per loop.
pub(crate) fn run(
    graph: &mut Graph,
    edit: &mut Edit,
    func: &Function,
    options: &Options,
    remarks: &mut Remarks,
) {
    remark(func, graph, remarks);
    let form = if options.max_continue_switches == 0 || !options.target.break_leaves_switches {
        Form::Tree
    } else {
        Form::Switch
    };
    for _ in 0..MAX_ROUNDS {
        if !graph.loops().any_irreducible() && graph.loops().all().all(|l| graph.back_edges(l) <= 1)
        {
            break;
        }
        make_regular(graph, edit, func, form, remarks);
    }
}

/// Records the changes of [`Graph::compute`]: removed unreachable blocks, and a new entry block.
/// Blocks with a remark were removed by a pass before.
fn remark(func: &Function, graph: &Graph, remarks: &mut Remarks) {
    if !remarks.wanted() {
        return;
    }
    let removed = remarks.blocks();
    for block in func.blocks() {
        if graph.node_of(block).is_none() && removed.binary_search(&block).is_err() {
            remarks.add(Stage::Reducibility, block, Decision::Unreachable);
        }
    }
    if graph.kind(Node::ENTRY) == NodeKind::Empty {
        let entry = graph.name(Node::ENTRY);
        remarks.add(Stage::Reducibility, entry, Decision::EntrySplit);
    }
}

/// Adds dispatch headers for irreducible loops, and one latch for each loop that has several back
/// edges.
fn make_regular(
    graph: &mut Graph,
    edit: &mut Edit,
    func: &Function,
    form: Form,
    remarks: &mut Remarks,
) {
    edit.start(graph);
    edit.headers.reset(graph.loops().len());
    let mut made = graph.dispatch_headers;
    if graph.loops().any_irreducible() {
        made += dispatch::run(graph, edit, form, remarks);
    }
    for l in graph.loops().all() {
        let count = graph.back_edges(l);
        if count < 2 {
            continue;
        }
        let header = graph.header(l);
        let own = own_latch(graph, func, l);
        let latch = own.unwrap_or_else(|| edit.add_node(NodeKind::Empty));
        if own.is_none() && remarks.wanted() {
            remarks.add(
                Stage::Reducibility,
                graph.name(header),
                Decision::SharedLatch { back_edges: count },
            );
        }
        // Whatever they lead to by now, the edges that were back edges lead to the latch.
        for &p in graph.preds(header) {
            if Node::is_back_edge(p, header) && own != Some(p) {
                for (edge, was) in edit.edges_mut(p).iter_mut().zip(graph.edges(p)) {
                    if was.to == header {
                        edge.to = latch;
                    }
                }
            }
        }
        if own.is_none() {
            let first = edit.headers[l].expand().unwrap_or(header);
            edit.add_edge(latch, first);
        }
    }
    edit.apply(graph, made);
}

/// Returns the only node of a reducible loop whose back edge is taken, if its other edges leave the
/// loop, and no other node with a back edge leads to it already.
fn own_latch(graph: &Graph, func: &Function, l: Loop) -> Option<Node> {
    let header = graph.header(l);
    // The first edge of a `BreakBranch` is taken, the second one is not.
    let is_taken = |&p: &Node| {
        let is_break = graph
            .block(p)
            .is_some_and(|block| matches!(func.term(block), Terminator::BreakBranch { .. }));
        let count = if is_break { 1 } else { usize::MAX };
        let mut taken = graph.edges(p).iter().take(count);
        Node::is_back_edge(p, header) && taken.any(|edge| edge.to == header)
    };
    let preds = graph.preds(header).iter().copied();
    let mut latches = preds.clone().filter(is_taken);
    let latch = latches.next()?;
    let loops = graph.loops();
    let leaves = |to: Node| {
        let innermost = loops.innermost(to);
        innermost != l.into() && loops.depth_of(innermost) <= loops.depth_of(l.into())
    };
    let is_own = latches.next().is_none()
        && latch != header
        && graph
            .edges(latch)
            .iter()
            .all(|e| e.to == header || leaves(e.to))
        && !loops.is_irreducible(l)
        && !preds
            .filter(|&p| Node::is_back_edge(p, header))
            .any(|p| graph.edges(p).iter().any(|e| e.to == latch));
    is_own.then_some(latch)
}
