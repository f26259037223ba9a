//! A bytecode with `goto` and `switch` becomes WGSL, a language for shaders on the web.
//!
//! `cargo run -p trellis-structurizer-client --example goto_to_wgsl` prints a program as a shader whose
//! `print` appends to a buffer. WGSL has neither labels nor fall-through, and a `break` in a
//! `switch` leaves the `switch`: [`Target::WGSL`] has that. [`start`] and [`close`] print each node of
//! the [`Tree`](trellis_structurizer::Tree).

pub(crate) mod bytecode;
#[path = "bytecode/graph.rs"]
mod graph;
#[path = "bytecode/printer.rs"]
mod printer;

use bytecode::{Op, REGISTERS, powers_of_two};
use graph::Graph;
use printer::{Printer, Syntax};
use trellis_structurizer::tree::Kind;
use trellis_structurizer::{Options, Target};
use trellis_structurizer_client::{Error, structurize};

const HEADER: &str = "\
@group(0) @binding(0) var<storage, read_write> printed: array<i32>;
var<private> count: i32;

fn print(number: i32) {
  printed[count] = number;
  count = count + 1;
}

@compute @workgroup_size(1)
fn main() {
";

/// Returns a program as a shader.
pub(crate) fn wgsl(code: &[Op]) -> Result<String, Error> {
    // The end of a `continuing` may be a `break if`, but only without copies. Here nothing else
    // than copies is in there.
    let target = Target::WGSL.with_continue_parts(false);
    let edits = structurize(&Graph(code), &Options::default().with_target(target))?;
    let mut printer = Printer {
        edits: &edits,
        tree: &edits.tree(),
        code,
        syntax: Syntax {
            equal: "==",
            unsigned: "u",
            sum: ("", ""),
        },
        open: Vec::new(),
        depth: 1,
        out: HEADER.to_owned(),
    };
    for number in 0..REGISTERS {
        printer.line(&format!("var r{number}: i32;"));
    }
    for number in 0..edits.new_values.len() {
        printer.line(&format!("var x{number}: u32;"));
    }
    printer.nodes(start, close);
    printer.line("}");
    Ok(printer.out)
}

/// Prints the start of a node.
fn start(printer: &mut Printer<'_>, index: usize) {
    let tree = printer.tree;
    let kind = tree.nodes()[index].kind;
    let text = match kind {
        Kind::Block(block) => return printer.block(block),
        Kind::If { header, condition } => {
            let sign = if condition.negated { "!" } else { "" };
            printer.line(&format!("if {sign}({}) {{", printer.operand(header)));
            return printer.assign(printer.on_edge(header, !condition.negated));
        }
        Kind::Loop { .. } => "loop {".to_owned(),
        Kind::ContinuePart => "continuing {".to_owned(),
        Kind::Switch { .. } if tree.is_breakable_block(index) => "switch 0 {".to_owned(),
        Kind::Switch { header, .. } => format!("switch {} {{", printer.operand(header)),
        Kind::Case { default, .. } => {
            let literals = tree.literals(kind).iter();
            let mut labels: Vec<String> = literals.map(u64::to_string).collect();
            if default {
                labels.push("default".to_owned());
            }
            format!("case {} {{", labels.join(", "))
        }
        Kind::Break(_) => "break;".to_owned(),
        Kind::Continue(_) => "continue;".to_owned(),
        Kind::Return(_) | Kind::Kill | Kind::Exit(_) | Kind::Unreachable => "return;".to_owned(),
        _ => return,
    };
    printer.line(&text);
}

/// Prints the end of a node.
fn close(printer: &mut Printer<'_>, index: usize) {
    let tree = printer.tree;
    match tree.nodes()[index].kind {
        Kind::Then => return printer.close_then(index),
        Kind::Switch { .. } => {
            // A `switch` has a default.
            let is_default =
                |case: usize| matches!(tree.nodes()[case].kind, Kind::Case { default: true, .. });
            if !tree.children(index).any(is_default) {
                printer.line("default: {");
                printer.line("}");
            }
        }
        Kind::If { .. } | Kind::Loop { .. } | Kind::ContinuePart | Kind::Case { .. } => {}
        _ => return,
    }
    printer.line("}");
}

fn main() -> Result<(), Error> {
    print!("{}", wgsl(&powers_of_two())?);
    Ok(())
}
