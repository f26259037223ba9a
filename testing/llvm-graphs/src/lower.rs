//! A plan as an LLVM function, in LLVM's text form.

use crate::program::{INPUTS, Predicate};
use crate::random::{Block, End, Operation, Plan, Source, Step, Test};
use crate::text::Text;

/// The function that a module of a plan defines: `i32 (i32*)`, from the input to the result.
pub const FUNCTION: &str = "program";
/// The function that it calls: `void (i32, i32)`, with an id and a value.
pub const EVENT: &str = "event";

impl Plan {
    /// Returns an LLVM module with one function: each variable is an `alloca`, each block a block, and
    /// each jump back tests the fuel.
    pub fn to_llvm(&self) -> String {
        let (mut event, mut input) = ("nounwind".to_owned(), String::new());
        if self.events.pure {
            event += " willreturn inaccessiblememonly";
            input = format!(
                " noalias readonly nocapture dereferenceable({})",
                4 * INPUTS
            );
        }
        if self.events.convergent {
            event += " convergent";
        }
        let mut text = Text::default();
        text.top(&format!("declare void @{EVENT}(i32, i32) {event}"));
        text.top(&format!(
            "define i32 @{FUNCTION}(i32*{input} %input) nounwind {{\nentry:"
        ));
        for variable in 0..self.variables {
            text.line(&format!("%v{variable} = alloca i32"));
            text.line(&format!("store i32 0, i32* %v{variable}"));
        }
        text.line("%fuel = alloca i32");
        text.line(&format!("store i32 {}, i32* %fuel", self.fuel));
        text.line("br label %b0");
        for (index, block) in self.blocks.iter().enumerate() {
            text.top(&format!("b{index}:"));
            text.block(index, block);
        }
        text.top("}");
        text.0
    }
}

impl Text {
    fn source(&mut self, source: Source) -> String {
        match source {
            Source::Constant(value) => (value as i32).to_string(),
            Source::Variable(variable) => self.value(&format!("load i32, i32* %v{variable}")),
        }
    }

    fn set(&mut self, variable: usize, value: &str) {
        self.line(&format!("store i32 {value}, i32* %v{variable}"));
    }

    fn test(&mut self, test: Test) -> String {
        let predicate = match test.predicate {
            Predicate::Eq => "eq",
            Predicate::Ne => "ne",
            Predicate::Ugt => "ugt",
            Predicate::Uge => "uge",
            Predicate::Ult => "ult",
            Predicate::Ule => "ule",
            Predicate::Sgt => "sgt",
            Predicate::Sge => "sge",
            Predicate::Slt => "slt",
            Predicate::Sle => "sle",
        };
        let (a, b) = (self.source(test.a), self.source(test.b));
        self.value(&format!("icmp {predicate} i32 {a}, {b}"))
    }

    fn compute(&mut self, operation: Operation, a: Source, b: Source) -> String {
        let (x, mut y) = (self.source(a), self.source(b));
        let name = match operation {
            Operation::Add => "add",
            Operation::Sub => "sub",
            Operation::Mul => "mul",
            Operation::And => "and",
            Operation::Or => "or",
            Operation::Xor => "xor",
            Operation::Shl => "shl",
            Operation::LShr => "lshr",
            Operation::AShr => "ashr",
            Operation::UDiv => "udiv",
            Operation::URem => "urem",
            Operation::SRem => "srem",
        };
        match operation {
            Operation::Shl | Operation::LShr | Operation::AShr => {
                y = self.value(&format!("and i32 {y}, 31"));
            }
            Operation::UDiv | Operation::URem => y = self.value(&format!("or i32 {y}, 1")),
            Operation::SRem => {
                let number = match b {
                    Source::Constant(value) => value,
                    Source::Variable(variable) => variable as u32,
                };
                y = (2 + number % 8).to_string();
            }
            _ => {}
        }
        self.value(&format!("{name} i32 {x}, {y}"))
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Set(to, from) => {
                let value = self.source(from);
                self.set(to, &value);
            }
            Step::Compute(to, operation, a, b) => {
                let value = self.compute(operation, a, b);
                self.set(to, &value);
            }
            Step::Read(to, index) => {
                let index = self.source(index);
                let index = self.value(&format!("and i32 {index}, {}", INPUTS - 1));
                let element = "getelementptr inbounds i32, i32* %input, i32";
                let element = self.value(&format!("{element} {index}"));
                let value = self.value(&format!("load i32, i32* {element}"));
                self.set(to, &value);
            }
            Step::Event(id, value) => {
                let value = self.source(value);
                self.line(&format!("call void @{EVENT}(i32 {id}, i32 {value})"));
            }
            Step::Choose(to, test, a, b) => {
                let (test, a, b) = (self.test(test), self.source(a), self.source(b));
                let value = self.value(&format!("select i1 {test}, i32 {a}, i32 {b}"));
                self.set(to, &value);
            }
        }
    }

    fn block(&mut self, index: usize, block: &Block) {
        for &step in &block.steps {
            self.step(step);
        }
        let back = |to: &usize| *to <= index;
        let targets = block.end.targets();
        if !targets.iter().any(back) {
            return self.end(&block.end);
        }
        let fuel = self.value("load i32, i32* %fuel");
        let less = self.value(&format!("sub i32 {fuel}, 1"));
        self.line(&format!("store i32 {less}, i32* %fuel"));
        let alive = self.value(&format!("icmp sgt i32 {fuel}, 0"));
        let out = block.out;
        match &block.end {
            End::Jump(to) => self.branch(&alive, *to, out),
            End::Branch(test, then, else_)
                if !block.tests_first && targets.iter().any(|to| !back(to)) =>
            {
                let holds = self.test(*test);
                let holds = if back(then) {
                    self.value(&format!("and i1 {holds}, {alive}"))
                } else {
                    let spent = self.value(&format!("xor i1 {alive}, true"));
                    self.value(&format!("or i1 {holds}, {spent}"))
                };
                self.branch(&holds, *then, *else_);
            }
            End::Switch(variable, modulus, default, cases)
                if !block.tests_first && !back(default) =>
            {
                let value = self.subject(*variable, *modulus);
                let value = self.value(&format!("select i1 {alive}, i32 {value}, i32 -1"));
                self.switch(&value, *default, cases);
            }
            end => {
                self.line(&format!(
                    "br i1 {alive}, label %b{index}.alive, label %b{out}"
                ));
                self.top(&format!("b{index}.alive:"));
                self.end(end);
            }
        }
    }

    fn subject(&mut self, variable: usize, modulus: Option<u32>) -> String {
        let value = self.source(Source::Variable(variable));
        match modulus {
            Some(modulus) => self.value(&format!("urem i32 {value}, {modulus}")),
            None => value,
        }
    }

    fn branch(&mut self, condition: &str, then: usize, else_: usize) {
        self.line(&format!(
            "br i1 {condition}, label %b{then}, label %b{else_}"
        ));
    }

    fn switch(&mut self, value: &str, default: usize, cases: &[(u32, usize)]) {
        let cases = cases
            .iter()
            .map(|(literal, to)| format!(" i32 {literal}, label %b{to}"));
        let cases: String = cases.collect();
        self.line(&format!("switch i32 {value}, label %b{default} [{cases} ]"));
    }

    fn end(&mut self, end: &End) {
        match end {
            End::Jump(to) => self.line(&format!("br label %b{to}")),
            End::Branch(test, then, else_) => {
                let holds = self.test(*test);
                self.branch(&holds, *then, *else_);
            }
            End::Switch(variable, modulus, default, cases) => {
                let value = self.subject(*variable, *modulus);
                self.switch(&value, *default, cases);
            }
            End::Return => {
                let result = self.source(Source::Variable(0));
                self.line(&format!("ret i32 {result}"));
            }
        }
    }
}
