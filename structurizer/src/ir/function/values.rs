//! Values of a [`Function`]: constants, undefined values and their types.

use trellis_entity::EntityRef;

use super::{Definition, Function, ValueData};
use crate::ir::{Type, Value, ValueKind};

impl Function {
    pub(super) fn push_value(&mut self, definition: Definition, ty: Type) -> Value {
        self.values.push(ValueData { ty, definition })
    }

    /// Adds a value that is defined everywhere: a constant, an argument, a global. The payload is
    /// the client's.
    pub fn add_constant(&mut self, payload: u32, ty: Type) -> Value {
        self.push_value(Definition::Constant(payload), ty)
    }

    /// Returns the undefined value of a type; one per type.
    pub fn undef(&mut self, ty: Type) -> Value {
        if let Some(&(_, value)) = self.undefs.iter().find(|(t, _)| *t == ty) {
            return value;
        }
        let value = self.push_value(Definition::Undef, ty);
        self.undefs.push((ty, value));
        value
    }

    /// Returns the selector constant with this number; one per number.
    pub fn selector_constant(&mut self, number: u32) -> Value {
        if let Some(&value) = self.selector_constants.get(&number) {
            return value;
        }
        let value = self.push_value(Definition::SelectorConstant(number), Type::SELECTOR);
        self.selector_constants.insert(number, value);
        value
    }

    /// Returns a boolean constant of a type that conditions have; one per type and value.
    pub fn bool_constant(&mut self, is_true: bool, ty: Type) -> Value {
        let mut constants = self.bool_constants.iter();
        if let Some(&(.., value)) = constants.find(|c| (c.0, c.1) == (ty, is_true)) {
            return value;
        }
        let value = self.push_value(Definition::BoolConstant(is_true), ty);
        self.bool_constants.push((ty, is_true, value));
        value
    }

    /// Returns an undefined value of a type for operands that no invocation reads, unlike the
    /// client's values from [`Function::undef`]. Any value may replace it.
    pub(crate) fn hole(&mut self, ty: Type) -> Value {
        if let Some(&(_, value)) = self.holes.iter().find(|(t, _)| *t == ty) {
            return value;
        }
        let value = self.push_value(Definition::Undef, ty);
        self.holes.push((ty, value));
        value
    }

    /// Returns whether a value is a [hole](Function::hole).
    pub(crate) fn is_hole(&self, value: Value) -> bool {
        self.holes.iter().any(|hole| hole.1 == value)
    }

    /// Returns the definition of a value.
    pub fn value_kind(&self, value: Value) -> ValueKind {
        self.values[value].definition.into()
    }

    /// Returns the type of a value.
    pub fn value_type(&self, value: Value) -> Type {
        self.values[value].ty
    }

    /// Returns the number of values.
    pub fn num_values(&self) -> usize {
        self.values.len()
    }

    /// Returns all values, in index order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Value> + use<> {
        (0..self.values.len()).map(Value::new)
    }

    /// Returns whether the value exists.
    pub fn has_value(&self, value: Value) -> bool {
        self.values.is_valid(value)
    }
}
