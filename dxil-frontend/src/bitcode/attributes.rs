//! PARAMATTR (9) and PARAMATTR_GROUP (10) blocks.

use smallvec::SmallVec;

use crate::bitstream::{Block, Stream};
use crate::module::{Attribute, AttributeGroup, Name};

use super::errors::{bad_field, length_error, out_of_range, unsupported};
use super::fields::{Fields, text};
use super::{Builder, Result, each_record};

impl Builder {
    pub(super) fn read_attribute_groups(
        &mut self,
        stream: &mut Stream<'_>,
        block: Block,
    ) -> Result<()> {
        each_record(stream, block, |code, mut fields| {
            // LLVM ignores other records of this block.
            if code == 3 {
                let (id, index) = (
                    fields.index("attribute group")?,
                    fields.index("parameter index")?,
                );
                let mut attributes = SmallVec::new();
                while fields.left() > 0 {
                    attributes.push(attribute(&mut fields)?);
                }
                self.module.attribute_groups.push(AttributeGroup {
                    id,
                    index,
                    attributes,
                });
            }
            Ok(())
        })
    }

    pub(super) fn read_attribute_lists(
        &mut self,
        stream: &mut Stream<'_>,
        block: Block,
    ) -> Result<()> {
        each_record(stream, block, |code, fields| {
            match code {
                1 => return Err(unsupported("attributes of LLVM 3.2 and before")),
                2 => {
                    let groups = &self.module.attribute_groups;
                    // Groups are numbered from 1 in file order as a rule, so that the search starts
                    // where it ends.
                    let find = |id: u64| {
                        let guess = (id as usize).wrapping_sub(1);
                        let found = if groups.get(guess).is_some_and(|g| u64::from(g.id) == id) {
                            Some(guess)
                        } else {
                            groups.iter().position(|g| u64::from(g.id) == id)
                        };
                        found
                            .map(|index| index as u32)
                            .ok_or_else(|| out_of_range("attribute group", id, groups.len() as u64))
                    };
                    let list = fields
                        .rest()
                        .iter()
                        .map(|&id| find(id))
                        .collect::<Result<_>>()?;
                    self.module.attributes.push(list);
                }
                _ => {}
            }
            Ok(())
        })
    }
}

fn attribute(fields: &mut Fields<'_>) -> Result<Attribute> {
    Ok(
        match fields.in_range("attribute form", 0..=4, "0, 1, 3 or 4")? {
            0 => Attribute::Enum(fields.take()?),
            1 => Attribute::Int(fields.take()?, fields.take()?),
            3 => Attribute::String(c_string(fields)?, None),
            4 => Attribute::String(c_string(fields)?, Some(c_string(fields)?)),
            found => {
                return Err(bad_field("attribute form", found, "0, 1, 3 or 4"));
            }
        },
    )
}

/// Characters up to a zero.
fn c_string(fields: &mut Fields<'_>) -> Result<Name> {
    let all = fields.rest();
    let len = all
        .iter()
        .position(|&c| c == 0)
        .ok_or_else(|| length_error("a zero after a text"))?;
    for _ in 0..=len {
        fields.take()?;
    }
    Ok(text(all.get(..len).unwrap_or_default()))
}
