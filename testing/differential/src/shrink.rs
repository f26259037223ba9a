//! Makes a program smaller while something about it stays: greedily, one edit of the syntax tree
//! after the other.

use crate::levels;
use crate::program::*;

/// Returns the smallest program found with at most `tests` calls of `keeps`. Only programs that are
/// defined are tested.
pub fn shrink(program: Program, tests: usize, keeps: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program;
    let mut tested = 0;
    loop {
        let (mut index, mut smaller_found) = (0, false);
        while let Some(smaller) = edit(&best, index) {
            if smaller == best || levels::check(&smaller).is_err() {
                index += 1;
                continue;
            }
            if tested == tests {
                return best;
            }
            tested += 1;
            if keeps(&smaller) {
                best = smaller;
                smaller_found = true;
            } else {
                index += 1;
            }
        }
        if !smaller_found {
            return best;
        }
    }
}

/// Returns the program after the edit of a number; `None` beyond the last. Each edit makes the
/// program smaller or simpler, so that shrinking ends.
fn edit(program: &Program, index: usize) -> Option<Program> {
    let mut program = program.clone();
    let mut editor = Editor {
        left: index,
        done: false,
    };
    editor.program(&mut program);
    editor.done.then_some(program)
}

/// Counts possible edits while it walks, and makes one.
struct Editor {
    left: usize,
    done: bool,
}

impl Editor {
    /// Returns whether this edit is the one to make.
    fn now(&mut self) -> bool {
        if self.done {
            return false;
        }
        self.done = self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.done
    }

    /// Offers a simpler value.
    fn set<T: PartialEq>(&mut self, place: &mut T, simpler: T) {
        if *place != simpler && self.now() {
            *place = simpler;
        }
    }

    fn program(&mut self, program: &mut Program) {
        self.list(&mut program.main);
        for number in (0..program.functions.len()).rev() {
            if !calls(program, number) && self.now() {
                program.functions.remove(number);
                renumber(program, number);
                return;
            }
        }
        for function in &mut program.functions {
            self.list(&mut function.body);
            self.expression(&mut function.result);
            self.set(&mut function.noinline, false);
        }
        self.set(&mut program.groups, 1);
        if program.lanes > 4 {
            let half = program.lanes / 2;
            self.set(&mut program.lanes, half);
        }
        self.set(&mut program.options.short_circuit, false);
        self.set(&mut program.options.model, 0);
    }

    fn list(&mut self, list: &mut Vec<Statement>) {
        let mut size = list.len();
        while size > 0 && !self.done {
            for start in (0..list.len()).step_by(size) {
                if self.now() {
                    list.drain(start..(start + size).min(list.len()));
                    return;
                }
            }
            size /= 2;
        }
        for index in 0..list.len() {
            for part in 0..parts(&mut list[index]).len() {
                if self.now() {
                    let inner = std::mem::take(parts(&mut list[index]).swap_remove(part));
                    list.splice(index..=index, inner);
                    return;
                }
            }
        }
        for statement in list {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &mut Statement) {
        if self.done {
            return;
        }
        if let Statement::Exchange {
            variable, value, ..
        }
        | Statement::Call(variable, _, [value, _]) = statement
            && self.now()
        {
            *statement = Statement::Assign(*variable, value.clone());
            return;
        }
        match statement {
            Statement::Assign(_, value)
            | Statement::Record(value)
            | Statement::Return(value)
            | Statement::Total(_, _, value) => self.expression(value),
            Statement::Exchange { value, offset, .. } => {
                self.expression(value);
                self.set(offset, 1);
            }
            Statement::Store(index, value) => {
                self.expression(index);
                self.expression(value);
            }
            Statement::If(attribute, condition, then, other) => {
                self.condition(condition);
                self.list(then);
                self.list(other);
                self.set(attribute, Attribute::None);
            }
            Statement::Switch(attribute, subject, cases) => {
                self.expression(subject);
                self.cases(cases);
                self.set(attribute, Attribute::None);
            }
            Statement::Loop(it) => self.repetition(it),
            Statement::Call(_, _, arguments) => arguments
                .iter_mut()
                .for_each(|argument| self.expression(argument)),
            Statement::Break | Statement::Continue | Statement::ReadTotal(..) => {}
        }
    }

    fn cases(&mut self, cases: &mut Vec<Case>) {
        for index in (0..cases.len()).rev() {
            if cases.len() > 1 && self.now() {
                cases.remove(index);
                if let Some(last) = cases.last_mut() {
                    last.falls = false;
                }
                return;
            }
        }
        for case in cases {
            for index in (0..case.labels.len()).rev() {
                if case.labels.len() + usize::from(case.default) > 1 && self.now() {
                    case.labels.remove(index);
                    return;
                }
            }
            if !case.labels.is_empty() {
                self.set(&mut case.default, false);
            }
            self.list(&mut case.body);
            self.set(&mut case.falls, false);
        }
    }

    fn repetition(&mut self, it: &mut Loop) {
        self.set(&mut it.limit.0, None);
        if it.limit.1 > 1 {
            self.set(&mut it.limit.1, 1);
            let less = it.limit.1.saturating_sub(1);
            self.set(&mut it.limit.1, less);
        }
        if let Some(limit) = &mut it.limit.0 {
            self.expression(limit);
        }
        self.condition(&mut it.condition);
        self.list(&mut it.body);
        if it.form != Form::For {
            self.set(&mut it.form, Form::For);
        }
        if it.attribute != Attribute::None {
            self.set(&mut it.attribute, Attribute::Loop);
        }
    }

    /// Offers to replace all operands by one, then by a small constant.
    fn expression(&mut self, expression: &mut Expression) {
        for operand in 0..operands(expression).len() {
            if self.now() {
                let operand =
                    std::mem::replace(operands(expression).swap_remove(operand), Expression::Lane);
                *expression = operand;
                return;
            }
        }
        match expression {
            Expression::Constant(0) => return,
            Expression::Constant(1) => return self.set(expression, Expression::Constant(0)),
            _ => {
                self.set(expression, Expression::Constant(0));
                self.set(expression, Expression::Constant(1));
            }
        }
        if self.done {
            return;
        }
        if let Expression::Select(condition, ..) | Expression::Vote(_, condition) = expression {
            self.condition(condition);
        }
        for operand in operands(expression) {
            self.expression(operand);
        }
    }

    fn condition(&mut self, condition: &mut Condition) {
        if matches!(condition, Condition::Constant(_)) || self.done {
            return;
        }
        self.set(condition, Condition::Constant(true));
        self.set(condition, Condition::Constant(false));
        if self.done {
            return;
        }
        let mut inner: Vec<&mut Condition> = match condition {
            Condition::Not(c) | Condition::AnyTrue(c) | Condition::AllTrue(c) => vec![c],
            Condition::And(a, b) | Condition::Or(a, b) => vec![a, b],
            Condition::Compare(_, a, b) => {
                self.expression(a);
                return self.expression(b);
            }
            Condition::AllEqual(a) => return self.expression(a),
            Condition::Constant(_) | Condition::IsFirst => return,
        };
        for index in 0..inner.len() {
            if self.now() {
                *condition = inner.swap_remove(index).clone();
                return;
            }
        }
        for part in inner {
            self.condition(part);
        }
    }
}

/// Returns the lists of statements in a statement, any of which may replace it.
fn parts(statement: &mut Statement) -> Vec<&mut Vec<Statement>> {
    match statement {
        Statement::If(_, _, then, other) => vec![then, other],
        Statement::Switch(_, _, cases) => cases.iter_mut().map(|case| &mut case.body).collect(),
        Statement::Loop(it) => vec![&mut it.body],
        _ => Vec::new(),
    }
}

fn operands(expression: &mut Expression) -> Vec<&mut Expression> {
    match expression {
        Expression::Element(a)
        | Expression::Input(a)
        | Expression::Unary(_, a)
        | Expression::Wave(_, a)
        | Expression::Quad(_, a) => vec![a],
        Expression::Binary(_, a, b) | Expression::Select(_, a, b) => vec![a, b],
        _ => Vec::new(),
    }
}

/// Returns whether something calls a function.
fn calls(program: &Program, number: usize) -> bool {
    program.any(&|node| matches!(node, Node::Statement(Statement::Call(_, function, _)) if *function == number))
}

/// Renumbers functions after one was removed.
fn renumber(program: &mut Program, removed: usize) {
    let mut lists: Vec<&mut Vec<Statement>> = program
        .functions
        .iter_mut()
        .map(|function| &mut function.body)
        .collect();
    lists.push(&mut program.main);
    while let Some(list) = lists.pop() {
        for statement in list {
            if let Statement::Call(_, function, _) = statement
                && *function > removed
            {
                *function -= 1;
            }
            lists.extend(parts(statement));
        }
    }
}
