//! The construction for one variable: its value at the blocks that read it, and phis where
//! different values meet.

use super::{Known, Placed, Repair, Variable};
use crate::entity::EntityRef;
use crate::ir::{Block, Type, Value};
use crate::plan::blocks::{OutEdgeData, Selector};
use crate::result::Error;

impl Repair<'_> {
    /// Returns the value that a branch gives the variable, if it assigns it.
    pub(super) fn assigned(&mut self, variable: Variable, branch: OutEdgeData) -> Option<Value> {
        match variable {
            Variable::Phi(_, block) => {
                let (origin, _) = branch.assigns.filter(|a| a.1 == block)?;
                let value = self.operand[origin].expand()?;
                Some(
                    self.replaced
                        .get(&(value, branch.from))
                        .copied()
                        .unwrap_or(value),
                )
            }
            Variable::Value(..) => None,
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
        if let Some(value) = self.constants.get(at).and_then(|value| value.expand()) {
            return value;
        }
        if at >= self.constants.len() {
            self.constants.resize(at + 1, None.into());
        }
        let value = self.e.func.selector_constant(number);
        if let Some(slot) = self.constants.get_mut(at) {
            *slot = value.into();
        }
        value
    }
    /// Returns the value at the end of a block, from what is known at its start.
    pub(super) fn at_end(&self, variable: Variable, block: Placed) -> Known {
        match variable {
            Variable::Value(v, def) if self.order[block] == def => Known::Is(v),
            Variable::Phi(..) | Variable::Selector(_) if self.is_original(block) => {
                Known::Undefined
            }
            _ => self.known[block],
        }
    }
    /// Returns whether a block is the input's. An invocation that runs one has arrived: what a
    /// phi's variable or a selector held before is of no use any more, since from its assignment on
    /// an invocation passes only inserted blocks until it reaches its target.
    pub(super) fn is_original(&self, block: Placed) -> bool {
        self.order[block].index() < self.e.input_blocks
    }
    pub(super) fn defines(&self, variable: Variable, block: Placed) -> bool {
        matches!(variable, Variable::Value(_, def) if self.order[block] == def)
    }
    /// Returns whether a block comes before the definition on every path: what the value is there
    /// cannot matter, since in the input every path from there to a use passes the definition.
    pub(super) fn is_before(&self, variable: Variable, block: Placed) -> bool {
        match (variable, &self.dominators) {
            (Variable::Value(_, def), Some(d)) => {
                let def = self.number[def].expand();
                def.is_some_and(|def| d.dominates(block, def))
            }
            _ => false,
        }
    }
    pub(super) fn is_source(&self, variable: Variable, block: Placed) -> bool {
        self.incoming(block).is_empty() || self.is_before(variable, block)
    }
    pub(super) fn add_to_region(&mut self, block: Placed) {
        if !self.in_region[block] {
            self.in_region[block] = true;
            self.region.push(block);
        }
    }

    /// Finds the variable's value at the start of each of the blocks `readers` (and of what lies
    /// between them and the assignments), inserting phis where different values meet. Results stay
    /// in `known` until [`Repair::clear`].
    pub(super) fn solve(
        &mut self,
        variable: Variable,
        ty: Type,
        readers: &[Placed],
    ) -> Result<(), Error> {
        for &b in readers {
            self.add_to_region(b);
        }
        let mut next = 0;
        while let Some(&block) = self.region.get(next) {
            next += 1;
            if self.is_source(variable, block) {
                self.known[block] = Known::Undefined;
                continue;
            }
            for i in 0..self.incoming(block).len() {
                let edge = self.incoming(block)[i];
                let (branch, from) = (self.e.edges[edge], self.ends[edge].0);
                let ends = self.defines(variable, from)
                    || (!matches!(variable, Variable::Value(..)) && self.is_original(from));
                if self.assigned(variable, branch).is_none() && !ends {
                    self.add_to_region(from);
                }
            }
        }
        self.region.sort_unstable();
        loop {
            let mut changed = false;
            for i in 0..self.region.len() {
                let block = self.region[i];
                if matches!(self.known[block], Known::PhiAt(b) if b == block)
                    || (self.known[block] == Known::Undefined && self.is_source(variable, block))
                {
                    continue;
                }
                let mut meet = Known::Nothing;
                for k in 0..self.incoming(block).len() {
                    let edge = self.incoming(block)[k];
                    let value = match self.assigned(variable, self.e.edges[edge]) {
                        Some(v) => Known::Is(v),
                        None => self.at_end(variable, self.ends[edge].0),
                    };
                    meet = match (meet, value) {
                        (m, Known::Nothing) => m,
                        (Known::Nothing, v) => v,
                        (m, v) if m == v => m,
                        _ => Known::PhiAt(block),
                    };
                }
                if meet != self.known[block] {
                    self.known[block] = meet;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.make_phis(variable, ty)
    }

    /// Turns the blocks that need a phi into phis. The phi of the input keeps its identity in its
    /// own block.
    pub(super) fn make_phis(&mut self, variable: Variable, ty: Type) -> Result<(), Error> {
        let mut made: Vec<(Placed, Value)> = Vec::new();
        for i in 0..self.region.len() {
            let block = self.region[i];
            if self.known[block] == Known::PhiAt(block) {
                let b = self.order[block];
                let phi = match variable {
                    Variable::Phi(_, own) if own == b => {
                        continue;
                    }
                    _ => self.e.func.add_phi(b, ty),
                };
                self.e.report.phis += 1;
                made.push((block, phi));
            }
        }
        let value_of = |known: Known| match known {
            Known::Nothing | Known::Undefined => None,
            Known::Is(v) => Some(v),
            Known::PhiAt(b) => match made.binary_search_by_key(&b, |m| m.0) {
                Ok(at) => Some(made[at].1),
                Err(_) => match variable {
                    Variable::Phi(phi, _) => Some(phi),
                    _ => None,
                },
            },
        };
        for i in 0..self.region.len() {
            let block = self.region[i];
            if let Some(v) = value_of(self.known[block]) {
                self.known[block] = Known::Is(v);
            }
        }
        for &(block, phi) in &made {
            let operands = self.operands(variable, ty, block)?;
            for (from, value) in operands {
                self.e.func.add_phi_operand(phi, from, value);
            }
        }
        Ok(())
    }

    /// Returns one operand for each branch into a block.
    pub(super) fn operands(
        &mut self,
        variable: Variable,
        ty: Type,
        block: Placed,
    ) -> Result<Vec<(Block, Value)>, Error> {
        let mut list = Vec::with_capacity(self.incoming(block).len());
        for k in 0..self.incoming(block).len() {
            let edge = self.incoming(block)[k];
            let branch = self.e.edges[edge];
            let value = match self.assigned(variable, branch) {
                Some(v) => v,
                None => match self.at_end(variable, self.ends[edge].0) {
                    Known::Is(v) => v,
                    // What comes this way does not lead to the dispatch: any number does, as
                    // long as it is one.
                    _ if variable == Variable::Selector(Selector::Dispatch) => {
                        self.e.func.selector_constant(0)
                    }
                    _ if ty == Type::SELECTOR => {
                        return Err(Error::Internal {
                            what: "a selector that no path sets",
                        });
                    }
                    _ => {
                        self.e.report.undef_operands += 1;
                        self.e.func.undef(ty)
                    }
                },
            };
            list.push((branch.from, value));
        }
        Ok(list)
    }

    pub(super) fn clear(&mut self) {
        for &b in &self.region {
            self.known[b] = Known::Nothing;
            self.in_region[b] = false;
        }
        self.region.clear();
    }
}
