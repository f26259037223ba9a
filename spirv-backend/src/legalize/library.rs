//! Resources of libraries. DXIL loads an object from a global variable and makes a handle from it
//! (`createHandleForLib`). This pass makes the handle from the range and the register directly, as
//! in other shaders.
//!
//! A new declaration would renumber the values of every function, so the new calls keep the callee
//! of `createHandleForLib` and only have the operation number of `createHandle`.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::{DxDeclarations, Op};
use trellis_dxil_frontend::module::{
    CastOp, Constant, Function, InstId, InstKind, Module, Type, TypeId, ValueId, ValueKind,
};
use trellis_dxil_frontend::shader::{Resource, Shader};

use super::rewriter::FunctionRewriter;
use super::{Context, is_handle, type_id, unsupported};
use crate::error::{Error, HandleFeature};
use crate::lower::attached;

/// Steps from a pointer to its global variable, and dimensions of an array; compilers make a
/// handful.
const MAX_STEPS: usize = 16;

/// An element of the array of a resource: its index is a constant and a sum of terms.
struct ResourceElement {
    /// Index into [`Shader::resources`].
    resource: usize,
    constant: u64,
    /// (index value, descriptors).
    terms: SmallVec<[(ValueId, u64); 2]>,
    non_uniform: bool,
}

struct Library<'a> {
    w: FunctionRewriter<'a>,
    ops: &'a DxDeclarations,
    shader: &'a Shader,
    byte: TypeId,
    bool_ty: TypeId,
    /// Number of the metadata kind `dx.nonuniform`.
    non_uniform: Option<u32>,
    /// A call that makes a handle, with its type.
    model: (InstKind, TypeId),
}

/// Rewrites one function.
///
/// # Errors
/// Objects with uses other than handles, and handles of anything but a resource.
pub(super) fn run(
    &Context { ops, shader, .. }: &Context<'_>,
    w: FunctionRewriter<'_>,
) -> Result<Function, Error> {
    let Some(model) = model(w.module, ops, w.old)? else {
        return Ok(w.unchanged());
    };
    let mut this = Library {
        ops,
        shader,
        byte: type_id(w.module, &Type::Int(8)),
        bool_ty: type_id(w.module, &Type::Int(1)),
        non_uniform: w.module.metadata.kind("dx.nonuniform"),
        model,
        w,
    };
    for (block, data) in this.w.old.blocks.iter() {
        for at in data.insts {
            this.instruction(at)?;
        }
        this.w.end_block(block);
    }
    this.w.finish()
}

/// Returns a call that makes a handle, with its type; `None` if the function has none.
fn model(
    module: &Module,
    ops: &DxDeclarations,
    function: &Function,
) -> Result<Option<(InstKind, TypeId)>, Error> {
    for (at, inst) in function.insts.iter() {
        if matches!(inst.kind, InstKind::Call { .. })
            && ops
                .parse(module, function, at)?
                .is_some_and(|call| call.op == Op::CreateHandleForLib)
        {
            return Ok(Some((inst.kind, inst.ty)));
        }
    }
    Ok(None)
}

impl Library<'_> {
    fn instruction(&mut self, at: InstId) -> Result<(), Error> {
        let inst = self.w.old.insts[at];
        let (InstKind::Load { .. } | InstKind::Call { .. }, Some(result)) =
            (inst.kind, inst.result.expand())
        else {
            self.w.keep(at);
            return Ok(());
        };
        if let InstKind::Load { ptr, .. } = inst.kind {
            let Some(element) = self.element(ptr) else {
                self.w.keep(at);
                return Ok(());
            };
            // Since shader model 6.6 the object is a handle already, which may be chosen before it
            // is used; before that it has the resource's type, and vanishes.
            if is_handle(self.w.module, inst.ty) {
                let made = self.handle(&element)?;
                self.w.replace(result, made);
            }
            return Ok(());
        }
        let call = self
            .ops
            .parse(self.w.module, self.w.old, at)?
            .filter(|call| call.op == Op::CreateHandleForLib);
        let Some(object) = call.and_then(|call| call.operand(0)) else {
            self.w.keep(at);
            return Ok(());
        };
        let made = match self.w.data(object) {
            Some(data) if is_handle(self.w.module, data.ty) => object,
            Some(data) => {
                let element = match data.kind {
                    ValueKind::Inst(load) => match self.w.old.insts.get(load).map(|i| i.kind) {
                        Some(InstKind::Load { ptr, .. }) => self.element(ptr),
                        _ => None,
                    },
                    _ => None,
                };
                let element =
                    element.ok_or_else(|| unsupported(self.w.old, HandleFeature::NotLoaded))?;
                self.handle(&element)?
            }
            None => return Err(unsupported(self.w.old, HandleFeature::NoObject)),
        };
        self.w.replace(result, made);
        Ok(())
    }

    /// Returns the resource at an address; `None` for other memory.
    fn element(&self, pointer: ValueId) -> Option<ResourceElement> {
        let (mut constant, mut terms, mut non_uniform) = (0u64, SmallVec::new(), false);
        let mut current = pointer;
        for _ in 0..MAX_STEPS {
            let (source, operands) = match self.w.kind_of(current)? {
                ValueKind::Global(global) => {
                    let resource = self
                        .shader
                        .resources
                        .iter()
                        .position(|r| r.global == Some(global));
                    return resource.map(|resource| ResourceElement {
                        resource,
                        constant,
                        terms,
                        non_uniform,
                    });
                }
                ValueKind::Constant(c) => match self.w.module.constants.get(c).map(|c| &c.value) {
                    Some(&Constant::Gep {
                        source, operands, ..
                    }) => (source, self.w.module.const_operands.get(operands.range())),
                    Some(&Constant::Cast {
                        op: CastOp::BitCast,
                        value,
                    }) => {
                        current = value;
                        continue;
                    }
                    _ => return None,
                },
                ValueKind::Inst(inst) => match self.w.old.insts.get(inst).map(|i| i.kind) {
                    Some(InstKind::Gep {
                        source, operands, ..
                    }) => {
                        non_uniform |= attached(self.w.old, inst, self.non_uniform).is_some();
                        (source, self.w.old.pool.get(operands.range()))
                    }
                    Some(InstKind::Cast {
                        op: CastOp::BitCast,
                        value,
                    }) => {
                        current = value;
                        continue;
                    }
                    _ => return None,
                },
                ValueKind::Argument(_) | ValueKind::Function(_) => return None,
            };
            let Some([base, indices @ ..]) = operands else {
                return None;
            };
            current = ValueId::from_u32(*base);
            if !self.step(source, indices, &mut constant, &mut terms) {
                return None;
            }
        }
        None
    }

    /// Adds the descriptors that one `getelementptr` passes over; `false` if it indexes into an
    /// object.
    fn step(
        &self,
        source: TypeId,
        indices: &[u32],
        constant: &mut u64,
        terms: &mut SmallVec<[(ValueId, u64); 2]>,
    ) -> bool {
        let mut ty = source;
        for (i, &index) in indices.iter().enumerate() {
            if i > 0 {
                match self.w.module.types.get(ty) {
                    Some(Type::Array { element, .. }) => ty = *element,
                    _ => return false,
                }
            }
            let (index, size) = (ValueId::from_u32(index), self.descriptors(ty));
            match self.w.const_int(index) {
                Some(number) => *constant = constant.wrapping_add(number.wrapping_mul(size)),
                None => terms.push((index, size)),
            }
        }
        true
    }

    /// Descriptors of an object, or of an array of objects.
    fn descriptors(&self, ty: TypeId) -> u64 {
        let (mut ty, mut count) = (ty, 1u64);
        for _ in 0..MAX_STEPS {
            let Some(Type::Array { element, len }) = self.w.module.types.get(ty) else {
                break;
            };
            (ty, count) = (*element, count.wrapping_mul(*len));
        }
        count
    }

    /// Writes the instructions that make the handle.
    fn handle(&mut self, element: &ResourceElement) -> Result<ValueId, Error> {
        let &Resource {
            class,
            id,
            lower_bound,
            ..
        } = &self.shader.resources[element.resource];
        let terms = element.terms.iter();
        let terms = terms.map(|&(index, size)| (index, size as u32));
        let constant = lower_bound.wrapping_add(element.constant as u32);
        let register = self.w.sum(None, terms, constant);
        let class = self.w.constant(self.byte, Constant::Int(class as u64));
        let id = self.w.number(id);
        let non_uniform = Constant::Int(element.non_uniform.into());
        let non_uniform = self.w.constant(self.bool_ty, non_uniform);
        let operands = [class, id, register, non_uniform];
        let (model, ty) = self.model;
        let kind = self.w.call_like(model, Op::CreateHandle, operands);
        Ok(self.w.value(kind, ty))
    }
}
