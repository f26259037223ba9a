//! `discard`. A condition that is not constant was made into control flow by `lower.rs`; here control has already decided.

use dxil_frontend::dxop::DxCall;
use rspirv::spirv::{Capability, Op};

use crate::emitter::Emitter;
use crate::error::Error;

/// Emits an unconditional discard that control flow passes: the lane becomes a helper.
pub(crate) fn emit(e: &mut Emitter<'_>, _call: &DxCall<'_>) -> Result<(), Error> {
    e.b.caps.add(Capability::DemoteToHelperInvocation);
    e.b.op_void(Op::DemoteToHelperInvocation, vec![]);
    Ok(())
}
