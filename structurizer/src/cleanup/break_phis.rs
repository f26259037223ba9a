//! Stage 1, break-phi cleanup: a block with only phis where several breaks of a loop meet is a
//! merge that the source never had.
//!
//! `if (a) { x; break; } … if (b) { y; break; }` becomes, in a compiler's hands, two ways into a
//! block that holds phis and then goes to where the loop goes anyway. As a merge it would enclose
//! everything between the two breaks. The rule: all its predecessors leave one and the same loop,
//! where it leads some other block leaves that loop to as well, its phis serve only those there,
//! and no back edge reaches it.

use super::Cleanup;
use crate::graph::{NONE, ancestors::Ancestors, loops::Loops, postdominators::level_of};
use crate::ir::{Block, Function, ValueKind};
use crate::stage::{Decision, Remarks, Stage};

pub(super) fn choose(func: &Function, cleanup: &mut Cleanup, remarks: &mut Remarks) {
    let loops = Loops::new(&cleanup.cfg, &cleanup.dfs);
    if loops.len() == 0 {
        return;
    }
    let mut nesting = Ancestors::new(loops.len());
    for (l, &outer) in loops.parent.iter().enumerate() {
        nesting.set_parent(l as u32, outer);
    }
    let only_for_phis = phis_for_phis_only(func);
    for i in (0..cleanup.dfs.rpo.len()).rev() {
        let b = cleanup.dfs.rpo[i];
        let block = Block::from_u32(b);
        if !cleanup.may_go(func, b)
            || cleanup.cfg.preds(b).len() < 2
            || cleanup.would_double(func, b)
        {
            continue;
        }
        let to = cleanup.target(b);
        // The loop that a block leaves on its way to here.
        let depth = loops.depth_of(level_of(&loops, b)) + 1;
        let left = |p: u32| nesting.at_depth(loops.of[p as usize], depth);
        let preds = || {
            cleanup
                .cfg
                .preds(b)
                .iter()
                .copied()
                .filter(|&p| cleanup.dfs.reached(p))
        };
        let Some(l) = preds().next().map(left) else {
            continue;
        };
        let leaves = |p: u32| loops.depth_of(loops.of[p as usize]) >= depth && left(p) == l;
        let all_leave = l != NONE && preds().all(leaves);
        let another = cleanup
            .cfg
            .preds(to)
            .iter()
            .any(|&p| p != b && cleanup.dfs.reached(p) && leaves(p));
        if all_leave
            && another
            && func
                .phis(block)
                .all(|phi| [UNUSED, to].contains(&only_for_phis[phi.as_u32() as usize]))
        {
            cleanup.remove(b);
            remarks.add(
                Stage::BreakPhis,
                block,
                Decision::BreakPhisMoved {
                    to: Block::from_u32(to),
                },
            );
        }
    }
}

/// The mark of a phi that nobody uses.
const UNUSED: u32 = NONE - 1;

/// For each phi the only block whose phis use it, and only as what comes from its own block;
/// [`UNUSED`] or [`NONE`] if there is none such.
fn phis_for_phis_only(func: &Function) -> Vec<u32> {
    let mut user = vec![UNUSED; func.num_values()];
    for block in func.blocks() {
        for inst in func.insts(block) {
            func.uses(inst)
                .iter()
                .for_each(|v| user[v.as_u32() as usize] = NONE);
        }
        if let Some(v) = func.term(block).value() {
            user[v.as_u32() as usize] = NONE;
        }
        for phi in func.phis(block) {
            for o in func.phi_operands(phi) {
                let slot = &mut user[o.value.as_u32() as usize];
                let own = func.value_kind(o.value) == ValueKind::Phi(o.pred);
                *slot = if own && (*slot == UNUSED || *slot == block.as_u32()) {
                    block.as_u32()
                } else {
                    NONE
                };
            }
        }
    }
    user
}
