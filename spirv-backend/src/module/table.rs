//! A hash table of instructions that are shared: it has their positions, the words stay where they are.
//! Open addressing with linear probing over a power of two of slots, at most half of them full.

use std::hash::Hasher;

use rspirv::spirv::{Op, Word};
use rustc_hash::FxHasher;

use super::code::{Code, first_word};

/// Slots of the first allocation: the mean shader has 30 types and constants.
const SLOTS: usize = 128;

/// Positions of instructions, found by their words except the result id, each with a note.
#[derive(Default)]
pub(crate) struct Table<T> {
    slots: Vec<Slot<T>>,
    /// Number of instructions.
    count: usize,
}

#[derive(Clone, Copy, Default)]
struct Slot<T> {
    hash: u32,
    /// 1 + the position of the instruction; 0 if the slot is empty.
    position: u32,
    note: T,
}

/// An instruction except its result id, which is after the type.
pub(super) struct Key<'a> {
    /// Opcode and length.
    first: Word,
    ty: Option<Word>,
    operands: &'a [Word],
}

impl<'a> Key<'a> {
    pub(super) fn new(op: Op, ty: Option<Word>, operands: &'a [Word]) -> Self {
        Self {
            first: first_word(op, 2 + usize::from(ty.is_some()) + operands.len()),
            ty,
            operands,
        }
    }

    fn hash(&self) -> u32 {
        let mut hasher = FxHasher::default();
        let ty = u64::from(self.ty.unwrap_or_default());
        hasher.write_u64(ty << 32 | u64::from(self.first));
        match *self.operands {
            [a] => hasher.write_u32(a),
            [a, b] => [a, b].into_iter().for_each(|a| hasher.write_u32(a)),
            _ => self.operands.iter().for_each(|&a| hasher.write_u32(a)),
        }
        hasher.finish() as u32
    }

    /// Returns the result id of the instruction that `code` starts with, if it has this key.
    fn matches(&self, code: &[Word]) -> Option<Word> {
        let (id, rest) = match (self.ty, code) {
            (None, &[first, id, ref rest @ ..]) if first == self.first => (id, rest),
            (Some(ty), &[first, known, id, ref rest @ ..])
                if first == self.first && known == ty =>
            {
                (id, rest)
            }
            _ => return None,
        };
        let is_equal = match (self.operands, rest) {
            ([a], [b, ..]) => a == b,
            ([a, c], [b, d, ..]) => a == b && c == d,
            (operands, rest) => rest.starts_with(operands),
        };
        is_equal.then_some(id)
    }
}

impl<T: Copy + Default> Table<T> {
    /// Returns the result id and note of the instruction with a key, if there is one, and the slot for
    /// [`Table::set`].
    #[inline(always)]
    pub(super) fn find(&mut self, code: &Code, key: &Key<'_>) -> (usize, Option<(Word, T)>) {
        if 2 * (self.count + 1) > self.slots.len() {
            self.grow();
        }
        let hash = key.hash();
        let mask = self.slots.len() - 1;
        let mut index = hash as usize & mask;
        loop {
            let slot = &mut self.slots[index];
            if slot.position == 0 {
                slot.hash = hash;
                return (index, None);
            }
            if slot.hash == hash
                && let Some(id) = key.matches(code.words(slot.position as usize - 1))
            {
                return (index, Some((id, slot.note)));
            }
            index = (index + 1) & mask;
        }
    }

    /// Puts an instruction into the slot that was found for its key.
    pub(crate) fn set(&mut self, index: usize, position: usize, note: T) {
        let slot = &mut self.slots[index];
        self.count += usize::from(slot.position == 0);
        slot.position = position as u32 + 1;
        slot.note = note;
    }

    #[cold]
    fn grow(&mut self) {
        let length = (2 * self.slots.len()).max(SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); length]);
        for slot in old.into_iter().filter(|slot| slot.position != 0) {
            let mut index = slot.hash as usize & (length - 1);
            while self.slots[index].position != 0 {
                index = (index + 1) & (length - 1);
            }
            self.slots[index] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use rspirv::spirv::{Op, Word};

    use super::{Key, SLOTS, Table};
    use crate::module::code::Code;

    /// Adds a constant with id `id`, or returns the id of an equal one.
    fn add(code: &mut Code, table: &mut Table<()>, id: Word, ty: Word, operands: &[Word]) -> Word {
        let key = Key::new(Op::Constant, Some(ty), operands);
        let (slot, known) = table.find(code, &key);
        known.map_or_else(
            || {
                table.set(slot, code.position(), ());
                code.push(Op::Constant, [ty, id], operands);
                id
            },
            |(known, ())| known,
        )
    }

    #[test]
    fn instructions_are_found_after_growth() {
        let (mut code, mut table) = (Code::default(), Table::default());
        for id in [0, 1000] {
            for value in 1..4 * SLOTS as u32 {
                let found = add(&mut code, &mut table, id + value, 1, &[value]);
                assert_eq!(found, value);
            }
        }
    }

    #[test]
    fn instructions_of_different_length_and_type_are_different() {
        let (mut code, mut table) = (Code::default(), Table::default());
        let keys = [(1, &[7][..]), (1, &[7, 0]), (2, &[7]), (1, &[])];
        for (id, (ty, operands)) in (10..).zip(keys) {
            assert_eq!(add(&mut code, &mut table, id, ty, operands), id);
        }
    }
}
