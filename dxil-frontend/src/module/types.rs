//! Types.

use smallvec::SmallVec;

use super::{Name, TypeId};

/// Parts of a type, inline while they are few.
pub type TypeList = SmallVec<[TypeId; 6]>;

/// A type. DXIL uses LLVM 3.7's types; types that DXIL forbids (x86_fp80, …) are errors of the
/// reader.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Type {
    /// No value.
    Void,
    /// IEEE half, 16 bits.
    Half,
    /// IEEE single, 32 bits.
    Float,
    /// IEEE double, 64 bits.
    Double,
    /// Integer of the given width in bits (1, 8, 16, 32, 64 in DXIL).
    Int(u32),
    /// Integer of more than 64 bits. LLVM reads component 0 of a long vector through one: a
    /// `bitcast` of a vector yields it, and a `trunc` takes it; nothing else may.
    WideInt(u32),
    /// A basic block.
    Label,
    /// Metadata as an operand.
    Metadata,
    /// Typed pointer with address space (0 local, 1 device memory, 2 cbuffer, 3 groupshared).
    Pointer {
        /// Type of the pointee.
        pointee: TypeId,
        /// D3D address space.
        address_space: u32,
    },
    /// Fixed vector.
    Vector {
        /// Element type.
        element: TypeId,
        /// Number of elements.
        len: u32,
    },
    /// Array.
    Array {
        /// Element type.
        element: TypeId,
        /// Number of elements.
        len: u64,
    },
    /// Structure; literal when `name` is `None`.
    Struct {
        /// Name of an identified structure, such as `dx.types.Handle`.
        name: Option<Name>,
        /// Field types; empty and `opaque` for an opaque structure.
        fields: TypeList,
        /// No padding between fields.
        packed: bool,
        /// Declared without a body.
        opaque: bool,
    },
    /// Function type.
    Function {
        /// Return type.
        ret: TypeId,
        /// Parameter types.
        params: TypeList,
        /// Accepts further arguments.
        vararg: bool,
    },
}
