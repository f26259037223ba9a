//! Why a client's graph has no result.

use thiserror::Error;
use trellis_structurizer::ir::Block;

/// Why a client's graph has no result. Blocks and values are the client's numbers.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A value is defined twice.
    #[error("{block} defines value {value}, which is defined already")]
    DefinedTwice {
        /// The block of the second definition.
        block: Block,
        /// The value.
        value: u32,
    },
    /// A use is not dominated by its definition.
    #[error("{block} uses value {value}, whose definition does not dominate the use")]
    NotDominated {
        /// The block with the use; of a phi's operand the predecessor.
        block: Block,
        /// The value.
        value: u32,
    },
    /// The entry has a phi.
    #[error("the entry has the phi {phi}")]
    EntryPhi {
        /// The phi.
        phi: u32,
    },
    /// A phi has no operand for a predecessor, or one for a block that is not a predecessor, or two.
    #[error("phi {phi} in {block} does not have one operand for {pred}, as for each predecessor")]
    Operand {
        /// The phi.
        phi: u32,
        /// Its block.
        block: Block,
        /// The block that the operand is for.
        pred: Block,
    },
    /// An operand of a phi has another type than the phi.
    #[error("phi {phi} in {block} has another type than its operand {value}")]
    OperandType {
        /// The phi.
        phi: u32,
        /// Its block.
        block: Block,
        /// The operand.
        value: u32,
    },
    /// A switch has a literal twice.
    #[error("the switch of {block} has the literal {literal} twice")]
    RepeatedLiteral {
        /// The block.
        block: Block,
        /// The literal.
        literal: u64,
    },
    /// The lists of the graph have more entries than the structurizer can number.
    #[error("the graph is too large")]
    TooLarge,
    /// Any other error of the structurizer: of the graph, or of the limits in the options.
    #[error(transparent)]
    Structurizer(trellis_structurizer::Error),
}
