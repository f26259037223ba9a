//! Barriers and fences.

use trellis_dxil_frontend::dxop::{BarrierOp, DxCall};

use super::State;
use crate::error::{Error, Feature, InvalidKind};
use crate::memory::barrier::{self, Barrier};
use crate::values::FunctionBuilder;

/// Emits one operation of this family.
pub(crate) fn emit(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
    op: BarrierOp,
) -> Result<(), Error> {
    let mut barrier = match op {
        BarrierOp::Barrier => {
            let mode = e.arg_const(call, 0)?;
            Barrier::from_mode(mode).ok_or_else(|| {
                e.invalid(InvalidKind::Operand, format!("Barrier with mode {mode}"))
            })?
        }
        BarrierOp::BarrierByMemoryType => {
            let (memory, semantics) = (e.arg_const(call, 0)?, e.arg_const(call, 1)?);
            flags(e, call, memory, semantics)?
        }
        // The object is a UAV: shader model 6.8 has no other handles here.
        BarrierOp::BarrierByMemoryHandle => {
            let semantics = e.arg_const(call, 1)?;
            flags(e, call, 1, semantics)?
        }
        BarrierOp::BarrierByNodeRecordHandle => return Err(e.unsupported(call.op)),
    };
    if barrier.sync && state.resources.promotes_barriers() {
        barrier.uav = true;
        barrier.device = true;
    }
    barrier::emit(e, barrier);
    Ok(())
}

fn flags(
    e: &FunctionBuilder<'_>,
    call: &DxCall<'_>,
    memory: u64,
    semantics: u64,
) -> Result<Barrier, Error> {
    Barrier::from_flags(memory, semantics).ok_or_else(|| {
        e.unsupported(Feature::on(
            call.op,
            format!("memory {memory:#x} with semantics {semantics:#x}"),
        ))
    })
}

/// LLVM's `fence`: orders all memory for the device.
pub(crate) fn fence(e: &mut FunctionBuilder<'_>) {
    let groupshared = e.entry.properties.num_threads.is_some();
    barrier::emit(
        e,
        Barrier {
            sync: false,
            uav: true,
            groupshared,
            device: true,
        },
    );
}
