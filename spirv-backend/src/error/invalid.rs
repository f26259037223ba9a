//! Rules of DXIL that a module breaks, and states that only a bug in Trellis can cause.

use std::fmt;

use serde::{Deserialize, Serialize};
use trellis_dxil_frontend::described;
use trellis_dxil_frontend::module::ValueId;

use super::kind::kinds;

described! {
    /// States that only a bug in Trellis can cause.
    InternalError {
        NoFunction => "there is no function to emit";
        UnknownInstruction => "an unknown synthetic instruction";
        SelectorTest => "a selector comparison without a selector";
        Select => "a select of the structurizer without three operands";
        Terminator {
            /// The block, in the structurizer's numbering.
            block: u32,
        } => "block {block} has no structured terminator";
        NotAConstant { value: ValueId } => "value {value} is not a constant";
        NotExported => "a value that another run of instructions uses is not exported";
    }
}

kinds! {
    /// Sorts of rules of DXIL that a module can break. [`InvalidKind::name`] is stable and is also the
    /// serialized form.
    InvalidKind {
        /// An entry point or function has no body, or a signature that its stage does not allow.
        Function = "function",
        /// Functions call each other recursively.
        Recursion = "recursion",
        /// A property of the stage is missing, or has a value that does not exist.
        StageProperty = "stage-property",
        /// An operation is used in a stage that does not have it.
        Stage = "stage",
        /// A value does not exist, or is used where its definition does not dominate.
        Value = "value",
        /// The types of an instruction's operands or result do not match.
        Type = "type",
        /// An operand is missing, or a constant operand is not a constant or out of range.
        Operand = "operand",
        /// A block ends in a way that its function cannot have.
        ControlFlow = "control-flow",
        /// A signature element does not exist, or has no such row, column or vertex.
        Signature = "signature",
        /// A resource is not declared, or is used as another kind of resource.
        Resource = "resource",
        /// An access is outside of its variable, or an initializer does not match it.
        Memory = "memory",
    }
}
