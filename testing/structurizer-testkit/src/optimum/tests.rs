//! The search against the structurizer and the verifier: its results are structured programs, and
//! it finds the structurizer's results, too.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::graph::{Set, nodes};
use super::search::{BREAKS, CONTINUES, Kind, LATCH, LEAVES, NEXT, Part, Search};
use super::{Digraph, all_graphs, cost_of, function, least_cost};
use crate::generate::{End, Program, ProgramOptions, Rng};
use trellis_structurizer::ir::{Block, Function};
use trellis_structurizer::text::parse_structured;
use trellis_structurizer::verify::verify;
use trellis_structurizer::{Options, Structured, Tree, structurize};

/// Graphs of few blocks, and every 12th with five.
fn graphs() -> impl Iterator<Item = Digraph> {
    let all = (1..=4).flat_map(|blocks| all_graphs(blocks, 3));
    let some = all_graphs(5, 3).into_iter().step_by(12);
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

    /// Writes a block that leaves to a place.
    fn leave(&mut self, at: usize, part: &Part, set: Set, labels: Labels) {
        let places = [NEXT, LEAVES, CONTINUES, BREAKS];
        let found = places.into_iter().find(|&i| set & !part.places[i] == 0);
        self.write(at, None, &format!("br L{}", labels[found.unwrap()]));
    }

    fn sequence(&mut self, part: Part, at: usize, labels: Labels) {
        let part = part.normal(self.search.graph);
        let choice = self.search.choice(&part).unwrap();
        let node = (!part.is_test()).then(|| part.entry.trailing_zeros() as usize);
        let (inside, after) = choice.parts.split_at(choice.inside);
        let m = self.label();
        let mut places = labels;
        places[NEXT] = m;
        match choice.kind {
            Kind::Leave => return self.leave(at, &part, part.entry, labels),
            Kind::End => return self.write(at, node, "ret"),
            Kind::Step => self.write(at, node, &format!("br L{m}")),
            Kind::Latch => {
                let end = format!("if % L{} L{}", labels[NEXT], labels[LATCH]);
                return self.write(at, node, &end);
            }
            Kind::Loop | Kind::Once => {
                let [body, c] = [self.label(), self.label()];
                self.write(at, None, &format!("loop L{m} L{c}\nbr L{body}"));
                (places[BREAKS], places[CONTINUES]) = (m, c);
                if choice.kind == Kind::Loop {
                    places[NEXT] = c;
                }
                self.sequence(inside[0], body, places);
                (places[NEXT], places[LATCH]) = (at, m);
                match inside.get(1) {
                    Some(&latch) => self.sequence(latch, c, places),
                    None => self.write(c, None, &format!("br L{at}")),
                }
            }
            Kind::If => self.arms(inside, (at, node, choice.kind), places),
            Kind::Switch | Kind::Breakable => {
                places[LEAVES] = m;
                self.arms(inside, (at, node, choice.kind), places);
            }
        }
        match after.first() {
            Some(&after) => self.sequence(after, m, labels),
            // Nothing arrives there, but an end would leave the continue construct.
            None if choice.merge == 0 && part.must_continue => {
                self.write(m, None, &format!("br L{}", labels[NEXT]));
            }
            None if choice.merge == 0 => self.write(m, None, "ret"),
            None => self.leave(m, &part, choice.merge, labels),
        }
    }

    fn arms(
        &mut self,
        parts: &[Part],
        (at, node, kind): (usize, Option<usize>, Kind),
        places: Labels,
    ) {
        // Each case before the case that it falls through to.
        let falls = |case: &Part| Part::falls(parts, case);
        let is_start = |case: &&Part| !parts.iter().any(|other| falls(other) == Some(*case));
        let order: Vec<&Part> = { parts.iter().filter(is_start) }
            .flat_map(|first| std::iter::successors(Some(first), |case| falls(case)))
            .collect();
        let labels: Vec<usize> = order.iter().map(|_| self.label()).collect();
        let (first, last) = (labels[0], labels[labels.len() - 1]);
        let (node, end) = match kind {
            Kind::If => (node, format!("if % L{first} L{last}")),
            Kind::Breakable => (None, format!("switch % L{first}")),
            _ => {
                let cases = labels.iter().map(|label| format!(" {label}=L{label}"));
                (
                    node,
                    format!("switch % L{last}{}", cases.collect::<String>()),
                )
            }
        };
        let m = places[NEXT];
        self.write(at, node, &format!("merge L{m}\n{end}"));
        for (i, case) in order.into_iter().enumerate() {
            let mut places = places;
            places[NEXT] = falls(case).map_or(m, |_| labels[i + 1]);
            self.sequence(*case, labels[i], places);
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
    nodes(graph.all()).all(|node| {
        let is_node = |block: &Block| node_of(func, *block) == Some(node as u32);
        let all: Vec<Block> = { program.order.iter().copied() }.filter(is_node).collect();
        let (mut reached, mut seen): (Set, _) = (0, BTreeSet::new());
        let mut pending: Vec<Block> = { all.iter() }.flat_map(|&b| func.successors(b)).collect();
        while let Some(block) = pending.pop() {
            match node_of(func, block) {
                Some(node) => reached |= 1 << node,
                None if seen.insert(block) => pending.extend(func.successors(block)),
                None => {}
            }
        }
        all.len() == 1 && graph.succs(1 << node) & !reached == 0
    })
}

#[test]
fn the_optimum_is_a_structured_program() {
    let mut count = 0;
    for graph in graphs() {
        let mut search = Search::new(&graph);
        let root = Part::of(&graph);
        let Some(cost) = (0..5).find_map(|bound| search.cost(root, bound)) else {
            continue;
        };
        let program = lower(&search);
        let result = verify(&program);
        let tree = Tree::of(&program);
        assert!(result.is_ok(), "{graph:?} {cost}\n{tree}{result:?}");
        assert!(has(&program, &graph), "{graph:?}\n{tree}");
        count += 1;
    }
    assert!(count > 2000, "{count}");
}

#[test]
fn nothing_is_better_than_the_optimum() {
    for graph in graphs() {
        let after = structurize(function(&graph), &Options::default()).unwrap();
        let cost = cost_of(&after, graph.num_nodes());
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
        if shape.len() > 9 {
            continue;
        }
        let graph = Digraph::of(&shape);
        // A graph's branch to two blocks is no switch, which could be left.
        let ends = shape.ends.iter().enumerate();
        let mut switches = ends.filter(|(_, end)| matches!(end, End::Switch(..)));
        if switches.any(|(block, _)| graph.succs(1 << block).count_ones() < 3) {
            continue;
        }
        if graph.reach(1, graph.all()) == graph.all() {
            assert!(least_cost(&graph, 0).is_some(), "seed {seed}: {graph:?}");
            count += 1;
        }
    }
    assert!(count > 1000, "{count}");
}
