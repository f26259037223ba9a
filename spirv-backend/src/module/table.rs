//! A hash table of the types and constants that are shared: it has their positions, the words stay
//! where they are declared.
//!
//! Open addressing with linear probing over a power of two of slots, at most half of them full. An
//! instruction is appended before it is looked up, and removed if an equal one exists: no key is
//! built.

use std::hash::Hasher;

use rspirv::spirv::Word;
use rustc_hash::FxHasher;

use super::code::Code;

/// Slots of the first allocation: the mean shader has 30 types and constants.
const SLOTS: usize = 128;

/// Positions of instructions, found by their words except the result id.
#[derive(Default)]
pub(super) struct Table {
    slots: Vec<Slot>,
    /// Number of instructions.
    count: usize,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u32,
    /// 1 + the position of the instruction; 0 if the slot is empty.
    position: u32,
}

impl Table {
    /// Returns the result id of the instruction in the table that is equal to the last one of
    /// `code`, at `start`; if there is none, adds that and returns `None`. `id_at` is the index of
    /// the id in the instruction.
    pub(super) fn find_or_insert(
        &mut self,
        code: &Code,
        start: usize,
        id_at: usize,
    ) -> Option<Word> {
        if 2 * (self.count + 1) > self.slots.len() {
            self.grow();
        }
        let inst = code.words(start);
        let (head, tail) = (&inst[..id_at], &inst[id_at + 1..]);
        let hash = hash(head, tail);
        let mask = self.slots.len() - 1;
        let mut index = hash as usize & mask;
        loop {
            let slot = &mut self.slots[index];
            if slot.position == 0 {
                *slot = Slot {
                    hash,
                    position: start as u32 + 1,
                };
                self.count += 1;
                return None;
            }
            if slot.hash == hash {
                // An equal first word is the same opcode and length: the id has the same place.
                let known = code.words(slot.position as usize - 1);
                if known.starts_with(head) && known[id_at + 1..].starts_with(tail) {
                    return Some(known[id_at]);
                }
            }
            index = (index + 1) & mask;
        }
    }

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

fn hash(head: &[Word], tail: &[Word]) -> u32 {
    let mut hasher = FxHasher::default();
    for &word in head.iter().chain(tail) {
        hasher.write_u32(word);
    }
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use rspirv::spirv::Op;

    use super::{SLOTS, Table};
    use crate::module::code::Code;

    #[test]
    fn instructions_are_found_after_growth() {
        let (mut code, mut table) = (Code::default(), Table::default());
        let mut id = |value, expected| {
            let start = code.position();
            code.push(Op::Constant, Some(1), Some(2 + value), &[value]);
            let found = table.find_or_insert(&code, start, 2);
            assert_eq!(found, expected);
            if found.is_some() {
                code.truncate(start);
            }
        };
        let values = 0..4 * SLOTS as u32;
        for value in values.clone() {
            id(value, None);
        }
        for value in values {
            id(value, Some(2 + value));
        }
    }

    #[test]
    fn instructions_of_different_length_and_type_are_different() {
        let (mut code, mut table) = (Code::default(), Table::default());
        for (ty, operands) in [(1, &[7][..]), (1, &[7, 0]), (2, &[7]), (1, &[])] {
            let start = code.position();
            code.push(Op::Constant, Some(ty), Some(9), operands);
            assert_eq!(table.find_or_insert(&code, start, 2), None);
        }
    }
}
