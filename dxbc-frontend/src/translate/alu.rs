//! Arithmetic: instructions that compute values from values.
//!
//! Semantics that LLVM's and DXIL's operations have as D3D 11.3 requires: conversions to integers
//! saturate, and yield 0 for NaN; `udiv` by 0 yields all ones; `min` and `max` yield the operand
//! that is not NaN. A shift takes the low 5 bits of its amount, for which DXIL has an `and`. `f32tof16`
//! makes infinities of infinities only.
//!
//! Arithmetic with a result of minimum precision is on halves, which the option `min_precision` makes 16 or
//! 32 bits; registers stay floats. Integers of minimum precision have 32 bits.

use trellis_dxil_frontend::dxop::Op as Dx;
use trellis_dxil_frontend::module::{BinaryOp, CastOp, Predicate};

use super::Translator;
use super::operands::{Lanes, written};
use crate::build::{Overload, Value};
use crate::error::Error;
use crate::tokens::{
    Instruction, MinPrecision, Op, Operand, OperandRole, OperandType, RegisterFile,
};

/// A computation of one component, from one component of each operand.
#[derive(Clone, Copy)]
enum Alu {
    Dx(Dx),
    Binary(BinaryOp),
    Shift(BinaryOp),
    /// A comparison that yields a mask.
    Compare(Predicate),
    Cast(CastOp, Overload),
    /// 1 divided by the operand.
    Reciprocal,
    /// 0 minus the operand.
    Negate,
    /// All bits inverted.
    Not,
    /// The operand.
    Move,
}

impl Alu {
    fn of(op: Op) -> Option<Self> {
        use Predicate as P;
        Some(match op {
            Op::Add | Op::Dadd => Self::Binary(BinaryOp::FAdd),
            Op::Mul | Op::Dmul => Self::Binary(BinaryOp::FMul),
            Op::Div | Op::Ddiv => Self::Binary(BinaryOp::FDiv),
            Op::Iadd => Self::Binary(BinaryOp::Add),
            Op::And => Self::Binary(BinaryOp::And),
            Op::Or => Self::Binary(BinaryOp::Or),
            Op::Xor => Self::Binary(BinaryOp::Xor),
            Op::Ishl => Self::Shift(BinaryOp::Shl),
            Op::Ishr => Self::Shift(BinaryOp::AShr),
            Op::Ushr => Self::Shift(BinaryOp::LShr),
            Op::Eq | Op::Deq => Self::Compare(P::FOeq),
            Op::Ne | Op::Dne => Self::Compare(P::FUne),
            Op::Lt | Op::Dlt => Self::Compare(P::FOlt),
            Op::Ge | Op::Dge => Self::Compare(P::FOge),
            Op::Ieq => Self::Compare(P::IEq),
            Op::Ine => Self::Compare(P::INe),
            Op::Ilt => Self::Compare(P::ISlt),
            Op::Ige => Self::Compare(P::ISge),
            Op::Ult => Self::Compare(P::IUlt),
            Op::Uge => Self::Compare(P::IUge),
            Op::Ftoi | Op::Dtoi => Self::Cast(CastOp::FPToSI, Overload::I32),
            Op::Ftou | Op::Dtou => Self::Cast(CastOp::FPToUI, Overload::I32),
            Op::Itof => Self::Cast(CastOp::SIToFP, Overload::F32),
            Op::Utof => Self::Cast(CastOp::UIToFP, Overload::F32),
            Op::Itod => Self::Cast(CastOp::SIToFP, Overload::F64),
            Op::Utod => Self::Cast(CastOp::UIToFP, Overload::F64),
            Op::Ftod => Self::Cast(CastOp::FPExt, Overload::F64),
            Op::Dtof => Self::Cast(CastOp::FPTrunc, Overload::F32),
            Op::Rcp | Op::Drcp => Self::Reciprocal,
            Op::Ineg => Self::Negate,
            Op::Not => Self::Not,
            Op::Mov | Op::Dmov => Self::Move,
            _ => Self::Dx(operation(op)?),
        })
    }
}

/// Returns the operation of DXIL that has the same operands and meaning.
fn operation(op: Op) -> Option<Dx> {
    Some(match op {
        Op::Exp => Dx::Exp,
        Op::Frc => Dx::Frc,
        Op::Log => Dx::Log,
        Op::Sqrt => Dx::Sqrt,
        Op::Rsq => Dx::Rsqrt,
        Op::RoundNe => Dx::RoundNe,
        Op::RoundNi => Dx::RoundNi,
        Op::RoundPi => Dx::RoundPi,
        Op::RoundZ => Dx::RoundZ,
        Op::DerivRtx | Op::DerivRtxCoarse => Dx::DerivCoarseX,
        Op::DerivRty | Op::DerivRtyCoarse => Dx::DerivCoarseY,
        Op::DerivRtxFine => Dx::DerivFineX,
        Op::DerivRtyFine => Dx::DerivFineY,
        Op::Max | Op::Dmax => Dx::FMax,
        Op::Min | Op::Dmin => Dx::FMin,
        Op::Mad => Dx::FMad,
        Op::Dfma => Dx::Fma,
        Op::Imax => Dx::IMax,
        Op::Imin => Dx::IMin,
        Op::Umax => Dx::UMax,
        Op::Umin => Dx::UMin,
        Op::Imad => Dx::IMad,
        Op::Umad => Dx::UMad,
        Op::Msad => Dx::Msad,
        Op::Ibfe => Dx::Ibfe,
        Op::Ubfe => Dx::Ubfe,
        Op::Bfi => Dx::Bfi,
        Op::Bfrev => Dx::Bfrev,
        Op::Countbits => Dx::Countbits,
        Op::FirstbitHi => Dx::FirstbitHi,
        Op::FirstbitLo => Dx::FirstbitLo,
        Op::FirstbitShi => Dx::FirstbitSHi,
        Op::F32tof16 => Dx::LegacyF32ToF16,
        Op::F16tof32 => Dx::LegacyF16ToF32,
        _ => return None,
    })
}

/// Returns the type of the arithmetic whose result, a float, an operand takes.
fn float_of(dst: &Operand) -> Overload {
    match dst.min_precision {
        MinPrecision::Float16 | MinPrecision::Float2_8 => Overload::F16,
        _ => Overload::F32,
    }
}

impl Translator<'_> {
    /// Translates an instruction of arithmetic; `false` if it is another.
    pub(super) fn alu(&mut self, op: Op, inst: &Instruction) -> Result<bool, Error> {
        if let Some(alu) = Alu::of(op) {
            self.componentwise(op, alu, inst)?;
            return Ok(true);
        }
        let operands = self.program.operands(inst);
        match (op, operands) {
            (Op::Dp2, [dst, a, b]) => self.dot(inst, (Dx::Dot2, 2), dst, [a, b])?,
            (Op::Dp3, [dst, a, b]) => self.dot(inst, (Dx::Dot3, 3), dst, [a, b])?,
            (Op::Dp4, [dst, a, b]) => self.dot(inst, (Dx::Dot4, 4), dst, [a, b])?,
            (Op::Movc, [dst, condition, a, b]) => {
                let lanes = self.lanes(inst, dst, |t, lane| t.selected(lane, condition, a, b))?;
                self.store(inst, dst, lanes)?;
            }
            (Op::Swapc, [first, second, condition, a, b]) => {
                let lanes = [
                    self.lanes(inst, first, |t, lane| t.selected(lane, condition, b, a))?,
                    self.lanes(inst, second, |t, lane| t.selected(lane, condition, a, b))?,
                ];
                self.store_both(inst, [first, second], lanes)?;
            }
            (Op::Dmovc, [dst, condition, a, b]) => self.doubles(inst, dst, |t, lane| {
                let condition = t.source(condition, lane >> 1, Overload::I32)?;
                let condition = t.b.is_nonzero(condition);
                let (a, b) = (t.double(a, lane)?, t.double(b, lane)?);
                Ok(t.b.select(condition, a, b))
            })?,
            (Op::Sincos, [sin, cos, source]) => {
                let mut compute = |dst, op| {
                    self.lanes(inst, dst, |t, lane| {
                        let float = float_of(dst);
                        let source = t.source(source, lane, float)?;
                        let value = t.b.op(op, float, &[source]);
                        Ok(t.b.widened(value))
                    })
                };
                let lanes = [compute(sin, Dx::Sin)?, compute(cos, Dx::Cos)?];
                self.store_both(inst, [sin, cos], lanes)?;
            }
            (Op::Imul, [high, low, a, b]) => self.wide_mul(inst, Dx::IMul, [high, low], [a, b])?,
            (Op::Umul, [high, low, a, b]) => self.wide_mul(inst, Dx::UMul, [high, low], [a, b])?,
            (Op::Udiv, [first, second, a, b]) => {
                self.two_results(inst, Dx::UDiv, [first, second], [a, b])?;
            }
            (Op::Uaddc, [first, second, a, b]) => {
                self.two_results(inst, Dx::UAddc, [first, second], [a, b])?;
            }
            (Op::Usubb, [first, second, a, b]) => {
                self.two_results(inst, Dx::USubb, [first, second], [a, b])?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Translates an instruction that computes each component alike. The `k`th component that is
    /// written is of the `k`th double, and the other way around.
    fn componentwise(&mut self, op: Op, alu: Alu, inst: &Instruction) -> Result<(), Error> {
        let [dst, sources @ ..] = self.program.operands(inst) else {
            return Err(self.missing_operand());
        };
        let [OperandRole::Dest(dst_ty), roles @ ..] = op.info().operands else {
            return Err(self.missing_operand());
        };
        let float = match *dst_ty {
            OperandType::Float => float_of(dst),
            _ => Overload::F32,
        };
        let compute = |t: &mut Self, lane: u8, double: u8| {
            let mut args = [Value::default(); 4];
            for ((arg, source), role) in args.iter_mut().zip(sources).zip(roles) {
                *arg = match role {
                    OperandRole::Source(OperandType::Double) => t.double(source, double)?,
                    OperandRole::Source(OperandType::Float) => t.source(source, lane, float)?,
                    OperandRole::Source(OperandType::Any) => t.any_source(source, lane)?,
                    _ => t.source(source, lane, Overload::I32)?,
                };
            }
            let value = t.compute(alu, &args[..sources.len().min(4)]);
            Ok(t.b.widened(value))
        };
        let mask = written(dst);
        let from_doubles = roles.contains(&OperandRole::Source(OperandType::Double));
        if *dst_ty == OperandType::Double {
            return self.doubles(inst, dst, |t, lane| {
                let pairs = if mask & 3 != 0 { 0 } else { 2 };
                compute(t, (lane - pairs) >> 1, lane)
            });
        }
        let lanes = self.lanes(inst, dst, |t, lane| {
            let before = (mask & ((1 << lane) - 1)).count_ones() as u8;
            if from_doubles && before > 1 {
                return Err(t.invalid("more than two components of two doubles"));
            }
            compute(t, lane, 2 * before)
        })?;
        self.store(inst, dst, lanes)
    }

    fn compute(&mut self, alu: Alu, args: &[Value]) -> Value {
        let (first, second) = match *args {
            [first, second, ..] => (first, second),
            [first] => (first, first),
            [] => return Value::default(),
        };
        match alu {
            Alu::Move => first,
            Alu::Binary(op) => self.b.binary(op, first, second),
            Alu::Shift(op) => {
                let amount = match self.b.bits(second) {
                    Some(amount) => self.b.i32(amount as u32 & 31),
                    None => {
                        let mask = self.b.i32(31);
                        self.b.binary(BinaryOp::And, second, mask)
                    }
                };
                self.b.binary(op, first, amount)
            }
            Alu::Compare(predicate) => {
                let condition = self.b.cmp(predicate, first, second);
                self.b.mask(condition)
            }
            Alu::Cast(op, to) => self.b.cast(op, first, to),
            Alu::Reciprocal => {
                let one = match self.overload_of(first) {
                    Overload::F64 => self.b.f64(1.0),
                    Overload::F16 => self.b.f16_bits(0x3c00),
                    _ => self.b.f32(1.0),
                };
                self.b.binary(BinaryOp::FDiv, one, first)
            }
            Alu::Negate => {
                let zero = self.b.i32(0);
                self.b.binary(BinaryOp::Sub, zero, first)
            }
            Alu::Not => {
                let ones = self.b.i32(u32::MAX);
                self.b.binary(BinaryOp::Xor, first, ones)
            }
            Alu::Dx(Dx::LegacyF16ToF32) => self.b.op(Dx::LegacyF16ToF32, Overload::None, args),
            Alu::Dx(Dx::LegacyF32ToF16) => {
                // D3D rounds toward zero, so that a finite number is a finite half.
                let (low, high) = (self.b.f32(-65504.0), self.b.f32(65504.0));
                let is_finite = self.b.op(Dx::IsFinite, Overload::F32, args);
                let value = self.b.op(Dx::FMax, Overload::F32, &[first, low]);
                let value = self.b.op(Dx::FMin, Overload::F32, &[value, high]);
                let value = self.b.select(is_finite, value, first);
                self.b.op(Dx::LegacyF32ToF16, Overload::None, &[value])
            }
            Alu::Dx(op) => self.b.op(op, self.overload_of(first), args),
        }
    }

    /// Returns the overload of an operation on a value.
    fn overload_of(&self, value: Value) -> Overload {
        let ty = self.b.type_of(value);
        { [Overload::F64, Overload::F32, Overload::F16].into_iter() }
            .find(|&overload| ty == self.b.scalar(overload))
            .unwrap_or(Overload::I32)
    }

    /// Writes doubles, one for each two components.
    fn doubles(
        &mut self,
        inst: &Instruction,
        dst: &Operand,
        mut value: impl FnMut(&mut Self, u8) -> Result<Value, Error>,
    ) -> Result<(), Error> {
        let mask = written(dst);
        let mut lanes = Lanes::default();
        for lane in [0, 2] {
            match mask >> lane & 3 {
                0 => continue,
                3 => {}
                _ => return Err(self.invalid("a half of a double is written")),
            }
            self.b.set_precise(inst.precise >> lane & 1 != 0);
            let mut value = value(self, lane)?;
            if inst.saturate {
                value = self.b.op(Dx::Saturate, Overload::F64, &[value]);
            }
            let words = self.b.op(Dx::SplitDouble, Overload::F64, &[value]);
            for half in 0..2u8 {
                let word = self.b.extract(words, half.into());
                lanes[usize::from(lane + half)] = Some(word);
            }
        }
        self.b.set_precise(false);
        let saturated = Instruction {
            saturate: false,
            ..*inst
        };
        self.store(&saturated, dst, lanes)
    }

    fn store_both(
        &mut self,
        inst: &Instruction,
        dsts: [&Operand; 2],
        lanes: [Lanes; 2],
    ) -> Result<(), Error> {
        for (dst, lanes) in dsts.into_iter().zip(lanes) {
            self.store(inst, dst, lanes)?;
        }
        Ok(())
    }

    /// Returns a component of `a` if the condition holds, else of `b`.
    fn selected(
        &mut self,
        lane: u8,
        condition: &Operand,
        a: &Operand,
        b: &Operand,
    ) -> Result<Value, Error> {
        let condition = self.source(condition, lane, Overload::I32)?;
        let condition = self.b.is_nonzero(condition);
        let (mut a, mut b) = (self.any_source(a, lane)?, self.any_source(b, lane)?);
        // Values that are not constant have their type for a reason.
        let typed = if self.b.bits(a).is_none() { a } else { b };
        if self.b.type_of(typed) == self.b.scalar(Overload::F32) {
            (a, b) = (self.b.float(a), self.b.float(b));
        } else {
            (a, b) = (self.b.int(a), self.b.int(b));
        }
        Ok(self.b.select(condition, a, b))
    }

    /// Translates a dot product of the first `count` components.
    fn dot(
        &mut self,
        inst: &Instruction,
        (op, count): (Dx, u8),
        dst: &Operand,
        sources: [&Operand; 2],
    ) -> Result<(), Error> {
        self.b.set_precise(inst.precise != 0);
        let mut args = [Value::default(); 8];
        for (half, source) in sources.into_iter().enumerate() {
            for lane in 0..count {
                let place = half * usize::from(count) + usize::from(lane);
                args[place] = self.source(source, lane, float_of(dst))?;
            }
        }
        let args = &args[..2 * usize::from(count)];
        let sum = self.b.op(op, float_of(dst), args);
        let sum = self.b.widened(sum);
        self.write_lanes(inst, dst, |_, _| sum)
    }

    /// Translates a product of 64 bits, whose high half most shaders ignore.
    fn wide_mul(
        &mut self,
        inst: &Instruction,
        op: Dx,
        dsts: [&Operand; 2],
        sources: [&Operand; 2],
    ) -> Result<(), Error> {
        if dsts[0].file != RegisterFile::Null {
            return self.two_results(inst, op, dsts, sources);
        }
        let [a, b] = sources;
        let lanes = self.lanes(inst, dsts[1], |t, lane| {
            let a = t.source(a, lane, Overload::I32)?;
            let b = t.source(b, lane, Overload::I32)?;
            Ok(t.b.binary(BinaryOp::Mul, a, b))
        })?;
        self.store(inst, dsts[1], lanes)
    }

    /// Translates an instruction with two results, which an operation returns as a structure. A
    /// carry or borrow is 0 or 1.
    fn two_results(
        &mut self,
        inst: &Instruction,
        op: Dx,
        dsts: [&Operand; 2],
        sources: [&Operand; 2],
    ) -> Result<(), Error> {
        let has_carry = matches!(op, Dx::UAddc | Dx::USubb);
        let mut pairs = Lanes::default();
        let mut lanes = [Lanes::default(); 2];
        for (field, dst) in (0..2).zip(dsts) {
            lanes[field] = self.lanes(inst, dst, |t, lane| {
                let pair = match pairs[usize::from(lane)] {
                    Some(pair) => pair,
                    None => {
                        let a = t.source(sources[0], lane, Overload::I32)?;
                        let b = t.source(sources[1], lane, Overload::I32)?;
                        t.b.op(op, Overload::I32, &[a, b])
                    }
                };
                pairs[usize::from(lane)] = Some(pair);
                let value = t.b.extract(pair, field as u32);
                Ok(match has_carry && field == 1 {
                    true => t.b.cast(CastOp::ZExt, value, Overload::I32),
                    false => value,
                })
            })?;
        }
        self.store_both(inst, dsts, lanes)
    }
}
