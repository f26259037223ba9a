//! Arithmetic on addresses that was emitted in the current block: neighbouring accesses have the same
//! factors, and an instruction that is not emitted again is one less for the driver to compare.

use rspirv::spirv::{Op, Word};

use super::FunctionBuilder;

/// How many operations are remembered: a search is about as long as an instruction.
const COUNT: usize = 16;

/// The last operations of a block on two words.
#[derive(Debug)]
pub(crate) struct Recent {
    /// Functions and blocks begun before.
    block: (usize, usize),
    /// Operation, operands, result.
    entries: [(Op, [Word; 2], Word); COUNT],
    next: usize,
}

impl Default for Recent {
    fn default() -> Self {
        Self {
            block: (0, 0),
            entries: [(Op::Nop, [0; 2], 0); COUNT],
            next: 0,
        }
    }
}

impl FunctionBuilder<'_> {
    /// Returns the result of an integer operation on two words; again the same id within a block, if
    /// the operation was not long ago.
    pub(crate) fn word_op(&mut self, op: Op, operands: [Word; 2]) -> Word {
        let block = self.b.block_number();
        if self.recent.block != block {
            self.recent = Recent {
                block,
                ..Recent::default()
            };
        }
        let known = self.recent.entries.iter();
        let mut known = known.filter(|entry| (entry.0, entry.1) == (op, operands));
        if let Some(&(_, _, id)) = known.next() {
            return id;
        }
        let id = self.b.word(op, &operands);
        self.recent.entries[self.recent.next % COUNT] = (op, operands, id);
        self.recent.next += 1;
        id
    }
}
