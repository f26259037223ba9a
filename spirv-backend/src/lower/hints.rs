//! Hints of the source for branches and loops: metadata attached to terminators.

use trellis_dxil_frontend::metadata::{MdId, Metadata};
use trellis_dxil_frontend::module::{Function, InstId, Module};
use trellis_structurizer::ir::{LoopHint, SelectionHint};

use crate::options::{self, Workarounds};

/// Numbers of the metadata kinds that matter here.
#[derive(Clone, Copy, Default)]
pub(crate) struct MetadataKinds {
    control_flow: Option<u32>,
    llvm_loop: Option<u32>,
    /// `dx.precise`: the result must not be contracted or reassociated.
    pub(crate) precise: Option<u32>,
}

impl MetadataKinds {
    pub(crate) fn new(metadata: &Metadata) -> Self {
        Self {
            control_flow: metadata.kind("dx.controlflow.hints"),
            llvm_loop: metadata.kind("llvm.loop"),
            precise: metadata.kind("dx.precise"),
        }
    }
}

/// Which hints branches and loops get.
#[derive(Clone, Copy)]
pub(crate) struct Hints {
    /// Those of the source, where there are any.
    pub(super) source: bool,
    /// Other branches.
    pub(super) branch: SelectionHint,
    /// Other loops.
    pub(super) of_loop: LoopHint,
}

impl Hints {
    pub(super) fn new(options: &Workarounds) -> Self {
        Self {
            source: options.source_hints,
            branch: match options.branch_hint {
                None => SelectionHint::None,
                Some(options::BranchHint::Flatten) => SelectionHint::Flatten,
                Some(options::BranchHint::Branch) => SelectionHint::DontFlatten,
            },
            of_loop: match options.loop_hint {
                None => LoopHint::None,
                Some(options::LoopHint::Unroll) => LoopHint::Unroll,
                Some(options::LoopHint::Loop) => LoopHint::DontUnroll,
            },
        }
    }
}

/// Returns the metadata of kind `kind` attached to an instruction.
pub(crate) fn attached(function: &Function, inst: InstId, kind: Option<u32>) -> Option<MdId> {
    let kind = kind?;
    let list = &function.inst_metadata;
    let first = list.partition_point(|entry| entry.0 < inst);
    list[first..]
        .iter()
        .take_while(|entry| entry.0 == inst)
        .find(|entry| entry.1 == kind)
        .map(|entry| entry.2)
}

/// Reads `!{!self, !"dx.controlflow.hints", i32 1}`: 1 is `[branch]`, 2 `[flatten]` (DXIL's
/// `ControlFlowHint`).
pub(super) fn selection(
    module: &Module,
    function: &Function,
    inst: InstId,
    kinds: &MetadataKinds,
) -> SelectionHint {
    let Some(node) = attached(function, inst, kinds.control_flow) else {
        return SelectionHint::None;
    };
    let Some(operands) = module.metadata.tuple(node) else {
        return SelectionHint::None;
    };
    let hints = operands
        .flatten()
        .filter_map(|o| module.metadata.value(o))
        .filter_map(|(_, value)| module.const_int(Some(function), value));
    hints.fold(SelectionHint::None, |found, hint| match hint {
        1 => SelectionHint::DontFlatten,
        2 => SelectionHint::Flatten,
        _ => found,
    })
}

/// Reads `!{!self, !{!"llvm.loop.unroll.disable"}}` and the like, on the branch of the back edge.
pub(super) fn of_loop(
    module: &Module,
    function: &Function,
    inst: InstId,
    kinds: &MetadataKinds,
) -> LoopHint {
    let md = &module.metadata;
    let Some(node) = attached(function, inst, kinds.llvm_loop) else {
        return LoopHint::None;
    };
    let Some(operands) = md.tuple(node) else {
        return LoopHint::None;
    };
    let mut found = LoopHint::None;
    for option in operands.flatten().filter(|&o| o != node) {
        match md.operand(option, 0).and_then(|name| md.string(name)) {
            Some("llvm.loop.unroll.disable") => found = LoopHint::DontUnroll,
            Some("llvm.loop.unroll.full" | "llvm.loop.unroll.enable") => found = LoopHint::Unroll,
            Some("llvm.loop.unroll.count") => {
                let count = md
                    .operand(option, 1)
                    .and_then(|c| md.value(c))
                    .and_then(|(_, value)| module.const_int(Some(function), value));
                if let Some(count) = count.and_then(|c| u32::try_from(c).ok()) {
                    found = LoopHint::UnrollCount(count);
                }
            }
            _ => {}
        }
    }
    found
}
