//! Statements and functions with long vectors.

use super::super::Statement;
use super::super::expressions::{Expressions, Kind, VARIABLES, unsigned, variable};
use super::super::random::Make;
use super::{FINAL, Function, Long, PART, PARTS};

/// Bytes of groupshared memory for long vectors; the limit is 32 KiB for the whole program.
const SHARED: u32 = 20_000;

/// The place in `Bytes` that a thread owns.
fn own(offset: &str) -> String {
    format!("{PARTS}u + id * {PART}u + {offset}")
}

/// Returns a vector without signs of zeros.
fn stored(kind: Kind, n: usize, value: String) -> String {
    if kind.is_float() {
        unsigned(kind, n, &value)
    } else {
        value
    }
}

impl Make {
    /// Chooses the types of long vectors and makes their functions; returns the declarations.
    pub(in super::super) fn begin_long(&mut self) -> String {
        let long = Long::new(&mut self.rng, &self.kinds);
        let mut text = long.declarations(&self.kinds);
        self.long = Some(long);
        let mut functions = Vec::new();
        for number in 0..self.rng.below(4) {
            let (kind, n) = self.long_type();
            let changes = self.rng.chance(50);
            let name = format!("function{number}");
            text.push_str(&self.function(&name, kind, n, changes));
            functions.push(Function {
                name,
                kind,
                n,
                changes,
            });
        }
        if let Some(long) = &mut self.long {
            long.functions = functions;
        }
        text
    }

    fn long_type(&mut self) -> (Kind, usize) {
        self.long.as_ref().map_or((Kind::I32, 1), |long| {
            (long.kind(&mut self.rng), long.length(&mut self.rng))
        })
    }

    fn function(&mut self, name: &str, kind: Kind, n: usize, changes: bool) -> String {
        let (of, scalar) = (kind.name(n), kind.name(1));
        let noinline = if self.rng.chance(50) {
            "[noinline] "
        } else {
            ""
        };
        let way = if changes { "inout " } else { "" };
        let (loops, place) = (self.rng.chance(40), self.rng.below(n));
        let mut e = Expressions {
            function: Some((kind, n)),
            ..self.expressions(false)
        };
        let (first, component, result) =
            (e.kept(kind, n, 2), e.kept(kind, 1, 1), e.kept(kind, n, 2));
        let condition = e.condition(1);
        let head = if loops {
            "for (uint i = 0u; i < (s & 3u); i++)".to_owned()
        } else {
            format!("if ({condition})")
        };
        format!(
            "{noinline}{of} {name}({of} a, {way}{of} b, uint s)\n{{\n    {head}\n    {{\n        \
             a = {first};\n        b[(s + {place}u) % {n}u] = ({scalar})({component});\n    }}\n    \
             return {result};\n}}\n"
        )
    }

    pub(in super::super) fn long_statement(&mut self, together: bool) -> Statement {
        let (kind, n) = self.long_type();
        let name = kind.name(n);
        let target = match self.rng.below(6) {
            0 => format!("record.of_{name}"),
            1 => format!("array_{name}[{}]", self.expressions(false).index(4, 1)),
            _ => variable(kind, n, self.rng.below(VARIABLES)),
        };
        match self.rng.below(20) {
            0..6 => {
                let value = self.expressions(together).kept(kind, n, 3);
                Statement::Simple(format!("{target} = {value};"))
            }
            6 | 7 => self.component(&target, kind, n, together),
            8 => {
                let mut e = self.expressions(false);
                let Some(long) = e.long else {
                    return self.component(&target, kind, n, together);
                };
                let value = e.compared(long, n, 2);
                Statement::Simple(format!("bool{n}_0 = {value};"))
            }
            9 => self.changed(&target, kind, n),
            10 | 11 => self.structured(kind, n, together),
            12 | 13 => {
                let at = own(&format!("{}u", 8 * self.rng.below(88)));
                let value = self.expressions(together).kept(kind, n, 2);
                let value = stored(kind, n, value);
                Statement::Simple(format!(
                    "Bytes.Store<{name} >({at}, {value});\n{target} = Bytes.Load<{name} >({at});"
                ))
            }
            14..18 if together => self.long_exchange(&target, kind, n),
            _ => {
                let value = self.expressions(together).word(kind, 3);
                self.record(&value)
            }
        }
    }

    /// Writes a component, chosen at run time or not.
    fn component(&mut self, target: &str, kind: Kind, n: usize, together: bool) -> Statement {
        let constant = self.expressions(together).component(n).to_string();
        let computed = self.rng.chance(50);
        let mut e = self.expressions(together);
        let at = if computed { e.place(n) } else { constant };
        let value = e.kept(kind, 1, 2);
        Statement::Simple(format!("{target}[{at}] = {value};"))
    }

    /// Calls a function that changes a parameter.
    fn changed(&mut self, target: &str, kind: Kind, n: usize) -> Statement {
        let fits =
            |function: &&Function| (function.kind, function.n, function.changes) == (kind, n, true);
        let functions = self.long.iter().flat_map(|long| &long.functions);
        let Some(name) = functions
            .filter(fits)
            .map(|function| function.name.clone())
            .next()
        else {
            return self.component(target, kind, n, false);
        };
        let other = variable(kind, n, 1);
        let mut e = self.expressions(false);
        let (value, word) = (e.kept(kind, n, 2), e.word(Kind::U32, 1));
        Statement::Simple(format!(
            "{} = {name}({value}, {other}, {word});\n{target} = {other};",
            variable(kind, n, 0)
        ))
    }

    /// Structures in buffers.
    fn structured(&mut self, kind: Kind, n: usize, together: bool) -> Statement {
        let name = kind.name(n);
        let types = self.long.as_ref().map(Long::types).unwrap_or_default();
        let choice = self.rng.below(5);
        let mut e = self.expressions(together);
        let place = e.index(64, 1);
        // Numbers that are exact.
        let cleaned: String = types
            .iter()
            .filter(|(kind, _)| kind.is_float())
            .map(|&(kind, n)| {
                let field = format!("record.of_{}", kind.name(n));
                format!("\n{field} = {};", unsigned(kind, n, &field))
            })
            .collect();
        Statement::Simple(match choice {
            0 => format!("record = Records[{place}];{cleaned}"),
            1 => format!("record.tag += id;{cleaned}\nRecordsOut[id] = record;"),
            2 => {
                let at = e.place(n);
                let value = stored(kind, 1, e.kept(kind, 1, 2));
                let first = unsigned(kind, n, &variable(kind, n, 0));
                format!(
                    "RecordsOut[id].of_{name} = {first};\nRecordsOut[id].of_{name}[{at}] = {value};"
                )
            }
            3 => {
                let value = stored(kind, n, e.kept(kind, n, 2));
                format!(
                    "RecordsOut[id].of_{name} = {value};\n{} = RecordsOut[id].of_{name};",
                    variable(kind, n, 1)
                )
            }
            _ => format!("record.of_{name}[{}] = {};", e.place(n), e.kept(kind, 1, 2)),
        })
    }

    /// Groupshared memory between barriers.
    fn long_exchange(&mut self, target: &str, kind: Kind, n: usize) -> Statement {
        let (number, lanes) = (self.shared.len(), self.lanes);
        let bytes = lanes * n as u32 * 8;
        if self.shared_bytes + bytes > SHARED {
            return self.component(target, kind, n, true);
        }
        self.shared_bytes += bytes;
        self.shared
            .push(format!("{} Shared{number}[{lanes}]", kind.name(n)));
        let other = format!(
            "(lane + {}u) % {lanes}u",
            1 + self.rng.below(lanes as usize - 1)
        );
        let meet = "GroupMemoryBarrierWithGroupSync();";
        let choice = self.rng.below(3);
        let mut e = self.expressions(true);
        let value = e.kept(kind, n, 2);
        let (at, component) = (e.place(n), e.kept(kind, 1, 1));
        Statement::Simple(match choice {
            0 => format!(
                "Shared{number}[lane] = {value};\n{meet}\n{target} = Shared{number}[{other}];\n{meet}"
            ),
            1 => format!(
                "Shared{number}[lane] = {value};\nShared{number}[lane][{at}] = {component};\n{meet}\n\
                 {target} = Shared{number}[{other}];\n{meet}"
            ),
            _ => format!(
                "Shared{number}[lane] = {value};\n{meet}\n\
                 {target}[{at}] = Shared{number}[{other}][{at}];\n{meet}"
            ),
        })
    }

    /// Stores the final values of the variables.
    pub(in super::super) fn long_ends(&self) -> Vec<Statement> {
        let types = self.long.as_ref().map(Long::types).unwrap_or_default();
        let mut at = FINAL;
        let mut store = |(kind, n): (Kind, usize)| {
            let name = kind.name(n);
            let place = own(&format!("{at}u"));
            at += 8 * n;
            let value = stored(kind, n, variable(kind, n, 0));
            Statement::Simple(format!("Bytes.Store<{name} >({place}, {value});"))
        };
        types.into_iter().map(&mut store).collect()
    }
}
