//! Redundant phis: those that have one value, apart from themselves.

use super::Repair;
use crate::entity::{EntityRef, EntityVec, PackedOption};
use crate::ir::{Function, Value};

/// The most rounds over all phis: one may become redundant by the removal of a later one, of which
/// every loop around both may need another round.
const MAX_ROUNDS: u32 = 4;

impl Repair<'_> {
    /// Removes redundant phis and replaces their uses.
    pub(super) fn remove_redundant_phis(&mut self) {
        let mut replaced = Replacements::default();
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            for &block in self.order.values() {
                for phi in self.e.func.phis(block) {
                    changed |= replaced.add_if_redundant(&self.e.func, phi);
                }
            }
            if !changed {
                break;
            }
        }
        if replaced.is_empty() {
            return;
        }
        let func = &mut self.e.func;
        for &block in self.order.values() {
            if func.has_phis(block) {
                let phis = func.phis(block);
                let inserted = phis.filter(|&phi| phi.index() >= self.e.input_values);
                let removed = inserted.filter(|&phi| replaced.find(phi) != phi).count();
                self.e.report.phis -= removed as u32;
                func.retain_phis(block, |phi| replaced.find(phi) == phi);
            }
            func.replace_uses(block, |value| replaced.find(value));
        }
    }
}

/// The values that replace redundant phis.
#[derive(Default)]
struct Replacements(EntityVec<Value, PackedOption<Value>>);

impl Replacements {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns what replaces a value in the end: itself if nothing does.
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

    /// Replaces a phi if it is redundant and not replaced yet; returns whether it did.
    fn add_if_redundant(&mut self, func: &Function, phi: Value) -> bool {
        if self.find(phi) != phi {
            return false;
        }
        let mut only = None;
        for operand in func.phi_operands(phi) {
            let value = self.compress(operand.value);
            if value != phi && *only.get_or_insert(value) != value {
                return false;
            }
        }
        let Some(only) = only else {
            return false;
        };
        if self.0.is_empty() {
            self.0 = EntityVec::new(func.num_values());
        }
        self.0[phi] = only.into();
        true
    }
}
