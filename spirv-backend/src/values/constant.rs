//! Constants.

use rspirv::spirv::Word;
use smallvec::SmallVec;
use trellis_dxil_frontend::module::{CastOp, ConstId, Constant, Type, TypeId, ValueId, ValueKind};
use trellis_structurizer::ir;

use super::float_constant as float;
use super::{FunctionBuilder, Scalar};
use crate::error::{ConstantFeature, Error, InternalError, InvalidKind, PointerFeature};
use crate::integer::{binary, compare, mask, sign_extend};
use crate::lower::{ADDRESS, KnownId, OFFSET, SYNTHETIC};

/// Nesting of constant expressions of numbers: compilers fold them, so there are hardly any.
const MAX_EXPRESSION_DEPTH: u32 = 32;

impl FunctionBuilder<'_> {
    /// Returns the SPIR-V id of a scalar or vector constant.
    #[inline]
    pub(crate) fn constant(&mut self, constant: ConstId) -> Result<Word, Error> {
        if let Some(id) = self.constant_ids[constant].expand() {
            return Ok(id);
        }
        let id = self.new_constant(constant)?;
        self.constant_ids[constant] = id.into();
        Ok(id)
    }

    fn new_constant(&mut self, constant: ConstId) -> Result<Word, Error> {
        let module = self.module;
        let data = &module.constants[constant];
        if data.value == Constant::Undef {
            let ty = self.spirv_type(data.ty)?;
            return Ok(self.b.undef(ty));
        }
        let Type::Vector { element, len } = *module.ty(data.ty) else {
            let scalar = self.scalar(data.ty)?;
            let bits = self.constant_bits(constant)?;
            return Ok(self.scalar_constant(data.ty, scalar, bits));
        };
        let ty = self.spirv_type(data.ty)?;
        let scalar = self.scalar(element)?;
        let parts: SmallVec<[Word; 4]> = match &data.value {
            Constant::Null => {
                let zero = self.scalar_constant(element, scalar, 0);
                SmallVec::from_elem(zero, len as usize)
            }
            Constant::Data(lanes) => lanes
                .iter()
                .map(|&bits| self.scalar_constant(element, scalar, bits))
                .collect(),
            Constant::Aggregate(range) => {
                let parts = module.const_operands.get(range.range()).unwrap_or_default();
                parts
                    .iter()
                    .map(|&part| self.id(ValueId::from_u32(part)))
                    .collect::<Result<_, _>>()?
            }
            _ => return Err(self.unsupported(ConstantFeature::VectorExpression)),
        };
        Ok(self.b.const_composite(ty, &parts))
    }

    /// Returns the constant of a scalar type with the given bits.
    pub(crate) fn scalar_constant(&mut self, ty: TypeId, scalar: Scalar, bits: u64) -> Word {
        match (scalar, self.module.ty(ty)) {
            (Scalar::Bool, _) => self.b.const_bool(bits & 1 != 0),
            // Minimum precision in 32 bits: the number stays the same.
            (Scalar::Int(32), Type::Int(16)) => self
                .b
                .const_int(32, u64::from(i32::from(bits as u16 as i16) as u32)),
            (Scalar::Float(32), Type::Half) => self
                .b
                .const_float_bits(32, u64::from(half_to_float(bits as u16))),
            (Scalar::Int(width), _) => self.b.const_int(width, bits),
            (Scalar::Float(width), _) => self.b.const_float_bits(width, bits),
        }
    }

    /// Bits of a scalar constant, constant expressions folded.
    fn constant_bits(&self, constant: ConstId) -> Result<u64, Error> {
        self.bits_of(constant, 0)
            .ok_or_else(|| self.unsupported(ConstantFeature::Expression))
    }

    fn bits_of(&self, constant: ConstId, depth: u32) -> Option<u64> {
        if depth > MAX_EXPRESSION_DEPTH {
            return None;
        }
        let data = self.module.constants.get(constant)?;
        let operand = |value: ValueId| match self.module.value(Some(self.function), value)?.kind {
            ValueKind::Constant(c) => self.bits_of(c, depth + 1),
            _ => None,
        };
        let type_of = |value: ValueId| {
            let data = self.module.value(Some(self.function), value)?;
            Some(self.module.ty(data.ty))
        };
        let ty = self.module.ty(data.ty);
        let bits = match data.value {
            Constant::Null | Constant::Undef => return Some(0),
            Constant::Int(bits) | Constant::Float(bits) => return Some(bits),
            Constant::Select([cond, then, else_]) => {
                operand(if operand(cond)? & 1 != 0 { then } else { else_ })?
            }
            Constant::Cast {
                op: CastOp::BitCast,
                value,
            } => return operand(value),
            Constant::Cast { op, value } => {
                let (bits, from) = (operand(value)?, type_of(value)?);
                match (op, from) {
                    (CastOp::Trunc | CastOp::ZExt, Type::Int(_)) => bits,
                    (CastOp::SExt, Type::Int(width)) => sign_extend(bits, *width) as u64,
                    _ => float::cast(op, bits, from, ty)?,
                }
            }
            Constant::Cmp {
                predicate,
                operands: [a, b],
            } => {
                let (left, right, of) = (operand(a)?, operand(b)?, type_of(a)?);
                u64::from(match (of, float::width_of(of)) {
                    (Type::Int(width), _) => compare(predicate, left, right, *width)?,
                    (_, Some(width)) => float::compare(predicate, left, right, width)?,
                    _ => return None,
                })
            }
            Constant::Binary {
                op,
                operands: [a, b],
                ..
            } => match (ty, float::width_of(ty)) {
                (Type::Int(width), _) => binary(op, operand(a)?, operand(b)?, *width)?,
                (_, Some(width)) => float::binary(op, operand(a)?, operand(b)?, width)?,
                _ => return None,
            },
            _ => return None,
        };
        match ty {
            Type::Int(width) => Some(bits & mask(*width)),
            _ => float::width_of(ty).map(|_| bits),
        }
    }

    /// Returns the SPIR-V type of a structurizer type.
    pub(crate) fn structured_type(&mut self, ty: ir::Type) -> Result<Word, Error> {
        match ty {
            ir::Type::SELECTOR => Ok(self.b.ty_u32()),
            ir::Type::BOOL => Ok(self.b.ty_bool()),
            // The number of a record, and a pointer, which control flow cannot select.
            ADDRESS if self.options.extensions.shader_enqueue => Ok(self.b.ty_u32()),
            OFFSET if self.options.extensions.shader_enqueue => {
                Err(self.unsupported(PointerFeature::SelectedRecords))
            }
            ADDRESS => Ok(self.b.ty_int(64)),
            OFFSET => Ok(self.b.ty_u32()),
            ir::Type(number) => self.spirv_type(TypeId::from_u32(number)),
        }
    }

    /// Returns the SPIR-V id of a structurizer value that is a constant, `undef` or selector
    /// constant.
    pub(crate) fn materialize(&mut self, value: ir::Value) -> Result<Word, Error> {
        let func = self.structured;
        let id = match func.value_kind(value) {
            ir::ValueKind::Constant { payload } if payload & SYNTHETIC != 0 => {
                let known = KnownId::from_u32(payload & !SYNTHETIC);
                let number = self.lowered.known.get(known).copied().unwrap_or(0);
                let ty = TypeId::from_u32(func.value_type(value).0);
                let scalar = self.scalar(ty)?;
                self.scalar_constant(ty, scalar, number)
            }
            ir::ValueKind::Constant { payload } => match self
                .module
                .value(Some(self.function), ValueId::from_u32(payload))
                .map(|v| v.kind)
            {
                Some(ValueKind::Constant(c)) => self.constant(c)?,
                _ => {
                    return Err(self.internal(InternalError::NotAConstant {
                        value: ValueId::from_u32(payload),
                    }));
                }
            },
            ir::ValueKind::SelectorConstant(number) => self.b.const_u32(number),
            ir::ValueKind::BoolConstant(is_true) => self.b.const_bool(is_true),
            ir::ValueKind::Undef => {
                let ty = self.structured_type(func.value_type(value))?;
                self.b.undef(ty)
            }
            ir::ValueKind::Phi(_) | ir::ValueKind::Result { .. } => {
                return Err(self.invalid(
                    InvalidKind::Value,
                    format!("{value} is used before its definition"),
                ));
            }
        };
        self.ids[value] = id.into();
        Ok(id)
    }
}

impl FunctionBuilder<'_> {
    /// Returns true if a value of the structured function is undefined.
    pub(crate) fn is_undefined(&self, value: ir::Value) -> bool {
        match self.structured.value_kind(value) {
            ir::ValueKind::Undef => true,
            ir::ValueKind::Constant { payload } => self.is_undef(ValueId::from_u32(payload)),
            _ => false,
        }
    }
}

/// Bits of the single-precision float with the value of a half; exact for every half.
pub(crate) fn half_to_float(half: u16) -> u32 {
    let sign = u32::from(half & 0x8000) << 16;
    let exponent = u32::from(half >> 10 & 0x1F);
    let fraction = u32::from(half & 0x3FF);
    match (exponent, fraction) {
        (0, 0) => sign,
        // A denormal half is a normal single: 2^-24 times the fraction.
        (0, _) => sign | (fraction as f32 * f32::from_bits(0x3380_0000)).to_bits(),
        (0x1F, _) => sign | 0x7F80_0000 | fraction << 13,
        _ => sign | (exponent + 112) << 23 | fraction << 13,
    }
}

#[cfg(test)]
mod tests {
    use super::half_to_float;

    #[test]
    fn halves() {
        for (half, float) in [
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x0001, 2f32.powi(-24)),
            (0x03FF, 1023.0 * 2f32.powi(-24)),
            (0x7BFF, 65504.0),
            (0x7C00, f32::INFINITY),
        ] {
            assert_eq!(f32::from_bits(half_to_float(half)), float);
        }
        assert_eq!(half_to_float(0x8000), 0x8000_0000);
        assert!(f32::from_bits(half_to_float(0x7E00)).is_nan());
    }
}
