//! The flow of a program's calls, with known facts about its conditions.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use structurizer_testkit::flow::{Flow, Loop};
use trellis_structurizer::ir::{Block, Function, Inst, Terminator, Type, Value, ValueKind};
use trellis_structurizer::tree::{Kind, Tree};

use crate::evaluate::{compute, constant};
use crate::program::{Op, Program, truncate, width};

/// The most states of a function: a block, and the known conditions there.
const STATES: usize = 20_000;

/// The constants that conditions are known to have.
type Known = BTreeMap<Value, u64>;

/// Returns the flow of a function, with the loops of a tree; none if it has too many states.
pub fn flow(program: &Program, func: &Function, tree: Option<&Tree<'_>>) -> Option<Flow> {
    let entry = func.entry()?;
    let reader = Reader {
        program,
        func,
        live: live(program, func),
    };
    let mut flow = Flow::default();
    let mut states: HashMap<(Block, Known), usize> = HashMap::new();
    let mut of_block: BTreeMap<Block, Vec<std::ops::Range<usize>>> = BTreeMap::new();
    let mut work = vec![(entry, Known::new())];
    let mut edges: Vec<(usize, (Block, Known))> = Vec::new();
    while let Some(state) = work.pop() {
        if states.contains_key(&state) {
            continue;
        }
        if states.len() >= STATES {
            return None;
        }
        let (block, known) = state.clone();
        let mut calls = vec![None];
        calls.extend(
            func.insts(block)
                .filter_map(|inst| reader.call(inst))
                .map(Some),
        );
        let nodes = flow.chain(&calls);
        let last = nodes.end - 1;
        states.insert(state, nodes.start);
        of_block.entry(block).or_default().push(nodes);
        flow.returns[last] = matches!(func.terminator(block), Some(Terminator::Return(_)));
        for to in reader.targets(block, &known) {
            let next = (to, reader.pass(block, to, &known));
            edges.push((last, next.clone()));
            work.push(next);
        }
    }
    for (from, to) in edges {
        let to = states[&to];
        if !flow.successors[from].contains(&to) {
            flow.successors[from].push(to);
        }
    }
    if let Some(tree) = tree {
        let nodes = tree.nodes();
        for (index, node) in nodes.iter().enumerate() {
            let Kind::Loop { header, .. } = node.kind else {
                continue;
            };
            let members = nodes[index..node.end as usize]
                .iter()
                .filter_map(|node| match node.kind {
                    Kind::Block(block) => of_block.get(&block),
                    _ => None,
                })
                .flatten()
                .flat_map(Clone::clone)
                .collect();
            let heads = of_block.get(&header).into_iter().flatten();
            flow.loops.push(Loop {
                heads: heads.map(|nodes| nodes.start).collect(),
                members,
            });
        }
    }
    Some(flow)
}

struct Reader<'a> {
    program: &'a Program,
    func: &'a Function,
    /// The phis of each block and of others that conditions after it may depend on.
    live: Vec<BTreeSet<Value>>,
}

impl Reader<'_> {
    fn call(&self, inst: Inst) -> Option<u32> {
        match self.program.op(self.func, inst) {
            Some(Op::Call(id)) => Some(*id),
            _ => None,
        }
    }

    /// Returns a value that is known.
    fn get(&self, value: Value, known: &Known) -> Option<u64> {
        match self.func.value_kind(value) {
            ValueKind::Phi(_) => known.get(&value).copied(),
            ValueKind::Result { inst, .. } => {
                let uses = self.func.uses(inst);
                let operand = |index: usize| self.get(*uses.get(index)?, known);
                let result = compute(self.program, self.func, inst, &operand)?;
                let width = width(self.func.value_type(value)).unwrap_or(64);
                Some(truncate(result, width))
            }
            _ => constant(self.program, self.func, value),
        }
    }

    fn targets(&self, block: Block, known: &Known) -> Vec<Block> {
        let mut targets = match self.func.terminator(block) {
            Some(Terminator::CondBranch {
                cond, then, else_, ..
            }) => match self.get(cond, known) {
                Some(0) => vec![else_],
                Some(_) => vec![then],
                None => vec![then, else_],
            },
            Some(Terminator::Switch {
                value,
                default,
                cases,
                ..
            }) => {
                let cases = self.func.cases(cases);
                match self.get(value, known) {
                    Some(literal) => vec![
                        cases
                            .iter()
                            .find(|case| case.literal == literal)
                            .map_or(default, |case| case.target),
                    ],
                    None => std::iter::once(default)
                        .chain(cases.iter().map(|case| case.target))
                        .collect(),
                }
            }
            // The second edge of a break branch is never taken.
            Some(Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. }) => vec![to],
            _ => Vec::new(),
        };
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Returns the known conditions after an edge.
    fn pass(&self, from: Block, to: Block, known: &Known) -> Known {
        let live = &self.live[to.as_u32() as usize];
        let mut next: Known = known
            .iter()
            .filter(|(value, _)| live.contains(value))
            .map(|(value, number)| (*value, *number))
            .collect();
        for phi in self.func.phis(to).filter(|phi| live.contains(phi)) {
            next.remove(&phi);
            let operand = self
                .func
                .phi_operands(phi)
                .find(|operand| operand.pred == from);
            if let Some(number) = operand.and_then(|operand| self.get(operand.value, known)) {
                next.insert(phi, number);
            }
        }
        next
    }
}

/// Returns the phis on which conditions after each block's start depend, its own included.
fn live(program: &Program, func: &Function) -> Vec<BTreeSet<Value>> {
    let mut live: Vec<BTreeSet<Value>> = vec![BTreeSet::new(); func.num_blocks()];
    let closure = |value: Value, out: &mut BTreeSet<Value>| {
        let mut stack = vec![value];
        let mut seen = BTreeSet::new();
        while let Some(value) = stack.pop() {
            if !seen.insert(value) {
                continue;
            }
            match func.value_kind(value) {
                ValueKind::Phi(_) => {
                    let ty = func.value_type(value);
                    if ty == Type::SELECTOR || width(ty).is_some() {
                        out.insert(value);
                    }
                }
                ValueKind::Result { inst, .. }
                    if program.op(func, inst).is_none_or(|op| !op.has_effect()) =>
                {
                    stack.extend(func.uses(inst));
                }
                _ => {}
            }
        }
    };
    let ends: Vec<BTreeSet<Value>> = func
        .blocks()
        .map(|block| {
            let mut own = BTreeSet::new();
            if let Some(
                Terminator::CondBranch { cond: value, .. } | Terminator::Switch { value, .. },
            ) = func.terminator(block)
            {
                closure(value, &mut own);
            }
            own
        })
        .collect();
    let blocks: Vec<Block> = func.blocks().collect();
    loop {
        let mut changed = false;
        for &block in blocks.iter().rev() {
            let mut all = ends[block.as_u32() as usize].clone();
            for to in func.successors(block) {
                let own: BTreeSet<Value> = func.phis(to).collect();
                let after = live[to.as_u32() as usize].clone();
                all.extend(after.difference(&own));
                for &phi in after.intersection(&own) {
                    for operand in func.phi_operands(phi).filter(|o| o.pred == block) {
                        closure(operand.value, &mut all);
                    }
                }
            }
            let index = block.as_u32() as usize;
            if all.len() > live[index].len() {
                live[index] = all;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

#[cfg(test)]
mod tests {
    use structurizer_testkit::flow::{Shape, difference};

    use crate::source::lower::Graph;
    use crate::source::{Argument, Condition, Returns, Source, Statement, Tests};

    fn call(id: u32) -> Statement {
        Statement::Call(id, Argument::Constant)
    }

    fn test(id: u32) -> Condition {
        Condition::Test(id)
    }

    fn not(a: Condition) -> Condition {
        Condition::Not(Box::new(a))
    }

    fn shape(body: Vec<Statement>) -> Shape {
        let source = Source {
            body,
            tests: Tests::Calls,
            returns: Returns::Nothing,
        };
        Graph::of(&source).flow().shape()
    }

    fn assert_same(a: Vec<Statement>, b: Vec<Statement>) {
        let (a, b) = (shape(a), shape(b));
        assert_eq!(difference(&a, &b), None);
    }

    fn assert_differs(a: Vec<Statement>, b: Vec<Statement>, what: &str) {
        let (a, b) = (shape(a), shape(b));
        let text = difference(&a, &b).unwrap_or_default();
        assert!(text.contains(what), "{text}");
    }

    #[test]
    fn rewrites_of_optimizers_keep_the_normal_form() {
        use Statement::{Break, DoWhile, If, Loop, While};
        // Swapped arms, and code after an arm that leaves.
        assert_same(
            vec![If(test(0), vec![call(1)], vec![call(2)])],
            vec![If(not(test(0)), vec![call(2)], vec![call(1)])],
        );
        assert_same(
            vec![If(test(0), vec![call(1)], vec![call(2)])],
            vec![
                If(test(0), vec![call(1), Statement::Return], vec![]),
                call(2),
            ],
        );
        // Rotation and peeling.
        assert_same(
            vec![While(test(0), vec![call(1)]), call(2)],
            vec![
                If(test(0), vec![DoWhile(vec![call(1)], test(0))], vec![]),
                call(2),
            ],
        );
        assert_same(
            vec![DoWhile(vec![call(1)], test(0))],
            vec![
                call(1),
                If(test(0), vec![DoWhile(vec![call(1)], test(0))], vec![]),
            ],
        );
        // An exit path in its loop, and after it.
        let leave = |inside: Vec<Statement>| {
            let mut exit = inside;
            exit.push(Break(1));
            vec![If(test(0), exit, vec![]), call(1)]
        };
        assert_same(
            vec![Loop(leave(vec![call(2)]))],
            vec![Loop(leave(vec![])), call(2)],
        );
        // Common code of two arms.
        assert_same(
            vec![If(test(0), vec![call(1), call(3)], vec![call(2), call(3)])],
            vec![If(test(0), vec![call(1)], vec![call(2)]), call(3)],
        );
        // Nested ifs and `&&`.
        let and = Condition::And(Box::new(test(0)), Box::new(test(1)));
        assert_same(
            vec![If(and, vec![call(1)], vec![])],
            vec![If(
                test(0),
                vec![If(test(1), vec![call(1)], vec![])],
                vec![],
            )],
        );
    }

    #[test]
    fn other_programs_have_another_normal_form() {
        use Statement::{Break, If, Loop, While};
        // Order.
        assert_differs(
            vec![call(1), call(2)],
            vec![call(2), call(1)],
            "missing paths: 1 -> 2",
        );
        // An arm that runs behind a guard, which does not exclude the other one.
        assert_differs(
            vec![If(test(0), vec![call(1)], vec![call(2)])],
            vec![
                If(test(0), vec![call(1)], vec![]),
                If(test(1), vec![call(2)], vec![]),
            ],
            "1 -> test 1",
        );
        // A call inside and after a loop.
        assert_differs(
            vec![While(test(0), vec![call(1)]), call(2)],
            vec![While(test(0), vec![call(1), call(2)])],
            "paths that the source does not have: 1 -> 2, 2 -> test 0",
        );
        // A loop that runs once.
        assert_differs(
            vec![Loop(vec![call(1), If(test(0), vec![Break(1)], vec![])])],
            vec![call(1), If(test(0), vec![], vec![])],
            "missing loops: [\"1\", \"test 0\"]",
        );
        // Nested loops, and one with `continue`: the paths are the same.
        let exit = || If(test(0), vec![Break(1)], vec![]);
        assert_differs(
            vec![Loop(vec![Loop(vec![call(1), exit()]), call(2)])],
            vec![Loop(vec![call(1), If(test(0), vec![call(2)], vec![])])],
            "missing loops: [\"1\", \"test 0\"]",
        );
        // A break to the wrong loop.
        assert_differs(
            vec![Loop(vec![Loop(vec![call(1), exit()]), call(2)])],
            vec![Loop(vec![
                Loop(vec![call(1), If(test(0), vec![Break(2)], vec![])]),
                call(2),
            ])],
            "missing paths",
        );
    }
}
