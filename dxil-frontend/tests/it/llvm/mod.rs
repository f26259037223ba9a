//! Reads every program of the corpus with LLVM 14 too and compares all that both see. Run with
//! `LLVM_SYS_140_PREFIX=/usr/lib/llvm-14 cargo test -p trellis-dxil-frontend --features llvm --test it llvm::`.
//!
//! DXIL is LLVM 3.7 bitcode, which LLVM 14 brings up to date while it reads. What it changes is
//! named where it is compared ("upgrade").

#![expect(
    unsafe_code,
    reason = "LLVM's C interface: inkwell has no safe one for flags, metadata operands and constants"
)]

mod constants;
mod functions;
mod instructions;
mod metadata;

use std::collections::{HashMap, HashSet};
use std::ffi::CStr;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMLinkage, LLVMTypeKind, LLVMUnnamedAddr};
use trellis_dxil_frontend::bitcode::read_module;
use trellis_dxil_frontend::metadata::MdId;
use trellis_dxil_frontend::module::{
    Function, FunctionId, GlobalId, Linkage, Module, Type, TypeId, ValueData, ValueId, ValueKind,
};

use crate::bitcode_support;

/// One comparison; differences are collected as text.
pub(crate) struct Compare<'m> {
    pub(crate) ours: &'m Module,
    pub(crate) theirs: LLVMModuleRef,
    pub(crate) differences: Vec<String>,
    /// LLVM's globals, functions, arguments and instructions, by our numbers.
    pub(crate) values: HashMap<LLVMValueRef, ValueId>,
    same_types: HashSet<(LLVMTypeRef, TypeId)>,
    pub(crate) same_metadata: HashSet<(LLVMMetadataRef, MdId)>,
    /// Things compared, so that a comparison of nothing is seen.
    pub(crate) compared: usize,
}

/// Returns the text of an LLVM name.
pub(crate) fn text_of(pointer: *const std::ffi::c_char, len: usize) -> String {
    let bytes = if len == 0 {
        &[]
    } else {
        // SAFETY: callers pass what LLVM returned: a pointer to `len` bytes, or null with 0.
        unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), len) }
    };
    String::from_utf8_lossy(bytes).into_owned()
}

pub(crate) fn name_of(value: LLVMValueRef) -> String {
    let mut len = 0;
    // SAFETY: `value` is a live value.
    let name = unsafe { LLVMGetValueName2(value, &raw mut len) };
    text_of(name, len)
}

/// Returns the text form of a value.
pub(crate) fn printed(value: LLVMValueRef) -> String {
    // SAFETY: `value` is live; the text is copied before it is freed.
    unsafe {
        let text = LLVMPrintValueToString(value);
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        copy
    }
}

impl Compare<'_> {
    pub(crate) fn check(&mut self, same: bool, what: impl FnOnce() -> String) {
        self.compared += 1;
        if !same {
            self.differences.push(what());
        }
    }

    pub(crate) fn same<T: PartialEq + std::fmt::Debug>(&mut self, at: &str, theirs: T, ours: T) {
        self.check(theirs == ours, || {
            format!("{at}: LLVM {theirs:?}, ours {ours:?}")
        });
    }

    pub(crate) fn ty(&mut self, at: &str, theirs: LLVMTypeRef, ours: TypeId) {
        if !self.same_types.insert((theirs, ours)) {
            return;
        }
        self.compared += 1;
        let module = self.ours;
        // SAFETY: `theirs` is a type of the live context.
        unsafe {
            let kind = LLVMGetTypeKind(theirs);
            use LLVMTypeKind as K;
            match (kind, module.ty(ours)) {
                (K::LLVMVoidTypeKind, Type::Void)
                | (K::LLVMHalfTypeKind, Type::Half)
                | (K::LLVMFloatTypeKind, Type::Float)
                | (K::LLVMDoubleTypeKind, Type::Double)
                | (K::LLVMLabelTypeKind, Type::Label)
                | (K::LLVMMetadataTypeKind, Type::Metadata) => {}
                (K::LLVMIntegerTypeKind, Type::Int(bits) | Type::WideInt(bits)) => {
                    self.same(at, LLVMGetIntTypeWidth(theirs), *bits);
                }
                (
                    K::LLVMPointerTypeKind,
                    Type::Pointer {
                        pointee,
                        address_space,
                    },
                ) => {
                    self.same(at, LLVMGetPointerAddressSpace(theirs), *address_space);
                    self.ty(at, LLVMGetElementType(theirs), *pointee);
                }
                (K::LLVMVectorTypeKind, Type::Vector { element, len }) => {
                    self.same(at, LLVMGetVectorSize(theirs), *len);
                    self.ty(at, LLVMGetElementType(theirs), *element);
                }
                (K::LLVMArrayTypeKind, Type::Array { element, len }) => {
                    self.same(at, u64::from(LLVMGetArrayLength(theirs)), *len);
                    self.ty(at, LLVMGetElementType(theirs), *element);
                }
                (
                    K::LLVMStructTypeKind,
                    Type::Struct {
                        name,
                        fields,
                        packed,
                        opaque,
                    },
                ) => {
                    let their_name = LLVMGetStructName(theirs);
                    let their_name = (!their_name.is_null())
                        .then(|| CStr::from_ptr(their_name).to_string_lossy().into_owned());
                    self.same(at, their_name.as_deref(), name.as_deref());
                    self.same(at, LLVMIsPackedStruct(theirs) != 0, *packed);
                    self.same(at, LLVMIsOpaqueStruct(theirs) != 0, *opaque);
                    let count = LLVMCountStructElementTypes(theirs) as usize;
                    self.same(at, count, fields.len());
                    for (index, &field) in fields.iter().enumerate().take(count) {
                        self.ty(at, LLVMStructGetTypeAtIndex(theirs, index as u32), field);
                    }
                }
                (
                    K::LLVMFunctionTypeKind,
                    Type::Function {
                        ret,
                        params,
                        vararg,
                    },
                ) => {
                    self.same(at, LLVMIsFunctionVarArg(theirs) != 0, *vararg);
                    self.ty(at, LLVMGetReturnType(theirs), *ret);
                    let count = LLVMCountParamTypes(theirs) as usize;
                    self.same(at, count, params.len());
                    let mut their_params = vec![std::ptr::null_mut(); count];
                    LLVMGetParamTypes(theirs, their_params.as_mut_ptr());
                    for (their_param, &param) in their_params.into_iter().zip(params) {
                        self.ty(at, their_param, param);
                    }
                }
                (kind, ours) => self
                    .differences
                    .push(format!("{at}: LLVM's type {kind:?}, ours {ours:?}")),
            }
        }
    }

    fn module(&mut self) {
        let module = self.ours;
        // SAFETY: the module is live.
        unsafe {
            self.same(
                "triple",
                CStr::from_ptr(LLVMGetTarget(self.theirs))
                    .to_string_lossy()
                    .as_ref(),
                &module.triple,
            );
            let layout = CStr::from_ptr(LLVMGetDataLayoutStr(self.theirs)).to_string_lossy();
            self.same("data layout", layout.as_ref(), &module.data_layout);
        }
        let globals = self.bind_globals();
        let functions = self.bind_functions();
        for (theirs, index) in globals {
            self.global(theirs, index);
        }
        for (theirs, index) in functions {
            self.function(theirs, &module.functions[index]);
        }
        self.named_metadata();
    }

    fn bind_globals(&mut self) -> Vec<(LLVMValueRef, GlobalId)> {
        let module = self.ours;
        // SAFETY: walks the live module's list.
        let theirs: Vec<_> = unsafe {
            std::iter::successors(non_null(LLVMGetFirstGlobal(self.theirs)), |&g| {
                non_null(LLVMGetNextGlobal(g))
            })
            .collect()
        };
        self.same("number of globals", theirs.len(), module.globals.len());
        let number = |global: GlobalId| {
            let is_it = |v: &ValueData| v.kind == ValueKind::Global(global);
            ValueId::from_u32(
                module
                    .values
                    .iter()
                    .position(is_it)
                    .expect("a value for each global") as u32,
            )
        };
        let pairs: Vec<_> = theirs.into_iter().zip(module.globals.keys()).collect();
        for &(value, global) in &pairs {
            self.values.insert(value, number(global));
        }
        pairs
    }

    fn global(&mut self, theirs: LLVMValueRef, global: GlobalId) {
        let ours = &self.ours.globals[global];
        let at = format!("global {}", ours.name);
        // SAFETY: `theirs` is a global of the live module.
        unsafe {
            self.same(&at, name_of(theirs).as_str(), &ours.name);
            self.ty(&at, LLVMGlobalGetValueType(theirs), ours.ty);
            self.ty(&at, LLVMTypeOf(theirs), ours.ptr_ty);
            self.same(&at, LLVMIsGlobalConstant(theirs) != 0, ours.is_const);
            self.same(&at, LLVMGetAlignment(theirs), ours.align);
            self.same(
                &at,
                LLVMGetUnnamedAddress(theirs) as u32 != LLVMUnnamedAddr::LLVMNoUnnamedAddr as u32,
                ours.unnamed_addr,
            );
            self.same(
                &at,
                LLVMIsExternallyInitialized(theirs) != 0,
                ours.externally_initialized,
            );
            self.same(
                &at,
                LLVMGetThreadLocalMode(theirs) as u32,
                ours.thread_local,
            );
            self.same(&at, LLVMIsDeclaration(theirs) != 0, ours.init.is_none());
            self.linkage(
                &at,
                LLVMGetLinkage(theirs),
                ours.linkage,
                ours.init.is_none(),
            );
            let init = LLVMGetInitializer(theirs);
            if let (false, Some(value)) = (init.is_null(), ours.init) {
                self.value(&at, init, value, None);
            }
        }
    }

    fn linkage(&mut self, at: &str, theirs: LLVMLinkage, ours: Linkage, is_declaration: bool) {
        use LLVMLinkage as L;
        let same = match ours {
            Linkage::External => theirs == L::LLVMExternalLinkage,
            // Upgrade: a declaration cannot be internal; DXC writes groupshared variables so.
            Linkage::Internal => {
                theirs == L::LLVMInternalLinkage
                    || (is_declaration && theirs == L::LLVMExternalLinkage)
            }
            Linkage::Private => theirs == L::LLVMPrivateLinkage,
            Linkage::Other(4 | 18) => theirs == L::LLVMLinkOnceAnyLinkage,
            Linkage::Other(11 | 19) => theirs == L::LLVMLinkOnceODRLinkage,
            Linkage::Other(_) => false,
        };
        self.check(same, || format!("{at}: LLVM {theirs:?}, ours {ours:?}"));
    }

    /// Upgrade: some intrinsics have other types and names in LLVM 14, and become new declarations
    /// at the end; all other functions keep their place.
    fn bind_functions(&mut self) -> Vec<(LLVMValueRef, FunctionId)> {
        const UPGRADED: [(&str, &str); 3] = [
            ("llvm.dbg.value", "llvm.dbg.value"),
            ("llvm.lifetime.start", "llvm.lifetime.start.p0i8"),
            ("llvm.lifetime.end", "llvm.lifetime.end.p0i8"),
        ];
        let module = self.ours;
        // SAFETY: walks the live module's list.
        let theirs: Vec<_> = unsafe {
            std::iter::successors(non_null(LLVMGetFirstFunction(self.theirs)), |&f| {
                non_null(LLVMGetNextFunction(f))
            })
            .collect()
        };
        let (their_new, theirs): (Vec<_>, Vec<_>) = theirs
            .into_iter()
            .partition(|&f| UPGRADED.iter().any(|(_, new)| name_of(f) == *new));
        let (our_old, ours): (Vec<_>, Vec<_>) = module.functions.keys().partition(|&f| {
            UPGRADED
                .iter()
                .any(|(old, _)| *module.functions[f].name == **old)
        });
        self.same("number of functions", theirs.len(), ours.len());
        for function in our_old.into_iter().map(|index| &module.functions[index]) {
            let new_name = UPGRADED
                .iter()
                .find(|(old, _)| *function.name == **old)
                .map(|(_, new)| (*new).to_owned());
            // One that nothing calls is not declared anew.
            if let Some(&new) = their_new.iter().find(|&&f| Some(name_of(f)) == new_name) {
                self.values.insert(new, function.value);
            }
        }
        let pairs: Vec<_> = theirs.into_iter().zip(ours).collect();
        for &(value, index) in &pairs {
            self.values.insert(value, module.functions[index].value);
        }
        pairs
    }

    fn function(&mut self, theirs: LLVMValueRef, ours: &Function) {
        let at = format!("function {}", ours.name);
        // SAFETY: `theirs` is a function of the live module.
        unsafe {
            self.same(&at, name_of(theirs).as_str(), &ours.name);
            self.ty(&at, LLVMGlobalGetValueType(theirs), ours.ty);
            self.same(&at, LLVMIsDeclaration(theirs) != 0, ours.is_declaration);
            self.linkage(
                &at,
                LLVMGetLinkage(theirs),
                ours.linkage,
                ours.is_declaration,
            );
            self.same(&at, LLVMGetFunctionCallConv(theirs), ours.cc);
        }
        self.attributes(&at, theirs, ours);
        self.body(&at, theirs, ours);
    }
}

/// Returns a pointer unless it is null.
pub(crate) fn non_null<T>(pointer: *mut T) -> Option<*mut T> {
    (!pointer.is_null()).then_some(pointer)
}

#[test]
fn llvm_reads_the_same() {
    let (mut differences, mut programs, mut compared) = (Vec::new(), 0, 0);
    for (name, file) in bitcode_support::corpus() {
        for program in bitcode_support::programs(&name, &file) {
            let ours = read_module(&program.bytes, program.offset)
                .unwrap_or_else(|error| panic!("{}: {error}", program.name));
            let context = inkwell::context::Context::create();
            let buffer = inkwell::memory_buffer::MemoryBuffer::create_from_memory_range_copy(
                &program.bytes,
                &program.name,
            );
            let theirs = inkwell::module::Module::parse_bitcode_from_buffer(&buffer, &context)
                .unwrap_or_else(|error| panic!("{}: LLVM: {error}", program.name));
            let mut compare = Compare {
                ours: &ours,
                theirs: theirs.as_mut_ptr(),
                differences: Vec::new(),
                values: HashMap::new(),
                same_types: HashSet::new(),
                same_metadata: HashSet::new(),
                compared: 0,
            };
            compare.module();
            assert!(
                compare.compared > 20,
                "{}: hardly anything was compared",
                program.name
            );
            programs += 1;
            compared += compare.compared;
            differences.extend(
                compare
                    .differences
                    .into_iter()
                    .map(|d| format!("{}: {d}", program.name)),
            );
        }
    }
    let listed = if differences.is_empty() {
        "none".to_owned()
    } else {
        format!(
            "{}\n{}",
            differences.len(),
            differences[..differences.len().min(60)].join("\n")
        )
    };
    println!("{programs} programs, {compared} comparisons. Differences: {listed}");
    assert!(differences.is_empty(), "Differences: {listed}");
}
