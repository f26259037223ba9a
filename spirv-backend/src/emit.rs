//! Walks the structured function and emits SPIR-V.

use dxil_frontend::module::ConstId;
use rspirv::spirv::Word;

use crate::emitter::Emitter;
use crate::error::Error;

impl Emitter<'_> {
    /// SPIR-V id of a scalar or vector constant.
    pub(crate) fn constant(&mut self, constant: ConstId) -> Result<Word, Error> {
        Err(self.unsupported(format!("constant {constant}")))
    }
    /// SPIR-V id of a structurizer value that is a constant, `undef` or selector constant.
    pub(crate) fn materialize(&mut self, value: structurizer::ir::Value) -> Result<Word, Error> {
        Err(self.invalid(format!("{value} is used before its definition")))
    }
}
