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
//!   they are, so that any block may be part of one). If several branches of a compound lead to the
//!   absorbed branch, they are joined, too: in `(a || b) && c` the branches before `c`;
//! * compounds, branches and switches with equal targets are one, wherever they are on their level:
//!   an optimizer threads `if (e) s = f(); else s = g(); if (s) …` into two branches on the same
//!   targets, and the dispatch of an interpreter into one switch per case.

use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;

use smallvec::SmallVec;

use super::graph::{Graph, Node};
use super::join::Joiner;
use crate::analysis::{cfg::Cfg, dfs::Dfs, dominators::Dominators, loops::Loop};
use crate::entity::{EntityRef, PackedOption, PrimaryMap};
use crate::ir::{Block, Function, Terminator, Type};
use crate::maps::{FxHashMap, FxHashSet};
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// A list of a few blocks, nearly always without an allocation.
type BlockList = SmallVec<[Block; 4]>;

/// The most branches that one compound absorbs.
const MAX_MEMBERS: usize = 64;

/// Joins branches of a function with a graph, which may get `room` more entries; returns whether it
/// changed.
pub(crate) fn run(
    func: &mut Function,
    graph: &Graph,
    remarks: &mut Remarks,
    room: usize,
    memory: &mut Memory,
) -> bool {
    if !has_shared_targets(func, &mut memory.is_target) {
        return false;
    }
    let analysis = Analysis { func, graph };
    let Groups { inner, mut outer } = analysis.groups(&mut memory.branches);
    if outer.is_empty() {
        return false;
    }
    memory.post.is_found = false;
    outer.retain(|group| analysis.pays(&mut memory.post, group, &inner));
    let groups = || inner.iter().chain(&outer);
    let entries = groups().map(|group| added_entries(func, group));
    if groups().next().is_none() || entries.fold(0, usize::saturating_add) > room {
        return false;
    }
    // A group's members may be groups that were joined before it.
    let n = func.num_blocks();
    let mut joined: Vec<Block> = Vec::with_capacity(inner.len());
    let mut joiner = Joiner::default();
    for mut group in inner.into_iter().chain(outer) {
        for member in &mut group.members {
            if let Some(inner) = member.index().checked_sub(n) {
                *member = joined[inner];
            }
        }
        let block = joiner.join(func, &group);
        joined.push(block);
        let branches = group.members.len() as u32;
        remarks.add(
            Stage::Conditions,
            block,
            Decision::JoinedBranches { branches },
        );
    }
    joiner.finish(func);
    true
}

/// Returns the most entries that joining a group adds: its blocks, and phis with their operands.
fn added_entries(func: &Function, group: &Group) -> usize {
    let phis = group
        .targets
        .iter()
        .map(|&target| func.phis(target).count());
    // A member may get a block between it and the join; each phi has one more operand at the target.
    let arrivals = group.members.len() + 3;
    let phis = phis.sum::<usize>() + 1;
    arrivals.saturating_mul(phis).saturating_add(arrivals)
}

/// Branches that lead to the same targets, apart from each other.
pub(crate) struct Group {
    pub(crate) members: BlockList,
    /// Two for branches; all of them, in order, for switches.
    pub(crate) targets: BlockList,
    /// The terminator of each member, for switches. For branches none: the first target is taken if
    /// the condition holds.
    pub(crate) switch: Option<Terminator>,
}

/// The groups of a function.
struct Groups {
    /// Groups that are members of others: group `i` is the member with the number of the function's
    /// blocks plus `i`.
    inner: Vec<Group>,
    outer: Vec<Group>,
}

/// A branch, or a compound of several, that others may have the targets of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Branch {
    /// The targets, the lower first, and the level.
    key: (Block, Block, PackedOption<Loop>),
    /// The place of its first block in reverse postorder.
    place: usize,
}

/// The lists of the pass.
#[derive(Default)]
pub(crate) struct Memory {
    /// The blocks that branches on conditions lead to.
    is_target: PrimaryMap<Block, bool>,
    branches: Vec<Branch>,
    post: PostDominators,
}

/// Dominators of the reversed graph, with one node more that all ends lead to.
#[derive(Default)]
struct PostDominators {
    reversed: Cfg<Node>,
    dominators: Dominators<Node>,
    /// The search of the reversed graph from its end.
    from_end: Dfs<Node>,
    /// True once they are found, for the first group that needs them.
    is_found: bool,
}

impl PostDominators {
    fn find(&mut self, graph: &Graph) {
        if core::mem::replace(&mut self.is_found, true) {
            return;
        }
        let end = Node::new(graph.len());
        self.reversed.compute(|succs| {
            succs.reserve(graph.len() + 1);
            for node in graph.nodes() {
                succs.extend(graph.preds(node).iter().copied());
                succs.end_list();
            }
            succs.extend(graph.nodes().filter(|&n| graph.edges(n).is_empty()));
            succs.end_list();
        });
        self.from_end.compute(&self.reversed, end);
        self.dominators.compute(&self.reversed, &self.from_end);
    }
}

/// Returns whether several branches on conditions lead to one block.
fn has_shared_targets(func: &Function, is_target: &mut PrimaryMap<Block, bool>) -> bool {
    is_target.reset(func.num_blocks());
    func.blocks().any(|block| {
        let successors = func.successors(block);
        let is_branch = matches!(
            func.terminator(block),
            Some(Terminator::CondBranch { .. } | Terminator::Switch { .. })
        );
        let mut targets = successors.filter(|_| is_branch);
        targets.any(|to| core::mem::replace(&mut is_target[to], true))
    })
}

/// The function, and the graph of its reachable blocks.
#[derive(Clone, Copy)]
struct Analysis<'a> {
    func: &'a Function,
    graph: &'a Graph,
}

impl Analysis<'_> {
    /// Returns the loop on whose level a block branches: for a header its own.
    fn level(self, block: Block) -> PackedOption<Loop> {
        let node = self.graph.node_of(block);
        node.map_or(None.into(), |node| self.graph.loops().innermost(node))
    }

    fn is_header(self, block: Block) -> bool {
        let node = self.graph.node_of(block);
        node.is_some_and(|node| self.graph.loop_headed_by(node).is_some())
    }

    /// Returns the reachable predecessors of a block; none for one that is inserted.
    fn preds(self, block: Block) -> impl Iterator<Item = Option<Block>> {
        let node = self.graph.node_of(block).into_iter();
        node.flat_map(move |node| self.graph.preds(node))
            .map(move |&p| self.graph.block(p))
    }

    /// Returns whether a block leads to another one.
    fn leads_to(self, block: Block, to: Block) -> bool {
        self.func.successors(block).any(|next| next == to)
    }

    /// Returns whether branches to a block continue a loop: it is the header, or leads there alone.
    fn is_latch(self, block: Block, level: PackedOption<Loop>) -> bool {
        let Some(header) = level.expand().map(|l| self.graph.header(l)) else {
            return false;
        };
        let Some(node) = self.graph.node_of(block) else {
            return false;
        };
        let edges = self.graph.edges(node);
        let is_only = self.graph.preds(header).len() == 2 && self.level(block) == level;
        header == node || (edges.len() == 1 || is_only) && edges.iter().any(|e| e.to == header)
    }

    /// Finds the groups: compounds, then those with equal targets, in the order of their first blocks.
    fn groups(self, branches: &mut Vec<Branch>) -> Groups {
        let func = self.func;
        let mut compounds = Compounds::find(self);
        let mut groups: Vec<(usize, Group)> = Vec::new();
        let mut by_cases: FxHashMap<Vec<(u64, Block)>, usize> = FxHashMap::default();
        branches.clear();
        for (place, block) in self.graph.nodes().map(|n| self.graph.block(n)).enumerate() {
            let Some(block) = block else {
                continue;
            };
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
                    let group = Group {
                        members: BlockList::new(),
                        targets: distinct(func.successors(block)),
                        switch: func.terminator(block),
                    };
                    groups.push((place, group));
                    groups.len() - 1
                });
                groups[at].1.members.push(block);
            } else if let Some([a, b]) = compounds.targets(block) {
                branches.push(Branch {
                    key: (a.min(b), a.max(b), self.level(block)),
                    place,
                });
            }
        }
        // Most branches are alone: nothing is made for them.
        branches.sort_unstable();
        for list in branches.chunk_by(|a, b| a.key == b.key) {
            let block = |branch: &Branch| self.graph.block(Node::new(branch.place));
            if let [alone] = list
                && block(alone).is_none_or(|b| !compounds.members.contains_key(&b))
            {
                continue;
            }
            let members = list.iter().filter_map(block);
            let members = members.flat_map(|b| compounds.members(b));
            let members: BlockList = members.collect();
            if members.len() > 1
                && let Some(targets) = block(&list[0]).and_then(|b| compounds.targets(b))
            {
                let group = Group {
                    members,
                    targets: BlockList::from_slice(&targets),
                    switch: None,
                };
                groups.push((list[0].place, group));
            }
        }
        groups.retain(|(_, group)| group.members.len() > 1);
        groups.sort_unstable_by_key(|&(place, _)| place);
        Groups {
            inner: core::mem::take(&mut compounds.inner),
            outer: groups.into_iter().map(|(_, group)| group).collect(),
        }
    }

    /// Returns whether two members lead to a target that is not where control meets again anyway,
    /// nor left for without a selector.
    fn pays(self, post: &mut PostDominators, group: &Group, inner: &[Group]) -> bool {
        let func = self.func;
        let of_inner = |m: Block| m.index().checked_sub(func.num_blocks()).map(|i| &inner[i]);
        let leads_to = |m: Block, target: Block| match of_inner(m) {
            Some(group) => group.targets.contains(&target),
            None => self.leads_to(m, target),
        };
        // The first block of a member.
        let start = |mut m: Block| {
            while let Some(group) = of_inner(m) {
                m = group.members[0];
            }
            m
        };
        let Some(first) = group.members.first().map(|&m| start(m)) else {
            return false;
        };
        let level = self.level(first);
        let is_target = |m: &&Block| group.targets.binary_search(m).is_ok();
        let mut heads = group.members.iter().filter(is_target);
        // Several members are targets of the group: the threaded dispatch of an interpreter, whose
        // members may be on several levels.
        let is_threaded = group.switch.is_some() && heads.nth(1).is_some();
        if !is_threaded && group.members.iter().any(|&m| self.level(start(m)) != level) {
            return false;
        }
        // One phi carries the conditions of all members.
        let ty = condition_type_of(func, first);
        if group
            .members
            .iter()
            .any(|&m| condition_type_of(func, start(m)) != ty)
        {
            return false;
        }
        // The members, and the members of inner groups.
        let members = OnceCell::new();
        let find_members = || {
            let mut members: FxHashSet<Block> = FxHashSet::default();
            let mut stack = group.members.clone();
            while let Some(m) = stack.pop() {
                members.insert(m);
                let inside = of_inner(m).into_iter();
                stack.extend(inside.flat_map(|group| group.members.iter().copied()));
            }
            members
        };
        let is_own_end = |t: Block| {
            let is_member = |p: Option<Block>| {
                p.is_some_and(|p| members.get_or_init(find_members).contains(&p))
            };
            func.term(t).is_exit() && self.preds(t).all(is_member)
        };
        let mut meeting = None;
        group.targets.iter().any(|&target| {
            // All switches of a group have all of its targets.
            let is_shared = || {
                let leads = |m: &&Block| leads_to(**m, target);
                group.switch.is_some() || group.members.iter().filter(leads).nth(1).is_some()
            };
            let is_exit = func.is_empty_block(target) && func.term(target).is_exit();
            // The only other arm ends.
            let is_rest = || {
                group.switch.is_none()
                    && group.targets.iter().all(|&t| t == target || is_own_end(t))
            };
            // These need no selector: exits that can be copied, breaks, continues, and the rest
            // after an arm that ends.
            let is_free = is_exit
                || !is_threaded && self.level_around(target) != level
                || self.is_latch(target, level)
                || is_rest();
            !is_free
                && is_shared()
                && *meeting.get_or_insert_with(|| self.meeting(post, &group.targets))
                    != Some(target)
        })
    }

    /// Returns the target at which control from all others meets, if there is one.
    fn meeting(self, post: &mut PostDominators, targets: &[Block]) -> Option<Block> {
        post.find(self.graph);
        let post = &post.dominators;
        let nodes = || targets.iter().filter_map(|&t| self.graph.node_of(t));
        let later = |a: Node, b: Node| if post.dominates(b, a) { b } else { a };
        let last = nodes().reduce(later)?;
        let is_last = nodes().all(|t| t == last || post.dominates(last, t));
        self.graph.block(last).filter(|_| is_last)
    }

    /// Returns the loop around a block; for a header the loop around its own.
    fn level_around(self, block: Block) -> PackedOption<Loop> {
        let node = self.graph.node_of(block);
        node.map_or(None.into(), |node| self.graph.level_of(node))
    }
}

/// Returns the type of the condition of a branch.
fn condition_type_of(func: &Function, block: Block) -> Option<Type> {
    func.term(block).value().map(|value| func.value_type(value))
}

fn distinct(blocks: impl Iterator<Item = Block>) -> BlockList {
    let mut list: BlockList = blocks.collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// The compounds, by their first branches.
struct Compounds {
    /// The two targets of a compound; none for blocks that are inside one or do not branch.
    targets: PrimaryMap<Block, Option<[Block; 2]>>,
    /// The first branch of the compound that a block is part of.
    first: PrimaryMap<Block, Block>,
    /// The branches of each of more than one.
    branches: FxHashMap<Block, BlockList>,
    /// The same with inner groups as one member each.
    members: FxHashMap<Block, BlockList>,
    inner: Vec<Group>,
}

impl Compounds {
    /// Finds them from the last blocks to the first, so that the groups of a branch's targets are
    /// complete.
    fn find(analysis: Analysis<'_>) -> Self {
        let Analysis { func, graph } = analysis;
        let n = func.num_blocks();
        let mut c = Self {
            targets: PrimaryMap::filled(None, n),
            first: PrimaryMap::from_fn(n, |block| block),
            branches: FxHashMap::default(),
            members: FxHashMap::default(),
            inner: Vec::new(),
        };
        for block in graph.nodes().rev().filter_map(|n| graph.block(n)) {
            if let Some(Terminator::CondBranch { then, else_, .. }) = func.terminator(block)
                && then != else_
            {
                c.targets[block] = Some([then, else_]);
                while c.absorb(analysis, block) || c.absorb_both(analysis, block) {}
            }
        }
        c
    }

    fn targets(&self, block: Block) -> Option<[Block; 2]> {
        self.targets[block]
    }

    fn members(&self, block: Block) -> BlockList {
        self.members
            .get(&block)
            .map_or_else(|| BlockList::from_slice(&[block]), Clone::clone)
    }

    /// Returns whether several members of a compound lead to a block, and conditions have one type.
    fn is_joined_before(&self, analysis: Analysis<'_>, block: Block, to: Block) -> bool {
        let func = analysis.func;
        let n = func.num_blocks();
        let members = self.members(block);
        let leads_there = |&&m: &&Block| match m.index().checked_sub(n) {
            Some(inner) => self.inner[inner].targets.contains(&to),
            None => analysis.leads_to(m, to),
        };
        let first = |mut m: Block| {
            while let Some(inner) = m.index().checked_sub(n) {
                m = self.inner[inner].members[0];
            }
            m
        };
        let ty = condition_type_of(func, block);
        members.iter().filter(leads_there).count() > 1
            && members
                .iter()
                .all(|&m| condition_type_of(func, first(m)) == ty)
    }

    /// Absorbs a target of a compound into it; returns whether there was one.
    fn absorb(&mut self, analysis: Analysis<'_>, block: Block) -> bool {
        let Some(targets) = self.targets[block] else {
            return false;
        };
        for (next, other) in [(targets[0], targets[1]), (targets[1], targets[0])] {
            let Some(of_next) = self.targets[next] else {
                continue;
            };
            let is_inside = |p: Option<Block>| p.is_some_and(|p| self.first[p] == block);
            let size = |b: Block| self.branches.get(&b).map_or(1, SmallVec::len);
            if next == block
                || !of_next.contains(&other)
                || of_next.contains(&block)
                || analysis.is_header(next)
                || analysis.level(next) != analysis.level(block)
                || !analysis.preds(next).all(is_inside)
                || size(block) + size(next) > MAX_MEMBERS
            {
                continue;
            }
            let members = self.members_before(analysis, block, &[next]);
            self.take(block, members, &[next]);
            self.targets[block] = Some(of_next);
            return true;
        }
        false
    }

    /// Absorbs both targets of a compound, if they have the same targets: `a ? b : c`.
    fn absorb_both(&mut self, analysis: Analysis<'_>, block: Block) -> bool {
        let Some([a, b]) = self.targets[block] else {
            return false;
        };
        let (Some(of_a), Some(of_b)) = (self.targets[a], self.targets[b]) else {
            return false;
        };
        let size = |b: Block| self.branches.get(&b).map_or(1, SmallVec::len);
        let is_part = |next: Block| {
            next != block
                && !analysis.is_header(next)
                && analysis.level(next) == analysis.level(block)
                && analysis
                    .preds(next)
                    .all(|p| p.is_some_and(|p| self.first[p] == block))
        };
        if of_a.iter().any(|t| !of_b.contains(t) || *t == block)
            || !is_part(a)
            || !is_part(b)
            || size(block) + size(a) + size(b) > MAX_MEMBERS
        {
            return false;
        }
        let members = self.members_before(analysis, block, &[a, b]);
        self.take(block, members, &[a, b]);
        self.targets[block] = Some(of_b);
        true
    }

    /// Returns the members of a compound that is about to absorb some of its targets: one inner
    /// group if several of them lead to one of these.
    fn members_before(
        &mut self,
        analysis: Analysis<'_>,
        block: Block,
        absorbed: &[Block],
    ) -> BlockList {
        let members = self.members(block);
        let is_joined = |&to: &Block| self.is_joined_before(analysis, block, to);
        match self.targets[block] {
            Some(targets) if absorbed.iter().any(is_joined) => {
                self.inner.push(Group {
                    members,
                    targets: BlockList::from_slice(&targets),
                    switch: None,
                });
                let n = analysis.func.num_blocks();
                BlockList::from_slice(&[Block::new(n + self.inner.len() - 1)])
            }
            _ => members,
        }
    }

    /// Makes other compounds part of a compound.
    fn take(&mut self, block: Block, mut members: BlockList, absorbed: &[Block]) {
        for &next in absorbed {
            let of_next = self.members.remove(&next);
            members.extend(of_next.unwrap_or_else(|| BlockList::from_slice(&[next])));
            let inside = self.branches.remove(&next);
            let inside = inside.unwrap_or_else(|| BlockList::from_slice(&[next]));
            for &b in &inside {
                self.first[b] = block;
            }
            let branches = self.branches.entry(block);
            let branches = branches.or_insert_with(|| BlockList::from_slice(&[block]));
            branches.extend(inside);
            self.targets[next] = None;
        }
        self.members.insert(block, members);
    }
}
