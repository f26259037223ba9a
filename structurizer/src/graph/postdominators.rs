//! Post-dominators, loop by loop: where control must come by on its way through one loop's body.
//!
//! A reducible graph is looked at level by level. On the level of a loop stand its own nodes and,
//! as one node each, the loops directly inside; its sink is the latch. On the outermost level the
//! sinks are the blocks that end a lane. What leaves a level (an exit of the loop), and a block
//! that leads only to kills or endless loops, is ignored as long as there is another way:
//! `if (c) discard;` and a return out of two loops do not change where the other lanes meet.

use super::{Cfg, NONE, ancestors::Ancestors, dfs::Dfs, loops::Loops};

/// How a lane ends, from the one that decides least about where lanes meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum End {
    /// Killed, or where no lane comes.
    Kill,
    /// In an endless loop.
    Endless,
    /// By returning, or by the latch of the loop whose level this is.
    Return,
}

/// The forest of all levels.
#[derive(Clone, Debug, Default)]
pub(crate) struct PostDominators {
    tree: Ancestors,
    end: Vec<End>,
}

impl PostDominators {
    /// Computes them for a reducible graph whose loops have one latch each. `latch` is by loop,
    /// `exits` gives the exit targets of each loop that lie on the level around it, `kills` says
    /// whether a node without successors ends the lane without a result.
    pub(crate) fn new(
        cfg: &Cfg,
        dfs: &Dfs,
        loops: &Loops,
        latch: &[u32],
        exits: impl Fn(u32) -> std::ops::Range<usize>,
        targets: &[u32],
        kills: impl Fn(u32) -> bool,
    ) -> Self {
        let n = cfg.len();
        let mut p = Self {
            tree: Ancestors::new(n),
            end: vec![End::Return; n],
        };
        let mut succs: Vec<u32> = Vec::new();
        for &w in dfs.rpo.iter().rev() {
            let own = loops.of[w as usize];
            let is_header = own != NONE && loops.headers[own as usize] == w;
            succs.clear();
            let level = if is_header {
                succs.extend_from_slice(&targets[exits(own)]);
                loops.parent[own as usize]
            } else {
                if own != NONE && latch[own as usize] == w {
                    continue; // the sink of its level
                }
                succs.extend(
                    cfg.succs(w)
                        .iter()
                        .copied()
                        .filter(|&s| level_of(loops, s) == own && !dfs.is_ancestor(s, w)),
                );
                own
            };
            if level == NONE {
                p.end[w as usize] = match succs.iter().map(|&s| p.end[s as usize]).max() {
                    None if is_header => End::Endless,
                    None if kills(w) => End::Kill,
                    None => End::Return,
                    Some(end) => end,
                };
            }
            let meet = p.meet(&succs);
            if meet != NONE {
                p.tree.set_parent(w, meet);
            }
        }
        p
    }

    /// The best end that a lane can come to from a node outside of all loops.
    pub(crate) fn end(&self, node: u32) -> End {
        self.end[node as usize]
    }

    /// The first node that control comes by from each of these, which lie on one level; the node
    /// itself if there is only one. [`NONE`] if there is none.
    pub(crate) fn meet(&self, nodes: &[u32]) -> u32 {
        let best = nodes.iter().map(|&s| self.end(s)).max();
        let mut meet = None;
        for &s in nodes.iter().filter(|&&s| Some(self.end(s)) == best) {
            meet = Some(match meet {
                None => s,
                Some(NONE) => NONE,
                Some(m) => self.tree.common(m, s),
            });
        }
        meet.unwrap_or(NONE)
    }

    /// The last node that control comes by on a node's level.
    pub(crate) fn last(&self, node: u32) -> u32 {
        self.tree.at_depth(node, 1)
    }

    /// The last node that control comes by from `below` before its strict post-dominator `above`,
    /// if that is one.
    pub(crate) fn before(&self, above: u32, below: u32) -> Option<u32> {
        self.strictly_post_dominates(above, below)
            .then(|| self.tree.at_depth(below, self.tree.depth(above) + 1))
    }

    /// Whether control comes by `below`'s strict post-dominator `above` on its level.
    pub(crate) fn strictly_post_dominates(&self, above: u32, below: u32) -> bool {
        let depth = self.tree.depth(above);
        self.tree.depth(below) > depth && self.tree.at_depth(below, depth) == above
    }
}

/// The loop on whose level a node stands: for a header the one around its own.
pub(crate) fn level_of(loops: &Loops, node: u32) -> u32 {
    let own = loops.of[node as usize];
    if own != NONE && loops.headers[own as usize] == node {
        loops.parent[own as usize]
    } else {
        own
    }
}
