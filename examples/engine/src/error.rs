//! Errors of the engine.

use ash::vk;
use thiserror::Error;
use trellis_dxil::bindings::{DescriptorKind, RootSignatureError};

/// Why there is no picture.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no Vulkan or no device.
    #[error(transparent)]
    Setup(#[from] vulkan_setup::Error),
    /// The device lacks a feature that every picture needs.
    #[error("{device} does not have the Vulkan feature {feature}")]
    Feature {
        /// Name of the device.
        device: String,
        /// Name of the feature.
        feature: &'static str,
    },
    /// A call of Vulkan failed.
    #[error("{call}: {result}")]
    Vulkan {
        /// Name of the function.
        call: &'static str,
        /// Its result.
        result: vk::Result,
    },
    /// No type of memory is right for an object.
    #[error("the device has no memory of the type that a buffer or image needs")]
    NoMemory,
    /// The validation layer has complaints.
    #[error("the validation layer reports {} errors:\n{}", .0.len(), .0.join("\n"))]
    Validation(Vec<String>),
    /// A shader's root signature cannot be used.
    #[error("the root signature of {shader}: {source}")]
    RootSignature {
        /// Name of the pipeline.
        shader: String,
        /// The reason.
        source: RootSignatureError,
    },
    /// The shaders of a pipeline do not have the same root signature.
    #[error("the shaders of {0} have different root signatures")]
    DifferentRootSignatures(String),
    /// A shader cannot be read or translated.
    #[error("a shader of {shader}: {source}")]
    Shader {
        /// Name of the pipeline.
        shader: String,
        /// The reason.
        source: Box<trellis_dxil::Error>,
    },
    /// A range of a descriptor table has views of several kinds.
    #[error(
        "set {set}, binding {binding} has descriptors of several kinds ({kinds:?}), which this engine does not support"
    )]
    SeveralKinds {
        /// Descriptor set.
        set: usize,
        /// Binding.
        binding: u32,
        /// The kinds.
        kinds: Vec<DescriptorKind>,
    },
    /// Something of Direct3D 12 that this engine leaves out.
    #[error("this engine does not support {0}")]
    Unsupported(&'static str),
    /// A root parameter was set to something of another kind, or does not exist.
    #[error("root parameter {parameter} of {pipeline} is not {given}")]
    WrongParameter {
        /// Name of the pipeline.
        pipeline: String,
        /// Number of the parameter.
        parameter: usize,
        /// The kind that it was set to.
        given: &'static str,
    },
    /// A draw or dispatch before all root parameters were set.
    #[error("root parameter {parameter} of {pipeline} was not set")]
    ParameterNotSet {
        /// Name of the pipeline.
        pipeline: String,
        /// Number of the parameter.
        parameter: usize,
    },
    /// A draw outside of a rendering or with a compute shader, or a dispatch the other way round.
    #[error("{0} is drawn or dispatched where only the other is possible")]
    WrongPlace(String),
    /// A buffer has no room for an image.
    #[error("a buffer is too small for an image")]
    TooSmall,
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Its path.
        path: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// A picture is not a PNG that this engine writes.
    #[error("{path}: {reason}")]
    Png {
        /// Its path.
        path: String,
        /// The reason.
        reason: String,
    },
}

/// Adds the name of the function to a result of Vulkan.
pub(crate) trait Named<T> {
    /// Makes an [`Error::Vulkan`] of an error.
    fn named(self, call: &'static str) -> Result<T, Error>;
}

impl<T> Named<T> for Result<T, vk::Result> {
    fn named(self, call: &'static str) -> Result<T, Error> {
        self.map_err(|result| Error::Vulkan { call, result })
    }
}
