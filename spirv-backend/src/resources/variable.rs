//! The variable of a resource: declared at its first use.

use rspirv::spirv::{Capability, Decoration, ImageFormat, StorageClass, Word};
use rustc_hash::FxHashMap;
use trellis_dxil_frontend::shader::{
    ComponentType, ResourceClass, ResourceKind, Shader, ShaderKind, UNBOUNDED,
};
use trellis_entity::entity_impl;

use super::address::block_layout;
use super::binding::binding_slot;
use super::handle::range;
use super::types::{BlockLayout, Qualifiers};
use super::types::{image_type, structure_type};
use super::{Descriptor, Resources};
use crate::bindings::{DescriptorKind, HeapBinding};
use crate::error::{Error, Feature, InvalidKind};
use crate::handles::{Handle, ImageShape, Origin, RangeId, ResourceDesc, Texel};
use crate::values::FunctionBuilder;

/// Access of an operation to a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// Texture or typed buffer.
    Image,
    /// Raw or structured buffer as an array of unsigned integers of 16, 32 or 64 bits.
    Elements(u32),
    /// The same as an array of vectors of unsigned integers: their bits, and how many a vector has.
    Vectors(u32, u32),
    /// Raw or structured buffer as an array of 32-bit floats, for atomic operations on these.
    Floats,
    /// The same as an array of pairs of halves.
    HalfPairs,
    /// Constant buffer as rows of four words.
    Rows,
    /// Sampler.
    Sampler,
    /// Hidden counter of a UAV.
    Counter,
    /// Acceleration structure.
    AccelerationStructure,
    /// Raw or structured buffer, or a counter, as a texel buffer of words.
    Texels {
        /// The counter.
        counter: bool,
    },
    /// The buffer of addresses that the resource's is in, or its counter's.
    Addresses {
        /// Those of counters.
        counter: bool,
    },
}

impl Access {
    /// Returns true if the access is to a counter.
    pub(super) fn is_counter(self) -> bool {
        matches!(
            self,
            Self::Counter | Self::Addresses { counter: true } | Self::Texels { counter: true }
        )
    }
}

/// A variable in [`Resources::variables`](super::Resources).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct VariableId(u32);
entity_impl!(VariableId, "variable");

/// The origin of a variable's descriptors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Home {
    /// A single range.
    Range(RangeId),
    /// A heap that the shader indexes, where the binding model has the views.
    Heap(Origin, HeapBinding),
    /// The pairs of offsets and sizes of a heap's buffers.
    Offsets(HeapBinding),
    /// A heap that the binding model puts ranges into; `format` is the format of images with
    /// operations that need one.
    Table {
        at: HeapBinding,
        format: ImageFormat,
    },
}

impl Resources {
    /// Returns the variables of ranges that have a separate one, by the range's name.
    pub(crate) fn by_name<'s>(&self, shader: &'s Shader) -> FxHashMap<&'s str, Word> {
        let mut names = FxHashMap::default();
        for variable in self.variables.values() {
            if let Home::Range(at) = variable.home {
                let name = range(shader, at).name.as_str();
                names.entry(name).or_insert(variable.id);
            }
        }
        names
    }
}

/// A declared variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    home: Home,
    access: Access,
    desc: ResourceDesc,
    /// Set and binding.
    binding: (u32, u32),
    kind: DescriptorKind,
    aliased: bool,
    /// The shader writes through it.
    written: bool,
    /// Id.
    pub(crate) id: Word,
    /// Type of one descriptor: image, sampler, acceleration structure or block.
    pub(crate) pointee: Word,
    /// Storage class.
    pub(crate) class: StorageClass,
    /// An array of descriptors.
    pub(crate) arrayed: bool,
    /// Format of an image; `Unknown` if it is not a storage image.
    pub(crate) format: ImageFormat,
}

impl Variable {
    /// Returns the capability for an index that is not a constant; acceleration structures need
    /// none.
    pub(super) fn dynamic_indexing(&self) -> Option<Capability> {
        Some(match self.kind {
            // One buffer, which is not an array of descriptors.
            DescriptorKind::AccelerationStructure | DescriptorKind::DeviceAddress => return None,
            DescriptorKind::UniformBuffer => Capability::UniformBufferArrayDynamicIndexing,
            DescriptorKind::StorageBuffer => Capability::StorageBufferArrayDynamicIndexing,
            DescriptorKind::UniformTexelBuffer => {
                Capability::UniformTexelBufferArrayDynamicIndexing
            }
            DescriptorKind::StorageTexelBuffer => {
                Capability::StorageTexelBufferArrayDynamicIndexing
            }
            DescriptorKind::StorageImage => Capability::StorageImageArrayDynamicIndexing,
            DescriptorKind::SampledImage | DescriptorKind::Sampler => {
                Capability::SampledImageArrayDynamicIndexing
            }
        })
    }
    /// Returns the capability for an index that differs between invocations, in addition to
    /// `ShaderNonUniform`.
    pub(super) fn non_uniform_indexing(&self) -> Option<Capability> {
        Some(match self.kind {
            DescriptorKind::AccelerationStructure | DescriptorKind::DeviceAddress => return None,
            DescriptorKind::UniformBuffer => Capability::UniformBufferArrayNonUniformIndexing,
            DescriptorKind::StorageBuffer => Capability::StorageBufferArrayNonUniformIndexing,
            DescriptorKind::UniformTexelBuffer => {
                Capability::UniformTexelBufferArrayNonUniformIndexing
            }
            DescriptorKind::StorageTexelBuffer => {
                Capability::StorageTexelBufferArrayNonUniformIndexing
            }
            DescriptorKind::StorageImage => Capability::StorageImageArrayNonUniformIndexing,
            DescriptorKind::SampledImage | DescriptorKind::Sampler => {
                Capability::SampledImageArrayNonUniformIndexing
            }
        })
    }
    fn matches(&self, home: Home, handle: &Handle, access: Access) -> bool {
        self.access == access
            && self.home == home
            && (matches!(home, Home::Range(_)) || self.desc == shared_desc(&handle.desc, access))
    }
    /// Returns true if accesses through it can alias accesses through another variable at the same
    /// binding.
    fn may_alias(&self) -> bool {
        self.class == StorageClass::StorageBuffer
            || matches!(
                self.kind,
                DescriptorKind::StorageImage | DescriptorKind::StorageTexelBuffer
            )
    }
}

/// Returns `desc` without the properties that do not affect the variable: descriptors of a heap
/// that differ only in these share one.
fn shared_desc(desc: &ResourceDesc, access: Access) -> ResourceDesc {
    let coherent = desc.coherent || desc.rasterizer_ordered;
    let plain = ResourceDesc {
        component: ComponentType::Invalid,
        stride: 0,
        size: 0,
        coherent,
        rasterizer_ordered: false,
        ..*desc
    };
    match access {
        Access::Image => ResourceDesc {
            coherent,
            rasterizer_ordered: false,
            ..*desc
        },
        Access::Elements(_)
        | Access::Vectors(..)
        | Access::Floats
        | Access::HalfPairs
        | Access::Counter
        | Access::Texels { .. } => ResourceDesc {
            kind: ResourceKind::RawBuffer,
            ..plain
        },
        Access::Rows => ResourceDesc {
            size: desc.size.div_ceil(16).max(1),
            ..plain
        },
        Access::Sampler | Access::AccelerationStructure => ResourceDesc {
            coherent: false,
            ..plain
        },
        Access::Addresses { .. } => ResourceDesc {
            class: ResourceClass::Srv,
            kind: ResourceKind::RawBuffer,
            coherent: false,
            atomic64: false,
            words: false,
            ..plain
        },
    }
}

/// The SPIR-V type of a descriptor.
struct Described {
    pointee: Word,
    class: StorageClass,
    format: ImageFormat,
}

impl Resources {
    /// Returns the variable for a handle, declared if this is its first use.
    pub(super) fn resource_variable(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
    ) -> Result<Variable, Error> {
        let home = self.home(e, handle, access)?;
        let list: &[VariableId] = match home {
            Home::Range(at) => &self.by_range[at],
            _ => &self.by_heap,
        };
        let found = list
            .iter()
            .filter_map(|&i| self.variables.get(i))
            .find(|v| v.matches(home, handle, access));
        match found {
            Some(&variable) => Ok(variable),
            None => self.declare_resource(e, home, handle, access),
        }
    }

    /// Returns the origin of the descriptors in a handle's variable.
    fn home(
        &mut self,
        e: &FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
    ) -> Result<Home, Error> {
        let (origin, counter) = (handle.origin, access.is_counter());
        let Origin::Range(range) = origin else {
            let place = self.answers.heap(e, origin, &handle.desc, counter)?;
            return Ok(Home::Heap(origin, place.at));
        };
        Ok(match self.answers.in_heap(range, counter) {
            Some(place) => Home::Table {
                at: place.binding,
                format: match access {
                    Access::Image => self.format(e, handle),
                    _ => ImageFormat::Unknown,
                },
            },
            None => Home::Range(range),
        })
    }

    fn declare_resource(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        home: Home,
        handle: &Handle,
        access: Access,
    ) -> Result<Variable, Error> {
        let (origin, desc) = (handle.origin, handle.desc);
        let slot = binding_slot(e, &mut self.answers, origin, &desc, access)?;
        let Described {
            pointee,
            class,
            format,
        } = self.describe(e, handle, access, slot.kind)?;
        let registers = match home {
            _ if slot.kind == DescriptorKind::DeviceAddress => 1,
            Home::Range(at) => self.answers.registers(at),
            _ => UNBOUNDED,
        };
        let arrayed = registers != 1;
        let ty = match registers {
            1 => pointee,
            UNBOUNDED => {
                e.b.caps.add(Capability::RuntimeDescriptorArray);
                e.b.ty_runtime_array(pointee)
            }
            0 => {
                return Err(e.invalid(InvalidKind::Resource, "a resource range of no registers"));
            }
            len => e.b.ty_array(pointee, len),
        };
        let id = e.b.bound_variable(class, ty, (slot.set, slot.binding));
        let storage_buffer = class == StorageClass::StorageBuffer;
        let is_address = slot.kind == DescriptorKind::DeviceAddress;
        if storage_buffer && (is_address || desc.class != ResourceClass::Uav) {
            e.b.decorate(id, Decoration::NonWritable, &[]);
        }
        // The writes of a critical section must be visible to the next one.
        let is_coherent = desc.coherent || desc.rasterizer_ordered || self.promotes_barriers;
        let is_coherent = is_coherent && !is_address;
        if is_coherent && desc.class == ResourceClass::Uav {
            e.b.decorate(id, Decoration::Coherent, &[]);
        }
        name_resource(e, id, origin, access);
        let mut variable = Variable {
            home,
            access,
            desc: shared_desc(&desc, access),
            binding: (slot.set, slot.binding),
            kind: slot.kind,
            aliased: false,
            written: false,
            id,
            pointee,
            class,
            arrayed,
            format,
        };
        self.decorate_aliases(e, &mut variable);
        let at = self.variables.push(variable);
        match home {
            Home::Range(r) => self.by_range[r].push(at),
            _ => self.by_heap.push(at),
        }
        Ok(variable)
    }

    /// Returns the buffer with the offsets and sizes of the buffers of a heap, declared if this is its
    /// first use.
    pub(super) fn offsets_variable(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        at: HeapBinding,
    ) -> Word {
        let home = Home::Offsets(at);
        let known = self.by_heap.iter().filter_map(|&i| self.variables.get(i));
        if let Some(variable) = known.into_iter().find(|v| v.home == home) {
            return variable.id;
        }
        let pointee = self.block_type(e, BlockLayout::Pairs, Qualifiers::NONE);
        let class = StorageClass::StorageBuffer;
        let id = e.b.bound_variable(class, pointee, (at.set, at.binding));
        e.b.decorate(id, Decoration::NonWritable, &[]);
        e.b.name(id, "HeapOffsets");
        let mut variable = Variable {
            home,
            access: Access::Addresses { counter: false },
            desc: ResourceDesc::NONE,
            binding: (at.set, at.binding),
            kind: DescriptorKind::StorageBuffer,
            aliased: false,
            written: false,
            id,
            pointee,
            class,
            arrayed: false,
            format: ImageFormat::Unknown,
        };
        self.decorate_aliases(e, &mut variable);
        let at = self.variables.push(variable);
        self.by_heap.push(at);
        id
    }

    /// Decorates variables that may refer to the same memory: otherwise SPIR-V assumes that they do
    /// not overlap.
    fn decorate_aliases(&mut self, e: &mut FunctionBuilder<'_>, new: &mut Variable) {
        if !new.may_alias() {
            return;
        }
        let mut decorate = Vec::new();
        for old in self.variables.values_mut() {
            if old.binding != new.binding || !old.may_alias() {
                continue;
            }
            if !old.aliased {
                old.aliased = true;
                decorate.push(old.id);
            }
            new.aliased = true;
        }
        decorate.extend(new.aliased.then_some(new.id));
        for id in decorate {
            e.b.decorate(id, Decoration::Aliased, &[]);
        }
    }

    /// Records that the shader writes to a block.
    pub(crate) fn note_write(&mut self, block: &Descriptor) {
        let variables = self.variables.values_mut();
        for variable in variables.filter(|variable| variable.id == block.base) {
            variable.written = true;
        }
    }

    /// Decorates the UAV buffers that the shader only reads: then loads can be moved over stores to
    /// others. Not UAVs of a heap, which may alias others, nor UAVs of shaders that call shaders,
    /// which may write.
    pub(crate) fn finish(&self, e: &mut FunctionBuilder<'_>) {
        if crate::stage::is_ray_tracing(e.entry.kind) || e.entry.kind == ShaderKind::Node {
            return;
        }
        let is_buffer = |variable: &Variable| {
            matches!(
                variable.access,
                Access::Elements(_) | Access::Vectors(..) | Access::Floats | Access::HalfPairs
            )
        };
        for variable in self.variables.values().filter(|v| is_buffer(v)) {
            let is_own = matches!(variable.home, Home::Range(_));
            let is_uav = variable.desc.class == ResourceClass::Uav;
            let is_shared = variable.desc.coherent || self.promotes_barriers;
            let same = |other: &Variable| other.binding == variable.binding;
            let is_written = |other: &Variable| same(other) && (other.written || !is_buffer(other));
            if is_own && is_uav && !is_shared && !self.variables.values().any(is_written) {
                e.b.decorate(variable.id, Decoration::NonWritable, &[]);
            }
        }
    }

    fn describe_image(
        &self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
    ) -> Result<Described, Error> {
        let desc = &handle.desc;
        let shape = desc.image().ok_or_else(|| wrong_use(e, desc, "an image"))?;
        let texel = desc
            .texel()
            .ok_or_else(|| e.unsupported(Feature::TexelType(desc.component)))?;
        let storage = desc.class == ResourceClass::Uav;
        let format = self.format(e, handle);
        if matches!(format, ImageFormat::Rg16f | ImageFormat::Rgba16f) {
            e.b.caps.add(Capability::StorageImageExtendedFormats);
        }
        // 16-bit and 32-bit floats have different formats.
        let is_read = format != ImageFormat::Unknown && !self.is_atomic(handle.origin, desc);
        let is_word = matches!(
            desc.component,
            ComponentType::F32 | ComponentType::I32 | ComponentType::U32
        );
        if is_read && !is_word {
            return Err(e.unsupported(Feature::ReadFormat(desc.component)));
        }
        Ok(Described {
            pointee: image_type(e, shape, texel, storage, format),
            class: StorageClass::UniformConstant,
            format,
        })
    }

    /// Returns the type of a descriptor of `kind`, for the given access.
    fn describe(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
        kind: DescriptorKind,
    ) -> Result<Described, Error> {
        let desc = &handle.desc;
        let described = |class, pointee| Described {
            pointee,
            class,
            format: ImageFormat::Unknown,
        };
        if let Some(layout) = block_layout(e, desc, access) {
            let pointee = self.block_type(e, layout, Qualifiers::NONE);
            let class = match access {
                Access::Rows if kind != DescriptorKind::StorageBuffer => StorageClass::Uniform,
                _ => StorageClass::StorageBuffer,
            };
            return Ok(described(class, pointee));
        }
        match access {
            Access::Image => self.describe_image(e, handle),
            Access::Sampler if desc.class == ResourceClass::Sampler => {
                let pointee = e.b.ty_other(spirv::Op::TypeSampler, &[]);
                Ok(described(StorageClass::UniformConstant, pointee))
            }
            Access::AccelerationStructure
                if desc.kind == ResourceKind::RTAccelerationStructure
                    && desc.class == ResourceClass::Srv =>
            {
                let pointee = structure_type(e);
                Ok(described(StorageClass::UniformConstant, pointee))
            }
            Access::Texels { counter } if desc.is_untyped_buffer() => {
                let storage = counter || desc.class == ResourceClass::Uav;
                let format = match storage {
                    true => ImageFormat::R32ui,
                    false => ImageFormat::Unknown,
                };
                Ok(Described {
                    pointee: image_type(e, ImageShape::BUFFER, Texel::UInt(32), storage, format),
                    class: StorageClass::UniformConstant,
                    format,
                })
            }
            Access::Sampler => Err(wrong_use(e, desc, "a sampler")),
            Access::AccelerationStructure => Err(wrong_use(e, desc, "an acceleration structure")),
            Access::Rows => Err(wrong_use(e, desc, "a constant buffer")),
            Access::Elements(_)
            | Access::Vectors(..)
            | Access::Floats
            | Access::HalfPairs
            | Access::Texels { .. } => Err(wrong_use(e, desc, "a raw or structured buffer")),
            Access::Counter | Access::Addresses { .. } => {
                Err(wrong_use(e, desc, "a buffer with a counter"))
            }
        }
    }
}

fn wrong_use(e: &FunctionBuilder<'_>, desc: &ResourceDesc, used_as: &str) -> Error {
    e.invalid(
        InvalidKind::Resource,
        format!("{:?} {:?} used as {used_as}", desc.class, desc.kind),
    )
}

fn name_resource(e: &mut FunctionBuilder<'_>, id: Word, origin: Origin, access: Access) {
    let name: &str = match origin {
        Origin::Range(at) => &range(e.shader, at).name,
        Origin::ResourceHeap => "ResourceDescriptorHeap",
        Origin::SamplerHeap => "SamplerDescriptorHeap",
    };
    let suffix = match access {
        _ if name.is_empty() => "",
        Access::Counter | Access::Texels { counter: true } => ".counter",
        Access::Addresses { counter: true } => ".counter.addresses",
        Access::Addresses { counter: false } => ".addresses",
        _ => "",
    };
    e.b.name_by(id, |text| text.extend([name, suffix]));
}
