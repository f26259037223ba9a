//! A structured program as HLSL.
//!
//! A call is an atomic operation on a separate element of a buffer: it can be neither removed nor
//! moved over another one, and no compiler can predict its result. HLSL has no labels: a `break`
//! or `continue` of several levels sets a flag, which is tested after each construct that it leaves.
//! A program whose returns give numbers is a function, whose result `main` writes.

use std::fmt::{self, Display, Write as _};

use llvm_graphs::source::lower::{Graph, test_call};
use llvm_graphs::source::{Argument, Case, Condition, Returns, Source, Statement, Tests};

/// The number of the call that writes the result of a program whose returns give numbers.
pub const RESULT: u32 = 900;

/// The bits of a word that tests read. There is a word for each product of a call's result with one
/// of some odd numbers.
const BITS: u32 = 28;

/// Before each program: calls and reads by number.
const HEAD: &str = "\
RWByteAddressBuffer Calls : register(u0);
RWByteAddressBuffer Reads : register(u1);

uint call(uint id, uint value)
{
    uint result;
    Calls.InterlockedExchange(4u * id, value, result);
    return result;
}

uint read(uint id)
{
    return Reads.Load(4u * id);
}
";

/// Returns the program as HLSL.
pub fn print(source: &Source) -> String {
    let mut printer = Printer {
        text: HEAD.to_owned(),
        depth: 1,
        source,
        graph: Graph::of(source),
        around: Vec::new(),
        flags: Vec::new(),
        constructs: 0,
        returns: 0,
    };
    // Writing to a string does not fail.
    let _ = printer.program();
    printer.text
}

/// A loop or switch around a statement.
struct Construct {
    number: u32,
    is_loop: bool,
}

/// The kind of a jump over several levels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Jump {
    Break,
    Continue,
}

/// A jump out of several constructs: to which, by its place among those around.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Flag {
    target: usize,
    jump: Jump,
}

struct Printer<'a> {
    text: String,
    depth: usize,
    source: &'a Source,
    graph: Graph,
    around: Vec<Construct>,
    /// Flags that are set somewhere in the construct that is being printed, not yet tested.
    flags: Vec<Flag>,
    constructs: u32,
    returns: u32,
}

impl Printer<'_> {
    fn line(&mut self, text: impl Display) -> fmt::Result {
        let indent = self.depth * 4;
        writeln!(self.text, "{:indent$}{text}", "")
    }

    fn program(&mut self) -> fmt::Result {
        let main = "\n[numthreads(1, 1, 1)]\nvoid main()\n{";
        let numbers = self.source.returns == Returns::Numbers;
        writeln!(
            self.text,
            "{}",
            if numbers { "\nuint program()\n{" } else { main }
        )?;
        if self.source.tests == Tests::Bits {
            self.line("uint state = read(0u);")?;
        }
        self.list(&self.source.body)?;
        if numbers {
            // A return that nothing reaches is only a warning.
            self.statement(&Statement::Return)?;
            writeln!(self.text, "}}\n{main}")?;
            self.line(format_args!("call({RESULT}u, program());"))?;
        }
        self.text.push_str("}\n");
        Ok(())
    }

    fn list(&mut self, statements: &[Statement]) -> fmt::Result {
        statements
            .iter()
            .try_for_each(|statement| self.statement(statement))
    }

    fn block(&mut self, statements: &[Statement]) -> fmt::Result {
        self.line("{")?;
        self.depth += 1;
        self.list(statements)?;
        self.depth -= 1;
        self.line("}")
    }

    fn statement(&mut self, statement: &Statement) -> fmt::Result {
        match statement {
            Statement::Call(id, argument) => {
                let argument = match argument {
                    Argument::Constant => "0u".to_owned(),
                    Argument::Choose(condition) => {
                        format!("{} ? 1u : 2u", self.condition(condition))
                    }
                };
                let call = self.call(*id, &argument);
                self.line(format_args!("{call};"))
            }
            Statement::If(condition, then, else_) => {
                let condition = self.condition(condition);
                self.line(format_args!("if ({condition})"))?;
                self.block(then)?;
                if else_.is_empty() {
                    return Ok(());
                }
                self.line("else")?;
                self.block(else_)
            }
            Statement::While(condition, body) => {
                let head = format!("while ({})", self.condition(condition));
                self.construct(true, |printer| {
                    printer.line(head)?;
                    printer.block(body)
                })
            }
            Statement::DoWhile(body, condition) => {
                let end = format!("while ({});", self.condition(condition));
                self.construct(true, |printer| {
                    printer.line("do")?;
                    printer.block(body)?;
                    printer.line(end)
                })
            }
            Statement::Loop(body) => self.construct(true, |printer| {
                printer.line("for (;;)")?;
                printer.block(body)
            }),
            Statement::Switch(test, cases) => {
                let head = format!("switch ({})", self.test(*test, 15));
                self.construct(false, |printer| {
                    printer.line(head)?;
                    printer.line("{")?;
                    cases.iter().try_for_each(|case| printer.case(case))?;
                    printer.line("}")
                })
            }
            Statement::Break(level) => self.jump(self.around.len() - level, Jump::Break),
            Statement::Continue(level) => {
                let loops = (0..self.around.len()).filter(|&at| self.around[at].is_loop);
                let target = loops.rev().nth(level - 1).unwrap_or_default();
                self.jump(target, Jump::Continue)
            }
            Statement::Return if self.source.returns == Returns::Nothing => self.line("return;"),
            Statement::Return => {
                self.returns += 1;
                let number = self.returns;
                self.line(format_args!("return {number}u;"))
            }
        }
    }

    fn case(&mut self, case: &Case) -> fmt::Result {
        for literal in &case.literals {
            self.line(format_args!("case {literal}u:"))?;
        }
        if case.literals.is_empty() {
            self.line("default:")?;
        }
        // A separate scope for flags.
        self.line("{")?;
        self.depth += 1;
        self.list(&case.body)?;
        if !case.falls && !case.body.last().is_some_and(Statement::jumps) {
            self.line("break;")?;
        }
        self.depth -= 1;
        self.line("}")
    }

    /// Prints a loop or switch, and after it the tests of the flags that jumps out of it set.
    fn construct(
        &mut self,
        is_loop: bool,
        print: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> fmt::Result {
        self.constructs += 1;
        let number = self.constructs;
        let before = self.text.len();
        let outside = std::mem::take(&mut self.flags);
        self.around.push(Construct { number, is_loop });
        print(self)?;
        self.around.pop();
        let target = self.around.len();
        let inside = std::mem::replace(&mut self.flags, outside);
        // The flags of jumps that end here, or at the next iteration, are set in here only.
        let mut declarations = String::new();
        for flag in inside.iter().filter(|flag| flag.target == target) {
            let indent = self.depth * 4;
            let name = flag.name(number);
            writeln!(declarations, "{:indent$}bool {name} = false;", "")?;
        }
        self.text.insert_str(before, &declarations);
        for flag in inside {
            if flag.target < target {
                self.leave(flag)?;
            }
        }
        Ok(())
    }

    /// Prints a jump to a construct around.
    fn jump(&mut self, target: usize, jump: Jump) -> fmt::Result {
        let flag = Flag { target, jump };
        if self.is_near(flag) {
            return self.line(jump.text());
        }
        let name = flag.name(self.around[target].number);
        self.line(format_args!("{name} = true;"))?;
        self.line("break;")?;
        self.add(flag);
        Ok(())
    }

    /// Prints the test of a flag after a construct that a jump left.
    fn leave(&mut self, flag: Flag) -> fmt::Result {
        let name = flag.name(self.around[flag.target].number);
        self.add(flag);
        if !self.is_near(flag) {
            return self.line(format_args!("if ({name}) break;"));
        }
        match flag.jump {
            Jump::Break => self.line(format_args!("if ({name}) break;")),
            Jump::Continue => {
                self.line(format_args!("if ({name}) {{ {name} = false; continue; }}"))
            }
        }
    }

    fn add(&mut self, flag: Flag) {
        if !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
    }

    /// Returns whether HLSL's own `break` or `continue` leads where a jump does.
    fn is_near(&self, flag: Flag) -> bool {
        let inner = &self.around[flag.target + 1..];
        match flag.jump {
            Jump::Break => inner.is_empty(),
            Jump::Continue => inner.iter().all(|construct| !construct.is_loop),
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Test(test) => format!("({} != 0u)", self.test(*test, 1)),
            Condition::Not(a) => format!("!{}", self.condition(a)),
            Condition::And(a, b) => format!("({} && {})", self.condition(a), self.condition(b)),
            Condition::Or(a, b) => format!("({} || {})", self.condition(a), self.condition(b)),
            Condition::Choose(a, b, c) => format!(
                "({} ? {} : {})",
                self.condition(a),
                self.condition(b),
                self.condition(c)
            ),
        }
    }

    fn call(&self, id: u32, argument: &str) -> String {
        let state = if self.source.tests == Tests::Bits {
            "state = "
        } else {
            ""
        };
        format!("{state}call({id}u, {argument})")
    }

    /// Returns the operand of a test, under a mask.
    fn test(&self, test: u32, mask: u32) -> String {
        match self.source.tests {
            Tests::Calls => format!("(call({}u, 0u) & {mask}u)", test_call(test)),
            Tests::Reads => format!("(read({}u) & {mask}u)", test + 1),
            Tests::Bits => {
                let bit = self.graph.first_bit(test);
                let (factor, place) = (2 * (bit / BITS) + 1, bit % BITS);
                // Products with small numbers have bits in common.
                let factor = factor * if factor > 1 { 0x01_0193 } else { 1 };
                format!("((state * {factor}u >> {place}u) & {mask}u)")
            }
        }
    }
}

impl Jump {
    fn text(self) -> &'static str {
        match self {
            Jump::Break => "break;",
            Jump::Continue => "continue;",
        }
    }
}

impl Flag {
    fn name(self, number: u32) -> String {
        match self.jump {
            Jump::Break => format!("break{number}"),
            Jump::Continue => format!("continue{number}"),
        }
    }
}
