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

use crate::analysis::dominators::Dominators;
use crate::entity::EntityVec;
use crate::ir::Terminator;
use crate::passes::Node;
use crate::passes::subtrees::{self, Subtree};
use crate::remark::Remarks;
use crate::result::Error;
use crate::stage::Stage;

/// Placement of each node, the scopes, and the order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// Summary of the dominator subtree of each node. Empty if there are neither loops nor
    /// switches.
    pub(crate) subtrees: EntityVec<Node, Subtree>,
    pub(crate) exits: LoopExits,
    pub(crate) tree: Tree,
    pub(crate) continue_targets: ContinueTargets,
    pub(crate) roles: Roles,
    pub(crate) breakable: BreakableBlocks,
    pub(crate) scopes: Scopes,
    pub(crate) flat_arms: FlatArms,
    pub(crate) positions: Positions,
}

/// Everything about the output that is decided.
pub(crate) struct Plan<'a> {
    pub(crate) cx: Context<'a>,
    pub(crate) shape: Shape,
    pub(crate) blocks: Blocks,
}

impl<'a> Plan<'a> {
    /// Makes the plan of a canonical graph.
    ///
    /// # Errors
    /// [`Error::Internal`] if the shape breaks its own rules, which would be a bug.
    pub(crate) fn new(cx: Context<'a>, remarks: &mut Remarks) -> Result<Self, Error> {
        let shape = Shape::new(cx, remarks);
        let blocks = route::route(cx, &shape, remarks)?;
        let plan = Self { cx, shape, blocks };
        if cfg!(debug_assertions) {
            plan.check()?;
        }
        Ok(plan)
    }
}

impl Shape {
    /// Decides about the nodes, in the order of the stages. Each part follows from those before it.
    fn new(cx: Context<'_>, remarks: &mut Remarks) -> Self {
        let graph = cx.graph;
        let dominators = Dominators::new(graph.cfg(), graph.dfs());
        let mut shape = Self::default();
        let is_switch =
            |&node: &Node| matches!(cx.terminator(node), Some(Terminator::Switch { .. }));
        if !graph.loops().is_empty() || graph.nodes().any(|node| is_switch(&node)) {
            shape.subtrees = subtrees::subtrees(cx.func, graph, &dominators);
            uniform_exits::mark(cx, &dominators, &mut shape.subtrees);
            shape.exits = loop_exits::choose(cx, &shape.subtrees, remarks);
        }
        let mut tree = tree::place(cx, &dominators, &shape.subtrees, &shape.exits, remarks);
        shape.continue_targets = continue_targets::choose(cx, &tree, remarks);
        let before = roles::Before {
            cx,
            tree: &tree,
            exits: &shape.exits,
            continue_targets: &shape.continue_targets,
        };
        shape.roles = roles::choose(before, remarks);
        let mut flattened = break_flattening::Flattened::default();
        let no_breakable = BreakableBlocks::default();
        if cx.runs(Stage::BreakableBlocks) {
            flattened = break_flattening::flatten(cx, &mut tree, &shape.roles);
        }
        shape.tree = tree;
        let scopes = |shape: &Self, breakable: &BreakableBlocks| {
            Scopes::new(cx, &shape.tree, &shape.roles, breakable, &flattened)
        };
        shape.scopes = scopes(&shape, &no_breakable);
        if cx.runs(Stage::BreakableBlocks) {
            let before = breakable_blocks::Before {
                cx,
                tree: &shape.tree,
                continue_targets: &shape.continue_targets,
                roles: &shape.roles,
                scopes: &shape.scopes,
                flattened: &flattened,
            };
            shape.breakable = breakable_blocks::choose(before, remarks.wanted());
            if !shape.breakable.is_empty() {
                shape.scopes = scopes(&shape, &shape.breakable);
            }
        }
        shape.flat_arms = arm_flattening::choose(
            cx,
            &shape.tree,
            &shape.continue_targets,
            &shape.roles,
            &shape.scopes,
            remarks,
        );
        let before = positions::Before {
            cx,
            tree: &shape.tree,
            continue_targets: &shape.continue_targets,
            roles: &shape.roles,
            breakable: &shape.breakable,
            flat_arms: &shape.flat_arms,
        };
        shape.positions = positions::number(before, &mut shape.scopes);
        shape
    }
}
