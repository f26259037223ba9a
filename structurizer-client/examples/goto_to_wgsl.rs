//! A bytecode with `goto` and `switch` becomes WGSL, a language for shaders on the web.
//!
//! `cargo run -p trellis-structurizer-client --example goto_to_wgsl` prints a program as a shader whose
//! `print` appends to a buffer. WGSL has neither labels nor fall-through, and a `break` in a
//! `switch` leaves the `switch`: [`Target::WGSL`] has that. [`Printer`] prints each node of the
//! [`Tree`].

pub(crate) mod bytecode;
#[path = "bytecode/graph.rs"]
mod graph;

use bytecode::{Op, REGISTERS, powers_of_two};
use graph::Graph;
use trellis_structurizer::ir::{Block, SelectorOp};
use trellis_structurizer::tree::{Kind, Tree};
use trellis_structurizer::{Options, Target};
use trellis_structurizer_client::{Assignment, Edits, Error, Terminator, Value, structurize};

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
    Ok(Printer {
        edits: &edits,
        tree: &edits.tree(),
        code,
        open: Vec::new(),
        depth: 1,
        out: HEADER.to_owned(),
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
        for number in 0..REGISTERS {
            self.line(&format!("var r{number}: i32;"));
        }
        for number in 0..self.edits.new_values.len() {
            self.line(&format!("var x{number}: u32;"));
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
        self.line("}");
        self.out
    }

    /// Prints the start of a node.
    fn start(&mut self, index: usize) {
        let kind = self.tree.nodes()[index].kind;
        let text = match kind {
            Kind::Block(block) => return self.block(block),
            Kind::If { header, condition } => {
                let sign = if condition.negated { "!" } else { "" };
                self.line(&format!("if {sign}({}) {{", self.operand(header)));
                return self.assign(self.on_edge(header, !condition.negated));
            }
            Kind::Loop { .. } => "loop {".to_owned(),
            Kind::ContinuePart => "continuing {".to_owned(),
            Kind::Switch { .. } if self.tree.is_breakable_block(index) => "switch 0 {".to_owned(),
            Kind::Switch { header, .. } => format!("switch {} {{", self.operand(header)),
            Kind::Case { default, .. } => {
                let literals = self.tree.literals(kind).iter();
                let mut labels: Vec<String> = literals.map(u64::to_string).collect();
                if default {
                    labels.push("default".to_owned());
                }
                format!("case {} {{", labels.join(", "))
            }
            Kind::Break(_) => "break;".to_owned(),
            Kind::Continue(_) => "continue;".to_owned(),
            Kind::Return(_) | Kind::Kill | Kind::Exit(_) | Kind::Unreachable => {
                "return;".to_owned()
            }
            _ => return,
        };
        self.line(&text);
    }

    /// Prints the end of a node.
    fn close(&mut self, index: usize) {
        let nodes = self.tree.nodes();
        match nodes[index].kind {
            Kind::Then => {
                // Without an `Else`, there may still be assignments if the condition does not hold.
                let open = self.open.last().copied().unwrap_or_default();
                let assignments = match nodes[open].kind {
                    Kind::If { header, condition } => self.on_edge(header, condition.negated),
                    _ => &[],
                };
                if nodes[open].end != nodes[index].end || !assignments.is_empty() {
                    self.line("} else {");
                    self.assign(assignments);
                }
                return;
            }
            Kind::Switch { .. } => {
                // A `switch` has a default.
                let is_default = |case: usize| {
                    let kind = self.tree.nodes()[case].kind;
                    matches!(kind, Kind::Case { default: true, .. })
                };
                if !self.tree.children(index).any(is_default) {
                    self.line("default: {");
                    self.line("}");
                }
            }
            Kind::If { .. } | Kind::Loop { .. } | Kind::ContinuePart | Kind::Case { .. } => {}
            _ => return,
        }
        self.line("}");
    }

    fn block(&mut self, block: Block) {
        match self.code.get(block.as_u32() as usize) {
            Some(Op::Set(to, number)) => self.line(&format!("r{to} = {number};")),
            Some(Op::Add(to, a, b)) => self.line(&format!("r{to} = r{a} + r{b};")),
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
            Value::Selector(number) => format!("{number}u"),
            Value::Bool(is_true) => is_true.to_string(),
            Value::Test {
                selector,
                op,
                constant,
            } => {
                let op = if op == SelectorOp::Equal { "==" } else { "<=" };
                format!("x{selector} {op} {constant}u")
            }
            Value::Undef(_) => "0u".to_owned(),
        }
    }

    fn line(&mut self, text: &str) {
        self.depth -= usize::from(text.starts_with('}'));
        self.out += &format!("{:1$}{text}\n", "", 2 * self.depth);
        self.depth += usize::from(text.ends_with('{'));
    }
}

fn main() -> Result<(), Error> {
    print!("{}", wgsl(&powers_of_two())?);
    Ok(())
}
