//! LLVM's passes, in an order that is drawn from the seed.

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine};
use thiserror::Error;

use crate::random::Random;

/// An error of LLVM.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// LLVM has no code generator for this machine.
    #[error("LLVM has no code generator for this machine: {0}")]
    Target(String),
    /// The passes are not known or fail.
    #[error("LLVM's passes: {0}")]
    Passes(String),
    /// The passes unrolled or copied so much that the next one might take all memory.
    #[error("{blocks} blocks after LLVM's {pass}")]
    TooLarge {
        /// The pass that made it so.
        pass: String,
        /// Blocks.
        blocks: usize,
    },
    /// The module does not verify.
    #[error("LLVM's verifier after {pass}: {problem}")]
    Verify {
        /// The pass that made it so.
        pass: String,
        /// The verifier's message.
        problem: String,
    },
}

/// Passes that change graphs, each as the new pass manager's text takes it; several together where
/// one needs the others.
///
/// `fix-irreducible`, and with it `structurizecfg`, is not among them: LLVM 14's makes some
/// functions endless, and others so that its verifier refuses them.
const POOL: &str = "\
    jump-threading jump-threading jump-threading,simplifycfg dfa-jump-threading simplifycfg \
    simplifycfg<sink-common-insts;hoist-common-insts;bonus-inst-threshold=4> \
    simplifycfg<sink-common-insts;no-keep-loops;forward-switch-cond;switch-range-to-icmp> \
    simplifycfg<hoist-common-insts;no-keep-loops;bonus-inst-threshold=20> gvn newgvn,simplifycfg \
    gvn-hoist gvn-sink early-cse<memssa> sccp correlated-propagation instcombine instsimplify \
    aggressive-instcombine reassociate nary-reassociate slsr adce bdce dse sink mldst-motion \
    speculative-execution callsite-splitting constraint-elimination consthoist flattencfg \
    tailcallelim mergereturn mergeicmps lowerswitch break-crit-edges reg2mem,simplifycfg,mem2reg \
    reg2mem,jump-threading,sroa loop-simplify lcssa loop(loop-rotate) \
    loop(loop-rotate),jump-threading loop(loop-deletion) loop(loop-simplifycfg) \
    loop(loop-instsimplify) loop(loop-idiom) loop(indvars) loop(loop-unroll-full) loop-unroll<O3> \
    loop-unroll<O3;peeling;runtime;partial> loop-mssa(licm) \
    loop-mssa(simple-loop-unswitch<nontrivial>) \
    loop-mssa(loop-rotate,licm,simple-loop-unswitch<nontrivial>) lowerswitch,unify-loop-exits \
    loop-fusion loop-sink";

/// Blocks after which no more passes run. Few functions have more than 200.
pub const MOST_BLOCKS: usize = 1500;

/// Whole pipelines.
const PIPELINES: [&str; 4] = ["default<O1>", "default<O2>", "default<O3>", "default<Os>"];

/// Returns the passes of a seed, in the order in which they run. The last one leaves no variables
/// in memory.
pub fn draw(seed: u64) -> Vec<String> {
    let mut random = Random::new(seed ^ 0x0009_a55e);
    let mut passes = Vec::new();
    let early = random.percent(85);
    if early {
        passes.push(
            random
                .pick(&["function(mem2reg)", "function(sroa)"])
                .to_string(),
        );
    }
    if random.percent(12) {
        passes.push(random.pick(&PIPELINES).to_string());
    }
    let pool: Vec<&str> = POOL.split(' ').collect();
    for _ in 0..random.below(11) {
        passes.push(format!("function({})", random.pick(&pool)));
    }
    if random.percent(6) {
        passes.push(random.pick(&PIPELINES).to_string());
    }
    passes.push("function(mem2reg)".to_owned());
    passes
}

/// Reads a module in LLVM's text form.
///
/// # Errors
/// LLVM refuses it: why.
pub fn read_text<'c>(context: &'c Context, text: &str) -> Result<Module<'c>, String> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "program");
    let module = context.create_module_from_ir(buffer);
    module.map_err(|error| error.to_string())
}

/// The machine that code is made for: this one.
pub struct Machine(TargetMachine);

impl Machine {
    /// Opens LLVM's code generator for this machine.
    ///
    /// # Errors
    /// [`Error::Target`] if LLVM has none.
    pub fn open() -> Result<Self, Error> {
        let problem = |error: &dyn ToString| Error::Target(error.to_string());
        Target::initialize_native(&InitializationConfig::default())
            .map_err(|error| problem(&error))?;
        let triple = TargetMachine::get_default_triple();
        let target = Target::from_triple(&triple).map_err(|error| problem(&error))?;
        let machine = target.create_target_machine(
            &triple,
            "generic",
            "",
            OptimizationLevel::Default,
            RelocMode::Default,
            CodeModel::JITDefault,
        );
        machine
            .map(Machine)
            .ok_or_else(|| problem(&"no target machine"))
    }

    /// Runs passes over a module, in order, and verifies it after each: LLVM's passes may crash on
    /// a module that another one broke.
    ///
    /// # Errors
    /// [`Error::Passes`] for passes that LLVM does not have, [`Error::Verify`] for a module that it
    /// refuses then, [`Error::TooLarge`] for one with more than [`MOST_BLOCKS`] blocks.
    pub fn run(&self, module: &Module<'_>, passes: &[String]) -> Result<(), Error> {
        module.set_triple(&self.0.get_triple());
        module.set_data_layout(&self.0.get_target_data().get_data_layout());
        for pass in passes {
            let options = PassBuilderOptions::create();
            // The programs that are compared have no vectors.
            options.set_loop_vectorization(false);
            options.set_loop_slp_vectorization(false);
            module
                .run_passes(pass, &self.0, options)
                .map_err(|error| Error::Passes(error.to_string()))?;
            module.verify().map_err(|error| Error::Verify {
                pass: pass.clone(),
                problem: error.to_string(),
            })?;
            let blocks = module
                .get_functions()
                .map(|function| function.count_basic_blocks() as usize)
                .sum();
            if blocks > MOST_BLOCKS {
                return Err(Error::TooLarge {
                    pass: pass.clone(),
                    blocks,
                });
            }
        }
        Ok(())
    }
}
