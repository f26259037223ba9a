//! Values of the few blocks that have one at a time.

use alloc::vec::Vec;

use crate::entity::{EntityRef, PackedOption, PrimaryMap, entity_impl};
use crate::ir::Block;

/// The place of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Slot(u32);
entity_impl!(Slot, "slot");

/// A value for each block: nearly all have the default one, which takes no place.
pub(super) struct Slots<T> {
    at: PrimaryMap<Block, PackedOption<Slot>>,
    values: PrimaryMap<Slot, T>,
    /// Places without a value.
    free: Vec<Slot>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self {
            at: PrimaryMap::default(),
            values: PrimaryMap::default(),
            free: Vec::new(),
        }
    }
}

impl<T: Default> Slots<T> {
    pub(super) fn clear(&mut self) {
        self.at.clear();
        self.values.clear();
        self.free.clear();
    }
    /// Reserves memory for the given number of blocks.
    pub(super) fn reserve(&mut self, blocks: usize) {
        self.at.reserve_all(blocks);
    }
    /// Returns the value of a block if it has a place.
    pub(super) fn get(&self, block: Block) -> Option<&T> {
        let slot = self.at.get(block)?.expand()?;
        self.values.get(slot)
    }
    /// Returns the value of a block, to be changed.
    pub(super) fn get_mut(&mut self, block: Block) -> &mut T {
        while self.at.len() <= block.index() {
            self.at.push(None.into());
        }
        let slot = match self.at[block].expand() {
            Some(slot) => slot,
            None => {
                let slot = match self.free.pop() {
                    Some(slot) => slot,
                    None => self.values.push_to_long(T::default()),
                };
                self.at[block] = slot.into();
                slot
            }
        };
        &mut self.values[slot]
    }
    /// Returns the value of a block, which then has the default one.
    pub(super) fn take(&mut self, block: Block) -> T {
        let Some(slot) = self.at.get(block).and_then(|slot| slot.expand()) else {
            return T::default();
        };
        self.at[block] = None.into();
        self.free.push(slot);
        core::mem::take(&mut self.values[slot])
    }
}

#[cfg(test)]
mod tests {
    use super::Slots;
    use crate::entity::EntityRef;
    use crate::ir::Block;

    #[test]
    fn blocks_have_their_own_values_and_places_are_used_again() {
        let mut slots: Slots<u32> = Slots::default();
        let [a, b, c] = [3, 0, 70].map(Block::new);
        *slots.get_mut(a) += 1;
        *slots.get_mut(b) += 2;
        *slots.get_mut(a) += 4;
        assert_eq!(
            (slots.get(a), slots.get(b), slots.get(c)),
            (Some(&5), Some(&2), None)
        );
        assert_eq!((slots.take(a), slots.take(a), slots.take(c)), (5, 0, 0));
        assert_eq!(*slots.get_mut(c), 0);
        assert_eq!((slots.get(a), slots.values.len()), (None, 2));
        slots.clear();
        assert_eq!(slots.get(b), None);
        assert_eq!(slots.take(b), 0);
    }
}
