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

/// Types by id, and the members of structs and functions.
#[derive(Default)]
pub(super) struct Types {
    by_id: Vec<Ty>,
    members: Vec<Word>,
}

impl Types {
    /// Removes all types, and makes room for those of a module.
    pub(super) fn reset(&mut self, bound: Word) {
        self.by_id.clear();
        self.by_id.resize(bound as usize, Ty::None);
        self.members.clear();
    }

    /// Returns the bytes that it has room for.
    pub(super) fn bytes(&self) -> usize {
        self.by_id.capacity() * size_of::<Ty>() + self.members.capacity() * size_of::<Word>()
    }

    pub(super) fn get(&self, id: Word) -> Ty {
        self.by_id.get(id as usize).copied().unwrap_or(Ty::None)
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
        *self.by_id.get_mut(inst.result as usize)? = ty;
        Some(ty)
    }

    fn add_members(&mut self, operands: &[Word]) -> (u32, u32) {
        let start = self.members.len() as u32;
        self.members.extend_from_slice(operands);
        (start, self.members.len() as u32)
    }

    /// Returns the arrays of payloads, each with its struct.
    pub(super) fn payload_arrays(&self) -> impl Iterator<Item = (Word, Word)> {
        let types = (0..).zip(&self.by_id);
        types.filter_map(|(id, ty)| match *ty {
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

    /// Returns the same, and of a cooperative matrix the type of its elements and 0.
    pub(super) fn elements(&self, id: Word) -> Option<(Ty, u32)> {
        match self.get(id) {
            Ty::Cooperative(element) => self.components(element).map(|(scalar, _)| (scalar, 0)),
            _ => self.components(id),
        }
    }

    /// Bits of a scalar or vector of numbers.
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
