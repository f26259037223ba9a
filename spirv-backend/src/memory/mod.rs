//! Local arrays, groupshared memory, constant tables.

use dxil_frontend::module::InstId;

use crate::emitter::Emitter;
use crate::error::Error;

/// Variables that stand for memory inside the shader.
#[derive(Default)]
pub(crate) struct Memory {}

impl Memory {
    /// Declares what must stand before the bodies; called once for the module.
    pub(crate) fn declare(e: &mut Emitter<'_>) -> Result<(), Error> {
        let _ = e;
        Ok(())
    }
    /// A new function begins (`Emitter::function`): what belongs to one function is forgotten.
    pub(crate) fn enter_function(e: &mut Emitter<'_>) -> Result<(), Error> {
        let _ = e;
        Ok(())
    }
}

/// Emits `alloca`, `load`, `store`, `atomicrmw` or `cmpxchg`.
pub(crate) fn emit(e: &mut Emitter<'_>, inst: InstId) -> Result<(), Error> {
    let kind = e.kind(inst);
    Err(e.unsupported(format!("{kind:?}")))
}
