//! Shader stages: their names and execution models.

use rspirv::spirv::ExecutionModel;
use trellis_dxil_frontend::shader::ShaderKind;

/// Returns whether a stage belongs to ray tracing pipelines.
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

/// Returns whether a stage has thread groups with groupshared memory.
pub(crate) fn has_groupshared(kind: ShaderKind) -> bool {
    matches!(
        kind,
        ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification | ShaderKind::Node
    )
}

/// Returns the execution model of a stage that has one here.
pub(crate) fn execution_model(kind: ShaderKind) -> Option<ExecutionModel> {
    match kind {
        ShaderKind::Pixel => Some(ExecutionModel::Fragment),
        ShaderKind::Vertex => Some(ExecutionModel::Vertex),
        ShaderKind::Geometry => Some(ExecutionModel::Geometry),
        ShaderKind::Hull => Some(ExecutionModel::TessellationControl),
        ShaderKind::Domain => Some(ExecutionModel::TessellationEvaluation),
        // A node is a compute shader with a special dispatcher.
        ShaderKind::Compute | ShaderKind::Node => Some(ExecutionModel::GLCompute),
        ShaderKind::RayGeneration => Some(ExecutionModel::RayGenerationKHR),
        ShaderKind::Intersection => Some(ExecutionModel::IntersectionKHR),
        ShaderKind::AnyHit => Some(ExecutionModel::AnyHitKHR),
        ShaderKind::ClosestHit => Some(ExecutionModel::ClosestHitKHR),
        ShaderKind::Miss => Some(ExecutionModel::MissKHR),
        ShaderKind::Callable => Some(ExecutionModel::CallableKHR),
        ShaderKind::Mesh => Some(ExecutionModel::MeshEXT),
        ShaderKind::Amplification => Some(ExecutionModel::TaskEXT),
        ShaderKind::Library => None,
    }
}
