//! The program that a search found, as blocks: the tests hold it against the rules of the
//! specification.

use trellis_entity::EntityRef;
use trellis_structurizer::verify::{BlockEnd, BlockMerge, Cfg, CfgError, Position, verify_cfg};

use super::graph::{Digraph, Set, nodes};
use super::search::Search;
use super::state::{Choice, State};

/// A block that may not have been written yet.
type Label = usize;

/// Where the places of a state are.
#[derive(Clone, Copy, Default)]
struct Labels {
    next: Label,
    breaks: Label,
    continues: Label,
    leaves: Label,
    latch: Label,
}

struct Written {
    label: Label,
    /// The node that the block runs; none for empty blocks and tests.
    node: Option<usize>,
    end: BlockEnd,
    /// The merge block, and the continue target.
    merge: Option<(Label, Option<Label>)>,
    targets: Vec<Label>,
}

pub(super) struct Lowered {
    blocks: Vec<Written>,
    labels: usize,
    /// What could not be written.
    pub(super) problem: Option<&'static str>,
}

/// Writes the program of a state whose cost was found.
pub(super) fn lower(search: &mut Search<'_>, root: State) -> Lowered {
    let mut lowered = Lowered {
        blocks: Vec::new(),
        labels: 1,
        problem: None,
    };
    // No block leads to the entry of a function.
    let [entry, first] = [lowered.label(), lowered.label()];
    lowered.branch(entry, first);
    lowered.sequence(search, root, first, Labels::default());
    lowered
}

impl Lowered {
    fn label(&mut self) -> Label {
        self.labels += 1;
        self.labels - 1
    }

    fn write(&mut self, label: Label, node: Option<usize>, end: BlockEnd, targets: Vec<Label>) {
        self.blocks.push(Written {
            label,
            node,
            end,
            merge: None,
            targets,
        });
    }

    fn branch(&mut self, label: Label, to: Label) {
        self.write(label, None, BlockEnd::Branch, vec![to]);
    }

    fn header(&mut self, merge: Label, continue_target: Option<Label>) {
        if let Some(block) = self.blocks.last_mut() {
            block.merge = Some((merge, continue_target));
        }
    }

    fn place(&mut self, state: &State, set: Set, labels: Labels) -> Label {
        let places = [
            (state.next, labels.next),
            (state.leaves, labels.leaves),
            (state.continues, labels.continues),
            (state.breaks, labels.breaks),
        ];
        let found = places.iter().find(|(place, _)| set & !place == 0);
        if found.is_none() {
            self.problem = Some("a place that cannot be left to");
        }
        found.map_or(0, |(_, label)| *label)
    }

    /// Writes what follows a construct.
    fn after(
        &mut self,
        search: &mut Search<'_>,
        state: &State,
        part: Option<State>,
        (merge, label): (Set, Label),
        labels: Labels,
    ) {
        match part {
            Some(part) => self.sequence(search, part, label, labels),
            None if merge == 0 => self.write(label, None, BlockEnd::Exit, Vec::new()),
            None => {
                let to = self.place(state, merge, labels);
                self.branch(label, to);
            }
        }
    }

    fn sequence(&mut self, search: &mut Search<'_>, state: State, at: Label, labels: Labels) {
        let mut state = state;
        state.normalize(search.graph);
        if state.leaves_at_once() {
            let to = self.place(&state, state.entry, labels);
            return self.branch(at, to);
        }
        let choice = search.choice(state);
        let Some((choice, parts)) = choice.zip(choice.and_then(|c| state.parts(search.graph, c)))
        else {
            self.problem = Some("a state without a choice");
            return;
        };
        let states = parts.states();
        let node = (!state.is_test()).then(|| state.entry.trailing_zeros() as usize);
        match choice {
            Choice::Leave => self.problem = Some("a place that cannot be left to"),
            Choice::End => self.write(at, node, BlockEnd::Exit, Vec::new()),
            Choice::Step => {
                let next = self.label();
                self.write(at, node, BlockEnd::Branch, vec![next]);
                self.sequence(search, states[0], next, labels);
            }
            Choice::Latch => {
                let targets = vec![labels.next, labels.latch];
                self.write(at, node, BlockEnd::Conditional, targets);
            }
            Choice::If { merge, .. } => {
                let [a, b, m] = [self.label(), self.label(), self.label()];
                self.write(at, node, BlockEnd::Conditional, vec![a, b]);
                self.header(m, None);
                let inside = Labels { next: m, ..labels };
                self.sequence(search, states[0], a, inside);
                self.sequence(search, states[1], b, inside);
                self.after(search, &state, states.get(2).copied(), (merge, m), labels);
            }
            Choice::Switch { merge } => self.switch(search, state, at, merge, labels),
            Choice::Breakable { merge } => {
                let [body, m] = [self.label(), self.label()];
                self.write(at, None, BlockEnd::Switch, vec![body]);
                self.header(m, None);
                let inside = Labels {
                    next: m,
                    leaves: m,
                    ..labels
                };
                self.sequence(search, states[0], body, inside);
                self.after(search, &state, states.get(1).copied(), (merge, m), labels);
            }
            Choice::Loop {
                header,
                merge,
                continues,
            } => {
                let [body, c, m] = [self.label(), self.label(), self.label()];
                self.write(at, None, BlockEnd::Branch, vec![body]);
                self.header(m, Some(c));
                let inside = Labels {
                    next: c,
                    breaks: m,
                    continues: c,
                    ..labels
                };
                self.sequence(search, states[0], body, inside);
                let mut rest = &states[1..];
                if continues == header {
                    self.branch(c, at);
                } else {
                    let inside = Labels {
                        next: at,
                        latch: m,
                        ..labels
                    };
                    self.sequence(search, rest[0], c, inside);
                    rest = &rest[1..];
                }
                self.after(search, &state, rest.first().copied(), (merge, m), labels);
            }
        }
    }

    fn switch(
        &mut self,
        search: &mut Search<'_>,
        state: State,
        at: Label,
        merge: Set,
        labels: Labels,
    ) {
        let graph = search.graph;
        let Some(parts) = state.parts(graph, Choice::Switch { merge }) else {
            return;
        };
        let decision = state.decision(graph);
        let cases = decision & state.rest() & !merge;
        let mut states = parts.states().to_vec();
        let part = (states.len() > cases.count_ones() as usize)
            .then(|| states.pop())
            .flatten();
        let m = self.label();
        let inside = Labels {
            next: m,
            leaves: m,
            ..labels
        };
        let mut targets = Vec::new();
        let mut away = Vec::new();
        for node in nodes(decision & !cases) {
            if merge >> node & 1 != 0 {
                targets.push(m);
            } else {
                let label = self.label();
                targets.push(label);
                away.push((label, node));
            }
        }
        targets.sort_unstable();
        targets.dedup();
        // Each case before the one that it falls through to.
        let falls = |s: &State| if s.next == merge { 0 } else { s.next };
        let mut order: Vec<State> = Vec::new();
        let is_start = |s: &&State| !states.iter().any(|other| falls(other) == s.entry);
        for first in states.iter().filter(is_start) {
            let mut next = Some(*first);
            while let Some(case) = next {
                order.push(case);
                next = states.iter().find(|s| s.entry == falls(&case)).copied();
            }
        }
        let case_labels: Vec<Label> = order.iter().map(|_| self.label()).collect();
        targets.extend(&case_labels);
        let default = targets.last().copied().unwrap_or(m);
        targets.insert(0, default);
        let node = (!state.is_test()).then(|| state.entry.trailing_zeros() as usize);
        self.write(at, node, BlockEnd::Switch, targets);
        self.header(m, None);
        for (label, node) in away {
            let to = self.place(
                &State {
                    next: merge,
                    leaves: merge,
                    ..state
                },
                1 << node,
                inside,
            );
            self.branch(label, to);
        }
        for (i, &case) in order.iter().enumerate() {
            let next = if falls(&case) == 0 {
                m
            } else {
                case_labels.get(i + 1).copied().unwrap_or(m)
            };
            self.sequence(search, case, case_labels[i], Labels { next, ..inside });
        }
        self.after(search, &state, part, (merge, m), labels);
    }

    fn position(&self, label: Label) -> Position {
        let found = self.blocks.iter().position(|block| block.label == label);
        Position::new(found.unwrap_or(self.blocks.len()))
    }

    /// Verifies the blocks.
    pub(super) fn verify(&self) -> Result<(), CfgError> {
        let mut cfg = Cfg::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let merge = match block.merge {
                None => BlockMerge::None,
                Some((merge, None)) => BlockMerge::Selection {
                    merge: self.position(merge),
                },
                Some((merge, Some(continue_target))) => BlockMerge::Loop {
                    merge: self.position(merge),
                    continue_target: self.position(continue_target),
                },
            };
            let targets = block.targets.iter().map(|&label| self.position(label));
            cfg.add_block(block.end, merge, targets);
        }
        verify_cfg(&cfg)
    }

    /// Returns whether each node is in one block, from which each of its successors is reached
    /// through empty blocks and tests.
    pub(super) fn has(&self, graph: &Digraph) -> bool {
        let of = |node: usize| self.blocks.iter().filter(move |b| b.node == Some(node));
        (0..graph.len()).all(|node| {
            let Some(block) = of(node).next() else {
                return false;
            };
            let mut reached: Set = 0;
            let mut seen = vec![false; self.blocks.len()];
            let mut pending = block.targets.clone();
            while let Some(label) = pending.pop() {
                let Some(i) = self.blocks.iter().position(|b| b.label == label) else {
                    return false;
                };
                if let Some(node) = self.blocks[i].node {
                    reached |= 1 << node;
                } else if !std::mem::replace(&mut seen[i], true) {
                    pending.extend(&self.blocks[i].targets);
                }
            }
            of(node).count() == 1 && graph.succs(node) & !reached == 0
        })
    }
}
