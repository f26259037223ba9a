//! Why a resource has no binding.

use std::fmt;
use std::sync::Arc;

use trellis_dxil_frontend::described;
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

use super::DescriptorKind;

described! {
    /// Why a binding model has no binding for a resource, or why its answer cannot be used.
    BindingError {
        /// The model lists its resources, and this is not one of them.
        NoEntry => "the binding model has no entry for it";
        NotInRootSignature => "the root signature has no parameter for it in this stage";
        /// The model's answer for a UAV has no place for its counter.
        NoCounter => "the binding model has no place for it";
        /// A library leaves the register to the application's linker.
        NoRegister => "it has no register";
        Overflow { register: u32, shift: u32 } =>
            "register {register} plus shift {shift} does not fit in 32 bits";
        ArrayTooLong { entry: u32, array: u32 } =>
            "its entry ends at register {entry}, the array at register {array}";
        Kind { given: DescriptorKind, natural: DescriptorKind } =>
            "descriptor kind {given} is not supported for it: {natural} is";
        NoConstants => "only constant buffers can be root constants";
        RootArray => "root constants cannot hold arrays of constant buffers";
        NoAddress =>
            "only single raw, structured and constant buffers, counters and acceleration \
             structures can be at a device address";
        NoRootDescriptor { number: u32, descriptors: u32 } =>
            "root descriptor {number} is not one of {descriptors}";
        NoRootConstant { word: u32, words: u32 } => "root constant {word} is not one of {words}";
        RootTooLarge { word: u32, descriptors: u32, limit: u32 } =>
            "root constant {word} after {descriptors} root descriptors is beyond {limit} bytes";
        HeapOverflow { register: u32, offset: u32 } =>
            "register {register} plus offset {offset} in the heap does not fit in 32 bits";
        NoRecord => "only constant buffers of ray tracing shaders can be in the shader record";
        NoRecordStage => "only ray tracing shaders and nodes have a shader record";
        RecordArray => "the shader record cannot hold arrays of constant buffers";
        /// An offset in the shader record is not aligned: constants to 4 bytes, the rest to 8.
        RecordAlignment { offset: u32, alignment: u32 } =>
            "offset {offset} in the shader record is not a multiple of {alignment} bytes";
        /// The size of a descriptor is not a number of 32 bits.
        DescriptorSize {
            /// Its binary logarithm.
            size_log2: u32,
        } => "a descriptor of 2^{size_log2} bytes";
        RecordOverlap { offset: u32, other: String, start: u32 } =>
            "its offset {offset} in the shader record is inside `{other}`, which begins at {start}";
        Model { error: ModelError } => "{error}";
    }
}

impl std::error::Error for BindingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Model { error } => error.source(),
            _ => None,
        }
    }
}

impl BindingError {
    /// Returns a reason that a binding model defines: an error, or a text.
    pub fn model(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Model {
            error: ModelError::new(error.into()),
        }
    }
}

/// An error of a model's own. Copies are equal to the error that they are copies of.
#[derive(Clone, Debug)]
pub struct ModelError(Arc<dyn std::error::Error + Send + Sync>);

impl ModelError {
    pub(crate) fn new(error: Box<dyn std::error::Error + Send + Sync>) -> Self {
        Self(Arc::from(error))
    }

    /// Returns the error, for example to downcast it.
    pub fn get(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl PartialEq for ModelError {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ModelError {}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for ModelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

/// The resource of a [`BindingError`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BoundResource {
    /// A declared range of registers.
    Range {
        /// Class.
        class: ResourceClass,
        /// Shape.
        kind: ResourceKind,
        /// Name, empty if it is not known.
        name: String,
        /// First register.
        register: u32,
        /// Register space.
        space: u32,
        /// The counter of the UAV rather than the UAV itself.
        counter: bool,
    },
    /// The resource heap.
    ResourceHeap,
    /// The sampler heap.
    SamplerHeap,
    /// The counters of the UAVs in the resource heap.
    CounterHeap,
}

impl fmt::Display for BoundResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range {
                class,
                kind,
                name,
                register,
                space,
                counter,
            } => {
                let what = if *counter { "the counter of " } else { "" };
                write!(
                    f,
                    "{what}{class:?} {kind:?} `{name}` (register {register}, space {space})"
                )
            }
            Self::ResourceHeap => f.write_str("the resource heap"),
            Self::SamplerHeap => f.write_str("the sampler heap"),
            Self::CounterHeap => f.write_str("the heap of counters"),
        }
    }
}
