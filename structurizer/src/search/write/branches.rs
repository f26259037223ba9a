//! Branches, switches and tests of a program.

use alloc::vec::Vec;

use super::{Decided, Empty, Label, Labels, Set, Start, State, Task, Writer};
use crate::ir::{Block, SelectionHint, Terminator};
use crate::plan::blocks::{Ending, OutEdge, OutSwitchData, SwitchTarget};
use crate::search::graph::nodes;

impl Writer<'_> {
    /// Ends a block that decides between two sets of nodes, and leads to two labels for them. Two
    /// edges do not lead to one block.
    pub(super) fn decide(
        &mut self,
        block: Block,
        state: &State,
        arms: [Set; 2],
        mut to: [Label; 2],
    ) -> Option<()> {
        let is_same = to[0] == to[1];
        let between = self.label();
        let second = to[1];
        if is_same {
            to[1] = between;
        }
        if state.is_test() {
            let edges = [0, 1].map(|i| (arms[i], self.edge(block, None, to[i])));
            self.decided.push(Decided {
                block,
                arms: edges.to_vec(),
                is_switch: false,
            });
            self.end(block, Ending::Test);
            if is_same {
                let between = self.fresh_at(between);
                self.branch(between, None, second);
            }
            return Some(());
        }
        let node = state.entry.trailing_zeros() as usize;
        let origin = self.chains.last(node);
        let Terminator::CondBranch {
            cond, then, else_, ..
        } = self.func.term(origin)
        else {
            return None;
        };
        let mut edges = Vec::new();
        for target in [then, else_] {
            let target = self.chains.node(target)?;
            let arm = usize::from(arms[0] >> target & 1 == 0);
            if arm == 1 && is_same {
                edges.push(self.edge(block, None, between));
                let between = self.fresh_at(between);
                self.branch(between, Some((origin, target)), second);
            } else {
                edges.push(self.edge(block, Some((origin, target)), to[arm]));
            }
        }
        let ending = Ending::Conditional {
            cond,
            then: edges[0],
            otherwise: edges[1],
        };
        self.end(block, ending);
        Some(())
    }

    /// Returns the hint of the branch that a sequence begins with.
    pub(super) fn hint(&self, state: &State) -> SelectionHint {
        if state.is_test() {
            return SelectionHint::None;
        }
        let node = state.entry.trailing_zeros() as usize;
        match self.func.term(self.chains.last(node)) {
            Terminator::CondBranch { hint, .. } | Terminator::Switch { hint, .. } => hint,
            _ => SelectionHint::None,
        }
    }

    pub(super) fn selection(
        &mut self,
        start: Start,
        arms: [Set; 2],
        merge: Set,
        parts: &[State],
    ) -> Option<()> {
        let Start { state, labels, .. } = start;
        let mut states = [parts[0], parts[1]];
        for arm in &mut states {
            arm.normalize(self.search.cx.graph);
        }
        let part = parts.get(2).copied();
        let is_exit = states.map(|arm| {
            let is_in = |place: Set| arm.entry & !place == 0;
            arm.blocks == 0
                && (part.is_none() || !is_in(merge))
                && (is_in(arm.breaks) || is_in(arm.continues) || is_in(arm.leaves))
        });
        let is_if = !is_exit[0] && !is_exit[1];
        let block = self.decider(start, is_if);
        let m = if is_if || part.is_some() {
            self.label()
        } else if merge != 0 {
            Self::place(&state, merge, labels)?
        } else {
            Label::default()
        };
        if is_if {
            let hint = self.hint(&state);
            self.selection_header(block, m, hint);
            self.after(&state, part, (merge, m), labels)?;
        } else if let Some(part) = part {
            self.sequence_at(part, m, labels);
        }
        let inside = Labels {
            next: m,
            is_next_case: labels.is_next_case && m == labels.next,
            ..labels
        };
        // The first arm is written first.
        let mut to = [Label::default(); 2];
        for i in [1, 0] {
            to[i] = if is_exit[i] {
                let exits = State {
                    next: 0,
                    ..states[i]
                };
                Self::place(&exits, exits.entry, labels)?
            } else {
                self.enter(states[i], inside)?
            };
            if inside.is_next_case && to[i] == m {
                to[i] = self.label();
                self.tasks.push(Task::Empty(Empty {
                    at: to[i],
                    to: Some(m),
                    otherwise: None,
                }));
            }
        }
        self.decide(block, &state, arms, to)
    }

    pub(super) fn switch(&mut self, start: Start, merge: Set, mut parts: Vec<State>) -> Option<()> {
        let Start { state, labels, .. } = start;
        let graph = self.search.cx.graph;
        let cases = state.cases(self.search.cx, merge)?;
        let part = (parts.len() > cases.nodes.count_ones() as usize)
            .then(|| parts.pop())
            .flatten();
        let block = self.decider(start, true);
        let m = self.label();
        let hint = self.hint(&state);
        self.selection_header(block, m, hint);
        self.after(&state, part, (merge, m), labels)?;
        let inside = Labels {
            next: m,
            is_next_case: false,
            leaves: m,
            ..labels
        };
        // Each case before the one that it falls through to.
        let mut order: Vec<State> = Vec::new();
        let falls = |state: &State| cases.falls[state.entry.trailing_zeros() as usize];
        let is_start = |s: &&State| !parts.iter().any(|other| falls(other) == s.entry);
        for first in parts.iter().filter(is_start) {
            let mut next = Some(*first);
            while let Some(case) = next {
                order.push(case);
                next = parts.iter().find(|s| s.entry == falls(&case)).copied();
            }
        }
        let own: Vec<Label> = order.iter().map(|_| self.label()).collect();
        for (i, &case) in order.iter().enumerate().rev() {
            let is_next_case = falls(&case) != 0;
            let next = if is_next_case { *own.get(i + 1)? } else { m };
            let labels = Labels {
                next,
                is_next_case,
                ..inside
            };
            self.start(case, own[i], labels, true);
        }
        let origin =
            (!state.is_test()).then(|| self.chains.last(state.entry.trailing_zeros() as usize));
        let mut ways: Vec<(usize, Set, OutEdge)> = Vec::new();
        let mut merges = 0;
        for (rank, (case, &to)) in order.iter().zip(&own).enumerate() {
            let target = case.entry.trailing_zeros() as usize;
            let edge = self.edge(block, origin.map(|origin| (origin, target)), to);
            ways.push((rank, case.entry, edge));
        }
        let exits = State {
            next: merge,
            leaves: merge,
            ..state
        };
        let decision = state.decision(graph);
        for target in nodes(decision & !cases.nodes) {
            let carries = origin.map(|origin| (origin, target));
            let is_merge = merge >> target & 1 != 0;
            if is_merge && origin.is_none() {
                merges |= 1 << target;
            } else if is_merge && merges == 0 {
                merges |= 1 << target;
                let edge = self.edge(block, carries, m);
                ways.push((own.len() + target, 1 << target, edge));
            } else {
                let to = Self::place(&exits, 1 << target, inside)?;
                let between = self.label();
                let edge = self.edge(block, None, between);
                ways.push((own.len() + target, 1 << target, edge));
                let between = self.fresh_at(between);
                self.branch(between, carries, to);
            }
        }
        if origin.is_none() && merges != 0 {
            let edge = self.edge(block, None, m);
            ways.push((own.len(), merges, edge));
        }
        match origin {
            Some(origin) => self.end_switch(block, origin, &ways),
            None => {
                self.decided.push(Decided {
                    block,
                    arms: ways.into_iter().map(|way| (way.1, way.2)).collect(),
                    is_switch: true,
                });
                self.end(block, Ending::SelectorSwitch);
                Some(())
            }
        }
    }

    /// Ends a block in a switch of the input.
    pub(super) fn end_switch(
        &mut self,
        block: Block,
        origin: Block,
        ways: &[(usize, Set, OutEdge)],
    ) -> Option<()> {
        let Terminator::Switch {
            value,
            default,
            cases,
            hint,
        } = self.func.term(origin)
        else {
            return None;
        };
        let chains = self.chains;
        let targets = ways.iter().map(|&(rank, target, edge)| SwitchTarget {
            original: chains.first(target.trailing_zeros() as usize),
            edge,
            rank,
        });
        let switch = OutSwitchData {
            value,
            default,
            cases,
            hint,
            targets: (0, 0),
        };
        let switch = self.out.add_switch(switch, targets);
        self.end(block, Ending::Switch(switch));
        Some(())
    }
}
