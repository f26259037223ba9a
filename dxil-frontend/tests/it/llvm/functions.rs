//! Attributes, blocks, names, and the metadata attached to instructions.

use std::collections::HashMap;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::*;
use trellis_dxil_frontend::metadata::MdId;
use trellis_dxil_frontend::module::{Attribute, Function, InstId, ValueId, ValueKind};

use super::{Compare, non_null, printed, text_of};

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
            for (&block, (id, data)) in their_blocks.iter().zip(ours.blocks.iter()) {
                blocks.insert(block, id);
                let insts: Vec<_> =
                    std::iter::successors(non_null(LLVMGetFirstInstruction(block)), |&i| {
                        non_null(LLVMGetNextInstruction(i))
                    })
                    .collect();
                self.same(
                    &format!("{at}: instructions of {id}"),
                    insts.len(),
                    data.insts.len(),
                );
                pairs.extend(insts.into_iter().zip(data.insts));
            }
            for &(inst, id) in &pairs {
                if let Some(result) = ours.insts[id].result.expand() {
                    self.values.insert(inst, result);
                }
            }
            for (inst, id) in pairs {
                let at = format!("{at}: {}", printed(inst).trim());
                self.inst(&at, inst, &ours.insts[id], ours, &blocks);
                self.attachments(&at, inst, id, ours);
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
            let name = unsafe { super::name_of(LLVMBasicBlockAsValue(block)) };
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
                    super::name_of(value).as_str(),
                    expected.get(&id).copied().unwrap_or(""),
                );
            }
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
            let ours = f.insts[inst]
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
