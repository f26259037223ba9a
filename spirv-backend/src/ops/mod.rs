//! DXIL operations → SPIR-V instructions, a file a family.
//!
//! [`emit_dxop`] sends a `dx.op` call to its family, [`llvm::emit`] an LLVM instruction. A family
//! appends straight-line instructions to the current block; it never makes blocks (what needs
//! control flow was expanded by `lower.rs`).

pub(crate) mod arith;
pub(crate) mod atomic;
pub(crate) mod bits;
pub(crate) mod buffer;
pub(crate) mod cast;
pub(crate) mod cbuffer;
pub(crate) mod convert;
pub(crate) mod counter;
pub(crate) mod derivative;
pub(crate) mod discard;
pub(crate) mod gather;
pub(crate) mod geometry;
pub(crate) mod image;
pub(crate) mod llvm;
pub(crate) mod math;
mod memory_number;
pub(crate) mod mesh;
pub(crate) mod packed;
pub(crate) mod quad;
pub(crate) mod ray_query;
pub(crate) mod ray_tracing;
pub(crate) mod sample;
pub(crate) mod sync;
pub(crate) mod system;
mod texel;
pub(crate) mod wave;
pub(crate) mod wave_match;

use rspirv::spirv::{Capability, ExecutionMode};
use trellis_dxil_frontend::dxop::{DxCall, Effects, Op};
use trellis_dxil_frontend::shader::ShaderKind;

use crate::error::Error;
use crate::values::Emitter;

/// What operations ask of the whole entry point.
fn require(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let derives = Effects::DERIVATIVE.union(Effects::IMPLICIT_LOD);
    if matches!(
        e.entry.kind,
        ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification
    ) && call.op.effects().any(derives)
    {
        derivative_group(e)?;
    }
    if e.options.preserve_nan
        && matches!(call.op, Op::IsNaN | Op::IsInf | Op::IsFinite | Op::IsNormal)
    {
        let ty = call
            .operand(0)
            .map(|value| e.value_type(value))
            .transpose()?;
        let width = ty.map_or(Ok(32), |ty| e.scalar(ty).map(crate::values::Scalar::width))?;
        e.b.caps.add(Capability::SignedZeroInfNanPreserve);
        e.b.execution_mode(ExecutionMode::SignedZeroInfNanPreserve, &[width]);
    }
    Ok(())
}

/// Quads of a compute, mesh or amplification shader (shader model 6.6): 2x2 threads where X and Y
/// of the group are even, else four threads in a row.
fn derivative_group(e: &mut Emitter<'_>) -> Result<(), Error> {
    let [x, y, z] = e.entry.properties.num_threads.unwrap_or([1; 3]);
    let threads = u64::from(x)
        .saturating_mul(y.into())
        .saturating_mul(z.into());
    if x % 2 == 0 && y % 2 == 0 {
        e.b.caps.add(Capability::ComputeDerivativeGroupQuadsKHR);
        e.b.execution_mode(ExecutionMode::DerivativeGroupQuadsKHR, &[]);
    } else if threads % 4 == 0 {
        e.b.caps.add(Capability::ComputeDerivativeGroupLinearKHR);
        e.b.execution_mode(ExecutionMode::DerivativeGroupLinearKHR, &[]);
    } else {
        return Err(e.unsupported(format!(
            "derivatives in a thread group of {x}x{y}x{z}, which has no quads"
        )));
    }
    Ok(())
}

/// Emits one DXIL operation.
pub(crate) fn emit_dxop(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    require(e, call)?;
    match call.op {
        Op::LoadOutputControlPoint | Op::LoadPatchConstant | Op::StorePatchConstant => {
            crate::interface::emit(e, call)
        }
        Op::SetMeshOutputCounts
        | Op::EmitIndices
        | Op::StoreVertexOutput
        | Op::StorePrimitiveOutput => crate::interface::emit(e, call),
        Op::DispatchMesh => mesh::dispatch(e, call),
        Op::LoadInput
        | Op::StoreOutput
        | Op::EvalSnapped
        | Op::EvalSampleIndex
        | Op::EvalCentroid
        | Op::AttributeAtVertex => crate::interface::emit(e, call),

        Op::FAbs
        | Op::Saturate
        | Op::IsNaN
        | Op::IsInf
        | Op::IsFinite
        | Op::IsNormal
        | Op::Cos
        | Op::Sin
        | Op::Tan
        | Op::Acos
        | Op::Asin
        | Op::Atan => math::emit(e, call),
        Op::Hcos
        | Op::Hsin
        | Op::Htan
        | Op::Exp
        | Op::Frc
        | Op::Log
        | Op::Sqrt
        | Op::Rsqrt
        | Op::RoundNe
        | Op::RoundNi
        | Op::RoundPi
        | Op::RoundZ => math::emit(e, call),
        Op::FMax
        | Op::FMin
        | Op::IMax
        | Op::IMin
        | Op::UMax
        | Op::UMin
        | Op::IMul
        | Op::UMul
        | Op::UDiv
        | Op::UAddc
        | Op::USubb
        | Op::FMad
        | Op::Fma => math::emit(e, call),
        Op::IMad | Op::UMad | Op::Dot2 | Op::Dot3 | Op::Dot4 => math::emit(e, call),

        Op::EmitStream | Op::CutStream | Op::EmitThenCutStream => geometry::emit(e, call),
        Op::GSInstanceID | Op::OutputControlPointID | Op::DomainLocation => system::emit(e, call),

        Op::Bfrev
        | Op::Countbits
        | Op::FirstbitLo
        | Op::FirstbitHi
        | Op::FirstbitSHi
        | Op::Ibfe
        | Op::Ubfe
        | Op::Bfi
        | Op::Msad => bits::emit(e, call),

        Op::Dot2AddHalf
        | Op::Dot4AddI8Packed
        | Op::Dot4AddU8Packed
        | Op::Unpack4x8
        | Op::Pack4x8 => packed::emit(e, call),

        Op::MakeDouble
        | Op::SplitDouble
        | Op::BitcastI16toF16
        | Op::BitcastF16toI16
        | Op::BitcastI32toF32
        | Op::BitcastF32toI32
        | Op::BitcastI64toF64 => convert::emit(e, call),
        Op::BitcastF64toI64
        | Op::LegacyF32ToF16
        | Op::LegacyF16ToF32
        | Op::LegacyDoubleToFloat
        | Op::LegacyDoubleToSInt32
        | Op::LegacyDoubleToUInt32 => convert::emit(e, call),

        Op::WaveIsFirstLane
        | Op::WaveAnyTrue
        | Op::WaveAllTrue
        | Op::WaveActiveAllEqual
        | Op::WaveActiveBallot
        | Op::WaveReadLaneAt
        | Op::WaveReadLaneFirst => wave::emit(e, call),
        Op::WaveActiveOp
        | Op::WaveActiveBit
        | Op::WavePrefixOp
        | Op::WaveAllBitCount
        | Op::WavePrefixBitCount
        | Op::WaveMatch
        | Op::WaveMultiPrefixOp => wave::emit(e, call),
        Op::WaveMultiPrefixBitCount => wave::emit(e, call),

        Op::QuadReadLaneAt | Op::QuadOp | Op::QuadVote => quad::emit(e, call),

        Op::Barrier | Op::BarrierByMemoryType | Op::BarrierByMemoryHandle => sync::emit(e, call),

        Op::DerivCoarseX | Op::DerivCoarseY | Op::DerivFineX | Op::DerivFineY => {
            derivative::emit(e, call)
        }

        Op::SampleIndex
        | Op::Coverage
        | Op::InnerCoverage
        | Op::ThreadId
        | Op::GroupId
        | Op::ThreadIdInGroup
        | Op::FlattenedThreadIdInGroup => system::emit(e, call),
        Op::PrimitiveID
        | Op::ViewID
        | Op::WaveGetLaneIndex
        | Op::WaveGetLaneCount
        | Op::IsHelperLane
        | Op::CycleCounterLegacy => system::emit(e, call),
        Op::StartVertexLocation
        | Op::StartInstanceLocation
        | Op::RenderTargetGetSamplePosition
        | Op::RenderTargetGetSampleCount => system::emit(e, call),

        Op::Sample
        | Op::SampleBias
        | Op::SampleLevel
        | Op::SampleGrad
        | Op::SampleCmp
        | Op::SampleCmpLevelZero
        | Op::SampleCmpLevel
        | Op::SampleCmpGrad => sample::emit(e, call),
        Op::SampleCmpBias | Op::CalculateLOD => sample::emit(e, call),

        Op::TextureGather | Op::TextureGatherCmp | Op::TextureGatherRaw => gather::emit(e, call),

        Op::TextureLoad
        | Op::TextureStore
        | Op::TextureStoreSample
        | Op::GetDimensions
        | Op::Texture2DMSGetSamplePosition
        | Op::CheckAccessFullyMapped => image::emit(e, call),

        Op::BufferLoad | Op::BufferStore | Op::RawBufferLoad | Op::RawBufferStore => {
            buffer::emit(e, call)
        }

        Op::CBufferLoad | Op::CBufferLoadLegacy => cbuffer::emit(e, call),

        Op::AtomicBinOp | Op::AtomicCompareExchange => atomic::emit(e, call),

        Op::BufferUpdateCounter => counter::emit(e, call),

        Op::RayQueryTraceRayInline | Op::RayQueryProceed | Op::RayQueryAbort => {
            ray_query::emit(e, call)
        }
        Op::RayQueryCommitNonOpaqueTriangleHit | Op::RayQueryCommitProceduralPrimitiveHit => {
            ray_query::emit(e, call)
        }
        op if ray_query::is_question(op) => ray_query::emit(e, call),
        op if ray_tracing::is_one(op) => ray_tracing::emit(e, call),

        // `Discard` among others: lowering has turned it into control flow.
        other => Err(e.unsupported(other.name())),
    }
}
