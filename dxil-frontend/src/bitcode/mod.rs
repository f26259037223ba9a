//! LLVM 3.7 bitcode: one file for each block of the format.
//!
//! The reader checks its input, so that consumers can rely on it: every index is in range, every
//! type is well-formed, operand types fit the operation, each block ends in its only terminator,
//! and forward references are defined. It does not check dominance of definitions over uses.
//!
//! Source: "LLVM Bitcode File Format" of LLVM 3.7, section *LLVM IR Encoding*.

mod attributes;
mod check;
mod constants;
mod control;
mod errors;
mod fields;
mod function;
mod globals;
mod instruction;
mod memory;
mod metadata;
mod metadata_kinds;
mod operators;
mod resource_names;
mod symtab;
mod target;
mod types;

use smallvec::SmallVec;
use trellis_entity::SecondaryMap;

use crate::bitstream::{Block, Entry, Stream};
use crate::error::{BitcodeErrorKind, Error, Place};
use crate::module::{ConstId, FunctionId, GlobalId, Module, TypeId};

pub(crate) use resource_names::{NamedResource, resource_names};

use control::PhiCheck;
use errors::{in_record, missing, out_of_range, unsupported};
use fields::{Fields, text};
use function::ForwardUse;
use target::take_usual_target;
use types::TypeIndex;

type Result<T> = std::result::Result<T, Error>;

/// LLVM's block ids.
mod block {
    pub(super) const BLOCKINFO: u32 = 0;
    pub(super) const MODULE: u32 = 8;
    pub(super) const PARAMATTR: u32 = 9;
    pub(super) const PARAMATTR_GROUP: u32 = 10;
    pub(super) const CONSTANTS: u32 = 11;
    pub(super) const FUNCTION: u32 = 12;
    pub(super) const VALUE_SYMTAB: u32 = 14;
    pub(super) const METADATA: u32 = 15;
    pub(super) const METADATA_ATTACHMENT: u32 = 16;
    pub(super) const TYPE: u32 = 17;
}

/// The module under construction, and data that only the reader needs.
#[derive(Default)]
struct Builder {
    /// In a box, as it is moved and large.
    module: Box<Module>,
    /// Operands are relative to the next value number (module version 1).
    relative_ids: bool,
    types: TypeIndex,
    /// Number of module-level metadata entries.
    shared_metadata: u32,
    /// Nesting of each constant, 0 where not computed.
    constant_depth: SecondaryMap<ConstId, u32>,
    /// Global and the value number of its initializer, resolved at the end of the module.
    initializers: Vec<(GlobalId, u32)>,
    /// Function bodies in file order; read after the rest of the module, as LLVM does.
    bodies: SmallVec<[Block; 2]>,
    /// Functions that need a body, in order of declaration.
    defined: SmallVec<[FunctionId; 2]>,
    /// Types of the module-level values, then of the function under reading.
    value_types: Vec<TypeId>,
    /// Uses in the body under reading of values that are defined later.
    forward: Vec<ForwardUse>,
    /// Operands of the constants of a block, and the types that they must have.
    expected: Vec<(u32, TypeId)>,
    phis: PhiCheck,
    /// Calls are read by the general code alone.
    #[cfg(test)]
    only_any_calls: bool,
}

/// Reads a bitcode module, raw (`BC C0DE`) or in the wrapper header (0x0B17C0DE).
///
/// `base_offset` is the absolute offset of `bytes` in the file; errors carry absolute offsets.
///
/// # Errors
/// [`Error::Bitcode`] if the bits are malformed, use something that DXIL does not permit, or break
/// a rule that [the module documentation](self) lists.
pub fn read_module(bytes: &[u8], base_offset: usize) -> Result<Module> {
    read_boxed(bytes, base_offset).map(|module| *module)
}

/// As [`read_module`].
pub(crate) fn read_boxed(bytes: &[u8], base_offset: usize) -> Result<Box<Module>> {
    Builder::default().read(bytes, base_offset)
}

impl Builder {
    /// As [`read_module`].
    fn read(mut self, bytes: &[u8], base_offset: usize) -> Result<Box<Module>> {
        let mut stream = Stream::open(bytes, base_offset)?;
        // Shaders rarely have more.
        self.module.functions.reserve(16);
        self.module.values.reserve(64);
        self.module.attribute_groups.reserve(4);
        self.module.attributes.reserve(4);
        self.module.metadata.named.reserve(8);
        match read_top_level(&mut stream, &mut self) {
            Ok(()) => {
                self.module.shrink_to_fit();
                Ok(self.module)
            }
            Err(error) => Err(error.within(
                stream.record_offset(),
                Place {
                    block: stream.block_id(),
                    ..Place::default()
                },
            )),
        }
    }
}

fn read_top_level(stream: &mut Stream<'_>, builder: &mut Builder) -> Result<()> {
    while let Some(block) = stream.next_top_level()? {
        match block.id {
            block::MODULE => {
                stream.enter(block)?;
                builder.read_module_block(stream)?;
                return builder.finish(stream);
            }
            block::BLOCKINFO => stream.block_info(block)?,
            // IDENTIFICATION, symbol and string tables of later versions.
            _ => stream.skip(block),
        }
    }
    Err(missing("MODULE block"))
}

/// Calls `record` for each record of a block without nested blocks, and gives its errors their
/// place.
fn each_record(
    stream: &mut Stream<'_>,
    block: Block,
    record: impl FnMut(u32, Fields<'_>) -> Result<()>,
) -> Result<()> {
    stream.enter(block)?;
    rest_of_records(stream, block, record)
}

/// As [`each_record`], for a block that was entered.
fn rest_of_records(
    stream: &mut Stream<'_>,
    block: Block,
    mut record: impl FnMut(u32, Fields<'_>) -> Result<()>,
) -> Result<()> {
    loop {
        match stream.next_entry()? {
            Entry::End => return Ok(()),
            Entry::Block(nested) => {
                let error = BitcodeErrorKind::NestedBlock { id: nested.id }.into_error();
                return Err(error.within(stream.record_offset(), Place::of_block(block.id)));
            }
            Entry::Record(code) => {
                if let Err(error) = record(code, Fields::new(stream.record())) {
                    return Err(in_record(error, stream, Place::of_record(block.id, code)));
                }
            }
        }
    }
}

impl Builder {
    fn read_module_block(&mut self, stream: &mut Stream<'_>) -> Result<()> {
        loop {
            match stream.next_entry()? {
                Entry::End => return Ok(()),
                Entry::Block(nested) => match nested.id {
                    block::BLOCKINFO => stream.block_info(nested)?,
                    block::PARAMATTR => self.read_attribute_lists(stream, nested)?,
                    block::PARAMATTR_GROUP => self.read_attribute_groups(stream, nested)?,
                    block::TYPE => {
                        self.read_types(stream, nested)?;
                        take_usual_target(stream, &mut self.module);
                    }
                    block::CONSTANTS => self.read_module_constants(stream, nested)?,
                    block::METADATA => self.read_module_metadata(stream, nested)?,
                    block::VALUE_SYMTAB => self.read_module_symtab(stream, nested)?,
                    block::FUNCTION => {
                        self.bodies.push(nested);
                        stream.skip(nested);
                    }
                    // Use-list orders, and blocks of later versions, do not affect the meaning.
                    _ => stream.skip(nested),
                },
                Entry::Record(code) => {
                    if let Err(error) = self.module_record(code, Fields::new(stream.record())) {
                        let place = Place::of_record(block::MODULE, code);
                        return Err(in_record(error, stream, place));
                    }
                }
            }
        }
    }

    fn module_record(&mut self, code: u32, mut fields: Fields<'_>) -> Result<()> {
        match code {
            1 => self.relative_ids = fields.in_range("module version", 0..=1, "0 or 1")? == 1,
            2 => self.module.triple = text(fields.rest()),
            3 => self.module.data_layout = text(fields.rest()),
            4 => return Err(unsupported("module-level assembly")),
            5 => self.module.sections.push(text(fields.rest())),
            7 => self.global_variable(fields)?,
            8 => self.function(fields)?,
            9 | 14 => return Err(unsupported("alias")),
            10 => return Err(unsupported("purged values")),
            // Dependent libraries, collectors' names, COMDATs, and records that LLVM ignores, too.
            _ => {}
        }
        Ok(())
    }

    /// Reads the bodies and resolves references to declarations, which may be in any order.
    fn finish(&mut self, stream: &mut Stream<'_>) -> Result<()> {
        self.resolve_initializers()?;
        self.check_metadata()?;
        self.shared_metadata = self.module.metadata.nodes.len() as u32;
        self.value_types = self.module.values.iter().map(|value| value.ty).collect();
        let bodies = std::mem::take(&mut self.bodies);
        let defined = std::mem::take(&mut self.defined);
        if bodies.len() != defined.len() {
            let (index, count) = (bodies.len() as u64, defined.len() as u64);
            return Err(out_of_range("number of function bodies", index, count));
        }
        for (body, id) in bodies.into_iter().zip(defined) {
            function::read_body(self, stream, body, id)?;
        }
        Ok(())
    }
}
