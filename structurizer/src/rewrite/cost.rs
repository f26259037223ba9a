//! The cost of a plan: what "better" means where two shapes are right.

use super::Planned;

/// Costs of the parts of an output, in operands of a phi: a test is a comparison, a branch and a phi
/// of the selector, and every invocation that passes it pays for it; a breakable block nests what is
/// in it.
const TEST: usize = 12;
const BREAKABLE_BLOCK: usize = 9;
const BLOCK: usize = 3;
/// A copy of a block.
const COPY: usize = 1;
/// A copy of an instruction.
const COPIED_INST: usize = 4;

/// The cost of a plan. Plans of one function are compared by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Cost {
    total: usize,
    /// Number of tests of selectors, and of breakable blocks.
    constructs: usize,
}

impl Cost {
    /// Returns the cost of a planned function, with the blocks that were inserted.
    pub(crate) fn of(planned: &Planned) -> Self {
        let copies = planned.blocks.report.copies as usize + planned.copies;
        let inserted = planned.blocks.report.blocks as usize + planned.added - copies;
        Self::with_blocks(planned, inserted)
    }

    /// Returns the same with the blocks that are written: a merge block that is not needed costs
    /// nothing. Not to be compared with the other cost.
    pub(crate) fn of_output(planned: &Planned) -> Self {
        let copies = planned.blocks.report.copies as usize + planned.copies;
        let written = planned.blocks.order.len().saturating_sub(copies);
        Self::with_blocks(planned, written)
    }

    fn with_blocks(planned: &Planned, count: usize) -> Self {
        let blocks = &planned.blocks;
        let tests = blocks.tests.len() + blocks.selector_switches.len();
        let breakable = blocks.report.breakable_blocks as usize;
        let copies = blocks.report.copies as usize + planned.copies;
        Self {
            total: TEST * tests
                + BREAKABLE_BLOCK * breakable
                + BLOCK * count
                + COPY * copies
                + COPIED_INST * planned.copied_insts
                + planned.operands,
            constructs: tests + breakable,
        }
    }

    /// Returns whether the output has constructs that a rewrite might spare.
    pub(crate) fn is_worth_a_try(self) -> bool {
        self.constructs > 0
    }
}
