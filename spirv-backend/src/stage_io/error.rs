//! Why a stage input or output has no place.

use std::fmt;

use trellis_dxil_frontend::described;
use trellis_dxil_frontend::shader::ShaderKind;

use super::ElementKind;
use crate::bindings::ModelError;
use crate::target::Target;

described! {
    /// Why a model has no place for an element, or why its answer cannot be used.
    StageIoError {
        /// The model lists its elements, and this is not one of them.
        NoEntry => "the file has no entry for it";
        Component { component: u32, last: u32 } =>
            "components {component} to {last} of a location, which has 0 to 3";
        Location { location: u32, rows: u32 } => "{rows} rows from location {location} on";
        Clash { other: StageElement, location: u32, component: u32 } =>
            "component {component} of location {location} is already used by {other}";
        PerPrimitive =>
            "only an input of a pixel shader may be per primitive by the model's choice";
        OldTarget { minimum: Target } =>
            "a value for each primitive needs SPIR-V 1.4: {} or later", minimum.name();
        Buffer { buffer: u32 } => "stream output buffer {buffer}, of which there are 4";
        Alignment { offset: u32, stride: u32 } =>
            "offset {offset} and stride {stride} of stream output: multiples of 4 are required";
        Stride { offset: u32, bytes: u32, stride: u32 } =>
            "{bytes} bytes at offset {offset} exceed the stride of {stride} bytes of stream output";
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
        } =>
            "components {component} to {last} of row {row}: the element has {rows} rows of \
             {columns} components";
        Strides { buffer: u32, stride: u32, other: u32 } =>
            "stride {stride} in stream output buffer {buffer}, which has stride {other}";
        Streams { buffer: u32, stream: u32, other: u32 } =>
            "stream {stream} in stream output buffer {buffer}, which captures stream {other}";
        Overlap { buffer: u32, offset: u32, other: StageElement } =>
            "offset {offset} of stream output buffer {buffer} is inside the capture of {other}";
        Narrow => "transform feedback does not capture 16-bit numbers: convert without `io_16bit`";
        Model { error: ModelError } => "{error}";
    }
}

impl std::error::Error for StageIoError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Model { error } => error.source(),
            _ => None,
        }
    }
}

impl StageIoError {
    /// Returns a reason that a model defines: an error, or a text.
    pub fn model(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Model {
            error: ModelError::new(error.into()),
        }
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
