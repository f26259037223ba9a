//! Which values share a variable.
//!
//! Each phi is a class at first; then the class of each operand joins it if no two of their
//! intervals overlap, those in the innermost loops first (the "aggressive coalescing" of Boissinot
//! et al., 2009, on intervals rather than on the dominator tree). A copy before a switch is an
//! interval, too, since it is written although control may not reach the phi. The one value that
//! may be live there is the source of the copy, which the variable then already has.
//!
//! Cost: an attempt looks up each interval of the smaller class in the larger one, and stops at the
//! first overlap; an interval moves to a larger class at most `log I` times. So classes that grow
//! take `O(I log² I)` for I intervals. Attempts that fail late may add their smaller class each
//! time; on all families of graphs of the test kit, the time per block does not grow.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use trellis_entity::PrimaryMap;
use trellis_structurizer::ir::{Value, ValueKind};

use super::flow::{EdgeOperand, Flow};
use super::liveness::{BEFORE_SWITCH, Candidate, Liveness, Point};

/// The intervals of a class by start: their ends, and the value that the variable has in them.
type Intervals = BTreeMap<Point, (Point, Value)>;

/// Candidates in classes.
pub(super) struct Classes {
    parent: PrimaryMap<Candidate, Candidate>,
    intervals: PrimaryMap<Candidate, Intervals>,
}

impl Classes {
    pub(super) fn of(flow: &Flow<'_>, liveness: &Liveness) -> Self {
        let mut classes = Self {
            parent: PrimaryMap::from_fn(liveness.len(), |candidate| candidate),
            intervals: PrimaryMap::with_len(liveness.len()),
        };
        for candidate in liveness.known() {
            let value = liveness.value(candidate);
            let intervals = liveness.intervals(candidate).iter();
            classes.intervals[candidate] = intervals.map(|i| (i.start, (i.end, value))).collect();
        }
        let mut pairs: Vec<(Reverse<u32>, Candidate, Candidate)> = Vec::new();
        for operand in flow.operands() {
            let Some(phi) = liveness.candidate(operand.phi) else {
                continue;
            };
            classes.add_copy(flow, phi, operand);
            if let Some(value) = liveness.candidate(operand.value)
                && flow.func.value_type(operand.phi) == flow.func.value_type(operand.value)
            {
                pairs.push((Reverse(flow.depth(operand.pred)), phi, value));
            }
        }
        // Stable: of one depth in the order of the blocks.
        pairs.sort_by_key(|pair| pair.0);
        for (_, phi, value) in pairs {
            classes.join(phi, value);
        }
        classes
    }

    /// Returns the candidate that represents a class.
    pub(super) fn find(&mut self, mut candidate: Candidate) -> Candidate {
        while self.parent[candidate] != candidate {
            let up = self.parent[self.parent[candidate]];
            self.parent[candidate] = up;
            candidate = up;
        }
        candidate
    }

    /// Adds the interval of a copy before a switch.
    fn add_copy(&mut self, flow: &Flow<'_>, phi: Candidate, operand: EdgeOperand) {
        let is_copy = flow.func.value_kind(operand.value) != ValueKind::Undef
            && flow.is_before_switch(operand.pred, operand.block);
        if is_copy {
            let start = Point::new(operand.pred, BEFORE_SWITCH);
            let end = Point::new(operand.pred, BEFORE_SWITCH + 1);
            self.intervals[phi].insert(start, (end, operand.value));
        }
    }

    /// Joins two classes if they do not interfere.
    fn join(&mut self, a: Candidate, b: Candidate) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (small, large) = if self.intervals[a].len() < self.intervals[b].len() {
            (a, b)
        } else {
            (b, a)
        };
        let own = &self.intervals[small];
        if own.iter().any(|(&start, &(end, value))| {
            overlapping(&self.intervals[large], start, end).any(|other| other.1.1 != value)
        }) {
            return;
        }
        let own = core::mem::take(&mut self.intervals[small]);
        let all = &mut self.intervals[large];
        for (start, (end, value)) in own {
            // Of one value: copies, and perhaps the interval around them.
            let others: Vec<(Point, Point)> = overlapping(all, start, end)
                .map(|(&start, &(end, _))| (start, end))
                .collect();
            if !others.iter().any(|o| o.0 <= start && end <= o.1) {
                for other in others {
                    all.remove(&other.0);
                }
                all.insert(start, (end, value));
            }
        }
        self.parent[small] = large;
    }
}

/// Returns the intervals that overlap with one. Those of a class are disjoint.
fn overlapping(
    intervals: &Intervals,
    start: Point,
    end: Point,
) -> impl Iterator<Item = (&Point, &(Point, Value))> {
    let before = intervals.range(..end).rev();
    before.take_while(move |(_, (other, _))| *other > start)
}
