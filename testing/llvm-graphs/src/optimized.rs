//! Structured programs after LLVM's optimizer, structured again: is the result what the source was?
//!
//! It is if it has no more tests of selectors and breakable blocks than the program as it was
//! written, structured without LLVM, and the same normal form ([`crate::shape`]). One rewrite of
//! LLVM's is allowed in addition to those that the normal form does not see: two loops with one
//! header, which rotation makes of a loop that starts with a loop, may be one ([`Outcome::merged`]).

mod campaign;

pub use campaign::{Options as CampaignOptions, Row, Summary, run};

use std::fmt;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use thiserror::Error;
use trellis_structurizer::analysis::FlowGraph;
use trellis_structurizer::ir::{Function, Type, ValueKind};
use trellis_structurizer::tree::{Kind, TestOf, Tree};
use trellis_structurizer::{Options, Structured, structurize};

use crate::passes::{self, Machine};
use crate::program::{Op, Program};
use crate::read::{Settings, parse, read_named};
use crate::shape::{Shape, difference, flow};
use crate::source::Source;
use crate::source::lower::{FUNCTION, Graph};

/// LLVM's pipelines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// `-O1`
    O1,
    /// `-O2`
    O2,
}

impl Level {
    /// All levels.
    pub const ALL: [Level; 2] = [Level::O1, Level::O2];

    fn pipeline(self) -> &'static str {
        match self {
            Level::O1 => "default<O1>",
            Level::O2 => "default<O2>",
        }
    }
}

/// What a person would not have written.
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

/// Why a result is not what the source was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// LLVM made a cycle with several entries.
    Irreducible,
    /// It has more constructs than the source, and LLVM has copied code.
    ConstructsInCopies,
    /// It has more constructs than the source.
    Constructs,
    /// LLVM has left out a path: it knows that none of these conditions can hold.
    FewerPaths,
    /// It has other paths.
    Paths,
    /// It has other loops.
    Loops,
    /// It has too many states to be compared.
    TooLarge,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Irreducible => "LLVM made a cycle with several entries",
            Cause::ConstructsInCopies => "more constructs, LLVM copied code",
            Cause::Constructs => "more constructs",
            Cause::FewerPaths => "fewer paths",
            Cause::Paths => "other paths",
            Cause::Loops => "other loops",
            Cause::TooLarge => "too many states",
        })
    }
}

/// Why a program cannot be compared.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// LLVM refuses the program or a pass.
    #[error("LLVM: {0}")]
    Llvm(String),
    /// The function cannot be read.
    #[error(transparent)]
    Read(#[from] crate::read::Error),
    /// The structurizer fails.
    #[error(transparent)]
    Structurize(#[from] trellis_structurizer::Error),
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

/// A program after a pipeline, structured.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its constructs.
    pub constructs: Constructs,
    /// True if LLVM made copies of calls.
    pub copied: bool,
    /// Blocks after LLVM, and after the structurizer.
    pub blocks: [usize; 2],
    /// Nesting of the calls, on average.
    pub depth: f64,
    /// True if LLVM made one loop of several.
    pub merged: bool,
    /// Why it differs from the program as it was written, if it does.
    pub cause: Option<Cause>,
    /// How its normal form differs, if it does.
    pub difference: Option<String>,
    /// LLVM's text form of the function.
    pub ll: String,
}

/// A program after a pipeline, and what became of it.
#[derive(Clone, Debug)]
pub struct After {
    /// The comparison.
    pub outcome: Outcome,
    /// The function after LLVM.
    pub program: Program,
    /// The result.
    pub structured: Structured,
}

/// Runs programs through LLVM and the structurizer.
pub struct Optimizer {
    machine: Machine,
    /// Options of the structurizer.
    pub options: Options,
}

impl Optimizer {
    /// Opens LLVM.
    ///
    /// # Errors
    /// LLVM has no code generator for this machine.
    pub fn new() -> Result<Self, passes::Error> {
        Ok(Optimizer {
            machine: Machine::open()?,
            options: Options::default(),
        })
    }

    /// Structures a program as it was written, without LLVM's passes and with each return where it
    /// is.
    ///
    /// # Errors
    /// The program cannot be read or structured: these are bugs.
    pub fn write(&self, source: &Source) -> Result<Written, Error> {
        let graph = Graph::of(source);
        let shape = graph.flow().shape();
        let text = graph.to_llvm(false);
        let (program, structured) = self.structure(&text)?;
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

    fn structure(&self, text: &str) -> Result<(Program, Structured), Error> {
        let program = read_named(&parse(text)?, FUNCTION, Settings::default())?;
        let structured = structurize(program.func.clone(), &self.options)?;
        Ok((program, structured))
    }

    /// Runs a program through a pipeline and structures it.
    ///
    /// # Errors
    /// LLVM or the structurizer fails.
    pub fn run(&self, written: &Written, level: Level) -> Result<After, Error> {
        let context = Context::create();
        let text = written.graph.to_llvm(true);
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "program");
        let module = context
            .create_module_from_ir(buffer)
            .map_err(|error| Error::Llvm(error.to_string()))?;
        self.machine
            .run(&module, &[level.pipeline().to_owned()])
            .map_err(|error| Error::Llvm(error.to_string()))?;
        let ll = module.print_to_string().to_string();
        let (program, structured) = self.structure(&ll)?;
        let tree = Tree::of(&structured);
        let constructs = Constructs::of(&structured, &tree);
        let copied = copies(&program.func, &program) > copies_of(&written.graph);
        let mut outcome = Outcome {
            constructs,
            copied,
            merged: false,
            blocks: [program.func.num_blocks(), structured.order.len()],
            depth: depth(&program, &structured.func, &tree),
            cause: None,
            difference: None,
            ll,
        };
        match flow(&program, &structured.func, Some(&tree)) {
            None => outcome.cause = Some(Cause::TooLarge),
            Some(flow) => {
                let shape = flow.shape();
                outcome.difference = difference(&written.shape, &shape);
                outcome.cause = cause(&written.shape, &shape);
                let headers = FlowGraph::of(&program.func).loops().all().len();
                if outcome.cause == Some(Cause::Loops)
                    && shape.loops.is_subset(&written.shape.loops)
                    && headers == count_loops(&tree)
                {
                    outcome.merged = true;
                    outcome.cause = None;
                }
            }
        }
        if structured.report.dispatch_headers > 0 {
            outcome.cause = Some(Cause::Irreducible);
        } else if constructs.total() > written.constructs.total() {
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
