//! Smaller programs that keep a property.

use super::{Argument, Condition, Returns, Source, Statement};

/// Returns a program that has a property, as the given one has, and of which no single part can be
/// left out without losing it. It tries at most so many programs.
pub fn shrink(source: Source, mut tries: usize, keeps: &mut dyn FnMut(&Source) -> bool) -> Source {
    let mut best = source;
    loop {
        let smaller = variants(&best).into_iter().find(|candidate| {
            let is_smaller = size(candidate) < size(&best);
            if !is_smaller || tries == 0 {
                return false;
            }
            tries -= 1;
            is_valid(&candidate.body, 0, 0) && keeps(candidate)
        });
        match smaller {
            Some(source) => best = source,
            None => return best,
        }
    }
}

/// Returns a measure that each variant lowers.
pub fn size(source: &Source) -> usize {
    list_size(&source.body) + usize::from(source.returns == Returns::Numbers)
}

fn list_size(list: &[Statement]) -> usize {
    list.iter()
        .map(|statement| match statement {
            Statement::Call(_, Argument::Constant) => 2,
            Statement::Call(_, Argument::Choose(c)) => 3 + condition_size(c),
            Statement::If(c, a, b) => 2 + condition_size(c) + list_size(a) + list_size(b),
            Statement::While(c, body) | Statement::DoWhile(body, c) => {
                3 + condition_size(c) + list_size(body)
            }
            Statement::Loop(body) => 3 + list_size(body),
            Statement::Switch(_, cases) => {
                3 + cases
                    .iter()
                    .map(|case| {
                        2 + case.literals.len() + usize::from(case.falls) + list_size(&case.body)
                    })
                    .sum::<usize>()
            }
            Statement::Break(level) | Statement::Continue(level) => 1 + level,
            Statement::Return => 1,
        })
        .sum()
}

fn condition_size(condition: &Condition) -> usize {
    match condition {
        Condition::Test(_) => 1,
        Condition::Not(a) => 1 + condition_size(a),
        Condition::And(a, b) | Condition::Or(a, b) => 1 + condition_size(a) + condition_size(b),
        Condition::Choose(a, b, c) => 1 + condition_size(a) + condition_size(b) + condition_size(c),
    }
}

/// Returns whether jumps have targets, nothing follows a jump, and no switch has two defaults.
fn is_valid(list: &[Statement], breakable: usize, loops: usize) -> bool {
    list.iter().enumerate().all(|(index, statement)| {
        (!statement.jumps() || index + 1 == list.len())
            && match statement {
                Statement::Call(..) | Statement::Return => true,
                Statement::If(_, a, b) => {
                    is_valid(a, breakable, loops) && is_valid(b, breakable, loops)
                }
                Statement::While(_, body) | Statement::DoWhile(body, _) | Statement::Loop(body) => {
                    is_valid(body, breakable + 1, loops + 1)
                }
                Statement::Switch(_, cases) => cases
                    .iter()
                    .all(|case| is_valid(&case.body, breakable + 1, loops)),
                Statement::Break(level) => *level <= breakable,
                Statement::Continue(level) => *level <= loops,
            }
    })
}

fn variants(source: &Source) -> Vec<Source> {
    let mut all: Vec<Source> = lists(&source.body)
        .into_iter()
        .map(|body| Source {
            body,
            ..source.clone()
        })
        .collect();
    all.push(Source {
        returns: Returns::Nothing,
        ..source.clone()
    });
    all
}

/// Returns the lists with one change.
fn lists(list: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    let with = |index: usize, what: &[Statement]| {
        let mut copy = list.to_vec();
        copy.splice(index..=index, what.iter().cloned());
        copy
    };
    for index in 0..list.len() {
        all.push(with(index, &[]));
    }
    for (index, statement) in list.iter().enumerate() {
        for replacement in statements(statement) {
            all.push(with(index, &replacement));
        }
    }
    all
}

/// Returns what may replace a statement.
fn statements(statement: &Statement) -> Vec<Vec<Statement>> {
    let mut all: Vec<Vec<Statement>> = Vec::new();
    match statement {
        Statement::Call(id, Argument::Choose(c)) => {
            all.push(vec![Statement::Call(*id, Argument::Constant)]);
            for c in conditions(c) {
                all.push(vec![Statement::Call(*id, Argument::Choose(c))]);
            }
        }
        Statement::Call(..) | Statement::Return => {}
        Statement::If(c, a, b) => {
            all.extend([a.clone(), b.clone()]);
            let new = |c: &Condition, a: &[Statement], b: &[Statement]| {
                vec![Statement::If(c.clone(), a.to_vec(), b.to_vec())]
            };
            all.extend(lists(a).iter().map(|a| new(c, a, b)));
            all.extend(lists(b).iter().map(|b| new(c, a, b)));
            all.extend(conditions(c).iter().map(|c| new(c, a, b)));
        }
        Statement::While(c, body) => {
            all.push(body.clone());
            all.push(vec![Statement::Loop(body.clone())]);
            let new = |c: &Condition, body: &[Statement]| {
                vec![Statement::While(c.clone(), body.to_vec())]
            };
            all.extend(lists(body).iter().map(|body| new(c, body)));
            all.extend(conditions(c).iter().map(|c| new(c, body)));
        }
        Statement::DoWhile(body, c) => {
            all.push(body.clone());
            all.push(vec![Statement::Loop(body.clone())]);
            let new = |body: &[Statement], c: &Condition| {
                vec![Statement::DoWhile(body.to_vec(), c.clone())]
            };
            all.extend(lists(body).iter().map(|body| new(body, c)));
            all.extend(conditions(c).iter().map(|c| new(body, c)));
        }
        Statement::Loop(body) => {
            all.push(body.clone());
            all.extend(
                lists(body)
                    .into_iter()
                    .map(|body| vec![Statement::Loop(body)]),
            );
        }
        Statement::Switch(test, cases) => {
            all.extend(cases.iter().map(|case| case.body.clone()));
            for index in 0..cases.len() {
                let mut copy = cases.clone();
                let removed = copy.remove(index);
                if removed.falls || index == 0 || !cases[index - 1].falls || index < copy.len() {
                    all.push(vec![Statement::Switch(*test, copy)]);
                }
                for body in lists(&cases[index].body) {
                    let mut copy = cases.clone();
                    copy[index].body = body;
                    all.push(vec![Statement::Switch(*test, copy)]);
                }
                if cases[index].falls {
                    let mut copy = cases.clone();
                    copy[index].falls = false;
                    all.push(vec![Statement::Switch(*test, copy)]);
                }
                if cases[index].literals.len() > 1 {
                    let mut copy = cases.clone();
                    copy[index].literals.pop();
                    all.push(vec![Statement::Switch(*test, copy)]);
                }
            }
        }
        Statement::Break(level) if *level > 1 => all.push(vec![Statement::Break(level - 1)]),
        Statement::Continue(level) if *level > 1 => all.push(vec![Statement::Continue(level - 1)]),
        Statement::Break(_) | Statement::Continue(_) => {}
    }
    all
}

fn conditions(condition: &Condition) -> Vec<Condition> {
    let mut all = Vec::new();
    let boxed = |c: Condition| Box::new(c);
    match condition {
        Condition::Test(_) => {}
        Condition::Not(a) => {
            all.push((**a).clone());
            all.extend(conditions(a).into_iter().map(|a| Condition::Not(boxed(a))));
        }
        Condition::And(a, b) | Condition::Or(a, b) => {
            all.extend([(**a).clone(), (**b).clone()]);
            let new = |a: Condition, b: Condition| match condition {
                Condition::And(..) => Condition::And(boxed(a), boxed(b)),
                _ => Condition::Or(boxed(a), boxed(b)),
            };
            all.extend(conditions(a).into_iter().map(|a| new(a, (**b).clone())));
            all.extend(conditions(b).into_iter().map(|b| new((**a).clone(), b)));
        }
        Condition::Choose(a, b, c) => {
            all.extend([(**a).clone(), (**b).clone(), (**c).clone()]);
            let and = Condition::And(a.clone(), b.clone());
            all.extend([and, Condition::Or(a.clone(), c.clone())]);
        }
    }
    all
}
