//! Rules about the inputs and outputs of a stage.

use std::fmt;

use rspirv::spirv::BuiltIn;
use trellis_dxil_frontend::described;

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

described! {
    /// A rule for the inputs and outputs of a stage.
    VariableRule {
        NotAPointer => "its type is not a pointer";
        NotAnArray => "its type is not an array over vertices or primitives";
        ArrayLength {
            /// The array's length, if it is a constant.
            found: Option<u32>,
            /// The required length; `None` if any length but 0 is valid.
            expected: Option<u32>,
        } => "an array of {} elements where {} are required", count(*found), count(*expected);
        Patch => "decoration Patch on a variable that cannot be a patch constant";
        PerPrimitive => "decoration PerPrimitiveEXT on a variable that is not an input";
        NoLocation => "it has neither a location nor a built-in";
        LocationType => "its type at a location is not made of numbers";
        Component => "it has components beyond the fourth of a location";
        BuiltIn => "the stage does not have this built-in with this type and decoration";
        Stream { stream: u32 } => "stream {stream} is not a stream of the stage's outputs";
    }
}

/// Returns a length as text.
fn count(length: Option<u32>) -> String {
    length.map_or_else(|| "an unknown number of".to_owned(), |n| n.to_string())
}
