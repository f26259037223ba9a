//! The common part of the printers of JavaScript and WGSL: the walk over the tree, values and
//! assignments. Each language prints the start and the end of a node.

use trellis_structurizer::ir::{Block, SelectorOp};
use trellis_structurizer::tree::{Kind, Tree};
use trellis_structurizer_client::{Assignment, Edits, Terminator, Value};

use super::bytecode::Op;

/// Tokens that differ between the languages.
pub(crate) struct Syntax {
    /// The comparison for equality.
    pub(crate) equal: &'static str,
    /// The end of an unsigned number.
    pub(crate) unsigned: &'static str,
    /// Text around a sum of two registers, which keeps 32 bits.
    pub(crate) sum: (&'static str, &'static str),
}

/// A program that is being printed.
pub(crate) struct Printer<'a> {
    pub(crate) edits: &'a Edits,
    pub(crate) tree: &'a Tree<'a>,
    pub(crate) code: &'a [Op],
    pub(crate) syntax: Syntax,
    /// The nodes whose braces are open.
    pub(crate) open: Vec<usize>,
    pub(crate) depth: usize,
    pub(crate) out: String,
}

impl<'a> Printer<'a> {
    /// Prints all nodes of the tree in their order, by functions for the start and the end of one.
    pub(crate) fn nodes(&mut self, start: fn(&mut Self, usize), close: fn(&mut Self, usize)) {
        let nodes = self.tree.nodes();
        for index in 0..=nodes.len() {
            while let Some(ended) = self.open.pop_if(|open| nodes[*open].end as usize <= index) {
                close(self, ended);
            }
            if index < nodes.len() {
                start(self, index);
                self.open.push(index);
            }
        }
    }

    /// Prints the end of the first arm of the innermost open node, an `if`, and the start of the second.
    pub(crate) fn close_then(&mut self, index: usize) {
        // Without an `Else`, there may still be assignments if the condition does not hold.
        let nodes = self.tree.nodes();
        let open = self.open.last().copied().unwrap_or_default();
        let assignments = match nodes[open].kind {
            Kind::If { header, condition } => self.on_edge(header, condition.negated),
            _ => &[],
        };
        if nodes[open].end != nodes[index].end || !assignments.is_empty() {
            self.line("} else {");
            self.assign(assignments);
        }
    }

    /// Prints the operation of a block.
    pub(crate) fn block(&mut self, block: Block) {
        let (before, after) = self.syntax.sum;
        match self.code.get(block.as_u32() as usize) {
            Some(Op::Set(to, number)) => self.line(&format!("r{to} = {number};")),
            Some(Op::Add(to, a, b)) => self.line(&format!("r{to} = {before}r{a} + r{b}{after};")),
            Some(Op::Print(from)) => self.line(&format!("print(r{from});")),
            _ => {}
        }
        if let Some(edit) = self.edits.block(block) {
            self.assign(&edit.assignments);
        }
    }

    /// Prints assignments.
    pub(crate) fn assign(&mut self, assignments: &[Assignment]) {
        for assignment in assignments {
            let value = self.value(assignment.value);
            self.line(&format!("x{} = {value};", assignment.to));
        }
    }

    /// Returns the assignments of a branch if its condition has a value.
    pub(crate) fn on_edge(&self, header: Block, is_true: bool) -> &'a [Assignment] {
        let edit = self.edits.block(header);
        edit.map_or(&[], |edit| &edit.on_edges[usize::from(!is_true)])
    }

    /// Returns the operand of a branch or switch.
    pub(crate) fn operand(&self, header: Block) -> String {
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
        let unsigned = self.syntax.unsigned;
        match value {
            Value::Client(at) => match &self.code[at as usize] {
                Op::IfLess(a, b, _) => format!("r{a} < r{b}"),
                Op::Switch(from, _) => format!("r{from}"),
                _ => String::new(),
            },
            Value::New(number) => format!("x{number}"),
            Value::Selector(number) => format!("{number}{unsigned}"),
            Value::Bool(is_true) => is_true.to_string(),
            Value::Test {
                selector,
                op,
                constant,
            } => {
                let op = match op {
                    SelectorOp::Equal => self.syntax.equal,
                    SelectorOp::LessEqual => "<=",
                };
                format!("x{selector} {op} {constant}{unsigned}")
            }
            Value::Undef(_) => format!("0{unsigned}"),
        }
    }

    /// Prints a line, indented by its braces.
    pub(crate) fn line(&mut self, text: &str) {
        self.depth -= usize::from(text.starts_with('}'));
        self.out += &format!("{:1$}{text}\n", "", 2 * self.depth);
        self.depth += usize::from(text.ends_with('{'));
    }
}
