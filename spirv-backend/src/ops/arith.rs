//! LLVM's binary operations, compares, selects and casts.

use dxil_frontend::module::InstId;

use crate::emitter::Emitter;
use crate::error::Error;

/// Emits one LLVM instruction of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, inst: InstId) -> Result<(), Error> {
    let kind = e.kind(inst);
    Err(e.unsupported(format!("{kind:?}")))
}
