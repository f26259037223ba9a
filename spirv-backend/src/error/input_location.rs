//! The location of an error in the input, for reports.

use std::fmt;

use serde::{Deserialize, Serialize};
use trellis_dxbc_frontend::Error as ReadError;
use trellis_dxil_frontend::Error as DxilError;

use super::{Error, Location};

/// The location of an error in the input; fields that are unknown or do not apply are `None`, and
/// not serialized.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct InputLocation {
    /// Part of the container (for example `DXIL`), or `bitcode` or `metadata`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Absolute byte offset in the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_offset: Option<u64>,
    /// Function: its name, or its number as `#3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Basic block of the function, in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<u32>,
    /// Instruction of the function, in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction: Option<u32>,
}

impl InputLocation {
    /// Returns whether all fields are `None`.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for InputLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut item = |text: Option<String>| -> fmt::Result {
            if let Some(text) = text {
                write!(f, "{separator}{text}")?;
                separator = ", ";
            }
            Ok(())
        };
        item(self.part.as_ref().map(|part| format!("part {part}")))?;
        item(
            self.byte_offset
                .map(|offset| format!("byte offset {offset:#x}")),
        )?;
        item(
            self.function
                .as_ref()
                .map(|function| format!("function {function}")),
        )?;
        item(self.block.map(|block| format!("block {block}")))?;
        item(
            self.instruction
                .map(|instruction| format!("instruction {instruction}")),
        )
    }
}

impl From<&ReadError> for InputLocation {
    fn from(error: &ReadError) -> Self {
        match error {
            ReadError::Dxil(error) => error.into(),
            ReadError::Program(error) => Self {
                part: Some("token stream".to_owned()),
                byte_offset: Some(error.offset as u64),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }
}

impl From<&DxilError> for InputLocation {
    fn from(error: &DxilError) -> Self {
        let mut location = Self::default();
        match error {
            DxilError::Container(e) => {
                location.part = Some(e.part.to_string());
                location.byte_offset = Some(e.offset as u64);
            }
            DxilError::Bitcode(e) => {
                location.part = Some("bitcode".to_owned());
                location.byte_offset = Some(e.offset as u64);
                location.function = e.place.function.map(|number| format!("#{number}"));
                location.block = e.place.basic_block;
                location.instruction = e.place.instruction;
            }
            DxilError::Shader(_) => location.part = Some("metadata".to_owned()),
            DxilError::DxOp(_) => location.part = Some("bitcode".to_owned()),
            DxilError::Listing(_) | DxilError::Link(_) => {}
        }
        location
    }
}

impl From<&Location> for InputLocation {
    fn from(at: &Location) -> Self {
        Self {
            function: (!at.function.is_empty()).then(|| at.function.clone()),
            block: at.block,
            instruction: at.inst,
            ..Self::default()
        }
    }
}

impl Error {
    /// Returns the location in the input, as far as it is known.
    pub fn input_location(&self) -> InputLocation {
        match self {
            Self::Read(error) => error.into(),
            Self::Unsupported { at, .. } | Self::Invalid { at, .. } | Self::Internal { at, .. } => {
                at.into()
            }
            Self::Structurize { function, .. } => InputLocation {
                function: Some(function.clone()),
                ..InputLocation::default()
            },
            Self::EntryPoint(_)
            | Self::Binding { .. }
            | Self::Verify(_)
            | Self::Validate { .. }
            | Self::StageIo { .. }
            | Self::NoValidator => InputLocation::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::InputLocation;

    #[test]
    fn a_location_prints_only_known_fields() {
        let mut location = InputLocation::default();
        assert!(location.is_empty());
        assert_eq!(location.to_string(), "");
        location.byte_offset = Some(0x1c);
        assert_eq!(location.to_string(), "byte offset 0x1c");
        location.part = Some("DXIL".into());
        location.block = Some(3);
        assert_eq!(location.to_string(), "part DXIL, byte offset 0x1c, block 3");
    }
}
