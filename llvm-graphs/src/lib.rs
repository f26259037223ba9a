#![doc = include_str!("../README.md")]

pub mod compare;
pub mod device;
#[cfg(feature = "llvm")]
pub mod differential;
pub mod evaluate;
#[cfg(feature = "llvm")]
pub mod jit;
#[cfg(feature = "llvm")]
pub mod lower;
#[cfg(feature = "llvm")]
pub mod passes;
pub mod program;
pub mod random;
#[cfg(feature = "llvm")]
pub mod read;
pub mod shader;
