//! Errors in a container.

use std::fmt;

/// Four characters that name a part, such as `DXIL`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FourCC(pub [u8; 4]);

impl fmt::Display for FourCC {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for b in self.0 {
            write!(f, "{}", b.escape_ascii())?;
        }
        Ok(())
    }
}
impl fmt::Debug for FourCC {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

/// A failure to read a container or one of its parts.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{part} part: {kind} (byte offset {offset:#x})")]
#[non_exhaustive]
pub struct ContainerError {
    /// The part; `DXBC` for the container's own header.
    pub part: FourCC,
    /// Absolute byte offset of what is wrong.
    pub offset: usize,
    /// Kind of the error, with what was expected.
    pub kind: ContainerErrorKind,
}

/// Kind of an error in a container.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerErrorKind {
    /// The input begins like no known format.
    #[error("the input begins with {0:?}, expected \"DXBC\", \"BC\" C0DE or 0x0B17C0DE")]
    Magic(FourCC),
    /// The data ends within an item.
    #[error("{what} needs {wanted} bytes, {available} remain")]
    Truncated {
        /// Description of what was to be read.
        what: &'static str,
        /// Bytes that it needs.
        wanted: u64,
        /// Bytes that remain.
        available: u64,
    },
    /// A field has a value that it cannot have.
    #[error("{field} is {found}, expected {expected}")]
    Field {
        /// Name of the field.
        field: &'static str,
        /// Its value.
        found: u64,
        /// Description of what was expected.
        expected: &'static str,
    },
    /// An offset or index points outside of what it indexes.
    #[error("{what} {index} is out of range, expected less than {limit}")]
    Range {
        /// Description of the item.
        what: &'static str,
        /// Its value.
        index: u64,
        /// First value that is too large.
        limit: u64,
    },
    /// A string without terminating NUL, or not UTF-8.
    #[error("{what} is not a NUL-terminated UTF-8 string")]
    String {
        /// Description of the string.
        what: &'static str,
    },
    /// The container has no program part.
    #[error("no program: expected a DXIL, ILDB or STAT part")]
    NoProgram,
}
