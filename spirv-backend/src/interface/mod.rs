//! Stage inputs and outputs.

use dxil_frontend::dxop::DxCall;

use crate::emitter::Emitter;
use crate::error::Error;

/// Variables of the stage interface.
#[derive(Default)]
pub(crate) struct Interface {}

impl Interface {
    /// Declares the variables of the stage interface, before any function body.
    pub(crate) fn declare(e: &mut Emitter<'_>) -> Result<(), Error> {
        let _ = e;
        Ok(())
    }
}

/// Emits a load of an input or a store of an output.
pub(crate) fn emit(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    Err(e.unsupported(call.op.name()))
}
