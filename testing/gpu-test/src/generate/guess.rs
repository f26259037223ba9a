//! Inputs for a shader about which only its resources are known: sizes, formats and numbers that it
//! can work with.
//!
//! The element types come from the HLSL text where DXIL's metadata lacks them. They are
//! guesses: whoever uses them checks that the references agree.

use trellis_dxil_interpreter::dispatch::{
    Address, Binding, Class, Compare, Data, Filter, Kind, Number,
};
use trellis_dxil_interpreter::format::Format;
use trellis_spirv_backend::reflect::{Reflection, ResourceReflection};

use crate::formats;
use crate::spirv_module::SpirvModule;

/// Numbers that a case is filled with where the shader reads integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// 0 to 15.
    Small,
    /// 0 to 1000.
    Middle,
    /// All bits.
    Any,
    /// Floats from -4 to 4 also where numbers are not declared as floats.
    Floats,
    /// All the same number: loops that end when two are equal.
    Ones,
}

impl Pattern {
    /// All patterns, in the order in which they are tried.
    pub const ALL: [Pattern; 5] = [
        Pattern::Small,
        Pattern::Any,
        Pattern::Floats,
        Pattern::Middle,
        Pattern::Ones,
    ];

    /// Returns the name of a case.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Small => "small numbers",
            Pattern::Middle => "numbers up to 1000",
            Pattern::Any => "any bits",
            Pattern::Floats => "floats",
            Pattern::Ones => "ones",
        }
    }

    fn data(self, number: Number, seed: u64) -> Data {
        let random = |min: f64, max: f64| Data::Random {
            number,
            seed,
            min,
            max,
        };
        if number.is_float() {
            return random(-4.0, 4.0);
        }
        match self {
            Pattern::Small => random(0.0, 15.0),
            Pattern::Middle => random(0.0, 1000.0),
            Pattern::Any => random(0.0, (2f64.powi(number.bytes() as i32 * 8)) - 1.0),
            Pattern::Ones => random(1.0, 1.0),
            Pattern::Floats => Data::Random {
                number: Number::F32,
                seed,
                min: -4.0,
                max: 4.0,
            },
        }
    }
}

/// Width and height of textures.
const TEXELS: u32 = 16;

/// Samples of multisampled textures and targets: more devices have four than any other number above
/// one.
pub(super) const SAMPLES: u32 = 4;

/// Returns the resources of a shader, filled.
///
/// # Errors
/// A resource that tests cannot make, by name.
pub(super) fn bindings(
    reflection: &Reflection,
    module: &SpirvModule,
    hlsl: &str,
    pattern: Pattern,
    elements: u64,
) -> Result<Vec<Binding>, String> {
    let mut list = Vec::new();
    // A resource that the shader writes starts as zeros, unless it is the only one to read.
    let reads = reflection.resources.iter().any(|r| r.class == "srv");
    for (index, resource) in reflection.resources.iter().enumerate() {
        for register in 0..resource.count.unwrap_or(4).min(16) {
            let mut binding = binding(resource, register, module, hlsl, elements)?;
            let seed = index as u64 * 100 + u64::from(register) + 1;
            if resource.class != "uav" || !reads {
                fill(&mut binding, resource, hlsl, pattern, seed);
            }
            list.push(binding);
        }
    }
    // Integers cannot be filtered.
    if list.iter().any(|b| {
        b.place.class == Class::Srv
            && b.kind.is_texture()
            && b.format.is_some_and(Format::is_integer)
    }) {
        for sampler in list.iter_mut().filter(|b| b.kind == Kind::Sampler) {
            sampler.filter = Some(Filter::Point);
        }
    }
    Ok(list)
}

fn binding(
    resource: &ResourceReflection,
    offset: u32,
    module: &SpirvModule,
    hlsl: &str,
    elements: u64,
) -> Result<Binding, String> {
    let class = match resource.class {
        "srv" => Class::Srv,
        "uav" => Class::Uav,
        "cbuffer" => Class::Cbv,
        _ => Class::Sampler,
    };
    let (kind, size, layers) = match resource.kind.as_str() {
        "CBuffer" => (Kind::Constants, [0; 3], 1),
        "RawBuffer" => (Kind::Raw, [0; 3], 1),
        "StructuredBuffer" => (Kind::Structured, [0; 3], 1),
        "TypedBuffer" | "TBuffer" => (Kind::Typed, [0; 3], 1),
        "Sampler" => (Kind::Sampler, [0; 3], 1),
        "Texture1D" => (Kind::Texture1D, [TEXELS, 1, 1], 1),
        "Texture1DArray" => (Kind::Texture1DArray, [TEXELS, 1, 1], 4),
        "Texture2D" | "Texture2DMS" => (Kind::Texture2D, [TEXELS, TEXELS, 1], 1),
        "Texture2DArray" | "Texture2DMSArray" => (Kind::Texture2DArray, [TEXELS, TEXELS, 1], 4),
        "Texture3D" => (Kind::Texture3D, [TEXELS, TEXELS, 4], 1),
        "TextureCube" => (Kind::TextureCube, [TEXELS, TEXELS, 1], 6),
        "TextureCubeArray" => (Kind::TextureCubeArray, [TEXELS, TEXELS, 1], 12),
        other => return Err(format!("tests have no {other}")),
    };
    let multisampled = resource.kind.contains("MS");
    let mut b = Binding::new(class, resource.space, resource.register + offset, kind);
    match kind {
        Kind::Constants => {
            b.bytes = Some(u64::from(resource.size.unwrap_or(16).next_multiple_of(16)));
        }
        Kind::Raw => b.bytes = Some(elements * 4),
        Kind::Structured => {
            b.stride = resource.stride;
            b.bytes = Some(elements * u64::from(resource.stride.unwrap_or(4)));
            // Unused slots above and entries below.
            b.counter = resource.counter.as_ref().map(|_| 1000);
        }
        Kind::Sampler => {
            b.filter = Some(Filter::Linear);
            b.address = Some(Address::Wrap);
            b.compare = resource
                .flags
                .contains(&"comparison")
                .then_some(Compare::LessEqual);
        }
        _ => {
            let format = format(resource, offset, module, hlsl);
            b.format = Some(format);
            if kind == Kind::Typed {
                b.bytes = Some(elements * format.bytes() as u64);
            } else {
                b.size = Some(size);
                b.layers = layers;
                b.mips = if class == Class::Srv && kind != Kind::Texture3D && !multisampled {
                    3
                } else {
                    1
                };
                b.samples = if multisampled { SAMPLES } else { 1 };
            }
        }
    }
    Ok(b)
}

fn format(resource: &ResourceReflection, offset: u32, module: &SpirvModule, hlsl: &str) -> Format {
    let shift = if resource.class == "uav" { 2000 } else { 1000 };
    let at = resource.register + offset + shift;
    let demanded = module
        .resources
        .iter()
        .filter(|r| r.set == resource.space && r.binding == at)
        .find_map(|r| r.format);
    if let Some(format) = demanded.and_then(formats::demanded) {
        return format;
    }
    let ty = element_type(hlsl, &resource.name).unwrap_or_default();
    // Storage of one component is one component wide; three are padded.
    let wide = ty.ends_with(['2', '3', '4']);
    match (resource.component.as_deref().unwrap_or_default(), wide) {
        ("U32" | "U16", true) => Format::R32G32B32A32_UINT,
        ("U32" | "U16", false) => Format::R32_UINT,
        ("I32" | "I16", true) => Format::R32G32B32A32_SINT,
        ("I32" | "I16", false) => Format::R32_SINT,
        ("F64" | "I64" | "U64", _) => Format::R32G32_UINT,
        ("UNormF32" | "UNormF16", _) => Format::R8G8B8A8_UNORM,
        ("SNormF32" | "SNormF16", _) => Format::R8G8B8A8_SNORM,
        (_, true) => Format::R32G32B32A32_FLOAT,
        _ => Format::R32_FLOAT,
    }
}

fn fill(
    binding: &mut Binding,
    resource: &ResourceReflection,
    hlsl: &str,
    pattern: Pattern,
    seed: u64,
) {
    match binding.kind {
        Kind::Sampler => {}
        Kind::Constants => {
            binding.data = Some(
                constants(hlsl, &resource.name).unwrap_or_else(|| pattern.data(Number::U32, seed)),
            );
        }
        _ => {
            if let Some(format) = binding.format {
                binding.data = Some(texels(format, pattern, seed));
            } else {
                let ty = element_type(hlsl, &resource.name).unwrap_or_default();
                // As floats small integers would be denormal, which devices may flush.
                let number = if has_floats(hlsl, &ty) {
                    Number::F32
                } else {
                    number(&ty)
                };
                binding.data = Some(pattern.data(number, seed));
            }
        }
    }
}

fn texels(format: Format, pattern: Pattern, seed: u64) -> Data {
    use trellis_dxil_interpreter::format::Encoding as E;
    let bits = format.bits()[0];
    match (format.encoding(), bits) {
        (E::Float, 32) => Data::Random {
            number: Number::F32,
            seed,
            min: 0.0,
            max: 1.0,
        },
        (E::Float, 16) => Data::Random {
            number: Number::F16,
            seed,
            min: 0.0,
            max: 1.0,
        },
        (E::Uint | E::Sint, 32) => pattern.data(Number::U32, seed),
        (E::Uint | E::Sint, 16) => pattern.data(Number::U16, seed),
        _ => Data::Random {
            number: Number::U8,
            seed,
            min: 0.0,
            max: 255.0,
        },
    }
}

/// Returns the kind of numbers of a type; unsigned words by default.
fn number(ty: &str) -> Number {
    let stem = ty.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'x');
    match ty {
        _ if ty.starts_with("float16") => Number::F16,
        _ if ty.starts_with("int16") || ty.starts_with("uint16") => Number::U16,
        _ if ty.starts_with("int64") || ty.starts_with("uint64") => Number::U64,
        _ => match stem {
            "float" | "half" | "min" => Number::F32,
            "double" => Number::F64,
            _ if ty.starts_with("min16float") => Number::F32,
            _ => Number::U32,
        },
    }
}

/// Returns whether a structure of that name has a field of floats.
fn has_floats(hlsl: &str, ty: &str) -> bool {
    let body = hlsl
        .split_once(&format!("struct {ty}"))
        .and_then(|(_, rest)| rest.split_once('}'))
        .map_or("", |(body, _)| body);
    !ty.is_empty() && body.contains("float") && !body.contains("float16")
}

/// Returns the text between `<` and `>` in the declaration of a resource.
fn element_type(hlsl: &str, name: &str) -> Option<String> {
    for line in hlsl.lines() {
        let code = line.split("//").next().unwrap_or_default();
        let named = code
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .any(|word| word == name);
        if named
            && let (Some(open), Some(close)) = (code.find('<'), code.find('>'))
            && open < close
            && code[..open].contains(['B', 'T'])
        {
            let ty = code[open + 1..close].split(',').next().unwrap_or_default();
            return Some(
                ty.split_whitespace()
                    .next_back()
                    .unwrap_or_default()
                    .to_owned(),
            );
        }
    }
    None
}

/// Constants of a `cbuffer` whose fields are numbers and vectors: floats become 0.5, 1.5, …,
/// integers 3, 4, … `None` for other types.
fn constants(hlsl: &str, name: &str) -> Option<Data> {
    let at = hlsl.find(&format!("cbuffer {name}"))?;
    let body = hlsl[at..].split_once('{')?.1.split_once('}')?.0;
    let mut words: Vec<u32> = Vec::new();
    for (index, field) in body
        .lines()
        .map(|l| l.split("//").next().unwrap_or_default())
        .collect::<String>()
        .split(';')
        .enumerate()
    {
        let Some(ty) = field
            .split_whitespace()
            .find(|w| !matches!(*w, "const" | "precise"))
        else {
            continue;
        };
        if field.contains(['[', ':']) || ty.contains('x') {
            return None;
        }
        let stem = ty.trim_end_matches(|c: char| c.is_ascii_digit());
        let columns: usize = if stem.len() == ty.len() {
            1
        } else {
            ty[stem.len()..].parse().ok().filter(|n| *n <= 4)?
        };
        let value = |column: usize| match stem {
            "float" => Some((index as f32 + 0.5 + column as f32).to_bits()),
            "uint" | "int" | "dword" => Some(index as u32 + 3 + column as u32),
            "bool" => Some(1),
            _ => None,
        };
        if words.len() % 4 + columns > 4 {
            words.resize(words.len().next_multiple_of(4), 0);
        }
        for column in 0..columns {
            words.push(value(column)?);
        }
    }
    (!words.is_empty()).then_some(Data::U32(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_come_from_declarations() {
        let hlsl = "StructuredBuffer<uint> In : register(t0);\nRWTexture2D<unorm float4> T; // In<float>\n";
        assert_eq!(element_type(hlsl, "In").as_deref(), Some("uint"));
        assert_eq!(element_type(hlsl, "T").as_deref(), Some("float4"));
        assert_eq!(number("float3"), Number::F32);
        assert_eq!(number("int64_t2"), Number::U64);
        assert_eq!(number("min16float"), Number::F32);
        assert!(
            has_floats("struct Item { uint a; float b; };", "Item")
                && !has_floats("struct Item { uint a; }; float f;", "Item")
        );
    }

    #[test]
    fn constants_are_packed_as_hlsl_does() {
        let data = constants(
            "cbuffer P : register(b0) { uint a; float2 b;\n int2 c; bool d; }",
            "P",
        );
        assert_eq!(
            data,
            Some(Data::U32(vec![
                3,
                1.5f32.to_bits(),
                2.5f32.to_bits(),
                0,
                5,
                6,
                1
            ]))
        );
        assert_eq!(constants("cbuffer P { float4x4 m; }", "P"), None);
    }
}
