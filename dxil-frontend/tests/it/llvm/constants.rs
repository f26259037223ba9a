//! Values as operands, and constants by what they mean: LLVM merges aggregates of zeros, and
//! aggregates of numbers, into forms of their own.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMOpcode, LLVMRealPredicate};
use trellis_dxil_frontend::module::{
    BinaryOp, CastOp, Constant, ConstantData, Function, Predicate, Type, TypeId, ValueId, VectorOp,
};

use super::{Compare, printed};

/// Returns the value of the bits of a half, float or double.
fn float_value(ty: &Type, bits: u64) -> f64 {
    match ty {
        Type::Float => f64::from(f32::from_bits(bits as u32)),
        Type::Double => f64::from_bits(bits),
        _ => {
            let (sign, exponent, fraction) =
                (bits >> 15 & 1, bits >> 10 & 31, (bits & 0x3ff) as f64);
            let magnitude = match exponent {
                0 => fraction * 2_f64.powi(-24),
                31 if fraction == 0.0 => f64::INFINITY,
                31 => f64::NAN,
                _ => (1.0 + fraction / 1024.0) * 2_f64.powi(exponent as i32 - 15),
            };
            if sign == 1 { -magnitude } else { magnitude }
        }
    }
}

/// LLVM's opcode of a binary operation.
pub(crate) fn binary_opcode(op: BinaryOp) -> LLVMOpcode {
    use BinaryOp as B;
    use LLVMOpcode as O;
    match op {
        B::Add => O::LLVMAdd,
        B::FAdd => O::LLVMFAdd,
        B::Sub => O::LLVMSub,
        B::FSub => O::LLVMFSub,
        B::Mul => O::LLVMMul,
        B::FMul => O::LLVMFMul,
        B::UDiv => O::LLVMUDiv,
        B::SDiv => O::LLVMSDiv,
        B::FDiv => O::LLVMFDiv,
        B::URem => O::LLVMURem,
        B::SRem => O::LLVMSRem,
        B::FRem => O::LLVMFRem,
        B::Shl => O::LLVMShl,
        B::LShr => O::LLVMLShr,
        B::AShr => O::LLVMAShr,
        B::And => O::LLVMAnd,
        B::Or => O::LLVMOr,
        B::Xor => O::LLVMXor,
    }
}

/// LLVM's opcode of a cast.
pub(crate) fn cast_opcode(op: CastOp) -> LLVMOpcode {
    use CastOp as C;
    use LLVMOpcode as O;
    match op {
        C::Trunc => O::LLVMTrunc,
        C::ZExt => O::LLVMZExt,
        C::SExt => O::LLVMSExt,
        C::FPToUI => O::LLVMFPToUI,
        C::FPToSI => O::LLVMFPToSI,
        C::UIToFP => O::LLVMUIToFP,
        C::SIToFP => O::LLVMSIToFP,
        C::FPTrunc => O::LLVMFPTrunc,
        C::FPExt => O::LLVMFPExt,
        C::PtrToInt => O::LLVMPtrToInt,
        C::IntToPtr => O::LLVMIntToPtr,
        C::BitCast => O::LLVMBitCast,
        C::AddrSpaceCast => O::LLVMAddrSpaceCast,
    }
}

/// LLVM's number of a predicate: 0 to 15 for floating point, 32 to 41 for integers.
pub(crate) fn predicate_number(predicate: Predicate) -> u32 {
    let position = predicate as u32;
    if position <= Predicate::FTrue as u32 {
        position
    } else {
        position - Predicate::IEq as u32 + 32
    }
}

impl Compare<'_> {
    /// Compares an operand: a global, argument or instruction by number, a constant by content.
    pub(crate) fn value(
        &mut self,
        at: &str,
        theirs: LLVMValueRef,
        ours: ValueId,
        f: Option<&Function>,
    ) {
        if let Some(&known) = self.values.get(&theirs) {
            self.same(at, known, self.without_zero_gep(ours, f));
            return;
        }
        let module = self.ours;
        match module.constant(f, ours) {
            Some(constant) => self.constant(at, theirs, constant, f),
            None => self.check(false, || {
                format!("{at}: LLVM has {}, ours is value {ours}", printed(theirs))
            }),
        }
    }

    /// Upgrade: LLVM 14 folds a `getelementptr` with zero indices below a cast to its base.
    fn without_zero_gep(&self, value: ValueId, f: Option<&Function>) -> ValueId {
        let Some(Constant::Gep { operands, .. }) = self.ours.constant(f, value).map(|c| &c.value)
        else {
            return value;
        };
        let operands = &self.ours.const_operands[operands.range()];
        let zeros = operands[1..]
            .iter()
            .all(|&index| self.ours.const_int(f, ValueId::from_u32(index)) == Some(0));
        if zeros {
            ValueId::from_u32(operands[0])
        } else {
            value
        }
    }

    fn constant(
        &mut self,
        at: &str,
        theirs: LLVMValueRef,
        ours: &ConstantData,
        f: Option<&Function>,
    ) {
        // SAFETY: `theirs` is a constant of the live module.
        unsafe {
            self.ty(at, LLVMTypeOf(theirs), ours.ty);
            let fail = |compare: &mut Self| {
                compare.differences.push(format!(
                    "{at}: LLVM's constant {}, ours {ours:?}",
                    printed(theirs)
                ));
            };
            let module = self.ours;
            match &ours.value {
                Constant::Null => self.check(LLVMIsNull(theirs) != 0, || {
                    format!("{at}: {} is not null", printed(theirs))
                }),
                Constant::Undef => self.check(LLVMIsUndef(theirs) != 0, || {
                    format!("{at}: {} is not undef", printed(theirs))
                }),
                Constant::Int(_) | Constant::Float(_) => {
                    self.number(at, theirs, ours.ty, &ours.value);
                }
                Constant::Data(data) => {
                    let element = self.element(ours.ty);
                    let is_float =
                        matches!(module.ty(element), Type::Half | Type::Float | Type::Double);
                    for (index, &bits) in data.iter().enumerate() {
                        let value = if is_float {
                            Constant::Float(bits)
                        } else {
                            Constant::Int(bits)
                        };
                        self.number(at, nth(theirs, index), element, &value);
                    }
                }
                Constant::String(bytes, terminated) => {
                    let element = self.element(ours.ty);
                    for (index, &byte) in bytes.iter().chain(terminated.then_some(&0)).enumerate() {
                        self.number(
                            at,
                            nth(theirs, index),
                            element,
                            &Constant::Int(u64::from(byte)),
                        );
                    }
                }
                Constant::Aggregate(range) => {
                    for (index, &operand) in module.const_operands[range.range()].iter().enumerate()
                    {
                        self.value(at, nth(theirs, index), ValueId::from_u32(operand), f);
                    }
                }
                _ if LLVMIsAConstantExpr(theirs).is_null() => fail(self),
                expression => self.expression(at, theirs, expression, f),
            }
        }
    }

    fn element(&self, ty: TypeId) -> TypeId {
        match self.ours.ty(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => *element,
            _ => ty,
        }
    }

    fn number(&mut self, at: &str, theirs: LLVMValueRef, ty: TypeId, ours: &Constant) {
        // SAFETY: `theirs` is a constant of the live module.
        unsafe {
            match ours {
                Constant::Int(value) if !LLVMIsAConstantInt(theirs).is_null() => {
                    self.same(at, LLVMConstIntGetZExtValue(theirs), *value);
                }
                Constant::Float(bits) if !LLVMIsAConstantFP(theirs).is_null() => {
                    let mut loses = 0;
                    let (value, expected) = (
                        LLVMConstRealGetDouble(theirs, &raw mut loses),
                        float_value(self.ours.ty(ty), *bits),
                    );
                    self.check(
                        (value.is_nan() && expected.is_nan())
                            || value.to_bits() == expected.to_bits(),
                        || format!("{at}: LLVM {value}, ours {expected}"),
                    );
                }
                _ => self.check(false, || {
                    format!("{at}: LLVM's constant {}, ours {ours:?}", printed(theirs))
                }),
            }
        }
    }

    fn expression(
        &mut self,
        at: &str,
        theirs: LLVMValueRef,
        ours: &Constant,
        f: Option<&Function>,
    ) {
        let module = self.ours;
        let pool = |range: &trellis_dxil_frontend::module::PoolRange| {
            module.const_operands[range.range()]
                .iter()
                .map(|&v| ValueId::from_u32(v))
                .collect::<Vec<_>>()
        };
        // SAFETY: `theirs` is a constant expression of the live module.
        unsafe {
            let (opcode, operands) = match ours {
                Constant::Binary { op, operands, .. } => (binary_opcode(*op), operands.to_vec()),
                Constant::Cast { op, value } => (cast_opcode(*op), vec![*value]),
                Constant::Gep {
                    inbounds,
                    source,
                    operands,
                } => {
                    self.same(at, LLVMIsInBounds(theirs) != 0, *inbounds);
                    self.ty(at, LLVMGetGEPSourceElementType(theirs), *source);
                    (LLVMOpcode::LLVMGetElementPtr, pool(operands))
                }
                Constant::Select(operands) => (LLVMOpcode::LLVMSelect, operands.to_vec()),
                Constant::Cmp {
                    predicate,
                    operands,
                } => {
                    let number = predicate_number(*predicate);
                    if number < 32 {
                        self.same(at, LLVMGetFCmpPredicate(theirs) as u32, number);
                        let _: LLVMRealPredicate = LLVMGetFCmpPredicate(theirs);
                        (LLVMOpcode::LLVMFCmp, operands.to_vec())
                    } else {
                        self.same(at, LLVMGetICmpPredicate(theirs) as u32, number);
                        (LLVMOpcode::LLVMICmp, operands.to_vec())
                    }
                }
                Constant::VectorOp { op, operands } => {
                    let opcode = match op {
                        VectorOp::Extract => LLVMOpcode::LLVMExtractElement,
                        VectorOp::Insert => LLVMOpcode::LLVMInsertElement,
                        VectorOp::Shuffle => LLVMOpcode::LLVMShuffleVector,
                    };
                    (opcode, pool(operands))
                }
                _ => return,
            };
            self.same(at, LLVMGetConstOpcode(theirs) as u32, opcode as u32);
            self.same(at, LLVMGetNumOperands(theirs) as usize, operands.len());
            for (index, operand) in operands.into_iter().enumerate() {
                self.value(at, LLVMGetOperand(theirs, index as u32), operand, f);
            }
        }
    }
}

/// Returns the element of an aggregate constant, in whatever form LLVM keeps it.
fn nth(aggregate: LLVMValueRef, index: usize) -> LLVMValueRef {
    // SAFETY: `aggregate` is an aggregate constant of the live module with more than `index`
    // elements.
    unsafe {
        if !LLVMIsAConstantDataSequential(aggregate).is_null() {
            LLVMGetElementAsConstant(aggregate, index as u32)
        } else if LLVMGetNumOperands(aggregate) as usize > index {
            LLVMGetOperand(aggregate, index as u32)
        } else {
            // `zeroinitializer` and `undef` have no operands: the same of the element's type.
            let ty = LLVMTypeOf(aggregate);
            let is_struct = LLVMGetTypeKind(ty) as u32
                == inkwell::llvm_sys::LLVMTypeKind::LLVMStructTypeKind as u32;
            let element = if is_struct {
                LLVMStructGetTypeAtIndex(ty, index as u32)
            } else {
                LLVMGetElementType(ty)
            };
            if LLVMIsUndef(aggregate) != 0 {
                LLVMGetUndef(element)
            } else {
                LLVMConstNull(element)
            }
        }
    }
}
