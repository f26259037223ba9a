//! The DXIL operations that an entry point calls.

use std::collections::{BTreeMap, BTreeSet};

use trellis_dxil::frontend::dxop::{DxDeclarations, Op};
use trellis_dxil::frontend::module::{FunctionId, InstKind, ValueKind};
use trellis_dxil::frontend::shader::EntryPoint;
use trellis_dxil::frontend::{Input, read};

/// Returns the operations that an entry point calls, itself or in functions that it calls, with the number
/// of calls in the code, sorted by number of the operation. Empty if the input cannot be read.
///
/// Without a name, the only entry point is meant.
pub(super) fn of_entry(bytes: &[u8], entry: Option<&str>) -> Vec<(Op, u32)> {
    let Ok(input) = read(bytes) else {
        return Vec::new();
    };
    let exports = input.shader.exports();
    let named = exports
        .iter()
        .find(|(_, name)| entry.is_none_or(|entry| entry == *name));
    named.map_or_else(Vec::new, |(entry, _)| reached(&input, entry))
}

fn reached(input: &Input<'_>, entry: &EntryPoint) -> Vec<(Op, u32)> {
    let module = &input.module;
    let declarations = DxDeclarations::new(module);
    let hull = entry.properties.hull.as_ref();
    let constants = hull.and_then(|hull| hull.patch_constant_function);
    let mut pending: Vec<FunctionId> = entry.function.into_iter().chain(constants).collect();
    let mut seen: BTreeSet<FunctionId> = pending.iter().copied().collect();
    let mut counts: BTreeMap<u32, (Op, u32)> = BTreeMap::new();
    while let Some(id) = pending.pop() {
        let function = module.function(id);
        for inst in function.insts.keys() {
            // A call that cannot be read is an error of the conversion, which the report has.
            if let Ok(Some(call)) = declarations.parse(module, function, inst) {
                let count = counts.entry(call.op.code()).or_insert((call.op, 0));
                count.1 = count.1.saturating_add(1);
            } else if let InstKind::Call { callee, .. } = function.insts[inst].kind
                && let Some(ValueKind::Function(callee)) =
                    module.value(None, callee).map(|value| value.kind)
                && !module.function(callee).is_declaration
                && seen.insert(callee)
            {
                pending.push(callee);
            }
        }
    }
    counts.into_values().collect()
}
