//! An interpreter of one invocation, for a function with phis and for one with variables.
//!
//! A value is a hash of its computation, or undefined, which each instruction propagates: a copy
//! that is omitted since its operand is undefined must not be seen.

use std::collections::HashMap;

use trellis_structurizer::Structured;
use trellis_structurizer::ir::{
    Block, Effects, Function, Inst, InstKind, SelectorOp, Terminator, Value, ValueKind,
};
use trellis_structurizer_analysis::variables::{Assignment, Source, Variable, Variables};

/// Number of blocks after which a run ends.
pub(crate) const FUEL: usize = 400;

/// An event of an invocation: a payload or the end, and the operands unless they are undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Event {
    pub(crate) payload: u32,
    pub(crate) operands: Option<u64>,
}

/// The payload of the event of a return, and of the end of a run that does not return.
pub(crate) const RETURN: u32 = u32::MAX;
pub(crate) const KILL: u32 = u32::MAX - 1;

/// The state of a run.
pub(crate) struct State<'a> {
    pub(crate) func: &'a Function,
    /// None: phis are phis.
    variables: Option<&'a Variables>,
    seed: u64,
    values: HashMap<Value, Option<u64>>,
    contents: HashMap<Variable, Option<u64>>,
    counts: HashMap<u32, u64>,
    pub(crate) events: Vec<Event>,
}

fn mix(a: u64, b: u64) -> u64 {
    let mut x = a
        .rotate_left(25)
        .wrapping_add(b)
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 29)
}

/// Returns the decision on a condition that may be a constant of the structurizer's.
fn is_true(content: u64) -> bool {
    match content {
        0 | 1 => content == 1,
        hash => mix(hash, 5) & 1 == 1,
    }
}

impl<'a> State<'a> {
    pub(crate) fn new(func: &'a Function, variables: Option<&'a Variables>, seed: u64) -> Self {
        State {
            func,
            variables,
            seed,
            values: HashMap::new(),
            contents: HashMap::new(),
            counts: HashMap::new(),
            events: Vec::new(),
        }
    }

    fn source(&self, value: Value) -> Source {
        self.variables
            .map_or(Source::Value(value), |v| v.source(value))
    }

    pub(crate) fn read(&self, value: Value) -> Option<u64> {
        self.read_source(self.source(value))
    }

    fn read_source(&self, source: Source) -> Option<u64> {
        match source {
            // A variable that nothing was written to has some content.
            Source::Variable(x) => self.contents.get(&x).copied().unwrap_or(Some(77)),
            Source::Value(value) => match self.func.value_kind(value) {
                ValueKind::Constant { payload } => Some(mix(1, u64::from(payload))),
                ValueKind::SelectorConstant(number) => Some(u64::from(number)),
                ValueKind::BoolConstant(is_true) => Some(u64::from(is_true)),
                ValueKind::Undef => None,
                _ => *self.values.get(&value).expect("a value that is written"),
            },
        }
    }

    fn write(&mut self, value: Value, content: Option<u64>) {
        match self.source(value) {
            Source::Variable(x) => self.contents.insert(x, content),
            Source::Value(value) => self.values.insert(value, content),
        };
    }

    pub(crate) fn assign(&mut self, copies: &[Assignment]) {
        for copy in copies {
            let content = self.read_source(copy.from);
            self.contents.insert(copy.to, content);
        }
    }

    pub(crate) fn phis(&mut self, block: Block, from: Block) {
        let func = self.func;
        let operand = |phi: Value| {
            func.phi_operands(phi)
                .find(|o| o.pred == from)
                .unwrap()
                .value
        };
        let new: Vec<Option<u64>> = func
            .phis(block)
            .map(|phi| self.read(operand(phi)))
            .collect();
        for (phi, content) in func.phis(block).zip(new) {
            self.write(phi, content);
        }
    }

    /// Runs the instructions of a block, and the copies at its end.
    pub(crate) fn block(&mut self, block: Block) {
        let func = self.func;
        for inst in func.insts(block) {
            self.inst(inst);
        }
        if let Some(variables) = self.variables {
            self.assign(variables.at_end(block));
        }
    }

    fn inst(&mut self, inst: Inst) {
        let func = self.func;
        let uses = func.uses(inst);
        let payload = match func.inst_kind(inst) {
            InstKind::Client(payload) => payload,
            InstKind::SelectorTest { op, constant } => {
                let content = self.compare(uses[0], op, constant).map(u64::from);
                return func
                    .results(inst)
                    .for_each(|result| self.write(result, content));
            }
            InstKind::Select => {
                let chosen = |taken| if taken { uses[1] } else { uses[2] };
                let content = self.decide(uses[0]).and_then(|t| self.read(chosen(t)));
                return func
                    .results(inst)
                    .for_each(|result| self.write(result, content));
            }
        };
        let mut operands = Some(0);
        for &value in uses {
            operands = operands.zip(self.read(value)).map(|(a, b)| mix(a, b));
        }
        let effects = func.effects(inst);
        if effects.contains(Effects::SIDE_EFFECT) {
            self.events.push(Event { payload, operands });
        }
        let count = self.counts.entry(payload).or_default();
        *count += u64::from(effects.contains(Effects::SIDE_EFFECT | Effects::READS_MEMORY));
        let hash = mix(mix(self.seed, u64::from(payload)), *count);
        for (index, result) in func.results(inst).enumerate() {
            // As a client prints it that computes the results one after the other.
            let mut operands = Some(0);
            for &value in uses {
                operands = operands.zip(self.read(value)).map(|(a, b)| mix(a, b));
            }
            self.write(result, operands.map(|o| mix(mix(hash, o), index as u64)));
        }
    }

    pub(crate) fn compare(&self, selector: Value, op: SelectorOp, constant: u32) -> Option<bool> {
        let selector = self.read(selector)?;
        Some(match op {
            SelectorOp::LessEqual => selector <= u64::from(constant),
            SelectorOp::Equal => selector == u64::from(constant),
        })
    }

    /// Returns the content of a condition as a decision; a run ends where it is undefined.
    pub(crate) fn decide(&self, cond: Value) -> Option<bool> {
        match self.func.value_kind(cond) {
            ValueKind::BoolConstant(is_true) => Some(is_true),
            ValueKind::Result { inst, .. } => match self.func.inst_kind(inst) {
                InstKind::SelectorTest { .. } => self.read(cond).map(|c| c != 0),
                InstKind::Client(_) => self.read(cond).map(|c| mix(c, 5) & 1 == 1),
                InstKind::Select => self.read(cond).map(is_true),
            },
            _ => self.read(cond).map(is_true),
        }
    }

    /// Returns the literal that a switch sees.
    pub(crate) fn literal(&self, value: Value) -> Option<u64> {
        self.read(value).map(|content| content % 9)
    }

    pub(crate) fn end(&mut self, payload: u32, value: Option<Value>) {
        let operands = value.map_or(Some(0), |value| self.read(value));
        self.events.push(Event { payload, operands });
    }

    /// Runs a terminator. Returns the next block.
    fn terminator(&mut self, block: Block) -> Option<Block> {
        match self.func.terminator(block)? {
            Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. } => Some(to),
            Terminator::CondBranch {
                cond, then, else_, ..
            } => Some(if self.decide(cond)? { then } else { else_ }),
            Terminator::Switch {
                value,
                default,
                cases,
                ..
            } => {
                let cases = self.func.cases(cases);
                if cases.iter().all(|case| case.target == default) {
                    return Some(default);
                }
                let literal = self.literal(value)?;
                let case = cases.iter().find(|case| case.literal == literal);
                Some(case.map_or(default, |case| case.target))
            }
            Terminator::Return(value) => {
                self.end(RETURN, value);
                None
            }
            Terminator::Kill | Terminator::Exit(_) | Terminator::Unreachable => {
                self.end(KILL, None);
                None
            }
        }
    }
}

/// Runs the blocks of a structured function, with phis or with variables.
pub(crate) fn run(structured: &Structured, variables: Option<&Variables>, seed: u64) -> Vec<Event> {
    let mut state = State::new(&structured.func, variables, seed);
    let mut at = structured.order[0];
    for _ in 0..FUEL {
        state.block(at);
        let Some(to) = state.terminator(at) else {
            break;
        };
        match variables {
            None => state.phis(to, at),
            Some(variables) => state.assign(variables.on_edge(at, to)),
        }
        at = to;
    }
    state.events
}

/// Returns the index of the first event that differs. Undefined operands are equal to any.
pub(crate) fn difference(expected: &[Event], found: &[Event]) -> Option<usize> {
    let same = |a: Option<&Event>, b: Option<&Event>| match (a, b) {
        (Some(a), Some(b)) => {
            a.payload == b.payload && (a.operands.is_none() || a.operands == b.operands)
        }
        _ => false,
    };
    (0..expected.len()).find(|&i| !same(expected.get(i), found.get(i)))
}
