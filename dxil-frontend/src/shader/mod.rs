//! What a DXIL module says about itself as a shader: model, entry points, resources, signatures,
//! properties.

mod annotations;
mod cursor;
mod error;
mod library;
mod properties;
mod read;
pub(crate) use read::resource_list;
mod resources;
mod signatures;
mod types;
mod view_id;

pub use annotations::{
    FieldAnnotation, FunctionAnnotation, ParameterAnnotation, StructAnnotation, TypeAnnotations,
    view_id_state,
};
pub use error::{ShaderError, ShaderErrorKind};
pub use library::source_name;
pub use types::*;
pub use view_id::{Dependence, ViewIdState};
