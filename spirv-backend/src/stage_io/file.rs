//! The model of the command line: a JSON file.
//!
//! ```json
//! {
//!   "strict": false,
//!   "vertex_inputs": [ { "semantic": "POSITION", "index": 0, "location": 4 } ],
//!   "inputs": [ { "semantic": "COLOR", "location": 1, "component": 2, "per_primitive": true } ],
//!   "outputs": [ { "semantic": "TEXCOORD", "index": 3, "location": 0 } ],
//!   "stream_output": [
//!     { "semantic": "SV_Position", "buffer": 0, "stride": 24, "offset": 0 },
//!     { "semantic": "TEXCOORD", "index": 1, "component": 1, "components": 2,
//!       "buffer": 0, "stride": 24, "offset": 16 }
//!   ]
//! }
//! ```
//!
//! An entry is for the element with that `semantic` (compared without case) and `index` (0 when not
//! given) of its first row. `component` and `per_primitive` are as by default when not given. An
//! element without an entry keeps its default place; with `strict` it is an error. The entries of
//! `stream_output` are as in D3D: `stream` (0 when not given), semantic and index name a row, and
//! `components` from `component` on are captured; without both, all of the element is captured from
//! its first row on.

use serde::{Deserialize, Serialize};

use super::{
    ElementPart, ElementPlace, ElementQuery, StageIoError, StageIoModel, StreamOutput,
    StreamOutputQuery,
};

/// A model read from JSON; the source of this module shows its form.
///
/// ```
/// use trellis_spirv_backend::stage_io::StageIoFile;
///
/// let file: StageIoFile = serde_json::from_str(
///     r#"{ "vertex_inputs": [ { "semantic": "POSITION", "location": 4 } ] }"#,
/// )?;
/// # let _ = file;
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StageIoFile {
    /// An element without an entry is an error.
    strict: bool,
    vertex_inputs: Vec<Attribute>,
    inputs: Vec<Entry>,
    outputs: Vec<Entry>,
    stream_output: Vec<Capture>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Attribute {
    semantic: String,
    #[serde(default)]
    index: u32,
    location: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    semantic: String,
    #[serde(default)]
    index: u32,
    location: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    component: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    per_primitive: Option<bool>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Capture {
    #[serde(default)]
    stream: u32,
    semantic: String,
    #[serde(default)]
    index: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    component: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    components: Option<u32>,
    buffer: u32,
    stride: u32,
    offset: u32,
}

fn is(semantic: &str, index: u32, query: &ElementQuery<'_>) -> bool {
    index == query.index && semantic.eq_ignore_ascii_case(query.semantic)
}

impl StageIoFile {
    fn place(
        &self,
        entries: &[Entry],
        query: &ElementQuery<'_>,
    ) -> Result<ElementPlace, StageIoError> {
        let default = query.default;
        match entries.iter().find(|e| is(&e.semantic, e.index, query)) {
            Some(entry) => Ok(ElementPlace {
                location: entry.location,
                component: entry.component.unwrap_or(default.component),
                per_primitive: entry.per_primitive.unwrap_or(default.per_primitive),
            }),
            None if self.strict => Err(StageIoError::NoEntry),
            None => Ok(default),
        }
    }
}

impl StageIoModel for StageIoFile {
    fn vertex_input(&self, query: &ElementQuery<'_>) -> Result<u32, StageIoError> {
        let mut entries = self.vertex_inputs.iter();
        match entries.find(|e| is(&e.semantic, e.index, query)) {
            Some(entry) => Ok(entry.location),
            None if self.strict => Err(StageIoError::NoEntry),
            None => Ok(query.default.location),
        }
    }

    fn input(&self, query: &ElementQuery<'_>) -> Result<ElementPlace, StageIoError> {
        self.place(&self.inputs, query)
    }

    fn output(&self, query: &ElementQuery<'_>) -> Result<ElementPlace, StageIoError> {
        self.place(&self.outputs, query)
    }

    fn stream_output(
        &self,
        query: &StreamOutputQuery<'_>,
    ) -> Result<Vec<StreamOutput>, StageIoError> {
        let captures = self.stream_output.iter().filter_map(|entry| {
            let row = entry.index.checked_sub(query.index)?;
            let is_of = row < query.rows
                && entry.stream == query.stream
                && entry.semantic.eq_ignore_ascii_case(query.semantic);
            let whole = row == 0 && entry.component.is_none() && entry.components.is_none();
            let component = entry.component.unwrap_or(0);
            let rest = query.columns.saturating_sub(component);
            let components = entry.components.unwrap_or(rest);
            let part = ElementPart::new(row, component, components);
            is_of.then_some(StreamOutput {
                part: (!whole).then_some(part),
                ..StreamOutput::new(entry.buffer, entry.stride, entry.offset)
            })
        });
        Ok(captures.collect())
    }

    fn to_file(&self) -> Option<StageIoFile> {
        Some(self.clone())
    }
}
