//! Sizes and structure of any SPIR-V module, in numbers: also of modules that other compilers made.
//!
//! One pass over the words finds instructions by their word counts alone, so that opcodes of
//! extensions that are not known are counted, too. `flow` then walks the blocks of each function.
//! Nothing is checked that the numbers do not depend on: `check` does that. Cost: linear in the
//! words, and memory for the ids that the words have, whatever the header's bound is.

mod class;
mod counts;
mod flow;

use std::collections::BTreeMap;

use rspirv::spirv::{Capability, ExecutionModel, MAGIC_NUMBER, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use trellis_dxil_frontend::described;

pub use class::Class;
pub use counts::{ClassCounts, Counts};
use flow::Body;

/// Words of the header.
const HEADER: usize = 5;

described! {
    /// Why words have no statistics. All positions are in words from the start of the module.
    #[derive(Copy)]
    StatisticsError {
        Header =>
            "word 0: no header of a SPIR-V module, which has 5 words and starts with 0x07230203";
        WordCount { word: usize, opcode: u16 } =>
            "word {word}: an instruction (opcode {opcode}) with a word count of 0";
        Truncated { word: usize, opcode: u16, count: usize, left: usize } =>
            "word {word}: {} needs {count} words, {left} remain", opcode_name(*opcode);
        Operands { word: usize, opcode: u16 } =>
            "word {word}: {} lacks operands", opcode_name(*opcode);
        /// An instruction is where its opcode cannot be: a block outside of a function, a function in another
        /// one, or an instruction after a terminator.
        Misplaced { word: usize, opcode: u16, expected: &'static str } =>
            "word {word}: {} is not allowed here: {expected}", opcode_name(*opcode);
        LabelTwice { word: usize, label: u32 } => "word {word}: label %{label} is defined twice";
        NoBlock { word: usize, label: u32 } => "word {word}: the function has no block %{label}";
        Unfinished { word: usize } => "word {word}: this function has no OpFunctionEnd";
    }
}

impl std::error::Error for StatisticsError {}

type Result<T> = std::result::Result<T, StatisticsError>;

/// Sizes and structure of a module.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Statistics {
    /// Version of SPIR-V, such as `1.6`.
    pub version: String,
    /// The number of the tool that made the module: the registered number of its vendor in the high half.
    pub generator: u32,
    /// The bound of ids that the header has.
    pub bound: u32,
    /// Names of the capabilities, in the module's order; the number where the name is not known.
    pub capabilities: Vec<String>,
    /// Extensions, in the module's order.
    pub extensions: Vec<String>,
    /// Imported sets of extended instructions.
    pub imports: Vec<String>,
    /// Entry points, in the module's order.
    pub entry_points: Vec<EntryPointName>,
    /// Number of names: `OpName` and `OpMemberName`.
    pub names: u64,
    /// Number of variables at module level.
    pub global_variables: u64,
    /// Sums over the whole module; `nesting` is the maximum.
    pub total: Counts,
    /// Number of instructions of each opcode, by its name without `Op`.
    pub opcodes: BTreeMap<String, u64>,
    /// The functions, in the module's order.
    pub functions: Vec<FunctionStatistics>,
}

/// An entry point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct EntryPointName {
    /// The execution model, such as `GLCompute`.
    pub model: String,
    /// The name.
    pub name: String,
}

/// Sizes and structure of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct FunctionStatistics {
    /// Its id.
    pub id: u32,
    /// Its `OpName`, or the name of its entry point; empty without one.
    pub name: String,
    /// The numbers.
    #[serde(flatten)]
    pub counts: Counts,
}

/// Counts the instructions and constructs of a module.
///
/// ```
/// let dxil = include_bytes!("../../tests/data/collatz.dxil");
/// let output = trellis_spirv_backend::convert(dxil, &trellis_spirv_backend::Options::default())?;
/// let statistics = trellis_spirv_backend::statistics::statistics(&output.words)?;
/// assert_eq!(statistics.total.loops, 1);
/// assert_eq!(statistics.total.words, output.words.len() as u64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The words are not a module, or a part that the counts depend on is malformed: word counts, the
/// order of functions and blocks, labels of branches.
pub fn statistics(words: &[u32]) -> Result<Statistics> {
    let [MAGIC_NUMBER, version, generator, bound, _, ..] = *words else {
        return Err(StatisticsError::Header);
    };
    let mut reader = Reader::default();
    let mut at = HEADER;
    while at < words.len() {
        let inst = Inst::read(words, at)?;
        at += inst.words.len();
        reader.instruction(inst)?;
    }
    if let Some(body) = reader.body {
        return Err(StatisticsError::Unfinished { word: body.at });
    }
    let mut total = reader.total;
    total.words += HEADER as u64;
    let named = |(opcode, count)| {
        (
            name_of::<Op>(Op::from_u32(u32::from(opcode)), opcode),
            count,
        )
    };
    let functions = reader.functions.into_iter().map(|(id, counts)| {
        let name = reader.names.remove(&id);
        let name = name.or_else(|| reader.entry_names.remove(&id));
        let name = name.unwrap_or_default();
        FunctionStatistics { id, name, counts }
    });
    Ok(Statistics {
        version: format!("{}.{}", version >> 16 & 0xFF, version >> 8 & 0xFF),
        generator,
        bound,
        capabilities: reader.capabilities,
        extensions: reader.extensions,
        imports: reader
            .imports
            .iter()
            .map(|(_, name)| name.clone())
            .collect(),
        entry_points: reader.entry_points,
        names: reader.name_count,
        global_variables: reader.global_variables,
        opcodes: reader.opcodes.into_iter().map(named).collect(),
        functions: functions.collect(),
        total,
    })
}

/// Returns the name of an enumerant, or its number if it has no name.
fn name_of<E: std::fmt::Debug>(known: Option<E>, number: impl std::fmt::Display) -> String {
    known.map_or_else(|| number.to_string(), |known| format!("{known:?}"))
}

fn opcode_name(opcode: u16) -> String {
    match Op::from_u32(opcode.into()) {
        Some(op) => format!("Op{op:?}"),
        None => format!("opcode {opcode}"),
    }
}

/// An instruction.
#[derive(Clone, Copy)]
struct Inst<'a> {
    at: usize,
    opcode: u16,
    /// All of its words.
    words: &'a [u32],
}

impl<'a> Inst<'a> {
    fn read(words: &'a [u32], at: usize) -> Result<Self> {
        let rest = words.get(at..).unwrap_or_default();
        let first = rest.first().copied().unwrap_or_default();
        let (opcode, count) = (first as u16, (first >> 16) as usize);
        if count == 0 {
            return Err(StatisticsError::WordCount { word: at, opcode });
        }
        let words = rest.get(..count).ok_or(StatisticsError::Truncated {
            word: at,
            opcode,
            count,
            left: rest.len(),
        })?;
        Ok(Self { at, opcode, words })
    }

    fn op(&self) -> Option<Op> {
        Op::from_u32(self.opcode.into())
    }

    /// Returns a word after the first.
    ///
    /// # Errors
    /// There is none.
    fn word(&self, index: usize) -> Result<u32> {
        self.words
            .get(index)
            .copied()
            .ok_or(StatisticsError::Operands {
                word: self.at,
                opcode: self.opcode,
            })
    }

    /// Returns the string that starts at a word; invalid UTF-8 is replaced.
    fn text(&self, index: usize) -> String {
        let words = self.words.get(index..).unwrap_or_default();
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        let bytes: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn misplaced(&self, expected: &'static str) -> StatisticsError {
        StatisticsError::Misplaced {
            word: self.at,
            opcode: self.opcode,
            expected,
        }
    }
}

/// Known facts about the values of a module.
#[derive(Default)]
struct Values {
    /// Constants.
    constants: FxHashSet<u32>,
    /// Those that are `true` or `false`.
    booleans: FxHashMap<u32, bool>,
    /// Integer types of 64 bits.
    wide_types: FxHashSet<u32>,
    /// Values of these types: the cases of their switches have literals of two words.
    wide: FxHashSet<u32>,
}

impl Values {
    fn note(&mut self, inst: &Inst<'_>) -> Result<()> {
        match inst.op() {
            Some(Op::ConstantTrue | Op::ConstantFalse) => {
                let id = inst.word(2)?;
                self.constants.insert(id);
                self.booleans
                    .insert(id, inst.op() == Some(Op::ConstantTrue));
            }
            Some(Op::Undef | Op::Constant | Op::ConstantComposite | Op::ConstantNull) => {
                self.constants.insert(inst.word(2)?);
            }
            Some(Op::TypeInt) if inst.word(2)? == 64 => {
                self.wide_types.insert(inst.word(1)?);
            }
            _ => {}
        }
        // A type's id as first operand is the result type.
        if let [_, ty, id, ..] = *inst.words
            && !self.wide_types.is_empty()
            && self.wide_types.contains(&ty)
        {
            self.wide.insert(id);
        }
        Ok(())
    }
}

/// The state of the pass over the words.
#[derive(Default)]
struct Reader {
    capabilities: Vec<String>,
    extensions: Vec<String>,
    imports: Vec<(u32, String)>,
    entry_points: Vec<EntryPointName>,
    /// Functions of entry points, with the first name.
    entry_names: FxHashMap<u32, String>,
    names: FxHashMap<u32, String>,
    name_count: u64,
    global_variables: u64,
    values: Values,
    total: Counts,
    /// Instructions of each opcode.
    opcodes: BTreeMap<u16, u64>,
    classes: FxHashMap<u16, Class>,
    functions: Vec<(u32, Counts)>,
    /// The current function.
    body: Option<Body>,
}

impl Reader {
    fn instruction(&mut self, inst: Inst<'_>) -> Result<()> {
        *self.opcodes.entry(inst.opcode).or_default() += 1;
        let class = self.class_of(&inst);
        let mut size = Counts {
            words: inst.words.len() as u64,
            instructions: 1,
            ..Counts::default()
        };
        size.classes.add(class);
        self.total.add(&size);
        self.values.note(&inst)?;
        match inst.op() {
            Some(Op::Function) => {
                if self.body.is_some() {
                    return Err(inst.misplaced("the function before has no OpFunctionEnd"));
                }
                let mut body = Body::new(inst.at, inst.word(2)?);
                body.counts.add(&size);
                self.body = Some(body);
                return Ok(());
            }
            Some(Op::FunctionEnd) => {
                let body = self.body.take();
                let mut body = body.ok_or_else(|| inst.misplaced("no function is open"))?;
                body.counts.add(&size);
                let (id, counts) = body.finish(&self.values)?;
                self.total.add_structure(&counts);
                self.functions.push((id, counts));
                return Ok(());
            }
            _ => {}
        }
        match &mut self.body {
            Some(body) => {
                body.counts.add(&size);
                body.instruction(&inst, &self.values)
            }
            None => self.declaration(&inst),
        }
    }

    fn class_of(&mut self, inst: &Inst<'_>) -> Class {
        let class = *self
            .classes
            .entry(inst.opcode)
            .or_insert_with(|| Class::of(inst.opcode));
        let set = (class == Class::Extended)
            .then(|| inst.words.get(3))
            .flatten();
        let is_debug = set.is_some_and(|set| {
            let mut imports = self.imports.iter();
            imports.any(|(id, name)| id == set && name.starts_with("NonSemantic."))
        });
        if is_debug { Class::Debug } else { class }
    }

    /// Reads an instruction at module level.
    fn declaration(&mut self, inst: &Inst<'_>) -> Result<()> {
        match inst.op() {
            Some(Op::Capability) => {
                let number = inst.word(1)?;
                let known = Capability::from_u32(number);
                self.capabilities.push(name_of(known, number));
            }
            Some(Op::Extension) => self.extensions.push(inst.text(1)),
            Some(Op::ExtInstImport) => self.imports.push((inst.word(1)?, inst.text(2))),
            Some(Op::EntryPoint) => {
                let (model, function) = (inst.word(1)?, inst.word(2)?);
                let name = inst.text(3);
                self.entry_names
                    .entry(function)
                    .or_insert_with(|| name.clone());
                let model = name_of(ExecutionModel::from_u32(model), model);
                self.entry_points.push(EntryPointName { model, name });
            }
            Some(Op::Name) => {
                self.name_count += 1;
                self.names.insert(inst.word(1)?, inst.text(2));
            }
            Some(Op::MemberName) => self.name_count += 1,
            Some(Op::Variable) => {
                self.global_variables += 1;
                self.total.variables += 1;
            }
            Some(op) if flow::is_of_block(op) => {
                return Err(inst.misplaced("no function is open"));
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
