//! Errors in a dispatch file.

use trellis_dxil_frontend::described;

use super::{MAX_BYTES, MAX_TOTAL, Place, SceneRule};

/// An error in a dispatch file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DispatchError {
    /// It is not JSON, or not of this form.
    #[error("not a dispatch file: {message}")]
    Json {
        /// The line of the error, from 1.
        line: usize,
        /// The column of the error, from 1.
        column: usize,
        /// What the JSON reader reports, with line and column.
        message: String,
    },
    /// A binding has a field that bindings do not have.
    #[error("not a dispatch file: unknown field `{field}` of a binding")]
    UnknownField {
        /// The field.
        field: String,
    },
    /// Contents are longer than the resource.
    #[error("{found} bytes of data in a resource of {size} bytes")]
    TooLong {
        /// Bytes of the contents.
        found: u64,
        /// Bytes of the resource.
        size: u64,
    },
    /// A resource is larger than [`MAX_BYTES`].
    #[error("a resource of {bytes} bytes, at most {MAX_BYTES} are allowed")]
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// All resources together are larger than [`MAX_TOTAL`].
    #[error("resources of {bytes} bytes, at most {MAX_TOTAL} are allowed")]
    TooMuch {
        /// Their size.
        bytes: u64,
    },
    /// `fill` or `iota` where nothing ends it.
    #[error(
        "fill and iota need a resource with a size, a pattern that is not empty, and the last place in a list"
    )]
    Endless,
    /// `fill`, `iota` or `list` inside `fill`, or `list` inside `list`.
    #[error("fill takes plain numbers, and lists do not nest")]
    Nested,
    /// Malformed hexadecimal digits.
    #[error("hex takes pairs of hexadecimal digits")]
    Hex,
    /// A binding lacks what its kind needs, or has what its kind does not take.
    #[error("{place}: {rule}")]
    Binding {
        /// The binding.
        place: Place,
        /// The rule that it breaks.
        rule: BindingRule,
    },
    /// An acceleration structure breaks a rule.
    #[error("{place}: {rule}")]
    Scene {
        /// The acceleration structure.
        place: Place,
        /// The rule that it breaks.
        rule: SceneRule,
    },
    /// Two bindings are at the same place.
    #[error("{place} is bound twice")]
    Twice {
        /// The place.
        place: Place,
    },
}

described! {
    /// A rule for the bindings of a dispatch file.
    #[derive(Copy)]
    BindingRule {
        ConstantsClass => "only a cbv holds constants";
        SamplerClass => "only the class sampler holds a sampler";
        ResourceClass => "only an srv or uav holds a resource of this kind";
        Stride => "a structured buffer, and no other kind, has a stride above 0";
        Format => "a typed buffer or texture, and no other kind, has a format";
        Size => "a texture, and no other kind, has a size of three numbers above 0";
        Shape =>
            "the size is 1 in dimensions that the kind does not have, layers are 1 unless it is an \
             array, and layers of cubes are a multiple of 6";
        Bytes => "a texture has a size and not bytes";
        LayersAndMips =>
            "layers and mips are at least 1, mips at most 32, and only textures have several";
        Samples => "the number of samples is a power of two, at most 32";
        MultisampledKind =>
            "only 2D textures and arrays of them, without further mip levels, have several samples";
        Counter => "only the uav of a structured buffer has a counter";
        SamplerContents => "a sampler has no contents";
    }
}
