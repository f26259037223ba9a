//! Values whose definition no longer dominates a use.
//!
//! In the input the definition dominates the use. Where it does not in the output, invocations that
//! come from elsewhere were merged on the way, so the value has to be an argument of the blocks at
//! which the invocations arrive from there. These blocks get a phi of it by their edges of the
//! input, and [`slots`](super::slots) carries its operands like any other phi's.

use alloc::vec::Vec;

use super::slots::Carried;
use super::{Lattice, Placed, Repair};
use crate::analysis::forward_dominators::ForwardDominators;
use crate::ir::{Inst, Value};
use crate::result::StageError;

impl Repair<'_> {
    /// Makes values whose definitions no longer dominate all uses arguments of the blocks where
    /// invocations arrive, and returns the phis made for that. Needed only where paths mix.
    pub(super) fn carried_values(&mut self) -> Result<Vec<Carried>, StageError> {
        self.dominators();
        let dominators = self.state.dominators.take().unwrap_or_default();
        let mut broken = self.broken_uses(&dominators)?;
        broken.sort_by_key(|b| b.value);
        let mut carried = Vec::new();
        for list in broken.chunk_by(|a, b| a.value == b.value) {
            let value = list[0].value;
            self.name_value(value, list, &dominators, &mut carried)?;
            for b in list {
                let new = self.name_at(value, b.at);
                self.replace(b, new);
            }
            self.clear();
        }
        self.state.dominators = Some(dominators);
        Ok(carried)
    }

    /// Finds the name of a value at the end of each block between its definition and some uses.
    /// Names are in `known` until [`Repair::clear`].
    fn name_value(
        &mut self,
        value: Value,
        uses: &[BrokenUse],
        dominators: &ForwardDominators<Placed>,
        carried: &mut Vec<Carried>,
    ) -> Result<(), StageError> {
        let Some(def) = self.definition(value) else {
            return Ok(());
        };
        for b in uses {
            self.add_to_region(b.at);
        }
        let mut next = 0;
        while let Some(&block) = self.state.region.get(next) {
            next += 1;
            if dominators.dominates(def, block) {
                self.state.known[block] = Lattice::Is(value);
                continue;
            }
            if dominators.dominates(block, def) {
                // It comes before the definition on every path: nothing reads the value there.
                self.state.known[block] = Lattice::Undefined;
                continue;
            }
            for k in 0..self.state.assigning[block].len() {
                if let Some(origin) = self.origin(block, k) {
                    self.add_to_region(origin);
                }
            }
        }
        self.state.region.sort_unstable();
        while self.propagate_names(value) {}
        let has_phi = |block: &&Placed| self.state.known[**block] == Lattice::PhiAt(**block);
        let with_phi = self.state.region.iter().filter(has_phi);
        let size = |&block: &Placed| 1 + self.state.assigning[block].len();
        self.e.reserve(with_phi.map(size).sum())?;
        let first = carried.len();
        let ty = self.e.func.value_type(value);
        for i in 0..self.state.region.len() {
            let block = self.state.region[i];
            match self.state.known[block] {
                Lattice::PhiAt(at) if at == block => {
                    let phi = self.e.func.add_phi(self.state.order[block], ty);
                    self.e.plan.report.phis += 1;
                    self.state.known[block] = Lattice::Is(phi);
                    let group = self.group(self.state.order[block]);
                    carried.push(Carried {
                        value,
                        phi,
                        block,
                        group,
                    });
                }
                // A block with the name of one before it, which is known by now.
                Lattice::PhiAt(at) => self.state.known[block] = self.state.known[at],
                _ => {}
            }
        }
        for phi in &carried[first..] {
            for k in 0..self.state.assigning[phi.block].len() {
                if let Some(origin) = self.origin(phi.block, k) {
                    let operand = self.name_at(value, origin);
                    let pred = self.state.order[origin];
                    self.e.func.add_phi_operand(phi.phi, pred, operand);
                }
            }
        }
        Ok(())
    }

    /// Propagates names once over the region, in block order; returns whether one changed.
    fn propagate_names(&mut self, value: Value) -> bool {
        let mut changed = false;
        for i in 0..self.state.region.len() {
            let block = self.state.region[i];
            if matches!(self.state.known[block], Lattice::PhiAt(b) if b == block)
                || self.state.known[block] == Lattice::Is(value)
                || self.state.known[block] == Lattice::Undefined
            {
                continue;
            }
            let mut meet = Lattice::Nothing;
            if self.arrives_directly(block) {
                for k in 0..self.state.assigning[block].len() {
                    let name = self.origin(block, k).map(|origin| self.state.known[origin]);
                    meet = match (meet, name.unwrap_or(Lattice::Nothing)) {
                        (m, Lattice::Nothing) => m,
                        (Lattice::Nothing, v) => v,
                        (m, v) if m == v => m,
                        _ => Lattice::PhiAt(block),
                    };
                }
            } else {
                meet = Lattice::PhiAt(block);
            }
            if meet != self.state.known[block] {
                self.state.known[block] = meet;
                changed = true;
            }
        }
        changed
    }

    /// Returns the block of the input that the k-th edge which assigns a block's phis comes from.
    fn origin(&self, block: Placed, k: usize) -> Option<Placed> {
        let &edge = self.state.assigning[block].get(k)?;
        self.state.number[self.e.plan.edges[edge].assigns.expand()?.origin].expand()
    }

    /// Returns the name of a value at a block of the region.
    fn name_at(&mut self, value: Value, at: Placed) -> Value {
        match self.state.known[at] {
            Lattice::Is(name) => name,
            _ => {
                self.e.plan.report.undef_operands += 1;
                self.e.func.hole(self.e.func.value_type(value))
            }
        }
    }

    /// Returns the block of the input that an inserted block continues: the branch of a block may
    /// have been moved to a separate block.
    fn continued_block(&self, mut at: Placed) -> Result<Placed, StageError> {
        while !self.is_original(at) {
            let &[edge] = self.incoming(at) else {
                return Err(StageError::Internal {
                    what: "a use of a value in a merge block",
                });
            };
            at = self.state.ends[edge].0;
        }
        Ok(at)
    }

    /// Finds the uses that their definitions do not dominate.
    fn broken_uses(
        &self,
        dominators: &ForwardDominators<Placed>,
    ) -> Result<Vec<BrokenUse>, StageError> {
        let mut broken = Vec::new();
        for (at, &block) in self.state.order.iter() {
            let mut check = |value: Value, user: User| {
                if self
                    .definition(value)
                    .is_some_and(|def| !dominators.dominates(def, at))
                {
                    let block = at;
                    let at = self.continued_block(at)?;
                    broken.push(BrokenUse {
                        value,
                        user,
                        block,
                        at,
                    });
                }
                Ok::<_, StageError>(())
            };
            for inst in self.e.func.insts(block) {
                for (i, &v) in self.e.func.uses(inst).iter().enumerate() {
                    check(v, User::Inst(inst, i))?;
                }
            }
            if let Some(v) = self.e.func.term(block).value() {
                check(v, User::Terminator)?;
            }
        }
        self.check_operands(dominators, &mut broken);
        Ok(broken)
    }

    /// Replaces the value of a use.
    fn replace(&mut self, broken: &BrokenUse, new: Value) {
        let block = self.state.order[broken.block];
        match broken.user {
            User::Inst(inst, i) => {
                if let Some(value) = self.e.func.uses_mut(inst).get_mut(i) {
                    *value = new;
                }
            }
            User::Operand => {
                self.state.replaced.insert((broken.value, block), new);
            }
            User::Terminator => {
                let mut terminator = self.e.func.term(block);
                if let Some(value) = terminator.value_mut() {
                    *value = new;
                }
                self.e.func.set_terminator(block, terminator);
            }
        }
    }

    /// Finds operands of the input's phis whose definitions do not dominate the predecessor.
    fn check_operands(&self, dominators: &ForwardDominators<Placed>, broken: &mut Vec<BrokenUse>) {
        for &block in self.state.order.values() {
            for phi in self.e.func.phis(block) {
                for operand in self.e.func.phi_operands(phi) {
                    let Some(at) = self.state.number[operand.pred].expand() else {
                        continue;
                    };
                    let def = self.definition(operand.value);
                    if def.is_some_and(|def| !dominators.dominates(def, at)) {
                        broken.push(BrokenUse {
                            value: operand.value,
                            user: User::Operand,
                            block: at,
                            at,
                        });
                    }
                }
            }
        }
    }
}

/// A use that its definition does not dominate.
struct BrokenUse {
    value: Value,
    user: User,
    /// The block of the use; of a phi's operand the predecessor.
    block: Placed,
    /// The block of the input that it belongs to.
    at: Placed,
}

/// User of a value.
#[derive(Clone, Copy)]
enum User {
    /// An instruction, as its operand with this index.
    Inst(Inst, usize),
    Terminator,
    /// A phi.
    Operand,
}
