//! Random programs, and their outputs.

use structurizer_testkit::generate::Rng;

use crate::example::bytecode::{Op, REGISTERS};

/// The numbers that a program may print: each cycle of a random program prints one.
pub(crate) const LIMIT: usize = 60;

/// Runs the bytecode.
pub(crate) fn interpret(code: &[Op]) -> Vec<i32> {
    let mut registers = [0i32; REGISTERS];
    let (mut at, mut printed) = (0, Vec::new());
    while let Some(op) = code.get(at) {
        at += 1;
        match op {
            Op::Set(to, number) => registers[*to] = *number,
            Op::Add(to, a, b) => registers[*to] = registers[*a].wrapping_add(registers[*b]),
            Op::Print(from) => printed.push(registers[*from]),
            Op::Goto(to) => at = *to,
            Op::IfLess(a, b, to) if registers[*a] < registers[*b] => at = *to,
            Op::IfLess(..) => {}
            Op::Switch(value, targets) => {
                let index = usize::try_from(registers[*value]).ok();
                at = index.and_then(|i| targets.get(i)).copied().unwrap_or(at);
            }
        }
        if printed.len() == LIMIT {
            break;
        }
    }
    printed
}

/// Returns a random program: groups of operations that end in a jump to any group. Each of them
/// prints before it jumps.
pub(crate) fn random(rng: &mut Rng) -> Vec<Op> {
    let groups = 2 + rng.below(14);
    let mut starts = Vec::new();
    let mut code = Vec::new();
    for _ in 0..groups {
        starts.push(code.len());
        for _ in 0..rng.below(4) {
            let (to, a, b) = (rng.below(3), rng.below(4), rng.below(4));
            code.push(match rng.below(5) {
                0 => Op::Set(to, rng.below(9) as i32 - 2),
                // Register 3 is 0 most of the time, so this is a copy.
                1 => Op::Add(to, a, 3),
                _ => Op::Add(to, a, b),
            });
        }
        code.push(Op::Print(rng.below(4)));
        let (a, b) = (rng.below(4), rng.below(4));
        // Targets are numbers of groups until all starts are known.
        let target = rng.below(groups);
        code.push(match rng.below(10) {
            0 | 1 => Op::Goto(target),
            2 | 3 => Op::Switch(a, (0..=rng.below(5)).map(|_| rng.below(groups)).collect()),
            4 => Op::Goto(groups),
            _ => Op::IfLess(a, b, target),
        });
    }
    starts.push(code.len());
    for op in &mut code {
        match op {
            Op::Goto(to) | Op::IfLess(_, _, to) => *to = starts[*to],
            Op::Switch(_, targets) => targets.iter_mut().for_each(|to| *to = starts[*to]),
            _ => {}
        }
    }
    code
}
