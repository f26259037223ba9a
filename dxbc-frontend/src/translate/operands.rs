//! Operands: registers to values and back, with their modifiers.
//!
//! `x#` and the immediate constant buffer have a row more than is declared, which indices beyond
//! the end select: nothing else is read or written then, and the buffer's extra row is 0, as D3D
//! 11.3 requires.

use trellis_dxil_frontend::dxop::Op as Dx;
use trellis_dxil_frontend::module::{BinaryOp, Constant};

use super::Translator;
use super::flow::INSTANCE;
use super::stages::OUTPUTS;
use crate::build::{Overload, Value};
use crate::error::Error;
use crate::limits::MAX_TEMPS;
use crate::tokens::{Components, Declaration, Index, Instruction, Operand, RegisterFile};

/// An `x#` array.
#[derive(Clone, Copy)]
pub(super) struct Array {
    /// Address of an array of integers.
    pointer: Value,
    registers: u32,
    components: u32,
}

/// The immediate constant buffer.
#[derive(Clone, Copy)]
pub(super) struct Constants {
    /// Address of an array of integers, four per row.
    pointer: Value,
    rows: u32,
}

/// Values for the components of a register.
pub(super) type Lanes = [Option<Value>; 4];

impl Translator<'_> {
    /// Declares an `x#` array; other declarations were recorded before.
    pub(super) fn declare_array(&mut self, declaration: &Declaration) -> Result<(), Error> {
        let Declaration::IndexableTemp {
            id,
            registers,
            components,
        } = *declaration
        else {
            return Ok(());
        };
        if !self.b.is_in_function() {
            return Err(self.invalid("the array is not in a phase"));
        }
        let len = u64::from(registers + 1) * u64::from(components);
        let ty = self.b.array(self.b.scalar(Overload::I32), len);
        let array = Array {
            pointer: self.b.alloca(ty),
            registers,
            components,
        };
        self.arrays.insert(id, array);
        Ok(())
    }

    /// Declares the immediate constant buffer.
    pub(super) fn declare_constants(&mut self, words: &[u32]) -> Result<(), Error> {
        if self.constants.is_some() {
            return Err(self.invalid("a second immediate constant buffer"));
        }
        let mut data: Vec<u64> = words.iter().map(|&word| word.into()).collect();
        let rows = (data.len() / 4) as u32;
        data.resize(4 * rows as usize + 4, 0);
        let ty = self
            .b
            .array(self.b.scalar(Overload::I32), data.len() as u64);
        let init = self.b.constant(ty, Constant::Data(data.into()));
        let pointer = self.b.global("icb", ty, 0, Some(init));
        self.constants = Some(Constants { pointer, rows });
        Ok(())
    }

    /// Returns the value of an index. It recurses with [`Self::bits`] as deep as indices are
    /// nested, at most [`MAX_INDEX_DEPTH`](crate::limits::MAX_INDEX_DEPTH).
    pub(super) fn index(&mut self, index: Index) -> Result<Value, Error> {
        let base = self.b.i32(index.base);
        let Some(relative) = index.relative.expand() else {
            return Ok(base);
        };
        let relative = self.program.operands[relative];
        let value = self.source(&relative, 0, Overload::I32)?;
        Ok(match index.base {
            0 => value,
            _ => self.b.binary(BinaryOp::Add, value, base),
        })
    }

    /// Returns the component of an operand that the component `lane` of the instruction reads, as
    /// an `i32`, a `float` or a `half`, with its modifiers.
    pub(super) fn source(
        &mut self,
        operand: &Operand,
        lane: u8,
        ty: Overload,
    ) -> Result<Value, Error> {
        // In registers and constant buffers a half is a float.
        let view = match ty {
            Overload::F16 => Overload::F32,
            ty => ty,
        };
        let mut value = self.bits(operand, operand.component(lane), view)?;
        value = match view.is_float() {
            true => self.b.float(value),
            false => self.b.int(value),
        };
        if ty == Overload::F16 {
            value = self.b.narrowed(value);
        }
        Ok(self.modified(operand, value, ty))
    }

    /// Returns the component as [`Self::source`] does, in the view that it has; a `float` if it
    /// has modifiers.
    pub(super) fn any_source(&mut self, operand: &Operand, lane: u8) -> Result<Value, Error> {
        if operand.abs || operand.neg {
            return self.source(operand, lane, Overload::F32);
        }
        self.bits(operand, operand.component(lane), Overload::F32)
    }

    /// Returns two components, from `lane` on, as a `double`.
    pub(super) fn double(&mut self, operand: &Operand, lane: u8) -> Result<Value, Error> {
        let components = match (operand.file, operand.components) {
            (RegisterFile::Immediate64, Components::One) => [0, 1],
            _ => [operand.component(lane), operand.component(lane + 1)],
        };
        let mut words = [Value::default(); 2];
        for (word, component) in words.iter_mut().zip(components) {
            let bits = self.bits(operand, component, Overload::I32)?;
            *word = self.b.int(bits);
        }
        let value = match words.map(|word| self.b.bits(word)) {
            [Some(low), Some(high)] => self.b.f64(f64::from_bits(low | high << 32)),
            _ => match self.b.whole(words) {
                Some(value) => value,
                None => self.b.op(Dx::MakeDouble, Overload::F64, &words),
            },
        };
        Ok(self.modified(operand, value, Overload::F64))
    }

    /// Applies the modifiers of an operand.
    pub(super) fn modified(&mut self, operand: &Operand, mut value: Value, ty: Overload) -> Value {
        if operand.abs {
            value = match ty.is_float() {
                true => self.b.op(Dx::FAbs, ty, &[value]),
                false => {
                    let zero = self.b.i32(0);
                    let negated = self.b.binary(BinaryOp::Sub, zero, value);
                    self.b.op(Dx::IMax, ty, &[value, negated])
                }
            };
        }
        if operand.neg {
            let (op, zero) = match ty {
                Overload::F32 => (BinaryOp::FSub, self.b.f32(-0.0)),
                Overload::F64 => (BinaryOp::FSub, self.b.f64(-0.0)),
                Overload::F16 => (BinaryOp::FSub, self.b.f16_bits(1 << 15)),
                _ => (BinaryOp::Sub, self.b.i32(0)),
            };
            value = self.b.binary(op, zero, value);
        }
        value
    }

    /// Returns a component of a register, in either view: `ty` is the one to prefer.
    fn bits(&mut self, operand: &Operand, component: u8, ty: Overload) -> Result<Value, Error> {
        use RegisterFile as F;
        Ok(match operand.file {
            F::Immediate32 | F::Immediate64 => {
                self.b.i32(operand.immediate[usize::from(component & 3)])
            }
            F::Temp => {
                let variable = self.temp(operand, component)?;
                self.b.read(variable)
            }
            F::IndexableTemp => {
                let pointer = self.array_element(operand, component)?;
                self.b.load(pointer)
            }
            F::ConstantBuffer => {
                let row = self.constant_row(operand, ty)?;
                self.b.extract(row, component.into())
            }
            F::ImmediateConstantBuffer => self.immediate_constant(operand, component)?,
            F::InputForkInstanceId | F::InputJoinInstanceId => self.b.read(INSTANCE),
            _ => self.stage_input(operand, component)?,
        })
    }

    /// Returns the variable of a component of `r#`.
    fn temp(&self, operand: &Operand, component: u8) -> Result<u32, Error> {
        match operand.register() {
            Some(register) if register < MAX_TEMPS => Ok(register * 4 + u32::from(component)),
            _ => Err(self.invalid("the number of a temporary register")),
        }
    }

    /// Returns an index, or `count` if it is not less.
    fn clamped(&mut self, index: Index, count: u32) -> Result<Value, Error> {
        if index.relative.is_none() {
            return Ok(self.b.i32(index.base.min(count)));
        }
        let (index, count) = (self.index(index)?, self.b.i32(count));
        Ok(self.b.op(Dx::UMin, Overload::I32, &[index, count]))
    }

    /// Returns `row * width + component`.
    fn flattened(&mut self, row: Value, width: u32, component: u32) -> Value {
        if let Some(row) = self.b.bits(row) {
            return self.b.i32(row as u32 * width + component);
        }
        let (width, component) = (self.b.i32(width), self.b.i32(component));
        let start = self.b.binary(BinaryOp::Mul, row, width);
        self.b.binary(BinaryOp::Add, start, component)
    }

    /// Returns the address of a component of `x#`.
    fn array_element(&mut self, operand: &Operand, component: u8) -> Result<Value, Error> {
        let array = operand.register().and_then(|id| self.arrays.get(&id));
        let (Some(&array), &[_, index]) = (array, operand.indices()) else {
            return Err(self.invalid("the array is not declared"));
        };
        let component = u32::from(component);
        if component >= array.components {
            return Err(self.invalid("the array does not have the component"));
        }
        let row = self.clamped(index, array.registers)?;
        let place = self.flattened(row, array.components, component);
        Ok(self.b.element_ptr(array.pointer, place))
    }

    fn immediate_constant(&mut self, operand: &Operand, component: u8) -> Result<Value, Error> {
        let (Some(constants), &[index]) = (self.constants, operand.indices()) else {
            return Err(self.invalid("the immediate constant buffer is not declared"));
        };
        let row = self.clamped(index, constants.rows)?;
        let place = self.flattened(row, 4, component.into());
        let pointer = self.b.element_ptr(constants.pointer, place);
        Ok(self.b.load(pointer))
    }

    /// Writes the components of an operand that `value` yields: 32 bits each, in either view.
    pub(super) fn write_lanes(
        &mut self,
        inst: &Instruction,
        dst: &Operand,
        mut value: impl FnMut(&mut Self, u8) -> Value,
    ) -> Result<(), Error> {
        let lanes = self.lanes(inst, dst, |t, lane| Ok(value(t, lane)))?;
        self.store(inst, dst, lanes)
    }

    /// Returns a value for each component that an operand writes. Nothing is written yet, as an
    /// operand that is read may be the same register.
    pub(super) fn lanes(
        &mut self,
        inst: &Instruction,
        dst: &Operand,
        mut value: impl FnMut(&mut Self, u8) -> Result<Value, Error>,
    ) -> Result<Lanes, Error> {
        let mut lanes = [None; 4];
        let mask = written(dst);
        for lane in (0..4).filter(|lane| mask >> lane & 1 != 0) {
            self.b.set_precise(inst.precise >> lane & 1 != 0);
            lanes[usize::from(lane)] = Some(value(self, lane)?);
        }
        self.b.set_precise(false);
        Ok(lanes)
    }

    /// Writes components of an operand.
    pub(super) fn store(
        &mut self,
        inst: &Instruction,
        dst: &Operand,
        lanes: Lanes,
    ) -> Result<(), Error> {
        for (lane, value) in (0u8..).zip(lanes) {
            let Some(mut value) = value else {
                continue;
            };
            if inst.saturate {
                value = self.b.float(value);
                value = self.b.op(Dx::Saturate, Overload::F32, &[value]);
            }
            match dst.file {
                RegisterFile::Temp => {
                    let variable = self.temp(dst, lane)?;
                    self.b.write(variable, value);
                }
                RegisterFile::IndexableTemp => {
                    let pointer = self.array_element(dst, lane)?;
                    let value = self.b.int(value);
                    self.b.store(pointer, value);
                }
                RegisterFile::Output if self.has_output_variables() => {
                    let variable = self.output_variable(dst, lane)?;
                    self.b.write(OUTPUTS + variable, value);
                }
                RegisterFile::Null => {}
                _ => self.store_output(dst, lane, value)?,
            }
        }
        Ok(())
    }
}

/// Returns the components that an instruction writes: of `null` none, and one of depth and other
/// outputs of a pixel shader that are single numbers.
pub(super) fn written(dst: &Operand) -> u8 {
    match dst.file {
        RegisterFile::Null => 0,
        RegisterFile::OutputDepth
        | RegisterFile::OutputDepthGreaterEqual
        | RegisterFile::OutputDepthLessEqual
        | RegisterFile::OutputCoverageMask
        | RegisterFile::OutputStencilRef => 1,
        _ => dst.mask(),
    }
}
