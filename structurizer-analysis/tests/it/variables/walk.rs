//! An interpreter of a tree with variables: control flow as a printed program has it.

use trellis_structurizer::ir::{Block, Terminator};
use trellis_structurizer::tree::{Kind, TestOf};
use trellis_structurizer::{Merge, Structured, Tree};
use trellis_structurizer_analysis::Variables;

use super::interpret::{Event, FUEL, KILL, RETURN, State};

/// How control leaves a sequence.
#[derive(PartialEq)]
enum Exit {
    /// At its end.
    End,
    Break(Block),
    Continue(Block),
    FallThrough(Block),
    /// The run is over.
    Stop,
}

struct Walker<'a> {
    structured: &'a Structured,
    variables: &'a Variables,
    tree: Tree<'a>,
    state: State<'a>,
    fuel: usize,
}

/// Runs the tree of a structured function.
pub(crate) fn run(structured: &Structured, variables: &Variables, seed: u64) -> Vec<Event> {
    let mut walker = Walker {
        structured,
        variables,
        tree: Tree::of(structured),
        state: State::new(&structured.func, Some(variables), seed),
        fuel: FUEL,
    };
    let end = walker.tree.nodes().len();
    walker.sequence(0, end);
    walker.state.events
}

impl Walker<'_> {
    fn sequence(&mut self, mut at: usize, end: usize) -> Exit {
        while at < end {
            let exit = self.node(at);
            if exit != Exit::End {
                return exit;
            }
            at = self.tree.nodes()[at].end as usize;
        }
        Exit::End
    }

    fn inside(&mut self, node: usize) -> Exit {
        self.sequence(node + 1, self.tree.nodes()[node].end as usize)
    }

    fn node(&mut self, at: usize) -> Exit {
        let children: Vec<usize> = self.tree.children(at).collect();
        match self.tree.nodes()[at].kind {
            Kind::Block(block) => {
                if self.fuel == 0 {
                    return Exit::Stop;
                }
                self.fuel -= 1;
                self.state.block(block);
                Exit::End
            }
            kind @ Kind::If { header, condition } => {
                let holds = match condition.test {
                    TestOf::Value(value) => self.state.decide(value),
                    TestOf::Selector {
                        selector,
                        op,
                        constant,
                    } => self.state.compare(selector, op, constant),
                };
                let Some(holds) = holds else {
                    return Exit::Stop;
                };
                let is_first = holds != condition.negated;
                let (first, second) = self.variables.on_arms(&self.tree, kind);
                self.state.assign(if is_first { first } else { second });
                let arm = children.get(usize::from(!is_first)).copied();
                match arm.map_or(Exit::End, |arm| self.inside(arm)) {
                    Exit::Break(of) if of == header && !self.is_loop(header) => Exit::End,
                    exit => exit,
                }
            }
            Kind::Loop { header, .. } => loop {
                for &part in &children {
                    match self.inside(part) {
                        Exit::End => {}
                        Exit::Continue(of) if of == header => {}
                        Exit::Break(of) if of == header => return Exit::End,
                        exit => return exit,
                    }
                }
            },
            Kind::Switch { header, .. } => self.switch(header, &children),
            Kind::Break(header) => Exit::Break(header),
            Kind::Continue(header) => Exit::Continue(header),
            Kind::FallThrough(to) => Exit::FallThrough(to),
            Kind::Return(value) => {
                self.state.end(RETURN, value);
                Exit::Stop
            }
            Kind::Kill | Kind::Exit(_) | Kind::Unreachable => {
                self.state.end(KILL, None);
                Exit::Stop
            }
            kind => panic!("{kind:?}"),
        }
    }

    fn is_loop(&self, header: Block) -> bool {
        matches!(self.structured.merges[header], Merge::Loop { .. })
    }

    fn switch(&mut self, header: Block, cases: &[usize]) -> Exit {
        let func = &self.structured.func;
        let Some(Terminator::Switch {
            value,
            default,
            cases: all,
            ..
        }) = func.terminator(header)
        else {
            panic!("{header} is not a switch")
        };
        // Only default cases run where one target decides nothing.
        let is_block = func.cases(all).iter().all(|case| case.target == default);
        let literal = self.state.literal(value);
        if literal.is_none() && !is_block {
            return Exit::Stop;
        }
        let kind = |tree: &Tree<'_>, case: usize| tree.nodes()[case].kind;
        let has = |case: &usize| {
            let literals = self.tree.literals(kind(&self.tree, *case));
            literal.is_some_and(|literal| literals.contains(&literal))
        };
        let is_default =
            |case: &usize| matches!(kind(&self.tree, *case), Kind::Case { default: true, .. });
        let first = cases
            .iter()
            .position(has)
            .or(cases.iter().position(is_default));
        let mut next = first.unwrap_or(cases.len());
        while let Some(&case) = cases.get(next) {
            next += 1;
            match self.inside(case) {
                Exit::FallThrough(to) => assert!(
                    cases.get(next).is_some_and(|&next| {
                        matches!(kind(&self.tree, next), Kind::Case { target, .. } if target == to)
                    }),
                    "{to} is not the next case"
                ),
                Exit::Break(of) if of == header => return Exit::End,
                exit => return exit,
            }
        }
        Exit::End
    }
}
