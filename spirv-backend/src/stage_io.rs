//! The places of stage inputs and outputs: the caller's decision.
//!
//! D3D links stages, and vertex buffers, by semantic; Vulkan by location. The default gives each
//! element the location of its register, so that stages that link in D3D link in Vulkan. A model
//! ([`StageIoModel`]) can move each element, and chooses the outputs to capture by transform
//! feedback (D3D's stream output).

mod error;
mod file;

use trellis_dxil_frontend::shader::{SemanticKind, ShaderKind};

pub use error::{StageElement, StageIoError};
pub use file::StageIoFile;

/// The signature that an element is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum ElementKind {
    /// An input.
    Input,
    /// An output.
    Output,
    /// A patch constant: an output of a hull shader, an input of a domain shader.
    PatchConstant,
    /// An output of a mesh shader that each primitive has once.
    Primitive,
}

impl ElementKind {
    /// Returns its name, as in error messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::PatchConstant => "patch constant",
            Self::Primitive => "primitive output",
        }
    }
}

/// An element of a signature that has a location in Vulkan, which a model is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ElementQuery<'a> {
    /// Stage of the entry point.
    pub stage: ShaderKind,
    /// The signature.
    pub kind: ElementKind,
    /// Semantic name as it is written in the source, such as `TEXCOORD`. D3D compares semantics
    /// without case.
    pub semantic: &'a str,
    /// Semantic index of the first row.
    pub index: u32,
    /// Meaning: `Arbitrary`, or a system value for which Vulkan has no built-in here.
    pub system_value: SemanticKind,
    /// First register.
    pub start_row: u32,
    /// Number of registers, each of which has a location: more than 1 for arrays.
    pub rows: u32,
    /// Components in each register.
    pub columns: u32,
    /// Stream of a geometry shader's output.
    pub stream: u32,
    /// The place of the element if the model does not move it: from its register, or from the mesh
    /// shader's output in [`Options::mesh`](crate::Options::mesh).
    pub default: ElementPlace,
}

/// Where an element is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct ElementPlace {
    /// Location of the first row; the others follow.
    pub location: u32,
    /// First component in the location.
    pub component: u32,
    /// True if each primitive has one value, not each vertex (`PerPrimitiveEXT`): for inputs of a
    /// pixel shader after a mesh shader, whose `SV_PrimitiveID`, layer and viewport index are per
    /// primitive then, too. Other elements keep their defaults.
    pub per_primitive: bool,
}

impl ElementPlace {
    /// Returns a place with a value for each vertex.
    pub const fn new(location: u32, component: u32) -> Self {
        Self {
            location,
            component,
            per_primitive: false,
        }
    }

    /// Returns this, with or without a value for each primitive.
    #[must_use]
    pub const fn with_per_primitive(self, per_primitive: bool) -> Self {
        Self {
            per_primitive,
            ..self
        }
    }
}

/// An output that may be captured, which a model is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct StreamOutputQuery<'a> {
    /// Stage of the entry point: vertex, domain or geometry shader.
    pub stage: ShaderKind,
    /// Semantic name, such as `SV_Position`.
    pub semantic: &'a str,
    /// Semantic index of the first row.
    pub index: u32,
    /// Meaning.
    pub system_value: SemanticKind,
    /// Number of rows: more than 1 for arrays.
    pub rows: u32,
    /// Components of each row.
    pub columns: u32,
    /// Stream of a geometry shader's output.
    pub stream: u32,
}

/// A capture of an output, or of a part of one.
///
/// Numbers have 4 bytes. `offset` and `stride` are multiples of 4; the captured bytes are below
/// `stride`, and nothing else is captured to them. All captures to a buffer have the same stride
/// and are of one stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct StreamOutput {
    /// Number of the buffer, below 4 (`XfbBuffer`).
    pub buffer: u32,
    /// Bytes of a vertex in the buffer (`XfbStride`).
    pub stride: u32,
    /// Offset of the values in a vertex, in bytes (`Offset`).
    pub offset: u32,
    /// The captured part; `None`: all components, row after row.
    pub part: Option<ElementPart>,
}

impl StreamOutput {
    /// Returns the capture of a whole element.
    pub const fn new(buffer: u32, stride: u32, offset: u32) -> Self {
        Self {
            buffer,
            stride,
            offset,
            part: None,
        }
    }

    /// Returns the capture of a part.
    #[must_use]
    pub const fn with_part(self, part: ElementPart) -> Self {
        Self {
            part: Some(part),
            ..self
        }
    }
}

/// A part of an element: some components of a row, as an entry of D3D's stream output declaration
/// has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct ElementPart {
    /// Number of the row within the element: the semantic index minus the first row's.
    pub row: u32,
    /// First component, counted from the element's own first one.
    pub component: u32,
    /// Number of components.
    pub components: u32,
}

impl ElementPart {
    /// Returns components of a row.
    pub const fn new(row: u32, component: u32, components: u32) -> Self {
        Self {
            row,
            component,
            components,
        }
    }
}

/// Says where inputs and outputs of stages are. A translation layer implements it; the answer must
/// depend on the query only.
///
/// It is asked during a conversion, on the thread that converts, before anything is translated:
/// about each element once, signature after signature (inputs, outputs, patch constants), in the
/// order of the module's metadata. An output of a vertex, domain or geometry shader is asked about
/// its place, if it has a location, then about its capture. The model's answer about an input that
/// the shader does not read has no effect. Render targets are not asked about.
///
/// Each method has a default, which is the answer of Trellis without a model.
///
/// ```
/// use trellis_spirv_backend::stage_io::{
///     ElementPlace, ElementQuery, StageIoError, StageIoModel, StreamOutput, StreamOutputQuery,
/// };
///
/// /// Vertex attributes from location 8 on; positions are captured.
/// struct Layer;
///
/// impl StageIoModel for Layer {
///     fn vertex_input(&self, query: &ElementQuery<'_>) -> Result<u32, StageIoError> {
///         Ok(8 + query.start_row)
///     }
///
///     fn input(&self, query: &ElementQuery<'_>) -> Result<ElementPlace, StageIoError> {
///         match query.semantic {
///             "SECRET" => Err(StageIoError::model("no stage writes it")),
///             _ => Ok(query.default),
///         }
///     }
///
///     fn stream_output(
///         &self,
///         query: &StreamOutputQuery<'_>,
///     ) -> Result<Vec<StreamOutput>, StageIoError> {
///         let is_position = query.semantic.eq_ignore_ascii_case("SV_Position");
///         let capture = is_position.then(|| StreamOutput::new(0, 16, 0));
///         Ok(capture.into_iter().collect())
///     }
/// }
/// ```
pub trait StageIoModel: Send + Sync {
    /// Returns the location of a vertex attribute; its rows follow each other.
    ///
    /// # Errors
    /// It has none; [`StageIoError::model`] makes an error of the model's own.
    fn vertex_input(&self, query: &ElementQuery<'_>) -> Result<u32, StageIoError> {
        Ok(query.default.location)
    }

    /// Returns where an input from another stage is.
    ///
    /// # Errors
    /// It has no place.
    fn input(&self, query: &ElementQuery<'_>) -> Result<ElementPlace, StageIoError> {
        Ok(query.default)
    }

    /// Returns where an output to another stage is.
    ///
    /// # Errors
    /// It has no place.
    fn output(&self, query: &ElementQuery<'_>) -> Result<ElementPlace, StageIoError> {
        Ok(query.default)
    }

    /// Returns the captures of an output of a vertex, domain or geometry shader, built-ins
    /// included; empty if it is not captured.
    ///
    /// # Errors
    /// The model has no answer.
    fn stream_output(
        &self,
        query: &StreamOutputQuery<'_>,
    ) -> Result<Vec<StreamOutput>, StageIoError> {
        let _ = query;
        Ok(Vec::new())
    }

    /// Returns the model as a file, which is how options are serialized; `None` for a model that a
    /// file cannot describe.
    fn to_file(&self) -> Option<StageIoFile> {
        None
    }
}

/// The default model: locations are registers, and nothing is captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DefaultStageIo;

impl StageIoModel for DefaultStageIo {
    fn to_file(&self) -> Option<StageIoFile> {
        Some(StageIoFile::default())
    }
}
