//! Reads DXIL, the form in which Direct3D 12 shaders are compiled: LLVM 3.7 bitcode in a DXBC
//! container.
//!
//! [`read`] takes the bytes of a container, or bitcode alone, and returns an [`Input`]:
//!
//! - [`module::Module`], the LLVM module: types, constants, functions, instructions;
//! - [`shader::Shader`], the shader-level description from its metadata: stage, entry points,
//!   signatures, resources, properties.
//!
//! The layers below are public too: [`container`] splits a file into its parts, [`bitstream`]
//! decodes LLVM's bit-level container, [`bitcode`] reads a module from it. [`dxop`] has the table
//! of DXIL operations and reads their calls; [`debug_info`] decodes debug information; [`disasm`]
//! writes the listing that `dxc -dumpbin` prints.
//!
//! Every count from the file is checked before it allocates ([`limits`]), nothing recurses over the
//! input's depth, and no input panics: a bad file is an [`Error`] with the offset in bytes, or the
//! function and instruction, and the expected input. The reader does not validate that a shader
//! obeys D3D's rules, only the properties that consumers of a [`module::Module`] rely on.
//!
//! # Examples
//!
//! ```
//! use trellis_dxil_frontend::dxop::DxCall;
//! use trellis_dxil_frontend::module::InstId;
//!
//! let bytes = include_bytes!("../tests/data/compute.dxil");
//! let input = trellis_dxil_frontend::read(bytes)?;
//! let entry = &input.shader.entry_points[0];
//! println!("{:?} shader {}, {:?} threads", entry.kind, entry.name, entry.properties.num_threads);
//!
//! // The DXIL operations that the entry point calls.
//! let function = input.module.function(entry.function.expect("a compute shader has a function"));
//! let mut operations = Vec::new();
//! for inst in function.insts.keys() {
//!     if let Some(call) = DxCall::parse(&input.module, function, inst)? {
//!         operations.push(call.op.name());
//!     }
//! }
//! assert!(operations.contains(&"ThreadId"), "{operations:?}");
//! # Ok::<(), trellis_dxil_frontend::Error>(())
//! ```

pub mod bitcode;
pub mod bitstream;
pub mod container;
pub mod debug_info;
pub mod disasm;
pub mod dxop;
pub mod error;
pub mod limits;
pub mod metadata;
pub mod module;
pub mod shader;

pub use error::Error;

mod ids;
mod input;
mod kinds;
mod link;

pub use input::{Input, is_dxil, names_from_stat, read, read_with_debug_info, wrong_sizes};
pub use link::{Export, Library, link};
