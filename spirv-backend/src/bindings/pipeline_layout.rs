//! The Vulkan pipeline layout of a root signature.
//!
//! A root signature has registers, a Vulkan descriptor set layout has kinds of descriptors too: an SRV
//! may be a sampled image, a storage buffer or an acceleration structure. These are known from the
//! shaders, so that a layout is made of a root signature and the shaders of a pipeline.

use trellis_dxil_frontend::container::StaticSampler;
use trellis_dxil_frontend::shader::{Resource, ResourceClass, ResourceKind, Shader, UNBOUNDED};

use super::{BindingModel, DescriptorKind, Place, ResourceQuery, RootSignatureBindings, RootSlot};

/// Description from which an engine creates its `VkPipelineLayout`:
/// [`RootSignatureBindings::pipeline_layout`].
///
/// ```
/// use trellis_dxil_frontend::read;
/// use trellis_spirv_backend::bindings::{DescriptorKind, RootParameterPlace, RootSignatureBindings};
///
/// let dxil = include_bytes!("../../../corpus/shaders/root_signature/version_1_1.dxil");
/// let model = RootSignatureBindings::read(dxil)?.with_addresses();
/// let layout = model.pipeline_layout([&read(dxil)?.shader]);
/// // Two addresses, and four constants after them.
/// assert_eq!(layout.push_constant_size, 32);
/// assert_eq!(layout.parameters[0], RootParameterPlace::Constants { offset: 16, count: 4 });
/// assert_eq!(layout.parameters[3], RootParameterPlace::Table { set: 1 });
/// assert_eq!(layout.sets[1].bindings[0].kinds, [DescriptorKind::SampledImage]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PipelineLayout {
    /// Size of the push constants in bytes: the addresses of root descriptors, then root constants. 0
    /// if there are none.
    pub push_constant_size: u32,
    /// Where each root parameter is.
    pub parameters: Vec<RootParameterPlace>,
    /// Descriptor sets, by their number: set 0 has the root descriptors, unless they are addresses,
    /// and the static samplers; each table has a separate set.
    pub sets: Vec<SetLayout>,
    /// Set of the descriptor heaps, if the root signature lets shaders index them. The bindings are
    /// as in [`DefaultBindings`](super::DefaultBindings).
    pub heap_set: Option<u32>,
}

/// Location of a root parameter, which an engine writes when a program sets it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RootParameterPlace {
    /// 32-bit constants.
    Constants {
        /// Offset in the push constants in bytes.
        offset: u32,
        /// Number of constants.
        count: u32,
    },
    /// Root descriptor as a 64-bit device address.
    Address {
        /// Offset in the push constants in bytes.
        offset: u32,
    },
    /// Root descriptor as a descriptor in set 0.
    Descriptor {
        /// Binding.
        binding: u32,
    },
    /// Descriptor table: a separate set.
    Table {
        /// Descriptor set.
        set: u32,
    },
}

/// A descriptor set.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct SetLayout {
    /// Bindings, in the order of their numbers, which have no gaps.
    pub bindings: Vec<SetBinding>,
}

/// A binding of a descriptor set.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SetBinding {
    /// Number.
    pub binding: u32,
    /// Kinds of descriptors that the shaders have there. Without any, no shader uses the binding, and a
    /// layout may omit it. With several, the descriptors must be mutable (`VK_EXT_mutable_descriptor_type`).
    pub kinds: Vec<DescriptorKind>,
    /// Number of descriptors; `u32::MAX` for an array without end. If it is not 1, shaders declare an
    /// array without a length, for which the device must have `runtimeDescriptorArray`.
    pub count: u32,
    /// Stages that see it: see [`RootSlot::visibility`].
    pub visibility: u32,
    /// Range of the descriptor table that it holds; `None` in set 0.
    pub range: Option<TableRange>,
    /// Static sampler, for an immutable sampler of the set's layout.
    pub static_sampler: Option<StaticSampler>,
}

/// Part of a descriptor table that a binding holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TableRange {
    /// Number of the range in the table.
    pub number: u32,
    /// True if the binding holds the counters of the range's UAVs.
    pub counters: bool,
}

impl RootSignatureBindings {
    /// Returns the layout of a pipeline whose shaders are converted with this model and with the
    /// default of each option about root constants and root descriptors.
    ///
    /// The order of the shaders affects only the order of [`SetBinding::kinds`]. Without any shader
    /// the layout has no kinds.
    pub fn pipeline_layout<'a>(
        &self,
        shaders: impl IntoIterator<Item = &'a Shader>,
    ) -> PipelineLayout {
        let mut layout = self.without_kinds();
        for shader in shaders {
            for resource in &shader.resources {
                self.add_kinds(&mut layout, shader, resource);
            }
        }
        layout
    }

    fn without_kinds(&self) -> PipelineLayout {
        let addresses = |slot: &RootSlot| match slot.place {
            Place::DeviceAddress { root_descriptor } => root_descriptor + 1,
            _ => 0,
        };
        let before = 8 * self.slots().iter().map(addresses).max().unwrap_or(0);
        let mut layout = PipelineLayout {
            push_constant_size: before,
            parameters: Vec::new(),
            sets: vec![SetLayout::default()],
            heap_set: self.indexes_heaps.then_some(self.heap_set),
        };
        let mut samplers = self.static_samplers.iter();
        let mut tables = 0;
        // The slots are in the order of their parameters; a table has one for each range.
        let mut slots = self.slots().iter().peekable();
        for number in 0..self.parameters {
            let mut place = None;
            while let Some(slot) = slots.next_if(|slot| slot.parameter == Some(number)) {
                place = parameter(slot, before);
            }
            layout.parameters.push(place.unwrap_or_else(|| {
                tables += 1;
                RootParameterPlace::Table { set: tables }
            }));
        }
        let empty = SetLayout::default();
        layout.sets.resize(1 + tables as usize, empty);
        let mut last = None;
        let mut range = 0;
        for slot in self.slots() {
            if let Place::RootConstants { offset } = slot.place {
                let end = before + 4 * (offset + slot.constants);
                layout.push_constant_size = layout.push_constant_size.max(end);
            }
            range = if last == slot.parameter { range + 1 } else { 0 };
            last = slot.parameter;
            let sampler = match slot.parameter {
                None => samplers.next().copied(),
                Some(_) => None,
            };
            layout.add(slot, slot.place, (range, false), sampler);
            if let Some(counter) = slot.counter {
                layout.add(slot, counter, (range, true), None);
            }
        }
        layout
    }

    /// Adds the kinds of descriptors that a shader's resource is at.
    fn add_kinds(&self, layout: &mut PipelineLayout, shader: &Shader, resource: &Resource) {
        let query = ResourceQuery::new(shader.kind, resource);
        let again = ResourceQuery {
            range_size: 1,
            ..query
        };
        let answer = match self.bind(&query) {
            Err(_) if query.range_size == UNBOUNDED => self.bind(&again),
            answer => answer,
        };
        // A resource without a place is an error of the conversion, if the shader uses it.
        let Ok(binding) = answer else {
            return;
        };
        layout.add_kind(binding.place, DescriptorKind::natural(resource));
        if let Some(counter) = binding.counter.filter(|_| resource.has_counter) {
            layout.add_kind(counter, DescriptorKind::StorageBuffer);
        }
    }
}

/// Returns where a root parameter is, given its first slot; `None` for a table.
fn parameter(slot: &RootSlot, before: u32) -> Option<RootParameterPlace> {
    Some(match slot.place {
        Place::RootConstants { offset } => RootParameterPlace::Constants {
            offset: before + 4 * offset,
            count: slot.constants,
        },
        Place::DeviceAddress { root_descriptor } => RootParameterPlace::Address {
            offset: 8 * root_descriptor,
        },
        Place::Descriptor {
            set: 0, binding, ..
        } => RootParameterPlace::Descriptor { binding },
        _ => return None,
    })
}

/// Returns set and binding of a place, if it has them.
fn set_and_binding(place: Place) -> Option<(usize, u32)> {
    match place {
        Place::Descriptor { set, binding, .. } | Place::Heap { set, binding, .. } => {
            Some((set as usize, binding))
        }
        _ => None,
    }
}

impl PipelineLayout {
    fn add(
        &mut self,
        slot: &RootSlot,
        place: Place,
        (number, counters): (u32, bool),
        static_sampler: Option<StaticSampler>,
    ) {
        let Some((set, binding)) = set_and_binding(place) else {
            return;
        };
        self.sets[set].bindings.push(SetBinding {
            binding,
            kinds: static_sampler
                .map(|_| DescriptorKind::Sampler)
                .into_iter()
                .collect(),
            count: slot.count,
            visibility: slot.visibility,
            range: (set > 0).then_some(TableRange { number, counters }),
            static_sampler,
        });
    }

    fn add_kind(&mut self, place: Place, kind: DescriptorKind) {
        let Some((set, binding)) = set_and_binding(place) else {
            return;
        };
        let kinds = &mut self.sets[set].bindings[binding as usize].kinds;
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
}

impl DescriptorKind {
    /// Returns the kind that a resource has where a binding model does not name another one.
    pub(crate) fn natural(resource: &Resource) -> Self {
        use {ResourceClass as C, ResourceKind as K};
        match (resource.class, resource.kind) {
            (C::Sampler, _) => Self::Sampler,
            (C::CBuffer, _) => Self::UniformBuffer,
            (_, K::RawBuffer | K::StructuredBuffer) => Self::StorageBuffer,
            (_, K::RTAccelerationStructure) => Self::AccelerationStructure,
            (C::Uav, K::TypedBuffer) => Self::StorageTexelBuffer,
            (_, K::TypedBuffer | K::TBuffer) => Self::UniformTexelBuffer,
            (C::Uav, _) => Self::StorageImage,
            _ => Self::SampledImage,
        }
    }
}
