//! The commands, a file each.

pub(crate) mod batch;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod inspect;
pub(crate) mod run;
pub(crate) mod structurize;
