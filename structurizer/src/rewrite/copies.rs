//! Copies of small blocks for the edges that cost a selector.
//!
//! A case of a switch that another switch leads to as well, or clean-up code that several branches
//! share, needs a selector where the paths to it cross others. A copy for each path does not. A
//! block is copied if the client allows it for each of its instructions
//! ([`Effects::MAY_DUPLICATE`]), and its values are used in the block alone and by phis of its
//! successors, so that each use keeps the definition that dominates it. Headers of loops are not
//! copied: a loop would have two entries. So every loop keeps its header, and each invocation runs
//! the same instructions in the same iterations. A block with a convergent instruction is copied
//! only where uniform branches keep those that run it together on one side ([`uniform`]).
//!
//! Which edges cost a selector is read off the remarks of the plan. All of them get copies at first,
//! since a selector may be there because of several, and then each copy is taken back that does not
//! make the plan cheaper. Only functions of a few hundred blocks are searched like that.

use alloc::vec::Vec;

use super::reasons::Edge;
use smallvec::SmallVec;

use super::{BlockList, Cost, Planned, Rewriter, uniform};
use crate::analysis::{cfg::Cfg, dfs::Dfs, loops::Loops};
use crate::entity::{EntityRef, EntityVec};
use crate::ir::{
    Block, Effects, Function, InstKind, LoopHint, PhiOperand, Terminator, Value, ValueKind,
};
use crate::maps::FxHashMap;
use crate::memory::sum_of_kept_bytes;
use crate::remark::{Decision, Remarks};
use crate::result::Error;
use crate::stage::Stage;
use crate::target::Target;

/// The most blocks of a function in which copies are tried.
const MAX_BLOCKS: usize = 1 << 9;

/// How many blocks may be planned to spare a selector or a breakable block: each try plans all of the
/// function.
const PLANNED_PER_CONSTRUCT: usize = 1 << 8;

/// The most blocks that are planned to find the copies of a function.
const MAX_PLANNED: usize = 1 << 9;

/// How many instructions and values take as long to copy as a block takes to be planned.
const PER_BLOCK: usize = 16;

/// The most edges that get copies at once.
const MAX_EDGES: usize = 16;

/// The most instructions of a block that is copied.
const MAX_INSTS: usize = 8;

/// How often blocks are copied: a copy may lead to further blocks that are worth one.
const MAX_ROUNDS: usize = 3;

/// A copy: of which block, and for which of its predecessors.
type Copy = (Block, BlockList);

/// Copies small blocks where that makes the plan cheaper.
///
/// # Errors
/// Those of planning, which would be bugs.
pub(super) fn run(rewriter: &mut Rewriter<'_>) -> Result<(), Error> {
    let constructs = Cost::of(&rewriter.best).constructs();
    let mut search = Search {
        rewriter,
        budget: MAX_PLANNED.min(constructs.saturating_mul(PLANNED_PER_CONSTRUCT)),
        scratch: Scratch::default(),
    };
    for _ in 0..MAX_ROUNDS {
        if !search.rewriter.tries(Stage::Copies) || !search.run_once()? {
            break;
        }
    }
    search.rewriter.planner.forget();
    Ok(())
}

/// The search for the copies of a function.
struct Search<'a, 'b> {
    rewriter: &'a mut Rewriter<'b>,
    /// The number of blocks that may still be planned.
    budget: usize,
    scratch: Scratch,
}

impl Search<'_, '_> {
    fn run_once(&mut self) -> Result<bool, Error> {
        let func = &self.rewriter.best.func;
        // The reasons are planned, too.
        if func.num_blocks() > MAX_BLOCKS || self.budget < 2 * planning(func) {
            return Ok(false);
        }
        // The candidates' memory is the planner's, and this plans with it.
        let mut candidates = core::mem::take(&mut self.rewriter.planner.candidates);
        candidates.find(func, self.rewriter.options.target);
        let is_kept = self.copies_of(&candidates);
        self.rewriter.planner.candidates = candidates;
        is_kept
    }

    /// Plans a function with copies of its candidates; returns whether that is kept.
    fn copies_of(&mut self, candidates: &Candidates) -> Result<bool, Error> {
        if !candidates.any {
            return Ok(false);
        }
        let rewriter = &mut *self.rewriter;
        let reasons = rewriter.best.reasons(rewriter.options, rewriter.planner)?;
        let mut edges = reasons.to_vec();
        candidates.retain(&rewriter.best.func, &mut edges);
        edges.truncate(MAX_EDGES);
        if edges.is_empty() {
            return Ok(false);
        }
        let by_loop = candidates.copies_by_loop(&edges);
        let is_shared = by_loop.len() < edges.len();
        let mut plans = [self.cheapest(by_loop)?, None];
        if is_shared {
            let copy = |&(from, to): &Edge| (to, BlockList::from_slice(&[from]));
            plans[1] = self.cheapest(edges.iter().map(copy).collect())?;
        }
        let mut is_kept = false;
        for next in plans.into_iter().flatten() {
            is_kept |= self.rewriter.keep_if_cheaper(next);
        }
        Ok(is_kept)
    }

    /// Plans a function with all of some copies, and without each of them that does not make the
    /// plan cheaper; none if the budget is used up.
    fn cheapest(&mut self, mut copies: Vec<Copy>) -> Result<Option<Planned>, Error> {
        let Some(mut best) = self.with_copies(&copies)? else {
            return Ok(None);
        };
        let mut cost = Cost::of(&best);
        let mut next = 0;
        while next < copies.len() && copies.len() > 1 {
            let mut fewer = copies.clone();
            fewer.remove(next);
            let Some(planned) = self.with_copies(&fewer)? else {
                break;
            };
            if Cost::of(&planned) <= cost {
                cost = Cost::of(&planned);
                self.rewriter
                    .discard(core::mem::replace(&mut best, planned));
                copies = fewer;
            } else {
                self.rewriter.discard(planned);
                next += 1;
            }
        }
        Ok(Some(best))
    }

    /// Plans a function with some copies; none if the budget is used up.
    fn with_copies(&mut self, copies: &[Copy]) -> Result<Option<Planned>, Error> {
        let func = &self.rewriter.best.func;
        let spent = planning(func) + copies.len();
        let Some(left) = self.budget.checked_sub(spent) else {
            return Ok(None);
        };
        self.budget = left;
        let mut func = self.rewriter.planner.copy_of(func);
        let mut remarks = Remarks::new(self.rewriter.options.remarks);
        let mut added = Added::default();
        let mut made = 0;
        for (to, sources) in copies {
            // In the function as it is now: earlier copies part invocations that met before.
            if is_convergent(&func, *to) && !uniform::arrive_apart(&func, *to, sources) {
                continue;
            }
            made += 1;
            let before = added.insts;
            copy(&mut func, *to, sources, &mut added, &mut self.scratch);
            let insts = (added.insts - before) as u32;
            let decision = Decision::CopiedBlock { insts };
            if remarks.wanted() {
                let edges = sources.iter().map(|&from| (from, *to)).collect();
                remarks.add_for_edges(Stage::Copies, *to, decision, edges);
            }
        }
        let mut next = self.rewriter.plan(Stage::Copies, func, remarks, false)?;
        next.copies += made;
        next.copied_insts += added.insts;
        next.operands += added.operands;
        Ok(Some(next))
    }
}

/// Returns what it takes to copy and plan a function, in blocks.
fn planning(func: &Function) -> usize {
    func.num_blocks() + func.num_insts_and_values() / PER_BLOCK
}

/// The blocks that may be copied.
#[derive(Default)]
pub(crate) struct Candidates {
    may_copy: EntityVec<Block, bool>,
    /// Whether a block defines values that others use.
    lends_values: EntityVec<Block, bool>,
    cfg: Cfg<Block>,
    dfs: Dfs<Block>,
    loops: Loops<Block>,
    any: bool,
}

sum_of_kept_bytes!(Candidates {
    may_copy,
    lends_values,
    cfg,
    dfs,
    loops,
    any,
});

impl Candidates {
    fn find(&mut self, func: &Function, target: Target) {
        let Self {
            may_copy,
            lends_values,
            cfg,
            dfs,
            loops,
            any,
        } = self;
        cfg.compute_of(func);
        dfs.compute(cfg, Block::new(0));
        loops.compute(cfg, dfs);
        lends_values.reset(func.num_blocks());
        find_values_used_elsewhere(func, lends_values);
        let any_uniform = func.blocks().any(|block| func.is_uniform(block));
        let is_header = |block: Block| {
            let headed = loops.headed_by(block);
            headed.is_some_and(|l| !loops.is_irreducible(l))
        };
        may_copy.reset(func.num_blocks());
        for block in func.blocks() {
            may_copy[block] = block.index() != 0
                && cfg.preds(block).len() > 1
                && !cfg.succs(block).contains(&block)
                && !lends_values[block]
                && !is_header(block)
                && is_small(func, block)
                && (any_uniform || !is_convergent(func, block))
                && !(target.single_return && matches!(func.term(block), Terminator::Return(_)));
        }
        *any = may_copy.values().contains(&true);
    }

    /// Returns one copy for all edges into a block that come from one loop.
    fn copies_by_loop(&self, edges: &[Edge]) -> Vec<Copy> {
        let key = |&(from, to): &Edge| (to, self.loops.innermost(from));
        let mut edges = edges.to_vec();
        edges.sort_by_key(key);
        let groups = edges.chunk_by(|a, b| key(a) == key(b));
        let copy = |group: &[Edge]| (group[0].1, group.iter().map(|e| e.0).collect());
        groups.map(copy).collect()
    }

    /// Keeps the edges into blocks that may be copied, but for one of each block.
    fn retain(&self, func: &Function, edges: &mut Vec<Edge>) {
        edges.retain(|&(from, to)| self.may_copy[to] && self.cfg.succs(from).contains(&to));
        edges.sort_unstable_by_key(|&(from, to)| (to, from));
        let mut kept = Vec::with_capacity(edges.len());
        for list in edges.chunk_by(|a, b| a.1 == b.1) {
            let preds = self.cfg.preds(list[0].1).iter();
            let all = preds.filter(|&&p| self.dfs.reached(p)).count();
            let takes_all = list.len() >= all;
            kept.extend_from_slice(&list[usize::from(takes_all)..]);
        }
        kept.retain(|&(from, _)| {
            !matches!(func.terminator(from), Some(Terminator::BreakBranch { .. }))
        });
        *edges = kept;
    }
}

/// Returns whether a block has few instructions, all of which may be copied. Empty blocks are the
/// business of other stages.
fn is_small(func: &Function, block: Block) -> bool {
    let may_copy = |inst| {
        let effects = func.effects(inst);
        effects.contains(Effects::MAY_DUPLICATE)
            && matches!(func.inst_kind(inst), InstKind::Client(_))
    };
    let mut count = 0usize;
    for inst in func.insts(block).take(MAX_INSTS + 1) {
        count = count
            .saturating_add(1)
            .saturating_add(func.inside(inst).insts as usize);
    }
    (1..=MAX_INSTS).contains(&count)
        && func.insts(block).all(may_copy)
        && func.loop_hint(block) == LoopHint::None
        && !matches!(
            func.terminator(block),
            None | Some(Terminator::BreakBranch { .. })
        )
}

/// Returns whether a block has a convergent instruction.
fn is_convergent(func: &Function, block: Block) -> bool {
    let mut insts = func.insts(block);
    insts.any(|inst| func.effects(inst).contains(Effects::CONVERGENT))
}

/// Finds for each block whether a value that it defines is used in another one, but by phis of its
/// successors.
fn find_values_used_elsewhere(func: &Function, found: &mut EntityVec<Block, bool>) {
    let mut used = |value: Value, at: Block| {
        if let Some(block) = definition(func, value) {
            found[block] |= block != at;
        }
    };
    for block in func.blocks() {
        for phi in func.phis(block) {
            for operand in func.phi_operands(phi) {
                used(operand.value, operand.pred);
            }
        }
        for inst in func.insts(block) {
            for &value in func.uses(inst) {
                used(value, block);
            }
        }
        if let Some(value) = func.term(block).value() {
            used(value, block);
        }
    }
}

/// Returns the block that defines a value, if it is not defined everywhere.
fn definition(func: &Function, value: Value) -> Option<Block> {
    match func.value_kind(value) {
        ValueKind::Phi(block) => Some(block),
        ValueKind::Result { inst, .. } => Some(func.inst_block(inst)),
        _ => None,
    }
}

/// What copies added to a function.
#[derive(Default)]
struct Added {
    insts: usize,
    /// Operands of phis.
    operands: usize,
}

/// What a block is copied in.
#[derive(Default)]
struct Scratch {
    /// The copies of the block's values.
    new: FxHashMap<Value, Value>,
    operands: Vec<PhiOperand>,
}

/// Gives some predecessors of a block a copy of it.
fn copy(
    func: &mut Function,
    to: Block,
    sources: &[Block],
    added: &mut Added,
    scratch: &mut Scratch,
) {
    let Scratch { new, operands } = scratch;
    new.clear();
    let copy = func.add_block();
    let phis: SmallVec<[Value; 8]> = func.phis(to).collect();
    for &phi in &phis {
        operands.clear();
        operands.extend(func.phi_operands(phi));
        let own = operands.iter().filter(|o| sources.contains(&o.pred));
        // A source may be copied later: its copy then gives the phi another value.
        let is_defined_before = |o: &&PhiOperand| definition(func, o.value) != Some(o.pred);
        if sources.len() == 1
            && let Some(operand) = own.clone().next().filter(is_defined_before)
        {
            new.insert(phi, operand.value);
            continue;
        }
        let copied = func.add_phi(copy, func.value_type(phi));
        for operand in own {
            func.add_phi_operand(copied, operand.pred, operand.value);
        }
        new.insert(phi, copied);
    }
    let insts: SmallVec<[_; MAX_INSTS]> = func.insts(to).collect();
    for &inst in &insts {
        let InstKind::Client(payload) = func.inst_kind(inst) else {
            continue;
        };
        let renamed = |value: &Value| new.get(value).copied().unwrap_or(*value);
        let uses: SmallVec<[Value; 8]> = func.uses(inst).iter().map(renamed).collect();
        let types: SmallVec<[_; 4]> = func.results(inst).map(|v| func.value_type(v)).collect();
        let copied = func.append_inst(copy, payload, func.effects(inst), &uses, &types);
        func.set_inside(copied, func.inside(inst));
        new.extend(func.results(inst).zip(func.results(copied)));
    }
    let mut terminator = func.term(to);
    if let Some(value) = terminator.value_mut() {
        *value = new.get(value).copied().unwrap_or(*value);
    }
    if let Terminator::Switch { cases, .. } = &mut terminator {
        // The cases of a range are changed in place.
        let own = func.cases(*cases).iter().map(|c| (c.literal, c.target));
        let own: Vec<(u64, Block)> = own.collect();
        *cases = func.add_cases(&own);
    }
    func.set_terminator(copy, terminator);
    func.set_uniform(copy, func.is_uniform(to));
    for &from in sources {
        func.retarget(from, |target| if target == to { copy } else { target });
    }
    for phi in phis {
        func.remove_phi_operands(phi, |pred| sources.contains(&pred));
    }
    let mut successors: BlockList = func.successors(copy).collect();
    successors.sort_unstable();
    successors.dedup();
    for next in successors {
        let phis: SmallVec<[Value; 8]> = func.phis(next).collect();
        for phi in phis {
            let mut operands = func.phi_operands(phi);
            if let Some(own) = operands.find(|operand| operand.pred == to) {
                let value = new.get(&own.value).copied().unwrap_or(own.value);
                func.add_phi_operand(phi, copy, value);
                added.operands += 1;
            }
        }
    }
    added.insts += func.num_insts_in(copy);
}
