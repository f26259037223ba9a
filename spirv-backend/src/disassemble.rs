//! SPIR-V words as readable assembly.

use std::fmt::Write as _;

use rspirv::binary::{Consumer, Disassemble, ParseAction, parse_words};
use rspirv::dr::{self, Operand};
use rspirv::spirv::{Op, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// Prints a SPIR-V module as assembly: an instruction a line, results aligned, ids by their
/// `OpName` where they have one.
///
/// ```
/// let dxil = include_bytes!("../tests/data/collatz.dxil");
/// let output = trellis_spirv_backend::convert(dxil, &trellis_spirv_backend::Options::default())?;
/// let text = trellis_spirv_backend::disassemble(&output.words)?;
/// assert!(text.contains("OpEntryPoint GLCompute %main \"main\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The words are no SPIR-V; the text says where.
pub fn disassemble(words: &[u32]) -> Result<String, String> {
    let mut reader = Reader::default();
    parse_words(words, &mut reader).map_err(|state| state.to_string())?;
    let names = reader.names();
    let mut text = String::with_capacity(words.len() * 12);
    if let Some(header) = &reader.header {
        let (major, minor) = header.version();
        let _ = writeln!(text, "; SPIR-V {major}.{minor}, bound {}", header.bound);
    }
    for inst in &reader.instructions {
        line(&mut text, inst, &names);
    }
    Ok(text)
}

/// Collects what the parser reads.
#[derive(Default)]
struct Reader {
    header: Option<dr::ModuleHeader>,
    instructions: Vec<dr::Instruction>,
}

impl Consumer for Reader {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }
    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }
    fn consume_header(&mut self, header: dr::ModuleHeader) -> ParseAction {
        self.header = Some(header);
        ParseAction::Continue
    }
    fn consume_instruction(&mut self, inst: dr::Instruction) -> ParseAction {
        self.instructions.push(inst);
        ParseAction::Continue
    }
}

impl Reader {
    /// Returns a distinct, printable name for each id that has an `OpName`.
    fn names(&self) -> FxHashMap<Word, String> {
        let mut names = FxHashMap::default();
        let mut taken = FxHashSet::default();
        for inst in self
            .instructions
            .iter()
            .filter(|i| i.class.opcode == Op::Name)
        {
            let [Operand::IdRef(id), Operand::LiteralString(name)] = inst.operands.as_slice()
            else {
                continue;
            };
            let mut clean: String = name
                .chars()
                .map(|c| {
                    if c.is_ascii_alphanumeric() || c == '_' {
                        c
                    } else {
                        '_'
                    }
                })
                .collect();
            // A name that is a number would read as another id.
            if clean.starts_with(|c: char| c.is_ascii_digit()) || clean.is_empty() {
                clean.insert(0, '_');
            }
            if !taken.insert(clean.clone()) {
                clean = format!("{clean}_{id}");
                taken.insert(clean.clone());
            }
            names.insert(*id, clean);
        }
        names
    }
}

/// Column at which the opcode stands.
const COLUMN: usize = 15;

fn line(text: &mut String, inst: &dr::Instruction, names: &FxHashMap<Word, String>) {
    let start = text.len();
    if let Some(id) = inst.result_id {
        push_id(text, id, names);
        let width = text.len() - start + 3;
        if width < COLUMN {
            text.insert_str(start, &" ".repeat(COLUMN - width));
        }
        text.push_str(" = ");
    } else {
        text.push_str(&" ".repeat(COLUMN));
    }
    let _ = write!(text, "Op{}", inst.class.opname);
    if let Some(ty) = inst.result_type {
        text.push(' ');
        push_id(text, ty, names);
    }
    for operand in &inst.operands {
        text.push(' ');
        match operand {
            Operand::IdRef(id) | Operand::IdScope(id) | Operand::IdMemorySemantics(id) => {
                push_id(text, *id, names);
            }
            Operand::LiteralString(s) => {
                let _ = write!(text, "{s:?}");
            }
            Operand::LiteralExtInstInteger(number) => {
                match spirv::GlslStd450Op::from_u32(*number) {
                    Some(op) => {
                        let _ = write!(text, "{op:?}");
                    }
                    None => {
                        let _ = write!(text, "{number}");
                    }
                }
            }
            other => text.push_str(&other.disassemble()),
        }
    }
    text.push('\n');
    if inst.class.opcode == Op::FunctionEnd {
        text.push('\n');
    }
}

fn push_id(text: &mut String, id: Word, names: &FxHashMap<Word, String>) {
    text.push('%');
    match names.get(&id) {
        Some(name) => text.push_str(name),
        None => {
            let _ = write!(text, "{id}");
        }
    }
}
