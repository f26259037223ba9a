//! The file that describes how a compute shader is run: groups, resources with contents, expected
//! results. The CPU model and a runner on a device read the same file.
//!
//! ```
//! use trellis_dxil_interpreter::dispatch::{Dispatch, Kind};
//! let dispatch = Dispatch::from_json(r#"{
//!   "groups": [2, 1, 1],
//!   "bindings": [
//!     { "class": "srv", "register": 0, "kind": "typed", "format": "R32_FLOAT", "bytes": 64, "data": {"iota": {"type": "f32"}} },
//!     { "class": "srv", "register": 1, "kind": "texture2d", "format": "R8G8B8A8_UNORM", "size": [4, 4, 1], "data": {"fill": {"hex": "ff00ff00"}} },
//!     { "class": "cbv", "register": 0, "kind": "constants", "data": {"f32": [1.5, -2.0, 0.0, 0.0]} },
//!     { "class": "uav", "register": 0, "kind": "structured", "stride": 8, "bytes": 32, "counter": 0, "expect": {"u32": [0, 1, 2, 3, 4, 5, 6, 7]} }
//!   ]
//! }"#)?;
//! assert_eq!(dispatch.bindings[0].kind, Kind::Typed);
//! assert_eq!(dispatch.bindings[1].contents()?.len(), 64);
//! # Ok::<(), trellis_dxil_interpreter::dispatch::DispatchError>(())
//! ```

mod compare;
mod data;
mod draw;
mod error;
mod scene;

use serde::{Deserialize, Serialize};

pub use compare::{Mismatch, first_difference};
pub(crate) use data::split_mix;
pub use data::{Data, MAX_BYTES, Number};
pub use draw::{Dispatched, Draw, Input, Output, Target, sort_primitives};
pub use error::{BindingRule, DispatchError};
pub use scene::{Geometry, Instance, Scene, SceneRule};

use crate::format::Format;

/// Most bytes that the resources of a dispatch file may have together: 1 GiB.
pub const MAX_TOTAL: u64 = 1 << 30;

/// Most samples of a texel (`D3D11_MAX_MULTISAMPLE_SAMPLE_COUNT`).
pub const MAX_SAMPLES: u32 = 32;

/// Class of a resource: the register letter `t`, `u`, `b`, `s`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "D3D's own names")]
pub enum Class {
    Srv,
    Uav,
    Cbv,
    Sampler,
}

/// Shape of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Constant buffer (`cbv`).
    Constants,
    /// Byte address buffer.
    Raw,
    /// Structured buffer; needs `stride`.
    Structured,
    /// Typed buffer; needs `format`.
    Typed,
    /// 1D texture; needs `format` and `size`.
    Texture1D,
    /// 2D texture.
    Texture2D,
    /// 3D texture.
    Texture3D,
    /// Cube texture: `layers` is a multiple of 6.
    TextureCube,
    /// Array of 1D textures; `layers` is their number.
    Texture1DArray,
    /// Array of 2D textures.
    Texture2DArray,
    /// Array of cube textures.
    TextureCubeArray,
    /// Sampler (`sampler`).
    Sampler,
}

impl Kind {
    /// Returns whether it is a texture.
    pub fn is_texture(self) -> bool {
        !matches!(
            self,
            Self::Constants | Self::Raw | Self::Structured | Self::Typed | Self::Sampler
        )
    }
}

/// Binding of a resource: its class with a register, or an index into the heap of resources
/// (`ResourceDescriptorHeap`) or samplers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Class.
    pub class: Class,
    /// Register space.
    #[serde(default)]
    pub space: u32,
    /// Register; 0 where `heap` is given.
    #[serde(default)]
    pub register: u32,
    /// Index into the heap of shader model 6.6; no register then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap: Option<u32>,
}

impl Place {
    /// Returns the place of a register.
    pub const fn at(class: Class, space: u32, register: u32) -> Self {
        Self {
            class,
            space,
            register,
            heap: None,
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = match self.class {
            Class::Srv => 't',
            Class::Uav => 'u',
            Class::Cbv => 'b',
            Class::Sampler => 's',
        };
        match self.heap {
            Some(index) => write!(f, "heap[{index}]"),
            None => write!(f, "{letter}{}, space{}", self.register, self.space),
        }
    }
}

/// Permitted difference of a result from the expected one: `|found - expected| <= max(absolute,
/// relative * |expected|)`, both NaN, or the same bits.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// Type of the compared numbers.
    #[serde(rename = "type")]
    pub number: Number,
    /// Relative part.
    #[serde(default)]
    pub relative: f64,
    /// Absolute part.
    #[serde(default)]
    pub absolute: f64,
}

/// Filter of a sampler, also between mip levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "D3D's own names")]
pub enum Filter {
    #[default]
    Point,
    Linear,
}

/// Addressing of a sampler outside the texture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "D3D's own names")]
pub enum Address {
    #[default]
    Clamp,
    Wrap,
    Mirror,
    Border,
}

/// The comparison of a comparison sampler: reference value, this operator, texel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "D3D's own names")]
pub enum Compare {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

/// A resource at its place.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub struct Binding {
    /// Binding of the resource. (Its fields `class`, `space`, `register`, `heap` are in the binding
    /// itself.)
    #[serde(flatten)]
    pub place: Place,
    /// Shape.
    pub kind: Kind,
    /// Bytes of a structure of a structured buffer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stride: Option<u32>,
    /// Format of texels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// Size of a buffer in bytes; without it as long as its data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Width, height and depth of a texture in texels; 1 in directions that the kind lacks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<[u32; 3]>,
    /// Layers of an array of textures (faces of cubes).
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub layers: u32,
    /// Mip levels.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub mips: u32,
    /// Samples of a texel: with several, the texture is a `Texture2DMS` or `Texture2DMSArray` of
    /// shaders. A power of two; devices take few of them.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub samples: u32,
    /// Contents before the run; zeros if absent. A texture's texels are ordered by layer, in it by
    /// mip level, in it by slice, row and column, in it by sample, without padding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Data>,
    /// Value of the UAV's hidden counter before the run; without it the UAV has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter: Option<u32>,
    /// A sampler's filter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Filter>,
    /// A sampler's address mode, for all directions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<Address>,
    /// A comparison sampler's question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<Compare>,
    /// Contents after the run, padded with zeros.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Data>,
    /// The counter after the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect_counter: Option<u32>,
    /// Permitted difference from `expect`. Without it, results must agree to the bit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
}

fn one() -> u32 {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_one(number: &u32) -> bool {
    *number == 1
}

/// The fields of a binding in JSON.
const FIELDS: [&str; 20] = [
    "class",
    "space",
    "register",
    "heap",
    "kind",
    "stride",
    "format",
    "bytes",
    "size",
    "layers",
    "mips",
    "samples",
    "data",
    "counter",
    "filter",
    "address",
    "compare",
    "expect",
    "expect_counter",
    "tolerance",
];

/// Reads a file with bindings.
fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, DispatchError> {
    let json = |error: serde_json::Error| DispatchError::Json {
        line: error.line(),
        column: error.column(),
        message: error.to_string(),
    };
    let file = serde_json::from_str(text).map_err(json)?;
    // serde checks the fields of a binding only if nothing in it is flattened, as the place is.
    let value: serde_json::Value = serde_json::from_str(text).map_err(json)?;
    let bindings = value
        .get("bindings")
        .and_then(serde_json::Value::as_array)
        .into_iter()
        .flatten();
    let mut fields = bindings
        .filter_map(serde_json::Value::as_object)
        .flat_map(|binding| binding.keys());
    match fields.find(|field| !FIELDS.contains(&field.as_str())) {
        Some(unknown) => Err(DispatchError::UnknownField {
            field: unknown.clone(),
        }),
        None => Ok(file),
    }
}

/// A dispatch of a compute shader.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dispatch {
    /// Description, for the reader.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Entry point; the shader's only one if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub entry: String,
    /// Groups in each direction.
    pub groups: [u32; 3],
    /// Lanes of a wave that the expectations hold for; any if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave: Option<u32>,
    /// Resources.
    #[serde(default)]
    pub bindings: Vec<Binding>,
    /// Acceleration structures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scenes: Vec<Scene>,
}

impl Dispatch {
    /// Reads and checks a file's text.
    ///
    /// # Errors
    /// See [`DispatchError`].
    pub fn from_json(text: &str) -> Result<Self, DispatchError> {
        let dispatch: Self = read(text)?;
        dispatch.check()?;
        Ok(dispatch)
    }

    /// Returns the file's text.
    pub fn to_json(&self) -> String {
        // Only maps whose keys are not strings can fail; this has none.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Checks each binding and acceleration structure, and that no two share a place.
    ///
    /// # Errors
    /// See [`DispatchError`].
    pub fn check(&self) -> Result<(), DispatchError> {
        let mut places: Vec<Place> = self.bindings.iter().map(|binding| binding.place).collect();
        places.extend(self.scenes.iter().map(Scene::place));
        places.sort_unstable();
        if let Some(pair) = places.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(DispatchError::Twice { place: pair[0] });
        }
        // Before any contents are made: a short JSON text can request a huge amount.
        let total = self
            .bindings
            .iter()
            .filter_map(Binding::size_in_bytes)
            .fold(0, u64::saturating_add);
        if total > MAX_TOTAL {
            return Err(DispatchError::TooMuch { bytes: total });
        }
        self.bindings.iter().try_for_each(Binding::check)?;
        self.scenes.iter().try_for_each(Scene::check)
    }
}

impl Binding {
    /// Creates a binding of a class, register and kind; its other fields are absent.
    pub fn new(class: Class, space: u32, register: u32, kind: Kind) -> Self {
        Self {
            place: Place::at(class, space, register),
            kind,
            stride: None,
            format: None,
            bytes: None,
            size: None,
            layers: 1,
            mips: 1,
            samples: 1,
            data: None,
            counter: None,
            filter: None,
            address: None,
            compare: None,
            expect: None,
            expect_counter: None,
            tolerance: None,
        }
    }

    fn check(&self) -> Result<(), DispatchError> {
        let fail = |rule| {
            Err(DispatchError::Binding {
                place: self.place,
                rule,
            })
        };
        let class = self.place.class;
        match self.kind {
            Kind::Constants if class != Class::Cbv => return fail(BindingRule::ConstantsClass),
            Kind::Sampler if class != Class::Sampler => return fail(BindingRule::SamplerClass),
            Kind::Constants | Kind::Sampler => {}
            _ if !matches!(class, Class::Srv | Class::Uav) => {
                return fail(BindingRule::ResourceClass);
            }
            _ => {}
        }
        if (self.kind == Kind::Structured) != self.stride.is_some_and(|stride| stride > 0) {
            return fail(BindingRule::Stride);
        }
        if (self.kind == Kind::Typed || self.kind.is_texture()) != self.format.is_some() {
            return fail(BindingRule::Format);
        }
        if self.kind.is_texture() != self.size.is_some_and(|size| size.iter().all(|&n| n > 0)) {
            return fail(BindingRule::Size);
        }
        if !self.shape_fits() {
            return fail(BindingRule::Shape);
        }
        if self.kind.is_texture() && self.bytes.is_some() {
            return fail(BindingRule::Bytes);
        }
        if self.layers == 0
            || self.mips == 0
            || self.mips > 32
            || (!self.kind.is_texture() && (self.layers, self.mips) != (1, 1))
        {
            return fail(BindingRule::LayersAndMips);
        }
        if !self.samples.is_power_of_two() || self.samples > MAX_SAMPLES {
            return fail(BindingRule::Samples);
        }
        if self.samples > 1
            && (!matches!(self.kind, Kind::Texture2D | Kind::Texture2DArray) || self.mips > 1)
        {
            return fail(BindingRule::MultisampledKind);
        }
        if self.counter.is_some() && (class != Class::Uav || self.kind != Kind::Structured) {
            return fail(BindingRule::Counter);
        }
        if self.kind == Kind::Sampler && (self.data.is_some() || self.bytes.is_some()) {
            return fail(BindingRule::SamplerContents);
        }
        self.contents().map(drop)?;
        self.expected().map(drop)
    }

    /// Returns whether the kind can have this size and these layers.
    fn shape_fits(&self) -> bool {
        let [_, height, depth] = self.size.unwrap_or([1; 3]);
        match self.kind {
            Kind::Texture1D => (height, depth, self.layers) == (1, 1, 1),
            Kind::Texture1DArray => (height, depth) == (1, 1),
            Kind::Texture2D => (depth, self.layers) == (1, 1),
            Kind::Texture2DArray => depth == 1,
            Kind::Texture3D => self.layers == 1,
            Kind::TextureCube => depth == 1 && self.layers == 6,
            Kind::TextureCubeArray => depth == 1 && self.layers.is_multiple_of(6),
            Kind::Constants | Kind::Raw | Kind::Structured | Kind::Typed | Kind::Sampler => true,
        }
    }

    /// Bytes of the resource; `None` if only its data determines them.
    pub fn size_in_bytes(&self) -> Option<u64> {
        if let (Some(size), Some(format)) = (self.size, self.format) {
            let texels: u64 = (0..self.mips.min(32))
                .map(|mip| {
                    size.iter()
                        .map(|&n| u64::from((n >> mip).max(1)))
                        .fold(1, u64::saturating_mul)
                })
                .fold(0, u64::saturating_add);
            let texels = texels
                .saturating_mul(u64::from(self.layers))
                .saturating_mul(u64::from(self.samples));
            return Some(texels.saturating_mul(format.bytes() as u64));
        }
        self.bytes
    }

    /// Contents before the run.
    ///
    /// # Errors
    /// See [`Data::bytes`].
    pub fn contents(&self) -> Result<Vec<u8>, DispatchError> {
        let size = self.size_in_bytes();
        match &self.data {
            Some(data) => data.bytes(size),
            None => Data::U8(Vec::new()).bytes(size),
        }
    }

    /// Contents that are expected after the run; `None` if the file does not specify them.
    ///
    /// # Errors
    /// See [`Data::bytes`].
    pub fn expected(&self) -> Result<Option<Vec<u8>>, DispatchError> {
        let Some(expect) = &self.expect else {
            return Ok(None);
        };
        let size = self
            .size_in_bytes()
            .map_or_else(|| self.contents().map(|bytes| bytes.len() as u64), Ok)?;
        expect.bytes(Some(size)).map(Some)
    }
}

#[cfg(test)]
mod tests;
