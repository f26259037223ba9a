//! Slots: what carries the arguments of invocations that are on their way to a block.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Placed, Repair, Variable};
use crate::ir::{Type, Value};
use crate::result::Error;

/// A value that became an argument of a block, and the phi that it has there.
#[derive(Clone, Copy)]
pub(super) struct Carried {
    pub(super) value: Value,
    pub(super) phi: Value,
    pub(super) block: Placed,
}

/// An argument of a block: one of its phis, with operands by the edges of the input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Argument {
    ty: Type,
    /// The slot, among those of its type.
    slot: u32,
    block: Placed,
    phi: Value,
}

impl Repair<'_> {
    /// Gives the phis of the input, and those of carried values, their operands.
    pub(super) fn slots(&mut self, mut carried: Vec<Carried>) -> Result<(), Error> {
        carried.sort_by_key(|c| (c.block, c.phi));
        let mut arguments = self.arguments(&carried);
        arguments.sort_unstable();
        for slot in arguments.chunk_by(|a, b| (a.ty, a.slot) == (b.ty, b.slot)) {
            self.slot(slot)?;
        }
        Ok(())
    }

    /// Returns the arguments of all blocks with their slots. A carried value is in the slot in
    /// which it was for the block before, if that is free: it need not move from one to the other.
    fn arguments(&self, carried: &[Carried]) -> Vec<Argument> {
        let mut arguments = Vec::new();
        let mut next_slot: FxHashMap<Type, u32> = FxHashMap::default();
        let mut taken: FxHashSet<(Type, u32)> = FxHashSet::default();
        let mut preferred: FxHashMap<Value, u32> = FxHashMap::default();
        let mut carried = carried.iter().peekable();
        for (block, &name) in self.order.iter() {
            next_slot.clear();
            taken.clear();
            for phi in self.e.func.phis(name).filter(|&phi| !self.is_new(phi)) {
                let ty = self.e.func.value_type(phi);
                let next = next_slot.entry(ty).or_default();
                arguments.push(Argument {
                    ty,
                    slot: *next,
                    block,
                    phi,
                });
                *next += 1;
            }
            while let Some(c) = carried.next_if(|c| c.block == block) {
                let ty = self.e.func.value_type(c.phi);
                let next = next_slot.entry(ty).or_default();
                while taken.contains(&(ty, *next)) {
                    *next += 1;
                }
                let wanted = preferred.get(&c.value).copied();
                let slot = wanted
                    .filter(|&slot| slot >= *next && !taken.contains(&(ty, slot)))
                    .unwrap_or(*next);
                taken.insert((ty, slot));
                preferred.insert(c.value, slot);
                arguments.push(Argument {
                    ty,
                    slot,
                    block,
                    phi: c.phi,
                });
            }
        }
        arguments
    }

    /// Solves one slot and sets the operands of the phis that read it.
    fn slot(&mut self, arguments: &[Argument]) -> Result<(), Error> {
        let Some(&Argument { ty, .. }) = arguments.first() else {
            return Ok(());
        };
        let mut readers = Vec::new();
        for argument in arguments {
            self.load_operands(argument.phi);
            self.give(argument.block);
            let own = self.order[argument.block];
            for &edge in self.incoming(argument.block) {
                if self.e.edges[edge].assigns.is_none_or(|a| a.1 != own) {
                    readers.push(self.ends[edge].0);
                }
            }
        }
        if !readers.is_empty() {
            self.solve(Variable::Slot, ty, &readers)?;
        }
        for argument in arguments {
            let operands = self.operands(Variable::Slot, ty, argument.block)?;
            self.e.func.set_phi_operands(argument.phi, &operands);
        }
        self.clear();
        for argument in arguments {
            for &edge in &self.assigning[argument.block] {
                self.given[edge] = None.into();
            }
        }
        Ok(())
    }

    /// Gives the slot the operands that are loaded, on the edges that assign a block's phis.
    fn give(&mut self, block: Placed) {
        for &edge in &self.assigning[block] {
            let Some((origin, _)) = self.e.edges[edge].assigns else {
                continue;
            };
            let operand = self.operand[origin].expand();
            let value = operand.map(|v| self.replaced.get(&(v, origin)).copied().unwrap_or(v));
            self.given[edge] = value.into();
        }
    }
}
