//! Errors in an input.

use trellis_dxil_frontend::container::ContainerError;
use trellis_dxil_frontend::described;

use crate::tokens::Op;

/// Any failure to read a shader.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The container or its DXIL program is malformed.
    #[error(transparent)]
    Dxil(#[from] trellis_dxil_frontend::Error),
    /// The token stream is malformed, or uses an unsupported feature.
    #[error(transparent)]
    Program(Box<ProgramError>),
}

impl From<ContainerError> for Error {
    #[cold]
    fn from(e: ContainerError) -> Self {
        Self::Dxil(e.into())
    }
}

/// A failure inside a token stream.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ProgramError {
    /// Absolute byte offset: of the instruction, or of the token that is wrong.
    pub offset: usize,
    /// The instruction or declaration, once it is known.
    pub op: Option<Op>,
    /// Kind of the error, with the expected value.
    pub kind: ProgramErrorKind,
}

impl std::fmt::Display for ProgramError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("token stream: ")?;
        if let Some(op) = self.op {
            write!(f, "{op}: ")?;
        }
        write!(f, "{} (byte offset {:#x})", self.kind, self.offset)
    }
}

impl std::error::Error for ProgramError {}

described! {
    /// Kind of an error in a token stream.
    ProgramErrorKind {
        /// The stream or the instruction ends within an item.
        Truncated { what: &'static str } => "{what} is beyond the end";
        /// An instruction's length is 0, or ends after the stream.
        Length { length: u32, available: usize } =>
            "length is {length} tokens, {available} remain";
        UnknownOpcode { code: u32 } => "opcode {code} is unknown";
        /// A field has a value that it cannot have.
        Field { field: &'static str, found: u64, expected: &'static str } =>
            "{field} is {found}, expected {expected}";
        /// A count beyond a named limit of [`crate::limits`].
        Limit { what: &'static str, count: u64, limit: u64 } =>
            "{what}: {count} exceeds the limit of {limit}";
        /// A rule of the format is broken.
        Invalid { what: &'static str } => "{what}";
        /// Valid DXBC that is not supported.
        Unsupported { what: &'static str } => "{what}: not supported";
    }
}

impl ProgramErrorKind {
    /// Returns the error at an absolute byte offset, in an instruction or declaration if it is
    /// known.
    #[cold]
    pub(crate) fn at(self, offset: usize, op: Option<Op>) -> Error {
        Error::Program(Box::new(ProgramError {
            offset,
            op,
            kind: self,
        }))
    }
}
