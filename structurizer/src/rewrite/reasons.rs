//! The reasons of a plan: the edges that its selectors, breakable blocks and dispatch headers are
//! there for. Rewrites copy blocks that these edges lead to.
//!
//! They are read off the remarks of the plan, each of which names up to 16 edges. Most plans after the
//! first are only compared with others; these are made without remarks, and made once more if their
//! reasons are needed.

use alloc::vec::Vec;
use core::cell::OnceCell;

use super::{Cost, Planned};
use crate::entity::{EntityVec, PackedOption};
use crate::ir::{Block, Function};
use crate::planner::Planner;
use crate::remark::Remarks;
use crate::result::{Error, Options};
use crate::snapshot::Snapshots;

/// An edge, from its source to its target.
pub(super) type Edge = (Block, Block);

/// The reasons of a plan, if they are known yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reasons(OnceCell<Vec<Edge>>);

impl Reasons {
    /// Returns the edges that the remarks of a plan name.
    pub(super) fn of_remarks(func: &Function, remarks: Remarks) -> Self {
        Self(OnceCell::from(named(func, remarks)))
    }
}

impl Planned {
    /// Finds the reasons in the remarks of the plan, if it has constructs that rewrites may save.
    pub(crate) fn find_reasons(&mut self, remarks: &Remarks) {
        if Cost::of(self).is_worth_a_try() {
            self.reasons = Reasons::of_remarks(&self.func, remarks.clone());
        }
    }

    /// Returns the reasons of the plan, sorted. If it was made without remarks, the function is
    /// planned again for them, the first time only.
    pub(super) fn reasons(
        &self,
        options: &Options,
        planner: &mut Planner,
    ) -> Result<&[Edge], Error> {
        if let Some(edges) = self.reasons.0.get() {
            return Ok(edges);
        }
        let mut remarks = Remarks::with_edges(true);
        let mut snapshots = Snapshots::none();
        let blocks = planner.plan_blocks(&self.func, options, &mut remarks, &mut snapshots)?;
        planner.recycle(blocks);
        Ok(self.reasons.0.get_or_init(|| named(&self.func, remarks)))
    }
}

/// Returns the edges of a function that remarks name, sorted.
fn named(func: &Function, remarks: Remarks) -> Vec<Edge> {
    let remarks = remarks.finish();
    let named = remarks.iter().flat_map(|remark| remark.edges.iter());
    let exists = |&&(from, to): &&Edge| func.has_block(from) && func.has_block(to);
    let mut edges: Vec<Edge> = named.filter(exists).copied().collect();
    edges.sort_unstable();
    edges.dedup();
    // A remark may name an edge that a pass made, which the function does not have.
    let mut led_from: EntityVec<Block, PackedOption<Block>> = EntityVec::new(func.num_blocks());
    let mut last = None;
    edges.retain(|&(from, to)| {
        if last.replace(from) != Some(from) {
            func.successors(from)
                .for_each(|to| led_from[to] = from.into());
        }
        led_from[to] == from.into()
    });
    edges
}
