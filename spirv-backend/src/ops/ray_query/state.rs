//! The state of a ray query: what each operation reads, and how SPIR-V reads it.

use rspirv::spirv::{Capability, Op, Word};
use trellis_dxil_frontend::dxop::{DxCall, RayQueryOp};

use super::{Query, index_below, load_state, matrix_type, query};
use crate::error::Error;
use crate::ops::State;
use crate::values::FunctionBuilder;

/// The kind of an operation of the family.
#[derive(Clone, Copy)]
pub(super) enum Action {
    /// Makes a query.
    Allocate,
    /// Changes the state of its query.
    Change(Change),
    /// Reads the state of its query.
    Read(Read),
    /// Is not supported.
    Unsupported,
}

/// A change of the state.
#[derive(Clone, Copy)]
pub(super) enum Change {
    TraceRayInline,
    Proceed,
    Abort,
    CommitTriangle,
    CommitProcedural,
}

/// A read of the state.
#[derive(Clone, Copy)]
pub(super) struct Read {
    of: Of,
    property: Property,
}

/// Whose state is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// The ray or the query as a whole; the instruction has no operand `Intersection`.
    Query,
    /// The candidate.
    Candidate,
    /// The committed hit.
    Committed,
}

impl Of {
    /// Returns SPIR-V's operand `Intersection`.
    fn intersection(self) -> Option<u32> {
        match self {
            Self::Query => None,
            Self::Candidate => Some(0),
            Self::Committed => Some(1),
        }
    }
}

/// A part of the state.
#[derive(Clone, Copy)]
enum Property {
    AabbOpaque,
    Barycentrics,
    ClusterId,
    FrontFace,
    GeometryIndex,
    InstanceId,
    InstanceIndex,
    ObjectRayDirection,
    ObjectRayOrigin,
    ObjectToWorld,
    PrimitiveIndex,
    RayFlags,
    RayTMin,
    RecordOffset,
    T,
    Type,
    WorldRayDirection,
    WorldRayOrigin,
    WorldToObject,
}

/// Type of what is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// `u32`.
    Number,
    /// `f32`.
    Float,
    /// Boolean.
    Flag,
    /// The opposite of a boolean.
    NotFlag,
    /// As many floats; the operation reads one of them.
    Vector(u32),
    /// Four columns of three floats; the operation reads one by row and column.
    Matrix,
}

impl Action {
    /// Returns what `op` does.
    pub(super) fn of(op: RayQueryOp) -> Self {
        use Of::{Candidate, Committed};
        use Property as P;
        use RayQueryOp as Q;
        let (of, property) = match op {
            Q::AllocateRayQuery | Q::AllocateRayQuery2 => return Self::Allocate,
            Q::RayQueryTraceRayInline => return Self::Change(Change::TraceRayInline),
            Q::RayQueryProceed => return Self::Change(Change::Proceed),
            Q::RayQueryAbort => return Self::Change(Change::Abort),
            Q::RayQueryCommitNonOpaqueTriangleHit => return Self::Change(Change::CommitTriangle),
            Q::RayQueryCommitProceduralPrimitiveHit => {
                return Self::Change(Change::CommitProcedural);
            }
            Q::RayQueryCandidateTriangleObjectPosition
            | Q::RayQueryCommittedTriangleObjectPosition => return Self::Unsupported,

            Q::RayQueryRayFlags => (Of::Query, P::RayFlags),
            Q::RayQueryRayTMin => (Of::Query, P::RayTMin),
            Q::RayQueryWorldRayOrigin => (Of::Query, P::WorldRayOrigin),
            Q::RayQueryWorldRayDirection => (Of::Query, P::WorldRayDirection),
            Q::RayQueryCandidateProceduralPrimitiveNonOpaque => (Of::Query, P::AabbOpaque),

            Q::RayQueryCandidateClusterID => (Candidate, P::ClusterId),
            Q::RayQueryCandidateType => (Candidate, P::Type),
            Q::RayQueryCandidateObjectToWorld3x4 => (Candidate, P::ObjectToWorld),
            Q::RayQueryCandidateWorldToObject3x4 => (Candidate, P::WorldToObject),
            Q::RayQueryCandidateTriangleFrontFace => (Candidate, P::FrontFace),
            Q::RayQueryCandidateTriangleBarycentrics => (Candidate, P::Barycentrics),
            Q::RayQueryCandidateTriangleRayT => (Candidate, P::T),
            Q::RayQueryCandidateInstanceIndex => (Candidate, P::InstanceIndex),
            Q::RayQueryCandidateInstanceID => (Candidate, P::InstanceId),
            Q::RayQueryCandidateGeometryIndex => (Candidate, P::GeometryIndex),
            Q::RayQueryCandidatePrimitiveIndex => (Candidate, P::PrimitiveIndex),
            Q::RayQueryCandidateObjectRayOrigin => (Candidate, P::ObjectRayOrigin),
            Q::RayQueryCandidateObjectRayDirection => (Candidate, P::ObjectRayDirection),
            Q::RayQueryCandidateInstanceContributionToHitGroupIndex => (Candidate, P::RecordOffset),

            Q::RayQueryCommittedClusterID => (Committed, P::ClusterId),
            Q::RayQueryCommittedStatus => (Committed, P::Type),
            Q::RayQueryCommittedObjectToWorld3x4 => (Committed, P::ObjectToWorld),
            Q::RayQueryCommittedWorldToObject3x4 => (Committed, P::WorldToObject),
            Q::RayQueryCommittedTriangleFrontFace => (Committed, P::FrontFace),
            Q::RayQueryCommittedTriangleBarycentrics => (Committed, P::Barycentrics),
            Q::RayQueryCommittedRayT => (Committed, P::T),
            Q::RayQueryCommittedInstanceIndex => (Committed, P::InstanceIndex),
            Q::RayQueryCommittedInstanceID => (Committed, P::InstanceId),
            Q::RayQueryCommittedGeometryIndex => (Committed, P::GeometryIndex),
            Q::RayQueryCommittedPrimitiveIndex => (Committed, P::PrimitiveIndex),
            Q::RayQueryCommittedObjectRayOrigin => (Committed, P::ObjectRayOrigin),
            Q::RayQueryCommittedObjectRayDirection => (Committed, P::ObjectRayDirection),
            Q::RayQueryCommittedInstanceContributionToHitGroupIndex => (Committed, P::RecordOffset),
        };
        Self::Read(Read { of, property })
    }
}

impl Property {
    /// Returns SPIR-V's instruction and the type of its result.
    fn instruction(self) -> (Op, Value) {
        use Value::{Flag, Float, Matrix, NotFlag, Number, Vector};
        match self {
            Self::AabbOpaque => (Op::RayQueryGetIntersectionCandidateAABBOpaqueKHR, NotFlag),
            Self::Barycentrics => (Op::RayQueryGetIntersectionBarycentricsKHR, Vector(2)),
            Self::ClusterId => (Op::RayQueryGetIntersectionClusterIdNV, Number),
            Self::FrontFace => (Op::RayQueryGetIntersectionFrontFaceKHR, Flag),
            Self::GeometryIndex => (Op::RayQueryGetIntersectionGeometryIndexKHR, Number),
            Self::InstanceId => (Op::RayQueryGetIntersectionInstanceCustomIndexKHR, Number),
            Self::InstanceIndex => (Op::RayQueryGetIntersectionInstanceIdKHR, Number),
            Self::ObjectRayDirection => {
                (Op::RayQueryGetIntersectionObjectRayDirectionKHR, Vector(3))
            }
            Self::ObjectRayOrigin => (Op::RayQueryGetIntersectionObjectRayOriginKHR, Vector(3)),
            Self::ObjectToWorld => (Op::RayQueryGetIntersectionObjectToWorldKHR, Matrix),
            Self::PrimitiveIndex => (Op::RayQueryGetIntersectionPrimitiveIndexKHR, Number),
            Self::RayFlags => (Op::RayQueryGetRayFlagsKHR, Number),
            Self::RayTMin => (Op::RayQueryGetRayTMinKHR, Float),
            Self::RecordOffset => (
                Op::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR,
                Number,
            ),
            Self::T => (Op::RayQueryGetIntersectionTKHR, Float),
            Self::Type => (Op::RayQueryGetIntersectionTypeKHR, Number),
            Self::WorldRayDirection => (Op::RayQueryGetWorldRayDirectionKHR, Vector(3)),
            Self::WorldRayOrigin => (Op::RayQueryGetWorldRayOriginKHR, Vector(3)),
            Self::WorldToObject => (Op::RayQueryGetIntersectionWorldToObjectKHR, Matrix),
        }
    }
}

/// Emits a read of the state of a query.
pub(super) fn read(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
    read: Read,
) -> Result<(), Error> {
    let (op, value) = read.property.instruction();
    if op == Op::RayQueryGetIntersectionClusterIdNV {
        e.b.caps
            .add(Capability::RayTracingClusterAccelerationStructureNV);
    }
    let query = query(e, state, call)?;
    let ty = value_type(e, value);
    let whole = load_state(e, state, op, query.variable, read.of.intersection(), ty);
    let id = match value {
        Value::Float if matches!((read.of, read.property), (Of::Committed, Property::T)) => {
            committed_t(e, state, query, ty, whole)
        }
        Value::Number | Value::Float | Value::Flag => whole,
        Value::NotFlag => e.b.op(Op::LogicalNot, ty, &[whole]),
        Value::Vector(len) => {
            let component = index_below(e, call, 1, len)?;
            let float = e.b.ty_f32();
            e.b.extract(float, whole, component)
        }
        Value::Matrix => {
            let (row, column, float) = (
                index_below(e, call, 1, 3)?,
                index_below(e, call, 2, 4)?,
                e.b.ty_f32(),
            );
            e.b.op(Op::CompositeExtract, float, &[whole, column, row])
        }
    };
    e.set(call.inst, 0, id);
    Ok(())
}

/// Returns `t` if a hit is committed, else the ray's `TMax`: SPIR-V leaves `t` undefined there.
fn committed_t(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    query: Query,
    float: Word,
    t: Word,
) -> Word {
    let Some(t_max) = query.t_max else { return t };
    let number = e.b.ty_u32();
    let status = load_state(
        e,
        state,
        Op::RayQueryGetIntersectionTypeKHR,
        query.variable,
        Of::Committed.intersection(),
        number,
    );
    let hit = e.is_nonzero(status);
    let t_max = e.load(float, t_max);
    e.b.op(Op::Select, float, &[hit, t, t_max])
}

fn value_type(e: &mut FunctionBuilder<'_>, value: Value) -> Word {
    match value {
        Value::Number => e.b.ty_u32(),
        Value::Float => e.b.ty_f32(),
        Value::Flag | Value::NotFlag => e.b.ty_bool(),
        Value::Vector(len) => {
            let float = e.b.ty_f32();
            e.b.ty_vec(float, len)
        }
        Value::Matrix => matrix_type(e),
    }
}
