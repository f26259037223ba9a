//! What a DXIL module says about itself as a shader: model, entry points, resources, signatures, properties.

mod error;
mod types;

pub use error::{ShaderError, ShaderErrorKind};
pub use types::*;
