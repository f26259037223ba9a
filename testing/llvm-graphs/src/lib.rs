#![doc = include_str!("../README.md")]

pub mod campaign;
pub mod compare;
#[cfg(feature = "llvm")]
pub mod comparison;
pub mod device;
#[cfg(feature = "llvm")]
pub mod differential;
pub mod evaluate;
#[cfg(feature = "llvm")]
pub mod jit;
#[cfg(feature = "llvm")]
pub mod lower;
#[cfg(feature = "llvm")]
pub mod optimized;
#[cfg(feature = "llvm")]
pub mod passes;
pub mod program;
pub mod random;
#[cfg(feature = "llvm")]
pub mod read;
pub mod recovered;
pub mod shader;
pub mod shape;
pub mod source;
mod text;
