//! Functions of WebAssembly that structurizers made of graphs: their constructs, and runs of them.
//!
//! The structurizers get a skeleton: block `i` calls the import `b<i>`, and the import `c<i>`
//! returns where it leads to, as the place in the list of its distinct targets. A run of the result
//! takes these from a run of the function, so that it must go through the same blocks, and
//! everything else that it computes and tests was added.

use thiserror::Error;
use trellis_structurizer::ir::{Block, Function};
use wasmparser::{BlockType, Operator, Parser, Payload, TypeRef};

use super::run::{Counts, Run, average, targets};
use crate::program::Program;

/// Operators of a run.
const MOST_STEPS: usize = 1_000_000;

/// A module that cannot be read, or that does something other than the graph.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Not a module.
    #[error("the module cannot be read: {0}")]
    Module(String),
    /// An operator that a skeleton is not expected to become.
    #[error("{0} is not among the operators that are run")]
    Operator(String),
    /// The function goes elsewhere.
    #[error("the function goes to {to:?} where the graph leads to {expected:?}")]
    Elsewhere {
        /// The block that runs.
        to: Option<Block>,
        /// The block of the graph.
        expected: Option<Block>,
    },
    /// The operands of an operator are missing, or the run does not end.
    #[error("the function does not run: {0}")]
    Stuck(&'static str),
}

/// The constructs of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Constructs {
    /// Sequences of instructions without a branch or label in between.
    pub blocks: usize,
    /// Blocks of the graph that are copies.
    pub copies: usize,
    /// Conditional branches that neither the graph nor its copies have.
    pub tests: usize,
}

/// An operator. Operators are referred to by the number of their `End` or `Else`.
#[derive(Clone, Copy, Debug)]
enum Op {
    Block(usize),
    Loop(usize),
    If(usize),
    Else(usize),
    End,
    Branch(u32),
    BranchIf(u32),
    /// First and number of the depths in `Code::depths`; the last one is the default.
    Table(usize, usize),
    Return,
    Drop,
    Number(i32),
    Get(u32),
    Set(u32),
    Tee(u32),
    Not,
    Binary(fn(i32, i32) -> i32),
    /// The import `b<i>`.
    Visit(usize),
    /// The import `c<i>`.
    Choose(usize),
}

/// The code of a function.
#[derive(Clone, Debug, Default)]
pub struct Code {
    ops: Vec<Op>,
    depths: Vec<u32>,
    locals: usize,
}

/// Returns the functions that a binary module defines, in order.
///
/// # Errors
/// [`Error::Module`], [`Error::Operator`].
pub fn read(module: &[u8]) -> Result<Vec<Code>, Error> {
    let problem = |error: wasmparser::BinaryReaderError| Error::Module(error.to_string());
    let mut imports = Vec::new();
    let mut functions = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload.map_err(problem)? {
            Payload::ImportSection(section) => {
                for import in section {
                    let import = import.map_err(problem)?;
                    if matches!(import.ty, TypeRef::Func(_)) {
                        imports.push(import.name.to_owned());
                    }
                }
            }
            Payload::CodeSectionEntry(body) => {
                let mut code = Code::default();
                for local in body.get_locals_reader().map_err(problem)? {
                    code.locals += local.map_err(problem)?.0 as usize;
                }
                let mut open = Vec::new();
                for operator in body.get_operators_reader().map_err(problem)? {
                    if let Some(op) = code.op(operator.map_err(problem)?, &imports)? {
                        code.push(op, &mut open);
                    }
                }
                functions.push(code);
            }
            _ => {}
        }
    }
    Ok(functions)
}

/// Returns the operator of an import.
fn import(name: &str) -> Option<Op> {
    let block = name.get(1..)?.parse().ok()?;
    match name.as_bytes().first()? {
        b'b' => Some(Op::Visit(block)),
        b'c' => Some(Op::Choose(block)),
        _ => None,
    }
}

impl Code {
    /// Returns an operator as one of ours; none if it does nothing.
    fn op(&mut self, operator: Operator<'_>, imports: &[String]) -> Result<Option<Op>, Error> {
        Ok(Some(match operator {
            Operator::Nop => return Ok(None),
            Operator::Block {
                blockty: BlockType::Empty,
            } => Op::Block(0),
            Operator::Loop {
                blockty: BlockType::Empty,
            } => Op::Loop(0),
            Operator::If {
                blockty: BlockType::Empty,
            } => Op::If(0),
            Operator::Else => Op::Else(0),
            Operator::End => Op::End,
            Operator::Br { relative_depth } => Op::Branch(relative_depth),
            Operator::BrIf { relative_depth } => Op::BranchIf(relative_depth),
            Operator::BrTable { targets } => {
                let first = self.depths.len();
                for depth in targets.targets() {
                    let depth = depth.map_err(|error| Error::Module(error.to_string()))?;
                    self.depths.push(depth);
                }
                self.depths.push(targets.default());
                Op::Table(first, self.depths.len() - first)
            }
            Operator::Return | Operator::Unreachable => Op::Return,
            Operator::Drop => Op::Drop,
            Operator::I32Const { value } => Op::Number(value),
            Operator::LocalGet { local_index } => Op::Get(local_index),
            Operator::LocalSet { local_index } => Op::Set(local_index),
            Operator::LocalTee { local_index } => Op::Tee(local_index),
            Operator::I32Eqz => Op::Not,
            Operator::I32Eq => Op::Binary(|a, b| i32::from(a == b)),
            Operator::I32Ne => Op::Binary(|a, b| i32::from(a != b)),
            Operator::I32Add => Op::Binary(i32::wrapping_add),
            Operator::I32Sub => Op::Binary(i32::wrapping_sub),
            Operator::I32And => Op::Binary(|a, b| a & b),
            Operator::Call { function_index } => imports
                .get(function_index as usize)
                .and_then(|name| import(name))
                .ok_or_else(|| Error::Operator(format!("a call of function {function_index}")))?,
            other => return Err(Error::Operator(format!("{other:?}"))),
        }))
    }

    /// Adds an operator; `open` are the constructs that it is in.
    fn push(&mut self, op: Op, open: &mut Vec<usize>) {
        let at = self.ops.len();
        if matches!(op, Op::Else(_) | Op::End)
            && let Some(start) = open.pop()
            && let Op::Block(end) | Op::Loop(end) | Op::If(end) | Op::Else(end) =
                &mut self.ops[start]
        {
            *end = at;
        }
        if matches!(op, Op::Block(_) | Op::Loop(_) | Op::If(_) | Op::Else(_)) {
            open.push(at);
        }
        self.ops.push(op);
    }

    /// Returns the numbers of constructs.
    pub fn constructs(&self) -> Constructs {
        let mut constructs = Constructs::default();
        let mut seen = Vec::new();
        let (mut branches, mut choices) = (0, 0);
        let mut in_block = false;
        for op in &self.ops {
            match op {
                Op::Visit(block) => {
                    constructs.copies += usize::from(seen.contains(block));
                    seen.push(*block);
                }
                Op::Choose(_) => choices += 1,
                _ => {}
            }
            branches += usize::from(op.branches());
            match op {
                Op::Block(_) => {}
                Op::Loop(_) | Op::Else(_) | Op::End | Op::Branch(_) | Op::Return => {
                    in_block = false;
                }
                _ => {
                    constructs.blocks += usize::from(!in_block);
                    in_block = !op.branches();
                }
            }
        }
        // Each result of an import is tested once.
        constructs.tests = usize::saturating_sub(branches, choices);
        constructs
    }

    /// Returns the branches of random runs for each call, read or write of the function that the
    /// graph was made of.
    ///
    /// # Errors
    /// [`Error::Elsewhere`] if the code does something other than the function, [`Error::Stuck`].
    pub fn branches(
        &self,
        program: &Program,
        func: &Function,
        parameters: usize,
    ) -> Result<f64, Error> {
        let blocks: Vec<Block> = func.blocks().collect();
        average(program, func, parameters, |run| {
            let mut machine = Machine {
                code: self,
                func,
                blocks: &blocks,
                expected: func.entry(),
                from: None,
                branches: 0,
                stack: Vec::new(),
                open: Vec::new(),
                locals: vec![0; self.locals],
                run,
            };
            machine.run()?;
            Ok(Counts {
                branches: machine.branches,
                work: machine.run.counts.work,
            })
        })
    }
}

impl Op {
    /// Returns whether this leads to several operators.
    fn branches(self) -> bool {
        matches!(self, Op::If(_) | Op::BranchIf(_) | Op::Table(..))
    }
}

/// The state of a run.
struct Machine<'a> {
    code: &'a Code,
    func: &'a Function,
    blocks: &'a [Block],
    /// The block that must run next, and the one before.
    expected: Option<Block>,
    from: Option<Block>,
    branches: usize,
    stack: Vec<i32>,
    /// The constructs that are open.
    open: Vec<usize>,
    locals: Vec<i32>,
    run: Run<'a>,
}

impl Machine<'_> {
    fn pop(&mut self) -> Result<i32, Error> {
        self.stack.pop().ok_or(Error::Stuck("no operand"))
    }

    fn run(&mut self) -> Result<(), Error> {
        let mut at = Some(0);
        for _ in 0..MOST_STEPS {
            let Some(op) = at.and_then(|at: usize| self.code.ops.get(at).copied()) else {
                return match self.expected {
                    None => Ok(()),
                    expected => Err(Error::Elsewhere { to: None, expected }),
                };
            };
            if matches!(op, Op::Visit(_)) && self.run.is_over() {
                return Ok(());
            }
            at = self.step(op, at.unwrap_or_default())?;
        }
        Err(Error::Stuck("it does not end"))
    }

    /// Runs an operator; returns where the next one is.
    fn step(&mut self, op: Op, at: usize) -> Result<Option<usize>, Error> {
        self.branches += usize::from(op.branches());
        match op {
            Op::Block(_) | Op::Loop(_) => self.open.push(at),
            Op::If(end) => {
                let is_else = matches!(self.code.ops.get(end), Some(Op::Else(_)));
                if self.pop()? != 0 {
                    self.open.push(at);
                } else if is_else {
                    self.open.push(end);
                    return Ok(Some(end + 1));
                } else {
                    return Ok(Some(end + 1));
                }
            }
            // The first half of an `if` ends.
            Op::Else(end) => return Ok(Some(end)),
            Op::End => {
                self.open.pop();
            }
            Op::Branch(depth) => return Ok(self.leave(depth)),
            Op::BranchIf(depth) => {
                if self.pop()? != 0 {
                    return Ok(self.leave(depth));
                }
            }
            Op::Table(first, number) => {
                let index = self.pop()? as u32 as usize;
                return Ok(self.leave(self.code.depths[first + index.min(number - 1)]));
            }
            Op::Return => return Ok(None),
            Op::Drop => {
                self.pop()?;
            }
            Op::Number(number) => self.stack.push(number),
            Op::Get(local) => {
                let local = self.locals.get(local as usize).copied();
                self.stack.push(local.ok_or(Error::Stuck("no local"))?);
            }
            Op::Set(local) | Op::Tee(local) => {
                let number = self.pop()?;
                let local = self.locals.get_mut(local as usize);
                *local.ok_or(Error::Stuck("no local"))? = number;
                if matches!(op, Op::Tee(_)) {
                    self.stack.push(number);
                }
            }
            Op::Not => {
                let number = self.pop()?;
                self.stack.push(i32::from(number == 0));
            }
            Op::Binary(function) => {
                let (b, a) = (self.pop()?, self.pop()?);
                self.stack.push(function(a, b));
            }
            Op::Visit(block) => {
                let to = self.blocks.get(block).copied();
                if to != self.expected {
                    let expected = self.expected;
                    return Err(Error::Elsewhere { to, expected });
                }
                if let Some(block) = to {
                    self.run.visit(self.from, block);
                    (self.from, self.expected) = (to, self.run.next(block));
                }
            }
            Op::Choose(block) => {
                let block = *self.blocks.get(block).ok_or(Error::Stuck("no block"))?;
                let targets = targets(self.func, block);
                let target = targets.iter().position(|&to| Some(to) == self.expected);
                self.stack.push(target.unwrap_or_default() as i32);
            }
        }
        Ok(Some(at + 1))
    }

    /// Leaves constructs, or starts the outermost of them again if it is a loop; returns where the
    /// next operator is, if any.
    fn leave(&mut self, depth: u32) -> Option<usize> {
        // The function itself is the outermost.
        let place = self.open.len().checked_sub(depth as usize + 1)?;
        let start = self.open[place];
        self.open.truncate(place);
        match self.code.ops[start] {
            Op::Loop(_) => {
                self.open.push(start);
                Some(start + 1)
            }
            Op::If(end) => Some(match self.code.ops[end] {
                Op::Else(end) => end + 1,
                _ => end + 1,
            }),
            Op::Block(end) | Op::Else(end) => Some(end + 1),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Op as Meaning;
    use trellis_structurizer::text::parse;

    fn code(ops: &[Op]) -> Code {
        let (mut code, mut open) = (Code::default(), Vec::new());
        for &op in ops {
            code.push(op, &mut open);
        }
        code.locals = 1;
        code
    }

    /// Returns a function whose conditions are results of calls.
    fn program(text: &str) -> Program {
        Program {
            func: parse(text).expect("the text is a graph"),
            ops: vec![Meaning::Opaque("call"); 100],
            constants: vec![0; 100],
        }
    }

    const LOOP: &str = "a: b\nb: c d\nc: b\nd: ret";

    /// The function of [`LOOP`], with other operators for its last block.
    fn looped(last: &[Op]) -> Code {
        let mut ops = vec![Op::Visit(0), Op::Block(0), Op::Loop(0), Op::Visit(1)];
        ops.extend([Op::Choose(1), Op::Not, Op::BranchIf(1)]);
        ops.extend([Op::Visit(2), Op::Branch(0), Op::End, Op::End]);
        ops.extend(last);
        ops.push(Op::End);
        code(&ops)
    }

    #[test]
    fn a_loop_with_a_test_that_is_not_in_the_graph() {
        let program = program(LOOP);
        let run = |code: &Code| code.branches(&program, &program.func, 0);
        let right = looped(&[Op::Visit(3)]);
        let constructs = right.constructs();
        assert_eq!((constructs.blocks, constructs.copies), (4, 0));
        assert_eq!(constructs.tests, 0);
        run(&right).expect("it is the function");

        let test = [
            Op::Get(0),
            Op::If(0),
            Op::Else(0),
            Op::Visit(3),
            Op::Return,
            Op::End,
        ];
        let tested = looped(&test);
        assert_eq!(tested.constructs().tests, 1);
        run(&tested).expect("it is the function");
    }

    #[test]
    fn another_path_is_an_error() {
        let program = program(LOOP);
        let run = |code: &Code| code.branches(&program, &program.func, 0);
        for last in [&[][..], &[Op::Visit(2)], &[Op::Visit(3), Op::Visit(3)]] {
            let result = run(&looped(last));
            assert!(matches!(result, Err(Error::Elsewhere { .. })), "{last:?}");
        }
        let endless = code(&[Op::Loop(0), Op::Branch(0), Op::End, Op::End]);
        assert!(matches!(run(&endless), Err(Error::Stuck(_))));
    }
}
