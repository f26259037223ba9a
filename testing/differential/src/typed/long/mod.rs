//! Vectors of more than four components (shader model 6.9) in programs about data.
//!
//! They are in variables, arrays, structures, parameters, groupshared memory, raw and structured
//! buffers; each type has a name like `float9`. Two lengths and up to three component types per
//! program, so that conversions and constructors often meet one another.

mod expressions;
mod statements;

use std::fmt::Write as _;

use structurizer_testkit::generate::Rng;

use super::expressions::Kind;

/// Lengths of vectors: those next to powers of two more often than others.
const LENGTHS: [usize; 20] = [
    5, 5, 6, 7, 7, 8, 8, 9, 10, 11, 12, 13, 15, 16, 17, 24, 31, 32, 33, 40,
];

/// A program has one length above this at most, since drivers take long for several.
const MODERATE: usize = 16;

/// Bytes of each thread's part of `Bytes`, the place of its first, and, in it, of the final contents
/// of the variables: expressions of statements are before.
pub(super) const PART: u32 = 4096;
pub(super) const PARTS: u32 = 8192;
const FINAL: usize = 1024;

/// The long vectors of a program.
pub(super) struct Long {
    /// Component types.
    kinds: Vec<Kind>,
    /// Numbers of components.
    lengths: Vec<usize>,
    /// Functions whose parameters are vectors.
    functions: Vec<Function>,
}

/// A function of two vectors and a `uint`.
struct Function {
    name: String,
    kind: Kind,
    n: usize,
    /// The second parameter is `inout`.
    changes: bool,
}

impl Long {
    /// Chooses the types of a program that has scalars of `kinds`.
    pub(super) fn new(rng: &mut Rng, kinds: &[Kind]) -> Self {
        let mut chosen = vec![Kind::I32];
        for _ in 0..2 {
            let kind = kinds[rng.below(kinds.len())];
            if !chosen.contains(&kind) {
                chosen.push(kind);
            }
        }
        let first = LENGTHS[rng.below(LENGTHS.len())];
        let second = LENGTHS[rng.below(LENGTHS.len())];
        let mut lengths = vec![first];
        if second != first && first.min(second) <= MODERATE {
            lengths.push(second);
        }
        Self {
            kinds: chosen,
            lengths,
            functions: Vec::new(),
        }
    }

    fn types(&self) -> Vec<(Kind, usize)> {
        let of = |&kind| self.lengths.iter().map(move |&n| (kind, n));
        self.kinds.iter().flat_map(of).collect()
    }

    fn kind(&self, rng: &mut Rng) -> Kind {
        self.kinds[rng.below(self.kinds.len())]
    }

    fn length(&self, rng: &mut Rng) -> usize {
        self.lengths[rng.below(self.lengths.len())]
    }

    /// Returns the names of the types, tables, the structure and its buffers. `kinds` are all types
    /// of components that the program has.
    pub(super) fn declarations(&self, kinds: &[Kind]) -> String {
        let mut text = String::new();
        let mut named: Vec<String> = Vec::new();
        for &n in &self.lengths {
            let scalars = kinds.iter().map(|kind| kind.name(1));
            for scalar in scalars.chain(["bool".to_owned()]) {
                let line = format!("typedef vector<{scalar}, {n}> {scalar}{n};\n");
                if !named.contains(&line) {
                    named.push(line);
                }
            }
        }
        text.extend(named);
        let mut fields = String::from("uint tag;");
        for (number, (kind, n)) in self.types().into_iter().enumerate() {
            let name = kind.name(n);
            let row: Vec<String> = (0..n).map(|i| ((i * 5 + number) % 8).to_string()).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "static const {name} table_{name}[3] = {{ ({name})(3), {name}({}), ({name})({number}) }};",
                row.join(", ")
            );
            let _ = write!(fields, " {name} of_{name};");
        }
        let _ = write!(
            text,
            "struct Record {{ {fields} }};\n\
             StructuredBuffer<Record> Records : register(t10);\n\
             RWStructuredBuffer<Record> RecordsOut : register(u7);\n"
        );
        text
    }

    /// Returns the declarations of the entry point's variables.
    pub(super) fn variables(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (kind, n) in self.types() {
            let name = kind.name(n);
            lines.push(format!("{name} {name}_0 = ({name})(id & 7u);"));
            lines.push(format!("{name} {name}_1 = ({name})({});", n % 8));
            lines.push(format!(
                "{name}_1[id % {n}u] = ({})(lane & 7u);",
                kind.name(1)
            ));
            lines.push(format!(
                "{name} array_{name}[4] = {{ {name}_0, {name}_1, {name}_1, {name}_0 }};"
            ));
        }
        for n in &self.lengths {
            lines.push(format!("bool{n} bool{n}_0 = int{n}_0 < int{n}_1;"));
        }
        lines.push("Record record = (Record)0;".to_owned());
        lines
    }
}
