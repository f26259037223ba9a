//! Sums that were emitted in the current block, from which offsets in constant buffers are
//! computed.
//!
//! They are found by the ids of SPIR-V, not by the instructions of DXIL: a value that the
//! structurizer renamed or copied has another id, and an id of the current block may be used in all
//! of it.

use rspirv::spirv::Word;
use trellis_dxil_frontend::dxop::{DxDeclarations, Op};

use super::FunctionBuilder;

/// How many sums are remembered.
const COUNT: usize = 16;

/// A number of 32 bits as `(value << shift) + more`, modulo 2 to the power of 32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// The value.
    pub(crate) value: Word,
    /// At most 31.
    pub(crate) shift: u32,
    /// The constant.
    pub(crate) more: u32,
}

/// The last sums of a block.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    /// True if there are operations that look for sums.
    is_wanted: bool,
    /// Functions and blocks begun before.
    block: (usize, usize),
    /// Results and their sums.
    entries: [(Word, Sum); COUNT],
    next: usize,
}

impl Sums {
    /// Returns the sums of a module's functions: none, unless it reads constant buffers by byte offset.
    pub(crate) fn of(ops: &DxDeclarations) -> Self {
        Self {
            is_wanted: ops.calls(Op::CBufferLoad),
            ..Self::default()
        }
    }

    /// Returns true if sums are worth noting.
    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted
    }
}

impl FunctionBuilder<'_> {
    /// Records the sum of a 32-bit number that was emitted in the current block.
    pub(crate) fn note_sum(&mut self, result: Word, sum: Sum) {
        let block = self.b.block_number();
        if self.sums.block != block {
            let is_wanted = true;
            self.sums = Sums {
                is_wanted,
                block,
                ..Sums::default()
            };
        }
        let inner = self.sum_of(sum.value);
        let shift = inner.shift + sum.shift;
        let sum = match shift < u32::BITS {
            true => Sum {
                value: inner.value,
                shift,
                more: (inner.more << sum.shift).wrapping_add(sum.more),
            },
            false => sum,
        };
        self.sums.entries[self.sums.next % COUNT] = (result, sum);
        self.sums.next += 1;
    }

    /// Returns a 32-bit number as a sum: itself, unless a sum was recorded in the current block.
    pub(crate) fn sum_of(&self, id: Word) -> Sum {
        let is_current = self.sums.block == self.b.block_number();
        let mut entries = self.sums.entries.iter().filter(|_| is_current);
        let known = entries.find(|(result, _)| *result == id);
        known.map_or(
            Sum {
                value: id,
                ..Sum::default()
            },
            |(_, sum)| *sum,
        )
    }
}
