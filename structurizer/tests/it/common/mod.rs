//! Code that several tests share.

pub(crate) mod costs;
pub(crate) mod switch_loop;
