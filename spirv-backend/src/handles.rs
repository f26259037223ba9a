//! Targets of handles, as data, which `resources` finds. Handles of the current function are
//! cached, as most are used several times, and resolving one takes longer than emitting the access.

mod desc;

use std::cell::Cell;

use trellis_dxil_frontend::module::ValueId;
use trellis_entity::entity_impl;

pub(crate) use desc::{ImageShape, ResourceDesc, Texel};

/// A declared range in [`Shader::resources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RangeId(u32);
entity_impl!(RangeId, "range");

/// Source of a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// A declared range.
    Range(RangeId),
    /// `ResourceDescriptorHeap`.
    ResourceHeap,
    /// `SamplerDescriptorHeap`.
    SamplerHeap,
}

impl Origin {
    /// Returns the declared range.
    pub(crate) fn range(self) -> Option<RangeId> {
        match self {
            Self::Range(at) => Some(at),
            Self::ResourceHeap | Self::SamplerHeap => None,
        }
    }
}

/// A resolved handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Handle {
    /// Range or heap.
    pub(crate) origin: Origin,
    /// Shape, element type and flags of the descriptor.
    pub(crate) desc: ResourceDesc,
    /// Register (counted from register 0 of the space) or index in the heap.
    pub(crate) index: ValueId,
    /// The index may differ between the lanes of a wave.
    pub(crate) non_uniform: bool,
}

/// The handles of a function that were found last.
#[derive(Default)]
pub(crate) struct HandleCache {
    /// By the lowest bits of the value number.
    entries: [Cell<Option<(ValueId, Handle)>>; 8],
}

impl HandleCache {
    /// Forgets the handles of a function.
    pub(crate) fn clear(&mut self) {
        for entry in &mut self.entries {
            entry.set(None);
        }
    }

    /// Returns the handle that a value is, if it is known.
    pub(crate) fn get(&self, value: ValueId) -> Option<Handle> {
        let (known, handle) = self.entry(value).get()?;
        (known == value).then_some(handle)
    }

    /// Keeps the handle that a value is.
    pub(crate) fn set(&self, value: ValueId, handle: Handle) {
        self.entry(value).set(Some((value, handle)));
    }

    fn entry(&self, value: ValueId) -> &Cell<Option<(ValueId, Handle)>> {
        &self.entries[value.as_u32() as usize % self.entries.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::{Handle, HandleCache, Origin, ResourceDesc, ValueId};

    #[test]
    fn values_with_the_same_entry_are_different() {
        let handle = |index| Handle {
            origin: Origin::ResourceHeap,
            desc: ResourceDesc::NONE,
            index: ValueId::from_u32(index),
            non_uniform: false,
        };
        let value = ValueId::from_u32;
        let mut handles = HandleCache::default();
        handles.set(value(3), handle(1));
        assert_eq!(handles.get(value(3)), Some(handle(1)));
        assert_eq!(handles.get(value(11)), None);
        handles.set(value(11), handle(2));
        assert_eq!(handles.get(value(11)), Some(handle(2)));
        assert_eq!(handles.get(value(3)), None);
        handles.clear();
        assert_eq!(handles.get(value(11)), None);
    }
}
