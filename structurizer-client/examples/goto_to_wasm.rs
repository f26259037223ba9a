//! A bytecode with `goto` and `switch` becomes WebAssembly, in its text form, by way of SSA.
//!
//! [`function`] makes SSA of it in the simplest way: each operation is a block with a phi for each
//! register. [`Variables`] makes one variable of them again.
//!
//! `cargo run -p trellis-structurizer-client --example goto_to_wasm` prints a program. WebAssembly has no
//! `goto`, but each `block`, `loop` and `if` is a label: [`Target::WASM`] needs no selectors but
//! those that dispatch into irreducible loops. [`Printer`] prints each node of the [`Tree`]; phis
//! are locals ([`Variables`]).

pub(crate) mod bytecode;

use bytecode::{Op, REGISTERS, powers_of_two};
use trellis_structurizer::ir::{Block, Effects, Function, SelectionHint, SelectorOp, Terminator};
use trellis_structurizer::ir::{Type, Value, ValueKind};
use trellis_structurizer::tree::{Condition, Kind, TestOf};
use trellis_structurizer::{Error, Options, Structured, Target, Tree, structurize};
use trellis_structurizer_analysis::variables::{Assignment, Source, Variables};

/// Type of the registers.
const INT: Type = Type(1);
/// Type of comparisons.
const BOOL: Type = Type(2);

/// Returns a program as a function: one block per operation, with one phi per register. The payload
/// of an instruction is the index of its operation.
pub(crate) fn function(code: &[Op]) -> Function {
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
                registers[*to] = compute(&mut func, block, at, &uses, INT);
            }
            Some(Op::Print(from)) => {
                let uses = [registers[*from]];
                func.append_inst(block, at as u32, Effects::SIDE_EFFECT, &uses, &[]);
            }
            Some(Op::Goto(to)) => terminator = Terminator::Branch(blocks[*to]),
            Some(Op::IfLess(a, b, to)) => {
                terminator = Terminator::CondBranch {
                    cond: compute(&mut func, block, at, &[registers[*a], registers[*b]], BOOL),
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
fn compute(func: &mut Function, block: Block, at: usize, uses: &[Value], ty: Type) -> Value {
    let inst = func.append_inst(block, at as u32, Effects::NONE, uses, &[ty]);
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

/// Returns a program as a module with a function `main`, which calls the imported `print`.
pub(crate) fn wasm(code: &[Op]) -> Result<String, Error> {
    let options = Options::default().with_target(Target::WASM);
    let structured = structurize(function(code), &options)?;
    Ok(Printer {
        structured: &structured,
        tree: &Tree::of(&structured),
        variables: &Variables::of(&structured),
        code,
        open: Vec::new(),
        out: String::new(),
    }
    .print())
}

struct Printer<'a> {
    structured: &'a Structured,
    tree: &'a Tree<'a>,
    variables: &'a Variables,
    code: &'a [Op],
    /// The nodes that are open.
    open: Vec<usize>,
    out: String,
}

impl Printer<'_> {
    fn print(mut self) -> String {
        self.line("(module");
        self.line("(import \"bytecode\" \"print\" (func $print (param i32)))");
        self.line("(func (export \"main\")");
        for variable in self.variables.all() {
            self.line(&format!("(local ${variable} i32)"));
        }
        let func = &self.structured.func;
        for &block in &self.structured.order {
            let values = func.insts(block).flat_map(|inst| func.results(inst));
            for value in values.filter(|&value| self.variables.variable(value).is_none()) {
                self.out += &format!("(local ${value} i32)\n");
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
        self.line("))");
        self.out
    }

    /// Prints the start of a node.
    fn start(&mut self, index: usize) {
        let kind = self.tree.nodes()[index].kind;
        match (kind, self.parent()) {
            (Kind::Block(block), _) => self.block(block),
            (Kind::If { header, condition }, _) => {
                self.condition(condition);
                // A loop header's own test has no label: the loop's label is a different one.
                match self.tree.label(index) {
                    Some(_) => self.line(&format!("if $B{header}")),
                    None => self.line("if"),
                }
                self.copies(self.variables.on_arms(self.tree, kind).0);
            }
            (Kind::Loop { header, .. }, _) => {
                self.line(&format!("block $B{header}"));
                self.line(&format!("loop $L{header}"));
            }
            (Kind::Body, Some(Kind::Loop { header, .. })) => {
                self.line(&format!("block $C{header}"));
            }
            (Kind::Switch { header, value }, _) => self.switch(index, header, value),
            // The block whose end is before the case.
            (Kind::Case { .. }, _) if self.is_case(index) => self.line("end"),
            (Kind::Break(header), _) => self.line(&format!("br $B{header}")),
            (Kind::Continue(header), _) => self.line(&format!("br $C{header}")),
            (Kind::Return(_) | Kind::Kill | Kind::Exit(_), _) => self.line("return"),
            (Kind::Unreachable, _) => self.line("unreachable"),
            _ => {}
        }
    }

    /// Prints the end of a node.
    fn close(&mut self, index: usize) {
        let nodes = self.tree.nodes();
        match (nodes[index].kind, self.parent()) {
            (Kind::Then, Some(parent)) => {
                // Without an `Else`, there may still be copies if the condition does not hold.
                let copies = self.variables.on_arms(self.tree, parent).1;
                let last = self.open.last().map(|&open| nodes[open].end);
                if last != Some(nodes[index].end) || !copies.is_empty() {
                    self.line("else");
                    self.copies(copies);
                }
            }
            (Kind::Case { .. }, Some(Kind::Switch { header, .. })) => {
                self.line(&format!("br $B{header}"));
            }
            (Kind::Loop { header, .. }, _) => {
                self.line(&format!("br $L{header}"));
                self.line("end");
                self.line("end");
            }
            (Kind::If { .. } | Kind::Body | Kind::Switch { .. }, _) => self.line("end"),
            _ => {}
        }
    }

    /// Prints the start of a switch: a block per case, one inside the other, and a table of their
    /// labels. The numbers of the bytecode's cases are dense.
    fn switch(&mut self, index: usize, header: Block, value: Value) {
        self.line(&format!("block $B{header}"));
        if self.tree.is_breakable_block(index) {
            return;
        }
        let cases: Vec<usize> = self.tree.children(index).collect();
        let mut table: Vec<(u64, String)> = Vec::new();
        let mut default = format!("$B{header}");
        for &case in cases.iter().rev() {
            self.line(&format!("block $K{case}"));
            let kind = self.tree.nodes()[case].kind;
            let literals = self.tree.literals(kind).iter();
            table.extend(literals.map(|&literal| (literal, format!("$K{case}"))));
            if let Kind::Case { default: true, .. } = kind {
                default = format!("$K{case}");
            }
        }
        table.sort_unstable();
        let mut labels = String::new();
        let mut next = 0;
        for (literal, label) in table {
            // A number without a case is a default, too.
            while next < literal {
                labels += &format!("{default} ");
                next += 1;
            }
            labels += &format!("{label} ");
            next += 1;
        }
        self.value(value);
        self.line(&format!("br_table {labels}{default}"));
    }

    /// Returns whether a node is a case of a switch that is not a breakable block.
    fn is_case(&self, index: usize) -> bool {
        // The first case follows its switch.
        !self.tree.is_breakable_block(index - 1)
    }

    /// Returns the innermost node that is open.
    fn parent(&self) -> Option<Kind> {
        let open = self.open.last().copied();
        open.map(|open| self.tree.nodes()[open].kind)
    }

    fn block(&mut self, block: Block) {
        let func = &self.structured.func;
        for inst in func.insts(block) {
            // Tests of selectors are in the conditions of the tree.
            let Some(at) = func.payload(inst) else {
                continue;
            };
            func.uses(inst).iter().for_each(|&value| self.value(value));
            self.line(match self.code[at as usize] {
                Op::Print(_) => "call $print",
                Op::Add(..) => "i32.add",
                _ => "i32.lt_s",
            });
            for value in func.results(inst) {
                match self.variables.variable(value) {
                    Some(variable) => self.line(&format!("local.set ${variable}")),
                    None => self.line(&format!("local.set ${value}")),
                }
            }
        }
        self.copies(self.variables.at_end(block));
    }

    fn copies(&mut self, copies: &[Assignment]) {
        for copy in copies {
            self.source(copy.from);
            self.line(&format!("local.set ${}", copy.to));
        }
    }

    fn condition(&mut self, condition: Condition) {
        match condition.test {
            TestOf::Value(value) => self.value(value),
            TestOf::Selector {
                selector,
                op,
                constant,
            } => {
                self.value(selector);
                self.line(&format!("i32.const {constant}"));
                self.line(match op {
                    SelectorOp::Equal => "i32.eq",
                    SelectorOp::LessEqual => "i32.le_u",
                });
            }
        }
        if condition.negated {
            self.line("i32.eqz");
        }
    }

    fn value(&mut self, value: Value) {
        self.source(self.variables.source(value));
    }

    fn source(&mut self, source: Source) {
        let text = match source {
            Source::Variable(variable) => format!("local.get ${variable}"),
            Source::Value(value) => match self.structured.func.value_kind(value) {
                ValueKind::Constant { payload } => format!("i32.const {payload}"),
                ValueKind::SelectorConstant(number) => format!("i32.const {number}"),
                ValueKind::BoolConstant(is_true) => format!("i32.const {}", u32::from(is_true)),
                ValueKind::Undef => "i32.const 0".to_owned(),
                ValueKind::Phi(_) | ValueKind::Result { .. } => format!("local.get ${value}"),
            },
        };
        self.line(&text);
    }

    fn line(&mut self, text: &str) {
        self.out += text;
        self.out.push('\n');
    }
}

fn main() -> Result<(), Error> {
    print!("{}", wasm(&powers_of_two())?);
    Ok(())
}
