//! DXIL operations → SPIR-V instructions, one file per family.
//!
//! [`emit_dxop`] dispatches a `dx.op` call to its family, [`llvm::emit`] an LLVM instruction. The
//! families are the column `family` of the front end's `data/dx_ops.csv`: each `match` over
//! families and over the operations of one is exhaustive, so a new operation does not compile until
//! its family handles it or rejects it by name. A family appends straight-line instructions to the
//! current block and never makes blocks: lowering has expanded what needs control flow.

pub(crate) mod arith;
pub(crate) mod atomic;
mod atomic_target;
pub(crate) mod bits;
pub(crate) mod buffer;
mod buffer_address;
pub(crate) mod cast;
pub(crate) mod cbuffer;
pub(crate) mod convert;
pub(crate) mod counter;
pub(crate) mod derivative;
pub(crate) mod discard;
mod elements;
mod emitter;
mod feedback;
mod float_atomic;
pub(crate) mod gather;
pub(crate) mod geometry;
pub(crate) mod hit_object;
pub(crate) mod image;
pub(crate) mod llvm;
pub(crate) mod math;
mod memory_number;
pub(crate) mod mesh;
pub(crate) mod node;
mod numbers;
pub(crate) mod packed;
mod pieces;
pub(crate) mod quad;
mod ray;
pub(crate) mod ray_query;
pub(crate) mod ray_tracing;
pub(crate) mod sample;
mod subgroup;
pub(crate) mod sync;
pub(crate) mod system;
mod texel;
pub(crate) mod vector;
mod vendor;
mod vendor_matrix;
pub(crate) mod wave;
pub(crate) mod wave_functions;
mod wave_match;

use rspirv::spirv::{Capability, ExecutionMode};
use trellis_dxil_frontend::dxop::{DxCall, Effects, FamilyOp, Op};
use trellis_dxil_frontend::shader::{ShaderKind, Version};

use crate::error::Error;
use crate::interface;
pub(crate) use emitter::Emitter;

/// Shader model from which quads of compute shaders are those of derivatives.
const SQUARE_QUADS: Version = Version { major: 6, minor: 6 };

/// Declares what an operation requires of the whole entry point.
fn require(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let derives = Effects::DERIVATIVE.union(Effects::IMPLICIT_LOD);
    if matches!(
        e.entry.kind,
        ShaderKind::Compute | ShaderKind::Node | ShaderKind::Mesh | ShaderKind::Amplification
    ) {
        if call.op.effects().any(derives) {
            derivative_group(e);
        } else if matches!(call.op.classify(), FamilyOp::Quad(_)) {
            quad_group(e);
        }
    }
    if e.options.extensions.preserve_nan
        && matches!(call.op, Op::IsNaN | Op::IsInf | Op::IsFinite | Op::IsNormal)
    {
        let shape = call.operand(0).map(|value| e.value_shape(value));
        let width = shape.transpose()?.map_or(32, crate::values::Shape::width);
        e.b.caps.add(Capability::SignedZeroInfNanPreserve);
        e.b.execution_mode(ExecutionMode::SignedZeroInfNanPreserve, &[width]);
    }
    Ok(())
}

/// The quads of a compute, mesh or amplification shader (shader model 6.6).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quads {
    /// 2x2 threads, where X and Y of the group are even.
    Square,
    /// Four threads in a row.
    Row,
    /// The group cannot be divided into quads.
    None,
}

fn quads(e: &Emitter<'_>) -> Quads {
    let [x, y, z] = e.entry.properties.num_threads.unwrap_or([1; 3]);
    let threads = u64::from(x)
        .saturating_mul(y.into())
        .saturating_mul(z.into());
    if x % 2 == 0 && y % 2 == 0 {
        Quads::Square
    } else if threads % 4 == 0 {
        Quads::Row
    } else {
        Quads::None
    }
}

/// Returns true if the entry point runs in quads, whose threads have derivatives. In a group that
/// cannot be divided into quads D3D does not define them; here all are 0 then.
fn has_derivatives(e: &Emitter<'_>) -> bool {
    !matches!(
        e.entry.kind,
        ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification
    ) || quads(e) != Quads::None
}

/// Declares the quads that derivatives are between.
fn derivative_group(e: &mut Emitter<'_>) {
    match quads(e) {
        Quads::Square => {
            e.b.caps.add(Capability::ComputeDerivativeGroupQuadsKHR);
            e.b.execution_mode(ExecutionMode::DerivativeGroupQuadsKHR, &[]);
        }
        Quads::Row => {
            e.b.caps.add(Capability::ComputeDerivativeGroupLinearKHR);
            e.b.execution_mode(ExecutionMode::DerivativeGroupLinearKHR, &[]);
        }
        Quads::None => {}
    }
}

/// Declares the quads that quad operations exchange values in. Before shader model 6.6 they are four
/// lanes in a row, whatever threads these are, and so where the group cannot be divided.
fn quad_group(e: &mut Emitter<'_>) {
    if e.shader.model >= SQUARE_QUADS && e.options.extensions.compute_derivatives {
        derivative_group(e);
    }
}

/// Emits the functions that operations call.
pub(crate) fn emit_functions(e: &mut Emitter<'_>) {
    if e.counter_function != 0 {
        counter::function(e);
    }
    wave_functions::emit_all(e);
    node::functions::emit_all(e);
}

/// Emits one DXIL operation.
pub(crate) fn emit_dxop(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    require(e, call)?;
    match call.op.classify() {
        FamilyOp::SamplerFeedback(op) => feedback::emit(e, call, op),
        FamilyOp::Atomic(op) => atomic::emit(e, call, op),
        FamilyOp::Barrier(op) => sync::emit(e, call, op),
        FamilyOp::Bit(op) => bits::emit(e, call, op),
        FamilyOp::Buffer(op) => buffer::emit(e, call, op),
        FamilyOp::CBuffer(op) => cbuffer::emit(e, call, op),
        FamilyOp::Convert(op) => convert::emit(e, call, op),
        FamilyOp::Derivative(op) => derivative::emit(e, call, op),
        FamilyOp::Gather(op) => gather::emit(e, call, op),
        FamilyOp::Geometry(op) => geometry::emit(e, call, op),
        FamilyOp::HitObject(op) => hit_object::emit(e, call, op),
        FamilyOp::Math(op) => math::emit(e, call, op),
        FamilyOp::Mesh(op) => mesh::emit(e, call, op),
        FamilyOp::Node(op) => node::emit(e, call, op),
        FamilyOp::Packed(op) => packed::emit(e, call, op),
        FamilyOp::Quad(op) => quad::emit(e, call, op),
        FamilyOp::RayQuery(op) => ray_query::emit(e, call, op),
        FamilyOp::RayTracing(op) => ray_tracing::emit(e, call, op),
        FamilyOp::Sample(op) => sample::emit(e, call, op),
        FamilyOp::Signature(op) => interface::emit(&mut e.f, &mut e.interface, call, op),
        FamilyOp::System(op) => system::emit(e, call, op),
        FamilyOp::Texture(op) => image::emit(e, call, op),
        FamilyOp::Vector(op) => vector::emit(e, call, op),
        FamilyOp::Wave(op) => wave::emit(e, call, op),

        // Lowering folds handles into their uses, and turns what ends an invocation into control
        // flow. These are calls in a position or stage where that is not possible.
        FamilyOp::Handle(_) | FamilyOp::Termination(_) => Err(e.unsupported(call.op)),

        // No operation of these families is supported.
        FamilyOp::Debug(_) | FamilyOp::LinAlg(_) | FamilyOp::Register(_) | FamilyOp::Reserved => {
            Err(e.unsupported(call.op))
        }
    }
}
