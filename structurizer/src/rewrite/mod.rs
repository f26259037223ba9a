//! Rewrites: changes of the function that undo what optimizers do, made only where they pay.
//!
//! A compiler turns `if (a && b)` into branches with a shared target, threads two branches on one
//! condition into each other, and merges all returns into one block. Structured control flow then
//! needs selectors that the source did not. Whether it does is known once a function is planned, so
//! the plan is made first, and a rewrite is tried only on a function whose plan has selectors,
//! breakable blocks or dispatch headers: the rewritten function is planned again, and kept if its
//! [`Cost`] is lower. Both are correct, whatever the cost says.
//!
//! A rewrite may leave uses that their definitions no longer dominate. SSA construction repairs
//! them like those of any other value that is carried to where it is used.

mod conditions;
mod cost;
mod join;
mod returns;

pub(crate) use cost::Cost;

use crate::ir::Function;
use crate::plan::blocks::Blocks;
use crate::remark::Remarks;
use crate::result::{Error, Options};
use crate::snapshot::Snapshots;
use crate::stage::Stage;

/// How often returns are split: a split may show another selector that it was hidden by.
const MAX_SPLITS: usize = 4;

/// A function after the passes, and the plan of its output.
pub(crate) struct Planned {
    pub(crate) func: Function,
    pub(crate) blocks: Blocks,
    /// Number of blocks that rewrites added.
    pub(crate) added: usize,
    /// Number of copies of empty ends that rewrites added.
    pub(crate) copies: usize,
    /// Number of operands of phis that rewrites added.
    pub(crate) operands: usize,
    /// Remarks of the rewrites that were made.
    pub(crate) remarks: Remarks,
}

/// Tries the rewrites on a planned function; returns the rewritten function if it is cheaper.
///
/// # Errors
/// Those of planning, which would be bugs.
pub(crate) fn improve(planned: &Planned, options: &Options) -> Result<Option<Planned>, Error> {
    let mut best: Option<Planned> = None;
    let mut cost = Cost::of(planned);
    let runs = |stage: Stage| options.stages.contains(stage);
    if runs(Stage::Conditions) && cost.is_worth_a_try() {
        let mut remarks = Remarks::new(options.remarks);
        let mut func = planned.func.clone();
        if let Some(operands) = conditions::run(&mut func, &mut remarks) {
            let mut next = plan_quietly(func, planned, remarks, options)?;
            next.operands += operands;
            if Cost::of(&next) < cost {
                cost = Cost::of(&next);
                best = Some(next);
            }
        }
    }
    // First the edges that are the reason of a selector, then all: some edges only change where
    // control meets otherwise.
    let mut edges = returns::Edges::Named;
    for _ in 0..MAX_SPLITS {
        if !runs(Stage::Returns) || !cost.is_worth_a_try() {
            break;
        }
        let from = best.as_ref().unwrap_or(planned);
        let split = returns::run(from, edges, options)?;
        let next = match split {
            Some(split) => {
                let mut next = plan_quietly(split.func, from, split.remarks, options)?;
                next.copies += next.added - from.added;
                Some(next)
            }
            None => None,
        };
        match next.filter(|next| Cost::of(next) < cost) {
            Some(next) => {
                cost = Cost::of(&next);
                best = Some(next);
            }
            None if edges == returns::Edges::Named => edges = returns::Edges::All,
            None => break,
        }
    }
    Ok(best)
}

/// Plans a rewritten function, without remarks and pictures of the stages.
fn plan_quietly(
    func: Function,
    before: &Planned,
    remarks: Remarks,
    options: &Options,
) -> Result<Planned, Error> {
    let added = before.added + func.num_blocks() - before.func.num_blocks();
    let mut planned = crate::plan_function(
        func,
        options,
        &mut Remarks::new(false),
        &mut Snapshots(None),
    )?;
    planned.added = added;
    planned.copies = before.copies;
    planned.operands = before.operands;
    planned.remarks = before.remarks.clone();
    planned.remarks.append(remarks);
    // Definitions may not dominate their uses any more.
    planned.blocks.needs_ssa_repair = true;
    Ok(planned)
}
