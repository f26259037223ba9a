//! Construction: writes the blocks of a plan.
//!
//! Nothing is decided here: every fresh block, merge and edge is one of the plan's, and the
//! terminators follow from the edges. What the plan leaves open are conditions on selectors, phis
//! and values that do not dominate their uses any more: those are [`ssa`](crate::ssa)'s.

use alloc::vec::Vec;

use trellis_entity::SecondaryMap;

use crate::entity::EntityVec;
use crate::ir::{Block, Function, SelectionHint, Terminator};
use crate::maps::FxHashMap;
use crate::plan::blocks::{
    Blocks, Bypass, Ending, OutEdge, OutEdgeData, OutSwitchData, SelectorSwitch, Test,
};
use crate::result::{Error, Merge, Report};

/// The function as built, before phis and selectors are inserted.
pub(crate) struct Built {
    pub(crate) func: Function,
    pub(crate) order: Vec<Block>,
    pub(crate) merges: SecondaryMap<Block, Merge>,
    pub(crate) edges: EntityVec<OutEdge, OutEdgeData>,
    pub(crate) tests: Vec<Test>,
    pub(crate) selector_switches: Vec<SelectorSwitch>,
    /// See [`Blocks::bypassed`].
    pub(crate) bypassed: FxHashMap<Block, Bypass>,
    pub(crate) report: Report,
    /// Number of values of the input.
    pub(crate) input_values: usize,
    /// Number of blocks of the input.
    pub(crate) input_blocks: usize,
    /// True if definitions may no longer dominate their uses.
    pub(crate) needs_ssa_repair: bool,
    /// The most entries that the function may have.
    pub(crate) max_entries: usize,
}

impl Built {
    /// Returns an error if there is no room for so many more entries of the function.
    pub(crate) fn reserve(&self, entries: usize) -> Result<(), Error> {
        let limit = self.max_entries;
        if self.func.num_entries().saturating_add(entries) > limit {
            return Err(Error::ResultTooLarge { limit });
        }
        Ok(())
    }
}

/// Builds the function that a plan describes. Linear in the plan.
///
/// # Errors
/// [`Error::ResultTooLarge`] for a plan with too many blocks; [`Error::Internal`] for one that breaks
/// its rules, which would be a bug.
pub(crate) fn build(mut func: Function, plan: Blocks, max_entries: usize) -> Result<Built, Error> {
    let input_blocks = func.num_blocks();
    if func.num_entries() + plan.len() - input_blocks > max_entries {
        return Err(Error::ResultTooLarge { limit: max_entries });
    }
    let input_values = func.num_values();
    func.reserve_blocks(plan.len() - input_blocks);
    for _ in input_blocks..plan.len() {
        func.add_block();
    }
    if plan.any_breakable {
        // What a switch with a default case only switches on. It exists even if all of these
        // switches are removed, so that the numbers of later values do not depend on that.
        func.selector_constant(0);
    }
    let mut merges = SecondaryMap::with_capacity(plan.len());
    for &block in &plan.order {
        let planned = plan.blocks[block];
        if planned.merge != Merge::None {
            merges[block] = planned.merge;
        }
        if let Some(terminator) = terminator(&mut func, &plan, planned.ending)? {
            func.set_terminator(block, terminator);
        }
    }
    Ok(Built {
        func,
        order: plan.order,
        merges,
        edges: plan.edges,
        tests: plan.tests,
        selector_switches: plan.selector_switches,
        bypassed: plan.bypassed,
        report: plan.report,
        input_values,
        input_blocks,
        needs_ssa_repair: plan.needs_ssa_repair,
        max_entries,
    })
}

/// Returns the terminator of a planned block; none for one that keeps its own, or that is not known
/// before there are selectors.
fn terminator(
    func: &mut Function,
    plan: &Blocks,
    ending: Ending,
) -> Result<Option<Terminator>, Error> {
    Ok(Some(match ending {
        Ending::Unchanged | Ending::Test | Ending::SelectorSwitch => return Ok(None),
        Ending::CopyOf(block) => func.term(block),
        Ending::Unreachable => Terminator::Unreachable,
        Ending::Branch(edge) => Terminator::Branch(plan.target(edge)),
        Ending::Conditional {
            cond,
            then,
            otherwise,
        } => Terminator::CondBranch {
            cond,
            then: plan.target(then),
            else_: plan.target(otherwise),
            hint: SelectionHint::None,
        },
        Ending::Breakable(edge) => Terminator::Switch {
            value: func.selector_constant(0),
            default: plan.target(edge),
            cases: func.add_cases(&[]),
            hint: SelectionHint::None,
        },
        Ending::Switch(switch) => self::switch(func, plan, &plan.switches[switch])?,
    }))
}

/// Returns the terminator of a switch: its cases in the order of their targets' ranks.
fn switch(func: &mut Function, plan: &Blocks, switch: &OutSwitchData) -> Result<Terminator, Error> {
    let find = |target: Block| {
        let at = switch.targets.binary_search_by_key(&target, |t| t.original);
        let at = at.map_err(|_| Error::Internal {
            what: "a case without a target",
        })?;
        Ok::<_, Error>(switch.targets[at])
    };
    let mut list = Vec::with_capacity(switch.cases.len());
    for (i, case) in func.cases(switch.cases).iter().enumerate() {
        let target = find(case.target)?;
        list.push((target.rank, i, case.literal, plan.target(target.edge)));
    }
    list.sort_unstable_by_key(|c| (c.0, c.1));
    let default = plan.target(find(switch.default)?.edge);
    let list: Vec<(u64, Block)> = list.into_iter().map(|c| (c.2, c.3)).collect();
    Ok(Terminator::Switch {
        value: switch.value,
        default,
        cases: func.add_cases(&list),
        hint: switch.hint,
    })
}
