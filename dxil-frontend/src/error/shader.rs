//! Errors in a shader's metadata.

/// A failure to read the metadata that describes a shader.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("shader metadata: {place}: {kind}")]
#[non_exhaustive]
pub struct ShaderError {
    /// Node and field, such as `dx.entryPoints[0].signatures (!18)`.
    pub place: Box<str>,
    /// Kind of the error, with what was expected.
    pub kind: ShaderErrorKind,
}

/// Kind of an error in a shader's metadata.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShaderErrorKind {
    /// A required named node or field is missing.
    #[error("missing")]
    Missing,
    /// A node of another kind.
    #[error("expected {expected}")]
    Kind {
        /// Description of what was expected.
        expected: &'static str,
    },
    /// A tuple with too few operands.
    #[error("has {found} operands, expected {expected}")]
    Count {
        /// Operands there.
        found: usize,
        /// Description of what was expected.
        expected: &'static str,
    },
    /// A number that the field cannot have.
    #[error("is {found}, expected {expected}")]
    Value {
        /// The number that was found.
        found: u64,
        /// Description of what was expected.
        expected: &'static str,
    },
    /// A string that the field cannot have.
    #[error("is {found:?}, expected {expected}")]
    Text {
        /// The string.
        found: Box<str>,
        /// Description of what was expected.
        expected: &'static str,
    },
}
