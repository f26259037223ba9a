//! Why no entry point could be chosen.

use std::fmt;

/// Why no entry point of a module could be chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EntryPointError {
    /// The module has no entry point.
    None,
    /// The module has no entry point of the requested name, or several with this name in the
    /// source.
    NotFound {
        /// The requested name.
        name: String,
        /// The names of the existing entry points.
        available: Vec<String>,
    },
    /// The module has several entry points, and none was requested.
    Ambiguous {
        /// Their names.
        available: Vec<String>,
    },
    /// The module has fewer entry points than the requested index.
    Index {
        /// The requested index, from 0.
        index: usize,
        /// Number of entry points of the module.
        count: usize,
    },
}

impl std::error::Error for EntryPointError {}

impl fmt::Display for EntryPointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("the module has no entry point"),
            Self::NotFound { name, available } => {
                write!(f, "no entry point `{name}`; the module has: ")?;
                list(f, available)
            }
            Self::Ambiguous { available } => {
                f.write_str("the module has several entry points: choose one of ")?;
                list(f, available)
            }
            Self::Index { index, count } => {
                write!(f, "no entry point number {index}; the module has {count}")
            }
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
    if names.is_empty() {
        return f.write_str("none");
    }
    for (index, name) in names.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        write!(f, "{separator}`{name}`")?;
    }
    Ok(())
}
