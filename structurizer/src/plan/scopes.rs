//! Scopes, which a `break` can leave. A scope is an entry of the control stack: the function, a
//! loop, a switch or a breakable block.

use core::ops::{Index, IndexMut};

use super::Context;
use super::break_flattening::Flattened;
use super::breakable_blocks::BreakableBlocks;
use super::positions::Span;
use super::roles::{Role, Roles};
use super::tree::Tree;
use crate::analysis::ancestors::Ancestors;
use crate::analysis::loops::Loop;
use crate::entity::{PackedOption, PrimaryMap, entity_impl};
use crate::passes::{Graph, Node};

/// A scope of [`Scopes`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Scope(u32);
entity_impl!(Scope, "scope");

impl Scope {
    /// The function itself.
    pub(crate) const FUNCTION: Self = Self(0);
}

/// A loop, a switch, a breakable block, or the function.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ScopeData {
    /// Header of the loop or the switch's node; none for the function.
    pub(crate) head: PackedOption<Node>,
    /// Innermost loop's scope that this one is in or is, if any.
    pub(crate) loop_scope: PackedOption<Scope>,
    /// The loop, if it is one's scope.
    pub(crate) of_loop: PackedOption<Loop>,
    /// The positions inside; of the function none.
    pub(crate) span: Span,
    /// True for a breakable block around a long chain of breaks: invocations break out of it even
    /// where they could fall out.
    pub(crate) is_flattened: bool,
    /// Switches and breakable blocks that a `continue` from here would leave, with this one.
    switches: u32,
    /// True if these are more than one `continue` may leave
    /// ([`Options::max_continue_switches`](crate::Options::max_continue_switches)).
    pub(crate) is_deep: bool,
}

impl ScopeData {
    /// Returns whether it is the scope of a switch or a breakable block.
    pub(crate) fn is_switch(&self) -> bool {
        self.of_loop.is_none() && self.head.is_some()
    }
}

/// All scopes.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    scopes: PrimaryMap<Scope, ScopeData>,
    of_loop: PrimaryMap<Loop, PackedOption<Scope>>,
    of_switch: PrimaryMap<Node, PackedOption<Scope>>,
    /// Empty if there are no breakable blocks.
    of_breakable: PrimaryMap<Node, PackedOption<Scope>>,
    /// The scope in which a node's region is.
    sequence: PrimaryMap<Node, PackedOption<Scope>>,
    nesting: Ancestors<Scope>,
    max_continue_switches: u32,
}

impl Index<Scope> for Scopes {
    type Output = ScopeData;
    fn index(&self, scope: Scope) -> &ScopeData {
        &self.scopes[scope]
    }
}

impl IndexMut<Scope> for Scopes {
    fn index_mut(&mut self, scope: Scope) -> &mut ScopeData {
        &mut self.scopes[scope]
    }
}

impl Scopes {
    /// Finds the scopes. Linear in the graph.
    pub(super) fn find(
        &mut self,
        cx: Context<'_>,
        tree: &Tree,
        roles: &Roles,
        breakable: &BreakableBlocks,
        flattened: &Flattened,
    ) {
        let graph = cx.graph;
        let s = self;
        s.scopes.reset(1);
        s.of_loop.reset(graph.loops().len());
        s.of_switch.reset(graph.len());
        s.of_breakable
            .reset(if breakable.is_empty() { 0 } else { graph.len() });
        s.sequence.reset(graph.len());
        s.nesting.reset(1);
        s.max_continue_switches = cx.options.max_continue_switches;
        for w in graph.nodes() {
            let parent = tree.parent(w);
            let sequence = match (parent, roles.role(w)) {
                (None, _) => Scope::FUNCTION,
                (Some(p), Role::LoopExit) => s.sequence_scope(p),
                (Some(p), Role::Arm) => s.of_switch(p).unwrap_or_else(|| s.body_scope(graph, p)),
                (Some(p), Role::Following) if breakable.is_after(p, w) => s.outer_scope(graph, p),
                (Some(p), _) => s.body_scope(graph, p),
            };
            s.sequence[w] = sequence.into();
            if let Some(l) = graph.loop_headed_by(w) {
                let scope = s.add(
                    sequence,
                    ScopeData {
                        head: w.into(),
                        of_loop: l.into(),
                        ..ScopeData::default()
                    },
                );
                s.scopes[scope].loop_scope = scope.into();
                s.of_loop[l] = scope.into();
            }
            if breakable.merge_of(w).is_some() {
                let outer = s.outer_scope(graph, w);
                let scope = s.add_switch(outer, w);
                s.scopes[scope].is_flattened = flattened.contains_key(&w);
                s.of_breakable[w] = scope.into();
            }
            if cx.is_switch(w) {
                let outer = s.body_scope(graph, w);
                s.of_switch[w] = s.add_switch(outer, w).into();
            }
        }
    }

    fn add(&mut self, outer: Scope, data: ScopeData) -> Scope {
        self.nesting.push(outer.into());
        self.scopes.push(data)
    }

    /// Adds the scope of a switch or a breakable block.
    fn add_switch(&mut self, outer: Scope, head: Node) -> Scope {
        let ScopeData {
            loop_scope,
            switches,
            ..
        } = self.scopes[outer];
        let switches = switches + 1;
        self.add(
            outer,
            ScopeData {
                head: head.into(),
                loop_scope,
                switches,
                is_deep: switches > self.max_continue_switches,
                ..ScopeData::default()
            },
        )
    }

    /// Returns the number of scopes.
    pub(crate) fn len(&self) -> usize {
        self.scopes.len()
    }
    /// Returns the scopes with their data, outer ones before inner ones.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Scope, &ScopeData)> {
        self.scopes.iter()
    }
    /// Returns the scope of a loop.
    pub(crate) fn of_loop(&self, l: Loop) -> Option<Scope> {
        self.of_loop[l].expand()
    }
    /// Returns the scope that a switch opens; none for other nodes.
    pub(crate) fn of_switch(&self, node: Node) -> Option<Scope> {
        self.of_switch[node].expand()
    }
    /// Returns the scope of the breakable block that a node opens; none for other nodes.
    pub(crate) fn of_breakable(&self, node: Node) -> Option<Scope> {
        self.of_breakable.get(node)?.expand()
    }
    /// Returns the scope in which a node's own terminator is, without a switch's own scope.
    pub(crate) fn body_scope(&self, graph: &Graph, node: Node) -> Scope {
        self.of_breakable(node)
            .unwrap_or_else(|| self.outer_scope(graph, node))
    }
    /// Returns the same without the breakable block that the node opens.
    fn outer_scope(&self, graph: &Graph, node: Node) -> Scope {
        let headed = graph.loop_headed_by(node).and_then(|l| self.of_loop(l));
        headed.unwrap_or_else(|| self.sequence_scope(node))
    }
    /// Returns the scope in which a node's region is.
    pub(crate) fn sequence_scope(&self, node: Node) -> Scope {
        self.sequence[node].expand().unwrap_or(Scope::FUNCTION)
    }
    /// Returns the outermost scope that a branch from one scope to another leaves, if any.
    pub(crate) fn outermost_left(&self, from: Scope, to: Scope) -> Option<Scope> {
        if from == to {
            return None;
        }
        let (from, to) = (from.into(), to.into());
        let common = self.nesting.common(from, to);
        if common == from {
            return None;
        }
        let depth = self.nesting.depth(common) + 1;
        self.nesting.at_depth(from, depth).expand()
    }
}
