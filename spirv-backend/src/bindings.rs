//! The binding model: maps each D3D resource to its place in Vulkan.

pub(crate) mod ask;
mod error;
mod file;
mod pipeline_layout;
mod place;
mod query;
pub(crate) mod root_signature;

use serde::{Deserialize, Serialize};
use trellis_dxil_frontend::shader::ResourceClass;

pub use error::{BindingError, BoundResource, ModelError};
pub use file::{BindingFile, BindingFileError};
pub use pipeline_layout::{PipelineLayout, RootParameterPlace, SetBinding, SetLayout, TableRange};
pub use place::{AddressLayout, Binding, HeapBinding, HeapLimit, HeapPlace, OffsetLayout, Place};
pub use query::{HeapQuery, ResourceQuery};
pub use root_signature::{RootSignatureBindings, RootSignatureError, RootSlot};

/// Kind of descriptor that holds a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DescriptorKind {
    /// Uniform buffer.
    UniformBuffer,
    /// Storage buffer (raw and structured buffers, counters).
    StorageBuffer,
    /// Uniform texel buffer (typed SRV buffers). Raw and structured SRVs can be one of the format
    /// `R32_UINT`: for devices whose storage buffers must be aligned more than D3D's.
    UniformTexelBuffer,
    /// Storage texel buffer (typed UAV buffers). Raw and structured UAVs, and counters, can be one of
    /// the format `R32_UINT`. There are no 64-bit atomic operations on such a buffer.
    StorageTexelBuffer,
    /// Sampled image.
    SampledImage,
    /// Storage image.
    StorageImage,
    /// Sampler.
    Sampler,
    /// Acceleration structure.
    AccelerationStructure,
    /// A storage buffer of 64-bit device addresses, in the place of an array of descriptors: for
    /// counters, acceleration structures and buffers. See [`AddressLayout`].
    DeviceAddress,
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
            Self::DeviceAddress => "device_address",
        }
    }
}

impl std::fmt::Display for DescriptorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Says where resources are. A translation layer implements it; the answer must depend on the query
/// only.
///
/// It is asked during a conversion, on the thread that converts, and never for two conversions of one
/// thread at once: see [`ResourceQuery`] and [`HeapQuery`] for when.
///
/// ```
/// use trellis_spirv_backend::bindings::{
///     Binding, BindingError, BindingModel, HeapPlace, HeapQuery, Place, ResourceQuery,
/// };
///
/// /// All resources are in set 0, in the order of their registers, and counters in set 1.
/// struct Flat;
///
/// impl BindingModel for Flat {
///     fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
///         let binding = Binding::descriptor(0, query.register);
///         Ok(if query.has_counter {
///             binding.with_counter(Place::descriptor(1, query.register))
///         } else {
///             binding
///         })
///     }
///
///     fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError> {
///         Err(BindingError::model(format!("no heap for {:?}", query.kind)))
///     }
/// }
/// ```
pub trait BindingModel: Send + Sync {
    /// Returns where a range of resources is.
    ///
    /// # Errors
    /// It has no place; [`BindingError::model`] makes an error of the model's own.
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError>;
    /// Returns where some views of a descriptor heap are.
    ///
    /// # Errors
    /// They have no place.
    fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError>;
    /// Returns the bindings for ranges whose answer was [`BindingError::NoRegister`] or
    /// [`BindingError::Overflow`], and for their counters; `None` if that stays an error, which is the
    /// default.
    ///
    /// Libraries may leave registers to the application's linker
    /// ([`ResourceQuery::has_no_register`]). The ranges get the lowest binding numbers that no other range of the shader has, in
    /// the order of the metadata, so that all entry points of a library agree; a reflection lists them.
    fn free_bindings(&self) -> Option<FreeBindings> {
        None
    }
    /// Returns the layout of the root signature that the model is of; empty for others. A reflection
    /// lists it.
    fn root_layout(&self) -> &[RootSlot] {
        &[]
    }
    /// Returns the model as a binding file, which is how options are serialized; `None` for a model
    /// that a file cannot describe.
    fn to_file(&self) -> Option<BindingFile> {
        None
    }
}

/// A set with free bindings, for [`BindingModel::free_bindings`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FreeBindings {
    /// The descriptor set.
    pub set: u32,
    /// The first binding. Descriptor heaps must not be after it.
    #[serde(rename = "binding")]
    pub first: u32,
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
    /// The bindings of ranges without a register.
    pub free: FreeBindings,
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
            free: FreeBindings {
                set: 0,
                first: 8000,
            },
        }
    }
}

impl BindingModel for DefaultBindings {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        if query.has_no_register() {
            return Err(BindingError::NoRegister);
        }
        let place = |shift: u32| {
            let register = query.register;
            let binding = register.checked_add(shift);
            let binding = binding.ok_or(BindingError::Overflow { register, shift })?;
            Ok(Place::descriptor(query.space, binding))
        };
        let binding = Binding::new(place(match query.class {
            ResourceClass::CBuffer => self.cbv,
            ResourceClass::Srv => self.srv,
            ResourceClass::Uav => self.uav,
            ResourceClass::Sampler => self.sampler,
        })?);
        // A counter that does not fit is an error where it is used.
        let counter = place(self.counter).ok().filter(|_| query.has_counter);
        Ok(Binding { counter, ..binding })
    }
    fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError> {
        let (set, resources, samplers) = self.heap;
        let binding = match query.class {
            _ if query.counter => self.counter_heap,
            ResourceClass::Sampler => samplers,
            _ => resources,
        };
        Ok(HeapPlace::new(set, binding))
    }
    fn free_bindings(&self) -> Option<FreeBindings> {
        Some(self.free)
    }
    fn to_file(&self) -> Option<BindingFile> {
        Some(BindingFile::from(*self))
    }
}
