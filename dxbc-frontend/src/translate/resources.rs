//! Declarations of resources, handles, and constant buffers.
//!
//! A declaration becomes a range of registers, numbered within its class. Before shader model 5.1
//! it is one register of space 0. `createHandle` takes the register, not its place in the range.

use rustc_hash::FxHashMap;
use trellis_dxil_frontend::container::{ResourceBinding, ResourceDefinitions};
use trellis_dxil_frontend::dxop::Op as Dx;
use trellis_dxil_frontend::shader::{
    ComponentType, Resource, ResourceClass, ResourceKind, SamplerKind, UNBOUNDED,
};

use super::Translator;
use super::buffers::Atomic;
use super::shared::Shared;
use crate::build::{Overload, Value};
use crate::error::{Error, ProgramErrorKind};
use crate::tokens::{
    Binding, Declaration, Instruction, Op, Operand, RegisterFile, ResourceDimension, ReturnType,
    SamplerMode, UavFlags,
};

/// Rows of a constant buffer whose size is unknown: the most that there can be.
const MAX_ROWS: u32 = 4096;

/// The resources that were declared, and groupshared memory.
#[derive(Default)]
pub(super) struct Resources {
    list: Vec<Resource>,
    /// The number of the next resource of each class.
    next: [u32; 4],
    /// Indices in `list` by class and the number that operands have.
    by_id: FxHashMap<(ResourceClass, u32), usize>,
    /// Groupshared memory by its number.
    pub(super) shared: FxHashMap<u32, Shared>,
}

impl Resources {
    /// Declares a resource; `false` if the declaration is of something else.
    ///
    /// # Errors
    /// The number is already declared, or a field has a value that it cannot have.
    pub(super) fn declare(&mut self, declaration: &Declaration) -> Result<bool, ProgramErrorKind> {
        use ResourceClass as C;
        use ResourceKind as K;
        match *declaration {
            Declaration::ConstantBuffer { binding, size, .. } => {
                let resource = self.add(C::CBuffer, K::CBuffer, &binding)?;
                let rows = if size == 0 { MAX_ROWS } else { size };
                resource.cbuffer_size = rows.min(MAX_ROWS) * 16;
            }
            Declaration::Sampler { binding, mode } => {
                let resource = self.add(C::Sampler, K::Sampler, &binding)?;
                resource.sampler_kind = match mode {
                    SamplerMode::Default => SamplerKind::Default,
                    SamplerMode::Comparison => SamplerKind::Comparison,
                    SamplerMode::Mono => SamplerKind::Mono,
                };
            }
            Declaration::Resource {
                binding,
                dimension,
                sample_count,
                return_type,
            } => {
                let resource = self.add(C::Srv, kind(dimension)?, &binding)?;
                resource.component = Some(component(return_type));
                resource.sample_count = sample_count;
            }
            Declaration::RawResource { binding } => {
                self.add(C::Srv, K::RawBuffer, &binding)?;
            }
            Declaration::StructuredResource { binding, stride } => {
                self.add(C::Srv, K::StructuredBuffer, &binding)?.stride = Some(stride);
            }
            Declaration::TypedUav {
                binding,
                flags,
                dimension,
                return_type,
            } => {
                let resource = self.add_uav(kind(dimension)?, &binding, flags)?;
                resource.component = Some(component(return_type));
            }
            Declaration::RawUav { binding, flags } => {
                self.add_uav(K::RawBuffer, &binding, flags)?;
            }
            Declaration::StructuredUav {
                binding,
                flags,
                stride,
            } => {
                let resource = self.add_uav(K::StructuredBuffer, &binding, flags)?;
                resource.stride = Some(stride);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn add(
        &mut self,
        class: ResourceClass,
        kind: ResourceKind,
        binding: &Binding,
    ) -> Result<&mut Resource, ProgramErrorKind> {
        let at = self.list.len();
        if self.by_id.insert((class, binding.id), at).is_some() {
            return Err(ProgramErrorKind::Invalid {
                what: "the resource is declared twice",
            });
        }
        let next = &mut self.next[class as usize];
        let number = *next;
        *next += 1;
        self.list
            .push(Resource::new(class, kind, number, binding.lower));
        let resource = &mut self.list[at];
        resource.space = binding.space;
        resource.range_size = match binding.upper {
            u32::MAX => UNBOUNDED,
            upper => upper.saturating_sub(binding.lower) + 1,
        };
        Ok(resource)
    }

    fn add_uav(
        &mut self,
        kind: ResourceKind,
        binding: &Binding,
        flags: UavFlags,
    ) -> Result<&mut Resource, ProgramErrorKind> {
        let resource = self.add(ResourceClass::Uav, kind, binding)?;
        resource.globally_coherent = flags.globally_coherent;
        resource.rasterizer_ordered = flags.rasterizer_ordered;
        resource.has_counter = flags.has_counter;
        Ok(resource)
    }

    /// Notes that the counter of a UAV, by the number that operands have, is used.
    pub(super) fn note_counter(&mut self, id: u32) {
        if let Some(&at) = self.by_id.get(&(ResourceClass::Uav, id)) {
            self.list[at].has_counter = true;
        }
    }

    /// Notes that the status of a load from the buffer that an operand names is used.
    pub(super) fn note_status(&mut self, memory: &Operand) {
        let class = match memory.file {
            RegisterFile::UnorderedAccessView => ResourceClass::Uav,
            _ => ResourceClass::Srv,
        };
        let at = memory
            .register()
            .and_then(|id| self.by_id.get(&(class, id)));
        if let Some(&at) = at {
            self.list[at].has_status = true;
        }
    }

    /// Returns the resources as [`Shader::resources`] has them: sorted by class and number, with
    /// the names that `RDEF` has.
    ///
    /// [`Shader::resources`]: trellis_dxil_frontend::shader::Shader::resources
    pub(super) fn finish(self, definitions: Option<&ResourceDefinitions<'_>>) -> Vec<Resource> {
        let mut list = self.list;
        list.sort_by_key(|r| (r.class, r.id));
        let bindings = definitions.map_or(&[][..], |d| &d.bindings);
        let key = |b: &ResourceBinding<'_>| (class(b.kind), b.space, b.register);
        let mut bindings: Vec<_> = bindings.iter().collect();
        bindings.sort_by_key(|b| key(b));
        for r in &mut list {
            let at = (Some(r.class), r.space, r.lower_bound);
            let end = bindings.partition_point(|b| key(b) <= at);
            // Before model 5.1 each register of an array that is used has a declaration.
            if let Some(b) = bindings[..end].last()
                && (class(b.kind), b.space) == (at.0, at.1)
                && (b.count == 0 || r.lower_bound - b.register < b.count)
            {
                r.name = b.name.into();
            }
        }
        list
    }
}

/// Returns the class of a resource's kind in `RDEF`.
fn class(kind: u32) -> Option<ResourceClass> {
    Some(match kind {
        0 => ResourceClass::CBuffer,
        1 | 2 | 5 | 7 => ResourceClass::Srv,
        3 => ResourceClass::Sampler,
        4 | 6 | 8..=11 => ResourceClass::Uav,
        _ => return None,
    })
}

fn kind(dimension: ResourceDimension) -> Result<ResourceKind, ProgramErrorKind> {
    use ResourceDimension as D;
    use ResourceKind as K;
    Ok(match dimension {
        D::Buffer => K::TypedBuffer,
        D::Texture1D => K::Texture1D,
        D::Texture2D => K::Texture2D,
        D::Texture2DMS => K::Texture2DMS,
        D::Texture3D => K::Texture3D,
        D::TextureCube => K::TextureCube,
        D::Texture1DArray => K::Texture1DArray,
        D::Texture2DArray => K::Texture2DArray,
        D::Texture2DMSArray => K::Texture2DMSArray,
        D::TextureCubeArray => K::TextureCubeArray,
        D::Unknown | D::RawBuffer | D::StructuredBuffer => {
            return Err(ProgramErrorKind::Field {
                field: "dimension",
                found: dimension as u64,
                expected: "1 to 10, a typed buffer or a texture",
            });
        }
    })
}

/// Returns the type of a texel's components. A resource of several types, such as a `tbuffer`, is
/// read as integers, which keep all bits; so are doubles.
fn component(types: [ReturnType; 4]) -> ComponentType {
    match types[0] {
        ReturnType::Unorm => ComponentType::UNormF32,
        ReturnType::Snorm => ComponentType::SNormF32,
        ReturnType::Float => ComponentType::F32,
        ReturnType::Sint => ComponentType::I32,
        ReturnType::Uint
        | ReturnType::Mixed
        | ReturnType::Double
        | ReturnType::Continued
        | ReturnType::Unused => ComponentType::U32,
    }
}

/// A resource that an instruction accesses.
#[derive(Clone, Copy)]
pub(super) struct Access {
    /// The handle.
    pub(super) handle: Value,
    /// Shape.
    pub(super) kind: ResourceKind,
    /// Whether it is a UAV.
    pub(super) is_uav: bool,
    /// Type of a component of a texel, or of the words of a buffer.
    pub(super) overload: Overload,
}

impl Translator<'_> {
    /// Creates the handle of the resource that an operand names.
    ///
    /// # Errors
    /// The operand is not a resource, or one that is not declared.
    pub(super) fn resource(&mut self, operand: &Operand) -> Result<Access, Error> {
        let class = match operand.file {
            RegisterFile::Resource => ResourceClass::Srv,
            RegisterFile::UnorderedAccessView => ResourceClass::Uav,
            RegisterFile::ConstantBuffer => ResourceClass::CBuffer,
            RegisterFile::Sampler => ResourceClass::Sampler,
            _ => return Err(self.invalid("the operand is not a resource")),
        };
        let Some(id) = operand.register() else {
            // Only interfaces, whose methods are copied per class, have these.
            return Err(self.unsupported("a resource whose declaration is selected at run time"));
        };
        let Some(&at) = self.resources.by_id.get(&(class, id)) else {
            return Err(self.invalid("the resource is not declared"));
        };
        let place = usize::from(self.program.has_ranges());
        let index = operand.indices().get(place).copied();
        let index = self.index(index.unwrap_or_default())?;
        let resource = &self.resources.list[at];
        let (kind, number) = (resource.kind, resource.id);
        let overload = match resource.component {
            Some(ComponentType::F32 | ComponentType::UNormF32 | ComponentType::SNormF32) => {
                Overload::F32
            }
            _ => Overload::I32,
        };
        let (class_code, number) = (self.b.i8(class as u8), self.b.i32(number));
        let nonuniform = self.b.bool(operand.nonuniform);
        let args = [class_code, number, index, nonuniform];
        Ok(Access {
            handle: self.b.op_once(Dx::CreateHandle, Overload::None, &args),
            kind,
            is_uav: class == ResourceClass::Uav,
            overload,
        })
    }

    /// Translates an instruction that accesses resources or groupshared memory; `false` if it is
    /// another.
    pub(super) fn access(&mut self, op: Op, inst: &Instruction) -> Result<bool, Error> {
        match op {
            Op::Sample | Op::SampleClS => self.sample(op, Dx::Sample, inst)?,
            Op::SampleB | Op::SampleBClS => self.sample(op, Dx::SampleBias, inst)?,
            Op::SampleL | Op::SampleLS => self.sample(op, Dx::SampleLevel, inst)?,
            Op::SampleD | Op::SampleDClS => self.sample(op, Dx::SampleGrad, inst)?,
            Op::SampleC | Op::SampleCClS => self.sample(op, Dx::SampleCmp, inst)?,
            Op::SampleCLz | Op::SampleCLzS => self.sample(op, Dx::SampleCmpLevelZero, inst)?,
            Op::Gather4
            | Op::Gather4S
            | Op::Gather4C
            | Op::Gather4CS
            | Op::Gather4Po
            | Op::Gather4PoS
            | Op::Gather4PoC
            | Op::Gather4PoCS => self.gather(op, inst)?,
            Op::Lod => self.level_of_detail(op, inst)?,
            Op::Ld | Op::LdS | Op::Ldms | Op::LdmsS | Op::LdUavTyped | Op::LdUavTypedS => {
                self.load_texel(op, inst)?;
            }
            Op::StoreUavTyped => self.store_texel(inst)?,
            Op::Resinfo => self.resinfo(op, inst)?,
            Op::Bufinfo => self.bufinfo(op, inst)?,
            Op::Sampleinfo => self.sampleinfo(op, inst)?,
            Op::Samplepos => self.samplepos(op, inst)?,
            Op::CheckAccessFullyMapped => self.check_access(op, inst)?,
            Op::LdRaw | Op::LdRawS | Op::LdStructured | Op::LdStructuredS => {
                self.load_words(op, inst)?;
            }
            Op::StoreRaw | Op::StoreStructured => self.store_words(inst)?,
            Op::ImmAtomicAlloc | Op::ImmAtomicConsume => self.update_counter(op, inst)?,
            Op::Sync => self.sync(inst),
            _ => match Atomic::of(op) {
                Some(atomic) => self.atomic(op, atomic, inst)?,
                None => return Ok(false),
            },
        }
        Ok(true)
    }

    /// Loads the row of a constant buffer that an operand names: a structure of four numbers.
    pub(super) fn constant_row(
        &mut self,
        operand: &Operand,
        overload: Overload,
    ) -> Result<Value, Error> {
        let buffer = self.resource(operand)?;
        let row = operand.indices().last().copied();
        let row = self.index(row.unwrap_or_default())?;
        let args = [buffer.handle, row];
        Ok(self.b.op_once(Dx::CBufferLoadLegacy, overload, &args))
    }
}
