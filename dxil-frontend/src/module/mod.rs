//! The in-memory form of a DXIL module.
//!
//! The numbering is LLVM's own: one dense space of [`ValueId`]s per function, in which the
//! module-level values (global variables, functions, constants) come first and the function's
//! arguments, constants and instruction results follow. An operand is therefore one `u32`, and no
//! map is needed to resolve it. Instructions and their variable-length operands live in one pool
//! per function.

mod constants;
mod copy;
mod function;
mod instructions;
mod types;

use smallvec::SmallVec;
use trellis_entity::PrimaryMap;

use crate::metadata::Metadata;

pub use crate::ids::{
    BlockId, ConstId, FunctionId, GlobalId, InstId, Name, PoolRange, TypeId, ValueId,
};

pub use constants::{Constant, ConstantData, VectorOp};
pub use copy::{append_list, copy_kind};
pub(crate) use copy::{copy_constant, moved};
pub use function::{BlockData, CallArg, DebugLoc, Function, METADATA_ARG, Operands, Successors};
pub use instructions::{ArithFlags, BinaryOp, CastOp, Inst, InstKind, Ordering, Predicate, RmwOp};
pub use types::{Type, TypeList};

/// Kind of entity that a value number denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// A global variable (its address).
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// A constant.
    Constant(ConstId),
    /// Argument `n` of the function.
    Argument(u32),
    /// Result of an instruction.
    Inst(InstId),
}

/// A value's type and origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueData {
    /// Type of the value.
    pub ty: TypeId,
    /// Origin of the value.
    pub kind: ValueKind,
}

/// LLVM linkage, reduced to the kinds that DXIL uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Linkage {
    /// `external`.
    #[default]
    External,
    /// `internal`.
    Internal,
    /// `private`.
    Private,
    /// Anything else, with LLVM's encoded number.
    Other(u32),
}

/// A global variable: groupshared memory, constant tables, `dx.break.cond`, resource globals of
/// libraries.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    /// Name from the value symbol table; empty when stripped.
    pub name: Name,
    /// Type of the content.
    pub ty: TypeId,
    /// Pointer type of the address.
    pub ptr_ty: TypeId,
    /// D3D address space (3 is groupshared).
    pub address_space: u32,
    /// `constant` rather than `global`.
    pub is_const: bool,
    /// Initializer, if it has one.
    pub init: Option<ValueId>,
    /// Linkage.
    pub linkage: Linkage,
    /// Alignment in bytes; 0 when not given.
    pub align: u32,
    /// `unnamed_addr`.
    pub unnamed_addr: bool,
    /// `externally_initialized`.
    pub externally_initialized: bool,
    /// Thread-local mode (LLVM's number; 0 is not thread-local).
    pub thread_local: u32,
    /// Section number, 1-based; 0 is none.
    pub section: u32,
}

/// One attribute of an attribute group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attribute {
    /// LLVM's numbered attribute (`nounwind` is 18, …).
    Enum(u64),
    /// Numbered attribute with an integer (`align`, `dereferenceable`).
    Int(u64, u64),
    /// Textual attribute, with its value if any.
    String(Name, Option<Name>),
}

/// An attribute group: who it applies to (0 return, 0xFFFF_FFFF function, else parameter + 1) and
/// its attributes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AttributeGroup {
    /// LLVM's group number.
    pub id: u32,
    /// Parameter index as LLVM encodes it.
    pub index: u32,
    /// Attributes in file order.
    pub attributes: SmallVec<[Attribute; 2]>,
}

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Target triple, `dxil-ms-dx` in DXIL.
    pub triple: Name,
    /// Data layout string.
    pub data_layout: Name,
    /// Types.
    pub types: PrimaryMap<TypeId, Type>,
    /// Module-level values.
    pub values: Vec<ValueData>,
    /// Constants, module-level and local.
    pub constants: PrimaryMap<ConstId, ConstantData>,
    /// Operands of constants: value numbers (function-local constants refer to their function's
    /// numbering).
    pub const_operands: Vec<u32>,
    /// Global variables.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Functions.
    pub functions: PrimaryMap<FunctionId, Function>,
    /// Attribute lists: each a list of group indices into `attribute_groups`.
    pub attributes: Vec<SmallVec<[u32; 4]>>,
    /// Attribute groups.
    pub attribute_groups: Vec<AttributeGroup>,
    /// Section names.
    pub sections: Vec<Name>,
    /// Metadata.
    pub metadata: Metadata,
}

impl Module {
    /// Returns a type.
    pub fn ty(&self, ty: TypeId) -> &Type {
        &self.types[ty]
    }
    /// Returns the data of a value number as seen from `function` (`None`: module level only).
    /// `None` for a number out of range.
    pub fn value(&self, function: Option<&Function>, value: ValueId) -> Option<ValueData> {
        let index = value.as_u32() as usize;
        if let Some(v) = self.values.get(index) {
            return Some(*v);
        }
        function?.values.get(index - self.values.len()).copied()
    }
    /// Returns a constant's data if the value number is one.
    pub fn constant(&self, function: Option<&Function>, value: ValueId) -> Option<&ConstantData> {
        match self.value(function, value)?.kind {
            ValueKind::Constant(c) => self.constants.get(c),
            _ => None,
        }
    }
    /// Returns the zero-extended integer of a constant, `null` included.
    #[inline]
    pub fn const_int(&self, function: Option<&Function>, value: ValueId) -> Option<u64> {
        match self.constant(function, value)?.value {
            Constant::Int(v) => Some(v),
            Constant::Null => Some(0),
            _ => None,
        }
    }
    /// Frees the memory that was reserved for more than there is.
    pub fn shrink_to_fit(&mut self) {
        for function in self.functions.values_mut() {
            function.insts.shrink_to_fit();
            function.values.shrink_to_fit();
            function.pool.shrink_to_fit();
        }
        self.functions.shrink_to_fit();
        self.values.shrink_to_fit();
        self.types.shrink_to_fit();
        self.constants.shrink_to_fit();
        self.metadata.nodes.shrink_to_fit();
        self.metadata.operands.shrink_to_fit();
        self.metadata.strings.shrink_to_fit();
    }
    /// Returns a function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id]
    }
}
