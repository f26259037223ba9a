//! The in-memory form of a DXIL module that all else uses.
//!
//! The numbering is LLVM's own: one dense space of [`ValueId`]s per function, in which the module-level values (global variables, functions, constants) come
//! first and the function's arguments, constants and instruction results follow. An operand is therefore one `u32`, and no map is needed to resolve it.
//! Instructions and their variable-length operands live in one pool per function.

use cranelift_entity::entity_impl;
use smallvec::SmallVec;
use std::ops::Range;

use crate::metadata::Metadata;

/// A name: without memory of its own up to 23 bytes, which nearly all are.
pub type Name = smol_str::SmolStr;

/// Parts of a type: without memory of their own while they are few.
pub type TypeList = SmallVec<[TypeId; 6]>;

/// An LLVM type in [`Module::types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TypeId(u32);
entity_impl!(TypeId, "ty");

/// A value number: below [`Module::values`]`.len()` module-level, from there on local to a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ValueId(u32);
entity_impl!(ValueId, "v");

/// A global variable in [`Module::globals`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// A function (definition or declaration) in [`Module::functions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "fn");

/// A constant in [`Module::constants`]; function-local constants live there too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstId(u32);
entity_impl!(ConstId, "const");

/// A basic block of one function; the entry is block 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(u32);
entity_impl!(BlockId, "bb");

/// An instruction of one function, in program order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstId(u32);
entity_impl!(InstId, "inst");

/// A range of a pool of `u32`-like entries (operands, elements, cases); `start..end` are pool indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct PoolRange {
    /// First entry.
    pub start: u32,
    /// One past the last entry.
    pub end: u32,
}

impl PoolRange {
    /// The range as `usize` indices.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
    /// Number of entries.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }
    /// Whether the range has no entry.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A type. DXIL uses LLVM 3.7's types; what DXIL forbids (x86_fp80, …) is an error of the reader.
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
    /// A basic block.
    Label,
    /// Metadata as an operand.
    Metadata,
    /// Typed pointer with address space (0 local, 1 device memory, 2 cbuffer, 3 groupshared).
    Pointer {
        /// What it points to.
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

/// What a value number stands for.
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
    /// Where it comes from.
    pub kind: ValueKind,
}

/// A constant. Operands of aggregates and expressions are ranges of [`Module::const_operands`].
#[derive(Clone, PartialEq, Debug)]
pub enum Constant {
    /// Zero of any type (`null`, `zeroinitializer`).
    Null,
    /// Undefined value.
    Undef,
    /// Integer, truncated to the type's width and zero-extended to 64 bits.
    Int(u64),
    /// Bits of a half, float or double, zero-extended to 64 bits.
    Float(u64),
    /// Struct, array or vector of other constants: value numbers in `const_operands`.
    Aggregate(PoolRange),
    /// Array or vector of plain numbers: raw bits, one `u64` an element.
    Data(Box<[u64]>),
    /// `i8` array given as a string; `true` when a terminating NUL, which the bytes here leave out, is part of it.
    String(Box<[u8]>, bool),
    /// Binary constant expression.
    Binary {
        /// Operation.
        op: BinaryOp,
        /// Wrap and exact flags.
        flags: ArithFlags,
        /// Two operands.
        operands: [ValueId; 2],
    },
    /// Cast constant expression.
    Cast {
        /// Operation.
        op: CastOp,
        /// Operand.
        value: ValueId,
    },
    /// `getelementptr` constant expression: base, then indices.
    Gep {
        /// `inbounds` flag.
        inbounds: bool,
        /// Type that the first index steps over.
        source: TypeId,
        /// Base and indices in `const_operands`.
        operands: PoolRange,
    },
    /// `select` constant expression: condition, true, false.
    Select([ValueId; 3]),
    /// `icmp` or `fcmp` constant expression.
    Cmp {
        /// Predicate.
        predicate: Predicate,
        /// Two operands.
        operands: [ValueId; 2],
    },
    /// `extractelement`, `insertelement`, `shufflevector` constant expressions, rarely seen.
    VectorOp {
        /// Which.
        op: VectorOp,
        /// Operands in `const_operands`.
        operands: PoolRange,
    },
}

/// Vector constant expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VectorOp {
    /// `extractelement`.
    Extract,
    /// `insertelement`.
    Insert,
    /// `shufflevector`.
    Shuffle,
}

/// A constant with its type.
#[derive(Clone, PartialEq, Debug)]
pub struct ConstantData {
    /// Type.
    pub ty: TypeId,
    /// Content.
    pub value: Constant,
}

/// LLVM linkage, reduced to what DXIL uses.
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

/// A global variable: groupshared memory, constant tables, `dx.break.cond`, resource globals of libraries.
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

/// Binary operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum BinaryOp {
    Add,
    FAdd,
    Sub,
    FSub,
    Mul,
    FMul,
    UDiv,
    SDiv,
    FDiv,
    URem,
    SRem,
    FRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// Casts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FPToUI,
    FPToSI,
    UIToFP,
    SIToFP,
    FPTrunc,
    FPExt,
    PtrToInt,
    IntToPtr,
    BitCast,
    AddrSpaceCast,
}

/// Compare predicates, in the order of LLVM's numbers (floats 0 to 15, integers from 32).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum Predicate {
    FFalse,
    FOeq,
    FOgt,
    FOge,
    FOlt,
    FOle,
    FOne,
    FOrd,
    FUno,
    FUeq,
    FUgt,
    FUge,
    FUlt,
    FUle,
    FUne,
    FTrue,
    IEq,
    INe,
    IUgt,
    IUge,
    IUlt,
    IUle,
    ISgt,
    ISge,
    ISlt,
    ISle,
}

/// Flags of an arithmetic instruction: wrap flags for integers, fast-math flags for floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct ArithFlags(pub u16);

#[expect(missing_docs, reason = "LLVM's own names")]
impl ArithFlags {
    pub const NUW: u16 = 1;
    pub const NSW: u16 = 2;
    pub const EXACT: u16 = 4;
    pub const FAST: u16 = 8;
    pub const NNAN: u16 = 16;
    pub const NINF: u16 = 32;
    pub const NSZ: u16 = 64;
    pub const ARCP: u16 = 128;
}

impl ArithFlags {
    /// Whether all bits of `mask` are set.
    pub fn has(self, mask: u16) -> bool {
        self.0 & mask == mask
    }
}

/// Operation of `atomicrmw`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum RmwOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
}

/// LLVM atomic ordering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum Ordering {
    NotAtomic,
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// An instruction. Operand lists are ranges of [`Function::pool`]; its entries are value numbers unless said otherwise.
#[derive(Clone, Copy, PartialEq, Debug)]
#[expect(missing_docs, reason = "fields follow the LLVM language reference")]
pub enum InstKind {
    Binary {
        op: BinaryOp,
        lhs: ValueId,
        rhs: ValueId,
        flags: ArithFlags,
    },
    Cast {
        op: CastOp,
        value: ValueId,
    },
    Cmp {
        predicate: Predicate,
        lhs: ValueId,
        rhs: ValueId,
        flags: ArithFlags,
    },
    Select {
        cond: ValueId,
        then: ValueId,
        else_: ValueId,
    },
    Br {
        target: BlockId,
    },
    CondBr {
        cond: ValueId,
        then: BlockId,
        else_: BlockId,
    },
    /// `cases`: triples (low word of the literal, high word, block) in the pool.
    Switch {
        value: ValueId,
        default: BlockId,
        cases: PoolRange,
    },
    /// `incoming`: pairs (value, block) in the pool.
    Phi {
        incoming: PoolRange,
    },
    /// `args`: value numbers. A metadata argument is encoded as in [`Function::call_args`]. `tail`: bit 0 `tail`, bit 1 `musttail`, bit 2 `notail`.
    Call {
        callee: ValueId,
        fn_ty: TypeId,
        args: PoolRange,
        flags: ArithFlags,
        cc: u32,
        tail: u8,
        attributes: u32,
    },
    Load {
        ptr: ValueId,
        align: u32,
        volatile: bool,
        ordering: Ordering,
    },
    Store {
        ptr: ValueId,
        value: ValueId,
        align: u32,
        volatile: bool,
        ordering: Ordering,
    },
    Alloca {
        ty: TypeId,
        count: ValueId,
        align: u32,
    },
    /// `operands`: base, then indices.
    Gep {
        inbounds: bool,
        source: TypeId,
        operands: PoolRange,
    },
    /// `indices`: plain numbers.
    ExtractValue {
        aggregate: ValueId,
        indices: PoolRange,
    },
    /// `indices`: plain numbers.
    InsertValue {
        aggregate: ValueId,
        value: ValueId,
        indices: PoolRange,
    },
    ExtractElement {
        vector: ValueId,
        index: ValueId,
    },
    InsertElement {
        vector: ValueId,
        value: ValueId,
        index: ValueId,
    },
    ShuffleVector {
        a: ValueId,
        b: ValueId,
        mask: ValueId,
    },
    AtomicRmw {
        op: RmwOp,
        ptr: ValueId,
        value: ValueId,
        volatile: bool,
        ordering: Ordering,
        single_thread: bool,
    },
    CmpXchg {
        ptr: ValueId,
        compare: ValueId,
        new: ValueId,
        volatile: bool,
        success: Ordering,
        failure: Ordering,
        single_thread: bool,
        weak: bool,
    },
    Fence {
        ordering: Ordering,
        single_thread: bool,
    },
    Ret {
        value: Option<ValueId>,
    },
    Unreachable,
}

impl InstKind {
    /// Whether the instruction ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(self, Self::Br { .. } | Self::CondBr { .. } | Self::Switch { .. } | Self::Ret { .. } | Self::Unreachable)
    }
}

/// Iterator of [`Function::successors`].
#[derive(Clone, Debug)]
pub struct Successors<'f> {
    fixed: [Option<BlockId>; 2],
    cases: &'f [u32],
}

impl Iterator for Successors<'_> {
    type Item = BlockId;
    fn next(&mut self) -> Option<BlockId> {
        if let Some(target) = self.fixed.iter_mut().find_map(Option::take) {
            return Some(target);
        }
        let ([_, _, target], rest) = self.cases.split_first_chunk()?;
        self.cases = rest;
        Some(BlockId::from_u32(*target))
    }
}

/// Iterator of [`Function::operands`].
#[derive(Clone, Debug)]
pub struct Operands<'f> {
    fixed: [Option<ValueId>; 3],
    pool: &'f [u32],
    stride: usize,
}

impl Iterator for Operands<'_> {
    type Item = ValueId;
    fn next(&mut self) -> Option<ValueId> {
        if let Some(value) = self.fixed.iter_mut().find_map(Option::take) {
            return Some(value);
        }
        while let Some(&entry) = self.pool.first() {
            self.pool = self.pool.get(self.stride..).unwrap_or_default();
            if entry & METADATA_ARG == 0 {
                return Some(ValueId::from_u32(entry));
            }
        }
        None
    }
}

/// An instruction with its result type and value number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Inst {
    /// Operation and operands.
    pub kind: InstKind,
    /// Result type (`void` if it has none).
    pub ty: TypeId,
    /// Value number of the result, if it has one.
    pub result: Option<ValueId>,
    /// 1-based index into [`Function::debug_locs`]; 0 is none.
    pub debug_loc: u32,
}

/// A basic block: a contiguous range of instructions, the last one a terminator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockData {
    /// First instruction.
    pub start: u32,
    /// One past the last instruction.
    pub end: u32,
}

/// A debug location (`DILocation`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DebugLoc {
    /// Line, 1-based; 0 unknown.
    pub line: u32,
    /// Column, 1-based; 0 unknown.
    pub column: u32,
    /// Scope: metadata number.
    pub scope: crate::metadata::MdId,
    /// Where it was inlined: metadata number.
    pub inlined_at: Option<crate::metadata::MdId>,
}

/// A function's body; empty for a declaration.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Name from the value symbol table, such as `main` or `dx.op.loadInput.f32`.
    pub name: Name,
    /// Function type.
    pub ty: TypeId,
    /// Value number of the function itself.
    pub value: ValueId,
    /// Has no body.
    pub is_declaration: bool,
    /// Linkage.
    pub linkage: Linkage,
    /// Calling convention.
    pub cc: u32,
    /// Attribute list, 1-based index into [`Module::attributes`]; 0 is none.
    pub attributes: u32,
    /// `unnamed_addr`.
    pub unnamed_addr: bool,
    /// Values with numbers from `module.values.len()` on: arguments, constants, instruction results.
    pub values: Vec<ValueData>,
    /// Blocks in file order.
    pub blocks: Vec<BlockData>,
    /// Instructions in file order.
    pub insts: Vec<Inst>,
    /// Variable-length operands.
    pub pool: Vec<u32>,
    /// Debug locations.
    pub debug_locs: Vec<DebugLoc>,
    /// Metadata attached to instructions: (instruction, kind, node), sorted by instruction.
    pub inst_metadata: Vec<(InstId, u32, crate::metadata::MdId)>,
    /// Metadata attached to the function: (kind, node).
    pub metadata: Vec<(u32, crate::metadata::MdId)>,
    /// Names of local values and blocks, if the symbol table has them: (value number, name), sorted.
    pub value_names: Vec<(ValueId, Name)>,
    /// Names of blocks: (block, name), sorted.
    pub block_names: Vec<(BlockId, Name)>,
    /// Metadata used as call arguments; see [`Function::call_args`].
    pub metadata_operands: Vec<crate::metadata::MdId>,
}

/// One argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallArg {
    /// An ordinary value.
    Value(ValueId),
    /// Metadata as value (`llvm.dbg.*`).
    Metadata(crate::metadata::MdId),
}

/// Pool entries of call arguments with this bit set are indices into [`Function::metadata_operands`].
pub const METADATA_ARG: u32 = 1 << 31;

impl Function {
    /// Value numbers of a pool range.
    pub fn values_in(&self, range: PoolRange) -> impl ExactSizeIterator<Item = ValueId> + '_ {
        self.pool[range.range()].iter().map(|&v| ValueId::from_u32(v))
    }
    /// Arguments of a call, in order.
    pub fn call_args(&self, args: PoolRange) -> impl ExactSizeIterator<Item = CallArg> + '_ {
        self.pool[args.range()].iter().map(|&v| {
            if v & METADATA_ARG != 0 { CallArg::Metadata(self.metadata_operands[(v & !METADATA_ARG) as usize]) } else { CallArg::Value(ValueId::from_u32(v)) }
        })
    }
    /// Incoming pairs of a phi.
    pub fn phi_incoming(&self, incoming: PoolRange) -> impl ExactSizeIterator<Item = (ValueId, BlockId)> + '_ {
        self.pool[incoming.range()].chunks_exact(2).map(|p| (ValueId::from_u32(p[0]), BlockId::from_u32(p[1])))
    }
    /// Cases of a switch: literal (zero-extended) and target.
    pub fn switch_cases(&self, cases: PoolRange) -> impl ExactSizeIterator<Item = (u64, BlockId)> + '_ {
        self.pool[cases.range()].chunks_exact(3).map(|p| (u64::from(p[0]) | u64::from(p[1]) << 32, BlockId::from_u32(p[2])))
    }
    /// Terminator of a block.
    pub fn terminator(&self, block: BlockId) -> &Inst {
        &self.insts[self.blocks[block.as_u32() as usize].end as usize - 1]
    }
    /// Targets of a terminator in the order that LLVM gives them (true before false, default before cases); none for other instructions. A target of several
    /// edges comes several times.
    pub fn successors(&self, kind: &InstKind) -> Successors<'_> {
        let (fixed, cases) = match *kind {
            InstKind::Br { target } => ([Some(target), None], PoolRange::default()),
            InstKind::CondBr { then, else_, .. } => ([Some(then), Some(else_)], PoolRange::default()),
            InstKind::Switch { default, cases, .. } => ([Some(default), None], cases),
            _ => ([None; 2], PoolRange::default()),
        };
        Successors { fixed, cases: &self.pool[cases.range()] }
    }
    /// All edges (source, target), by source.
    pub fn edges(&self) -> impl Iterator<Item = (BlockId, BlockId)> + '_ {
        (0..self.blocks.len() as u32).map(BlockId::from_u32).flat_map(|block| self.successors(&self.terminator(block).kind).map(move |target| (block, target)))
    }
    /// Value operands of an instruction in LLVM's order of the language reference (the callee of a call comes first); blocks and metadata are left out.
    pub fn operands(&self, kind: &InstKind) -> Operands<'_> {
        let none = PoolRange::default();
        let (fixed, range, stride): ([Option<ValueId>; 3], PoolRange, usize) = match *kind {
            InstKind::Binary { lhs, rhs, .. } | InstKind::Cmp { lhs, rhs, .. } => ([Some(lhs), Some(rhs), None], none, 1),
            InstKind::Cast { value, .. } | InstKind::Switch { value, .. } => ([Some(value), None, None], none, 1),
            InstKind::Select { cond, then, else_ } => ([Some(cond), Some(then), Some(else_)], none, 1),
            InstKind::CondBr { cond, .. } => ([Some(cond), None, None], none, 1),
            InstKind::Phi { incoming } => ([None; 3], incoming, 2),
            InstKind::Call { callee, args, .. } => ([Some(callee), None, None], args, 1),
            InstKind::Load { ptr, .. } => ([Some(ptr), None, None], none, 1),
            InstKind::Store { ptr, value, .. } => ([Some(value), Some(ptr), None], none, 1),
            InstKind::Alloca { count, .. } => ([Some(count), None, None], none, 1),
            InstKind::Gep { operands, .. } => ([None; 3], operands, 1),
            InstKind::ExtractValue { aggregate, .. } => ([Some(aggregate), None, None], none, 1),
            InstKind::InsertValue { aggregate, value, .. } => ([Some(aggregate), Some(value), None], none, 1),
            InstKind::ExtractElement { vector, index } => ([Some(vector), Some(index), None], none, 1),
            InstKind::InsertElement { vector, value, index } => ([Some(vector), Some(value), Some(index)], none, 1),
            InstKind::ShuffleVector { a, b, mask } => ([Some(a), Some(b), Some(mask)], none, 1),
            InstKind::AtomicRmw { ptr, value, .. } => ([Some(ptr), Some(value), None], none, 1),
            InstKind::CmpXchg { ptr, compare, new, .. } => ([Some(ptr), Some(compare), Some(new)], none, 1),
            InstKind::Ret { value } => ([value, None, None], none, 1),
            InstKind::Br { .. } | InstKind::Fence { .. } | InstKind::Unreachable => ([None; 3], none, 1),
        };
        Operands { fixed, pool: &self.pool[range.range()], stride }
    }
    /// Instructions of a block.
    pub fn block_insts(&self, block: BlockId) -> &[Inst] {
        let b = self.blocks[block.as_u32() as usize];
        &self.insts[b.start as usize..b.end as usize]
    }
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

/// An attribute group: who it applies to (0 return, 0xFFFF_FFFF function, else parameter + 1) and what it says.
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
    pub types: Vec<Type>,
    /// Module-level values.
    pub values: Vec<ValueData>,
    /// Constants, module-level and local.
    pub constants: Vec<ConstantData>,
    /// Operands of constants: value numbers (function-local constants refer to their function's numbering).
    pub const_operands: Vec<u32>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Functions.
    pub functions: Vec<Function>,
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
    /// A type.
    pub fn ty(&self, ty: TypeId) -> &Type {
        &self.types[ty.as_u32() as usize]
    }
    /// Data of a value number as seen from `function` (`None`: module level only). `None` for a number out of range.
    pub fn value(&self, function: Option<&Function>, value: ValueId) -> Option<ValueData> {
        let index = value.as_u32() as usize;
        if let Some(v) = self.values.get(index) {
            return Some(*v);
        }
        function?.values.get(index - self.values.len()).copied()
    }
    /// A constant's data if the value number is one.
    pub fn constant(&self, function: Option<&Function>, value: ValueId) -> Option<&ConstantData> {
        match self.value(function, value)?.kind {
            ValueKind::Constant(c) => self.constants.get(c.as_u32() as usize),
            _ => None,
        }
    }
    /// The zero-extended integer of a constant, `null` included.
    pub fn const_int(&self, function: Option<&Function>, value: ValueId) -> Option<u64> {
        match self.constant(function, value)?.value {
            Constant::Int(v) => Some(v),
            Constant::Null => Some(0),
            _ => None,
        }
    }
    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.as_u32() as usize]
    }
}
