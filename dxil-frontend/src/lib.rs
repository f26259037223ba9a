//! Reads DXIL: DXBC containers, LLVM 3.7 bitcode, shader metadata. See `ARCHITECTURE.md`.
pub mod bitcode;
pub mod bitstream;
pub mod container;
pub mod disasm;
pub mod dxop;
pub mod error;
pub mod fuzzing;
pub mod limits;
pub mod metadata;
pub mod module;
pub mod shader;

pub use error::Error;

mod input;

pub use input::{Input, names_from_stat, read, read_with_debug_info};
