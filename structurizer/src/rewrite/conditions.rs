//! Conditions: branches to the same targets become one branch on a phi of their conditions.
//!
//! `if (a && b) t; else f;` is a branch on `a` to one on `b` and to `f`, and that one leads to `t`
//! and to `f`. Two branches lead to `f`, and none of both blocks is where control meets again: the
//! result would need a selector or a breakable block. A block that both lead to, with a phi of
//! `true`, `false` and the conditions, is the `&&` of the source. Two rules find such branches:
//!
//! * a *compound*: a branch, and a branch that only it leads to, have one target in common, so that
//!   both together have two targets. Compounds grow like branches (Cifuentes, "Structuring
//!   decompiled graphs", 1996, for conditions without side effects: here instructions stay where
//!   they are, so that any block may be part of one);
//! * compounds, branches and switches with equal targets are one, wherever they are on their level:
//!   an optimizer threads `if (e) s = f(); else s = g(); if (s) …` into two branches on the same
//!   targets, and the cases of an interpreter into as many switches.

use rustc_hash::FxHashMap;

use super::join::Joiner;
use crate::analysis::{cfg::Cfg, dfs::Dfs, dominators::Dominators, loops::Loop, loops::Loops};
use crate::entity::{Adjacency, EntityRef, EntityVec, PackedOption};
use crate::ir::{Block, Function, Terminator};
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// The most branches that one compound absorbs.
const MAX_MEMBERS: usize = 64;

/// Rewrites a function; returns the number of operands of phis that it added, or none if there is
/// nothing to do, or no room for so many more entries of the function.
pub(super) fn run(func: &mut Function, remarks: &mut Remarks, room: usize) -> Option<usize> {
    let analysis = Analysis::new(func);
    let mut groups = analysis.groups(func);
    groups.retain(|group| analysis.pays(func, group));
    if groups.is_empty() {
        return None;
    }
    let mut joiner = Joiner::new(room);
    for group in &groups {
        let block = joiner.join(func, group)?;
        let branches = group.members.len() as u32;
        remarks.add(
            Stage::Conditions,
            block,
            Decision::JoinedBranches { branches },
        );
    }
    Some(joiner.finish(func))
}

/// Branches that lead to the same targets, apart from each other.
pub(super) struct Group {
    pub(super) members: Vec<Block>,
    /// Two for branches; all of them, in order, for switches.
    pub(super) targets: Vec<Block>,
    /// The terminator of each member, for switches. For branches none: the first target is taken if
    /// the condition holds.
    pub(super) switch: Option<Terminator>,
}

/// What is known of the function.
struct Analysis {
    cfg: Cfg<Block>,
    dfs: Dfs<Block>,
    loops: Loops<Block>,
    /// Dominators of the reversed graph, with one block more that all ends lead to.
    post: Dominators<Block>,
}

impl Analysis {
    fn new(func: &Function) -> Self {
        let n = func.num_blocks();
        let cfg = Cfg::of(func);
        let dfs = Dfs::new(&cfg, Block::new(0));
        let loops = Loops::new(&cfg, &dfs);
        let end = Block::new(n);
        let ends = func.blocks().filter(|&b| cfg.succs(b).is_empty());
        let reversed: Vec<(Block, Block)> = func
            .blocks()
            .flat_map(|b| cfg.preds(b).iter().map(move |&p| (b, p)))
            .chain(ends.map(|b| (end, b)))
            .collect();
        let reversed = Cfg::new(Adjacency::group(n + 1, || reversed.iter().copied()));
        let post = Dominators::new(&reversed, &Dfs::new(&reversed, end));
        Self {
            cfg,
            dfs,
            loops,
            post,
        }
    }

    /// Returns the loop on whose level a block branches: for a header its own.
    fn level(&self, block: Block) -> PackedOption<Loop> {
        self.loops.innermost(block)
    }

    /// Finds the groups: compounds, then those with equal targets.
    fn groups(&self, func: &Function) -> Vec<Group> {
        let compounds = Compounds::find(self, func);
        let mut groups: Vec<Group> = Vec::new();
        let mut by_targets: FxHashMap<(PackedOption<Loop>, Block, Block), usize> =
            FxHashMap::default();
        let mut by_cases: FxHashMap<Vec<(u64, Block)>, usize> = FxHashMap::default();
        for &block in self.dfs.rpo() {
            if let Some(Terminator::Switch {
                value,
                default,
                cases,
                ..
            }) = func.terminator(block)
            {
                let mut key = vec![(u64::from(func.value_type(value).0), default)];
                key.extend(func.cases(cases).iter().map(|c| (c.literal, c.target)));
                let at = *by_cases.entry(key).or_insert_with(|| {
                    groups.push(Group {
                        members: Vec::new(),
                        targets: distinct(func.successors(block)),
                        switch: func.terminator(block),
                    });
                    groups.len() - 1
                });
                groups[at].members.push(block);
                continue;
            }
            let Some([a, b]) = compounds.targets(block) else {
                continue;
            };
            let key = (self.level(block), a.min(b), a.max(b));
            let at = *by_targets.entry(key).or_insert_with(|| {
                groups.push(Group {
                    members: Vec::new(),
                    targets: vec![a, b],
                    switch: None,
                });
                groups.len() - 1
            });
            groups[at].members.extend(compounds.members(block));
        }
        groups.retain(|group| group.members.len() > 1);
        groups
    }

    /// Returns whether two members lead to a target that is not where control meets again anyway,
    /// nor left for without a selector.
    fn pays(&self, func: &Function, group: &Group) -> bool {
        let Some(&first) = group.members.first() else {
            return false;
        };
        let level = self.level(first);
        let is_target = |m: &&Block| group.targets.binary_search(m).is_ok();
        let mut heads = group.members.iter().filter(is_target);
        let is_threaded = group.switch.is_some() && heads.nth(1).is_some();
        if !is_threaded && group.members.iter().any(|&m| self.level(m) != level) {
            return false;
        }
        let ty = |m: &Block| func.term(*m).value().map(|value| func.value_type(value));
        if group.members.iter().any(|m| ty(m) != ty(&first)) {
            return false;
        }
        let meeting = self.meeting(&group.targets);
        group.targets.iter().any(|&target| {
            // All switches of a group have all of its targets.
            let is_shared = || {
                let leads = |m: &&Block| self.cfg.succs(**m).contains(&target);
                group.switch.is_some() || group.members.iter().filter(leads).nth(1).is_some()
            };
            let is_exit = func.is_empty_block(target) && func.term(target).is_exit();
            let is_free = meeting == Some(target)
                || is_exit
                || !is_threaded && self.loops.level_of(target) != level;
            !is_free && is_shared()
        })
    }

    /// Returns the target at which control from all others meets, if there is one.
    fn meeting(&self, targets: &[Block]) -> Option<Block> {
        let later = |a: Block, &b: &Block| if self.post.dominates(b, a) { b } else { a };
        let last = targets.iter().fold(*targets.first()?, later);
        let mut others = targets.iter().filter(|&&t| t != last);
        others
            .all(|&t| self.post.dominates(last, t))
            .then_some(last)
    }
}

fn distinct(blocks: impl Iterator<Item = Block>) -> Vec<Block> {
    let mut list: Vec<Block> = blocks.collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// The compounds, by their first branches.
struct Compounds {
    /// The two targets of a compound; none for blocks that are inside one or do not branch.
    targets: EntityVec<Block, Option<[Block; 2]>>,
    /// The first branch of the compound that a block is part of.
    first: EntityVec<Block, Block>,
    members: FxHashMap<Block, Vec<Block>>,
}

impl Compounds {
    /// Finds them from the last blocks to the first: what a branch leads to is complete by then.
    fn find(analysis: &Analysis, func: &Function) -> Self {
        let n = func.num_blocks();
        let mut c = Self {
            targets: EntityVec::filled(None, n),
            first: EntityVec::from_fn(n, |block| block),
            members: FxHashMap::default(),
        };
        for &block in analysis.dfs.rpo().iter().rev() {
            if let Some(Terminator::CondBranch { then, else_, .. }) = func.terminator(block)
                && then != else_
            {
                c.targets[block] = Some([then, else_]);
                while c.absorb(analysis, block) {}
            }
        }
        c
    }

    fn targets(&self, block: Block) -> Option<[Block; 2]> {
        self.targets[block]
    }

    fn members(&self, block: Block) -> Vec<Block> {
        let inside = self.members.get(&block).into_iter().flatten();
        std::iter::once(block).chain(inside.copied()).collect()
    }

    /// Absorbs a target of a compound into it; returns whether there was one.
    fn absorb(&mut self, analysis: &Analysis, block: Block) -> bool {
        let Some(targets) = self.targets[block] else {
            return false;
        };
        for (next, other) in [(targets[0], targets[1]), (targets[1], targets[0])] {
            let Some(of_next) = self.targets[next] else {
                continue;
            };
            let is_inside = |&p: &Block| self.first[p] == block;
            let size = |b: Block| 1 + self.members.get(&b).map_or(0, Vec::len);
            if next == block
                || !of_next.contains(&other)
                || of_next.contains(&block)
                || analysis.loops.headed_by(next).is_some()
                || analysis.level(next) != analysis.level(block)
                || !analysis.cfg.preds(next).iter().all(is_inside)
                || size(block) + size(next) > MAX_MEMBERS
            {
                continue;
            }
            let absorbed = self.members(next);
            self.members.remove(&next);
            for &b in &absorbed {
                self.first[b] = block;
            }
            self.members.entry(block).or_default().extend(absorbed);
            self.targets[next] = None;
            self.targets[block] = Some(of_next);
            return true;
        }
        false
    }
}
