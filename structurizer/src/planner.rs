//! The passes and the plan, one after the other, with the memory that they share.

use crate::ir::Function;
use crate::memory::sum_of_kept_bytes;
use crate::passes::{self, Cleaner, Edit, Form, Graph};
use crate::plan::blocks::Blocks;
use crate::plan::{self, Context, Plan};
use crate::remark::Remarks;
use crate::result::{Error, Options};
use crate::snapshot::{Snapshots, of_function, of_graph};
use crate::stage::Stage;

/// The graph of a function, and the memory that it is planned in.
#[derive(Default)]
pub(crate) struct Planner {
    cleaner: Cleaner,
    graph: Graph,
    /// Changes of the graph.
    edit: Edit,
    plan: plan::Memory,
    /// True if memory is freed as soon as it is not needed.
    keeps_nothing: bool,
}

sum_of_kept_bytes!(Planner {
    cleaner,
    graph,
    edit,
    plan,
    keeps_nothing,
});

impl Planner {
    /// Returns a planner that keeps little memory between plans.
    pub(crate) fn for_one() -> Self {
        Self {
            plan: plan::Memory::for_one(),
            keeps_nothing: true,
            ..Self::default()
        }
    }

    /// Runs the passes on a function that may get at most `max_entries` entries, and plans the blocks of its
    /// output.
    pub(crate) fn plan(
        &mut self,
        func: &mut Function,
        options: &Options,
        max_entries: usize,
        remarks: &mut Remarks,
        snapshots: &mut Snapshots<'_>,
    ) -> Result<Blocks, Error> {
        let is_joined = self.change(func, options, max_entries, remarks, snapshots);
        if self.keeps_nothing {
            self.cleaner = Cleaner::default();
            func.shrink_to_fit();
        }
        self.find_graph(func, options, remarks, snapshots);
        let cx = Context {
            func,
            graph: &self.graph,
            options,
        };
        let mut blocks = Plan::new(cx, &mut self.plan, remarks)?.blocks;
        // Definitions may not dominate their uses any more.
        blocks.needs_ssa_repair |= is_joined;
        Ok(blocks)
    }

    /// Runs the passes that change the function; returns whether branches were joined.
    fn change(
        &mut self,
        func: &mut Function,
        options: &Options,
        max_entries: usize,
        remarks: &mut Remarks,
        snapshots: &mut Snapshots<'_>,
    ) -> bool {
        let runs = |stage: Stage| options.stages.contains(stage);
        // Blocks that need not exist are removed before anything is built around them.
        if runs(Stage::EmptyBlocks) {
            self.cleaner.empty_blocks(func, remarks);
            snapshots.add(|| of_function(func, Some(Stage::EmptyBlocks)));
        }
        // The rest of the room is for SSA construction.
        let room = max_entries.saturating_sub(func.num_entries()) / 4;
        let is_joined = runs(Stage::Conditions) && self.cleaner.conditions(func, room, remarks);
        snapshots.add(|| of_function(func, Some(Stage::Conditions)));
        is_joined
    }

    /// Makes the graph, and runs the passes that change it.
    fn find_graph(
        &mut self,
        func: &Function,
        options: &Options,
        remarks: &mut Remarks,
        snapshots: &mut Snapshots<'_>,
    ) {
        let Self { graph, edit, .. } = self;
        graph.compute(func);
        passes::reducibility::remark(func, graph, remarks);
        let form = if options.max_continue_switches == 0 || !options.target.break_leaves_switches {
            Form::Tree
        } else {
            Form::Switch
        };
        passes::reducibility::run(graph, edit, func, form, remarks);
        snapshots.add(|| of_graph(func, graph, Stage::Reducibility));
    }

    /// Keeps the memory of the blocks of a plan that is not needed any more.
    pub(crate) fn recycle(&mut self, blocks: Blocks) {
        self.plan.recycle(blocks);
    }
}
