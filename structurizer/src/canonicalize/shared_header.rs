//! Two nested loops that share their header, as `do { do { … } while (a); … } while (b);` has it
//! once a compiler took the empty outer header out.
//!
//! One loop with several back edges is right for any such graph. But a `continue` of one of the two
//! would be a jump into the middle of it, which costs a selector. So the outer loop gets a header
//! of its own where the inner or an outer latch is a place that control comes to from several
//! sides, and all that leaves the inner loop goes on behind its latch or ends. Loops with
//! convergent operations stay as they are: in one loop all lanes meet at the header, in two only
//! those that stay in the inner one do.

use super::{Draft, Graph, Node, NodeKind};
use crate::construct::placement::{Subtree, subtrees};
use crate::graph::{NONE, dominators::Dominators, loops::Loop};
use crate::ir::{Effects, Function, Terminator};
use crate::stage::{Decision, Remarks, Stage};

/// How many back edges a header may have.
const MAX_BACK_EDGES: u32 = 8;
/// How many loops are found inside each other: one round each.
const MAX_ROUNDS: u32 = 8;

/// Gives outer loops headers of their own.
pub(super) fn separate(mut graph: Graph, func: &Function, remarks: &mut Remarks) -> Graph {
    for _ in 0..MAX_ROUNDS {
        let candidates = candidates(&graph, func);
        if candidates.is_empty() {
            break;
        }
        let mut search = Search::new(&graph, func);
        let mut draft = Draft::of(&graph);
        for (header, latch) in candidates {
            if !search.is_inner_loop(&graph, header, latch) {
                continue;
            }
            if remarks.wanted() {
                remarks.add(
                    Stage::LoopTransposition,
                    graph.name(header),
                    Decision::OuterHeader {
                        latch: graph.name(latch),
                    },
                );
            }
            let outer = draft.add(NodeKind::Empty);
            draft.lead(outer, header);
            for &from in graph.cfg.preds(header) {
                if !search.is_inside(from, header) {
                    draft.redirect(from, header, outer);
                }
            }
        }
        if draft.added.is_empty() {
            break;
        }
        let made = graph.dispatch_headers;
        graph = draft.pack(graph, made);
    }
    graph
}

/// Headers with a node that may be the latch of an inner loop, the first of each header: a
/// conditional branch, back or on inside the loop.
fn candidates(graph: &Graph, func: &Function) -> Vec<(Node, Node)> {
    let mut found = Vec::new();
    for (l, &header) in graph.loops.headers.iter().enumerate() {
        if !(2..=MAX_BACK_EDGES).contains(&graph.back_edges[l]) || graph.loops.irreducible[l] {
            continue;
        }
        let is_latch = |&p: &Node| p != header && graph.dfs.is_ancestor(header, p);
        if !graph
            .cfg
            .preds(header)
            .iter()
            .any(|p| is_latch(p) && graph.forward_preds[*p as usize] > 1)
        {
            continue;
        }
        let is_candidate = |&p: &Node| {
            let is_two_way = matches!(graph.kinds[p as usize], NodeKind::Block(b) if matches!(func.term(b), Terminator::CondBranch { .. }));
            let on = graph.edges(p).iter().find(|e| e.to != header);
            is_latch(&p)
                && is_two_way
                && graph.loops.of[p as usize] == l as Loop
                && on.is_some_and(|e| {
                    graph.loops.of[e.to as usize] == l as Loop && !graph.dfs.is_ancestor(e.to, p)
                })
        };
        // Of several the first in order is the innermost.
        let latch = graph
            .cfg
            .preds(header)
            .iter()
            .copied()
            .filter(is_candidate)
            .min_by_key(|&p| graph.dfs.rpo_number[p as usize]);
        found.extend(latch.map(|latch| (header, latch)));
    }
    found
}

/// What is asked about inner loops.
struct Search {
    subtrees: Vec<Subtree>,
    /// Whether a loop, or one in it, has a convergent instruction.
    convergent: Vec<bool>,
    /// The header of the inner loop that a node was found in last.
    inside: Vec<Node>,
    /// How many more nodes may be looked at: loops in each other share their nodes.
    budget: usize,
}

impl Search {
    fn new(graph: &Graph, func: &Function) -> Self {
        let dominators = Dominators::new(&graph.cfg, &graph.dfs);
        let mut convergent = vec![false; graph.loops.len()];
        for &node in &graph.dfs.preorder {
            if let NodeKind::Block(block) = graph.kinds[node as usize]
                && let Some(flag) = convergent.get_mut(graph.loops.of[node as usize] as usize)
            {
                *flag |= func
                    .insts(block)
                    .any(|inst| func.effects(inst).contains(Effects::CONVERGENT));
            }
        }
        for l in (0..graph.loops.len()).rev() {
            let outer = graph.loops.parent[l];
            if outer != NONE {
                convergent[outer as usize] |= convergent[l];
            }
        }
        Self {
            subtrees: subtrees(func, graph, &dominators),
            convergent,
            inside: vec![NONE; graph.len()],
            budget: graph.len() * 4,
        }
    }

    fn is_inside(&self, node: Node, header: Node) -> bool {
        self.inside[node as usize] == header
    }

    /// Whether the latch ends an inner loop: marks what can come to it without passing the header,
    /// and looks at where the edges out of that lead.
    fn is_inner_loop(&mut self, graph: &Graph, header: Node, latch: Node) -> bool {
        if self.convergent[graph.loops.of[header as usize] as usize] {
            return false;
        }
        let Some(on) = graph
            .edges(latch)
            .iter()
            .map(|e| e.to)
            .find(|&to| to != header)
        else {
            return false;
        };
        let mut nodes = vec![latch];
        self.inside[latch as usize] = header;
        self.inside[header as usize] = header;
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            next += 1;
            for &p in graph.cfg.preds(node) {
                if std::mem::replace(&mut self.inside[p as usize], header) != header {
                    nodes.push(p);
                }
            }
            let Some(left) = self.budget.checked_sub(1 + graph.cfg.preds(node).len()) else {
                return false;
            };
            self.budget = left;
        }
        nodes.push(header);
        let behind = u64::from(graph.dfs.rpo_number[on as usize]);
        let leads_behind = |to: Node| {
            let subtree = self.subtrees[to as usize];
            let is_own =
                graph.forward_preds[to as usize] == 1 && !graph.dfs.is_ancestor(to, header);
            // What kills or runs for ever does not count, what returns does: it would have to leave
            // both loops.
            to == on
                || is_own
                    && subtree.target().is_ok_and(|end| {
                        if end.is_none() {
                            !subtree.returns
                        } else {
                            end == Some(behind)
                        }
                    })
        };
        let stays = |to: Node| self.is_inside(to, header);
        let all_lead_behind = nodes
            .iter()
            .flat_map(|&node| graph.edges(node))
            .all(|e| stays(e.to) || leads_behind(e.to));
        let is_a_place = |p: Node| {
            graph.dfs.is_ancestor(header, p)
                && graph.forward_preds[p as usize] > 1
                && (p == latch || !stays(p))
        };
        !stays(on) && all_lead_behind && graph.cfg.preds(header).iter().any(|&p| is_a_place(p))
    }
}
