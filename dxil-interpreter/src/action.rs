//! Execution of each `dx.op` operation: the interpreter's dispatch, decided once when a shader is
//! decoded.
//!
//! The matches are exhaustive over the families of the front end's table and over the operations of
//! each, so a new operation does not compile until it is given an action or is rejected by name.

use trellis_dxil_frontend::dxop::{
    AtomicOp, BitOp, BufferOp, CBufferOp, ConvertOp, DerivativeOp, FamilyOp, GatherOp, GeometryOp,
    MathOp, MeshOp, NodeOp, PackedOp, QuadOp, RayQueryOp, SampleOp, SamplerFeedbackOp, SignatureOp,
    SystemOp, TerminationOp, TextureOp, WaveOp,
};
use trellis_dxil_frontend::shader::SemanticKind;

/// Execution of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// For each lane by itself, from its operands alone.
    Pure(Pure),
    /// A number of the thread.
    Thread(ThreadNumber),
    /// For all lanes that run together: they exchange data.
    Wave(Exchange),
    /// For each lane by itself, on a resource.
    Resource(ResourceOp),
    /// For all lanes that run together, on a texture: their coordinates give the level of detail.
    Sample(SampleOp),
    /// For each lane by itself, on a texture.
    Gather(GatherOp),
    /// As [`Sample`](Self::Sample), but into a map.
    Feedback(SamplerFeedbackOp),
    /// For each lane by itself, or once for the group: on records of a work graph.
    Node(NodeOp),
    /// For each lane by itself, on a ray query.
    RayQuery(RayQueryOp),
    /// For each lane by itself, on inputs, outputs and state of a stage of the graphics pipeline.
    Stage(StageOp),
}

/// An operation of the stages of the graphics pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StageOp {
    /// Of a signature. Its first operand is the position of the element there.
    Signature(SignatureOp),
    Geometry(GeometryOp),
    /// Of an amplification or mesh shader. A store's first operand is the position of the element in
    /// its signature.
    Mesh(MeshOp),
    /// A value that the pipeline gives.
    System(SemanticKind),
    /// `RenderTargetGetSampleCount`.
    SampleCount,
    /// `RenderTargetGetSamplePosition`.
    SamplePosition,
    /// The lane becomes a helper lane.
    Discard,
    IsHelperLane,
}

/// An operation on the operands of one lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pure {
    Math(MathOp),
    Bit(BitOp),
    Packed(PackedOp),
    Convert(ConvertOp),
    /// `CheckAccessFullyMapped`.
    IsMapped,
}

/// A number that D3D gives a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThreadNumber {
    /// `SV_DispatchThreadID`.
    InDispatch,
    /// `SV_GroupID`.
    Group,
    /// `SV_GroupThreadID`.
    InGroup,
    /// `SV_GroupIndex`.
    FlatInGroup,
}

/// An operation in which lanes exchange data, or query their number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exchange {
    Wave(WaveOp),
    Quad(QuadOp),
    Derivative(DerivativeOp),
    /// `WaveGetLaneIndex`.
    LaneIndex,
    /// `WaveGetLaneCount`.
    LaneCount,
}

/// An operation on a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResourceOp {
    CBufferLoad,
    CBufferLoadRow,
    BufferLoad,
    BufferStore,
    UpdateCounter,
    Dimensions,
    Atomic,
    CompareExchange,
    TextureLoad,
    TextureStore,
    TextureStoreSample,
    SamplePosition,
}

impl ResourceOp {
    /// Returns whether an operation changes a resource.
    pub(crate) fn writes(self) -> bool {
        matches!(
            self,
            Self::BufferStore
                | Self::UpdateCounter
                | Self::Atomic
                | Self::CompareExchange
                | Self::TextureStore
                | Self::TextureStoreSample
        )
    }
}

impl Action {
    /// Returns how `op` is run; `None` if the interpreter does not support it. Handles and barriers
    /// have no action, because the decoder makes instructions and block ends of them.
    pub(crate) fn of(op: FamilyOp) -> Option<Self> {
        Some(match op {
            FamilyOp::Math(op) => Self::Pure(Pure::Math(op)),
            FamilyOp::Bit(op) => Self::Pure(Pure::Bit(op)),
            FamilyOp::Packed(op) => Self::Pure(Pure::Packed(op)),
            FamilyOp::Convert(op) => Self::Pure(Pure::Convert(op)),
            FamilyOp::Wave(op) => Self::Wave(Exchange::Wave(op)),
            FamilyOp::Quad(op) => Self::Wave(Exchange::Quad(op)),
            FamilyOp::Derivative(op) => Self::Wave(Exchange::Derivative(op)),
            FamilyOp::System(op) => return system(op),
            FamilyOp::CBuffer(CBufferOp::CBufferLoad) => Self::Resource(ResourceOp::CBufferLoad),
            FamilyOp::CBuffer(CBufferOp::CBufferLoadLegacy) => {
                Self::Resource(ResourceOp::CBufferLoadRow)
            }
            FamilyOp::Buffer(op) => return buffer(op),
            FamilyOp::Texture(op) => texture(op),
            FamilyOp::Sample(op) => Self::Sample(op),
            FamilyOp::Gather(op) => Self::Gather(op),
            FamilyOp::SamplerFeedback(op) => Self::Feedback(op),
            FamilyOp::RayQuery(op) => Self::RayQuery(op),
            FamilyOp::Node(op) => Self::Node(op),
            FamilyOp::Atomic(AtomicOp::AtomicBinOp) => Self::Resource(ResourceOp::Atomic),
            FamilyOp::Atomic(AtomicOp::AtomicCompareExchange) => {
                Self::Resource(ResourceOp::CompareExchange)
            }
            FamilyOp::Handle(_) | FamilyOp::Barrier(_) => return None,
            // Of ray tracing pipelines.
            FamilyOp::HitObject(_) | FamilyOp::RayTracing(_) => return None,
            FamilyOp::Geometry(op) => Self::Stage(StageOp::Geometry(op)),
            FamilyOp::Mesh(op) => Self::Stage(StageOp::Mesh(op)),
            FamilyOp::Signature(op) => Self::Stage(StageOp::Signature(op)),
            FamilyOp::Termination(TerminationOp::Discard) => Self::Stage(StageOp::Discard),
            FamilyOp::Termination(
                TerminationOp::IgnoreHit | TerminationOp::AcceptHitAndEndSearch,
            ) => return None,
            // Not supported.
            FamilyOp::Debug(_)
            | FamilyOp::LinAlg(_)
            | FamilyOp::Register(_)
            | FamilyOp::Reserved => return None,
            // The decoder makes operations on components of them.
            FamilyOp::Vector(_) => return None,
        })
    }
}

fn system(op: SystemOp) -> Option<Action> {
    let value = |kind| Action::Stage(StageOp::System(kind));
    Some(match op {
        SystemOp::ThreadId => Action::Thread(ThreadNumber::InDispatch),
        SystemOp::GroupId => Action::Thread(ThreadNumber::Group),
        SystemOp::ThreadIdInGroup => Action::Thread(ThreadNumber::InGroup),
        SystemOp::FlattenedThreadIdInGroup => Action::Thread(ThreadNumber::FlatInGroup),
        SystemOp::WaveGetLaneIndex => Action::Wave(Exchange::LaneIndex),
        SystemOp::WaveGetLaneCount => Action::Wave(Exchange::LaneCount),
        SystemOp::IsHelperLane => Action::Stage(StageOp::IsHelperLane),
        SystemOp::RenderTargetGetSampleCount => Action::Stage(StageOp::SampleCount),
        SystemOp::RenderTargetGetSamplePosition => Action::Stage(StageOp::SamplePosition),
        // The result would depend on the machine.
        SystemOp::CycleCounterLegacy => return None,
        SystemOp::GetGroupWaveIndex | SystemOp::GetGroupWaveCount => return None,
        SystemOp::Coverage => value(SemanticKind::Coverage),
        SystemOp::DomainLocation => value(SemanticKind::DomainLocation),
        SystemOp::GSInstanceID => value(SemanticKind::GSInstanceID),
        SystemOp::InnerCoverage => value(SemanticKind::InnerCoverage),
        SystemOp::OutputControlPointID => value(SemanticKind::OutputControlPointID),
        SystemOp::PrimitiveID => value(SemanticKind::PrimitiveID),
        SystemOp::SampleIndex => value(SemanticKind::SampleIndex),
        SystemOp::StartInstanceLocation => value(SemanticKind::StartInstanceLocation),
        SystemOp::StartVertexLocation => value(SemanticKind::StartVertexLocation),
        SystemOp::ViewID => value(SemanticKind::ViewID),
    })
}

fn buffer(op: BufferOp) -> Option<Action> {
    Some(Action::Resource(match op {
        BufferOp::BufferLoad | BufferOp::RawBufferLoad => ResourceOp::BufferLoad,
        BufferOp::BufferStore | BufferOp::RawBufferStore => ResourceOp::BufferStore,
        BufferOp::BufferUpdateCounter => ResourceOp::UpdateCounter,
        // The decoder makes accesses to up to four components of them.
        BufferOp::RawBufferVectorLoad | BufferOp::RawBufferVectorStore => return None,
    }))
}

fn texture(op: TextureOp) -> Action {
    Action::Resource(match op {
        TextureOp::TextureLoad => ResourceOp::TextureLoad,
        TextureOp::TextureStore => ResourceOp::TextureStore,
        TextureOp::TextureStoreSample => ResourceOp::TextureStoreSample,
        TextureOp::GetDimensions => ResourceOp::Dimensions,
        TextureOp::Texture2DMSGetSamplePosition => ResourceOp::SamplePosition,
        TextureOp::CheckAccessFullyMapped => return Action::Pure(Pure::IsMapped),
    })
}
