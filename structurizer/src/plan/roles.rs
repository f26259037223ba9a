//! Roles of nodes with respect to their parents in the placement tree.

use alloc::vec::Vec;
use core::mem;

use super::Context;
use super::continue_targets::ContinueTargets;
use super::loop_exits::LoopExits;
use super::switch_order::SwitchOrder;
use super::tree::Tree;
use crate::analysis::loops::Loop;
use crate::entity::{Adjacency, PackedOption, PrimaryMap};
use crate::passes::Node;
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// Role of a node with respect to its parent in the placement tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Entered by its parent's branch alone (or, in a switch, by fall-through too): inside the
    /// branch's construct.
    Arm,
    /// Follows its parent's construct.
    Following,
    /// Is the continue target of a loop.
    ContinueTarget,
    /// Follows the loop that its parent heads.
    LoopExit,
}

/// The roles, and the order of the arms of switches.
#[derive(Debug, Default)]
pub(crate) struct Roles {
    role: PrimaryMap<Node, Role>,
    falls_into: PrimaryMap<Node, PackedOption<Node>>,
    /// Arms of each switch in order. No lists where there are no switches.
    switch_arms: Adjacency<Node, Node>,
    /// The arms of all switches in order, each with its switch.
    arms: Vec<(Node, Node)>,
    order: SwitchOrder,
}

/// The parts of the plan that are made before.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    pub(super) cx: Context<'a>,
    pub(super) tree: &'a Tree,
    pub(super) exits: &'a LoopExits,
    pub(super) continue_targets: &'a ContinueTargets,
}

impl Roles {
    /// Finds the roles, and orders the arms of the switches.
    pub(super) fn choose(&mut self, before: Before<'_>, remarks: &mut Remarks) {
        let Before { cx, tree, .. } = before;
        let graph = cx.graph;
        self.role.refill(Role::Following, graph.len());
        self.falls_into.reset(graph.len());
        self.switch_arms.clear();
        for w in graph.nodes() {
            if tree.follows_loop(w) {
                self.role[w] = Role::LoopExit;
            } else if tree.parent(w).is_some() && graph.forward_preds(w) == 1 {
                self.role[w] = Role::Arm;
            }
        }
        for node in before.continue_targets.nodes() {
            self.role[node] = Role::ContinueTarget;
        }
        let (mut arms, mut order) = (mem::take(&mut self.arms), mem::take(&mut self.order));
        arms.clear();
        for w in graph.nodes() {
            if cx.is_switch(w) {
                if cx.runs(Stage::SwitchOrder) {
                    order.choose(self, before, w);
                }
                order.order_arms(self, cx, tree, w, &mut arms);
            }
        }
        if !arms.is_empty() {
            self.switch_arms
                .regroup(graph.len(), || arms.iter().copied());
        }
        (self.arms, self.order) = (arms, order);
        if remarks.wanted() {
            for (from, to) in self.falls_into.iter() {
                if let Some(to) = to.expand() {
                    let from = graph.name(from);
                    remarks.add(
                        Stage::SwitchOrder,
                        graph.name(to),
                        Decision::FallsInto { from },
                    );
                }
            }
        }
    }
}

impl Roles {
    /// Returns a node's role.
    pub(crate) fn role(&self, node: Node) -> Role {
        self.role[node]
    }
    pub(super) fn set_role(&mut self, node: Node, role: Role) {
        self.role[node] = role;
    }
    /// Returns whether a node is an arm of another one's branch.
    pub(crate) fn is_arm_of(&self, tree: &Tree, node: Node, of: Node) -> bool {
        self.role[node] == Role::Arm && tree.is_child(node, of)
    }
    /// Returns whether a node follows another one's construct.
    pub(crate) fn is_following(&self, tree: &Tree, node: Node, of: Node) -> bool {
        self.role[node] == Role::Following && tree.is_child(node, of)
    }
    /// Returns the arms of a node in reverse post-order.
    pub(crate) fn arms(&self, tree: &Tree, of: Node) -> impl Iterator<Item = Node> {
        self.with_role(tree.children(of), Role::Arm)
    }
    /// Returns the nodes that follow a node's construct, in order.
    pub(crate) fn following(&self, tree: &Tree, of: Node) -> impl Iterator<Item = Node> {
        self.with_role(tree.children(of), Role::Following)
    }
    /// Returns the nodes that follow a loop, in order.
    pub(crate) fn loop_exits(&self, tree: &Tree, l: Loop) -> impl Iterator<Item = Node> {
        self.with_role(tree.after(l), Role::LoopExit)
    }
    fn with_role(&self, nodes: &[Node], role: Role) -> impl Iterator<Item = Node> {
        let nodes = nodes.iter().copied();
        nodes.filter(move |&node| self.role[node] == role)
    }
    /// Returns the case that a case falls into, if any.
    pub(crate) fn falls_into(&self, node: Node) -> Option<Node> {
        self.falls_into[node].expand()
    }
    pub(super) fn set_falls_into(&mut self, from: Node, to: Node) {
        self.falls_into[from] = to.into();
    }
    /// Returns the arms of a switch in the order of its cases.
    pub(crate) fn switch_arms(&self, switch: Node) -> &[Node] {
        if self.switch_arms.is_empty() {
            &[]
        } else {
            &self.switch_arms[switch]
        }
    }
}
