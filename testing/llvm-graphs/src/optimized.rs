//! Structured programs after LLVM's optimizer: the pipelines of [`crate::recovered`].

use inkwell::context::Context;

use crate::passes::{self, Machine};
use crate::read::{Settings, parse, read_named};
use crate::recovered::{Compiled, Error, Pipeline};
use crate::source::Source;
use crate::source::lower::{FUNCTION, Graph};

/// LLVM's levels, as on the command line.
pub const LEVELS: [&str; 2] = ["-O1", "-O2"];

/// Runs programs through LLVM.
pub struct Optimizer {
    machine: Machine,
}

impl Optimizer {
    /// Opens LLVM.
    ///
    /// # Errors
    /// LLVM has no code generator for this machine.
    pub fn new() -> Result<Self, passes::Error> {
        Ok(Optimizer {
            machine: Machine::open()?,
        })
    }
}

impl Pipeline for Optimizer {
    fn source(&self, seed: u64) -> Source {
        Source::random(seed)
    }

    fn compile(&self, source: &Source, level: &str) -> Result<Compiled, Error> {
        let context = Context::create();
        let written = Graph::of(source).to_llvm();
        let module = passes::read_text(&context, &written).map_err(Error::Refused)?;
        let pipeline = format!("default<{}>", level.trim_start_matches('-'));
        self.machine
            .run(&module, &[pipeline])
            .map_err(|error| Error::Refused(error.to_string()))?;
        let text = module.print_to_string().to_string();
        let program = parse(&text)
            .and_then(|module| read_named(&module, FUNCTION, Settings::default()))
            .map_err(|error| Error::Unreadable(error.to_string()))?;
        Ok(Compiled { program, text })
    }
}
