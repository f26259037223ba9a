//! Gathers: one component of the four texels that a bilinear sample would read.

use rspirv::spirv::{Dim, ImageOperands, Op, Word};
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::dxop::GatherOp;

use super::Emitter;
use super::sample::sampled_image;
use super::texel::{ImageOps, Operands, STATUS};
use crate::error::{Error, InvalidKind};
use crate::resources::{ImageShape, Texel};
use crate::values::Scalar;
use crate::values::Shape;

/// Instruction of a gather: plain and sparse.
const GATHER: (Op, Op) = (Op::ImageGather, Op::ImageSparseGather);
/// Operand of a gather that selects the component.
const COMPONENT: usize = 2;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: GatherOp) -> Result<(), Error> {
    let image = sampled_image(e)?;
    if !matches!(image.shape.dim, Dim::Dim2D | Dim::DimCube) {
        return Err(e.invalid_resource("of an image that is neither 2D nor a cube"));
    }
    let coordinate = e.arg_vector(2, image.shape.coords)?;
    let (ops, third) = match op {
        GatherOp::TextureGather => {
            let channel = e.arg_const(8)?;
            if channel > 3 {
                return Err(e.invalid(
                    InvalidKind::Operand,
                    format!("TextureGather of channel {channel}, expected 0 to 3"),
                ));
            }
            (GATHER, e.b.const_u32(channel as u32))
        }
        // The texels are seen as raw integers of one component, except 64-bit texels.
        GatherOp::TextureGatherRaw => (GATHER, e.b.const_u32(0)),
        GatherOp::TextureGatherCmp => (
            (Op::ImageDrefGather, Op::ImageSparseDrefGather),
            e.arg_id(9)?,
        ),
    };
    let mut operands: Operands = smallvec![image.id, coordinate, third];
    let mut extra = ImageOps::default();
    add_offset(e, image.shape, &mut extra)?;
    extra.append_to(&mut operands);
    if op == GatherOp::TextureGatherRaw && image.texel == Texel::UInt(32) {
        let shape = e.shape(e.field_type(e.call.inst, 0)?)?;
        if shape.scalar == Scalar::Int(64) {
            gather_pairs(e, shape, &operands);
            return Ok(());
        }
    }
    e.texel_result(ops, image.texel, operands)
}

/// Emits a raw gather of 64-bit texels: D3D sees them as `R32G32_UINT` (its specification of shader
/// model 6.7, "Raw Gather"), so that a gather of each component gives the low and the high words of
/// the four. `operands` are the operands of the first gather.
fn gather_pairs(e: &mut Emitter<'_>, shape: Shape, operands: &[Word]) {
    let (word, number) = (e.b.ty_u32(), e.b.ty_int(64));
    let (pair, four) = (e.b.ty_vec(word, 2), e.b.ty_vec(word, 4));
    let low = e.sparse_aware(GATHER, four, operands.into());
    let mut second = operands.to_vec();
    second[COMPONENT] = e.b.const_u32(1);
    let high = e.b.op(GATHER.0, four, &second);
    for i in (0..STATUS)
        .filter(|&i| e.is_result_used(i))
        .collect::<SmallVec<[u32; 4]>>()
    {
        let words = [e.b.extract(word, low, i), e.b.extract(word, high, i)];
        let both = e.b.construct(pair, &words);
        let id = e.b.bitcast(number, both);
        e.set_field(i, shape, id);
    }
}

/// Adds the offset of a gather, which, unlike a sample's, may be computed.
fn add_offset(e: &mut Emitter<'_>, shape: ImageShape, extra: &mut ImageOps) -> Result<(), Error> {
    const OFFSETS: usize = 6;
    if let Ok(constant) = e.constant_offset(OFFSETS, shape.offset) {
        if let Some(offset) = constant {
            let offset = e.signed_constant(&offset);
            extra.add(ImageOperands::CONST_OFFSET, offset);
        }
        return Ok(());
    }
    // D3D takes the low 6 bits as a signed number.
    let offset = e.computed_offset(OFFSETS, shape.offset, 6)?;
    extra.add(ImageOperands::OFFSET, offset);
    Ok(())
}
