//! Random programs: nested loops, switches that fall through, jumps out of their depth, wave, quad
//! and group operations.

mod expressions;

use structurizer_testkit::generate::Rng;

use crate::levels;
use crate::program::*;

/// Deepest nesting of statements.
const DEPTH: usize = 6;

/// Most iterations of all loops around a statement together.
const ITERATIONS: u32 = 192;

/// Most statements that a thread may run, about.
const COST: u64 = 6000;

/// Returns the program of a seed.
pub fn generate(seed: u64) -> Program {
    random(seed, false)
}

/// Returns the program of a seed for FXC, without features that it rejects: waves, quads,
/// `[noinline]`, `continue` in a switch, and cases that fall through.
pub fn generate_for_fxc(seed: u64) -> Program {
    random(seed, true)
}

fn random(seed: u64, fxc: bool) -> Program {
    // Neighbouring seeds of the generator have much in common at first.
    let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635);
    rng.next_u64();
    let waves = rng.chance(50) && !fxc;
    let quads = rng.chance(25) && !fxc;
    let derivatives = quads && rng.chance(50);
    let model = if derivatives {
        6
    } else {
        *pick(&mut rng, &[0, 0, 0, 5, 6])
    };
    let options = Compilation {
        fxc: false,
        model,
        level: LEVELS[rng.below(LEVELS.len())],
        short_circuit: rng.chance(30),
        native16: false,
    };
    let lanes = *pick(&mut rng, &[8, 16, 32, 32, 64]);
    let groups = if rng.chance(20) { 2 } else { 1 };
    let (shared, arrays) = (rng.chance(30), rng.chance(30));
    let meetings = if shared { 3 } else { 0 };
    let mut make = Make {
        waves,
        quads,
        derivatives,
        shared,
        meetings,
        arrays,
        lanes,
        model,
        fxc,
        counters: 0,
        costs: Vec::new(),
        budget: 0,
        rng,
    };
    let mut functions = Vec::new();
    for _ in 0..*pick(&mut make.rng, &[0, 0, 1, 1, 2, 3]) {
        make.budget = 3 + make.rng.below(9);
        // Not at depth 0: a function may be left from its outermost statements.
        let place = Place {
            depth: 1,
            orderly: make.rng.chance(30),
            ..Place::default()
        };
        let body = make.block(&place, 4);
        let result = make.expression(&place, 2);
        make.costs.push(make.cost(&body));
        functions.push(Function {
            noinline: make.rng.chance(25) && !fxc,
            body,
            result,
        });
    }
    // Most are small, since those are quick and find most.
    make.budget = if make.rng.chance(75) {
        6 + make.rng.below(12)
    } else {
        16 + make.rng.below(30)
    };
    let place = Place {
        orderly: true,
        ..Place::default()
    };
    let mut main = make.block(&place, 8);
    while make.budget > 6 {
        main.extend(make.block(&place, 4));
    }
    main.extend((0..VARIABLES).map(|number| Statement::Record(Expression::Variable(number))));
    if make.waves {
        main.push(Statement::Record(Expression::Vote(
            Vote::Ballot,
            Box::new(Condition::Constant(true)),
        )));
    }
    let mut program = Program {
        seed,
        options,
        lanes,
        groups,
        functions,
        main,
    };
    // Generated programs are well-formed; barriers that only some threads reach are replaced
    // here.
    let repaired = levels::repair(&mut program);
    debug_assert!(repaired.is_ok(), "seed {seed}: {repaired:?}");
    program
}

fn pick<'a, T>(rng: &mut Rng, list: &'a [T]) -> &'a T {
    &list[rng.below(list.len())]
}

/// The context of a statement.
#[derive(Clone, Default)]
struct Place {
    depth: usize,
    /// Iterations of the loops around, multiplied.
    iterations: u32,
    /// All threads are likely here: conditions should keep them together.
    orderly: bool,
    /// The innermost loop or switch can be left.
    breaks: bool,
    /// In a loop.
    continues: bool,
    /// Unrolled copies.
    copies: u32,
    /// Counters in scope, and whether they are the same in all threads.
    counters: Vec<(usize, bool)>,
}

struct Make {
    waves: bool,
    quads: bool,
    derivatives: bool,
    shared: bool,
    arrays: bool,
    lanes: u32,
    model: u32,
    /// FXC compiles the program.
    fxc: bool,
    /// Barriers that may still be made: software devices compile each of them slowly.
    meetings: u32,
    /// Counters given away.
    counters: usize,
    /// Of the functions that there are.
    costs: Vec<u64>,
    /// Statements that may still be made.
    budget: usize,
    rng: Rng,
}

impl Make {
    fn block(&mut self, place: &Place, most: usize) -> Vec<Statement> {
        let count = 1 + self.rng.below(most);
        let mut list = Vec::new();
        for _ in 0..count {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            list.push(self.statement(place));
        }
        // A jump at the end of a body.
        if place.depth > 0 && self.rng.chance(12) {
            list.push(self.jump(place));
        }
        if list.is_empty() {
            list.push(Statement::Record(self.expression(place, 1)));
        }
        list
    }

    fn deeper(place: &Place, orderly: bool) -> Place {
        Place {
            depth: place.depth + 1,
            orderly,
            ..place.clone()
        }
    }

    fn statement(&mut self, place: &Place) -> Statement {
        let nests = place.depth < DEPTH && self.budget > 0;
        match self.rng.below(100) {
            0..18 if nests => self.selection(place),
            18..26 if nests => self.switch(place),
            26..42 if nests && place.iterations.max(1) * 2 <= ITERATIONS => {
                Statement::Loop(self.repetition(place))
            }
            42..56 if place.depth > 0 || place.breaks => self.conditional_jump(place),
            56..60 if self.arrays => {
                Statement::Store(self.expression(place, 1), self.expression(place, 2))
            }
            60..66 if self.meetings > 0 && place.orderly => self.meeting(place),
            66..68 if self.shared => Statement::Total(
                self.rng.below(TOTALS),
                *pick(&mut self.rng, &ATOMICS),
                self.expression(place, 1),
            ),
            68..75 if !self.costs.is_empty() => self.call(place),
            75..87 => Statement::Assign(self.rng.below(VARIABLES), self.expression(place, 3)),
            // The active lanes.
            87..93 if self.waves => Statement::Record(Expression::Vote(
                Vote::Ballot,
                Box::new(Condition::Constant(true)),
            )),
            _ => Statement::Record(self.expression(place, 2)),
        }
    }

    fn meeting(&mut self, place: &Place) -> Statement {
        self.meetings -= 1;
        let variable = self.rng.below(VARIABLES);
        if self.rng.chance(35) {
            return Statement::ReadTotal(variable, self.rng.below(TOTALS));
        }
        let offset = 1 + self.rng.below(self.lanes as usize - 1) as u32;
        Statement::Exchange {
            variable,
            value: self.expression(place, 2),
            offset,
        }
    }

    fn call(&mut self, place: &Place) -> Statement {
        let function = self.rng.below(self.costs.len());
        let arguments = [self.expression(place, 1), self.expression(place, 2)];
        if self.costs[function] * u64::from(place.iterations.max(1)) > COST {
            let [value, _] = arguments;
            return Statement::Record(value);
        }
        Statement::Call(self.rng.below(VARIABLES), function, arguments)
    }

    fn selection(&mut self, place: &Place) -> Statement {
        let orderly = place.orderly && self.rng.chance(50);
        let condition = self.condition(place, orderly, 2);
        let inner = Self::deeper(place, orderly);
        let then = self.block(&inner, 4);
        let other = if self.rng.chance(50) {
            self.block(&inner, 3)
        } else {
            Vec::new()
        };
        let attribute = *pick(
            &mut self.rng,
            &[
                Attribute::Branch,
                Attribute::Branch,
                Attribute::None,
                Attribute::None,
                Attribute::Flatten,
            ],
        );
        // The compiler rejects the attribute on statements that it cannot flatten.
        let attribute = if attribute == Attribute::Flatten
            && !then
                .iter()
                .chain(&other)
                .all(|s| matches!(s, Statement::Assign(..)))
        {
            Attribute::None
        } else {
            attribute
        };
        Statement::If(attribute, condition, then, other)
    }

    fn switch(&mut self, place: &Place) -> Statement {
        let orderly = place.orderly && self.rng.chance(40);
        let mask = *pick(&mut self.rng, &[3, 3, 7]);
        let subject = self.small(place, orderly, mask);
        let inner = Place {
            breaks: true,
            continues: place.continues && !self.fxc,
            ..Self::deeper(place, orderly)
        };
        let count = 1 + self.rng.below(4);
        let mut labels: Vec<u32> = (0..=mask).collect();
        let mut cases = Vec::new();
        let default = if self.rng.chance(65) {
            self.rng.below(count)
        } else {
            count
        };
        for number in 0..count {
            let mut own = Vec::new();
            for _ in 0..=usize::from(self.rng.chance(25)) {
                if !labels.is_empty() {
                    own.push(labels.remove(self.rng.below(labels.len())));
                }
            }
            let body = if self.rng.chance(8) {
                Vec::new()
            } else {
                self.block(&inner, 3)
            };
            let falls = number + 1 < count && self.rng.chance(35) && !self.fxc;
            cases.push(Case {
                default: number == default || own.is_empty() && default == count,
                labels: own,
                body,
                falls,
            });
        }
        let mut defaults = 0;
        cases.retain(|case| {
            defaults += usize::from(case.default);
            !case.labels.is_empty() || case.default && defaults == 1
        });
        if let Some(last) = cases.last_mut() {
            last.falls = false;
        }
        let attribute = *pick(
            &mut self.rng,
            &[
                Attribute::Branch,
                Attribute::Call,
                Attribute::None,
                Attribute::None,
            ],
        );
        Statement::Switch(attribute, subject, cases)
    }

    fn repetition(&mut self, place: &Place) -> Loop {
        let counter = self.counters;
        self.counters += 1;
        let orderly = place.orderly && self.rng.chance(50);
        let most = (ITERATIONS / place.iterations.max(1)).min(7) as usize;
        let iterations = 1 + self.rng.below(most) as u32;
        let form = *pick(
            &mut self.rng,
            &[
                Form::For,
                Form::For,
                Form::For,
                Form::While,
                Form::DoWhile,
                Form::Endless,
            ],
        );
        let unrolled = form == Form::For
            && iterations <= 4
            && place.copies.max(1) * iterations <= 8
            && self.rng.chance(20);
        let fixed = unrolled || self.rng.chance(35);
        let limit = if fixed {
            (None, iterations)
        } else {
            (Some(Box::new(self.operand(place, orderly))), iterations + 1)
        };
        let mut inner = Self::deeper(place, orderly);
        inner.counters.push((counter, orderly));
        inner.iterations = place.iterations.max(1) * iterations;
        (inner.breaks, inner.continues) = (true, true);
        let condition = if unrolled || self.rng.chance(60) {
            Condition::Constant(true)
        } else {
            self.condition(&inner, orderly, 1)
        };
        if unrolled {
            inner.copies = place.copies.max(1) * iterations;
        }
        let attribute = if unrolled {
            Attribute::Unroll
        } else {
            *pick(
                &mut self.rng,
                &[Attribute::Loop, Attribute::Loop, Attribute::None],
            )
        };
        let body = self.block(&inner, 5);
        Loop {
            form,
            attribute,
            counter,
            limit,
            condition,
            body,
        }
    }

    fn jump(&mut self, place: &Place) -> Statement {
        match self.rng.below(10) {
            0..5 if place.breaks => Statement::Break,
            0..8 if place.continues => Statement::Continue,
            8.. => Statement::Return(self.expression(place, 1)),
            _ => Statement::Record(self.expression(place, 1)),
        }
    }

    fn conditional_jump(&mut self, place: &Place) -> Statement {
        let orderly = place.orderly && self.rng.chance(40);
        let condition = self.condition(place, orderly, 2);
        let inner = Self::deeper(place, orderly);
        let mut then = Vec::new();
        if self.rng.chance(40) {
            then.push(Statement::Record(self.expression(&inner, 1)));
        }
        then.push(self.jump(place));
        Statement::If(
            *pick(&mut self.rng, &[Attribute::Branch, Attribute::None]),
            condition,
            then,
            Vec::new(),
        )
    }

    /// Statements that a thread runs at most, about.
    fn cost(&self, list: &[Statement]) -> u64 {
        let of = |statement: &Statement| match statement {
            Statement::If(_, _, then, other) => 1 + self.cost(then) + self.cost(other),
            Statement::Switch(_, _, cases) => {
                1 + cases.iter().map(|case| self.cost(&case.body)).sum::<u64>()
            }
            Statement::Loop(it) => 1 + u64::from(it.limit.1) * self.cost(&it.body),
            Statement::Call(_, function, _) => 1 + self.costs[*function],
            _ => 1,
        };
        list.iter().map(of).sum()
    }
}

const LEVELS: [&str; 5] = ["-O3", "-O3", "-O1", "-O0", "-Od"];

const ATOMICS: [Atomic; 4] = [Atomic::Add, Atomic::Xor, Atomic::Or, Atomic::Max];
