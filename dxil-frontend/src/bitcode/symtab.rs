//! VALUE_SYMTAB block (14), of the module and of functions.

use crate::bitstream::{Block, Stream};
use crate::module::{BlockId, Function, ValueId, ValueKind};

use super::errors::{below, out_of_range};
use super::fields::text;
use super::{Builder, Result, each_record};

impl Builder {
    pub(super) fn read_module_symtab(
        &mut self,
        stream: &mut Stream<'_>,
        block: Block,
    ) -> Result<()> {
        each_record(stream, block, |code, mut fields| {
            // LLVM ignores other records of this block.
            if code != 1 {
                return Ok(());
            }
            let index = fields.take()?;
            let count = self.module.values.len() as u64;
            let value = usize::try_from(index)
                .ok()
                .and_then(|i| self.module.values.get(i));
            match value.map(|v| v.kind) {
                Some(ValueKind::Global(id)) => {
                    self.module.globals[id].name = text(fields.rest());
                }
                Some(ValueKind::Function(id)) => {
                    self.module.functions[id].name = text(fields.rest());
                }
                _ => {
                    return Err(out_of_range("named value", index, count));
                }
            }
            Ok(())
        })
    }
}

/// Reads the names of a function's values and blocks.
pub(super) fn read_function_symtab(
    function: &mut Function,
    base: u32,
    stream: &mut Stream<'_>,
    block: Block,
) -> Result<()> {
    each_record(stream, block, |code, mut fields| {
        match code {
            1 => {
                let index = fields.take()?;
                let end = u64::from(base) + function.values.len() as u64;
                let local = index
                    .checked_sub(base.into())
                    .and_then(|i| function.values.get(usize::try_from(i).ok()?));
                if !matches!(
                    local.map(|v| v.kind),
                    Some(ValueKind::Argument(_) | ValueKind::Inst(_))
                ) {
                    return Err(out_of_range("named value", index, end));
                }
                function
                    .value_names
                    .push((ValueId::from_u32(index as u32), text(fields.rest())));
            }
            2 => {
                let index = below("named basic block", fields.take()?, function.blocks.len())?;
                function
                    .block_names
                    .push((BlockId::from_u32(index), text(fields.rest())));
            }
            // LLVM ignores other records of this block.
            _ => {}
        }
        Ok(())
    })?;
    function.value_names.sort_by_key(|(id, _)| *id);
    function.block_names.sort_by_key(|(id, _)| *id);
    Ok(())
}
