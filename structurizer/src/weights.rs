//! What "better" means where two shapes are right.

/// Costs of the parts of an output, in operands of a phi: a rewrite of the function is kept if the
/// output is cheaper by [`Options::weights`](crate::Options::weights). The output is right with any
/// weights.
///
/// ```
/// use trellis_structurizer::{CostWeights, Options};
///
/// let weights = CostWeights::code_size().with_breakable_block(20);
/// let options = Options::default().with_weights(weights);
/// # assert_eq!(options.weights.breakable_block, 20);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct CostWeights {
    /// A test of a selector: a comparison, a branch and a phi of the selector, and every invocation
    /// that passes it pays for it.
    pub test: u32,
    /// A breakable block, which nests what is in it.
    pub breakable_block: u32,
    /// A selection that a break, a `continue` or a return leaves while others fall out of it: drivers
    /// test at its end which invocations continue.
    pub left_selection: u32,
    /// What a breakable block costs more where breaks leave several such selections: drivers
    /// compile it as a loop of one iteration.
    pub divergent_block: u32,
    /// A loop in another loop that a return inside leaves: drivers that have no return in loops keep a
    /// flag, and test it after the loop.
    pub nested_return: u32,
    /// A block that is inserted.
    pub block: u32,
    /// A copy of a block.
    pub copy: u32,
    /// A copy of an instruction.
    pub copied_inst: u32,
    /// An operand of a phi that is inserted.
    pub operand: u32,
}

impl CostWeights {
    /// Returns the default: few tests, then few nested constructs, then few blocks.
    pub const fn new() -> Self {
        Self {
            test: 12,
            breakable_block: 12,
            left_selection: 0,
            divergent_block: 0,
            nested_return: 0,
            block: 3,
            copy: 1,
            copied_inst: 4,
            operand: 1,
        }
    }

    /// Returns weights for small code: what an output has is counted, not what invocations pay for
    /// it.
    pub const fn code_size() -> Self {
        Self {
            test: 7,
            breakable_block: 4,
            left_selection: 0,
            divergent_block: 0,
            nested_return: 0,
            block: 3,
            copy: 4,
            copied_inst: 6,
            operand: 2,
        }
    }

    /// Returns weights for drivers on which nested constructs are expensive or limited: a test is
    /// taken instead of a breakable block.
    pub const fn shallow() -> Self {
        Self {
            breakable_block: 30,
            ..Self::new()
        }
    }

    /// Returns weights for shaders: what drivers make of a shape, not how it reads. Measured with the
    /// machine code of a driver's compiler. Breaks to several places are flat where that is cheaper,
    /// and breakable blocks that are left from deep inside give way to selectors, as copies of code do.
    pub const fn drivers() -> Self {
        Self {
            // A loop of one iteration: what is in it counts as much as in any loop.
            breakable_block: 96,
            left_selection: 4,
            divergent_block: 24,
            nested_return: 16,
            copied_inst: 24,
            ..Self::new()
        }
    }

    /// Returns whether it matters how selections and loop bodies are left.
    pub(crate) const fn count_exits(&self) -> bool {
        self.left_selection > 0 || self.divergent_block > 0 || self.nested_return > 0
    }

    /// Returns these weights with another one for tests.
    #[must_use]
    pub const fn with_test(self, test: u32) -> Self {
        Self { test, ..self }
    }

    /// Returns these weights with another one for breakable blocks.
    #[must_use]
    pub const fn with_breakable_block(self, breakable_block: u32) -> Self {
        Self {
            breakable_block,
            ..self
        }
    }

    /// Returns these weights with another one for selections that are left while others fall out.
    #[must_use]
    pub const fn with_left_selection(self, left_selection: u32) -> Self {
        Self {
            left_selection,
            ..self
        }
    }

    /// Returns these weights with another one for breakable blocks that several selections are left
    /// for.
    #[must_use]
    pub const fn with_divergent_block(self, divergent_block: u32) -> Self {
        Self {
            divergent_block,
            ..self
        }
    }

    /// Returns these weights with another one for loops in loops that a return leaves.
    #[must_use]
    pub const fn with_nested_return(self, nested_return: u32) -> Self {
        Self {
            nested_return,
            ..self
        }
    }

    /// Returns these weights with another one for inserted blocks.
    #[must_use]
    pub const fn with_block(self, block: u32) -> Self {
        Self { block, ..self }
    }

    /// Returns these weights with another one for copies of blocks.
    #[must_use]
    pub const fn with_copy(self, copy: u32) -> Self {
        Self { copy, ..self }
    }

    /// Returns these weights with another one for copies of instructions.
    #[must_use]
    pub const fn with_copied_inst(self, copied_inst: u32) -> Self {
        Self {
            copied_inst,
            ..self
        }
    }

    /// Returns these weights with another one for operands of phis.
    #[must_use]
    pub const fn with_operand(self, operand: u32) -> Self {
        Self { operand, ..self }
    }
}

impl Default for CostWeights {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::CostWeights;

    use crate::{Options, structurize, text};

    #[test]
    fn weights_choose_the_shape() {
        // `if (a && (b || c)) t; else f;`: a join of conditions, or a breakable block.
        let graph = "a: b f\nb: t c\nc: t f\nt: x\nf: x\nx: ret";
        let breakable_blocks = |weights: CostWeights| {
            let options = Options::default().with_weights(weights);
            let result = structurize(text::parse(graph).unwrap(), &options).unwrap();
            result.report.breakable_blocks
        };
        assert_eq!(breakable_blocks(CostWeights::default()), 0);
        assert_eq!(breakable_blocks(CostWeights::shallow()), 0);
        let free = CostWeights::new().with_breakable_block(0).with_test(0);
        assert_eq!(breakable_blocks(free.with_operand(100)), 1);
    }

    #[test]
    fn drivers_get_selectors_where_breaks_leave_several_selections() {
        // `if (a) { if (e) { u; goto z; } v; } else { if (b) { if (c) { x; goto z; } w; } d; } y; z:`
        let graph =
            "a: e b\ne: u v\nu: z\nv: y\nb: c d\nc: x w\nx: z\nw: d\nd: y\ny: z\nz: end\nend: ret";
        let structured = |weights: CostWeights| {
            let options = Options::default().with_weights(weights);
            let report = structurize(text::parse(graph).unwrap(), &options)
                .unwrap()
                .report;
            (report.breakable_blocks, report.selectors)
        };
        assert_eq!(structured(CostWeights::default()), (1, 0));
        let (breakable, selectors) = structured(CostWeights::drivers());
        assert!(breakable == 0 && selectors > 0);
    }

    #[test]
    fn drivers_get_selectors_where_a_return_leaves_nested_loops() {
        // `for (;a;) { do { if (b) return; } while (c); } return;`, with code before the return.
        let graph = "e: a\na: b x\nb: x c\nc: b a\nx: {dup} ret";
        let structured = |weights: CostWeights| {
            let options = Options::default().with_weights(weights);
            let report = structurize(text::parse(graph).unwrap(), &options)
                .unwrap()
                .report;
            (report.copies, report.selectors > 0)
        };
        assert_eq!(structured(CostWeights::default()), (1, false));
        assert_eq!(structured(CostWeights::drivers()), (0, true));
    }
}
