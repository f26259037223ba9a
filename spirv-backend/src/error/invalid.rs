//! Rules of DXIL that a module breaks, and states that only a bug in Trellis can cause.

use std::fmt;

use serde::{Deserialize, Serialize};
use trellis_dxil_frontend::module::ValueId;

use super::feature::described;

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
        NotAConstant {
            /// The value.
            value: ValueId,
        } => "value {value} is not a constant";
        NotExported => "a value that another run of instructions uses is not exported";
    }
}

/// Sorts of rules of DXIL that a module can break. [`InvalidKind::name`] is stable and is also the
/// serialized form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum InvalidKind {
    /// An entry point or function has no body, or a signature that its stage does not allow.
    Function,
    /// Functions call each other recursively.
    Recursion,
    /// A property of the stage is missing, or has a value that does not exist.
    StageProperty,
    /// An operation is used in a stage that does not have it.
    Stage,
    /// A value does not exist, or is used where its definition does not dominate.
    Value,
    /// The types of an instruction's operands or result do not match.
    Type,
    /// An operand is missing, or a constant operand is not a constant or out of range.
    Operand,
    /// A block ends in a way that its function cannot have.
    ControlFlow,
    /// A signature element does not exist, or has no such row, column or vertex.
    Signature,
    /// A resource is not declared, or is used as another kind of resource.
    Resource,
    /// An access is outside of its variable, or an initializer does not match it.
    Memory,
}

impl InvalidKind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Function,
        Self::Recursion,
        Self::StageProperty,
        Self::Stage,
        Self::Value,
        Self::Type,
        Self::Operand,
        Self::ControlFlow,
        Self::Signature,
        Self::Resource,
        Self::Memory,
    ];

    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Recursion => "recursion",
            Self::StageProperty => "stage-property",
            Self::Stage => "stage",
            Self::Value => "value",
            Self::Type => "type",
            Self::Operand => "operand",
            Self::ControlFlow => "control-flow",
            Self::Signature => "signature",
            Self::Resource => "resource",
            Self::Memory => "memory",
        }
    }
}

impl fmt::Display for InvalidKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
