//! The resources of the programs: declarations, expressions that read them, contents.

use trellis_dxil_interpreter::dispatch::{
    Address, Binding, Class, Compare, Data, Dispatch, Filter, Kind as Shape,
};
use trellis_dxil_interpreter::format::Format;

use super::expressions::{Expressions, Kind};
use super::long::{PART, PARTS};
use super::{Program, SLOTS};

/// Registers of UAVs with other contents than the interpreter's generator makes.
pub(super) const OUT: u32 = 0;

/// Structures of the buffers; `NARROW` and `WIDE` are replaced.
pub(super) const STRUCTURES: &str = "\
struct Inner { int a; float2 b; uint3 c; };
struct Item { uint4 u; float3 f; Inner inner[2]; row_major float2x3 rm; column_major int3x2 cm; NARROW WIDE };
";

/// Fields of 16 and 64 bits.
pub(super) const NARROW: &str = "half3 h; int16_t2 s;";
pub(super) const WIDE: &str = "uint64_t2 l; double d;";

/// Declarations that each program has; those that it does not use disappear.
pub(super) const DECLARATIONS: &str = "\
cbuffer Params : register(b0) { uint4 cu; float4 cf; Inner ci[2]; row_major float3x3 crm; column_major float2x3 ccm; int cs; };
StructuredBuffer<Item> In : register(t0);
ByteAddressBuffer Raw : register(t1);
Buffer<uint4> Words : register(t2);
Buffer<float2> Numbers : register(t3);
Texture2D<float4> Tex : register(t4);
Texture2DArray<uint2> Layers : register(t5);
Texture3D<float> Volume : register(t6);
TextureCube<float4> Cube : register(t7);
Texture1D<int4> Line : register(t8);
Texture2D<float> Depth : register(t9);
SamplerState Point : register(s0);
SamplerState Linear : register(s1);
SamplerState Wrap : register(s2);
SamplerComparisonState Less : register(s3);
RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<Item> Items : register(u1);
RWByteAddressBuffer Bytes : register(u2);
RWBuffer<uint> Counts : register(u3);
RWTexture2D<uint> Marks : register(u4);
RWTexture2D<float4> Image : register(u5);
RWStructuredBuffer<uint> Own : register(u6);
";

/// Returns an expression that reads a buffer: its text, type and number of components.
pub(super) fn read(e: &mut Expressions<'_>) -> (String, Kind, usize) {
    let narrow = e.kinds.contains(&Kind::F16);
    let wide = e.kinds.contains(&Kind::U64);
    let item = format!("In[{}]", e.index(64, 1));
    let half = e.index(2, 1);
    let place = e.index(64, 1);
    match e.rng.below(22) {
        0 => ("cu".to_owned(), Kind::U32, 4),
        1 => ("cf".to_owned(), Kind::F32, 4),
        2 => (format!("ci[{half}].b"), Kind::F32, 2),
        3 => (format!("ci[{half}].c"), Kind::U32, 3),
        4 => (format!("crm[{half}]"), Kind::F32, 3),
        5 => (format!("ccm[{half}]"), Kind::F32, 3),
        6 => ("cs".to_owned(), Kind::I32, 1),
        7 => (format!("{item}.u"), Kind::U32, 4),
        8 => (format!("{item}.f"), Kind::F32, 3),
        9 => (format!("{item}.inner[{half}].b"), Kind::F32, 2),
        10 => (format!("{item}.inner[{half}].c"), Kind::U32, 3),
        11 => (format!("{item}.rm[{half}]"), Kind::F32, 3),
        12 => (format!("{item}.cm[{half}]"), Kind::I32, 2),
        13 => (format!("Raw.Load3(4u * {place})"), Kind::U32, 3),
        14 if !e.fxc => (format!("Raw.Load<float2>(4u * {place})"), Kind::F32, 2),
        15 => (format!("Words[{place}]"), Kind::U32, 4),
        16 => (format!("Numbers[{place}]"), Kind::F32, 2),
        17 => (format!("item.inner[{half}].b"), Kind::F32, 2),
        18 => ("item.u".to_owned(), Kind::U32, 4),
        // Only its bits have any meaning.
        19 if wide => (format!("{item}.l"), Kind::U64, 2),
        20 if narrow => (format!("trunc({item}.h)"), Kind::F16, 3),
        21 if narrow => (format!("{item}.s"), Kind::I16, 2),
        _ => (format!("array[{}]", e.index(4, 1)), Kind::F32, 2),
    }
}

/// Returns an expression that reads a texture at the centre or a corner of a texel.
pub(super) fn texture(e: &mut Expressions<'_>) -> (String, Kind, usize) {
    let (x, y, z) = (e.index(8, 1), e.index(8, 1), e.index(4, 1));
    // Textures of 16 texels: centres, and corners between four.
    let centre = format!("(float2({x}, {y}) + 0.5) * 0.0625");
    let corner = format!("float2({x} + 1u, {y} + 1u) * 0.0625");
    let offset = e.rng.below(4);
    let level = e.rng.below(2);
    match e.rng.below(20) {
        0 | 1 => (format!("Tex.Load(int3({x}, {y}, {level}))"), Kind::F32, 4),
        2 => (
            format!("Tex.Load(int3({x}, {y}, 0), int2({offset}, 1))"),
            Kind::F32,
            4,
        ),
        3 => (format!("Tex.SampleLevel(Point, {centre}, 0)"), Kind::F32, 4),
        4 => (
            format!("Tex.SampleLevel(Point, {centre}, 0, int2({offset}, -1))"),
            Kind::F32,
            4,
        ),
        5 => (
            format!("(4 * Tex.SampleLevel(Linear, {corner}, 0))"),
            Kind::F32,
            4,
        ),
        6 => (
            format!("(4 * Tex.SampleLevel(Wrap, {corner} + 0.5, 0))"),
            Kind::F32,
            4,
        ),
        7 => (
            format!("Tex.SampleLevel(Wrap, {centre} - 1, 0)"),
            Kind::F32,
            4,
        ),
        8 => (
            format!("Tex.SampleGrad(Point, {centre}, float2(0.0625, 0), float2(0, 0.0625))"),
            Kind::F32,
            4,
        ),
        9 => {
            let colour = ["Red", "Green", "Blue", "Alpha"][offset];
            (format!("Tex.Gather{colour}(Point, {corner})"), Kind::F32, 4)
        }
        10 => (format!("Layers.Load(int4({x}, {y}, {z}, 0))"), Kind::U32, 2),
        11 => (format!("Volume.Load(int4({x}, {y}, {z}, 0))"), Kind::F32, 1),
        12 => (
            format!("Volume.SampleLevel(Point, float3({centre}, ({z} + 0.5) * 0.25), 0)"),
            Kind::F32,
            1,
        ),
        13 => {
            let at = |n: &str| format!("((float({n}) + 0.5) * 0.125 - 0.5)");
            let (u, v, major) = (at(&x), at(&y), ["1", "-1"][e.rng.below(2)]);
            let side = match e.rng.below(3) {
                0 => format!("{major}, {u}, {v}"),
                1 => format!("{u}, {major}, {v}"),
                _ => format!("{u}, {v}, {major}"),
            };
            (
                format!("Cube.SampleLevel(Point, float3({side}), 0)"),
                Kind::F32,
                4,
            )
        }
        14 => (format!("Line.Load(int2({x}, 0))"), Kind::I32, 4),
        15 => (
            format!("(4 * Depth.SampleCmpLevelZero(Less, {corner}, 0.375))"),
            Kind::F32,
            1,
        ),
        16 => (
            format!("Depth.GatherCmp(Less, {corner}, 0.625)"),
            Kind::F32,
            4,
        ),
        17 => (format!("(4 * Depth.Load(int3({x}, {y}, 0)))"), Kind::F32, 1),
        18 if !e.fxc => (
            "(Image[uint2(id & 15u, id >> 4u)])".to_owned(),
            Kind::F32,
            4,
        ),
        _ => (format!("Tex[uint2({x}, {y})]"), Kind::F32, 4),
    }
}

/// Returns the expression with another number of components.
pub(super) fn resized(text: &str, kind: Kind, have: usize, want: usize) -> String {
    match (have, want) {
        _ if have == want => text.to_owned(),
        (1, _) => format!("(({})({text}))", kind.name(want)),
        _ => {
            let letters: String = (0..want).map(|i| ["x", "y", "z", "w"][i % have]).collect();
            format!("({text}).{letters}")
        }
    }
}

/// Gives the resources that a program declares their contents, and the output its size.
pub(super) fn fill(dispatch: &mut Dispatch, program: &Program) {
    let threads = program.lanes * program.groups;
    let bytes = if program.long {
        PARTS + threads * PART
    } else {
        4096
    };
    // Small integers as floats; reads as integers see large ones. The length of the pattern is odd,
    // so that rows differ.
    let floats = |scale: f32| {
        let numbers = (0..61).map(|i| ((i * 37 + 11) % 17 - 8) as f32 * scale);
        Data::Fill(Box::new(Data::F32(numbers.collect())))
    };
    let integers = || Data::Fill(Box::new(Data::U32((0..61).map(|i| i * 29 % 53).collect())));
    for binding in &mut dispatch.bindings {
        let Binding { place, kind, .. } = *binding;
        match (place.class, place.register) {
            (Class::Uav, register) => {
                binding.data = None;
                match (binding.kind, register) {
                    (_, OUT) => binding.bytes = Some(u64::from(threads * SLOTS) * 4),
                    (Shape::Raw, _) => binding.bytes = Some(u64::from(bytes)),
                    _ => {}
                }
            }
            (Class::Sampler, register) => {
                let linear = matches!(register, 1 | 3);
                binding.filter = Some(if linear {
                    Filter::Linear
                } else {
                    Filter::Point
                });
                binding.address = Some(if register == 2 {
                    Address::Wrap
                } else {
                    Address::Clamp
                });
                if register == 2 {
                    binding.filter = Some(Filter::Linear);
                }
                binding.compare = (register == 3).then_some(Compare::Less);
            }
            // Depth, from 0 to 1.
            (Class::Srv, 9) => {
                let numbers = (0..61).map(|i| (i * 37 % 5) as f32 * 0.25);
                binding.data = Some(Data::Fill(Box::new(Data::F32(numbers.collect()))));
            }
            _ => {
                let integer = binding.format.is_some_and(Format::is_integer);
                binding.data = Some(if integer { integers() } else { floats(1.0) });
                if kind == Shape::Texture2D {
                    binding.mips = 2;
                }
            }
        }
    }
}
