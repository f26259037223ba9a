//! A bytecode with `goto` and `switch` becomes JavaScript, which has neither `goto` nor phis.
//!
//! `cargo run -p trellis-structurizer --example goto_to_javascript` prints the program below as
//! JavaScript. [`function`] makes SSA of the bytecode in the simplest way: each operation is a
//! block with a phi for each register, and [`Variables`] makes one variable of them again.
//! [`Printer`] prints each node of the [`Tree`]. Every jump is a `break` with a label.

use trellis_structurizer::ir::{Block, Effects, Function, SelectionHint, SelectorOp};
use trellis_structurizer::ir::{Terminator, Type, Value, ValueKind};
use trellis_structurizer::tree::{Condition, Kind, TestOf};
use trellis_structurizer::variables::{Assignment, Source};
use trellis_structurizer::{Error, Options, Tree, Variables, structurize};

/// The number of registers. All are 0 at the start.
pub(crate) const REGISTERS: usize = 4;
const INT: Type = Type(1);

/// An operation, on registers. Targets are indices of operations; the end of the code halts.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// Sets a register.
    Set(usize, i32),
    /// Sets the first register to the sum of the others, which wraps.
    Add(usize, usize, usize),
    /// Prints a register.
    Print(usize),
    /// Continues elsewhere.
    Goto(usize),
    /// Continues elsewhere if the first register is less than the second.
    IfLess(usize, usize, usize),
    /// Continues at the target with the number in the register, if there is one.
    Switch(usize, Vec<usize>),
}

/// Returns a program as a function: one block per operation, with one phi per register. The payload
/// of an instruction is the index of its operation.
fn function(code: &[Op]) -> Function {
    let mut func = Function::new();
    let entry = func.add_block();
    let blocks: Vec<Block> = (0..=code.len()).map(|_| func.add_block()).collect();
    for &block in &blocks {
        (0..REGISTERS).for_each(|_| _ = func.add_phi(block, INT));
    }
    let zero = func.add_constant(0, INT);
    let start = Terminator::Branch(blocks[0]);
    end(&mut func, entry, start, &[zero; REGISTERS]);
    for (at, &block) in blocks.iter().enumerate() {
        let mut registers: Vec<Value> = func.phis(block).collect();
        let next = blocks.get(at + 1).copied();
        let mut terminator = next.map_or(Terminator::Return(None), Terminator::Branch);
        match code.get(at) {
            None => {}
            Some(Op::Set(to, number)) => registers[*to] = func.add_constant(*number as u32, INT),
            Some(Op::Add(to, a, b)) => {
                let uses = [registers[*a], registers[*b]];
                registers[*to] = compute(&mut func, block, at, &uses);
            }
            Some(Op::Print(from)) => {
                let uses = [registers[*from]];
                func.append_inst(block, at as u32, Effects::SIDE_EFFECT, &uses, &[]);
            }
            Some(Op::Goto(to)) => terminator = Terminator::Branch(blocks[*to]),
            Some(Op::IfLess(a, b, to)) => {
                terminator = Terminator::CondBranch {
                    cond: compute(&mut func, block, at, &[registers[*a], registers[*b]]),
                    then: blocks[*to],
                    else_: blocks[at + 1],
                    hint: SelectionHint::None,
                };
            }
            Some(Op::Switch(from, targets)) => {
                let cases = targets.iter().enumerate();
                let cases: Vec<_> = cases.map(|(i, &to)| (i as u64, blocks[to])).collect();
                terminator = Terminator::Switch {
                    value: registers[*from],
                    default: blocks[at + 1],
                    cases: func.add_cases(&cases),
                    hint: SelectionHint::None,
                };
            }
        }
        end(&mut func, block, terminator, &registers);
    }
    func
}

/// Appends an instruction, and returns its result.
fn compute(func: &mut Function, block: Block, at: usize, uses: &[Value]) -> Value {
    let inst = func.append_inst(block, at as u32, Effects::NONE, uses, &[INT]);
    func.results(inst).next().unwrap_or(uses[0])
}

/// Ends a block, and gives the phis of its successors their operands.
fn end(func: &mut Function, block: Block, terminator: Terminator, registers: &[Value]) {
    func.set_terminator(block, terminator);
    let mut targets: Vec<Block> = func.successors(block).collect();
    targets.sort();
    targets.dedup();
    for to in targets {
        let phis: Vec<Value> = func.phis(to).collect();
        for (phi, &value) in phis.into_iter().zip(registers) {
            func.add_phi_operand(phi, block, value);
        }
    }
}

/// Returns a program as the body of a JavaScript function, which calls `print`.
pub(crate) fn javascript(code: &[Op]) -> Result<String, Error> {
    let structured = structurize(function(code), &Options::default())?;
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
                self.line(&format!("if ({}) {{", self.condition(condition)));
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
                // What falls through to the next case leaves a block.
                let next = self.tree.nodes().get(self.tree.nodes()[index].end as usize);
                if let Some(Kind::Case { target, .. }) = next.map(|node| node.kind) {
                    text += &format!("F{target}: ");
                }
                text + "{"
            }
            (Kind::Break(header), _) => format!("break L{header};"),
            (Kind::Continue(header), _) => format!("break C{header};"),
            (Kind::FallThrough(to), _) => format!("break F{to};"),
            (Kind::Return(_) | Kind::Kill | Kind::Unreachable, _) => "return;".to_owned(),
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
    // Powers of two below 100. The loop of operations 4 to 6 has two entries, 4 and 6.
    let code = [
        Op::Set(0, 1),
        Op::Set(1, 100),
        Op::Switch(2, vec![6, 4]),
        Op::Goto(7),
        Op::Print(0),
        Op::Add(0, 0, 0),
        Op::IfLess(0, 1, 4),
    ];
    print!("{}", javascript(&code)?);
    Ok(())
}
