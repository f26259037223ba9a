//! Positions: the linear order of the nodes.
//!
//! Positions number the placement tree in the order in which blocks are written; a loop's continue
//! target has the position after its body. The order carries correctness and convergence: every
//! forward edge leads to a later position, and every scope is an interval ([`Span`]).

use alloc::vec::Vec;
use core::fmt;

use super::Context;
use super::arm_flattening::FlatArms;
use super::breakable_blocks::BreakableBlocks;
use super::continue_targets::ContinueTargets;
use super::roles::Roles;
use super::scopes::{Scope, Scopes};
use super::tree::Tree;
use crate::analysis::loops::Loop;
use crate::entity::{EntityRef, PackedOption, PrimaryMap, entity_impl};
use crate::passes::Node;

/// A position of a node, or of a loop's continue target, in the linear order. Selectors hold the
/// position of their target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position(u32);
entity_impl!(Position, "p");

impl Position {
    /// Returns the position after this one.
    pub(crate) fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// An interval of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Span(Option<(Position, Position)>);

impl Span {
    /// Returns whether a position is inside.
    pub(crate) fn contains(self, position: Position) -> bool {
        self.0
            .is_some_and(|(first, last)| (first..=last).contains(&position))
    }
    /// Returns the last position inside.
    pub(crate) fn last(self) -> Option<Position> {
        Some(self.0?.1)
    }
    /// Returns the first and last position inside, and the first one after them.
    pub(crate) fn bounds(self) -> impl Iterator<Item = Position> {
        let both = self.0.into_iter();
        both.flat_map(|(first, last)| [first, last, last.next()])
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some((first, last)) => write!(f, "{first}..={last}"),
            None => f.write_str("no positions"),
        }
    }
}

/// The linear order.
#[derive(Debug, Default)]
pub(crate) struct Positions {
    of_node: PrimaryMap<Node, PackedOption<Position>>,
    of_continue: PrimaryMap<Loop, PackedOption<Position>>,
    node_at: PrimaryMap<Position, PackedOption<Node>>,
    /// The first position of each scope, until its end is known.
    first: PrimaryMap<Scope, PackedOption<Position>>,
    stack: Vec<Step>,
    /// The steps after the current node.
    steps: Vec<Step>,
}

impl Positions {
    /// Returns the position of a node; of a node that is a continue target its position.
    pub(crate) fn of(&self, node: Node) -> Option<Position> {
        self.of_node[node].expand()
    }
    /// Returns the position of a loop's continue target.
    pub(crate) fn of_continue(&self, l: Loop) -> Option<Position> {
        self.of_continue[l].expand()
    }
    /// Returns the node at a position; none at the position of a fresh continue target.
    pub(crate) fn node_at(&self, position: Position) -> Option<Node> {
        self.node_at[position].expand()
    }
    /// Returns the positions with their nodes, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Position, Option<Node>)> {
        self.node_at.iter().map(|(p, node)| (p, node.expand()))
    }
}

/// The parts of the plan that the order follows from.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    pub(super) cx: Context<'a>,
    pub(super) tree: &'a Tree,
    pub(super) continue_targets: &'a ContinueTargets,
    pub(super) roles: &'a Roles,
    pub(super) breakable: &'a BreakableBlocks,
    pub(super) flat_arms: &'a FlatArms,
}

/// A step of the walk over the tree.
#[derive(Debug)]
enum Step {
    Node(Node),
    Continue(Loop),
    EndOfScope(Scope),
}

impl Positions {
    /// Numbers the nodes, and sets the spans of the scopes. Linear in the graph.
    pub(super) fn number(&mut self, before: Before<'_>, scopes: &mut Scopes) {
        let graph = before.cx.graph;
        let Self {
            of_node,
            of_continue,
            node_at,
            first,
            stack,
            steps,
        } = self;
        of_node.reset(graph.len());
        of_continue.reset(graph.loops().len());
        node_at.clear();
        node_at.reserve_all(graph.len() + graph.loops().len());
        first.reset(scopes.len());
        stack.push(Step::Node(Node::ENTRY));
        while let Some(step) = stack.pop() {
            let next = node_at.len();
            match step {
                Step::EndOfScope(scope) => {
                    let last = node_at.keys().next_back();
                    scopes[scope].span = Span(first[scope].expand().zip(last));
                }
                Step::Continue(l) => {
                    let node = before.continue_targets.node(l);
                    let position = node_at.push(node.into());
                    of_continue[l] = position.into();
                    if let Some(node) = node {
                        of_node[node] = position.into();
                    }
                    if let Some(scope) = scopes.of_loop(l) {
                        scopes[scope].span = Span(first[scope].expand().map(|f| (f, position)));
                    }
                }
                Step::Node(w) => {
                    of_node[w] = node_at.push(w.into()).into();
                    let inside = Position::new(next + 1).into();
                    let opened = [scopes.of_switch(w), scopes.of_breakable(w)];
                    for scope in opened.into_iter().flatten() {
                        first[scope] = inside;
                    }
                    if let Some(scope) = graph.loop_headed_by(w).and_then(|l| scopes.of_loop(l)) {
                        first[scope] = Position::new(next).into();
                    }
                    before.steps_of(w, scopes, steps);
                    stack.extend(steps.drain(..).rev());
                }
            }
        }
    }
}

impl Before<'_> {
    /// Adds the steps after a node's own position: its arms, the nodes that follow them, its loop's
    /// end and the nodes that follow its loop.
    fn steps_of(self, w: Node, scopes: &Scopes, steps: &mut Vec<Step>) {
        let Self { tree, roles, .. } = self;
        if let Some(scope) = scopes.of_switch(w) {
            steps.extend(roles.switch_arms(w).iter().map(|&c| Step::Node(c)));
            steps.push(Step::EndOfScope(scope));
        } else {
            let flat = self.flat_arms.of(w);
            let arms = roles.arms(tree, w).filter(|&c| Some(c) != flat);
            steps.extend(arms.chain(flat).map(Step::Node));
        }
        for following in roles.following(tree, w) {
            if let Some(scope) = scopes.of_breakable(w)
                && self.breakable.merge_of(w) == Some(following)
            {
                steps.push(Step::EndOfScope(scope));
            }
            steps.push(Step::Node(following));
        }
        if let Some(own) = self.cx.graph.loop_headed_by(w) {
            steps.push(Step::Continue(own));
            steps.extend(roles.loop_exits(tree, own).map(Step::Node));
        }
    }
}
