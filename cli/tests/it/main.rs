//! The tests of the command line, one module each. They are one program, so that the libraries are linked
//! once for them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(unix)]
mod action;
#[cfg(unix)]
mod book;
#[cfg(unix)]
mod cli;
#[cfg(target_os = "linux")]
mod full_disk;
#[cfg(unix)]
mod isolation;
#[cfg(unix)]
mod kill;
mod serve;
#[cfg(unix)]
mod support;
