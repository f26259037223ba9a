//! The search: the least cost of a structured program that has a graph.
//!
//! Costs of a [`State`] are found by trying every choice within a bound, and kept: states are few,
//! since a choice fixes which nodes each part has.

use rustc_hash::FxHashMap;

use super::graph::{Digraph, Set, nodes, subsets};
use super::joins::variants;
use super::state::{BREAKABLE_BLOCK, Choice, State, TEST};

/// The result of a search that found something.
#[derive(Clone, Debug)]
pub struct Found {
    /// The least cost.
    pub cost: u32,
    /// The program, as pseudo-code.
    pub program: String,
}

/// Returns the least cost of a structured program with this graph, if that is at most `bound`.
pub fn least_cost(graph: &Digraph, bound: u32) -> Option<Found> {
    let mut best: Option<Found> = None;
    let mut bound = bound;
    for variant in variants(graph) {
        let mut search = Search::new(&variant);
        if let Some(cost) = search.cost(root(&variant), bound) {
            let program = super::program::print(&mut search, root(&variant), graph.len());
            best = Some(Found { cost, program });
            if cost == 0 {
                break;
            }
            bound = cost - 1;
        }
    }
    best
}

pub(super) fn root(graph: &Digraph) -> State {
    State {
        blocks: graph.all(),
        entry: 1,
        ..State::default()
    }
}

/// What is known of a state.
#[derive(Clone, Copy)]
struct Known {
    /// The least cost, if a program was found.
    best: Option<(u32, Choice)>,
    /// There is none that costs at most this, if none was found.
    bound: u32,
}

pub(super) struct Search<'a> {
    pub(super) graph: &'a Digraph,
    known: FxHashMap<State, Known>,
}

impl<'a> Search<'a> {
    pub(super) fn new(graph: &'a Digraph) -> Self {
        Self {
            graph,
            known: FxHashMap::default(),
        }
    }

    /// Returns the choice that a state of the least cost begins with, once that was found.
    pub(super) fn choice(&self, mut state: State) -> Option<Choice> {
        state.normalize(self.graph);
        self.known.get(&state)?.best.map(|(_, choice)| choice)
    }

    /// Returns the least cost of a state, if that is at most `bound`.
    pub(super) fn cost(&mut self, mut state: State, bound: u32) -> Option<u32> {
        state.normalize(self.graph);
        let out = (self.graph.succs_of(state.blocks) | state.entry) & !state.blocks;
        if out & !state.places() != 0 {
            return None;
        }
        match self.known.get(&state) {
            Some(Known {
                best: Some((cost, _)),
                ..
            }) => return (*cost <= bound).then_some(*cost),
            Some(known) if bound <= known.bound => return None,
            _ => {}
        }
        let mut best = None;
        let mut limit = Some(bound);
        self.try_all(state, &mut limit, &mut best);
        self.known.insert(state, Known { best, bound });
        best.map(|(cost, _)| cost)
    }

    /// Tries a choice: `limit` is what it may cost.
    fn attempt(
        &mut self,
        state: State,
        choice: Choice,
        limit: &mut Option<u32>,
        best: &mut Option<(u32, Choice)>,
    ) {
        let Some(most) = *limit else {
            return;
        };
        let Some(parts) = state.parts(self.graph, choice) else {
            return;
        };
        let mut cost = parts.cost;
        for &part in parts.states() {
            let Some(left) = most.checked_sub(cost) else {
                return;
            };
            let Some(more) = self.cost(part, left) else {
                return;
            };
            cost += more;
        }
        if cost <= most {
            *best = Some((cost, choice));
            *limit = cost.checked_sub(1);
        }
    }

    fn try_all(&mut self, state: State, limit: &mut Option<u32>, best: &mut Option<(u32, Choice)>) {
        let graph = self.graph;
        if state.blocks == 0 {
            self.attempt(state, Choice::Leave, limit, best);
        }
        if state.entry & state.blocks == 0 && state.blocks != 0 {
            return;
        }
        let decision = state.decision(graph);
        match decision.count_ones() {
            0 => self.attempt(state, Choice::End, limit, best),
            1 => self.attempt(state, Choice::Step, limit, best),
            _ => {
                self.attempt(state, Choice::Latch, limit, best);
                self.try_selections(state, decision, limit, best);
            }
        }
        if state.blocks != 0 {
            self.try_loops(state, limit, best);
            self.try_breakable(state, limit, best);
        }
    }

    /// Returns the merges of a construct: what follows it is one of the `inside` nodes, a place, or,
    /// where a test may be paid for, several of both.
    fn merges(state: &State, inside: Set, limit: Option<u32>, places: &[Set]) -> Vec<Set> {
        let mut merges: Vec<Set> = places.to_vec();
        merges.extend(nodes(inside).map(|node| 1 << node));
        if limit.is_some_and(|limit| limit >= TEST) {
            let all = inside | state.places();
            merges.extend(subsets(all).filter(|s| s.count_ones() > 1));
        }
        merges.sort_unstable();
        merges.dedup();
        merges
    }

    fn try_selections(
        &mut self,
        state: State,
        decision: Set,
        limit: &mut Option<u32>,
        best: &mut Option<(u32, Choice)>,
    ) {
        if limit.is_none_or(|limit| limit < state.test_cost()) {
            return;
        }
        let inside = state.rest();
        let left = limit.map(|limit| limit - state.test_cost());
        let ways = decision.count_ones();
        if ways == 2 || state.is_test() {
            let first = decision & decision.wrapping_neg();
            for merge in Self::merges(&state, inside, left, &[0, state.next]) {
                // Of the two arms one has the first node.
                for other in subsets(decision & !first) {
                    let arms = [decision & !other, other];
                    self.attempt(state, Choice::If { arms, merge }, limit, best);
                }
            }
        }
        if ways > 2 {
            for merge in Self::merges(&state, inside, left, &[0, state.next, state.leaves]) {
                self.attempt(state, Choice::Switch { merge }, limit, best);
            }
        }
    }

    fn try_breakable(
        &mut self,
        state: State,
        limit: &mut Option<u32>,
        best: &mut Option<(u32, Choice)>,
    ) {
        let Some(left) = limit.and_then(|limit| limit.checked_sub(BREAKABLE_BLOCK)) else {
            return;
        };
        let inside = if state.is_test() {
            state.blocks
        } else {
            state.rest()
        };
        for merge in Self::merges(&state, inside, Some(left), &[state.next]) {
            // One with the merge block of that around it has no use.
            if merge != 0 && (merge != state.next || merge != state.leaves) {
                self.attempt(state, Choice::Breakable { merge }, limit, best);
            }
        }
    }

    fn try_loops(
        &mut self,
        state: State,
        limit: &mut Option<u32>,
        best: &mut Option<(u32, Choice)>,
    ) {
        let graph = self.graph;
        let extra = state.blocks & !state.entry;
        let pays_test = limit.is_some_and(|limit| limit >= TEST);
        // A header of more nodes than the entry: some invocations come back to others.
        let more = subsets(if pays_test { extra } else { 0 }).chain([0]);
        for header in more.map(|more| state.entry | more) {
            let sources = nodes(state.blocks).filter(|&n| graph.succs(n) & header != 0);
            // Each of several loops with one header has a block of its own that continues.
            if sources.count() <= usize::from(state.loops) {
                continue;
            }
            let places = [0, state.next, state.breaks, state.continues, state.leaves];
            let inside = state.blocks & !header;
            for merge in Self::merges(&state, inside, *limit, &places) {
                if header & !(state.blocks & !merge) != 0 {
                    continue;
                }
                let body = graph.reach(header, state.blocks & !merge);
                let out = graph.succs_of(body) & !body;
                let is_place = places.contains(&merge);
                let tests = u32::from(header.count_ones() > 1)
                    + u32::from(merge.count_ones() > 1 && !is_place);
                if out & !merge != 0
                    || merge & !out != 0 && !is_place
                    || state.loops > 0 && merge == state.breaks
                    || limit.is_none_or(|limit| limit < tests * TEST)
                {
                    continue;
                }
                let mut targets: Vec<Set> = vec![header];
                let main = body & !header;
                targets.extend(nodes(main).map(|node| 1 << node));
                if limit.is_some_and(|limit| limit >= (tests + 1) * TEST) {
                    let sets = subsets(main | header);
                    targets.extend(sets.filter(|s| s.count_ones() > 1 && s & !header != 0));
                }
                for continues in targets {
                    let choice = Choice::Loop {
                        header,
                        merge,
                        continues,
                    };
                    self.attempt(state, choice, limit, best);
                }
            }
        }
    }
}
