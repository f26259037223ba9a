//! The search against the structurizer and the verifier: what it finds is a structured program, and
//! what the structurizer finds is found.

use std::fmt::Write;

use super::graph::Set;
use super::search::{BREAKS, CONTINUES, Choice, LATCH, LEAVES, NEXT, Part, Search, Split};
use super::{Digraph, all_graphs, cost_of, function, least_cost};
use crate::generate::{End, Program, ProgramOptions, Rng};
use trellis_structurizer::ir::{Block, Function};
use trellis_structurizer::text::parse_structured;
use trellis_structurizer::verify::verify;
use trellis_structurizer::{Options, Structured, Tree, structurize};

/// Graphs of few blocks, and every 40th of those of five.
fn graphs() -> impl Iterator<Item = Digraph> {
    let all = (1..=4).flat_map(|blocks| all_graphs(blocks, 3));
    let some = all_graphs(5, 3).into_iter().step_by(40);
    all.chain(some)
}

/// The blocks that the places of a part are.
type Labels = [usize; 5];

/// Writes the program that a search found: each node is an instruction whose payload is its number.
struct Writer<'a> {
    search: &'a Search<'a>,
    text: String,
    labels: usize,
}

impl Writer<'_> {
    fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    /// Writes a block: its node, and lines in which `%` is the condition.
    fn write(&mut self, label: usize, node: Option<usize>, end: &str) {
        let condition = node.map_or("%test".to_owned(), |node| format!("%n{node}"));
        let inst = node.map_or(String::new(), |node| {
            format!("%n{node}:1 = op {node} side\n")
        });
        let end = end.replace('%', &condition);
        writeln!(self.text, "L{label}:\n{inst}{end}").unwrap();
    }

    fn place(part: &Part, set: Set, labels: Labels) -> usize {
        let places = [NEXT, LEAVES, CONTINUES, BREAKS];
        let found = places.into_iter().find(|&i| set & !part.places[i] == 0);
        labels[found.unwrap()]
    }

    fn sequence(&mut self, mut part: Part, at: usize, labels: Labels) {
        let graph = self.search.graph;
        part.normalize(graph);
        if part.leaves_at_once() {
            let to = Self::place(&part, part.entry, labels);
            return self.write(at, None, &format!("br L{to}"));
        }
        let choice = self.search.choice(&part).unwrap();
        let parts = part.parts(graph, choice).unwrap();
        let node = (!part.is_test()).then(|| part.entry.trailing_zeros() as usize);
        let m = self.label();
        let mut inside = labels;
        inside[NEXT] = m;
        // The merge of a construct, and the number of the sequence after it.
        let (merge, after) = match choice {
            Choice::Leave => unreachable!("{part:?}"),
            Choice::End => return self.write(at, node, "ret"),
            Choice::Step => {
                self.write(at, node, &format!("br L{m}"));
                return self.sequence(parts[0], m, labels);
            }
            Choice::Latch => {
                let end = format!("if % L{} L{}", labels[NEXT], labels[LATCH]);
                return self.write(at, node, &end);
            }
            Choice::Select { split, merge } => {
                if !matches!(split, Split::If(_)) {
                    inside[LEAVES] = m;
                }
                let after = match split {
                    Split::If(_) => 2,
                    Split::Switch => part.decision(graph).count_ones() as usize,
                    Split::Breakable => 1,
                };
                self.arms(&parts[..after], (at, node, split), inside);
                (merge, after)
            }
            Choice::Loop {
                header,
                merge,
                continues,
            } => {
                let [body, c] = [self.label(), self.label()];
                self.write(at, None, &format!("loop L{m} L{c}\nbr L{body}"));
                (inside[NEXT], inside[BREAKS], inside[CONTINUES]) = (c, m, c);
                self.sequence(parts[0], body, inside);
                (inside[NEXT], inside[LATCH]) = (at, m);
                if continues == header {
                    self.write(c, None, &format!("br L{at}"));
                } else {
                    self.sequence(parts[1], c, inside);
                }
                (merge, 1 + usize::from(continues != header))
            }
        };
        match parts.get(after) {
            Some(&part) => self.sequence(part, m, labels),
            None if merge == 0 => self.write(m, None, "ret"),
            None => {
                let to = Self::place(&part, merge, labels);
                self.write(m, None, &format!("br L{to}"));
            }
        }
    }

    fn arms(
        &mut self,
        parts: &[Part],
        (at, node, split): (usize, Option<usize>, Split),
        inside: Labels,
    ) {
        // Each case before the one that it falls through to.
        let falls = |case: &Part| Part::falls(parts, case);
        let is_start = |case: &&Part| !parts.iter().any(|other| falls(other) == Some(*case));
        let order: Vec<&Part> = { parts.iter().filter(is_start) }
            .flat_map(|first| std::iter::successors(Some(first), |case| falls(case)))
            .collect();
        let labels: Vec<usize> = order.iter().map(|_| self.label()).collect();
        let first = labels[0];
        let (node, end) = match split {
            Split::If(_) => (node, format!("if % L{first} L{}", labels[1])),
            Split::Breakable => (None, format!("switch % L{first}")),
            Split::Switch => {
                let cases = labels.iter().map(|label| format!(" {label}=L{label}"));
                let last = labels.last().unwrap();
                (
                    node,
                    format!("switch % L{last}{}", cases.collect::<String>()),
                )
            }
        };
        let m = inside[NEXT];
        self.write(at, node, &format!("merge L{m}\n{end}"));
        for (i, case) in order.into_iter().enumerate() {
            let mut inside = inside;
            inside[NEXT] = falls(case).map_or(m, |_| labels[i + 1]);
            self.sequence(*case, labels[i], inside);
        }
    }
}

/// Returns the program of a search.
fn lower(search: &Search<'_>) -> Structured {
    let mut writer = Writer {
        search,
        // No block leads to the entry of a function.
        text: "%test = const 0 : 1\nL0:\nbr L1\n".to_owned(),
        labels: 1,
    };
    writer.sequence(Part::of(search.graph), 1, [0; 5]);
    parse_structured(&writer.text).unwrap()
}

/// Returns whether each node is in one block, from which each of its successors is reached through
/// blocks without instructions.
fn has(program: &Structured, graph: &Digraph) -> bool {
    let func = &program.func;
    let node_of = |func: &Function, block| func.insts(block).find_map(|inst| func.payload(inst));
    let all = |node: usize| {
        let blocks = program.order.iter().copied();
        blocks.filter(move |&block| node_of(func, block) == Some(node as u32))
    };
    (0..graph.len()).all(|node| {
        let mut reached: Set = 0;
        let mut seen = std::collections::BTreeSet::new();
        let mut pending: Vec<Block> = all(node).flat_map(|block| func.successors(block)).collect();
        while let Some(block) = pending.pop() {
            if let Some(node) = node_of(func, block) {
                reached |= 1 << node;
            } else if seen.insert(block) {
                pending.extend(func.successors(block));
            }
        }
        all(node).count() == 1 && graph.succs(node) & !reached == 0
    })
}

#[test]
fn the_optimum_is_a_structured_program() {
    let mut count = 0;
    for graph in graphs() {
        for variant in graph.variants() {
            let mut search = Search::new(&variant);
            let root = Part::of(&variant);
            let Some(cost) = (0..5).find_map(|bound| search.cost(root, bound)) else {
                continue;
            };
            let program = lower(&search);
            let result = verify(&program);
            let tree = Tree::of(&program);
            assert!(result.is_ok(), "{variant:?} {cost}\n{tree}{result:?}");
            assert!(has(&program, &variant), "{variant:?}\n{tree}");
            count += 1;
        }
    }
    assert!(count > 2000, "{count}");
}

#[test]
fn nothing_is_better_than_the_optimum() {
    for graph in graphs() {
        let after = structurize(function(&graph), &Options::default()).unwrap();
        let cost = cost_of(&after, &graph);
        let found = least_cost(&graph, cost);
        assert!(found.is_some(), "{graph:?}: {cost}");
    }
}

#[test]
fn structured_programs_need_no_tests() {
    let mut count = 0;
    for seed in 0..20_000 {
        let options = ProgramOptions {
            statements: 4 + (seed % 5) as usize,
            ..ProgramOptions::default()
        };
        let shape = Program::random(&mut Rng::new(seed), &options).lower();
        let Some(graph) = Digraph::of(&shape).filter(|g| g.len() <= 9) else {
            continue;
        };
        // A graph's branch to two blocks is no switch, which could be left.
        let ends = shape.ends.iter().enumerate();
        let mut switches = ends.filter(|(_, end)| matches!(end, End::Switch(..)));
        if switches.any(|(block, _)| graph.succs(block).count_ones() < 3) {
            continue;
        }
        if graph.reach(1, graph.all()) == graph.all() {
            assert!(least_cost(&graph, 0).is_some(), "seed {seed}: {graph:?}");
            count += 1;
        }
    }
    assert!(count > 1000, "{count}");
}
