//! LLVM's JIT compiler on a module: the behaviour that ours is compared with.
#![expect(unsafe_code, reason = "machine code that LLVM made is called")]

use std::cell::RefCell;

use inkwell::OptimizationLevel;
use inkwell::execution_engine::{ExecutionEngine, JitFunction};
use inkwell::module::Module;
use thiserror::Error;

use crate::evaluate::Run;
use crate::lower::{EVENT, FUNCTION};
use crate::program::INPUTS;

/// Events of one run that are kept.
const MOST_EVENTS: usize = 1 << 16;

/// LLVM makes no machine code.
#[derive(Clone, Debug, Error)]
#[error("LLVM's JIT compiler: {0}")]
pub struct Error(String);

type Program = unsafe extern "C" fn(*const u32) -> u32;

/// A compiled module. It belongs to one thread.
pub struct Jit<'c> {
    program: JitFunction<'c, Program>,
    _engine: ExecutionEngine<'c>,
}

thread_local! {
    static EVENTS: RefCell<Vec<[u32; 2]>> = const { RefCell::new(Vec::new()) };
}

extern "C" fn event(id: u32, value: u32) {
    EVENTS.with(|events| {
        let mut events = events.borrow_mut();
        if events.len() < MOST_EVENTS {
            events.push([id, value]);
        }
    });
}

impl<'c> Jit<'c> {
    /// Compiles a module of [`crate::lower::lower`]; it can be changed no more.
    ///
    /// # Errors
    /// LLVM has no JIT compiler for this machine, or the module lacks the function.
    pub fn new(module: &Module<'c>, level: OptimizationLevel) -> Result<Self, Error> {
        let engine = module
            .create_jit_execution_engine(level)
            .map_err(|error| Error(error.to_string()))?;
        if let Some(declaration) = module.get_function(EVENT) {
            engine.add_global_mapping(&declaration, event as *const () as usize);
        }
        // SAFETY: the function has this type.
        let program = unsafe { engine.get_function::<Program>(FUNCTION) }
            .map_err(|error| Error(error.to_string()))?;
        Ok(Jit {
            program,
            _engine: engine,
        })
    }

    /// Runs the function. The caller must ensure that the run ends.
    pub fn run(&self, input: &[u32; INPUTS]) -> Run {
        EVENTS.with(|events| events.borrow_mut().clear());
        // SAFETY: the function reads `INPUTS` words from its argument, and its machine code lives
        // as long as the engine.
        let returned = unsafe { self.program.call(input.as_ptr()) };
        Run {
            events: EVENTS.with(RefCell::take),
            returned,
        }
    }
}
