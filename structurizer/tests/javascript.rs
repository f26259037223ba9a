//! The programs of `examples/goto_to_javascript.rs` run in Node.js, and print what the bytecode does.
//! Skipped with a message where there is no `node`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../examples/goto_to_javascript.rs"]
#[expect(dead_code, reason = "the example has a `main` of its own")]
mod example;

use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

use example::{Op, REGISTERS, javascript};
use structurizer_testkit::generate::Rng;

/// The numbers that a program may print: each cycle of a random program prints one.
const LIMIT: usize = 60;

const PROGRAMS: usize = 400;

/// Runs the bytecode.
fn interpret(code: &[Op]) -> Vec<i32> {
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
fn random(rng: &mut Rng) -> Vec<Op> {
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

#[test]
fn the_same_numbers_are_printed_by_javascript() {
    let found = Command::new("node").arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        println!("skipped: there is no `node`");
        return;
    }
    let mut rng = Rng::new(1);
    let programs: Vec<Vec<Op>> = (0..PROGRAMS).map(|_| random(&mut rng)).collect();
    let mut text = format!(
        "'use strict';\nlet out;\nfunction print(n) {{\n  out.push(n);\n  \
         if (out.length === {LIMIT}) throw out;\n}}\n\
         function run(program) {{\n  out = [];\n  \
         try {{ program(); }} catch (e) {{ if (e !== out) throw e; }}\n  \
         console.log(out.join(' '));\n}}\n"
    );
    for code in &programs {
        writeln!(
            text,
            "run(function () {{\n{}}});",
            javascript(code).unwrap()
        )
        .unwrap();
    }
    let mut node = Command::new("node")
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    node.stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    let output = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.lines().count(), PROGRAMS);
    for (code, line) in programs.iter().zip(output.lines()) {
        let expected: Vec<String> = interpret(code).iter().map(i32::to_string).collect();
        assert_eq!(
            line,
            expected.join(" "),
            "{code:?}\n{}",
            javascript(code).unwrap()
        );
    }
}
