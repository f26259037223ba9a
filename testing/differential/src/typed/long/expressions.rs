//! Expressions of long vectors, and of their components.

use super::super::expressions::{Expressions, Kind, VARIABLES, Value, reduced, unsigned, variable};
use super::Long;

impl Expressions<'_> {
    /// Returns a scalar or vector without operands. `None`: one that has nothing to do with long
    /// vectors.
    pub(in super::super) fn long_leaf(
        &mut self,
        long: &Long,
        kind: Kind,
        n: usize,
    ) -> Option<Value> {
        if let Some(function) = self.function {
            return Some(self.parameter(function, kind, n));
        }
        if n <= 4 {
            return self.rng.chance(30).then(|| self.part(long, kind, n));
        }
        let name = kind.name(n);
        let text = match self.rng.below(10) {
            0 => format!("(({name})({}))", self.rng.below(kind.kept() as usize)),
            1 => format!("(({name})((id + {}u) & 7u))", self.rng.below(9)),
            2..6 if !self.address => return Some(self.long_memory(long, kind, n)),
            _ => self.long_variable(long, kind, n),
        };
        Some(Value::new(text, kind.kept()))
    }

    /// Returns a parameter of a function.
    fn parameter(&mut self, of: (Kind, usize), kind: Kind, n: usize) -> Value {
        let name = kind.name(n);
        let vector = *self.pick(&["a", "b"]);
        let text = match self.rng.below(5) {
            0..3 if of == (kind, n) => vector.to_owned(),
            0 | 1 if of.0 == kind => format!("(({name})({vector}[{}]))", self.component(of.1)),
            2 if of.0 == kind => format!("(({name})({vector}[(s + 1u) % {}u]))", of.1),
            number => format!("(({name})((s + {number}u) & 7u))"),
        };
        Value::new(text, kind.kept())
    }

    /// Returns a vector of the program: a variable if the program has that type.
    fn long_variable(&mut self, long: &Long, kind: Kind, n: usize) -> String {
        if long.kinds.contains(&kind) {
            return variable(kind, n, self.rng.below(VARIABLES));
        }
        let from = long.kind(self.rng);
        let text = variable(from, n, self.rng.below(VARIABLES));
        Self::converted(kind, n, from, &text).text
    }

    /// Returns components of a long vector.
    fn part(&mut self, long: &Long, kind: Kind, n: usize) -> Value {
        let (from, length) = (long.kind(self.rng), long.length(self.rng));
        let vector = match self.rng.below(6) {
            0 if !self.address => {
                format!("array_{}[{}]", from.name(length), self.index(4, 1))
            }
            1 => format!("record.of_{}", from.name(length)),
            2 => format!("table_{}[{}]", from.name(length), self.rng.below(3)),
            _ => variable(from, length, self.rng.below(VARIABLES)),
        };
        let text = match self.rng.below(3) {
            0 if n > 1 => format!("(({})({vector}))", from.name(n)),
            1 if !self.address => {
                let at = self.place(length);
                format!("(({})({vector}[{at}]))", from.name(n))
            }
            _ => format!("(({})({vector}[{}]))", from.name(n), self.component(length)),
        };
        if from == kind {
            return Value::new(text, kind.kept());
        }
        Self::converted(kind, n, from, &text)
    }

    /// Returns the number of a component; seldom the first one, of which DXC (1.9) makes an integer
    /// as wide as the vector, which skips the program.
    pub(super) fn component(&mut self, n: usize) -> usize {
        if self.rng.chance(1) {
            return 0;
        }
        1 + self.rng.below(n - 1)
    }

    /// Returns a computed index of a component.
    pub(super) fn place(&mut self, n: usize) -> String {
        let index = self.index(256, 1);
        format!("{index} % {n}u")
    }

    /// Returns a vector from memory.
    fn long_memory(&mut self, long: &Long, kind: Kind, n: usize) -> Value {
        let name = kind.name(n);
        let has = long.kinds.contains(&kind);
        let place = self.index(64, 1);
        let small = |text: String| match kind {
            // Halves and doubles that floats represent exactly.
            Kind::F16 => format!("trunc({text})"),
            Kind::F64 => unsigned(kind, n, &text),
            _ => text,
        };
        let text = match self.rng.below(6) {
            0 => small(format!("Raw.Load<{name} >(8u * {place})")),
            1 if has => small(format!("Records[{place}].of_{name}")),
            2 if has => format!("table_{name}[{place} % 3u]"),
            3 if has => format!("array_{name}[{place} & 3u]"),
            4 if has => format!("record.of_{name}"),
            _ => {
                let from = long.kind(self.rng);
                let text = format!("table_{}[{place} % 3u]", from.name(n));
                return Self::converted(kind, n, from, &text);
            }
        };
        Value::new(text, kind.kept())
    }

    /// Returns a comparison of two vectors.
    pub(super) fn compared(&mut self, long: &Long, n: usize, depth: usize) -> String {
        match self.rng.below(12) {
            0 | 1 if self.function.is_none() => format!("bool{n}_0"),
            2 if depth > 0 => {
                let function = *self.pick(&["and", "or"]);
                let (a, b) = (self.compared(long, n, 0), self.compared(long, n, 0));
                format!("{function}({a}, {b})")
            }
            3 if depth > 0 => format!("(!{})", self.compared(long, n, 0)),
            number => {
                let kind = long.kind(self.rng);
                let (a, b) = (self.any(kind, n, depth).text, self.any(kind, n, depth).text);
                let compare = ["<", "<=", ">", ">=", "==", "!="][number % 6];
                format!("({a} {compare} {b})")
            }
        }
    }

    /// Returns a condition of all components.
    pub(in super::super) fn long_condition(&mut self, long: &Long, depth: usize) -> String {
        let n = long.length(self.rng);
        let function = *self.pick(&["any", "all"]);
        if self.rng.chance(25) {
            let kind = long.kind(self.rng);
            let value = self.any(kind, n, depth).text;
            return format!("{function}({value})");
        }
        format!("{function}({})", self.compared(long, n, depth))
    }

    /// Returns an operation that only long vectors have, or that short ones have not here.
    pub(in super::super) fn long_operation(
        &mut self,
        long: &Long,
        kind: Kind,
        n: usize,
        depth: usize,
    ) -> Option<Value> {
        let name = kind.name(n);
        let operand = |this: &mut Self| {
            let value = this.any(kind, n, depth);
            reduced(kind, n, value, kind.kept())
        };
        Some(match self.rng.below(16) {
            0..3 => {
                let which = self.compared(long, n, depth);
                let (a, b) = (self.any(kind, n, depth), self.any(kind, n, depth));
                let bound = a.bound.max(b.bound);
                Value::new(format!("select({which}, {}, {})", a.text, b.text), bound)
            }
            3 => {
                let value = self.any(kind, 1, depth);
                Value::new(format!("(({name})({}))", value.text), value.bound)
            }
            4 => self.with_other_length(long, kind, n, depth),
            5 | 6 => self.long_constructed(long, kind, n, depth),
            7 => {
                let which = self.compared(long, n, depth);
                Value::new(format!("(({name})({which}))"), kind.kept())
            }
            8 if !kind.is_unsigned() => {
                let value = self.any(kind, n, depth).text;
                Value::new(format!("(({name})(sign({value})))"), kind.kept())
            }
            9 => {
                let parts: Vec<Value> = (0..3).map(|_| operand(self)).collect();
                let texts: Vec<String> = parts.into_iter().map(|part| part.text).collect();
                Value::new(format!("clamp({})", texts.join(", ")), kind.kept())
            }
            10 => {
                let (a, b, c) = (operand(self), operand(self), operand(self));
                let function = if kind == Kind::F64 { "fma" } else { "mad" };
                let text = format!("{function}({}, {}, {})", a.text, b.text, c.text);
                Value::new(
                    text,
                    a.bound.saturating_mul(b.bound).saturating_add(c.bound),
                )
            }
            11 => self.call(long, kind, n, depth)?,
            12 => self.bits(kind, n, depth),
            13 if matches!(kind, Kind::F16 | Kind::F32) => {
                let (a, b) = (self.any(kind, n, depth), self.any(kind, n, depth));
                let function = *self.pick(&["isfinite", "isnan", "isinf"]);
                let bound = a.bound.max(b.bound);
                let text = format!("select({function}({}), {}, {1})", a.text, b.text);
                Value::new(text, bound)
            }
            14 if kind != Kind::F64 => {
                let (a, b) = (operand(self), operand(self));
                let text = format!("(({name})(dot({}, {})))", a.text, b.text);
                let bound = a.bound.saturating_mul(b.bound).saturating_mul(n as u64);
                Value::new(text, bound)
            }
            15 if self.waves => {
                let value = self.any(kind, n, depth);
                let text = match self.rng.below(3) {
                    0 => format!("WaveReadLaneFirst({})", value.text),
                    1 => format!("WaveReadLaneAt({}, {})", value.text, self.rng.below(4)),
                    _ => format!("WaveActiveMax({})", value.text),
                };
                Value::new(text, value.bound)
            }
            _ => return None,
        })
    }

    /// Returns a longer vector without its last components, or a shorter one with more.
    fn with_other_length(&mut self, long: &Long, kind: Kind, n: usize, depth: usize) -> Value {
        let Some(&other) = long.lengths.iter().find(|&&other| other > n) else {
            return self.long_constructed(long, kind, n, depth);
        };
        let value = self.any(kind, other, depth);
        Value::new(format!("(({})({}))", kind.name(n), value.text), value.bound)
    }

    /// Returns a vector of parts: scalars, short and long vectors.
    pub(in super::super) fn long_constructed(
        &mut self,
        long: &Long,
        kind: Kind,
        n: usize,
        depth: usize,
    ) -> Value {
        let (mut texts, mut bound, mut have) = (Vec::new(), 0, 0);
        while have < n {
            let left = n - have;
            let shorter = long
                .lengths
                .iter()
                .find(|&&other| other <= left && other < n);
            let width = match shorter {
                Some(&other) if self.rng.chance(50) => other,
                _ => left.min(1 + self.rng.below(4)),
            };
            let depth = if n > 12 { 0 } else { depth.min(1) };
            let part = self.any(kind, width, depth);
            bound = part.bound.max(bound);
            texts.push(part.text);
            have += width;
        }
        Value::new(format!("{}({})", kind.name(n), texts.join(", ")), bound)
    }

    fn call(&mut self, long: &Long, kind: Kind, n: usize, depth: usize) -> Option<Value> {
        let fits = |&function: &&super::Function| {
            (function.kind, function.n, function.changes) == (kind, n, false)
        };
        if self.function.is_some() {
            return None;
        }
        let function = long.functions.iter().find(fits)?;
        let (a, b) = (self.kept(kind, n, depth), self.kept(kind, n, depth));
        let word = self.any(Kind::U32, 1, depth.min(1)).text;
        let text = format!("{}({a}, {b}, {word})", function.name);
        Some(Value::new(text, kind.kept()))
    }

    /// Returns bits of a vector, or counts of them; half of a float.
    fn bits(&mut self, kind: Kind, n: usize, depth: usize) -> Value {
        let name = kind.name(n);
        let other = match kind {
            Kind::U32 => Some((Kind::F32, "asuint")),
            Kind::I32 => Some((Kind::F32, "asint")),
            Kind::U16 => Some((Kind::F16, "asuint16")),
            Kind::I16 => Some((Kind::F16, "asint16")),
            _ => None,
        };
        if let Some((float, function)) = other
            && self.rng.chance(50)
        {
            let value = self.any(float, n, depth).text;
            let text = format!("{function}({})", unsigned(float, n, &value));
            return Value::new(text, u64::MAX);
        }
        let value = self.any(kind, n, depth);
        match kind {
            Kind::F16 | Kind::F32 => Value::new(
                format!("trunc({} * ({name})(0.5))", value.text),
                value.bound,
            ),
            Kind::F64 => value,
            _ if kind.is_unsigned() => {
                let functions = ["reversebits", "countbits", "firstbitlow", "firstbithigh"];
                let function = *self.pick(&functions);
                Value::new(format!("(({name})({function}({})))", value.text), u64::MAX)
            }
            _ => Value::new(format!("(-{})", value.text), u64::MAX),
        }
    }
}
