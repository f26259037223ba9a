//! Blocks that need not be: stages 1 and 5.
//!
//! Both take blocks without instructions out of the graph: their predecessors go on directly, and
//! the phis behind them get the operands of both. That is right for any such block; which ones go
//! is a matter of shape, and each stage has its rule in a file of its own. The function stays what
//! it was where no block goes.
//!
//! Precondition: a checked function. Postcondition: a checked function with the same traces; blocks
//! that went are unreachable.

mod break_phis;
mod degenerate;

use crate::graph::{Cfg, NONE, dfs::Dfs};
use crate::ir::{Block, Function, Terminator, Value, ValueKind};
use crate::result::Options;
use crate::stage::{Remarks, Stage};

/// A switch with more successors keeps its empty cases.
const MANY: usize = 16;

/// A stage that changes the function.
pub(crate) type Pass = fn(&mut Function, &Options, &mut Remarks);

/// Runs stage 1.
pub(crate) fn break_phis(func: &mut Function, options: &Options, remarks: &mut Remarks) {
    if options.stages.contains(Stage::BreakPhis)
        && func
            .blocks()
            .any(|b| is_empty_step(func, b) && func.has_phis(b))
    {
        let mut cleanup = Cleanup::new(func);
        break_phis::choose(func, &mut cleanup, remarks);
        cleanup.apply(func);
    }
}

/// Runs stage 5.
pub(crate) fn degenerate(func: &mut Function, options: &Options, remarks: &mut Remarks) {
    if options.stages.contains(Stage::DegenerateBlocks)
        && func
            .blocks()
            .any(|b| is_empty_step(func, b) && !func.has_phis(b))
    {
        let mut cleanup = Cleanup::new(func);
        degenerate::choose(func, &mut cleanup, remarks);
        cleanup.apply(func);
    }
}

/// Whether a block has no instructions and one way on. The entry has to stay.
fn is_empty_step(func: &Function, block: Block) -> bool {
    block.as_u32() != 0
        && func.insts(block).next().is_none()
        && matches!(func.term(block), Terminator::Branch(to) if to != block)
}

/// The graph of a function by block number, and the blocks that go.
struct Cleanup {
    cfg: Cfg,
    dfs: Dfs,
    /// Where control ends up that goes to a block: itself, unless the block goes.
    leads_to: Vec<u32>,
    any: bool,
}

impl Cleanup {
    fn new(func: &Function) -> Self {
        let n = func.num_blocks();
        let (mut start, mut succs, mut stamp) = (vec![0], Vec::with_capacity(n * 2), vec![NONE; n]);
        for block in func.blocks() {
            for to in func.successors(block) {
                if std::mem::replace(&mut stamp[to.as_u32() as usize], block.as_u32())
                    != block.as_u32()
                {
                    succs.push(to.as_u32());
                }
            }
            start.push(succs.len() as u32);
        }
        let cfg = Cfg::new(start, succs);
        let dfs = Dfs::new(&cfg, 0);
        Self {
            leads_to: (0..n as u32).collect(),
            any: false,
            cfg,
            dfs,
        }
    }

    /// Takes a block with one successor out. The blocks behind it were decided before.
    fn remove(&mut self, block: u32) {
        self.leads_to[block as usize] = self.target(block);
        self.any = true;
    }
    /// Where control would go on if the block went.
    fn target(&self, block: u32) -> u32 {
        self.leads_to[self.cfg.succs(block)[0] as usize]
    }
    fn is_back_edge(&self, from: u32, to: u32) -> bool {
        self.dfs.is_ancestor(to, from)
    }
    /// Whether nothing but their place in the graph keeps a block: reached by forward edges only,
    /// and not the way back to a header.
    fn may_go(&self, func: &Function, block: u32) -> bool {
        let b = Block::from_u32(block);
        let plain = |p: u32| {
            !matches!(
                func.term(Block::from_u32(p)),
                Terminator::BreakBranch { .. }
            )
        };
        self.dfs.reached(block)
            && is_empty_step(func, b)
            && func.loop_hint(b) == crate::ir::LoopHint::None
            && !self.is_back_edge(block, self.target(block))
            && self
                .cfg
                .preds(block)
                .iter()
                .all(|&p| !self.dfs.reached(p) || !self.is_back_edge(p, block) && plain(p))
    }
    /// Whether some predecessor would get a second way to where the block leads: phis there could
    /// not tell them apart, and a branch would be none any more.
    fn would_double(&self, func: &Function, block: u32) -> bool {
        let to = self.target(block);
        let leads_there = |p: u32| {
            self.cfg
                .succs(p)
                .iter()
                .any(|&s| s != block && self.leads_to[s as usize] == to)
        };
        // A switch is asked for each of its successors: one with many keeps its empty cases, and so
        // does one with phis at stake.
        let has_phis = func.has_phis(Block::from_u32(to));
        let is_switch = |p: u32| {
            matches!(func.term(Block::from_u32(p)), Terminator::Switch { .. })
                && (has_phis || self.cfg.succs(p).len() > MANY)
        };
        self.cfg
            .preds(block)
            .iter()
            .any(|&p| self.dfs.reached(p) && (is_switch(p) || leads_there(p)))
    }

    /// Retargets the branches and gives phis their operands.
    fn apply(&self, func: &mut Function) {
        if !self.any {
            return;
        }
        for block in func.blocks() {
            self.set_phis(func, block);
        }
        let lead = |to: Block| Block::from_u32(self.leads_to[to.as_u32() as usize]);
        for block in func.blocks() {
            let terminator = match func.term(block) {
                Terminator::Branch(to) => Terminator::Branch(lead(to)),
                Terminator::CondBranch {
                    cond,
                    then,
                    else_,
                    hint,
                } => Terminator::CondBranch {
                    cond,
                    then: lead(then),
                    else_: lead(else_),
                    hint,
                },
                Terminator::Switch {
                    value,
                    default,
                    cases,
                    hint,
                } => {
                    for case in func.cases_mut(cases) {
                        case.target = lead(case.target);
                    }
                    Terminator::Switch {
                        value,
                        default: lead(default),
                        cases,
                        hint,
                    }
                }
                other => other,
            };
            func.set_terminator(block, terminator);
        }
    }

    /// Replaces the operands for predecessors that go by operands for theirs.
    fn set_phis(&self, func: &mut Function, block: Block) {
        let goes = |b: u32| self.leads_to[b as usize] != b;
        if !func.has_phis(block)
            || goes(block.as_u32())
            || !self
                .cfg
                .preds(block.as_u32())
                .iter()
                .any(|&p| self.dfs.reached(p) && goes(p))
        {
            return;
        }
        let phis: Vec<Value> = func.phis(block).collect();
        let mut work: Vec<(u32, Value)> = Vec::new();
        for phi in phis {
            let mut operands = Vec::new();
            work.extend(func.phi_operands(phi).map(|o| (o.pred.as_u32(), o.value)));
            work.reverse();
            while let Some((pred, value)) = work.pop() {
                if !goes(pred) || !self.dfs.reached(pred) {
                    operands.push((Block::from_u32(pred), value));
                } else if func.value_kind(value) == ValueKind::Phi(Block::from_u32(pred)) {
                    work.extend(func.phi_operands(value).map(|o| (o.pred.as_u32(), o.value)));
                } else {
                    work.extend(self.cfg.preds(pred).iter().map(|&p| (p, value)));
                }
            }
            // A predecessor that is a switch, or that goes to the block directly too, comes up
            // twice with one value.
            operands.sort_by_key(|o: &(Block, Value)| o.0);
            operands.dedup_by_key(|o| o.0);
            func.set_phi_operands(phi, &operands);
        }
    }
}
