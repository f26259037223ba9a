//! The read-only context of the function that is being translated, for everything after lowering.

use std::fmt::Display;

use trellis_dxil_frontend::dxop::DxCall;
use trellis_dxil_frontend::module::{
    Constant, Function, Inst, InstId, InstKind, Module, Type, TypeId, ValueData, ValueId, ValueKind,
};
use trellis_dxil_frontend::shader::{EntryPoint, Shader};
use trellis_structurizer::ir;

use super::{AtomicViews, Scalar, Shape, Shapes};
use crate::error::{Error, Feature, InternalError, InvalidKind, Location};
use crate::lower::{Lowered, Source};
use crate::options::Options;

/// A function of the shader with all that its translation reads and nothing writes.
#[derive(Clone, Copy)]
pub(crate) struct FunctionContext<'a> {
    /// The module.
    pub(crate) module: &'a Module,
    /// The shader's description.
    pub(crate) shader: &'a Shader,
    /// The entry point.
    pub(crate) entry: &'a EntryPoint,
    /// The options.
    pub(crate) options: &'a Options,
    /// The module's operations and metadata kinds.
    pub(crate) source: &'a Source<'a>,
    /// The shapes of the module's types.
    pub(crate) shapes: &'a Shapes,
    /// The images whose texels differ from their declarations.
    pub(crate) views: &'a AtomicViews,
    /// The function.
    pub(crate) function: &'a Function,
    /// Its structured form.
    pub(crate) structured: &'a ir::Function,
    /// The blocks of the structured form in their order.
    pub(crate) order: &'a [ir::Block],
    /// Maps between the values of `function` and `structured`.
    pub(crate) lowered: &'a Lowered,
    /// The instruction that is being translated, for errors.
    pub(crate) current: Option<InstId>,
    /// The call of an operation that is being translated.
    pub(crate) call: DxCall<'a>,
}

impl<'a> FunctionContext<'a> {
    /// Returns where we are.
    #[cold]
    pub(crate) fn location(&self) -> Location {
        Location {
            function: self.function.name.to_string(),
            block: None,
            inst: self.current.map(InstId::as_u32),
        }
    }
    /// Returns an error about something valid that has no translation here.
    #[cold]
    pub(crate) fn unsupported(&self, feature: impl Into<Feature>) -> Error {
        Error::unsupported(feature, self.location())
    }
    /// Returns an error about a broken rule of DXIL.
    #[cold]
    pub(crate) fn invalid(&self, kind: InvalidKind, detail: impl Into<String>) -> Error {
        Error::invalid(kind, detail, self.location())
    }
    /// Returns an error about a property of the stage.
    #[cold]
    pub(crate) fn invalid_property(&self, detail: impl Into<String>) -> Error {
        self.invalid(InvalidKind::StageProperty, detail)
    }
    /// Returns an error about a broken rule by the call: its operation's name and `what`.
    #[cold]
    pub(crate) fn invalid_call(&self, kind: InvalidKind, what: impl Display) -> Error {
        self.invalid(kind, format!("{} {what}", self.call.op.name()))
    }
    /// Returns an error about the operands of the call: its operation's name and `what`.
    #[cold]
    pub(crate) fn invalid_operand(&self, what: impl Display) -> Error {
        self.invalid_call(InvalidKind::Operand, what)
    }
    /// Returns an error about the resource that the call accesses: its operation's name and `what`.
    #[cold]
    pub(crate) fn invalid_resource(&self, what: impl Display) -> Error {
        self.invalid_call(InvalidKind::Resource, what)
    }
    /// Returns an error about operands of the call for which its operation has no translation.
    #[cold]
    pub(crate) fn unsupported_on(&self, operand: impl Into<String>) -> Error {
        self.unsupported(Feature::on(self.call.op, operand))
    }
    /// Returns an error that only a bug in Trellis can cause.
    #[cold]
    pub(crate) fn internal(&self, what: InternalError) -> Error {
        Error::Internal {
            what,
            at: self.location(),
        }
    }

    /// Returns the instruction that defines a value, if one does.
    pub(crate) fn def(&self, value: ValueId) -> Option<(InstId, &'a Inst)> {
        match self.module.value(Some(self.function), value)?.kind {
            ValueKind::Inst(i) => Some((i, self.function.insts.get(i)?)),
            _ => None,
        }
    }
    /// Returns the type of a value.
    pub(crate) fn value_type(&self, value: ValueId) -> Result<TypeId, Error> {
        Ok(self.value_data(value)?.ty)
    }
    /// Returns the type and kind of a value.
    #[inline]
    pub(crate) fn value_data(&self, value: ValueId) -> Result<ValueData, Error> {
        let data = self.module.value(Some(self.function), value);
        data.ok_or_else(|| {
            self.invalid(InvalidKind::Value, format!("value {value} does not exist"))
        })
    }
    /// Returns the value of a constant integer, zero-extended; `None` for another value.
    pub(crate) fn const_int(&self, value: ValueId) -> Option<u64> {
        self.module.const_int(Some(self.function), value)
    }
    /// Returns the value of a constant integer, 0 of an absent operand; `None` for another value.
    pub(crate) fn const_or_absent(&self, value: ValueId) -> Option<u64> {
        match self.is_undef(value) {
            true => Some(0),
            false => self.const_int(value),
        }
    }
    /// Returns the operation that an instruction calls, if it does.
    pub(crate) fn parse(&self, inst: InstId) -> Result<Option<DxCall<'a>>, Error> {
        Ok(self.source.ops.parse(self.module, self.function, inst)?)
    }
    /// Returns true if an operand is `undef`, which is how DXIL marks an absent operand.
    pub(crate) fn is_undef(&self, value: ValueId) -> bool {
        matches!(self.module.constant(Some(self.function), value), Some(c) if c.value == Constant::Undef)
    }

    /// Returns the kind of an instruction.
    pub(crate) fn kind(&self, inst: InstId) -> InstKind {
        self.function.insts[inst].kind
    }
    /// Returns true if a component of an instruction's result has a use: families may skip unused
    /// components.
    pub(crate) fn is_used(&self, inst: InstId, component: u32) -> bool {
        self.lowered.is_used(inst, component)
    }
    /// Returns the result type of an instruction.
    pub(crate) fn result_type(&self, inst: InstId) -> TypeId {
        self.function.insts[inst].ty
    }
    /// Returns the number of fields of an instruction's struct result; 0 of another.
    pub(crate) fn field_count(&self, inst: InstId) -> u32 {
        match self.module.ty(self.result_type(inst)) {
            Type::Struct { fields, .. } => fields.len() as u32,
            _ => 0,
        }
    }
    /// Returns the type of field `index` of an instruction's struct result.
    pub(crate) fn field_type(&self, inst: InstId, index: u32) -> Result<TypeId, Error> {
        match self.module.ty(self.result_type(inst)) {
            Type::Struct { fields, .. } => fields.get(index as usize).copied().ok_or_else(|| {
                self.invalid(InvalidKind::Type, "the result struct has too few fields")
            }),
            _ => Err(self.invalid(InvalidKind::Type, "the result is not a struct")),
        }
    }

    /// Returns the scalar kind of a DXIL type, minimum precision resolved.
    pub(crate) fn scalar(&self, ty: TypeId) -> Result<Scalar, Error> {
        match self.shape(ty)? {
            Shape {
                scalar, lanes: 1, ..
            } => Ok(scalar),
            _ => Err(self.no_shape(ty)),
        }
    }
    /// Returns the shape of a DXIL type that is a number or a vector of numbers.
    #[inline]
    pub(crate) fn shape(&self, ty: TypeId) -> Result<Shape, Error> {
        match self.shapes.get(ty) {
            Some(&Some(shape)) => Ok(shape),
            _ => Err(self.no_shape(ty)),
        }
    }
    /// Returns the error about a type without a shape.
    #[cold]
    fn no_shape(&self, ty: TypeId) -> Error {
        match self.module.types.get(ty) {
            Some(&Type::Vector { len, .. }) if !(2..=4).contains(&len) => {
                self.unsupported(Feature::Vector { components: len })
            }
            found => self.invalid(
                InvalidKind::Type,
                format!("expected a scalar type, found {found:?}"),
            ),
        }
    }
    /// Returns the shape of a value.
    #[inline]
    pub(crate) fn value_shape(&self, value: ValueId) -> Result<Shape, Error> {
        self.shape(self.value_type(value)?)
    }

    /// Returns the value number of operand `index` (counted after the opcode).
    pub(crate) fn arg_value(&self, index: usize) -> Result<ValueId, Error> {
        self.operand_of(&self.call, index)
    }
    /// Returns the value number of an operand of any call.
    pub(crate) fn operand_of(&self, call: &DxCall<'_>, index: usize) -> Result<ValueId, Error> {
        call.operand(index).ok_or_else(|| {
            let detail = format!("{} has no operand {index}", call.op.name());
            self.invalid(InvalidKind::Operand, detail)
        })
    }
    /// Returns operand `index` as a constant integer.
    pub(crate) fn arg_const(&self, index: usize) -> Result<u64, Error> {
        self.constant_of(&self.call, index)
    }
    /// Returns an operand of any call as a constant integer.
    pub(crate) fn constant_of(&self, call: &DxCall<'_>, index: usize) -> Result<u64, Error> {
        let value = self.operand_of(call, index)?;
        self.const_int(value).ok_or_else(|| {
            let name = call.info().params.get(index).map_or("?", |p| p.name);
            let op = call.op.name();
            let detail = format!("operand `{name}` of {op} must be a constant integer");
            self.invalid(InvalidKind::Operand, detail)
        })
    }

    /// Returns true if a component of the call's result has a use.
    pub(crate) fn is_result_used(&self, component: u32) -> bool {
        self.is_used(self.call.inst, component)
    }

    /// Returns the choice whose number is operand `index`; errors call the number `name`.
    pub(crate) fn arg_choice<T: Copy>(
        &self,
        index: usize,
        name: &str,
        choices: &[T],
    ) -> Result<T, Error> {
        let number = self.arg_const(index)?;
        let choice = usize::try_from(number).ok().and_then(|i| choices.get(i));
        choice.copied().ok_or_else(|| {
            let range = match choices {
                [_, _] => "0 or 1".to_owned(),
                _ => format!("0 to {}", choices.len() - 1),
            };
            self.invalid_operand(format!("with {name} {number}, expected {range}"))
        })
    }

    /// Returns true if an optional operand is present: neither `undef` nor the constant 0.
    pub(crate) fn is_given(&self, value: ValueId) -> bool {
        if self.is_undef(value) || self.const_int(value) == Some(0) {
            return false;
        }
        !matches!(self.module.constant(Some(self.function), value), Some(c) if c.value == Constant::Float(0))
    }

    /// Returns true if the current function is the entry point of a ray tracing shader.
    pub(crate) fn is_ray_entry(&self) -> bool {
        let main = self
            .entry
            .function
            .and_then(|id| self.module.functions.get(id));
        crate::stage::is_ray_tracing(self.entry.kind)
            && main.is_some_and(|main| std::ptr::eq(main, self.function))
    }

    /// Returns the pointee type of a parameter of the current function.
    pub(crate) fn parameter_type(&self, index: u32) -> Option<TypeId> {
        let data = self
            .function
            .values
            .iter()
            .find(|v| v.kind == ValueKind::Argument(index))?;
        self.pointee_of(data.ty)
    }

    pub(crate) fn pointee_of(&self, pointer: TypeId) -> Option<TypeId> {
        match self.module.types.get(pointer) {
            Some(Type::Pointer { pointee, .. }) => Some(*pointee),
            _ => None,
        }
    }
}
