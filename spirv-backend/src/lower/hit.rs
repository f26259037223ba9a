//! Calls that end an any-hit shader: `IgnoreHit` and `AcceptHitAndEndSearch` are terminators in
//! SPIR-V (`SPV_KHR_ray_tracing`), so lowering ends their block at the call.

use trellis_dxil_frontend::dxop::{DxDeclarations, Op};
use trellis_dxil_frontend::module::{BlockId, Function, InstId, InstKind, Module};

use super::SyntheticInst;
use crate::error::Error;

/// Returns the first call of each block that ends the invocation: block, instruction, and the
/// synthetic instruction that replaces it, in the order of blocks.
pub(super) fn ends(
    module: &Module,
    ops: &DxDeclarations,
    function: &Function,
) -> Result<Vec<(BlockId, InstId, SyntheticInst)>, Error> {
    let mut found: Vec<(BlockId, InstId, SyntheticInst)> = Vec::new();
    for (block, data) in function.blocks.iter() {
        for at in data.insts {
            if !matches!(function.insts[at].kind, InstKind::Call { .. }) {
                continue;
            }
            let synthetic = match ops.parse(module, function, at)?.map(|call| call.op) {
                Some(Op::IgnoreHit) => SyntheticInst::IgnoreHit,
                Some(Op::AcceptHitAndEndSearch) => SyntheticInst::AcceptHit,
                _ => continue,
            };
            found.push((block, at, synthetic));
            break;
        }
    }
    Ok(found)
}
