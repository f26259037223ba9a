//! The order of the type definitions: LLVM lists named structures in the order of their first use.

use trellis_entity::EntitySet;

use super::slots::Slots;
use crate::metadata::{MdId, MdNode};
use crate::module::{
    CallArg, ConstId, Function, InstKind, Module, Type, TypeId, ValueId, ValueKind,
};

/// Finds the named structures in the order in which LLVM lists them: from globals, functions, then
/// named metadata.
pub(super) struct TypeFinder<'m> {
    module: &'m Module,
    types: EntitySet<TypeId>,
    constants: EntitySet<ConstId>,
    nodes: EntitySet<MdId>,
    /// Named structures in order.
    pub(super) found: Vec<TypeId>,
}

enum Item {
    Value(ValueId),
    Node(MdId),
}

impl<'m> TypeFinder<'m> {
    pub(super) fn run(module: &'m Module, slots: &Slots<'m>) -> Vec<TypeId> {
        let mut finder = Self {
            module,
            types: EntitySet::with_capacity(module.types.len()),
            constants: EntitySet::with_capacity(module.constants.len()),
            nodes: EntitySet::with_capacity(module.metadata.nodes.len()),
            found: Vec::new(),
        };
        for g in module.globals.values() {
            finder.ty(g.ptr_ty);
            if let Some(init) = g.init {
                finder.items(slots, None, Item::Value(init));
            }
        }
        for function in module.functions.values() {
            finder.function(slots, function);
        }
        for (_, operands) in &module.metadata.named {
            for &id in operands {
                finder.items(slots, None, Item::Node(id));
            }
        }
        finder.found
    }

    fn function(&mut self, slots: &Slots<'m>, f: &'m Function) {
        self.ty(f.ty);
        let mut attached = f.inst_metadata.iter().peekable();
        for (id, inst) in f.insts.iter() {
            self.ty(inst.ty);
            for item in operands_of(f, &inst.kind) {
                self.items(slots, Some(f), item);
            }
            while let Some((_, _, node)) = attached.next_if(|(at, _, _)| *at == id) {
                self.items(slots, Some(f), Item::Node(*node));
            }
        }
    }

    fn ty(&mut self, ty: TypeId) {
        let module = self.module;
        let visit = |seen: &mut EntitySet<TypeId>, ty| module.types.is_valid(ty) && seen.insert(ty);
        if !visit(&mut self.types, ty) {
            return;
        }
        let mut stack = vec![ty];
        while let Some(ty) = stack.pop() {
            let first = stack.len();
            let mut push = |t: TypeId| {
                if visit(&mut self.types, t) {
                    stack.push(t);
                }
            };
            // LLVM walks the subtypes from the last to the first and takes the last pushed first.
            match &self.module.types[ty] {
                Type::Pointer { pointee, .. } => push(*pointee),
                Type::Vector { element, .. } | Type::Array { element, .. } => push(*element),
                Type::Struct { name, fields, .. } => {
                    if name.is_some() {
                        self.found.push(ty);
                    }
                    fields.iter().rev().for_each(|&f| push(f));
                }
                Type::Function { ret, params, .. } => {
                    params.iter().rev().for_each(|&p| push(p));
                    push(*ret);
                }
                _ => {}
            }
            debug_assert!(stack.len() >= first);
        }
    }

    fn items(&mut self, slots: &Slots<'m>, f: Option<&Function>, item: Item) {
        let mut stack = vec![item];
        while let Some(item) = stack.pop() {
            let first = stack.len();
            match item {
                Item::Value(v) => self.value(f, v, &mut stack),
                Item::Node(id) => {
                    match self.module.metadata.nodes.get(id) {
                        // Reached as an operand; a value is not a node that could be met a second
                        // time.
                        Some(MdNode::Value { value, .. }) => stack.push(Item::Value(*value)),
                        Some(_) if self.nodes.insert(id) => {
                            slots.children(id, |child| stack.push(Item::Node(child)));
                        }
                        _ => {}
                    }
                }
            }
            stack[first..].reverse();
        }
    }

    fn value(&mut self, f: Option<&Function>, v: ValueId, stack: &mut Vec<Item>) {
        let Some(data) = self.module.value(f, v) else {
            return;
        };
        let ValueKind::Constant(c) = data.kind else {
            return;
        };
        let Some(constant) = self.module.constants.get(c) else {
            return;
        };
        if !self.constants.insert(c) {
            return;
        }
        self.ty(data.ty);
        let operands = constant.value.operands(&self.module.const_operands);
        stack.extend(operands.map(Item::Value));
    }
}

/// Returns the operands of an instruction that may be constants or metadata, in LLVM's operand
/// order.
fn operands_of(f: &Function, kind: &InstKind) -> Vec<Item> {
    match *kind {
        InstKind::Call { args, .. } => f
            .call_args(args)
            .map(|arg| match arg {
                CallArg::Value(value) => Item::Value(value),
                CallArg::Metadata(id) => Item::Node(id),
            })
            .collect(),
        _ => f.operands(kind).map(Item::Value).collect(),
    }
}
