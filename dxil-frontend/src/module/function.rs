//! A function's body: blocks, instructions and the pool of their operands, and walks over them.

use trellis_entity::{EntityRange, PrimaryMap};

use crate::metadata::MdId;

use super::{
    BlockId, Inst, InstId, InstKind, Linkage, Name, PoolRange, TypeId, ValueData, ValueId,
};

/// Iterator of [`Function::successors`].
#[derive(Clone, Debug)]
pub struct Successors<'f> {
    fixed: [Option<BlockId>; 2],
    cases: &'f [u32],
}

impl Iterator for Successors<'_> {
    type Item = BlockId;
    #[inline]
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
    /// Those that there are come first.
    fixed: [Option<ValueId>; 3],
    next: usize,
    pool: &'f [u32],
    stride: usize,
}

impl Iterator for Operands<'_> {
    type Item = ValueId;
    #[inline]
    fn next(&mut self) -> Option<ValueId> {
        if let Some(&Some(value)) = self.fixed.get(self.next) {
            self.next += 1;
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

/// A basic block: a contiguous range of instructions, the last one a terminator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockData {
    /// The instructions.
    pub insts: EntityRange<InstId>,
}

/// A debug location (`DILocation`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DebugLoc {
    /// Line, 1-based; 0 unknown.
    pub line: u32,
    /// Column, 1-based; 0 unknown.
    pub column: u32,
    /// Scope: metadata number.
    pub scope: MdId,
    /// Location at which it was inlined: metadata number.
    pub inlined_at: Option<MdId>,
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
    /// Attribute list, 1-based index into [`Module::attributes`](super::Module::attributes); 0 is
    /// none.
    pub attributes: u32,
    /// `unnamed_addr`.
    pub unnamed_addr: bool,
    /// Values with numbers from `module.values.len()` on: arguments, constants, instruction
    /// results.
    pub values: Vec<ValueData>,
    /// Blocks in file order.
    pub blocks: PrimaryMap<BlockId, BlockData>,
    /// Instructions in file order.
    pub insts: PrimaryMap<InstId, Inst>,
    /// Variable-length operands.
    pub pool: Vec<u32>,
    /// Debug locations.
    pub debug_locs: Vec<DebugLoc>,
    /// Metadata attached to instructions: (instruction, kind, node), sorted by instruction.
    pub inst_metadata: Vec<(InstId, u32, MdId)>,
    /// Metadata attached to the function: (kind, node).
    pub metadata: Vec<(u32, MdId)>,
    /// Names of local values and blocks, if the symbol table has them: (value number, name),
    /// sorted.
    pub value_names: Vec<(ValueId, Name)>,
    /// Names of blocks: (block, name), sorted.
    pub block_names: Vec<(BlockId, Name)>,
    /// Metadata used as call arguments; see [`Function::call_args`].
    pub metadata_operands: Vec<MdId>,
}

/// One argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallArg {
    /// An ordinary value.
    Value(ValueId),
    /// Metadata as value (`llvm.dbg.*`).
    Metadata(MdId),
}

/// Pool entries of call arguments with this bit set are indices into
/// [`Function::metadata_operands`].
pub const METADATA_ARG: u32 = 1 << 31;

impl Function {
    /// Returns the value numbers of a pool range.
    pub fn values_in(&self, range: PoolRange) -> impl ExactSizeIterator<Item = ValueId> + '_ {
        self.pool[range.range()]
            .iter()
            .map(|&v| ValueId::from_u32(v))
    }
    /// Arguments of a call, in order.
    pub fn call_args(&self, args: PoolRange) -> impl ExactSizeIterator<Item = CallArg> + '_ {
        self.pool[args.range()].iter().map(|&v| {
            if v & METADATA_ARG != 0 {
                CallArg::Metadata(self.metadata_operands[(v & !METADATA_ARG) as usize])
            } else {
                CallArg::Value(ValueId::from_u32(v))
            }
        })
    }
    /// Returns the incoming pairs of a phi.
    pub fn phi_incoming(
        &self,
        incoming: PoolRange,
    ) -> impl ExactSizeIterator<Item = (ValueId, BlockId)> + '_ {
        self.pool[incoming.range()]
            .chunks_exact(2)
            .map(|p| (ValueId::from_u32(p[0]), BlockId::from_u32(p[1])))
    }
    /// Cases of a switch: literal (zero-extended) and target.
    pub fn switch_cases(
        &self,
        cases: PoolRange,
    ) -> impl ExactSizeIterator<Item = (u64, BlockId)> + '_ {
        self.pool[cases.range()].chunks_exact(3).map(|p| {
            (
                u64::from(p[0]) | u64::from(p[1]) << 32,
                BlockId::from_u32(p[2]),
            )
        })
    }
    /// Returns the terminator of a block.
    pub fn terminator(&self, block: BlockId) -> &Inst {
        let end = self.blocks[block].insts.end();
        &self.insts[InstId::from_u32(end.as_u32() - 1)]
    }
    /// Targets of a terminator in the order that LLVM gives them (true before false, default before
    /// cases); none for other instructions. A target of several edges comes several times.
    #[inline]
    pub fn successors(&self, kind: &InstKind) -> Successors<'_> {
        let (fixed, cases) = match *kind {
            InstKind::Br { target } => ([Some(target), None], PoolRange::default()),
            InstKind::CondBr { then, else_, .. } => {
                ([Some(then), Some(else_)], PoolRange::default())
            }
            InstKind::Switch { default, cases, .. } => ([Some(default), None], cases),
            _ => ([None; 2], PoolRange::default()),
        };
        Successors {
            fixed,
            cases: &self.pool[cases.range()],
        }
    }
    /// Returns all edges (source, target), by source.
    pub fn edges(&self) -> impl Iterator<Item = (BlockId, BlockId)> + '_ {
        self.blocks.keys().flat_map(|block| {
            self.successors(&self.terminator(block).kind)
                .map(move |target| (block, target))
        })
    }
    /// Returns the value operands of an instruction in LLVM's order of the language reference (the
    /// callee of a call comes first); blocks and metadata are excluded.
    #[inline]
    pub fn operands(&self, kind: &InstKind) -> Operands<'_> {
        let (none, mut stride) = (PoolRange::default(), 1);
        let one = |value| [Some(value), None, None];
        let two = |a, b| [Some(a), Some(b), None];
        let three = |a, b, c| [Some(a), Some(b), Some(c)];
        let (fixed, range) = match *kind {
            InstKind::Binary { lhs, rhs, .. } | InstKind::Cmp { lhs, rhs, .. } => {
                (two(lhs, rhs), none)
            }
            InstKind::Cast { value, .. }
            | InstKind::Switch { value, .. }
            | InstKind::CondBr { cond: value, .. }
            | InstKind::Load { ptr: value, .. }
            | InstKind::Alloca { count: value, .. }
            | InstKind::ExtractValue {
                aggregate: value, ..
            } => (one(value), none),
            InstKind::Select { cond, then, else_ } => (three(cond, then, else_), none),
            InstKind::Phi { incoming } => {
                stride = 2;
                ([None; 3], incoming)
            }
            InstKind::Call { callee, args, .. } => (one(callee), args),
            InstKind::Store { ptr, value, .. } => (two(value, ptr), none),
            InstKind::Gep { operands, .. } => ([None; 3], operands),
            InstKind::InsertValue {
                aggregate, value, ..
            } => (two(aggregate, value), none),
            InstKind::ExtractElement { vector, index } => (two(vector, index), none),
            InstKind::InsertElement {
                vector,
                value,
                index,
            } => (three(vector, value, index), none),
            InstKind::ShuffleVector { a, b, mask } => (three(a, b, mask), none),
            InstKind::AtomicRmw { ptr, value, .. } => (two(ptr, value), none),
            InstKind::CmpXchg {
                ptr, compare, new, ..
            } => (three(ptr, compare, new), none),
            InstKind::Ret { value } => ([value, None, None], none),
            InstKind::Br { .. } | InstKind::Fence { .. } | InstKind::Unreachable => {
                ([None; 3], none)
            }
        };
        Operands {
            fixed,
            next: 0,
            pool: &self.pool[range.range()],
            stride,
        }
    }
    /// Returns the name of a local value, if the symbol table has one.
    pub fn value_name(&self, value: ValueId) -> Option<&Name> {
        let index = self.value_names.binary_search_by_key(&value, |(v, _)| *v);
        index.ok().map(|index| &self.value_names[index].1)
    }
    /// Returns the name of a block, if the symbol table has one.
    pub fn block_name(&self, block: BlockId) -> Option<&Name> {
        let index = self.block_names.binary_search_by_key(&block, |(b, _)| *b);
        index.ok().map(|index| &self.block_names[index].1)
    }
    /// Instructions of a block.
    pub fn block_insts(&self, block: BlockId) -> &[Inst] {
        &self.insts[self.blocks[block].insts]
    }
}
