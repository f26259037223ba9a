//! The kind of an error, for reports.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Error;

/// The kind of an [`Error`](enum@Error). [`ErrorKind::name`] is stable and is also the serialized form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// [`Error::Read`]
    Read,
    /// [`Error::EntryPoint`]
    #[serde(rename = "no-entry")]
    EntryPoint,
    /// [`Error::Unsupported`]
    Unsupported,
    /// [`Error::Invalid`]
    Invalid,
    /// [`Error::Binding`]
    Binding,
    /// [`Error::StageIo`]
    StageIo,
    /// [`Error::Structurize`]
    Structurize,
    /// [`Error::Internal`]
    Internal,
    /// [`Error::Verify`]
    Verify,
    /// [`Error::Validate`]
    Validate,
    /// [`Error::NoValidator`]
    NoValidator,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Read,
        Self::EntryPoint,
        Self::Unsupported,
        Self::Invalid,
        Self::Binding,
        Self::StageIo,
        Self::Structurize,
        Self::Internal,
        Self::Verify,
        Self::Validate,
        Self::NoValidator,
    ];

    /// Returns its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::EntryPoint => "no-entry",
            Self::Unsupported => "unsupported",
            Self::Invalid => "invalid",
            Self::Binding => "binding",
            Self::StageIo => "stage-io",
            Self::Structurize => "structurize",
            Self::Internal => "internal",
            Self::Verify => "verify",
            Self::Validate => "validate",
            Self::NoValidator => "no-validator",
        }
    }

    /// Returns whether an error of this kind is a bug in Trellis, whatever the shader.
    pub fn is_bug(self) -> bool {
        matches!(
            self,
            Self::Structurize | Self::Internal | Self::Verify | Self::Validate
        )
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Error {
    /// Returns the kind.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Read(_) => ErrorKind::Read,
            Self::EntryPoint(_) => ErrorKind::EntryPoint,
            Self::Unsupported { .. } => ErrorKind::Unsupported,
            Self::Invalid { .. } => ErrorKind::Invalid,
            Self::Binding { .. } => ErrorKind::Binding,
            Self::StageIo { .. } => ErrorKind::StageIo,
            Self::Structurize { .. } => ErrorKind::Structurize,
            Self::Internal { .. } => ErrorKind::Internal,
            Self::Verify(_) => ErrorKind::Verify,
            Self::Validate { .. } => ErrorKind::Validate,
            Self::NoValidator => ErrorKind::NoValidator,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::error::{ErrorKind, InvalidKind};

    #[test]
    fn names_are_the_serialized_form() {
        for kind in ErrorKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        for kind in InvalidKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
    }
}
