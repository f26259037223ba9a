//! Handles: the resource and index that each refers to.

use trellis_dxil_frontend::dxop::{DxCall, Op};
use trellis_dxil_frontend::module::{
    BinaryOp, Constant, GlobalId, InstId, InstKind, ValueId, ValueKind,
};
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

use crate::body::Body;
use crate::layout::Shape;
use crate::plan::{Place, is_heap};
use crate::types::Scalar;

/// A resource that a handle refers to.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    pub(crate) text: String,
    pub(crate) kind: ResourceKind,
    pub(crate) class: ResourceClass,
    pub(crate) shape: Option<Shape>,
    pub(crate) is_flat: bool,
    pub(crate) element: (Scalar, u32),
    pub(crate) id: u32,
}

impl<'a> Body<'_, 'a> {
    pub(crate) fn inst_of(&self, value: ValueId) -> Option<InstId> {
        match self.p.module.value(Some(self.function), value)?.kind {
            ValueKind::Inst(id) => Some(id),
            _ => None,
        }
    }

    pub(crate) fn parsed(&self, value: ValueId) -> Option<DxCall<'a>> {
        let id = self.inst_of(value)?;
        self.p
            .ops
            .parse(self.p.module, self.function, id)
            .ok()
            .flatten()
    }

    /// Returns the resource of a handle.
    pub(crate) fn handle(&mut self, value: ValueId) -> Option<Handle> {
        let id = self.inst_of(value)?;
        if is_heap(self.p.module, self.function, &self.p.ops, id) {
            let text = self.operand(value).text;
            let declared = self.locals.get(&value)?;
            return Some(Handle {
                text,
                kind: declared.kind,
                class: declared.class,
                shape: declared.shape.clone(),
                is_flat: false,
                element: declared.element,
                id: u32::MAX,
            });
        }
        let (module, function) = (self.p.module, self.function);
        let call = self.p.ops.parse(module, function, id).ok().flatten()?;
        match call.op {
            Op::AnnotateHandle => self.handle(call.operand(0)?),
            Op::CreateHandle => {
                let (class, range) = (self.literal(&call, 0)?, self.literal(&call, 1)?);
                let class = ResourceClass::from_code(class as u32)?;
                let at = self
                    .p
                    .resources
                    .iter()
                    .position(|r| r.class == class && u64::from(r.id) == range)?;
                let non_uniform = self.literal(&call, 3) == Some(1);
                self.indexed(at, call.operand(2)?, non_uniform)
            }
            Op::CreateHandleFromBinding => {
                let bind = module.constant(Some(function), call.operand(0)?)?;
                let words: Vec<u64> = match &bind.value {
                    Constant::Null => vec![0; 4],
                    constant => constant
                        .operands(&module.const_operands)
                        .map(|word| module.const_int(Some(function), word).unwrap_or(0))
                        .collect(),
                };
                let &[lower, _, space, class] = &words[..] else {
                    return None;
                };
                let class = ResourceClass::from_code(class as u32)?;
                let resources = &self.p.shader.resources;
                let is_it = |r: &&trellis_dxil_frontend::shader::Resource| {
                    r.class == class
                        && u64::from(r.space) == space
                        && u64::from(r.lower_bound) == lower
                };
                let id = resources.iter().find(is_it)?.id;
                let at = self
                    .p
                    .resources
                    .iter()
                    .position(|r| r.class == class && r.id == id)?;
                let non_uniform = self.literal(&call, 2) == Some(1);
                self.indexed(at, call.operand(1)?, non_uniform)
            }
            Op::CreateHandleForLib => {
                let load = self.inst_of(call.operand(0)?)?;
                let InstKind::Load { ptr, .. } = function.insts[load].kind else {
                    return None;
                };
                let (global, index) = self.global_of(ptr)?;
                let at = self
                    .p
                    .resources
                    .iter()
                    .position(|r| r.global == Some(global))?;
                match index {
                    Some(index) => {
                        let mut handle = self.whole(at);
                        let index = self.operand(index).text;
                        handle.text = format!("{}[{index}]", handle.text);
                        Some(handle)
                    }
                    None => Some(self.whole(at)),
                }
            }
            _ => None,
        }
    }

    /// Returns the resource variable of a library, and the index into an array of one dimension.
    pub(crate) fn global_of(&self, ptr: ValueId) -> Option<(GlobalId, Option<ValueId>)> {
        let (module, function) = (self.p.module, self.function);
        let data = module.value(Some(function), ptr)?;
        let operands: Vec<ValueId> = match data.kind {
            ValueKind::Global(global) => return Some((global, None)),
            ValueKind::Inst(id) => match function.insts[id].kind {
                InstKind::Gep { operands, .. } => function.values_in(operands).collect(),
                _ => return None,
            },
            ValueKind::Constant(id) => match &module.constants[id].value {
                gep @ Constant::Gep { .. } => gep.operands(&module.const_operands).collect(),
                _ => return None,
            },
            _ => return None,
        };
        let &[base, _, index] = &operands[..] else {
            return None;
        };
        match module.value(Some(function), base)?.kind {
            ValueKind::Global(global) => Some((global, Some(index))),
            _ => None,
        }
    }

    pub(crate) fn whole(&self, at: usize) -> Handle {
        let r = &self.p.resources[at];
        Handle {
            text: r.name.clone(),
            kind: r.kind,
            class: r.class,
            shape: r.shape.clone(),
            is_flat: r.is_flat,
            element: r.element,
            id: r.id,
        }
    }

    /// Returns a resource of a range; the index counts from register 0.
    pub(crate) fn indexed(
        &mut self,
        at: usize,
        index: ValueId,
        non_uniform: bool,
    ) -> Option<Handle> {
        let mut handle = self.whole(at);
        if !self.p.resources[at].is_array {
            return Some(handle);
        }
        let lower = self.p.resources[at].lower_bound;
        let text = match self.p.module.const_int(Some(self.function), index) {
            Some(number) => (number as u32).wrapping_sub(lower).to_string(),
            None => {
                let (terms, constant) = self.terms(index);
                let text = match terms {
                    Some((term, 1)) => self.operand(term).text,
                    _ => self.operand(index).text,
                };
                let left = match terms {
                    Some((_, 1)) => constant.wrapping_sub(lower),
                    _ => 0u32.wrapping_sub(lower),
                };
                match left as i32 {
                    0 => text,
                    left if left > 0 => format!("{text} + {left}"),
                    left => format!("{text} - {}", left.unsigned_abs()),
                }
            }
        };
        let text = if non_uniform {
            format!("NonUniformResourceIndex({text})")
        } else {
            text
        };
        handle.text = format!("{}[{text}]", handle.text);
        Some(handle)
    }

    /// Returns a number as a multiple of a value plus a constant.
    pub(crate) fn terms(&self, value: ValueId) -> (Option<(ValueId, u32)>, u32) {
        let (mut value, mut factor, mut constant) = (value, 1u32, 0u32);
        let number = |v| {
            self.p
                .module
                .const_int(Some(self.function), v)
                .map(|n| n as u32)
        };
        for _ in 0..8 {
            if let Some(n) = number(value) {
                return (None, constant.wrapping_add(n.wrapping_mul(factor)));
            }
            let Some(id) = self
                .inst_of(value)
                .filter(|&id| self.plan.place(id) == Place::Inside)
            else {
                break;
            };
            let InstKind::Binary { op, lhs, rhs, .. } = self.function.insts[id].kind else {
                break;
            };
            let Some(n) = number(rhs) else {
                break;
            };
            match op {
                BinaryOp::Add => constant = constant.wrapping_add(n.wrapping_mul(factor)),
                BinaryOp::Mul => factor = factor.wrapping_mul(n),
                BinaryOp::Shl if n < 32 => factor = factor.wrapping_shl(n),
                _ => break,
            }
            value = lhs;
        }
        (Some((value, factor)), constant)
    }
}
