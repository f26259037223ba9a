//! Decodes a token stream into a [`Program`]: one pass, linear in the stream.
//!
//! Checked here, so that consumers need not: each item's length, the number of operands, their
//! register files and numbers of indices, and the shader model of each opcode.

use smallvec::SmallVec;
use trellis_dxil_frontend::container::{Container, FourCC, Part};
use trellis_dxil_frontend::shader::ShaderKind;
use trellis_entity::{EntityRange, PrimaryMap};

use super::codes::{CustomDataClass, RegisterFile, ResinfoType, ResourceDimension, ReturnType};
use super::cursor::{Cursor, Result};
use super::op::{Op, OpKind, OperandRole};
use super::program::{
    Declaration, Instruction, Item, ItemKind, Operand, Program, SampledResource, SyncFlags, Words,
};
use crate::error::ProgramErrorKind;
use crate::limits::MAX_PROGRAM_BYTES;

/// Bit of an opcode token: another token follows that belongs to the opcode.
const EXTENDED: u32 = 1 << 31;
/// Most tokens that extend an opcode.
const MAX_EXTENDED: u32 = 3;

impl Program {
    /// Decodes the program of a container: its `SHEX` part, else `SHDR`.
    ///
    /// # Errors
    /// The container has neither, or the stream is malformed.
    pub fn read(container: &Container<'_>) -> Result<Self> {
        let find = |fourcc| container.part(fourcc);
        if let Some(part) = find(FourCC::SHADER_EX).or_else(|| find(FourCC::SHADER)) {
            return Self::decode(&part);
        }
        let what = if find(FourCC::LEVEL_9).is_some() {
            "shader model 2 (an Aon9 part alone)"
        } else {
            "a container without a SHDR or SHEX part"
        };
        Err(ProgramErrorKind::Unsupported { what }.at(0, None))
    }

    /// Decodes a token stream: the data of a `SHEX` or `SHDR` part.
    ///
    /// # Errors
    /// The stream is malformed, or of a shader model other than 4.0, 4.1, 5.0 and 5.1.
    pub fn decode(part: &Part<'_>) -> Result<Self> {
        let mut stream = Cursor::new(part.data, part.offset);
        if part.data.len() > MAX_PROGRAM_BYTES {
            return Err(stream.error(ProgramErrorKind::Limit {
                what: "bytes of the token stream",
                count: part.data.len() as u64,
                limit: MAX_PROGRAM_BYTES as u64,
            }));
        }
        let version = stream.u32("version")?;
        let kind = version >> 16;
        // Models 1 to 3 have 0xfffe or 0xffff here, and another format.
        if kind >= 0xfffe {
            let what = "shader model 1 to 3";
            return Err(stream.error(ProgramErrorKind::Unsupported { what }));
        }
        let kind = ShaderKind::from_code(kind)
            .filter(|&kind| kind <= ShaderKind::Compute)
            .ok_or_else(|| stream.bad_field("stage", kind, "0 to 5"))?;
        let shader_model = ((version >> 4 & 15) as u8, (version & 15) as u8);
        if !matches!(shader_model, (4 | 5, 0 | 1)) {
            return Err(stream.bad_field("shader model", version & 0xff, "4.0, 4.1, 5.0 or 5.1"));
        }
        let length = stream.u32("length")?;
        let available = stream.remaining();
        let mut body = (length as usize)
            .checked_sub(2)
            .and_then(|tokens| stream.split(tokens))
            .ok_or_else(|| stream.error(ProgramErrorKind::Length { length, available }))?;
        let mut program = Self {
            kind,
            shader_model,
            items: Vec::new(),
            operands: PrimaryMap::new(),
            words: Vec::new(),
        };
        while body.remaining() > 0 {
            let item = program.item(&mut body)?;
            program.items.push(item);
        }
        Ok(program)
    }

    /// Reads the next item.
    fn item(&mut self, body: &mut Cursor<'_>) -> Result<Item> {
        let offset = body.offset();
        let available = body.remaining();
        let mut peek = *body;
        let token = peek.u32("opcode")?;
        let code = token & 0x7ff;
        let op = Op::from_code(code).filter(|op| op.info().kind != OpKind::Reserved);
        let op = op.ok_or_else(|| peek.error(ProgramErrorKind::UnknownOpcode { code }))?;
        body.op = Some(op);
        peek.op = Some(op);
        // The length of items that may be long is in the second token.
        let has_length = match op {
            Op::Customdata => true,
            Op::DclInterface | Op::DclFunctionTable => token & EXTENDED != 0,
            _ => false,
        };
        let length = if has_length {
            peek.u32("length")?
        } else {
            token >> 24 & 0x7f
        };
        let header = 1 + usize::from(has_length);
        let item = (length as usize >= header)
            .then(|| body.split(length as usize))
            .flatten();
        let Some(mut item) = item else {
            return Err(peek.error(ProgramErrorKind::Length { length, available }));
        };
        item.op = Some(op);
        for _ in 0..header {
            item.u32("opcode")?;
        }
        if self.shader_model < op.info().min_shader_model {
            let what = "this shader model does not have it";
            return Err(item.error(ProgramErrorKind::Invalid { what }));
        }
        let kind = match op {
            Op::Customdata => ItemKind::Declaration(self.custom_data(token, &mut item)?),
            _ if op.info().kind == OpKind::Declaration => {
                ItemKind::Declaration(self.declaration(op, token, &mut item)?)
            }
            _ => ItemKind::Instruction(self.instruction(op, token, &mut item)?),
        };
        // More tokens may follow: FXC writes one too many after some `samplepos`.
        Ok(Item { op, offset, kind })
    }

    fn custom_data(&mut self, token: u32, item: &mut Cursor<'_>) -> Result<Declaration> {
        let code = token >> 11;
        let class = CustomDataClass::from_code(code)
            .ok_or_else(|| item.bad_field("class of custom data", code, "0 to 5"))?;
        let words = item.remaining();
        if class == CustomDataClass::ImmediateConstantBuffer && !words.is_multiple_of(4) {
            return Err(item.bad_field("words", words as u32, "a multiple of 4"));
        }
        let words = self.take_words(item, words)?;
        Ok(Declaration::CustomData { class, words })
    }

    /// Adds the next `count` tokens to the pool.
    pub(super) fn take_words(&mut self, item: &mut Cursor<'_>, count: usize) -> Result<Words> {
        let start = self.words.len() as u32;
        let Some(mut table) = item.split(count) else {
            let what = "a table";
            return Err(item.error(ProgramErrorKind::Truncated { what }));
        };
        self.words.reserve(count);
        for _ in 0..count {
            self.words.push(table.u32("table")?);
        }
        let end = self.words.len() as u32;
        Ok(Words { start, end })
    }

    fn instruction(&mut self, op: Op, token: u32, item: &mut Cursor<'_>) -> Result<Instruction> {
        let mut inst = Instruction {
            operands: EntityRange::default(),
            saturate: token >> 13 & 1 != 0,
            precise: (token >> 19 & 15) as u8,
            nonzero: token >> 18 & 1 != 0,
            resinfo: ResinfoType::Float,
            sync: SyncFlags::default(),
            offset: [0; 3],
            resource: None,
            function_index: 0,
        };
        let controls = token >> 11 & 3;
        match op {
            Op::Sync => {
                let flag = |bit: u32| token >> bit & 1 != 0;
                inst.saturate = false;
                inst.sync = SyncFlags {
                    threads_in_group: flag(11),
                    groupshared: flag(12),
                    uav_group: flag(13),
                    uav_global: flag(14),
                };
            }
            Op::Resinfo => {
                inst.resinfo = ResinfoType::from_code(controls)
                    .ok_or_else(|| item.bad_field("result type", controls, "0 to 2"))?;
            }
            Op::Sampleinfo => {
                inst.resinfo = match controls {
                    0 => ResinfoType::Float,
                    1 => ResinfoType::Uint,
                    _ => return Err(item.bad_field("result type", controls, "0 or 1")),
                };
            }
            _ => {}
        }
        let mut extended = token & EXTENDED != 0;
        let mut count = 0;
        while extended {
            count += 1;
            if count > MAX_EXTENDED {
                return Err(item.error(ProgramErrorKind::Limit {
                    what: "tokens that extend the opcode",
                    count: count.into(),
                    limit: MAX_EXTENDED.into(),
                }));
            }
            let token = item.u32("extended opcode")?;
            extended = token & EXTENDED != 0;
            extend(&mut inst, token, item)?;
        }
        if op == Op::Fcall {
            inst.function_index = item.u32("function index")?;
        }
        let mut operands: SmallVec<[Operand; 8]> = SmallVec::new();
        for &role in op.info().operands {
            let operand = item.operand(self)?;
            self.check_operand(role, &operand, item)?;
            operands.push(operand);
        }
        let start = self.operands.next_key();
        for operand in operands {
            self.operands.push(operand);
        }
        inst.operands = EntityRange::new(start, self.operands.next_key());
        Ok(inst)
    }

    /// Checks that an operand of an instruction has a register file of its role, and the number
    /// of indices that the file requires.
    fn check_operand(&self, role: OperandRole, operand: &Operand, item: &Cursor<'_>) -> Result<()> {
        use RegisterFile as F;
        let file = operand.file;
        let (fits, expected) = match role {
            OperandRole::Dest(_) => (file.is_destination(), "a destination"),
            OperandRole::Source(_) => (file.is_value(), "a value"),
            OperandRole::Resource => (
                matches!(file, F::Resource | F::UnorderedAccessView | F::Rasterizer),
                "a resource",
            ),
            OperandRole::Memory => (
                matches!(
                    file,
                    F::Resource | F::UnorderedAccessView | F::ThreadGroupSharedMemory
                ),
                "memory",
            ),
            OperandRole::Sampler => (file == F::Sampler, "a sampler"),
            OperandRole::Label => (matches!(file, F::Label | F::FunctionBody), "a label"),
            OperandRole::Stream => (file == F::Stream, "a stream"),
            OperandRole::Interface => (file == F::Interface, "an interface"),
        };
        if !fits {
            return Err(item.bad_field("register file of an operand", file as u32, expected));
        }
        let (least, most) = file.index_counts(self.has_ranges());
        if !(least..=most).contains(&operand.index_count) {
            let count = operand.index_count.into();
            let expected = "the number that its register file has";
            return Err(item.bad_field("number of indices", count, expected));
        }
        Ok(())
    }
}

/// Applies a token that extends an opcode.
fn extend(inst: &mut Instruction, token: u32, item: &Cursor<'_>) -> Result<()> {
    match token & 63 {
        0 => {}
        1 => {
            // Four bits each, with a sign.
            inst.offset = std::array::from_fn(|i| ((token >> (9 + 4 * i) & 15) as i8) << 4 >> 4);
        }
        2 => {
            let code = token >> 6 & 31;
            let dimension = ResourceDimension::from_code(code)
                .ok_or_else(|| item.bad_field("resource dimension", code, "0 to 12"))?;
            inst.resource = Some(SampledResource {
                dimension,
                stride: token >> 11 & 0xfff,
                return_type: None,
            });
        }
        3 => {
            let return_type = return_type(token >> 6, item)?;
            if let Some(resource) = &mut inst.resource {
                resource.return_type = Some(return_type);
            }
        }
        other => return Err(item.bad_field("kind of extended opcode", other, "0 to 3")),
    }
    Ok(())
}

/// Returns the types of the four components, four bits each.
pub(super) fn return_type(bits: u32, item: &Cursor<'_>) -> Result<[ReturnType; 4]> {
    let mut types = [ReturnType::Float; 4];
    for (i, ty) in types.iter_mut().enumerate() {
        let code = bits >> (4 * i) & 15;
        *ty = ReturnType::from_code(code)
            .ok_or_else(|| item.bad_field("return type", code, "1 to 9"))?;
    }
    Ok(types)
}
