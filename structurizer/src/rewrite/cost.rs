//! The cost of a plan: what "better" means where two shapes are right.

use super::Planned;

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
    /// Returns the cost of a plan: of the blocks that are written, so that a merge block that is not
    /// needed costs nothing, with a test that only other tests lead to as a part of those, since a chain
    /// of comparisons decides once, as a switch does.
    pub(crate) fn of(planned: &Planned) -> Self {
        *planned.cost.get_or_init(|| Self::new(planned))
    }

    fn new(planned: &Planned) -> Self {
        let (blocks, weights) = (&planned.blocks, planned.weights);
        let breakable = blocks.report.breakable_blocks as usize;
        let (tests, copies) = (blocks.num_tests(), planned.num_copies());
        if tests + breakable == 0 && planned.added == 0 {
            // Nothing is tried to make it cheaper.
            return Self {
                total: 0,
                constructs: 0,
            };
        }
        let cost = |weight: u32, count: usize| (weight as usize).saturating_mul(count);
        let parts = [
            cost(weights.test, tests - blocks.chained_tests()),
            cost(weights.breakable_block, breakable),
            cost(weights.block, blocks.order.len().saturating_sub(copies)),
            cost(weights.copy, copies),
            cost(weights.copied_inst, planned.copied_insts),
            cost(
                weights.operand,
                planned.operands + blocks.carried_operands(&planned.func),
            ),
            Self::of_exits(planned),
        ];
        Self {
            total: parts.into_iter().fold(0, usize::saturating_add),
            constructs: tests + breakable,
        }
    }

    /// Returns what the selections and loops cost that breaks and returns leave.
    fn of_exits(planned: &Planned) -> usize {
        let (blocks, weights) = (&planned.blocks, planned.weights);
        if !weights.count_exits() {
            return 0;
        }
        let cost = |weight: u32, count: usize| (weight as usize).saturating_mul(count);
        let selections = blocks.selections(&planned.func);
        let breakable = match selections.left {
            0 | 1 => 0,
            _ => blocks.report.breakable_blocks as usize,
        };
        let returns = match weights.nested_return {
            0 => 0,
            weight => cost(weight, blocks.nested_returns(&planned.func)),
        };
        cost(weights.left_selection, selections.left)
            .saturating_add(cost(weights.divergent_block, breakable))
            .saturating_add(returns)
    }

    /// Returns whether enough is saved that more of the same is worth a try. In functions of few
    /// constructs anything is.
    pub(crate) fn is_much_less_than(self, before: Self) -> bool {
        let saved = before.constructs.saturating_sub(self.constructs);
        before.has_few_constructs() || saved.saturating_mul(FEW) >= before.constructs
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
