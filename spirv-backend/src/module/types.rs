//! Types and constants, each declared once.

use rspirv::spirv::{Capability, Decoration, Op, StorageClass, Word};
use smallvec::{SmallVec, smallvec};

use super::Builder;
use super::table::Key;

impl Builder {
    /// Adds a type or constant unless one with the same operands exists, and returns its id.
    fn unique(&mut self, op: Op, ty: Option<Word>, operands: &[Word]) -> Word {
        let key = Key::new(op, ty, operands);
        let (slot, known) = self.shared.find(&self.declarations, &key);
        if let Some((known, ())) = known {
            return known;
        }
        self.shared.set(slot, self.declarations.position(), ());
        let id = self.id();
        match ty {
            Some(ty) => self.declarations.push(op, [ty, id], operands),
            None => self.declarations.push(op, [id], operands),
        }
        id
    }

    pub(crate) fn ty_void(&mut self) -> Word {
        self.unique(Op::TypeVoid, None, &[])
    }
    /// Returns a type that nearly every instruction uses.
    fn common_type(&mut self, at: usize, op: Op, operands: &[Word]) -> Word {
        if let Some(known) = self.common.types[at].expand() {
            return known;
        }
        let id = self.unique(op, None, operands);
        self.common.types[at] = id.into();
        id
    }
    pub(crate) fn ty_bool(&mut self) -> Word {
        self.common_type(0, Op::TypeBool, &[])
    }
    /// Returns the unsigned integer type of `width` bits; all DXIL integers are unsigned here,
    /// SPIR-V's signed operations accept them.
    pub(crate) fn ty_int(&mut self, width: u32) -> Word {
        if width == 32 {
            self.ty_u32()
        } else {
            self.ty_int_signed(width, false)
        }
    }
    pub(crate) fn ty_int_signed(&mut self, width: u32, signed: bool) -> Word {
        match width {
            8 => self.caps.add(Capability::Int8),
            16 => self.caps.add(Capability::Int16),
            64 => self.caps.add(Capability::Int64),
            _ => {}
        }
        self.unique(Op::TypeInt, None, &[width, u32::from(signed)])
    }
    pub(crate) fn ty_u32(&mut self) -> Word {
        self.common_type(1, Op::TypeInt, &[32, 0])
    }

    pub(crate) fn ty_float(&mut self, width: u32) -> Word {
        match width {
            16 => self.caps.add(Capability::Float16),
            64 => self.caps.add(Capability::Float64),
            _ => return self.ty_f32(),
        }
        self.unique(Op::TypeFloat, None, &[width])
    }
    pub(crate) fn ty_f32(&mut self) -> Word {
        self.common_type(2, Op::TypeFloat, &[32])
    }
    /// Returns a vector (or scalar) of words of 32 bits.
    pub(crate) fn ty_words(&mut self, len: u32) -> Word {
        let word = self.ty_u32();
        self.ty_vec(word, len)
    }
    /// Returns a vector (or scalar) of floats of 32 bits.
    pub(crate) fn ty_floats(&mut self, len: u32) -> Word {
        let float = self.ty_f32();
        self.ty_vec(float, len)
    }
    /// Returns the vector type with `len` components, or the component type itself if `len` is 1.
    pub(crate) fn ty_vec(&mut self, element: Word, len: u32) -> Word {
        if len == 1 {
            return element;
        }
        self.unique(Op::TypeVector, None, &[element, len])
    }
    /// Returns the array without explicit layout.
    pub(crate) fn ty_array(&mut self, element: Word, len: u32) -> Word {
        let len = self.const_u32(len);
        self.unique(Op::TypeArray, None, &[element, len])
    }
    /// Returns the runtime array without explicit layout (descriptor arrays).
    pub(crate) fn ty_runtime_array(&mut self, element: Word) -> Word {
        self.unique(Op::TypeRuntimeArray, None, &[element])
    }
    /// Returns the struct type without decorations.
    pub(crate) fn ty_struct(&mut self, members: &[Word]) -> Word {
        self.unique(Op::TypeStruct, None, members)
    }
    /// Returns a type that must not be shared with an undecorated one of the same shape (layout
    /// decorations follow): always a new id.
    pub(crate) fn ty_fresh(&mut self, op: Op, operands: &[Word]) -> Word {
        let id = self.id();
        self.declarations.push(op, [id], operands);
        id
    }
    pub(crate) fn ty_ptr(&mut self, class: StorageClass, pointee: Word) -> Word {
        self.unique(Op::TypePointer, None, &[class as Word, pointee])
    }
    /// Returns any other type by opcode (`OpTypeImage`, `OpTypeSampler`, `OpTypeSampledImage`,
    /// `OpTypeAccelerationStructureKHR`, …).
    pub(crate) fn ty_other(&mut self, op: Op, operands: &[Word]) -> Word {
        self.unique(op, None, operands)
    }
    pub(crate) fn ty_function(&mut self, ret: Word, params: &[Word]) -> Word {
        let mut operands: SmallVec<[Word; 8]> = smallvec![ret];
        operands.extend_from_slice(params);
        self.unique(Op::TypeFunction, None, &operands)
    }

    pub(crate) fn const_bool(&mut self, value: bool) -> Word {
        let ty = self.ty_bool();
        self.unique(
            if value {
                Op::ConstantTrue
            } else {
                Op::ConstantFalse
            },
            Some(ty),
            &[],
        )
    }
    pub(crate) fn const_u32(&mut self, value: u32) -> Word {
        let known = self.common.small.get(value as usize);
        if let Some(id) = known.and_then(|id| id.expand()) {
            return id;
        }
        let ty = self.ty_u32();
        let id = self.unique(Op::Constant, Some(ty), &[value]);
        if let Some(slot) = self.common.small.get_mut(value as usize) {
            *slot = id.into();
        }
        id
    }
    /// Adds an unsigned specialization constant with number `spec_id`, always with a new id.
    pub(crate) fn spec_const_u32(&mut self, spec_id: u32, default: u32) -> Word {
        let (ty, id) = (self.ty_u32(), self.id());
        self.declarations
            .push(Op::SpecConstant, [ty, id, default], &[]);
        self.decorate(id, Decoration::SpecId, &[spec_id]);
        id
    }
    /// Adds a specialization constant that is a boolean, as [`Builder::spec_const_u32`].
    pub(crate) fn spec_const_bool(&mut self, spec_id: u32, default: bool) -> Word {
        let (ty, id) = (self.ty_bool(), self.id());
        let op = if default {
            Op::SpecConstantTrue
        } else {
            Op::SpecConstantFalse
        };
        self.declarations.push(op, [ty, id], &[]);
        self.decorate(id, Decoration::SpecId, &[spec_id]);
        id
    }
    /// Adds a composite of specialization constants and other constants, always with a new id.
    pub(crate) fn spec_const_composite(&mut self, ty: Word, parts: &[Word]) -> Word {
        let id = self.id();
        self.declarations
            .push(Op::SpecConstantComposite, [ty, id], parts);
        id
    }
    /// Returns a constant of signed type, for the few operands whose sign matters (image offsets).
    pub(crate) fn const_i32(&mut self, value: i32) -> Word {
        let ty = self.ty_int_signed(32, true);
        self.const_of(ty, 32, u64::from(value as u32))
    }
    pub(crate) fn const_f32(&mut self, value: f32) -> Word {
        let ty = self.ty_f32();
        self.unique(Op::Constant, Some(ty), &[value.to_bits()])
    }
    /// Returns the integer constant of `width` bits (16-bit ones are zero-extended in the word, as
    /// the type is unsigned).
    pub(crate) fn const_int(&mut self, width: u32, value: u64) -> Word {
        let ty = self.ty_int(width);
        self.const_of(ty, width, value)
    }
    /// Returns the float constant of `width` bits, given as bits.
    pub(crate) fn const_float_bits(&mut self, width: u32, bits: u64) -> Word {
        let ty = self.ty_float(width);
        self.const_of(ty, width, bits)
    }
    fn const_of(&mut self, ty: Word, width: u32, bits: u64) -> Word {
        let literal = [bits as u32, (bits >> 32) as u32];
        let count = if width == 64 { 2 } else { 1 };
        self.unique(Op::Constant, Some(ty), &literal[..count])
    }
    pub(crate) fn const_null(&mut self, ty: Word) -> Word {
        self.unique(Op::ConstantNull, Some(ty), &[])
    }
    pub(crate) fn const_composite(&mut self, ty: Word, parts: &[Word]) -> Word {
        self.unique(Op::ConstantComposite, Some(ty), parts)
    }
    /// Adds a string that is a constant (`SPV_AMDX_shader_enqueue`), always with a new id.
    pub(crate) fn const_string(&mut self, text: &str) -> Word {
        let id = self.id();
        self.declarations
            .push_text(Op::ConstantStringAMDX, &[id], text, &[]);
        id
    }
    /// Returns the `OpUndef` of a type at module level, one per type.
    pub(crate) fn undef(&mut self, ty: Word) -> Word {
        self.unique(Op::Undef, Some(ty), &[])
    }
}
