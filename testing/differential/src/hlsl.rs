//! A program's text.

use std::fmt::{self, Display, Formatter, Write};

use crate::program::*;

/// Returns the program as HLSL. Its first lines are how it is compiled, in the form of the corpus.
pub fn print(program: &Program) -> String {
    let mut printer = Printer {
        text: String::new(),
        depth: 0,
        main: false,
    };
    // Writing to a string cannot fail.
    let _ = printer.program(program);
    printer.text
}

/// Returns the compiler's arguments other than profile and entry point.
pub fn arguments(options: Compilation) -> Vec<&'static str> {
    let mut list = vec![options.level];
    if options.short_circuit {
        list.extend(["-HV", "2021"]);
    }
    if options.native16 {
        list.push("-enable-16bit-types");
    }
    list
}

/// Returns the profile.
pub fn profile(options: Compilation) -> String {
    let major = if options.fxc { 5 } else { 6 };
    format!("cs_{major}_{}", options.model)
}

struct Printer {
    text: String,
    depth: usize,
    main: bool,
}

impl Printer {
    fn line(&mut self, text: impl Display) -> fmt::Result {
        let indent = self.depth * 4;
        writeln!(self.text, "{:indent$}{text}", "")
    }

    fn open(&mut self) -> fmt::Result {
        self.line("{")?;
        self.depth += 1;
        Ok(())
    }

    fn close(&mut self) -> fmt::Result {
        self.depth -= 1;
        self.line("}")
    }

    fn program(&mut self, program: &Program) -> fmt::Result {
        let statement = |fits: fn(&Statement) -> bool| {
            program.any(&|node| matches!(node, Node::Statement(statement) if fits(statement)))
        };
        self.line(format_args!(
            "// trellis: {} main {}",
            profile(program.options),
            arguments(program.options).join(" ")
        ))?;
        self.line(format_args!("// Random program, seed {}.", program.seed))?;
        self.line("\nStructuredBuffer<uint> In : register(t0);\nRWStructuredBuffer<uint> Out : register(u0);")?;
        let shared = statement(|s| matches!(s, Statement::Exchange { .. }));
        let totals = statement(|s| matches!(s, Statement::Total(..) | Statement::ReadTotal(..)));
        if shared {
            self.line(format_args!("groupshared uint Shared[{}];", program.lanes))?;
        }
        if totals {
            self.line(format_args!("groupshared uint Totals[{TOTALS}];"))?;
        }
        self.line("\nvoid record(uint id, inout uint at, uint value)")?;
        self.open()?;
        self.line(format_args!(
            "Out[id * {SLOTS}u + min(at, {}u)] = value;",
            SLOTS - 1
        ))?;
        self.line("at = at + 1u;")?;
        self.close()?;
        for (number, function) in program.functions.iter().enumerate() {
            self.line("")?;
            if function.noinline {
                self.line("[noinline]")?;
            }
            self.line(format_args!(
                "uint f{number}(uint id, uint lane, inout uint at, uint v0, uint v1)"
            ))?;
            self.open()?;
            self.line("uint v2 = 2u, v3 = 3u;")?;
            self.body(&function.body, program.lanes)?;
            self.line(format_args!("return {};", Text(&function.result)))?;
            self.close()?;
        }
        self.main = true;
        self.line(format_args!("\n[numthreads({}, 1, 1)]", program.lanes))?;
        self.line("void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)")?;
        self.open()?;
        self.line(format_args!(
            "uint at = 0u, v0 = In[id & {}u], v1 = id, v2 = 2u, v3 = 3u;",
            INPUTS - 1
        ))?;
        if totals {
            self.line(format_args!("if (lane < {TOTALS}u) Totals[lane] = 0u;"))?;
            self.line("GroupMemoryBarrierWithGroupSync();")?;
        }
        self.body(&program.main, program.lanes)?;
        self.close()
    }

    /// Writes a function's statements, after the declaration of its array if they use it.
    fn body(&mut self, body: &[Statement], lanes: u32) -> fmt::Result {
        let start = self.text.len();
        self.statements(body, lanes)?;
        // The result of a function is an expression on variables that every function has, or on the
        // array that its body uses.
        let declaration = format!(
            "{:indent$}uint array[{ELEMENTS}] = {{ v0, v1, v2, v3 }};\n",
            "",
            indent = self.depth * 4
        );
        self.text.insert_str(start, &declaration);
        Ok(())
    }

    fn statements(&mut self, list: &[Statement], lanes: u32) -> fmt::Result {
        list.iter()
            .try_for_each(|statement| self.statement(statement, lanes))
    }

    fn block(&mut self, list: &[Statement], lanes: u32) -> fmt::Result {
        self.open()?;
        self.statements(list, lanes)?;
        self.close()
    }

    fn attribute(&mut self, attribute: Attribute) -> fmt::Result {
        let text = match attribute {
            Attribute::None => return Ok(()),
            Attribute::Branch => "[branch]",
            Attribute::Flatten => "[flatten]",
            Attribute::Call => "[call]",
            Attribute::Loop => "[loop]",
            Attribute::Unroll => "[unroll]",
        };
        self.line(text)
    }

    fn statement(&mut self, statement: &Statement, lanes: u32) -> fmt::Result {
        match statement {
            Statement::Assign(variable, value) => {
                self.line(format_args!("v{variable} = {};", Text(value)))
            }
            Statement::Store(index, value) => self.line(format_args!(
                "array[{} & {}u] = {};",
                Text(index),
                ELEMENTS - 1,
                Text(value)
            )),
            Statement::Record(value) => self.line(format_args!("record(id, at, {});", Text(value))),
            Statement::If(attribute, condition, then, other) => {
                self.attribute(*attribute)?;
                self.line(format_args!("if ({})", Text(condition)))?;
                self.block(then, lanes)?;
                if !other.is_empty() {
                    self.line("else")?;
                    self.block(other, lanes)?;
                }
                Ok(())
            }
            Statement::Switch(attribute, subject, cases) => {
                self.attribute(*attribute)?;
                self.line(format_args!("switch ({})", Text(subject)))?;
                self.open()?;
                cases.iter().try_for_each(|case| self.case(case, lanes))?;
                self.close()
            }
            Statement::Loop(it) => self.repetition(it, lanes),
            Statement::Break => self.line("break;"),
            Statement::Continue => self.line("continue;"),
            Statement::Return(_) if self.main => self.line("return;"),
            Statement::Return(value) => self.line(format_args!("return {};", Text(value))),
            Statement::Exchange {
                variable,
                value,
                offset,
            } => {
                self.line(format_args!("Shared[lane] = {};", Text(value)))?;
                self.line("GroupMemoryBarrierWithGroupSync();")?;
                self.line(format_args!(
                    "v{variable} = Shared[(lane + {offset}u) % {lanes}u];"
                ))?;
                self.line("GroupMemoryBarrierWithGroupSync();")
            }
            Statement::Total(slot, atomic, value) => {
                let name = match atomic {
                    Atomic::Add => "Add",
                    Atomic::Xor => "Xor",
                    Atomic::Or => "Or",
                    Atomic::Max => "Max",
                };
                self.line(format_args!(
                    "Interlocked{name}(Totals[{slot}], {});",
                    Text(value)
                ))
            }
            Statement::ReadTotal(variable, slot) => {
                self.line("GroupMemoryBarrierWithGroupSync();")?;
                self.line(format_args!("v{variable} = Totals[{slot}];"))?;
                self.line("GroupMemoryBarrierWithGroupSync();")
            }
            Statement::Call(variable, function, [a, b]) => self.line(format_args!(
                "v{variable} = f{function}(id, lane, at, {}, {});",
                Text(a),
                Text(b)
            )),
        }
    }

    fn case(&mut self, case: &Case, lanes: u32) -> fmt::Result {
        for label in &case.labels {
            self.line(format_args!("case {label}u:"))?;
        }
        if case.default {
            self.line("default:")?;
        }
        // A declaration would be in the scope of the cases after it.
        self.open()?;
        self.statements(&case.body, lanes)?;
        if !case.falls {
            self.line("break;")?;
        }
        self.close()
    }

    fn repetition(&mut self, it: &Loop, lanes: u32) -> fmt::Result {
        let counter = it.counter;
        let limit = match &it.limit {
            (None, limit) => format!("{limit}u"),
            (Some(value), limit) => format!("({} % {limit}u)", Text(&**value)),
        };
        let condition = match &it.condition {
            Condition::Constant(true) => format!("i{counter} < {limit}"),
            condition => format!("i{counter} < {limit} && {}", Text(condition)),
        };
        match it.form {
            Form::For => {
                self.attribute(it.attribute)?;
                self.line(format_args!(
                    "for (uint i{counter} = 0u; {condition}; i{counter} = i{counter} + 1u)"
                ))?;
                self.block(&it.body, lanes)
            }
            Form::Endless => {
                self.attribute(it.attribute)?;
                self.line(format_args!(
                    "for (uint i{counter} = 0u; ; i{counter} = i{counter} + 1u)"
                ))?;
                self.open()?;
                self.line(format_args!("if (!({condition}))"))?;
                self.line("    break;")?;
                self.statements(&it.body, lanes)?;
                self.close()
            }
            Form::While | Form::DoWhile => {
                self.line(format_args!("uint i{counter} = 0u;"))?;
                self.attribute(it.attribute)?;
                if it.form == Form::While {
                    self.line(format_args!("while ({condition})"))?;
                } else {
                    self.line("do")?;
                }
                self.open()?;
                self.line(format_args!("i{counter} = i{counter} + 1u;"))?;
                self.statements(&it.body, lanes)?;
                self.close()?;
                if it.form == Form::DoWhile {
                    self.line(format_args!("while ({condition});"))
                } else {
                    Ok(())
                }
            }
        }
    }
}

/// Prints an expression or condition.
struct Text<'a, T>(&'a T);

impl Display for Text<'_, Expression> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Expression::Constant(number) => write!(f, "{number}u"),
            Expression::Id => f.write_str("id"),
            Expression::Lane => f.write_str("lane"),
            Expression::QuadIndex => f.write_str("(lane / 4u)"),
            Expression::Variable(number) => write!(f, "v{number}"),
            Expression::Element(index) => {
                write!(f, "array[{} & {}u]", Text(&**index), ELEMENTS - 1)
            }
            Expression::Counter(number) => write!(f, "i{number}"),
            Expression::Input(index) => write!(f, "In[{} & {}u]", Text(&**index), INPUTS - 1),
            Expression::Unary(unary, a) => {
                let name = match unary {
                    Unary::Not => "~",
                    // Not `-`: two of them in a row would be another operator.
                    Unary::Negate => "0u - ",
                    Unary::CountBits => "countbits",
                    Unary::ReverseBits => "reversebits",
                    Unary::FirstBitHigh => "firstbithigh",
                    Unary::FirstBitLow => "firstbitlow",
                };
                write!(f, "({name}({}))", Text(&**a))
            }
            Expression::Binary(operation, a, b) => binary(f, *operation, &Text(&**a), &Text(&**b)),
            Expression::Select(c, a, b) => {
                write!(f, "({} ? {} : {})", Text(&**c), Text(&**a), Text(&**b))
            }
            Expression::Wave(Wave::Match, a) => write!(f, "WaveMatch({}).x", Text(&**a)),
            Expression::Wave(wave, a) => write!(f, "{}({})", wave_name(*wave), Text(&**a)),
            Expression::Vote(Vote::Ballot, c) => write!(f, "WaveActiveBallot({}).x", Text(&**c)),
            Expression::Vote(Vote::CountBits, c) => {
                write!(f, "WaveActiveCountBits({})", Text(&**c))
            }
            Expression::Vote(Vote::PrefixCountBits, c) => {
                write!(f, "WavePrefixCountBits({})", Text(&**c))
            }
            Expression::Quad(quad, a) => match quad {
                Quad::AcrossX => write!(f, "QuadReadAcrossX({})", Text(&**a)),
                Quad::AcrossY => write!(f, "QuadReadAcrossY({})", Text(&**a)),
                Quad::Diagonal => write!(f, "QuadReadAcrossDiagonal({})", Text(&**a)),
                Quad::LaneAt(lane) => write!(f, "QuadReadLaneAt({}, {lane}u)", Text(&**a)),
                Quad::WaveLane(bits) => write!(
                    f,
                    "WaveReadLaneAt({}, WaveGetLaneIndex() ^ {bits}u)",
                    Text(&**a)
                ),
                Quad::DdxFine => write!(f, "asuint(int(ddx_fine(float({} & 65535u))))", Text(&**a)),
                Quad::DdyFine => write!(f, "asuint(int(ddy_fine(float({} & 65535u))))", Text(&**a)),
            },
        }
    }
}

fn wave_name(wave: Wave) -> &'static str {
    match wave {
        Wave::Sum => "WaveActiveSum",
        Wave::Product => "WaveActiveProduct",
        Wave::Min => "WaveActiveMin",
        Wave::Max => "WaveActiveMax",
        Wave::And => "WaveActiveBitAnd",
        Wave::Or => "WaveActiveBitOr",
        Wave::Xor => "WaveActiveBitXor",
        Wave::PrefixSum => "WavePrefixSum",
        Wave::PrefixProduct => "WavePrefixProduct",
        Wave::ReadFirst => "WaveReadLaneFirst",
        Wave::Match => "WaveMatch",
    }
}

fn binary(
    f: &mut Formatter<'_>,
    operation: Binary,
    a: &dyn Display,
    b: &dyn Display,
) -> fmt::Result {
    let sign = match operation {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
        Binary::Divide => return write!(f, "({a} / ({b} | 1u))"),
        Binary::Remainder => return write!(f, "({a} % ({b} | 1u))"),
        Binary::ShiftLeft => return write!(f, "({a} << ({b} & 31u))"),
        Binary::ShiftRight => return write!(f, "({a} >> ({b} & 31u))"),
        Binary::ArithmeticShiftRight => return write!(f, "asuint(asint({a}) >> ({b} & 31u))"),
        Binary::Min => return write!(f, "min({a}, {b})"),
        Binary::Max => return write!(f, "max({a}, {b})"),
        Binary::SignedMin => return write!(f, "asuint(min(asint({a}), asint({b})))"),
        Binary::SignedMax => return write!(f, "asuint(max(asint({a}), asint({b})))"),
    };
    write!(f, "({a} {sign} {b})")
}

impl Display for Text<'_, Condition> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Condition::Constant(value) => write!(f, "{value}"),
            Condition::Compare(compare, a, b) => {
                let (a, b) = (Text(&**a), Text(&**b));
                match compare {
                    Compare::Equal => write!(f, "({a} == {b})"),
                    Compare::NotEqual => write!(f, "({a} != {b})"),
                    Compare::Less => write!(f, "({a} < {b})"),
                    Compare::LessEqual => write!(f, "({a} <= {b})"),
                    Compare::SignedLess => write!(f, "(asint({a}) < asint({b}))"),
                    Compare::SignedLessEqual => write!(f, "(asint({a}) <= asint({b}))"),
                }
            }
            Condition::Not(c) => write!(f, "!{}", Text(&**c)),
            Condition::And(a, b) => write!(f, "({} && {})", Text(&**a), Text(&**b)),
            Condition::Or(a, b) => write!(f, "({} || {})", Text(&**a), Text(&**b)),
            Condition::AnyTrue(c) => write!(f, "WaveActiveAnyTrue({})", Text(&**c)),
            Condition::AllTrue(c) => write!(f, "WaveActiveAllTrue({})", Text(&**c)),
            Condition::AllEqual(a) => write!(f, "WaveActiveAllEqual({})", Text(&**a)),
            Condition::IsFirst => f.write_str("WaveIsFirstLane()"),
        }
    }
}
