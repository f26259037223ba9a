//! Random programs about data: types of 16, 32 and 64 bits, vectors, matrices, structures, local and
//! groupshared memory, buffers of all kinds, textures, samplers and atomic operations.
//!
//! A program has one meaning, and all its arithmetic is exact, so that results must be equal to the
//! bit: floats are integers of few bits (each expression knows its bound and is reduced before it
//! grows beyond the type), integers wrap, textures are read at the centres or corners of texels.
//! Threads meet in groupshared memory between barriers in uniform control flow, and in atomic
//! operations of which each counter sees one kind, whose order does not matter.
//!
//! There is no evaluator of the syntax: the program is compiled at two levels of optimization, and
//! the interpreter must have the same results of both, at each width of waves, and so must the
//! device.

mod expressions;
mod judge;
mod long;
mod random;
mod resources;

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use structurizer_testkit::shrink::shrink_tree;

use crate::hlsl;
use crate::program::Compilation;

pub use random::{generate, generate_for_fxc, generate_long};

/// Slots of the output per thread.
pub const SLOTS: u32 = 64;

/// A compute shader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The seed that it was made from.
    pub seed: u64,
    /// Options of its compilation.
    pub options: Compilation,
    /// The other level of optimization, whose results must be the same.
    pub other_level: &'static str,
    /// Threads of a group.
    pub lanes: u32,
    /// Groups.
    pub groups: u32,
    /// It has wave operations: results depend on the width of waves.
    pub waves: bool,
    /// It has vectors of more than four components.
    pub long: bool,
    /// Declarations before the entry point.
    pub declarations: String,
    /// Declarations of the entry point's variables. Any statement can be removed, since all
    /// variables are declared and have values here.
    pub variables: Vec<String>,
    /// The entry point's body.
    pub body: Vec<Statement>,
}

/// A statement of the entry point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Statement {
    /// Lines without a block, which belong together.
    Simple(String),
    /// A block after a line.
    Block(String, Vec<Statement>),
}

impl Program {
    /// Returns the program as HLSL. Its first lines are how it is compiled, in the form of the
    /// corpus.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let arguments = hlsl::arguments(self.options).join(" ");
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "// trellis: {} main {arguments}\n// Random program about data, seed {}.\n\n{}\n[numthreads({}, 1, 1)]\n\
             void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)\n{{",
            hlsl::profile(self.options),
            self.seed,
            self.declarations,
            self.lanes
        );
        for line in &self.variables {
            let _ = writeln!(text, "    {line}");
        }
        print(&mut text, &self.body, 1);
        text.push_str("}\n");
        text
    }

    /// Returns the number of statements.
    pub fn size(&self) -> usize {
        size(&self.body)
    }
}

fn size(list: &[Statement]) -> usize {
    let of = |statement: &Statement| match statement {
        Statement::Simple(_) => 1,
        Statement::Block(_, body) => 1 + size(body),
    };
    list.iter().map(of).sum()
}

fn print(text: &mut String, list: &[Statement], depth: usize) {
    let indent = " ".repeat(4 * depth);
    for statement in list {
        match statement {
            Statement::Simple(lines) => {
                for line in lines.lines() {
                    let _ = writeln!(text, "{indent}{line}");
                }
            }
            Statement::Block(head, body) => {
                let _ = writeln!(text, "{indent}{head}\n{indent}{{");
                print(text, body, depth + 1);
                let _ = writeln!(text, "{indent}}}");
            }
        }
    }
}

/// Returns a program with fewer statements that still `fails`, of at most `tests` tests.
pub fn shrink(program: Program, tests: usize, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let with = |body: &Vec<Statement>| Program {
        body: body.clone(),
        ..program.clone()
    };
    let (body, any) = (program.body.clone(), |_: &Vec<Statement>| true);
    with(&shrink_tree(body, &[], tests, &any, &mut |body| {
        fails(&with(body))
    }))
}
