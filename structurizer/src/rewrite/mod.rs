//! Rewrites: changes of the function that undo what optimizers do, made only where they pay.
//!
//! A compiler turns `if (a && b)` into branches with a shared target, threads two branches on one
//! condition into each other, and merges all returns into one block. Structured control flow then
//! needs selectors that the source did not. Whether it does is known once a function is planned, so
//! the plan is made first, and a rewrite is tried only on a function whose plan has selectors,
//! breakable blocks or dispatch headers: the rewritten function is planned again, and kept if its
//! [`Cost`] is lower. Both are correct, whatever the cost says.
//!
//! A function is planned up to once more for the conditions, once for each of [`MAX_SPLITS`] rounds
//! of returns, and once for the [`reasons`] of the first, so that rewrites cost a constant number of
//! plans, whatever its size. Copies are searched for in small functions, within a budget. Last, the
//! shape with flat breaks is planned.
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
use crate::search;
use crate::snapshot::{Snapshot, Snapshots, of_function};
use crate::stage::{Stage, Stages};
use crate::weights::CostWeights;

/// How often returns are split: a split may show another selector that it was hidden by.
const MAX_SPLITS: usize = 4;

/// How deep selections nest, at most, where breaks are nested because that is cheaper. Drivers walk
/// them with recursion.
const MAX_NESTED: usize = 24;

/// The most blocks of a function whose rewrites are all tried for each set of stages. Larger ones start from
/// the conditions and returns that were best with all stages: of 13 shaders of games' sizes one gets another
/// result, and all take an eighth less time.
const MAX_THOROUGH: usize = 64;

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
    /// True if the blocks are those of a program that was searched.
    pub(crate) is_searched: bool,
    /// Remarks of the rewrites that were made, and of the passes on the function before them.
    pub(crate) remarks: Remarks,
    /// The function after each rewrite that was made, if pictures are wanted.
    pub(crate) pictures: Vec<Snapshot>,
    /// The edges that the plan's selectors, breakable blocks and dispatch headers are there for.
    pub(crate) reasons: Reasons,
    /// What the exits of the blocks cost, if it is known yet.
    pub(crate) exits: OnceCell<usize>,
}

impl Planned {
    /// Returns the function with what is known of the rewrites, without a plan.
    fn without_plan(&self, options: &Options) -> Self {
        Self {
            func: self.func.clone(),
            blocks: Blocks::default(),
            weights: options.weights,
            added: self.added,
            copies: self.copies,
            copied_insts: self.copied_insts,
            operands: self.operands,
            many_breaks: options.many_breaks,
            stages: options.stages,
            is_searched: false,
            remarks: self.remarks.clone(),
            pictures: self.pictures.clone(),
            reasons: Reasons::default(),
            exits: OnceCell::new(),
        }
    }

    /// Returns the number of copies of blocks that the plan and rewrites made.
    fn num_copies(&self) -> usize {
        self.blocks.report.copies as usize + self.copies
    }
}

/// Tries the rewrites on a planned function; returns the cheapest function, and whether it is another one.
///
/// Where exits from nested selections cost something, the same is done without breakable blocks and
/// without branches to a continue target other than the end of the loop's body, if there are any.
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
        tries_flat_breaks: true,
    };
    let is_small = planned.func.num_blocks() <= MAX_THOROUGH;
    let mut best = Best {
        first: planned,
        better: None,
        is_other: false,
    };
    let is_searched = is_small || search::is_searched(&best.first.func);
    best.better = rewriter.improve_conditions(&best.first)?;
    if !is_searched {
        best.drop_first(&mut rewriter);
    }
    best.better = rewriter.improve_returns(&best.first, best.better.take())?;
    if !is_searched {
        best.drop_first(&mut rewriter);
    }
    best.better = rewriter.improve_exits(&best.first, best.better.take(), is_searched)?;
    if !is_small {
        best.drop_first(&mut rewriter);
    }
    if !options.weights.count_exits() || options.target.multi_level {
        return Ok(best.finish(&mut rewriter));
    }
    let exits = exits_of(best.get());
    if exits.is_empty() {
        return Ok(best.finish(&mut rewriter));
    }
    // Of 55 functions of shaders none has flat breaks without some exits, but not with all.
    let has_flat_breaks = best.get().many_breaks < options.many_breaks;
    let mut cost = Cost::of_program(best.get());
    let mut stages: SmallVec<[Stages; 3]> = SmallVec::new();
    stages.extend(exits.iter().map(|&exit| options.stages.without(exit)));
    if let [one, other] = exits[..] {
        stages.push(options.stages.without(one).without(other));
    }
    for stages in stages {
        let options = Options {
            stages,
            ..options.clone()
        };
        let mut rewriter = Rewriter {
            planner: &mut *rewriter.planner,
            options: &options,
            tries_flat_breaks: has_flat_breaks,
            ..rewriter
        };
        let from = match is_small {
            true => &best.first,
            false => best.get(),
        };
        let Some(next) = rewriter.without_exits(from, &exits, cost)? else {
            continue;
        };
        let new = Cost::of_program(&next);
        if new < cost && next.blocks.selections(&next.func).depth <= MAX_NESTED {
            cost = new;
            rewriter.replace(&mut best.better, next);
        } else {
            rewriter.discard(next);
        }
    }
    Ok(best.finish(&mut rewriter))
}

/// The plan that rewrites start from, and the best one that they made.
struct Best {
    first: Planned,
    better: Option<Planned>,
    /// True if `first` is not the plan before all rewrites any more.
    is_other: bool,
}

impl Best {
    fn get(&self) -> &Planned {
        self.better.as_ref().unwrap_or(&self.first)
    }

    /// Forgets the first one if there is a better one, where no further rewrite starts from it.
    fn drop_first(&mut self, rewriter: &mut Rewriter<'_>) {
        if let Some(better) = self.better.take() {
            rewriter.discard(core::mem::replace(&mut self.first, better));
            self.is_other = true;
        }
    }

    fn finish(mut self, rewriter: &mut Rewriter<'_>) -> (Planned, bool) {
        self.drop_first(rewriter);
        (self.first, self.is_other)
    }
}

/// Returns the stages that make exits of a plan that may cost more than selectors.
fn exits_of(planned: &Planned) -> SmallVec<[Stage; 2]> {
    let mut exits = SmallVec::new();
    if planned.blocks.report.breakable_blocks > 0 {
        exits.push(Stage::BreakableBlocks);
    }
    if planned.blocks.repeated_continues(&planned.func) > 0 {
        exits.push(Stage::ContinueTargets);
    }
    exits
}

impl Rewriter<'_> {
    /// Tries the rewrites with one set of stages.
    fn improve(&mut self, planned: &Planned) -> Result<Option<Planned>, Error> {
        let conditions = self.improve_conditions(planned)?;
        let branches = self.improve_returns(planned, conditions)?;
        self.improve_exits(planned, branches, true)
    }

    /// Tries the rewrite of conditions.
    fn improve_conditions(&mut self, planned: &Planned) -> Result<Option<Planned>, Error> {
        let cost = Cost::of(planned);
        if !self.options.stages.contains(Stage::Conditions) || !cost.is_worth_a_try() {
            return Ok(None);
        }
        let next = self.join_conditions(planned)?;
        Ok(self.keep_if(next, |next| Cost::of(next) < cost))
    }

    /// Tries the rewrites of returns on a plan, or on the one that the rewrite of conditions made of it.
    fn improve_returns(
        &mut self,
        planned: &Planned,
        mut best: Option<Planned>,
    ) -> Result<Option<Planned>, Error> {
        let options = self.options;
        let mut cost = Cost::of(best.as_ref().unwrap_or(planned));
        let runs = |stage: Stage| options.stages.contains(stage);
        // First the edges that are the reason of a selector, then, for few of them, all: some edges only
        // change where control meets otherwise.
        let mut edges = returns::Edges::Named;
        for _ in 0..MAX_SPLITS {
            if !runs(Stage::Returns) || !cost.is_worth_a_try() {
                break;
            }
            let next = self.split_returns(best.as_ref().unwrap_or(planned), edges)?;
            match self.keep_if(next, |next| Cost::of(next) < cost) {
                Some(next) => {
                    let is_last = !Cost::of(&next).is_much_less_than(cost);
                    cost = Cost::of(&next);
                    self.replace(&mut best, next);
                    if is_last {
                        break;
                    }
                }
                None if edges == returns::Edges::Named && cost.has_few_constructs() => {
                    edges = returns::Edges::All;
                }
                None => break,
            }
        }
        Ok(best)
    }

    /// Tries copies of blocks, flat breaks and the search on a plan, or on the one that rewrites made of it.
    /// The former is searched, too, if `is_searched`.
    fn improve_exits(
        &mut self,
        planned: &Planned,
        mut best: Option<Planned>,
        is_searched: bool,
    ) -> Result<Option<Planned>, Error> {
        let options = self.options;
        let runs = |stage: Stage| options.stages.contains(stage);
        // Copies take edges from nodes that breaks share, so the flat form is made of what was before.
        let from = best.as_ref().unwrap_or(planned);
        let copied = match runs(Stage::Copies) {
            true => copies::run(self, from)?,
            false => None,
        };
        let mut flat = None;
        if runs(Stage::BreakableBlocks) && self.tries_flat_breaks {
            flat = self.flatten_breaks(from, copied.as_ref().unwrap_or(from))?;
        }
        for next in [copied, flat].into_iter().flatten() {
            self.replace(&mut best, next);
        }
        if runs(Stage::ProgramSearch) {
            let least = best.as_ref().unwrap_or(planned);
            let mut found = self.search(least, least);
            if best.is_some() && is_searched {
                // The function as it was may be the better start.
                let least = found.as_ref().unwrap_or(least);
                if let Some(next) = self.search(planned, least) {
                    self.replace(&mut found, next);
                }
            }
            if let Some(next) = found {
                self.replace(&mut best, next);
            }
        }
        Ok(best)
    }

    /// Plans a function again, and tries the rewrites, without some stages that make exits.
    /// None if the plan is so much more expensive than another one that rewrites seldom make it cheaper.
    fn without_exits(
        &mut self,
        planned: &Planned,
        exits: &[Stage],
        cost: Cost,
    ) -> Result<Option<Planned>, Error> {
        // Its rewrites start from its reasons.
        let (mut remarks, mut snapshots) = (Remarks::with_edges(true), Snapshots::none());
        let blocks =
            self.planner
                .plan_blocks(&planned.func, self.options, &mut remarks, &mut snapshots)?;
        let mut plain = Planned {
            blocks,
            ..planned.without_plan(self.options)
        };
        plain.blocks.needs_ssa_repair |= planned.blocks.needs_ssa_repair;
        if Cost::of_program(&plain).is_hopeless(cost) {
            self.discard(plain);
            return Ok(None);
        }
        plain.reasons = Reasons::of_remarks(&plain.func, remarks);
        let better = match plain.func.num_blocks() {
            0..=MAX_THOROUGH => self.improve(&plain)?,
            _ => self.improve_exits(&plain, None, true)?,
        };
        let mut next = match better {
            Some(next) => {
                self.discard(plain);
                next
            }
            None => plain,
        };
        for &stage in exits {
            if !self.options.stages.contains(stage) {
                let entry = Block::from_u32(0);
                next.remarks.add(stage, entry, Decision::SelectorsInstead);
            }
        }
        Ok(Some(next))
    }
}

struct Rewriter<'a> {
    planner: &'a mut Planner,
    options: &'a Options,
    /// The most entries that a function may have in the end.
    max_entries: usize,
    wants_pictures: bool,
    /// True if plans with flat breaks are made, too.
    tries_flat_breaks: bool,
}

impl Rewriter<'_> {
    /// Returns a plan if it is worth it; else its memory is used again.
    fn keep_if(
        &mut self,
        next: Option<Planned>,
        is_worth_it: impl FnOnce(&Planned) -> bool,
    ) -> Option<Planned> {
        let next = next?;
        if is_worth_it(&next) {
            return Some(next);
        }
        self.discard(next);
        None
    }

    /// Puts a plan in the place of a worse one.
    fn replace(&mut self, best: &mut Option<Planned>, next: Planned) {
        if let Some(worse) = best.replace(next) {
            self.discard(worse);
        }
    }

    /// Uses the memory of a plan again.
    fn discard(&mut self, planned: Planned) {
        self.planner.recycle_shared(planned.func);
        self.planner.recycle(planned.blocks);
    }

    fn join_conditions(&mut self, before: &Planned) -> Result<Option<Planned>, Error> {
        let mut remarks = Remarks::new(self.options.remarks);
        let mut func = self.planner.copy_of(&before.func);
        // The rest of the room is for SSA construction.
        let room = self.max_entries.saturating_sub(func.num_entries()) / 4;
        let operands = conditions::run(&mut func, &mut remarks, room, &mut self.planner.conditions);
        self.planner.forget();
        let Some(operands) = operands else {
            self.planner.recycle_function(func);
            return Ok(None);
        };
        let mut next = self.plan(Stage::Conditions, func, before, remarks, false)?;
        next.operands += operands;
        Ok(Some(next))
    }

    fn split_returns(
        &mut self,
        before: &Planned,
        edges: returns::Edges,
    ) -> Result<Option<Planned>, Error> {
        let Some(split) = returns::run(before, edges, self.options, self.planner)? else {
            return Ok(None);
        };
        let mut next = self.plan(Stage::Returns, split.func, before, split.remarks, true)?;
        next.copies += next.added - before.added;
        Ok(Some(next))
    }

    /// Plans a function with its breaks in flat form, where they are not many, too; none if that is
    /// not cheaper than `least`.
    fn flatten_breaks(
        &mut self,
        before: &Planned,
        least: &Planned,
    ) -> Result<Option<Planned>, Error> {
        let func = &before.func;
        let many_breaks = match self.options.weights.count_exits() {
            true => FEW,
            false => SOME,
        };
        if !Cost::of(before).is_worth_a_try() || !self.has_shared_targets(func, many_breaks) {
            return Ok(None);
        }
        let options = Options {
            many_breaks,
            ..self.options.clone()
        };
        let flat = self.planner.plan_flat_breaks(func, &options)?;
        let Some(mut blocks) = flat else {
            return Ok(None);
        };
        blocks.needs_ssa_repair |= before.blocks.needs_ssa_repair;
        if Cost::of_program_blocks(&blocks, before) >= Cost::of_program(least) {
            self.planner.recycle(blocks);
            return Ok(None);
        }
        let mut next = self.with_blocks(before, blocks);
        next.many_breaks = many_breaks;
        Ok(Some(next))
    }

    /// Returns a planned function with other blocks.
    fn with_blocks(&self, before: &Planned, blocks: Blocks) -> Planned {
        Planned {
            blocks,
            reasons: before.reasons.clone(),
            is_searched: before.is_searched,
            many_breaks: before.many_breaks,
            stages: before.stages,
            ..before.without_plan(self.options)
        }
    }

    /// Searches a plan of a function that is cheaper than another plan.
    fn search(&mut self, from: &Planned, least: &Planned) -> Option<Planned> {
        let spares_copies = from.copies < least.num_copies();
        if !Cost::of_output(least).is_worth_a_try() && !spares_copies {
            return None;
        }
        let limit = Cost::of_program(least);
        // One without tests and breakable blocks may still spare the copies.
        let constructs = Cost::of_constructs(least).max(1);
        let room = self.max_entries.saturating_sub(from.func.num_entries()) / 4;
        let mut remarks = Remarks::new(self.options.remarks);
        remarks.add(
            Stage::ProgramSearch,
            Block::from_u32(0),
            Decision::SearchedProgram,
        );
        let found = search::run(&from.func, self.options, constructs, room, &mut remarks)?;
        let mut next = self.with_blocks(from, found.blocks);
        next.is_searched = true;
        if let Some(joined) = found.joined {
            next.added += joined.func.num_blocks() - next.func.num_blocks();
            next.operands += joined.operands;
            next.func = self.planner.share(joined.func);
            next.remarks.append(joined.remarks);
            if self.wants_pictures {
                next.pictures
                    .push(of_function(&next.func, Some(Stage::Conditions)));
            }
        }
        next.remarks.append(remarks);
        self.keep_if(Some(next), |next| Cost::of_program(next) < limit)
    }

    /// Plans a function that a stage rewrote, without remarks and pictures of the stages after it.
    fn plan(
        &mut self,
        stage: Stage,
        func: Function,
        before: &Planned,
        remarks: Remarks,
        wants_reasons: bool,
    ) -> Result<Planned, Error> {
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
