//! Rules of SPIR-V that the output breaks: bugs of Trellis, as types that a caller can match.

mod payload;
mod rule;
mod variable;

use std::fmt;

pub use payload::PayloadRule;
pub use rule::{ModuleSection, VerifyRule};
pub use variable::{InterfaceVariable, VariableRule};

/// A rule of SPIR-V that the output breaks, and where.
///
/// Numbers of SPIR-V's enumerations (capabilities, execution models, built-ins, storage classes,
/// opcodes) are as in the specification; [`Display`](fmt::Display) writes their names.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct VerifyError {
    /// The rule.
    pub rule: VerifyRule,
    /// The instruction, for a rule that one instruction breaks.
    pub at: Option<InstructionLocation>,
}

impl VerifyError {
    /// Returns the error of an instruction.
    pub(crate) fn of_instruction(rule: VerifyRule, at: InstructionLocation) -> Self {
        Self { rule, at: Some(at) }
    }
}

impl From<VerifyRule> for VerifyError {
    fn from(rule: VerifyRule) -> Self {
        Self { rule, at: None }
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rule)?;
        match &self.at {
            Some(at) => write!(f, " ({at})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for VerifyError {}

/// An instruction of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct InstructionLocation {
    /// The id of its function; `None` at module level.
    pub function: Option<u32>,
    /// The position of its first word in the module.
    pub word: u32,
    /// Its text: result, opcode, and the ids among the first operands.
    pub text: String,
}

impl InstructionLocation {
    /// An instruction whose function is not known yet.
    pub(crate) fn new(word: u32, text: String) -> Self {
        Self {
            function: None,
            word,
            text,
        }
    }
}

impl fmt::Display for InstructionLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = self.function {
            write!(f, "function %{function}, ")?;
        }
        write!(f, "word {}: {}", self.word, self.text)
    }
}

/// Returns the name of an enumerant, or its number if the specification has no name.
fn name<E: fmt::Debug>(enumerant: Option<E>, number: u32) -> String {
    enumerant.map_or_else(|| number.to_string(), |known| format!("{known:?}"))
}
