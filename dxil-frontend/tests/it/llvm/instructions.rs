//! Instructions: opcodes, operands, flags and other properties.

use std::collections::HashMap;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMOpcode};
use trellis_dxil_frontend::metadata::MdId;
use trellis_dxil_frontend::module::{
    ArithFlags, BlockId, CallArg, Function, Inst, InstKind, METADATA_ARG, Ordering, PoolRange,
    RmwOp, ValueId, ValueKind,
};

use super::constants::{binary_opcode, cast_opcode, predicate_number};
use super::{Compare, printed};

/// An operand in LLVM's order.
enum Operand {
    Value(ValueId),
    Block(BlockId),
    Metadata(MdId),
    Literal(u64),
}

impl Compare<'_> {
    pub(crate) fn inst(
        &mut self,
        at: &str,
        theirs: LLVMValueRef,
        ours: &Inst,
        f: &Function,
        blocks: &HashMap<LLVMBasicBlockRef, BlockId>,
    ) {
        // SAFETY: `theirs` is an instruction of the live module.
        unsafe {
            let same = LLVMGetInstructionOpcode(theirs) as u32 == opcode(&ours.kind) as u32;
            self.check(same, || format!("{at}: ours is {:?}", ours.kind));
            if !same {
                return;
            }
            self.fields(at, theirs, &ours.kind, f);
            self.ty(at, LLVMTypeOf(theirs), ours.ty);
            let expected = operands(&ours.kind, f, self.upgraded_call(&ours.kind, f).as_deref());
            self.same(at, LLVMGetNumOperands(theirs) as usize, expected.len());
            for (index, operand) in expected
                .iter()
                .enumerate()
                .take(LLVMGetNumOperands(theirs) as usize)
            {
                let their_operand = LLVMGetOperand(theirs, index as u32);
                match *operand {
                    Operand::Value(id) => self.value(at, their_operand, id, Some(f)),
                    Operand::Block(id) => self.same(
                        at,
                        blocks.get(&LLVMValueAsBasicBlock(their_operand)).copied(),
                        Some(id),
                    ),
                    Operand::Literal(value) => {
                        self.same(at, LLVMConstIntGetZExtValue(their_operand), value);
                    }
                    Operand::Metadata(id) => self.metadata(at, their_operand, id, Some(f)),
                }
            }
            if let InstKind::Phi { incoming } = ours.kind {
                let sources = f.phi_incoming(incoming).map(|(_, source)| source);
                for (index, source) in sources.enumerate() {
                    self.same(
                        at,
                        blocks
                            .get(&LLVMGetIncomingBlock(theirs, index as u32))
                            .copied(),
                        Some(source),
                    );
                }
            }
        }
    }

    /// Upgrade: `llvm.dbg.value` loses its second operand, the offset, which is 0.
    fn upgraded_call(&self, kind: &InstKind, f: &Function) -> Option<Vec<u32>> {
        let InstKind::Call { callee, args, .. } = *kind else {
            return None;
        };
        let ValueKind::Function(id) = self.ours.value(None, callee)?.kind else {
            return None;
        };
        let entries = &f.pool[args.range()];
        (&*self.ours.function(id).name == "llvm.dbg.value" && entries.len() == 4)
            .then(|| vec![entries[0], entries[2], entries[3]])
    }

    /// Compares all properties of an instruction except its operands. SAFETY: `theirs` is an
    /// instruction of the live module, with the opcode of `ours`.
    unsafe fn fields(&mut self, at: &str, theirs: LLVMValueRef, ours: &InstKind, f: &Function) {
        // SAFETY: as above; only fields that instructions of this opcode have are queried.
        unsafe {
            match *ours {
                InstKind::Binary { flags, .. } => self.flags(at, theirs, flags),
                InstKind::Cmp {
                    predicate, flags, ..
                } => {
                    self.flags(at, theirs, flags);
                    let number = predicate_number(predicate);
                    let found = if is_float_predicate(number) {
                        LLVMGetFCmpPredicate(theirs) as u32
                    } else {
                        LLVMGetICmpPredicate(theirs) as u32
                    };
                    self.same(at, found, number);
                }
                InstKind::Call {
                    cc, tail, flags, ..
                } => {
                    self.flags(at, theirs, flags);
                    self.same(at, LLVMGetInstructionCallConv(theirs), cc.into());
                    self.same(at, LLVMIsTailCall(theirs) != 0, tail & 3 != 0);
                }
                InstKind::Load {
                    align,
                    volatile,
                    ordering,
                    ..
                }
                | InstKind::Store {
                    align,
                    volatile,
                    ordering,
                    ..
                } => {
                    self.alignment(at, theirs, align);
                    self.same(at, LLVMGetVolatile(theirs) != 0, volatile);
                    self.ordering(at, LLVMGetOrdering(theirs), ordering);
                }
                InstKind::Alloca { ty, align, .. } => {
                    self.ty(at, LLVMGetAllocatedType(theirs), ty);
                    self.alignment(at, theirs, align);
                }
                InstKind::Gep {
                    inbounds, source, ..
                } => {
                    self.same(at, LLVMIsInBounds(theirs) != 0, inbounds);
                    self.ty(at, LLVMGetGEPSourceElementType(theirs), source);
                }
                InstKind::ExtractValue { indices, .. } | InstKind::InsertValue { indices, .. } => {
                    self.indices(at, theirs, indices, f);
                }
                InstKind::AtomicRmw {
                    op,
                    volatile,
                    ordering,
                    single_thread,
                    ..
                } => {
                    self.same(at, rmw(LLVMGetAtomicRMWBinOp(theirs)), Some(op));
                    self.same(at, LLVMGetVolatile(theirs) != 0, volatile);
                    self.ordering(at, LLVMGetOrdering(theirs), ordering);
                    self.same(at, LLVMIsAtomicSingleThread(theirs) != 0, single_thread);
                }
                InstKind::CmpXchg {
                    volatile,
                    success,
                    failure,
                    single_thread,
                    weak,
                    ..
                } => {
                    self.same(at, LLVMGetVolatile(theirs) != 0, volatile);
                    self.ordering(at, LLVMGetCmpXchgSuccessOrdering(theirs), success);
                    self.ordering(at, LLVMGetCmpXchgFailureOrdering(theirs), failure);
                    self.same(at, LLVMIsAtomicSingleThread(theirs) != 0, single_thread);
                    self.same(at, LLVMGetWeak(theirs) != 0, weak);
                }
                InstKind::Fence {
                    ordering,
                    single_thread,
                } => {
                    self.ordering(at, LLVMGetOrdering(theirs), ordering);
                    self.same(at, LLVMIsAtomicSingleThread(theirs) != 0, single_thread);
                }
                InstKind::Cast { .. }
                | InstKind::Select { .. }
                | InstKind::Br { .. }
                | InstKind::CondBr { .. }
                | InstKind::Switch { .. }
                | InstKind::Phi { .. }
                | InstKind::ExtractElement { .. }
                | InstKind::InsertElement { .. }
                | InstKind::ShuffleVector { .. }
                | InstKind::Ret { .. }
                | InstKind::Unreachable => {}
            }
        }
    }

    /// Upgrade: an alignment that was not given becomes that of the type. SAFETY: `theirs` is a
    /// live load, store or alloca.
    unsafe fn alignment(&mut self, at: &str, theirs: LLVMValueRef, ours: u32) {
        if ours != 0 {
            // SAFETY: as above.
            let found = unsafe { LLVMGetAlignment(theirs) };
            self.same(at, found, ours);
        }
    }

    /// LLVM 14's C interface has no getters for these flags: they are the words after the mnemonic.
    fn flags(&mut self, at: &str, theirs: LLVMValueRef, ours: ArithFlags) {
        let text = printed(theirs);
        let operation = text
            .split_once(" = ")
            .map_or(&*text, |(_, operation)| operation)
            .trim();
        let mut words = operation
            .split_whitespace()
            .skip_while(|w| matches!(*w, "tail" | "musttail" | "notail"))
            .skip(1);
        let mut found = 0;
        while let Some(flag) = words.next().and_then(flag_bits) {
            found |= flag;
        }
        self.same(at, ArithFlags(found), ours);
    }

    fn ordering(&mut self, at: &str, theirs: LLVMAtomicOrdering, ours: Ordering) {
        use LLVMAtomicOrdering as L;
        let theirs = match theirs {
            L::LLVMAtomicOrderingNotAtomic => Ordering::NotAtomic,
            L::LLVMAtomicOrderingUnordered => Ordering::Unordered,
            L::LLVMAtomicOrderingMonotonic => Ordering::Monotonic,
            L::LLVMAtomicOrderingAcquire => Ordering::Acquire,
            L::LLVMAtomicOrderingRelease => Ordering::Release,
            L::LLVMAtomicOrderingAcquireRelease => Ordering::AcqRel,
            L::LLVMAtomicOrderingSequentiallyConsistent => Ordering::SeqCst,
        };
        self.same(at, theirs, ours);
    }

    fn indices(&mut self, at: &str, theirs: LLVMValueRef, ours: PoolRange, f: &Function) {
        // SAFETY: `theirs` is an extractvalue or insertvalue instruction.
        let found = unsafe {
            std::slice::from_raw_parts(LLVMGetIndices(theirs), LLVMGetNumIndices(theirs) as usize)
        };
        self.same(at, found, &f.pool[ours.range()]);
    }
}

/// Numbers below 32 are LLVM's predicates of `fcmp`.
fn is_float_predicate(number: u32) -> bool {
    number < 32
}

/// LLVM's opcode of our instruction.
fn opcode(kind: &InstKind) -> LLVMOpcode {
    use LLVMOpcode as O;
    match *kind {
        InstKind::Binary { op, .. } => binary_opcode(op),
        InstKind::Cast { op, .. } => cast_opcode(op),
        InstKind::Cmp { predicate, .. } if is_float_predicate(predicate_number(predicate)) => {
            O::LLVMFCmp
        }
        InstKind::Cmp { .. } => O::LLVMICmp,
        InstKind::Select { .. } => O::LLVMSelect,
        InstKind::Br { .. } | InstKind::CondBr { .. } => O::LLVMBr,
        InstKind::Switch { .. } => O::LLVMSwitch,
        InstKind::Phi { .. } => O::LLVMPHI,
        InstKind::Call { .. } => O::LLVMCall,
        InstKind::Load { .. } => O::LLVMLoad,
        InstKind::Store { .. } => O::LLVMStore,
        InstKind::Alloca { .. } => O::LLVMAlloca,
        InstKind::Gep { .. } => O::LLVMGetElementPtr,
        InstKind::ExtractValue { .. } => O::LLVMExtractValue,
        InstKind::InsertValue { .. } => O::LLVMInsertValue,
        InstKind::ExtractElement { .. } => O::LLVMExtractElement,
        InstKind::InsertElement { .. } => O::LLVMInsertElement,
        InstKind::ShuffleVector { .. } => O::LLVMShuffleVector,
        InstKind::AtomicRmw { .. } => O::LLVMAtomicRMW,
        InstKind::CmpXchg { .. } => O::LLVMAtomicCmpXchg,
        InstKind::Fence { .. } => O::LLVMFence,
        InstKind::Ret { .. } => O::LLVMRet,
        InstKind::Unreachable => O::LLVMUnreachable,
    }
}

fn flag_bits(word: &str) -> Option<u16> {
    const ALL: u16 =
        ArithFlags::FAST | ArithFlags::NNAN | ArithFlags::NINF | ArithFlags::NSZ | ArithFlags::ARCP;
    Some(match word {
        "nuw" => ArithFlags::NUW,
        "nsw" => ArithFlags::NSW,
        "exact" => ArithFlags::EXACT,
        "fast" => ALL,
        "nnan" => ArithFlags::NNAN,
        "ninf" => ArithFlags::NINF,
        "nsz" => ArithFlags::NSZ,
        "arcp" => ArithFlags::ARCP,
        _ => return None,
    })
}

fn rmw(op: LLVMAtomicRMWBinOp) -> Option<RmwOp> {
    use LLVMAtomicRMWBinOp as L;
    Some(match op {
        L::LLVMAtomicRMWBinOpXchg => RmwOp::Xchg,
        L::LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        L::LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        L::LLVMAtomicRMWBinOpAnd => RmwOp::And,
        L::LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        L::LLVMAtomicRMWBinOpOr => RmwOp::Or,
        L::LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        L::LLVMAtomicRMWBinOpMax => RmwOp::Max,
        L::LLVMAtomicRMWBinOpMin => RmwOp::Min,
        L::LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        L::LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        _ => return None,
    })
}

/// Operands in LLVM's order: the callee comes last, `false` before `true`.
fn operands(kind: &InstKind, f: &Function, upgraded: Option<&[u32]>) -> Vec<Operand> {
    use Operand as O;
    match *kind {
        InstKind::Br { target } => vec![O::Block(target)],
        InstKind::CondBr { cond, then, else_ } => {
            vec![O::Value(cond), O::Block(else_), O::Block(then)]
        }
        InstKind::Switch {
            value,
            default,
            cases,
        } => {
            let mut all = vec![O::Value(value), O::Block(default)];
            all.extend(
                f.switch_cases(cases)
                    .flat_map(|(literal, target)| [O::Literal(literal), O::Block(target)]),
            );
            all
        }
        InstKind::Call { callee, args, .. } => {
            if let Some(entries) = upgraded {
                let metadata = entries
                    .iter()
                    .map(|&e| O::Metadata(f.metadata_operands[(e & !METADATA_ARG) as usize]));
                return metadata.chain([O::Value(callee)]).collect();
            }
            let mut all: Vec<_> = f
                .call_args(args)
                .map(|arg| match arg {
                    CallArg::Value(id) => O::Value(id),
                    CallArg::Metadata(id) => O::Metadata(id),
                })
                .collect();
            all.push(O::Value(callee));
            all
        }
        // LLVM 14 has the mask of a shuffle outside of the operands.
        InstKind::ShuffleVector { a, b, .. } => vec![O::Value(a), O::Value(b)],
        _ => f.operands(kind).map(O::Value).collect(),
    }
}
