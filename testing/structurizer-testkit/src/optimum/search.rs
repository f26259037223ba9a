//! The search: the least cost of a structured program that has a graph.
//!
//! A [`Part`] is a sequence of statements to be made of some nodes: where it begins, and where
//! control may leave it for. These are the rules of SPIR-V (1.6, section 2.11) about exits: to what
//! follows only from the end of the sequence, since an arm may leave to its own selection's merge
//! block alone; to the merge block of the innermost switch or breakable block from any depth of
//! selections, not through a loop; to the merge block and the continue target of the innermost loop
//! from any depth of selections and switches. Blocks without instructions are free: a merge block may
//! be one that leaves the construct around.
//!
//! Each of these places is a set of nodes. Where it has several, invocations carry a selector there,
//! and a test sends them on.
//!
//! Costs of a part are found by trying every choice within a bound, and kept: parts are few, since a
//! choice fixes which nodes each part has.

use rustc_hash::FxHashMap;

use super::graph::{Digraph, Set, groups_in, nodes, subsets};

/// Returns the least cost of a structured program with this graph, if that is at most `bound`.
pub fn least_cost(graph: &Digraph, mut bound: u32) -> Option<u32> {
    let mut best = None;
    for variant in graph.variants() {
        if let Some(cost) = Search::new(&variant).cost(Part::of(&variant), bound) {
            best = Some(cost);
            match cost.checked_sub(1) {
                Some(less) => bound = less,
                None => break,
            }
        }
    }
    best
}

/// What follows the sequence, as an index of [`Part::places`].
pub(super) const NEXT: usize = 0;
/// The merge block of the innermost loop.
pub(super) const BREAKS: usize = 1;
/// The continue target of the innermost loop.
pub(super) const CONTINUES: usize = 2;
/// The merge block of the innermost switch or breakable block inside that loop.
pub(super) const LEAVES: usize = 3;
/// At the end of a continue construct: the loop's merge block, which the back-edge block may branch
/// to.
pub(super) const LATCH: usize = 4;

/// A sequence to be made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Part {
    /// The nodes of the sequence.
    pub(super) blocks: Set,
    /// Where it begins: a node, or several that a test decides between.
    pub(super) entry: Set,
    /// Where control may leave it for.
    pub(super) places: [Set; 5],
    /// True in a continue construct, where no invocation may end.
    must_continue: bool,
    /// True if a test that led here has decided between the nodes of the entry.
    is_decided: bool,
    /// Number of loops that begin at the entry and are around the sequence.
    loops: u8,
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
    /// A construct with a merge block.
    Select { split: Split, merge: Set },
    /// A loop. What continues first passes a continue construct, unless that is the header.
    Loop {
        header: Set,
        merge: Set,
        continues: Set,
    },
}

/// The sequences inside of a construct with a merge block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Split {
    /// The entry, or a test, decides between the nodes of this set and the others.
    If(Set),
    /// The entry, or a test, is a switch with a case for each target.
    Switch,
    /// A breakable block.
    Breakable,
}

impl Part {
    /// Returns the sequence that is the whole program.
    pub(super) fn of(graph: &Digraph) -> Self {
        Self {
            blocks: graph.all(),
            entry: 1,
            ..Self::default()
        }
    }

    /// Removes what makes no difference: places that no edge leads to.
    pub(super) fn normalize(&mut self, graph: &Digraph) {
        let wanted = graph.succs_of(self.blocks) | self.entry;
        for place in &mut self.places {
            *place &= wanted;
        }
        self.is_decided &= self.is_test();
    }

    fn all_places(&self) -> Set {
        self.places.iter().fold(0, |all, place| all | place)
    }

    /// Returns whether the sequence begins with a test.
    pub(super) fn is_test(&self) -> bool {
        self.entry.count_ones() > 1
    }

    /// Returns the number of tests at the start.
    fn tests(&self) -> u32 {
        u32::from(self.is_test() && !self.is_decided)
    }

    /// Returns the nodes that the first branch decides between; for a test, the entry's.
    pub(super) fn decision(&self, graph: &Digraph) -> Set {
        match self.is_test() {
            true => self.entry,
            false => graph.succs_of(self.entry),
        }
    }

    /// Returns the nodes after the entry, if that is one node.
    pub(super) fn rest(&self) -> Set {
        match self.is_test() {
            true => self.blocks,
            false => self.blocks & !self.entry,
        }
    }

    /// Returns whether the sequence is a place to leave to.
    pub(super) fn leaves_at_once(&self) -> bool {
        let is_in = |place: &Set| self.entry & !place == 0;
        self.blocks == 0 && self.entry != 0 && self.places[..LATCH].iter().any(is_in)
    }

    /// Returns the cost of a choice alone.
    fn price(&self, choice: Choice) -> u32 {
        match choice {
            Choice::Select { split, .. } => self.price_of(split),
            Choice::Latch => self.tests(),
            _ => 0,
        }
    }

    fn price_of(&self, split: Split) -> u32 {
        match split {
            Split::If(_) | Split::Switch => self.tests(),
            Split::Breakable => 1,
        }
    }

    /// Returns a sequence inside of this one.
    fn inside(&self, blocks: Set, entry: Set, places: [Set; 5]) -> Self {
        Self {
            blocks,
            entry,
            places,
            is_decided: false,
            loops: 0,
            ..*self
        }
    }

    /// Returns what remains to be made after a choice; none if it is impossible. A choice that makes
    /// an edge impossible need not be: there is no way to make its parts then.
    pub(super) fn parts(&self, graph: &Digraph, choice: Choice) -> Option<Vec<Self>> {
        let decision = self.decision(graph);
        let is_possible = match choice {
            Choice::Leave => self.leaves_at_once(),
            Choice::End => {
                decision == 0 && !self.is_test() && !self.must_continue && self.rest() == 0
            }
            Choice::Step => return Some(vec![self.inside(self.rest(), decision, self.places)]),
            Choice::Latch => {
                let (next, latch) = (self.places[NEXT], self.places[LATCH]);
                self.rest() == 0
                    && decision & next != 0
                    && decision & latch & !next != 0
                    && decision & !(next | latch) == 0
                    && (self.is_test() || decision.count_ones() == 2)
            }
            Choice::Select { split, merge } => return self.select_parts(graph, split, merge),
            Choice::Loop {
                header,
                merge,
                continues,
            } => return self.loop_parts(graph, header, merge, continues),
        };
        is_possible.then(Vec::new)
    }

    /// Adds what follows a construct with a merge block. `left` are the remaining nodes, `used` those
    /// that control leaves the construct for.
    fn and_then(
        &self,
        mut parts: Vec<Self>,
        left: Set,
        merge: Set,
        used: Set,
    ) -> Option<Vec<Self>> {
        // Nothing arrives there, or an empty merge block leaves to a place of this sequence.
        if left == 0 && (merge == 0 || self.places[..LATCH].contains(&merge)) {
            return Some(parts);
        }
        // A node that nothing leaves for would be tested in vain.
        if merge & !used != 0 {
            return None;
        }
        parts.push(self.inside(left, merge, self.places));
        Some(parts)
    }

    fn select_parts(&self, graph: &Digraph, split: Split, merge: Set) -> Option<Vec<Self>> {
        let (decision, is_breakable) = (self.decision(graph), split == Split::Breakable);
        let arms: Vec<Set> = match split {
            Split::If(other) => vec![decision & !other, other],
            Split::Switch => nodes(decision).map(|node| 1 << node).collect(),
            Split::Breakable => vec![self.entry],
        };
        let mut places = self.places;
        (places[NEXT], places[LATCH]) = (merge, 0);
        if !matches!(split, Split::If(_)) {
            places[LEAVES] = merge;
        }
        let all = if is_breakable {
            self.blocks
        } else {
            self.rest()
        };
        let (inside, barrier) = (all & !merge, self.blocks & self.all_places());
        let entries = arms.iter().fold(0, |all, arm| all | arm);
        let legal = places.iter().fold(0, |all, place| all | place);
        let (mut body, mut out, mut fallen_into) = (0, 0, 0);
        let mut parts = Vec::new();
        for arm in arms {
            let region = graph.reach(arm & inside, inside & (!(entries | barrier) | arm));
            let away = (graph.succs_of(region) | arm & !region) & !(region & !barrier);
            // The next case, unless control may continue there instead.
            let next = match split {
                Split::Switch => away & entries & inside & !legal,
                _ => 0,
            };
            let is_shared = region & body != 0 || next & fallen_into != 0;
            if is_shared || next.count_ones() > 1 || away & !(legal | next) != 0 {
                return None;
            }
            fallen_into |= next;
            body |= region;
            out |= away & !next;
            places[NEXT] = if next == 0 { merge } else { next };
            let mut part = Self {
                blocks: region,
                entry: arm,
                places,
                ..*self
            };
            if !is_breakable {
                (part.is_decided, part.loops) = (self.is_test(), 0);
            }
            parts.push(part);
        }
        // Cases that fall through to one another in a circle have no first one.
        let last = |case| (0..parts.len()).try_fold(case, |case, _| Self::falls(&parts, case));
        if is_breakable && body == 0 || parts.iter().any(|case| last(case).is_some()) {
            return None;
        }
        self.and_then(parts, all & !body, merge, out)
    }

    /// Returns the case that one falls through to.
    pub(super) fn falls<'p>(parts: &'p [Self], case: &Self) -> Option<&'p Self> {
        let next = case.places[NEXT];
        parts
            .iter()
            .find(|part| part.blocks != 0 && part.entry == next)
    }

    fn loop_parts(
        &self,
        graph: &Digraph,
        header: Set,
        merge: Set,
        continues: Set,
    ) -> Option<Vec<Self>> {
        let inside = self.blocks & !merge;
        let body = graph.reach(header & inside, inside);
        if graph.succs_of(body) & header == 0 {
            return None;
        }
        let mut main = body;
        if continues != header {
            main = graph.reach(header & body, body & (!continues | header));
        }
        let latch = body & !main;
        let returns = header.count_ones() == 1 && graph.succs_of(main) & header & !continues != 0;
        if continues != header
            && (returns
                || continues & !(latch | header) != 0
                || latch & !graph.reach(continues & latch, latch) != 0)
        {
            return None;
        }
        let mut places = [0; 5];
        (places[NEXT], places[BREAKS], places[CONTINUES]) = (continues, merge, continues);
        let mut parts = vec![Self {
            loops: self.loops + 1,
            ..self.inside(main, header, places)
        }];
        if continues != header {
            places = [0; 5];
            (places[NEXT], places[LATCH]) = (header, merge);
            parts.push(Self {
                must_continue: true,
                ..self.inside(latch, continues, places)
            });
        }
        let out = graph.succs_of(body) & !body;
        self.and_then(parts, self.blocks & !body, merge, out)
    }
}

/// The choices of a part that were tried.
struct Trial {
    part: Part,
    /// Cost of the next choice at most; none if there cannot be a better one.
    limit: Option<u32>,
    best: Option<(u32, Choice)>,
}

pub(super) struct Search<'a> {
    pub(super) graph: &'a Digraph,
    /// The least cost and its choice of each part; or none costs at most the number.
    known: FxHashMap<Part, (Option<(u32, Choice)>, u32)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(graph: &'a Digraph) -> Self {
        let known = FxHashMap::default();
        Self { graph, known }
    }

    /// Returns the choice that a part of the least cost begins with, once that was found.
    #[cfg(test)]
    pub(super) fn choice(&self, part: &Part) -> Option<Choice> {
        self.known.get(part)?.0.map(|(_, choice)| choice)
    }

    /// Returns the least cost of a part, if that is at most `bound`.
    pub(super) fn cost(&mut self, mut part: Part, bound: u32) -> Option<u32> {
        part.normalize(self.graph);
        let out = (self.graph.succs_of(part.blocks) | part.entry) & !part.blocks;
        if out & !part.all_places() != 0 {
            return None;
        }
        match self.known.get(&part) {
            Some((Some((cost, _)), _)) => return (*cost <= bound).then_some(*cost),
            Some((None, tried)) if bound <= *tried => return None,
            _ => {}
        }
        let mut trial = Trial {
            part,
            limit: Some(bound),
            best: None,
        };
        self.try_all(&mut trial);
        self.known.insert(part, (trial.best, bound));
        trial.best.map(|(cost, _)| cost)
    }

    /// Tries a choice.
    fn attempt(&mut self, trial: &mut Trial, choice: Choice) {
        let Some(most) = trial.limit else { return };
        let Some(parts) = trial.part.parts(self.graph, choice) else {
            return;
        };
        let mut cost = trial.part.price(choice);
        for part in parts {
            let left = most.checked_sub(cost);
            let Some(more) = left.and_then(|left| self.cost(part, left)) else {
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
        let part = trial.part;
        if part.blocks == 0 {
            self.attempt(trial, Choice::Leave);
        } else if part.entry & part.blocks == 0 {
            return;
        }
        match part.decision(self.graph).count_ones() {
            0 => self.attempt(trial, Choice::End),
            1 => self.attempt(trial, Choice::Step),
            _ => self.attempt(trial, Choice::Latch),
        }
        self.try_selections(trial);
        if part.blocks != 0 {
            self.try_loops(trial);
        }
    }

    /// Returns the merges of a construct after `paid` has been spent: what follows it is one of the
    /// `inside` nodes, a place, or, where a test may be paid for, several of both.
    fn merges(trial: &Trial, paid: u32, inside: Set, places: &[Set]) -> Vec<Set> {
        let Some(left) = trial.limit.and_then(|limit| limit.checked_sub(paid)) else {
            return Vec::new();
        };
        let mut merges: Vec<Set> = places.to_vec();
        merges.extend(nodes(inside).map(|node| 1 << node));
        if left > 0 {
            merges.extend(groups_in(inside | trial.part.all_places()));
        }
        merges.sort_unstable();
        merges.dedup();
        merges
    }

    fn try_selections(&mut self, trial: &mut Trial) {
        let (part, decision) = (trial.part, trial.part.decision(self.graph));
        let (next, leaves) = (part.places[NEXT], part.places[LEAVES]);
        let ways = decision.count_ones();
        let mut splits = Vec::new();
        if ways == 2 || part.is_test() {
            // Of the two arms one has the first node.
            let others = subsets(decision & (decision - 1)).filter(|&other| other != 0);
            splits.extend(others.map(|other| (Split::If(other), [0, next, next])));
        }
        if ways > 2 {
            splits.push((Split::Switch, [0, next, leaves]));
        }
        if part.blocks != 0 {
            splits.push((Split::Breakable, [next; 3]));
        }
        for (split, places) in splits {
            for merge in Self::merges(trial, part.price_of(split), part.rest(), &places) {
                // A breakable block with the merge block of that around it has no use.
                let is_useless = merge == 0 || merge == next && merge == leaves;
                if split != Split::Breakable || !is_useless {
                    self.attempt(trial, Choice::Select { split, merge });
                }
            }
        }
    }

    fn try_loops(&mut self, trial: &mut Trial) {
        let (graph, part) = (self.graph, trial.part);
        let pays = |trial: &Trial, tests: u32| trial.limit.is_some_and(|limit| limit >= tests);
        let extra = part.blocks & !part.entry;
        // A header of more nodes than the entry: some invocations come back to others.
        for more in subsets(if pays(trial, 1) { extra } else { 0 }) {
            let header = part.entry | more;
            let sources = nodes(part.blocks).filter(|&n| graph.succs(n) & header != 0);
            // Each of several loops with one header has a block of its own that continues.
            if sources.count() <= usize::from(part.loops) {
                continue;
            }
            let mut places = part.places;
            places[LATCH] = 0;
            for merge in Self::merges(trial, 0, part.blocks & !header, &places) {
                let body = graph.reach(header, part.blocks & !merge);
                let out = graph.succs_of(body) & !body;
                let is_place = places.contains(&merge);
                let tests = u32::from(header.count_ones() > 1)
                    + u32::from(merge.count_ones() > 1 && !is_place);
                // A header's test would send a node that is outside back to itself.
                if header & !(part.blocks & !merge) != 0
                    || out & !merge != 0
                    || merge & !out != 0 && !is_place
                    || part.loops > 0 && merge == places[BREAKS]
                    || !pays(trial, tests)
                {
                    continue;
                }
                let main = body & !header;
                let mut targets = vec![header];
                targets.extend(nodes(main).map(|node| 1 << node));
                if pays(trial, tests + 1) {
                    targets.extend(groups_in(main | header).filter(|s| s & !header != 0));
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
