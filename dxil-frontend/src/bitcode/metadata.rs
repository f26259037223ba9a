//! METADATA (15) and METADATA_ATTACHMENT (16) blocks.

use smallvec::SmallVec;
use trellis_entity::EntityRange;

use crate::bitstream::{Block, Stream};
use crate::error::BitcodeErrorKind;
use crate::metadata::{MdId, MdNode};
use crate::module::{Function, InstId, Name, PoolRange, ValueData};

use super::errors::{bad_field, below, missing, same_type, unresolved, unsupported};
use super::fields::{Fields, text};
use super::metadata_kinds::take_usual_kinds;
use super::{Builder, Result, each_record, rest_of_records};

/// Mapping from the metadata numbers of a block to entries: a function's entries follow the
/// module's in the file, and the earlier functions' in [`crate::metadata::Metadata::nodes`].
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
        let numbering = MdNumbering {
            shared: u32::MAX,
            local: 0,
        };
        self.read_metadata(stream, block, numbering)
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
            1 => MdNode::String(append(
                &mut metadata.strings,
                fields.rest().iter().map(|&c| c as u8),
            )),
            2 => {
                let index = fields.take()?;
                let value = fields.value_number()?;
                MdNode::Value {
                    ty: self.type_at(index)?,
                    value,
                }
            }
            3 | 5 => {
                let numbers = fields.rest();
                if let Some(&found) = numbers.iter().find(|&&n| n >= u64::from(u32::MAX)) {
                    return Err(bad_field("metadata operand", found, "a number"));
                }
                let numbers = numbers.iter().map(|&n| n as u32);
                let operands = if numbering.shared == u32::MAX {
                    append(&mut metadata.operands, numbers)
                } else {
                    let entry = |n| numbering.entry(n).saturating_add(1);
                    let entries = numbers.map(|n| n.checked_sub(1).map_or(0, entry));
                    append(&mut metadata.operands, entries)
                };
                MdNode::Node {
                    distinct: code == 5,
                    operands,
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
                    return Err(missing("name of a named metadata node"));
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
                let fields = append(&mut metadata.records, fields.rest().iter().copied());
                MdNode::Debug { code, fields }
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
        let name = append(
            &mut metadata.strings,
            fields.rest().iter().map(|&c| c as u8),
        );
        metadata.kinds.push((kind, name));
        Ok(())
    }

    /// Checks that all references of module-level metadata are defined.
    pub(super) fn check_metadata(&self) -> Result<()> {
        let mut named = self.module.metadata.named.iter().flat_map(|(_, ids)| ids);
        named.try_for_each(|&id| self.metadata_exists(id))?;
        self.check_metadata_from(MdId::from_u32(0), None)
    }

    pub(super) fn metadata_exists(&self, id: MdId) -> Result<()> {
        if self.module.metadata.nodes.is_valid(id) {
            Ok(())
        } else {
            Err(BitcodeErrorKind::UnresolvedMetadata { id }.into_error())
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
                        return Err(BitcodeErrorKind::UnresolvedMetadata {
                            id: md_id(bad - 1)?,
                        }
                        .into_error());
                    }
                }
                MdNode::Value { ty, value } => {
                    let index = value.as_u32() as usize;
                    let shared = self.module.values.len();
                    let data = self.module.values.get(index);
                    let Some(data) = data.or_else(|| local?.get(index - shared)) else {
                        let count = (shared + local.map_or(0, <[ValueData]>::len)) as u32;
                        return Err(unresolved(value.as_u32(), count));
                    };
                    same_type("value as metadata", data.ty, ty)?;
                }
                MdNode::String(_) | MdNode::Debug { .. } => {}
            }
        }
        Ok(())
    }
}

/// Appends entries to a pool, and returns their range.
fn append<T>(pool: &mut Vec<T>, entries: impl Iterator<Item = T>) -> PoolRange {
    let start = pool.len();
    pool.extend(entries);
    PoolRange::new(start, pool.len())
}

/// Returns the metadata id; the largest number is reserved.
pub(super) fn md_id(number: u32) -> Result<MdId> {
    if number == u32::MAX {
        Err(bad_field("metadata number", number, "a smaller one"))
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
        let inst = if fields.left() % 2 == 1 {
            let index = below("instruction", fields.take()?, insts)?;
            Some(InstId::from_u32(index))
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
