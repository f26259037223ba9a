//! The check of a client's function, before any pass sees it.

use thiserror::Error;

use super::{Block, Function, Terminator, Value, ValueKind};

/// What is wrong with a function that a client built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// There is no block at all.
    #[error("the function has no block")]
    Empty,
    /// A block has no terminator.
    #[error("{block} has no terminator")]
    NoTerminator {
        /// The block.
        block: Block,
    },
    /// A terminator names a block that does not exist.
    #[error("{block} branches to {target}, which does not exist")]
    MissingTarget {
        /// The block whose terminator it is.
        block: Block,
        /// The block that does not exist.
        target: Block,
    },
    /// A block uses a value that does not exist.
    #[error("{block} uses {value}, which does not exist")]
    MissingValue {
        /// The block with the use.
        block: Block,
        /// The value that does not exist.
        value: Value,
    },
}

/// Checks that every index names something that exists.
pub(crate) fn check(func: &Function) -> Result<(), CheckError> {
    if func.num_blocks() == 0 {
        return Err(CheckError::Empty);
    }
    for block in func.blocks() {
        let terminator = func.terminator(block).ok_or(CheckError::NoTerminator { block })?;
        if let Some(target) = func.successors(block).find(|&b| !func.has_block(b)) {
            return Err(CheckError::MissingTarget { block, target });
        }
        let operands = func.phis(block).flat_map(|phi| func.phi_operands(phi)).map(|o| o.value);
        let uses = func.insts(block).flat_map(|inst| func.uses(inst).iter().copied());
        let mut all = operands.chain(uses).chain(terminator.value());
        if let Some(value) = all.find(|&v| !func.has_value(v)) {
            return Err(CheckError::MissingValue { block, value });
        }
    }
    let _ = (Terminator::Kill, ValueKind::Undef);
    Ok(())
}
