//! Turns any control-flow graph into SPIR-V structured control flow.
//!
//! A client builds an [`ir::Function`] and calls [`structurize`]; the result is the same function
//! with fresh blocks and phis, a [`Merge`] for each header, and a block order that SPIR-V accepts.
//!
//! # Examples
//!
//! A branch whose two arms merge. [`text`] is the notation for graphs that the tests use:
//!
//! ```
//! use trellis_structurizer::{Merge, Options, Tree, structurize, text};
//!
//! let func = text::parse("a: b c\nb: d\nc: d\nd: ret").unwrap();
//! let entry = func.entry().unwrap();
//! let result = structurize(func, &Options::default())?;
//! assert!(matches!(result.merges[entry], Merge::Selection { .. }));
//! assert_eq!(result.report.selectors, 0);
//! println!("{}", Tree::of(&result));
//! # Ok::<(), trellis_structurizer::Error>(())
//! ```
//!
//! # Features
//! - `std` (default): std's part of the dependencies. Without it the crate and all of its
//!   dependencies need `alloc` only; what the crate has is the same.
//! - `serde`: serialization of [`Counters`] and [`Stages`].
//! - `petgraph`: petgraph's traits on control-flow graphs.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod analysis;
mod build;
mod counters;
mod entity;
pub mod ir;
mod maps;
mod passes;
#[cfg(feature = "petgraph")]
pub mod petgraph;
mod plan;
mod remark;
mod result;
mod rewrite;
mod search;
mod snapshot;
mod ssa;
mod stage;
mod target;
pub mod text;
pub mod tree;
pub mod variables;
pub mod verify;
mod weights;

pub use counters::Counters;
pub use remark::{Decision, Remark};
pub use result::{Error, Merge, Options, Report, Structured};
pub use snapshot::{Header, Snapshot, SnapshotNode, Trace, trace};
pub use stage::{Changes, Stage, StageInfo, Stages};
pub use target::Target;
pub use tree::Tree;
pub use variables::Variables;
pub use weights::CostWeights;

use alloc::vec;
use alloc::vec::Vec;

use entity::EntityRef;
use passes::{Form, Graph};
use plan::blocks::Blocks;
use plan::{Context, Plan};
use remark::Remarks;
use rewrite::Planned;
use snapshot::{Snapshots, of_function, of_graph};

use ir::Function;
use trellis_entity::SecondaryMap;

/// Structurizes a function. Total: every well-formed function has a result.
///
/// The stages are those of [`Stage::TABLE`], in its order:
/// 1. the passes change the function and its graph: they remove phi-only and empty blocks, separate
///    shared headers, and make the graph reducible with one back edge per loop, since everything
///    after them is about loops with one header;
/// 2. the plan decides everything else: the merge target of each loop, the linear order of the
///    blocks that carries correctness and convergence, the scopes, and where a selector is needed;
/// 3. where the plan has selectors, breakable blocks or dispatch headers, rewrites undo in the
///    function what an optimizer did (threaded conditions, merged returns), or copy small blocks:
///    steps 1 and 2 are run again, and the cheaper plan is taken. They are first in
///    [`Stage::TABLE`], as the function that they change is the input of everything else;
/// 4. construction writes the blocks of the plan;
/// 5. SSA construction inserts phis and selectors, once all paths are known;
/// 6. the verifier checks the specification's rules, from the result alone.
///
/// # Errors
/// [`Error::Malformed`] for a function that a client built wrongly, [`Error::TooLarge`] beyond
/// [`Options::max_blocks`], [`Error::ResultTooLarge`] beyond [`Options::max_growth`];
/// [`Error::Internal`] and [`Error::Verify`] would be bugs here, reported
/// instead of wrong output.
pub fn structurize(func: Function, options: &Options) -> Result<Structured, Error> {
    run(func, options, None)
}

/// Runs the stages. `snapshots` is for [`trace`].
fn run(
    mut func: Function,
    options: &Options,
    snapshots: Option<&mut Vec<Snapshot>>,
) -> Result<Structured, Error> {
    let options = &Options {
        stages: options.target.stages(options.stages),
        ..options.clone()
    };
    ir::check(&func)?;
    if func.num_blocks() > options.max_blocks {
        return Err(Error::TooLarge {
            blocks: func.num_blocks(),
            limit: options.max_blocks,
        });
    }
    let max_entries = options.max_entries(&func);
    let mut snapshots = Snapshots::new(snapshots, &func);
    snapshots.add(|| of_function(&func, None));
    let structured = if is_straight_line(&func) {
        Structured {
            func,
            merges: SecondaryMap::new(),
            order: vec![ir::Block::new(0)],
            target: options.target,
            report: Report::default(),
        }
    } else {
        let mut remarks = Remarks::new(options.remarks);
        let inserted = if options.target.single_return {
            passes::single_return::run(&mut func)
        } else {
            0
        };
        let regions = passes::convergence_regions::run(&mut func, max_entries)?;
        let mut planned = plan_function(func, options, &mut remarks, &mut snapshots)?;
        if let Some(better) =
            rewrite::improve(&planned, options, max_entries, snapshots.is_wanted())?
        {
            remarks.retain(&rewrite::PASSES);
            planned = show_rewrites(better, options, &mut remarks, &mut snapshots)?;
        }
        let mut built = build::build(planned.func, planned.blocks, max_entries)?;
        built.report.blocks += planned.added as u32 + inserted + regions.blocks;
        built.report.copies += planned.copies as u32;
        ssa::repair(&mut built, &mut remarks)?;
        for (block, header) in regions.edges {
            remarks.add(Stage::Reducibility, block, Decision::InRegion { header });
        }
        built.report.remarks = remarks.finish();
        Structured {
            func: built.func,
            merges: built.merges,
            order: built.order,
            target: options.target,
            report: built.report,
        }
    };
    if options.verify {
        verify::verify(&structured)?;
    }
    Ok(structured)
}

/// Runs the passes on a function and plans its output.
fn plan_function(
    mut func: Function,
    options: &Options,
    remarks: &mut Remarks,
    snapshots: &mut Snapshots<'_>,
) -> Result<Planned, Error> {
    clean(&mut func, options, remarks, snapshots);
    plan_clean(func, options, remarks, snapshots)
}

/// Plans the output of a function that the passes were run on.
fn plan_clean(
    func: Function,
    options: &Options,
    remarks: &mut Remarks,
    snapshots: &mut Snapshots<'_>,
) -> Result<Planned, Error> {
    let blocks = plan_blocks(&func, options, remarks, snapshots)?;
    Ok(Planned {
        func,
        blocks,
        weights: options.weights,
        added: 0,
        copies: 0,
        copied_insts: 0,
        operands: 0,
        many_breaks: options.many_breaks,
        is_searched: false,
        remarks: Remarks::new(options.remarks),
        pictures: Vec::new(),
        reasons: rewrite::Reasons::default(),
    })
}

/// Plans the blocks of a function that the passes were run on.
fn plan_blocks(
    func: &Function,
    options: &Options,
    remarks: &mut Remarks,
    snapshots: &mut Snapshots<'_>,
) -> Result<Blocks, Error> {
    let graph = &canonical_graph(func, options, remarks, snapshots);
    let cx = Context {
        func,
        graph,
        options,
    };
    Ok(Plan::new(cx, remarks)?.blocks)
}

/// Writes down what rewrites did, and plans the rewritten function again with the remarks and the
/// pictures of the other stages, if remarks or pictures are wanted.
fn show_rewrites(
    mut planned: Planned,
    options: &Options,
    remarks: &mut Remarks,
    snapshots: &mut Snapshots<'_>,
) -> Result<Planned, Error> {
    if !options.remarks && !snapshots.is_wanted() {
        return Ok(planned);
    }
    remarks.append(core::mem::take(&mut planned.remarks));
    snapshots.keep_input();
    for picture in core::mem::take(&mut planned.pictures) {
        snapshots.add(|| picture);
    }
    snapshots.add(|| of_function(&planned.func, Some(Stage::EmptyBlocks)));
    if planned.is_searched {
        return Ok(planned);
    }
    let options = Options {
        many_breaks: planned.many_breaks,
        ..options.clone()
    };
    let again = plan_clean(planned.func, &options, remarks, snapshots)?;
    Ok(Planned {
        func: again.func,
        blocks: Blocks {
            needs_ssa_repair: true,
            ..again.blocks
        },
        ..planned
    })
}

/// Returns whether a function is one block that ends it, which is structured as it is.
fn is_straight_line(func: &Function) -> bool {
    func.num_blocks() == 1 && func.successors(ir::Block::new(0)).next().is_none()
}

/// Runs the passes that change the function.
fn clean(
    func: &mut Function,
    options: &Options,
    remarks: &mut Remarks,
    snapshots: &mut Snapshots<'_>,
) {
    let runs = |stage: Stage| options.stages.contains(stage);
    // Blocks that need not exist are removed before anything is built around them.
    if runs(Stage::PhiOnlyBlocks) {
        passes::phi_only_blocks::run(func, remarks);
        snapshots.add(|| of_function(func, Some(Stage::PhiOnlyBlocks)));
    }
    if runs(Stage::EmptyBlocks) {
        passes::empty_blocks::run(func, remarks);
        snapshots.add(|| of_function(func, Some(Stage::EmptyBlocks)));
    }
}

/// Runs the passes that change the graph.
fn canonical_graph(
    func: &Function,
    options: &Options,
    remarks: &mut Remarks,
    snapshots: &mut Snapshots<'_>,
) -> Graph {
    let mut graph = Graph::of(func);
    passes::reducibility::remark(func, &graph, remarks);
    // Before the back edges of one header share a latch, as those of two loops must not.
    if options.stages.contains(Stage::SharedHeaders) {
        graph = passes::shared_headers::run(graph, func, remarks);
        snapshots.add(|| of_graph(func, &graph, Stage::SharedHeaders));
    }
    let form = if options.max_continue_switches == 0 || !options.target.break_leaves_switches {
        Form::Tree
    } else {
        Form::Switch
    };
    graph = passes::reducibility::run(graph, func, form, remarks);
    snapshots.add(|| of_graph(func, &graph, Stage::Reducibility));
    graph
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
