//! Typed shapes of operands and results for the families of operations: constants splatted to a
//! shape, minimum precision converted to exact values.

use rspirv::spirv::{Decoration, MemorySemantics, Op, Scope, Word};
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::module::{InstId, Module, Type, TypeId};
use trellis_entity::PrimaryMap;

use super::{FunctionBuilder, Scalar};
use crate::error::Error;
use crate::module::OptionalId;

/// A scalar or vector type as it is represented in SPIR-V.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// Component.
    pub(crate) scalar: Scalar,
    /// Number of components; 1 is a scalar.
    pub(crate) lanes: u32,
    /// A minimum-precision type in 32 bits: results need `RelaxedPrecision`, and of an integer only
    /// the low 16 bits count.
    pub(crate) relaxed: bool,
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.lanes {
            1 => self.scalar.fmt(f),
            lanes => write!(f, "a vector of {lanes} {}", self.scalar),
        }
    }
}

impl Shape {
    /// Returns the shape with another number of components.
    pub(crate) const fn of_lanes(self, lanes: u32) -> Self {
        Self { lanes, ..self }
    }
    /// Returns a scalar shape of full precision.
    pub(crate) fn of(scalar: Scalar) -> Self {
        Self {
            scalar,
            lanes: 1,
            relaxed: false,
        }
    }
    /// `u32`.
    pub(crate) const U32: Self = Self {
        scalar: Scalar::Int(32),
        lanes: 1,
        relaxed: false,
    };
    /// `f32`.
    pub(crate) const F32: Self = Self {
        scalar: Scalar::Float(32),
        lanes: 1,
        relaxed: false,
    };
    /// Returns the shape with the same number of components of another type.
    pub(crate) fn with(self, scalar: Scalar) -> Self {
        Self {
            scalar,
            lanes: self.lanes,
            relaxed: false,
        }
    }
    /// Returns the width of a component in bits of the representation.
    pub(crate) fn width(self) -> u32 {
        self.scalar.width()
    }
    /// Bits of an integer component that have a meaning: 16 for a minimum-precision integer in 32
    /// bits.
    pub(crate) fn bits(self) -> u32 {
        if self.is_narrow() { 16 } else { self.width() }
    }
    /// Returns true for an `i16` in 32 bits, whose upper half is unspecified.
    pub(crate) fn is_narrow(self) -> bool {
        self.relaxed && matches!(self.scalar, Scalar::Int(_))
    }
}

/// The shape of each type of a module; `None` for types without one.
pub(crate) type Shapes = PrimaryMap<TypeId, Option<Shape>>;

/// Returns the shapes of the types of a module; minimum precision has 32 bits if `relaxed`.
pub(crate) fn shapes_of(module: &Module, relaxed: bool) -> Shapes {
    let scalar = |ty: &Type| {
        let (scalar, relaxed) = match ty {
            Type::Int(1) => (Scalar::Bool, false),
            Type::Int(16) if relaxed => (Scalar::Int(32), true),
            Type::Half if relaxed => (Scalar::Float(32), true),
            Type::Int(width @ (8 | 16 | 32 | 64)) => (Scalar::Int(*width), false),
            Type::Half => (Scalar::Float(16), false),
            Type::Float => (Scalar::Float(32), false),
            Type::Double => (Scalar::Float(64), false),
            _ => return None,
        };
        Some(Shape {
            scalar,
            lanes: 1,
            relaxed,
        })
    };
    let shape = |ty: &Type| match ty {
        Type::Vector { element, len } if (2..=4).contains(len) => {
            Some(scalar(module.types.get(*element)?)?.of_lanes(*len))
        }
        ty => scalar(ty),
    };
    module.types.values().map(shape).collect()
}

/// SPIR-V types by [`Scalar::number`] and number of components.
pub(crate) type ShapeTypes = [[OptionalId; 5]; 8];

impl Scalar {
    /// Returns a number below 8 that is different for each type of SPIR-V.
    fn number(self) -> usize {
        match self {
            Scalar::Bool => 0,
            Scalar::Int(width) => (width.trailing_zeros() as usize).wrapping_sub(2),
            Scalar::Float(width) => width.trailing_zeros() as usize + 1,
        }
    }
}

impl FunctionBuilder<'_> {
    /// Returns the SPIR-V type of a scalar kind.
    pub(crate) fn scalar_type(&mut self, scalar: Scalar) -> Word {
        self.shape_type(Shape::of(scalar))
    }
    /// Returns the SPIR-V type of a shape.
    #[inline]
    pub(crate) fn shape_type(&mut self, shape: Shape) -> Word {
        let of_scalar = self.shape_types.get(shape.scalar.number());
        let known = of_scalar.and_then(|types| types.get(shape.lanes as usize)?.expand());
        known.unwrap_or_else(|| self.new_shape_type(shape))
    }
    fn new_shape_type(&mut self, shape: Shape) -> Word {
        let element = match shape.scalar {
            Scalar::Bool => self.b.ty_bool(),
            Scalar::Int(width) => self.b.ty_int(width),
            Scalar::Float(width) => self.b.ty_float(width),
        };
        let id = self.b.ty_vec(element, shape.lanes);
        let of_scalar = self.shape_types.get_mut(shape.scalar.number());
        if let Some(known) = of_scalar.and_then(|types| types.get_mut(shape.lanes as usize)) {
            *known = id.into();
        }
        id
    }

    /// Returns the SPIR-V id of operand `index`.
    pub(crate) fn arg_id(&mut self, index: usize) -> Result<Word, Error> {
        let value = self.arg_value(index)?;
        self.id(value)
    }
    /// Returns the SPIR-V ids of the operands from `first` on.
    pub(crate) fn arg_ids<const N: usize>(&mut self, first: usize) -> Result<[Word; N], Error> {
        let mut ids = [0; N];
        for (id, index) in ids.iter_mut().zip(first..) {
            *id = self.arg_id(index)?;
        }
        Ok(ids)
    }
    /// Returns `value` in every component of an integer shape.
    pub(crate) fn splat_int(&mut self, shape: Shape, value: u64) -> Word {
        let width = shape.width();
        let masked = if width >= 64 {
            value
        } else {
            value & ((1 << width) - 1)
        };
        let scalar = self.b.const_int(width, masked);
        self.splat_constant(shape, scalar)
    }
    /// Returns `value` in every component of a float shape, rounded to its format.
    pub(crate) fn splat_float(&mut self, shape: Shape, value: f64) -> Word {
        let scalar = self
            .b
            .const_float_bits(shape.width(), float_bits(shape.width(), value));
        self.splat_constant(shape, scalar)
    }
    /// Returns `value` in every component of a boolean shape.
    pub(crate) fn splat_bool(&mut self, shape: Shape, value: bool) -> Word {
        let scalar = self.b.const_bool(value);
        self.splat_constant(shape, scalar)
    }
    fn splat_constant(&mut self, shape: Shape, scalar: Word) -> Word {
        if shape.lanes == 1 {
            return scalar;
        }
        let ty = self.shape_type(shape);
        self.b
            .const_composite(ty, &[scalar; 4][..shape.lanes as usize])
    }
    /// Returns a scalar id in every component.
    pub(crate) fn splat(&mut self, shape: Shape, scalar: Word) -> Word {
        let ty = self.shape_type(shape);
        self.b.construct(ty, &[scalar; 4][..shape.lanes as usize])
    }

    /// Returns the integer with its upper bits zero: the same id unless it is a minimum-precision
    /// integer in 32 bits.
    pub(crate) fn zero_extended(&mut self, shape: Shape, id: Word) -> Word {
        if !shape.is_narrow() {
            return id;
        }
        let (ty, mask) = (self.shape_type(shape), self.splat_int(shape, 0xFFFF));
        self.b.op(Op::BitwiseAnd, ty, &[id, mask])
    }
    /// Returns the integer with its upper bits equal to its sign bit.
    pub(crate) fn sign_extended(&mut self, shape: Shape, id: Word) -> Word {
        if !shape.is_narrow() {
            return id;
        }
        let (ty, offset, count) = (
            self.shape_type(shape),
            self.b.const_u32(0),
            self.b.const_u32(16),
        );
        self.b.op(Op::BitFieldSExtract, ty, &[id, offset, count])
    }

    /// Returns the integer with its upper bits as its sign, or zero.
    pub(crate) fn extended(&mut self, shape: Shape, signed: bool, id: Word) -> Word {
        if signed {
            self.sign_extended(shape, id)
        } else {
            self.zero_extended(shape, id)
        }
    }

    /// Operands `first .. first + count` as a vector (or scalar) of 32-bit floats or integers.
    pub(crate) fn arg_vector(&mut self, first: usize, count: usize) -> Result<Word, Error> {
        let mut parts = SmallVec::<[Word; 4]>::new();
        for i in first..first + count {
            parts.push(self.arg_id(i)?);
        }
        let scalar = self.value_shape(self.arg_value(first)?)?;
        let ty = self.shape_type(scalar.of_lanes(count as u32));
        Ok(self.b.construct(ty, &parts))
    }

    /// Returns a constant vector (or scalar) of signed integers.
    pub(crate) fn signed_constant(&mut self, values: &[i32]) -> Word {
        let ty = self.b.ty_int_signed(32, true);
        let parts: SmallVec<[Word; 4]> = values.iter().map(|&v| self.b.const_i32(v)).collect();
        if let [only] = parts[..] {
            return only;
        }
        let ty = self.b.ty_vec(ty, values.len() as u32);
        self.b.const_composite(ty, &parts)
    }

    /// Hands over a new id as a field of a struct result.
    pub(crate) fn set_field(&mut self, field: u32, shape: Shape, id: Word) {
        if shape.relaxed {
            self.b.decorate(id, Decoration::RelaxedPrecision, &[]);
        }
        self.set_result(field, id);
    }
    /// Hands over the id of a component of the call's result, as [`set`](Self::set) does.
    pub(crate) fn set_result(&mut self, component: u32, id: Word) {
        self.set(self.call.inst, component, id);
    }
    /// Hands over a new id as the call's result, as [`set_new`](Self::set_new) does.
    pub(crate) fn set_new_result(&mut self, shape: Shape, id: Word) {
        self.set_new(self.call.inst, shape, id);
    }
    /// Hands over the first `count` components of a vector, of type `ty` each, as the fields of a struct
    /// result.
    pub(crate) fn set_parts(&mut self, ty: Word, vector: Word, count: u32) {
        for field in 0..count {
            if self.is_result_used(field) {
                let id = self.b.extract(ty, vector, field);
                self.set_result(field, id);
            }
        }
    }
    /// Hands over a *new* id as the scalar or vector result of `inst`, decorated `RelaxedPrecision`
    /// where the shape requires it.
    #[inline]
    pub(crate) fn set_new(&mut self, inst: InstId, shape: Shape, id: Word) {
        if shape.relaxed {
            self.b.decorate(id, Decoration::RelaxedPrecision, &[]);
        }
        self.set(inst, 0, id);
    }
    /// Returns the integer of another width, extended by `signed`; the same id where the width does
    /// not change.
    pub(crate) fn resize_int(
        &mut self,
        from: Shape,
        to_width: u32,
        signed: bool,
        id: Word,
    ) -> Word {
        if from.scalar == Scalar::Bool && from.lanes == 1 {
            // An index: casts of booleans are not these.
            let truth = match signed {
                true => u64::MAX >> (64 - to_width),
                false => 1,
            };
            let (truth, zero) = (
                self.b.const_int(to_width, truth),
                self.b.const_int(to_width, 0),
            );
            let ty = self.b.ty_int(to_width);
            return self.b.op(Op::Select, ty, &[id, truth, zero]);
        }
        let id = self.extended(from, signed, id);
        if from.width() == to_width {
            return id;
        }
        let ty = self.shape_type(from.with(Scalar::Int(to_width)));
        self.b
            .op(if signed { Op::SConvert } else { Op::UConvert }, ty, &[id])
    }
    /// Returns a float converted to another width; the same id where the width does not change.
    pub(crate) fn resize_float(&mut self, from: Shape, to_width: u32, id: Word) -> Word {
        if from.width() == to_width {
            return id;
        }
        let ty = self.shape_type(from.with(Scalar::Float(to_width)));
        self.b.op(Op::FConvert, ty, &[id])
    }
    /// Returns the low and the high word of 64 bits.
    pub(crate) fn split_words(&mut self, value: Word) -> [Word; 2] {
        let (pair, word) = (self.b.ty_words(2), self.b.ty_u32());
        let pair = self.b.bitcast(pair, value);
        [0, 1].map(|i| self.b.extract(word, pair, i))
    }
    /// Emits a relaxed atomic operation that is visible to the device; the operands are those after
    /// the semantics.
    pub(crate) fn atomic(&mut self, op: Op, ty: Word, pointer: Word, operands: &[Word]) -> Word {
        let scope = self.b.const_u32(Scope::Device as u32);
        let relaxed = self.b.const_u32(MemorySemantics::RELAXED.bits());
        let mut all: SmallVec<[Word; 8]> = smallvec![pointer, scope, relaxed];
        all.extend_from_slice(operands);
        self.b.op(op, ty, &all)
    }
    /// Emits an `OpLoad`.
    pub(crate) fn load(&mut self, ty: Word, pointer: Word) -> Word {
        self.b.op(Op::Load, ty, &[pointer])
    }
    /// Returns `id != 0` of a scalar `u32`.
    pub(crate) fn is_nonzero(&mut self, id: Word) -> Word {
        self.b.flag_with(Op::INotEqual, id, 0)
    }
    /// Returns `cond ? then : else_` for a scalar `u32` of constants.
    pub(crate) fn bool_to_u32(&mut self, cond: Word, then: u32, else_: u32) -> Word {
        let (then, else_) = (self.b.const_u32(then), self.b.const_u32(else_));
        self.b.word(Op::Select, &[cond, then, else_])
    }
}

/// Bits of `value` in the IEEE format of `width` bits, rounded to nearest even.
pub(crate) fn float_bits(width: u32, value: f64) -> u64 {
    match width {
        64 => value.to_bits(),
        16 => half_bits(value).into(),
        _ => (value as f32).to_bits().into(),
    }
}

/// Bits of `value` as IEEE half, rounded to nearest even; numbers that are too large become
/// infinity.
fn half_bits(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if magnitude.is_nan() {
        return sign | 0x7E00;
    }
    if magnitude >= 65520.0 {
        return sign | 0x7C00;
    }
    // A unit in the last place: 2^-24 for subnormals, else 2^(exponent - 10).
    let exponent = (((magnitude.to_bits() >> 52) as i32) - 1023).max(-14);
    let units = (magnitude * 2f64.powi(10 - exponent)).round_ties_even() as u16;
    // `units` is below 2^11 with the hidden bit in place; a carry out of it moves into the exponent
    // by itself.
    sign | (((exponent + 14) as u16) << 10).wrapping_add(units)
}

#[cfg(test)]
mod tests {
    use super::{float_bits, half_bits};

    #[test]
    fn halves() {
        for (value, bits) in [
            (0.0, 0),
            (-0.0, 0x8000),
            (1.0, 0x3C00),
            (-2.0, 0xC000),
            (65504.0, 0x7BFF),
            (65520.0, 0x7C00),
            (f64::INFINITY, 0x7C00),
            (6.103515625e-5, 0x0400),
            (5.960464477539063e-8, 0x0001),
            (2.9802322387695312e-8, 0x0000),
            (1.0 / 3.0, 0x3555),
            (0.0625, 0x2C00),
        ] {
            assert_eq!(half_bits(value), bits, "{value}");
        }
        assert_eq!(half_bits(f64::NAN) & 0x7C00, 0x7C00);
    }

    #[test]
    fn other_widths() {
        assert_eq!(float_bits(32, 1.5), 0x3FC0_0000);
        assert_eq!(float_bits(64, 1.5), 0x3FF8_0000_0000_0000);
    }
}
