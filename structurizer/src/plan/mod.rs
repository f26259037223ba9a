//! The plan: every decision about the output, made before the first block is written.
//!
//! A plan has two parts. The [`Shape`] is about nodes: where each is placed, which scopes there
//! are, and the linear order of the nodes. The [`Blocks`] are about the output: `route` walks the
//! shape in order, finds the block that each branch leads to, and the selectors that are needed
//! because of that. Targets of branches are positions in the order, so the branches that arrive at
//! a merge block are known once everything before it is routed, without writing a block.
//!
//! The plan is read-only once it is made. [`Plan::check`] checks its own rules, `Display` prints
//! it.

pub(crate) mod arm_flattening;
pub(crate) mod blocks;
pub(crate) mod break_flattening;
pub(crate) mod breakable_blocks;
mod check;
pub(crate) mod context;
pub(crate) mod continue_targets;
mod display;
mod following;
pub(crate) mod loop_exits;
pub(crate) mod positions;
pub(crate) mod roles;
mod route;
pub(crate) mod scopes;
mod switch_order;
pub(crate) mod tree;
mod uniform_exits;

pub(crate) use context::Context;

use arm_flattening::FlatArms;
use blocks::Blocks;
use breakable_blocks::BreakableBlocks;
use continue_targets::ContinueTargets;
use loop_exits::LoopExits;
use positions::Positions;
use roles::Roles;
use scopes::Scopes;
use tree::Tree;

use crate::analysis::forward_dominators::ForwardDominators;
use crate::entity::PrimaryMap;
use crate::ir::Terminator;
use crate::passes::Node;
use crate::passes::subtrees::{self, Subtree};
use crate::remark::Remarks;
use crate::result::StageError;
use crate::stage::Stage;

/// Placement of each node, the scopes, and the order.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    dominators: ForwardDominators<Node>,
    /// Summary of the dominator subtree of each node. Empty if there are neither loops nor
    /// switches.
    pub(crate) subtrees: PrimaryMap<Node, Subtree>,
    pub(crate) exits: LoopExits,
    pub(crate) tree: Tree,
    pub(crate) continue_targets: ContinueTargets,
    pub(crate) roles: Roles,
    pub(crate) breakable: BreakableBlocks,
    pub(crate) scopes: Scopes,
    pub(crate) flat_arms: FlatArms,
    pub(crate) positions: Positions,
}

/// The memory that plans are made in.
#[derive(Default)]
pub(crate) struct Memory {
    shape: Shape,
    walk: route::Walk,
}

/// Everything about the output that is decided.
pub(crate) struct Plan<'a> {
    pub(crate) cx: Context<'a>,
    pub(crate) shape: &'a Shape,
    pub(crate) blocks: Blocks,
}

impl<'a> Plan<'a> {
    /// Makes the plan of a canonical graph.
    ///
    /// # Errors
    /// [`StageError::Internal`] if the shape breaks its own rules, which would be a bug.
    pub(crate) fn new(
        cx: Context<'a>,
        memory: &'a mut Memory,
        remarks: &mut Remarks,
    ) -> Result<Self, StageError> {
        let Memory { shape, walk } = memory;
        shape.place(cx, remarks);
        shape.decide(cx, remarks);
        let shape: &Shape = shape;
        let blocks = route::route(cx, shape, walk, remarks)?;
        let plan = Self { cx, shape, blocks };
        if cfg!(debug_assertions) {
            plan.check()?;
        }
        Ok(plan)
    }
}

impl Shape {
    /// Places the nodes.
    fn place(&mut self, cx: Context<'_>, remarks: &mut Remarks) {
        let graph = cx.graph;
        let Self {
            dominators,
            subtrees,
            exits,
            tree,
            ..
        } = self;
        dominators.start(graph.len(), Node::ENTRY);
        for node in graph.nodes() {
            let preds = graph.preds(node).iter().copied();
            dominators.add(node, preds.take_while(|&p| p < node));
        }
        subtrees.clear();
        exits.clear();
        let is_switch =
            |&node: &Node| matches!(cx.terminator(node), Some(Terminator::Switch { .. }));
        if !graph.loops().is_empty() || graph.nodes().any(|node| is_switch(&node)) {
            subtrees::find_subtrees(cx.func, graph, dominators, subtrees);
            uniform_exits::mark(cx, dominators, subtrees);
            exits.choose(cx, subtrees, remarks);
        }
        tree.place(cx, dominators, subtrees, exits, remarks);
    }

    /// Decides about the placed nodes, in the order of the stages. Each part follows from the parts
    /// before it.
    fn decide(&mut self, cx: Context<'_>, remarks: &mut Remarks) {
        let Self {
            exits,
            tree,
            continue_targets,
            roles,
            breakable,
            scopes,
            flat_arms,
            positions,
            ..
        } = self;
        continue_targets.choose(cx, tree, remarks);
        let before = roles::Before {
            cx,
            tree,
            exits,
            continue_targets,
        };
        roles.choose(before, remarks);
        let mut flattened = break_flattening::Flattened::default();
        if cx.runs(Stage::BreakFlattening) {
            flattened = break_flattening::flatten(cx, tree, roles);
        }
        breakable.clear();
        scopes.find(cx, tree, roles, breakable, &flattened);
        if cx.runs(Stage::BreakableBlocks) || !flattened.is_empty() {
            let before = breakable_blocks::Before {
                cx,
                tree,
                continue_targets,
                roles,
                scopes,
                flattened: &flattened,
            };
            breakable.choose(before, remarks.wanted());
            if !breakable.is_empty() {
                scopes.find(cx, tree, roles, breakable, &flattened);
            }
        }
        flat_arms.choose(cx, tree, continue_targets, roles, scopes, remarks);
        let before = positions::Before {
            cx,
            tree,
            continue_targets,
            roles,
            breakable,
            flat_arms,
        };
        positions.number(before, scopes);
    }
}
