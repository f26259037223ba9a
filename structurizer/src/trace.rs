//! A run that keeps the graph after each stage.

use alloc::vec::Vec;

use crate::error::Error;
use crate::ir::{Block, Function};
use crate::maps::FxHashSet;
use crate::result::{Options, Structured};
use crate::snapshot::{Snapshot, of_structured};
use crate::stage::Stage;
use crate::workspace::Workspace;

/// A structured function and how it came about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trace {
    /// The input, and the graph after each stage that changed it, in the order in which they run.
    pub snapshots: Vec<Snapshot>,
    /// The result, with remarks.
    pub structured: Structured,
}

/// Structurizes a function and keeps the graph after each stage. Costs a copy of the graph
/// per stage: for people who look, not for batches.
///
/// # Errors
/// Those of [`structurize`](crate::structurize).
pub fn trace(func: Function, options: &Options) -> Result<Trace, Error> {
    let options = Options {
        remarks: true,
        ..options.clone()
    };
    let mut snapshots = Vec::new();
    let structured = Workspace::new().run(func, &options, Some(&mut snapshots))?;
    let result = of_structured(&structured);
    let mut built = result.clone();
    built.stage = Some(Stage::Construction);
    // Phis are inserted after that.
    for node in built.nodes.iter_mut().filter(|n| n.inserted) {
        node.phis = 0;
    }
    let has_new_phis = structured.report.phis > 0;
    snapshots.push(built);
    if has_new_phis {
        snapshots.push(Snapshot {
            stage: Some(Stage::Ssa),
            ..result
        });
    }
    // A remark is shown with the first picture that shows its effect.
    let mut remarks = structured.report.remarks.iter().peekable();
    for snapshot in snapshots.iter_mut().skip(1) {
        while let Some(remark) = remarks.next_if(|r| Some(r.stage) <= snapshot.stage) {
            snapshot.remarks.push(remark.clone());
        }
        let changed: FxHashSet<Block> = snapshot.remarks.iter().map(|r| r.block).collect();
        for node in &mut snapshot.nodes {
            node.changed = node.block.is_some_and(|block| changed.contains(&block));
        }
    }
    Ok(Trace {
        snapshots,
        structured,
    })
}
