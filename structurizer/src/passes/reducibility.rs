//! Reducibility: a graph in which every cycle is a loop with one header and one back edge.
//!
//! * An irreducible loop (Havlak's forest) gets a dispatch header ([`dispatch`]).
//! * Several back edges to one header share a latch, unless they are those of nested loops, which
//!   [`shared_headers`](super::shared_headers) separated before.
//!
//! The cost is linear but for the analyses of the new graph. Postcondition: reducible; each loop
//! has exactly one back edge.

use super::dispatch::{self, Form};
use super::graph::{Edit, Graph, Node, NodeKind};
use crate::analysis::loops::Loop;
use crate::entity::{EntityVec, PackedOption};
use crate::ir::Function;
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// Maximum number of rounds. Dispatch headers and latches do not change which loops exist, so one
/// round is enough; if it were not, an error of a later stage is better than an endless loop.
const MAX_ROUNDS: u32 = 4;

/// Makes the graph reducible, with one back edge per loop.
pub(crate) fn run(mut graph: Graph, form: Form, remarks: &mut Remarks) -> Graph {
    for _ in 0..MAX_ROUNDS {
        if !graph.loops().any_irreducible() && graph.loops().all().all(|l| graph.back_edges(l) <= 1)
        {
            break;
        }
        graph = make_regular(graph, form, remarks);
    }
    graph
}

/// Writes down what [`Graph::of`] did: blocks that no path reaches, and an entry before the entry.
/// Blocks with a remark were removed by a pass before.
pub(crate) fn remark(func: &Function, graph: &Graph, remarks: &mut Remarks) {
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
fn make_regular(graph: Graph, form: Form, remarks: &mut Remarks) -> Graph {
    let mut edit = Edit::of(&graph);
    let mut made = graph.dispatch_headers;
    let mut dispatch_header: EntityVec<Loop, PackedOption<Node>> =
        EntityVec::new(graph.loops().len());
    if graph.loops().any_irreducible() {
        made += dispatch::run(&graph, &mut edit, &mut dispatch_header, form, remarks);
    }
    for l in graph.loops().all() {
        let count = graph.back_edges(l);
        if count < 2 {
            continue;
        }
        let header = graph.header(l);
        let latch = edit.add_node(NodeKind::Empty);
        if remarks.wanted() {
            remarks.add(
                Stage::Reducibility,
                graph.name(header),
                Decision::SharedLatch { back_edges: count },
            );
        }
        // Whatever they lead to by now, the edges that were back edges lead to the latch.
        for &p in graph.preds(header) {
            if graph.is_back_edge(p, header) {
                for (edge, was) in edit.edges_mut(p).iter_mut().zip(graph.edges(p)) {
                    if was.to == header {
                        edge.to = latch;
                    }
                }
            }
        }
        edit.add_edge(latch, dispatch_header[l].expand().unwrap_or(header));
    }
    edit.apply(graph, made)
}
