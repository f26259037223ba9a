//! Why a stage input or output has no place.

use std::fmt;

use thiserror::Error;
use trellis_dxil_frontend::shader::ShaderKind;

use super::ElementKind;
use crate::bindings::ModelError;
use crate::target::Target;

/// Why a model has no place for an element, or why its answer cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum StageIoError {
    /// The model lists its elements, and this is not one of them.
    #[error("the file has no entry for it")]
    NoEntry,
    /// Components that a location does not have.
    #[error("components {component} to {last} of a location, which has 0 to 3")]
    Component {
        /// First component.
        component: u32,
        /// Last component.
        last: u32,
    },
    /// Rows that do not fit in the 32 bits of a location.
    #[error("{rows} rows from location {location} on")]
    Location {
        /// First location.
        location: u32,
        /// Number of rows.
        rows: u32,
    },
    /// Another element is there.
    #[error("component {component} of location {location} is that of {other}")]
    Clash {
        /// The other element.
        other: StageElement,
        /// The location.
        location: u32,
        /// The component.
        component: u32,
    },
    /// A value for each primitive (or not) where that is not a choice.
    #[error("only an input of a pixel shader may be per primitive by the model's choice")]
    PerPrimitive,
    /// A value for each primitive, for a target that does not have mesh shaders.
    #[error("a value for each primitive needs SPIR-V 1.4: {} or later", .minimum.name())]
    OldTarget {
        /// The first target that has them.
        minimum: Target,
    },
    /// A buffer of stream output that does not exist.
    #[error("stream output buffer {buffer}, of which there are 4")]
    Buffer {
        /// Number of the buffer.
        buffer: u32,
    },
    /// An offset or a stride that is not a multiple of 4.
    #[error("offset {offset} and stride {stride} of stream output: multiples of 4 are required")]
    Alignment {
        /// The offset.
        offset: u32,
        /// The stride.
        stride: u32,
    },
    /// A capture that exceeds the vertex.
    #[error(
        "{bytes} bytes at offset {offset} exceed the stride of {stride} bytes of stream output"
    )]
    Stride {
        /// The offset.
        offset: u32,
        /// Captured bytes.
        bytes: u32,
        /// The stride.
        stride: u32,
    },
    /// A part that the element does not have.
    #[error(
        "components {component} to {last} of row {row}: the element has {rows} rows of {columns} components"
    )]
    Part {
        /// Number of the row.
        row: u32,
        /// First component.
        component: u32,
        /// Last component.
        last: u32,
        /// Rows of the element.
        rows: u32,
        /// Components of a row.
        columns: u32,
    },
    /// Two strides of one buffer.
    #[error("stride {stride} in stream output buffer {buffer}, which has stride {other}")]
    Strides {
        /// Number of the buffer.
        buffer: u32,
        /// The stride.
        stride: u32,
        /// The stride of earlier captures.
        other: u32,
    },
    /// Two streams in one buffer.
    #[error("stream {stream} in stream output buffer {buffer}, which captures stream {other}")]
    Streams {
        /// Number of the buffer.
        buffer: u32,
        /// The stream.
        stream: u32,
        /// The stream of earlier captures.
        other: u32,
    },
    /// Two captures to the same bytes.
    #[error("offset {offset} of stream output buffer {buffer} is inside the capture of {other}")]
    Overlap {
        /// Number of the buffer.
        buffer: u32,
        /// The offset.
        offset: u32,
        /// The other element.
        other: StageElement,
    },
    /// Numbers of 16 bits, which transform feedback cannot capture.
    #[error("transform feedback does not capture 16-bit numbers: convert without `io_16bit`")]
    Narrow,
    /// A reason of the model's own.
    #[error(transparent)]
    Model(ModelError),
}

impl StageIoError {
    /// Returns a reason that a model defines: an error, or a text.
    pub fn model(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Model(ModelError::new(error.into()))
    }
}

/// The element of a [`StageIoError`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct StageElement {
    /// Stage.
    pub stage: ShaderKind,
    /// The signature.
    pub kind: ElementKind,
    /// Semantic name.
    pub semantic: String,
    /// Semantic index of the first row.
    pub index: u32,
}

impl StageElement {
    /// Returns an element.
    pub(crate) fn new(stage: ShaderKind, kind: ElementKind, semantic: &str, index: u32) -> Self {
        Self {
            stage,
            kind,
            semantic: semantic.to_owned(),
            index,
        }
    }
}

impl fmt::Display for StageElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            stage,
            kind,
            semantic,
            index,
        } = self;
        let (stage, kind) = (stage.name(), kind.name());
        write!(f, "{stage} shader {kind} `{semantic}{index}`")
    }
}
