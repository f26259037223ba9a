//! Code that several tests share.
#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod costs;
pub(crate) mod normal;
pub(crate) mod switch_loop;
