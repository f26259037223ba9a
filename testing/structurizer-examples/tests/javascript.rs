//! The programs of `goto_to_javascript.rs` run in Node.js, and print the same as the bytecode.
//! Skipped with a message where there is no `node`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[path = "../../../structurizer-client/examples/goto_to_javascript.rs"]
#[expect(dead_code, reason = "the example has its own `main`")]
mod example;

use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

use common::{LIMIT, interpret, random};
use example::bytecode::Op;
use example::javascript;
use structurizer_testkit::generate::Rng;

const PROGRAMS: usize = 400;

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
