//! Instructions: operations, flags, operands.

use trellis_entity::PackedOption;

use super::{BlockId, PoolRange, TypeId, ValueId};

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

impl Predicate {
    /// Returns whether the predicate compares floats.
    pub fn is_float(self) -> bool {
        self as u8 <= Self::FTrue as u8
    }
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
    /// Returns whether all bits of `mask` are set.
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

impl RmwOp {
    /// All of them, in the order of LLVM's numbers.
    pub const ALL: [Self; 11] = {
        use RmwOp::*;
        [Xchg, Add, Sub, And, Nand, Or, Xor, Max, Min, UMax, UMin]
    };
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

/// An instruction. Operand lists are ranges of [`Function::pool`](super::Function::pool); its
/// entries are value numbers unless said otherwise.
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
    /// `args`: value numbers. A metadata argument is encoded as in
    /// [`Function::call_args`](super::Function::call_args). `tail`: bit 0 `tail`, bit 1 `musttail`,
    /// bit 2 `notail`. `attributes`: as [`Function::attributes`](super::Function::attributes).
    Call {
        callee: ValueId,
        args: PoolRange,
        flags: ArithFlags,
        cc: u16,
        tail: u8,
        attributes: u16,
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
    /// Returns whether the instruction ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Self::Br { .. }
                | Self::CondBr { .. }
                | Self::Switch { .. }
                | Self::Ret { .. }
                | Self::Unreachable
        )
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
    pub result: PackedOption<ValueId>,
    /// 1-based index into [`Function::debug_locs`](super::Function::debug_locs); 0 is none.
    pub debug_loc: u32,
}
