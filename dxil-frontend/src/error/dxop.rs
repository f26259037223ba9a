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

described! {
    /// Kind of an error in a call of a `dx.op` function.
    DxOpErrorKind {
        OpcodeNotConstant { callee: Name } =>
            "the first argument of a call of {callee} is not a constant i32 opcode";
        Unknown { callee: Name, code: u32 } => "unknown dx.op opcode {code} in a call of {callee}";
        Reserved { code: u32, name: &'static str } => "dx.op opcode {code} ({name}) is reserved";
        ArgumentCount {
            name: &'static str,
            /// Expected operands, the opcode not counted.
            expected: usize,
            /// Operands of the call, the opcode not counted.
            found: usize,
        } => "{name} takes {expected} operands after the opcode, the call has {found}";
        MetadataArgument {
            name: &'static str,
            /// Operand, from 0 after the opcode.
            index: usize,
        } => "operand {index} of {name} is metadata, expected a value";
    }
}
