//! Threads that reach a statement together: the whole group, whole quads, or any set. Barriers need
//! the first, quad operations one of the first two.
//!
//! This keeps programs defined: [`repair`] changes a random program accordingly, and [`check`]
//! rejects candidates of the shrinker that are not.

use crate::program::*;

/// Sets of threads, from the most orderly on. Of a value: which threads have the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// All threads of the group.
    Group,
    /// All of each quad, or none.
    Quad,
    /// Any.
    Thread,
}

/// Why a program is not one of ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// The group's size.
    #[error("a group has 4 to 64 threads, in whole quads")]
    Lanes,
    /// `break` or `continue` outside of a loop.
    #[error("a jump has no target")]
    Jump,
    /// A number that nothing has.
    #[error("no such variable, array, loop or function")]
    Name,
    /// Two loops with the same counter.
    #[error("a counter is used twice")]
    Twice,
    /// A switch has no case, no default in its last case but two of them, or the same label twice.
    #[error("the cases of a switch are not distinct")]
    Cases,
    /// A loop has no iteration.
    #[error("a loop's limit is 0")]
    Limit,
    /// Barriers or quad operations that some threads do not reach.
    #[error("{0} barriers or quad operations are not reached by all threads")]
    Divergent(usize),
}

/// Returns whether a program is well-formed and defined.
///
/// # Errors
/// See [`Problem`].
pub fn check(program: &Program) -> Result<(), Problem> {
    match repair(&mut program.clone())? {
        0 => Ok(()),
        count => Err(Problem::Divergent(count)),
    }
}

/// Replaces barriers and quad operations that not all threads reach by an assignment or the
/// operand. Returns their number.
///
/// # Errors
/// The program is malformed.
pub fn repair(program: &mut Program) -> Result<usize, Problem> {
    if !program.lanes.is_multiple_of(4) || program.lanes == 0 || program.lanes > 64 {
        return Err(Problem::Lanes);
    }
    let count = program.functions.len();
    let mut walk = Walk {
        called: vec![Level::Group; count],
        callable: count,
        counters: Vec::new(),
        seen: Vec::new(),
        dry: 0,
        repaired: 0,
    };
    let place = Place {
        level: Level::Group,
        breaks: false,
        continues: false,
    };
    walk.block(&mut program.main, place)?;
    // Callees come before their callers.
    for (number, function) in program.functions.iter_mut().enumerate().rev() {
        walk.callable = number;
        let level = walk.called[number];
        let effects = walk.block(&mut function.body, Place { level, ..place })?;
        walk.expression(
            &mut function.result,
            level.max(effects.returned.unwrap_or(level)),
        )?;
    }
    Ok(walk.repaired)
}

/// The level at which threads leave; `None` if they do not.
#[derive(Clone, Copy, Default)]
struct Effects {
    left: Option<Level>,
    continued: Option<Level>,
    returned: Option<Level>,
}

impl Effects {
    fn join(&mut self, other: Self) {
        self.left = self.left.max(other.left);
        self.continued = self.continued.max(other.continued);
        self.returned = self.returned.max(other.returned);
    }

    fn level(self) -> Option<Level> {
        self.left.max(self.continued).max(self.returned)
    }
}

#[derive(Clone, Copy)]
struct Place {
    level: Level,
    breaks: bool,
    continues: bool,
}

struct Walk {
    /// The least orderly call of each function.
    called: Vec<Level>,
    /// Functions below this may be called.
    callable: usize,
    /// Levels of the counters in scope.
    counters: Vec<(usize, Level)>,
    /// Counters of all loops.
    seen: Vec<usize>,
    /// Depth of loops whose level is still sought: nothing is replaced there.
    dry: u32,
    repaired: usize,
}

fn variable(number: usize) -> Result<(), Problem> {
    if number < VARIABLES {
        Ok(())
    } else {
        Err(Problem::Name)
    }
}

impl Walk {
    fn block(&mut self, list: &mut [Statement], mut place: Place) -> Result<Effects, Problem> {
        let mut all = Effects::default();
        for statement in list {
            let effects = self.statement(statement, place)?;
            all.join(effects);
            place.level = place.level.max(effects.level().unwrap_or(place.level));
        }
        Ok(all)
    }

    fn repair(&mut self) -> bool {
        if self.dry == 0 {
            self.repaired += 1;
        }
        self.dry == 0
    }

    fn statement(&mut self, statement: &mut Statement, place: Place) -> Result<Effects, Problem> {
        let level = place.level;
        let mut effects = Effects::default();
        match statement {
            Statement::Assign(number, value) => {
                variable(*number)?;
                self.expression(value, level)?;
            }
            Statement::Store(index, value) => {
                self.expression(index, level)?;
                self.expression(value, level)?;
            }
            Statement::Record(value) => {
                self.expression(value, level)?;
            }
            Statement::If(_, condition, then, other) => {
                let inner = Place {
                    level: level.max(self.condition(condition, level)?),
                    ..place
                };
                effects = self.block(then, inner)?;
                effects.join(self.block(other, inner)?);
            }
            Statement::Switch(_, subject, cases) => {
                distinct(cases)?;
                let mut inner = Place {
                    level: level.max(self.expression(subject, level)?),
                    breaks: true,
                    ..place
                };
                for case in cases {
                    effects.join(self.block(&mut case.body, inner)?);
                    inner.level = inner.level.max(effects.level().unwrap_or(inner.level));
                }
                effects.left = None;
            }
            Statement::Loop(it) => effects = self.repeat(it, level)?,
            Statement::Break if place.breaks => effects.left = Some(level),
            Statement::Continue if place.continues => effects.continued = Some(level),
            Statement::Break | Statement::Continue => return Err(Problem::Jump),
            Statement::Return(value) => {
                self.expression(value, level)?;
                effects.returned = Some(level);
            }
            Statement::Exchange {
                variable: number,
                value,
                ..
            } => {
                variable(*number)?;
                self.expression(value, level)?;
                if level != Level::Group && self.repair() {
                    let value = std::mem::replace(value, Expression::Lane);
                    *statement = Statement::Assign(*number, value);
                }
            }
            Statement::Total(slot, _, value) => {
                if *slot >= TOTALS {
                    return Err(Problem::Name);
                }
                self.expression(value, level)?;
            }
            Statement::ReadTotal(number, slot) => {
                variable(*number)?;
                if *slot >= TOTALS {
                    return Err(Problem::Name);
                }
                if level != Level::Group && self.repair() {
                    *statement = Statement::Assign(*number, Expression::Lane);
                }
            }
            Statement::Call(number, function, arguments) => {
                variable(*number)?;
                if *function >= self.callable {
                    return Err(Problem::Name);
                }
                for argument in arguments {
                    self.expression(argument, level)?;
                }
                self.called[*function] = self.called[*function].max(level);
            }
        }
        Ok(effects)
    }

    /// Threads that leave a loop are absent from its next iteration: the body's level is the least
    /// orderly of its exits, found by walking until it stays.
    fn repeat(&mut self, it: &mut Loop, outer: Level) -> Result<Effects, Problem> {
        if self.dry == 0 {
            if self.seen.contains(&it.counter) {
                return Err(Problem::Twice);
            }
            self.seen.push(it.counter);
        }
        if it.limit.1 == 0 {
            return Err(Problem::Limit);
        }
        let mut level = outer;
        loop {
            self.dry += 1;
            let found = self.walk_loop(it, level);
            self.dry -= 1;
            let (inside, effects) = found?;
            let next = inside
                .max(effects.left.unwrap_or(inside))
                .max(effects.returned.unwrap_or(inside));
            if next <= level {
                break;
            }
            level = next;
        }
        let (_, effects) = self.walk_loop(it, level)?;
        Ok(Effects {
            returned: effects.returned,
            ..Effects::default()
        })
    }

    /// Walks once over a loop whose body has this level; returns the level that the conditions
    /// require.
    fn walk_loop(&mut self, it: &mut Loop, level: Level) -> Result<(Level, Effects), Problem> {
        self.counters.push((it.counter, level));
        let mut inside = level;
        if let Some(limit) = &mut it.limit.0 {
            inside = inside.max(self.expression(limit, level)?);
        }
        inside = inside.max(self.condition(&mut it.condition, inside)?);
        let effects = self.block(
            &mut it.body,
            Place {
                level: inside,
                breaks: true,
                continues: true,
            },
        )?;
        self.counters.pop();
        Ok((inside, effects))
    }

    /// Walks an expression that threads of a level evaluate; gives the level of its value.
    fn expression(&mut self, expression: &mut Expression, level: Level) -> Result<Level, Problem> {
        Ok(match expression {
            Expression::Constant(_) => Level::Group,
            Expression::QuadIndex => Level::Quad,
            Expression::Id | Expression::Lane => Level::Thread,
            Expression::Variable(number) => {
                variable(*number)?;
                Level::Thread
            }
            Expression::Element(index) => {
                self.expression(index, level)?;
                Level::Thread
            }
            Expression::Counter(number) => {
                self.counters
                    .iter()
                    .find(|(counter, _)| counter == number)
                    .ok_or(Problem::Name)?
                    .1
            }
            Expression::Input(a) | Expression::Unary(_, a) => self.expression(a, level)?,
            Expression::Binary(_, a, b) => {
                self.expression(a, level)?.max(self.expression(b, level)?)
            }
            Expression::Select(c, a, b) => {
                let chosen = self.condition(c, level)?;
                let inner = level.max(chosen);
                chosen
                    .max(self.expression(a, inner)?)
                    .max(self.expression(b, inner)?)
            }
            Expression::Wave(_, a) => {
                self.expression(a, level)?;
                Level::Thread
            }
            Expression::Vote(_, c) => {
                self.condition(c, level)?;
                Level::Thread
            }
            Expression::Quad(_, a) => {
                self.expression(a, level)?;
                if level == Level::Thread && self.repair() {
                    *expression = std::mem::replace(a, Expression::Lane);
                }
                Level::Thread
            }
        })
    }

    fn condition(&mut self, condition: &mut Condition, level: Level) -> Result<Level, Problem> {
        Ok(match condition {
            Condition::Constant(_) => Level::Group,
            Condition::Compare(_, a, b) => {
                self.expression(a, level)?.max(self.expression(b, level)?)
            }
            Condition::Not(c) => self.condition(c, level)?,
            Condition::And(a, b) | Condition::Or(a, b) => {
                // The second may be left out.
                let first = self.condition(a, level)?;
                first.max(self.condition(b, level.max(first))?)
            }
            Condition::AnyTrue(c) | Condition::AllTrue(c) => {
                self.condition(c, level)?;
                Level::Thread
            }
            Condition::AllEqual(a) => {
                self.expression(a, level)?;
                Level::Thread
            }
            Condition::IsFirst => Level::Thread,
        })
    }
}

fn distinct(cases: &[Case]) -> Result<(), Problem> {
    let mut labels: Vec<u32> = cases
        .iter()
        .flat_map(|case| case.labels.iter().copied())
        .collect();
    let count = labels.len();
    labels.sort_unstable();
    labels.dedup();
    let defaults = cases.iter().filter(|case| case.default).count();
    let reached = cases
        .iter()
        .all(|case| case.default || !case.labels.is_empty());
    if cases.is_empty() || labels.len() < count || defaults > 1 || !reached {
        Err(Problem::Cases)
    } else {
        Ok(())
    }
}
