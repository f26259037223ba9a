//! Sampler feedback: a sample marks the regions of a texture that it would have read.
//!
//! Vulkan has no feedback maps. A map is a storage image of 64-bit texels here, one for each region of
//! the paired texture's first level, that the application's layer decodes:
//!
//! * The low four bits of the image's width and height are the binary logarithms of a region's width and
//!   height in texels; the image is as much larger than the map as that needs.
//! * Bits 4 × L to 4 × L + 3 of a texel are about level L, in regions of that level's grid, which
//!   has the same number of texels per region: bit 0 is set if the region of the texel was read,
//!   bit 1 if the next one in X was, bit 2 the next one in Y, bit 3 the next one in both.
//!
//! One sample thus marks all four regions that a bilinear footprint can touch with one atomic
//! operation for a level. Both kinds of map (`MIN_MIP` and `MIP_REGION_USED`) are decoded from
//! that. The layout is the same as dxil-spirv's, so that layers written for it work unchanged.
//! Approximations: footprints of anisotropic filters are boxes, wrapping is assumed for coordinates
//! outside of 0 to 1, and the filter of a sampler is taken as trilinear where the level is
//! explicit. (Direct3D's specification of sampler feedback lets implementations mark more than was
//! read.)

use rspirv::spirv::{Capability, GlslStd450Op as GLOp, Op, StorageClass, Word};
use trellis_dxil_frontend::dxop::SamplerFeedbackOp;

use super::Emitter;
use super::derivative::has_derivatives;
use super::sample::{Sampled, join};
use crate::error::Error;
use crate::resources::{Access, Handle, arg_handle};

/// Operand positions: map, image, sampler, four coordinates.
const MAP: usize = 0;
const IMAGE: usize = 1;
const SAMPLER: usize = 2;
const COORDS: usize = 3;
/// First operand after the coordinates.
const REST: usize = 7;

/// Levels that a texel has bits for.
const LEVELS: u32 = 16;
/// Steps between two levels of detail, between which filters interpolate: below half a step the
/// next level is not read.
const STEPS_LOG2: u32 = 8;
/// Most samples of an anisotropic filter.
const ANISOTROPY: f32 = 16.0;

/// The texture, where it is sampled.
struct Sample {
    image: Sampled,
    /// Texture coordinates: two numbers of 32 bits.
    at: Word,
    /// The last level, a signed integer.
    last: Word,
    /// Width and height of the first level: two signed integers.
    size: Word,
    /// Number of layers of an array.
    layers: Option<Word>,
    /// The absolute change of the coordinates between neighbours, where the level is implicit.
    extent: Option<Word>,
}

/// The types in use.
#[derive(Clone, Copy)]
struct Types {
    int: Word,
    int2: Word,
    float: Word,
    float2: Word,
    wide: Word,
}

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: SamplerFeedbackOp) -> Result<(), Error> {
    let map = arg_handle(e, MAP)?;
    if !map.desc.is_feedback() {
        return Err(e.invalid_resource(format!("to a {:?}", map.desc.kind)));
    }
    let image = join(e, (IMAGE, SAMPLER))?;
    let arrayed = map.desc.image().is_some_and(|shape| shape.arrayed);
    if image.shape.position != 2 || image.shape.arrayed != arrayed {
        return Err(e.unsupported_on("an image of another shape than its feedback map"));
    }
    e.b.caps.add(Capability::ImageQuery);
    e.b.caps.add(Capability::Int64);
    e.b.caps.add(Capability::Int64Atomics);
    let (int, float) = (e.b.ty_int_signed(32, true), e.b.ty_f32());
    let t = Types {
        int,
        int2: e.b.ty_vec(int, 2),
        float,
        float2: e.b.ty_vec(float, 2),
        wide: e.b.ty_int(64),
    };
    let levels = e.b.op(Op::ImageQueryLevels, t.int, &[image.image]);
    let one = e.b.const_i32(1);
    let last = e.b.op(Op::ISub, t.int, &[levels, one]);
    // A texel has no bits for further levels.
    let most = e.b.const_i32(LEVELS as i32 - 1);
    let last = e.b.ext(GLOp::SMin, t.int, &[last, most]);
    let at = e.arg_vector(COORDS, 2)?;
    let (size, layers) = size(e, t, &image);
    let mut sample = Sample {
        image,
        at,
        last,
        size,
        layers,
        extent: None,
    };
    let level = level(e, op, t, &mut sample)?;
    let (fine, coarse, both) = levels_read(e, t, &sample, level);
    let map = Map::of(e, &map, t, &sample)?;
    map.mark(e, t, &sample, fine, None);
    map.mark(e, t, &sample, coarse, Some(both));
    Ok(())
}

/// Returns the level of detail, from 0 to the last level.
fn level(
    e: &mut Emitter<'_>,
    op: SamplerFeedbackOp,
    t: Types,
    sample: &mut Sample,
) -> Result<Word, Error> {
    let (level, clamp) = match op {
        SamplerFeedbackOp::WriteSamplerFeedback => (implicit(e, t, sample, 0)?, Some(REST)),
        SamplerFeedbackOp::WriteSamplerFeedbackBias => {
            // The level before it is clamped: the sum is clamped.
            let level = implicit(e, t, sample, 1)?;
            let bias = e.arg_id(REST)?;
            (e.b.op(Op::FAdd, t.float, &[level, bias]), Some(REST + 1))
        }
        SamplerFeedbackOp::WriteSamplerFeedbackLevel => (e.arg_id(REST)?, None),
        SamplerFeedbackOp::WriteSamplerFeedbackGrad => {
            (of_gradients(e, t, sample)?, Some(REST + 6))
        }
    };
    let mut level = level;
    if let Some(clamp) = clamp {
        let clamp = e.arg_value(clamp)?;
        if e.is_given(clamp) {
            let least = e.id(clamp)?;
            level = e.b.ext(GLOp::NMax, t.float, &[level, least]);
        }
    }
    let last = e.b.op(Op::ConvertSToF, t.float, &[sample.last]);
    let zero = e.b.const_f32(0.0);
    Ok(e.b.ext(GLOp::NClamp, t.float, &[level, zero, last]))
}

/// Returns the level of detail that derivatives give: clamped to the view's levels (component 0), or not
/// (component 1).
fn implicit(
    e: &mut Emitter<'_>,
    t: Types,
    sample: &mut Sample,
    component: u32,
) -> Result<Word, Error> {
    if !has_derivatives(e) {
        return Ok(e.b.const_f32(0.0));
    }
    let change = [Op::DPdx, Op::DPdy].map(|op| {
        let change = e.b.op(op, t.float2, &[sample.at]);
        e.b.ext(GLOp::FAbs, t.float2, &[change])
    });
    sample.extent = Some(e.b.ext(GLOp::FMax, t.float2, &change));
    let levels =
        e.b.op(Op::ImageQueryLod, t.float2, &[sample.image.id, sample.at]);
    Ok(e.b.extract(t.float, levels, component))
}

/// Returns the level of detail of gradients: the logarithm of the longer one in texels.
fn of_gradients(e: &mut Emitter<'_>, t: Types, sample: &Sample) -> Result<Word, Error> {
    let size = e.b.op(Op::ConvertSToF, t.float2, &[sample.size]);
    let mut squares = [0; 2];
    for (square, first) in squares.iter_mut().zip([REST, REST + 3]) {
        let gradient = e.arg_vector(first, 2)?;
        let texels = e.b.op(Op::FMul, t.float2, &[gradient, size]);
        *square = e.b.op(Op::Dot, t.float, &[texels, texels]);
    }
    let square = e.b.ext(GLOp::NMax, t.float, &squares);
    let twice = e.b.ext(GLOp::Log2, t.float, &[square]);
    let half = e.b.const_f32(0.5);
    Ok(e.b.op(Op::FMul, t.float, &[twice, half]))
}

/// Returns width and height of the first level, and the number of layers of an array.
fn size(e: &mut Emitter<'_>, t: Types, image: &Sampled) -> (Word, Option<Word>) {
    let zero = e.b.const_i32(0);
    if !image.shape.arrayed {
        let size = e.b.op(Op::ImageQuerySizeLod, t.int2, &[image.image, zero]);
        return (size, None);
    }
    let int3 = e.b.ty_vec(t.int, 3);
    let size = e.b.op(Op::ImageQuerySizeLod, int3, &[image.image, zero]);
    let layers = e.b.extract(t.int, size, 2);
    let size = e.b.op(Op::VectorShuffle, t.int2, &[size, size, 0, 1]);
    (size, Some(layers))
}

/// Returns width and height of a level, as floats. They are computed: drivers are slow, or wrong,
/// where neighbours query different levels.
fn size_of_level(e: &mut Emitter<'_>, t: Types, sample: &Sample, level: Word) -> Word {
    let shift = e.b.op(Op::CompositeConstruct, t.int2, &[level, level]);
    let size =
        e.b.op(Op::ShiftRightArithmetic, t.int2, &[sample.size, shift]);
    let one = e.b.const_i32(1);
    let least = e.b.const_composite(t.int2, &[one, one]);
    let size = e.b.ext(GLOp::SMax, t.int2, &[size, least]);
    e.b.op(Op::ConvertSToF, t.float2, &[size])
}

/// Returns the two levels that a trilinear filter reads at a level of detail, and whether they differ.
fn levels_read(e: &mut Emitter<'_>, t: Types, sample: &Sample, level: Word) -> (Word, Word, Word) {
    // Fixed point with STEPS_LOG2 bits after the point.
    let (steps, log2) = (e.b.const_f32(256.0), e.b.const_u32(STEPS_LOG2));
    let (mask, one) = (e.b.const_i32(255), e.b.const_i32(1));
    let zero = e.b.const_i32(0);
    let bool_ty = e.b.ty_bool();
    let scaled = e.b.op(Op::FMul, t.float, &[level, steps]);
    let rounded = e.b.ext(GLOp::RoundEven, t.float, &[scaled]);
    let fixed = e.b.op(Op::ConvertFToS, t.int, &[rounded]);
    let fine = e.b.op(Op::ShiftRightArithmetic, t.int, &[fixed, log2]);
    let rest = e.b.op(Op::BitwiseAnd, t.int, &[fixed, mask]);
    let between = e.b.op(Op::INotEqual, bool_ty, &[rest, zero]);
    let next = e.b.op(Op::IAdd, t.int, &[fine, one]);
    let coarse = e.b.ext(GLOp::SMin, t.int, &[next, sample.last]);
    let other = e.b.op(Op::INotEqual, bool_ty, &[coarse, fine]);
    let both = e.b.op(Op::LogicalAnd, bool_ty, &[between, other]);
    (fine, coarse, both)
}

/// A feedback map, and the part of a coordinate in it that all levels share.
struct Map {
    pointer: Word,
    non_uniform: bool,
    /// The logarithms of a region's size, negated.
    exponent: Word,
    layer: Option<Word>,
    /// The coordinates, wrapped into 0 to 1.
    wrapped: Word,
}

impl Map {
    fn of(e: &mut Emitter<'_>, handle: &Handle, t: Types, sample: &Sample) -> Result<Self, Error> {
        let loaded = e.load_descriptor(handle, Access::Image)?;
        let mut size = if sample.image.shape.arrayed {
            let int3 = e.b.ty_vec(t.int, 3);
            let size = e.b.op(Op::ImageQuerySize, int3, &[loaded.id]);
            e.b.op(Op::VectorShuffle, t.int2, &[size, size, 0, 1])
        } else {
            e.b.op(Op::ImageQuerySize, t.int2, &[loaded.id])
        };
        let low = e.b.const_i32(15);
        let low = e.b.const_composite(t.int2, &[low, low]);
        size = e.b.op(Op::BitwiseAnd, t.int2, &[size, low]);
        // `Ldexp` with it divides by the size of a region.
        let exponent = e.b.op(Op::SNegate, t.int2, &[size]);
        let layer = match sample.layers {
            Some(layers) => {
                let (zero, one) = (e.b.const_i32(0), e.b.const_i32(1));
                let last = e.b.op(Op::ISub, t.int, &[layers, one]);
                let layer = e.arg_id(COORDS + 2)?;
                let layer = e.b.ext(GLOp::RoundEven, t.float, &[layer]);
                let layer = e.b.op(Op::ConvertFToS, t.int, &[layer]);
                Some(e.b.ext(GLOp::SClamp, t.int, &[layer, zero, last]))
            }
            None => None,
        };
        let descriptor = e.descriptor(handle, Access::Image)?;
        let pointee = descriptor.pointee;
        let pointer = e.descriptor_pointer(&descriptor, &[], pointee);
        Ok(Self {
            pointer,
            non_uniform: descriptor.non_uniform,
            exponent,
            layer,
            wrapped: e.b.ext(GLOp::Fract, t.float2, &[sample.at]),
        })
    }

    /// Marks the regions that a bilinear filter reads of a level; none if `if_true` is false.
    fn mark(
        &self,
        e: &mut Emitter<'_>,
        t: Types,
        sample: &Sample,
        level: Word,
        if_true: Option<Word>,
    ) {
        let size = size_of_level(e, t, sample, level);
        let regions = e.b.ext(GLOp::Ldexp, t.float2, &[size, self.exponent]);
        let at = e.b.op(Op::FMul, t.float2, &[self.wrapped, regions]);
        let reach = self.reach(e, t, sample, size);
        let low = e.b.op(Op::FSub, t.float2, &[at, reach]);
        let zero = e.b.const_null(t.float2);
        let low = e.b.ext(GLOp::NMax, t.float2, &[low, zero]);
        let low = e.b.op(Op::ConvertFToS, t.int2, &[low]);
        let high = e.b.op(Op::FAdd, t.float2, &[at, reach]);
        let high = e.b.op(Op::ConvertFToS, t.int2, &[high]);
        let bits = neighbours(e, t, low, high);
        let bits = match if_true {
            Some(condition) => {
                let none = e.b.const_i32(0);
                e.b.op(Op::Select, t.int, &[condition, bits, none])
            }
            None => bits,
        };
        let bits = e.b.op(Op::UConvert, t.wide, &[bits]);
        let two = e.b.const_u32(2);
        let shift = e.b.op(Op::ShiftLeftLogical, t.int, &[level, two]);
        let bits = e.b.op(Op::ShiftLeftLogical, t.wide, &[bits, shift]);
        let place = match self.layer {
            Some(layer) => {
                let int3 = e.b.ty_vec(t.int, 3);
                e.b.op(Op::CompositeConstruct, int3, &[low, layer])
            }
            None => low,
        };
        let ty = e.b.ty_ptr(StorageClass::Image, t.wide);
        let sample = e.b.const_u32(0);
        let texel =
            e.b.op(Op::ImageTexelPointer, ty, &[self.pointer, place, sample]);
        if self.non_uniform {
            e.resources.mark_non_uniform(&mut e.f, texel);
        }
        e.atomic(Op::AtomicOr, t.wide, texel, &[bits]);
    }

    /// Returns half the size of the footprint in regions: of one texel, or with implicit levels of
    /// the distance between neighbours, as an anisotropic filter may read; no more than half a
    /// region, so that it touches two in each direction at most.
    fn reach(&self, e: &mut Emitter<'_>, t: Types, sample: &Sample, size: Word) -> Word {
        let mut both = |value: f32| {
            let value = e.b.const_f32(value);
            e.b.const_composite(t.float2, &[value, value])
        };
        let (half, one, most) = (both(0.5), both(1.0), both(ANISOTROPY));
        let mut reach = half;
        if let Some(extent) = sample.extent {
            let texels = e.b.op(Op::FMul, t.float2, &[extent, size]);
            let texels = e.b.ext(GLOp::NClamp, t.float2, &[texels, one, most]);
            reach = e.b.op(Op::FMul, t.float2, &[texels, half]);
        }
        let reach = e.b.ext(GLOp::Ldexp, t.float2, &[reach, self.exponent]);
        e.b.ext(GLOp::NMin, t.float2, &[reach, half])
    }
}

/// Returns the bits (of four, of a region and its next ones) that a footprint from `low` to `high`
/// touches.
fn neighbours(e: &mut Emitter<'_>, t: Types, low: Word, high: Word) -> Word {
    let bool_ty = e.b.ty_bool();
    let bool2 = e.b.ty_vec(bool_ty, 2);
    let differ = e.b.op(Op::INotEqual, bool2, &[low, high]);
    // Of each direction a factor: the region and the next one (1 + 2, 1 + 4), whose product has the bits
    // of all four.
    let one = e.b.const_i32(1);
    let factors = [(0, 3), (1, 5)].map(|(component, both)| {
        let differs = e.b.extract(bool_ty, differ, component);
        let both = e.b.const_i32(both);
        e.b.op(Op::Select, t.int, &[differs, both, one])
    });
    e.b.op(Op::IMul, t.int, &factors)
}
