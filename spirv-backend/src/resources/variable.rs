//! The variable of a resource: declared at its first use.

use rspirv::dr::Operand;
use rspirv::spirv::{Capability, Decoration, ImageFormat, StorageClass, Word};
use trellis_dxil_frontend::shader::{ComponentType, ResourceClass, ResourceKind, UNBOUNDED};

use super::Resources;
use super::binding::place;
use super::handle::{Handle, Origin};
use super::types::BlockLayout;
use super::types::image_type;
use super::view::View;
use crate::bindings::DescriptorKind;
use crate::error::{Error, Feature, InvalidKind};
use crate::values::FunctionBuilder;

/// How an operation wants to see a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Texture or typed buffer.
    Image,
    /// Raw or structured buffer as an array of unsigned integers of 16, 32 or 64 bits.
    Elements(u32),
    /// Constant buffer as rows of four words.
    Rows,
    /// Sampler.
    Sampler,
    /// Hidden counter of a UAV.
    Counter,
    /// Acceleration structure.
    AccelerationStructure,
}

/// A declared variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    origin: Origin,
    form: Form,
    view: View,
    place: (u32, u32),
    kind: DescriptorKind,
    aliased: bool,
    /// Id.
    pub(crate) id: Word,
    /// Type of one descriptor: image, sampler, acceleration structure or block.
    pub(crate) pointee: Word,
    /// Storage class.
    pub(crate) class: StorageClass,
    /// An array of descriptors.
    pub(crate) arrayed: bool,
    /// Format of an image; `Unknown` for what is no storage image.
    pub(crate) format: ImageFormat,
}

impl Variable {
    /// Capability for an index that is no constant; acceleration structures need none.
    pub(super) fn dynamic_indexing(&self) -> Option<Capability> {
        Some(match self.kind {
            DescriptorKind::AccelerationStructure | DescriptorKind::ShaderRecord => return None,
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
    /// Capability for an index that differs between lanes, beside `ShaderNonUniform`.
    pub(super) fn non_uniform_indexing(&self) -> Option<Capability> {
        Some(match self.kind {
            DescriptorKind::AccelerationStructure | DescriptorKind::ShaderRecord => return None,
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
    fn matches(&self, handle: &Handle, form: Form) -> bool {
        self.form == form
            && self.origin == handle.origin
            && (matches!(self.origin, Origin::Range(_))
                || self.view == shared_view(&handle.view, form))
    }
    /// Whether accesses through it can meet accesses through another variable at the same place.
    fn may_alias(&self) -> bool {
        self.class == StorageClass::StorageBuffer
            || matches!(
                self.kind,
                DescriptorKind::StorageImage | DescriptorKind::StorageTexelBuffer
            )
    }
}

/// A view without what makes no difference to the variable: descriptors of a heap that differ in
/// nothing else share one.
fn shared_view(view: &View, form: Form) -> View {
    let coherent = view.coherent || view.rasterizer_ordered;
    let plain = View {
        component: ComponentType::Invalid,
        stride: 0,
        size: 0,
        coherent,
        rasterizer_ordered: false,
        ..*view
    };
    match form {
        Form::Image => View {
            coherent,
            rasterizer_ordered: false,
            ..*view
        },
        Form::Elements(_) | Form::Counter => View {
            kind: ResourceKind::RawBuffer,
            ..plain
        },
        Form::Rows => View {
            size: view.size.div_ceil(16).max(1),
            ..plain
        },
        Form::Sampler | Form::AccelerationStructure => View {
            coherent: false,
            ..plain
        },
    }
}

/// What the type of a descriptor is.
struct Described {
    pointee: Word,
    class: StorageClass,
    format: ImageFormat,
}

impl Resources {
    /// The variable for a handle, declared if this is its first use.
    pub(super) fn resource_variable(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        form: Form,
    ) -> Result<Variable, Error> {
        let list: &[u32] = match handle.origin {
            Origin::Range(at) => &self.by_range[at as usize],
            Origin::ResourceHeap | Origin::SamplerHeap => &self.by_heap,
        };
        let found = list
            .iter()
            .map(|&i| &self.variables[i as usize])
            .find(|v| v.matches(handle, form));
        match found {
            Some(&variable) => Ok(variable),
            None => self.declare_resource(e, handle, form),
        }
    }

    fn declare_resource(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        form: Form,
    ) -> Result<Variable, Error> {
        let (origin, view) = (handle.origin, handle.view);
        let place = place(e, origin, &view, form)?;
        let Described {
            pointee,
            class,
            format,
        } = self.describe(e, handle, form, place.kind)?;
        let range = match origin {
            Origin::Range(at) => e.shader.resources[at as usize].range_size,
            Origin::ResourceHeap | Origin::SamplerHeap => UNBOUNDED,
        };
        let arrayed = range != 1;
        let ty = match range {
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
        let ptr = e.b.ty_ptr(class, ty);
        let id = e.b.variable(ptr, class, None);
        e.b.decorate(
            id,
            Decoration::DescriptorSet,
            &[Operand::LiteralBit32(place.set)],
        );
        e.b.decorate(
            id,
            Decoration::Binding,
            &[Operand::LiteralBit32(place.binding)],
        );
        let storage_buffer = class == StorageClass::StorageBuffer;
        if storage_buffer && view.class != ResourceClass::Uav {
            e.b.decorate(id, Decoration::NonWritable, &[]);
        }
        // What a critical section writes, the next one must see.
        if (view.coherent || view.rasterizer_ordered) && view.class == ResourceClass::Uav {
            e.b.decorate(id, Decoration::Coherent, &[]);
        }
        name_resource(e, id, origin, form);
        let place_of = (place.set, place.binding);
        let shared = shared_view(&view, form);
        let mut variable = Variable {
            origin,
            form,
            view: shared,
            place: place_of,
            kind: place.kind,
            aliased: false,
            id,
            pointee,
            class,
            arrayed,
            format,
        };
        self.decorate_aliases(e, &mut variable);
        let at = self.variables.len() as u32;
        self.variables.push(variable);
        match origin {
            Origin::Range(r) => self.by_range[r as usize].push(at),
            Origin::ResourceHeap | Origin::SamplerHeap => self.by_heap.push(at),
        }
        Ok(variable)
    }

    /// Memory that can be reached through two variables must be declared so: SPIR-V else assumes
    /// that they are apart.
    fn decorate_aliases(&mut self, e: &mut FunctionBuilder<'_>, new: &mut Variable) {
        if !new.may_alias() {
            return;
        }
        let mut decorate = Vec::new();
        for old in &mut self.variables {
            if old.place != new.place || !old.may_alias() {
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

    fn describe(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        form: Form,
        kind: DescriptorKind,
    ) -> Result<Described, Error> {
        let view = &handle.view;
        let block = |pointee| Described {
            pointee,
            class: StorageClass::StorageBuffer,
            format: ImageFormat::Unknown,
        };
        let wrong = |what: &str| {
            Err(e.invalid(
                InvalidKind::Resource,
                format!("{:?} {:?} used as {what}", view.class, view.kind),
            ))
        };
        match form {
            Form::Image => {
                if matches!(
                    view.kind,
                    ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray
                ) {
                    return Err(e.unsupported(Feature::Resource(view.kind)));
                }
                let Some(shape) = view.image() else {
                    return wrong("an image");
                };
                let Some(texel) = view.texel() else {
                    return Err(e.unsupported(Feature::TexelType(view.component)));
                };
                let storage = view.class == ResourceClass::Uav;
                let atomic = storage && (self.atomics.has(handle.origin, view));
                let format = if atomic {
                    texel.atomic_format()
                } else {
                    ImageFormat::Unknown
                };
                let pointee = image_type(e, shape, texel, storage, format);
                Ok(Described {
                    pointee,
                    class: StorageClass::UniformConstant,
                    format,
                })
            }
            Form::Sampler if view.class == ResourceClass::Sampler => {
                let pointee = e.b.ty_other(spirv::Op::TypeSampler, &[]);
                Ok(Described {
                    pointee,
                    class: StorageClass::UniformConstant,
                    format: ImageFormat::Unknown,
                })
            }
            Form::AccelerationStructure
                if view.kind == ResourceKind::RTAccelerationStructure
                    && view.class == ResourceClass::Srv =>
            {
                let pipeline = crate::stage::is_ray_tracing(e.entry.kind);
                e.b.caps.add(if pipeline {
                    Capability::RayTracingKHR
                } else {
                    Capability::RayQueryKHR
                });
                let pointee = e.b.ty_other(spirv::Op::TypeAccelerationStructureKHR, &[]);
                Ok(Described {
                    pointee,
                    class: StorageClass::UniformConstant,
                    format: ImageFormat::Unknown,
                })
            }
            Form::Rows if view.class == ResourceClass::CBuffer => {
                let rows = view.size.div_ceil(16).max(1);
                let pointee = self.block_type(e, BlockLayout::Rows(rows));
                let class = if kind == DescriptorKind::StorageBuffer {
                    StorageClass::StorageBuffer
                } else {
                    StorageClass::Uniform
                };
                Ok(Described {
                    pointee,
                    class,
                    format: ImageFormat::Unknown,
                })
            }
            Form::Elements(width)
                if matches!(
                    view.kind,
                    ResourceKind::RawBuffer | ResourceKind::StructuredBuffer
                ) =>
            {
                if width == 16 {
                    e.b.caps.add(Capability::StorageBuffer16BitAccess);
                }
                Ok(block(self.block_type(e, BlockLayout::Elements(width))))
            }
            Form::Counter if view.class == ResourceClass::Uav => {
                Ok(block(self.block_type(e, BlockLayout::Counter)))
            }
            Form::Sampler => wrong("a sampler"),
            Form::AccelerationStructure => wrong("an acceleration structure"),
            Form::Rows => wrong("a constant buffer"),
            Form::Elements(_) => wrong("a raw or structured buffer"),
            Form::Counter => wrong("a buffer with a counter"),
        }
    }
}

fn name_resource(e: &mut FunctionBuilder<'_>, id: Word, origin: Origin, form: Form) {
    if !e.options.debug.names {
        return;
    }
    let name: &str = match origin {
        Origin::Range(at) => &e.shader.resources[at as usize].name,
        Origin::ResourceHeap => "ResourceDescriptorHeap",
        Origin::SamplerHeap => "SamplerDescriptorHeap",
    };
    if form == Form::Counter && !name.is_empty() {
        let name = format!("{name}.counter");
        e.b.name(id, &name);
    } else {
        e.b.name(id, name);
    }
}
