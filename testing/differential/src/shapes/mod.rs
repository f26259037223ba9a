//! Structured programs after DXC's optimizer: does the structurizer recover their constructs?
//!
//! The programs and the comparison come from [`llvm_graphs::recovered`]; here a program becomes
//! HLSL ([`hlsl`]), and DXC's DXIL the function that the conversion structurizes ([`read`]).

pub mod hlsl;
pub mod read;

use llvm_graphs::recovered::{Compiled, Error, Pipeline};
use llvm_graphs::source::lower::Graph;
use llvm_graphs::source::{Returns, Source, Tests};

use crate::compiler::{Compiler, Session, error_line};
use crate::program::Compilation;

/// The levels of optimization.
pub const LEVELS: [&str; 1] = ["-O3"];

/// Compiles programs with DXC.
pub struct Shapes<'c> {
    session: Session<'c>,
}

impl<'c> Shapes<'c> {
    /// Opens a compiler.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn new(compiler: &'c Compiler) -> Result<Self, crate::compiler::Error> {
        Ok(Shapes {
            session: compiler.session()?,
        })
    }

    /// Returns a program as a container with DXIL.
    ///
    /// # Errors
    /// The compiler does not take it.
    pub fn dxil(&self, source: &Source) -> Result<Vec<u8>, crate::compiler::Error> {
        self.session
            .compile(&hlsl::print(source), compilation(source))
    }
}

/// Returns the options with which a program is compiled. In HLSL 2021 `&&`, `||` and `?:` branch,
/// as programs need whose tests are calls; in HLSL 2018 they do not.
fn compilation(source: &Source) -> Compilation {
    Compilation {
        fxc: false,
        model: 0,
        level: LEVELS[0],
        short_circuit: source.tests != Tests::Reads,
        native16: false,
    }
}

/// Returns the graph of a program as it is written in HLSL, where a result is written at the end.
pub fn graph(source: &Source) -> Graph {
    let mut graph = Graph::of(source);
    if source.returns == Returns::Numbers {
        graph.end_in_call(hlsl::RESULT);
    }
    graph
}

impl Pipeline for Shapes<'_> {
    fn source(&self, seed: u64) -> Source {
        Source::random(seed)
    }

    fn graph(&self, source: &Source) -> Graph {
        graph(source)
    }

    fn compile(&self, source: &Source, _: &str) -> Result<Compiled, Error> {
        let dxil = self
            .dxil(source)
            .map_err(|error| Error::Refused(error_line(&error.to_string())))?;
        let program = read::read(&dxil).map_err(|error| Error::Unreadable(error.to_string()))?;
        let text = hlsl::print(source);
        Ok(Compiled { program, text })
    }
}
