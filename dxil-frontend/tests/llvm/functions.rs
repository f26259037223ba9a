//! Attributes, blocks and instructions.

use std::collections::HashMap;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMOpcode};
use trellis_dxil_frontend::metadata::MdId;
use trellis_dxil_frontend::module::{
    ArithFlags, Attribute, BlockId, CallArg, Function, Inst, InstId, InstKind, METADATA_ARG,
    Ordering, PoolRange, RmwOp, ValueId, ValueKind,
};

use crate::constants::{binary_opcode, cast_opcode, predicate_number};
use crate::{Compare, non_null, printed, text_of};

/// An operand in LLVM's order.
enum Operand {
    Value(ValueId),
    Block(BlockId),
    Metadata(MdId),
    Literal(u64),
}

/// LLVM's name of an attribute number in bitcode. Source: `LLVMBitCodes.h` of LLVM 3.7.
fn attribute_name(number: u64) -> Option<&'static str> {
    const NAMES: [&str; 46] = [
        "",
        "align",
        "alwaysinline",
        "byval",
        "inlinehint",
        "inreg",
        "minsize",
        "naked",
        "nest",
        "noalias",
        "nobuiltin",
        "nocapture",
        "noduplicate",
        "noimplicitfloat",
        "noinline",
        "nonlazybind",
        "noredzone",
        "noreturn",
        "nounwind",
        "optsize",
        "readnone",
        "readonly",
        "returned",
        "returns_twice",
        "signext",
        "alignstack",
        "ssp",
        "sspreq",
        "sspstrong",
        "sret",
        "sanitize_address",
        "sanitize_thread",
        "sanitize_memory",
        "uwtable",
        "zeroext",
        "builtin",
        "cold",
        "optnone",
        "inalloca",
        "nonnull",
        "jumptable",
        "dereferenceable",
        "dereferenceable_or_null",
        "convergent",
        "safestack",
        "argmemonly",
    ];
    NAMES
        .get(usize::try_from(number).ok()?)
        .copied()
        .filter(|n| !n.is_empty())
}

impl Compare<'_> {
    pub(crate) fn attributes(&mut self, at: &str, theirs: LLVMValueRef, ours: &Function) {
        let module = self.ours;
        // Upgrade: intrinsics get the attributes that LLVM defines for them.
        if ours.name.starts_with("llvm.") {
            return;
        }
        let groups = ours
            .attributes
            .checked_sub(1)
            .map_or(&[][..], |list| &module.attributes[list as usize]);
        let mut expected = HashMap::<u32, Vec<String>>::new();
        for group in groups.iter().map(|&g| &module.attribute_groups[g as usize]) {
            let names = group.attributes.iter().map(|attribute| match attribute {
                Attribute::Enum(number) => attribute_name(*number).unwrap_or("unknown").to_owned(),
                Attribute::Int(number, value) => {
                    format!("{}({value})", attribute_name(*number).unwrap_or("unknown"))
                }
                Attribute::String(key, value) => {
                    format!("\"{key}\"=\"{}\"", value.as_deref().unwrap_or_default())
                }
            });
            expected.entry(group.index).or_default().extend(names);
        }
        // SAFETY: `theirs` is a function of the live module.
        unsafe {
            for index in (0..=LLVMCountParams(theirs)).chain([u32::MAX]) {
                let mut found = vec![
                    std::ptr::null_mut();
                    LLVMGetAttributeCountAtIndex(theirs, index) as usize
                ];
                LLVMGetAttributesAtIndex(theirs, index, found.as_mut_ptr());
                let mut found: Vec<String> = found.into_iter().map(|a| attribute_text(a)).collect();
                let mut names = expected.remove(&index).unwrap_or_default();
                found.sort();
                names.sort();
                self.same(&format!("{at}: attributes at {index}"), found, names);
            }
        }
        self.check(expected.is_empty(), || {
            format!("{at}: attributes at {:?} too many", expected.keys())
        });
    }

    pub(crate) fn body(&mut self, at: &str, theirs: LLVMValueRef, ours: &Function) {
        let base = self.ours.values.len() as u32;
        // SAFETY: walks the live function's lists.
        unsafe {
            for (local, value) in ours.values.iter().enumerate() {
                if let ValueKind::Argument(index) = value.kind {
                    let argument = LLVMGetParam(theirs, index);
                    self.ty(at, LLVMTypeOf(argument), value.ty);
                    self.values
                        .insert(argument, ValueId::from_u32(base + local as u32));
                }
            }
            let their_blocks: Vec<_> =
                std::iter::successors(non_null(LLVMGetFirstBasicBlock(theirs)), |&b| {
                    non_null(LLVMGetNextBasicBlock(b))
                })
                .collect();
            self.same(
                &format!("{at}: number of blocks"),
                their_blocks.len(),
                ours.blocks.len(),
            );
            let mut blocks = HashMap::new();
            let mut pairs = Vec::new();
            for (index, (&block, data)) in their_blocks.iter().zip(&ours.blocks).enumerate() {
                blocks.insert(block, BlockId::from_u32(index as u32));
                let insts: Vec<_> =
                    std::iter::successors(non_null(LLVMGetFirstInstruction(block)), |&i| {
                        non_null(LLVMGetNextInstruction(i))
                    })
                    .collect();
                self.same(
                    &format!("{at}: instructions of block {index}"),
                    insts.len(),
                    (data.end - data.start) as usize,
                );
                pairs.extend(insts.into_iter().zip(data.start..data.end));
            }
            for &(inst, index) in &pairs {
                if let Some(result) = ours.insts[index as usize].result {
                    self.values.insert(inst, result);
                }
            }
            for (inst, index) in pairs {
                let at = format!("{at}: {}", printed(inst).trim());
                self.inst(&at, inst, &ours.insts[index as usize], ours, &blocks);
                self.attachments(&at, inst, InstId::from_u32(index), ours);
            }
            self.names(at, theirs, &their_blocks, ours);
        }
    }

    fn names(
        &mut self,
        at: &str,
        function: LLVMValueRef,
        blocks: &[LLVMBasicBlockRef],
        ours: &Function,
    ) {
        for (index, &block) in blocks.iter().enumerate() {
            // SAFETY: `block` is live.
            let name = unsafe { crate::name_of(LLVMBasicBlockAsValue(block)) };
            let expected = ours
                .block_names
                .iter()
                .find(|(id, _)| id.as_u32() as usize == index)
                .map_or("", |(_, name)| name);
            self.same(at, name.as_str(), expected);
        }
        let expected: HashMap<ValueId, &str> = ours
            .value_names
            .iter()
            .map(|(id, name)| (*id, &**name))
            .collect();
        let theirs: Vec<_> = self
            .values
            .iter()
            .map(|(&value, &id)| (value, id))
            .filter(|(_, id)| id.as_u32() as usize >= self.ours.values.len())
            .collect();
        for (value, id) in theirs {
            // SAFETY: `value` is live.
            if unsafe { function_of(value) } == function {
                self.same(
                    at,
                    crate::name_of(value).as_str(),
                    expected.get(&id).copied().unwrap_or(""),
                );
            }
        }
    }

    fn inst(
        &mut self,
        at: &str,
        theirs: LLVMValueRef,
        ours: &Inst,
        f: &Function,
        blocks: &HashMap<LLVMBasicBlockRef, BlockId>,
    ) {
        // SAFETY: `theirs` is an instruction of the live module.
        unsafe {
            let opcode = self.opcode_and_fields(at, theirs, ours, f);
            let same = LLVMGetInstructionOpcode(theirs) as u32 == opcode as u32;
            self.check(same, || format!("{at}: ours is {:?}", ours.kind));
            if !same {
                return;
            }
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
                        self.same(at, LLVMConstIntGetZExtValue(their_operand), value)
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

    /// Compares all properties except operands, and returns LLVM's opcode of our instruction.
    /// SAFETY: `theirs` is an instruction of the live module.
    unsafe fn opcode_and_fields(
        &mut self,
        at: &str,
        theirs: LLVMValueRef,
        ours: &Inst,
        f: &Function,
    ) -> LLVMOpcode {
        use LLVMOpcode as O;
        // SAFETY: as above; fields of an instruction are queried only if its opcode has them.
        unsafe {
            let is = |opcode: O| LLVMGetInstructionOpcode(theirs) as u32 == opcode as u32;
            match ours.kind {
                InstKind::Binary { op, flags, .. } => {
                    self.flags(at, theirs, flags);
                    binary_opcode(op)
                }
                InstKind::Cast { op, .. } => cast_opcode(op),
                InstKind::Cmp {
                    predicate, flags, ..
                } => {
                    self.flags(at, theirs, flags);
                    let number = predicate_number(predicate);
                    let opcode = if number < 32 {
                        O::LLVMFCmp
                    } else {
                        O::LLVMICmp
                    };
                    if is(opcode) {
                        self.same(
                            at,
                            if number < 32 {
                                LLVMGetFCmpPredicate(theirs) as u32
                            } else {
                                LLVMGetICmpPredicate(theirs) as u32
                            },
                            number,
                        );
                    }
                    opcode
                }
                InstKind::Select { .. } => O::LLVMSelect,
                InstKind::Br { .. } | InstKind::CondBr { .. } => O::LLVMBr,
                InstKind::Switch { .. } => O::LLVMSwitch,
                InstKind::Phi { .. } => O::LLVMPHI,
                InstKind::Call {
                    cc, tail, flags, ..
                } => {
                    if is(O::LLVMCall) {
                        self.flags(at, theirs, flags);
                        self.same(at, LLVMGetInstructionCallConv(theirs), cc);
                        self.same(at, LLVMIsTailCall(theirs) != 0, tail & 3 != 0);
                    }
                    O::LLVMCall
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
                    let opcode = if matches!(ours.kind, InstKind::Load { .. }) {
                        O::LLVMLoad
                    } else {
                        O::LLVMStore
                    };
                    if is(opcode) {
                        // Upgrade: an alignment that was not given becomes that of the type.
                        self.same(
                            at,
                            if align == 0 {
                                0
                            } else {
                                LLVMGetAlignment(theirs)
                            },
                            align,
                        );
                        self.same(at, LLVMGetVolatile(theirs) != 0, volatile);
                        self.ordering(at, LLVMGetOrdering(theirs), ordering);
                    }
                    opcode
                }
                InstKind::Alloca { ty, align, .. } => {
                    if is(O::LLVMAlloca) {
                        self.ty(at, LLVMGetAllocatedType(theirs), ty);
                        self.same(
                            at,
                            if align == 0 {
                                0
                            } else {
                                LLVMGetAlignment(theirs)
                            },
                            align,
                        );
                    }
                    O::LLVMAlloca
                }
                InstKind::Gep {
                    inbounds, source, ..
                } => {
                    if is(O::LLVMGetElementPtr) {
                        self.same(at, LLVMIsInBounds(theirs) != 0, inbounds);
                        self.ty(at, LLVMGetGEPSourceElementType(theirs), source);
                    }
                    O::LLVMGetElementPtr
                }
                InstKind::ExtractValue { indices, .. } => {
                    self.indices(at, theirs, indices, f, is(O::LLVMExtractValue));
                    O::LLVMExtractValue
                }
                InstKind::InsertValue { indices, .. } => {
                    self.indices(at, theirs, indices, f, is(O::LLVMInsertValue));
                    O::LLVMInsertValue
                }
                InstKind::ExtractElement { .. } => O::LLVMExtractElement,
                InstKind::InsertElement { .. } => O::LLVMInsertElement,
                InstKind::ShuffleVector { .. } => O::LLVMShuffleVector,
                InstKind::AtomicRmw {
                    op,
                    volatile,
                    ordering,
                    single_thread,
                    ..
                } => {
                    if is(O::LLVMAtomicRMW) {
                        self.same(at, rmw(LLVMGetAtomicRMWBinOp(theirs)), Some(op));
                        self.same(at, LLVMGetVolatile(theirs) != 0, volatile);
                        self.ordering(at, LLVMGetOrdering(theirs), ordering);
                        self.same(at, LLVMIsAtomicSingleThread(theirs) != 0, single_thread);
                    }
                    O::LLVMAtomicRMW
                }
                InstKind::CmpXchg {
                    volatile,
                    success,
                    failure,
                    single_thread,
                    weak,
                    ..
                } => {
                    if is(O::LLVMAtomicCmpXchg) {
                        self.same(at, LLVMGetVolatile(theirs) != 0, volatile);
                        self.ordering(at, LLVMGetCmpXchgSuccessOrdering(theirs), success);
                        self.ordering(at, LLVMGetCmpXchgFailureOrdering(theirs), failure);
                        self.same(at, LLVMIsAtomicSingleThread(theirs) != 0, single_thread);
                        self.same(at, LLVMGetWeak(theirs) != 0, weak);
                    }
                    O::LLVMAtomicCmpXchg
                }
                InstKind::Fence {
                    ordering,
                    single_thread,
                } => {
                    if is(O::LLVMFence) {
                        self.ordering(at, LLVMGetOrdering(theirs), ordering);
                        self.same(at, LLVMIsAtomicSingleThread(theirs) != 0, single_thread);
                    }
                    O::LLVMFence
                }
                InstKind::Ret { .. } => O::LLVMRet,
                InstKind::Unreachable => O::LLVMUnreachable,
            }
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

    fn indices(
        &mut self,
        at: &str,
        theirs: LLVMValueRef,
        ours: PoolRange,
        f: &Function,
        applies: bool,
    ) {
        if applies {
            // SAFETY: `theirs` is an extractvalue or insertvalue instruction.
            let found = unsafe {
                std::slice::from_raw_parts(
                    LLVMGetIndices(theirs),
                    LLVMGetNumIndices(theirs) as usize,
                )
            };
            self.same(at, found, &f.pool[ours.range()]);
        }
    }

    fn attachments(&mut self, at: &str, theirs: LLVMValueRef, inst: InstId, f: &Function) {
        let mut expected: Vec<(u32, MdId)> = f
            .inst_metadata
            .iter()
            .filter(|(i, _, _)| *i == inst)
            .map(|&(_, kind, node)| (kind, node))
            .collect();
        // SAFETY: `theirs` is an instruction of the live module.
        unsafe {
            let context = LLVMGetModuleContext(self.theirs);
            let mut count = 0;
            let entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(theirs, &raw mut count);
            // In spite of its name the function gives the debug location too, which is kind 0 and
            // compared below.
            let found: Vec<_> = (0..count as u32)
                .map(|index| {
                    (
                        LLVMValueMetadataEntriesGetKind(entries, index),
                        LLVMValueMetadataEntriesGetMetadata(entries, index),
                    )
                })
                .filter(|&(kind, _)| kind != 0)
                .collect();
            self.same(&format!("{at}: attachments"), found.len(), expected.len());
            for (kind, node) in found {
                // LLVM gives its own numbers to kinds; the file's are by name.
                let position = expected.iter().position(|&(number, _)| {
                    let name = self.ours.metadata.kind_name(number).unwrap_or_default();
                    LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32)
                        == kind
                });
                match position {
                    Some(position) => {
                        let (_, id) = expected.remove(position);
                        self.metadata(at, LLVMMetadataAsValue(context, node), id, Some(f));
                    }
                    None => self
                        .differences
                        .push(format!("{at}: attachment of kind {kind} is missing")),
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
            let location = LLVMInstructionGetDebugLoc(theirs);
            let ours = f.insts[inst.as_u32() as usize]
                .debug_loc
                .checked_sub(1)
                .map(|index| f.debug_locs[index as usize]);
            self.same(
                &format!("{at}: has a debug location"),
                !location.is_null(),
                ours.is_some(),
            );
            if let (false, Some(ours)) = (location.is_null(), ours) {
                self.same(at, LLVMDILocationGetLine(location), ours.line);
                // Columns have 16 bits in LLVM.
                self.same(
                    at,
                    LLVMDILocationGetColumn(location),
                    if ours.column > 0xffff { 0 } else { ours.column },
                );
                self.metadata(
                    at,
                    LLVMMetadataAsValue(context, LLVMDILocationGetScope(location)),
                    ours.scope,
                    Some(f),
                );
                let inlined = LLVMDILocationGetInlinedAt(location);
                self.same(at, !inlined.is_null(), ours.inlined_at.is_some());
                if let (false, Some(id)) = (inlined.is_null(), ours.inlined_at) {
                    self.metadata(at, LLVMMetadataAsValue(context, inlined), id, Some(f));
                }
            }
        }
    }
}

/// SAFETY: `value` is an argument or instruction of a live module.
unsafe fn function_of(value: LLVMValueRef) -> LLVMValueRef {
    // SAFETY: as above.
    unsafe {
        if LLVMIsAInstruction(value).is_null() {
            LLVMGetParamParent(value)
        } else {
            LLVMGetBasicBlockParent(LLVMGetInstructionParent(value))
        }
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

/// SAFETY: `attribute` belongs to the live context.
unsafe fn attribute_text(attribute: LLVMAttributeRef) -> String {
    // SAFETY: as above.
    unsafe {
        if LLVMIsStringAttribute(attribute) != 0 {
            let (mut key_len, mut value_len) = (0, 0);
            let (key, value) = (
                LLVMGetStringAttributeKind(attribute, &raw mut key_len),
                LLVMGetStringAttributeValue(attribute, &raw mut value_len),
            );
            return format!(
                "\"{}\"=\"{}\"",
                text_of(key, key_len as usize),
                text_of(value, value_len as usize)
            );
        }
        let kind = LLVMGetEnumAttributeKind(attribute);
        let name = (1..46)
            .filter_map(attribute_name)
            .find(|name| LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) == kind);
        let name = name.map_or_else(|| format!("kind {kind}"), str::to_owned);
        match LLVMGetEnumAttributeValue(attribute) {
            // LLVM 14 gives this one a type, which it takes from the parameter: what it returns
            // here is that type's address.
            _ if name == "sret" => name,
            0 => name,
            value => format!("{name}({value})"),
        }
    }
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
