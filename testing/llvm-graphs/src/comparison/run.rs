//! Random runs of a function, with which results of structurizers are compared.
//!
//! A run draws the results of calls and reads at random, computes everything else, and stops after
//! some calls, reads and writes, or after some blocks.

use trellis_structurizer::ir::{Block, Function, Terminator, ValueKind};

use crate::evaluate::Lane;
use crate::program::{Op, Program};
use crate::random::Random;

/// Runs of each function.
const RUNS: u64 = 200;
/// Calls, reads and writes of a run.
const WORK: usize = 200;
/// Blocks of a run.
const STEPS: usize = 20_000;

/// Counts of one or several runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Conditional branches and switches.
    pub(super) branches: usize,
    /// Calls, reads and writes.
    pub(super) work: usize,
}

impl Counts {
    /// Returns the branches for each call, read or write; not a number if there are hardly any.
    fn ratio(self) -> f64 {
        // Some functions only compute.
        if self.work < RUNS as usize {
            return f64::NAN;
        }
        self.branches as f64 / self.work as f64
    }
}

/// Returns the branches of random runs for each call, read or write.
pub(super) fn branches(program: &Program, func: &Function, parameters: usize) -> f64 {
    let all = average(program, func, parameters, |mut run| {
        run.run();
        Ok::<_, std::convert::Infallible>(run.counts)
    });
    all.unwrap_or(f64::NAN)
}

/// Runs a function with random arguments, and returns the branches for each call, read or write.
///
/// # Errors
/// The first error of `run`.
pub(super) fn average<'a, E>(
    program: &'a Program,
    func: &'a Function,
    parameters: usize,
    mut run: impl FnMut(Run<'a>) -> Result<Counts, E>,
) -> Result<f64, E> {
    let mut all = Counts::default();
    for seed in 0..RUNS {
        let counts = run(Run::new(program, func, parameters, seed))?;
        all.branches += counts.branches;
        all.work += counts.work;
    }
    Ok(all.ratio())
}

/// Returns the distinct blocks that a block leads to: the default, or where a false condition leads,
/// is the first.
pub(super) fn targets(func: &Function, block: Block) -> Vec<Block> {
    let mut targets = match func.terminator(block) {
        Some(Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. }) => vec![to],
        Some(Terminator::CondBranch { then, else_, .. }) => vec![else_, then],
        Some(Terminator::Switch { default, cases, .. }) => {
            let cases = func.cases(cases).iter().map(|case| case.target);
            std::iter::once(default).chain(cases).collect()
        }
        Some(
            Terminator::Return(_)
            | Terminator::Kill
            | Terminator::Exit(_)
            | Terminator::Unreachable,
        )
        | None => Vec::new(),
    };
    let mut seen = Vec::new();
    targets.retain(|to| {
        let is_new = !seen.contains(to);
        seen.push(*to);
        is_new
    });
    targets
}

/// The state of a run.
pub(super) struct Run<'a> {
    lane: Lane<'a>,
    random: Random,
    visited: usize,
    pub(super) counts: Counts,
}

impl<'a> Run<'a> {
    fn new(program: &'a Program, func: &'a Function, parameters: usize, seed: u64) -> Self {
        let (mut lane, mut random) = (Lane::new(program, func), Random::new(seed));
        let arguments: Vec<u64> = (0..parameters).map(|_| draw(&mut random)).collect();
        for value in func.values() {
            // The reader's first constants are the parameters.
            if let ValueKind::Constant { payload } = func.value_kind(value)
                && let Some(&argument) = arguments.get(payload as usize)
            {
                lane.set(value, argument);
            }
        }
        Run {
            lane,
            random,
            visited: 0,
            counts: Counts::default(),
        }
    }

    fn run(&mut self) {
        let mut from = None;
        let mut next = self.lane.func.entry();
        while let Some(block) = next
            && !self.is_over()
        {
            self.visit(from, block);
            self.counts.branches += usize::from(self.chooses(block));
            (from, next) = (Some(block), self.next(block));
        }
    }

    /// Returns whether the run has done enough.
    pub(super) fn is_over(&self) -> bool {
        self.counts.work >= WORK || self.visited >= STEPS
    }

    /// Runs a block that is reached from another one.
    pub(super) fn visit(&mut self, from: Option<Block>, block: Block) {
        self.visited += 1;
        let (counts, random) = (&mut self.counts, &mut self.random);
        // Nothing here is an error: a division by zero gives 0.
        let _ = self.lane.visit(from, block, |op, _| {
            counts.work += match op {
                Op::Opaque(name) => usize::from(["load", "store", "call"].contains(name)),
                op => usize::from(op.has_effect()),
            };
            Ok(if op.has_effect() { draw(random) } else { 0 })
        });
    }

    fn chooses(&self, block: Block) -> bool {
        match self.lane.func.terminator(block) {
            Some(Terminator::CondBranch { .. }) => true,
            Some(Terminator::Switch { cases, .. }) => !self.lane.func.cases(cases).is_empty(),
            _ => false,
        }
    }

    /// Returns the block after one that has run.
    pub(super) fn next(&self, block: Block) -> Option<Block> {
        self.lane.next(block)
    }
}

/// Returns a number that programs may compare with: mostly small, or a character.
fn draw(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => random.below(3) as u64,
        1 => random.below(16) as u64,
        2 => 32 + random.below(96) as u64,
        _ => random.bits(),
    }
}
