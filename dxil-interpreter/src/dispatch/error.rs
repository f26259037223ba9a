//! Errors in a dispatch file.

use super::{MAX_BYTES, MAX_TOTAL, Place};

/// An error in a dispatch file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DispatchError {
    /// It is not JSON, or not of this form.
    #[error("not a dispatch file: {0}")]
    Json(String),
    /// Contents are longer than the resource.
    #[error("{found} bytes of data in a resource of {size} bytes")]
    TooLong {
        /// Bytes of the contents.
        found: u64,
        /// Bytes of the resource.
        size: u64,
    },
    /// A resource is larger than [`MAX_BYTES`].
    #[error("a resource of {bytes} bytes, at most {MAX_BYTES} are allowed")]
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// All resources together are larger than [`MAX_TOTAL`].
    #[error("resources of {bytes} bytes, at most {MAX_TOTAL} are allowed")]
    TooMuch {
        /// Their size.
        bytes: u64,
    },
    /// `fill` or `iota` where nothing ends it.
    #[error(
        "fill and iota need a resource with a size, a pattern that is not empty, and the last place in a list"
    )]
    Endless,
    /// `fill`, `iota` or `list` inside `fill`, or `list` inside `list`.
    #[error("fill takes plain numbers, and lists do not nest")]
    Nested,
    /// Malformed hexadecimal digits.
    #[error("hex takes pairs of hexadecimal digits")]
    Hex,
    /// A binding lacks what its kind needs, or has what its kind does not take.
    #[error("{place}: {what}")]
    Binding {
        /// The binding.
        place: Place,
        /// Description of the error.
        what: &'static str,
    },
    /// Two bindings are at the same place.
    #[error("{place} is bound twice")]
    Twice {
        /// The place.
        place: Place,
    },
}
