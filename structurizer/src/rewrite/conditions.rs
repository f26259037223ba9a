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

use crate::analysis::{cfg::Cfg, dfs::Dfs, dominators::Dominators, loops::Loop, loops::Loops};
use crate::entity::{Adjacency, EntityRef, EntityVec, PackedOption};
use crate::ir::{Block, Function, SelectionHint, Terminator, Type, Value};
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// The most branches that one compound absorbs.
const MAX_MEMBERS: usize = 64;

/// Rewrites a function; returns the number of operands of phis that it added, if it changed.
pub(super) fn run(func: &mut Function, remarks: &mut Remarks) -> Option<usize> {
    let analysis = Analysis::new(func);
    let mut groups = analysis.groups(func);
    groups.retain(|group| analysis.pays(func, group));
    let mut operands = 0;
    for group in &groups {
        let block = join(func, group, &mut operands);
        let branches = group.members.len() as u32;
        remarks.add(
            Stage::Conditions,
            block,
            Decision::JoinedBranches { branches },
        );
    }
    (!groups.is_empty()).then_some(operands)
}

/// Branches that lead to the same targets, apart from each other.
struct Group {
    members: Vec<Block>,
    targets: Vec<Block>,
    /// The terminator of each member, for switches. For branches none: the first target is taken if
    /// the condition holds.
    switch: Option<Terminator>,
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
        let mut succs = Adjacency::with_capacity(n, n * 2);
        let mut seen_from: EntityVec<Block, PackedOption<Block>> = EntityVec::new(n);
        for block in func.blocks() {
            for to in func.successors(block) {
                if std::mem::replace(&mut seen_from[to], block.into()) != block.into() {
                    succs.push(to);
                }
            }
            succs.end_list();
        }
        let cfg = Cfg::new(succs);
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
        let is_threaded = group.switch.is_some()
            && group
                .members
                .iter()
                .filter(|m| group.targets.contains(m))
                .count()
                > 1;
        if !is_threaded && group.members.iter().any(|&m| self.level(m) != level) {
            return false;
        }
        let ty = |m: &Block| func.term(*m).value().map(|value| func.value_type(value));
        if group.members.iter().any(|m| ty(m) != ty(&first)) {
            return false;
        }
        group.targets.iter().any(|&target| {
            let others = group.targets.iter().filter(|&&t| t != target);
            let meets = others.clone().all(|&t| self.post.dominates(target, t));
            let edges = group
                .members
                .iter()
                .filter(|&&m| self.cfg.succs(m).contains(&target));
            let is_exit = func.is_empty_block(target) && func.term(target).is_exit();
            let is_free = meets || is_exit || !is_threaded && self.loops.level_of(target) != level;
            !is_free && edges.count() > 1
        })
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

/// A predecessor of a block that joins branches.
struct Arrival {
    pred: Block,
    /// The member whose edges it carries.
    member: Block,
    /// The condition that it brings along.
    condition: Value,
    /// The targets that its invocations may have.
    targets: [Option<Block>; 2],
}

/// Makes the block that a group's branches lead to; returns it, and counts operands that were added.
fn join(func: &mut Function, group: &Group, operands: &mut usize) -> Block {
    let block = func.add_block();
    if let Some(mut terminator) = group.switch {
        *operands += group.members.len();
        join_switches(func, group, block, &mut terminator);
        func.set_terminator(block, terminator);
        return block;
    }
    let (then, else_) = (group.targets[0], group.targets[1]);
    let ty = condition_type(func, group);
    let mut arrivals = Vec::new();
    for &member in &group.members {
        redirect(func, member, [then, else_], block, &mut arrivals);
    }
    let cond = func.add_phi(block, ty);
    *operands += arrivals.len();
    for arrival in &arrivals {
        func.add_phi_operand(cond, arrival.pred, arrival.condition);
    }
    func.set_terminator(
        block,
        Terminator::CondBranch {
            cond,
            then,
            else_,
            hint: SelectionHint::None,
        },
    );
    for &target in &group.targets {
        let leads = |a: &&Arrival| a.targets.contains(&Some(target));
        let sources: Vec<(Block, Option<Block>)> = arrivals
            .iter()
            .map(|a| (a.pred, Some(a).filter(leads).map(|a| a.member)))
            .collect();
        *operands += move_phis(func, target, block, &sources);
    }
    block
}

/// Returns the type of the conditions of a group.
fn condition_type(func: &Function, group: &Group) -> Type {
    let first = group.members.first();
    let condition = first.and_then(|&member| func.terminator(member)?.value());
    condition.map_or(Type::BOOL, |value| func.value_type(value))
}

/// Redirects a member's edges to the targets of its group.
fn redirect(
    func: &mut Function,
    member: Block,
    [then, else_]: [Block; 2],
    to: Block,
    arrivals: &mut Vec<Arrival>,
) {
    let Terminator::CondBranch {
        cond,
        then: a,
        else_: b,
        ..
    } = func.term(member)
    else {
        return;
    };
    let ty = func.value_type(cond);
    if (a, b) == (then, else_) {
        func.set_terminator(member, Terminator::Branch(to));
        arrivals.push(Arrival {
            pred: member,
            member,
            condition: cond,
            targets: [Some(then), Some(else_)],
        });
        return;
    }
    let mut direct = None;
    if (a, b) == (else_, then) {
        // The condition is the other way round: its first edge gets a block of its own.
        let between = func.add_block();
        func.set_terminator(between, Terminator::Branch(to));
        arrivals.push(Arrival {
            pred: between,
            member,
            condition: func.bool_constant(false, ty),
            targets: [Some(else_), None],
        });
        func.retarget(member, |target| match target {
            t if t == else_ => between,
            t if t == then => to,
            t => t,
        });
        direct = Some(then);
    } else if let Some(target) = [then, else_].into_iter().find(|t| *t == a || *t == b) {
        func.retarget(member, |t| if t == target { to } else { t });
        direct = Some(target);
    }
    if let Some(target) = direct {
        arrivals.push(Arrival {
            pred: member,
            member,
            condition: func.bool_constant(target == then, ty),
            targets: [Some(target), None],
        });
    }
}

/// Makes plain branches of a group's switches.
fn join_switches(func: &mut Function, group: &Group, block: Block, terminator: &mut Terminator) {
    let Some(value) = terminator.value_mut() else {
        return;
    };
    let phi = func.add_phi(block, func.value_type(*value));
    for &member in &group.members {
        if let Some(own) = func.term(member).value() {
            func.add_phi_operand(phi, member, own);
        }
        func.set_terminator(member, Terminator::Branch(block));
    }
    *value = phi;
    let sources: Vec<(Block, Option<Block>)> =
        group.members.iter().map(|&m| (m, Some(m))).collect();
    for &target in &group.targets {
        move_phis(func, target, block, &sources);
    }
}

/// Moves the operands of a target's phis to phis of the block that leads there now. `sources` are
/// the predecessors of that block, each with the one that it was for the target, if it leads there.
/// Returns the number of operands that no invocation reads.
fn move_phis(
    func: &mut Function,
    target: Block,
    block: Block,
    sources: &[(Block, Option<Block>)],
) -> usize {
    let mut holes = 0;
    let phis: Vec<Value> = func.phis(target).collect();
    for phi in phis {
        let ty = func.value_type(phi);
        let own = |func: &Function, pred: Block| {
            let mut operands = func.phi_operands(phi);
            operands.find(|o| o.pred == pred).map(|o| o.value)
        };
        let moved: Vec<(Block, Option<Value>)> = sources
            .iter()
            .map(|&(pred, before)| (pred, before.and_then(|before| own(func, before))))
            .collect();
        let joined = func.add_phi(block, ty);
        for (pred, value) in moved {
            let value = value.unwrap_or_else(|| {
                holes += 1;
                func.hole(ty)
            });
            func.add_phi_operand(joined, pred, value);
        }
        let is_moved = |pred: Block| sources.iter().any(|s| s.1 == Some(pred));
        func.remove_phi_operands(phi, is_moved);
        func.add_phi_operand(phi, block, joined);
    }
    holes
}
