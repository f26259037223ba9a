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
        let copies = planned.num_copies();
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

    /// Returns that cost with tests that only other tests lead to as parts of those: a chain of
    /// comparisons decides once, as a switch does; and with the selections that breaks leave. Only
    /// to be compared with costs like it.
    pub(crate) fn of_program(planned: &Planned) -> Self {
        let of_exits = || Self::of_exits(&planned.blocks, planned);
        let exits = *planned.exits.get_or_init(of_exits);
        Self::with_exits(&planned.blocks, planned, exits)
    }

    /// Returns that cost for other blocks of a planned function.
    pub(crate) fn of_program_blocks(blocks: &Blocks, planned: &Planned) -> Self {
        Self::with_exits(blocks, planned, Self::of_exits(blocks, planned))
    }

    /// Returns that cost for blocks whose exits cost so much.
    fn with_exits(blocks: &Blocks, planned: &Planned, exits: usize) -> Self {
        let cost = Self::of_blocks(blocks, planned);
        let weights = planned.weights;
        let spared = (weights.test as usize).saturating_mul(blocks.chained_tests());
        Self {
            total: cost.total.saturating_sub(spared).saturating_add(exits),
            ..cost
        }
    }

    /// Returns what the selections and loop bodies of a plan cost that breaks and continues leave.
    fn of_exits(blocks: &Blocks, planned: &Planned) -> usize {
        let weights = planned.weights;
        if !weights.count_exits() {
            return 0;
        }
        let cost = |weight: u32, count: usize| (weight as usize).saturating_mul(count);
        let selections = blocks.selections(&planned.func);
        let breakable = match selections.left {
            0 | 1 => 0,
            _ => blocks.report.breakable_blocks as usize,
        };
        cost(weights.left_selection, selections.left)
            .saturating_add(cost(weights.divergent_block, breakable))
            .saturating_add(cost(
                weights.repeated_continue,
                blocks.repeated_continues(&planned.func),
            ))
            .saturating_add(match weights.nested_return {
                0 => 0,
                weight => cost(weight, blocks.nested_returns(&planned.func)),
            })
    }

    /// Returns what the tests and breakable blocks of a plan cost by themselves, chains as in
    /// [`Cost::of_program`].
    pub(crate) fn of_constructs(planned: &Planned) -> u32 {
        let (blocks, weights) = (&planned.blocks, planned.weights);
        let tests = blocks.num_tests() - blocks.chained_tests();
        let tests = weights
            .test
            .saturating_mul(u32::try_from(tests).unwrap_or(u32::MAX));
        let breakable = weights
            .breakable_block
            .saturating_mul(blocks.report.breakable_blocks);
        tests.saturating_add(breakable)
    }

    fn new(blocks: &Blocks, planned: &Planned, count: usize) -> Self {
        Self {
            total: Self::total(blocks, planned, count),
            constructs: blocks.num_tests() + blocks.report.breakable_blocks as usize,
        }
    }

    fn total(blocks: &Blocks, planned: &Planned, count: usize) -> usize {
        let weights = planned.weights;
        let breakable = blocks.report.breakable_blocks as usize;
        let copies = blocks.report.copies as usize + planned.copies;
        let cost = |weight: u32, count: usize| (weight as usize).saturating_mul(count);
        cost(weights.test, blocks.num_tests())
            + cost(weights.breakable_block, breakable)
            + cost(weights.block, count)
            + cost(weights.copy, copies)
            + cost(weights.copied_inst, planned.copied_insts)
            + cost(weights.operand, planned.operands)
    }

    /// Returns whether enough is saved that more of the same is worth a try. In functions of few
    /// constructs anything is.
    pub(crate) fn is_much_less_than(self, before: Self) -> bool {
        let saved = before.constructs.saturating_sub(self.constructs);
        before.has_few_constructs() || saved.saturating_mul(FEW) >= before.constructs
    }

    /// Returns whether rewrites never made a plan of this cost cheaper than one of another cost, as far
    /// as was seen: no shader of the corpus has another result with a factor of 2 than without a limit,
    /// and two have with 1.5.
    pub(crate) fn is_hopeless(self, other: Self) -> bool {
        self.total / 2 > other.total
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
