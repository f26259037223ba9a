//! Shader stages: their names and execution models, and the choice of an entry point.

use rspirv::spirv::ExecutionModel;
use trellis_dxil_frontend::shader::{EntryPoint, Shader, ShaderKind};

use crate::error::{EntryPointError, Error};

/// Whether a stage belongs to ray tracing pipelines.
pub(crate) fn is_ray_tracing(kind: ShaderKind) -> bool {
    matches!(
        kind,
        ShaderKind::RayGeneration
            | ShaderKind::Intersection
            | ShaderKind::AnyHit
            | ShaderKind::ClosestHit
            | ShaderKind::Miss
            | ShaderKind::Callable
    )
}

/// The execution model of a stage that has one here.
pub(crate) fn execution_model(kind: ShaderKind) -> Option<ExecutionModel> {
    match kind {
        ShaderKind::Pixel => Some(ExecutionModel::Fragment),
        ShaderKind::Vertex => Some(ExecutionModel::Vertex),
        ShaderKind::Geometry => Some(ExecutionModel::Geometry),
        ShaderKind::Hull => Some(ExecutionModel::TessellationControl),
        ShaderKind::Domain => Some(ExecutionModel::TessellationEvaluation),
        ShaderKind::Compute => Some(ExecutionModel::GLCompute),
        ShaderKind::RayGeneration => Some(ExecutionModel::RayGenerationKHR),
        ShaderKind::Intersection => Some(ExecutionModel::IntersectionKHR),
        ShaderKind::AnyHit => Some(ExecutionModel::AnyHitKHR),
        ShaderKind::ClosestHit => Some(ExecutionModel::ClosestHitKHR),
        ShaderKind::Miss => Some(ExecutionModel::MissKHR),
        ShaderKind::Callable => Some(ExecutionModel::CallableKHR),
        ShaderKind::Mesh => Some(ExecutionModel::MeshEXT),
        ShaderKind::Amplification => Some(ExecutionModel::TaskEXT),
        _ => None,
    }
}

/// A stage's name in words.
pub(crate) fn stage_name(kind: ShaderKind) -> &'static str {
    match kind {
        ShaderKind::Pixel => "pixel",
        ShaderKind::Vertex => "vertex",
        ShaderKind::Geometry => "geometry",
        ShaderKind::Hull => "hull",
        ShaderKind::Domain => "domain",
        ShaderKind::Compute => "compute",
        ShaderKind::Library => "library",
        ShaderKind::RayGeneration => "ray generation",
        ShaderKind::Intersection => "intersection",
        ShaderKind::AnyHit => "any hit",
        ShaderKind::ClosestHit => "closest hit",
        ShaderKind::Miss => "miss",
        ShaderKind::Callable => "callable",
        ShaderKind::Mesh => "mesh",
        ShaderKind::Amplification => "amplification",
        ShaderKind::Node => "work graph node",
    }
}

/// Returns the entry point named `wanted`, or the only one.
///
/// # Errors
/// There is no such entry point, or several and none is named.
pub(crate) fn choose<'a>(
    shader: &'a Shader,
    wanted: Option<&str>,
) -> Result<&'a EntryPoint, Error> {
    let available = || {
        let exports = shader.exports();
        let names = exports.into_iter().map(|(_, name)| name.to_owned());
        names.collect()
    };
    if let Some(name) = wanted {
        let missing = || EntryPointError::NotFound {
            name: name.to_owned(),
            available: available(),
        };
        return Ok(shader.shader_named(name).ok_or_else(missing)?);
    }
    let mut entries = shader.shaders();
    match (entries.next(), entries.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(EntryPointError::None.into()),
        (Some(_), Some(_)) => Err(EntryPointError::Ambiguous {
            available: available(),
        }
        .into()),
    }
}
