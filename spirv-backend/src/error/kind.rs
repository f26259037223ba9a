//! The kind of an error, for reports.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Error;

/// Declares kinds with their stable names, which are also their serialized form.
macro_rules! kinds {
    ($(#[$meta:meta])* $name:ident { $( $(#[doc = $doc:literal])+ $variant:ident = $text:literal, )+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum $name {
            $( $(#[doc = $doc])+ #[serde(rename = $text)] $variant, )+
        }

        impl $name {
            /// All kinds.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];

            /// Returns its stable name.
            pub fn name(self) -> &'static str {
                match self {
                    $( Self::$variant => $text, )+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(super) use kinds;

kinds! {
    /// The kind of an [`Error`](enum@Error). [`ErrorKind::name`] is stable and is also the serialized form.
    ErrorKind {
        /// [`Error::Read`]
        Read = "read",
        /// [`Error::EntryPoint`]
        EntryPoint = "no-entry",
        /// [`Error::Unsupported`]
        Unsupported = "unsupported",
        /// [`Error::Invalid`]
        Invalid = "invalid",
        /// [`Error::Binding`]
        Binding = "binding",
        /// [`Error::StageIo`]
        StageIo = "stage-io",
        /// [`Error::Structurize`]
        Structurize = "structurize",
        /// [`Error::Internal`]
        Internal = "internal",
        /// [`Error::Verify`]
        Verify = "verify",
        /// [`Error::Validate`]
        Validate = "validate",
        /// [`Error::NoValidator`]
        NoValidator = "no-validator",
    }
}

impl ErrorKind {
    /// Returns whether an error of this kind is a bug in Trellis, whatever the shader.
    pub fn is_bug(self) -> bool {
        matches!(
            self,
            Self::Structurize | Self::Internal | Self::Verify | Self::Validate
        )
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
