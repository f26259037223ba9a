//! Types of the operands of the common instructions.

use rspirv::dr::{self, Operand};
use rspirv::spirv::{Op, StorageClass, Word};

use super::types::Ty;
use super::{Failure, Verifier, id_operands, show};

/// What an instruction wants of its operands and result.
#[derive(Clone, Copy)]
enum Shape {
    /// Operands and result have the same type, whose components are floats.
    Float,
    /// Integers: as many components of the same width.
    Int,
    /// Booleans.
    Bool,
    /// Float operands, boolean result.
    FloatCompare,
    /// Integer operands, boolean result.
    IntCompare,
    /// From (integer or float) to (integer or float), by component.
    Convert(bool, bool),
}

fn shape(op: Op) -> Option<Shape> {
    Some(match op {
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMod | Op::FNegate => Shape::Float,
        Op::IAdd | Op::ISub | Op::IMul | Op::UDiv | Op::SDiv | Op::UMod | Op::SRem | Op::SMod | Op::SNegate | Op::Not => Shape::Int,
        Op::BitwiseAnd | Op::BitwiseOr | Op::BitwiseXor | Op::BitReverse => Shape::Int,
        Op::LogicalAnd | Op::LogicalOr | Op::LogicalNot | Op::LogicalEqual | Op::LogicalNotEqual => Shape::Bool,
        Op::FOrdEqual | Op::FOrdNotEqual | Op::FOrdLessThan | Op::FOrdGreaterThan | Op::FOrdLessThanEqual | Op::FOrdGreaterThanEqual => Shape::FloatCompare,
        Op::FUnordEqual | Op::FUnordNotEqual | Op::FUnordLessThan | Op::FUnordGreaterThan | Op::FUnordLessThanEqual | Op::FUnordGreaterThanEqual => {
            Shape::FloatCompare
        }
        Op::IsNan | Op::IsInf => Shape::FloatCompare,
        Op::IEqual | Op::INotEqual | Op::UGreaterThan | Op::UGreaterThanEqual | Op::ULessThan | Op::ULessThanEqual => Shape::IntCompare,
        Op::SGreaterThan | Op::SGreaterThanEqual | Op::SLessThan | Op::SLessThanEqual => Shape::IntCompare,
        Op::ConvertFToU | Op::ConvertFToS => Shape::Convert(false, true),
        Op::ConvertUToF | Op::ConvertSToF => Shape::Convert(true, false),
        Op::UConvert | Op::SConvert => Shape::Convert(true, true),
        Op::FConvert => Shape::Convert(false, false),
        _ => return None,
    })
}

impl Verifier<'_> {
    /// Checks the operand types of an instruction that the rules know.
    pub(super) fn rules(&self, inst: &dr::Instruction, function: &dr::Instruction) -> Result<(), Failure> {
        let result = inst.result_type.unwrap_or(0);
        if let Some(shape) = shape(inst.class.opcode) {
            return if self.shaped(inst, result, shape) { Ok(()) } else { Err(format!("{}: operand types do not fit", show(inst))) };
        }
        let fine = match inst.class.opcode {
            Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => {
                let (base, shift) = (self.components(inst, 0)?, self.components(inst, 1)?);
                base == self.types.components(result) && matches!((base, shift), (Some((Ty::Int(_), a)), Some((Ty::Int(_), b))) if a == b)
            }
            Op::Select => {
                let cond = self.components(inst, 0)?;
                let same = self.operand_type(inst, 1)? == result && self.operand_type(inst, 2)? == result;
                same && matches!(cond, Some((Ty::Bool, n)) if n == 1 || self.types.components(result).is_some_and(|r| r.1 == n))
            }
            Op::Bitcast => match (self.types.bits(self.operand_type(inst, 0)?), self.types.bits(result)) {
                (Some(a), Some(b)) => a == b,
                _ => matches!(self.types.get(result), Ty::Pointer(..)),
            },
            Op::Load => {
                let pointee = self.pointee(self.operand_type(inst, 0)?);
                pointee == Some(result)
            }
            Op::Store => {
                let pointee = self.pointee(self.operand_type(inst, 0)?);
                pointee == Some(self.operand_type(inst, 1)?)
            }
            Op::AccessChain | Op::InBoundsAccessChain => self.access_chain(inst, result)?,
            Op::Variable => {
                matches!(
                    (self.types.get(result), inst.operands.first()),
                    (Ty::Pointer(StorageClass::Function, _), Some(Operand::StorageClass(StorageClass::Function)))
                )
            }
            Op::CompositeConstruct => self.construct(inst, result),
            Op::CompositeExtract => self.literal_path(self.operand_type(inst, 0)?, &inst.operands[1..]) == Some(result),
            Op::CompositeInsert => {
                let composite = self.operand_type(inst, 1)?;
                composite == result && self.literal_path(composite, &inst.operands[2..]) == Some(self.operand_type(inst, 0)?)
            }
            Op::BranchConditional => self.types.get(self.operand_type(inst, 0)?) == Ty::Bool,
            Op::Switch => self.switch(inst)?,
            Op::Return => self.types.get(function.result_type.unwrap_or(0)) == Ty::Void,
            Op::ReturnValue => Some(self.operand_type(inst, 0)?) == function.result_type,
            Op::FunctionCall => self.call(inst, result)?,
            Op::Any | Op::All => self.types.get(result) == Ty::Bool && matches!(self.components(inst, 0)?, Some((Ty::Bool, 2..=4))),
            Op::Dot => {
                let (a, b) = (self.operand_type(inst, 0)?, self.operand_type(inst, 1)?);
                a == b && matches!(self.types.get(a), Ty::Vector(element, _) if element == result)
            }
            _ => true,
        };
        if fine { Ok(()) } else { Err(format!("{}: operand types do not fit", show(inst))) }
    }

    fn operand_type(&self, inst: &dr::Instruction, index: usize) -> Result<Word, Failure> {
        Ok(self.type_of(Self::operand(inst, index)?))
    }

    fn components(&self, inst: &dr::Instruction, index: usize) -> Result<Option<(Ty, u32)>, Failure> {
        Ok(self.types.components(self.operand_type(inst, index)?))
    }

    fn pointee(&self, pointer: Word) -> Option<Word> {
        match self.types.get(pointer) {
            Ty::Pointer(_, pointee) => Some(pointee),
            _ => None,
        }
    }

    fn shaped(&self, inst: &dr::Instruction, result: Word, shape: Shape) -> bool {
        let Some((kind, len)) = self.types.components(result) else { return false };
        let mut operands = id_operands(inst).map(|id| self.types.components(self.type_of(id)));
        match shape {
            Shape::Float => matches!(kind, Ty::Float(_)) && operands.all(|o| o == Some((kind, len))),
            Shape::Int => matches!(kind, Ty::Int(_)) && operands.all(|o| o == Some((kind, len))),
            Shape::Bool => kind == Ty::Bool && operands.all(|o| o == Some((Ty::Bool, len))),
            Shape::FloatCompare => {
                let first = operands.next().flatten();
                kind == Ty::Bool && matches!(first, Some((Ty::Float(_), n)) if n == len) && operands.all(|o| o == first)
            }
            Shape::IntCompare => {
                let first = operands.next().flatten();
                kind == Ty::Bool && matches!(first, Some((Ty::Int(_), n)) if n == len) && operands.all(|o| o == first)
            }
            Shape::Convert(from_int, to_int) => {
                let is = |ty: Ty, int: bool| if int { matches!(ty, Ty::Int(_)) } else { matches!(ty, Ty::Float(_)) };
                is(kind, to_int) && operands.all(|o| o.is_some_and(|(ty, n)| n == len && is(ty, from_int) && (from_int != to_int || ty != kind)))
            }
        }
    }

    fn access_chain(&self, inst: &dr::Instruction, result: Word) -> Result<bool, Failure> {
        let (Ty::Pointer(class, mut ty), Ty::Pointer(result_class, pointee)) = (self.types.get(self.operand_type(inst, 0)?), self.types.get(result)) else {
            return Ok(false);
        };
        for id in id_operands(inst).skip(1) {
            if !matches!(self.types.get(self.type_of(id)), Ty::Int(_)) {
                return Ok(false);
            }
            let index = self.constant(id);
            match self.types.part(ty, index) {
                Some(part) => ty = part,
                None => return Ok(false),
            }
        }
        Ok(class == result_class && ty == pointee)
    }

    /// Number of a constant.
    fn constant(&self, id: Word) -> Option<u32> {
        self.constants.get(id as usize).copied().filter(|&c| c != u32::MAX)
    }

    fn construct(&self, inst: &dr::Instruction, result: Word) -> bool {
        match self.types.get(result) {
            Ty::Vector(element, len) => {
                // Parts are scalars or shorter vectors of the same component type.
                let total = id_operands(inst).try_fold(0, |sum, id| {
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
                members.len() == inst.operands.len() && id_operands(inst).zip(members).all(|(id, &m)| self.type_of(id) == m)
            }
            Ty::Array(element) => id_operands(inst).all(|id| self.type_of(id) == element),
            _ => false,
        }
    }

    fn literal_path(&self, composite: Word, path: &[Operand]) -> Option<Word> {
        path.iter().try_fold(composite, |ty, step| match step {
            Operand::LiteralBit32(index) => self.types.part(ty, Some(*index)),
            _ => None,
        })
    }

    fn switch(&self, inst: &dr::Instruction) -> Result<bool, Failure> {
        let Ty::Int(width) = self.types.get(self.operand_type(inst, 0)?) else { return Ok(false) };
        Ok(inst.operands.get(2..).unwrap_or_default().chunks(2).all(|case| match case {
            [Operand::LiteralBit64(_), Operand::IdRef(_)] => width == 64,
            [Operand::LiteralBit32(_), Operand::IdRef(_)] => width <= 32,
            _ => false,
        }))
    }

    fn call(&self, inst: &dr::Instruction, result: Word) -> Result<bool, Failure> {
        let callee = Self::operand(inst, 0)?;
        let def = self.module.functions.iter().filter_map(|f| f.def.as_ref()).find(|d| d.result_id == Some(callee));
        let Some(def) = def else { return Ok(false) };
        let Ty::Function(ret, start, end) = self.types.get(Self::operand(def, 1)?) else { return Ok(false) };
        let parameters = self.types.members(start, end);
        let same = id_operands(inst).skip(1).map(|id| self.type_of(id)).eq(parameters.iter().copied());
        Ok(ret == result && same)
    }
}
