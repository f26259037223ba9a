//! Errors in a dispatch file.

use trellis_dxil_frontend::described;

use super::{MAX_BYTES, MAX_SAMPLES, MAX_TOTAL, Place, SceneRule};

described! {
    /// An error in a dispatch file.
    DispatchError {
        /// It is not JSON, or not of this form.
        Json {
            /// The line of the error, from 1.
            line: usize,
            /// The column of the error, from 1.
            column: usize,
            message: String,
        } => "not a dispatch file: {message}";
        UnknownField { field: String } =>
            "not a dispatch file: unknown field `{field}` of a binding";
        TooLong { found: u64, size: u64 } => "{found} bytes of data in a resource of {size} bytes";
        TooLarge { bytes: u64 } => "a resource of {bytes} bytes, at most {MAX_BYTES} are allowed";
        TooMuch { bytes: u64 } => "resources of {bytes} bytes, at most {MAX_TOTAL} are allowed";
        /// `fill` or `iota` where nothing ends it.
        Endless =>
            "fill and iota need a resource with a size, a pattern that is not empty, and the last \
             place in a list";
        /// `fill`, `iota` or `list` inside `fill`, or `list` inside `list`.
        Nested => "fill takes plain numbers, and lists do not nest";
        Hex => "hex takes pairs of hexadecimal digits";
        Binding { place: Place, rule: BindingRule } => "{place}: {rule}";
        Scene { place: Place, rule: SceneRule } => "{place}: {rule}";
        Twice { place: Place } => "{place} is bound twice";
        Samples { samples: u32 } =>
            "{samples} samples: the number is a power of two, at most {MAX_SAMPLES}";
        Texels { texels: u64, limit: u64 } =>
            "{texels} texels and samples in a target, at most {limit} are allowed";
        Viewports { viewports: u32, limit: u32 } =>
            "{viewports} viewports, at most {limit} are possible here";
    }
}

impl std::error::Error for DispatchError {}

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
