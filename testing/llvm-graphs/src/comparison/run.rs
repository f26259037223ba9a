//! Random runs of a function, with which results of structurizers are compared.
//!
//! A run draws the results of calls and reads at random, computes everything else, and stops after
//! some calls, reads and writes, or after some blocks.

use trellis_structurizer::ir::{
    Block, Function, Inst, InstKind, SelectorOp, Terminator, Value, ValueKind,
};

use crate::evaluate::{binary, compare};
use crate::program::{Op, Program, sign_extend, truncate, width};
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
    program: &'a Program,
    func: &'a Function,
    random: Random,
    values: Vec<u64>,
    /// The reader's first constants are the parameters.
    arguments: Vec<u64>,
    visited: usize,
    pub(super) counts: Counts,
}

impl<'a> Run<'a> {
    fn new(program: &'a Program, func: &'a Function, parameters: usize, seed: u64) -> Self {
        let mut run = Run {
            program,
            func,
            random: Random::new(seed),
            values: vec![0; func.num_values()],
            arguments: Vec::new(),
            visited: 0,
            counts: Counts::default(),
        };
        run.arguments = (0..parameters).map(|_| run.draw()).collect();
        run
    }

    fn run(&mut self) {
        let mut from = None;
        let mut next = self.func.entry();
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
        let mut phis = Vec::new();
        for phi in self.func.phis(block) {
            let mut operands = self.func.phi_operands(phi);
            let operand = operands.find(|operand| Some(operand.pred) == from);
            phis.push((phi, operand.map_or(0, |operand| self.get(operand.value))));
        }
        for (phi, number) in phis {
            self.set(phi, number);
        }
        for inst in self.func.insts(block) {
            let number = self.compute(inst);
            if let Some(value) = self.func.results(inst).next() {
                self.set(value, number);
            }
        }
    }

    fn chooses(&self, block: Block) -> bool {
        match self.func.terminator(block) {
            Some(Terminator::CondBranch { .. }) => true,
            Some(Terminator::Switch { cases, .. }) => !self.func.cases(cases).is_empty(),
            _ => false,
        }
    }

    /// Returns the block after one that has run.
    pub(super) fn next(&self, block: Block) -> Option<Block> {
        match self.func.terminator(block)? {
            Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. } => Some(to),
            Terminator::CondBranch {
                cond, then, else_, ..
            } => Some(if self.get(cond) != 0 { then } else { else_ }),
            Terminator::Switch {
                value,
                default,
                cases,
                ..
            } => {
                let literal = self.get(value);
                let mut cases = self.func.cases(cases).iter();
                let case = cases.find(|case| case.literal == literal);
                Some(case.map_or(default, |case| case.target))
            }
            Terminator::Return(_)
            | Terminator::Kill
            | Terminator::Exit(_)
            | Terminator::Unreachable => None,
        }
    }

    fn get(&self, value: Value) -> u64 {
        match self.func.value_kind(value) {
            ValueKind::Constant { payload } => {
                let argument = self.arguments.get(payload as usize);
                let bits = width(self.func.value_type(value)).unwrap_or(64);
                argument.map_or(self.program.constants[payload as usize], |&argument| {
                    truncate(argument, bits)
                })
            }
            ValueKind::SelectorConstant(number) => u64::from(number),
            ValueKind::BoolConstant(is_true) => u64::from(is_true),
            ValueKind::Undef => 0,
            ValueKind::Phi(_) | ValueKind::Result { .. } => self.values[value.as_u32() as usize],
        }
    }

    fn set(&mut self, value: Value, number: u64) {
        let bits = width(self.func.value_type(value)).unwrap_or(64);
        self.values[value.as_u32() as usize] = truncate(number, bits);
    }

    fn compute(&mut self, inst: Inst) -> u64 {
        let uses = self.func.uses(inst);
        let operand = |index: usize| uses.get(index).map_or(0, |&value| self.get(value));
        let bits = uses
            .first()
            .and_then(|&value| width(self.func.value_type(value)))
            .unwrap_or(64);
        let payload = match self.func.inst_kind(inst) {
            InstKind::SelectorTest { op, constant } => {
                let constant = u64::from(constant);
                return u64::from(match op {
                    SelectorOp::LessEqual => operand(0) <= constant,
                    SelectorOp::Equal => operand(0) == constant,
                });
            }
            InstKind::Select => return operand(if operand(0) != 0 { 1 } else { 2 }),
            InstKind::Client(payload) => payload,
        };
        match &self.program.ops[payload as usize] {
            Op::Binary(op) => binary(*op, operand(0), operand(1), bits).unwrap_or(0),
            Op::Compare(predicate) => u64::from(compare(*predicate, operand(0), operand(1), bits)),
            Op::Select => operand(if operand(0) != 0 { 1 } else { 2 }),
            Op::ZeroExtend | Op::Copy => operand(0),
            Op::SignExtend => sign_extend(operand(0), bits) as u64,
            Op::Element => operand(0).wrapping_add(operand(1)),
            Op::Load | Op::Event | Op::Call(_) => {
                self.counts.work += 1;
                self.draw()
            }
            Op::Opaque(name) => {
                self.counts.work += usize::from(["load", "store", "call"].contains(name));
                self.draw()
            }
        }
    }

    /// Returns a number that programs may compare with: mostly small, or a character.
    fn draw(&mut self) -> u64 {
        match self.random.below(4) {
            0 => self.random.below(3) as u64,
            1 => self.random.below(16) as u64,
            2 => 32 + self.random.below(96) as u64,
            _ => self.random.bits(),
        }
    }
}
