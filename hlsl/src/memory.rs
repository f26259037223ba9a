//! Variables in memory: addresses, and atomic operations on groupshared ones.

use trellis_dxil_frontend::module::{
    Constant, Function, GlobalId, InstId, InstKind, Module, Type, TypeId, ValueId, ValueKind,
};

use crate::body::Body;
use crate::types::{Expr, Scalar, UINT};

impl Body<'_, '_> {
    /// Returns the statements of an atomic operation on groupshared memory.
    pub(crate) fn atomic_memory(&mut self, id: InstId, name: Option<&str>) -> Vec<String> {
        use trellis_dxil_frontend::module::RmwOp as R;
        let (function, ptr, values, signed) = match self.function.insts[id].kind {
            InstKind::AtomicRmw { op, ptr, value, .. } => {
                let function = match op {
                    R::Xchg => "InterlockedExchange",
                    R::Add => "InterlockedAdd",
                    R::And => "InterlockedAnd",
                    R::Or => "InterlockedOr",
                    R::Xor => "InterlockedXor",
                    R::Max | R::UMax => "InterlockedMax",
                    R::Min | R::UMin => "InterlockedMin",
                    R::Sub | R::Nand => {
                        self.p.note("an atomic operation that HLSL does not have");
                        "InterlockedSubOrNand"
                    }
                };
                let signed = matches!(op, R::Max | R::Min);
                (function, ptr, vec![value], signed)
            }
            InstKind::CmpXchg {
                ptr, compare, new, ..
            } => ("InterlockedCompareExchange", ptr, vec![compare, new], false),
            _ => return Vec::new(),
        };
        let Some((text, stored)) = self.pointee(ptr) else {
            let text = self
                .unwritten("an atomic operation on an address", UINT)
                .text;
            return vec![format!("{text};")];
        };
        let mut args = vec![match signed && stored == stored.with_sign(false) {
            true => self.unwritten("an atomic operation with another sign", stored),
            false => Expr::atom(text, stored),
        }];
        for value in values {
            args.push(self.operand_as(value, stored).reinterpret_for_store(stored));
        }
        self.interlocked(function, args, stored, name)
    }

    /// Returns the memory that an address points to, as an expression, and its type.
    pub(crate) fn pointee(&mut self, ptr: ValueId) -> Option<(String, Scalar)> {
        let (mut text, mut ty) = self.place(ptr, 0)?;
        // The first element of an array.
        for _ in 0..8 {
            match self.p.module.ty(ty) {
                Type::Array { element, .. } => {
                    ty = *element;
                    text.push_str("[0]");
                }
                _ => {
                    let scalar = self.scalar(ty)?;
                    let root = root(self.p.module, self.function, ptr);
                    let is_signed = root.is_some_and(|root| self.p.signed.contains(&root));
                    return Some((text, scalar.with_sign(is_signed)));
                }
            }
        }
        None
    }

    pub(crate) fn place(&mut self, ptr: ValueId, depth: u32) -> Option<(String, TypeId)> {
        if depth > 16 {
            return None;
        }
        let (module, function) = (self.p.module, self.function);
        let data = module.value(Some(function), ptr)?;
        let (operands, source) = match data.kind {
            ValueKind::Global(id) => {
                return Some((self.p.global_name(id), module.globals[id].ty));
            }
            ValueKind::Argument(_) => {
                let name = self.arguments.get(&ptr)?.0.clone();
                return match module.ty(data.ty) {
                    Type::Pointer { pointee, .. } => Some((name, *pointee)),
                    _ => None,
                };
            }
            ValueKind::Inst(id) => match function.insts[id].kind {
                InstKind::Alloca { ty, .. } => {
                    return Some((self.variables_in_memory.get(&id)?.clone(), ty));
                }
                InstKind::Gep {
                    operands, source, ..
                } => (function.values_in(operands).collect::<Vec<_>>(), source),
                InstKind::Cast { value, .. } => return self.place(value, depth + 1),
                _ => return None,
            },
            ValueKind::Constant(id) => match &module.constants[id].value {
                gep @ &Constant::Gep { source, .. } => (
                    gep.operands(&module.const_operands).collect::<Vec<_>>(),
                    source,
                ),
                &Constant::Cast { value, .. } => return self.place(value, depth + 1),
                _ => return None,
            },
            ValueKind::Function(_) => return None,
        };
        let (&base, indices) = operands.split_first()?;
        let (mut text, mut ty) = self.place(base, depth + 1)?;
        let (first, rest) = indices.split_first()?;
        if ty != source || module.const_int(Some(function), *first) != Some(0) {
            return None;
        }
        for &index in rest {
            match module.ty(ty) {
                Type::Array { element, .. } => {
                    let element = *element;
                    text = format!("{text}[{}]", self.operand(index).text);
                    ty = element;
                }
                Type::Struct { fields, .. } => {
                    let at = module.const_int(Some(function), index)?;
                    ty = *fields.get(at as usize)?;
                    text = format!("{text}.m{at}");
                }
                Type::Vector { element, .. } => {
                    let element = *element;
                    text = format!("{text}[{}]", self.operand(index).text);
                    ty = element;
                }
                _ => return None,
            }
        }
        Some((text, ty))
    }
}

/// Returns the global variable that an address is in.
pub(crate) fn root(module: &Module, function: &Function, ptr: ValueId) -> Option<GlobalId> {
    let below = |&ptr: &ValueId| {
        let first = |operands: &[u32]| operands.first().map(|&v| ValueId::from_u32(v));
        match module.value(Some(function), ptr)?.kind {
            ValueKind::Inst(id) => match function.insts[id].kind {
                InstKind::Gep { operands, .. } => first(&function.pool[operands.range()]),
                InstKind::Cast { value, .. } => Some(value),
                _ => None,
            },
            ValueKind::Constant(id) => match module.constants[id].value {
                Constant::Gep { operands, .. } => first(&module.const_operands[operands.range()]),
                Constant::Cast { value, .. } => Some(value),
                _ => None,
            },
            _ => None,
        }
    };
    let last = std::iter::successors(Some(ptr), below).take(16).last()?;
    match module.value(Some(function), last)?.kind {
        ValueKind::Global(id) => Some(id),
        _ => None,
    }
}
