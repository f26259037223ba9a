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

/// Prints a SPIR-V module as assembly, which `spirv-as` of SPIRV-Tools reads: one instruction per
/// line, results aligned, ids by their `OpName` where they have one.
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
    check_end(words)?;
    parse_words(words, &mut reader)?;
    let mut printer = Printer {
        text: String::with_capacity(words.len() * 12),
        names: reader.names(),
        sets: reader.sets(),
        types: FxHashMap::default(),
    };
    if let Some(header) = &reader.header {
        let (major, minor) = header.version();
        let bound = header.bound;
        let _ = writeln!(printer.text, "; SPIR-V {major}.{minor}, bound {bound}");
    }
    for inst in &reader.instructions {
        printer.line(inst);
    }
    Ok(printer.text)
}

/// Checks that the last instruction is whole: the parser searches for the end of a string beyond
/// the words.
fn check_end(words: &[u32]) -> Result<(), DisassembleError> {
    let (mut at, mut instruction) = (5, 1);
    while let Some(&first) = words.get(at) {
        let count = (first >> 16) as usize;
        if count > words.len() - at {
            let word = words.len();
            return Err(DisassembleError::MissingOperands { word, instruction });
        }
        // The parser reports a count of 0.
        at += count.max(1);
        instruction += 1;
    }
    Ok(())
}

/// Collects the instructions that the parser reads.
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
    /// Returns the imported sets of instructions whose names are known.
    fn sets(&self) -> FxHashMap<Word, Set> {
        let imports = self.instructions.iter().filter_map(|inst| {
            let name = match (inst.class.opcode, inst.operands.as_slice()) {
                (Op::ExtInstImport, [Operand::LiteralString(name)]) => name.as_str(),
                _ => return None,
            };
            let set = match name {
                "GLSL.std.450" => Set::Glsl,
                "NonSemantic.Shader.DebugInfo.100" => Set::DebugInfo,
                "NonSemantic.DebugPrintf" => Set::DebugPrintf,
                _ => return None,
            };
            Some((inst.result_id?, set))
        });
        imports.collect()
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

/// A set of extended instructions.
#[derive(Clone, Copy)]
enum Set {
    Glsl,
    DebugInfo,
    DebugPrintf,
}

impl Set {
    fn name_of(self, number: u32) -> Option<String> {
        match self {
            Self::Glsl => spirv::GlslStd450Op::from_u32(number).map(|op| format!("{op:?}")),
            Self::DebugInfo => {
                let op = spirv::NonsemanticShaderDebuginfo100Op::from_u32(number);
                op.map(|op| format!("{op:?}"))
            }
            Self::DebugPrintf => (number == 1).then(|| "DebugPrintf".to_owned()),
        }
    }
}

/// The type that literals are read as.
#[derive(Clone, Copy)]
enum Number {
    Int { width: u32, is_signed: bool },
    Float { width: u32 },
}

/// Column of the opcode.
const COLUMN: usize = 15;

struct Printer {
    text: String,
    names: FxHashMap<Word, String>,
    sets: FxHashMap<Word, Set>,
    /// The types of numbers, and of values whose type is one.
    types: FxHashMap<Word, Number>,
}

impl Printer {
    fn line(&mut self, inst: &dr::Instruction) {
        self.define_type(inst);
        let start = self.text.len();
        if let Some(id) = inst.result_id {
            self.push_id(id);
            let width = self.text.len() - start + 3;
            if width < COLUMN {
                self.text.insert_str(start, &" ".repeat(COLUMN - width));
            }
            self.text.push_str(" = ");
        } else {
            self.text.push_str(&" ".repeat(COLUMN));
        }
        let _ = write!(self.text, "Op{}", inst.class.opname);
        if let Some(ty) = inst.result_type {
            self.text.push(' ');
            self.push_id(ty);
        }
        // Literals of constants are of the result's type, and cases of the selector's.
        let ids = match (inst.class.opcode, inst.operands.first()) {
            (Op::Constant | Op::SpecConstant, _) => inst.result_type,
            (Op::Switch, Some(Operand::IdRef(selector))) => Some(*selector),
            _ => None,
        };
        let number = ids.and_then(|id| self.types.get(&id).copied());
        for operand in &inst.operands {
            self.text.push(' ');
            match operand {
                Operand::IdRef(id) | Operand::IdScope(id) | Operand::IdMemorySemantics(id) => {
                    self.push_id(*id);
                }
                // Every other character is read as it is.
                Operand::LiteralString(string) => {
                    let escaped = string.replace('\\', "\\\\").replace('"', "\\\"");
                    let _ = write!(self.text, "\"{escaped}\"");
                }
                Operand::LiteralExtInstInteger(op) => {
                    let set = match inst.operands.first() {
                        Some(Operand::IdRef(set)) => self.sets.get(set),
                        _ => None,
                    };
                    let name = set.and_then(|set| set.name_of(*op));
                    self.text.push_str(&name.unwrap_or_else(|| op.to_string()));
                }
                Operand::LiteralBit32(bits) => self.push_number(number, u64::from(*bits)),
                Operand::LiteralBit64(bits) => self.push_number(number, *bits),
                other => self.text.push_str(&other.disassemble()),
            }
        }
        self.text.push('\n');
        if inst.class.opcode == Op::FunctionEnd {
            self.text.push('\n');
        }
    }

    /// Records a type of numbers, or that the result of an instruction is of one.
    fn define_type(&mut self, inst: &dr::Instruction) {
        let number = match (inst.class.opcode, inst.operands.as_slice()) {
            (Op::TypeInt, [Operand::LiteralBit32(width), Operand::LiteralBit32(sign)]) => {
                let (width, is_signed) = (*width, *sign != 0);
                Some(Number::Int { width, is_signed })
            }
            // With an encoding it is another format.
            (Op::TypeFloat, [Operand::LiteralBit32(width)]) => {
                Some(Number::Float { width: *width })
            }
            _ => {
                let ty = inst.result_type;
                ty.and_then(|ty| self.types.get(&ty).copied())
            }
        };
        if let (Some(id), Some(number)) = (inst.result_id, number) {
            self.types.insert(id, number);
        }
    }

    fn push_number(&mut self, number: Option<Number>, bits: u64) {
        let _ = match number {
            Some(Number::Int { width, is_signed }) if is_signed && (1..64).contains(&width) => {
                let shift = 64 - width;
                write!(self.text, "{}", (bits << shift) as i64 >> shift)
            }
            Some(Number::Int { is_signed, .. }) if is_signed => {
                write!(self.text, "{}", bits as i64)
            }
            Some(Number::Float { width: 16 }) => write!(self.text, "{}", hex_float(bits, 5, 10)),
            Some(Number::Float { width: 32 }) => {
                let value = f32::from_bits(bits as u32);
                match value.is_normal() || value == 0.0 {
                    true => write!(self.text, "{value:?}"),
                    false => write!(self.text, "{}", hex_float(bits, 8, 23)),
                }
            }
            Some(Number::Float { width: 64 }) => {
                let value = f64::from_bits(bits);
                match value.is_normal() || value == 0.0 {
                    true => write!(self.text, "{value:?}"),
                    false => write!(self.text, "{}", hex_float(bits, 11, 52)),
                }
            }
            _ => write!(self.text, "{bits}"),
        };
    }

    fn push_id(&mut self, id: Word) {
        self.text.push('%');
        match self.names.get(&id) {
            Some(name) => self.text.push_str(name),
            None => {
                let _ = write!(self.text, "{id}");
            }
        }
    }
}

/// Returns a float as C's hexadecimal literal, normalized. Infinities and NaN have the exponent after the largest, as
/// SPIRV-Tools write and read them.
fn hex_float(bits: u64, exponent_bits: u32, mantissa_bits: u32) -> String {
    let sign = if bits >> (exponent_bits + mantissa_bits) & 1 == 1 {
        "-"
    } else {
        ""
    };
    let bias = (1 << (exponent_bits - 1)) - 1;
    let mut exponent = (bits >> mantissa_bits & ((1 << exponent_bits) - 1)) as i32 - bias;
    let mut mantissa = bits & ((1 << mantissa_bits) - 1);
    if exponent == -bias {
        if mantissa == 0 {
            return format!("{sign}0x0p+0");
        }
        // A denormal: the first set bit becomes the digit before the point.
        let shift = mantissa.leading_zeros() - (63 - mantissa_bits);
        mantissa = mantissa << shift & ((1 << mantissa_bits) - 1);
        exponent += 1 - shift as i32;
    }
    let digits = mantissa_bits.div_ceil(4);
    let fraction = mantissa << (digits * 4 - mantissa_bits);
    let fraction = format!(".{fraction:0width$x}", width = digits as usize);
    let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
    format!("{sign}0x1{fraction}p{exponent:+}")
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
            of(&[nop, 9 << 16 | Op::Name as u32, 1]),
            Err(DisassembleError::MissingOperands {
                word: 8,
                instruction
            })
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
