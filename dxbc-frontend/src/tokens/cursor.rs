//! A cursor over the tokens of one item, with errors that have its opcode.

use super::codes::{MinPrecision, RegisterFile};
use super::op::Op;
use super::program::{Components, Index, Operand, Program};
use crate::error::{Error, ProgramErrorKind};
use crate::limits::MAX_INDEX_DEPTH;

pub(super) type Result<T> = std::result::Result<T, Error>;

/// Little-endian reader of the tokens of one item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    data: &'a [u8],
    /// Absolute byte offset of `data[0]`.
    base: usize,
    /// Byte position in `data`.
    pos: usize,
    /// Opcode, once it is known.
    pub(super) op: Option<Op>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(data: &'a [u8], base: usize) -> Self {
        Self {
            data,
            base,
            pos: 0,
            op: None,
        }
    }

    /// Returns the absolute byte offset of the next token.
    pub(super) fn offset(&self) -> usize {
        self.base.saturating_add(self.pos)
    }

    /// Returns the number of tokens that remain.
    pub(super) fn remaining(&self) -> usize {
        self.data.len().saturating_sub(self.pos) / 4
    }

    /// Splits off a cursor over the next `tokens` tokens; `None` if fewer remain.
    pub(super) fn split(&mut self, tokens: usize) -> Option<Self> {
        let end = tokens.checked_mul(4)?.checked_add(self.pos)?;
        let data = self.data.get(self.pos..end)?;
        let part = Self {
            base: self.offset(),
            ..Cursor::new(data, 0)
        };
        self.pos = end;
        Some(part)
    }

    /// Returns an error at the last token that was read.
    #[cold]
    pub(super) fn error(&self, kind: ProgramErrorKind) -> Error {
        let offset = self.base.saturating_add(self.pos.saturating_sub(4));
        kind.at(offset, self.op)
    }

    /// Returns an error about a field of the last token that was read.
    #[cold]
    pub(super) fn bad_field(
        &self,
        field: &'static str,
        found: u32,
        expected: &'static str,
    ) -> Error {
        let found = found.into();
        self.error(ProgramErrorKind::Field {
            field,
            found,
            expected,
        })
    }

    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32> {
        let bytes = self.data.get(self.pos..).and_then(|d| d.first_chunk::<4>());
        let Some(bytes) = bytes else {
            return Err(ProgramErrorKind::Truncated { what }.at(self.offset(), self.op));
        };
        self.pos += 4;
        Ok(u32::from_le_bytes(*bytes))
    }

    /// Reads an operand and the operands that index it. Those are added to the program, the
    /// operand itself is not.
    pub(super) fn operand(&mut self, program: &mut Program) -> Result<Operand> {
        self.operand_at(program, 0)
    }

    /// Reads an operand that indexes others `depth` times; it recurses to [`MAX_INDEX_DEPTH`].
    fn operand_at(&mut self, program: &mut Program, depth: u32) -> Result<Operand> {
        let token = self.u32("operand")?;
        let code = token >> 12 & 0xff;
        let Some(file) = RegisterFile::from_code(code) else {
            return Err(self.bad_field("register file of an operand", code, "0 to 42"));
        };
        let is_immediate = matches!(file, RegisterFile::Immediate32 | RegisterFile::Immediate64);
        let mut operand = Operand {
            file,
            components: self.components(token, is_immediate)?,
            abs: false,
            neg: false,
            min_precision: MinPrecision::Default,
            nonuniform: false,
            index_count: 0,
            indices: [Index::default(); 3],
            immediate: [0; 4],
        };
        if token >> 31 != 0 {
            self.modifiers(&mut operand)?;
        }
        if is_immediate {
            let words = match (operand.components, file) {
                (Components::One, RegisterFile::Immediate32) => 1,
                (Components::One, _) => 2,
                _ => 4,
            };
            for word in &mut operand.immediate[..words] {
                *word = self.u32("immediate")?;
            }
            return Ok(operand);
        }
        operand.index_count = (token >> 20 & 3) as u8;
        for i in 0..usize::from(operand.index_count) {
            let representation = token >> (22 + 3 * i) & 7;
            let index = &mut operand.indices[i];
            if matches!(representation, 1 | 4) {
                let what = "a 64-bit index";
                return Err(self.error(ProgramErrorKind::Unsupported { what }));
            }
            if representation > 3 {
                return Err(self.bad_field("index representation", representation, "0 to 4"));
            }
            if representation != 2 {
                index.base = self.u32("index")?;
            }
            if representation != 0 {
                if depth == MAX_INDEX_DEPTH {
                    return Err(self.error(ProgramErrorKind::Limit {
                        what: "nested indices",
                        count: u64::from(depth) + 1,
                        limit: MAX_INDEX_DEPTH.into(),
                    }));
                }
                let relative = self.operand_at(program, depth + 1)?;
                if !relative.file.is_value() {
                    let code = relative.file as u32;
                    return Err(self.bad_field("register file of an index", code, "a value"));
                }
                index.relative = program.operands.push(relative).into();
            }
        }
        Ok(operand)
    }

    /// Returns the component selection of an operand token.
    fn components(&self, token: u32, is_immediate: bool) -> Result<Components> {
        let field = token >> 4;
        match (token & 3, token >> 2 & 3) {
            (0, _) if !is_immediate => Ok(Components::None),
            (1, _) => Ok(Components::One),
            (2, _) if is_immediate => Ok(Components::Swizzle([0, 1, 2, 3])),
            (2, 0) => Ok(Components::Mask((field & 15) as u8)),
            (2, 1) => Ok(Components::Swizzle(std::array::from_fn(|i| {
                (field >> (2 * i) & 3) as u8
            }))),
            (2, 2) => Ok(Components::Select((field & 3) as u8)),
            (2, mode) => Err(self.bad_field("component selection", mode, "0 to 2")),
            (count, _) if is_immediate => {
                Err(self.bad_field("component count of an immediate", count, "1 or 2"))
            }
            (count, _) => Err(self.bad_field("component count", count, "0 to 2")),
        }
    }

    /// Reads the extended token of an operand.
    fn modifiers(&mut self, operand: &mut Operand) -> Result<()> {
        let token = self.u32("operand modifier")?;
        if token >> 31 != 0 {
            let what = "a second operand modifier";
            return Err(self.error(ProgramErrorKind::Unsupported { what }));
        }
        match token & 63 {
            0 => return Ok(()),
            1 => {}
            other => return Err(self.bad_field("kind of operand modifier", other, "0 or 1")),
        }
        let modifier = token >> 6 & 0xff;
        if modifier > 3 {
            return Err(self.bad_field("operand modifier", modifier, "0 to 3"));
        }
        operand.neg = modifier & 1 != 0;
        operand.abs = modifier & 2 != 0;
        let precision = token >> 14 & 7;
        operand.min_precision = MinPrecision::from_code(precision)
            .ok_or_else(|| self.bad_field("minimum precision", precision, "0, 1, 2, 4 or 5"))?;
        operand.nonuniform = token >> 17 & 1 != 0;
        Ok(())
    }
}
