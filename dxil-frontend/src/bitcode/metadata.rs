//! METADATA (15) and METADATA_ATTACHMENT (16) blocks.

use smallvec::SmallVec;
use trellis_entity::EntityRange;

use crate::bitstream::{Block, Stream};
use crate::error::BitcodeErrorKind;
use crate::metadata::{MdId, MdNode};
use crate::module::{Function, InstId, Name, PoolRange, ValueData, ValueId};

use super::fields::{Fields, text};
use super::metadata_kinds::take_usual_kinds;
use super::{Builder, Result, each_record, rest_of_records, unsupported};

/// Mapping from the metadata numbers of a block to entries: a function's own entries follow those
/// of the module in the file, and those of the functions before in
/// [`crate::metadata::Metadata::nodes`].
#[derive(Clone, Copy, Default)]
pub(super) struct MdNumbering {
    /// Entries of the module.
    pub(super) shared: u32,
    /// First entry of the function.
    pub(super) local: u32,
}

impl MdNumbering {
    /// Returns the entry of a number in the file; whether it exists is checked at the end of the
    /// block or function.
    fn entry(self, number: u32) -> u32 {
        if number < self.shared {
            number
        } else {
            (number - self.shared).saturating_add(self.local)
        }
    }
}

impl Builder {
    pub(super) fn read_module_metadata(
        &mut self,
        stream: &mut Stream<'_>,
        block: Block,
    ) -> Result<()> {
        self.read_metadata(
            stream,
            block,
            MdNumbering {
                shared: u32::MAX,
                local: 0,
            },
        )
    }

    pub(super) fn read_metadata(
        &mut self,
        stream: &mut Stream<'_>,
        block: Block,
        numbering: MdNumbering,
    ) -> Result<()> {
        let mut name = None;
        stream.enter(block)?;
        let metadata = &mut self.module.metadata;
        if !take_usual_kinds(stream, metadata) {
            // A text takes eight bits per character, a node six per operand and some 30 in all;
            // more the buffer grows when needed.
            metadata.nodes.reserve(block.bits() / 64);
            metadata.operands.reserve(block.bits() / 32);
            metadata.strings.reserve(block.bits() / 16);
        }
        rest_of_records(stream, block, |code, fields| {
            self.metadata_record(code, fields, numbering, &mut name)
        })
    }

    fn metadata_record(
        &mut self,
        code: u32,
        mut fields: Fields<'_>,
        numbering: MdNumbering,
        name: &mut Option<Name>,
    ) -> Result<()> {
        let metadata = &mut self.module.metadata;
        let node = match code {
            1 => {
                let start = metadata.strings.len() as u32;
                metadata
                    .strings
                    .extend(fields.rest().iter().map(|&c| c as u8));
                MdNode::String(PoolRange {
                    start,
                    end: metadata.strings.len() as u32,
                })
            }
            2 => {
                let index = fields.take()?;
                let value = ValueId::from_u32(fields.in_range(
                    "value number",
                    0..=u64::from(u32::MAX >> 1),
                    "31 bits",
                )? as u32);
                MdNode::Value {
                    ty: self.type_at(index)?,
                    value,
                }
            }
            3 | 5 => {
                let start = metadata.operands.len() as u32;
                let numbers = fields.rest();
                if let Some(&found) = numbers.iter().find(|&&n| n >= u64::from(u32::MAX)) {
                    return Err(BitcodeErrorKind::Field {
                        field: "metadata operand",
                        found,
                        expected: "a number",
                    }
                    .into_error());
                }
                let numbers = numbers.iter().map(|&n| n as u32);
                if numbering.shared == u32::MAX {
                    metadata.operands.extend(numbers);
                } else {
                    metadata.operands.extend(numbers.map(|number| {
                        number
                            .checked_sub(1)
                            .map_or(0, |n| numbering.entry(n).saturating_add(1))
                    }));
                }
                MdNode::Node {
                    distinct: code == 5,
                    operands: PoolRange {
                        start,
                        end: metadata.operands.len() as u32,
                    },
                }
            }
            4 => {
                *name = Some(text(fields.rest()));
                return Ok(());
            }
            6 => return self.kind(fields),
            8 | 9 => return Err(unsupported("metadata node of LLVM 3.5 and before")),
            10 => {
                let Some(name) = name.take() else {
                    return Err(BitcodeErrorKind::Missing {
                        what: "name of a named metadata node",
                    }
                    .into_error());
                };
                let mut operands = SmallVec::with_capacity(fields.left());
                while fields.left() > 0 {
                    operands.push(md_id(numbering.entry(fields.index("metadata operand")?))?);
                }
                metadata.named.push((name, operands));
                return Ok(());
            }
            // DILocation, then the other specialized nodes up to DIMacroFile.
            7 | 12..=34 => {
                let start = metadata.records.len() as u32;
                metadata.records.extend_from_slice(fields.rest());
                MdNode::Debug {
                    code,
                    fields: PoolRange {
                        start,
                        end: metadata.records.len() as u32,
                    },
                }
            }
            // To skip these would shift all numbers that follow.
            35..=40 => return Err(unsupported("metadata record of a later LLVM")),
            _ => return Ok(()),
        };
        self.module.metadata.nodes.push(node);
        Ok(())
    }

    /// Reads a metadata kind: `[number, character…]`.
    pub(super) fn kind(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let metadata = &mut self.module.metadata;
        let kind = fields.index("metadata kind")?;
        let start = metadata.strings.len() as u32;
        metadata
            .strings
            .extend(fields.rest().iter().map(|&c| c as u8));
        metadata.kinds.push((
            kind,
            PoolRange {
                start,
                end: metadata.strings.len() as u32,
            },
        ));
        Ok(())
    }

    /// Checks that all references of module-level metadata are defined.
    pub(super) fn check_metadata(&self) -> Result<()> {
        for operands in self
            .module
            .metadata
            .named
            .iter()
            .map(|(_, operands)| operands)
        {
            operands
                .iter()
                .try_for_each(|&id| self.metadata_exists(id))?;
        }
        self.check_metadata_from(MdId::from_u32(0), None)
    }

    pub(super) fn metadata_exists(&self, id: MdId) -> Result<()> {
        if self.module.metadata.nodes.is_valid(id) {
            Ok(())
        } else {
            Err(BitcodeErrorKind::UnresolvedMetadata(id).into_error())
        }
    }

    /// Checks that all references of the entries from `first` on are defined; `local` are the
    /// values of the function that they belong to.
    pub(super) fn check_metadata_from(
        &self,
        first: MdId,
        local: Option<&[ValueData]>,
    ) -> Result<()> {
        let metadata = &self.module.metadata;
        let count = metadata.nodes.len() as u32;
        for node in &metadata.nodes[EntityRange::new(first, metadata.nodes.next_key())] {
            match *node {
                MdNode::Node { operands, .. } => {
                    if let Some(&bad) = metadata
                        .operands
                        .get(operands.range())
                        .unwrap_or_default()
                        .iter()
                        .find(|&&o| o > count)
                    {
                        return Err(
                            BitcodeErrorKind::UnresolvedMetadata(md_id(bad - 1)?).into_error()
                        );
                    }
                }
                MdNode::Value { ty, value } => {
                    let index = value.as_u32() as usize;
                    let shared = self.module.values.len();
                    let data = self
                        .module
                        .values
                        .get(index)
                        .or_else(|| local?.get(index - shared));
                    let Some(data) = data else {
                        let count = (shared + local.map_or(0, <[ValueData]>::len)) as u32;
                        return Err(BitcodeErrorKind::UnresolvedValue {
                            value: value.as_u32(),
                            count,
                        }
                        .into_error());
                    };
                    super::check::same_type("value as metadata", data.ty, ty)?;
                }
                MdNode::String(_) | MdNode::Debug { .. } | MdNode::Missing => {}
            }
        }
        Ok(())
    }
}

/// Returns the metadata id; the largest number is reserved.
pub(super) fn md_id(number: u32) -> Result<MdId> {
    if number == u32::MAX {
        Err(BitcodeErrorKind::Field {
            field: "metadata number",
            found: number.into(),
            expected: "a smaller one",
        }
        .into_error())
    } else {
        Ok(MdId::from_u32(number))
    }
}

/// Returns the metadata number in a function, as an entry that exists.
pub(super) fn local_md(builder: &Builder, numbering: MdNumbering, number: u32) -> Result<MdId> {
    let id = md_id(numbering.entry(number))?;
    builder.metadata_exists(id)?;
    Ok(id)
}

/// Reads a METADATA_ATTACHMENT block: `[instruction?, (kind, node)…]`, an odd number of fields when
/// an instruction is named.
pub(super) fn read_attachments(
    builder: &Builder,
    stream: &mut Stream<'_>,
    block: Block,
    numbering: MdNumbering,
    function: &mut Function,
) -> Result<()> {
    let insts = function.insts.len();
    each_record(stream, block, |code, mut fields| {
        // LLVM ignores other records of this block.
        if code != 11 {
            return Ok(());
        }
        let inst = if fields.len() % 2 == 1 {
            let index = fields.take()?;
            if index >= insts as u64 {
                return Err(BitcodeErrorKind::Index {
                    what: "instruction",
                    index,
                    count: insts as u64,
                }
                .into_error());
            }
            Some(InstId::from_u32(index as u32))
        } else {
            None
        };
        while fields.left() > 0 {
            let kind = fields.index("metadata kind")?;
            let node = local_md(builder, numbering, fields.index("metadata number")?)?;
            match inst {
                Some(inst) => function.inst_metadata.push((inst, kind, node)),
                None => function.metadata.push((kind, node)),
            }
        }
        Ok(())
    })?;
    function.inst_metadata.sort_by_key(|(inst, _, _)| *inst);
    Ok(())
}
