//! Errors in a shader's metadata.

/// A failure to read the metadata that describes a shader.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("shader metadata: {place}: {kind}")]
#[non_exhaustive]
pub struct ShaderError {
    /// Node and field, such as `dx.entryPoints[0].signatures (!18)`.
    pub place: Box<str>,
    /// Kind of the error, with the expected value.
    pub kind: ShaderErrorKind,
}

described! {
    /// Kind of an error in a shader's metadata.
    ShaderErrorKind {
        /// A required named node or field is missing.
        Missing => "missing";
        /// A node of another kind.
        Kind { expected: &'static str } => "expected {expected}";
        /// A tuple with too few operands.
        Count { found: usize, expected: &'static str } =>
            "has {found} operands, expected {expected}";
        /// A number that the field cannot have.
        Value { found: u64, expected: &'static str } => "is {found}, expected {expected}";
        /// A string that the field cannot have.
        Text { found: Box<str>, expected: &'static str } => "is {found:?}, expected {expected}";
    }
}
