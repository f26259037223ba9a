//! The passes and the plan, one after the other, with the memory that they share.
//!
//! A function is planned once, and again for each rewrite that is tried.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::ops::Deref;

use crate::ir::Function;
use crate::memory::{KeptBytes, sum_of_kept_bytes};
use crate::passes::{self, Cleaner, Edit, Form, Graph};
use crate::plan::blocks::Blocks;
use crate::plan::{self, Context, Plan};
use crate::remark::Remarks;
use crate::result::{Error, Options};
use crate::rewrite::{Candidates, Planned, Reasons, conditions};
use crate::snapshot::{Snapshots, of_function, of_graph};
use crate::stage::Stage;

/// A function that several plans are of. No two functions that a planner shares have one number.
#[derive(Clone)]
pub(crate) struct Shared {
    func: Arc<Function>,
    number: u64,
}

impl Deref for Shared {
    type Target = Function;

    fn deref(&self) -> &Function {
        &self.func
    }
}

/// The graph of the function at hand, and what it is planned in.
#[derive(Default)]
pub(crate) struct Planner {
    cleaner: Cleaner,
    graph: Graph,
    /// Changes of the graph.
    edit: Edit,
    shared_headers: passes::shared_headers::Memory,
    plan: plan::Memory,
    spare: Spare,
    /// What the rewrites know of a function.
    pub(crate) conditions: conditions::Analysis,
    pub(crate) candidates: Candidates,
    /// The number of the function that the graph and the placed shape are those of.
    placed: Option<u64>,
    /// How many functions were shared.
    num_shared: u64,
    /// True if memory is freed as soon as it is not needed.
    keeps_nothing: bool,
}

/// Functions that are not needed any more: copies are made in their memory.
#[derive(Default)]
struct Spare {
    functions: Vec<Function>,
    /// The memory of functions that were shared, which is empty.
    shared: Vec<Arc<Function>>,
}

impl KeptBytes for Spare {
    fn kept_bytes(&self) -> usize {
        let Self { functions, shared } = self;
        let own: usize = functions.iter().map(KeptBytes::kept_bytes).sum();
        let cells = shared.len() * size_of::<Function>();
        functions.kept_bytes() + own + shared.capacity() * size_of::<usize>() + cells
    }
}

sum_of_kept_bytes!(Planner {
    cleaner,
    graph,
    edit,
    shared_headers,
    plan,
    spare,
    conditions,
    candidates,
    placed,
    num_shared,
    keeps_nothing,
});

/// The most functions that wait for their memory to be used. A rewrite that is tried gives one up before
/// the next; a set of stages that is tried has the best function of its own, and one from before.
const MAX_SPARE: usize = 3;

/// The most entries of a function whose memory is kept: to plan a larger one takes much longer than to
/// allocate it.
const MAX_SPARE_ENTRIES: usize = 1 << 11;

impl Planner {
    /// Returns a planner that keeps little memory between plans.
    pub(crate) fn for_one() -> Self {
        Self {
            plan: plan::Memory::for_one(),
            keeps_nothing: true,
            ..Self::default()
        }
    }

    /// Returns a copy of a function, in the memory of another where there is one.
    pub(crate) fn copy_of(&mut self, func: &Function) -> Function {
        let Some(mut copy) = self.spare.functions.pop() else {
            return func.clone();
        };
        copy.clone_from(func);
        copy
    }

    /// Uses the memory of a function for the next copy.
    pub(crate) fn recycle_function(&mut self, func: Function) {
        if !self.keeps_nothing
            && self.spare.functions.len() < MAX_SPARE
            && func.num_entries() <= MAX_SPARE_ENTRIES
        {
            self.spare.functions.push(func);
        }
    }

    /// Makes a function one that several plans may be of.
    pub(crate) fn share(&mut self, func: Function) -> Shared {
        self.num_shared += 1;
        let number = self.num_shared;
        if let Some(mut cell) = self.spare.shared.pop()
            && let Some(place) = Arc::get_mut(&mut cell)
        {
            *place = func;
            return Shared { func: cell, number };
        }
        Shared {
            func: Arc::new(func),
            number,
        }
    }

    /// Returns a function that was shared, without a copy if no other plan is one of it.
    pub(crate) fn unshare(&mut self, shared: Shared) -> Function {
        let Shared { mut func, .. } = shared;
        let Some(place) = Arc::get_mut(&mut func) else {
            return func.as_ref().clone();
        };
        let only = core::mem::take(place);
        if !self.keeps_nothing && self.spare.shared.len() < MAX_SPARE {
            self.spare.shared.push(func);
        }
        only
    }

    /// Uses the memory of a function for the next copy if no other plan is one of it.
    pub(crate) fn recycle_shared(&mut self, mut shared: Shared) {
        if Arc::get_mut(&mut shared.func).is_some() {
            let func = self.unshare(shared);
            self.recycle_function(func);
        }
    }

    /// Frees what the rewrites know of a function, if little is to be kept.
    pub(crate) fn forget(&mut self) {
        if self.keeps_nothing {
            self.conditions = conditions::Analysis::default();
            self.candidates = Candidates::default();
        }
    }

    /// Frees memory that a function has for more than is in it, if little is to be kept.
    pub(crate) fn shrink(&self, func: &mut Function) {
        if self.keeps_nothing {
            func.shrink_to_fit();
        }
    }

    /// Runs the passes on a function and plans its output.
    pub(crate) fn plan_function(
        &mut self,
        mut func: Function,
        options: &Options,
        remarks: &mut Remarks,
        snapshots: &mut Snapshots<'_>,
    ) -> Result<Planned, Error> {
        self.clean(&mut func, options, remarks, snapshots);
        self.plan_clean(func, options, remarks, snapshots)
    }

    /// Plans the output of a function that the passes were run on.
    pub(crate) fn plan_clean(
        &mut self,
        func: Function,
        options: &Options,
        remarks: &mut Remarks,
        snapshots: &mut Snapshots<'_>,
    ) -> Result<Planned, Error> {
        let func = self.share(func);
        let blocks = self.plan_blocks(&func, options, remarks, snapshots)?;
        Ok(Planned {
            func,
            blocks,
            weights: options.weights,
            added: 0,
            copies: 0,
            copied_insts: 0,
            operands: 0,
            many_breaks: options.many_breaks,
            stages: options.stages,
            remarks: Remarks::new(options.remarks),
            pictures: Vec::new(),
            reasons: Reasons::default(),
            cost: OnceCell::new(),
        })
    }

    /// Plans the blocks of a function that the passes were run on.
    pub(crate) fn plan_blocks(
        &mut self,
        func: &Shared,
        options: &Options,
        remarks: &mut Remarks,
        snapshots: &mut Snapshots<'_>,
    ) -> Result<Blocks, Error> {
        let wanted = plan::Wanted::default();
        let blocks = self.plan_wanted(func, options, wanted, remarks, snapshots)?;
        blocks.ok_or(Error::Internal {
            what: "the planner returned no plan",
        })
    }

    /// Plans the blocks of a function again, with [`Options::many_breaks`] that are fewer; none if that
    /// makes no difference.
    pub(crate) fn plan_flat_breaks(
        &mut self,
        func: &Shared,
        options: &Options,
    ) -> Result<Option<Blocks>, Error> {
        let wanted = plan::Wanted {
            flat_breaks: true,
            ..plan::Wanted::default()
        };
        let (mut remarks, mut snapshots) = (Remarks::new(false), Snapshots::none());
        self.plan_wanted(func, options, wanted, &mut remarks, &mut snapshots)
    }

    /// Plans the blocks of a function if the plan is the one that is wanted.
    ///
    /// Where the last plan was one of the same function, its graph and the placement of its nodes are
    /// used again. They depend on the options but for [`Options::many_breaks`] and the stages that make
    /// exits, which alone are different in another plan of one function.
    fn plan_wanted(
        &mut self,
        func: &Shared,
        options: &Options,
        wanted: plan::Wanted,
        remarks: &mut Remarks,
        snapshots: &mut Snapshots<'_>,
    ) -> Result<Option<Blocks>, Error> {
        let is_placed = self.placed.take() == Some(func.number)
            && !snapshots.is_wanted()
            && !remarks.wants_all()
            // The remarks on dispatch headers name edges.
            && (!remarks.wanted() || self.graph.dispatch_headers == 0);
        if !is_placed {
            self.find_graph(func, options, remarks, snapshots);
        }
        let cx = Context {
            func,
            graph: &self.graph,
            options,
        };
        let wanted = plan::Wanted {
            is_placed,
            ..wanted
        };
        let plan = Plan::new(cx, &mut self.plan, wanted, remarks)?;
        let mut blocks = plan.map(|plan| plan.blocks);
        self.placed = self.plan.is_placed().then_some(func.number);
        if self.keeps_nothing {
            // Functions are copied and rewritten before the next plan.
            self.graph = Graph::default();
            self.edit = Edit::default();
            self.shared_headers = passes::shared_headers::Memory::default();
            self.plan = plan::Memory::for_one();
            self.placed = None;
            // Last: a list is copied to where it has no room for more.
            blocks.iter_mut().for_each(Blocks::shrink_to_fit);
        }
        Ok(blocks)
    }

    /// Runs the passes that change the function.
    pub(crate) fn clean(
        &mut self,
        func: &mut Function,
        options: &Options,
        remarks: &mut Remarks,
        snapshots: &mut Snapshots<'_>,
    ) {
        let runs = |stage: Stage| options.stages.contains(stage);
        // Blocks that need not exist are removed before anything is built around them.
        if runs(Stage::PhiOnlyBlocks) {
            self.cleaner.phi_only_blocks(func, remarks);
            snapshots.add(|| of_function(func, Some(Stage::PhiOnlyBlocks)));
        }
        if runs(Stage::EmptyBlocks) {
            self.cleaner.empty_blocks(func, remarks);
            snapshots.add(|| of_function(func, Some(Stage::EmptyBlocks)));
        }
        if self.keeps_nothing {
            self.cleaner = Cleaner::default();
        }
    }

    /// Makes the graph, and runs the passes that change it.
    fn find_graph(
        &mut self,
        func: &Function,
        options: &Options,
        remarks: &mut Remarks,
        snapshots: &mut Snapshots<'_>,
    ) {
        let Self {
            graph,
            edit,
            shared_headers,
            ..
        } = self;
        graph.compute(func);
        passes::reducibility::remark(func, graph, remarks);
        // Before the back edges of one header share a latch, as those of two loops must not.
        if options.stages.contains(Stage::SharedHeaders) {
            passes::shared_headers::run(graph, edit, shared_headers, func, remarks);
            snapshots.add(|| of_graph(func, graph, Stage::SharedHeaders));
        }
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
