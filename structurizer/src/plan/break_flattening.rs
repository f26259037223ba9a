//! Break flattening: moves nodes that are the targets of breaks from many nesting levels to one
//! level.
//!
//! An unrolled loop with several breaks is a long chain of branches, each with an edge to one of a
//! few nodes that all of them share. Each such node is placed where its first break leaves it, one
//! inside the other, so every break to an outer one bypasses the inner ones and the nesting is as
//! deep as the chain is long. Break flattening moves all of these nodes out to the outermost branch
//! of the chain. One breakable block spans the chain from there, which becomes flat: each break
//! leads to its merge block, and after that one selector decides between the nodes.
//!
//! A node may be placed with any of its dominators, as long as the nodes that follow it move, too:
//! the order of reverse post-order among siblings keeps every forward edge leading forward. The
//! roles of the nodes do not change: they stay nodes that follow a two-way branch, in the case of a
//! switch that they were in.

use alloc::vec::Vec;

use super::Context;
use super::roles::{Role, Roles};
use super::tree::Tree;
use crate::maps::FxHashMap;
use crate::passes::Node;

/// Maximum number of levels that a node moves outwards.
const MAX_LEVELS: usize = 64;
/// Maximum number of times that the predecessors of one node are counted.
const MAX_COUNTS: u32 = 4;

/// Branches that nodes were moved out to, each with the first of them.
pub(super) type Flattened = FxHashMap<Node, Node>;

/// Moves nodes that are shared and interleaved to the outermost branch of their chain.
pub(super) fn flatten(cx: Context<'_>, tree: &mut Tree, roles: &Roles) -> Flattened {
    let shared: Vec<Node> = cx
        .graph
        .nodes()
        .filter(|&node| roles.role(node) == Role::Following && tree.parent(node).is_some())
        .filter(|&node| is_many(cx, node))
        .collect();
    // One shared node alone is not interleaved with others.
    if shared.len() < 2 {
        return Flattened::default();
    }
    let mut flattening = Flattening {
        cx,
        tree,
        roles,
        moves: Vec::new(),
        parent: FxHashMap::default(),
        children: FxHashMap::default(),
        counts: FxHashMap::default(),
        budget: cx.graph.len() * 8,
        first: Flattened::default(),
    };
    // The moves made so far are right if the budget ends.
    let _ = shared
        .iter()
        .try_for_each(|&node| flattening.move_one(node));
    let Flattening { moves, first, .. } = flattening;
    if !moves.is_empty() {
        tree.move_out(cx.graph, &moves);
    }
    first
}

fn is_many(cx: Context<'_>, node: Node) -> bool {
    cx.graph.forward_preds(node) >= least(cx)
}

/// Returns the least number of branches to a node that is moved.
fn least(cx: Context<'_>) -> usize {
    cx.options.many_breaks as usize
}

/// The flattening in progress: the tree, and the changes to it so far.
struct Flattening<'a> {
    cx: Context<'a>,
    tree: &'a Tree,
    roles: &'a Roles,
    /// Nodes with their new parents, in the order of the moves.
    moves: Vec<(Node, Node)>,
    parent: FxHashMap<Node, Node>,
    children: FxHashMap<Node, Vec<Node>>,
    counts: FxHashMap<Node, u32>,
    /// Number of nodes that may still be visited.
    budget: usize,
    first: Flattened,
}

impl Flattening<'_> {
    fn parent(&self, node: Node) -> Option<Node> {
        let moved = self.parent.get(&node).copied();
        moved.or_else(|| self.tree.parent(node))
    }
    fn children(&self, node: Node) -> &[Node] {
        let changed = self.children.get(&node);
        changed.map_or_else(|| self.tree.children(node), Vec::as_slice)
    }
    fn is_shared(&self, node: Node) -> bool {
        self.roles.role(node) == Role::Following
            && self.parent(node).is_some()
            && is_many(self.cx, node)
    }
    /// Takes an amount from the budget; none if it is used up.
    fn spend(&mut self, amount: usize) -> Option<()> {
        self.budget = self.budget.checked_sub(amount)?;
        Some(())
    }

    /// Moves one node out, if that makes the chain flatter; none if the budget is used up.
    fn move_one(&mut self, node: Node) -> Option<()> {
        let Some(inner) = self.parent(node) else {
            return Some(());
        };
        let mut path = Vec::new();
        let mut outermost = None;
        let mut at = inner;
        while path.len() < MAX_LEVELS && self.is_plain_arm(at) {
            path.push(at);
            at = self.parent(at)?;
            self.spend(1 + self.children(at).len())?;
            if self.cx.is_two_way(at) && self.interleaves(at, inner) {
                outermost = Some((path.len(), at));
            }
        }
        let Some((levels, to)) = outermost else {
            return Some(());
        };
        path.truncate(levels);
        // The lists of children are rewritten; that cost is bounded, too.
        let of_path = path.iter().chain([&to]);
        let children = of_path.map(|&node| self.children(node).len()).sum();
        self.spend(children)?;
        self.move_out(&path, node, to);
        let earliest = self
            .children(to)
            .iter()
            .copied()
            .filter(|&c| self.roles.role(c) == Role::Following && is_many(self.cx, c))
            .chain(self.first.get(&to).copied())
            .chain([node])
            .min();
        self.first.extend(earliest.map(|first| (to, first)));
        Some(())
    }

    /// Returns whether many branches inside `inner` lead to one of the shared nodes after a branch.
    fn interleaves(&mut self, branch: Node, inner: Node) -> bool {
        let (cx, tree) = (self.cx, self.tree);
        let shared: Vec<Node> = self
            .children(branch)
            .iter()
            .copied()
            .filter(|&c| self.is_shared(c))
            .collect();
        shared.into_iter().any(|other| {
            let count = self.counts.entry(other).or_default();
            *count += 1;
            let preds = cx.graph.preds(other).iter();
            *count <= MAX_COUNTS && preds.filter(|&&p| tree.contains(inner, p)).count() >= least(cx)
        })
    }

    /// Returns whether a node is an arm of a branch, and neither a loop nor a switch begins at it.
    fn is_plain_arm(&self, node: Node) -> bool {
        !self.cx.is_header(node)
            && self.roles.role(node) == Role::Arm
            && self.cx.is_two_way(node)
            && self
                .parent(node)
                .is_some_and(|parent| !self.cx.is_switch(parent))
    }

    /// Moves a node, and its later siblings on the path, so that they follow `to`.
    fn move_out(&mut self, path: &[Node], node: Node, to: Node) {
        let mut all = self.children(to).to_vec();
        for &from in path {
            let goes = |&c: &Node| self.roles.role(c) == Role::Following && c >= node;
            let (moved, stay): (Vec<Node>, Vec<Node>) =
                self.children(from).iter().copied().partition(goes);
            self.children.insert(from, stay);
            self.parent.extend(moved.iter().map(|&c| (c, to)));
            self.moves.extend(moved.iter().map(|&c| (c, to)));
            all.extend(moved);
        }
        all.sort_unstable();
        self.children.insert(to, all);
    }
}
