//! Rules about the inputs and outputs of a stage.

use std::fmt;

use rspirv::spirv::BuiltIn;
use thiserror::Error;

use super::name;

/// An input or output of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct InterfaceVariable {
    /// Its id.
    pub id: u32,
    /// True for an input, false for an output.
    pub input: bool,
    /// Its `BuiltIn`, if it has one.
    pub built_in: Option<u32>,
}

impl InterfaceVariable {
    pub(crate) fn new(id: u32, input: bool, built_in: Option<BuiltIn>) -> Self {
        Self {
            id,
            input,
            built_in: built_in.map(|built_in| built_in as u32),
        }
    }
}

impl fmt::Display for InterfaceVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.input { "input" } else { "output" };
        write!(f, "{side} %{}", self.id)?;
        match self.built_in {
            Some(number) => write!(f, " ({})", name(BuiltIn::from_u32(number), number)),
            None => Ok(()),
        }
    }
}

/// A rule for the inputs and outputs of a stage.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum VariableRule {
    /// The variable's type is not a pointer.
    #[error("its type is not a pointer")]
    NotAPointer,
    /// The variable is not an array over vertices or primitives.
    #[error("its type is not an array over vertices or primitives")]
    NotAnArray,
    /// The array's length is not the number of vertices or primitives.
    #[error("an array of {} elements where {} are required", count(*found), count(*expected))]
    ArrayLength {
        /// The array's length, if it is a constant.
        found: Option<u32>,
        /// The required length; `None` if any length but 0 is valid.
        expected: Option<u32>,
    },
    /// `Patch` on a variable that is not a patch constant.
    #[error("decoration Patch on a variable that cannot be a patch constant")]
    Patch,
    /// `PerPrimitiveEXT` on a variable that is not an input.
    #[error("decoration PerPrimitiveEXT on a variable that is not an input")]
    PerPrimitive,
    /// The variable has neither a location nor a built-in.
    #[error("it has neither a location nor a built-in")]
    NoLocation,
    /// The type at a location is not made of numbers.
    #[error("its type at a location is not made of numbers")]
    LocationType,
    /// A component beyond the fourth of a location.
    #[error("it has components beyond the fourth of a location")]
    Component,
    /// The stage does not have the built-in, or not with this type or decoration.
    #[error("the stage does not have this built-in with this type and decoration")]
    BuiltIn,
    /// A stream that does not exist or that the stage does not emit to.
    #[error("stream {stream} is not a stream of the stage's outputs")]
    Stream {
        /// The stream.
        stream: u32,
    },
}

/// Returns a length as text.
fn count(length: Option<u32>) -> String {
    length.map_or_else(|| "an unknown number of".to_owned(), |n| n.to_string())
}
