//! Phi-only block elimination: a block with only phis where several breaks of a loop meet is a
//! merge block that the source did not have.
//!
//! `if (a) { x; break; } … if (b) { y; break; }` is compiled to two edges into a block that holds
//! phis and then branches to where the loop's exits meet anyway. As a merge it would enclose
//! everything between the two breaks. The rule: all its predecessors leave one and the same loop,
//! some other block leaves that loop for its target as well, its phis serve only those there, and
//! no back edge reaches it.

use super::empty_steps::{EmptySteps, is_empty_step};
use crate::analysis::ancestors::Ancestors;
use crate::analysis::loops::{Loop, Loops};
use crate::entity::EntityVec;
use crate::ir::{Block, Function, Value, ValueKind};
use crate::memory::sum_of_kept_bytes;
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// Removes the blocks from the function. Near-linear in the function.
pub(super) fn run(
    func: &mut Function,
    steps: &mut EmptySteps,
    exits: &mut Exits,
    remarks: &mut Remarks,
) {
    let mut all = func.blocks();
    if !all.any(|b| is_empty_step(func, b) && func.has_phis(b)) {
        return;
    }
    steps.start(func);
    exits.loops.compute(&steps.cfg, &steps.dfs);
    if exits.loops.is_empty() {
        return;
    }
    exits.loops.find_nesting(&mut exits.nesting);
    exits.find_users(func);
    let mut room = MAX_OPERANDS + func.num_entries();
    for i in (0..steps.dfs.rpo().len()).rev() {
        let block = steps.dfs.rpo()[i];
        if steps.may_remove(func, block)
            && steps.cfg.preds(block).len() >= 2
            && !steps.would_double(func, block)
            && exits.meet_needlessly(func, steps, block)
            && spend(&mut room, func, steps, block)
        {
            let to = steps.target(block);
            steps.remove(block);
            remarks.add(Stage::PhiOnlyBlocks, block, Decision::PhisMoved { to });
        }
    }
    steps.apply(func);
}

/// How many operands of phis may be added to a small function: a phi of the target gets one for each
/// predecessor of a removed block. Larger functions get as many as they have entries.
const MAX_OPERANDS: usize = 1 << 16;

/// Takes what a removal adds from the room that is left; returns false if there is not enough, in
/// which case there is none from then on.
fn spend(room: &mut usize, func: &Function, steps: &EmptySteps, block: Block) -> bool {
    let preds = steps.cfg.preds(block).len();
    let phis = func.phis(steps.target(block));
    let left = phis.map(|_| preds).try_fold(*room, usize::checked_sub);
    *room = left.unwrap_or(0);
    left.is_some()
}

/// The analyses that the rule needs.
#[derive(Default)]
pub(super) struct Exits {
    loops: Loops<Block>,
    nesting: Ancestors<Loop>,
    users: EntityVec<Value, User>,
}

sum_of_kept_bytes!(Exits {
    loops,
    nesting,
    users,
});

impl Exits {
    /// Returns whether the edges into an empty block leave a loop that another block leaves for the
    /// target of that block, too, and only phis there use its phis.
    fn meet_needlessly(&self, func: &Function, steps: &EmptySteps, block: Block) -> bool {
        let to = steps.target(block);
        // The loop that a block leaves on its way to here.
        let depth = self.loops.depth_of(self.loops.level_of(block)) + 1;
        let left = |p: Block| self.nesting.at_depth(self.loops.innermost(p), depth);
        let Some(l) = steps.reached_preds(block).next().map(left) else {
            return false;
        };
        let leaves =
            |p: Block| self.loops.depth_of(self.loops.innermost(p)) >= depth && left(p) == l;
        l.is_some()
            && steps.reached_preds(block).all(leaves)
            && steps.reached_preds(to).any(|p| p != block && leaves(p))
            && func
                .phis(block)
                .all(|phi| [User::None, User::PhisOf(to)].contains(&self.users[phi]))
    }

    fn find_users(&mut self, func: &Function) {
        let users = &mut self.users;
        users.reset(func.num_values());
        for block in func.blocks() {
            for inst in func.insts(block) {
                func.uses(inst)
                    .iter()
                    .for_each(|&v| users[v] = User::Others);
            }
            if let Some(v) = func.term(block).value() {
                users[v] = User::Others;
            }
            for operand in func.phis(block).flat_map(|phi| func.phi_operands(phi)) {
                let is_own = func.value_kind(operand.value) == ValueKind::Phi(operand.pred);
                let user = &mut users[operand.value];
                *user = match *user {
                    User::None if is_own => User::PhisOf(block),
                    User::PhisOf(other) if is_own && other == block => User::PhisOf(block),
                    _ => User::Others,
                };
            }
        }
    }
}

/// The users of a value.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum User {
    /// Nothing.
    #[default]
    None,
    /// Only phis of one block, each as the operand for the value's own block.
    PhisOf(Block),
    /// Anything else.
    Others,
}
