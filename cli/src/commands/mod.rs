//! The commands, one file per command.

pub(crate) mod batch;
pub(crate) mod batch_worker;
pub(crate) mod cfg;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod explain;
pub(crate) mod inspect;
pub(crate) mod man;
pub(crate) mod minimize;
pub(crate) mod options;
pub(crate) mod reduce;
pub(crate) mod restructure;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod stat;
pub(crate) mod structurize;
pub(crate) mod tree;
pub(crate) mod try_shaders;
pub(crate) mod validate;
