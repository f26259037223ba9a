//! The cost of a plan: what "better" means where two shapes are right.

use super::Planned;

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
        let (blocks, weights) = (&planned.blocks, planned.weights);
        let tests = blocks.tests.len() + blocks.selector_switches.len();
        let breakable = blocks.report.breakable_blocks as usize;
        let copies = blocks.report.copies as usize + planned.copies;
        let cost = |weight: u32, count: usize| (weight as usize).saturating_mul(count);
        Self {
            total: cost(weights.test, tests)
                + cost(weights.breakable_block, breakable)
                + cost(weights.block, count)
                + cost(weights.copy, copies)
                + cost(weights.copied_inst, planned.copied_insts)
                + cost(weights.operand, planned.operands),
            constructs: tests + breakable,
        }
    }

    /// Returns whether the output has constructs that a rewrite might spare.
    pub(crate) fn is_worth_a_try(self) -> bool {
        self.constructs > 0
    }
}
