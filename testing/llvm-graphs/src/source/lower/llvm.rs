//! The graph of a structured program as LLVM's text form.

use super::{Block, End, FUNCTION, Graph, Step, test_call};
use crate::source::{Returns, Tests};
use crate::text::Text;

/// The bits of a call's result that tests read.
const BITS: u32 = 60;

impl Graph {
    /// Returns the graph as an LLVM module. As in compilers, all returns lead to one block.
    pub fn to_llvm(&self) -> String {
        let mut printer = Printer {
            text: Text::default(),
            graph: self,
        };
        printer.module();
        printer.text.0
    }
}

struct Printer<'a> {
    text: Text,
    graph: &'a Graph,
}

impl Printer<'_> {
    fn module(&mut self) {
        let graph = self.graph;
        let mut functions: Vec<u32> = Vec::new();
        for block in &graph.blocks {
            functions.extend(block.steps.iter().filter_map(|step| match step {
                Step::Call(id, _) => Some(*id),
                Step::Set(_) => None,
            }));
            if let (End::Test(test, ..) | End::Switch(test, ..), Tests::Calls) =
                (&block.end, graph.tests)
            {
                functions.push(test_call(*test));
            }
        }
        functions.sort_unstable();
        functions.dedup();
        for id in functions {
            self.text
                .top(&format!("declare i64 @call.{id}(i32) nounwind"));
        }
        self.text
            .top("declare i64 @read(i32) nounwind readonly willreturn");
        let result = if graph.returns == Returns::Numbers {
            "i32"
        } else {
            "void"
        };
        self.text.top(&format!(
            "define {result} @{FUNCTION}() nounwind {{\nentry:"
        ));
        self.text.line("%state = alloca i64");
        self.text.line("%variable = alloca i32");
        self.text.line("%result = alloca i32");
        let first = self.text.value("call i64 @read(i32 -1)");
        self.text.line(&format!("store i64 {first}, i64* %state"));
        self.text.line("br label %b0");
        let reached = graph.reached();
        for (index, block) in graph.blocks.iter().enumerate() {
            if reached[index] {
                self.text.top(&format!("b{index}:"));
                self.block(block);
            }
        }
        self.text.top("return:");
        if graph.returns == Returns::Numbers {
            let value = self.text.value("load i32, i32* %result");
            self.text.line(&format!("ret i32 {value}"));
        } else {
            self.text.line("ret void");
        }
        self.text.top("}");
    }

    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            match *step {
                Step::Call(id, true) => {
                    let argument = self.text.value("load i32, i32* %variable");
                    self.call(id, &argument);
                }
                Step::Call(id, false) => {
                    self.call(id, "0");
                }
                Step::Set(value) => {
                    self.text
                        .line(&format!("store i32 {value}, i32* %variable"));
                }
            }
        }
        match &block.end {
            End::Jump(to) => self.text.line(&format!("br label %b{to}")),
            End::Test(test, yes, no) => {
                let bits = self.test(*test, 1);
                let bit = self.text.value(&format!("icmp ne i64 {bits}, 0"));
                self.text
                    .line(&format!("br i1 {bit}, label %b{yes}, label %b{no}"));
            }
            End::Switch(test, default, cases) => {
                let bits = self.test(*test, 15);
                let cases: String = cases
                    .iter()
                    .map(|(literal, to)| format!(" i64 {literal}, label %b{to}"))
                    .collect();
                self.text
                    .line(&format!("switch i64 {bits}, label %b{default} [{cases} ]"));
            }
            End::Return(number) => {
                if self.graph.returns == Returns::Numbers {
                    self.text.line(&format!("store i32 {number}, i32* %result"));
                }
                self.text.line("br label %return");
            }
        }
    }

    fn call(&mut self, id: u32, argument: &str) -> String {
        let result = self
            .text
            .value(&format!("call i64 @call.{id}(i32 {argument})"));
        self.text.line(&format!("store i64 {result}, i64* %state"));
        result
    }

    /// Prints the operand of a test, under a mask.
    fn test(&mut self, test: u32, mask: u32) -> String {
        let word = match self.graph.tests {
            Tests::Calls => self.call(test_call(test), "0"),
            Tests::Reads => self.text.value(&format!("call i64 @read(i32 {test})")),
            Tests::Bits => {
                let state = self.text.value("load i64, i64* %state");
                let place = self.graph.first_bit(test) % BITS;
                self.text.value(&format!("lshr i64 {state}, {place}"))
            }
        };
        self.text.value(&format!("and i64 {word}, {mask}"))
    }
}
