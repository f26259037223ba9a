//! Types of a module, by id.

use rspirv::spirv::{Dim, Op, StorageClass, Word};

use super::read::Inst;

/// A type, as far as the rules look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    /// No type has this id.
    None,
    Void,
    Bool,
    Int(u32),
    Float(u32),
    Vector(Word, u32),
    /// Column, number of columns.
    Matrix(Word, u32),
    /// Element; 0 elements is a runtime array.
    Array(Word),
    /// Payloads of a node: their struct.
    PayloadArray(Word),
    /// Range of `members`.
    Struct(u32, u32),
    Pointer(StorageClass, Word),
    /// Sampled type, dimension.
    Image(Word, Dim),
    /// Image.
    SampledImage(Word),
    /// Return type, parameters as a range of `members`.
    Function(Word, u32, u32),
    /// Sampler, acceleration structure, ray query: nothing to look into.
    Opaque,
    /// A cooperative matrix: element.
    Cooperative(Word),
    /// Hit object.
    HitObject,
}

/// The component type of a scalar, vector or cooperative matrix of numbers, and the number of
/// components (0 for the matrix), as one number: equal ones are equal types, and nearly all rules
/// compare no more.
///
/// Bits 0 to 3 are the number of components, 4 and 5 the kind, 6 to 13 the width; bit 15 is set for a
/// type itself, which is not a value. Zero has none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Shape(u16);

/// Whether several shapes are equal: the bits of all, and of any.
#[derive(Clone, Copy)]
pub(super) struct Common {
    all: u16,
    any: u16,
}

impl Default for Common {
    fn default() -> Self {
        let (all, any) = (u16::MAX, 0);
        Self { all, any }
    }
}

impl Common {
    #[inline(always)]
    pub(super) fn add(&mut self, shape: Shape) {
        self.all &= shape.0;
        self.any |= shape.0;
    }

    /// Returns the shape that all have; none if they differ.
    pub(super) fn shape(self) -> Shape {
        match self.all == self.any {
            true => Shape(self.any),
            false => Shape::NONE,
        }
    }
}

impl Shape {
    /// Not a number.
    pub(super) const NONE: Self = Self(0);
    const KIND: u16 = 3 << 4;
    const BOOL: u16 = 1 << 4;
    const INT: u16 = 2 << 4;
    const FLOAT: u16 = 3 << 4;
    const TYPE: u16 = 1 << 15;

    fn new(scalar: Ty, len: u32) -> Self {
        let (kind, width) = match scalar {
            Ty::Bool => (Self::BOOL, 1),
            Ty::Int(width) => (Self::INT, width),
            Ty::Float(width) => (Self::FLOAT, width),
            _ => return Self::NONE,
        };
        // Others are errors.
        if len > 4 || width > 64 {
            return Self::NONE;
        }
        Self(len as u16 | kind | (width as u16) << 6)
    }

    /// Returns the shape of a type as a value.
    pub(super) fn of_type(self) -> Self {
        Self(self.0 | Self::TYPE)
    }
    /// Returns the shape of a value with this type.
    pub(super) fn of_value(self) -> Self {
        match self.0 & Self::TYPE {
            0 => Self::NONE,
            _ => Self(self.0 & !Self::TYPE),
        }
    }

    pub(super) fn is_bool(self) -> bool {
        self.0 & (Self::TYPE | Self::KIND) == Self::BOOL
    }
    pub(super) fn is_int(self) -> bool {
        self.0 & (Self::TYPE | Self::KIND) == Self::INT
    }
    pub(super) fn is_float(self) -> bool {
        self.0 & (Self::TYPE | Self::KIND) == Self::FLOAT
    }
    /// Returns true for a number of 32 bits.
    pub(super) fn is_word(self) -> bool {
        const WORD: u16 = 32 << 6 | 1;
        self.0 == Shape::INT | WORD || self.0 == Shape::FLOAT | WORD
    }
    /// Returns the number of components.
    pub(super) fn len(self) -> u16 {
        self.0 & 15
    }
}

/// Types by id, and the members of structs and functions.
pub(super) struct Types {
    /// Of each id 1 + the index of its type; 0 for an id that is not a type.
    by_id: Vec<u32>,
    list: Vec<Ty>,
    members: Vec<Word>,
}

impl Types {
    /// Begins without types, for ids below a bound.
    pub(super) fn new(bound: Word) -> Self {
        Self {
            by_id: vec![0; bound as usize],
            // More than most modules have.
            list: Vec::with_capacity(64),
            members: Vec::with_capacity(64),
        }
    }

    pub(super) fn get(&self, id: Word) -> Ty {
        let index = self.by_id.get(id as usize).copied().unwrap_or(0);
        let ty = self.list.get((index as usize).wrapping_sub(1));
        ty.copied().unwrap_or(Ty::None)
    }

    pub(super) fn members(&self, start: u32, end: u32) -> &[Word] {
        self.members
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }

    /// Enters a type declaration; `None` if it is none.
    pub(super) fn declare(&mut self, inst: &Inst<'_>) -> Option<Ty> {
        let word = |i: usize| inst.operands.get(i).copied().unwrap_or(0);
        let ty = match inst.op() {
            Op::TypeVoid => Ty::Void,
            Op::TypeBool => Ty::Bool,
            Op::TypeInt => Ty::Int(word(0)),
            Op::TypeFloat => Ty::Float(word(0)),
            Op::TypeVector => Ty::Vector(word(0), word(1)),
            Op::TypeMatrix => Ty::Matrix(word(0), word(1)),
            Op::TypeArray | Op::TypeRuntimeArray => Ty::Array(word(0)),
            Op::TypeNodePayloadArrayAMDX => Ty::PayloadArray(word(0)),
            Op::TypeStruct => {
                let (start, end) = self.add_members(inst.operands);
                Ty::Struct(start, end)
            }
            Op::TypePointer => Ty::Pointer(StorageClass::from_u32(word(0))?, word(1)),
            Op::TypeImage => Ty::Image(word(0), Dim::from_u32(word(1))?),
            Op::TypeSampledImage => Ty::SampledImage(word(0)),
            Op::TypeFunction => {
                let (start, end) = self.add_members(inst.operands.get(1..).unwrap_or_default());
                Ty::Function(word(0), start, end)
            }
            Op::TypeSampler | Op::TypeAccelerationStructureKHR | Op::TypeRayQueryKHR => Ty::Opaque,
            Op::TypeCooperativeMatrixKHR => Ty::Cooperative(word(0)),
            Op::TypeHitObjectEXT | Op::TypeHitObjectNV => Ty::HitObject,
            _ => return None,
        };
        self.list.push(ty);
        *self.by_id.get_mut(inst.result as usize)? = self.list.len() as u32;
        Some(ty)
    }

    fn add_members(&mut self, operands: &[Word]) -> (u32, u32) {
        let start = self.members.len() as u32;
        self.members.extend_from_slice(operands);
        (start, self.members.len() as u32)
    }

    /// Returns the arrays of payloads, each with its struct.
    pub(super) fn payload_arrays(&self) -> impl Iterator<Item = (Word, Word)> {
        let ids = 0..self.by_id.len() as Word;
        ids.filter_map(|id| match self.get(id) {
            Ty::PayloadArray(payload) => Some((id, payload)),
            _ => None,
        })
    }

    /// Returns the component type and number of components of a scalar or vector; `None` for
    /// another type.
    pub(super) fn components(&self, id: Word) -> Option<(Ty, u32)> {
        match self.get(id) {
            Ty::Vector(element, len) => match self.get(element) {
                scalar @ (Ty::Bool | Ty::Int(_) | Ty::Float(_)) => Some((scalar, len)),
                _ => None,
            },
            scalar @ (Ty::Bool | Ty::Int(_) | Ty::Float(_)) => Some((scalar, 1)),
            _ => None,
        }
    }

    /// Returns the shape of a type.
    pub(super) fn shape(&self, ty: Ty) -> Shape {
        match ty {
            Ty::Vector(element, len) => Shape::new(self.get(element), len),
            Ty::Cooperative(element) => match self.components(element) {
                Some((scalar, _)) => Shape::new(scalar, 0),
                None => Shape::NONE,
            },
            scalar => Shape::new(scalar, 1),
        }
    }

    /// Bits of a scalar or vector of numbers.
    #[inline(always)]
    pub(super) fn bits(&self, id: Word) -> Option<u32> {
        match self.components(id)? {
            (Ty::Int(width) | Ty::Float(width), len) => Some(width * len),
            _ => None,
        }
    }

    /// Returns the type of a part of a composite; for a struct `index` must be known.
    pub(super) fn part(&self, composite: Word, index: Option<u32>) -> Option<Word> {
        match self.get(composite) {
            Ty::Vector(element, len) => index.is_none_or(|i| i < len).then_some(element),
            Ty::Matrix(column, len) => index.is_none_or(|i| i < len).then_some(column),
            Ty::Array(element) | Ty::PayloadArray(element) | Ty::Cooperative(element) => {
                Some(element)
            }
            Ty::Struct(start, end) => self.members(start, end).get(index? as usize).copied(),
            _ => None,
        }
    }
}
