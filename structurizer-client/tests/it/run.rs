//! The client's graph with edits, and its interpreter. A value is a hash of its computation.

use std::collections::HashMap;

use trellis_structurizer::ir::{Block, Effects, SelectorOp, Type};
use trellis_structurizer_client::{Assignment, Edits, Terminator, Value};

use crate::program::{Code, Inst, Program};

/// A block with its edits.
#[derive(Clone, Default)]
struct Edited {
    phis: Vec<(Value, Vec<(Block, Value)>)>,
    insts: Vec<Inst>,
    replaced: HashMap<u32, Value>,
    assignments: Vec<Assignment>,
    on_edges: [Vec<Assignment>; 2],
    terminator: Option<Terminator<Value>>,
}

/// A program with edits.
pub(crate) struct Applied {
    blocks: HashMap<Block, Edited>,
    entry: Block,
    types: Vec<Type>,
}

impl Applied {
    /// The program without edits.
    pub(crate) fn before(program: &Program) -> Self {
        let edited = |code: &Code| Edited {
            phis: { code.phis.iter() }
                .map(|(phi, operands)| {
                    let operands = operands.iter().map(|&(pred, id)| (pred, Value::Client(id)));
                    (Value::Client(*phi), operands.collect())
                })
                .collect(),
            insts: code.insts.clone(),
            terminator: Some(match code.terminator.clone() {
                Terminator::Goto(to) => Terminator::Goto(to),
                Terminator::Branch {
                    condition,
                    then,
                    else_,
                } => Terminator::Branch {
                    condition: Value::Client(condition),
                    then,
                    else_,
                },
                Terminator::Switch {
                    value,
                    default,
                    cases,
                } => Terminator::Switch {
                    value: Value::Client(value),
                    default,
                    cases,
                },
                Terminator::Return(id) => Terminator::Return(id.map(Value::Client)),
                Terminator::Exit(number) => Terminator::Exit(number),
                Terminator::Unreachable => Terminator::Unreachable,
            }),
            ..Edited::default()
        };
        let blocks = (0..)
            .map(Block::from_u32)
            .zip(program.blocks.iter().map(edited));
        Self {
            blocks: blocks.collect(),
            entry: Block::from_u32(0),
            types: Vec::new(),
        }
    }

    /// The program with edits.
    pub(crate) fn of(program: &Program, edits: &Edits) -> Self {
        let mut blocks = HashMap::new();
        for edit in &edits.blocks {
            let code = program.blocks.get(edit.block.as_u32() as usize);
            assert_eq!(edit.is_new, code.is_none());
            let phis = edit.phis.iter();
            let edited = Edited {
                phis: phis.map(|phi| (phi.value, phi.operands.clone())).collect(),
                insts: code.map_or(Vec::new(), |code| code.insts.clone()),
                replaced: edit.replaced.iter().copied().collect(),
                assignments: edit.assignments.clone(),
                on_edges: edit.on_edges.clone(),
                terminator: Some(edit.terminator.clone()),
            };
            assert!(blocks.insert(edit.block, edited).is_none());
        }
        Self {
            blocks,
            entry: edits.blocks[0].block,
            types: edits.new_values.clone(),
        }
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let x = (a.rotate_left(25) ^ b).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 29)
}

struct State<'a> {
    program: &'a Applied,
    seed: u64,
    client: HashMap<u32, u64>,
    new: HashMap<u32, u64>,
    count: u64,
    events: Vec<u64>,
}

impl State<'_> {
    fn read(&self, value: Value) -> u64 {
        match value {
            // A value that was not defined yet is defined everywhere.
            Value::Client(id) => {
                { self.client.get(&id).copied() }.unwrap_or_else(|| mix(self.seed, u64::from(id)))
            }
            Value::New(number) => self.new.get(&number).copied().unwrap_or(77),
            Value::Selector(number) => u64::from(number),
            Value::Bool(is_true) => u64::from(is_true),
            Value::Test {
                selector,
                op,
                constant,
            } => {
                let selector = self.read(Value::New(selector));
                u64::from(match op {
                    SelectorOp::LessEqual => selector <= u64::from(constant),
                    SelectorOp::Equal => selector == u64::from(constant),
                })
            }
            Value::Undef(_) => 78,
        }
    }

    fn write(&mut self, value: Value, content: u64) {
        match value {
            Value::Client(id) => self.client.insert(id, content),
            Value::New(number) => self.new.insert(number, content),
            _ => panic!("{value:?} is written"),
        };
    }

    fn assign(&mut self, assignments: &[Assignment]) {
        for assignment in assignments {
            let content = self.read(assignment.value);
            self.write(Value::New(assignment.to), content);
        }
    }

    fn inst(&mut self, inst: &Inst, replaced: &HashMap<u32, Value>) {
        let hash = inst.uses.iter().fold(u64::from(inst.payload), |hash, id| {
            let value = replaced.get(id).copied().unwrap_or(Value::Client(*id));
            mix(hash, self.read(value))
        });
        if inst.effects.contains(Effects::SIDE_EFFECT) {
            self.events.push(hash);
        }
        // An instruction that reads memory has another result each time, but the same on both
        // sides.
        if inst.effects.bits() & (Effects::SIDE_EFFECT | Effects::READS_MEMORY).bits() != 0 {
            self.count += 1;
        }
        for (index, &id) in inst.results.iter().enumerate() {
            let content = mix(mix(hash, index as u64), mix(self.seed, self.count));
            self.write(Value::Client(id), content);
        }
    }

    /// Runs a block and returns the next one.
    fn block(&mut self, edited: &Edited, from: Option<Block>) -> Option<Block> {
        let phis: Vec<(Value, u64)> = { edited.phis.iter() }
            .map(|(phi, operands)| {
                let operand = operands.iter().find(|o| Some(o.0) == from).unwrap();
                (*phi, self.read(operand.1))
            })
            .collect();
        for (phi, content) in phis {
            self.write(phi, content);
        }
        for inst in &edited.insts {
            self.inst(inst, &edited.replaced);
        }
        self.assign(&edited.assignments);
        match edited.terminator.as_ref()? {
            Terminator::Goto(to) => Some(*to),
            Terminator::Branch {
                condition,
                then,
                else_,
            } => {
                let is_true = match self.read(*condition) {
                    content @ (0 | 1) => content == 1,
                    hash => mix(hash, 5) & 1 == 1,
                };
                self.assign(&edited.on_edges[usize::from(!is_true)]);
                Some(if is_true { *then } else { *else_ })
            }
            Terminator::Switch {
                value,
                default,
                cases,
            } => {
                let content = self.read(*value);
                let literal = match *value {
                    Value::New(number) if self.program.types[number as usize] == Type::SELECTOR => {
                        content
                    }
                    Value::Selector(_) => content,
                    _ => content % 9,
                };
                let case = cases.iter().find(|case| case.0 == literal);
                Some(case.map_or(*default, |case| case.1))
            }
            Terminator::Return(value) => {
                let content = value.map_or(1, |value| self.read(value));
                self.events.push(content);
                None
            }
            Terminator::Exit(number) => {
                self.events.push(u64::from(*number));
                None
            }
            Terminator::Unreachable => None,
        }
    }
}

/// Runs a program for at most `fuel` blocks: returns its events, and whether it ends.
pub(crate) fn trace(program: &Applied, seed: u64, fuel: usize) -> (Vec<u64>, bool) {
    let mut state = State {
        program,
        seed: mix(3, seed),
        client: HashMap::new(),
        new: HashMap::new(),
        count: 0,
        events: Vec::new(),
    };
    let (mut from, mut at) = (None, program.entry);
    for _ in 0..fuel {
        let Some(to) = state.block(&program.blocks[&at], from) else {
            return (state.events, true);
        };
        (from, at) = (Some(at), to);
    }
    (state.events, false)
}
