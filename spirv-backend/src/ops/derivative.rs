//! Derivatives.

use dxil_frontend::dxop::DxCall;

use crate::emitter::Emitter;
use crate::error::Error;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    Err(e.unsupported(call.op.name()))
}
