//! Random expressions of a type. Floats are integers below a bound that each expression knows.

use structurizer_testkit::generate::Rng;

use super::long::Long;

/// Type of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    F16,
    F32,
    F64,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

impl Kind {
    /// Returns HLSL's name of the type with `n` components.
    pub(super) fn name(self, n: usize) -> String {
        let scalar = match self {
            Self::F16 => "half",
            Self::F32 => "float",
            Self::F64 => "double",
            Self::I16 => "int16_t",
            Self::U16 => "uint16_t",
            Self::I32 => "int",
            Self::U32 => "uint",
            Self::I64 => "int64_t",
            Self::U64 => "uint64_t",
        };
        if n == 1 {
            scalar.to_owned()
        } else {
            format!("{scalar}{n}")
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    pub(super) fn is_unsigned(self) -> bool {
        matches!(self, Self::U16 | Self::U32 | Self::U64)
    }

    fn is_signed(self) -> bool {
        matches!(self, Self::I16 | Self::I32 | Self::I64)
    }

    fn bits(self) -> u32 {
        match self {
            Self::F16 | Self::I16 | Self::U16 => 16,
            Self::F32 | Self::I32 | Self::U32 => 32,
            Self::F64 | Self::I64 | Self::U64 => 64,
        }
    }

    /// Integers below this are exact, with room for a sum; an `int` holds them.
    fn limit(self) -> u64 {
        match self {
            Self::F16 => 1 << 10,
            Self::F32 => 1 << 22,
            _ => 1 << 29,
        }
    }

    /// Variables and memory hold floats below this.
    pub(super) fn kept(self) -> u64 {
        if self == Self::F16 { 8 } else { 64 }
    }
}

/// An expression's text, and the bound of its floats.
#[derive(Clone)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) bound: u64,
}

impl Value {
    pub(super) fn new(text: impl Into<String>, bound: u64) -> Self {
        Self {
            text: text.into(),
            bound,
        }
    }
}

/// Makes expressions.
pub(super) struct Expressions<'a> {
    pub(super) rng: &'a mut Rng,
    /// The types that the program uses.
    pub(super) kinds: &'a [Kind],
    /// FXC compiles the program.
    pub(super) fxc: bool,
    /// The program has matrices.
    pub(super) matrices: bool,
    /// The program has textures.
    pub(super) textures: bool,
    /// The program has waves, and the expression is where all threads are.
    pub(super) waves: bool,
    /// The expression is part of an address: it reads no memory.
    pub(super) address: bool,
    /// The program's long vectors.
    pub(super) long: Option<&'a Long>,
    /// The expression is in a function of vectors of this type.
    pub(super) function: Option<(Kind, usize)>,
}

/// Variables of each type.
pub(super) const VARIABLES: usize = 2;

/// Returns the name of a variable.
pub(super) fn variable(kind: Kind, n: usize, number: usize) -> String {
    format!("{}_{number}", kind.name(n))
}

impl Expressions<'_> {
    pub(super) fn pick<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.rng.below(list.len())]
    }

    /// Returns an expression that a variable or memory can hold.
    pub(super) fn kept(&mut self, kind: Kind, n: usize, depth: usize) -> String {
        let value = self.any(kind, n, depth);
        reduced(kind, n, value, kind.kept()).text
    }

    /// Returns an expression as `uint`.
    pub(super) fn word(&mut self, kind: Kind, depth: usize) -> String {
        let value = self.any(kind, 1, depth).text;
        match kind {
            Kind::F16 | Kind::F32 | Kind::F64 => format!("asuint((int)({value}))"),
            Kind::I64 | Kind::U64 => {
                format!("((uint)({value}) ^ (uint)(({value}) >> 32))")
            }
            _ => format!("((uint)({value}))"),
        }
    }

    /// Returns an index below a power of two.
    pub(super) fn index(&mut self, below: u32, depth: usize) -> String {
        let outer = std::mem::replace(&mut self.address, true);
        let value = self.any(Kind::U32, 1, depth).text;
        self.address = outer;
        format!("(({value}) & {}u)", below - 1)
    }

    /// Returns the index of a component, row or member that is written: FXC needs a constant.
    pub(super) fn row(&mut self) -> String {
        let index = self.index(2, 1);
        match self.fxc {
            true => self.rng.below(2).to_string(),
            false => index,
        }
    }

    /// Returns a condition.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        if let Some(long) = self.long
            && self.rng.chance(40)
        {
            return self.long_condition(long, depth);
        }
        let kind = *self.pick(self.kinds);
        let (a, b) = (self.any(kind, 1, depth).text, self.any(kind, 1, depth).text);
        match self.rng.below(8) {
            0 => {
                let (a, b) = (self.any(kind, 3, depth).text, self.any(kind, 3, depth).text);
                format!("any({a} == {b})")
            }
            1 => {
                let (a, b) = (self.any(kind, 2, depth).text, self.any(kind, 2, depth).text);
                format!("all({a} <= {b})")
            }
            number => {
                let compare = ["<", "<=", ">", ">=", "==", "!="][number - 2];
                format!("({a}) {compare} ({b})")
            }
        }
    }

    /// Returns an expression whose floats are exact.
    pub(super) fn any(&mut self, kind: Kind, n: usize, depth: usize) -> Value {
        if depth == 0 || self.rng.chance(15) {
            return self.leaf(kind, n);
        }
        let value = if let Some(long) = self.long
            && n > 4
            && self.rng.chance(45)
        {
            self.long_operation(long, kind, n, depth - 1)
        } else if kind.is_float() {
            self.float(kind, n, depth - 1)
        } else {
            self.integer(kind, n, depth - 1)
        };
        value.unwrap_or_else(|| self.leaf(kind, n))
    }

    fn leaf(&mut self, kind: Kind, n: usize) -> Value {
        if let Some(long) = self.long
            && let Some(value) = self.long_leaf(long, kind, n)
        {
            return value;
        }
        let name = kind.name(n);
        match self.rng.below(8) {
            0 => {
                let number = self.rng.below(kind.kept() as usize);
                Value::new(format!("(({name})({number}))"), kind.kept())
            }
            1 => Value::new(
                format!("(({name})((id + {}u) & 7u))", self.rng.below(9)),
                kind.kept(),
            ),
            // A component, repeated, or some in another order.
            2 => {
                let width = 1 + self.rng.below(4);
                let number = self.rng.below(VARIABLES);
                let letters: String = (0..n)
                    .map(|_| ["x", "y", "z", "w"][self.rng.below(width)])
                    .collect();
                let from = variable(kind, width, number);
                let text = if width == 1 {
                    format!("(({name})({from}))")
                } else {
                    format!("{from}.{letters}")
                };
                Value::new(text, kind.kept())
            }
            3 if self.textures && !self.address => self.texture(kind, n),
            4 if !self.address => self.memory(kind, n),
            _ => {
                let number = self.rng.below(VARIABLES);
                Value::new(variable(kind, n, number), kind.kept())
            }
        }
    }

    /// Converts a value from another type; it is small.
    pub(super) fn converted(kind: Kind, n: usize, from: Kind, text: &str) -> Value {
        let name = kind.name(n);
        let int = Kind::I32.name(n);
        let text = if from.is_float() && !kind.is_float() {
            // Negative floats have no unsigned integer.
            format!("(({name})(({int})({text})))")
        } else if kind.is_float() && !from.is_float() {
            format!("(({name})(({int})({text}) & 7))")
        } else {
            format!("(({name})({text}))")
        };
        Value::new(text, kind.kept())
    }

    /// Returns a number from a buffer.
    fn memory(&mut self, kind: Kind, n: usize) -> Value {
        let (text, from, have) = super::resources::read(self);
        let text = super::resources::resized(&text, from, have, n);
        let value = Self::converted(kind, n, from, &text);
        reduced(kind, n, Value::new(value.text, u64::MAX), kind.kept())
    }

    fn texture(&mut self, kind: Kind, n: usize) -> Value {
        let (text, from, have) = super::resources::texture(self);
        let text = super::resources::resized(&text, from, have, n);
        let value = Self::converted(kind, n, from, &text);
        reduced(kind, n, Value::new(value.text, u64::MAX), kind.kept())
    }

    fn float(&mut self, kind: Kind, n: usize, depth: usize) -> Option<Value> {
        let name = kind.name(n);
        let operand = |this: &mut Self| {
            let value = this.any(kind, n, depth);
            reduced(kind, n, value, kind.kept())
        };
        let limit = kind.limit();
        let choice = self.rng.below(16);
        Some(match choice {
            0..3 => {
                let (a, b) = (self.any(kind, n, depth), self.any(kind, n, depth));
                let (a, b) = (
                    reduced(kind, n, a, limit / 2),
                    reduced(kind, n, b, limit / 2),
                );
                let sign = if choice == 0 { "-" } else { "+" };
                Value::new(format!("({} {sign} {})", a.text, b.text), a.bound + b.bound)
            }
            3..5 => {
                let (a, b) = (operand(self), operand(self));
                Value::new(format!("({} * {})", a.text, b.text), a.bound * b.bound)
            }
            5 => {
                let (a, b) = (self.any(kind, n, depth), self.any(kind, n, depth));
                let function = if self.rng.chance(50) { "min" } else { "max" };
                Value::new(
                    format!("{function}({}, {})", a.text, b.text),
                    a.bound.max(b.bound),
                )
            }
            6 => {
                let a = self.any(kind, n, depth);
                let function = *self.pick(&["abs", "-", "abs"]);
                Value::new(format!("({function}({}))", a.text), a.bound)
            }
            // Rounding, which DXIL has for floats and halves.
            7 if kind != Kind::F64 => {
                let a = self.any(kind, n, depth);
                let function = *self.pick(&["floor", "ceil", "trunc", "round"]);
                Value::new(format!("{function}({})", a.text), a.bound)
            }
            8 => {
                let (a, b) = self.choices(kind, n, depth);
                let condition = self.condition(depth.min(1));
                Value::new(
                    format!("({condition} ? {} : {})", a.text, b.text),
                    a.bound.max(b.bound),
                )
            }
            9 if n > 1 && kind != Kind::F16 => {
                let (a, b) = (operand(self), operand(self));
                let one = format!("dot({}, {})", a.text, b.text);
                if kind == Kind::F64 {
                    return None;
                }
                Value::new(format!("(({name})({one}))"), a.bound * b.bound * n as u64)
            }
            10 if n == 3 && kind == Kind::F32 => {
                let (a, b) = (operand(self), operand(self));
                Value::new(
                    format!("cross({}, {})", a.text, b.text),
                    2 * a.bound * b.bound,
                )
            }
            11 if kind == Kind::F32 => {
                let (a, b, c) = (operand(self), operand(self), operand(self));
                Value::new(
                    format!("mad({}, {}, {})", a.text, b.text, c.text),
                    a.bound * b.bound + c.bound,
                )
            }
            12 | 13 => {
                let from = *self.pick(self.kinds);
                let value = self.any(from, n, depth);
                let value = reduced(from, n, value, kind.kept().min(from.kept()));
                Self::converted(kind, n, from, &value.text)
            }
            14 if self.matrices && kind == Kind::F32 && (2..=4).contains(&n) => {
                self.product(n, depth)
            }
            15 if n > 1 => self.constructed(kind, n, depth),
            _ => return None,
        })
    }

    /// Returns the product of a matrix and a vector, or a row of a matrix.
    fn product(&mut self, n: usize, depth: usize) -> Value {
        let rows = 2 + self.rng.below(2);
        let columns = n.clamp(2, 3);
        let bound = Kind::F32.kept();
        match (self.rng.below(4), n) {
            (_, 4) => self.leaf(Kind::F32, 4),
            (0, _) => {
                let row = self.index(2, depth.min(1));
                Value::new(format!("m{rows}{columns}[{row}]"), bound)
            }
            (1, _) => {
                let vector = self.any(Kind::F32, rows, depth);
                let vector = reduced(Kind::F32, rows, vector, bound);
                Value::new(
                    format!("mul({}, m{rows}{columns})", vector.text),
                    3 * bound * bound,
                )
            }
            (2, _) => {
                let vector = self.any(Kind::F32, rows, depth);
                let vector = reduced(Kind::F32, rows, vector, bound);
                Value::new(
                    format!("mul(transpose(m{rows}{columns}), {})", vector.text),
                    3 * bound * bound,
                )
            }
            _ => {
                let other = 2 + self.rng.below(2);
                let vector = self.any(Kind::F32, other, depth);
                let vector = reduced(Kind::F32, other, vector, bound);
                Value::new(
                    format!("mul(m{columns}{other}, {})", vector.text),
                    3 * bound * bound,
                )
            }
        }
    }

    /// Returns the operands of `?:`. They are not where all threads are: compilers branch, and move
    /// wave operations into the branches even where HLSL computes both.
    fn choices(&mut self, kind: Kind, n: usize, depth: usize) -> (Value, Value) {
        let outer = self.waves;
        self.waves = false;
        let values = (self.any(kind, n, depth), self.any(kind, n, depth));
        self.waves = outer;
        values
    }

    fn constructed(&mut self, kind: Kind, n: usize, depth: usize) -> Value {
        if let Some(long) = self.long
            && n > 4
        {
            return self.long_constructed(long, kind, n, depth);
        }
        let parts: Vec<Value> = (0..n).map(|_| self.any(kind, 1, depth.min(1))).collect();
        let bound = parts.iter().map(|part| part.bound).max().unwrap_or(0);
        let texts: Vec<String> = parts.into_iter().map(|part| part.text).collect();
        Value::new(format!("{}({})", kind.name(n), texts.join(", ")), bound)
    }

    fn integer(&mut self, kind: Kind, n: usize, depth: usize) -> Option<Value> {
        let name = kind.name(n);
        let bits = kind.bits();
        let a = |this: &mut Self| this.any(kind, n, depth).text;
        let choice = self.rng.below(18);
        let text = match choice {
            0..6 => {
                let (a, b) = (a(self), a(self));
                let sign = ["+", "-", "*", "&", "|", "^"][choice];
                format!("({a} {sign} {b})")
            }
            6 => format!("(~{})", a(self)),
            7 | 8 => {
                let (a, b) = (a(self), a(self));
                let sign = if choice == 7 { "<<" } else { ">>" };
                format!("({a} {sign} ({b} & ({name})({})))", bits - 1)
            }
            9 => {
                let (a, b) = (a(self), a(self));
                let function = if self.rng.chance(50) { "min" } else { "max" };
                format!("{function}({a}, {b})")
            }
            10 if kind.is_signed() => format!("abs({})", a(self)),
            11 if !kind.is_signed() => {
                let (a, b) = (a(self), a(self));
                let sign = if self.rng.chance(50) { "/" } else { "%" };
                format!("({a} {sign} ({b} | ({name})(1)))")
            }
            12 if kind == Kind::U32 => {
                let functions = ["countbits", "reversebits", "firstbithigh", "firstbitlow"];
                let function = *self.pick(&functions);
                format!("{function}({})", a(self))
            }
            13 => {
                let (a, b) = self.choices(kind, n, depth);
                let condition = self.condition(depth.min(1));
                format!("({condition} ? {} : {})", a.text, b.text)
            }
            14 | 15 => {
                let from = *self.pick(self.kinds);
                let value = self.any(from, n, depth);
                let value = reduced(from, n, value, from.limit());
                return Some(Self::converted(kind, n, from, &value.text));
            }
            16 if n > 1 => return Some(self.constructed(kind, n, depth)),
            17 if self.waves && bits >= 32 => {
                let a = a(self);
                match self.rng.below(5) {
                    0 => format!("WaveActiveSum({a})"),
                    1 => format!("WaveReadLaneFirst({a})"),
                    2 => format!("WavePrefixSum({a})"),
                    3 => format!("WaveActiveMax({a})"),
                    _ => format!("WaveReadLaneAt({a}, {})", self.rng.below(4)),
                }
            }
            _ => return None,
        };
        Some(Value::new(text, u64::MAX))
    }
}

/// Returns a value whose floats are below a power of two.
pub(super) fn reduced(kind: Kind, n: usize, value: Value, most: u64) -> Value {
    if !kind.is_float() || value.bound <= most {
        return value;
    }
    let (name, int) = (kind.name(n), Kind::I32.name(n));
    let text = format!("(({name})(({int})({}) & {}))", value.text, most - 1);
    Value::new(text, most)
}

/// Returns a float as memory that is compared holds it: a small number whose zero has no sign, which
/// drivers need not keep (Mesa drops a conversion to `int` and back).
pub(super) fn unsigned(kind: Kind, n: usize, text: &str) -> String {
    let (name, int) = (kind.name(n), Kind::I32.name(n));
    format!("(({name})(({int})({text}) & {}))", kind.kept() - 1)
}
