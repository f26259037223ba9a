//! Screen-space derivatives. (In compute shaders the quads come from the execution mode that the
//! entry point declares.)

use rspirv::spirv::{Capability, ExecutionMode, Op};
use trellis_dxil_frontend::dxop::DerivativeOp;
use trellis_dxil_frontend::shader::{ShaderKind, Version};

use super::Emitter;
use crate::error::Error;
use crate::values::Scalar;

/// Shader model from which quad operations of compute shaders use the quads of derivatives.
const SQUARE_QUADS: Version = Version { major: 6, minor: 6 };

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: DerivativeOp) -> Result<(), Error> {
    let op = match op {
        DerivativeOp::DerivCoarseX => Op::DPdxCoarse,
        DerivativeOp::DerivCoarseY => Op::DPdyCoarse,
        DerivativeOp::DerivFineX => Op::DPdxFine,
        DerivativeOp::DerivFineY => Op::DPdyFine,
    };
    let shape = e.shape(e.call.ty)?;
    if !has_derivatives(e) {
        let ty = e.shape_type(shape);
        let zero = e.b.const_null(ty);
        e.set_result(0, zero);
        return Ok(());
    }
    e.b.caps.add(Capability::DerivativeControl);
    // SPIR-V derives 32-bit floats only.
    let wide = shape.with(Scalar::Float(32));
    let value = e.arg_id(0)?;
    let (ty, value) = (e.shape_type(wide), e.resize_float(shape, 32, value));
    let derivative = e.b.op(op, ty, &[value]);
    let id = e.resize_float(wide, shape.width(), derivative);
    e.set_new_result(shape, id);
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
pub(super) fn has_derivatives(e: &Emitter<'_>) -> bool {
    !matches!(
        e.entry.kind,
        ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification
    ) || quads(e) != Quads::None
}

/// Declares the quads that derivatives are between.
pub(super) fn derivative_group(e: &mut Emitter<'_>) {
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
pub(super) fn quad_group(e: &mut Emitter<'_>) {
    if e.shader.model >= SQUARE_QUADS && e.options.extensions.compute_derivatives {
        derivative_group(e);
    }
}
