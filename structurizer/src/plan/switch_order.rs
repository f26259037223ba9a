//! Switch order: where the cases of a switch meet, and which case falls into which.
//!
//! A case that exactly one other case flows into comes directly after that case (a fall-through,
//! which SPIR-V allows to the next case). The exception is where the cases meet, which follows the
//! switch: the node that all cases pass that continue after the switch. Cases that continue or
//! leave the loop, and those that only kill, do not count; if they bypass that node and yet reach
//! its continuation, no node has this role.

use alloc::vec::Vec;

use super::Context;
use super::roles::{Before, Role, Roles};
use super::tree::Tree;
use crate::analysis::loops::Loop;
use crate::analysis::postdominators::{End, PostDominators};
use crate::entity::PackedOption;
use crate::passes::Node;

/// The choices, with a list for them.
#[derive(Debug, Default)]
pub(super) struct SwitchOrder {
    /// Some of the cases of the current switch.
    nodes: Vec<Node>,
}

impl SwitchOrder {
    /// Chooses the cases that others fall into and the case that follows the switch, if it is one.
    pub(super) fn choose(&mut self, roles: &mut Roles, before: Before<'_>, switch: Node) {
        let Before { cx, tree, .. } = before;
        let meet = Cases::new(before, roles, switch).meet(&mut self.nodes);
        if let Some(meet) = meet
            && roles.is_arm_of(tree, meet, switch)
        {
            // The only case that continues after the switch.
            roles.set_role(meet, Role::Following);
        }
        if !cx.options.target.falls_through() {
            return;
        }
        let targets = &mut self.nodes;
        targets.clear();
        targets.extend(cx.graph.edges(switch).iter().map(|e| e.to));
        targets.sort_unstable();
        for &y in tree.children(switch) {
            // Two edges to one dispatch header carry different codes, so each needs a separate
            // block.
            let first = targets.partition_point(|&t| t < y);
            let is_target = targets.get(first) == Some(&y) && targets.get(first + 1) != Some(&y);
            if roles.role(y) != Role::Following || !is_target || Some(y) == meet {
                continue;
            }
            if let Some(from) = Cases::new(before, roles, switch).only_case_before(y)
                && roles.falls_into(from).is_none()
            {
                roles.set_falls_into(from, y);
                roles.set_role(y, Role::Arm);
            }
        }
    }

    /// Adds the arms of a switch, in the order of its edges with the default last, each followed by the
    /// case that it falls into.
    pub(super) fn order_arms(
        &mut self,
        roles: &Roles,
        cx: Context<'_>,
        tree: &Tree,
        switch: Node,
        arms: &mut Vec<(Node, Node)>,
    ) {
        let edges = cx.graph.edges(switch);
        let own = edges.iter().filter(|e| tree.is_child(e.to, switch));
        let fallen_into = &mut self.nodes;
        fallen_into.clear();
        fallen_into.extend(own.filter_map(|e| roles.falls_into(e.to)));
        fallen_into.sort_unstable();
        for e in edges[1..].iter().chain(&edges[..1]) {
            // An arm of another node: the target of a back edge or of an edge out of the region.
            if !roles.is_arm_of(tree, e.to, switch) || fallen_into.binary_search(&e.to).is_ok() {
                continue;
            }
            let mut arm = Some(e.to);
            while let Some(node) = arm {
                arms.push((switch, node));
                arm = roles.falls_into(node);
            }
        }
    }
}

/// A switch, with queries about its cases.
struct Cases<'a> {
    before: Before<'a>,
    roles: &'a Roles,
    switch: Node,
    /// The loop that contains the switch; it may be the loop that the switch heads.
    level: PackedOption<Loop>,
}

impl<'a> Cases<'a> {
    fn new(before: Before<'a>, roles: &'a Roles, switch: Node) -> Self {
        Self {
            before,
            roles,
            switch,
            level: before.cx.graph.loops().innermost(switch),
        }
    }
    fn targets(&self) -> impl Iterator<Item = Node> + '_ {
        self.before.cx.graph.edges(self.switch).iter().map(|e| e.to)
    }
    fn post(&self) -> &PostDominators<Node> {
        &self.before.exits.post
    }
    /// Returns the child of the switch that a node is in, if any.
    fn child_of(&self, node: Node) -> Option<Node> {
        let children = self.before.tree.children(self.switch);
        let enter = self.before.tree.enter(node);
        let at = children.partition_point(|&c| self.before.tree.enter(c) <= enter);
        let &child = children[..at].last()?;
        self.before.tree.contains(child, node).then_some(child)
    }
    /// Returns the only case that is a predecessor of `to`, ignoring the switch itself; none if
    /// there are none or several.
    fn only_case_before(&self, to: Node) -> Option<Node> {
        let mut from = None;
        for &p in self.before.cx.graph.preds(to) {
            if p == self.switch || Node::is_back_edge(p, to) {
                continue;
            }
            let child = self.child_of(p)?;
            if self.roles.role(child) != Role::Arm || from.is_some_and(|from| from != child) {
                return None;
            }
            from = Some(child);
        }
        from
    }
    /// Returns whether a case stays on the switch's level.
    fn stays(&self, to: Node) -> bool {
        self.before.cx.graph.level_of(to) == self.level && !Node::is_back_edge(self.switch, to)
    }
    /// Returns whether a case does nothing but continue the loop.
    fn continues(&self, to: Node) -> bool {
        let Some(l) = self.level.expand() else {
            return false;
        };
        let graph = self.before.cx.graph;
        let is_next =
            |to: Node| self.before.continue_targets.is_target(to, l) || graph.header(l) == to;
        // A block of several cases is where these meet, and a case of another switch has to be
        // reached first.
        let does_nothing = || {
            self.roles.is_arm_of(self.before.tree, to, self.switch)
                && graph
                    .block(to)
                    .is_some_and(|block| self.before.cx.func.is_empty_block(block))
        };
        is_next(to) || matches!(graph.edges(to), [edge] if is_next(edge.to)) && does_nothing()
    }
    /// Returns whether a case is killed, or never ends, in code that it alone reaches.
    fn dies(&self, to: Node) -> bool {
        self.post().end(to) < End::Return && self.before.tree.contains(to, self.post().last(to))
    }
    /// Returns whether a case leaves the loop on a path that it alone takes.
    fn breaks(&self, to: Node) -> bool {
        let merge_target = self
            .level
            .expand()
            .and_then(|l| self.before.exits.merge_target(l));
        let body = self
            .before
            .tree
            .body_loop(self.before.cx.graph, self.switch);
        let has_own_path = |target: Node| {
            let last = self.post().before(target, to);
            last.is_some_and(|last| self.before.tree.contains(to, last))
        };
        Some(to) == merge_target
            || self.before.tree.placed_in(to) != body
            || merge_target.is_some_and(has_own_path)
    }
    /// Returns where the cases meet that continue after the switch; none if they do not meet in one
    /// node.
    fn meet(&self, inside: &mut Vec<Node>) -> Option<Node> {
        let harmless =
            |to: Node| self.stays(to) || self.continues(to) || self.dies(to) || self.breaks(to);
        if !self.targets().all(harmless) {
            return None;
        }
        let stays = |&to: &Node| self.stays(to) && !self.continues(to);
        inside.clear();
        inside.extend(self.targets().filter(stays));
        let meet = self.post().meet(inside).expand()?;
        let is_bypassed = self.targets().any(|to| self.comes_after(meet, to))
            || inside.iter().any(|&to| self.bypasses(meet, to));
        (!is_bypassed).then_some(meet)
    }
    /// Returns whether control also reaches a case after `meet`.
    fn comes_after(&self, meet: Node, to: Node) -> bool {
        let enter = |node: Node| self.before.tree.enter(node);
        let from = |&p: &Node| {
            self.child_of(p).is_some_and(|child| {
                enter(child) >= enter(meet)
                    && (child == meet || self.roles.role(child) == Role::Following)
            })
        };
        self.roles.is_following(self.before.tree, to, self.switch)
            && to != meet
            && enter(to) > enter(meet)
            && self.before.cx.graph.preds(to).iter().any(from)
    }
    /// Returns whether a case ends elsewhere than the paths through `meet`, and shares its end with
    /// more than one other case.
    fn bypasses(&self, meet: Node, to: Node) -> bool {
        let is_child = |node: Node| self.before.tree.is_child(node, self.switch);
        // Nodes that follow an outer construct come after all that follow the switch.
        if is_child(meet) && !is_child(to) {
            return true;
        }
        let last = self.post().last(to);
        let falls = || is_child(last) && self.only_case_before(last).is_some();
        self.post().end(to) < self.post().end(meet)
            && !self.before.tree.contains(to, last)
            && !falls()
    }
}
