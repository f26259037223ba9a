//! Constants: as scalars where they are operands, as bytes where they initialize memory.

use trellis_dxil_frontend::module::{
    CastOp, Constant, Function, Module, Type, TypeId, ValueId, ValueKind,
};

use super::Decoder;
use crate::alu;
use crate::error::{Error, Feature, InvalidKind, Quantity, bounded, invalid, unsupported};
use crate::memory;
use crate::program::Operand;
use crate::scalar::Scalar;

/// Deepest nesting of a constant; the reader of modules allows no more.
const MAX_DEPTH: u32 = trellis_dxil_frontend::limits::MAX_CONSTANT_DEPTH;

impl Decoder<'_> {
    /// Returns the scalars of a constant or global value.
    pub(super) fn constant(
        &mut self,
        function: Option<&Function>,
        value: ValueId,
    ) -> Result<Vec<u64>, Error> {
        let mut out = Vec::new();
        self.append(function, value, &mut out, 0)?;
        Ok(out)
    }

    fn append(
        &mut self,
        function: Option<&Function>,
        value: ValueId,
        out: &mut Vec<u64>,
        depth: u32,
    ) -> Result<(), Error> {
        self.spend(1)?;
        // The recursion is bounded by this limit, whatever the module holds.
        bounded(Quantity::ConstantNesting, depth.into(), MAX_DEPTH.into())?;
        let module: &Module = self.module;
        let data = module
            .value(function, value)
            .ok_or_else(|| invalid(InvalidKind::UnknownValue))?;
        let constant = match data.kind {
            ValueKind::Global(id) => {
                out.push(self.global(id)?.0);
                return Ok(());
            }
            ValueKind::Constant(id) => module
                .constants
                .get(id)
                .ok_or_else(|| invalid(InvalidKind::UnknownConstant))?,
            ValueKind::Function(_) => return Err(unsupported(Feature::FunctionAddress)),
            ValueKind::Argument(_) | ValueKind::Inst(_) => {
                return Err(invalid(InvalidKind::NotAConstant));
            }
        };
        match &constant.value {
            Constant::Null | Constant::Undef => {
                out.resize(out.len() + self.layouts.leaves(constant.ty)?.len(), 0);
            }
            Constant::Int(bits) => {
                let ty = self.scalar_of(constant.ty)?;
                out.push(bits & ty.mask());
            }
            Constant::Float(bits) => out.push(self.float(constant.ty, *bits)?),
            Constant::Aggregate(_) => {
                for part in constant.value.operands(&module.const_operands) {
                    self.append(function, part, out, depth + 1)?;
                }
            }
            Constant::Data(elements) => {
                self.spend(elements.len())?;
                let leaves = self.layouts.leaves(constant.ty)?;
                let element = self.element_of(constant.ty)?;
                for (&bits, _) in elements.iter().zip(leaves.iter()) {
                    out.push(self.float(element, bits)?);
                }
            }
            Constant::String(text, nul) => {
                out.extend(text.iter().map(|&byte| u64::from(byte)));
                out.extend(nul.then_some(0));
            }
            _ => self.expression(function, &constant.value, constant.ty, out, depth)?,
        }
        Ok(())
    }

    /// Evaluates a constant expression.
    fn expression(
        &mut self,
        function: Option<&Function>,
        value: &Constant,
        ty: TypeId,
        out: &mut Vec<u64>,
        depth: u32,
    ) -> Result<(), Error> {
        let mut operand = |value| self.typed_operand(function, value, depth);
        match *value {
            Constant::Binary {
                op,
                operands: [a, b],
                ..
            } => {
                let ((a, ty), (b, _)) = (operand(a)?, operand(b)?);
                self.each_scalar(ty, &a, &b, out, |ty, a, b| alu::binary(op, ty, a, b, false))?;
            }
            Constant::Cmp {
                predicate,
                operands: [a, b],
            } => {
                let ((a, ty), (b, _)) = (operand(a)?, operand(b)?);
                self.each_scalar(ty, &a, &b, out, |ty, a, b| {
                    u64::from(alu::compare(predicate, ty, a, b, false))
                })?;
            }
            Constant::Cast { op, value } => {
                let (parts, from) = operand(value)?;
                let (from, to) = (self.layouts.leaves(from)?, self.layouts.leaves(ty)?);
                if from.len() != to.len() {
                    return Err(unsupported(Feature::VectorBitCast));
                }
                let types = from.iter().zip(to.iter());
                for ((&(from, _), &(to, _)), &part) in types.zip(&parts) {
                    out.push(alu::cast(op, from, to, part, false));
                }
            }
            Constant::Select([cond, then, other]) => {
                let (cond, _) = operand(cond)?;
                let chosen = if cond.first().is_some_and(|&bit| bit & 1 == 1) {
                    then
                } else {
                    other
                };
                out.extend(operand(chosen)?.0);
            }
            Constant::Gep { source, .. } => {
                let operands = value.operands(&self.module.const_operands).collect();
                out.push(self.address(function, source, operands, depth)?);
            }
            Constant::VectorOp { op, .. } => {
                return Err(unsupported(Feature::VectorExpression(op)));
            }
            _ => return Err(invalid(InvalidKind::NotAConstant)),
        }
        Ok(())
    }

    /// Returns the scalars and the type of an operand of an expression at `depth`.
    fn typed_operand(
        &mut self,
        function: Option<&Function>,
        value: ValueId,
        depth: u32,
    ) -> Result<(Vec<u64>, TypeId), Error> {
        let mut parts = Vec::new();
        self.append(function, value, &mut parts, depth + 1)?;
        let data = self.module.value(function, value);
        let ty = data.ok_or_else(|| invalid(InvalidKind::UnknownValue))?.ty;
        Ok((parts, ty))
    }

    /// Appends the result of an operation on each pair of scalars of two values of type `ty`.
    fn each_scalar(
        &mut self,
        ty: TypeId,
        a: &[u64],
        b: &[u64],
        out: &mut Vec<u64>,
        result: impl Fn(Scalar, u64, u64) -> u64,
    ) -> Result<(), Error> {
        let leaves = self.layouts.leaves(ty)?;
        let pairs = leaves.iter().zip(a.iter().zip(b));
        out.extend(pairs.map(|(&(ty, _), (&a, &b))| result(ty, a, b)));
        Ok(())
    }

    /// Returns the pointer that a `getelementptr` computes.
    fn address(
        &mut self,
        function: Option<&Function>,
        source: TypeId,
        operands: Vec<ValueId>,
        depth: u32,
    ) -> Result<u64, Error> {
        let Some((&base, indices)) = operands.split_first() else {
            return Err(invalid(InvalidKind::NoBasePointer));
        };
        let (base, _) = self.typed_operand(function, base, depth)?;
        let base = base.first().copied().unwrap_or(0);
        let mut bytes = 0u64;
        let mut at = source;
        for (number, &index) in indices.iter().enumerate() {
            let (index, index_ty) = self.typed_operand(function, index, depth)?;
            let index_ty = self.scalar_of(index_ty)?;
            let index = index_ty.signed(index.first().copied().unwrap_or(0)) as u64;
            let step = if number == 0 {
                self.layouts.size(at)?.wrapping_mul(index)
            } else {
                let (step, part) = self.layouts.step(at, index)?;
                at = part;
                step
            };
            bytes = bytes.wrapping_add(step);
        }
        Ok(memory::Pointer(base).add(bytes).0)
    }

    /// Returns the scalar type that a type is.
    pub(super) fn scalar_of(&mut self, ty: TypeId) -> Result<Scalar, Error> {
        self.layouts
            .scalar(ty)?
            .ok_or_else(|| invalid(InvalidKind::NotAScalar))
    }

    /// Bits of a number as this program holds them: a minimum-precision `half` becomes an `f32`.
    fn float(&mut self, ty: TypeId, bits: u64) -> Result<u64, Error> {
        let scalar = self.scalar_of(ty)?;
        let narrow = self.module.types.get(ty) == Some(&Type::Half);
        Ok(if narrow && scalar == Scalar::F32 {
            alu::cast(CastOp::FPExt, Scalar::F16, Scalar::F32, bits, false)
        } else {
            bits & scalar.mask()
        })
    }

    fn element_of(&self, ty: TypeId) -> Result<TypeId, Error> {
        match self.module.types.get(ty) {
            Some(Type::Array { element, .. } | Type::Vector { element, .. }) => Ok(*element),
            _ => Err(invalid(InvalidKind::ListType)),
        }
    }

    /// Returns the bytes that a constant fills memory with.
    pub(super) fn bytes_of(&mut self, value: ValueId, ty: TypeId) -> Result<Vec<u8>, Error> {
        let constant = self.module.constant(None, value);
        if constant.is_none_or(|c| matches!(c.value, Constant::Null | Constant::Undef)) {
            return Ok(Vec::new());
        }
        let size = self.layouts.size(ty)?;
        bounded(Quantity::VariableBytes, size, super::MAX_MEMORY)?;
        let mut bytes = vec![0; size as usize];
        self.fill(&mut bytes, 0, value, ty, 0)?;
        Ok(bytes)
    }

    /// Writes a constant into memory; arrays go element by element, as they may have more scalars
    /// than a value can.
    fn fill(
        &mut self,
        bytes: &mut [u8],
        at: u64,
        value: ValueId,
        ty: TypeId,
        depth: u32,
    ) -> Result<(), Error> {
        self.spend(1)?;
        bounded(Quantity::ConstantNesting, depth.into(), MAX_DEPTH.into())?;
        let module = self.module;
        match module.constant(None, value).map(|constant| &constant.value) {
            Some(Constant::Null | Constant::Undef) => {}
            Some(aggregate @ Constant::Aggregate(_)) => {
                let parts = aggregate.operands(&module.const_operands);
                for (index, part) in parts.enumerate() {
                    let (offset, part_ty) = self.layouts.step(ty, index as u64)?;
                    self.fill(bytes, at + offset, part, part_ty, depth + 1)?;
                }
            }
            Some(Constant::Data(elements)) => {
                self.spend(elements.len())?;
                let element = self.element_of(ty)?;
                let scalar = self.scalar_of(element)?;
                for (index, &bits) in (0..).zip(elements) {
                    let bits = self.float(element, bits)?;
                    let at = at + index * u64::from(scalar.bytes());
                    memory::write(bytes, at, scalar, bits);
                }
            }
            _ => {
                let leaves = self.layouts.leaves(ty)?;
                for (&(scalar, offset), bits) in leaves.iter().zip(self.constant(None, value)?) {
                    memory::write(bytes, at + u64::from(offset), scalar, bits);
                }
            }
        }
        Ok(())
    }

    /// Returns the scalars of a constant as operands.
    pub(super) fn constant_leaves(
        &mut self,
        function: &Function,
        value: ValueId,
    ) -> Result<super::Leaves, Error> {
        let parts = self.constant(Some(function), value)?;
        self.spend(parts.len())?;
        let start = self.leaves.next_key();
        self.leaves.extend(parts.into_iter().map(Operand::Const));
        Ok(self.leaves_from(start))
    }

    /// Returns the numbers in the mask of a `shufflevector`, with `None` for undefined ones.
    pub(super) fn shuffle_mask(
        &mut self,
        function: &Function,
        value: ValueId,
    ) -> Result<Vec<Option<u64>>, Error> {
        let module = self.module;
        let undefined = |value| {
            module
                .constant(Some(function), value)
                .is_none_or(|constant| matches!(constant.value, Constant::Undef))
        };
        let constant = module.constant(Some(function), value).map(|c| &c.value);
        if let Some(aggregate @ Constant::Aggregate(_)) = constant {
            let parts = aggregate.operands(&module.const_operands);
            let number = |part| {
                module
                    .const_int(Some(function), part)
                    .filter(|_| !undefined(part))
            };
            return Ok(parts.map(number).collect());
        }
        let numbers = self.constant(Some(function), value)?;
        Ok(numbers.into_iter().map(Some).collect())
    }
}
