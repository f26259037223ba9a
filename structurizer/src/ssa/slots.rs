//! Slots carry the arguments of invocations that are on their way to a block.

use alloc::vec::Vec;

use super::{Placed, Repair, Variable};
use crate::ir::{Block, Type, Value};
use crate::maps::{FxHashMap, FxHashSet};
use crate::plan::blocks::{Assigning, OutEdge};
use crate::result::StageError;

/// A value that became an argument of a block, and the phi that it has there.
#[derive(Clone, Copy)]
pub(super) struct Carried {
    pub(super) value: Value,
    pub(super) phi: Value,
    pub(super) block: Placed,
    /// See [`Repair::group`]: each argument of a group has a separate slot.
    pub(super) group: Block,
}

/// The slots of the values that are carried to the blocks of a group.
#[derive(Default)]
struct GroupSlots {
    /// The first slot that may be free.
    next: FxHashMap<Type, u32>,
    taken: FxHashSet<(Type, u32)>,
    of_value: FxHashMap<Value, u32>,
}

impl GroupSlots {
    /// Returns the slot of a value: one that it had for another group if that is free.
    fn of(&mut self, value: Value, ty: Type, wanted: Option<u32>) -> u32 {
        if let Some(&slot) = self.of_value.get(&value) {
            return slot;
        }
        let next = self.next.entry(ty).or_default();
        while self.taken.contains(&(ty, *next)) {
            *next += 1;
        }
        let is_free = |slot: &u32| *slot >= *next && !self.taken.contains(&(ty, *slot));
        let slot = wanted.filter(is_free).unwrap_or(*next);
        self.taken.insert((ty, slot));
        self.of_value.insert(value, slot);
        slot
    }
}

/// An argument of a block: one of its phis, with operands by the edges of the input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Argument {
    ty: Type,
    /// The slot, numbered per type.
    slot: u32,
    block: Placed,
    phi: Value,
}

/// The arguments of all blocks.
#[derive(Default)]
pub(super) struct Arguments {
    all: Vec<Argument>,
    /// How many phis of each type a block has in the input.
    own: FxHashMap<(Placed, Type), u32>,
}

impl Repair<'_> {
    /// Gives the phis of the input and the phis of carried values their operands.
    pub(super) fn slots(&mut self, mut carried: Vec<Carried>) -> Result<(), StageError> {
        carried.sort_by_key(|c| (c.group, c.block, c.phi));
        let mut arguments = core::mem::take(&mut self.state.arguments);
        self.find_arguments(&carried, &mut arguments);
        arguments.all.sort_unstable();
        let same_slot = |a: &Argument, b: &Argument| (a.ty, a.slot) == (b.ty, b.slot);
        for slot in arguments.all.chunk_by(same_slot) {
            self.slot(slot)?;
        }
        self.state.arguments = arguments;
        Ok(())
    }

    /// Finds the arguments of all blocks with their slots. A carried value is in the slot in
    /// which it was for the block before, if that is free: it need not move from one to the other.
    fn find_arguments(&self, carried: &[Carried], found: &mut Arguments) {
        let Arguments {
            all: arguments,
            own,
        } = found;
        arguments.clear();
        own.clear();
        for (block, &name) in self.state.order.iter() {
            let is_kept = self.keeps_operands(block);
            for phi in self.e.func.phis(name).filter(|&phi| !self.is_new(phi)) {
                let operands = self.e.func.phi_operands(phi);
                // Control comes straight from the predecessors of the input, so the operands are
                // right already.
                if is_kept && operands.count() == self.incoming(block).len() {
                    continue;
                }
                let ty = self.e.func.value_type(phi);
                let next = own.entry((block, ty)).or_default();
                arguments.push(Argument {
                    ty,
                    slot: *next,
                    block,
                    phi,
                });
                *next += 1;
            }
        }
        let mut preferred: FxHashMap<Value, u32> = FxHashMap::default();
        for list in carried.chunk_by(|a, b| a.group == b.group) {
            let mut slots = GroupSlots::default();
            for c in list {
                let ty = self.e.func.value_type(c.phi);
                let first = own.get(&(c.block, ty)).copied().unwrap_or(0);
                let next = slots.next.entry(ty).or_default();
                // The first slots are of the phis that the blocks of the group have in the input.
                *next = first.max(*next);
            }
            for c in list {
                let ty = self.e.func.value_type(c.phi);
                let slot = slots.of(c.value, ty, preferred.get(&c.value).copied());
                preferred.insert(c.value, slot);
                arguments.push(Argument {
                    ty,
                    slot,
                    block: c.block,
                    phi: c.phi,
                });
            }
        }
    }

    /// Returns whether phis of the input in a block have their operands already: each edge comes
    /// straight from the block that it comes from in the input.
    fn keeps_operands(&self, block: Placed) -> bool {
        let own = self.state.order[block];
        let is_kept = |&edge: &OutEdge| {
            let edge = &self.e.plan.edges[edge];
            let assigns = edge.assigns.expand();
            assigns.is_some_and(|a| a.target == own && a.origin == edge.from)
        };
        // A replaced value may be an operand.
        self.state.replaced.is_empty() && self.incoming(block).iter().all(is_kept)
    }

    /// Returns the representative of all blocks that an edge into a block may lead to: the last of
    /// the blocks after it if it is bypassed, else itself.
    pub(super) fn group(&self, block: Block) -> Block {
        let next = |b: &Block| self.e.plan.bypassed.get(b).map(|link| link.to);
        core::iter::successors(Some(block), next)
            .last()
            .unwrap_or(block)
    }

    /// Solves one slot and sets the operands of the phis that read it.
    fn slot(&mut self, arguments: &[Argument]) -> Result<(), StageError> {
        let Some(&Argument { ty, .. }) = arguments.first() else {
            return Ok(());
        };
        let mut readers = core::mem::take(&mut self.state.readers);
        readers.clear();
        for argument in arguments {
            self.load_operands(argument.phi);
            self.give(argument.block);
        }
        for argument in arguments {
            let edges = self.incoming(argument.block).iter();
            let carried = edges.filter(|&&edge| self.state.given[edge].is_none());
            readers.extend(carried.map(|&edge| self.state.ends[edge].0));
        }
        if !readers.is_empty() {
            self.solve(Variable::Slot, ty, &readers)?;
        }
        self.state.readers = readers;
        let size = |argument: &Argument| self.incoming(argument.block).len();
        self.e.reserve(arguments.iter().map(size).sum())?;
        for argument in arguments {
            self.operands(Variable::Slot, ty, argument.block)?;
            let operands = &self.state.operands;
            self.e.func.set_phi_operands(argument.phi, operands);
        }
        self.clear();
        for argument in arguments {
            for &edge in &self.state.assigning[argument.block] {
                self.state.given[edge] = None.into();
            }
        }
        Ok(())
    }

    /// Gives the slot the operands that are loaded, on the edges that assign a block's phis.
    fn give(&mut self, block: Placed) {
        for &edge in &self.state.assigning[block] {
            let Some(Assigning { origin, .. }) = self.e.plan.edges[edge].assigns.expand() else {
                continue;
            };
            let operand = self.state.operand[origin].expand();
            let value =
                operand.map(|v| self.state.replaced.get(&(v, origin)).copied().unwrap_or(v));
            self.state.given[edge] = value.into();
        }
    }
}
