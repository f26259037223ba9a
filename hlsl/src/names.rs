//! Names that HLSL accepts, each used once.

use std::collections::BTreeMap;

/// Words that name something in HLSL and may be the name of a variable in a module.
const RESERVED: &str = "abs acos all any asdouble asfloat asin asint asuint atan atan2 bool break \
    buffer case cbuffer ceil centroid clamp class clip column_major compile const continue cos cosh \
    countbits cross ddx ddy default degrees discard distance do dot double dst dword else enum exp \
    exp2 export extern false firstbithigh firstbitlow float floor fmod for fmad frac frexp fwidth \
    globallycoherent groupshared half if in indices inline inout int interface isfinite isinf isnan \
    ldexp length lerp linear line lineadj lit log log10 log2 mad matrix max min modf mul namespace \
    nointerpolation noise noperspective normalize operator out packoffset pass payload pixelfragment \
    point pow precise primitives radians rcp reflect refract register return reversebits round \
    row_major rsqrt sample sampler saturate shared sign sin sincos sinh smoothstep snorm sqrt stateblock \
    static step string struct switch tan tanh tbuffer technique template texture this transpose true \
    triangle triangleadj trunc typedef typename uint uniform union unorm unsigned using vector \
    vertices void volatile while auto catch char delete friend goto long mutable new private \
    protected public short signed sizeof throw try virtual main";

/// Names in use.
#[derive(Clone, Debug)]
pub(crate) struct Names(BTreeMap<String, u32>);

impl Names {
    pub(crate) fn new() -> Self {
        Self(
            RESERVED
                .split_whitespace()
                .map(|word| (word.to_owned(), 0))
                .collect(),
        )
    }

    /// Returns a name like `wanted` that was not returned before: with another number at its end.
    pub(crate) fn add(&mut self, wanted: &str) -> String {
        let wanted = identifier(wanted);
        let base = wanted
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .to_owned();
        let mut name = wanted;
        while self.0.contains_key(&name) {
            let count = self.0.entry(format!("{base}#")).or_insert(0);
            *count += 1;
            name = format!("{base}{count}");
        }
        self.0.insert(name.clone(), 0);
        name
    }
}

/// Returns a text in which `_` replaces each character that no name has.
pub(crate) fn identifier(text: &str) -> String {
    let is_good = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut name: String = text
        .chars()
        .map(|c| if is_good(c) { c } else { '_' })
        .collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name.insert(0, '_');
    }
    name
}
