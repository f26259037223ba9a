//! A bytecode with `goto` and `switch` becomes JavaScript, which has no `goto`.
//!
//! `cargo run -p trellis-structurizer-client --example goto_to_javascript` prints a program as
//! JavaScript. [`start`] and [`close`] print each node of the [`Tree`](trellis_structurizer::Tree). Every
//! jump is a `break` with a label, so [`Target::JAVASCRIPT`] needs no selectors but those that dispatch
//! into irreducible loops.

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

/// Returns a program as the body of a JavaScript function, which calls `print`.
pub(crate) fn javascript(code: &[Op]) -> Result<String, Error> {
    let options = Options::default().with_target(Target::JAVASCRIPT);
    let edits = structurize(&Graph(code), &options)?;
    let mut printer = Printer {
        edits: &edits,
        tree: &edits.tree(),
        code,
        syntax: Syntax {
            equal: "===",
            unsigned: "",
            sum: ("(", ") | 0"),
        },
        open: Vec::new(),
        depth: 0,
        out: String::new(),
    };
    let registers = (0..REGISTERS).map(|number| format!("r{number}"));
    let selectors = (0..edits.new_values.len()).map(|number| format!("x{number}"));
    for variable in registers.chain(selectors) {
        printer.line(&format!("let {variable} = 0;"));
    }
    printer.nodes(start, close);
    Ok(printer.out)
}

/// Prints the start of a node.
fn start(printer: &mut Printer<'_>, index: usize) {
    let tree = printer.tree;
    let kind = tree.nodes()[index].kind;
    let text = match (kind, parent(printer)) {
        (Kind::Block(block), _) => return printer.block(block),
        (Kind::If { header, condition }, _) => {
            let label = tree.label(index);
            let label = label.map_or(String::new(), |header| format!("L{header}: "));
            let sign = if condition.negated { "!" } else { "" };
            let operand = printer.operand(header);
            printer.line(&format!("{label}if ({sign}({operand})) {{"));
            return printer.assign(printer.on_edge(header, !condition.negated));
        }
        (Kind::Loop { header, .. }, _) => format!("L{header}: for (;;) {{"),
        (Kind::Body, Some(Kind::Loop { header, .. })) => format!("C{header}: {{"),
        (Kind::Switch { header, .. }, _) => {
            format!("L{header}: switch ({}) {{", printer.operand(header))
        }
        (Kind::Case { default, .. }, _) => {
            let literals = tree.literals(kind).iter();
            let mut text: String = literals.map(|l| format!("case {l}: ")).collect();
            text += if default { "default: " } else { "" };
            text + "{"
        }
        (Kind::Break(header), _) => format!("break L{header};"),
        (Kind::Continue(header), _) => format!("break C{header};"),
        (Kind::Return(_) | Kind::Kill | Kind::Exit(_) | Kind::Unreachable, _) => {
            "return;".to_owned()
        }
        _ => return,
    };
    printer.line(&text);
}

/// Prints the end of a node.
fn close(printer: &mut Printer<'_>, index: usize) {
    match (printer.tree.nodes()[index].kind, parent(printer)) {
        (Kind::Then, _) => return printer.close_then(index),
        (Kind::Case { .. }, Some(Kind::Switch { header, .. })) => {
            printer.line(&format!("break L{header};"));
        }
        (Kind::If { .. } | Kind::Loop { .. } | Kind::Body | Kind::Switch { .. }, _) => {}
        _ => return,
    }
    printer.line("}");
}

/// Returns the innermost node whose braces are open.
fn parent(printer: &Printer<'_>) -> Option<Kind> {
    let open = printer.open.last().copied();
    open.map(|open| printer.tree.nodes()[open].kind)
}

fn main() -> Result<(), Error> {
    print!("{}", javascript(&powers_of_two())?);
    Ok(())
}
