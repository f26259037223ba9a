//! The definition of "values of one variable are never live together", by sets and repetition.

use std::collections::{BTreeMap, BTreeSet};

use trellis_structurizer::Structured;
use trellis_structurizer::ir::{Block, InstKind, Terminator, Value, ValueKind};
use trellis_structurizer::text::print_structured;
use trellis_structurizer_analysis::Variables;

type Set = BTreeSet<Value>;

/// Values that the edge reads or passes on, which are live before its copies.
fn before_edge(structured: &Structured, from: Block, to: Block, live_in: &Set) -> Set {
    let func = &structured.func;
    let phis: Set = func.phis(to).collect();
    let mut live: Set = live_in.difference(&phis).copied().collect();
    for phi in phis.into_iter().filter(|phi| live_in.contains(phi)) {
        live.extend(
            func.phi_operands(phi)
                .filter(|o| o.pred == from)
                .map(|o| o.value),
        );
    }
    live
}

/// Returns the live values before each instruction of a block, from its end to its start, with the
/// values that the instruction writes. The first entry is the terminator, the last the phis.
fn block_points(structured: &Structured, block: Block, end: &Set) -> Vec<(Set, Set)> {
    let func = &structured.func;
    let mut live = end.clone();
    if let Some(value) = func.terminator(block).and_then(Terminator::value) {
        live.insert(value);
        if let ValueKind::Result { inst, .. } = func.value_kind(value)
            && let InstKind::SelectorTest { .. } = func.inst_kind(inst)
        {
            live.extend(func.uses(inst));
        }
    }
    let mut points = vec![(live.clone(), Set::new())];
    let insts: Vec<_> = func.insts(block).collect();
    for inst in insts.into_iter().rev() {
        let results: Set = func.results(inst).collect();
        let after = live.clone();
        live.retain(|value| !results.contains(value));
        live.extend(func.uses(inst));
        // The written values, and the values that are live after the edge.
        points.push((after, results));
    }
    points.push((live, func.phis(block).collect()));
    points
}

fn live_at_ends(structured: &Structured) -> BTreeMap<Block, Set> {
    let mut starts: BTreeMap<Block, Set> = BTreeMap::new();
    let mut ends: BTreeMap<Block, Set> = BTreeMap::new();
    loop {
        let mut changed = false;
        for &block in structured.order.iter().rev() {
            let mut end = Set::new();
            for to in structured.func.successors(block) {
                let live_in = starts.get(&to).cloned().unwrap_or_default();
                end.extend(before_edge(structured, block, to, &live_in));
            }
            let points = block_points(structured, block, &end);
            let start = points.last().unwrap().0.clone();
            changed |= starts.insert(block, start.clone()) != Some(start);
            ends.insert(block, end);
        }
        if !changed {
            return ends;
        }
    }
}

/// Fails if two values of a variable are live at one point, or a value is written to a variable
/// that holds another one that is live.
pub(crate) fn check(structured: &Structured, variables: &Variables) {
    let ends = live_at_ends(structured);
    for &block in &structured.order {
        for (live, written) in block_points(structured, block, &ends[&block]) {
            let mut holder = BTreeMap::new();
            let written = written.into_iter().filter(|&value| {
                // A phi that is not live has no copies.
                !matches!(structured.func.value_kind(value), ValueKind::Phi(_))
                    || live.contains(&value)
            });
            for value in live.iter().copied().chain(written) {
                let Some(variable) = variables.variable(value) else {
                    continue;
                };
                let other = *holder.entry(variable).or_insert(value);
                assert_eq!(
                    other,
                    value,
                    "both are {variable} in {block}\n{}",
                    print_structured(structured)
                );
            }
        }
    }
}
