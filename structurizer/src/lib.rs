//! Turns any control-flow graph into SPIR-V structured control flow.
//!
//! A client builds an [`ir::Function`] and calls [`structurize`]; the result is the same function
//! with fresh blocks and phis, a [`Merge`] for each header, and a block order that SPIR-V accepts.

pub mod analysis;
mod canonicalize;
mod cleanup;
mod construct;
mod decision;
mod graph;
pub mod ir;
#[cfg(feature = "petgraph")]
pub mod petgraph;
mod result;
mod snapshot;
mod ssa;
mod stage;
pub mod text;
pub mod tree;
pub mod verify;

pub use result::{Error, Merge, Options, Report, Structured};
pub use snapshot::{Header, Snapshot, SnapshotNode, Trace, trace};
pub use stage::{Decision, Remark, Stage, Stages};
pub use tree::Tree;

use ir::Function;
use trellis_entity::SecondaryMap;

/// Structurizes a function. Total: every well-formed function has a result.
///
/// The pipeline, in order:
/// 1. `cleanup`: blocks that need not be go, before anything is built around them;
/// 2. `canonicalize`: a reducible graph with one back edge a loop, since everything below thinks in
///    loops with one header;
/// 3. `placement`: the tree whose preorder is the linear order that carries correctness and
///    convergence;
/// 4. `layout`: arms, frames and positions, since selectors are positions;
/// 5. `emit`: blocks, merges, escapes;
/// 6. `ssa`: phis, values and selectors, once all paths are known;
/// 7. `verify`: the specification's rules, from the result alone.
///
/// # Errors
/// [`Error::Malformed`] for a function that a client built wrongly, [`Error::TooLarge`] beyond
/// [`Options::max_blocks`]; [`Error::Internal`] and [`Error::Verify`] would be bugs here, reported
/// instead of wrong output.
pub fn structurize(func: Function, options: &Options) -> Result<Structured, Error> {
    run(func, options, None)
}

/// The pipeline. `snapshots` is for [`trace`].
fn run(
    mut func: Function,
    options: &Options,
    mut snapshots: Option<&mut Vec<Snapshot>>,
) -> Result<Structured, Error> {
    ir::check(&func)?;
    if func.num_blocks() > options.max_blocks {
        return Err(Error::TooLarge {
            blocks: func.num_blocks(),
            limit: options.max_blocks,
        });
    }
    if let Some(list) = &mut snapshots {
        list.push(snapshot::of_function(&func, None, func.num_blocks()));
    }
    if func.num_blocks() == 1 && func.successors(ir::Block::from_u32(0)).next().is_none() {
        // Straight-line code is structured as it stands.
        let structured = Structured {
            func,
            merges: SecondaryMap::new(),
            order: vec![ir::Block::from_u32(0)],
            report: Report::default(),
        };
        if options.verify {
            verify::verify(&structured)?;
        }
        return Ok(structured);
    }
    let mut remarks = stage::Remarks::new(options.remarks);
    for (stage, pass) in [
        (Stage::BreakPhis, cleanup::break_phis as cleanup::Pass),
        (Stage::DegenerateBlocks, cleanup::degenerate),
    ] {
        pass(&mut func, options, &mut remarks);
        if let Some(list) = &mut snapshots {
            list.push(snapshot::of_function(&func, Some(stage), func.num_blocks()));
        }
    }
    let graph = canonicalize::canonicalize(&func, options, &mut remarks);
    if let Some(list) = &mut snapshots {
        // Of one graph all choose their shapes.
        let stages = [
            Stage::Canonicalize,
            Stage::LoopTransposition,
            Stage::ContinueLadders,
            Stage::FallThrough,
            Stage::InterleavedBreaks,
            Stage::MergeScopes,
            Stage::Duplication,
        ];
        list.extend(stages.map(|stage| snapshot::of_graph(&func, &graph, stage)));
    }
    let mut placement = construct::placement::place(&func, &graph, options, &mut remarks);
    let layout = construct::layout::layout(&func, &graph, &mut placement, options, &mut remarks);
    let mut emitted = construct::emit::emit(func, &graph, &placement, &layout, options, remarks)?;
    // What follows needs none of them, and their memory.
    drop((layout, placement, graph));
    ssa::repair(&mut emitted)?;
    emitted.report.remarks = emitted.remarks.finish();
    let structured = Structured {
        func: emitted.func,
        merges: emitted.merges,
        order: emitted.order,
        report: emitted.report,
    };
    if options.verify {
        verify::verify(&structured)?;
    }
    Ok(structured)
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
