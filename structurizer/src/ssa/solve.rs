//! The construction for one variable: its value at the blocks that read it, and phis where
//! different values meet.

use super::{Lattice, Placed, Repair, Variable};
use crate::entity::EntityRef;
use crate::ir::{Type, Value, ValueKind};
use crate::plan::blocks::{OutEdge, Selector};
use crate::result::StageError;

impl Repair<'_> {
    /// Returns the value that an edge gives the variable, if it assigns it.
    pub(super) fn assigned(&mut self, variable: Variable, edge: OutEdge) -> Option<Value> {
        let branch = self.e.plan.edges[edge];
        match variable {
            Variable::Slot => self.state.given[edge].expand(),
            Variable::Selector(Selector::Escape) => {
                let position = branch.selector.expand()?;
                Some(self.constant(position.as_u32()))
            }
            Variable::Selector(Selector::Dispatch) => {
                let code = branch.code.expand()?;
                Some(self.constant(code.as_u32()))
            }
        }
    }
    /// Returns the constant of a position or a code: both are dense.
    pub(super) fn constant(&mut self, number: u32) -> Value {
        let at = number as usize;
        if let Some(value) = self
            .state
            .constants
            .get(at)
            .and_then(|value| value.expand())
        {
            return value;
        }
        if at >= self.state.constants.len() {
            self.state.constants.resize(at + 1, None.into());
        }
        let value = self.e.func.selector_constant(number);
        if let Some(slot) = self.state.constants.get_mut(at) {
            *slot = value.into();
        }
        value
    }
    /// Returns the lattice value at the end of a block. An invocation that runs a block of the
    /// input has arrived: the previous contents of its slots are dead, since from its assignment on
    /// an invocation passes only inserted blocks until it reaches its target.
    fn at_end(&self, block: Placed) -> Lattice {
        if self.is_original(block) {
            Lattice::Undefined
        } else {
            self.state.known[block]
        }
    }
    /// Returns whether a block is the input's.
    pub(super) fn is_original(&self, block: Placed) -> bool {
        self.state.order[block].index() < self.e.input_blocks
    }
    pub(super) fn add_to_region(&mut self, block: Placed) {
        if !self.state.in_region[block] {
            self.state.in_region[block] = true;
            self.state.region.push(block);
        }
    }

    /// Finds the variable's value at the start of each of the blocks `readers` (and of the blocks
    /// between them and the assignments), inserting phis where different values meet. Results stay
    /// in `known` until [`Repair::clear`].
    pub(super) fn solve(
        &mut self,
        variable: Variable,
        ty: Type,
        readers: &[Placed],
    ) -> Result<(), StageError> {
        for &b in readers {
            self.add_to_region(b);
        }
        let mut next = 0;
        while let Some(&block) = self.state.region.get(next) {
            next += 1;
            if self.incoming(block).is_empty() {
                self.state.known[block] = Lattice::Undefined;
                continue;
            }
            for i in 0..self.incoming(block).len() {
                let edge = self.incoming(block)[i];
                let from = self.state.ends[edge].0;
                // The search backwards ends at assignments, and at blocks of the input.
                if self.assigned(variable, edge).is_none() && !self.is_original(from) {
                    self.add_to_region(from);
                }
            }
        }
        // In block order most values settle in the first round.
        self.state.region.sort_unstable();
        while self.propagate(variable) {}
        self.make_phis(variable, ty)
    }

    /// Propagates values once over the region, in block order; returns whether one changed.
    fn propagate(&mut self, variable: Variable) -> bool {
        let mut changed = false;
        for i in 0..self.state.region.len() {
            let block = self.state.region[i];
            // A phi is the bottom of the lattice: it is final.
            if matches!(self.state.known[block], Lattice::PhiAt(b) if b == block)
                || self.incoming(block).is_empty()
            {
                continue;
            }
            let mut meet = Lattice::Nothing;
            for k in 0..self.incoming(block).len() {
                let edge = self.incoming(block)[k];
                let value = match self.assigned(variable, edge) {
                    Some(v) => Lattice::Is(v),
                    None => self.at_end(self.state.ends[edge].0),
                };
                meet = self.meet(variable, block, meet, value);
            }
            if meet != self.state.known[block] {
                self.state.known[block] = meet;
                changed = true;
            }
        }
        changed
    }

    /// Returns the lattice value at the start of a block where two paths meet.
    fn meet(&mut self, variable: Variable, block: Placed, a: Lattice, b: Lattice) -> Lattice {
        match (a, b) {
            (known, Lattice::Nothing) | (Lattice::Nothing, known) => known,
            (a, b) if a == b => a,
            (Lattice::Undefined, known) | (known, Lattice::Undefined)
                // An escape selector that a path does not set is a bug, which must show.
                if variable != Variable::Selector(Selector::Escape)
                    && self.is_available(known, block) =>
            {
                known
            }
            _ => Lattice::PhiAt(block),
        }
    }

    /// Returns whether a value may replace the values that arrive at a block, on every path. A
    /// value that the block itself defines may not: around a loop, the value of the previous
    /// iteration arrives.
    pub(super) fn is_available(&mut self, known: Lattice, block: Placed) -> bool {
        let def = match known {
            Lattice::PhiAt(at) => at,
            Lattice::Is(value) => match self.e.func.value_kind(value) {
                ValueKind::Phi(_) | ValueKind::Result { .. } => match self.definition(value) {
                    Some(def) => def,
                    None => return false,
                },
                _ => return true,
            },
            Lattice::Nothing | Lattice::Undefined => return false,
        };
        // Around a loop, the value of the previous iteration arrives instead of the block's own.
        def != block && self.dominators().dominates(def, block)
    }

    /// Adds the phis of the blocks that need one.
    fn make_phis(&mut self, variable: Variable, ty: Type) -> Result<(), StageError> {
        let has_phi = |block: &&Placed| self.state.known[**block] == Lattice::PhiAt(**block);
        let with_phi = self.state.region.iter().filter(has_phi);
        let size = |&block: &Placed| 1 + self.incoming(block).len();
        self.e.reserve(with_phi.map(size).sum())?;
        let mut made = core::mem::take(&mut self.state.made);
        made.clear();
        for i in 0..self.state.region.len() {
            let block = self.state.region[i];
            if self.state.known[block] == Lattice::PhiAt(block) {
                let b = self.state.order[block];
                let phi = self.e.func.add_phi(b, ty);
                self.e.plan.report.phis += 1;
                made.push((block, phi));
            }
        }
        let value_of = |known: Lattice| match known {
            Lattice::Nothing | Lattice::Undefined => None,
            Lattice::Is(v) => Some(v),
            Lattice::PhiAt(b) => {
                let at = made.binary_search_by_key(&b, |m| m.0).ok()?;
                Some(made[at].1)
            }
        };
        for i in 0..self.state.region.len() {
            let block = self.state.region[i];
            if let Some(v) = value_of(self.state.known[block]) {
                self.state.known[block] = Lattice::Is(v);
            }
        }
        // After all phis are made, as they may be operands of each other.
        for &(block, phi) in &made {
            self.operands(variable, ty, block)?;
            for &(from, value) in &self.state.operands {
                self.e.func.add_phi_operand(phi, from, value);
            }
        }
        self.state.made = made;
        Ok(())
    }

    /// Makes [`Memory::operands`](super::Memory::operands) one operand for each branch into a block.
    pub(super) fn operands(
        &mut self,
        variable: Variable,
        ty: Type,
        block: Placed,
    ) -> Result<(), StageError> {
        self.state.operands.clear();
        for k in 0..self.incoming(block).len() {
            let edge = self.incoming(block)[k];
            let value = match self.assigned(variable, edge) {
                Some(v) => v,
                None => match self.at_end(self.state.ends[edge].0) {
                    Lattice::Is(v) => v,
                    // This path does not lead to the dispatch: any defined number will do.
                    _ if variable == Variable::Selector(Selector::Dispatch) => {
                        self.e.func.selector_constant(0)
                    }
                    _ if ty == Type::SELECTOR => {
                        return Err(StageError::Internal {
                            what: "a selector that no path sets",
                        });
                    }
                    _ => {
                        self.e.plan.report.undef_operands += 1;
                        self.e.func.undef(ty)
                    }
                },
            };
            let from = self.e.plan.edges[edge].from;
            self.state.operands.push((from, value));
        }
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        for &b in &self.state.region {
            self.state.known[b] = Lattice::Nothing;
            self.state.in_region[b] = false;
        }
        self.state.region.clear();
    }
}
