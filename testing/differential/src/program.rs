//! Syntax of the random programs: a small part of HLSL in which every program is defined.
//!
//! All values are 32-bit integers. A function has [`VARIABLES`] local variables and an array of
//! [`ELEMENTS`]; each loop has its own counter that ends it. A thread writes slots of the
//! output that belong to it, one after the other; threads meet in groupshared memory around
//! barriers, in atomic operations that commute, and in wave and quad operations.

use serde::{Deserialize, Serialize};

/// Local variables of a function. The first two hold the arguments.
pub const VARIABLES: usize = 4;

/// Elements of a function's local array.
pub const ELEMENTS: u32 = 4;

/// Slots of the output per thread; later records replace the last.
pub const SLOTS: u32 = 64;

/// Elements of the input buffer.
pub const INPUTS: u32 = 64;

/// Groupshared counters that atomic operations change.
pub const TOTALS: usize = 4;

/// A compute shader.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The seed that it was made from.
    pub seed: u64,
    /// Options of its compilation.
    pub options: Compilation,
    /// Threads of a group, at most 64.
    pub lanes: u32,
    /// Groups.
    pub groups: u32,
    /// Functions; each calls only those before it.
    pub functions: Vec<Function>,
    /// The entry point's body. Its variables begin as an input, the thread's number and two
    /// constants.
    pub main: Vec<Statement>,
}

/// The compiler's options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compilation {
    /// Compiled by FXC to shader model 5 instead of DXC to 6.
    pub fxc: bool,
    /// Minor version of the shader model.
    pub model: u32,
    /// Optimization: `-O0`, `-Od`, `-O1`, `-O3`.
    pub level: &'static str,
    /// HLSL 2021, whose `&&`, `||` and `?:` short-circuit: they branch.
    pub short_circuit: bool,
    /// 16-bit types; shader model 6.2.
    pub native16: bool,
}

impl Compilation {
    /// Returns the options for FXC of a seed's program: optimized and not, in both shader models.
    pub fn with_fxc(seed: u64) -> [Self; 2] {
        let of = |level, model| Self {
            fxc: true,
            model,
            level,
            short_circuit: false,
            native16: false,
        };
        let model = (seed % 2) as u32;
        [of("-Od", model), of("-O3", 1 - model)]
    }
}

/// A function of two values and the thread's position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// `[noinline]`: the call stays a call.
    pub noinline: bool,
    /// Its body.
    pub body: Vec<Statement>,
    /// The value that it returns at its end.
    pub result: Expression,
}

/// A statement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Statement {
    /// Sets a variable.
    Assign(usize, Expression),
    /// Sets an element of the local array; the index counts modulo [`ELEMENTS`].
    Store(Expression, Expression),
    /// Writes the thread's next slot of the output.
    Record(Expression),
    /// Selection.
    If(Attribute, Condition, Vec<Statement>, Vec<Statement>),
    /// Selection of many.
    Switch(Attribute, Expression, Vec<Case>),
    /// Repetition.
    Loop(Loop),
    /// Leaves the innermost loop or switch.
    Break,
    /// Continues with the next iteration of the innermost loop.
    Continue,
    /// Leaves the function; in the entry point the value is not evaluated.
    Return(Expression),
    /// Sets a variable to the value that the thread at distance `offset` computed: groupshared
    /// memory between barriers.
    Exchange {
        /// The variable.
        variable: usize,
        /// The value that each thread computes.
        value: Expression,
        /// Distance to the other thread, modulo the size of the group.
        offset: u32,
    },
    /// An atomic operation on a groupshared counter.
    Total(usize, Atomic, Expression),
    /// Sets a variable to a groupshared counter, between barriers.
    ReadTotal(usize, usize),
    /// Sets a variable to a function's result.
    Call(usize, usize, [Expression; 2]),
}

/// The attribute of a statement, in brackets before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "HLSL's own names")]
pub enum Attribute {
    None,
    Branch,
    Flatten,
    Call,
    Loop,
    Unroll,
}

/// A case of a switch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Case {
    /// Values.
    pub labels: Vec<u32>,
    /// It is (also) the default.
    pub default: bool,
    /// Body.
    pub body: Vec<Statement>,
    /// It falls through to the next case; if not, a `break` ends it.
    pub falls: bool,
}

/// A loop: it continues while `counter < limit && condition`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Loop {
    /// Syntactic form.
    pub form: Form,
    /// Attribute.
    pub attribute: Attribute,
    /// Number of the counter, unique in the program.
    pub counter: usize,
    /// Most iterations: the expression modulo the number, or the number if there is no expression.
    pub limit: (Option<Box<Expression>>, u32),
    /// The additional condition.
    pub condition: Condition,
    /// Body.
    pub body: Vec<Statement>,
}

/// Syntactic form of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Form {
    /// `for`, the counter from 0.
    For,
    /// `while`, the counter from 1: it grows at the beginning of an iteration.
    While,
    /// `do … while`, the counter from 1; at least one iteration.
    DoWhile,
    /// `for` without a condition, left by a `break`; the counter from 0.
    Endless,
}

/// An integer expression.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Expression {
    /// A number.
    Constant(u32),
    /// The thread's number in the dispatch.
    Id,
    /// The thread's number in its group.
    Lane,
    /// Index of the thread's quad in its group.
    QuadIndex,
    /// A variable.
    Variable(usize),
    /// An element of the local array; the index counts modulo [`ELEMENTS`].
    Element(Box<Expression>),
    /// A loop's counter.
    Counter(usize),
    /// An element of the input; the index counts modulo [`INPUTS`].
    Input(Box<Expression>),
    /// One operand.
    Unary(Unary, Box<Expression>),
    /// Two operands.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `?:`
    Select(Box<Condition>, Box<Expression>, Box<Expression>),
    /// A wave operation.
    Wave(Wave, Box<Expression>),
    /// A wave operation on a condition.
    Vote(Vote, Box<Condition>),
    /// A value of another lane of the quad, all of whose lanes are active.
    Quad(Quad, Box<Expression>),
}

/// Operations with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "HLSL's own names")]
pub enum Unary {
    Not,
    Negate,
    CountBits,
    ReverseBits,
    FirstBitHigh,
    FirstBitLow,
}

/// Operations with two operands. Shift amounts count modulo 32; a divisor's lowest bit is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the usual names")]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    ArithmeticShiftRight,
    Min,
    Max,
    SignedMin,
    SignedMax,
}

/// Wave operations: results depend on the lanes that run together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "HLSL's own names")]
pub enum Wave {
    Sum,
    Product,
    Min,
    Max,
    And,
    Or,
    Xor,
    PrefixSum,
    PrefixProduct,
    ReadFirst,
    /// Lanes with the same value; shader model 6.5.
    Match,
}

/// Wave operations on conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "HLSL's own names")]
pub enum Vote {
    Ballot,
    CountBits,
    PrefixCountBits,
}

/// Operations of a quad.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "HLSL's own names")]
pub enum Quad {
    AcrossX,
    AcrossY,
    Diagonal,
    /// `QuadReadLaneAt`, of that lane of the quad.
    LaneAt(u32),
    /// `WaveReadLaneAt`, of the lane whose number differs in these bits (1 to 3).
    WaveLane(u32),
    /// `ddx_fine` of the low 16 bits as a float, back as an integer; shader model 6.6.
    DdxFine,
    /// `ddy_fine`, likewise.
    DdyFine,
}

/// Atomic operations whose order does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "HLSL's own names")]
pub enum Atomic {
    Add,
    Xor,
    Or,
    Max,
}

/// A condition.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Condition {
    /// `true`, `false`
    Constant(bool),
    /// Compares two numbers.
    Compare(Compare, Box<Expression>, Box<Expression>),
    /// `!`
    Not(Box<Condition>),
    /// `&&`
    And(Box<Condition>, Box<Condition>),
    /// `||`
    Or(Box<Condition>, Box<Condition>),
    /// `WaveActiveAnyTrue`
    AnyTrue(Box<Condition>),
    /// `WaveActiveAllTrue`
    AllTrue(Box<Condition>),
    /// `WaveActiveAllEqual`
    AllEqual(Box<Expression>),
    /// `WaveIsFirstLane`
    IsFirst,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the usual names")]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    SignedLess,
    SignedLessEqual,
}

/// The parts of a program that can be visited.
#[derive(Clone, Copy, Debug)]
pub enum Node<'p> {
    /// A statement.
    Statement(&'p Statement),
    /// An expression.
    Expression(&'p Expression),
    /// A condition.
    Condition(&'p Condition),
}

impl Program {
    /// Returns whether some part of the program fits.
    pub fn any(&self, fits: &dyn Fn(Node<'_>) -> bool) -> bool {
        let mut nodes: Vec<Node<'_>> = self.main.iter().map(Node::Statement).collect();
        for function in &self.functions {
            nodes.extend(function.body.iter().map(Node::Statement));
            nodes.push(Node::Expression(&function.result));
        }
        while let Some(node) = nodes.pop() {
            if fits(node) {
                return true;
            }
            node.children(&mut nodes);
        }
        false
    }

    /// Returns whether results depend on the width of waves.
    pub fn has_waves(&self) -> bool {
        self.any(&|node| match node {
            Node::Expression(Expression::Wave(..) | Expression::Vote(..)) => true,
            Node::Condition(condition) => matches!(
                condition,
                Condition::AnyTrue(_)
                    | Condition::AllTrue(_)
                    | Condition::AllEqual(_)
                    | Condition::IsFirst
            ),
            _ => false,
        })
    }

    /// Returns the number of statements.
    pub fn size(&self) -> usize {
        let count = std::cell::Cell::new(0);
        self.any(&|node| {
            count.set(count.get() + usize::from(matches!(node, Node::Statement(_))));
            false
        });
        count.get()
    }
}

impl<'p> Node<'p> {
    fn children(self, list: &mut Vec<Node<'p>>) {
        match self {
            Node::Statement(statement) => statement.children(list),
            Node::Expression(expression) => expression.children(list),
            Node::Condition(condition) => condition.children(list),
        }
    }
}

impl Statement {
    fn children<'p>(&'p self, list: &mut Vec<Node<'p>>) {
        match self {
            Self::Assign(_, value)
            | Self::Record(value)
            | Self::Return(value)
            | Self::Exchange { value, .. }
            | Self::Total(_, _, value) => {
                list.push(Node::Expression(value));
            }
            Self::Store(index, value) => {
                list.extend([Node::Expression(index), Node::Expression(value)]);
            }
            Self::If(_, condition, then, other) => {
                list.push(Node::Condition(condition));
                list.extend(then.iter().chain(other).map(Node::Statement));
            }
            Self::Switch(_, subject, cases) => {
                list.push(Node::Expression(subject));
                list.extend(
                    cases
                        .iter()
                        .flat_map(|case| &case.body)
                        .map(Node::Statement),
                );
            }
            Self::Loop(Loop {
                limit,
                condition,
                body,
                ..
            }) => {
                list.extend(limit.0.as_deref().map(Node::Expression));
                list.push(Node::Condition(condition));
                list.extend(body.iter().map(Node::Statement));
            }
            Self::Call(_, _, arguments) => list.extend(arguments.iter().map(Node::Expression)),
            Self::Break | Self::Continue | Self::ReadTotal(..) => {}
        }
    }
}

impl Expression {
    fn children<'p>(&'p self, list: &mut Vec<Node<'p>>) {
        match self {
            Self::Constant(_)
            | Self::Id
            | Self::Lane
            | Self::QuadIndex
            | Self::Variable(_)
            | Self::Counter(_) => {}
            Self::Element(a)
            | Self::Input(a)
            | Self::Unary(_, a)
            | Self::Wave(_, a)
            | Self::Quad(_, a) => list.push(Node::Expression(a)),
            Self::Binary(_, a, b) => list.extend([Node::Expression(a), Node::Expression(b)]),
            Self::Select(c, a, b) => {
                list.extend([Node::Condition(c), Node::Expression(a), Node::Expression(b)]);
            }
            Self::Vote(_, c) => list.push(Node::Condition(c)),
        }
    }
}

impl Condition {
    fn children<'p>(&'p self, list: &mut Vec<Node<'p>>) {
        match self {
            Self::Constant(_) | Self::IsFirst => {}
            Self::Compare(_, a, b) => list.extend([Node::Expression(a), Node::Expression(b)]),
            Self::Not(c) | Self::AnyTrue(c) | Self::AllTrue(c) => list.push(Node::Condition(c)),
            Self::And(a, b) | Self::Or(a, b) => {
                list.extend([Node::Condition(a), Node::Condition(b)]);
            }
            Self::AllEqual(a) => list.push(Node::Expression(a)),
        }
    }
}
