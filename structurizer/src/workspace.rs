//! The memory of the structurizer, kept between functions.

use alloc::vec::Vec;

use trellis_entity::SecondaryMap;

use crate::equivalence::Difference;
use crate::ir::{self, Block, Function, Terminator};
use crate::memory::{KeptBytes, sum_of_kept_bytes};
use crate::passes::convergence_regions::Regions;
use crate::planner::Planner;
use crate::remark::{Decision, Remarks};
use crate::result::{Error, Merge, Options, Report, Structured};
use crate::snapshot::{Snapshot, Snapshots, of_function};
use crate::stage::Stage;
use crate::{build, equivalence, passes, selects, ssa, verify};

/// The memory of the structurizer, for a thread that structurizes many functions: after the first
/// ones, most functions are structurized without allocating.
///
/// [`structurize`](crate::structurize) is a workspace for one call. Results are the same: nothing is
/// kept but memory. (It is what Cranelift calls a context. "Workspace" is the term of numerical
/// libraries for memory that a caller provides; a context would be expected to hold settings.)
///
/// Clients can return results so that their memory is reused: [`Workspace::function`] returns an empty
/// function to build, [`Workspace::structurize`] takes it, and [`Workspace::recycle`] takes the result
/// back.
///
/// ```
/// use trellis_structurizer::{Options, Workspace, ir::Terminator};
///
/// let mut workspace = Workspace::new();
/// for _ in 0..3 {
///     let mut func = workspace.function();
///     let entry = func.add_block();
///     func.set_terminator(entry, Terminator::Return(None));
///     let result = workspace.structurize(func, &Options::default())?;
///     assert_eq!(result.order, [entry]);
///     workspace.recycle(result);
/// }
/// # Ok::<(), trellis_structurizer::Error>(())
/// ```
///
/// The memory is that of the largest functions so far, and is freed by [`Workspace::clear`] only. A
/// client that may see huge functions bounds it:
///
/// ```
/// # let mut workspace = trellis_structurizer::Workspace::new();
/// if workspace.kept_bytes() > 1 << 20 {
///     workspace.clear();
/// }
/// ```
///
/// The memory of remarks and snapshots is not kept.
#[derive(Default)]
pub struct Workspace {
    checker: ir::Checker,
    regions: Regions,
    planner: Planner,
    build: build::Memory,
    ssa: ssa::Memory,
    selects: selects::Memory,
    verifier: verify::Verifier,
    /// A copy of the function, which the result is compared with.
    input: Function,
    equivalence: equivalence::Checker,
    /// Functions of results that were given back, for [`Workspace::function`].
    functions: Vec<Function>,
    /// The other parts of these results.
    parts: Vec<Parts>,
    /// See [`Workspace::for_one`].
    keeps_nothing: bool,
}

/// The parts of a result that own memory, without the function.
#[derive(Default)]
struct Parts {
    merges: SecondaryMap<Block, Merge>,
    order: Vec<Block>,
}

sum_of_kept_bytes!(Parts { merges, order });

/// The most results that are kept.
const MAX_RESULTS: usize = 8;

impl core::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Workspace")
            .field("kept_bytes", &self.kept_bytes())
            .finish_non_exhaustive()
    }
}

impl Workspace {
    /// Returns a workspace without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a workspace that frees the memory of each stage before the next ones need theirs,
    /// instead of keeping it for other functions: about half as much is in use at a time. Results
    /// are the same.
    pub fn for_one() -> Self {
        Self {
            planner: Planner::for_one(),
            keeps_nothing: true,
            ..Self::default()
        }
    }

    /// Returns an empty function, in the memory of a result that was given back if there is one.
    pub fn function(&mut self) -> Function {
        self.functions.pop().unwrap_or_default()
    }

    /// Structurizes a function, as [`structurize`](crate::structurize).
    ///
    /// # Errors
    /// As [`structurize`](crate::structurize). The workspace remains usable.
    pub fn structurize(&mut self, func: Function, options: &Options) -> Result<Structured, Error> {
        self.run(func, options, None)
    }

    /// Keeps the memory of a result for other functions.
    pub fn recycle(&mut self, result: Structured) {
        let Structured {
            mut func,
            merges,
            order,
            ..
        } = result;
        if self.functions.len() < MAX_RESULTS {
            func.clear();
            self.functions.push(func);
        }
        if self.parts.len() < MAX_RESULTS {
            self.parts.push(Parts { merges, order });
        }
    }

    /// Returns about how many bytes of memory are kept.
    pub fn kept_bytes(&self) -> usize {
        let Self {
            checker,
            regions,
            planner,
            build,
            ssa,
            selects,
            verifier,
            input,
            equivalence,
            functions,
            parts,
            keeps_nothing: _,
        } = self;
        let functions = functions.iter().map(KeptBytes::kept_bytes);
        let parts = parts.iter().map(KeptBytes::kept_bytes);
        checker.kept_bytes()
            + regions.kept_bytes()
            + planner.kept_bytes()
            + build.kept_bytes()
            + ssa.kept_bytes()
            + selects.kept_bytes()
            + verifier.kept_bytes()
            + input.kept_bytes()
            + equivalence.kept_bytes()
            + functions.sum::<usize>()
            + parts.sum::<usize>()
    }

    /// Frees the memory.
    pub fn clear(&mut self) {
        *self = match self.keeps_nothing {
            true => Self::for_one(),
            false => Self::default(),
        };
    }

    /// Runs the stages. `snapshots` is for [`trace`](crate::trace).
    pub(crate) fn run(
        &mut self,
        mut func: Function,
        options: &Options,
        snapshots: Option<&mut Vec<Snapshot>>,
    ) -> Result<Structured, Error> {
        let options = &Options {
            stages: options.target.stages(options.stages),
            ..options.clone()
        };
        self.checker.check(&func)?;
        if self.keeps_nothing {
            self.checker = ir::Checker::default();
        }
        if func.num_blocks() > options.max_blocks {
            return Err(Error::TooLarge {
                blocks: func.num_blocks(),
                limit: options.max_blocks,
            });
        }
        let max_entries = options.max_entries(&func);
        let mut snapshots = Snapshots::new(snapshots, &func);
        snapshots.add(|| of_function(&func, None));
        let Parts {
            mut merges,
            mut order,
        } = self.parts.pop().unwrap_or_default();
        let is_compared = options.compare && !is_straight_line(&func);
        if is_compared {
            self.input.clone_from(&func);
        }
        let mut structured = if is_straight_line(&func) {
            merges.clear();
            order.clear();
            order.push(Block::from_u32(0));
            Structured {
                func,
                merges,
                order,
                target: options.target,
                report: Report::default(),
            }
        } else {
            let mut remarks = Remarks::new(options.remarks);
            let input_blocks = func.num_blocks();
            if options.target.single_return {
                passes::single_return::run(&mut func);
            }
            self.regions.run(&mut func, max_entries)?;
            let planner = &mut self.planner;
            let blocks = planner.plan(
                &mut func,
                options,
                max_entries,
                &mut remarks,
                &mut snapshots,
            )?;
            if self.keeps_nothing {
                self.planner = Planner::for_one();
            }
            let mut built = build::build(func, blocks, merges, &mut self.build, max_entries)?;
            ssa::repair(&mut built, &mut self.ssa, &mut remarks)?;
            if options.stages.contains(Stage::Selects) {
                selects::run(&mut built, &mut self.selects, &mut remarks);
            }
            for &(block, header) in &self.regions.edges {
                remarks.add(Stage::Reducibility, block, Decision::InRegion { header });
            }
            built.plan.report.remarks = remarks.finish();
            // The plan keeps the memory of another order.
            core::mem::swap(&mut built.plan.order, &mut order);
            let mut report = core::mem::take(&mut built.plan.report);
            report.switches = switches(&built.func, &order);
            report.blocks = (built.func.num_blocks() - input_blocks) as u32;
            self.planner.recycle(built.plan);
            if self.keeps_nothing {
                (self.build, self.ssa, self.selects) = Default::default();
                built.func.shrink_to_fit();
            }
            Structured {
                func: built.func,
                merges: built.merges,
                order,
                target: options.target,
                report,
            }
        };
        if options.verify {
            self.verifier.verify(&structured)?;
        }
        if is_compared {
            match self.equivalence.check(&self.input, &structured) {
                // The result is right by construction; what it takes to see that is bounded.
                Err(Difference::TooLarge) => structured.report.is_unchecked = true,
                compared => compared?,
            }
        }
        Ok(structured)
    }
}

/// Returns how many of the blocks end in a switch.
fn switches(func: &Function, order: &[Block]) -> u32 {
    let is_switch =
        |&&block: &&Block| matches!(func.terminator(block), Some(Terminator::Switch { .. }));
    order.iter().filter(is_switch).count() as u32
}

/// Returns whether a function is one block that ends it, which is structured as it is.
fn is_straight_line(func: &Function) -> bool {
    func.num_blocks() == 1 && func.successors(Block::from_u32(0)).next().is_none()
}
