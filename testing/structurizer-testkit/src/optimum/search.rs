//! The search: the least cost of a structured program that has a graph.
//!
//! Costs of a [`State`] are found by trying every choice within a bound, and kept: states are few,
//! since a choice fixes which nodes each part has.

use rustc_hash::FxHashMap;
use trellis_structurizer::Structured;

use super::graph::{Digraph, Set, nodes, subsets};
use super::joins::variants;
use super::lower::lower;
use super::state::{BREAKABLE_BLOCK, Choice, State, TEST};

/// The result of a search that found something.
#[derive(Clone, Debug)]
pub struct Found {
    /// The least cost.
    pub cost: u32,
    /// The program: each block of the graph is an instruction whose payload is its number; further
    /// ones are joins. Why it could not be written, which is a bug.
    pub program: Result<Structured, String>,
}

/// Returns the least cost of a structured program with this graph, if that is at most `bound`.
pub fn least_cost(graph: &Digraph, bound: u32) -> Option<Found> {
    let mut best: Option<Found> = None;
    let mut bound = bound;
    for variant in variants(graph) {
        let mut search = Search::new(&variant);
        if let Some(cost) = search.cost(root(&variant), bound) {
            let program = lower(&search, root(&variant));
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

/// The choices of a state that were tried.
struct Trial {
    state: State,
    /// What the next choice may cost; none if there cannot be a better one.
    limit: Option<u32>,
    best: Option<(u32, Choice)>,
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
        let mut trial = Trial {
            state,
            limit: Some(bound),
            best: None,
        };
        self.try_all(&mut trial);
        let best = trial.best;
        self.known.insert(state, Known { best, bound });
        best.map(|(cost, _)| cost)
    }

    /// Tries a choice.
    fn attempt(&mut self, trial: &mut Trial, choice: Choice) {
        let Some(most) = trial.limit else {
            return;
        };
        let Some(parts) = trial.state.parts(self.graph, choice) else {
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
            trial.best = Some((cost, choice));
            trial.limit = cost.checked_sub(1);
        }
    }

    fn try_all(&mut self, trial: &mut Trial) {
        let (graph, state) = (self.graph, trial.state);
        if state.blocks == 0 {
            self.attempt(trial, Choice::Leave);
        }
        if state.entry & state.blocks == 0 && state.blocks != 0 {
            return;
        }
        let decision = state.decision(graph);
        match decision.count_ones() {
            0 => self.attempt(trial, Choice::End),
            1 => self.attempt(trial, Choice::Step),
            _ => {
                self.attempt(trial, Choice::Latch);
                self.try_selections(trial, decision);
            }
        }
        if state.blocks != 0 {
            self.try_loops(trial);
            self.try_breakable(trial);
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

    fn try_selections(&mut self, trial: &mut Trial, decision: Set) {
        let state = trial.state;
        let left = trial
            .limit
            .and_then(|limit| limit.checked_sub(state.test_cost()));
        if left.is_none() {
            return;
        }
        let inside = state.rest();
        let ways = decision.count_ones();
        if ways == 2 || state.is_test() {
            let first = decision & decision.wrapping_neg();
            for merge in Self::merges(&state, inside, left, &[0, state.next]) {
                // Of the two arms one has the first node.
                for other in subsets(decision & !first) {
                    let arms = [decision & !other, other];
                    self.attempt(trial, Choice::If { arms, merge });
                }
            }
        }
        if ways > 2 {
            for merge in Self::merges(&state, inside, left, &[0, state.next, state.leaves]) {
                self.attempt(trial, Choice::Switch { merge });
            }
        }
    }

    fn try_breakable(&mut self, trial: &mut Trial) {
        let state = trial.state;
        let Some(left) = trial
            .limit
            .and_then(|limit| limit.checked_sub(BREAKABLE_BLOCK))
        else {
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
                self.attempt(trial, Choice::Breakable { merge });
            }
        }
    }

    fn try_loops(&mut self, trial: &mut Trial) {
        let state = trial.state;
        let graph = self.graph;
        let extra = state.blocks & !state.entry;
        let pays_test = trial.limit.is_some_and(|limit| limit >= TEST);
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
            for merge in Self::merges(&state, inside, trial.limit, &places) {
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
                    || trial.limit.is_none_or(|limit| limit < tests * TEST)
                {
                    continue;
                }
                let mut targets: Vec<Set> = vec![header];
                let main = body & !header;
                targets.extend(nodes(main).map(|node| 1 << node));
                if trial.limit.is_some_and(|limit| limit >= (tests + 1) * TEST) {
                    let sets = subsets(main | header);
                    targets.extend(sets.filter(|s| s.count_ones() > 1 && s & !header != 0));
                }
                for continues in targets {
                    let choice = Choice::Loop {
                        header,
                        merge,
                        continues,
                    };
                    self.attempt(trial, choice);
                }
            }
        }
    }
}
