//! A bytecode with `goto` and `switch` becomes JavaScript, which has neither `goto` nor phis.
//!
//! `cargo run -p trellis-structurizer --example goto_to_javascript` prints a program as JavaScript.
//! [`Printer`] prints each node of the [`Tree`]. Every jump is a `break` with a label, so
//! [`Target::JAVASCRIPT`] needs no selectors but those that dispatch into irreducible loops.

pub(crate) mod bytecode;

use bytecode::{Op, function, powers_of_two};
use trellis_structurizer::ir::{Block, Function, SelectorOp, Value, ValueKind};
use trellis_structurizer::tree::{Condition, Kind, TestOf};
use trellis_structurizer::{Error, Options, Target, Tree, structurize};
use trellis_structurizer_analysis::variables::{Assignment, Source, Variables};

/// Returns a program as the body of a JavaScript function, which calls `print`.
pub(crate) fn javascript(code: &[Op]) -> Result<String, Error> {
    let options = Options::default().with_target(Target::JAVASCRIPT);
    let structured = structurize(function(code), &options)?;
    Ok(Printer {
        func: &structured.func,
        tree: &Tree::of(&structured),
        variables: &Variables::of(&structured),
        code,
        open: Vec::new(),
        depth: 0,
        out: String::new(),
    }
    .print())
}

struct Printer<'a> {
    func: &'a Function,
    tree: &'a Tree<'a>,
    variables: &'a Variables,
    code: &'a [Op],
    /// The nodes whose braces are open.
    open: Vec<usize>,
    depth: usize,
    out: String,
}

impl Printer<'_> {
    fn print(mut self) -> String {
        for variable in self.variables.all() {
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
            (Kind::If { condition, .. }, _) => {
                let label = self.tree.label(index);
                let label = label.map_or(String::new(), |header| format!("L{header}: "));
                self.line(&format!("{label}if ({}) {{", self.condition(condition)));
                return self.copies(self.variables.on_arms(self.tree, kind).0);
            }
            (Kind::Loop { header, .. }, _) => format!("L{header}: for (;;) {{"),
            (Kind::Body, Some(Kind::Loop { header, .. })) => format!("C{header}: {{"),
            (Kind::Switch { header, value }, _) => {
                format!("L{header}: switch ({}) {{", self.value(value))
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
            (Kind::Then, Some(parent)) => {
                // Without an `Else`, there may still be copies if the condition does not hold.
                let copies = self.variables.on_arms(self.tree, parent).1;
                let is_last =
                    self.open.last().map(|&open| nodes[open].end) == Some(nodes[index].end);
                if !is_last || !copies.is_empty() {
                    self.line("} else {");
                    self.copies(copies);
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
        for inst in self.func.insts(block) {
            // Tests of selectors are in the conditions of the tree.
            let Some(at) = self.func.payload(inst) else {
                continue;
            };
            let operand = |index: usize| self.value(self.func.uses(inst)[index]);
            let text = match self.code[at as usize] {
                Op::Print(_) => format!("print({});", operand(0)),
                Op::Add(..) => format!("({} + {}) | 0;", operand(0), operand(1)),
                _ => format!("{} < {};", operand(0), operand(1)),
            };
            let prefix = match self.func.results(inst).next() {
                // `var` is visible in the whole function, as the value is.
                Some(value) if self.variables.variable(value).is_none() => {
                    format!("var {value} = ")
                }
                Some(value) => format!("{} = ", self.value(value)),
                None => String::new(),
            };
            self.line(&(prefix + &text));
        }
        self.copies(self.variables.at_end(block));
    }

    fn copies(&mut self, copies: &[Assignment]) {
        for copy in copies {
            self.line(&format!("{} = {};", copy.to, self.source(copy.from)));
        }
    }

    fn condition(&self, condition: Condition) -> String {
        let text = match condition.test {
            TestOf::Value(value) => self.value(value),
            TestOf::Selector {
                selector,
                op,
                constant,
            } => {
                let op = if op == SelectorOp::Equal { "===" } else { "<=" };
                format!("{} {op} {constant}", self.value(selector))
            }
        };
        let sign = if condition.negated { "!" } else { "" };
        format!("{sign}({text})")
    }

    fn value(&self, value: Value) -> String {
        self.source(self.variables.source(value))
    }

    fn source(&self, source: Source) -> String {
        match source {
            Source::Variable(variable) => variable.to_string(),
            Source::Value(value) => match self.func.value_kind(value) {
                ValueKind::Constant { payload } => (payload as i32).to_string(),
                ValueKind::SelectorConstant(number) => number.to_string(),
                ValueKind::BoolConstant(is_true) => is_true.to_string(),
                ValueKind::Undef => "0".to_owned(),
                ValueKind::Phi(_) | ValueKind::Result { .. } => value.to_string(),
            },
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
