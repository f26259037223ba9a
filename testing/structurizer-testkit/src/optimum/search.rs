//! The search: the least cost of a structured program that has a graph.
//!
//! A [`Part`] is a sequence of statements to be made of some nodes: where it begins, and where
//! control may leave it for. These are the rules of SPIR-V (1.6, section 2.11) about exits: to the
//! block after the sequence only from its end, since an arm may leave to its own selection's merge
//! block alone; to the merge block of the innermost switch or breakable block from any depth of
//! selections, not through a loop; to the merge block and the continue target of the innermost loop
//! from any depth of selections and switches. Blocks without instructions are free: a merge block may
//! be one that leaves the construct around.
//!
//! Each of these places is a set of nodes. Where it has several, invocations carry a selector there,
//! and a test sends them on.
//!
//! The search tries every [`Choice`] of a part and keeps its cost: parts are few, since a choice fixes
//! which nodes each part has.

use rustc_hash::FxHashMap;

use super::graph::{Digraph, Set, nodes, subsets};

/// Returns the least cost of a structured program with this graph, if that is at most `bound`.
pub fn least_cost(graph: &Digraph, bound: u32) -> Option<u32> {
    Search::new(graph).cost(Part::of(graph), bound)
}

/// The block after the sequence, as an index of [`Part::places`].
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
    pub(super) must_continue: bool,
    /// True if a test that led here has decided between the nodes of the entry.
    is_decided: bool,
    /// Number of loops that begin at the entry and are around the sequence.
    loops: u8,
}

/// The ways to begin a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// It has no nodes, and leaves to one of its places.
    Leave,
    /// Its entry ends the invocation.
    End,
    /// Its entry has one successor, which is next.
    Step,
    /// Its entry is the back-edge block, and may break.
    Latch,
    /// The entry, or a test, decides between two sets of nodes.
    If,
    /// The entry, or a test, is a switch with a case for each target.
    Switch,
    /// A switch with a default case only, for the breaks inside.
    Breakable,
    /// A loop that runs once, for the breaks inside.
    Once,
    /// A loop; continuing paths pass a continue construct, unless that is the header.
    Loop,
}

/// How a sequence begins.
#[derive(Clone, Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "tests make the program"))]
pub(super) struct Choice {
    pub(super) kind: Kind,
    /// The sequences inside of the construct, and the one after it if that has statements.
    pub(super) parts: Vec<Part>,
    /// Number of the sequences inside.
    pub(super) inside: usize,
    /// The merge block.
    pub(super) merge: Set,
}

/// The parts of a construct, and how many of them are inside of it.
type Parts = (Vec<Part>, usize);

impl Part {
    /// Returns the sequence that is the whole program.
    pub(super) fn of(graph: &Digraph) -> Self {
        Self {
            blocks: graph.all(),
            entry: 1,
            ..Self::default()
        }
    }

    /// Returns the canonical form of the sequence: without places that no edge leads to.
    pub(super) fn normal(mut self, graph: &Digraph) -> Self {
        let reached = graph.succs(self.blocks) | self.entry;
        self.places = self.places.map(|place| place & reached);
        self.is_decided &= self.is_test();
        self
    }

    fn all_places(&self) -> Set {
        self.places.iter().fold(0, |all, place| all | place)
    }

    /// Returns whether the sequence begins with a test.
    pub(super) fn is_test(&self) -> bool {
        self.entry.count_ones() > 1
    }

    /// Returns the nodes after the entry, if that is one node.
    fn rest(&self) -> Set {
        match self.is_test() {
            true => self.blocks,
            false => self.blocks & !self.entry,
        }
    }

    /// Returns whether the nodes are, all together, where control may leave to.
    fn is_place(&self, set: Set) -> bool {
        self.places[..LATCH].contains(&set)
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

    /// Returns the merge blocks that a construct may have, of some nodes inside or of places. Several
    /// nodes are a test after it, unless they are a place.
    fn merges(&self, inside: Set, tests: u32) -> impl Iterator<Item = Set> {
        let is_tried = move |&set: &Set| tests > 0 || set.count_ones() < 2 || self.is_place(set);
        subsets(inside | self.all_places()).filter(is_tried)
    }

    /// Adds the code after a construct with a merge block, and returns the number of parts before.
    /// `left` are the remaining nodes, `used` the nodes that control leaves the construct for.
    fn and_then(&self, mut parts: Vec<Self>, left: Set, merge: Set, used: Set) -> Option<Parts> {
        let inside = parts.len();
        // Nothing arrives there, or an empty merge block leaves to a place of this sequence.
        if left != 0 || merge != 0 && !self.is_place(merge) {
            // A node that nothing leaves for would be tested in vain.
            if merge & !used != 0 {
                return None;
            }
            parts.push(self.inside(left, merge, self.places));
        }
        Some((parts, inside))
    }

    /// Returns the parts of a selection, a breakable block, or a loop that runs once.
    fn select(&self, graph: &Digraph, kind: Kind, arms: &[Set], merge: Set) -> Option<Parts> {
        let decides = matches!(kind, Kind::If | Kind::Switch);
        let mut places = self.places;
        (places[NEXT], places[LATCH]) = (merge, 0);
        match kind {
            Kind::If => {}
            Kind::Once => (places[BREAKS], places[CONTINUES], places[LEAVES]) = (merge, 0, 0),
            _ => places[LEAVES] = merge,
        }
        let all = if decides { self.rest() } else { self.blocks };
        let (inside, barrier) = (all & !merge, self.blocks & self.all_places());
        let entries = arms.iter().fold(0, |all, arm| all | arm);
        let legal = places.iter().fold(0, |all, place| all | place);
        let (mut body, mut out, mut fallen_into) = (0, 0, 0);
        let mut parts: Vec<Self> = Vec::new();
        for &arm in arms {
            let region = graph.reach(arm & inside, inside & (!(entries | barrier) | arm));
            let away = (graph.succs(region) | arm & !region) & !(region & !barrier);
            // The next case, unless control may continue there instead.
            let next = match kind {
                Kind::Switch => away & entries & inside & !legal,
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
            let mut part = self.inside(region, arm, places);
            (part.is_decided, part.loops) = match decides {
                true => (self.is_test(), 0),
                false => (self.is_decided, self.loops),
            };
            parts.push(part);
        }
        // Cases that fall through to one another in a circle have no first one.
        let last = |case| (0..parts.len()).try_fold(case, |case, _| Self::falls(&parts, case));
        if !decides && body == 0 || parts.iter().any(|case| last(case).is_some()) {
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

    /// Returns the continue targets that a loop may have, none if there is no such loop.
    fn continues(
        &self,
        graph: &Digraph,
        header: Set,
        merge: Set,
        tests: u32,
    ) -> impl Iterator<Item = Set> {
        let inside = self.blocks & !merge;
        let body = graph.reach(header & inside, inside);
        let out = graph.succs(body) & !body;
        // A header's test would send a node that is outside back to itself; a node that nothing leaves
        // for would be tested in vain; and two loops around each other have different merge blocks.
        let is_loop = header & !inside == 0
            && graph.succs(body) & header != 0
            && out & !merge == 0
            && (merge & !out == 0 || self.is_place(merge))
            && (self.loops == 0 || merge != self.places[BREAKS]);
        let is_tried = move |&set: &Set| {
            set == header || set & !header != 0 && (tests > 0 || set.count_ones() < 2)
        };
        subsets(if is_loop { body } else { 0 }).filter(is_tried)
    }

    /// Returns the parts of a loop. Continuing paths pass a continue construct, unless that is the
    /// header.
    fn loop_parts(
        &self,
        graph: &Digraph,
        header: Set,
        merge: Set,
        continues: Set,
    ) -> Option<Parts> {
        let inside = self.blocks & !merge;
        let body = graph.reach(header, inside);
        let mut main = body;
        if continues != header {
            main = graph.reach(header, body & (!continues | header));
        }
        let latch = body & !main;
        let returns = header.count_ones() == 1 && graph.succs(main) & header & !continues != 0;
        if continues != header
            && (returns
                || continues & !(latch | header) != 0
                || latch & !graph.reach(continues & latch, latch) != 0)
        {
            return None;
        }
        let mut parts = vec![self.inside(main, header, [continues, merge, continues, 0, 0])];
        parts[0].loops = self.loops + 1;
        if continues != header {
            let mut latch = self.inside(latch, continues, [header, 0, 0, 0, merge]);
            latch.must_continue = true;
            parts.push(latch);
        }
        let out = graph.succs(body) & !body;
        self.and_then(parts, self.blocks & !body, merge, out)
    }
}

/// The choice of the least cost of each part, or none, and the bound up to which it was searched.
type Known = FxHashMap<Part, (Option<Choice>, u32)>;

pub(super) struct Search<'a> {
    pub(super) graph: &'a Digraph,
    known: Known,
}

impl<'a> Search<'a> {
    pub(super) fn new(graph: &'a Digraph) -> Self {
        let known = Known::default();
        Self { graph, known }
    }

    /// Returns the choice that a part of the least cost begins with, once that was found.
    #[cfg(test)]
    pub(super) fn choice(&self, part: &Part) -> Option<Choice> {
        self.known.get(part)?.0.clone()
    }

    /// Returns the least cost of a part, if that is at most `bound`.
    pub(super) fn cost(&mut self, part: Part, bound: u32) -> Option<u32> {
        let part = part.normal(self.graph);
        let out = (self.graph.succs(part.blocks) | part.entry) & !part.blocks;
        if out & !part.all_places() != 0 {
            return None;
        }
        let first = match self.known.get(&part) {
            Some((Some(_), cost)) => return (*cost <= bound).then_some(*cost),
            Some((None, tried)) => tried + 1,
            None => 0,
        };
        for most in first..=bound {
            let choice = self.begin(&part, most);
            let is_found = choice.is_some();
            self.known.insert(part, (choice, most));
            if is_found {
                return Some(most);
            }
        }
        None
    }

    /// Tries all ways to begin a part; returns one with which it costs at most `most`.
    fn begin(&mut self, part: &Part, most: u32) -> Option<Choice> {
        let graph = self.graph;
        let (is_test, rest) = (part.is_test(), part.rest());
        let mut attempt = |kind, cost, made: Option<Parts>, merge| -> Option<Choice> {
            let (parts, inside) = made?;
            let add = |sum: u32, &part: &Part| Some(sum + self.cost(part, most.checked_sub(sum)?)?);
            let cost = parts.iter().try_fold(cost, add)?;
            let choice = Choice {
                kind,
                parts,
                inside,
                merge,
            };
            (cost <= most).then_some(choice)
        };
        let none = Some((Vec::new(), 0));
        let is_in = |place: &Set| part.entry & !place == 0;
        if part.blocks == 0 && part.places[..LATCH].iter().any(is_in) {
            return attempt(Kind::Leave, 0, none, 0);
        }
        if !is_test && part.entry & part.blocks == 0 {
            return None;
        }
        let decision = match is_test {
            true => part.entry,
            false => graph.succs(part.entry),
        };
        let test = u32::from(is_test && !part.is_decided);
        let ways = decision.count_ones();
        let (next, latch) = (part.places[NEXT], part.places[LATCH] & !part.places[NEXT]);
        let is_latch = rest == 0
            && decision & next != 0
            && decision & latch != 0
            && decision & !(next | latch) == 0
            && (ways == 2 || is_test);
        let mut found = match ways {
            0 if rest == 0 && !part.must_continue => attempt(Kind::End, 0, none, 0),
            1 => {
                let after = part.inside(rest, decision, part.places);
                attempt(Kind::Step, 0, Some((vec![after], 0)), 0)
            }
            _ if is_latch => attempt(Kind::Latch, test, none, 0),
            _ => None,
        };
        let mut splits: Vec<(Kind, u32, Vec<Set>)> = Vec::new();
        if ways == 2 || is_test {
            // Of the two arms one has the first node.
            let others = subsets(decision & (decision - 1)).filter(|&other| other != 0);
            splits.extend(others.map(|other| (Kind::If, test, vec![decision & !other, other])));
        }
        if ways > 2 {
            let arms = nodes(decision).map(|node| 1 << node);
            splits.push((Kind::Switch, test, arms.collect()));
        }
        if part.blocks != 0 {
            splits.extend([Kind::Breakable, Kind::Once].map(|kind| (kind, 1, vec![part.entry])));
        }
        for (kind, cost, arms) in splits.into_iter().filter(|(_, cost, _)| *cost <= most) {
            for merge in part.merges(rest, most - cost) {
                found = found.or_else(|| {
                    let parts = part.select(graph, kind, &arms, merge);
                    attempt(kind, cost, parts, merge)
                });
            }
        }
        // A header of more nodes than the entry: some invocations come back to others.
        let extra = if most > 0 {
            part.blocks & !part.entry
        } else {
            0
        };
        for more in subsets(extra).filter(|_| part.blocks != 0) {
            let header = part.entry | more;
            let sources = nodes(part.blocks).filter(|&n| graph.succs(1 << n) & header != 0);
            // Each of several loops with one header has a separate block that continues.
            if sources.count() <= usize::from(part.loops) {
                continue;
            }
            let Some(spare) = most.checked_sub(u32::from(header.count_ones() > 1)) else {
                continue;
            };
            for merge in part.merges(part.blocks & !header, spare) {
                for continues in part.continues(graph, header, merge, spare) {
                    found = found.or_else(|| {
                        let parts = part.loop_parts(graph, header, merge, continues);
                        attempt(Kind::Loop, 0, parts, merge)
                    });
                }
            }
        }
        found
    }
}
