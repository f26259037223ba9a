//! Gathers: one component of the four texels that a bilinear sample would read.

use dxil_frontend::dxop::{DxCall, Op as Dx};
use rspirv::dr::Operand;
use rspirv::spirv::{Dim, ImageOperands, Op};

use super::sample::sampled_image;
use super::texel::ImageOps;
use crate::emitter::Emitter;
use crate::error::Error;
use crate::resources::{ImageShape, Texel};

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let image = sampled_image(e, call)?;
    if !matches!(image.shape.dim, Dim::Dim2D | Dim::DimCube) {
        return Err(e.invalid(format!("{} of an image that is neither 2D nor a cube", call.op.name())));
    }
    let coordinate = e.arg_vector(call, 2, image.shape.coords)?;
    let (ops, third) = match call.op {
        Dx::TextureGather => {
            let channel = e.arg_const(call, 8)?;
            if channel > 3 {
                return Err(e.invalid(format!("TextureGather of channel {channel}, expected 0 to 3")));
            }
            ((Op::ImageGather, Op::ImageSparseGather), e.b.const_u32(channel as u32))
        }
        // The texels are seen as raw integers of one component.
        Dx::TextureGatherRaw => ((Op::ImageGather, Op::ImageSparseGather), e.b.const_u32(0)),
        Dx::TextureGatherCmp => {
            if image.texel != Texel::Float {
                return Err(e.unsupported("TextureGatherCmp of an image without depth"));
            }
            ((Op::ImageDrefGather, Op::ImageSparseDrefGather), e.arg_id(call, 9)?)
        }
        other => return Err(e.unsupported(other.name())),
    };
    let mut operands = vec![Operand::IdRef(image.id), Operand::IdRef(coordinate), Operand::IdRef(third)];
    let mut extra = ImageOps::default();
    add_offset(e, call, image.shape, &mut extra)?;
    extra.append_to(&mut operands);
    e.texel_result(call, ops, image.texel, operands)
}

/// A gather, unlike a sample, may have an offset that is computed.
fn add_offset(e: &mut Emitter<'_>, call: &DxCall<'_>, shape: ImageShape, extra: &mut ImageOps) -> Result<(), Error> {
    const OFFSETS: usize = 6;
    if let Ok(constant) = e.constant_offset(call, OFFSETS, shape.offset) {
        if let Some(offset) = constant {
            let offset = e.signed_constant(&offset);
            extra.add(ImageOperands::CONST_OFFSET, offset);
        }
        return Ok(());
    }
    // D3D takes the low 6 bits as a signed number.
    let offset = e.computed_offset(call, OFFSETS, shape.offset, 6)?;
    extra.add(ImageOperands::OFFSET, offset);
    Ok(())
}
