//! Texels: conversions between DXIL's overload types and Vulkan's sampled types, and code that all
//! image operations share.

use rspirv::spirv::{Capability, ImageOperands, Op, StorageClass, Word};
use smallvec::SmallVec;
use trellis_dxil_frontend::module::ValueId;

use super::Emitter;
use crate::error::{Error, Feature, MemoryFeature};
use crate::resources::{Access, Handle, ImageShape, Texel, texel_type};
use crate::values::Shape;
use crate::values::{FunctionBuilder, Scalar};

/// Field of `%dx.types.ResRet` that holds the status (tiled resources).
pub(crate) const STATUS: u32 = 4;

/// Operands of an image instruction.
pub(crate) type Operands = SmallVec<[Word; 12]>;

/// Image operands in SPIR-V's order: by the bits of the mask.
#[derive(Default)]
pub(crate) struct ImageOps {
    entries: SmallVec<[(ImageOperands, Word, Word); 4]>,
}

impl ImageOps {
    /// Adds an operand with one id.
    pub(crate) fn add(&mut self, kind: ImageOperands, id: Word) {
        self.entries.push((kind, id, 0));
    }
    /// Adds `Grad`, which has two ids.
    pub(crate) fn add_grad(&mut self, dx: Word, dy: Word) {
        self.entries.push((ImageOperands::GRAD, dx, dy));
    }
    /// Appends mask and ids to the operands of an image instruction; nothing when there are none.
    pub(crate) fn append_to(mut self, operands: &mut Operands) {
        if self.entries.is_empty() {
            return;
        }
        self.entries.sort_by_key(|e| e.0.bits());
        let mask = self
            .entries
            .iter()
            .fold(ImageOperands::NONE, |mask, e| mask | e.0);
        operands.push(mask.bits());
        for (kind, a, b) in self.entries {
            operands.push(a);
            if kind == ImageOperands::GRAD {
                operands.push(b);
            }
        }
    }
}

/// Returns the type of a component; a signed one is still of unsigned type.
pub(super) fn scalar_of(texel: Texel) -> Scalar {
    match texel {
        Texel::Float => Scalar::Float(32),
        Texel::Int(w) | Texel::UInt(w) => Scalar::Int(w),
    }
}

/// Returns the shape of an image and its texels.
pub(super) fn image_form(e: &Emitter<'_>, handle: &Handle) -> Result<(ImageShape, Texel), Error> {
    let form = handle.desc.image().zip(handle.desc.texel());
    form.ok_or_else(|| e.unsupported_on(handle.desc.form()))
}

/// Returns the pointer to a texel of type `ty`, for atomic operations.
pub(super) fn texel_pointer(
    e: &mut Emitter<'_>,
    handle: &Handle,
    access: Access,
    mut coordinate: Word,
    ty: Word,
) -> Result<Word, Error> {
    let d = e.descriptor(handle, access)?;
    let image = e.descriptor_pointer(&d, &[], d.pointee);
    if access == Access::Image
        && let Some(window) = e.resources.window(&mut e.f, handle)?
    {
        coordinate = window.index(e, coordinate, 1);
    }
    let (sample, ptr_ty) = (e.b.const_u32(0), e.b.ty_ptr(StorageClass::Image, ty));
    let operands = [image, coordinate, sample];
    let pointer = e.b.op(Op::ImageTexelPointer, ptr_ty, &operands);
    if d.non_uniform {
        e.resources.mark_non_uniform(&mut e.f, pointer);
    }
    Ok(pointer)
}

impl FunctionBuilder<'_> {
    /// Returns the constant offsets in operands `first .. first + count`: `None` when they are all
    /// 0 or missing, an error text if one is not a constant.
    pub(crate) fn constant_offset(
        &self,
        first: usize,
        count: usize,
    ) -> Result<Option<SmallVec<[i32; 3]>>, Error> {
        let mut offset = SmallVec::new();
        for i in first..first + count {
            let value = self.arg_value(i)?;
            match self.const_or_absent(value) {
                Some(n) => offset.push(n as u32 as i32),
                None => {
                    return Err(self.unsupported(Feature::ComputedOffset {
                        op: self.call.op,
                        by_option: false,
                    }));
                }
            }
        }
        Ok(offset.iter().any(|&o| o != 0).then_some(offset))
    }

    /// Offsets in operands `first .. first + count`, each the low `bits` bits as a signed number.
    pub(crate) fn computed_offset(
        &mut self,
        first: usize,
        count: usize,
        bits: u32,
    ) -> Result<Word, Error> {
        self.b.caps.add(Capability::ImageGatherExtended);
        let i32_ty = self.b.ty_int_signed(32, true);
        let (start, bits) = (self.b.const_u32(0), self.b.const_u32(bits));
        let mut parts = SmallVec::<[Word; 3]>::new();
        for i in first..first + count {
            let value = self.arg_value(i)?;
            if self.is_undef(value) {
                parts.push(self.b.const_i32(0));
                continue;
            }
            let id = self.id(value)?;
            let id = self.b.bitcast(i32_ty, id);
            parts.push(self.b.op(Op::BitFieldSExtract, i32_ty, &[id, start, bits]));
        }
        Ok(self.b.vector(i32_ty, &parts))
    }

    /// Returns a component of a texel as the overload of a DXIL operation.
    pub(crate) fn texel_to(&mut self, id: Word, texel: Texel, to: Shape) -> Result<Word, Error> {
        self.convert_component(id, scalar_of(texel), to.scalar, false)
    }

    /// Returns a value of DXIL as a component of a texel; a signed one is still of unsigned type.
    fn as_texel(&mut self, value: ValueId, texel: Texel) -> Result<Word, Error> {
        let shape = self.value_shape(value)?;
        let signed = matches!(texel, Texel::Int(_));
        let id = self.id(value)?;
        let id = self.extended(shape, signed, id);
        self.convert_component(id, shape.scalar, scalar_of(texel), signed)
    }

    /// Converts the width within integers or floats; between them the bits stay the same.
    fn convert_component(
        &mut self,
        id: Word,
        from: Scalar,
        to: Scalar,
        signed: bool,
    ) -> Result<Word, Error> {
        if from == to {
            return Ok(id);
        }
        let ty = self.scalar_type(to);
        match (from, to) {
            (Scalar::Float(_), Scalar::Float(_)) => Ok(self.b.op(Op::FConvert, ty, &[id])),
            (Scalar::Int(_), Scalar::Int(_)) => {
                Ok(self
                    .b
                    .op(if signed { Op::SConvert } else { Op::UConvert }, ty, &[id]))
            }
            (Scalar::Float(a), Scalar::Int(b)) | (Scalar::Int(a), Scalar::Float(b)) if a == b => {
                Ok(self.b.bitcast(ty, id))
            }
            _ => Err(self.unsupported(MemoryFeature::TexelConversion {
                element: from.to_string(),
                operation: to.to_string(),
            })),
        }
    }

    /// Emits an image instruction that yields four components, its sparse variant if the status is
    /// used, and sets the results.
    pub(crate) fn texel_result(
        &mut self,
        ops: (Op, Op),
        texel: Texel,
        operands: Operands,
    ) -> Result<(), Error> {
        let component = texel_type(self, texel);
        let vec4 = self.b.ty_vec(component, 4);
        let mut vector = self.sparse_aware(ops, vec4, operands);
        if let Texel::Int(width) = texel {
            let unsigned = self.b.ty_int(width);
            let ty = self.b.ty_vec(unsigned, 4);
            vector = self.b.bitcast(ty, vector);
        }
        self.set_components(vector, texel)
    }

    /// Sets the results of a load to the four components of a vector (of unsigned integers or
    /// floats).
    fn set_components(&mut self, vector: Word, texel: Texel) -> Result<(), Error> {
        let shape = self.shape(self.field_type(self.call.inst, 0)?)?;
        let component = self.scalar_type(scalar_of(texel));
        if texel.width() == 64 && shape.scalar == Scalar::Int(32) {
            self.set_words(vector, component);
            return Ok(());
        }
        for i in 0..STATUS {
            if self.is_result_used(i) {
                let part = self.b.extract(component, vector, i);
                let id = self.texel_to(part, texel, shape)?;
                self.set_field(i, shape, id);
            }
        }
        Ok(())
    }

    /// Sets the results of a load to the two words of a 64-bit texel.
    fn set_words(&mut self, vector: Word, component: Word) {
        let (u32_ty, zero) = (self.b.ty_u32(), self.b.const_u32(0));
        let pair_ty = self.b.ty_vec(u32_ty, 2);
        let number = self.b.extract(component, vector, 0);
        let pair = self.b.bitcast(pair_ty, number);
        for i in (0..STATUS)
            .filter(|&i| self.is_result_used(i))
            .collect::<SmallVec<[u32; 4]>>()
        {
            let id = if i < 2 {
                self.b.extract(u32_ty, pair, i)
            } else {
                zero
            };
            self.set_result(i, id);
        }
    }

    /// Returns the values in operands `first .. first + 4` as the components of a texel; signed
    /// ones are still of unsigned type.
    pub(crate) fn texel_components(
        &mut self,
        first: usize,
        texel: Texel,
    ) -> Result<SmallVec<[Word; 4]>, Error> {
        let mut parts = SmallVec::new();
        if texel.width() == 64
            && self.value_shape(self.arg_value(first)?)?.scalar == Scalar::Int(32)
        {
            // Two words make one number.
            let u64_ty = self.b.ty_int(64);
            let pair_ty = self.b.ty_words(2);
            let words = [self.arg_id(first)?, self.arg_id(first + 1)?];
            let pair = self.b.construct(pair_ty, &words);
            let zero = self.b.const_int(64, 0);
            parts.extend([self.b.bitcast(u64_ty, pair), zero, zero, zero]);
            return Ok(parts);
        }
        for i in first..first + 4 {
            let value = self.arg_value(i)?;
            parts.push(self.as_texel(value, texel)?);
        }
        Ok(parts)
    }

    /// Emits `ops.0`, or `ops.1` where the status is used, which it then sets, too; the texel of
    /// type `ty`.
    pub(crate) fn sparse_aware(&mut self, ops: (Op, Op), ty: Word, operands: Operands) -> Word {
        if !self.is_result_used(STATUS) {
            return self.b.op(ops.0, ty, &operands);
        }
        let (status, texel) = self.sparse(ops.1, ty, &operands);
        self.set_result(STATUS, status);
        texel
    }

    /// Emits a sparse image instruction, which yields a residency code and a texel of type `ty`.
    pub(super) fn sparse(&mut self, op: Op, ty: Word, operands: &[Word]) -> (Word, Word) {
        self.b.caps.add(Capability::SparseResidency);
        let u32_ty = self.b.ty_u32();
        let pair = self.b.ty_struct(&[u32_ty, ty]);
        let both = self.b.op(op, pair, operands);
        let code = self.b.extract(u32_ty, both, 0);
        (code, self.b.extract(ty, both, 1))
    }
}
