//! A structured program as a graph, as a simple compiler makes it.
//!
//! Conditions become branches, `break`, `continue` and `return` jumps. The graph has the expected
//! results of tests: the calls of each block and the loops around it. It is printed as LLVM's text
//! form, or made a function of the structurizer.

mod llvm;
mod program;

use structurizer_testkit::flow::{Flow, Loop};

use super::{Argument, Condition, Returns, Source, Statement, Tests};

/// The name of the function that a module of a program defines.
pub const FUNCTION: &str = "program";

/// The number of the call that is the test of this number, if tests are calls.
pub const fn test_call(test: u32) -> u32 {
    1000 + test
}

/// The graph of a program.
#[derive(Clone, Debug)]
pub struct Graph {
    blocks: Vec<Block>,
    /// Head of each loop.
    heads: Vec<usize>,
    tests: Tests,
    returns: Returns,
}

#[derive(Clone, Debug)]
struct Block {
    steps: Vec<Step>,
    end: End,
    /// Loops around.
    loops: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// A call of a function; its argument is a constant or the variable.
    Call(u32, bool),
    /// Sets the variable.
    Set(u32),
}

#[derive(Clone, Debug)]
enum End {
    Jump(usize),
    Test(u32, usize, usize),
    Switch(u32, usize, Vec<(u32, usize)>),
    Return(u32),
}

struct Lowering {
    graph: Graph,
    /// The target of `break`, for each loop and switch around.
    breaks: Vec<usize>,
    /// The target of `continue`, for each loop around.
    continues: Vec<usize>,
    loops: Vec<usize>,
    /// The block that is being filled.
    at: usize,
    results: u32,
}

impl Graph {
    /// Returns the graph of a program.
    pub fn of(source: &Source) -> Self {
        let mut lowering = Lowering {
            graph: Graph {
                blocks: Vec::new(),
                heads: Vec::new(),
                tests: source.tests,
                returns: source.returns,
            },
            breaks: Vec::new(),
            continues: Vec::new(),
            loops: Vec::new(),
            at: 0,
            results: 0,
        };
        lowering.at = lowering.add();
        if lowering.list(&source.body) {
            lowering.end_with_return();
        }
        lowering.graph
    }

    /// Returns the number of blocks, without those that nothing reaches.
    pub fn num_blocks(&self) -> usize {
        self.flow().reached().iter().filter(|seen| **seen).count()
    }

    /// Returns the graph as a flow of calls.
    pub fn flow(&self) -> Flow {
        let mut flow = Flow::default();
        let mut first = Vec::new();
        let mut last = Vec::new();
        for block in &self.blocks {
            let mut labels: Vec<Option<u32>> = block
                .steps
                .iter()
                .filter_map(|step| match step {
                    Step::Call(id, _) => Some(Some(*id)),
                    Step::Set(_) => None,
                })
                .collect();
            if let (End::Test(test, ..) | End::Switch(test, ..), Tests::Calls) =
                (&block.end, self.tests)
            {
                labels.push(Some(test_call(*test)));
            }
            // A separate node for the start, which jumps lead to.
            labels.insert(0, None);
            let nodes = flow.chain(&labels);
            first.push(nodes.start);
            last.push(nodes.end - 1);
        }
        for (index, block) in self.blocks.iter().enumerate() {
            match &block.end {
                End::Return(_) => flow.returns[last[index]] = true,
                end => {
                    for to in end.targets() {
                        flow.successors[last[index]].push(first[to]);
                    }
                }
            }
        }
        for (number, &head) in self.heads.iter().enumerate() {
            let members = (0..self.blocks.len())
                .filter(|&block| self.blocks[block].loops.contains(&number))
                .flat_map(|block| first[block]..=last[block])
                .collect();
            flow.loops.push(Loop {
                heads: vec![first[head]],
                members,
            });
        }
        flow
    }

    /// Leads all returns to a call of a function of this number, which passes their values, as
    /// after inlining a function whose result is stored.
    pub fn end_in_call(&mut self, id: u32) {
        let tail = self.blocks.len();
        for block in &mut self.blocks {
            if let End::Return(number) = block.end {
                block.steps.push(Step::Set(number));
                block.end = End::Jump(tail);
            }
        }
        self.blocks.push(Block {
            steps: vec![Step::Call(id, true)],
            end: End::Return(0),
            loops: Vec::new(),
        });
        self.returns = Returns::Nothing;
    }
}

impl End {
    fn targets(&self) -> Vec<usize> {
        match self {
            End::Jump(to) => vec![*to],
            End::Test(_, yes, no) => vec![*yes, *no],
            End::Switch(_, default, cases) => std::iter::once(*default)
                .chain(cases.iter().map(|case| case.1))
                .collect(),
            End::Return(_) => Vec::new(),
        }
    }
}

impl Lowering {
    fn add(&mut self) -> usize {
        self.graph.blocks.push(Block {
            steps: Vec::new(),
            end: End::Jump(0),
            loops: self.loops.clone(),
        });
        self.graph.blocks.len() - 1
    }

    fn step(&mut self, step: Step) {
        let at = self.at;
        self.graph.blocks[at].steps.push(step);
    }

    fn end(&mut self, end: End) {
        let at = self.at;
        self.graph.blocks[at].end = end;
    }

    fn end_with_return(&mut self) {
        self.results += 1;
        self.end(End::Return(self.results));
    }

    /// Lowers a list; returns whether control gets to its end.
    fn list(&mut self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| self.statement(statement))
    }

    /// Lowers a list that starts in a block and ends in another one.
    fn arm(&mut self, statements: &[Statement], head: usize, to: usize) {
        self.at = head;
        if self.list(statements) {
            self.end(End::Jump(to));
        }
    }

    fn condition(&mut self, condition: &Condition, yes: usize, no: usize) {
        match condition {
            Condition::Test(test) => self.end(End::Test(*test, yes, no)),
            Condition::Not(a) => self.condition(a, no, yes),
            Condition::And(a, b) => {
                let next = self.add();
                self.condition(a, next, no);
                self.at = next;
                self.condition(b, yes, no);
            }
            Condition::Or(a, b) => {
                let next = self.add();
                self.condition(a, yes, next);
                self.at = next;
                self.condition(b, yes, no);
            }
            Condition::Choose(a, b, c) => {
                let (then, else_) = (self.add(), self.add());
                self.condition(a, then, else_);
                self.at = then;
                self.condition(b, yes, no);
                self.at = else_;
                self.condition(c, yes, no);
            }
        }
    }

    fn statement(&mut self, statement: &Statement) -> bool {
        match statement {
            Statement::Call(id, Argument::Constant) => self.step(Step::Call(*id, false)),
            Statement::Call(id, Argument::Choose(condition)) => {
                let (then, else_) = (self.add(), self.add());
                let join = self.add();
                self.condition(condition, then, else_);
                for (block, value) in [(then, 1), (else_, 2)] {
                    self.at = block;
                    self.step(Step::Set(value));
                    self.end(End::Jump(join));
                }
                self.at = join;
                self.step(Step::Call(*id, true));
            }
            Statement::If(condition, then, else_) => {
                let head = self.add();
                let other = if else_.is_empty() {
                    None
                } else {
                    Some(self.add())
                };
                let join = self.add();
                self.condition(condition, head, other.unwrap_or(join));
                self.arm(then, head, join);
                if let Some(other) = other {
                    self.arm(else_, other, join);
                }
                self.at = join;
            }
            Statement::While(condition, body) => self.loops(Some(condition), body, None),
            Statement::DoWhile(body, condition) => self.loops(None, body, Some(condition)),
            Statement::Loop(body) => self.loops(None, body, None),
            Statement::Switch(test, cases) => self.switch(*test, cases),
            Statement::Break(level) => {
                let to = self.breaks[self.breaks.len() - level];
                self.end(End::Jump(to));
                return false;
            }
            Statement::Continue(level) => {
                let to = self.continues[self.continues.len() - level];
                self.end(End::Jump(to));
                return false;
            }
            Statement::Return => {
                self.end_with_return();
                return false;
            }
        }
        true
    }

    fn loops(&mut self, before: Option<&Condition>, body: &[Statement], after: Option<&Condition>) {
        let exit = self.add();
        self.loops.push(self.graph.heads.len());
        let head = self.add();
        self.graph.heads.push(head);
        self.end(End::Jump(head));
        let start = if before.is_some() { self.add() } else { head };
        let latch = self.add();
        if let Some(condition) = before {
            self.at = head;
            self.condition(condition, start, exit);
        }
        self.breaks.push(exit);
        self.continues.push(latch);
        self.arm(body, start, latch);
        self.breaks.pop();
        self.continues.pop();
        self.at = latch;
        match after {
            Some(condition) => self.condition(condition, head, exit),
            None => self.end(End::Jump(head)),
        }
        self.loops.pop();
        self.at = exit;
    }

    fn switch(&mut self, test: u32, cases: &[super::Case]) {
        let heads: Vec<usize> = cases.iter().map(|_| self.add()).collect();
        let exit = self.add();
        let default = cases
            .iter()
            .position(|case| case.literals.is_empty())
            .map_or(exit, |at| heads[at]);
        let labels = cases
            .iter()
            .zip(&heads)
            .flat_map(|(case, &head)| case.literals.iter().map(move |&literal| (literal, head)))
            .collect();
        self.end(End::Switch(test, default, labels));
        self.breaks.push(exit);
        for (index, case) in cases.iter().enumerate() {
            let to = if case.falls { heads[index + 1] } else { exit };
            self.arm(&case.body, heads[index], to);
        }
        self.breaks.pop();
        self.at = exit;
    }
}

impl Graph {
    fn reached(&self) -> Vec<bool> {
        let mut seen = vec![false; self.blocks.len()];
        let mut stack = vec![0];
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut seen[block], true) {
                stack.extend(self.blocks[block].end.targets());
            }
        }
        seen
    }

    /// Returns the number of bits that each test reads: one for a condition, four for a switch.
    fn widths(&self) -> impl Iterator<Item = (u32, u32)> {
        self.blocks.iter().filter_map(|block| match &block.end {
            End::Test(test, ..) => Some((*test, 1)),
            End::Switch(test, ..) => Some((*test, 4)),
            _ => None,
        })
    }

    /// Returns the first bit that a test reads if no two tests share bits.
    pub fn first_bit(&self, test: u32) -> u32 {
        let before = self.widths().filter(|other| other.0 < test);
        before.map(|other| other.1).sum()
    }

    /// Returns whether no two tests have the same number.
    pub(crate) fn has_distinct_tests(&self) -> bool {
        let mut seen = std::collections::BTreeSet::new();
        self.widths().all(|(test, _)| seen.insert(test))
    }
}
