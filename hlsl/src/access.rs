//! Accesses to resources, variables in memory, and inputs.

use trellis_dxil_frontend::dxop::{DxCall, Op};
use trellis_dxil_frontend::module::{Constant, ValueId};
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

use crate::body::Body;
use crate::handle::Handle;
use crate::layout::{Component, Dynamic, Rules};
use crate::resource::coordinates;
use crate::types::{Expr, FLOAT, INT, Scalar, UINT, prec, vector};

impl Body<'_, '_> {
    /// Splits an offset into its constant part and the computed one.
    pub(crate) fn offset(&mut self, value: ValueId, unit: u32) -> (u32, Option<Dynamic>) {
        let (term, constant) = self.terms(value);
        let dynamic = term.map(|(value, factor)| {
            let text = self.operand(value).at(prec::ADD);
            Dynamic {
                text,
                stride: factor.wrapping_mul(unit),
            }
        });
        (constant.wrapping_mul(unit), dynamic)
    }

    /// Returns a component of a constant buffer's member.
    pub(crate) fn component_of_constants(
        &mut self,
        aggregate: ValueId,
        index: u32,
        ty: Scalar,
    ) -> Option<Expr> {
        let call = self.parsed(aggregate)?;
        if call.op != Op::CBufferLoadLegacy {
            return None;
        }
        let (handle, row) = (call.operand(0)?, call.operand(1)?);
        let Some(handle) = self.handle(handle) else {
            return Some(self.unwritten("a choice of resources", ty));
        };
        let (offset, dynamic) = self.offset(row, 16);
        let offset = offset.wrapping_add(index * ty.bytes());
        Some(self.constant_at(&handle, offset, dynamic.as_ref(), ty))
    }

    pub(crate) fn constant_at(
        &mut self,
        handle: &Handle,
        offset: u32,
        dynamic: Option<&Dynamic>,
        ty: Scalar,
    ) -> Expr {
        let base = if handle.is_flat {
            String::new()
        } else {
            handle.text.clone()
        };
        let found = handle.shape.as_ref().and_then(|shape| {
            self.p
                .types
                .find(shape, base, offset, dynamic, Rules::Constant)
        });
        match found {
            Some(found) => self.stored(found.expr(), ty),
            None => {
                // The buffer is declared again, as rows.
                self.p.by_rows.insert((handle.class, handle.id));
                self.unwritten("an access between members", ty)
            }
        }
    }

    /// Returns a number in memory that is read as a type.
    pub(crate) fn stored(&mut self, expr: Expr, ty: Scalar) -> Expr {
        match (expr.ty, ty) {
            (Scalar::Bool, Scalar::Int { .. }) => expr.cast(ty),
            (a, b) if a.is_int() && b.is_int() && a.bytes() == b.bytes() => expr,
            (a, b) if a.bytes() == b.bytes() => expr.reinterpret(ty),
            _ => self.unwritten("a number read with another size", ty),
        }
    }

    /// Returns an access to a resource.
    pub(crate) fn access(&mut self, call: &DxCall<'_>, ty: Scalar) -> Option<Expr> {
        let op = call.op;
        let is_access = matches!(
            op,
            Op::Sample
                | Op::SampleBias
                | Op::SampleLevel
                | Op::SampleGrad
                | Op::SampleCmp
                | Op::SampleCmpLevelZero
                | Op::SampleCmpLevel
                | Op::TextureLoad
                | Op::BufferLoad
                | Op::RawBufferLoad
                | Op::TextureGather
                | Op::TextureGatherCmp
                | Op::CalculateLOD
                | Op::BufferUpdateCounter
                | Op::CBufferLoad
                | Op::TextureGatherRaw
        );
        if !is_access {
            return None;
        }
        let Some(handle) = call.operand(0).and_then(|value| self.handle(value)) else {
            return Some(self.unwritten("a choice of resources", ty));
        };
        let count = self.components_used(call);
        Some(match op {
            Op::BufferUpdateCounter => {
                let is_increment = self.literal(call, 1) == Some(1);
                let name = if is_increment {
                    "IncrementCounter"
                } else {
                    "DecrementCounter"
                };
                Expr::atom(format!("{}.{name}()", handle.text), UINT)
            }
            Op::CBufferLoad => {
                let (offset, dynamic) = call.operand(1).map_or((0, None), |v| self.offset(v, 1));
                self.constant_at(&handle, offset, dynamic.as_ref(), ty)
            }
            Op::TextureLoad => {
                let (n, offsets) = coordinates(handle.kind);
                let mut at: Vec<Expr> = (0..n).map(|i| self.arg_as(call, 2 + i, INT)).collect();
                let is_samples = matches!(
                    handle.kind,
                    ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
                );
                if handle.class == ResourceClass::Uav && !is_samples {
                    let at: Vec<Expr> = (0..n).map(|i| self.arg_as(call, 2 + i, UINT)).collect();
                    return Some(Expr::atom(
                        format!("{}[{}]", handle.text, vector(&at, UINT).text),
                        handle.element.0,
                    ));
                }
                let level = self.arg_as(call, 1, INT);
                let mut args = Vec::new();
                if is_samples {
                    args.push(vector(&at, INT));
                    args.push(level);
                } else {
                    at.push(level);
                    args.push(vector(&at, INT));
                }
                self.push_offset(call, 5, offsets, &mut args, false);
                Expr::call(&format!("{}.Load", handle.text), &args, handle.element.0)
            }
            Op::BufferLoad | Op::RawBufferLoad => self.load_buffer(call, &handle, ty, count),
            _ => self.sample(call, &handle, ty),
        })
    }

    /// Returns the number of components of a result that are used.
    pub(crate) fn components_used(&self, call: &DxCall<'_>) -> u32 {
        let Some(result) = call.result else {
            return 1;
        };
        self.used.get(&result).copied().unwrap_or(1)
    }

    pub(crate) fn is_undef_or_zero(&self, value: ValueId) -> bool {
        let constant = self.p.module.constant(Some(self.function), value);
        constant.is_some_and(|c| {
            matches!(
                c.value,
                Constant::Undef | Constant::Null | Constant::Int(0) | Constant::Float(0)
            )
        })
    }

    pub(crate) fn push_offset(
        &mut self,
        call: &DxCall<'_>,
        at: usize,
        count: usize,
        args: &mut Vec<Expr>,
        needed: bool,
    ) {
        let is_none =
            (at..at + count).all(|i| call.operand(i).is_none_or(|v| self.is_undef_or_zero(v)));
        if count > 0 && (needed || !is_none) {
            let offset: Vec<Expr> = (at..at + count)
                .map(|i| self.arg_as(call, i, INT))
                .collect();
            args.push(vector(&offset, INT));
        }
    }

    pub(crate) fn sample(&mut self, call: &DxCall<'_>, handle: &Handle, ty: Scalar) -> Expr {
        let Some(sampler) = call.operand(1).and_then(|value| self.handle(value)) else {
            return self.unwritten("a choice of samplers", ty);
        };
        let (n, offsets) = coordinates(handle.kind);
        let mut args = vec![Expr::atom(sampler.text, UINT)];
        let is_lod = call.op == Op::CalculateLOD;
        let n_used = match is_lod {
            true if matches!(
                handle.kind,
                ResourceKind::TextureCube | ResourceKind::TextureCubeArray
            ) =>
            {
                3
            }
            true => offsets,
            false => n,
        };
        let at: Vec<Expr> = (0..n_used).map(|i| self.arg(call, 2 + i)).collect();
        args.push(vector(&at, FLOAT));
        // Operands before the offset, and the clamp after it.
        let gradients = if offsets == 0 { 3 } else { offsets };
        let gradient = |this: &mut Self, at: usize| {
            let parts: Vec<Expr> = (at..at + gradients).map(|i| this.arg(call, i)).collect();
            vector(&parts, FLOAT)
        };
        let (name, before, clamp) = match call.op {
            Op::Sample => ("Sample", vec![], Some(9)),
            Op::SampleBias => ("SampleBias", vec![self.arg(call, 9)], Some(10)),
            Op::SampleLevel => ("SampleLevel", vec![self.arg(call, 9)], None),
            Op::SampleGrad => (
                "SampleGrad",
                vec![gradient(self, 9), gradient(self, 12)],
                Some(15),
            ),
            Op::SampleCmp => ("SampleCmp", vec![self.arg(call, 9)], Some(10)),
            Op::SampleCmpLevelZero => ("SampleCmpLevelZero", vec![self.arg(call, 9)], None),
            Op::SampleCmpLevel => (
                "SampleCmpLevel",
                vec![self.arg(call, 9), self.arg(call, 10)],
                None,
            ),
            Op::TextureGatherCmp => ("GatherCmp", vec![self.arg(call, 9)], None),
            Op::TextureGatherRaw => ("GatherRaw", vec![], None),
            Op::CalculateLOD if self.literal(call, 5) == Some(1) => {
                ("CalculateLevelOfDetail", vec![], None)
            }
            Op::CalculateLOD => ("CalculateLevelOfDetailUnclamped", vec![], None),
            _ => ("Gather", vec![], None),
        };
        args.extend(before);
        let clamp = clamp.filter(|&at| call.operand(at).is_some_and(|v| !self.is_undef_or_zero(v)));
        let mut name = name.to_owned();
        if matches!(call.op, Op::TextureGather | Op::TextureGatherCmp) {
            let channel = self.literal(call, 8).unwrap_or(0).min(3) as usize;
            name.push_str(["Red", "Green", "Blue", "Alpha"][channel]);
        }
        if !is_lod {
            self.push_offset(call, 6, offsets, &mut args, clamp.is_some());
        }
        if let Some(clamp) = clamp {
            args.push(self.arg(call, clamp));
        }
        let result = match call.op {
            Op::Sample | Op::SampleBias | Op::SampleLevel | Op::SampleGrad | Op::TextureGather => {
                handle.element.0
            }
            _ => ty,
        };
        Expr::call(&format!("{}.{name}", handle.text), &args, result)
    }

    pub(crate) fn load_buffer(
        &mut self,
        call: &DxCall<'_>,
        handle: &Handle,
        ty: Scalar,
        count: u32,
    ) -> Expr {
        match handle.kind {
            ResourceKind::StructuredBuffer => {
                let Some(parts) = self.elements(call, handle, 1, count, ty) else {
                    return self.unwritten("an access to a part of a word", ty);
                };
                self.stored(Component::join(&parts), ty)
            }
            ResourceKind::RawBuffer => {
                let at = self.arg_as(call, 1, UINT);
                if ty.bytes() != 4 || ty == Scalar::Float(crate::types::MIN_PRECISION) {
                    let name = format!("{}.Load<{}>", handle.text, ty.vector_name(count));
                    return Expr::call(&name, &[at], ty);
                }
                let suffix = if count > 1 {
                    count.to_string()
                } else {
                    String::new()
                };
                let load = Expr::call(&format!("{}.Load{suffix}", handle.text), &[at], UINT)
                    .with_count(count);
                if ty == FLOAT {
                    load.reinterpret(ty)
                } else {
                    load
                }
            }
            ResourceKind::TBuffer => {
                let (offset, dynamic) = call.operand(1).map_or((0, None), |v| self.offset(v, 16));
                let parts: Vec<Expr> = (0..count)
                    .map(|i| {
                        self.constant_at(handle, offset + i * ty.bytes(), dynamic.as_ref(), ty)
                    })
                    .collect();
                vector(&parts, ty)
            }
            _ => {
                let at = self.arg_as(call, 1, UINT);
                Expr::atom(format!("{}[{}]", handle.text, at.text), handle.element.0)
            }
        }
    }

    /// Returns the components of a structured buffer's element that an operation accesses, whose index
    /// and offset are operands `at` and the next one.
    pub(crate) fn elements(
        &mut self,
        call: &DxCall<'_>,
        handle: &Handle,
        at: usize,
        count: u32,
        ty: Scalar,
    ) -> Option<Vec<Component>> {
        let index = self.arg(call, at);
        let shape = handle.shape.as_ref()?;
        let base = format!("{}[{}]", handle.text, index.text);
        let value = call.operand(at + 1);
        let (offset, dynamic) = value.map_or((0, None), |v| self.offset(v, 1));
        let is_words = self.p.types.is_words(shape);
        let mut parts = Vec::new();
        for i in 0..count {
            let offset = offset.wrapping_add(i * ty.bytes());
            let types = &self.p.types;
            let found = match (&dynamic, value) {
                (Some(_), Some(value)) if is_words => {
                    let words = self.operand_as(value, UINT).at(prec::MUL);
                    let path = match i {
                        0 => format!("{base}.word[{words} / 4u]"),
                        _ => format!("{base}.word[{words} / 4u + {i}u]"),
                    };
                    Some(Component {
                        path,
                        ty: UINT,
                        component: None,
                    })
                }
                _ => types.find(
                    shape,
                    base.clone(),
                    offset,
                    dynamic.as_ref(),
                    Rules::Structured,
                ),
            };
            parts.extend(found.filter(|found| found.ty.bytes() == ty.bytes()));
        }
        if parts.len() as u32 == count && count > 0 {
            return Some(parts);
        }
        // The buffer is declared again, as words.
        self.p.by_rows.insert((handle.class, handle.id));
        None
    }
}
