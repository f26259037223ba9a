//! The memory of the structurizer, kept between functions.

use alloc::vec::Vec;

use trellis_entity::SecondaryMap;

use crate::analysis::flow::Flow;
use crate::build;
use crate::check;
use crate::equivalence;
use crate::equivalence::Difference;
use crate::error::Error;
use crate::ir::{Block, Function, Terminator};
use crate::passes::convergence_regions::Regions;
use crate::passes::empty_blocks::EmptyBlocks;
use crate::passes::{self, Edit, Graph, conditions};
use crate::plan::{self, Context, Plan};
use crate::remark::{Decision, Remarks};
use crate::result::{Options, Report, Structured};
use crate::selects;
use crate::snapshot::{Snapshot, Snapshots, of_function, of_graph};
use crate::ssa;
use crate::stage::Stage;
use crate::verify;

/// The most entries of a function whose memory is kept, some hundreds of bytes for each.
const MAX_KEPT: usize = 1 << 14;

/// The memory of the structurizer, for a thread that structurizes many functions.
///
/// [`structurize`](crate::structurize) is a workspace for one call. Results are the same: nothing
/// is kept but memory, of functions with up to 16,384 entries
/// ([`Function::num_entries`](crate::ir::Function::num_entries)). (Cranelift calls it a context.
/// "Workspace" is the term of numerical libraries for memory that a caller provides; a context
/// would be expected to hold settings.)
///
/// ```
/// use trellis_structurizer::{Options, Workspace, ir::{Function, Terminator}};
///
/// let mut workspace = Workspace::new();
/// for _ in 0..3 {
///     let mut func = Function::new();
///     let entry = func.add_block();
///     func.set_terminator(entry, Terminator::Return(None));
///     let result = workspace.structurize(func, &Options::default())?;
///     assert_eq!(result.order, [entry]);
/// }
/// # Ok::<(), trellis_structurizer::Error>(())
/// ```
#[derive(Default)]
pub struct Workspace {
    checker: check::Checker,
    flow: Flow,
    regions: Regions,
    empty_blocks: EmptyBlocks,
    conditions: conditions::Memory,
    graph: Graph,
    /// Changes of the graph.
    edit: Edit,
    plan: plan::Memory,
    build: build::Memory,
    ssa: ssa::Memory,
    selects: selects::Memory,
    verifier: verify::Verifier,
    /// A copy of the function, which the result is compared with.
    input: Function,
    equivalence: equivalence::Checker,
    /// See [`Workspace::for_one`].
    is_for_one: bool,
}

impl core::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Workspace").finish_non_exhaustive()
    }
}

impl Workspace {
    /// Returns a workspace without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a workspace that frees the memory of each stage after its last use, for fewer bytes at a time.
    pub fn for_one() -> Self {
        let mut workspace = Self::new();
        workspace.is_for_one = true;
        workspace
    }

    /// Structurizes a function, as [`structurize`](crate::structurize).
    ///
    /// # Errors
    /// As [`structurize`](crate::structurize). The workspace remains usable.
    pub fn structurize(&mut self, func: Function, options: &Options) -> Result<Structured, Error> {
        self.run(func, options, None)
    }

    /// Runs the stages. `snapshots` is for [`trace`](crate::trace).
    pub(crate) fn run(
        &mut self,
        func: Function,
        options: &Options,
        snapshots: Option<&mut Vec<Snapshot>>,
    ) -> Result<Structured, Error> {
        let options = &Options {
            stages: options.stages.for_target(options.target),
            ..options.clone()
        };
        self.checker.check(&func, &mut self.flow)?;
        if func.num_blocks() > options.max_blocks {
            return Err(Error::TooLarge {
                blocks: func.num_blocks(),
                limit: options.max_blocks,
            });
        }
        let mut snapshots = Snapshots::new(snapshots, &func);
        snapshots.add(|| of_function(&func, None));
        let is_straight_line = is_straight_line(&func);
        let is_kept = !self.is_for_one && func.num_entries() <= MAX_KEPT;
        if !is_kept {
            self.checker = check::Checker::default();
        }
        let mut structured = if is_straight_line {
            Structured {
                func,
                merges: SecondaryMap::new(),
                order: [Block::from_u32(0)].into(),
                target: options.target,
                report: Report::default(),
            }
        } else {
            if options.compare {
                self.input.clone_from(&func);
            }
            self.change(func, options, is_kept, &mut snapshots)?
        };
        if options.verify {
            self.verifier.verify(&structured)?;
        }
        if options.compare && !is_straight_line {
            match self.equivalence.check(&self.input, &structured) {
                // The result is right by construction; the cost of the check is bounded.
                Err(Difference::TooLarge) => structured.report.unchecked = 1,
                compared => compared?,
            }
        }
        if !is_kept {
            // Assigning each part is cheaper than replacing the workspace, of which most parts are
            // empty.
            (self.regions, self.verifier) = Default::default();
            (self.input, self.equivalence) = Default::default();
        }
        Ok(structured)
    }

    /// Runs the stages that change a function. Memory that is not kept is freed after its last use.
    fn change(
        &mut self,
        mut func: Function,
        options: &Options,
        is_kept: bool,
        snapshots: &mut Snapshots<'_>,
    ) -> Result<Structured, Error> {
        let runs = |stage: Stage| options.stages.contains(stage);
        let mut remarks = Remarks::new(options.remarks);
        let input_blocks = func.num_blocks();
        let max_entries = options.max_entries(&func);
        if options.target.single_return {
            passes::single_return::run(&mut func);
        }
        self.regions.run(&mut func, max_entries)?;
        let flow = &mut self.flow;
        if options.target.single_return || !self.regions.edges.is_empty() {
            flow.compute(&func);
        }
        if runs(Stage::EmptyBlocks) {
            self.empty_blocks.run(&mut func, flow, &mut remarks);
            snapshots.add(|| of_function(&func, Some(Stage::EmptyBlocks)));
        }
        let graph = &mut self.graph;
        graph.compute(&func, flow);
        let mut is_joined = false;
        if runs(Stage::Conditions) {
            // The rest of the room is for SSA construction.
            let room = max_entries.saturating_sub(func.num_entries()) / 4;
            let memory = &mut self.conditions;
            is_joined = conditions::run(&mut func, graph, &mut remarks, room, memory);
            if is_joined {
                flow.compute(&func);
                graph.compute(&func, flow);
            }
            snapshots.add(|| of_function(&func, Some(Stage::Conditions)));
        }
        if !is_kept {
            (self.empty_blocks, self.flow, self.conditions) = Default::default();
            func.shrink_to_fit();
        }
        passes::reducibility::run(graph, &mut self.edit, &func, options, &mut remarks);
        snapshots.add(|| of_graph(&func, graph, Stage::Reducibility));
        let cx = Context {
            func: &func,
            graph,
            options,
        };
        let mut blocks = Plan::new(cx, &mut self.plan, &mut remarks)?.blocks;
        // Where branches were joined, definitions may not dominate their uses any more.
        blocks.needs_ssa_repair |= is_joined;
        if !is_kept {
            (self.graph, self.edit, self.plan) = Default::default();
        }
        let mut built = build::build(func, blocks, &mut self.build, max_entries)?;
        ssa::repair(&mut built, &mut self.ssa, &mut remarks)?;
        if runs(Stage::Selects) {
            selects::run(&mut built, &mut self.selects, &mut remarks);
        }
        for &(block, header) in &self.regions.edges {
            remarks.add(Stage::Reducibility, block, Decision::InRegion { header });
        }
        if !is_kept {
            (self.build, self.ssa, self.selects) = Default::default();
            built.func.shrink_to_fit();
        }
        let mut order = built.plan.order;
        order.shrink_to_fit();
        let report = Report {
            remarks: remarks.finish(),
            switches: switches(&built.func, &order),
            blocks: (built.func.num_blocks() - input_blocks) as u32,
            ..built.plan.report
        };
        Ok(Structured {
            func: built.func,
            merges: built.merges,
            order,
            target: options.target,
            report,
        })
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
