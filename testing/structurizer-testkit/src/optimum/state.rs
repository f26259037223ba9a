//! Part of a structured program that is searched for, and the ways to begin it.
//!
//! A [`State`] is a sequence of statements to be made of some nodes: where it begins, and where
//! control may leave it for. These are the rules of SPIR-V (1.6, section 2.11) about exits: to what
//! follows only from the end of the sequence, since an arm may leave to its own selection's merge
//! block alone; to the merge block of the innermost switch or breakable block from any depth of
//! selections, not through a loop; to the merge block and the continue target of the innermost loop
//! from any depth of selections and switches. Blocks without instructions are free: a merge block may
//! be one that leaves the construct around.
//!
//! Each of these places is a set of nodes. Where it has several, invocations carry a selector there,
//! and a test sends them on.

use super::graph::{Digraph, Set, nodes};

/// Cost of a test: a comparison, a branch and a phi of the selector (see `CostWeights` of the
/// structurizer).
pub const TEST: u32 = 12;
/// Cost of a breakable block.
pub const BREAKABLE_BLOCK: u32 = 12;

/// A sequence to be made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct State {
    /// The nodes of the sequence.
    pub(super) blocks: Set,
    /// Where it begins: a node, or several that a test decides between.
    pub(super) entry: Set,
    /// What follows the sequence.
    pub(super) next: Set,
    /// The merge block of the innermost loop.
    pub(super) breaks: Set,
    /// The continue target of the innermost loop.
    pub(super) continues: Set,
    /// The merge block of the innermost switch or breakable block inside that loop.
    pub(super) leaves: Set,
    /// At the end of a continue construct: the loop's merge block, which the back-edge block may
    /// branch to.
    pub(super) latch: Set,
    /// True in a continue construct, where no invocation may end.
    pub(super) must_continue: bool,
    /// True if a test that led here has decided between the nodes of the entry.
    pub(super) is_decided: bool,
    /// Number of loops that begin at the entry and are around the sequence.
    pub(super) loops: u8,
}

/// The ways to begin a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// It has no nodes, and leaves to one of its places.
    Leave,
    /// Its entry ends the invocation.
    End,
    /// Its entry has one successor, which is next.
    Step,
    /// Its entry is the back-edge block, and may break.
    Latch,
    /// Its entry, or a test, decides between the nodes of two sets.
    If { arms: [Set; 2], merge: Set },
    /// Its entry, or a test, is a switch with a case for each target.
    Switch { merge: Set },
    /// A breakable block.
    Breakable { merge: Set },
    /// A loop. What continues first passes a continue construct, unless that is the header.
    Loop {
        header: Set,
        merge: Set,
        continues: Set,
    },
}

/// The most parts of a sequence: the cases of a switch and what follows it.
const MAX_PARTS: usize = 13;

/// What a choice costs by itself, and the sequences that it leaves to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) cost: u32,
    states: [State; MAX_PARTS],
    len: usize,
}

impl Parts {
    fn new(cost: u32) -> Self {
        Self {
            cost,
            states: [State::default(); MAX_PARTS],
            len: 0,
        }
    }
    fn push(&mut self, state: State) -> Option<()> {
        *self.states.get_mut(self.len)? = state;
        self.len += 1;
        Some(())
    }
    pub(super) fn states(&self) -> &[State] {
        &self.states[..self.len]
    }
}

impl State {
    /// Returns all nodes that control may leave the sequence for.
    pub(super) fn places(&self) -> Set {
        self.next | self.breaks | self.continues | self.leaves | self.latch
    }

    /// Returns whether the sequence begins with a test.
    pub(super) fn is_test(&self) -> bool {
        self.entry.count_ones() > 1
    }

    /// Returns what a test at the start costs.
    pub(super) fn test_cost(&self) -> u32 {
        if self.is_test() && !self.is_decided {
            TEST
        } else {
            0
        }
    }

    /// Removes what makes no difference: places that no edge leads to.
    pub(super) fn normalize(&mut self, graph: &Digraph) {
        let wanted = graph.succs_of(self.blocks) | self.entry;
        self.next &= wanted;
        self.breaks &= wanted;
        self.continues &= wanted;
        self.leaves &= wanted;
        self.latch &= wanted;
        self.is_decided &= self.is_test();
    }

    /// Returns the nodes that the first branch decides between; for a test, those of the entry.
    pub(super) fn decision(&self, graph: &Digraph) -> Set {
        if self.is_test() {
            self.entry
        } else {
            graph.succs_of(self.entry)
        }
    }

    /// Returns the nodes after the entry, if that is one node.
    pub(super) fn rest(&self) -> Set {
        if self.is_test() {
            self.blocks
        } else {
            self.blocks & !self.entry
        }
    }

    /// Returns the nodes that only a loop's header, which is a test, leads to.
    fn barrier(&self) -> Set {
        self.blocks & self.places()
    }

    /// Returns whether the sequence is a place to leave to.
    pub(super) fn leaves_at_once(&self) -> bool {
        let is_in = |place: Set| self.entry & !place == 0;
        self.blocks == 0
            && self.entry != 0
            && (is_in(self.next)
                || is_in(self.breaks)
                || is_in(self.continues)
                || is_in(self.leaves))
    }

    /// Returns what is left to be made after a choice; none if it is impossible. A choice that makes
    /// an edge impossible need not be: there is no way to make its parts then.
    pub(super) fn parts(&self, graph: &Digraph, choice: Choice) -> Option<Parts> {
        match choice {
            Choice::Leave => self.leaves_at_once().then_some(Parts::new(0)),
            Choice::End => {
                let is_end = self.decision(graph) == 0 && !self.is_test();
                (is_end && !self.must_continue && self.rest() == 0).then_some(Parts::new(0))
            }
            Choice::Step => {
                let mut parts = Parts::new(0);
                parts.push(State {
                    blocks: self.rest(),
                    entry: self.decision(graph),
                    loops: 0,
                    ..*self
                })?;
                Some(parts)
            }
            Choice::Latch => {
                let decision = self.decision(graph);
                let is_latch = self.rest() == 0
                    && decision & self.next != 0
                    && decision & self.latch & !self.next != 0
                    && decision & !(self.next | self.latch) == 0
                    && (self.is_test() || decision.count_ones() == 2);
                is_latch.then_some(Parts::new(self.test_cost()))
            }
            Choice::If { arms, merge } => self.if_parts(graph, arms, merge),
            Choice::Switch { merge } => self.switch_parts(graph, merge),
            Choice::Breakable { merge } => self.breakable_parts(graph, merge),
            Choice::Loop {
                header,
                merge,
                continues,
            } => self.loop_parts(graph, header, merge, continues),
        }
    }

    /// Adds what follows a construct with a merge block. `used` are the nodes that control leaves the
    /// construct for.
    fn push_merge(&self, parts: &mut Parts, left: Set, merge: Set, used: Set) -> Option<()> {
        // Nothing arrives there.
        if left == 0 && merge == 0 {
            return Some(());
        }
        // A place of this sequence, to which an empty merge block leaves.
        let is_place = merge == self.next
            || merge == self.breaks
            || merge == self.continues
            || merge == self.leaves;
        if left == 0 && is_place {
            return Some(());
        }
        // A node that nothing leaves for would be tested in vain.
        if merge & !used != 0 {
            return None;
        }
        parts.push(State {
            blocks: left,
            entry: merge,
            is_decided: false,
            loops: 0,
            ..*self
        })
    }

    fn if_parts(&self, graph: &Digraph, arms: [Set; 2], merge: Set) -> Option<Parts> {
        let mut parts = Parts::new(self.test_cost());
        let (rest, barrier) = (self.rest(), self.barrier());
        let inside = rest & !merge;
        let region = |arm: Set| graph.reach(arm & inside, inside & (!barrier | arm));
        let regions = arms.map(region);
        let body = regions[0] | regions[1];
        let out = (graph.succs_of(body) | arms[0] | arms[1]) & !(body & !barrier);
        let entered = (arms[0] | arms[1]) & body;
        let legal = merge | self.breaks | self.continues | self.leaves;
        if regions[0] & regions[1] != 0 || out & !(legal | entered) != 0 {
            return None;
        }
        for (arm, region) in arms.into_iter().zip(regions) {
            parts.push(State {
                blocks: region,
                entry: arm,
                next: merge,
                latch: 0,
                is_decided: self.is_test(),
                loops: 0,
                ..*self
            })?;
        }
        self.push_merge(&mut parts, rest & !body, merge, out)?;
        Some(parts)
    }

    fn switch_parts(&self, graph: &Digraph, merge: Set) -> Option<Parts> {
        let mut parts = Parts::new(self.test_cost());
        let targets = self.decision(graph);
        let (rest, barrier) = (self.rest(), self.barrier());
        let cases = targets & rest & !merge;
        let inside = rest & !merge & !cases & !barrier;
        let mut body = 0;
        let mut out = targets & !cases;
        let mut fallen_into = 0;
        let mut falls = [0; 16];
        for case in nodes(cases) {
            let region = graph.reach(1 << case, inside | 1 << case);
            if region & body != 0 {
                return None;
            }
            let away = graph.succs_of(region) & !(region & !barrier);
            // The next case, unless control may continue there instead.
            let next = away & cases & !(self.breaks | self.continues);
            if next.count_ones() > 1 || next & fallen_into != 0 {
                return None;
            }
            fallen_into |= next;
            falls[case] = next;
            body |= region;
            out |= away & !next;
            parts.push(State {
                blocks: region,
                entry: 1 << case,
                next: if next == 0 { merge } else { next },
                leaves: merge,
                latch: 0,
                is_decided: false,
                loops: 0,
                ..*self
            })?;
        }
        if out & !(merge | self.breaks | self.continues) != 0 || has_cycle(&falls, cases) {
            return None;
        }
        self.push_merge(&mut parts, rest & !body, merge, out)?;
        Some(parts)
    }

    fn breakable_parts(&self, graph: &Digraph, merge: Set) -> Option<Parts> {
        let mut parts = Parts::new(BREAKABLE_BLOCK);
        let inside = self.blocks & !merge;
        let body = graph.reach(self.entry & inside, inside);
        let out = (graph.succs_of(body) | self.entry) & (!body | self.barrier());
        let legal = merge | self.breaks | self.continues | self.entry & body;
        if body == 0 || out & !legal != 0 {
            return None;
        }
        parts.push(State {
            blocks: body,
            next: merge,
            leaves: merge,
            latch: 0,
            ..*self
        })?;
        self.push_merge(&mut parts, self.blocks & !body, merge, out)?;
        Some(parts)
    }

    fn loop_parts(
        &self,
        graph: &Digraph,
        header: Set,
        merge: Set,
        continues: Set,
    ) -> Option<Parts> {
        let mut parts = Parts::new(0);
        let inside = self.blocks & !merge;
        let body = graph.reach(header & inside, inside);
        let out = graph.succs_of(body) & !body;
        // A header's test would send a node that is outside back to itself.
        if header & !body != 0 || out & !merge != 0 || graph.succs_of(body) & header == 0 {
            return None;
        }
        let main = if continues == header {
            body
        } else {
            graph.reach(header & body, body & (!continues | header))
        };
        let latch = body & !main;
        let leads = |from: Set, to: Set| graph.succs_of(from) & !from & !to == 0;
        let returns = header.count_ones() == 1 && graph.succs_of(main) & header & !continues != 0;
        if continues != header
            && (returns
                || continues & !(latch | header) != 0
                || latch & !graph.reach(continues & latch, latch) != 0
                || !leads(main, continues | merge)
                || !leads(latch, header | merge))
        {
            return None;
        }
        parts.push(State {
            blocks: main,
            entry: header,
            next: continues,
            breaks: merge,
            continues,
            leaves: 0,
            latch: 0,
            must_continue: self.must_continue,
            is_decided: false,
            loops: self.loops + 1,
        })?;
        if continues != header {
            parts.push(State {
                blocks: latch,
                entry: continues,
                next: header,
                breaks: 0,
                continues: 0,
                leaves: 0,
                latch: merge,
                must_continue: true,
                is_decided: false,
                loops: 0,
            })?;
        }
        self.push_merge(&mut parts, self.blocks & !body, merge, out)?;
        Some(parts)
    }
}

/// Returns whether cases fall through to one another in a circle.
fn has_cycle(falls: &[Set; 16], cases: Set) -> bool {
    nodes(cases).any(|first| {
        let mut at = falls[first];
        for _ in 0..16 {
            if at == 0 {
                return false;
            }
            at = falls[at.trailing_zeros() as usize];
        }
        true
    })
}
