//! Types of the operands of the common instructions.

use rspirv::spirv::{Capability, ImageFormat, MemoryAccess, Op, StorageClass, Word};

use super::blocks::Shapes;
use super::read::Inst;
use super::types::{Shape, Ty};
use super::{Failure, Id, Verifier, broken};
use crate::error::VerifyRule;

/// The rule for the operands and the result of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// Operands and result have the same type, whose components are floats.
    Float,
    /// Integers: the same number of components of the same width.
    Int,
    /// Booleans.
    Bool,
    /// Float operands, boolean result.
    FloatCompare,
    /// Integer operands, boolean result.
    IntCompare,
    /// From (integer or float) to (integer or float), by component.
    Convert(bool, bool),
    /// One that only this opcode has, or none.
    Own,
}

/// Returns the rule of an opcode.
pub(super) fn rule(op: Op) -> Rule {
    match op {
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMod | Op::FNegate => {
            Rule::Float
        }
        Op::IAdd | Op::ISub | Op::IMul | Op::SNegate | Op::Not | Op::BitReverse => Rule::Int,
        Op::UDiv | Op::SDiv | Op::UMod | Op::SRem | Op::SMod => Rule::Int,
        Op::BitwiseAnd | Op::BitwiseOr | Op::BitwiseXor => Rule::Int,
        Op::IsNan | Op::IsInf => Rule::FloatCompare,
        Op::ConvertFToU | Op::ConvertFToS => Rule::Convert(false, true),
        Op::ConvertUToF | Op::ConvertSToF => Rule::Convert(true, false),
        Op::UConvert | Op::SConvert => Rule::Convert(true, true),
        Op::FConvert => Rule::Convert(false, false),
        _ if (Op::LogicalEqual..=Op::LogicalNot).contains(&op) => Rule::Bool,
        _ if (Op::IEqual..=Op::SLessThanEqual).contains(&op) => Rule::IntCompare,
        _ if (Op::FOrdEqual..=Op::FUnordGreaterThanEqual).contains(&op) => Rule::FloatCompare,
        _ => Rule::Own,
    }
}

/// Returns true for the atomic operations on floats.
pub(super) fn is_float_atomic(op: Op) -> bool {
    matches!(
        op,
        Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT
    )
}

impl Verifier<'_> {
    /// Checks the operand types of an instruction that has a rule.
    pub(super) fn rules(&self, inst: &Inst<'_>, shapes: Shapes) -> Result<(), Failure> {
        let fine = match inst.layout.rule {
            Rule::Own => self.own_rule(inst)?,
            rule => Self::shaped(rule, shapes),
        };
        if fine {
            Ok(())
        } else {
            Err(broken(inst, VerifyRule::OperandTypes))
        }
    }

    /// Checks the rule that only an opcode has, if there is one.
    #[inline(always)]
    pub(super) fn own_rule(&self, inst: &Inst<'_>) -> Result<bool, Failure> {
        let (result, returned) = (inst.result_type, self.function.returned);
        Ok(match inst.op() {
            Op::ExtInst => {
                self.extended(inst)?;
                true
            }
            Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => {
                let (base, shift) = (self.shape(inst, 0)?, self.shape(inst, 1)?);
                base == self.shape_of(result).of_value()
                    && base.is_int()
                    && shift.is_int()
                    && base.len() == shift.len()
                    && base.len() > 0
            }
            Op::Select => {
                let len = self.shape(inst, 0)?.len();
                self.operand_type(inst, 1)? == result
                    && self.operand_type(inst, 2)? == result
                    && self.shape(inst, 0)?.is_bool()
                    && (len == 1 || len > 1 && self.shape_of(result).len() == len)
            }
            Op::Bitcast => match (
                self.types.bits(self.operand_type(inst, 0)?),
                self.types.bits(result),
            ) {
                (Some(a), Some(b)) => a == b,
                (Some(64), None) => matches!(
                    self.types.get(result),
                    Ty::Pointer(StorageClass::PhysicalStorageBuffer, _)
                ),
                _ => false,
            },
            Op::ConvertUToPtr => {
                let address = self.types.get(self.operand_type(inst, 0)?);
                let pointer = self.types.get(result);
                address == Ty::Int(64)
                    && matches!(pointer, Ty::Pointer(StorageClass::PhysicalStorageBuffer, _))
            }
            Op::Load => self.access(inst, 1, result)?,
            Op::Store => self.access(inst, 2, self.operand_type(inst, 1)?)?,
            Op::AccessChain | Op::InBoundsAccessChain => self.access_chain(inst, result)?,
            Op::Variable => {
                matches!(
                    self.types.get(result),
                    Ty::Pointer(StorageClass::Function, _)
                ) && inst.operands.first() == Some(&(StorageClass::Function as Word))
            }
            Op::CompositeConstruct => self.construct(inst, result),
            Op::CompositeExtract => {
                self.literal_path(self.operand_type(inst, 0)?, inst.operands.get(1..))
                    == Some(result)
            }
            Op::CompositeInsert => {
                let composite = self.operand_type(inst, 1)?;
                composite == result
                    && self.literal_path(composite, inst.operands.get(2..))
                        == Some(self.operand_type(inst, 0)?)
            }
            Op::BranchConditional => self.types.get(self.operand_type(inst, 0)?) == Ty::Bool,
            Op::Switch => matches!(self.types.get(self.operand_type(inst, 0)?), Ty::Int(_)),
            Op::Return => self.types.get(returned) == Ty::Void,
            Op::ReturnValue => self.operand_type(inst, 0)? == returned,
            Op::SetMeshOutputsEXT => self.form(inst)? && self.mesh_counts(inst)?,
            Op::ControlBarrier | Op::MemoryBarrier => {
                self.barrier_scopes(inst)?;
                true
            }
            Op::ImageTexelPointer => self.texel_pointer(inst)?,
            op if is_float_atomic(op) => self.float_atomic(inst)?,
            Op::Any | Op::All => {
                self.types.get(result) == Ty::Bool
                    && matches!(self.components(inst, 0)?, Some((Ty::Bool, 2..=4)))
            }
            Op::Dot => {
                let (a, b) = (self.operand_type(inst, 0)?, self.operand_type(inst, 1)?);
                a == b && matches!(self.types.get(a), Ty::Vector(element, _) if element == result)
            }
            _ => self.form(inst)?,
        })
    }

    /// Checks the format of an image that a texel pointer points into (VUID
    /// StandaloneSpirv-OpTypeImage-04658, `SPV_NV_shader_atomic_fp16_vector`).
    fn texel_pointer(&self, inst: &Inst<'_>) -> Result<bool, Failure> {
        use ImageFormat as F;
        let Ty::Pointer(_, image) = self.types.get(self.operand_type(inst, 0)?) else {
            return Ok(false);
        };
        let Some(ty) = self.id(image) else {
            return Ok(false);
        };
        // After sampled type, dimension, depth, arrayed, multisampled and sampled.
        let format = self.read(ty.at)?.operands.get(6).copied();
        Ok(ty.is(Op::TypeImage)
            && matches!(
                format.and_then(F::from_u32),
                Some(F::R64i | F::R64ui | F::R32f | F::R32i | F::R32ui | F::Rg16f | F::Rgba16f)
            ))
    }

    /// Checks the types of an atomic operation on floats, and that the capability for them is declared.
    fn float_atomic(&self, inst: &Inst<'_>) -> Result<bool, Failure> {
        let result = inst.result_type;
        let capability = match (self.types.components(result), inst.op()) {
            (Some((Ty::Float(32), 1)), Op::AtomicFAddEXT) => Capability::AtomicFloat32AddEXT,
            (Some((Ty::Float(32), 1)), _) => Capability::AtomicFloat32MinMaxEXT,
            (Some((Ty::Float(16), 2 | 4)), _) => Capability::AtomicFloat16VectorNV,
            _ => return Ok(false),
        };
        self.need(inst, &[capability])?;
        let (scope, semantics) = (self.components(inst, 1)?, self.components(inst, 2)?);
        let pointer = self.types.get(self.operand_type(inst, 0)?);
        Ok(
            matches!(pointer, Ty::Pointer(_, pointee) if pointee == result)
                && scope == Some((Ty::Int(32), 1))
                && semantics == Some((Ty::Int(32), 1))
                && self.operand_type(inst, 3)? == result,
        )
    }

    /// Checks the pointer of an access, and its alignment if it is a device address; `at` is the index
    /// of its memory operands.
    #[inline]
    fn access(&self, inst: &Inst<'_>, at: usize, accessed: Word) -> Result<bool, Failure> {
        let Ty::Pointer(class, pointee) = self.types.get(self.operand_type(inst, 0)?) else {
            return Ok(false);
        };
        if class == StorageClass::PhysicalStorageBuffer {
            self.alignment(inst, at, accessed)?;
        }
        Ok(pointee == accessed)
    }

    fn alignment(&self, inst: &Inst<'_>, at: usize, accessed: Word) -> Result<(), Failure> {
        let scalar = match self.types.components(accessed) {
            Some((Ty::Int(width) | Ty::Float(width), _)) => width / 8,
            _ => 1,
        };
        match inst.operands.get(at..) {
            Some(&[mask, alignment, ..])
                if mask & MemoryAccess::ALIGNED.bits() != 0
                    && alignment.is_power_of_two()
                    && alignment >= scalar =>
            {
                Ok(())
            }
            _ => Err(broken(inst, VerifyRule::Alignment)),
        }
    }

    #[inline(always)]
    fn operand_type(&self, inst: &Inst<'_>, index: usize) -> Result<Word, Failure> {
        Ok(self.type_of(Self::operand(inst, index)?))
    }

    /// Returns the shape of an operand.
    fn shape(&self, inst: &Inst<'_>, index: usize) -> Result<Shape, Failure> {
        Ok(self.shape_of(Self::operand(inst, index)?))
    }

    fn components(&self, inst: &Inst<'_>, index: usize) -> Result<Option<(Ty, u32)>, Failure> {
        Ok(self.types.components(self.operand_type(inst, index)?))
    }

    /// Checks the operands of an instruction whose rule is about shapes only.
    #[inline]
    pub(super) fn shaped(rule: Rule, shapes: Shapes) -> bool {
        let (result, operands) = (shapes.result, shapes.operands.shape());
        let compares = result.is_bool() && operands.len() == result.len();
        match rule {
            Rule::Float => result.is_float() && operands == result,
            Rule::Int => result.is_int() && operands == result,
            Rule::Bool => result.is_bool() && operands == result,
            Rule::FloatCompare => compares && operands.is_float(),
            Rule::IntCompare => compares && operands.is_int(),
            // One operand.
            Rule::Convert(from_int, to_int) => {
                let is = |shape: Shape, int: bool| match int {
                    true => shape.is_int(),
                    false => shape.is_float(),
                };
                is(result, to_int)
                    && is(operands, from_int)
                    && operands.len() == result.len()
                    && operands != result
            }
            Rule::Own => true,
        }
    }

    fn access_chain(&self, inst: &Inst<'_>, result: Word) -> Result<bool, Failure> {
        let (Ty::Pointer(class, mut ty), Ty::Pointer(result_class, pointee)) = (
            self.types.get(self.operand_type(inst, 0)?),
            self.types.get(result),
        ) else {
            return Ok(false);
        };
        for &id in inst.operands.iter().skip(1) {
            let index = self
                .id(id)
                .filter(|i| i.shape.is_int() && i.shape.len() == 1);
            match index.and_then(|index| self.types.part(ty, self.value(index))) {
                Some(part) => ty = part,
                None => return Ok(false),
            }
        }
        Ok(class == result_class && ty == pointee)
    }

    /// Returns the value of a 32-bit integer constant; an index that is not one, or is all ones,
    /// counts as unknown.
    pub(super) fn constant(&self, id: Word) -> Option<u32> {
        self.value(self.id(id)?)
    }

    fn value(&self, def: &Id) -> Option<u32> {
        if !def.is(Op::Constant) {
            return None;
        }
        let [first, _, _, value, ..] = self.words.get(def.at as usize..)? else {
            return None;
        };
        (first >> 16 == 4 && *value != u32::MAX).then_some(*value)
    }

    fn construct(&self, inst: &Inst<'_>, result: Word) -> bool {
        match self.types.get(result) {
            Ty::Vector(element, len) => {
                // Parts are scalars or shorter vectors of the same component type.
                let total = inst.ids().try_fold(0, |sum, id| {
                    let ty = self.type_of(id);
                    match self.types.get(ty) {
                        Ty::Vector(e, n) if e == element => Some(sum + n),
                        _ if ty == element => Some(sum + 1),
                        _ => None,
                    }
                });
                total == Some(len)
            }
            Ty::Struct(start, end) => {
                let members = self.types.members(start, end);
                members.len() == inst.operands.len()
                    && inst
                        .ids()
                        .zip(members)
                        .all(|(id, &m)| self.type_of(id) == m)
            }
            Ty::Array(element) => inst.ids().all(|id| self.type_of(id) == element),
            Ty::Cooperative(element) => {
                inst.operands.len() == 1 && inst.ids().all(|id| self.type_of(id) == element)
            }
            _ => false,
        }
    }

    fn literal_path(&self, composite: Word, path: Option<&[Word]>) -> Option<Word> {
        path?
            .iter()
            .try_fold(composite, |ty, &index| self.types.part(ty, Some(index)))
    }

    /// Checks the function of a call.
    pub(super) fn call(&self, inst: &Inst<'_>) -> Result<(), Failure> {
        let id = Self::operand(inst, 0)?;
        let Some(def) = self.id(id).filter(|def| def.is(Op::Function)) else {
            return Err(broken(inst, VerifyRule::NotAFunction { id }));
        };
        let def = self.read(def.at)?;
        let Ty::Function(ret, start, end) = self.types.get(Self::operand(&def, 1)?) else {
            return Err(broken(inst, VerifyRule::OperandTypes));
        };
        let parameters = self.types.members(start, end).iter().copied();
        let fits = ret == inst.result_type && inst.ids().map(|id| self.type_of(id)).eq(parameters);
        fits.then_some(())
            .ok_or_else(|| broken(inst, VerifyRule::OperandTypes))
    }
}
