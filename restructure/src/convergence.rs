//! Which instructions are convergent: their result depends on the invocations that run them together.

use rspirv::spirv::Op;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::{Module, Raw, instructions, name_of};

/// Returns the functions whose calls are convergent: they have a convergent instruction or call
/// such a function, or have no body.
pub(crate) fn functions(module: &Module<'_>) -> FxHashSet<u32> {
    let mut callers: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let mut work = Vec::new();
    for function in module.functions() {
        let mut is_convergent = !function.has_body;
        for inst in instructions(module.words, function.words.clone()).flatten() {
            is_convergent |= is_convergent_op(inst.opcode);
            if inst.is(Op::FunctionCall) {
                callers.entry(inst.word(3)).or_default().push(function.id);
            }
        }
        work.extend(is_convergent.then_some(function.id));
    }
    let mut found = FxHashSet::default();
    while let Some(id) = work.pop() {
        if found.insert(id) {
            work.extend(callers.remove(&id).unwrap_or_default());
        }
    }
    found
}

/// Returns whether an instruction is convergent.
pub(crate) fn is_convergent(inst: Raw<'_>, functions: &FxHashSet<u32>) -> bool {
    is_convergent_op(inst.opcode) || inst.is(Op::FunctionCall) && functions.contains(&inst.word(3))
}

/// Returns whether instructions with an opcode are convergent, calls apart. By names, which extensions
/// choose alike: `OpGroupNonUniform…`, `OpSubgroup…KHR`, `OpSubgroup…INTEL`, `OpGroup…AMD`.
fn is_convergent_op(opcode: u32) -> bool {
    let name = name_of(opcode);
    let prefixes = [
        "Group",
        "Subgroup",
        "ControlBarrier",
        "MemoryNamedBarrier",
        "DPdx",
        "DPdy",
        "Fwidth",
        "CooperativeMatrix",
        "CooperativeVector",
        "BeginInvocationInterlock",
        "EndInvocationInterlock",
        "SetMeshOutputs",
    ];
    prefixes.iter().any(|prefix| name.starts_with(prefix))
        || name.contains("ImplicitLod")
        || matches!(name, "ImageQueryLod" | "ImageSampleFootprintNV")
}
