//! Translation of a remapper's answer into the backend's binding slots.
//!
//! An answer that the backend cannot express is an error that names it ([`missing`]).

use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};
use trellis_spirv_backend::bindings::{
    Binding, BindingError, DescriptorKind, HeapBinding, HeapPlace, Place,
};

use crate::abi::{self, DescriptorType, VulkanBinding, descriptor_type};
use crate::local_root::LocalPlace;
use crate::settings::PlaceSettings;

/// A range of resources whose place was answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context<'a> {
    pub(super) class: ResourceClass,
    pub(super) kind: ResourceKind,
    pub(super) alignment: u32,
    pub(super) places: &'a PlaceSettings,
    /// Where the local root signature has it: only in a table.
    pub(super) local: Option<LocalPlace>,
}

type Result<T> = std::result::Result<T, BindingError>;

/// The error of an answer that the backend has no place for.
fn missing(what: &str) -> BindingError {
    BindingError::model(format!("{what}: not supported"))
}

fn in_heap(at: VulkanBinding) -> bool {
    at.bindless.use_heap != abi::FALSE
}

/// Returns the place of a root descriptor.
fn root_descriptor(at: VulkanBinding) -> Place {
    Place::DeviceAddress {
        root_descriptor: at.root_constant_index,
    }
}

fn check_heap(at: VulkanBinding) -> Result<()> {
    if in_heap(at) {
        Ok(())
    } else {
        Err(BindingError::model(
            "the remapper's answer about a heap is not in a heap",
        ))
    }
}

impl Context<'_> {
    /// Returns whether it is a raw or structured buffer.
    fn is_untyped_buffer(&self) -> bool {
        use ResourceKind as K;
        matches!(self.kind, K::RawBuffer | K::StructuredBuffer)
    }

    /// Returns whether the offset buffer has an element for it.
    fn has_offset(&self, at: VulkanBinding) -> bool {
        let storage = at.descriptor_type == descriptor_type::SSBO;
        if self.is_untyped_buffer() && storage {
            return self.alignment & (self.places.storage_alignment - 1) != 0;
        }
        let buffer = self.is_untyped_buffer() || self.kind == ResourceKind::TypedBuffer;
        buffer && !storage && self.places.typed_offsets && in_heap(at)
    }

    /// Returns the place of a descriptor, or of an element of a heap.
    fn place(&self, at: VulkanBinding, kind: Option<DescriptorKind>) -> Result<Place> {
        let (set, binding) = (at.set, at.binding);
        if let Some(LocalPlace::Table {
            offset: record_offset,
            index,
        }) = self.local
        {
            if !in_heap(at) {
                return Err(BindingError::model(
                    "a descriptor table in the shader record requires a heap",
                ));
            }
            let sampler = self.class == ResourceClass::Sampler;
            return Ok(Place::RecordTable {
                set,
                binding,
                kind,
                offset: index,
                record_offset,
                size_log2: if sampler {
                    self.places.sampler_size
                } else {
                    self.places.descriptor_size
                },
            });
        }
        Ok(if in_heap(at) {
            Place::Heap {
                set,
                binding,
                kind,
                offset: at.bindless.heap_root_offset,
                root_constant: Some(at.root_constant_index).filter(|&n| n != u32::MAX),
            }
        } else {
            Place::Descriptor { set, binding, kind }
        })
    }

    /// Returns the kind of descriptor of an SRV or UAV, where it is not the natural one.
    fn kind(&self, at: VulkanBinding) -> Option<DescriptorKind> {
        let rtas = self.kind == ResourceKind::RTAccelerationStructure;
        if rtas && at.descriptor_type == descriptor_type::SSBO && in_heap(at) {
            return Some(DescriptorKind::DeviceAddress);
        }
        // As in the reference, untyped buffers are texel buffers unless the remapper requests
        // storage buffers.
        if !self.is_untyped_buffer() || at.descriptor_type == descriptor_type::SSBO {
            return None;
        }
        Some(match self.class {
            ResourceClass::Uav => DescriptorKind::StorageTexelBuffer,
            _ => DescriptorKind::UniformTexelBuffer,
        })
    }

    /// Returns the place of an SRV or UAV.
    pub(super) fn buffer(&self, at: VulkanBinding, offsets: VulkanBinding) -> Result<Binding> {
        self.check_type(at.descriptor_type)?;
        if at.descriptor_type == descriptor_type::BUFFER_DEVICE_ADDRESS {
            return Ok(Binding::new(root_descriptor(at)));
        }
        let binding = Binding::new(self.place(at, self.kind(at))?);
        Ok(match self.offsets(at, offsets)? {
            Some(offsets) => binding.with_offsets(offsets),
            None => binding,
        })
    }

    /// Returns the place of a constant buffer.
    pub(super) fn constants(&self, at: VulkanBinding) -> Result<Place> {
        self.check_type(at.descriptor_type)?;
        if at.descriptor_type == descriptor_type::BUFFER_DEVICE_ADDRESS {
            return Ok(root_descriptor(at));
        }
        self.place(at, self.constants_kind(at))
    }

    /// Returns the kind of descriptor of a constant buffer, where it is not the natural one.
    fn constants_kind(&self, at: VulkanBinding) -> Option<DescriptorKind> {
        let storage = at.descriptor_type == descriptor_type::SSBO
            || in_heap(at) && self.places.storage_constants;
        storage.then_some(DescriptorKind::StorageBuffer)
    }

    /// Returns the place of a sampler.
    pub(super) fn sampler(&self, at: VulkanBinding) -> Result<Place> {
        self.check_type(at.descriptor_type)?;
        self.place(at, None)
    }

    /// Returns the place of a counter.
    pub(super) fn counter(&self, at: VulkanBinding) -> Result<Place> {
        let kind = self.counter_kind(at)?;
        self.place(at, kind)
    }

    /// Returns the place of the views of a heap of shader model 6.6.
    pub(super) fn heap(&self, at: VulkanBinding, offsets: VulkanBinding) -> Result<HeapPlace> {
        check_heap(at)?;
        self.check_type(at.descriptor_type)?;
        if at.descriptor_type == descriptor_type::BUFFER_DEVICE_ADDRESS {
            return Err(BindingError::model("a heap as a root descriptor"));
        }
        let kind = match self.class {
            ResourceClass::CBuffer => self.constants_kind(at),
            _ => self.kind(at),
        };
        let mut place = HeapPlace::new(at.set, at.binding);
        place.kind = kind;
        place.offsets = self.offsets(at, offsets)?;
        Ok(place)
    }

    /// Returns the place of the counters of a heap of shader model 6.6.
    pub(super) fn counter_heap(&self, at: VulkanBinding) -> Result<HeapPlace> {
        check_heap(at)?;
        let kind = self.counter_kind(at)?;
        let mut place = HeapPlace::new(at.set, at.binding);
        place.kind = kind;
        Ok(place)
    }

    /// Returns the kind of descriptor of a counter, where it is not the natural one.
    fn counter_kind(&self, at: VulkanBinding) -> Result<Option<DescriptorKind>> {
        match at.descriptor_type {
            descriptor_type::SSBO => Ok(None),
            descriptor_type::TEXEL_BUFFER => Ok(Some(DescriptorKind::StorageTexelBuffer)),
            descriptor_type::IDENTITY => {
                let addresses = self.places.addresses && in_heap(at);
                Ok(Some(if addresses {
                    DescriptorKind::DeviceAddress
                } else {
                    DescriptorKind::StorageTexelBuffer
                }))
            }
            other => Err(BindingError::model(format!(
                "descriptor type {other} of the remapper's answer is not possible for a counter"
            ))),
        }
    }

    /// Returns the buffer of offsets and sizes, where there is one.
    fn offsets(&self, at: VulkanBinding, offsets: VulkanBinding) -> Result<Option<HeapBinding>> {
        if !self.has_offset(at) {
            Ok(None)
        } else if !in_heap(at) {
            Err(BindingError::model(format!(
                "an alignment of {} bytes requires an offset buffer, and so a heap",
                self.places.storage_alignment
            )))
        } else if in_heap(offsets) {
            Err(BindingError::model("an offset buffer in a heap"))
        } else {
            let (set, binding) = (offsets.set, offsets.binding);
            Ok(Some(HeapBinding { set, binding }))
        }
    }

    /// Checks that a kind of descriptor is defined, and possible for the resource.
    fn check_type(&self, ty: DescriptorType) -> Result<()> {
        let Some((name, _)) = descriptor_type::ALL.iter().find(|(_, n)| *n == ty) else {
            return Err(BindingError::model(format!(
                "descriptor type {ty} of the remapper's answer is not defined"
            )));
        };
        let untyped = self.is_untyped_buffer();
        let rtas = self.kind == ResourceKind::RTAccelerationStructure;
        let constants = self.class == ResourceClass::CBuffer;
        let possible = match ty {
            descriptor_type::SSBO => untyped || rtas || constants,
            descriptor_type::BUFFER_DEVICE_ADDRESS => untyped || rtas || constants,
            descriptor_type::UBO => constants,
            descriptor_type::INPUT_ATTACHMENT => return Err(missing("an input attachment")),
            // The reference accepts every kind for resources that have only one kind of descriptor.
            _ => true,
        };
        // The reference ignores the kind where there is only one.
        let ignored = !untyped && !rtas && ty != descriptor_type::BUFFER_DEVICE_ADDRESS;
        if possible || ignored {
            Ok(())
        } else {
            Err(BindingError::model(format!(
                "descriptor type {name} of the remapper's answer is not possible for it"
            )))
        }
    }
}
