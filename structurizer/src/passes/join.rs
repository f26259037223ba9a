//! Joined branches: writes the block that the branches of a group lead to.
//!
//! The operands that the targets' phis have for the branches move to phis of that block. Many groups
//! may share a target with many phis, so the operands of all groups are moved together, once per
//! target: linear in the operands before and after.

use alloc::vec::Vec;
use core::ops::Range;

use smallvec::SmallVec;

use super::conditions::Group;
use crate::entity::{PackedOption, PrimaryMap};
use crate::ir::{Block, Function, SelectionHint, Terminator, Type, Value};

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

/// A predecessor of a block that joins branches, and the predecessor of the target that it
/// replaces, if it leads there.
type Source = (Block, Option<Block>);

/// The operands of one target's phis that move to phis of the block that leads there now.
struct Move {
    target: Block,
    block: Block,
    /// The predecessors of the block, in [`Joiner::sources`].
    sources: Range<usize>,
    /// Index in [`Joiner::phis`] of the block's first phi that replaces a phi of the target.
    first_phi: usize,
}

/// Joins groups of branches, and moves the operands of phis in the end.
#[derive(Default)]
pub(crate) struct Joiner {
    moves: Vec<Move>,
    sources: Vec<Source>,
    phis: Vec<Value>,
}

impl Joiner {
    /// Makes the block that a group's branches lead to, and returns it.
    pub(crate) fn join(&mut self, func: &mut Function, group: &Group) -> Block {
        let block = func.add_block();
        match group.switch {
            Some(terminator) => self.join_switches(func, group, block, terminator),
            None => self.join_branches(func, group, block),
        }
        block
    }

    /// Joins the conditional branches of a group.
    fn join_branches(&mut self, func: &mut Function, group: &Group, block: Block) {
        let (then, else_) = (group.targets[0], group.targets[1]);
        let ty = condition_type(func, group);
        let mut arrivals = Vec::new();
        for &member in &group.members {
            redirect(func, member, [then, else_], block, &mut arrivals);
        }
        let cond = func.add_phi(block, ty);
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
            let first = self.sources.len();
            self.sources.extend(
                arrivals
                    .iter()
                    .map(|a| (a.pred, Some(a).filter(leads).map(|a| a.member))),
            );
            self.move_phis(func, target, block, first..self.sources.len());
        }
    }

    /// Makes plain branches of a group's switches.
    fn join_switches(
        &mut self,
        func: &mut Function,
        group: &Group,
        block: Block,
        mut terminator: Terminator,
    ) {
        if let Some(value) = terminator.value_mut() {
            let phi = func.add_phi(block, func.value_type(*value));
            for &member in &group.members {
                if let Some(own) = func.term(member).value() {
                    func.add_phi_operand(phi, member, own);
                }
                func.set_terminator(member, Terminator::Branch(block));
            }
            *value = phi;
            let first = self.sources.len();
            let sources = group.members.iter().map(|&m| (m, Some(m)));
            self.sources.extend(sources);
            let sources = first..self.sources.len();
            for &target in &group.targets {
                self.move_phis(func, target, block, sources.clone());
            }
        }
        func.set_terminator(block, terminator);
    }

    /// Gives a block a phi for each phi of a target that it leads to. Operands are added at the
    /// end.
    fn move_phis(
        &mut self,
        func: &mut Function,
        target: Block,
        block: Block,
        sources: Range<usize>,
    ) {
        let holes = self.sources[sources.clone()].iter();
        let holes = holes.filter(|source| source.1.is_none()).count();
        let first_phi = self.phis.len();
        let of_target: SmallVec<[Value; 8]> = func.phis(target).collect();
        for phi in of_target {
            let ty = func.value_type(phi);
            self.phis.push(func.add_phi(block, ty));
            if holes > 0 {
                func.hole(ty);
            }
        }
        if self.phis.len() > first_phi {
            self.moves.push(Move {
                target,
                block,
                sources,
                first_phi,
            });
        }
    }

    /// Moves the operands of phis.
    pub(crate) fn finish(mut self, func: &mut Function) {
        self.moves.sort_by_key(|m| m.target);
        let n = func.num_blocks();
        let mut operand: PrimaryMap<Block, PackedOption<Value>> = PrimaryMap::with_len(n);
        let mut moved_from: PrimaryMap<Block, PackedOption<Block>> = PrimaryMap::with_len(n);
        for moves in self.moves.chunk_by(|a, b| a.target == b.target) {
            let target = moves[0].target;
            for source in moves.iter().flat_map(|m| &self.sources[m.sources.clone()]) {
                if let Some(before) = source.1 {
                    moved_from[before] = target.into();
                }
            }
            let of_target: SmallVec<[Value; 8]> = func.phis(target).collect();
            for (k, phi) in of_target.into_iter().enumerate() {
                for o in func.phi_operands(phi) {
                    operand[o.pred] = o.value.into();
                }
                func.remove_phi_operands(phi, |pred| moved_from[pred] == target.into());
                for m in moves {
                    let joined = self.phis[m.first_phi + k];
                    give(func, joined, &self.sources[m.sources.clone()], &operand);
                    // The block may be a member of a group that comes later.
                    operand[m.block] = joined.into();
                    if moved_from[m.block] != target.into() {
                        func.add_phi_operand(phi, m.block, joined);
                    }
                }
            }
        }
    }
}

/// Gives a phi its operands: the loaded ones, and holes for predecessors that do not lead to the
/// target.
fn give(
    func: &mut Function,
    phi: Value,
    sources: &[Source],
    operand: &PrimaryMap<Block, PackedOption<Value>>,
) {
    let ty = func.value_type(phi);
    for &(pred, before) in sources {
        let own = before.and_then(|before| operand[before].expand());
        let value = own.unwrap_or_else(|| func.hole(ty));
        func.add_phi_operand(phi, pred, value);
    }
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
        // The condition is inverted: its first edge gets a separate block.
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
