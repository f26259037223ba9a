//! Why a resource has no binding.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

use super::DescriptorKind;

/// Why a binding model has no binding for a resource, or why its answer cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BindingError {
    /// The model lists its resources, and this is not one of them.
    #[error("the binding model has no entry for it")]
    NoEntry,
    /// No parameter of the root signature has the registers, for this stage.
    #[error("the root signature has no parameter for it in this stage")]
    NotInRootSignature,
    /// The model's answer for a UAV has no place for its counter.
    #[error("the binding model has no place for it")]
    NoCounter,
    /// A library leaves the register to the application's linker.
    #[error("it has no register")]
    NoRegister,
    /// The binding number does not fit in 32 bits.
    #[error("register {register} plus shift {shift} does not fit in 32 bits")]
    Overflow {
        /// The register.
        register: u32,
        /// The number that the model adds to it.
        shift: u32,
    },
    /// An array of resources exceeds the entry of its first register.
    #[error("its entry ends at register {entry}, the array at register {array}")]
    ArrayTooLong {
        /// Last register of the entry.
        entry: u32,
        /// Last register of the array.
        array: u32,
    },
    /// The descriptor kind is not one that the resource can be in.
    #[error("descriptor kind {given} is not supported for it: {natural} is")]
    Kind {
        /// The model's answer.
        given: DescriptorKind,
        /// The kind that the resource naturally has.
        natural: DescriptorKind,
    },
    /// A resource that is no constant buffer as root constants.
    #[error("only constant buffers can be root constants")]
    NoConstants,
    /// An array of constant buffers as root constants.
    #[error("root constants cannot hold arrays of constant buffers")]
    RootArray,
    /// A resource that cannot be at a device address.
    #[error(
        "only single raw, structured and constant buffers, counters and acceleration structures can be at a device address"
    )]
    NoAddress,
    /// A root descriptor that is not there.
    #[error("root descriptor {number} is not one of {descriptors}")]
    NoRootDescriptor {
        /// Number of the root descriptor.
        number: u32,
        /// Number of root descriptors.
        descriptors: u32,
    },
    /// A root constant that is not there.
    #[error("root constant {word} is not one of {words}")]
    NoRootConstant {
        /// Number of the constant.
        word: u32,
        /// Number of root constants.
        words: u32,
    },
    /// More root constants and descriptors than a block may have.
    #[error("root constant {word} after {descriptors} root descriptors is beyond {limit} bytes")]
    RootTooLarge {
        /// Number of the constant.
        word: u32,
        /// Number of root descriptors before the constants.
        descriptors: u32,
        /// The most bytes.
        limit: u32,
    },
    /// An index in a heap that does not fit.
    #[error("register {register} plus offset {offset} in the heap does not fit in 32 bits")]
    HeapOverflow {
        /// The register, within its range.
        register: u32,
        /// The model's offset.
        offset: u32,
    },
    /// A place that only constant buffers of some stages can have.
    #[error("only constant buffers of ray tracing shaders can be in the shader record")]
    NoRecord,
    /// A descriptor table or a root descriptor in the shader record of a stage that has none.
    #[error("only ray tracing shaders and nodes have a shader record")]
    NoRecordStage,
    /// An array of constant buffers in the shader record.
    #[error("the shader record cannot hold arrays of constant buffers")]
    RecordArray,
    /// An offset in the shader record is not aligned: constants to 4 bytes, the rest to 8.
    #[error("offset {offset} in the shader record is not a multiple of {alignment} bytes")]
    RecordAlignment {
        /// The offset.
        offset: u32,
        /// What it must be a multiple of.
        alignment: u32,
    },
    /// The size of a descriptor is not a number of 32 bits.
    #[error("a descriptor of 2^{size_log2} bytes")]
    DescriptorSize {
        /// Its binary logarithm.
        size_log2: u32,
    },
    /// Two resources overlap in the shader record.
    #[error(
        "its offset {offset} in the shader record is inside `{other}`, which begins at {start}"
    )]
    RecordOverlap {
        /// The offset.
        offset: u32,
        /// Name of the other resource.
        other: String,
        /// The offset of the other.
        start: u32,
    },
    /// A reason of the model's own.
    #[error(transparent)]
    Model(ModelError),
}

impl BindingError {
    /// Returns a reason that a binding model defines: an error, or a text.
    pub fn model(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Model(ModelError::new(error.into()))
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
