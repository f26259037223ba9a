//! Dispatch headers: one entry for a loop that has several.
//!
//! Every edge that enters an irreducible loop, and every back edge to its header, leads to the
//! loop's *dispatch header* with the code of its target as dispatch selector, and a chain of
//! comparisons leads on. Codes follow the loop forest's preorder, so that a loop nested inside is
//! one interval of codes and one comparison, whatever the number of its entries. Nodes are never
//! split: that would copy convergent operations.

use super::graph::{Code, Edit, Graph, Node, NodeKind};
use crate::analysis::loops::Loop;
use crate::entity::{EntityRef, EntityVec, PackedOption};
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// A dispatch header for each loop that has one.
type Headers = EntityVec<Loop, PackedOption<Node>>;

/// Makes dispatch headers for the irreducible loops, and returns how many.
pub(super) fn run(
    graph: &Graph,
    edit: &mut Edit,
    headers: &mut Headers,
    remarks: &mut Remarks,
) -> u32 {
    let codes = Codes::new(graph);
    let mut made = 0;
    for l in graph.loops().all() {
        if graph.loops().is_irreducible(l) {
            headers[l] = edit.add_node(LAST_DISPATCH).into();
            made += 1;
        }
    }
    let mut hops = redirect(graph, edit, &codes, headers);
    hops.sort_unstable();
    hops.dedup();
    for list in hops.chunk_by(|a, b| a.header == b.header) {
        let l = list[0].header;
        if remarks.wanted() {
            let targets = list.len() as u32;
            let header = graph.name(graph.header(l));
            remarks.add(
                Stage::Reducibility,
                header,
                Decision::DispatchHeader { targets },
            );
        }
        let Some(mut node) = headers[l].expand() else {
            continue;
        };
        let last = list.len() - 1;
        for (k, hop) in list.iter().enumerate() {
            edit.add_edge(node, hop.to);
            if k < last {
                let bound = Some(hop.bound);
                edit.set_kind(node, NodeKind::Dispatch { bound });
                if k + 1 < last {
                    let next = edit.add_node(LAST_DISPATCH);
                    edit.add_edge(node, next);
                    node = next;
                }
            }
        }
    }
    made
}

/// The last node of a chain of comparisons, until another one is appended.
const LAST_DISPATCH: NodeKind = NodeKind::Dispatch { bound: None };

/// The targets of a dispatch header.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hop {
    header: Loop,
    /// The last code that takes this branch.
    bound: Code,
    to: Node,
}

/// Redirects the edges into irreducible loops to dispatch headers, and returns where these lead.
fn redirect(graph: &Graph, edit: &mut Edit, codes: &Codes, headers: &Headers) -> Vec<Hop> {
    let mut hops = Vec::new();
    // The loop that a hop was noted for last: many edges lead to one node.
    let mut noted: EntityVec<Node, PackedOption<Loop>> = EntityVec::new(edit.num_nodes());
    let mut chain = Vec::new();
    for from in graph.nodes() {
        for (i, edge) in graph.edges(from).iter().enumerate() {
            dispatched_loops(graph, codes, from, edge.to, &mut chain);
            let Some(&first) = chain.first() else {
                continue;
            };
            for (k, &l) in chain.iter().enumerate() {
                let inner = chain.get(k + 1).copied();
                let hop = match inner.and_then(|inner| Some((inner, headers[inner].expand()?))) {
                    Some((inner, header)) => (codes.of_loop[inner].1, header),
                    None => (codes.of_node[edge.to], edge.to),
                };
                if std::mem::replace(&mut noted[hop.1], l.into()) != l.into() {
                    hops.push(Hop {
                        header: l,
                        bound: hop.0,
                        to: hop.1,
                    });
                }
            }
            let edge_now = &mut edit.edges_mut(from)[i];
            if let Some(header) = headers[first].expand() {
                edge_now.to = header;
                edge_now.code = codes.of_node[edge.to].into();
            }
        }
    }
    hops
}

/// Finds the chain of loops that an edge enters elsewhere than at their headers or returns to,
/// outermost first, as far as they have a dispatch header.
fn dispatched_loops(graph: &Graph, codes: &Codes, from: Node, to: Node, chain: &mut Vec<Loop>) {
    chain.clear();
    let loops = graph.loops();
    let mut around = loops.innermost(to);
    while let Some(l) = around.expand() {
        let is_inside = codes.contains(l, from);
        if is_inside && loops.header(l) != to {
            break;
        }
        if loops.is_irreducible(l) {
            chain.push(l);
        }
        if is_inside {
            break;
        }
        around = loops.parent(l);
    }
    chain.reverse();
}

/// Codes of the nodes in the loop forest's preorder.
struct Codes {
    of_node: EntityVec<Node, Code>,
    /// First and last code inside each loop.
    of_loop: EntityVec<Loop, (Code, Code)>,
}

impl Codes {
    fn new(graph: &Graph) -> Self {
        let loops = graph.loops();
        // Sizes (a loop counts its nodes and those inside), then starts from the outside in.
        let mut size: EntityVec<Loop, usize> = EntityVec::new(loops.len());
        for &node in graph.preorder() {
            if let Some(l) = loops.innermost(node).expand() {
                size[l] += 1;
            }
        }
        for l in loops.all().rev() {
            if let Some(outer) = loops.parent(l).expand() {
                let own = size[l];
                size[outer] += own;
            }
        }
        // The next code of each loop, and of what is in none.
        let mut next: EntityVec<Loop, usize> = EntityVec::new(loops.len());
        let mut next_outside = 0;
        let mut take = |next: &mut EntityVec<Loop, usize>, l: Option<Loop>, count: usize| {
            let counter = match l {
                Some(l) => &mut next[l],
                None => &mut next_outside,
            };
            *counter += count;
            *counter - count
        };
        let mut of_loop = EntityVec::with_capacity(loops.len());
        for l in loops.all() {
            let first = take(&mut next, loops.parent(l).expand(), size[l]);
            of_loop.push((Code::new(first), Code::new(first + size[l] - 1)));
            next[l] = first;
        }
        let mut of_node = EntityVec::filled(Code::new(0), graph.len());
        for &node in graph.preorder() {
            of_node[node] = Code::new(take(&mut next, loops.innermost(node).expand(), 1));
        }
        Self { of_node, of_loop }
    }
    fn contains(&self, l: Loop, node: Node) -> bool {
        let (first, last) = self.of_loop[l];
        (first..=last).contains(&self.of_node[node])
    }
}
