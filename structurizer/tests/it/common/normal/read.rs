//! Source programs and trees as lists, before they get their normal form.

use structurizer_testkit::generate::{Program, Shape, Statement};
use trellis_structurizer::ir::{Block, InstKind, ValueKind};
use trellis_structurizer::tree::{Kind, TestOf, Tree};

use super::{Case, Item, List, To, completes, redirect};

/// Returns the list of a program, before [`normal`].
pub(crate) fn of_program(program: &Program, shape: &Shape, sites: &[usize]) -> List {
    let mut reader = Reader {
        shape,
        sites,
        at: 0,
        number: 0,
        breaks: Vec::new(),
        loops: Vec::new(),
    };
    // The entry block.
    let mut list = vec![Item::Code(0)];
    list.extend(reader.list(&program.body));
    list
}

struct Reader<'a> {
    shape: &'a Shape,
    sites: &'a [usize],
    at: usize,
    number: usize,
    /// Loops and switches around; of a loop whether its continue part is a block to leave.
    breaks: Vec<usize>,
    /// Targets of `continue`, by loop.
    loops: Vec<To>,
}

impl Reader<'_> {
    fn list(&mut self, statements: &[Statement]) -> List {
        let mut list = Vec::new();
        for statement in statements {
            let site = self.sites[self.at];
            self.at += 1;
            let label = (site != usize::MAX && !self.shape.empty[site]).then_some(site as u32);
            self.number += 1;
            let id = self.number;
            list.push(match statement {
                Statement::Code => Item::Code(site as u32),
                Statement::If(then, else_) => Item::If(label, self.list(then), self.list(else_)),
                Statement::Loop(body) => Item::Loop(id, self.body(id, To::Next(id), body)),
                Statement::DoWhile(body) => {
                    self.number += 1;
                    let part = self.number;
                    let body = self.body(id, To::After(part), body);
                    let repeat = Item::If(label, Vec::new(), vec![Item::Jump(To::After(id))]);
                    Item::Loop(
                        id,
                        vec![Item::Block(part, body), Item::Code(site as u32), repeat],
                    )
                }
                Statement::Switch(cases) => {
                    self.breaks.push(id);
                    let mut read = Vec::new();
                    for case in cases {
                        read.push(Case {
                            literals: case.literals.clone(),
                            default: case.literals.is_empty(),
                            body: self.list(&case.body),
                            falls: case.falls,
                        });
                    }
                    self.breaks.pop();
                    Item::Switch(id, label, read)
                }
                Statement::Break(level) => {
                    Item::Jump(To::After(self.breaks[self.breaks.len() - *level as usize]))
                }
                Statement::Continue(level) => {
                    Item::Jump(self.loops[self.loops.len() - *level as usize])
                }
                Statement::Return => Item::Jump(To::Return),
                Statement::Kill => Item::Jump(To::Kill),
            });
            if matches!(
                statement,
                Statement::Break(_) | Statement::Continue(_) | Statement::Return | Statement::Kill
            ) {
                break;
            }
        }
        list
    }

    fn body(&mut self, id: usize, next: To, body: &[Statement]) -> List {
        self.breaks.push(id);
        self.loops.push(next);
        let body = self.list(body);
        self.loops.pop();
        self.breaks.pop();
        body
    }
}

/// Returns the list of a tree, before [`normal`].
pub(crate) fn of_tree(tree: &Tree<'_>, func: &trellis_structurizer::ir::Function) -> List {
    let mut list = Vec::new();
    let mut at = 0;
    while at < tree.nodes().len() {
        read_node(tree, func, at, &mut list);
        at = tree.nodes()[at].end as usize;
    }
    list
}

fn part_of(header: Block) -> usize {
    header.as_u32() as usize * 2 + 1
}

fn number_of(header: Block) -> usize {
    header.as_u32() as usize * 2
}

fn read_list(tree: &Tree<'_>, func: &trellis_structurizer::ir::Function, node: usize) -> List {
    let mut list = Vec::new();
    for child in tree.children(node) {
        read_node(tree, func, child, &mut list);
    }
    list
}

/// Returns the payload of the instruction that computes a condition.
fn condition_of(
    func: &trellis_structurizer::ir::Function,
    value: trellis_structurizer::ir::Value,
) -> Option<u32> {
    match func.value_kind(value) {
        ValueKind::Result { inst, .. } => match func.inst_kind(inst) {
            InstKind::Client(payload) => Some(payload),
            InstKind::SelectorTest { .. } | InstKind::Select => None,
        },
        _ => None,
    }
}

fn read_node(
    tree: &Tree<'_>,
    func: &trellis_structurizer::ir::Function,
    node: usize,
    list: &mut List,
) {
    match tree.nodes()[node].kind {
        Kind::Block(block) => {
            for inst in func.insts(block) {
                if let InstKind::Client(payload) = func.inst_kind(inst) {
                    list.push(Item::Code(payload));
                }
            }
        }
        Kind::If { condition, .. } => {
            let mut arms = tree.children(node).map(|arm| read_list(tree, func, arm));
            let (mut a, mut b) = (
                arms.next().unwrap_or_default(),
                arms.next().unwrap_or_default(),
            );
            if condition.negated {
                std::mem::swap(&mut a, &mut b);
            }
            let TestOf::Value(value) = condition.test else {
                panic!("a selector:\n{tree}")
            };
            list.push(Item::If(condition_of(func, value), a, b));
        }
        Kind::Loop { header, .. } => {
            let mut parts = tree.children(node).map(|part| read_list(tree, func, part));
            let mut body = vec![Item::Block(
                part_of(header),
                parts.next().unwrap_or_default(),
            )];
            body.extend(parts.next().unwrap_or_default());
            list.push(Item::Loop(number_of(header), body));
        }
        Kind::Switch { header, value } => {
            let mut cases = Vec::new();
            for case in tree.children(node) {
                let kind = tree.nodes()[case].kind;
                let Kind::Case { default, .. } = kind else {
                    panic!("a switch has cases only")
                };
                let mut body = read_list(tree, func, case);
                // Explicit, since a fall-through is.
                redirect(&mut body, To::Fall(usize::MAX), To::Fall(number_of(header)));
                if completes(&body) {
                    body.push(Item::Jump(To::After(number_of(header))));
                }
                cases.push(Case {
                    literals: tree.literals(kind).to_vec(),
                    default,
                    body,
                    ..Case::default()
                });
            }
            list.push(Item::Switch(
                number_of(header),
                condition_of(func, value),
                cases,
            ));
        }
        Kind::Break(header) => list.push(Item::Jump(To::After(number_of(header)))),
        Kind::Continue(header) => list.push(Item::Jump(To::After(part_of(header)))),
        // Its switch is the innermost one, which takes it.
        Kind::FallThrough(_) => list.push(Item::Jump(To::Fall(usize::MAX))),
        Kind::Return(_) => list.push(Item::Jump(To::Return)),
        Kind::Kill | Kind::Exit(_) => list.push(Item::Jump(To::Kill)),
        Kind::Unreachable => list.push(Item::Jump(To::Unreachable)),
        Kind::Goto(_) => panic!("a goto:\n{tree}"),
        Kind::Then | Kind::Else | Kind::Body | Kind::ContinuePart | Kind::Case { .. } => {
            panic!("a part without its whole")
        }
    }
}
