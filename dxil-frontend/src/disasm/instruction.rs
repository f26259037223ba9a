//! Instructions.

use super::values::compare;
use super::{Listing, comments};
use crate::module::{
    BlockId, CallArg, Function, Inst, InstId, InstKind, Ordering, PoolRange, Type, TypeId, ValueId,
};

impl Listing<'_> {
    pub(super) fn instruction(&mut self, f: &Function, id: InstId) {
        let Some(inst) = f.insts.get(id) else {
            return;
        };
        self.t.push("  ");
        if let Some(result) = inst.result.expand() {
            self.local_name(Some(f), result);
            self.t.push(" = ");
        }
        self.operation(f, inst);
        let location = inst
            .debug_loc
            .checked_sub(1)
            .and_then(|l| f.debug_locs.get(l as usize));
        if let Some(slot) = location.and_then(|l| self.slots.of_location(l)) {
            self.t.fmt(format_args!(", !dbg !{slot}"));
        }
        let first = f.inst_metadata.partition_point(|(i, _, _)| *i < id);
        let mut attached: Vec<_> = f.inst_metadata[first..]
            .iter()
            .take_while(|(i, _, _)| *i == id)
            .collect();
        attached.sort_by_key(|(_, kind, _)| *kind);
        for (_, kind, node) in attached {
            self.attachment(", ", *kind);
            self.metadata(Some(f), *node);
        }
        comments::write(&mut self.t, self.m, f, id, location);
        self.t.push("\n");
    }

    /// Operands that share the type of the first one.
    fn same_type(&mut self, f: &Function, operands: &[ValueId]) {
        self.t.push(" ");
        let first = operands.first().and_then(|&o| self.type_of(Some(f), o));
        let one = operands.iter().all(|&o| self.type_of(Some(f), o) == first);
        if one && let Some(ty) = first {
            self.ty(ty);
            self.t.push(" ");
        }
        for (i, &o) in operands.iter().enumerate() {
            self.comma(i);
            if one {
                self.value(Some(f), o);
            } else {
                self.typed(Some(f), o);
            }
        }
    }

    /// Writes an operation and all operands of an instruction.
    fn plain(&mut self, operation: &str, f: &Function, inst: &Inst) {
        self.t.push(operation);
        self.all_typed(f, inst);
    }

    /// Writes all operands of an instruction.
    fn all_typed(&mut self, f: &Function, inst: &Inst) {
        for (i, o) in f.operands(&inst.kind).enumerate() {
            self.t.push(if i == 0 { " " } else { ", " });
            self.typed(Some(f), o);
        }
    }

    fn label(&mut self, f: &Function, b: BlockId) {
        self.t.push("label ");
        self.block_name(f, b);
    }

    fn indices(&mut self, f: &Function, indices: PoolRange) {
        for &i in f.pool.get(indices.range()).unwrap_or(&[]) {
            self.t.fmt(format_args!(", {i}"));
        }
    }

    fn operation(&mut self, f: &Function, inst: &Inst) {
        let some = Some(f);
        match inst.kind {
            InstKind::Binary {
                op,
                lhs,
                rhs,
                flags,
            } => {
                self.t.lower_case(&op);
                self.flags(flags);
                self.same_type(f, &[lhs, rhs]);
            }
            InstKind::Cast { op, value } => {
                self.t.lower_case(&op);
                self.t.push(" ");
                self.typed(some, value);
                self.t.push(" to ");
                self.ty(inst.ty);
            }
            InstKind::Cmp {
                predicate,
                lhs,
                rhs,
                flags,
            } => {
                self.t.push(compare(predicate));
                self.flags(flags);
                self.predicate(predicate);
                self.same_type(f, &[lhs, rhs]);
            }
            InstKind::Phi { incoming } => {
                self.t.push("phi ");
                self.ty(inst.ty);
                for (i, (value, block)) in f.phi_incoming(incoming).enumerate() {
                    self.t.push(if i == 0 { " [ " } else { ", [ " });
                    self.value(some, value);
                    self.t.push(", ");
                    self.block_name(f, block);
                    self.t.push(" ]");
                }
            }
            InstKind::Call { .. } => self.call(f, inst),
            InstKind::Select { .. } => self.plain("select", f, inst),
            InstKind::ExtractElement { .. } => self.plain("extractelement", f, inst),
            InstKind::InsertElement { .. } => self.plain("insertelement", f, inst),
            InstKind::ShuffleVector { .. } => self.plain("shufflevector", f, inst),
            InstKind::ExtractValue { indices, .. } => {
                self.plain("extractvalue", f, inst);
                self.indices(f, indices);
            }
            InstKind::InsertValue { indices, .. } => {
                self.plain("insertvalue", f, inst);
                self.indices(f, indices);
            }
            InstKind::Br { .. }
            | InstKind::CondBr { .. }
            | InstKind::Switch { .. }
            | InstKind::Ret { .. }
            | InstKind::Unreachable => self.terminator(f, inst),
            _ => self.memory(f, inst),
        }
    }

    /// Instructions that end a block.
    fn terminator(&mut self, f: &Function, inst: &Inst) {
        match inst.kind {
            InstKind::Br { target } => {
                self.t.push("br ");
                self.label(f, target);
            }
            InstKind::CondBr { then, else_, .. } => {
                self.plain("br", f, inst);
                self.t.push(", ");
                self.label(f, then);
                self.t.push(", ");
                self.label(f, else_);
            }
            InstKind::Switch {
                value,
                default,
                cases,
            } => {
                self.plain("switch", f, inst);
                self.t.push(", ");
                self.label(f, default);
                self.t.push(" [");
                let ty = self.type_of(Some(f), value);
                for (literal, block) in f.switch_cases(cases) {
                    self.t.push("\n    ");
                    if let Some(ty) = ty {
                        self.ty(ty);
                        self.t.push(" ");
                        self.scalar(ty, literal);
                    }
                    self.t.push(", ");
                    self.label(f, block);
                }
                self.t.push("\n  ]");
            }
            InstKind::Ret { value: None } => self.t.push("ret void"),
            InstKind::Ret { .. } => self.plain("ret", f, inst),
            InstKind::Unreachable => self.t.push("unreachable"),
            _ => {}
        }
    }

    /// Operations on memory.
    fn memory(&mut self, f: &Function, inst: &Inst) {
        match inst.kind {
            InstKind::Load {
                align,
                volatile,
                ordering,
                ..
            } => {
                self.t.push("load");
                self.access(volatile, ordering != Ordering::NotAtomic);
                self.t.push(" ");
                self.ty(inst.ty);
                self.t.push(",");
                self.all_typed(f, inst);
                self.ordering(ordering, false);
                self.align(align);
            }
            InstKind::Store {
                align,
                volatile,
                ordering,
                ..
            } => {
                self.t.push("store");
                self.access(volatile, ordering != Ordering::NotAtomic);
                self.all_typed(f, inst);
                self.ordering(ordering, false);
                self.align(align);
            }
            InstKind::Alloca { ty, count, align } => {
                self.t.push("alloca ");
                self.ty(ty);
                let i32_count = self
                    .type_of(Some(f), count)
                    .and_then(|t| self.m.types.get(t))
                    == Some(&Type::Int(32));
                if !i32_count || self.m.const_int(Some(f), count) != Some(1) {
                    self.t.push(", ");
                    self.typed(Some(f), count);
                }
                self.align(align);
            }
            InstKind::Gep {
                inbounds, source, ..
            } => {
                self.getelementptr(inbounds);
                self.t.push(" ");
                self.ty(source);
                self.t.push(",");
                self.all_typed(f, inst);
            }
            InstKind::AtomicRmw {
                op,
                volatile,
                ordering,
                single_thread,
                ..
            } => {
                self.t.push("atomicrmw");
                self.access(volatile, false);
                self.t.push(" ");
                self.t.lower_case(&op);
                self.all_typed(f, inst);
                self.ordering(ordering, single_thread);
            }
            InstKind::CmpXchg {
                volatile,
                success,
                failure,
                single_thread,
                weak,
                ..
            } => {
                self.t.push(if weak { "cmpxchg weak" } else { "cmpxchg" });
                self.access(volatile, false);
                self.all_typed(f, inst);
                self.ordering(success, single_thread);
                self.ordering(failure, false);
            }
            InstKind::Fence {
                ordering,
                single_thread,
            } => {
                self.t.push("fence");
                self.ordering(ordering, single_thread);
            }
            _ => self.t.push("<unknown>"),
        }
    }

    fn access(&mut self, volatile: bool, atomic: bool) {
        self.t.push(if atomic { " atomic" } else { "" });
        self.t.push(if volatile { " volatile" } else { "" });
    }

    fn ordering(&mut self, ordering: Ordering, single_thread: bool) {
        if ordering == Ordering::NotAtomic {
            return;
        }
        self.t
            .push(if single_thread { " singlethread" } else { "" });
        self.t.push(match ordering {
            Ordering::NotAtomic => "",
            Ordering::Unordered => " unordered",
            Ordering::Monotonic => " monotonic",
            Ordering::Acquire => " acquire",
            Ordering::Release => " release",
            Ordering::AcqRel => " acq_rel",
            Ordering::SeqCst => " seq_cst",
        });
    }

    fn align(&mut self, align: u32) {
        if align != 0 {
            self.t.fmt(format_args!(", align {align}"));
        }
    }

    fn call(&mut self, f: &Function, inst: &Inst) {
        let InstKind::Call {
            callee,
            args,
            flags,
            cc,
            tail,
            attributes,
        } = inst.kind
        else {
            return;
        };
        let attributes = attributes.into();
        self.t.push(match tail {
            0 => "",
            1 => "tail ",
            _ => "musttail ",
        });
        self.t.push("call");
        self.flags(flags);
        if cc != 0 {
            self.t.push(" ");
            self.calling_convention(cc.into(), "");
        }
        if let Some((_, a)) = self.slots.attributes_of(attributes, 0) {
            self.t.push(" ");
            self.attributes(a, true, false);
        }
        self.t.push(" ");
        // The callee is a pointer to a function.
        let pointer = self.m.value(Some(f), callee).map(|data| data.ty);
        if let Some(&Type::Pointer { pointee, .. }) = pointer.and_then(|ty| self.m.types.get(ty)) {
            match self.m.types.get(pointee) {
                Some(Type::Function {
                    vararg: false, ret, ..
                }) => self.ty(*ret),
                _ => self.ty(pointee),
            }
        }
        self.t.push(" ");
        self.value(Some(f), callee);
        self.t.push("(");
        for (i, arg) in f.call_args(args).enumerate() {
            self.comma(i);
            let attributes = self.slots.attributes_of(attributes, i as u32 + 1);
            match arg {
                CallArg::Metadata(id) => {
                    self.t.push("metadata ");
                    self.metadata(Some(f), id);
                }
                CallArg::Value(v) => {
                    self.type_name(Some(f), v);
                    if let Some((_, a)) = attributes {
                        self.t.push(" ");
                        self.attributes(a, true, false);
                    }
                    self.t.push(" ");
                    self.value(Some(f), v);
                }
            }
        }
        self.t.push(")");
        self.attribute_number(attributes);
    }
}

/// Returns the function type, which may be given through a pointer.
pub(super) fn function_type(m: &crate::module::Module, ty: TypeId) -> Option<&Type> {
    match m.types.get(ty)? {
        Type::Pointer { pointee, .. } => m.types.get(*pointee),
        t => Some(t),
    }
}
