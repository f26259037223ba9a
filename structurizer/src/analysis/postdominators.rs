//! Post-dominators per loop level: the nodes that control must pass on each path through one loop's
//! body.
//!
//! A reducible graph is taken level by level. The level of a loop consists of its nodes that are in
//! no inner loop and, as one node each, the loops directly inside; its sink is the latch. On the
//! outermost level the sinks are the blocks that end an invocation. An edge that leaves a level (an
//! exit of the loop), and a block that leads only to kills or endless loops, are ignored if there
//! is another path: `if (c) discard;` and a return out of two loops do not change where the other
//! invocations meet.

use alloc::vec::Vec;

use crate::analysis::{ancestors::Ancestors, cfg::Cfg, loops::Loop, loops::Loops};
use crate::entity::{Adjacency, Entity, PackedOption, PrimaryMap};

/// End of an invocation, ordered from the kind with the least weight in the choice of where
/// invocations meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum End {
    /// Killed, or unreachable.
    Kill,
    /// In an endless loop.
    Endless,
    /// By returning, or by the latch of the loop whose level this is.
    Return,
}

/// The forest of all levels.
#[derive(Clone, Debug)]
pub(crate) struct PostDominators<N: Entity> {
    tree: Ancestors<N>,
    end: PrimaryMap<N, End>,
    /// The successors of the current node on its level.
    succs: Vec<N>,
}

impl<N: Entity> Default for PostDominators<N> {
    fn default() -> Self {
        Self {
            tree: Ancestors::default(),
            end: PrimaryMap::default(),
            succs: Vec::new(),
        }
    }
}

impl<N: Entity> PostDominators<N> {
    /// Forgets all nodes and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.tree.reset(0);
        self.end.clear();
    }

    /// Computes them for a reducible graph whose nodes are numbered in reverse post-order and whose
    /// loops have one latch each. `exits` are the exit
    /// targets of each loop that lie on the level around it, `kills` returns whether a node without
    /// successors ends the invocation without a result.
    pub(crate) fn compute(
        &mut self,
        cfg: &Cfg<N>,
        loops: &Loops<N>,
        latch: &PrimaryMap<Loop, N>,
        exits: &Adjacency<Loop, N>,
        kills: impl Fn(N) -> bool,
    ) {
        let n = cfg.len();
        self.tree.reset(n);
        self.end.refill(End::Return, n);
        let mut succs = core::mem::take(&mut self.succs);
        for w in (0..n).rev().map(N::new) {
            let headed = loops.headed_by(w);
            succs.clear();
            let level = if let Some(own) = headed {
                succs.extend_from_slice(&exits[own]);
                loops.parent(own)
            } else {
                let level = loops.innermost(w);
                if level.expand().is_some_and(|l| latch[l] == w) {
                    continue; // the sink of its level
                }
                let stays = |&s: &N| s > w && loops.level_of(s) == level;
                succs.extend(cfg.succs(w).iter().copied().filter(stays));
                level
            };
            if level.is_none() {
                self.end[w] = match succs.iter().map(|&s| self.end[s]).max() {
                    None if headed.is_some() => End::Endless,
                    None if kills(w) => End::Kill,
                    None => End::Return,
                    Some(end) => end,
                };
            }
            let meet = self.meet(&succs);
            if meet.is_some() {
                self.tree.set_parent(w, meet);
            }
        }
        self.succs = succs;
    }

    /// Returns the best end that an invocation can reach from a node outside of all loops.
    pub(crate) fn end(&self, node: N) -> End {
        self.end[node]
    }

    /// Returns the first node that control passes from each of these, which are on one level; the
    /// node itself if there is only one. Returns none if no node has this property.
    pub(crate) fn meet(&self, nodes: &[N]) -> PackedOption<N> {
        let best = nodes.iter().map(|&s| self.end(s)).max();
        let mut candidates = nodes.iter().filter(|&&s| Some(self.end(s)) == best);
        let Some(&first) = candidates.next() else {
            return None.into();
        };
        let mut meet: PackedOption<N> = first.into();
        for &s in candidates {
            if meet.is_some() {
                meet = self.tree.common(meet, s.into());
            }
        }
        meet
    }

    /// Returns the last node that control passes on a node's level.
    pub(crate) fn last(&self, node: N) -> N {
        self.tree.at_depth(node.into(), 1).expand().unwrap_or(node)
    }

    /// Returns the last node that control passes from `below` before its strict post-dominator
    /// `above`, if that is one.
    pub(crate) fn before(&self, above: N, below: N) -> Option<N> {
        if !self.strictly_post_dominates(above, below) {
            return None;
        }
        let depth = self.tree.depth(above.into()) + 1;
        self.tree.at_depth(below.into(), depth).expand()
    }

    /// Returns whether `above` is a strict post-dominator of `below` on its level.
    pub(crate) fn strictly_post_dominates(&self, above: N, below: N) -> bool {
        let (above, below) = (above.into(), below.into());
        let depth = self.tree.depth(above);
        self.tree.depth(below) > depth && self.tree.at_depth(below, depth) == above
    }
}
