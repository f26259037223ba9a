//! Exits of loops that invocations come to together.
//!
//! A node with convergent instructions comes after the loops that it leaves: invocations that leave
//! in different iterations meet there. Where uniform branches lead to it there are no such
//! invocations. Let d be the nearest dominator with the same loops around it. Those that run the node
//! together have run d together; if each branch from there on that leads to the node by several
//! edges is uniform, they take the same path and leave in one iteration. The node may stay in its
//! loops then like any other.
//!
//! A search per exit, within a budget that is linear in the graph.

use alloc::vec::Vec;

use super::Context;
use crate::analysis::forward_dominators::ForwardDominators;
use crate::entity::{PackedOption, PrimaryMap};
use crate::passes::Node;
use crate::passes::subtrees::Subtree;

/// How many edges are followed per node of the graph, and in a small graph.
const EDGES_PER_NODE: usize = 8;
const MIN_EDGES: usize = 1 << 12;

/// Marks the subtrees of exits that invocations come to together as not convergent.
pub(super) fn mark(
    cx: Context<'_>,
    dominators: &ForwardDominators<Node>,
    subtrees: &mut PrimaryMap<Node, Subtree>,
) {
    let graph = cx.graph;
    if graph.loops().is_empty() || !cx.func.blocks().any(|block| cx.func.is_uniform(block)) {
        return;
    }
    let mut leads = PrimaryMap::default();
    leads.reset(graph.len());
    let mut search = Search {
        cx,
        dominators,
        leads,
        region: Vec::new(),
        work: Vec::new(),
        budget: EDGES_PER_NODE * graph.len() + MIN_EDGES,
    };
    for w in graph.nodes() {
        let level = graph.level_of(w);
        let leaves = |&p: &Node| !Node::is_back_edge(p, w) && graph.loops().innermost(p) != level;
        if subtrees[w].is_convergent()
            && subtrees[w].is_short(cx.options)
            && graph.preds(w).iter().any(leaves)
            && search.comes_together(w)
        {
            subtrees[w].stays_together();
        }
    }
}

struct Search<'a> {
    cx: Context<'a>,
    dominators: &'a ForwardDominators<Node>,
    /// The node that each node was last found to lead to.
    leads: PrimaryMap<Node, PackedOption<Node>>,
    /// The nodes that lead to the node whose invocations are followed.
    region: Vec<Node>,
    work: Vec<Node>,
    /// Number of edges that may still be followed.
    budget: usize,
}

impl Search<'_> {
    /// Returns whether all invocations that run a node together have taken one path to it since the
    /// nearest dominator with the same loops around it; false if that takes too long to find.
    fn comes_together(&mut self, w: Node) -> bool {
        let Context { func, graph, .. } = self.cx;
        let around = graph.level_of(w);
        let mut first = self.dominators.idom(w);
        while let Some(node) = first.filter(|&node| graph.loops().innermost(node) != around) {
            first = self.dominators.idom(node);
        }
        let Some(first) = first else {
            return false;
        };
        let Self {
            leads,
            region,
            work,
            ..
        } = self;
        region.clear();
        work.clear();
        work.push(w);
        while let Some(node) = work.pop() {
            let preds = graph.preds(node);
            let Some(left) = self.budget.checked_sub(preds.len()) else {
                return false;
            };
            self.budget = left;
            for &p in preds {
                let again = node == w && Node::is_back_edge(p, w);
                if again || p == w || leads[p] == w.into() {
                    continue;
                }
                leads[p] = w.into();
                region.push(p);
                if p != first {
                    work.push(p);
                }
            }
        }
        region.iter().all(|&node| {
            let leads = |to: Node| to == w || to != first && leads[to] == w.into();
            let edges = self.cx.live_edges(node).iter();
            let is_uniform = graph
                .block(node)
                .is_some_and(|block| func.is_uniform(block));
            is_uniform || edges.filter(|edge| leads(edge.to)).count() < 2
        })
    }
}
