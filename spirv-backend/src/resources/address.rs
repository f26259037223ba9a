//! Resources at device addresses: root descriptors, and heaps of addresses.
//!
//! An address is two words, which become a pointer to a block in the storage class
//! `PhysicalStorageBuffer`. The block's member has the decorations that a variable would have.

use rspirv::spirv::{Capability, Op, StorageClass, Word};
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

use super::binding::binding_error;
use super::types::{BlockLayout, Qualifiers};
use super::variable::Access;
use super::{Descriptor, Resources};
use crate::bindings::{BindingError, DescriptorKind, Place};
use crate::error::{Error, InvalidKind};
use crate::handles::{Handle, Origin, ResourceDesc};
use crate::values::FunctionBuilder;

/// Where an address is.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// Among the root descriptors.
    Root(u32),
    /// In the shader record.
    Record,
    /// In a buffer of addresses.
    Buffer,
}

impl Resources {
    /// Returns where a resource's address is, or its counter's; `None` if it is a descriptor.
    #[inline]
    pub(super) fn address_source(
        &mut self,
        e: &FunctionBuilder<'_>,
        handle: &Handle,
        counter: bool,
    ) -> Result<Option<Source>, Error> {
        let kind = match handle.origin {
            // Each access comes here; nearly all shaders have no addresses.
            Origin::Range(_) if !self.answers.has_addresses() => return Ok(None),
            Origin::Range(at) => match self.answers.place(e, at, counter)? {
                Place::DeviceAddress { root_descriptor } => {
                    return Ok(Some(Source::Root(root_descriptor)));
                }
                Place::RecordAddress { .. } => return Ok(Some(Source::Record)),
                Place::Descriptor { kind, .. }
                | Place::Heap { kind, .. }
                | Place::RecordTable { kind, .. } => kind,
                Place::RootConstants { .. } | Place::ShaderRecord { .. } => None,
            },
            origin => self.answers.heap(e, origin, &handle.desc, counter)?.kind,
        };
        Ok((kind == Some(DescriptorKind::DeviceAddress)).then_some(Source::Buffer))
    }

    /// Returns the address of a resource or of its counter, two words; `None` if it is a descriptor.
    /// The same id again within a block.
    pub(super) fn address(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        counter: bool,
    ) -> Result<Option<Word>, Error> {
        let Some(source) = self.address_source(e, handle, counter)? else {
            return Ok(None);
        };
        if let (Source::Root(_) | Source::Record, Origin::Range(at)) = (source, handle.origin)
            && self.answers.registers(at) != 1
        {
            return Err(binding_error(e, at, counter, BindingError::NoAddress));
        }
        let index = match source {
            Source::Buffer => Some(e.id(handle.index)?),
            Source::Root(_) | Source::Record => None,
        };
        self.enter_block(e);
        let key = (handle.origin, counter, index);
        if let Some(&(_, id)) = self.addresses.iter().find(|known| known.0 == key) {
            return Ok(Some(id));
        }
        let id = match source {
            Source::Root(number) => self.root_address(e, handle, counter, number)?,
            Source::Record => self.record_pair(e, handle, counter)?,
            Source::Buffer => self.address_in_buffer(e, handle, counter)?,
        };
        self.addresses.push((key, id));
        Ok(Some(id))
    }

    /// Returns the address of a resource's counter, two words, if it is in a buffer of addresses,
    /// where views without a counter have 0; `None` if it is elsewhere.
    pub(crate) fn counter_in_buffer(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
    ) -> Result<Option<Word>, Error> {
        match self.address_source(e, handle, true)? {
            Some(Source::Buffer) => {
                // Checks that the resource can have a counter.
                layout_at_address(e, handle, Access::Counter)?;
                self.address(e, handle, true)
            }
            Some(Source::Root(_) | Source::Record) | None => Ok(None),
        }
    }

    /// Returns the block with a counter at an address.
    pub(crate) fn counter_block(&mut self, e: &mut FunctionBuilder<'_>, address: Word) -> Word {
        e.b.caps.add(Capability::PhysicalStorageBufferAddresses);
        let qualifiers = Qualifiers {
            coherent: false,
            read_only: false,
        };
        let pointee = self.block_type(e, BlockLayout::Counter, qualifiers);
        let ty = e.b.ty_ptr(StorageClass::PhysicalStorageBuffer, pointee);
        e.b.op(Op::Bitcast, ty, &[address])
    }

    /// Loads an address from a buffer of addresses.
    fn address_in_buffer(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        counter: bool,
    ) -> Result<Word, Error> {
        let access = Access::Addresses { counter };
        self.enter_section_for(e, handle);
        let variable = self.resource_variable(e, handle, access)?;
        let (index, _) = self.full_index(e, handle, access)?;
        let layout = e.options.interface.address_layout;
        let at = scaled(e, index, layout.stride, layout.offset);
        Ok(load_pair(e, variable.id, at))
    }

    /// Returns the block at a device address that a handle names; `None` if it names a descriptor.
    pub(super) fn block_at_address(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
    ) -> Result<Option<Descriptor>, Error> {
        let counter = access.is_counter();
        if self.address_source(e, handle, counter)?.is_none() {
            return Ok(None);
        }
        let layout = layout_at_address(e, handle, access)?;
        let Some(address) = self.address(e, handle, counter)? else {
            return Ok(None);
        };
        e.b.caps.add(Capability::PhysicalStorageBufferAddresses);
        let is_uav = handle.desc.class == ResourceClass::Uav;
        let is_shared = handle.desc.coherent || handle.desc.rasterizer_ordered;
        let qualifiers = Qualifiers {
            coherent: is_uav && is_shared,
            read_only: !is_uav,
        };
        let pointee = self.block_type(e, layout, qualifiers);
        let class = StorageClass::PhysicalStorageBuffer;
        let ty = e.b.ty_ptr(class, pointee);
        let base = e.b.op(Op::Bitcast, ty, &[address]);
        Ok(Some(Descriptor {
            base,
            class,
            pointee,
            index: None,
            non_uniform: false,
        }))
    }

    /// Returns the acceleration structure at a device address; `None` if it is a descriptor.
    pub(super) fn structure_at_address(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
    ) -> Result<Option<Word>, Error> {
        if handle.desc.kind != ResourceKind::RTAccelerationStructure {
            return Ok(None);
        }
        let Some(address) = self.address(e, handle, false)? else {
            return Ok(None);
        };
        let ty = super::types::structure_type(e);
        Ok(Some(e.b.op(
            Op::ConvertUToAccelerationStructureKHR,
            ty,
            &[address],
        )))
    }
}

/// Returns the layout of the block that an access is to; `None` if the resource has no such block.
pub(super) fn block_layout(
    e: &mut FunctionBuilder<'_>,
    desc: &ResourceDesc,
    access: Access,
) -> Option<BlockLayout> {
    let layout = match access {
        Access::Addresses { .. } => BlockLayout::Pairs,
        Access::Rows if desc.class == ResourceClass::CBuffer => {
            BlockLayout::Rows(desc.size.div_ceil(16).max(1))
        }
        Access::Counter if desc.class == ResourceClass::Uav => BlockLayout::Counter,
        _ if !desc.is_untyped_buffer() => return None,
        Access::Elements(width) => BlockLayout::Elements(width),
        Access::Vectors(width, lanes) => BlockLayout::Vectors(width, lanes),
        Access::Floats => BlockLayout::Floats,
        Access::HalfPairs => BlockLayout::HalfPairs,
        _ => return None,
    };
    if let BlockLayout::Elements(16) | BlockLayout::Vectors(16, _) = layout {
        e.b.caps.add(Capability::StorageBuffer16BitAccess);
    }
    Some(layout)
}

/// Returns the layout of the block at a device address that an access is to.
fn layout_at_address(
    e: &mut FunctionBuilder<'_>,
    handle: &Handle,
    access: Access,
) -> Result<BlockLayout, Error> {
    let desc = &handle.desc;
    let layout = match access {
        Access::Vectors(..) | Access::Addresses { .. } => None,
        _ => block_layout(e, desc, access),
    };
    layout.ok_or_else(|| match handle.origin {
        Origin::Range(at) => binding_error(e, at, access.is_counter(), BindingError::NoAddress),
        _ => e.invalid(
            InvalidKind::Resource,
            format!("{:?} {:?} at a device address", desc.class, desc.kind),
        ),
    })
}

/// Returns `index * factor + more`.
pub(crate) fn scaled(e: &mut FunctionBuilder<'_>, mut index: Word, factor: u32, more: u32) -> Word {
    if factor != 1 {
        index = e.b.word_with(Op::IMul, index, factor);
    }
    if more != 0 {
        index = e.b.word_with(Op::IAdd, index, more);
    }
    index
}

/// Loads two words from a buffer of pairs.
pub(super) fn load_pair(e: &mut FunctionBuilder<'_>, variable: Word, index: Word) -> Word {
    let zero = e.b.const_u32(0);
    let pair = e.b.ty_words(2);
    let pointer =
        e.b.access(StorageClass::StorageBuffer, pair, variable, &[zero, index]);
    e.load(pair, pointer)
}
