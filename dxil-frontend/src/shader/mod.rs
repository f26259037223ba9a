//! What a DXIL module says about itself as a shader: model, entry points, resources, signatures, properties.

mod types;

pub use types::*;
