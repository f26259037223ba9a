//! A structured program after a compiler's optimizer, structured again: is the source's structure
//! recovered?
//!
//! It is if it has no more tests of selectors and breakable blocks than the program as it was
//! written, structured without an optimizer, and the same normal form
//! ([`structurizer_testkit::flow`]). One rewrite of optimizers is allowed in addition to those that
//! the normal form does not see: two loops with one header, which rotation makes of a loop that starts
//! with a loop, may be one ([`Outcome::merged`]).
//!
//! A [`Pipeline`] is a compiler; [`run`] compares many programs.

mod campaign;

pub use campaign::{Options as CampaignOptions, Row, Summary, run};

use std::fmt;

use structurizer_testkit::flow::{Shape, difference};
use trellis_structurizer::analysis::FlowGraph;
use trellis_structurizer::ir::{Function, Type, ValueKind};
use trellis_structurizer::tree::{Kind, TestOf, Tree};
use trellis_structurizer::{Options, Structured, structurize};

use crate::program::{Op, Program};
use crate::shape::flow;
use crate::source::Source;
use crate::source::lower::Graph;

/// A compiler with its optimizer, for one thread.
pub trait Pipeline {
    /// Returns the program of a seed, in constructs that the compiler's language can express.
    fn source(&self, seed: u64) -> Source;

    /// Returns the graph of a program as it was written.
    fn graph(&self, source: &Source) -> Graph {
        Graph::of(source)
    }

    /// Compiles a program at one of the levels of optimization.
    ///
    /// # Errors
    /// The compiler refuses it, or its result cannot be read.
    fn compile(&self, source: &Source, level: &str) -> Result<Compiled, Error>;
}

/// Why a program cannot be compared.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The compiler does not take it.
    #[error("the compiler: {0}")]
    Refused(String),
    /// The compiler's output cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The structurizer fails: this is a bug.
    #[error("the structurizer: {0}")]
    Structurizer(#[from] trellis_structurizer::Error),
}

/// A program after an optimizer.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The function.
    pub program: Program,
    /// The text that the compiler took.
    pub text: String,
}

/// Constructs that a person would not have written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Constructs {
    /// Branches and switches on a selector.
    pub tests: usize,
    /// Breakable blocks.
    pub breakable_blocks: usize,
}

impl Constructs {
    /// Returns the constructs of a structured function.
    pub fn of(structured: &Structured, tree: &Tree<'_>) -> Self {
        let is_test = |kind: &Kind| match kind {
            Kind::If { condition, .. } => matches!(condition.test, TestOf::Selector { .. }),
            // A breakable block is a switch on a constant.
            Kind::Switch { value, .. } => {
                structured.func.value_type(*value) == Type::SELECTOR
                    && matches!(structured.func.value_kind(*value), ValueKind::Phi(_))
            }
            _ => false,
        };
        Constructs {
            tests: tree
                .nodes()
                .iter()
                .filter(|node| is_test(&node.kind))
                .count(),
            breakable_blocks: structured.report.breakable_blocks as usize,
        }
    }

    /// Returns the number of both.
    pub const fn total(self) -> usize {
        self.tests + self.breakable_blocks
    }
}

impl std::ops::AddAssign for Constructs {
    fn add_assign(&mut self, other: Self) {
        self.tests += other.tests;
        self.breakable_blocks += other.breakable_blocks;
    }
}

/// Why the source's structure was not recovered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// The optimizer made a cycle with several entries.
    Irreducible,
    /// It has more constructs than the source, and the optimizer has copied code.
    ConstructsInCopies,
    /// It has more constructs than the source.
    Constructs,
    /// The optimizer has left out a path: it knows that none of these conditions can hold.
    FewerPaths,
    /// It has other paths, and the optimizer's output has them already: a flag of the source became
    /// a bit of something that was computed.
    PathsBefore,
    /// It has other paths. This is a bug.
    Paths,
    /// It has other loops.
    Loops,
    /// It has too many states to be compared.
    TooLarge,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Irreducible => "a cycle with several entries",
            Cause::ConstructsInCopies => "more constructs, copied code",
            Cause::Constructs => "more constructs",
            Cause::FewerPaths => "fewer paths",
            Cause::PathsBefore => "other paths in the optimizer's output",
            Cause::Paths => "other paths",
            Cause::Loops => "other loops",
            Cause::TooLarge => "too many states",
        })
    }
}

/// A program as it was written, structured.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its normal form.
    pub shape: Shape,
    /// How the normal form of the program differs when it is structured as it was written.
    pub difference: Option<String>,
    /// Its constructs.
    pub constructs: Constructs,
    /// Number of blocks.
    pub blocks: usize,
    /// Nesting of its calls.
    pub depth: f64,
    graph: Graph,
}

/// A program after an optimizer, structured.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its constructs.
    pub constructs: Constructs,
    /// True if the optimizer made copies of calls.
    pub copied: bool,
    /// Blocks after the optimizer, and after the structurizer.
    pub blocks: [usize; 2],
    /// Nesting of the calls, on average.
    pub depth: f64,
    /// True if the optimizer made one loop of several.
    pub merged: bool,
    /// Why it differs from the program as it was written, if it does.
    pub cause: Option<Cause>,
    /// How its normal form differs, if it does.
    pub difference: Option<String>,
}

/// A program after an optimizer, with all that became of it.
#[derive(Clone, Debug)]
pub struct After {
    /// The comparison.
    pub outcome: Outcome,
    /// The function after the optimizer.
    pub program: Program,
    /// The result.
    pub structured: Structured,
    /// The text that the compiler took.
    pub text: String,
}

impl Written {
    /// Structures a program as it was written, with each return where it is.
    ///
    /// # Errors
    /// The program cannot be structured: this is a bug.
    pub fn of(graph: Graph) -> Result<Self, trellis_structurizer::Error> {
        let shape = graph.flow().shape();
        let program = graph.to_program();
        let structured = structurize(program.func.clone(), &Options::default())?;
        let tree = Tree::of(&structured);
        let difference = match flow(&program, &structured.func, Some(&tree)) {
            Some(flow) => difference(&shape, &flow.shape()),
            None => Some(Cause::TooLarge.to_string()),
        };
        Ok(Written {
            shape,
            difference,
            constructs: Constructs::of(&structured, &tree),
            blocks: graph.num_blocks(),
            depth: depth(&program, &structured.func, &tree),
            graph,
        })
    }

    /// Structures a program after an optimizer and compares it.
    ///
    /// # Errors
    /// The program cannot be structured.
    pub fn compare(&self, compiled: Compiled) -> Result<After, trellis_structurizer::Error> {
        let Compiled { program, text } = compiled;
        let structured = structurize(program.func.clone(), &Options::default())?;
        let tree = Tree::of(&structured);
        let constructs = Constructs::of(&structured, &tree);
        let copied = copies(&program.func, &program) > copies_of(&self.graph);
        let mut outcome = Outcome {
            constructs,
            copied,
            merged: false,
            blocks: [program.func.num_blocks(), structured.order.len()],
            depth: depth(&program, &structured.func, &tree),
            cause: None,
            difference: None,
        };
        match flow(&program, &structured.func, Some(&tree)) {
            None => outcome.cause = Some(Cause::TooLarge),
            Some(result) => {
                let shape = result.shape();
                outcome.difference = difference(&self.shape, &shape);
                outcome.cause = cause(&self.shape, &shape);
                if outcome.cause == Some(Cause::Paths) {
                    let before = flow(&program, &program.func, None);
                    if before.is_some_and(|before| before.shape().next == shape.next) {
                        outcome.cause = Some(Cause::PathsBefore);
                    }
                }
                let headers = FlowGraph::of(&program.func).loops().all().len();
                if outcome.cause == Some(Cause::Loops)
                    && shape.loops.is_subset(&self.shape.loops)
                    && headers == count_loops(&tree)
                {
                    outcome.merged = true;
                    outcome.cause = None;
                }
            }
        }
        if structured.report.dispatch_headers > 0 {
            outcome.cause = Some(Cause::Irreducible);
        } else if constructs.total() > self.constructs.total() {
            outcome.cause = Some(if copied {
                Cause::ConstructsInCopies
            } else {
                Cause::Constructs
            });
        }
        drop(tree);
        Ok(After {
            outcome,
            program,
            structured,
            text,
        })
    }
}

/// Returns why two normal forms differ, if they do.
fn cause(source: &Shape, result: &Shape) -> Option<Cause> {
    if result.next == source.next {
        (result.loops != source.loops).then_some(Cause::Loops)
    } else if result.next.is_subset(&source.next) {
        Some(Cause::FewerPaths)
    } else {
        Some(Cause::Paths)
    }
}

fn count_loops(tree: &Tree<'_>) -> usize {
    let is_loop = |kind: &Kind| matches!(kind, Kind::Loop { .. });
    tree.nodes()
        .iter()
        .filter(|node| is_loop(&node.kind))
        .count()
}

/// Returns the number of calls of a function beyond the first of each number.
fn copies(func: &Function, program: &Program) -> usize {
    let mut all: Vec<u32> = func
        .blocks()
        .flat_map(|block| func.insts(block))
        .filter_map(|inst| match program.ops[func.payload(inst)? as usize] {
            Op::Call(id) => Some(id),
            _ => None,
        })
        .collect();
    let total = all.len();
    all.sort_unstable();
    all.dedup();
    total - all.len()
}

fn copies_of(graph: &Graph) -> usize {
    let flow = graph.flow();
    let reached = flow.reached();
    let mut all: Vec<u32> = (0..flow.calls.len())
        .filter(|&node| reached[node])
        .filter_map(|node| flow.calls[node])
        .collect();
    let total = all.len();
    all.sort_unstable();
    all.dedup();
    total - all.len()
}

/// Returns the average nesting of calls.
fn depth(program: &Program, func: &Function, tree: &Tree<'_>) -> f64 {
    let (mut calls, mut sum) = (0usize, 0usize);
    let mut ends: Vec<u32> = Vec::new();
    for (index, node) in tree.nodes().iter().enumerate() {
        while ends.last().is_some_and(|&end| end <= index as u32) {
            ends.pop();
        }
        match node.kind {
            Kind::Block(block) => {
                let here = func
                    .insts(block)
                    .filter_map(|inst| func.payload(inst))
                    .filter(|&payload| matches!(program.ops[payload as usize], Op::Call(_)))
                    .count();
                calls += here;
                sum += here * ends.len();
            }
            Kind::If { .. } | Kind::Loop { .. } | Kind::Switch { .. } => ends.push(node.end),
            _ => {}
        }
    }
    sum as f64 / calls.max(1) as f64
}
