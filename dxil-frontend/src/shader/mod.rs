//! Shader-level description of a DXIL module: model, entry points, resources, signatures,
//! properties.

mod annotations;
mod cursor;
mod library;
mod nodes;
mod properties;
mod read;
mod resources;
mod signatures;
mod stages;
mod types;
mod view_id;

pub use crate::error::{ShaderError, ShaderErrorKind};
pub use crate::kinds::{
    ComponentType, InterpolationMode, ResourceClass, ResourceKind, SamplerKind, SemanticKind,
    ShaderKind, Version,
};
pub use annotations::{FieldAnnotation, StructAnnotation, TypeAnnotations, view_id_state};
pub use library::source_name;
pub(crate) use library::{is_named, readable};
pub use nodes::{
    DispatchGrid, NodeId, NodeInput, NodeIoFlags, NodeOutput, NodeProperties, NodeRecord,
};
pub(crate) use read::resource_list;
pub use stages::{
    AmplificationProperties, DomainProperties, GeometryProperties, HullProperties, InputPrimitive,
    MeshProperties, MeshTopology, NodeLaunch, PrimitiveTopology, TessellatorDomain,
    TessellatorOutputPrimitive, TessellatorPartitioning, WaveSize,
};
pub use types::*;
pub use view_id::{Dependence, ViewIdState};
