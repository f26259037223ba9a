//! SPIR-V words as readable assembly.

use std::fmt::Write as _;

use rspirv::binary::{Consumer, Disassemble, ParseAction, ParseState, parse_words};
use rspirv::dr::{self, Operand};
use rspirv::spirv::{Op, Word};
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_dxil_frontend::described;

described! {
    /// Why words cannot be disassembled. Instructions are numbered from 1.
    DisassembleError {
        Header => "the words do not start with the header of a module";
        WordCount { word: usize, instruction: usize } =>
            "instruction {instruction} at word {word} has a word count of 0";
        Opcode { word: usize, instruction: usize, opcode: u16 } =>
            "instruction {instruction} at word {word} has the unknown opcode {opcode}";
        MissingOperands { word: usize, instruction: usize } =>
            "instruction {instruction} lacks the operand at word {word}";
        ExtraOperands { word: usize, instruction: usize } =>
            "instruction {instruction} has an extra operand at word {word}";
        LiteralType { word: usize, instruction: usize } =>
            "instruction {instruction} at word {word} has a literal of an unknown type";
        Operand { message: String } => "an operand is not valid: {message}";
    }
}

impl std::error::Error for DisassembleError {}

impl From<ParseState> for DisassembleError {
    fn from(state: ParseState) -> Self {
        use ParseState as S;
        match state {
            S::HeaderIncomplete(_) | S::HeaderIncorrect | S::EndiannessUnsupported => Self::Header,
            S::WordCountZero(byte, instruction) => Self::WordCount {
                word: byte / 4,
                instruction,
            },
            S::OpcodeUnknown(byte, instruction, opcode) => Self::Opcode {
                word: byte / 4,
                instruction,
                opcode,
            },
            S::OperandExpected(byte, instruction) => Self::MissingOperands {
                word: byte / 4,
                instruction,
            },
            S::OperandExceeded(byte, instruction) => Self::ExtraOperands {
                word: byte / 4,
                instruction,
            },
            S::TypeUnsupported(byte, instruction)
            | S::SpecConstantOpIntegerIncorrect(byte, instruction) => Self::LiteralType {
                word: byte / 4,
                instruction,
            },
            S::OperandError(error) => Self::Operand {
                message: error.to_string(),
            },
            S::Complete | S::ConsumerStopRequested | S::ConsumerError(_) => Self::Operand {
                message: state.to_string(),
            },
        }
    }
}

/// Prints a SPIR-V module as assembly: one instruction per line, results aligned, ids by their
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
/// Fails if the words are not SPIR-V.
pub fn disassemble(words: &[u32]) -> Result<String, DisassembleError> {
    let mut reader = Reader::default();
    parse_words(words, &mut reader)?;
    let names = reader.names();
    let debug_set = reader.debug_set();
    let mut text = String::with_capacity(words.len() * 12);
    if let Some(header) = &reader.header {
        let (major, minor) = header.version();
        let _ = writeln!(text, "; SPIR-V {major}.{minor}, bound {}", header.bound);
    }
    for inst in &reader.instructions {
        line(&mut text, inst, &names, debug_set);
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
    /// Returns the import of `NonSemantic.Shader.DebugInfo.100`.
    fn debug_set(&self) -> Option<Word> {
        let mut imports =
            (self.instructions.iter()).filter(|inst| inst.class.opcode == Op::ExtInstImport);
        let import = imports.find(|inst| {
            let name = inst.operands.first();
            matches!(name, Some(Operand::LiteralString(name)) if name == "NonSemantic.Shader.DebugInfo.100")
        });
        import.and_then(|inst| inst.result_id)
    }

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

/// Column of the opcode.
const COLUMN: usize = 15;

fn line(
    text: &mut String,
    inst: &dr::Instruction,
    names: &FxHashMap<Word, String>,
    debug_set: Option<Word>,
) {
    let is_debug = match inst.operands.first() {
        Some(Operand::IdRef(set)) => debug_set == Some(*set),
        _ => false,
    };
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
                let op = if is_debug {
                    spirv::NonsemanticShaderDebuginfo100Op::from_u32(*number)
                        .map(|op| format!("{op:?}"))
                } else {
                    spirv::GlslStd450Op::from_u32(*number).map(|op| format!("{op:?}"))
                };
                text.push_str(&op.unwrap_or_else(|| number.to_string()));
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

#[cfg(test)]
mod tests {
    use rspirv::spirv::{MAGIC_NUMBER, Op};

    use super::{DisassembleError, disassemble};

    #[test]
    fn errors_name_the_instruction() {
        let header = [MAGIC_NUMBER, 0x0001_0300, 0, 10, 0];
        let of = |words: &[u32]| disassemble(&[&header, words].concat());
        let nop = 1 << 16 | Op::Nop as u32;
        assert_eq!(disassemble(&[7]), Err(DisassembleError::Header));
        let (word, instruction) = (6, 2);
        assert_eq!(
            of(&[nop, 1 << 16 | 0xFFFF]),
            Err(DisassembleError::Opcode {
                word,
                instruction,
                opcode: 0xFFFF
            })
        );
        assert_eq!(
            of(&[nop, Op::Nop as u32]),
            Err(DisassembleError::WordCount { word, instruction })
        );
        assert_eq!(
            of(&[nop, 1 << 16 | Op::Label as u32]),
            Err(DisassembleError::MissingOperands {
                word: 7,
                instruction
            })
        );
        assert_eq!(
            of(&[nop, 2 << 16 | Op::Nop as u32, 0]),
            Err(DisassembleError::ExtraOperands {
                word: 7,
                instruction
            })
        );
        assert!(matches!(
            of(&[2 << 16 | Op::Capability as u32, 0xFFFF_FFFF]),
            Err(DisassembleError::Operand { .. })
        ));
    }
}
