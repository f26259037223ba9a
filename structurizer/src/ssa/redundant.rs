//! Redundant phis: those that have one value, apart from themselves.

use super::{Lattice, Placed, Repair};
use crate::entity::{EntityRef, PackedOption, PrimaryMap};
use crate::ir::{Function, Value};

/// The most rounds over all phis: a phi may become redundant by the removal of a later one, so each
/// loop around both may need another round.
const MAX_ROUNDS: u32 = 4;

impl Repair<'_> {
    /// Removes redundant phis and replaces their uses.
    pub(super) fn remove_redundant_phis(&mut self) {
        let mut replaced = core::mem::take(&mut self.state.replacements);
        replaced.0.clear();
        let mut phis = core::mem::take(&mut self.state.phis);
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            for at in self.state.order.keys() {
                phis.clear();
                phis.extend(self.e.func.phis(self.state.order[at]));
                for &phi in &phis {
                    if let Some(value) = replaced.value_of(&self.e.func, phi)
                        && self.may_replace(phi, value, at)
                    {
                        replaced.add(self.e.func.num_values(), phi, value);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        if !replaced.is_empty() {
            self.replace_phis(&replaced);
        }
        self.state.replacements = replaced;
        self.state.phis = phis;
    }

    fn replace_phis(&mut self, replaced: &Replacements) {
        let func = &mut self.e.func;
        for &block in self.state.order.values() {
            if func.has_phis(block) {
                let phis = func.phis(block);
                let inserted = phis.filter(|&phi| phi.index() >= self.e.input_values);
                let removed = inserted.filter(|&phi| replaced.find(phi) != phi).count();
                self.e.plan.report.phis -= removed as u32;
                func.retain_phis(block, |phi| replaced.find(phi) == phi);
            }
            func.replace_uses(block, |value| replaced.find(value));
        }
    }
}

impl Repair<'_> {
    /// Returns whether a value may replace a phi in a block. Where all operands are this value it
    /// is defined there; where some are read by nothing it need not be.
    fn may_replace(&mut self, phi: Value, value: Value, at: Placed) -> bool {
        let func = &self.e.func;
        let has_holes = func.phi_operands(phi).any(|o| func.is_hole(o.value));
        !has_holes || self.is_available(Lattice::Is(value), at)
    }
}

/// The values that replace redundant phis.
#[derive(Default)]
pub(super) struct Replacements(PrimaryMap<Value, PackedOption<Value>>);

impl Replacements {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the final replacement of a value: itself if nothing replaces it.
    fn find(&self, mut value: Value) -> Value {
        while let Some(next) = self.0.get(value).and_then(|next| next.expand()) {
            value = next;
        }
        value
    }

    /// Like [`Replacements::find`], and shortens the chain of replacements.
    fn compress(&mut self, value: Value) -> Value {
        let last = self.find(value);
        let mut value = value;
        while let Some(next) = self.0.get(value).and_then(|next| next.expand()) {
            self.0[value] = last.into();
            value = next;
        }
        last
    }

    /// Returns the value of a phi that is redundant and not replaced yet: the only one among its
    /// operands, apart from itself and operands that no invocation reads.
    fn value_of(&mut self, func: &Function, phi: Value) -> Option<Value> {
        if self.find(phi) != phi {
            return None;
        }
        let mut only = None;
        for operand in func.phi_operands(phi) {
            let value = self.compress(operand.value);
            if value != phi && !func.is_hole(value) && *only.get_or_insert(value) != value {
                return None;
            }
        }
        only
    }

    fn add(&mut self, num_values: usize, phi: Value, value: Value) {
        if self.0.is_empty() {
            self.0.reset(num_values);
        }
        self.0[phi] = value.into();
    }
}
