//! What a DXIL module says about itself as a shader: model, entry points, resources, signatures, properties.

mod cursor;
mod error;
mod properties;
mod read;
mod resources;
mod signatures;
mod types;

pub use error::{ShaderError, ShaderErrorKind};
pub use types::*;
