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
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ContainerError {
    /// The part; `DXBC` for the container's own header.
    pub part: FourCC,
    /// Absolute byte offset of the error.
    pub offset: usize,
    /// Kind of the error, with the expected value.
    pub kind: ContainerErrorKind,
}

impl std::error::Error for ContainerError {}

impl fmt::Display for ContainerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, offset, kind } = self;
        match kind {
            ContainerErrorKind::OtherFile { .. } => write!(f, "{kind}"),
            _ => write!(f, "{part} part: {kind} (byte offset {offset:#x})"),
        }
    }
}

described! {
    /// Kind of an error in a container.
    ContainerErrorKind {
        /// The whole input is another kind of file.
        OtherFile { found: &'static str } =>
            "the input is {found}, expected a compiled shader of shader models 4 to 6";
        Magic { found: FourCC } =>
            "the input begins with {found:?}, expected \"DXBC\", \"BC\" C0DE or 0x0B17C0DE";
        /// The data ends within an item.
        Truncated { what: &'static str, wanted: u64, available: u64 } =>
            "{what} needs {wanted} bytes, {available} remain";
        /// A field has a value that it cannot have.
        Field { field: &'static str, found: u64, expected: &'static str } =>
            "{field} is {found}, expected {expected}";
        /// An offset or index is outside of the data that it indexes.
        Range { what: &'static str, index: u64, limit: u64 } =>
            "{what} {index} is out of range, expected less than {limit}";
        String { what: &'static str } => "{what} is not a NUL-terminated UTF-8 string";
        NoProgram => "no program: expected a DXIL, ILDB or STAT part";
    }
}
