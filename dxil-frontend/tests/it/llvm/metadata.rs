//! Metadata: strings, tuples, values, named nodes, and the specialized nodes of debug information.

use inkwell::llvm_sys::LLVMValueKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{LLVMGetMetadataKind, LLVMMetadataKind};
use inkwell::llvm_sys::prelude::*;
use trellis_dxil_frontend::metadata::{MdId, MdNode};
use trellis_dxil_frontend::module::{Function, TypeId, ValueId};

use super::{Compare, non_null, printed, text_of};

/// LLVM's kind of a record code of LLVM 3.7.
fn debug_kind(code: u32) -> Option<LLVMMetadataKind> {
    use LLVMMetadataKind as K;
    Some(match code {
        7 => K::LLVMDILocationMetadataKind,
        12 => K::LLVMGenericDINodeMetadataKind,
        13 => K::LLVMDISubrangeMetadataKind,
        14 => K::LLVMDIEnumeratorMetadataKind,
        15 => K::LLVMDIBasicTypeMetadataKind,
        16 => K::LLVMDIFileMetadataKind,
        17 => K::LLVMDIDerivedTypeMetadataKind,
        18 => K::LLVMDICompositeTypeMetadataKind,
        19 => K::LLVMDISubroutineTypeMetadataKind,
        20 => K::LLVMDICompileUnitMetadataKind,
        21 => K::LLVMDISubprogramMetadataKind,
        22 => K::LLVMDILexicalBlockMetadataKind,
        23 => K::LLVMDILexicalBlockFileMetadataKind,
        24 => K::LLVMDINamespaceMetadataKind,
        25 => K::LLVMDITemplateTypeParameterMetadataKind,
        26 => K::LLVMDITemplateValueParameterMetadataKind,
        27 => K::LLVMDIGlobalVariableMetadataKind,
        28 => K::LLVMDILocalVariableMetadataKind,
        29 => K::LLVMDIExpressionMetadataKind,
        30 => K::LLVMDIObjCPropertyMetadataKind,
        31 => K::LLVMDIImportedEntityMetadataKind,
        32 => K::LLVMDIModuleMetadataKind,
        _ => return None,
    })
}

impl Compare<'_> {
    pub(crate) fn named_metadata(&mut self) {
        let module = self.ours;
        // SAFETY: walks the live module's list.
        unsafe {
            let theirs: Vec<_> =
                std::iter::successors(non_null(LLVMGetFirstNamedMetadata(self.theirs)), |&n| {
                    non_null(LLVMGetNextNamedMetadata(n))
                })
                .collect();
            self.same(
                "number of named metadata nodes",
                theirs.len(),
                module.metadata.named.len(),
            );
            for (node, (name, operands)) in theirs.into_iter().zip(&module.metadata.named) {
                let mut len = 0;
                let their_name = LLVMGetNamedMetadataName(node, &raw mut len);
                self.same("named metadata", text_of(their_name, len).as_str(), name);
                let their_name = std::ffi::CString::new(&**name).expect("no NUL in the name");
                let mut found = vec![
                    std::ptr::null_mut();
                    LLVMGetNamedMetadataNumOperands(self.theirs, their_name.as_ptr())
                        as usize
                ];
                LLVMGetNamedMetadataOperands(self.theirs, their_name.as_ptr(), found.as_mut_ptr());
                self.same(name, found.len(), operands.len());
                for (operand, &id) in found.into_iter().zip(operands) {
                    self.metadata(name, operand, id, None);
                }
            }
        }
    }

    /// Compares from `theirs` down with a work list: metadata has cycles and depth.
    pub(crate) fn metadata(
        &mut self,
        at: &str,
        theirs: LLVMValueRef,
        ours: MdId,
        f: Option<&Function>,
    ) {
        let mut work = vec![(theirs, ours)];
        while let Some((theirs, ours)) = work.pop() {
            self.metadata_node(at, theirs, ours, f, &mut work);
        }
    }

    fn metadata_node(
        &mut self,
        at: &str,
        theirs: LLVMValueRef,
        ours: MdId,
        f: Option<&Function>,
        work: &mut Vec<(LLVMValueRef, MdId)>,
    ) {
        let module = self.ours;
        // SAFETY: `theirs` is a value of the live module: metadata as value, or the constant itself
        // where LLVM's interface unwraps it.
        unsafe {
            let wrapped = LLVMGetValueKind(theirs) as u32
                == LLVMValueKind::LLVMMetadataAsValueValueKind as u32;
            let node = &module.metadata.nodes[ours];
            if let MdNode::Value { ty, value } = *node {
                let inner = if wrapped {
                    operands(theirs).first().copied()
                } else {
                    Some(theirs)
                };
                return self.metadata_value(at, theirs, inner, (ty, value), f);
            }
            let raw = LLVMValueAsMetadata(theirs);
            if !wrapped || !self.same_metadata.insert((raw, ours)) {
                self.check(wrapped, || {
                    format!(
                        "{at}: LLVM has the value {}, ours {node:?}",
                        printed(theirs)
                    )
                });
                return;
            }
            let kind = LLVMGetMetadataKind(raw) as u32;
            // As a value, LLVM shows a node of one constant as the constant, and a node of one null
            // as the empty node.
            let only = match *node {
                MdNode::Node { operands, .. } if operands.len() == 1 => {
                    module.metadata.operand(ours, 0)
                }
                _ => None,
            };
            match only {
                Some(id) if kind == LLVMMetadataKind::LLVMConstantAsMetadataMetadataKind as u32 => {
                    return work.push((theirs, id));
                }
                None if matches!(*node, MdNode::Node { operands, .. } if operands.len() == 1) => {
                    return self.same(at, operands(theirs).len(), 0);
                }
                _ => {}
            }
            match *node {
                MdNode::String(range) => {
                    let mut len = 0;
                    let text = LLVMGetMDString(theirs, &raw mut len);
                    self.check(!LLVMIsAMDString(theirs).is_null(), || {
                        format!("{at}: {} is not a string", printed(theirs))
                    });
                    self.same(
                        at,
                        text_of(text, len as usize),
                        String::from_utf8_lossy(&module.metadata.strings[range.range()])
                            .into_owned(),
                    );
                }
                MdNode::Node { distinct, .. } => {
                    self.same(at, kind, LLVMMetadataKind::LLVMMDTupleMetadataKind as u32);
                    self.same(at, is_distinct(theirs), distinct);
                    self.tuple(at, operands(theirs), ours, work);
                }
                MdNode::Debug { code, fields } => {
                    self.same(at, Some(kind), debug_kind(code).map(|k| k as u32));
                    self.debug_strings(at, theirs, &module.metadata.records[fields.range()], code);
                }
                MdNode::Value { .. } | MdNode::Missing => {}
            }
        }
    }

    /// Compares a value as metadata; `inner` is LLVM's value in `theirs`.
    fn metadata_value(
        &mut self,
        at: &str,
        theirs: LLVMValueRef,
        inner: Option<LLVMValueRef>,
        (ty, value): (TypeId, ValueId),
        f: Option<&Function>,
    ) {
        // SAFETY: both are values of the live module.
        unsafe {
            match inner.filter(|inner| !inner.is_null()) {
                None => self.differences.push(format!(
                    "{at}: LLVM's metadata {} is not a value",
                    printed(theirs)
                )),
                Some(inner) => {
                    self.ty(at, LLVMTypeOf(inner), ty);
                    self.value(at, inner, value, f);
                }
            }
        }
    }

    /// Compares the number of a tuple's operands; the operands are compared later.
    fn tuple(
        &mut self,
        at: &str,
        found: Vec<LLVMValueRef>,
        ours: MdId,
        work: &mut Vec<(LLVMValueRef, MdId)>,
    ) {
        let tuple = self.ours.metadata.tuple(ours);
        let expected: Vec<_> = tuple.expect("a tuple").collect();
        self.same(
            &format!("{at}: operands of {ours}"),
            found.len(),
            expected.len(),
        );
        for (operand, id) in found.into_iter().zip(expected) {
            self.check(operand.is_null() == id.is_none(), || {
                format!("{at}: operand of {ours}")
            });
            if let (false, Some(id)) = (operand.is_null(), id) {
                work.push((operand, id));
            }
        }
    }

    /// Our specialized nodes are raw records: each text that LLVM's node refers to must be one that
    /// the record refers to (by number + 1).
    ///
    /// Not compared: a compile unit, whose producer and flags LLVM reads as they are but whose
    /// lists it moves (upgrade).
    fn debug_strings(&mut self, at: &str, theirs: LLVMValueRef, fields: &[u64], code: u32) {
        let module = self.ours;
        let texts: Vec<&str> = fields
            .iter()
            .filter_map(|&f| u32::try_from(f.checked_sub(1)?).ok())
            .filter(|&n| (n as usize) < module.metadata.nodes.len())
            .filter_map(|n| module.metadata.string(MdId::from_u32(n)))
            .collect();
        for operand in operands(theirs).into_iter().filter(|o| !o.is_null()) {
            // SAFETY: `operand` is a value of the live module.
            let is_string = unsafe {
                LLVMGetValueKind(operand) as u32
                    == LLVMValueKind::LLVMMetadataAsValueValueKind as u32
                    && !LLVMIsAMDString(operand).is_null()
            };
            if is_string {
                let mut len = 0;
                // SAFETY: as above.
                let text = unsafe { text_of(LLVMGetMDString(operand, &raw mut len), len as usize) };
                self.check(texts.contains(&&*text), || {
                    format!("{at}: record {code} does not refer to {text:?}")
                });
            }
        }
    }
}

/// Operands of a metadata node; null for null operands.
fn operands(node: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: `node` is metadata as a value of the live module.
    unsafe {
        let mut all = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
        LLVMGetMDNodeOperands(node, all.as_mut_ptr());
        all
    }
}

/// Returns whether a node is distinct. The C interface has no access to this; the text form has it:
/// `!5 = distinct !{…}`.
fn is_distinct(node: LLVMValueRef) -> bool {
    printed(node).contains("= distinct !")
}
