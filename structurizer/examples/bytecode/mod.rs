//! A bytecode with `goto` and `switch`, on registers, which the examples translate.
//!
//! [`function`] makes SSA of it in the simplest way: each operation is a block with a phi for each
//! register. [`Variables`](trellis_structurizer_analysis::Variables) makes one variable of them again.

use trellis_structurizer::ir::{Block, Effects, Function, SelectionHint};
use trellis_structurizer::ir::{Terminator, Type, Value};

/// The number of registers. All are 0 at the start.
pub(crate) const REGISTERS: usize = 4;
/// Type of the registers.
pub(crate) const INT: Type = Type(1);
/// Type of comparisons.
pub(crate) const BOOL: Type = Type(2);

/// An operation, on registers. Targets are indices of operations; the end of the code halts.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// Sets a register.
    Set(usize, i32),
    /// Sets the first register to the sum of the others, which wraps.
    Add(usize, usize, usize),
    /// Prints a register.
    Print(usize),
    /// Continues elsewhere.
    Goto(usize),
    /// Continues elsewhere if the first register is less than the second.
    IfLess(usize, usize, usize),
    /// Continues at the target with the number in the register, if there is one.
    Switch(usize, Vec<usize>),
}

/// Returns a program as a function: one block per operation, with one phi per register. The payload
/// of an instruction is the index of its operation.
pub(crate) fn function(code: &[Op]) -> Function {
    let mut func = Function::new();
    let entry = func.add_block();
    let blocks: Vec<Block> = (0..=code.len()).map(|_| func.add_block()).collect();
    for &block in &blocks {
        (0..REGISTERS).for_each(|_| _ = func.add_phi(block, INT));
    }
    let zero = func.add_constant(0, INT);
    let start = Terminator::Branch(blocks[0]);
    end(&mut func, entry, start, &[zero; REGISTERS]);
    for (at, &block) in blocks.iter().enumerate() {
        let mut registers: Vec<Value> = func.phis(block).collect();
        let next = blocks.get(at + 1).copied();
        let mut terminator = next.map_or(Terminator::Return(None), Terminator::Branch);
        match code.get(at) {
            None => {}
            Some(Op::Set(to, number)) => registers[*to] = func.add_constant(*number as u32, INT),
            Some(Op::Add(to, a, b)) => {
                let uses = [registers[*a], registers[*b]];
                registers[*to] = compute(&mut func, block, at, &uses, INT);
            }
            Some(Op::Print(from)) => {
                let uses = [registers[*from]];
                func.append_inst(block, at as u32, Effects::SIDE_EFFECT, &uses, &[]);
            }
            Some(Op::Goto(to)) => terminator = Terminator::Branch(blocks[*to]),
            Some(Op::IfLess(a, b, to)) => {
                terminator = Terminator::CondBranch {
                    cond: compute(&mut func, block, at, &[registers[*a], registers[*b]], BOOL),
                    then: blocks[*to],
                    else_: blocks[at + 1],
                    hint: SelectionHint::None,
                };
            }
            Some(Op::Switch(from, targets)) => {
                let cases = targets.iter().enumerate();
                let cases: Vec<_> = cases.map(|(i, &to)| (i as u64, blocks[to])).collect();
                terminator = Terminator::Switch {
                    value: registers[*from],
                    default: blocks[at + 1],
                    cases: func.add_cases(&cases),
                    hint: SelectionHint::None,
                };
            }
        }
        end(&mut func, block, terminator, &registers);
    }
    func
}

/// Appends an instruction, and returns its result.
fn compute(func: &mut Function, block: Block, at: usize, uses: &[Value], ty: Type) -> Value {
    let inst = func.append_inst(block, at as u32, Effects::NONE, uses, &[ty]);
    func.results(inst).next().unwrap_or(uses[0])
}

/// Ends a block, and gives the phis of its successors their operands.
fn end(func: &mut Function, block: Block, terminator: Terminator, registers: &[Value]) {
    func.set_terminator(block, terminator);
    let mut targets: Vec<Block> = func.successors(block).collect();
    targets.sort();
    targets.dedup();
    for to in targets {
        let phis: Vec<Value> = func.phis(to).collect();
        for (phi, &value) in phis.into_iter().zip(registers) {
            func.add_phi_operand(phi, block, value);
        }
    }
}

/// Returns the program of the examples: powers of two below 100. The loop of operations 4 to 6 has
/// two entries, 4 and 6.
pub(crate) fn powers_of_two() -> Vec<Op> {
    vec![
        Op::Set(0, 1),
        Op::Set(1, 100),
        Op::Switch(2, vec![6, 4]),
        Op::Goto(7),
        Op::Print(0),
        Op::Add(0, 0, 0),
        Op::IfLess(0, 1, 4),
    ]
}
