//! The graph of a structured program as a function of the structurizer.

use trellis_structurizer::ir::{self, Effects, SelectionHint, Terminator, Type, Value};

use super::{End, Graph, Step, test_call};
use crate::program::{Op, Program, bits};
use crate::source::{Returns, Tests};

/// The type of numbers.
const NUMBER: Type = bits(32);

struct Builder<'a> {
    graph: &'a Graph,
    program: Program,
    /// The block of each block of the graph that is reached.
    blocks: Vec<Option<ir::Block>>,
    /// The number that each block of the graph sets the variable to.
    set: Vec<Option<Value>>,
}

impl Graph {
    /// Returns the graph as a function, each return where it is. Unreachable blocks are
    /// omitted.
    pub fn to_program(&self) -> Program {
        let mut program = Program::default();
        let blocks: Vec<Option<ir::Block>> = self
            .reached()
            .into_iter()
            .map(|seen| seen.then(|| program.func.add_block()))
            .collect();
        let mut builder = Builder {
            graph: self,
            program,
            set: vec![None; blocks.len()],
            blocks,
        };
        let phis: Vec<(usize, Value)> = (0..self.blocks.len())
            .filter_map(|index| builder.block(index).map(|phi| (index, phi)))
            .collect();
        for (index, phi) in phis {
            builder.complete(index, phi);
        }
        builder.program
    }
}

impl Builder<'_> {
    fn number(&mut self, number: u32, ty: Type) -> Value {
        let payload = self.program.constants.len() as u32;
        self.program.constants.push(u64::from(number));
        self.program.func.add_constant(payload, ty)
    }

    fn inst(&mut self, block: ir::Block, op: Op, uses: &[Value], ty: Type) -> Value {
        let effects = match op {
            Op::Call(_) => Effects::SIDE_EFFECT | Effects::READS_MEMORY,
            _ => Effects::READS_MEMORY,
        };
        let payload = self.program.ops.len() as u32;
        self.program.ops.push(op);
        let func = &mut self.program.func;
        let inst = func.append_inst(block, payload, effects, uses, &[ty]);
        // It has the one result.
        func.results(inst).next().unwrap_or_else(|| func.undef(ty))
    }

    /// Builds a block; returns the phi of the variable, if it needs one.
    fn block(&mut self, index: usize) -> Option<Value> {
        let at = self.blocks[index]?;
        let block = &self.graph.blocks[index];
        let mut phi = None;
        for step in &block.steps {
            match *step {
                Step::Call(id, true) => {
                    let variable =
                        *phi.get_or_insert_with(|| self.program.func.add_phi(at, NUMBER));
                    self.inst(at, Op::Call(id), &[variable], NUMBER);
                }
                Step::Call(id, false) => {
                    self.inst(at, Op::Call(id), &[], NUMBER);
                }
                Step::Set(value) => self.set[index] = Some(self.number(value, NUMBER)),
            }
        }
        // A jump to a block that is reached: it is reached.
        let target = |to: usize| self.blocks[to].unwrap_or(at);
        let terminator = match &block.end {
            End::Jump(to) => Terminator::Branch(target(*to)),
            End::Test(test, yes, no) => {
                let (then, else_) = (target(*yes), target(*no));
                Terminator::CondBranch {
                    cond: self.test(at, *test, bits(1)),
                    then,
                    else_,
                    hint: SelectionHint::None,
                }
            }
            End::Switch(test, default, cases) => {
                let cases: Vec<(u64, ir::Block)> = cases
                    .iter()
                    .map(|&(literal, to)| (u64::from(literal), target(to)))
                    .collect();
                let default = target(*default);
                Terminator::Switch {
                    value: self.test(at, *test, NUMBER),
                    default,
                    cases: self.program.func.add_cases(&cases),
                    hint: SelectionHint::None,
                }
            }
            End::Return(number) => Terminator::Return(
                (self.graph.returns == Returns::Numbers).then(|| self.number(*number, NUMBER)),
            ),
        };
        self.program.func.set_terminator(at, terminator);
        phi
    }

    fn test(&mut self, block: ir::Block, test: u32, ty: Type) -> Value {
        let op = match self.graph.tests {
            Tests::Calls => Op::Call(test_call(test)),
            Tests::Reads | Tests::Bits => Op::Opaque("read"),
        };
        self.inst(block, op, &[], ty)
    }

    /// Adds the operands of a phi of the variable: every predecessor sets it.
    fn complete(&mut self, index: usize, phi: Value) {
        for (pred, block) in self.graph.blocks.iter().enumerate() {
            if let (End::Jump(to), Some(from), Some(value)) =
                (&block.end, self.blocks[pred], self.set[pred])
                && *to == index
            {
                self.program.func.add_phi_operand(phi, from, value);
            }
        }
    }
}
