//! What several tests share.
#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod switch_loop;
