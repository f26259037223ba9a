//! Random structured programs, as people write them, before a compiler.
//!
//! In addition to ifs, loops, switches and jumps over several levels, conditions have `&&`, `||`,
//! `!` and `?:`, arguments have `?:`, and returns may be anywhere. The observable behaviour of a
//! run is the sequence of its calls: each statement calls a function with a unique number. No
//! compiler can predict the conditions ([`Tests`]).

pub mod lower;
mod shrink;

pub use shrink::shrink;

use serde::{Deserialize, Serialize};

use crate::random::Random;

/// A structured program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// Its statements.
    pub body: Vec<Statement>,
    /// The form of its tests.
    pub tests: Tests,
    /// The form of its returns.
    pub returns: Returns,
}

/// Operands of conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Tests {
    /// Each test calls a function, and the outside sees the call.
    Calls,
    /// Each test calls a function that only reads memory, which other calls write.
    Reads,
    /// Each test reads separate bits of the last call's result, so that a compiler may evaluate it
    /// anywhere, and several at once.
    Bits,
}

/// The values of returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Returns {
    /// Nothing.
    Nothing,
    /// A unique number for each.
    Numbers,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Statement {
    /// A call of the function of this number.
    Call(u32, Argument),
    /// `if`: then, else.
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// `while (c) …`
    While(Condition, Vec<Statement>),
    /// `do … while (c)`
    DoWhile(Vec<Statement>, Condition),
    /// `for (;;) …`
    Loop(Vec<Statement>),
    /// `switch` by the test of this number.
    Switch(u32, Vec<Case>),
    /// Out of this number of enclosing loops or switches, from 1.
    Break(usize),
    /// To the next iteration of the loop around, from 1.
    Continue(usize),
    /// Out of the program.
    Return,
}

/// An argument of a call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Argument {
    /// A constant.
    Constant,
    /// `c ? 1 : 2`
    Choose(Condition),
}

/// A case of a [`Statement::Switch`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Case {
    /// The literals; none is the default.
    pub literals: Vec<u32>,
    /// Its statements.
    pub body: Vec<Statement>,
    /// True if it falls through to the next case.
    pub falls: bool,
}

/// A condition. Each test has a unique number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Condition {
    /// A test.
    Test(u32),
    /// `!a`
    Not(Box<Condition>),
    /// `a && b`
    And(Box<Condition>, Box<Condition>),
    /// `a || b`
    Or(Box<Condition>, Box<Condition>),
    /// `a ? b : c`
    Choose(Box<Condition>, Box<Condition>, Box<Condition>),
}

/// About how many statements a program has.
const STATEMENTS: usize = 12;
/// The deepest nesting.
const DEPTH: usize = 4;

/// Statements around a statement while a program is made.
#[derive(Clone, Copy)]
struct Around {
    depth: usize,
    /// Loops and switches.
    breakable: usize,
    loops: usize,
}

struct Generator {
    random: Random,
    left: usize,
    calls: u32,
    tests: u32,
    /// True if `break` and `continue` may leave several levels.
    multi_level: bool,
    /// True if `return` may be anywhere.
    returns: bool,
    switches: bool,
    /// Percentage of conditions that have operators.
    operators: usize,
}

impl Source {
    /// Returns the program of a seed.
    pub fn random(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x0005_04ce);
        let tests = *random.pick(&[Tests::Calls, Tests::Reads, Tests::Bits]);
        let returns = *random.pick(&[Returns::Nothing, Returns::Numbers]);
        let mut generator = Generator {
            left: 3 + random.below(2 * STATEMENTS - 4),
            calls: 0,
            tests: 0,
            multi_level: random.percent(30),
            returns: random.percent(50),
            switches: random.percent(70),
            operators: 10 + 10 * random.below(5),
            random,
        };
        let around = Around {
            depth: 0,
            breakable: 0,
            loops: 0,
        };
        let mut body = Vec::new();
        while generator.left > 0 {
            body.extend(generator.list(around));
        }
        Source {
            body,
            tests,
            returns,
        }
    }
}

impl Generator {
    fn call(&mut self) -> Statement {
        // Now and then two statements call one function: compilers merge them.
        let id = if self.calls > 0 && self.random.percent(3) {
            self.calls - 1
        } else {
            self.calls += 1;
            self.calls - 1
        };
        let argument = if self.random.percent(self.operators / 4) {
            Argument::Choose(self.condition())
        } else {
            Argument::Constant
        };
        Statement::Call(id, argument)
    }

    fn test(&mut self) -> u32 {
        self.tests += 1;
        self.tests - 1
    }

    fn condition(&mut self) -> Condition {
        if self.random.percent(self.operators) {
            self.operator(2)
        } else {
            Condition::Test(self.test())
        }
    }

    fn operator(&mut self, depth: usize) -> Condition {
        let mut operand = || {
            if depth > 0 && self.random.percent(35) {
                Box::new(self.operator(depth - 1))
            } else {
                Box::new(Condition::Test(self.test()))
            }
        };
        let (a, b) = (operand(), operand());
        match self.random.below(10) {
            0 => Condition::Not(a),
            1..=4 => Condition::And(a, b),
            5..=8 => Condition::Or(a, b),
            _ => {
                let c = Box::new(Condition::Test(self.test()));
                Condition::Choose(a, b, c)
            }
        }
    }

    /// Returns a list that is not empty, and ends at the first jump.
    fn list(&mut self, around: Around) -> Vec<Statement> {
        let mut statements = Vec::new();
        for _ in 0..=self.random.below(3) {
            if self.left == 0 && !statements.is_empty() {
                break;
            }
            self.left = self.left.saturating_sub(1);
            let statement = self.statement(around);
            let jumps = statement.jumps();
            statements.push(statement);
            if jumps {
                break;
            }
        }
        statements
    }

    /// Returns the body of a loop. It begins with a call, so that each iteration does something and
    /// may find another answer to each test.
    fn body(&mut self, around: Around) -> Vec<Statement> {
        let mut body = vec![self.call()];
        body.extend(self.list(Around {
            breakable: around.breakable + 1,
            loops: around.loops + 1,
            depth: around.depth + 1,
        }));
        body
    }

    fn statement(&mut self, around: Around) -> Statement {
        if around.depth >= DEPTH || self.left == 0 {
            return self.leaf(around);
        }
        let inner = Around {
            depth: around.depth + 1,
            ..around
        };
        match self.random.below(20) {
            0..=6 => {
                let condition = self.condition();
                let then = self.list(inner);
                let else_ = if self.random.percent(50) {
                    self.list(inner)
                } else {
                    Vec::new()
                };
                Statement::If(condition, then, else_)
            }
            7 | 8 => Statement::While(self.condition(), self.body(around)),
            9 => Statement::DoWhile(self.body(around), self.condition()),
            10 => {
                let mut body = self.body(around);
                let at = 1 + self.random.below(body.len());
                let exit = Statement::If(self.condition(), vec![Statement::Break(1)], Vec::new());
                // Not after a jump.
                let at = if body.last().is_some_and(Statement::jumps) {
                    at.min(body.len() - 1)
                } else {
                    at
                };
                body.insert(at, exit);
                Statement::Loop(body)
            }
            11 | 12 if self.switches => self.switch(inner),
            _ => self.leaf(around),
        }
    }

    fn leaf(&mut self, around: Around) -> Statement {
        let level = |random: &mut Random, most: usize, multi_level: bool| {
            1 + if multi_level { random.below(most) } else { 0 }
        };
        match self.random.below(12) {
            0 | 1 if around.breakable > 0 => {
                Statement::Break(level(&mut self.random, around.breakable, self.multi_level))
            }
            2 if around.loops > 0 => {
                Statement::Continue(level(&mut self.random, around.loops, self.multi_level))
            }
            3 if self.returns && around.depth > 0 => Statement::Return,
            _ => self.call(),
        }
    }

    fn switch(&mut self, around: Around) -> Statement {
        let around = Around {
            breakable: around.breakable + 1,
            ..around
        };
        let test = self.test();
        let count = 2 + self.random.below(4);
        let default = self.random.below(count + 1);
        let mut literal = 0;
        let mut cases = Vec::new();
        for index in 0..count {
            let mut literals = Vec::new();
            if index != default {
                for _ in 0..=usize::from(self.random.percent(25)) {
                    literals.push(literal);
                    literal += 1;
                }
            }
            let falls = index + 1 < count && self.random.percent(25);
            cases.push(Case {
                literals,
                body: self.list(around),
                falls,
            });
        }
        Statement::Switch(test, cases)
    }
}

impl Statement {
    /// Returns whether control never continues with the next statement because this is a jump.
    pub fn jumps(&self) -> bool {
        matches!(
            self,
            Statement::Break(_) | Statement::Continue(_) | Statement::Return
        )
    }
}

impl Source {
    /// Returns whether a `break`, `continue` or `return` leaves several constructs at once, which
    /// no structured language without labels can do.
    pub fn has_multi_level_exits(&self) -> bool {
        fn any(list: &[Statement], constructs: usize) -> bool {
            list.iter().any(|statement| match statement {
                Statement::Call(..) => false,
                Statement::If(_, a, b) => any(a, constructs) || any(b, constructs),
                Statement::While(_, body) | Statement::DoWhile(body, _) | Statement::Loop(body) => {
                    any(body, constructs + 1)
                }
                Statement::Switch(_, cases) => {
                    cases.iter().any(|case| any(&case.body, constructs + 1))
                }
                Statement::Break(level) => *level > 1,
                Statement::Continue(level) => *level > 1,
                Statement::Return => constructs > 0,
            })
        }
        any(&self.body, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_program() {
        assert_eq!(Source::random(3), Source::random(3));
        assert_ne!(Source::random(3), Source::random(4));
    }

    #[test]
    fn programs_have_everything() {
        let all: String = (0..300)
            .map(|seed| format!("{:?}", Source::random(seed)))
            .collect();
        let names = "Call( If( While( DoWhile( Loop( Switch( Break(2 Continue(2 Return Not( And( Or( \
            Choose( Calls Reads Bits Numbers";
        for name in names.split(' ').chain(["falls: true"]) {
            assert!(all.contains(name), "{name}");
        }
    }
}
