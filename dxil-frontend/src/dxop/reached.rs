//! The operations that an entry point reaches.

use std::collections::BTreeMap;

use trellis_entity::EntityRef as _;

use super::{DxDeclarations, Op};
use crate::error::Error;
use crate::module::{BlockId, FunctionId, InstKind, Module, ValueKind};
use crate::shader::EntryPoint;

/// The operations that an entry point calls, itself or in functions that it calls.
///
/// ```
/// use trellis_dxil_frontend::dxop::{Op, Reached};
///
/// let input = trellis_dxil_frontend::read(include_bytes!("../../tests/data/compute.dxil"))?;
/// let reached = Reached::of(&input.module, &input.shader.entry_points[0]);
/// assert!(reached.calls[&Op::ThreadId] > 0);
/// assert!(reached.error.is_none());
/// # Ok::<(), trellis_dxil_frontend::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Reached {
    /// The number of calls of each operation in the blocks that control reaches, in order of opcodes. A
    /// call counts once, however often it runs.
    pub calls: BTreeMap<Op, u32>,
    /// Why the first call that cannot be read is not among them.
    pub error: Option<Error>,
}

impl Reached {
    /// Returns the functions and globals that an entry point of a module reaches. Linear in the
    /// module.
    pub fn of(module: &Module, entry: &EntryPoint) -> Self {
        let declarations = DxDeclarations::new(module);
        let mut reached = Self::default();
        let hull = entry.properties.hull.as_ref();
        let constants = hull.and_then(|hull| hull.patch_constant_function);
        let mut pending: Vec<FunctionId> = entry.function.into_iter().chain(constants).collect();
        let mut seen = vec![false; module.functions.len()];
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            let function = module.function(id);
            for block in reached_blocks(module, id) {
                for inst in function.blocks[block].insts {
                    match declarations.parse(module, function, inst) {
                        Ok(Some(call)) => {
                            let count = reached.calls.entry(call.op).or_default();
                            *count = count.saturating_add(1);
                        }
                        Ok(None) => {
                            pending.extend(defined_callee(module, &function.insts[inst].kind));
                        }
                        Err(error) => {
                            reached.error.get_or_insert(error);
                        }
                    }
                }
            }
        }
        reached
    }
}

/// Returns the function that an instruction calls, if it has a body.
fn defined_callee(module: &Module, inst: &InstKind) -> Option<FunctionId> {
    let InstKind::Call { callee, .. } = *inst else {
        return None;
    };
    match module.value(None, callee)?.kind {
        ValueKind::Function(callee) => (!module.function(callee).is_declaration).then_some(callee),
        _ => None,
    }
}

/// Returns the blocks of a function that control reaches.
fn reached_blocks(module: &Module, id: FunctionId) -> Vec<BlockId> {
    let function = module.function(id);
    let mut seen = vec![false; function.blocks.len()];
    let mut blocks = Vec::new();
    let mut pending: Vec<BlockId> = function.blocks.keys().take(1).collect();
    while let Some(block) = pending.pop() {
        if !std::mem::replace(&mut seen[block.index()], true) {
            blocks.push(block);
            pending.extend(function.successors(&function.terminator(block).kind));
        }
    }
    blocks
}
