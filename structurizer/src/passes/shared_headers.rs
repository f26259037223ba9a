//! Shared headers: two nested loops with one header, as `do { do { … } while (a); … } while (b);`
//! has it once a compiler removed the empty outer header.
//!
//! One loop with several back edges is right for any such graph. But a `continue` of one of the two
//! would be a branch into the middle of it, which costs a selector. So the outer loop gets a header
//! of its own if the inner or an outer latch has several predecessors, and every edge that leaves
//! the inner loop leads to what follows its latch or ends. Loops with convergent operations stay as
//! they are: in one loop all invocations meet at the header, in two only those that stay in the
//! inner one do.

use alloc::vec::Vec;

use super::graph::{Edit, Graph, Node, NodeKind};
use super::subtrees::{Leads, Subtree, find_subtrees};
use crate::analysis::dominators::Dominators;
use crate::analysis::loops::Loop;
use crate::entity::{EntityVec, PackedOption};
use crate::ir::{Effects, Function, Terminator};
use crate::memory::sum_of_kept_bytes;
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// The most back edges that a header may have.
const MAX_BACK_EDGES: u32 = 8;
/// The most loops found inside each other: one round each.
const MAX_ROUNDS: u32 = 8;

/// The lists of the pass, which keep their memory between functions.
#[derive(Default)]
pub(crate) struct Memory {
    /// Headers with a node that may be the latch of an inner loop.
    candidates: Vec<(Node, Node)>,
    nodes: Nodes,
}

sum_of_kept_bytes!(Memory { candidates, nodes });

/// What is known of the nodes and loops.
#[derive(Default)]
struct Nodes {
    dominators: Dominators<Node>,
    subtrees: EntityVec<Node, Subtree>,
    /// True if a loop, or one in it, has a convergent instruction.
    convergent: EntityVec<Loop, bool>,
    /// The header of the inner loop that a node was found in last.
    inside: EntityVec<Node, PackedOption<Node>>,
    /// See [`Search::mark`].
    marked: Vec<Node>,
}

sum_of_kept_bytes!(Nodes {
    dominators,
    subtrees,
    convergent,
    inside,
    marked,
});

/// Gives outer loops headers of their own.
pub(crate) fn run(
    graph: &mut Graph,
    edit: &mut Edit,
    memory: &mut Memory,
    func: &Function,
    remarks: &mut Remarks,
) {
    for _ in 0..MAX_ROUNDS {
        let Memory { candidates, nodes } = &mut *memory;
        find_candidates(graph, func, candidates);
        if candidates.is_empty() {
            break;
        }
        let mut search = Search::new(graph, func, nodes);
        edit.start(graph);
        for &(header, latch) in candidates.iter() {
            if !search.is_inner_loop(header, latch) {
                continue;
            }
            if remarks.wanted() {
                let (block, latch) = (graph.name(header), graph.name(latch));
                remarks.add(Stage::SharedHeaders, block, Decision::OuterHeader { latch });
            }
            let outer = edit.add_node(NodeKind::Empty);
            edit.add_edge(outer, header);
            for &from in graph.preds(header) {
                if !search.is_inside(from, header) {
                    let edges = edit.edges_mut(from).iter_mut();
                    edges.filter(|e| e.to == header).for_each(|e| e.to = outer);
                }
            }
        }
        if edit.is_empty() {
            break;
        }
        let made = graph.dispatch_headers;
        edit.apply(graph, made);
    }
}

/// Finds headers with a node that may be the latch of an inner loop, the first of each header: a
/// conditional branch, back or to the rest of the loop.
fn find_candidates(graph: &Graph, func: &Function, found: &mut Vec<(Node, Node)>) {
    found.clear();
    for l in graph.loops().all() {
        if !(2..=MAX_BACK_EDGES).contains(&graph.back_edges(l)) || graph.loops().is_irreducible(l) {
            continue;
        }
        let header = graph.header(l);
        let is_latch = |&p: &Node| p != header && graph.is_back_edge(p, header);
        let is_merge = |&p: &Node| graph.forward_preds(p) > 1;
        let preds = || graph.preds(header).iter().copied().filter(is_latch);
        if !preds().any(|p| is_merge(&p)) {
            continue;
        }
        let is_candidate = |&p: &Node| {
            let is_two_way = graph
                .block(p)
                .is_some_and(|b| matches!(func.term(b), Terminator::CondBranch { .. }));
            let next = graph.edges(p).iter().find(|e| e.to != header);
            let is_in_loop = |node: Node| graph.loops().innermost(node) == l.into();
            is_two_way
                && is_in_loop(p)
                && next.is_some_and(|e| is_in_loop(e.to) && !graph.is_back_edge(p, e.to))
        };
        // Of several the first in order is the innermost.
        let latch = preds()
            .filter(is_candidate)
            .min_by_key(|&p| graph.number(p));
        found.extend(latch.map(|latch| (header, latch)));
    }
}

/// The search for inner loops.
struct Search<'a> {
    graph: &'a Graph,
    nodes: &'a mut Nodes,
    /// Number of nodes that may still be visited: nested loops share their nodes.
    budget: usize,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, func: &Function, nodes: &'a mut Nodes) -> Self {
        let Nodes {
            dominators,
            subtrees,
            convergent,
            inside,
            ..
        } = &mut *nodes;
        dominators.compute(graph.cfg(), graph.dfs());
        find_subtrees(func, graph, dominators, subtrees);
        inside.reset(graph.len());
        let loops = graph.loops();
        convergent.reset(loops.len());
        for &node in graph.preorder() {
            if let (NodeKind::Block(block), Some(l)) =
                (graph.kind(node), loops.innermost(node).expand())
            {
                convergent[l] |= func
                    .insts(block)
                    .any(|inst| func.effects(inst).contains(Effects::CONVERGENT));
            }
        }
        for l in loops.all().rev() {
            if let Some(outer) = loops.parent(l).expand() {
                let inner = convergent[l];
                convergent[outer] |= inner;
            }
        }
        Self {
            graph,
            nodes,
            budget: graph.len() * 4,
        }
    }

    fn is_inside(&self, node: Node, header: Node) -> bool {
        self.nodes.inside[node] == header.into()
    }

    /// Returns whether the latch ends an inner loop: marks the nodes that lead to it without
    /// passing the header, and checks where the edges out of that set lead.
    fn is_inner_loop(&mut self, header: Node, latch: Node) -> bool {
        let graph = self.graph;
        if graph
            .loop_headed_by(header)
            .is_some_and(|l| self.nodes.convergent[l])
        {
            return false;
        }
        let mut targets = graph.edges(latch).iter().map(|e| e.to);
        let Some(next) = targets.find(|&to| to != header) else {
            return false;
        };
        if self.mark(header, latch).is_none() {
            return false;
        }
        let stays = |to: Node| self.is_inside(to, header);
        let marked = self.nodes.marked.iter();
        let all_lead_after = marked
            .flat_map(|&node| graph.edges(node))
            .all(|e| stays(e.to) || self.leads_to(e.to, next, header));
        let is_merge = |p: Node| {
            graph.is_back_edge(p, header) && graph.forward_preds(p) > 1 && (p == latch || !stays(p))
        };
        !stays(next) && all_lead_after && graph.preds(header).iter().any(|&p| is_merge(p))
    }

    /// Marks and lists the nodes that lead to the latch without passing the header, and the
    /// header; none if that takes too long.
    fn mark(&mut self, header: Node, latch: Node) -> Option<()> {
        let Nodes { inside, marked, .. } = &mut *self.nodes;
        marked.clear();
        marked.push(latch);
        inside[latch] = header.into();
        inside[header] = header.into();
        let mut next = 0;
        while let Some(&node) = marked.get(next) {
            next += 1;
            let preds = self.graph.preds(node);
            for &p in preds {
                if core::mem::replace(&mut inside[p], header.into()) != header.into() {
                    marked.push(p);
                }
            }
            self.budget = self.budget.checked_sub(1 + preds.len())?;
        }
        marked.push(header);
        Some(())
    }

    /// Returns whether a target outside of the inner loop is what follows it, or leads there or to
    /// an end by itself. What kills or runs for ever does not count, what returns does: it would
    /// have to leave both loops.
    fn leads_to(&self, to: Node, next: Node, header: Node) -> bool {
        let subtree = &self.nodes.subtrees[to];
        let is_own = self.graph.forward_preds(to) == 1 && !self.graph.is_back_edge(header, to);
        to == next
            || is_own
                && match subtree.leads() {
                    Leads::Nowhere => !subtree.returns,
                    Leads::To(number) => number == self.graph.number(next),
                    Leads::Apart => false,
                }
    }
}
