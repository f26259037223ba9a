//! Rewrites: changes of the function that undo what optimizers do, made only where they pay.
//!
//! A compiler turns `if (a && b)` into branches with a shared target, threads two branches on one
//! condition into each other, and merges all returns into one block. Structured control flow then
//! needs selectors that the source did not. Whether it does is known once a function is planned, so
//! the plan is made first, and a rewrite is tried only on a function whose plan has selectors,
//! breakable blocks or dispatch headers: the rewritten function is planned again, and kept if its
//! [`Cost`] is lower. Both are correct, whatever the cost says.
//!
//! [`improve`] is the list of what is tried, in its order: returns, conditions, copies, flat breaks, and
//! the function without breakable blocks. Each starts from the cheapest plan so far and makes a constant
//! number of plans, whatever the size of the function; copies make a few, within a budget.
//!
//! A rewrite may leave uses that their definitions no longer dominate. SSA construction repairs
//! them like those of any other value that is carried to where it is used.

pub(crate) mod conditions;
mod copies;
mod cost;
pub(crate) mod join;
mod reasons;
mod returns;
mod uniform;

use alloc::vec::Vec;
use core::cell::OnceCell;

pub(crate) use copies::Candidates;
pub(crate) use cost::Cost;
pub(crate) use reasons::Reasons;

use smallvec::SmallVec;

use crate::analysis::cfg::Cfg;
use crate::ir::{Block, Function};
use crate::plan::blocks::Blocks;
use crate::plan::break_flattening::{FEW, SOME};
use crate::planner::{Planner, Shared};
use crate::remark::{Decision, Remarks};
use crate::result::{Error, Options};
use crate::snapshot::{Snapshot, Snapshots, of_function};
use crate::stage::{Stage, Stages};
use crate::weights::CostWeights;

/// Maximum rounds of return splitting; a split can expose another selector.
const MAX_SPLITS: usize = 4;

/// How deep selections nest, at most, where breaks are nested because that is cheaper. Drivers walk
/// them with recursion.
const MAX_NESTED: usize = 24;

/// A list of a few blocks, nearly always without an allocation.
pub(crate) type BlockList = SmallVec<[Block; 4]>;

/// The stages that change the function before the rewrites do: what they removed stays removed.
pub(crate) const PASSES: [Stage; 2] = [Stage::PhiOnlyBlocks, Stage::EmptyBlocks];

/// A function after the passes, and the plan of its output.
#[derive(Clone)]
pub(crate) struct Planned {
    /// Plans of one function share it.
    pub(crate) func: Shared,
    pub(crate) blocks: Blocks,
    /// The weights of its cost.
    pub(crate) weights: CostWeights,
    /// Number of blocks that rewrites added.
    pub(crate) added: usize,
    /// Number of copies of blocks that rewrites added.
    pub(crate) copies: usize,
    /// Number of instructions that rewrites copied.
    pub(crate) copied_insts: usize,
    /// Number of operands of phis that rewrites added.
    pub(crate) operands: usize,
    /// [`Options::many_breaks`] of the plan.
    pub(crate) many_breaks: u32,
    /// [`Options::stages`] of the plan.
    pub(crate) stages: Stages,
    /// Remarks of the rewrites that were made, and of the passes on the function before them.
    pub(crate) remarks: Remarks,
    /// The function after each rewrite that was made, if pictures are wanted.
    pub(crate) pictures: Vec<Snapshot>,
    /// The edges that the plan's selectors, breakable blocks and dispatch headers are there for.
    pub(crate) reasons: Reasons,
    /// What the plan costs, if it is known yet.
    pub(crate) cost: OnceCell<Cost>,
}

impl Planned {
    /// Returns the function with the blocks of another plan.
    fn with_blocks(&self, mut blocks: Blocks) -> Self {
        blocks.needs_ssa_repair |= self.blocks.needs_ssa_repair;
        Self {
            func: self.func.clone(),
            blocks,
            weights: self.weights,
            added: self.added,
            copies: self.copies,
            copied_insts: self.copied_insts,
            operands: self.operands,
            many_breaks: self.many_breaks,
            stages: self.stages,
            remarks: self.remarks.clone(),
            pictures: self.pictures.clone(),
            reasons: Reasons::default(),
            cost: OnceCell::new(),
        }
    }

    /// Returns the number of copies of blocks that the plan and rewrites made.
    fn num_copies(&self) -> usize {
        self.blocks.report.copies as usize + self.copies
    }
}

/// Tries the rewrites on a planned function, one after the other; returns the cheapest function, and
/// whether it is another one.
///
/// # Errors
/// Those of planning, which would be bugs.
pub(crate) fn improve(
    planned: Planned,
    options: &Options,
    max_entries: usize,
    wants_pictures: bool,
    planner: &mut Planner,
) -> Result<(Planned, bool), Error> {
    let mut rewriter = Rewriter {
        planner,
        options,
        max_entries,
        wants_pictures,
        best: planned,
        is_other: false,
    };
    rewriter.improve_returns()?;
    rewriter.improve_conditions()?;
    rewriter.improve_copies()?;
    rewriter.improve_flat_breaks()?;
    rewriter.improve_nesting()?;
    Ok((rewriter.best, rewriter.is_other))
}

struct Rewriter<'a> {
    planner: &'a mut Planner,
    options: &'a Options,
    /// The most entries that a function may have in the end.
    max_entries: usize,
    wants_pictures: bool,
    /// The cheapest plan so far.
    best: Planned,
    /// True if it is not the one before all rewrites any more.
    is_other: bool,
}

impl Rewriter<'_> {
    /// Returns whether a stage runs, and whether the plan has constructs that it may save.
    fn tries(&self, stage: Stage) -> bool {
        self.options.stages.contains(stage) && Cost::of(&self.best).is_worth_a_try()
    }

    /// Keeps a plan if it is cheaper than the best one; returns whether it is.
    fn keep_if_cheaper(&mut self, next: Planned) -> bool {
        let is_cheaper = Cost::of(&next) < Cost::of(&self.best);
        let other = match is_cheaper {
            true => core::mem::replace(&mut self.best, next),
            false => next,
        };
        self.discard(other);
        self.is_other |= is_cheaper;
        is_cheaper
    }

    /// Tries the rewrite of conditions.
    fn improve_conditions(&mut self) -> Result<(), Error> {
        if self.tries(Stage::Conditions)
            && let Some(next) = self.join_conditions()?
        {
            self.keep_if_cheaper(next);
        }
        Ok(())
    }

    /// Tries the rewrites of returns.
    fn improve_returns(&mut self) -> Result<(), Error> {
        // First the edges that are the reason of a selector, then, for few of them, all: some edges only
        // change where control meets otherwise.
        let mut edges = returns::Edges::Named;
        for _ in 0..MAX_SPLITS {
            if !self.tries(Stage::Returns) {
                break;
            }
            let before = Cost::of(&self.best);
            let is_kept = match self.split_returns(edges)? {
                Some(next) => self.keep_if_cheaper(next),
                None => false,
            };
            if is_kept {
                if !Cost::of(&self.best).is_much_less_than(before) {
                    break;
                }
            } else if edges == returns::Edges::Named && before.has_few_constructs() {
                edges = returns::Edges::All;
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Tries copies of blocks.
    fn improve_copies(&mut self) -> Result<(), Error> {
        if self.tries(Stage::Copies) {
            copies::run(self)?;
        }
        Ok(())
    }

    /// Plans the function with its breaks in flat form, where they are not many, too.
    fn improve_flat_breaks(&mut self) -> Result<(), Error> {
        let many_breaks = match self.options.weights.count_exits() {
            true => FEW,
            false => SOME,
        };
        if !self.tries(Stage::BreakableBlocks)
            || !self.has_shared_targets(&self.best.func, many_breaks)
        {
            return Ok(());
        }
        let options = Options {
            many_breaks,
            ..self.options.clone()
        };
        if let Some(blocks) = self.planner.plan_flat_breaks(&self.best.func, &options)? {
            let mut next = self.best.with_blocks(blocks);
            next.many_breaks = many_breaks;
            self.keep_if_cheaper(next);
        }
        Ok(())
    }

    /// Plans the function without breakable blocks, where it matters how nested selections are left.
    fn improve_nesting(&mut self) -> Result<(), Error> {
        let options = self.options;
        if !options.weights.count_exits()
            || options.target.multi_level
            || self.best.blocks.report.breakable_blocks == 0
        {
            return Ok(());
        }
        let options = Options {
            stages: options.stages.without(Stage::BreakableBlocks),
            ..options.clone()
        };
        let (mut remarks, mut snapshots) = (Remarks::new(false), Snapshots::none());
        let func = &self.best.func;
        let planner = &mut *self.planner;
        let blocks = planner.plan_blocks(func, &options, &mut remarks, &mut snapshots)?;
        let mut next = self.best.with_blocks(blocks);
        next.stages = options.stages;
        if next.blocks.selections(&next.func).depth > MAX_NESTED {
            self.discard(next);
            return Ok(());
        }
        let (stage, entry) = (Stage::BreakableBlocks, Block::from_u32(0));
        next.remarks.add(stage, entry, Decision::SelectorsInstead);
        self.keep_if_cheaper(next);
        Ok(())
    }

    /// Uses the memory of a plan again.
    fn discard(&mut self, planned: Planned) {
        self.planner.recycle_shared(planned.func);
        self.planner.recycle(planned.blocks);
    }

    fn join_conditions(&mut self) -> Result<Option<Planned>, Error> {
        let mut remarks = Remarks::new(self.options.remarks);
        let mut func = self.planner.copy_of(&self.best.func);
        // The rest of the room is for SSA construction.
        let room = self.max_entries.saturating_sub(func.num_entries()) / 4;
        let operands = conditions::run(&mut func, &mut remarks, room, &mut self.planner.conditions);
        self.planner.forget();
        let Some(operands) = operands else {
            self.planner.recycle_function(func);
            return Ok(None);
        };
        let mut next = self.plan(Stage::Conditions, func, remarks, false)?;
        next.operands += operands;
        Ok(Some(next))
    }

    fn split_returns(&mut self, edges: returns::Edges) -> Result<Option<Planned>, Error> {
        let Some(split) = returns::run(&self.best, edges, self.options, self.planner)? else {
            return Ok(None);
        };
        let mut next = self.plan(Stage::Returns, split.func, split.remarks, true)?;
        next.copies += next.added - self.best.added;
        Ok(Some(next))
    }

    /// Plans a function that a stage rewrote, without remarks and pictures of the stages after it.
    fn plan(
        &mut self,
        stage: Stage,
        func: Function,
        remarks: Remarks,
        wants_reasons: bool,
    ) -> Result<Planned, Error> {
        let before = &self.best;
        let added = before.added + func.num_blocks() - before.func.num_blocks();
        let mut pictures = before.pictures.clone();
        if self.wants_pictures {
            pictures.retain(|picture| picture.stage != Some(stage));
            pictures.push(of_function(&func, Some(stage)));
        }
        let (mut of_passes, mut of_plan) = (
            Remarks::new(self.options.remarks),
            Remarks::with_edges(wants_reasons),
        );
        let mut snapshots = Snapshots::none();
        let mut func = func;
        let planner = &mut *self.planner;
        planner.clean(&mut func, self.options, &mut of_passes, &mut snapshots);
        planner.shrink(&mut func);
        let planned = planner.plan_clean(func, self.options, &mut of_plan, &mut snapshots)?;
        let reasons = if wants_reasons {
            Reasons::of_remarks(&planned.func, of_plan)
        } else {
            Reasons::default()
        };
        let mut all = before.remarks.clone();
        all.append(remarks);
        all.append(of_passes);
        Ok(Planned {
            blocks: Blocks {
                // Definitions may not dominate their uses any more.
                needs_ssa_repair: true,
                ..planned.blocks
            },
            added,
            copies: before.copies,
            copied_insts: before.copied_insts,
            operands: before.operands,
            remarks: all,
            pictures,
            reasons,
            ..planned
        })
    }

    /// Returns whether there are several blocks that so many branches lead to that break flattening
    /// may move them, but no more than [`Options::max_flat_breaks`] of them.
    fn has_shared_targets(&self, func: &Function, many_breaks: u32) -> bool {
        let cfg = Cfg::of(func);
        let branches = func.blocks().map(|block| cfg.preds(block).len());
        let (targets, breaks) = branches
            .filter(|&branches| branches >= many_breaks as usize)
            .fold((0, 0), |(targets, sum), branches| {
                (targets + 1, sum + branches)
            });
        targets > 1 && breaks <= self.options.max_flat_breaks as usize
    }
}
