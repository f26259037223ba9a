//! Arm flattening: of two arms one of which never falls through, the other follows the branch
//! instead of being nested in it.
//!
//! An arm all of whose exits are breaks, continues or ends of the invocation never falls through.
//! The edges that do fall out of an arm are counted by differences over the placement tree.

use super::Context;
use super::continue_targets::ContinueTargets;
use super::roles::Roles;
use super::scopes::Scopes;
use super::tree::Tree;
use crate::entity::{PackedOption, PrimaryMap};
use crate::passes::Node;
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// The flattened arms.
#[derive(Debug, Default)]
pub(crate) struct FlatArms {
    /// The flattened arm of each two-way branch that has one. No entries if the stage is off.
    arm: PrimaryMap<Node, PackedOption<Node>>,
    /// How many edges fall out of each node's subtree.
    falls: PrimaryMap<Node, i64>,
}

impl FlatArms {
    /// Returns the arm of a branch that follows the other one, if any.
    pub(crate) fn of(&self, branch: Node) -> Option<Node> {
        self.arm.get(branch)?.expand()
    }
}

impl FlatArms {
    /// Chooses the flattened arms. Near-linear in the graph.
    pub(super) fn choose(
        &mut self,
        cx: Context<'_>,
        tree: &Tree,
        continue_targets: &ContinueTargets,
        roles: &Roles,
        scopes: &Scopes,
        remarks: &mut Remarks,
    ) {
        let graph = cx.graph;
        self.arm.clear();
        if !cx.runs(Stage::ArmFlattening) {
            return;
        }
        let two_arms = |u: Node| {
            let &[a, b] = cx.live_edges(u) else {
                return None;
            };
            let is_arm = |to: Node| roles.is_arm_of(tree, to, u);
            (is_arm(a.to) && is_arm(b.to) && !cx.is_switch(u)).then_some((u, a.to, b.to))
        };
        let mut branches = graph.nodes().filter_map(two_arms).peekable();
        // The edges that fall out of arms are counted only if there is a candidate.
        if branches.peek().is_none() {
            return;
        }
        self.count_edges_that_fall_out(cx, tree, continue_targets, scopes);
        let Self { arm: flat, falls } = self;
        flat.reset(graph.len());
        for (u, a, b) in branches {
            let arm = match (falls[a] == 0, falls[b] == 0) {
                (true, true) if tree.size(b) < tree.size(a) => Some(a),
                (true, _) => Some(b),
                (false, true) => Some(a),
                (false, false) => None,
            };
            flat[u] = arm.into();
        }
        if remarks.wanted() {
            for (branch, arm) in flat.iter() {
                if let Some(arm) = arm.expand() {
                    let branch = graph.name(branch);
                    remarks.add(
                        Stage::ArmFlattening,
                        graph.name(arm),
                        Decision::Follows { branch },
                    );
                }
            }
        }
    }

    fn count_edges_that_fall_out(
        &mut self,
        cx: Context<'_>,
        tree: &Tree,
        continue_targets: &ContinueTargets,
        scopes: &Scopes,
    ) {
        let graph = cx.graph;
        let falls = &mut self.falls;
        falls.reset(graph.len());
        for u in graph.nodes() {
            for edge in cx.live_edges(u) {
                let continued = continue_targets.continues(cx, u, edge.to);
                let (scope, stop) = match continued.and_then(|l| Some((l, scopes.of_loop(l)?))) {
                    Some((l, scope)) => (scope, Some(graph.header(l))),
                    None => (scopes.sequence_scope(edge.to), tree.parent(edge.to)),
                };
                // The edge leaves all scopes below the common one; it is a break or a continue up to
                // the outermost of them.
                let left = scopes.outermost_left(scopes.body_scope(graph, u), scope);
                let at = left.and_then(|s| scopes[s].head.expand()).unwrap_or(u);
                falls[at] += 1;
                if let Some(stop) = stop {
                    falls[stop] -= 1;
                }
            }
        }
        for w in graph.nodes().rev() {
            if let Some(p) = tree.parent(w) {
                let own = falls[w];
                falls[p] += own;
            }
        }
    }
}
