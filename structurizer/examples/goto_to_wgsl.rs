//! A bytecode with `goto` and `switch` becomes WGSL, a language for shaders on the web.
//!
//! `cargo run -p trellis-structurizer --example goto_to_wgsl` prints a program as a shader whose
//! `print` appends to a buffer. WGSL has neither labels nor fall-through, and a `break` in a
//! `switch` leaves the `switch`: [`Target::WGSL`] knows. [`Printer`] prints each node of the
//! [`Tree`]; phis are variables ([`Variables`]).

pub(crate) mod bytecode;

use bytecode::{BOOL, Op, function, powers_of_two};
use trellis_structurizer::ir::{Block, SelectorOp, Type, Value, ValueKind};
use trellis_structurizer::tree::{Condition, Kind, TestOf};
use trellis_structurizer::{Error, Options, Structured, Target, Tree, structurize};
use trellis_structurizer_analysis::variables::{Assignment, Source, Variables};

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
    let structured = structurize(function(code), &Options::default().with_target(target))?;
    Ok(Printer {
        structured: &structured,
        tree: &Tree::of(&structured),
        variables: &Variables::of(&structured),
        code,
        open: Vec::new(),
        depth: 1,
        out: HEADER.to_owned(),
    }
    .print())
}

struct Printer<'a> {
    structured: &'a Structured,
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
        // Declared here, since what one block computes may be read outside of its braces.
        for variable in self.variables.all() {
            let ty = type_name(self.variables.ty(variable));
            self.line(&format!("var {variable}: {ty};"));
        }
        let func = &self.structured.func;
        for &block in &self.structured.order {
            for inst in func.insts(block).filter(|&i| func.payload(i).is_some()) {
                for value in func.results(inst) {
                    if self.variables.variable(value).is_none() {
                        let ty = type_name(func.value_type(value));
                        self.line(&format!("var {value}: {ty};"));
                    }
                }
            }
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
            Kind::If { condition, .. } => {
                self.line(&format!("if {} {{", self.condition(condition)));
                return self.copies(self.variables.on_arms(self.tree, kind).0);
            }
            Kind::Loop { .. } => "loop {".to_owned(),
            Kind::ContinuePart => "continuing {".to_owned(),
            Kind::Switch { .. } if self.tree.is_breakable_block(index) => "switch 0 {".to_owned(),
            Kind::Switch { value, .. } => format!("switch {} {{", self.value(value)),
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
                // Without an `Else`, there may still be copies if the condition does not hold.
                let open = self.open.last().copied().unwrap_or_default();
                let copies = self.variables.on_arms(self.tree, nodes[open].kind).1;
                if nodes[open].end != nodes[index].end || !copies.is_empty() {
                    self.line("} else {");
                    self.copies(copies);
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
        let func = &self.structured.func;
        for inst in func.insts(block) {
            // Tests of selectors are in the conditions of the tree.
            let Some(at) = func.payload(inst) else {
                continue;
            };
            let operand = |index: usize| self.value(func.uses(inst)[index]);
            let text = match self.code[at as usize] {
                Op::Print(_) => format!("print({});", operand(0)),
                Op::Add(..) => format!("{} + {};", operand(0), operand(1)),
                _ => format!("{} < {};", operand(0), operand(1)),
            };
            let result = func.results(inst).next();
            let result = result.map(|value| format!("{} = ", self.value(value)));
            self.line(&(result.unwrap_or_default() + &text));
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
                let op = if op == SelectorOp::Equal { "==" } else { "<=" };
                format!("{} {op} {constant}u", self.value(selector))
            }
        };
        let sign = if condition.negated { "!" } else { "" };
        format!("{sign}({text})")
    }

    fn value(&self, value: Value) -> String {
        self.source(self.variables.source(value))
    }

    fn source(&self, source: Source) -> String {
        let func = &self.structured.func;
        match source {
            Source::Variable(variable) => variable.to_string(),
            Source::Value(value) => match func.value_kind(value) {
                ValueKind::Constant { payload } => format!("i32({})", payload as i32),
                ValueKind::SelectorConstant(number) => format!("{number}u"),
                ValueKind::BoolConstant(is_true) => is_true.to_string(),
                ValueKind::Undef => format!("{}()", type_name(func.value_type(value))),
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

fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::SELECTOR => "u32",
        BOOL => "bool",
        _ => "i32",
    }
}

fn main() -> Result<(), Error> {
    print!("{}", wgsl(&powers_of_two())?);
    Ok(())
}
