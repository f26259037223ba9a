//! Reads DXBC, the form in which Direct3D 10 and 11 shaders are compiled: a token stream of shader
//! model 4.0 to 5.1 (`SHDR` or `SHEX`) in a DXBC container.
//!
//! [`read`] takes a shader of either kind and returns an [`Input`](trellis_dxil_frontend::Input): it
//! translates token streams to the module and the description that DXIL has, so that no consumer needs
//! to know where a shader came from.
//!
//! [`tokens::Program`] is the decoded stream: instructions, operands and declarations.
//! [`build::Builder`] builds the module that it is translated to.
//!
//! Every count from the file is checked before it allocates ([`limits`]), nothing recurses over the
//! input's depth, and no input panics: a bad file is an [`Error`] with the offset in bytes and the
//! expected input.

pub mod build;
mod definitions;
mod disasm;
pub mod error;
mod input;
pub mod limits;
pub mod tokens;
mod translate;

pub use definitions::{Definitions, definitions};
pub use error::Error;
pub use input::{
    Place, disassemble, disassemble_with_places, read, read_with_debug_info, shader_model,
};
