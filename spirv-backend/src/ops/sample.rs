//! Texture samples, with and without comparison, and the LOD query.

use rspirv::spirv::{Capability, Dim, GlslStd450Op as GLOp, ImageOperands, Op, Word};
use smallvec::smallvec;
use trellis_dxil_frontend::dxop::SampleOp;
use trellis_dxil_frontend::shader::ResourceClass;

use super::Emitter;
use super::derivative::has_derivatives;
use super::texel::{ImageOps, Operands, STATUS, image_form};
use crate::error::{Error, Feature};
use crate::resources::arg_handle;
use crate::resources::{Access, ImageShape, Texel};

/// Operand positions that all samples share: SRV, sampler, four coordinates, three offsets.
const COORDS: usize = 2;
const OFFSETS: usize = 6;
/// First operand after the offsets.
const REST: usize = 9;

/// An image joined with a sampler.
pub(super) struct Sampled {
    pub(super) id: Word,
    /// The image without the sampler.
    pub(super) image: Word,
    pub(super) shape: ImageShape,
    pub(super) texel: Texel,
}

/// Joins the image in operand 0 with the sampler in operand 1.
pub(super) fn sampled_image(e: &mut Emitter<'_>) -> Result<Sampled, Error> {
    join(e, (0, 1))
}

/// Joins the image and the sampler in two operands.
pub(super) fn join(
    e: &mut Emitter<'_>,
    (image, sampler): (usize, usize),
) -> Result<Sampled, Error> {
    let (image, sampler) = (arg_handle(e, image)?, arg_handle(e, sampler)?);
    let (shape, texel) = image_form(e, &image)?;
    if shape.multisampled || shape.is_buffer() || image.desc.class != ResourceClass::Srv {
        return Err(e.invalid_resource(format!("of a {:?}", image.desc.kind)));
    }
    let (image, sampler) = (
        e.load_descriptor(&image, Access::Image)?,
        e.load_descriptor(&sampler, Access::Sampler)?,
    );
    let ty = e.b.ty_other(Op::TypeSampledImage, &[image.ty]);
    let id = e.b.op(Op::SampledImage, ty, &[image.id, sampler.id]);
    if image.non_uniform || sampler.non_uniform {
        e.resources.mark_non_uniform(&mut e.f, id);
    }
    let image = image.id;
    Ok(Sampled {
        id,
        image,
        shape,
        texel,
    })
}

/// Choice of the level of detail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lod {
    Implicit,
    Bias,
    Level,
    Zero,
    Grad,
}

/// Returns the instructions of a sample: plain and sparse.
fn instruction(implicit: bool, compare: bool) -> (Op, Op) {
    match (implicit, compare) {
        (true, false) => (Op::ImageSampleImplicitLod, Op::ImageSparseSampleImplicitLod),
        (false, false) => (Op::ImageSampleExplicitLod, Op::ImageSparseSampleExplicitLod),
        (true, true) => (
            Op::ImageSampleDrefImplicitLod,
            Op::ImageSparseSampleDrefImplicitLod,
        ),
        (false, true) => (
            Op::ImageSampleDrefExplicitLod,
            Op::ImageSparseSampleDrefExplicitLod,
        ),
    }
}

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: SampleOp) -> Result<(), Error> {
    // (LOD, compares, position of the clamp)
    let (lod, compare, clamp) = match op {
        SampleOp::Sample => (Lod::Implicit, false, Some(REST)),
        SampleOp::SampleBias => (Lod::Bias, false, Some(REST + 1)),
        SampleOp::SampleLevel => (Lod::Level, false, None),
        SampleOp::SampleGrad => (Lod::Grad, false, Some(REST + 6)),
        SampleOp::SampleCmp => (Lod::Implicit, true, Some(REST + 1)),
        SampleOp::SampleCmpLevelZero => (Lod::Zero, true, None),
        SampleOp::SampleCmpLevel => (Lod::Level, true, None),
        SampleOp::SampleCmpGrad => (Lod::Grad, true, Some(REST + 7)),
        SampleOp::SampleCmpBias => (Lod::Bias, true, Some(REST + 2)),
        SampleOp::CalculateLOD => return calculate_lod(e),
    };
    let implicit = matches!(lod, Lod::Implicit | Lod::Bias);
    // Without quads all derivatives are 0, and a bias has no effect on the logarithm of 0.
    let flat = implicit && !has_derivatives(e);
    let image = sampled_image(e)?;
    if compare && (image.texel != Texel::Float || image.shape.dim == Dim::Dim3D) {
        return Err(e.unsupported_on("an image without depth"));
    }
    let coordinate = e.arg_vector(COORDS, image.shape.coords)?;
    let mut operands: Operands = smallvec![image.id, coordinate];
    let mut rest = REST;
    if compare {
        operands.push(e.arg_id(REST)?);
        rest += 1;
    }
    let mut extra = ImageOps::default();
    match lod {
        _ if flat => {
            let ty = e.b.ty_floats(image.shape.position as u32);
            let zero = e.b.const_null(ty);
            extra.add_grad(zero, zero);
        }
        Lod::Implicit => {}
        Lod::Bias => extra.add(ImageOperands::BIAS, e.arg_id(rest)?),
        Lod::Level => {
            let level = e.arg_id(rest)?;
            let level = existing_level(e, &image, compare, level);
            extra.add(ImageOperands::LOD, level);
        }
        Lod::Zero => extra.add(ImageOperands::LOD, e.b.const_f32(0.0)),
        Lod::Grad => {
            let dx = e.arg_vector(rest, image.shape.position)?;
            let dy = e.arg_vector(rest + 3, image.shape.position)?;
            extra.add_grad(dx, dy);
        }
    }
    add_offset(e, image.shape, &mut extra)?;
    if let Some(clamp) = clamp {
        let clamp = e.arg_value(clamp)?;
        if e.is_given(clamp) {
            e.b.caps.add(Capability::MinLod);
            extra.add(ImageOperands::MIN_LOD, e.id(clamp)?);
        }
    }
    extra.append_to(&mut operands);
    let ops = instruction(implicit && !flat, compare);
    if !compare {
        return e.texel_result(ops, image.texel, operands);
    }
    // A comparison has one result; D3D repeats it in all components.
    let f32_ty = e.b.ty_f32();
    let id = e.sparse_aware(ops, f32_ty, operands);
    let shape = e.shape(e.field_type(e.call.inst, 0)?)?;
    let id = e.texel_to(id, Texel::Float, shape)?;
    for i in 0..STATUS {
        e.set_result(i, id);
    }
    Ok(())
}

/// Returns the level of detail of a sample. By a quirk the smallest three mips of cube maps (fewer
/// than 8x8 texels) are not used: for programs that do not write them.
fn existing_level(e: &mut Emitter<'_>, image: &Sampled, compare: bool, level: Word) -> Word {
    if !e.options.quirks.broken_cube_mips || compare || image.shape.dim != Dim::DimCube {
        return level;
    }
    e.b.caps.add(Capability::ImageQuery);
    let (signed, float) = (e.b.ty_int_signed(32, true), e.b.ty_f32());
    let levels = e.b.op(Op::ImageQueryLevels, signed, &[image.image]);
    let missing = e.b.const_i32(4);
    let last = e.b.op(Op::ISub, signed, &[levels, missing]);
    let last = e.b.op(Op::ConvertSToF, float, &[last]);
    e.b.ext(GLOp::FMin, float, &[level, last])
}

/// Adds the offset of a sample. Shader model 6.7 may compute it; Vulkan takes that with
/// `VK_KHR_maintenance8` only.
fn add_offset(e: &mut Emitter<'_>, shape: ImageShape, extra: &mut ImageOps) -> Result<(), Error> {
    match e.constant_offset(OFFSETS, shape.offset) {
        Ok(None) => {}
        Ok(Some(offset)) => {
            let offset = e.signed_constant(&offset);
            extra.add(ImageOperands::CONST_OFFSET, offset);
        }
        Err(_) if e.options.extensions.dynamic_offsets => {
            // D3D respects offsets from -8 to 7: the low 4 bits as a signed number.
            let offset = e.computed_offset(OFFSETS, shape.offset, 4)?;
            extra.add(ImageOperands::OFFSET, offset);
        }
        Err(Error::Unsupported {
            feature: Feature::ComputedOffset { op, .. },
            at,
        }) => {
            let feature = Feature::ComputedOffset {
                op,
                by_option: true,
            };
            return Err(Error::Unsupported { feature, at });
        }
        Err(other) => return Err(other),
    }
    Ok(())
}

/// Emits `CalculateLevelOfDetail` (clamped to the view's mip levels) and its unclamped variant.
fn calculate_lod(e: &mut Emitter<'_>) -> Result<(), Error> {
    let clamped = e.arg_const(5)? != 0;
    let image = sampled_image(e)?;
    let coordinate = e.arg_vector(COORDS, image.shape.position)?;
    let f32_ty = e.b.ty_f32();
    if !has_derivatives(e) {
        // The logarithm of 0, before and after it is clamped to the levels.
        let lod = if clamped { 0.0 } else { f32::NEG_INFINITY };
        let lod = e.b.const_f32(lod);
        e.set_result(0, lod);
        return Ok(());
    }
    e.b.caps.add(Capability::ImageQuery);
    let vec2 = e.b.ty_vec(f32_ty, 2);
    let lods = e.b.op(Op::ImageQueryLod, vec2, &[image.id, coordinate]);
    let id = e.b.extract(f32_ty, lods, u32::from(!clamped));
    e.set_result(0, id);
    Ok(())
}
