//! The cost of a plan: what "better" means where two shapes are right.

use super::Planned;
use crate::plan::blocks::Blocks;

/// So many constructs are few, and a rewrite that saves one of them saves much.
const FEW: usize = 16;

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
        Self::new(&planned.blocks, planned, inserted)
    }

    /// Returns the same with the blocks that are written: a merge block that is not needed costs
    /// nothing. Not to be compared with the other cost.
    pub(crate) fn of_output(planned: &Planned) -> Self {
        Self::of_blocks(&planned.blocks, planned)
    }

    /// Returns that cost for other blocks of a planned function.
    pub(crate) fn of_blocks(blocks: &Blocks, planned: &Planned) -> Self {
        let copies = blocks.report.copies as usize + planned.copies;
        let written = blocks.order.len().saturating_sub(copies);
        Self::new(blocks, planned, written)
    }

    fn new(blocks: &Blocks, planned: &Planned, count: usize) -> Self {
        let weights = planned.weights;
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

    /// Returns whether enough is saved that more of the same is worth a try. In functions of few
    /// constructs that is any of them.
    pub(crate) fn is_much_less_than(self, before: Self) -> bool {
        let saved = before.constructs.saturating_sub(self.constructs);
        saved.saturating_mul(FEW) >= before.constructs
    }

    /// Returns the number of tests and breakable blocks.
    pub(crate) fn constructs(self) -> usize {
        self.constructs
    }

    /// Returns whether there are so few constructs that a rewrite that is seldom of use is tried.
    pub(crate) fn has_few_constructs(self) -> bool {
        self.constructs <= FEW
    }

    /// Returns whether the output has constructs that a rewrite might spare.
    pub(crate) fn is_worth_a_try(self) -> bool {
        self.constructs > 0
    }
}
