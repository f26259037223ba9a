//! The order of the reachable blocks in which definitions come before their uses.

use trellis_dxil_frontend::module::{BlockId, Function};
use trellis_entity::EntityRef;

/// Blocks that control reaches, in reverse post-order: but for phis, a use comes after its
/// definition.
pub(super) fn reverse_post_order(function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::with_capacity(function.blocks.len());
    if seen.is_empty() {
        return order;
    }
    let entry = BlockId::from_u32(0);
    let successors = |block: BlockId| function.successors(&function.terminator(block).kind);
    seen[0] = true;
    let mut stack = vec![(entry, successors(entry))];
    while let Some((block, targets)) = stack.last_mut() {
        match targets.next() {
            Some(target) => {
                if !std::mem::replace(&mut seen[target.index()], true) {
                    stack.push((target, successors(target)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
