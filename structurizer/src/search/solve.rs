//! The search: a structured program of the least cost.
//!
//! Costs of a [`State`] are found by trying every choice within a bound, and kept: states are few,
//! since a choice fixes which nodes each part has. The bound starts at nothing and grows by what one
//! construct costs, so that only what is cheaper than the result is ever looked at.
//!
//! Where control may continue after a construct is a set of nodes. Those of the sequence are tried in
//! all combinations; of those outside it there are the ones that the construct cannot be left for
//! otherwise, since an exit that needs no test is never worse than one that does.
//!
//! Recurses over the parts of a program. A part has fewer nodes, decides between fewer, or costs more
//! than the sequence that it is of, so that the depth is bounded by the number of nodes and the
//! bound; [`MAX_DEPTH`] bounds it in any case.

use super::graph::{Set, nodes, subsets};
use super::state::{Choice, Context, Parts, State};
use crate::maps::FxHashMap;

/// The most parts around a part that is searched.
const MAX_DEPTH: usize = 64;

/// What is known of a state.
#[derive(Clone, Copy)]
struct Known {
    /// The least cost, if a program was found.
    best: Option<(u32, Choice)>,
    /// There is none that costs at most this, if none was found.
    bound: u32,
}

/// The best choice so far.
#[derive(Clone, Copy)]
struct Best {
    found: Option<(u32, Choice)>,
    /// What a better one may cost.
    limit: Option<u32>,
    /// What none is below.
    floor: u32,
}

impl Best {
    fn allows(&self, cost: u32) -> bool {
        self.limit.is_some_and(|limit| limit >= cost)
    }
}

/// The programs of a graph.
pub(super) struct Search<'a> {
    pub(super) cx: Context<'a>,
    known: FxHashMap<u128, Known>,
    /// The parts that are being searched.
    parts: Parts,
    depth: usize,
}

/// A budget: how many choices may be tried.
pub(super) struct Steps(pub(super) u64);

impl Steps {
    /// Takes one of the steps; returns whether some are left.
    pub(super) fn take(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(cx: Context<'a>) -> Self {
        Self {
            cx,
            known: FxHashMap::default(),
            parts: Parts::new(),
            depth: 0,
        }
    }

    /// Returns the choice that a state of the least cost begins with, once that was found.
    pub(super) fn choice(&self, mut state: State) -> Option<Choice> {
        state.normalize(self.cx.graph);
        self.known.get(&state.key())?.best.map(|(_, choice)| choice)
    }

    /// Returns the least cost of a state, if that is at most `bound`. What is found is not of the
    /// least cost once the steps are used up.
    pub(super) fn cost(&mut self, mut state: State, bound: u32, steps: &mut Steps) -> Option<u32> {
        state.normalize(self.cx.graph);
        let out = (self.cx.graph.succs_of(state.blocks) | state.entry) & !state.blocks;
        if out & !state.places() != 0 {
            return None;
        }
        let key = state.key();
        let mut floor = 0;
        match self.known.get(&key) {
            Some(Known {
                best: Some((cost, _)),
                ..
            }) => return (*cost <= bound).then_some(*cost),
            Some(known) if bound <= known.bound => return None,
            Some(known) => floor = known.bound + 1,
            None => {}
        }
        if self.depth >= MAX_DEPTH {
            steps.0 = 0;
            return None;
        }
        let mut best = Best {
            found: None,
            limit: Some(bound),
            floor,
        };
        self.depth += 1;
        self.try_all(state, &mut best, steps);
        self.depth -= 1;
        let known = Known {
            best: best.found,
            bound,
        };
        self.known.insert(key, known);
        best.found.map(|(cost, _)| cost)
    }

    /// Tries a choice.
    fn attempt(&mut self, state: State, choice: Choice, best: &mut Best, steps: &mut Steps) {
        let Some(most) = best.limit else {
            return;
        };
        if !steps.take() {
            best.limit = None;
            return;
        }
        let first = self.parts.len();
        if let Some(cost) = state.parts(self.cx, choice, &mut self.parts)
            && let Some(cost) = self.cost_of_parts(first, cost, most, steps)
        {
            best.found = Some((cost, choice));
            best.limit = cost.checked_sub(1).filter(|&limit| limit >= best.floor);
        }
        self.parts.truncate(first);
    }

    /// Returns the cost of a choice with its parts, if that is at most `most`.
    fn cost_of_parts(
        &mut self,
        first: usize,
        mut cost: u32,
        most: u32,
        steps: &mut Steps,
    ) -> Option<u32> {
        // The last parts are the smaller ones more often than not.
        for i in (first..self.parts.len()).rev() {
            let left = most.checked_sub(cost)?;
            cost += self.cost(self.parts[i], left, steps)?;
        }
        (cost <= most).then_some(cost)
    }

    fn try_all(&mut self, state: State, best: &mut Best, steps: &mut Steps) {
        if state.blocks == 0 {
            self.attempt(state, Choice::Leave, best, steps);
        }
        if state.entry & state.blocks == 0 && state.blocks != 0 {
            return;
        }
        let decision = state.decision(self.cx.graph);
        match decision.count_ones() {
            0 => self.attempt(state, Choice::End, best, steps),
            1 => self.attempt(state, Choice::Step, best, steps),
            _ => {
                self.attempt(state, Choice::Latch, best, steps);
                self.try_selections(state, decision, best, steps);
            }
        }
        if state.blocks != 0 {
            self.try_loops(state, best, steps);
            self.try_breakable(state, best, steps);
        }
    }

    /// Returns the sets of some nodes that may be where a construct merges: several if a test may be
    /// paid for in addition to some cost.
    fn merges(&self, best: &Best, cost: u32, inside: Set) -> impl Iterator<Item = Set> + use<> {
        let many = if best.allows(cost + self.cx.test) {
            inside
        } else {
            0
        };
        let one = nodes(inside).map(|node| 1 << node);
        let many = subsets(many).filter(|set| set.count_ones() > 1);
        core::iter::once(0).chain(one).chain(many)
    }

    fn try_selections(&mut self, state: State, decision: Set, best: &mut Best, steps: &mut Steps) {
        let cost = state.test_cost(self.cx);
        let ways = decision.count_ones();
        let is_switch = !state.is_test() && state.entry & self.cx.graph.switches != 0;
        for inside in self.merges(best, cost, state.rest()) {
            if !best.allows(cost) {
                return;
            }
            // A switch on the selector needs fewer blocks than comparisons.
            if ways > 2 || is_switch {
                self.try_switch(state, inside, best, steps);
            }
            if ways == 2 && !is_switch || state.is_test() {
                // Of the two arms one has the first node.
                let first = decision & decision.wrapping_neg();
                for other in subsets(decision & !first).skip(1) {
                    let arms = [decision & !other, other];
                    self.try_if(state, arms, inside, best, steps);
                }
            }
        }
    }

    fn try_if(
        &mut self,
        state: State,
        arms: [Set; 2],
        inside: Set,
        best: &mut Best,
        steps: &mut Steps,
    ) {
        let (regions, out) = state.arms(self.cx.graph, arms, inside);
        if inside & !out != 0 || regions[0] & regions[1] != 0 {
            if !steps.take() {
                best.limit = None;
            }
            return;
        }
        let entered = (arms[0] | arms[1]) & (regions[0] | regions[1]);
        let exits = state.breaks | state.continues | state.leaves | entered;
        let merge = inside | out & !inside & !exits;
        self.attempt(state, Choice::If { arms, merge }, best, steps);
        if inside == 0 && merge != state.next {
            let merge = state.next;
            self.attempt(state, Choice::If { arms, merge }, best, steps);
        }
    }

    fn try_switch(&mut self, state: State, inside: Set, best: &mut Best, steps: &mut Steps) {
        let Some(cases) = state.cases(self.cx, inside) else {
            if !steps.take() {
                best.limit = None;
            }
            return;
        };
        let merge = inside | cases.out & !inside & !cases.exits;
        self.attempt(state, Choice::Switch { merge }, best, steps);
        if inside == 0 {
            for merge in [state.next, state.leaves]
                .into_iter()
                .filter(|&m| m != merge)
            {
                self.attempt(state, Choice::Switch { merge }, best, steps);
            }
        }
    }

    fn try_breakable(&mut self, state: State, best: &mut Best, steps: &mut Steps) {
        let cost = self.cx.breakable_block;
        let inside = if state.is_test() {
            state.blocks
        } else {
            state.rest()
        };
        for inside in self.merges(best, cost, inside) {
            if !best.allows(cost) {
                return;
            }
            let (body, out, legal) = state.breakable(self.cx, inside);
            if inside & !out != 0 || body == 0 {
                continue;
            }
            let merge = inside | out & !inside & !legal;
            for merge in [merge, state.next] {
                // One with the merge block of that around it has no use.
                if merge != 0
                    && merge & inside == inside
                    && (merge != state.next || merge != state.leaves)
                {
                    self.attempt(state, Choice::Breakable { merge }, best, steps);
                }
            }
        }
    }

    fn try_loops(&mut self, state: State, best: &mut Best, steps: &mut Steps) {
        let graph = self.cx.graph;
        let cycles = graph.on_cycles(state.blocks);
        if cycles == 0 {
            return;
        }
        let pays_test = best.allows(self.cx.test);
        // A header of more nodes than the entry: some invocations come back to others. The entry of
        // the function runs first, not a test. Where each loop has one header, the program keeps it:
        // a dispatch would pass each iteration through a test.
        if graph.is_reducible && state.is_test() {
            return;
        }
        let extra = if pays_test && !graph.is_reducible && state.entry & 1 == 0 {
            cycles & !state.entry
        } else {
            0
        };
        for more in subsets(extra & !1) {
            let header = state.entry | more;
            let sources = nodes(state.blocks).filter(|&n| graph.succs(n) & header != 0);
            // Each of several loops with one header has a block of its own that continues.
            if sources.count() <= usize::from(state.loops) {
                continue;
            }
            let header_cost = u32::from(header.count_ones() > 1) * self.cx.test;
            for inside in self.merges(best, header_cost, state.blocks & !header) {
                if !steps.take() {
                    best.limit = None;
                    return;
                }
                let body = graph.reach(header, state.blocks & !inside);
                let merge = graph.succs_of(body) & !body;
                let places = [state.next, state.breaks, state.continues, state.leaves];
                let is_place = places.contains(&merge);
                // Of two loops with one header, what leaves the inner one continues the outer one.
                let after = graph.succs_of(state.blocks & !body) | merge;
                let is_idle = state.loops > 0 && after & state.continues == 0;
                let tests = u32::from(header.count_ones() > 1)
                    + u32::from(merge.count_ones() > 1 && !is_place && inside != 0);
                if inside & !merge != 0
                    || is_idle
                    || state.loops > 0 && merge == state.breaks
                    || !best.allows(tests * self.cx.test)
                    || !graph.keeps_iterations(header, body, state.loops > 0)
                {
                    continue;
                }
                self.try_continues(state, header, body, merge, tests, best, steps);
                if inside == 0 {
                    for place in places {
                        let is_new = place != merge && merge & !place == 0;
                        if is_new && !(state.loops > 0 && place == state.breaks) {
                            self.try_continues(state, header, body, place, tests, best, steps);
                        }
                    }
                }
            }
        }
    }

    /// Tries the continue targets of a loop: a back-edge block, none, any node, several.
    #[expect(clippy::too_many_arguments, reason = "the parts of a loop")]
    fn try_continues(
        &mut self,
        state: State,
        header: Set,
        body: Set,
        merge: Set,
        tests: u32,
        best: &mut Best,
        steps: &mut Steps,
    ) {
        let graph = self.cx.graph;
        let mut attempt = |this: &mut Self, continues: Set| {
            let choice = Choice::Loop {
                header,
                merge,
                continues,
            };
            this.attempt(state, choice, best, steps);
        };
        if !self.cx.continue_parts {
            return attempt(self, header);
        }
        let main = body & !header;
        let is_latch = |&node: &usize| graph.succs(node) & !(header | merge) == 0;
        let latches = nodes(main & graph.preds_of(header)).filter(is_latch);
        let latches = latches.fold(0, |all: Set, node| all | 1 << node);
        for node in nodes(latches) {
            attempt(self, 1 << node);
        }
        attempt(self, header);
        for node in nodes(main & !latches) {
            attempt(self, 1 << node);
        }
        let cost = (tests + 1) * self.cx.test;
        if best.allows(cost) {
            for continues in subsets(main | header) {
                if continues.count_ones() > 1 && continues & !header != 0 && best.allows(cost) {
                    let choice = Choice::Loop {
                        header,
                        merge,
                        continues,
                    };
                    self.attempt(state, choice, best, steps);
                }
            }
        }
    }
}
