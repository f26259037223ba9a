//! The program that a search found, as a structured function: to be printed, and for the tests, which
//! hold it against the rules of the specification.

use std::fmt::Write;

use trellis_structurizer::Structured;
use trellis_structurizer::text::parse_structured;

use super::graph::{Set, nodes};
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

struct Writer<'a, 'b> {
    search: &'a Search<'b>,
    text: String,
    labels: usize,
}

/// Returns the program of a state whose cost was found: each node is an instruction whose payload is
/// its number.
///
/// # Errors
/// What could not be written.
pub(super) fn lower(search: &Search<'_>, root: State) -> Result<Structured, String> {
    // No block leads to the entry of a function.
    let text = "%test = const 0 : 1\nL0:\nbr L1\n".to_owned();
    let mut writer = Writer {
        search,
        text,
        labels: 2,
    };
    writer.sequence(root, 1, Labels::default())?;
    parse_structured(&writer.text).map_err(|error| error.to_string())
}

impl Writer<'_, '_> {
    fn label(&mut self) -> Label {
        self.labels += 1;
        self.labels - 1
    }

    /// Writes a block: its node, and lines in which `%` is the condition.
    fn write(&mut self, label: Label, node: Option<usize>, end: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "L{label}:");
        if let Some(node) = node {
            let _ = writeln!(self.text, "%n{node}:1 = op {node} side");
        }
        let condition = node.map_or("%test".to_owned(), |node| format!("%n{node}"));
        let _ = writeln!(self.text, "{}", end.replace('%', &condition));
    }

    fn branch(&mut self, label: Label, to: Label) {
        self.write(label, None, &format!("br L{to}"));
    }

    fn place(state: &State, set: Set, labels: Labels) -> Result<Label, String> {
        let places = [
            (state.next, labels.next),
            (state.leaves, labels.leaves),
            (state.continues, labels.continues),
            (state.breaks, labels.breaks),
        ];
        let found = places.iter().find(|(place, _)| set & !place == 0);
        Ok(found.ok_or("a place that cannot be left to")?.1)
    }

    fn sequence(&mut self, mut state: State, at: Label, labels: Labels) -> Result<(), String> {
        let graph = self.search.graph;
        state.normalize(graph);
        if state.leaves_at_once() {
            let to = Self::place(&state, state.entry, labels)?;
            self.branch(at, to);
            return Ok(());
        }
        let choice = self
            .search
            .choice(state)
            .ok_or("a state without a choice")?;
        let parts = state.parts(graph, choice).ok_or("an impossible choice")?;
        let states = parts.states();
        let node = (!state.is_test()).then(|| state.entry.trailing_zeros() as usize);
        // The merge of a construct, its label, and the sequence after it.
        let (merge, m, after) = match choice {
            Choice::Leave => return Err("a place that cannot be left to".to_owned()),
            Choice::End => {
                self.write(at, node, "ret");
                return Ok(());
            }
            Choice::Step => {
                let next = self.label();
                self.write(at, node, &format!("br L{next}"));
                return self.sequence(states[0], next, labels);
            }
            Choice::Latch => {
                self.write(
                    at,
                    node,
                    &format!("if % L{} L{}", labels.next, labels.latch),
                );
                return Ok(());
            }
            Choice::If { merge, .. } => {
                let [a, b, m] = [self.label(), self.label(), self.label()];
                self.write(at, node, &format!("merge L{m}\nif % L{a} L{b}"));
                let inside = Labels { next: m, ..labels };
                self.sequence(states[0], a, inside)?;
                self.sequence(states[1], b, inside)?;
                (merge, m, states.get(2))
            }
            Choice::Switch { merge } => {
                let m = self.label();
                let decision = state.decision(graph);
                let cases = decision & state.rest() & !merge;
                let count = cases.count_ones() as usize;
                self.switch(
                    state,
                    &states[..count],
                    (at, node),
                    (decision, merge, m),
                    labels,
                )?;
                (merge, m, states.get(count))
            }
            Choice::Breakable { merge } => {
                let [body, m] = [self.label(), self.label()];
                self.write(at, None, &format!("merge L{m}\nswitch % L{body}"));
                let inside = Labels {
                    next: m,
                    leaves: m,
                    ..labels
                };
                self.sequence(states[0], body, inside)?;
                (merge, m, states.get(1))
            }
            Choice::Loop {
                header,
                merge,
                continues,
            } => {
                let [body, c, m] = [self.label(), self.label(), self.label()];
                self.write(at, None, &format!("loop L{m} L{c}\nbr L{body}"));
                let inside = Labels {
                    next: c,
                    breaks: m,
                    continues: c,
                    ..labels
                };
                self.sequence(states[0], body, inside)?;
                if continues == header {
                    self.branch(c, at);
                    (merge, m, states.get(1))
                } else {
                    let inside = Labels {
                        next: at,
                        latch: m,
                        ..labels
                    };
                    self.sequence(states[1], c, inside)?;
                    (merge, m, states.get(2))
                }
            }
        };
        match after {
            Some(&part) => self.sequence(part, m, labels)?,
            None if merge == 0 => self.write(m, None, "ret"),
            None => {
                let to = Self::place(&state, merge, labels)?;
                self.branch(m, to);
            }
        }
        Ok(())
    }

    fn switch(
        &mut self,
        state: State,
        cases: &[State],
        (at, node): (Label, Option<usize>),
        (decision, merge, m): (Set, Set, Label),
        labels: Labels,
    ) -> Result<(), String> {
        let inside = Labels {
            next: m,
            leaves: m,
            ..labels
        };
        let mut targets = Vec::new();
        let mut away = Vec::new();
        let entries = cases.iter().fold(0, |set, case| set | case.entry);
        for node in nodes(decision & !entries) {
            if merge >> node & 1 != 0 {
                targets.push(m);
            } else {
                let label = self.label();
                targets.push(label);
                away.push((label, node));
            }
        }
        // Each case before the one that it falls through to.
        let falls = |s: &State| if s.next == merge { 0 } else { s.next };
        let mut order: Vec<State> = Vec::new();
        let is_start = |s: &&State| !cases.iter().any(|other| falls(other) == s.entry);
        for first in cases.iter().filter(is_start) {
            let mut next = Some(*first);
            while let Some(case) = next {
                order.push(case);
                next = cases.iter().find(|s| s.entry == falls(&case)).copied();
            }
        }
        let case_labels: Vec<Label> = order.iter().map(|_| self.label()).collect();
        targets.extend(&case_labels);
        let mut end = format!("merge L{m}\nswitch % L{}", targets.last().unwrap_or(&m));
        for (literal, target) in targets.iter().enumerate() {
            let _ = write!(end, " {literal}=L{target}");
        }
        self.write(at, node, &end);
        let leaving = State {
            next: merge,
            leaves: merge,
            ..state
        };
        for (label, node) in away {
            let to = Self::place(&leaving, 1 << node, inside)?;
            self.branch(label, to);
        }
        for (i, &case) in order.iter().enumerate() {
            let next = match falls(&case) {
                0 => m,
                _ => case_labels.get(i + 1).copied().unwrap_or(m),
            };
            self.sequence(case, case_labels[i], Labels { next, ..inside })?;
        }
        Ok(())
    }
}
