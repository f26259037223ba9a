//! Part of a structured program that is searched for, and the ways to begin it.
//!
//! A [`State`] is a sequence of statements to be made of some nodes: where it begins, and where
//! control may leave it for. The rules are those of the target on exits (for SPIR-V 1.6, section
//! 2.11): to what follows only from the end of the sequence; to the merge block of the innermost
//! switch or breakable block from any depth of selections, not through a loop; to the merge block
//! and the continue target of the innermost loop from any depth of selections and switches. Each of
//! these places is a set of nodes: where it has several, invocations carry a selector there, and a
//! test sends them on.

use alloc::vec::Vec;

use super::graph::{Digraph, MAX_NODES, Set, nodes};
use crate::Options;

/// What does not change during a search.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) graph: &'a Digraph,
    /// Cost of a test, and of a breakable block; neither is free.
    pub(super) test: u32,
    pub(super) breakable_block: u32,
    /// Whether a `break` of a loop may leave switches.
    pub(super) break_leaves_switches: bool,
    pub(super) fall_through: bool,
    pub(super) continue_parts: bool,
    /// How many switches a `continue` may leave.
    pub(super) max_switches: u8,
}

impl<'a> Context<'a> {
    pub(super) fn new(graph: &'a Digraph, options: &Options) -> Self {
        let target = options.target;
        Self {
            graph,
            test: options.weights.test.max(1),
            breakable_block: options.weights.breakable_block.max(1),
            break_leaves_switches: target.break_leaves_switches,
            fall_through: target.fall_through,
            continue_parts: target.continue_parts,
            max_switches: options.max_continue_switches.min(u32::from(NO_LIMIT)) as u8,
        }
    }
}

/// No limit of the number of switches that a `continue` leaves.
const NO_LIMIT: u8 = 15;

/// A sequence to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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
    /// Number of switches around the sequence inside the innermost loop, if that is limited.
    pub(super) switches: u8,
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

/// The sequences that a choice leaves to be made.
pub(super) type Parts = Vec<State>;

impl State {
    /// Returns the state as a number.
    pub(super) fn key(&self) -> u128 {
        let sets = [
            self.blocks,
            self.entry,
            self.next,
            self.breaks,
            self.continues,
            self.leaves,
            self.latch,
        ];
        let flags = u16::from(self.must_continue)
            | u16::from(self.is_decided) << 1
            | u16::from(self.loops) << 2
            | u16::from(self.switches) << 8;
        sets.iter()
            .fold(u128::from(flags), |key, &set| key << 16 | u128::from(set))
    }

    /// Returns all nodes that control may leave the sequence for.
    pub(super) fn places(&self) -> Set {
        self.next | self.breaks | self.continues | self.leaves | self.latch
    }

    /// Returns whether the sequence begins with a test.
    pub(super) fn is_test(&self) -> bool {
        self.entry.count_ones() > 1
    }

    /// Returns what a test at the start costs.
    pub(super) fn test_cost(&self, cx: Context<'_>) -> u32 {
        if self.is_test() && !self.is_decided {
            cx.test
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
        if self.continues == 0 {
            self.switches = 0;
        }
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
    pub(super) fn barrier(&self) -> Set {
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

    /// Returns the state inside a switch.
    fn in_switch(&self, cx: Context<'_>) -> Self {
        let mut inside = *self;
        if cx.max_switches < NO_LIMIT {
            inside.switches += 1;
            if inside.switches > cx.max_switches {
                inside.continues = 0;
            }
        }
        if !cx.break_leaves_switches {
            inside.breaks = 0;
        }
        inside
    }

    /// Returns what a choice costs by itself, and adds what is left to be made after it; none if it is
    /// impossible. A choice that makes an edge impossible need not be: there is no way to make its
    /// parts then.
    pub(super) fn parts(&self, cx: Context<'_>, choice: Choice, parts: &mut Parts) -> Option<u32> {
        let graph = cx.graph;
        match choice {
            Choice::Leave => self.leaves_at_once().then_some(0),
            Choice::End => {
                let is_end = self.decision(graph) == 0 && !self.is_test();
                (is_end && !self.must_continue && self.rest() == 0).then_some(0)
            }
            Choice::Step => {
                parts.push(Self {
                    blocks: self.rest(),
                    entry: self.decision(graph),
                    loops: 0,
                    ..*self
                });
                Some(0)
            }
            Choice::Latch => {
                let decision = self.decision(graph);
                let is_latch = self.rest() == 0
                    && decision & self.next != 0
                    && decision & self.latch & !self.next != 0
                    && decision & !(self.next | self.latch) == 0
                    && (self.is_test() || decision.count_ones() == 2)
                    && (self.is_test() || self.entry & graph.switches == 0);
                is_latch.then_some(self.test_cost(cx))
            }
            Choice::If { arms, merge } => self.if_parts(cx, arms, merge, parts),
            Choice::Switch { merge } => self.switch_parts(cx, merge, parts),
            Choice::Breakable { merge } => self.breakable_parts(cx, merge, parts),
            Choice::Loop {
                header,
                merge,
                continues,
            } => self.loop_parts(cx, header, merge, continues, parts),
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
        parts.push(Self {
            blocks: left,
            entry: merge,
            is_decided: false,
            loops: 0,
            ..*self
        });
        Some(())
    }

    /// Returns the regions of the arms of a branch, and the nodes that control leaves them for.
    pub(super) fn arms(&self, graph: &Digraph, arms: [Set; 2], merge: Set) -> ([Set; 2], Set) {
        let barrier = self.barrier();
        let inside = self.rest() & !merge;
        let region = |arm: Set| graph.reach(arm & inside, inside & (!barrier | arm));
        let regions = arms.map(region);
        let body = regions[0] | regions[1];
        let out = (graph.succs_of(body) | arms[0] | arms[1]) & !(body & !barrier);
        (regions, out)
    }

    fn if_parts(
        &self,
        cx: Context<'_>,
        arms: [Set; 2],
        merge: Set,
        parts: &mut Parts,
    ) -> Option<u32> {
        let (regions, out) = self.arms(cx.graph, arms, merge);
        let body = regions[0] | regions[1];
        let entered = (arms[0] | arms[1]) & body;
        let legal = merge | self.breaks | self.continues | self.leaves;
        if regions[0] & regions[1] != 0 || out & !(legal | entered) != 0 {
            return None;
        }
        for (arm, region) in arms.into_iter().zip(regions) {
            parts.push(Self {
                blocks: region,
                entry: arm,
                next: merge,
                latch: 0,
                is_decided: self.is_test(),
                loops: 0,
                ..*self
            });
        }
        self.push_merge(parts, self.rest() & !body, merge, out)?;
        Some(self.test_cost(cx))
    }

    /// Returns the cases of a switch with some merge; none if it cannot be one.
    pub(super) fn cases(&self, cx: Context<'_>, merge: Set) -> Option<Cases> {
        let graph = cx.graph;
        let targets = self.decision(graph);
        let (rest, barrier) = (self.rest(), self.barrier());
        let own = self.in_switch(cx);
        let nodes_of = targets & rest & !merge;
        let inside = rest & !merge & !nodes_of & !barrier;
        let mut cases = Cases {
            nodes: nodes_of,
            regions: [0; MAX_NODES],
            falls: [0; MAX_NODES],
            body: 0,
            out: targets & !nodes_of,
            exits: own.breaks | own.continues,
        };
        let mut fallen_into = 0;
        for case in nodes(nodes_of) {
            let region = graph.reach(1 << case, inside | 1 << case);
            if region & cases.body != 0 {
                return None;
            }
            let away = graph.succs_of(region) & !(region & !barrier);
            // The next case, unless control may continue there instead.
            let next = away & nodes_of & !cases.exits;
            if next.count_ones() > 1 || next & fallen_into != 0 || next != 0 && !cx.fall_through {
                return None;
            }
            fallen_into |= next;
            cases.falls[case] = next;
            cases.regions[case] = region;
            cases.body |= region;
            cases.out |= away & !next;
        }
        (!cases.fall_in_a_circle()).then_some(cases)
    }

    fn switch_parts(&self, cx: Context<'_>, merge: Set, parts: &mut Parts) -> Option<u32> {
        let cases = self.cases(cx, merge)?;
        if cases.out & !(merge | cases.exits) != 0 {
            return None;
        }
        for case in nodes(cases.nodes) {
            let next = cases.falls[case];
            parts.push(Self {
                blocks: cases.regions[case],
                entry: 1 << case,
                next: if next == 0 { merge } else { next },
                leaves: merge,
                latch: 0,
                is_decided: false,
                loops: 0,
                ..self.in_switch(cx)
            });
        }
        self.push_merge(parts, self.rest() & !cases.body, merge, cases.out)?;
        Some(self.test_cost(cx))
    }

    /// Returns the nodes of a breakable block, those that control leaves it for, and those of these
    /// that need not be where it merges.
    pub(super) fn breakable(&self, cx: Context<'_>, merge: Set) -> (Set, Set, Set) {
        let graph = cx.graph;
        let own = self.in_switch(cx);
        let inside = self.blocks & !merge;
        let body = graph.reach(self.entry & inside, inside);
        let out = (graph.succs_of(body) | self.entry) & (!body | self.barrier());
        (body, out, own.breaks | own.continues | self.entry & body)
    }

    fn breakable_parts(&self, cx: Context<'_>, merge: Set, parts: &mut Parts) -> Option<u32> {
        let (body, out, legal) = self.breakable(cx, merge);
        if body == 0 || out & !(merge | legal) != 0 {
            return None;
        }
        parts.push(Self {
            blocks: body,
            next: merge,
            leaves: merge,
            latch: 0,
            ..self.in_switch(cx)
        });
        self.push_merge(parts, self.blocks & !body, merge, out)?;
        Some(cx.breakable_block)
    }

    fn loop_parts(
        &self,
        cx: Context<'_>,
        header: Set,
        merge: Set,
        continues: Set,
        parts: &mut Parts,
    ) -> Option<u32> {
        let graph = cx.graph;
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
                || latch & !graph.leads_to(header, latch) != 0
                || !leads(main, continues | merge)
                || !leads(latch, header | merge))
        {
            return None;
        }
        parts.push(Self {
            blocks: main,
            entry: header,
            next: continues,
            breaks: merge,
            continues,
            must_continue: self.must_continue,
            loops: self.loops + 1,
            ..Self::default()
        });
        if continues != header {
            parts.push(Self {
                blocks: latch,
                entry: continues,
                next: header,
                latch: merge,
                must_continue: true,
                ..Self::default()
            });
        }
        self.push_merge(parts, self.blocks & !body, merge, out)?;
        Some(0)
    }
}

/// The cases of a switch.
#[derive(Clone, Copy)]
pub(super) struct Cases {
    /// The first node of each.
    pub(super) nodes: Set,
    /// The nodes of each, by the first one.
    regions: [Set; MAX_NODES],
    /// The case that each falls through to, by the first node.
    pub(super) falls: [Set; MAX_NODES],
    body: Set,
    /// The nodes that control leaves the switch for.
    pub(super) out: Set,
    /// Those that it may leave for other than by the merge block.
    pub(super) exits: Set,
}

impl Cases {
    fn fall_in_a_circle(&self) -> bool {
        nodes(self.nodes).any(|first| {
            let mut at = self.falls[first];
            for _ in 0..MAX_NODES {
                if at == 0 {
                    return false;
                }
                at = self.falls[at.trailing_zeros() as usize];
            }
            true
        })
    }
}
