//! The meaning of a program, from its syntax alone: all threads of a group walk the tree together,
//! those whose way leads elsewhere sit out.
//!
//! It shares no code with the interpreter or the structurizer, and does not support wave
//! operations: the compiler may move those, so that only the DXIL defines their result.

use crate::program::*;

/// Statements, counted by thread, after which a program counts as endless.
const STEPS: u64 = 1 << 26;

/// Why a program has no value here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// Wave operations.
    #[error("wave operations are not evaluated")]
    Wave,
    /// It does not end soon.
    #[error("more than {STEPS} statements")]
    Steps,
    /// It names a variable, loop or function that there is not, or has too many threads.
    #[error("the program is malformed")]
    Malformed,
}

/// A set of threads, a bit each.
type Lanes = u64;

/// Returns the output buffer after the program ran over `input` (whose index counts modulo
/// [`INPUTS`]): [`SLOTS`] numbers for each thread of the dispatch.
///
/// # Errors
/// See [`Error`].
pub fn evaluate(program: &Program, input: &[u32]) -> Result<Vec<u32>, Error> {
    let mut output = vec![0; (program.lanes * program.groups * SLOTS) as usize];
    if program.lanes == 0 || program.lanes > 64 || input.len() < INPUTS as usize {
        return Err(Error::Malformed);
    }
    for group in 0..program.groups {
        let lanes = program.lanes as usize;
        let first = group * program.lanes;
        let start = |variable: usize, lane: u32| match variable {
            0 => input[((first + lane) % INPUTS) as usize],
            1 => first + lane,
            number => number as u32,
        };
        let variables = std::array::from_fn(|variable| {
            (0..program.lanes)
                .map(|lane| start(variable, lane))
                .collect()
        });
        let mut run = Run {
            program,
            input,
            output: &mut output,
            first,
            at: vec![0; lanes],
            totals: [0; TOTALS],
            counters: Vec::new(),
            steps: 0,
        };
        let mut frame = Frame::new(variables, lanes);
        let all = if lanes == 64 {
            Lanes::MAX
        } else {
            (1 << lanes) - 1
        };
        run.block(&mut frame, &program.main, all)?;
    }
    Ok(output)
}

/// A group's run.
struct Run<'p> {
    program: &'p Program,
    input: &'p [u32],
    output: &'p mut [u32],
    /// The group's first thread.
    first: u32,
    /// Next slot, by thread.
    at: Vec<u32>,
    totals: [u32; TOTALS],
    /// Counters of the loops that run, by number, by thread.
    counters: Vec<Vec<u32>>,
    steps: u64,
}

/// A function's run.
struct Frame {
    variables: [Vec<u32>; VARIABLES],
    array: Vec<[u32; ELEMENTS as usize]>,
    /// The values that threads returned.
    results: Vec<u32>,
    /// Threads that left the innermost loop or switch, and that wait for the loop's next iteration.
    left: Lanes,
    continued: Lanes,
}

impl Frame {
    fn new(variables: [Vec<u32>; VARIABLES], lanes: usize) -> Self {
        let array = (0..lanes)
            .map(|lane| std::array::from_fn(|element| variables[element][lane]))
            .collect();
        Self {
            variables,
            array,
            results: vec![0; lanes],
            left: 0,
            continued: 0,
        }
    }
}

fn each(lanes: Lanes) -> impl Iterator<Item = usize> {
    (0..64).filter(move |lane| lanes >> lane & 1 == 1)
}

impl Run<'_> {
    /// Runs statements; returns the threads that reach the end.
    fn block(
        &mut self,
        frame: &mut Frame,
        list: &[Statement],
        mut lanes: Lanes,
    ) -> Result<Lanes, Error> {
        for statement in list {
            if lanes == 0 {
                break;
            }
            self.steps += u64::from(lanes.count_ones());
            if self.steps > STEPS {
                return Err(Error::Steps);
            }
            lanes = self.statement(frame, statement, lanes)?;
        }
        Ok(lanes)
    }

    fn statement(
        &mut self,
        frame: &mut Frame,
        statement: &Statement,
        lanes: Lanes,
    ) -> Result<Lanes, Error> {
        match statement {
            Statement::Assign(variable, value) => self.assign(frame, *variable, value, lanes)?,
            Statement::Store(index, value) => {
                let indices = self.values(frame, index, lanes)?;
                let values = self.values(frame, value, lanes)?;
                each(lanes).for_each(|lane| {
                    frame.array[lane][(indices[lane] % ELEMENTS) as usize] = values[lane];
                });
            }
            Statement::Record(value) => {
                let values = self.values(frame, value, lanes)?;
                for lane in each(lanes) {
                    let slot = (self.first + lane as u32) * SLOTS + self.at[lane].min(SLOTS - 1);
                    self.output[slot as usize] = values[lane];
                    self.at[lane] += 1;
                }
            }
            Statement::If(_, condition, then, other) => {
                let holds = self.condition(frame, condition, lanes)?;
                return Ok(
                    self.block(frame, then, holds)? | self.block(frame, other, lanes & !holds)?
                );
            }
            Statement::Switch(_, subject, cases) => {
                return self.switch(frame, subject, cases, lanes);
            }
            Statement::Loop(it) => return self.repeat(frame, it, lanes),
            Statement::Break => {
                frame.left |= lanes;
                return Ok(0);
            }
            Statement::Continue => {
                frame.continued |= lanes;
                return Ok(0);
            }
            Statement::Return(value) => {
                let values = self.values(frame, value, lanes)?;
                each(lanes).for_each(|lane| frame.results[lane] = values[lane]);
                return Ok(0);
            }
            Statement::Exchange {
                variable,
                value,
                offset,
            } => {
                let values = self.values(frame, value, lanes)?;
                let there =
                    |lane: usize| values[(lane + *offset as usize) % self.program.lanes as usize];
                let target = frame.variables.get_mut(*variable).ok_or(Error::Malformed)?;
                each(lanes).for_each(|lane| target[lane] = there(lane));
            }
            Statement::Total(slot, atomic, value) => {
                let values = self.values(frame, value, lanes)?;
                let total = self.totals.get_mut(*slot).ok_or(Error::Malformed)?;
                for lane in each(lanes) {
                    *total = match atomic {
                        Atomic::Add => total.wrapping_add(values[lane]),
                        Atomic::Xor => *total ^ values[lane],
                        Atomic::Or => *total | values[lane],
                        Atomic::Max => (*total).max(values[lane]),
                    };
                }
            }
            Statement::ReadTotal(variable, slot) => {
                let total = *self.totals.get(*slot).ok_or(Error::Malformed)?;
                let target = frame.variables.get_mut(*variable).ok_or(Error::Malformed)?;
                each(lanes).for_each(|lane| target[lane] = total);
            }
            Statement::Call(variable, function, arguments) => {
                self.call(frame, *variable, *function, arguments, lanes)?;
            }
        }
        Ok(lanes)
    }

    fn assign(
        &mut self,
        frame: &mut Frame,
        variable: usize,
        value: &Expression,
        lanes: Lanes,
    ) -> Result<(), Error> {
        let values = self.values(frame, value, lanes)?;
        let target = frame.variables.get_mut(variable).ok_or(Error::Malformed)?;
        each(lanes).for_each(|lane| target[lane] = values[lane]);
        Ok(())
    }

    fn switch(
        &mut self,
        frame: &mut Frame,
        subject: &Expression,
        cases: &[Case],
        lanes: Lanes,
    ) -> Result<Lanes, Error> {
        let subjects = self.values(frame, subject, lanes)?;
        let matches = |case: &Case| {
            each(lanes)
                .filter(|lane| case.labels.contains(&subjects[*lane]))
                .fold(0, |set, lane| set | 1 << lane)
        };
        let matched = cases.iter().fold(0, |set, case| set | matches(case));
        let outer = std::mem::take(&mut frame.left);
        let mut running = 0;
        for case in cases {
            running |= matches(case);
            if case.default {
                running |= lanes & !matched;
            }
            running = self.block(frame, &case.body, running)?;
            if !case.falls {
                frame.left |= std::mem::take(&mut running);
            }
        }
        let without = if cases.iter().any(|case| case.default) {
            0
        } else {
            lanes & !matched
        };
        Ok(std::mem::replace(&mut frame.left, outer) | running | without)
    }

    fn repeat(&mut self, frame: &mut Frame, it: &Loop, lanes: Lanes) -> Result<Lanes, Error> {
        if self.counters.len() <= it.counter {
            self.counters.resize(it.counter + 1, Vec::new());
        }
        self.counters[it.counter] = vec![0; self.program.lanes as usize];
        let outer = (
            std::mem::take(&mut frame.left),
            std::mem::take(&mut frame.continued),
        );
        let counts_first = matches!(it.form, Form::While | Form::DoWhile);
        let mut live = lanes;
        let mut finished = 0;
        let mut test = it.form != Form::DoWhile;
        while live != 0 {
            if test {
                let on = self.continues(frame, it, live)?;
                finished |= live & !on;
                live = on;
            }
            test = true;
            let step = |run: &mut Self, lanes: Lanes| {
                each(lanes).for_each(|lane| run.counters[it.counter][lane] += 1);
            };
            if counts_first {
                step(self, live);
            }
            live = self.block(frame, &it.body, live)?;
            live |= std::mem::take(&mut frame.continued);
            if !counts_first {
                step(self, live);
            }
        }
        finished |= frame.left;
        (frame.left, frame.continued) = outer;
        Ok(finished)
    }

    fn continues(&mut self, frame: &mut Frame, it: &Loop, lanes: Lanes) -> Result<Lanes, Error> {
        self.steps += 1;
        if it.limit.1 == 0 {
            return Err(Error::Malformed);
        }
        let limits = match &it.limit {
            (None, limit) => vec![*limit; self.program.lanes as usize],
            (Some(value), limit) => self
                .values(frame, value, lanes)?
                .iter()
                .map(|value| value % limit)
                .collect(),
        };
        let below = each(lanes)
            .filter(|lane| self.counters[it.counter][*lane] < limits[*lane])
            .fold(0, |set, lane| set | 1 << lane);
        self.condition(frame, &it.condition, below)
    }

    fn call(
        &mut self,
        frame: &mut Frame,
        variable: usize,
        function: usize,
        arguments: &[Expression; 2],
        lanes: Lanes,
    ) -> Result<(), Error> {
        let program = self.program;
        let callee = program.functions.get(function).ok_or(Error::Malformed)?;
        let [a, b] = arguments;
        let (a, b) = (self.values(frame, a, lanes)?, self.values(frame, b, lanes)?);
        let count = program.lanes as usize;
        let mut inner = Frame::new([a, b, vec![2; count], vec![3; count]], count);
        let to_end = self.block(&mut inner, &callee.body, lanes)?;
        let results = self.values(&inner, &callee.result, to_end)?;
        let target = frame.variables.get_mut(variable).ok_or(Error::Malformed)?;
        for lane in each(lanes) {
            target[lane] = if to_end >> lane & 1 == 1 {
                results[lane]
            } else {
                inner.results[lane]
            };
        }
        Ok(())
    }

    /// Returns an expression's value for each thread of the set; 0 for the others.
    fn values(
        &self,
        frame: &Frame,
        expression: &Expression,
        lanes: Lanes,
    ) -> Result<Vec<u32>, Error> {
        let count = self.program.lanes as usize;
        let by_lane = |value: &dyn Fn(usize) -> u32| {
            let mut list = vec![0; count];
            each(lanes).for_each(|lane| list[lane] = value(lane));
            list
        };
        Ok(match expression {
            Expression::Constant(number) => by_lane(&|_| *number),
            Expression::Id => by_lane(&|lane| self.first + lane as u32),
            Expression::Lane => by_lane(&|lane| lane as u32),
            Expression::QuadIndex => by_lane(&|lane| lane as u32 / 4),
            Expression::Variable(number) => {
                let variable = frame.variables.get(*number).ok_or(Error::Malformed)?;
                by_lane(&|lane| variable[lane])
            }
            Expression::Element(index) => {
                let indices = self.values(frame, index, lanes)?;
                by_lane(&|lane| frame.array[lane][(indices[lane] % ELEMENTS) as usize])
            }
            Expression::Counter(number) => {
                let counters = self
                    .counters
                    .get(*number)
                    .filter(|list| list.len() == count)
                    .ok_or(Error::Malformed)?;
                by_lane(&|lane| counters[lane])
            }
            Expression::Input(index) => {
                let indices = self.values(frame, index, lanes)?;
                by_lane(&|lane| self.input[(indices[lane] % INPUTS) as usize])
            }
            Expression::Unary(operation, a) => {
                let a = self.values(frame, a, lanes)?;
                by_lane(&|lane| unary(*operation, a[lane]))
            }
            Expression::Binary(operation, a, b) => {
                let (a, b) = (self.values(frame, a, lanes)?, self.values(frame, b, lanes)?);
                by_lane(&|lane| binary(*operation, a[lane], b[lane]))
            }
            Expression::Select(condition, a, b) => {
                let holds = self.condition(frame, condition, lanes)?;
                let (a, b) = (self.values(frame, a, lanes)?, self.values(frame, b, lanes)?);
                by_lane(&|lane| {
                    if holds >> lane & 1 == 1 {
                        a[lane]
                    } else {
                        b[lane]
                    }
                })
            }
            Expression::Quad(operation, a) => {
                let a = self.values(frame, a, lanes)?;
                let of = |lane: usize| a.get(lane).copied().unwrap_or(0);
                let float = |lane: usize| (of(lane) & 0xffff) as i32;
                by_lane(&|lane| match operation {
                    Quad::AcrossX => of(lane ^ 1),
                    Quad::AcrossY => of(lane ^ 2),
                    Quad::Diagonal => of(lane ^ 3),
                    Quad::LaneAt(there) => of(lane & !3 | (*there as usize & 3)),
                    Quad::WaveLane(bits) => of(lane ^ (*bits as usize & 3)),
                    Quad::DdxFine => (float(lane | 1) - float(lane & !1)) as u32,
                    Quad::DdyFine => (float(lane | 2) - float(lane & !2)) as u32,
                })
            }
            Expression::Wave(..) | Expression::Vote(..) => return Err(Error::Wave),
        })
    }

    /// Returns the threads of the set for which a condition holds.
    fn condition(
        &self,
        frame: &Frame,
        condition: &Condition,
        lanes: Lanes,
    ) -> Result<Lanes, Error> {
        Ok(match condition {
            Condition::Constant(value) => {
                if *value {
                    lanes
                } else {
                    0
                }
            }
            Condition::Compare(compare, a, b) => {
                let (a, b) = (self.values(frame, a, lanes)?, self.values(frame, b, lanes)?);
                let holds = |lane: &usize| {
                    let (a, b) = (a[*lane], b[*lane]);
                    match compare {
                        Compare::Equal => a == b,
                        Compare::NotEqual => a != b,
                        Compare::Less => a < b,
                        Compare::LessEqual => a <= b,
                        Compare::SignedLess => (a as i32) < b as i32,
                        Compare::SignedLessEqual => a as i32 <= b as i32,
                    }
                };
                each(lanes)
                    .filter(holds)
                    .fold(0, |set, lane| set | 1 << lane)
            }
            Condition::Not(c) => lanes & !self.condition(frame, c, lanes)?,
            Condition::And(a, b) => {
                self.condition(frame, a, lanes)? & self.condition(frame, b, lanes)?
            }
            Condition::Or(a, b) => {
                self.condition(frame, a, lanes)? | self.condition(frame, b, lanes)?
            }
            Condition::AnyTrue(_)
            | Condition::AllTrue(_)
            | Condition::AllEqual(_)
            | Condition::IsFirst => return Err(Error::Wave),
        })
    }
}

fn unary(operation: Unary, a: u32) -> u32 {
    match operation {
        Unary::Not => !a,
        Unary::Negate => a.wrapping_neg(),
        Unary::CountBits => a.count_ones(),
        Unary::ReverseBits => a.reverse_bits(),
        // The bit's number from the right, all ones where there is none.
        Unary::FirstBitHigh => a.checked_ilog2().unwrap_or(u32::MAX),
        Unary::FirstBitLow => {
            if a == 0 {
                u32::MAX
            } else {
                a.trailing_zeros()
            }
        }
    }
}

fn binary(operation: Binary, a: u32, b: u32) -> u32 {
    match operation {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide => a / (b | 1),
        Binary::Remainder => a % (b | 1),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::ShiftLeft => a << (b & 31),
        Binary::ShiftRight => a >> (b & 31),
        Binary::ArithmeticShiftRight => ((a as i32) >> (b & 31)) as u32,
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::SignedMin => (a as i32).min(b as i32) as u32,
        Binary::SignedMax => (a as i32).max(b as i32) as u32,
    }
}
