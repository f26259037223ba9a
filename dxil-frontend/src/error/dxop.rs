//! Errors in calls of `dx.op` functions.

use crate::ids::{InstId, Name};

/// Error in a call of a `dx.op` function.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("function {function}, instruction {}: {kind}", inst.as_u32())]
#[non_exhaustive]
pub struct DxOpError {
    /// Calling function.
    pub function: Name,
    /// The call.
    pub inst: InstId,
    /// Kind of the error.
    pub kind: DxOpErrorKind,
}

/// Kind of an error in a call of a `dx.op` function.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DxOpErrorKind {
    /// The first argument is missing or not a constant `i32`.
    #[error("the first argument of a call of {callee} is not a constant i32 opcode")]
    OpcodeNotConstant {
        /// Called function.
        callee: Name,
    },
    /// No operation has this number.
    #[error("unknown dx.op opcode {code} in a call of {callee}")]
    Unknown {
        /// Called function.
        callee: Name,
        /// Operation number of the call.
        code: u32,
    },
    /// DXIL reserves this number.
    #[error("dx.op opcode {code} ({name}) is reserved")]
    Reserved {
        /// Operation number of the call.
        code: u32,
        /// Its name in the table.
        name: &'static str,
    },
    /// The argument count differs from the table.
    #[error("{name} takes {expected} operands after the opcode, the call has {found}")]
    ArgumentCount {
        /// Operation.
        name: &'static str,
        /// Expected operands, the opcode not counted.
        expected: usize,
        /// Operands of the call, the opcode not counted.
        found: usize,
    },
    /// An argument is metadata.
    #[error("operand {index} of {name} is metadata, expected a value")]
    MetadataArgument {
        /// Operation.
        name: &'static str,
        /// Operand, from 0 after the opcode.
        index: usize,
    },
}
