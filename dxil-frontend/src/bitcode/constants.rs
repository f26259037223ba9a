//! CONSTANTS block (11), of the module and of functions.

use trellis_entity::EntityRange;

use crate::bitstream::{Block, Stream};
use crate::error::BitcodeErrorKind;
use crate::limits;
use crate::module::{
    ArithFlags, ConstId, Constant, ConstantData, PoolRange, Type, TypeId, ValueData, ValueId,
    ValueKind, VectorOp,
};

use super::check::{Child, check_depths};
use super::errors::{
    bad_field, length_error, missing, operand_type, out_of_range, same_type, unknown_record,
    unsupported,
};
use super::fields::{Fields, signed};
use super::operators::{arith_flags, cast_op, predicate};
use super::{Builder, Result, each_record};

/// Values that a CONSTANTS block adds to: the module's (`base` 0) or a function's (`base`: number
/// of the module's values).
pub(super) struct Scope<'v> {
    pub(super) base: u32,
    pub(super) values: &'v mut Vec<ValueData>,
}

impl Builder {
    pub(super) fn read_module_constants(
        &mut self,
        stream: &mut Stream<'_>,
        block: Block,
    ) -> Result<()> {
        let mut values = std::mem::take(&mut self.module.values);
        let scope = Scope {
            base: 0,
            values: &mut values,
        };
        let result = self.read_constants(stream, block, scope);
        self.module.values = values;
        result
    }

    pub(super) fn read_constants(
        &mut self,
        stream: &mut Stream<'_>,
        block: Block,
        scope: Scope<'_>,
    ) -> Result<()> {
        let first = self.module.constants.next_key();
        let mut ty = None;
        // Bits of an integer of that type; 0 if it is not an integer.
        let mut mask = 0;
        // Operands may be defined later, so that they are compared with the types they must have at
        // the end of the block.
        let mut expected = std::mem::take(&mut self.expected);
        expected.clear();
        let guess = block.bits() / 24;
        scope.values.reserve(guess);
        self.module.constants.reserve(guess);
        expected.reserve(guess);
        each_record(stream, block, |code, mut fields| {
            if code == 1 {
                let found = self.type_at(fields.take()?)?;
                // DXC's reflection has undefined values of opaque structs.
                let is_opaque = matches!(self.module.ty(found), Type::Struct { opaque: true, .. });
                if !self.is_first_class(found) && !is_opaque {
                    return operand_type("constant", found, "a first-class type");
                }
                ty = Some(found);
                mask = match *self.module.ty(found) {
                    Type::Int(bits) => u64::MAX >> (64 - bits.clamp(1, 64)),
                    _ => 0,
                };
                return Ok(());
            }
            // LLVM starts with i32; its writer always sets the type.
            let Some(ty) = ty else {
                return Err(missing("SETTYPE before a constant"));
            };
            let value = match code {
                2 => Constant::Null,
                4 if mask != 0 => Constant::Int(signed(fields.take()?) as u64 & mask),
                _ => self.constant(code, fields, ty, &mut expected)?,
            };
            let id = self.module.constants.push(ConstantData { ty, value });
            scope.values.push(ValueData {
                ty,
                kind: ValueKind::Constant(id),
            });
            Ok(())
        })?;
        if !expected.is_empty() {
            self.check_constants(first, &expected, &scope)?;
        }
        self.expected = expected;
        Ok(())
    }

    /// Reads any constant other than null and integers.
    #[inline(never)]
    fn constant(
        &mut self,
        code: u32,
        mut fields: Fields<'_>,
        ty: TypeId,
        expected: &mut Vec<(u32, TypeId)>,
    ) -> Result<Constant> {
        Ok(match code {
            3 => Constant::Undef,
            4 => return operand_type("integer constant", ty, "an integer"),
            5 => return Err(unsupported("integer of more than 64 bits")),
            6 => {
                let limit = match self.module.ty(ty) {
                    Type::Half => 0xffff,
                    Type::Float => 0xffff_ffff,
                    Type::Double => u64::MAX,
                    _ => {
                        return operand_type(
                            "floating-point constant",
                            ty,
                            "half, float or double",
                        );
                    }
                };
                Constant::Float(fields.in_range(
                    "floating-point bits",
                    0..=limit,
                    "no more bits than the type has",
                )?)
            }
            7 => self.aggregate(fields, ty, expected)?,
            8 | 9 => self.string(fields, ty, code == 9)?,
            10 => self.binary_expression(fields, ty, expected)?,
            11 => {
                let op = cast_op(fields.take()?)?;
                let from = self.type_at(fields.take()?)?;
                self.check_cast(op, from, ty)?;
                Constant::Cast {
                    op,
                    value: operand(&mut fields, from, expected)?,
                }
            }
            12 | 20 => self.gep_expression(fields, code == 20, expected)?,
            13 => {
                let cond = self.bool_type();
                if self.vector_len(ty).is_some() {
                    return Err(unsupported("select of vectors as a constant expression"));
                }
                Constant::Select([
                    operand(&mut fields, cond, expected)?,
                    operand(&mut fields, ty, expected)?,
                    operand(&mut fields, ty, expected)?,
                ])
            }
            14..=16 | 19 => self.vector_expression(code, fields, ty, expected)?,
            17 => {
                let of = self.type_at(fields.take()?)?;
                let operands = [
                    operand(&mut fields, of, expected)?,
                    operand(&mut fields, of, expected)?,
                ];
                let predicate = predicate(fields.take()?)?;
                self.check_predicate(predicate, of)?;
                let result = self.cmp_result(of);
                same_type("comparison", result, ty)?;
                Constant::Cmp {
                    predicate,
                    operands,
                }
            }
            18 | 23 => return Err(unsupported("inline assembly")),
            21 => return Err(unsupported("block address")),
            22 => self.data(fields, ty)?,
            code => return Err(unknown_record(code)),
        })
    }

    fn aggregate(
        &mut self,
        mut fields: Fields<'_>,
        ty: TypeId,
        expected: &mut Vec<(u32, TypeId)>,
    ) -> Result<Constant> {
        let given = fields.left() as u64;
        let len = match self.module.ty(ty) {
            Type::Struct { fields, .. } => fields.len() as u64,
            Type::Array { len, .. } => *len,
            Type::Vector { len, .. } => u64::from(*len),
            _ => return operand_type("aggregate constant", ty, "a structure, array or vector"),
        };
        if given != len {
            return Err(out_of_range("number of elements", given, len));
        }
        let start = self.module.const_operands.len();
        for index in 0..fields.left() {
            let element = match self.module.ty(ty) {
                Type::Struct { fields, .. } => fields[index],
                Type::Array { element, .. } | Type::Vector { element, .. } => *element,
                _ => ty,
            };
            let value = operand(&mut fields, element, expected)?;
            self.module.const_operands.push(value.as_u32());
        }
        Ok(Constant::Aggregate(self.const_range(start)))
    }

    fn const_range(&self, start: usize) -> PoolRange {
        PoolRange::new(start, self.module.const_operands.len())
    }

    fn sequence(&self, ty: TypeId) -> Result<(TypeId, u64)> {
        match *self.module.ty(ty) {
            Type::Array { element, len } => Ok((element, len)),
            Type::Vector { element, len } => Ok((element, u64::from(len))),
            _ => operand_type("data constant", ty, "an array or vector"),
        }
    }

    fn string(&mut self, mut fields: Fields<'_>, ty: TypeId, terminated: bool) -> Result<Constant> {
        let (element, len) = self.sequence(ty)?;
        if *self.module.ty(element) != Type::Int(8) {
            return operand_type("string constant", ty, "an array of i8");
        }
        let given = fields.left() as u64 + u64::from(terminated);
        if given != len {
            return Err(out_of_range("length of the string", given, len));
        }
        let mut bytes = Vec::with_capacity(fields.left());
        while fields.left() > 0 {
            bytes.push(fields.in_range("character", 0..=255, "a byte")? as u8);
        }
        Ok(Constant::String(bytes.into_boxed_slice(), terminated))
    }

    fn data(&mut self, fields: Fields<'_>, ty: TypeId) -> Result<Constant> {
        let (element, len) = self.sequence(ty)?;
        let limit = match *self.module.ty(element) {
            Type::Int(bits @ (8 | 16 | 32 | 64)) => u64::MAX >> (64 - bits),
            Type::Half => 0xffff,
            Type::Float => 0xffff_ffff,
            Type::Double => u64::MAX,
            _ => return operand_type("data constant", ty, "elements of 8, 16, 32 or 64 bits"),
        };
        let given = fields.left() as u64;
        if given != len {
            return Err(out_of_range("number of elements", given, len));
        }
        let data = fields.rest();
        match data.iter().find(|&&v| v > limit) {
            Some(&found) => Err(bad_field(
                "element",
                found,
                "no more bits than the type has",
            )),
            None => Ok(Constant::Data(data.into())),
        }
    }

    fn binary_expression(
        &mut self,
        mut fields: Fields<'_>,
        ty: TypeId,
        expected: &mut Vec<(u32, TypeId)>,
    ) -> Result<Constant> {
        let op = self.binary_op(fields.take()?, ty)?;
        let operands = [
            operand(&mut fields, ty, expected)?,
            operand(&mut fields, ty, expected)?,
        ];
        let flags = if fields.left() > 0 {
            arith_flags(op, fields.take()?)
        } else {
            ArithFlags::default()
        };
        Ok(Constant::Binary {
            op,
            flags,
            operands,
        })
    }

    /// Reads `[source type if the number of fields is odd, (type, value)…]`.
    fn gep_expression(
        &mut self,
        mut fields: Fields<'_>,
        inbounds: bool,
        expected: &mut Vec<(u32, TypeId)>,
    ) -> Result<Constant> {
        let explicit = if fields.left() % 2 == 1 {
            Some(self.type_at(fields.take()?)?)
        } else {
            None
        };
        let start = self.module.const_operands.len();
        let mut source = explicit;
        while fields.left() > 0 {
            let ty = self.type_at(fields.take()?)?;
            let is_base = self.module.const_operands.len() == start;
            if is_base {
                let (pointee, _) = self.pointee("base of getelementptr", ty)?;
                same_type(
                    "source of getelementptr",
                    source.unwrap_or(pointee),
                    pointee,
                )?;
                source = Some(pointee);
            } else if !self.is_int(ty) {
                return operand_type("index of getelementptr", ty, "an integer");
            }
            let value = operand(&mut fields, ty, expected)?;
            self.module.const_operands.push(value.as_u32());
        }
        let operands = self.const_range(start);
        match source {
            Some(source) if operands.len() >= 2 => Ok(Constant::Gep {
                inbounds,
                source,
                operands,
            }),
            _ => Err(length_error("a base and an index")),
        }
    }

    fn vector_expression(
        &mut self,
        code: u32,
        mut fields: Fields<'_>,
        ty: TypeId,
        expected: &mut Vec<(u32, TypeId)>,
    ) -> Result<Constant> {
        let index_type = self.find_or_add(Type::Int(32));
        let start = self.module.const_operands.len();
        let not_vector = |found| operand_type("operand of a vector expression", found, "a vector");
        let (op, types) = match code {
            14 => {
                let vector = self.type_at(fields.take()?)?;
                let Type::Vector { element, .. } = *self.module.ty(vector) else {
                    return not_vector(vector);
                };
                same_type("extractelement", element, ty)?;
                (VectorOp::Extract, [Some(vector), None, None])
            }
            15 => {
                let Type::Vector { element, .. } = *self.module.ty(ty) else {
                    return not_vector(ty);
                };
                (VectorOp::Insert, [Some(ty), Some(element), None])
            }
            _ => {
                let Type::Vector { element, len } = *self.module.ty(ty) else {
                    return not_vector(ty);
                };
                let of = if code == 19 {
                    self.type_at(fields.take()?)?
                } else {
                    ty
                };
                match *self.module.ty(of) {
                    Type::Vector { element: e, .. } => {
                        same_type("operand of shufflevector", e, element)?;
                    }
                    _ => return not_vector(of),
                }
                let mask = self.find_or_add(Type::Vector {
                    element: index_type,
                    len,
                });
                (VectorOp::Shuffle, [Some(of), Some(of), Some(mask)])
            }
        };
        for ty in types.into_iter().flatten() {
            let value = operand(&mut fields, ty, expected)?;
            self.module.const_operands.push(value.as_u32());
        }
        if op != VectorOp::Shuffle {
            // The index has its type in front unless it is i32.
            let ty = if fields.left() > 1 {
                self.type_at(fields.take()?)?
            } else {
                index_type
            };
            if !self.is_int(ty) {
                return operand_type("index of a vector", ty, "an integer");
            }
            let value = operand(&mut fields, ty, expected)?;
            self.module.const_operands.push(value.as_u32());
        }
        Ok(Constant::VectorOp {
            op,
            operands: self.const_range(start),
        })
    }

    /// Checks that all operands exist, are constant and have the required types, and that no
    /// constant contains itself.
    fn check_constants(
        &mut self,
        first: ConstId,
        expected: &[(u32, TypeId)],
        scope: &Scope<'_>,
    ) -> Result<()> {
        let lookup = |value: u32| {
            if value < scope.base {
                self.module.values.get(value as usize)
            } else {
                scope.values.get((value - scope.base) as usize)
            }
        };
        for &(value, ty) in expected {
            let count = u64::from(scope.base) + scope.values.len() as u64;
            let Some(data) = lookup(value) else {
                return Err(out_of_range("value", value, count));
            };
            if matches!(data.kind, ValueKind::Argument(_) | ValueKind::Inst(_)) {
                return Err(unsupported("operand of a constant that is not constant"));
            }
            same_type("operand of a constant", data.ty, ty)?;
        }
        let module = &self.module;
        for constant in &module.constants[EntityRange::new(first, module.constants.next_key())] {
            if let Constant::Gep { source, .. } = constant.value {
                let mut at = source;
                for index in constant.value.operands(&module.const_operands).skip(2) {
                    at = self.gep_step(at, lookup(index.as_u32()).copied())?;
                }
                let (pointee, _) = self.pointee("getelementptr", constant.ty)?;
                same_type("element of getelementptr", at, pointee)?;
            }
        }
        let child = |at: ConstId, index: usize| {
            let constant = &module.constants[at].value;
            let Some(value) = constant.operands(&module.const_operands).nth(index) else {
                return Child::End;
            };
            match lookup(value.as_u32()).map(|data| data.kind) {
                Some(ValueKind::Constant(id)) => Child::Node(id),
                _ => Child::Leaf,
            }
        };
        let mut depth = std::mem::take(&mut self.constant_depth);
        depth.resize(module.constants.len());
        let cycle = |id: ConstId| {
            let mut values = scope.values.iter();
            let position = values.position(|v| v.kind == ValueKind::Constant(id));
            let value = position.map_or(u32::MAX, |i| scope.base + i as u32);
            BitcodeErrorKind::ConstantCycle { value }
        };
        let limit = ("nesting of a constant", limits::MAX_CONSTANT_DEPTH);
        let result = check_depths(&mut depth, limit, child, cycle);
        self.constant_depth = depth;
        result
    }
}

/// Returns the value number that must have type `ty`.
fn operand(
    fields: &mut Fields<'_>,
    ty: TypeId,
    expected: &mut Vec<(u32, TypeId)>,
) -> Result<ValueId> {
    let value = fields.value_number()?;
    expected.push((value.as_u32(), ty));
    Ok(value)
}
