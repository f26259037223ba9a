//! Trellis behind the C interface of dxil-spirv (API 2.68), for programs that are linked with that
//! library: the layers that run Direct3D 12 on Vulkan, and its command line.
//!
//! The functions have the reference's names, types and meaning; [`abi`] has the types. The README
//! lists the differences, and the options that are accepted without effect.
//!
//! * A call that is wrong (a null pointer, a number that is not defined, a handle that was freed)
//!   returns an error and writes a line to the thread's log callback. So does a panic, which would be a
//!   bug.
//! * Objects are independent of each other; there is no global state but each thread's log callback,
//!   and the library for comparison, which is loaded once.
//! * For comparison, programs of shader models 4 and 5 are passed to another library with this interface,
//!   if the environment variable `TRELLIS_DXBC_LIBRARY` names one.

// An interface for C cannot be written without unsafe code; each block states why it is sound.
#![allow(
    unsafe_code,
    reason = "an interface for C cannot be written without it; each block says why it is sound"
)]

pub mod abi;
pub mod api;
pub mod settings;

mod blob;
mod converter;
mod facts;
mod failure;
mod foreign;
mod local_root;
mod log;
mod nodes;
mod rdat;
mod remap;
mod stage;
