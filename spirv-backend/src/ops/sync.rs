//! Barriers and fences.

use trellis_dxil_frontend::dxop::BarrierOp;
use trellis_dxil_frontend::shader::ShaderKind;

use super::Emitter;
use crate::error::{Error, InvalidKind};
use crate::memory::barrier::{self, Barrier};

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: BarrierOp) -> Result<(), Error> {
    let mut barrier = match op {
        BarrierOp::Barrier => {
            let mode = e.arg_const(0)?;
            Barrier::from_mode(mode).ok_or_else(|| {
                e.invalid(InvalidKind::Operand, format!("Barrier with mode {mode}"))
            })?
        }
        BarrierOp::BarrierByMemoryType => {
            let (memory, semantics) = (e.arg_const(0)?, e.arg_const(1)?);
            flags(e, memory, semantics)?
        }
        // The object is a UAV: shader model 6.8 has no other handles here.
        BarrierOp::BarrierByMemoryHandle => {
            let semantics = e.arg_const(1)?;
            flags(e, 1, semantics)?
        }
        // Records of the input or of an output: both are memory at device addresses.
        BarrierOp::BarrierByNodeRecordHandle => {
            let semantics = e.arg_const(1)?;
            flags(e, 4, semantics)?
        }
    };
    if !has_group(e.entry.kind) {
        if barrier.sync {
            let what = format!(
                "{} for a group in a {:?} shader",
                e.call.op.name(),
                e.entry.kind
            );
            return Err(e.invalid(InvalidKind::Stage, what));
        }
        // There is no groupshared memory, and no smaller scope.
        barrier.groupshared = false;
        barrier.device = true;
    }
    if barrier.sync && e.resources.promotes_barriers() {
        barrier.uav = true;
        barrier.device = true;
    }
    barrier::emit(e, barrier);
    Ok(())
}

/// Returns true if invocations of a stage are in groups, which barriers are for. (Those of a hull shader
/// are the control points of a patch.)
fn has_group(stage: ShaderKind) -> bool {
    matches!(
        stage,
        ShaderKind::Compute
            | ShaderKind::Hull
            | ShaderKind::Mesh
            | ShaderKind::Amplification
            | ShaderKind::Node
    )
}

fn flags(e: &Emitter<'_>, memory: u64, semantics: u64) -> Result<Barrier, Error> {
    Barrier::from_flags(memory, semantics).ok_or_else(|| {
        e.unsupported_on(format!("memory {memory:#x} with semantics {semantics:#x}"))
    })
}

/// LLVM's `fence`: orders all memory for the device.
pub(crate) fn fence(e: &mut Emitter<'_>) {
    let groupshared = e.entry.properties.num_threads.is_some();
    barrier::emit(
        e,
        Barrier {
            sync: false,
            uav: true,
            groupshared,
            node: false,
            device: true,
        },
    );
}
