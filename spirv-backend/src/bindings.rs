//! The binding model: assigns each D3D resource a descriptor set and binding.

mod error;
mod file;

use serde::{Deserialize, Serialize};
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

pub use error::{BindingError, BoundResource, ModelError};
pub use file::{BindingFile, BindingFileError};

/// Input of a binding model: one declared resource range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResourceQuery<'a> {
    /// Class: SRV, UAV, constant buffer, sampler.
    pub class: ResourceClass,
    /// Shape.
    pub kind: ResourceKind,
    /// Register space.
    pub space: u32,
    /// First register.
    pub register: u32,
    /// Number of registers; `u32::MAX` for a range without end.
    pub range_size: u32,
    /// Name, if known.
    pub name: &'a str,
    /// True if the query is for the hidden counter of the UAV rather than the UAV itself.
    pub counter: bool,
}

/// Kind of descriptor that holds a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DescriptorKind {
    /// Uniform buffer.
    UniformBuffer,
    /// Storage buffer (raw and structured buffers, counters).
    StorageBuffer,
    /// Uniform texel buffer (typed SRV buffers).
    UniformTexelBuffer,
    /// Storage texel buffer (typed UAV buffers).
    StorageTexelBuffer,
    /// Sampled image.
    SampledImage,
    /// Storage image.
    StorageImage,
    /// Sampler.
    Sampler,
    /// Acceleration structure.
    AccelerationStructure,
    /// No descriptor: the constants after a shader's identifier in the shader table, where D3D's
    /// local root signatures put 32-bit constants. For constant buffers of ray tracing shaders;
    /// [`Binding::binding`] is the offset in bytes after the identifier, and [`Binding::set`] means
    /// nothing.
    ShaderRecord,
}

impl DescriptorKind {
    /// Returns its name in binding files.
    pub fn name(self) -> &'static str {
        match self {
            Self::UniformBuffer => "uniform_buffer",
            Self::StorageBuffer => "storage_buffer",
            Self::UniformTexelBuffer => "uniform_texel_buffer",
            Self::StorageTexelBuffer => "storage_texel_buffer",
            Self::SampledImage => "sampled_image",
            Self::StorageImage => "storage_image",
            Self::Sampler => "sampler",
            Self::AccelerationStructure => "acceleration_structure",
            Self::ShaderRecord => "shader_record",
        }
    }
}

impl std::fmt::Display for DescriptorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Set, binding and descriptor kind of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Binding {
    /// Descriptor set.
    pub set: u32,
    /// Binding number of the first register.
    pub binding: u32,
    /// Descriptor kind; `None`: the natural one of the resource.
    pub kind: Option<DescriptorKind>,
}

/// Descriptor set and bindings of the descriptor heaps (`ResourceDescriptorHeap`,
/// `SamplerDescriptorHeap`, SM 6.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeapBinding {
    /// Descriptor set.
    pub set: u32,
    /// Binding; all views of a heap alias it (mutable descriptors) as runtime arrays.
    pub binding: u32,
}

/// Maps resources to descriptors. A translation layer implements it; it must be a pure function of
/// the query.
pub trait BindingModel: Send + Sync {
    /// Returns set, binding and descriptor kind of a resource.
    ///
    /// # Errors
    /// The resource has no binding; [`BindingError::model`] makes an error of the model's own.
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError>;
    /// Returns set and binding of the resource heap (`sampler == false`) or of the sampler heap.
    ///
    /// # Errors
    /// The heap has no binding.
    fn heap(&self, sampler: bool) -> Result<HeapBinding, BindingError>;
    /// Returns set and binding of the counters of the UAVs in the resource heap: a runtime array of
    /// storage buffers, indexed like the heap.
    ///
    /// # Errors
    /// The counters have no binding; without an implementation they have none.
    fn counter_heap(&self) -> Result<HeapBinding, BindingError> {
        Err(BindingError::NoEntry)
    }
    /// Returns the model as a binding file, which is how options are serialized; `None` for a model
    /// that a file cannot describe.
    fn to_file(&self) -> Option<BindingFile> {
        None
    }
}

/// The default model: set = register space, binding = register + a shift for each class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DefaultBindings {
    /// Shift of constant buffers.
    pub cbv: u32,
    /// Shift of SRVs.
    pub srv: u32,
    /// Shift of UAVs.
    pub uav: u32,
    /// Shift of samplers.
    pub sampler: u32,
    /// Shift of UAV counters.
    pub counter: u32,
    /// Set and bindings of the descriptor heaps: (set, resource binding, sampler binding).
    pub heap: (u32, u32, u32),
    /// Binding of the heap of counters, in the same set.
    pub counter_heap: u32,
}

impl Default for DefaultBindings {
    fn default() -> Self {
        Self {
            cbv: 0,
            srv: 1000,
            uav: 2000,
            sampler: 3000,
            counter: 4000,
            heap: (0, 5000, 6000),
            counter_heap: 7000,
        }
    }
}

impl BindingModel for DefaultBindings {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        let shift = match query.class {
            _ if query.counter => self.counter,
            ResourceClass::CBuffer => self.cbv,
            ResourceClass::Srv => self.srv,
            ResourceClass::Uav => self.uav,
            ResourceClass::Sampler => self.sampler,
        };
        let binding = query
            .register
            .checked_add(shift)
            .ok_or(BindingError::Overflow {
                register: query.register,
                shift,
            })?;
        Ok(Binding {
            set: query.space,
            binding,
            kind: None,
        })
    }
    fn heap(&self, sampler: bool) -> Result<HeapBinding, BindingError> {
        Ok(HeapBinding {
            set: self.heap.0,
            binding: if sampler { self.heap.2 } else { self.heap.1 },
        })
    }
    fn counter_heap(&self) -> Result<HeapBinding, BindingError> {
        Ok(HeapBinding {
            set: self.heap.0,
            binding: self.counter_heap,
        })
    }
    fn to_file(&self) -> Option<BindingFile> {
        Some(BindingFile::from(*self))
    }
}
