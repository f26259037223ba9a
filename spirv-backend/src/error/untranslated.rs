//! The operations of DXIL that have no translation in any shader, and the SPIR-V features that each
//! would need.
//!
//! The functions of `ops` refuse them where they are called; this table is only read for the error's
//! text and for the list of tests (`corpus/coverage.txt`). `tests/it/untranslated.rs` calls each, so that both agree.

use trellis_dxil_frontend::dxop::{
    DebugOp, FamilyOp, HitObjectOp, LinAlgOp, Op, RayQueryOp, RayTracingOp, SystemOp,
};

/// Why an operation has no translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Untranslated {
    /// The SPIR-V extension that a translation would need, if there is one.
    pub extension: Option<&'static str>,
    /// The reason.
    pub reason: &'static str,
}

const POSITION_FETCH: &str = "SPV_KHR_ray_tracing_position_fetch";
const MATRIX: &str = "SPV_KHR_cooperative_matrix";
const VECTOR: &str = "SPV_NV_cooperative_vector";

/// The reason for operations of models after 6.9.
const PREVIEW: &str = "a preview of shader model 6.10";

fn needs(extension: &'static str, reason: &'static str) -> Untranslated {
    Untranslated {
        extension: Some(extension),
        reason,
    }
}

fn none(reason: &'static str) -> Untranslated {
    Untranslated {
        extension: None,
        reason,
    }
}

/// Returns why `op` has no translation, whatever shader it is in; `None` if it has one, or if its
/// number is reserved, so that no module has it.
pub fn untranslated(op: Op) -> Option<Untranslated> {
    Some(match op.classify() {
        FamilyOp::Register(_) => none(
            "a register that a converter of older shaders removes before its shader is finished",
        ),
        FamilyOp::Debug(DebugOp::DebugBreak) => needs("NonSemantic.DebugBreak", PREVIEW),
        FamilyOp::Debug(DebugOp::ExperimentalNop) => none(PREVIEW),
        FamilyOp::Debug(DebugOp::IsDebuggingEnabled) => none("SPIR-V has no test for a debugger"),
        FamilyOp::System(SystemOp::GetGroupWaveIndex | SystemOp::GetGroupWaveCount) => {
            none(PREVIEW)
        }
        FamilyOp::RayTracing(RayTracingOp::TriangleObjectPosition)
        | FamilyOp::RayQuery(
            RayQueryOp::RayQueryCandidateTriangleObjectPosition
            | RayQueryOp::RayQueryCommittedTriangleObjectPosition,
        )
        | FamilyOp::HitObject(HitObjectOp::HitObjectTriangleObjectPosition) => {
            needs(POSITION_FETCH, PREVIEW)
        }
        FamilyOp::HitObject(HitObjectOp::HitObjectFromRayQueryWithAttrs) => {
            none("SPV_EXT_shader_invocation_reorder records a ray query without a hit kind")
        }
        FamilyOp::LinAlg(op) => match op {
            LinAlgOp::LinAlgMatVecMul
            | LinAlgOp::LinAlgMatVecMulAdd
            | LinAlgOp::LinAlgMatrixOuterProduct
            | LinAlgOp::LinAlgConvert
            | LinAlgOp::LinAlgVectorAccumulateToDescriptor => needs(VECTOR, PREVIEW),
            _ => needs(MATRIX, PREVIEW),
        },
        _ => return None,
    })
}
