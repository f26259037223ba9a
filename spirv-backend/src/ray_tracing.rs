//! The stages of ray tracing pipelines, and what they have in common.
//!
//! | D3D | SPIR-V | where |
//! |---|---|---|
//! | payload, callable data, hit attributes | variables of storage classes of their own | `memory::ray_data` |
//! | `TraceRay`, `CallShader`, `ReportHit`, system values | `SPV_KHR_ray_tracing` | `ops::ray_tracing` |
//! | `IgnoreHit`, `AcceptHitAndEndSearch` | terminators | `lower` makes them ends of a lane, `emit::body` writes them |
//! | resources of a library | descriptors | `legalize::library` |
//!
//! Sources: the DirectX Raytracing functional specification, `SPV_KHR_ray_tracing`.

use trellis_dxil_frontend::dxop::{DxDeclarations, Op};
use trellis_dxil_frontend::module::{Function, InstId, InstKind, Module};
use trellis_dxil_frontend::shader::ShaderKind;

use crate::error::Error;
use crate::lower::Helper;

/// Whether a stage belongs to ray tracing pipelines.
pub(crate) fn is_stage(kind: ShaderKind) -> bool {
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

/// Calls of a function that end the lane, the first of each block: block, instruction, what
/// lowering makes of it; in the order of blocks.
pub(crate) fn ends(
    module: &Module,
    ops: &DxDeclarations,
    function: &Function,
) -> Result<Vec<(u32, u32, Helper)>, Error> {
    let mut found: Vec<(u32, u32, Helper)> = Vec::new();
    for (block, data) in (0u32..).zip(&function.blocks) {
        for at in data.start..data.end {
            if !matches!(function.insts[at as usize].kind, InstKind::Call { .. }) {
                continue;
            }
            let helper = match ops
                .parse(module, function, InstId::from_u32(at))?
                .map(|call| call.op)
            {
                Some(Op::IgnoreHit) => Helper::IgnoreHit,
                Some(Op::AcceptHitAndEndSearch) => Helper::AcceptHit,
                _ => continue,
            };
            found.push((block, at, helper));
            break;
        }
    }
    Ok(found)
}
