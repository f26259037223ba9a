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
}
