//! Regions: a node's block and how it ends, and the ends of loops.

use smallvec::SmallVec;

use super::destination::OpenScope;
use super::targets::Targets;
use super::{Continuation, Ending, NodeList, Router, Step, internal};
use crate::analysis::loops::Loop;
use crate::ir::Block;
use crate::passes::{Edge, Node};
use crate::plan::blocks::OutEdge;
use crate::plan::roles::Role;
use crate::result::{Merge, StageError};

impl Router<'_> {
    /// Routes a node and its subtree.
    pub(super) fn region(&mut self, node: Node, at: Continuation) -> Result<(), StageError> {
        let block = self.block(node);
        if let Some(&before) = self.walk.pre_header.get(&node) {
            self.out.order.push(before);
            let before = self.label_exits(node, before)?;
            let edge = self.add_edge(before, block);
            self.end(before, Ending::Branch(edge));
        }
        self.out.order.push(block);
        match self.cx.graph.loop_headed_by(node) {
            Some(l) => {
                let inside = self.open_loop(l, block, at)?;
                self.body(node, block, inside, true)
            }
            None => self.body(node, block, at, false),
        }
    }

    /// Opens labelled blocks around a loop, for the nodes that follow it after the first one.
    fn label_exits(&mut self, node: Node, before: Block) -> Result<Block, StageError> {
        let (shape, graph) = (self.shape, self.cx.graph);
        match graph.loop_headed_by(node) {
            Some(l) if self.labels.is_some() => {
                let exits = self.list(shape.roles.loop_exits(&shape.tree, l));
                self.open_labels(before, exits.rest())
            }
            _ => Ok(before),
        }
    }

    /// Opens the scope of a loop and returns the continuation inside.
    fn open_loop(
        &mut self,
        l: Loop,
        header: Block,
        at: Continuation,
    ) -> Result<Continuation, StageError> {
        let Some(scope) = self.shape.scopes.of_loop(l) else {
            return Err(internal("a loop without a scope"));
        };
        let merge = self.fresh();
        let continue_target = match self.shape.continue_targets.node(l) {
            Some(node) => self.block(node),
            None => self.fresh(),
        };
        let (shape, graph) = (self.shape, self.cx.graph);
        let following = self.list(shape.roles.loop_exits(&shape.tree, l));
        let merge_position = self.next_position(following, at)?;
        self.walk.open[scope] = OpenScope {
            merge: merge.into(),
            continue_target: continue_target.into(),
            merge_position,
            outer: at,
        };
        self.open_label(merge_position, merge);
        self.open_label(self.continue_position(l)?.into(), continue_target);
        let origin = graph.block(graph.header(l));
        let hint = origin
            .map(|b| self.cx.func.loop_hint(b))
            .unwrap_or_default();
        self.out.blocks[header].merge = Merge::Loop {
            merge,
            continue_target,
            hint,
        };
        self.walk.steps.push(Step::Merge(merge, following, at));
        self.walk.steps.push(Step::LoopEnd(l));
        Ok(Continuation {
            position: self.continue_position(l)?.into(),
            block: continue_target.into(),
            scope,
        })
    }

    /// Adds the list of the nodes that follow a node's branch, inside its breakable block if it
    /// opens one.
    pub(super) fn following_branch(&mut self, node: Node) -> NodeList {
        let shape = self.shape;
        let following = shape.roles.following(&shape.tree, node);
        self.list(following.filter(|&c| !shape.breakable.is_after(node, c)))
    }

    /// Routes the terminator of a node, in `block` (its own, which may be a loop header).
    fn body(
        &mut self,
        node: Node,
        block: Block,
        at: Continuation,
        is_header: bool,
    ) -> Result<(), StageError> {
        match *self.cx.live_edges(node) {
            [] => Ok(()),
            [edge] => self.one_way(node, block, edge, at, is_header),
            [a, b] if !self.cx.is_switch(node) => self.two_way(node, block, [a, b], at, is_header),
            _ => self.switch(node, block, at, is_header),
        }
    }

    fn one_way(
        &mut self,
        node: Node,
        block: Block,
        edge: Edge,
        at: Continuation,
        is_header: bool,
    ) -> Result<(), StageError> {
        let following = self.following_branch(node);
        let (mut block, mut at) = (block, at);
        if self.labels.is_some() && !following.is_empty() {
            block = self.split_header(block, is_header, self.out.order.len());
            block = self.open_labels(block, following)?;
            let Some(merge) = self.label_of(following) else {
                return Err(internal("a following node without a label"));
            };
            self.walk.steps.push(Step::Merge(merge, following, at));
            at.position = self.next_position(following, at)?;
            at.block = merge.into();
        } else if !following.is_empty() {
            // Only a branch with a second edge that is never taken has following nodes: the code
            // after its only path.
            let merge = self.fresh();
            self.walk.arrivals[merge].is_optional = true;
            self.walk.steps.push(Step::Merge(merge, following, at));
            at = Continuation {
                position: self.next_position(following, at)?,
                block: merge.into(),
                scope: at.scope,
            };
        }
        let edge = if self.is_arm(node, edge.to) {
            self.walk.steps.push(Step::Region(edge.to, at));
            self.branch_into(block, node, edge, self.entry(edge.to))
        } else {
            let target = self.target(node, edge.to)?;
            let d = self.destination(at, target)?;
            match self.exit_copy(node, edge, d, at)? {
                Some(exit) => self.add_edge(block, exit),
                None => self.branch_to_target(block, node, edge, target, d.block),
            }
        };
        self.end(block, Ending::Branch(edge));
        Ok(())
    }

    /// Returns whether an edge leads to an arm of its node's branch.
    pub(super) fn is_arm(&self, node: Node, to: Node) -> bool {
        let shape = self.shape;
        let around = self.cx.graph.loops().innermost(node).expand();
        shape.roles.is_arm_of(&shape.tree, to, node)
            && around.is_none_or(|l| self.cx.graph.header(l) != to)
    }

    /// Returns whether an edge leads to a node that follows its node's construct.
    pub(super) fn is_following(&self, node: Node, to: Node) -> bool {
        self.shape.roles.role(to) == Role::Following && self.shape.tree.is_child(to, node)
    }

    /// Routes the continue target of a loop and the back edge.
    pub(super) fn loop_end(&mut self, l: Loop) -> Result<(), StageError> {
        let graph = self.cx.graph;
        let header = self.block(graph.header(l));
        let scope = self.shape.scopes.of_loop(l);
        let planned =
            scope.and_then(|scope| Some((scope, self.walk.open[scope].continue_target.expand()?)));
        let Some((scope, mut block)) = planned else {
            return Err(internal("a loop without a continue target"));
        };
        self.close_label(self.continue_position(l)?.into(), block);
        let mut node = self.shape.continue_targets.node(l);
        if node.is_some() && self.walk.pending.get(block).is_none_or(Targets::is_empty) {
            // Nothing arrives: the block's own instructions would have no definitions to read.
            node = None;
            block = self.fresh();
            if let Merge::Loop {
                continue_target, ..
            } = &mut self.out.blocks[header].merge
            {
                *continue_target = block;
            }
        }
        self.out.order.push(block);
        let Some(node) = node else {
            self.walk.latches.push((header, block));
            return Ok(());
        };
        let at = Continuation::end_of(scope);
        let mut out: SmallVec<[OutEdge; 2]> = SmallVec::new();
        for &edge in graph.edges(node) {
            out.push(if edge.to == graph.header(l) {
                self.branch_into(block, node, edge, header)
            } else {
                let target = self.target(node, edge.to)?;
                let d = self.destination(at, target)?;
                self.branch_to_target(block, node, edge, target, d.block)
            });
        }
        match *out {
            [only] => self.end(block, Ending::Branch(only)),
            [then, otherwise] => {
                let condition = self.condition(node)?;
                self.conditional(block, condition, then, otherwise);
            }
            _ => return Err(internal("a continue target with a switch")),
        }
        Ok(())
    }
}
