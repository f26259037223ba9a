//! Random structured programs, as trees, and how a compiler lowers them to a graph.

use super::{End, Rng, Shape};

/// A statement of a structured program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// Something with a side effect.
    Code,
    /// `if`: then, else.
    If(Vec<Statement>, Vec<Statement>),
    /// An endless loop; only `break` leaves it.
    Loop(Vec<Statement>),
    /// `do … while (c)`: the condition is in the latch.
    DoWhile(Vec<Statement>),
    /// Cases in order, each with its literals; an empty list is the default.
    Switch(Vec<Case>),
    /// Out of this number of enclosing loops or switches, from 1.
    Break(u32),
    /// To the next iteration of the loop around, number from 1.
    Continue(u32),
    /// The lane returns.
    Return,
    /// The lane is killed.
    Kill,
}

/// One case of a [`Statement::Switch`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The literals; none is the default.
    pub literals: Vec<u64>,
    /// Its statements.
    pub body: Vec<Statement>,
    /// True if it falls through to the next case's body.
    pub falls: bool,
}

/// The contents of random programs.
#[derive(Clone, Debug)]
pub struct ProgramOptions {
    /// About how many statements.
    pub statements: usize,
    /// True if `break` and `continue` may leave several levels and `return` may be anywhere.
    pub multi_level: bool,
    /// True if `return` may be anywhere although `break` and `continue` leave one level.
    pub returns: bool,
    /// True if there are switches.
    pub switches: bool,
    /// True if a case may fall through.
    pub fall_through: bool,
    /// The deepest nesting.
    pub depth: u32,
}

impl Default for ProgramOptions {
    fn default() -> Self {
        ProgramOptions {
            statements: 12,
            multi_level: false,
            returns: false,
            switches: true,
            fall_through: true,
            depth: 5,
        }
    }
}

/// A structured program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its statements.
    pub body: Vec<Statement>,
}

/// Statements around a statement while a program is made.
#[derive(Clone, Copy)]
struct Around {
    depth: u32,
    /// Loops and switches around.
    breakable: u32,
    loops: u32,
    /// True if the innermost of them is a loop or a switch.
    innermost: bool,
}

impl Program {
    /// Generates a random program. Its recursion is bounded by [`ProgramOptions::depth`].
    pub fn random(rng: &mut Rng, options: &ProgramOptions) -> Self {
        let mut left = options.statements;
        let around = Around {
            depth: 0,
            breakable: 0,
            loops: 0,
            innermost: false,
        };
        let mut body = Vec::new();
        while left > 0 {
            body.extend(list(rng, options, &mut left, around));
        }
        Program { body }
    }

    /// Returns the graph, as a simple compiler makes it: one block for each list's head and each
    /// join, those without code empty.
    pub fn lower(&self) -> Shape {
        self.lower_with_sites().0
    }

    /// Returns the graph and the block of each statement in preorder: the block of its code, the
    /// block in which an `if` or `switch` branches, the latch of a `do … while`; [`usize::MAX`] for
    /// a block that the entry does not reach.
    pub fn lower_with_sites(&self) -> (Shape, Vec<usize>) {
        let mut shape = Shape::default();
        let entry = shape.add();
        let mut lowering = Lowering {
            shape,
            breaks: Vec::new(),
            continues: Vec::new(),
            sites: Vec::new(),
        };
        if let Some(last) = lowering.list(&self.body, entry) {
            lowering.shape.ends[last] = End::Return;
        }
        let Lowering {
            mut shape,
            mut sites,
            ..
        } = lowering;
        let number = shape.remove_unreachable();
        for site in &mut sites {
            *site = number[*site];
        }
        (shape, sites)
    }
}

fn list(
    rng: &mut Rng,
    options: &ProgramOptions,
    left: &mut usize,
    around: Around,
) -> Vec<Statement> {
    let mut statements = Vec::new();
    for _ in 0..=rng.below(3) {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let statement = one(rng, options, left, around);
        let jumps = matches!(
            statement,
            Statement::Break(_) | Statement::Continue(_) | Statement::Return | Statement::Kill
        );
        statements.push(statement);
        if jumps {
            break;
        }
    }
    statements
}

fn one(rng: &mut Rng, options: &ProgramOptions, left: &mut usize, around: Around) -> Statement {
    let inner = Around {
        depth: around.depth + 1,
        ..around
    };
    if around.depth >= options.depth {
        return Statement::Code;
    }
    match rng.below(20) {
        0..=6 => Statement::If(
            list(rng, options, left, inner),
            if rng.chance(50) {
                list(rng, options, left, inner)
            } else {
                Vec::new()
            },
        ),
        7..=9 => {
            let inner = Around {
                breakable: around.breakable + 1,
                loops: around.loops + 1,
                innermost: true,
                ..inner
            };
            let mut body = list(rng, options, left, inner);
            if rng.chance(60) {
                return Statement::DoWhile(body);
            }
            // Mostly with an exit.
            if rng.chance(90) {
                body.insert(
                    rng.below(body.len() + 1),
                    Statement::If(vec![Statement::Break(1)], Vec::new()),
                );
            }
            Statement::Loop(body)
        }
        10 | 11 if options.switches => switch(
            rng,
            options,
            left,
            Around {
                breakable: around.breakable + 1,
                innermost: true,
                ..inner
            },
        ),
        12 | 13 if around.innermost => Statement::Break(if options.multi_level {
            1 + rng.below(around.breakable as usize) as u32
        } else {
            1
        }),
        14 if around.loops > 0 => Statement::Continue(if options.multi_level {
            1 + rng.below(around.loops as usize) as u32
        } else {
            1
        }),
        15 if (options.multi_level || options.returns) && around.depth > 0 => Statement::Return,
        16 if around.depth > 0 && rng.chance(30) => Statement::Kill,
        _ => Statement::Code,
    }
}

fn switch(rng: &mut Rng, options: &ProgramOptions, left: &mut usize, around: Around) -> Statement {
    let count = 1 + rng.below(4);
    let default = rng.below(count + 1);
    let mut literal = 0;
    let mut cases = Vec::new();
    for index in 0..count {
        let mut literals = Vec::new();
        if index != default {
            for _ in 0..=rng.below(2) {
                literals.push(literal);
                literal += 1;
            }
        }
        let falls = options.fall_through && index + 1 < count && rng.chance(30);
        cases.push(Case {
            literals,
            body: list(rng, options, left, around),
            falls,
        });
    }
    Statement::Switch(cases)
}

struct Lowering {
    shape: Shape,
    /// The target of `break`, for each loop and switch around.
    breaks: Vec<usize>,
    /// The target of `continue`, for each loop around.
    continues: Vec<usize>,
    /// See [`Program::lower_with_sites`].
    sites: Vec<usize>,
}

impl Lowering {
    /// Lowers statements that start in `block`; gives the block where they end, if they do.
    fn list(&mut self, statements: &[Statement], mut block: usize) -> Option<usize> {
        for statement in statements {
            block = self.statement(statement, block)?;
        }
        Some(block)
    }

    fn arm(&mut self, body: &[Statement], head: usize, to: usize) {
        if let Some(end) = self.list(body, head) {
            self.shape.to(end, &[to]);
        }
    }

    fn statement(&mut self, statement: &Statement, block: usize) -> Option<usize> {
        let site = self.sites.len();
        self.sites.push(block);
        match statement {
            Statement::Code => {
                // A block's one instruction represents its code; a second statement needs another
                // block.
                let next = self.shape.add();
                self.sites[site] = next;
                self.shape.to(block, &[next]);
                Some(next)
            }
            Statement::If(then, else_) => {
                let (head, join) = (self.shape.add_empty(), self.shape.add_empty());
                let other = if else_.is_empty() {
                    join
                } else {
                    self.shape.add_empty()
                };
                self.shape.to(block, &[head, other]);
                self.arm(then, head, join);
                if !else_.is_empty() {
                    self.arm(else_, other, join);
                }
                Some(join)
            }
            Statement::Loop(body) | Statement::DoWhile(body) => {
                let (head, latch, exit) = (
                    self.shape.add_empty(),
                    self.shape.add_empty(),
                    self.shape.add_empty(),
                );
                self.shape.to(block, &[head]);
                self.breaks.push(exit);
                self.continues.push(latch);
                self.arm(body, head, latch);
                self.breaks.pop();
                self.continues.pop();
                if matches!(statement, Statement::Loop(_)) {
                    self.shape.to(latch, &[head]);
                } else {
                    self.shape.empty[latch] = false;
                    self.sites[site] = latch;
                    self.shape.to(latch, &[head, exit]);
                }
                Some(exit)
            }
            Statement::Switch(cases) => Some(self.switch(cases, block)),
            Statement::Break(level) => self.jump(
                block,
                self.breaks
                    .len()
                    .checked_sub(*level as usize)
                    .map(|at| self.breaks[at]),
            ),
            Statement::Continue(level) => self.jump(
                block,
                self.continues
                    .len()
                    .checked_sub(*level as usize)
                    .map(|at| self.continues[at]),
            ),
            Statement::Return => {
                self.shape.ends[block] = End::Return;
                None
            }
            Statement::Kill => {
                self.shape.ends[block] = End::Kill;
                None
            }
        }
    }

    fn jump(&mut self, block: usize, to: Option<usize>) -> Option<usize> {
        self.shape.to(block, &[to?]);
        None
    }

    fn switch(&mut self, cases: &[Case], block: usize) -> usize {
        let exit = self.shape.add_empty();
        let heads: Vec<usize> = cases.iter().map(|_| self.shape.add_empty()).collect();
        let default = cases
            .iter()
            .position(|case| case.literals.is_empty())
            .map_or(exit, |at| heads[at]);
        let labels = cases
            .iter()
            .zip(&heads)
            .flat_map(|(case, &head)| case.literals.iter().map(move |&literal| (literal, head)));
        self.shape.ends[block] = End::Switch(default, labels.collect());
        self.breaks.push(exit);
        for (index, case) in cases.iter().enumerate() {
            let to = if case.falls {
                heads.get(index + 1).copied().unwrap_or(exit)
            } else {
                exit
            };
            self.arm(&case.body, heads[index], to);
        }
        self.breaks.pop();
        exit
    }
}
