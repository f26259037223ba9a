//! Blocks that `DispatchMesh` ends.

use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::{BlockId, Function, InstId, InstKind, Type};
use trellis_entity::PrimaryMap;

use super::Source;
use super::function::Lowering;

/// Returns, for each block, the `DispatchMesh` in it; the list is empty if the module has none.
pub(super) fn ends(
    source: &Source<'_>,
    function: &Function,
) -> PrimaryMap<BlockId, Option<InstId>> {
    if !source.ops.calls(Op::DispatchMesh) {
        return PrimaryMap::new();
    }
    let is_dispatch = |inst: &InstId| {
        matches!(function.insts[*inst].kind, InstKind::Call { .. })
            && matches!(source.ops.parse(source.module, function, *inst), Ok(Some(call)) if call.op == Op::DispatchMesh)
    };
    function
        .blocks
        .values()
        .map(|block| { block.insts }.find(is_dispatch))
        .collect()
}

impl Lowering<'_> {
    /// Returns the `DispatchMesh` that ends a block.
    pub(super) fn dispatch_in(&self, block: BlockId) -> Option<InstId> {
        self.dispatches.get(block).copied().flatten()
    }

    /// Returns true if the function returns nothing, so that a block may end it.
    pub(super) fn returns_nothing(&self) -> bool {
        let module = self.source.module;
        matches!(module.ty(self.function.ty), Type::Function { ret, .. } if *module.ty(*ret) == Type::Void)
    }
}
