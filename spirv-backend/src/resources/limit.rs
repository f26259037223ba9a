//! Indices that stay inside the heaps of descriptors.

use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};
use trellis_dxil_frontend::shader::ResourceClass;

use super::binding::TableBase;
use super::variable::Access;
use super::{Computed, Resources, root};
use crate::bindings::{HeapBinding, HeapLimit};
use crate::error::{Error, InvalidKind};
use crate::handles::{Handle, Origin};
use crate::values::{FunctionBuilder, uniform_word};

/// The index of the last sampler that D3D's heaps of samplers have.
const LAST_SAMPLER: u32 = 2047;

impl Resources {
    /// Returns true if an index has to be kept inside its heap: where the shader computes it, and in a
    /// table that the shader record names, which the root signature of the pipeline does not check.
    pub(super) fn needs_limit(
        &self,
        e: &FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
        computed: Computed,
    ) -> bool {
        if e.options.interface.heap_limit.is_none() {
            return false;
        }
        let Origin::Range(at) = handle.origin else {
            return true;
        };
        let place = self.answers.in_heap(at, access.is_counter());
        place.is_some_and(|place| {
            computed == Computed::ByShader || matches!(place.base, TableBase::Record { .. })
        })
    }

    /// Returns an index that is at most the size of its heap.
    pub(super) fn limited(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        index: Word,
    ) -> Result<Word, Error> {
        let word = e.b.ty_u32();
        let last = match handle.desc.class {
            ResourceClass::Sampler => e.b.const_u32(LAST_SAMPLER),
            _ => self.heap_size(e)?,
        };
        Ok(e.b.ext(GLOp::UMin, word, &[index, last]))
    }

    /// Returns the size of the heap of resources; the same id again within a block.
    fn heap_size(&mut self, e: &mut FunctionBuilder<'_>) -> Result<Word, Error> {
        self.enter_block(e);
        if let Some(known) = self.heap_size.expand() {
            return Ok(known);
        }
        let id = match e.options.interface.heap_limit {
            // Without a limit no index is limited.
            None => e.b.const_u32(u32::MAX),
            Some(HeapLimit::Size(size)) => e.b.const_u32(size),
            Some(HeapLimit::RootConstant(number)) => {
                root::check(e.options, number)
                    .map_err(|reason| e.invalid(InvalidKind::Resource, reason.to_string()))?;
                let number = e.b.const_u32(number);
                self.root_word(e, number)
            }
            Some(HeapLimit::UniformBlock(at)) => {
                let names = ("HeapSize", "size");
                uniform_word(e, &mut self.heap_size_block, at, names)
            }
            Some(HeapLimit::BufferLength { at, pairs }) => self.length_of(e, at, pairs),
        };
        self.heap_size = id.into();
        Ok(id)
    }

    /// Returns for how many descriptors a buffer has pairs of words.
    fn length_of(&mut self, e: &mut FunctionBuilder<'_>, at: HeapBinding, pairs: u32) -> Word {
        let variable = self.offsets_variable(e, at);
        let length = e.b.word(Op::ArrayLength, &[variable, 0]);
        if pairs <= 1 {
            return length;
        }
        e.b.word_with(Op::UDiv, length, pairs)
    }
}
