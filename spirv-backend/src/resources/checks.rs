//! Calls that check the descriptors of the heap of resources before they are used and report wrong ones, and
//! buffers for reports.

use rspirv::spirv::{Decoration, Op, StorageClass, Word};
use trellis_dxil_frontend::shader::ResourceClass;

use super::Resources;
use super::binding::binding_slot;
use super::types::{BlockLayout, Qualifiers};
use super::variable::Access;
use crate::bindings::{DescriptorKind, HeapBinding};
use crate::error::Error;
use crate::handles::{Handle, Origin};
use crate::values::FunctionBuilder;

/// Returns the bit of a kind of descriptors in the buffers of a check.
fn bit(kind: DescriptorKind) -> u32 {
    match kind {
        DescriptorKind::SampledImage => 1,
        DescriptorKind::StorageImage => 2,
        DescriptorKind::UniformBuffer => 4,
        DescriptorKind::StorageBuffer => 8,
        DescriptorKind::UniformTexelBuffer => 16,
        DescriptorKind::StorageTexelBuffer => 32,
        DescriptorKind::AccelerationStructure => 64,
        DescriptorKind::Sampler => 128,
        DescriptorKind::DeviceAddress => 256,
    }
}

impl Resources {
    /// Returns true if a descriptor has to be checked.
    pub(super) fn needs_check(
        &self,
        e: &FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
    ) -> bool {
        let is_in_heap = match handle.origin {
            Origin::Range(at) => self.answers.in_heap(at, access.is_counter()).is_some(),
            _ => true,
        };
        e.options.debug.descriptor_checks.is_some()
            && handle.desc.class != ResourceClass::Sampler
            && is_in_heap
    }

    /// Returns the index of a descriptor that is checked.
    pub(super) fn checked(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
        index: Word,
    ) -> Result<Word, Error> {
        let slot = binding_slot(e, &mut self.answers, handle.origin, &handle.desc, access)?;
        let id = self.check_function.expand();
        let id = id.unwrap_or_else(|| e.b.id());
        self.check_function = id.into();
        self.checks += 1;
        let (kind, number) = (e.b.const_u32(bit(slot.kind)), e.b.const_u32(self.checks));
        Ok(e.b.word(Op::FunctionCall, &[id, index, kind, number]))
    }

    /// Returns the function that is called, if it is.
    pub(crate) fn check_function(&self) -> Option<Word> {
        self.check_function.expand()
    }

    /// Declares a storage buffer of vectors of words.
    pub(crate) fn words_at(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        (at, lanes): (HeapBinding, u32),
        name: &str,
        is_written: bool,
    ) -> Word {
        let layout = match lanes {
            1 => BlockLayout::Elements(32),
            _ => BlockLayout::Vectors(32, lanes),
        };
        let pointee = self.block_type(e, layout, Qualifiers::NONE);
        let class = StorageClass::StorageBuffer;
        let id = e.b.bound_variable(class, pointee, (at.set, at.binding));
        if !is_written {
            e.b.decorate(id, Decoration::NonWritable, &[]);
        }
        e.b.name(id, name);
        id
    }
}
