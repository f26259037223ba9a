//! Other structurizers on the same functions: LLVM's StructurizeCFG, and a model of Beyond Relooper.
//!
//! What is compared is the number of blocks, the branches that runs take in addition to those of the
//! input, and copies. A run draws the results of calls and reads at random, computes everything else
//! and stops after some calls, reads and writes, which no structurizer adds or removes: so the number
//! of branches for each of them tells how many were added.

mod splitting;

use std::path::Path;
use std::time::{Duration, Instant};

use inkwell::context::Context;
use inkwell::module::Module;
use trellis_structurizer::ir::{
    Block, Function, InstKind, SelectorOp, Terminator, Value, ValueKind,
};
use trellis_structurizer::{Options, structurize};

pub use splitting::{Nested, beyond_relooper};

use crate::evaluate::{binary, compare};
use crate::passes::Machine;
use crate::program::{Op, Program, sign_extend, truncate, width};
use crate::random::Random;
use crate::read::{Settings, parse, read_named};

/// The passes of AMDGPU's back end before its structured control flow, as far as LLVM 14 has them
/// for all targets.
const STRUCTURIZE_CFG: &str =
    "function(mergereturn,lowerswitch,fix-irreducible,unify-loop-exits,structurizecfg)";

/// Runs of each function.
const RUNS: u64 = 200;
/// Calls, reads and writes of a run.
const WORK: usize = 200;
/// Blocks of a run.
const STEPS: usize = 20_000;

/// The result of a structurizer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbers {
    /// Blocks.
    pub blocks: usize,
    /// Of these, copies of blocks with instructions.
    pub copies: usize,
    /// Branches for each call, read or write, on average; not a number for functions without.
    pub branches: f64,
    /// Time; of StructurizeCFG for the whole file.
    pub time: Duration,
}

/// Returns the numbers of a function as it is, which has so many parameters.
pub fn as_it_is(program: &Program, parameters: usize) -> Numbers {
    Numbers {
        blocks: program.func.num_blocks(),
        branches: branches(program, &program.func, parameters),
        ..Numbers::default()
    }
}

/// Returns the numbers of this structurizer.
///
/// # Errors
/// See [`structurize`].
pub fn ours(program: &Program, parameters: usize) -> Result<Numbers, trellis_structurizer::Error> {
    let mut options = Options::default();
    options.verify = false;
    let (func, start) = (program.func.clone(), Instant::now());
    let structured = structurize(func, &options)?;
    let time = start.elapsed();
    Ok(Numbers {
        blocks: structured.order.len(),
        copies: 0,
        branches: branches(program, &structured.func, parameters),
        time,
    })
}

/// Returns the numbers of LLVM's StructurizeCFG for a function of a bitcode file.
///
/// # Errors
/// LLVM refuses the file or the result, as a text.
pub fn structurize_cfg(
    machine: &Machine,
    path: &Path,
    function: &str,
    parameters: usize,
) -> Result<Numbers, String> {
    let context = Context::create();
    let module = Module::parse_bitcode_from_path(path, &context).map_err(|e| e.to_string())?;
    let start = Instant::now();
    machine
        .run(&module, &[STRUCTURIZE_CFG.to_owned()])
        .map_err(|e| e.to_string())?;
    let time = start.elapsed();
    let text = module.print_to_string().to_string();
    let program = parse(&text)
        .and_then(|parsed| read_named(&parsed, function, Settings::default()))
        .map_err(|e| e.to_string())?;
    Ok(Numbers {
        blocks: program.func.num_blocks(),
        copies: 0,
        branches: branches(&program, &program.func, parameters),
        time,
    })
}

/// Returns the branches of random runs for each call, read or write.
fn branches(program: &Program, func: &Function, parameters: usize) -> f64 {
    let (mut branches, mut work) = (0, 0);
    for seed in 0..RUNS {
        let mut run = Run {
            program,
            func,
            random: Random::new(seed),
            values: vec![0; func.num_values()],
            arguments: Vec::new(),
            branches: 0,
            work: 0,
        };
        run.arguments = (0..parameters).map(|_| run.draw()).collect();
        run.run();
        branches += run.branches;
        work += run.work;
    }
    // Some functions only compute.
    if work < RUNS as usize {
        return f64::NAN;
    }
    branches as f64 / work as f64
}

struct Run<'a> {
    program: &'a Program,
    func: &'a Function,
    random: Random,
    values: Vec<u64>,
    /// The reader's first constants are the parameters.
    arguments: Vec<u64>,
    branches: usize,
    work: usize,
}

impl Run<'_> {
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

    fn run(&mut self) {
        let Some(mut block) = self.func.entry() else {
            return;
        };
        let mut from: Option<Block> = None;
        for _ in 0..STEPS {
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
            let next = self.next(block);
            match next {
                Some(to) if self.work < WORK => (from, block) = (Some(block), to),
                _ => return,
            }
        }
    }

    fn compute(&mut self, inst: trellis_structurizer::ir::Inst) -> u64 {
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
                self.work += 1;
                self.draw()
            }
            Op::Opaque(name) => {
                self.work += usize::from(["load", "store", "call"].contains(name));
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

    fn next(&mut self, block: Block) -> Option<Block> {
        match self.func.terminator(block)? {
            Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. } => Some(to),
            Terminator::CondBranch {
                cond, then, else_, ..
            } => {
                self.branches += 1;
                Some(if self.get(cond) != 0 { then } else { else_ })
            }
            Terminator::Switch {
                value,
                default,
                cases,
                ..
            } => {
                let cases = self.func.cases(cases);
                self.branches += usize::from(!cases.is_empty());
                let literal = self.get(value);
                let case = cases.iter().find(|case| case.literal == literal);
                Some(case.map_or(default, |case| case.target))
            }
            Terminator::Return(_) | Terminator::Kill | Terminator::Unreachable => None,
        }
    }
}
