//! The state of a ray query: the part that each operation reads, and how SPIR-V reads it.

use rspirv::spirv::Op;
use trellis_dxil_frontend::dxop::{self, RayQueryOp};

use crate::ops::ray::Form;

/// The kind of an operation of the family.
#[derive(Clone, Copy)]
pub(super) enum Action {
    /// Makes a query.
    Allocate,
    /// Changes the state of its query, by an instruction.
    Change(Op),
    /// Reads the state of its query.
    Read(Read),
    /// Is not supported.
    Unsupported,
}

/// A read of the state: the instruction and the form of its result.
pub(super) type Read = (Op, Form);

impl Action {
    /// Returns the effect of `op`.
    pub(super) fn of(op: RayQueryOp) -> Self {
        use Form::{Flag, Float, Floats, Matrix, Number};
        use RayQueryOp as Q;
        Self::Read(match op {
            Q::AllocateRayQuery | Q::AllocateRayQuery2 => return Self::Allocate,
            Q::RayQueryTraceRayInline => return Self::Change(Op::RayQueryInitializeKHR),
            Q::RayQueryProceed => return Self::Change(Op::RayQueryProceedKHR),
            Q::RayQueryAbort => return Self::Change(Op::RayQueryTerminateKHR),
            Q::RayQueryCommitNonOpaqueTriangleHit => {
                return Self::Change(Op::RayQueryConfirmIntersectionKHR);
            }
            Q::RayQueryCommitProceduralPrimitiveHit => {
                return Self::Change(Op::RayQueryGenerateIntersectionKHR);
            }
            Q::RayQueryCandidateTriangleObjectPosition
            | Q::RayQueryCommittedTriangleObjectPosition => return Self::Unsupported,

            Q::RayQueryRayFlags => (Op::RayQueryGetRayFlagsKHR, Number),
            Q::RayQueryRayTMin => (Op::RayQueryGetRayTMinKHR, Float),
            Q::RayQueryWorldRayOrigin => (Op::RayQueryGetWorldRayOriginKHR, Floats(3)),
            Q::RayQueryWorldRayDirection => (Op::RayQueryGetWorldRayDirectionKHR, Floats(3)),
            Q::RayQueryCandidateProceduralPrimitiveNonOpaque => {
                (Op::RayQueryGetIntersectionCandidateAABBOpaqueKHR, Flag)
            }

            Q::RayQueryCandidateClusterID | Q::RayQueryCommittedClusterID => {
                (Op::RayQueryGetIntersectionClusterIdNV, Number)
            }
            Q::RayQueryCandidateType | Q::RayQueryCommittedStatus => {
                (Op::RayQueryGetIntersectionTypeKHR, Number)
            }
            Q::RayQueryCandidateObjectToWorld3x4 | Q::RayQueryCommittedObjectToWorld3x4 => {
                (Op::RayQueryGetIntersectionObjectToWorldKHR, Matrix)
            }
            Q::RayQueryCandidateWorldToObject3x4 | Q::RayQueryCommittedWorldToObject3x4 => {
                (Op::RayQueryGetIntersectionWorldToObjectKHR, Matrix)
            }
            Q::RayQueryCandidateTriangleFrontFace | Q::RayQueryCommittedTriangleFrontFace => {
                (Op::RayQueryGetIntersectionFrontFaceKHR, Flag)
            }
            Q::RayQueryCandidateTriangleBarycentrics | Q::RayQueryCommittedTriangleBarycentrics => {
                (Op::RayQueryGetIntersectionBarycentricsKHR, Floats(2))
            }
            Q::RayQueryCandidateTriangleRayT | Q::RayQueryCommittedRayT => {
                (Op::RayQueryGetIntersectionTKHR, Float)
            }
            Q::RayQueryCandidateInstanceIndex | Q::RayQueryCommittedInstanceIndex => {
                (Op::RayQueryGetIntersectionInstanceIdKHR, Number)
            }
            Q::RayQueryCandidateInstanceID | Q::RayQueryCommittedInstanceID => {
                (Op::RayQueryGetIntersectionInstanceCustomIndexKHR, Number)
            }
            Q::RayQueryCandidateGeometryIndex | Q::RayQueryCommittedGeometryIndex => {
                (Op::RayQueryGetIntersectionGeometryIndexKHR, Number)
            }
            Q::RayQueryCandidatePrimitiveIndex | Q::RayQueryCommittedPrimitiveIndex => {
                (Op::RayQueryGetIntersectionPrimitiveIndexKHR, Number)
            }
            Q::RayQueryCandidateObjectRayOrigin | Q::RayQueryCommittedObjectRayOrigin => {
                (Op::RayQueryGetIntersectionObjectRayOriginKHR, Floats(3))
            }
            Q::RayQueryCandidateObjectRayDirection | Q::RayQueryCommittedObjectRayDirection => {
                (Op::RayQueryGetIntersectionObjectRayDirectionKHR, Floats(3))
            }
            Q::RayQueryCandidateInstanceContributionToHitGroupIndex
            | Q::RayQueryCommittedInstanceContributionToHitGroupIndex => {
                let op = Op::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR;
                (op, Number)
            }
        })
    }
}

/// SPIR-V's operand `Intersection` for the committed hit.
pub(super) const COMMITTED: Option<u32> = Some(1);

/// Returns SPIR-V's operand `Intersection` of an operation that reads the state of the candidate or
/// of the committed hit; the others read the state of the ray or of the query as a whole.
pub(super) fn intersection(op: dxop::Op) -> Option<u32> {
    let of = |start: &str| op.name().starts_with(start);
    match op {
        dxop::Op::RayQueryCandidateProceduralPrimitiveNonOpaque => None,
        _ if of("RayQuery_Candidate") => Some(0),
        _ => COMMITTED.filter(|_| of("RayQuery_Committed")),
    }
}
