//! Where values are live: from each use backwards to the definition.
//!
//! The [`Walk`] of each value gives a list of intervals, at most one per block. Only values that may share a variable are of interest: phis and operands of phis.
//!
//! Cost: linear in the uses and in the sizes of the lists. Lists are long if many values live
//! across many blocks, at worst the product of both. So all of them together have a limit,
//! [`LIMIT`] per block and value; values beyond it have no list, and keep separate variables.

use alloc::vec::Vec;

use trellis_entity::{Adjacency, PackedOption, PrimaryMap, entity_impl};
use trellis_structurizer::ir::{Block, Inst, Value, ValueKind};

use super::flow::Flow;
use crate::liveness::{AT_END, Walk};

/// The most intervals, per block and value of interest.
const LIMIT: usize = 128;

/// A value that may share a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Candidate(u32);
entity_impl!(Candidate, "c");

/// A position in the function: a block, and a position in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Point(u64);

/// Position of the phis of a block. Its instructions follow, two positions for each.
const PHIS: u32 = 0;
/// Position of the copies before a switch.
pub(super) const BEFORE_SWITCH: u32 = u32::MAX - 3;
/// Position of a terminator.
const TERMINATOR: u32 = u32::MAX - 2;

impl Point {
    pub(super) fn new(block: Block, position: u32) -> Self {
        Self(u64::from(block.as_u32()) << 32 | u64::from(position))
    }
}

/// A part of a block in which a value is live: after `start`, and up to and including `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) start: Point,
    pub(super) end: Point,
}

/// Where each candidate is live.
pub(super) struct Liveness {
    values: PrimaryMap<Candidate, Value>,
    candidates: PrimaryMap<Value, PackedOption<Candidate>>,
    used: PrimaryMap<Value, bool>,
    intervals: Adjacency<Candidate, Interval>,
    /// True for candidates beyond the limit.
    unknown: PrimaryMap<Candidate, bool>,
}

impl Liveness {
    pub(super) fn of(flow: &Flow<'_>) -> Self {
        Self::with_limit(flow, LIMIT)
    }

    fn with_limit(flow: &Flow<'_>, limit: usize) -> Self {
        let func = flow.func;
        let used = used_values(flow);
        let mut values: PrimaryMap<Candidate, Value> = PrimaryMap::default();
        let mut candidates: PrimaryMap<Value, PackedOption<Candidate>> =
            PrimaryMap::with_len(func.num_values());
        let mut add = |value: Value| {
            if candidates[value].is_none() {
                candidates[value] = values.push(value).into();
            }
        };
        for operand in flow.operands().filter(|o| used[o.phi]) {
            add(operand.phi);
            if let ValueKind::Phi(_) | ValueKind::Result { .. } = func.value_kind(operand.value) {
                add(operand.value);
            }
        }
        let mut liveness = Self {
            intervals: Adjacency::default(),
            unknown: PrimaryMap::with_len(values.len()),
            values,
            candidates,
            used,
        };
        liveness.walk(flow, limit);
        liveness
    }

    /// Returns the candidates that have intervals.
    pub(super) fn known(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.values.keys().filter(|&c| !self.unknown[c])
    }

    /// Returns the candidate of a value, unless it has no intervals.
    pub(super) fn candidate(&self, value: Value) -> Option<Candidate> {
        let candidate = self.candidates.get(value)?.expand()?;
        (!self.unknown[candidate]).then_some(candidate)
    }

    pub(super) fn value(&self, candidate: Candidate) -> Value {
        self.values[candidate]
    }

    /// Returns the number of candidates.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether a value is needed: something reads it other than phis that are not needed.
    pub(super) fn is_used(&self, value: Value) -> bool {
        self.used[value]
    }

    pub(super) fn intervals(&self, candidate: Candidate) -> &[Interval] {
        &self.intervals[candidate]
    }

    fn walk(&mut self, flow: &Flow<'_>, limit: usize) {
        let mut positions = PrimaryMap::with_len(flow.func.num_insts());
        for &block in &flow.order {
            for (index, inst) in flow.func.insts(block).enumerate() {
                positions[inst] = 2 * index as u32 + 2;
            }
        }
        let uses = self.uses(flow, &positions);
        let uses = Adjacency::group(self.len(), || uses.iter().copied());
        let mut left = limit.saturating_mul(flow.order.len() + self.len());
        let mut intervals = Adjacency::with_capacity(self.len(), self.len() * 2);
        let mut walk = Walk::new(flow.func.num_blocks());
        for candidate in self.values.keys() {
            let value = self.values[candidate];
            let definition = definition(flow, &positions, value);
            let at = definition.map(|d| d.0);
            let visited = walk.visit(&flow.preds, value, at, &uses[candidate], left);
            if visited >= left {
                self.unknown[candidate] = true;
            } else {
                for (block, end) in walk.reached() {
                    let start = definition.filter(|d| d.0 == block).map_or(PHIS, |d| d.1);
                    if start < end {
                        intervals.push(Interval {
                            start: Point::new(block, start),
                            end: Point::new(block, end),
                        });
                    }
                }
            }
            left -= visited;
            intervals.end_list();
        }
        self.intervals = intervals;
    }

    /// Returns the uses of the candidates.
    fn uses(
        &self,
        flow: &Flow<'_>,
        positions: &PrimaryMap<Inst, u32>,
    ) -> Vec<(Candidate, (Block, u32))> {
        let func = flow.func;
        let mut uses = Vec::new();
        let mut add = |value: Value, block: Block, position: u32| {
            if let Some(candidate) = self.candidates.get(value).and_then(|c| c.expand()) {
                uses.push((candidate, (block, position)));
            }
        };
        for &block in &flow.order {
            for inst in func.insts(block) {
                // Several results are written one after the other, maybe while operands are read.
                let late = u32::from(func.results(inst).len() > 1);
                for &value in func.uses(inst) {
                    add(value, block, positions[inst] + late);
                }
            }
            for value in flow.terminator_uses(block) {
                add(value, block, TERMINATOR);
            }
        }
        for operand in flow.operands().filter(|o| self.used[o.phi]) {
            let before_switch = flow.is_before_switch(operand.pred, operand.block);
            let position = if before_switch { BEFORE_SWITCH } else { AT_END };
            add(operand.value, operand.pred, position);
        }
        uses
    }
}

/// Returns where a value is defined.
fn definition(
    flow: &Flow<'_>,
    positions: &PrimaryMap<Inst, u32>,
    value: Value,
) -> Option<(Block, u32)> {
    match flow.func.value_kind(value) {
        ValueKind::Phi(block) => Some((block, PHIS)),
        ValueKind::Result { inst, .. } => Some((flow.func.inst_block(inst), positions[inst])),
        _ => None,
    }
}

/// Returns which values are needed: instructions and terminators read them, or phis that are
/// needed. Copies to other phis are never written.
fn used_values(flow: &Flow<'_>) -> PrimaryMap<Value, bool> {
    let func = flow.func;
    let mut used: PrimaryMap<Value, bool> = PrimaryMap::with_len(func.num_values());
    let mut work: Vec<Value> = Vec::new();
    let mut add = |value: Value, work: &mut Vec<Value>| {
        if func.has_value(value)
            && !core::mem::replace(&mut used[value], true)
            && let ValueKind::Phi(_) = func.value_kind(value)
        {
            work.push(value);
        }
    };
    for &block in &flow.order {
        let uses = func.insts(block).flat_map(|inst| func.uses(inst));
        for value in uses.copied().chain(flow.terminator_uses(block)) {
            add(value, &mut work);
        }
    }
    while let Some(phi) = work.pop() {
        for operand in func.phi_operands(phi) {
            add(operand.value, &mut work);
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use alloc::collections::{BTreeMap, BTreeSet};
    use alloc::vec::Vec;
    use std::path::Path;

    use trellis_structurizer::ir::{Block, Value, ValueKind};
    use trellis_structurizer::{Options, structurize, text};

    use super::{AT_END, Flow, Liveness, Point};

    /// The values that are live at the ends of blocks, by repetition until nothing changes. The
    /// copies before a switch are in the switch's block.
    fn slow(flow: &Flow<'_>, liveness: &Liveness) -> BTreeMap<Block, BTreeSet<Value>> {
        let func = flow.func;
        let mut starts: BTreeMap<Block, BTreeSet<Value>> = BTreeMap::new();
        let mut ends: BTreeMap<Block, BTreeSet<Value>> = BTreeMap::new();
        loop {
            let before = ends.clone();
            for &block in &flow.order {
                let mut end = BTreeSet::new();
                for to in func.successors(block) {
                    end.extend(starts.get(&to).into_iter().flatten().copied());
                }
                let operands = flow.operands().filter(|o| liveness.is_used(o.phi));
                let (late, at_end): (Vec<_>, Vec<_>) = operands
                    .filter(|o| o.pred == block)
                    .partition(|o| flow.is_before_switch(block, o.block));
                end.extend(at_end.iter().map(|o| o.value));
                let mut start = end.clone();
                start.extend(late.iter().map(|o| o.value));
                start.extend(flow.terminator_uses(block));
                start.extend(func.insts(block).flat_map(|inst| func.uses(inst)));
                start.retain(|&value| match func.value_kind(value) {
                    ValueKind::Phi(at) => at != block,
                    ValueKind::Result { inst, .. } => func.inst_block(inst) != block,
                    _ => false,
                });
                starts.insert(block, start);
                ends.insert(block, end);
            }
            if ends == before {
                return ends;
            }
        }
    }

    fn check(input: &str) -> usize {
        let func = text::parse(input).unwrap();
        let structured = structurize(func, &Options::default()).unwrap();
        let flow = Flow::of(&structured);
        let liveness = Liveness::of(&flow);
        let ends = slow(&flow, &liveness);
        for candidate in liveness.known() {
            let value = liveness.value(candidate);
            for &block in &flow.order {
                let end = Point::new(block, AT_END);
                let found = liveness.intervals(candidate).iter().any(|i| i.end == end);
                assert_eq!(
                    found,
                    ends[&block].contains(&value),
                    "{value} in {block}\n{input}"
                );
            }
        }
        liveness.len()
    }

    #[test]
    fn the_same_as_by_repetition() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../structurizer/tests/filetests");
        let mut candidates = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "cfg") {
                let text = std::fs::read_to_string(&path).unwrap();
                candidates += check(text.split("---").next().unwrap_or_default());
            }
        }
        assert!(candidates > 100, "{candidates}");
    }

    #[test]
    fn values_beyond_the_limit_have_no_intervals() {
        let func = text::parse(
            "%k = const 0 : 1\na:\n br h\nh:\n %x = phi : 1 [a %k] [l %y]\n %c:1 = op 1 %x\n \
             if %c l e\nl:\n %y:1 = op 2 %x\n br h\ne:\n ret %x",
        )
        .unwrap();
        let structured = structurize(func, &Options::default()).unwrap();
        let flow = Flow::of(&structured);
        let known = |limit| Liveness::with_limit(&flow, limit).known().count();
        assert_eq!((known(0), known(128)), (0, 2));
    }
}
