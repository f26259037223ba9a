//! A bytecode with `goto` and `switch` becomes JavaScript, which has no `goto`.
//!
//! `cargo run -p trellis-structurizer-client --example goto_to_javascript` prints a program as
//! JavaScript. [`Printer`] prints each node of the [`Tree`]. Every jump is a `break` with a label, so
//! [`Target::JAVASCRIPT`] needs no selectors but those that dispatch into irreducible loops.

pub(crate) mod bytecode;
#[path = "bytecode/graph.rs"]
mod graph;

use bytecode::{Op, REGISTERS, powers_of_two};
use graph::Graph;
use trellis_structurizer::ir::{Block, SelectorOp};
use trellis_structurizer::tree::{Kind, Tree};
use trellis_structurizer::{Options, Target};
use trellis_structurizer_client::{Assignment, Edits, Error, Terminator, Value, structurize};

/// Returns a program as the body of a JavaScript function, which calls `print`.
pub(crate) fn javascript(code: &[Op]) -> Result<String, Error> {
    let options = Options::default().with_target(Target::JAVASCRIPT);
    let edits = structurize(&Graph(code), &options)?;
    Ok(Printer {
        edits: &edits,
        tree: &edits.tree(),
        code,
        open: Vec::new(),
        depth: 0,
        out: String::new(),
    }
    .print())
}

struct Printer<'a> {
    edits: &'a Edits,
    tree: &'a Tree<'a>,
    code: &'a [Op],
    /// The nodes whose braces are open.
    open: Vec<usize>,
    depth: usize,
    out: String,
}

impl<'a> Printer<'a> {
    fn print(mut self) -> String {
        let registers = (0..REGISTERS).map(|number| format!("r{number}"));
        let selectors = (0..self.edits.new_values.len()).map(|number| format!("x{number}"));
        for variable in registers.chain(selectors) {
            self.line(&format!("let {variable} = 0;"));
        }
        let nodes = self.tree.nodes();
        for index in 0..=nodes.len() {
            while let Some(ended) = self.open.pop_if(|open| nodes[*open].end as usize <= index) {
                self.close(ended);
            }
            if index < nodes.len() {
                self.start(index);
                self.open.push(index);
            }
        }
        self.out
    }

    /// Prints the start of a node.
    fn start(&mut self, index: usize) {
        let kind = self.tree.nodes()[index].kind;
        let text = match (kind, self.parent()) {
            (Kind::Block(block), _) => return self.block(block),
            (Kind::If { header, condition }, _) => {
                let label = self.tree.label(index);
                let label = label.map_or(String::new(), |header| format!("L{header}: "));
                let sign = if condition.negated { "!" } else { "" };
                self.line(&format!("{label}if ({sign}({})) {{", self.operand(header)));
                return self.assign(self.on_edge(header, !condition.negated));
            }
            (Kind::Loop { header, .. }, _) => format!("L{header}: for (;;) {{"),
            (Kind::Body, Some(Kind::Loop { header, .. })) => format!("C{header}: {{"),
            (Kind::Switch { header, .. }, _) => {
                format!("L{header}: switch ({}) {{", self.operand(header))
            }
            (Kind::Case { default, .. }, _) => {
                let literals = self.tree.literals(kind).iter();
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
        self.line(&text);
    }

    /// Prints the end of a node.
    fn close(&mut self, index: usize) {
        let nodes = self.tree.nodes();
        match (nodes[index].kind, self.parent()) {
            (Kind::Then, Some(Kind::If { header, condition })) => {
                // Without an `Else`, there may still be assignments if the condition does not hold.
                let assignments = self.on_edge(header, condition.negated);
                let is_last =
                    self.open.last().map(|&open| nodes[open].end) == Some(nodes[index].end);
                if !is_last || !assignments.is_empty() {
                    self.line("} else {");
                    self.assign(assignments);
                }
                return;
            }
            (Kind::Case { .. }, Some(Kind::Switch { header, .. })) => {
                self.line(&format!("break L{header};"));
            }
            (Kind::If { .. } | Kind::Loop { .. } | Kind::Body | Kind::Switch { .. }, _) => {}
            _ => return,
        }
        self.line("}");
    }

    /// Returns the innermost node whose braces are open.
    fn parent(&self) -> Option<Kind> {
        let open = self.open.last().copied();
        open.map(|open| self.tree.nodes()[open].kind)
    }

    fn block(&mut self, block: Block) {
        match self.code.get(block.as_u32() as usize) {
            Some(Op::Set(to, number)) => self.line(&format!("r{to} = {number};")),
            Some(Op::Add(to, a, b)) => self.line(&format!("r{to} = (r{a} + r{b}) | 0;")),
            Some(Op::Print(from)) => self.line(&format!("print(r{from});")),
            _ => {}
        }
        if let Some(edit) = self.edits.block(block) {
            self.assign(&edit.assignments);
        }
    }

    fn assign(&mut self, assignments: &[Assignment]) {
        for assignment in assignments {
            let value = self.value(assignment.value);
            self.line(&format!("x{} = {value};", assignment.to));
        }
    }

    /// Returns the assignments of a branch if its condition has a value.
    fn on_edge(&self, header: Block, is_true: bool) -> &'a [Assignment] {
        let edit = self.edits.block(header);
        edit.map_or(&[], |edit| &edit.on_edges[usize::from(!is_true)])
    }

    /// Returns what a branch or switch reads.
    fn operand(&self, header: Block) -> String {
        match self.edits.block(header).map(|edit| &edit.terminator) {
            Some(
                Terminator::Branch {
                    condition: value, ..
                }
                | Terminator::Switch { value, .. },
            ) => self.value(*value),
            _ => String::new(),
        }
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Client(at) => match &self.code[at as usize] {
                Op::IfLess(a, b, _) => format!("r{a} < r{b}"),
                Op::Switch(from, _) => format!("r{from}"),
                _ => String::new(),
            },
            Value::New(number) => format!("x{number}"),
            Value::Selector(number) => number.to_string(),
            Value::Bool(is_true) => is_true.to_string(),
            Value::Test {
                selector,
                op,
                constant,
            } => {
                let op = if op == SelectorOp::Equal { "===" } else { "<=" };
                format!("x{selector} {op} {constant}")
            }
            Value::Undef(_) => "0".to_owned(),
        }
    }

    fn line(&mut self, text: &str) {
        self.depth -= usize::from(text.starts_with('}'));
        self.out += &format!("{:1$}{text}\n", "", 2 * self.depth);
        self.depth += usize::from(text.ends_with('{'));
    }
}

fn main() -> Result<(), Error> {
    print!("{}", javascript(&powers_of_two())?);
    Ok(())
}
