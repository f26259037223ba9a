//! The graph of a structured program as LLVM's text form.

use std::fmt::Write as _;

use super::{Block, End, FUNCTION, Graph, Step, test_call};
use crate::source::{Returns, Tests};

/// The bits of a call's result that tests read.
const BITS: u32 = 60;

impl Graph {
    /// Returns the graph as an LLVM module. As in compilers, all returns lead to one block.
    pub fn to_llvm(&self) -> String {
        let mut printer = Printer {
            text: String::new(),
            values: 0,
            graph: self,
        };
        printer.module();
        printer.text
    }
}

struct Printer<'a> {
    text: String,
    values: u32,
    graph: &'a Graph,
}

impl Printer<'_> {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "  {line}");
    }

    /// Prints an instruction and returns its value.
    fn value(&mut self, inst: std::fmt::Arguments<'_>) -> String {
        self.values += 1;
        let value = format!("%t{}", self.values);
        self.line(format_args!("{value} = {inst}"));
        value
    }

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
            let _ = writeln!(self.text, "declare i64 @call.{id}(i32) nounwind");
        }
        self.text
            .push_str("declare i64 @read(i32) nounwind readonly willreturn\n");
        let result = if graph.returns == Returns::Numbers {
            "i32"
        } else {
            "void"
        };
        let _ = writeln!(
            self.text,
            "define {result} @{FUNCTION}() nounwind {{\nentry:"
        );
        self.line(format_args!("%state = alloca i64"));
        self.line(format_args!("%variable = alloca i32"));
        self.line(format_args!("%result = alloca i32"));
        let first = self.value(format_args!("call i64 @read(i32 -1)"));
        self.line(format_args!("store i64 {first}, i64* %state"));
        self.line(format_args!("br label %b0"));
        let reached = graph.reached();
        for (index, block) in graph.blocks.iter().enumerate() {
            if reached[index] {
                let _ = writeln!(self.text, "b{index}:");
                self.block(block);
            }
        }
        self.text.push_str("return:\n");
        if graph.returns == Returns::Numbers {
            let value = self.value(format_args!("load i32, i32* %result"));
            self.line(format_args!("ret i32 {value}"));
        } else {
            self.line(format_args!("ret void"));
        }
        self.text.push_str("}\n");
    }

    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            match *step {
                Step::Call(id, true) => {
                    let argument = self.value(format_args!("load i32, i32* %variable"));
                    self.call(id, &argument);
                }
                Step::Call(id, false) => {
                    self.call(id, "0");
                }
                Step::Set(value) => {
                    self.line(format_args!("store i32 {value}, i32* %variable"));
                }
            }
        }
        match &block.end {
            End::Jump(to) => self.line(format_args!("br label %b{to}")),
            End::Test(test, yes, no) => {
                let bits = self.test(*test, 1);
                let bit = self.value(format_args!("icmp ne i64 {bits}, 0"));
                self.line(format_args!("br i1 {bit}, label %b{yes}, label %b{no}"));
            }
            End::Switch(test, default, cases) => {
                let bits = self.test(*test, 15);
                let cases: String = cases
                    .iter()
                    .map(|(literal, to)| format!(" i64 {literal}, label %b{to}"))
                    .collect();
                self.line(format_args!(
                    "switch i64 {bits}, label %b{default} [{cases} ]"
                ));
            }
            End::Return(number) => {
                if self.graph.returns == Returns::Numbers {
                    self.line(format_args!("store i32 {number}, i32* %result"));
                }
                self.line(format_args!("br label %return"));
            }
        }
    }

    fn call(&mut self, id: u32, argument: &str) -> String {
        let result = self.value(format_args!("call i64 @call.{id}(i32 {argument})"));
        self.line(format_args!("store i64 {result}, i64* %state"));
        result
    }

    /// Prints what a test reads, under a mask.
    fn test(&mut self, test: u32, mask: u32) -> String {
        let word = match self.graph.tests {
            Tests::Calls => self.call(test_call(test), "0"),
            Tests::Reads => self.value(format_args!("call i64 @read(i32 {test})")),
            Tests::Bits => {
                let state = self.value(format_args!("load i64, i64* %state"));
                let place = self.graph.first_bit(test) % BITS;
                self.value(format_args!("lshr i64 {state}, {place}"))
            }
        };
        self.value(format_args!("and i64 {word}, {mask}"))
    }
}
