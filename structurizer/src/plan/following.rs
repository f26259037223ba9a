//! The node that control falls through to after each node's construct.

use super::Context;
use super::roles::Roles;
use super::tree::Tree;
use crate::entity::{PackedOption, PrimaryMap};
use crate::passes::Node;

/// The node that follows each node.
#[derive(Debug, Default)]
pub(super) struct Following {
    after: PrimaryMap<Node, PackedOption<Node>>,
    after_branch: PrimaryMap<Node, PackedOption<Node>>,
    after_loop: PrimaryMap<Node, PackedOption<Node>>,
}

impl Following {
    /// Computes it for all nodes, in linear time.
    pub(super) fn find(&mut self, cx: Context<'_>, tree: &Tree, roles: &Roles) {
        let graph = cx.graph;
        let f = self;
        f.after.reset(graph.len());
        f.after_branch.reset(graph.len());
        f.after_loop.reset(graph.len());
        for w in graph.nodes() {
            // Within this node's construct: the nodes that follow it one after the other, then the
            // code after it or, in a loop, the continue target.
            let headed = graph.loop_headed_by(w);
            let last = if headed.is_some() {
                None.into()
            } else {
                f.after[w]
            };
            f.after_branch[w] = chain(&mut f.after, roles.following(tree, w), last);
            for arm in roles.arms(tree, w) {
                let next = roles.falls_into(arm);
                f.after[arm] = next.map_or(f.after_branch[w], PackedOption::from);
            }
            if let Some(l) = headed {
                let last = f.after[w];
                f.after_loop[w] = chain(&mut f.after, roles.loop_exits(tree, l), last);
            }
        }
    }
    /// Returns where control falls out of the node's construct; none for a continue target or the
    /// end of the function.
    pub(super) fn after(&self, node: Node) -> Option<Node> {
        self.after[node].expand()
    }
    /// Returns the node that follows the node's own branch or switch.
    pub(super) fn after_branch(&self, node: Node) -> Option<Node> {
        self.after_branch[node].expand()
    }
    /// Returns the node that follows the loop that the node heads.
    pub(super) fn after_loop(&self, node: Node) -> Option<Node> {
        self.after_loop[node].expand()
    }
}

/// Makes each of these nodes follow the previous one; returns the first, or `last` if there is
/// none.
fn chain(
    after: &mut PrimaryMap<Node, PackedOption<Node>>,
    nodes: impl Iterator<Item = Node>,
    last: PackedOption<Node>,
) -> PackedOption<Node> {
    let (mut first, mut before) = (last, None);
    for node in nodes {
        match before {
            None => first = node.into(),
            Some(before) => after[before] = node.into(),
        }
        after[node] = last;
        before = Some(node);
    }
    first
}
