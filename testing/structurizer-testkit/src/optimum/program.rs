//! Pseudo-code of the program that a search found.

use std::fmt::Write;

use super::graph::{Set, nodes};
use super::search::Search;
use super::state::{Choice, State};

/// Returns the program of a state whose cost was found. `blocks` is the number of blocks of the
/// input: further nodes are joins.
pub(super) fn print(search: &mut Search<'_>, state: State, blocks: usize) -> String {
    let mut printer = Printer {
        search,
        blocks,
        text: String::new(),
    };
    printer.sequence(state, 0);
    printer.text
}

struct Printer<'a, 'b> {
    search: &'a mut Search<'b>,
    blocks: usize,
    text: String,
}

impl Printer<'_, '_> {
    fn name(&self, node: usize) -> String {
        match node.checked_sub(self.blocks) {
            None => format!("b{node}"),
            Some(join) => format!("join{join}"),
        }
    }

    fn names(&self, set: Set) -> String {
        let names: Vec<String> = nodes(set).map(|node| self.name(node)).collect();
        match &names[..] {
            [] => "nothing".to_owned(),
            [name] => name.clone(),
            _ => format!("{{{}}}", names.join(", ")),
        }
    }

    fn line(&mut self, depth: usize, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:1$}{line}", "", depth * 4);
    }

    /// Prints a sequence. Recurses over the nesting, which graphs of few nodes bound.
    fn sequence(&mut self, mut state: State, depth: usize) {
        state.normalize(self.search.graph);
        let leaves = state.blocks == 0 && state.leaves_at_once();
        if leaves || state.blocks | state.entry == 0 {
            let is_next = state.entry & !state.next == 0;
            if !is_next {
                let to = self.names(state.entry);
                let how = if state.entry & !state.leaves == 0 {
                    "break"
                } else if state.entry & !state.continues == 0 {
                    "continue"
                } else {
                    "break loop"
                };
                self.line(depth, &format!("{how} // to {to}"));
            }
            return;
        }
        let Some(choice) = self.search.choice(state) else {
            self.line(depth, "?");
            return;
        };
        let Some(parts) = state.parts(self.search.graph, choice) else {
            self.line(depth, "?");
            return;
        };
        let states = parts.states();
        let what = self.names(state.entry);
        let first = if state.is_test() {
            format!("test {what}")
        } else {
            what.clone()
        };
        match choice {
            Choice::Leave => {}
            Choice::End => self.line(depth, &format!("{what}; return")),
            Choice::Step => {
                self.line(depth, &what);
                self.sequence(states[0], depth);
            }
            Choice::Latch => {
                let merge = self.names(state.latch);
                self.line(
                    depth,
                    &format!("{first}; if (...) break loop // to {merge}"),
                );
            }
            Choice::If { arms, .. } => {
                self.line(
                    depth,
                    &format!("if ({first}) {{ // {}", self.names(arms[0])),
                );
                self.sequence(states[0], depth + 1);
                self.line(depth, &format!("}} else {{ // {}", self.names(arms[1])));
                self.sequence(states[1], depth + 1);
                self.line(depth, "}");
                if let Some(&after) = states.get(2) {
                    self.sequence(after, depth);
                }
            }
            Choice::Switch { merge } => {
                self.line(depth, &format!("switch ({first}) {{"));
                for &part in states {
                    if part.leaves == merge && part.latch == 0 && part.entry != merge {
                        self.line(depth, &format!("case {}:", self.names(part.entry)));
                        self.sequence(part, depth + 1);
                    }
                }
                self.line(depth, "}");
                if let Some(&after) = states.last().filter(|s| s.entry == merge) {
                    self.sequence(after, depth);
                }
            }
            Choice::Breakable { .. } => {
                self.line(depth, "block {");
                self.sequence(states[0], depth + 1);
                self.line(depth, "}");
                if let Some(&after) = states.get(1) {
                    self.sequence(after, depth);
                }
            }
            Choice::Loop {
                header, continues, ..
            } => {
                self.line(depth, "loop {");
                self.sequence(states[0], depth + 1);
                let mut rest = &states[1..];
                if continues != header {
                    self.line(
                        depth,
                        &format!("}} continue {{ // {}", self.names(continues)),
                    );
                    self.sequence(states[1], depth + 1);
                    rest = &states[2..];
                }
                self.line(depth, "}");
                if let Some(&after) = rest.first() {
                    self.sequence(after, depth);
                }
            }
        }
    }
}
