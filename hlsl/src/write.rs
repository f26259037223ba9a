//! Stores, atomic operations and queries of resources: statements.

use trellis_dxil_frontend::dxop::{DxCall, Op};
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

use crate::body::Body;
use crate::handle::Handle;
use crate::layout::{COMPONENTS, Component};
use crate::resource::coordinates;
use crate::types::{Expr, Scalar, UINT, vector};

impl Body<'_, '_> {
    /// Returns the statements of an operation without a value: stores and atomic operations. `name` is
    /// the variable of the result.
    pub(crate) fn write(&mut self, call: &DxCall<'_>, name: Option<&str>) -> Option<Vec<String>> {
        let op = call.op;
        match op {
            Op::TextureStore
            | Op::BufferStore
            | Op::RawBufferStore
            | Op::AtomicBinOp
            | Op::AtomicCompareExchange
            | Op::GetDimensions
            | Op::TextureStoreSample => {}
            _ => return None,
        }
        let Some(handle) = call.operand(0).and_then(|value| self.handle(value)) else {
            let text = self.unwritten("a choice of resources", UINT).text;
            return Some(vec![format!("{text};")]);
        };
        Some(match op {
            Op::GetDimensions => self.dimensions(call, &handle, name.unwrap_or("size")),
            Op::AtomicBinOp | Op::AtomicCompareExchange => self.atomic(call, &handle, name),
            Op::TextureStore | Op::TextureStoreSample => {
                let (n, _) = coordinates(handle.kind);
                let at: Vec<Expr> = (0..n).map(|i| self.arg_as(call, 1 + i, UINT)).collect();
                let (scalar, count) = handle.element;
                let value: Vec<Expr> = (0..count as usize).map(|i| self.arg(call, 4 + i)).collect();
                let (at, value) = (vector(&at, UINT).text, vector(&value, scalar).text);
                match op == Op::TextureStoreSample {
                    true => {
                        let sample = self.arg(call, 9).text;
                        vec![format!("{}.sample[{sample}][{at}] = {value};", handle.text)]
                    }
                    false => vec![format!("{}[{at}] = {value};", handle.text)],
                }
            }
            _ => self.store_buffer(call, &handle),
        })
    }

    pub(crate) fn store_buffer(&mut self, call: &DxCall<'_>, handle: &Handle) -> Vec<String> {
        let mask = self.literal(call, 7).unwrap_or(15);
        let count = (64 - (mask & 15).leading_zeros()).max(1);
        let values: Vec<Expr> = (0..count as usize).map(|i| self.arg(call, 3 + i)).collect();
        let ty = values[0].ty;
        match handle.kind {
            ResourceKind::StructuredBuffer => {
                let Some(parts) = self.elements(call, handle, 1, count, ty) else {
                    return vec![format!(
                        "{};",
                        self.unwritten("an access to a part of a word", ty).text
                    )];
                };
                if parts
                    .iter()
                    .all(|part| part.path == parts[0].path && part.component.is_some())
                {
                    let to = Component::join(&parts);
                    let value = vector(&values, ty).reinterpret_for_store(to.ty);
                    return vec![format!("{} = {};", to.text, value.text)];
                }
                let pairs = parts.into_iter().zip(values);
                let store = |(to, value): (Component, Expr)| {
                    format!(
                        "{} = {};",
                        to.expr().text,
                        value.reinterpret_for_store(to.ty).text
                    )
                };
                pairs.map(store).collect()
            }
            ResourceKind::RawBuffer => {
                let at = self.arg_as(call, 1, UINT).text;
                let value = vector(&values, ty);
                if ty.bytes() != 4 || ty == Scalar::Float(crate::types::MIN_PRECISION) {
                    let name = ty.vector_name(count);
                    return vec![format!(
                        "{}.Store<{name}>({at}, {});",
                        handle.text, value.text
                    )];
                }
                let suffix = if count > 1 {
                    count.to_string()
                } else {
                    String::new()
                };
                let value = match ty {
                    Scalar::Float(_) => value.reinterpret(UINT),
                    _ => value,
                };
                vec![format!(
                    "{}.Store{suffix}({at}, {});",
                    handle.text, value.text
                )]
            }
            _ => {
                let at = self.arg_as(call, 1, UINT).text;
                let (scalar, count) = handle.element;
                let values: Vec<Expr> =
                    (0..count as usize).map(|i| self.arg(call, 3 + i)).collect();
                vec![format!(
                    "{}[{at}] = {};",
                    handle.text,
                    vector(&values, scalar).text
                )]
            }
        }
    }

    pub(crate) fn atomic(
        &mut self,
        call: &DxCall<'_>,
        handle: &Handle,
        name: Option<&str>,
    ) -> Vec<String> {
        let is_exchange = call.op == Op::AtomicCompareExchange;
        let first = if is_exchange { 1 } else { 2 };
        let operation = self.literal(call, 1).unwrap_or(0);
        let signed = !is_exchange && matches!(operation, 4 | 5);
        let unsigned = !is_exchange && matches!(operation, 6 | 7);
        let words = call.ty;
        let ty = self.type_of(words).0;
        let value_ty = ty.with_sign(signed);
        let mut args = Vec::new();
        let mut method = String::new();
        match handle.kind {
            ResourceKind::RawBuffer => {
                method = format!("{}.", handle.text);
                args.push(self.arg_as(call, first, UINT));
            }
            ResourceKind::StructuredBuffer => {
                let found = self
                    .elements(call, handle, first, 1, ty)
                    .and_then(|mut parts| parts.pop());
                args.push(match found {
                    Some(found) => found.expr(),
                    None => self.unwritten("an access to a part of a word", ty),
                });
            }
            kind => {
                let n = if kind == ResourceKind::TypedBuffer {
                    1
                } else {
                    coordinates(kind).0
                };
                let at: Vec<Expr> = (0..n).map(|i| self.arg_as(call, first + i, UINT)).collect();
                args.push(Expr::atom(
                    format!("{}[{}]", handle.text, vector(&at, UINT).text),
                    handle.element.0,
                ));
            }
        }
        let stored = if method.is_empty() {
            args[0].ty
        } else {
            value_ty
        };
        if (signed && stored == stored.with_sign(false)
            || unsigned && stored == stored.with_sign(true))
            && method.is_empty()
        {
            args[0] = self.unwritten("an atomic operation with another sign", stored);
        }
        let mut function = match (is_exchange, operation) {
            (true, _) => "InterlockedCompareExchange",
            (_, 0) => "InterlockedAdd",
            (_, 1) => "InterlockedAnd",
            (_, 2) => "InterlockedOr",
            (_, 3) => "InterlockedXor",
            (_, 4 | 6) => "InterlockedMin",
            (_, 5 | 7) => "InterlockedMax",
            _ => "InterlockedExchange",
        }
        .to_owned();
        if ty.bytes() == 8 && !method.is_empty() {
            function.push_str("64");
        }
        let last = if is_exchange { 4 } else { 5 };
        for index in last..call.args.len() {
            let value = self.arg_as(call, index, value_ty);
            args.push(value.reinterpret_for_store(stored));
        }
        self.interlocked(&format!("{method}{function}"), args, stored, name)
    }

    /// Returns the statements of an atomic operation that sets a variable, if there is one.
    pub(crate) fn interlocked(
        &mut self,
        function: &str,
        mut args: Vec<Expr>,
        stored: Scalar,
        name: Option<&str>,
    ) -> Vec<String> {
        let needs = function.contains("Exchange");
        if matches!(stored, Scalar::Float(_)) {
            args[0] = self.unwritten("an atomic operation on floats", stored);
        }
        match name {
            Some(name) => args.push(Expr::atom(name, stored)),
            None if needs => {
                let unused = self.p.names.add("unused");
                args.push(Expr::atom(unused.clone(), stored));
                let ty = stored.name();
                return vec![
                    format!("{ty} {unused};"),
                    format!("{};", Expr::call(function, &args, UINT).text),
                ];
            }
            None => {}
        }
        vec![format!("{};", Expr::call(function, &args, UINT).text)]
    }

    pub(crate) fn dimensions(
        &mut self,
        call: &DxCall<'_>,
        handle: &Handle,
        name: &str,
    ) -> Vec<String> {
        use ResourceKind as K;
        let used = self.components_used(call);
        let (n, levels) = match handle.kind {
            K::Texture1D => (1, true),
            K::Texture1DArray => (2, true),
            K::Texture2D | K::TextureCube => (2, true),
            K::Texture2DArray | K::TextureCubeArray | K::Texture3D => (3, true),
            K::Texture2DMS => (2, false),
            K::Texture2DMSArray => (3, false),
            _ => (1, false),
        };
        let is_samples = matches!(handle.kind, K::Texture2DMS | K::Texture2DMSArray);
        let level = call.operand(1).filter(|&v| !self.is_undef_or_zero(v));
        let has_levels =
            levels && handle.class == ResourceClass::Srv && (used > 3 || level.is_some());
        let mut args = Vec::new();
        if has_levels {
            args.push(self.arg_as(call, 1, UINT));
        }
        // An array of one dimension has its length in the second component.
        args.extend(
            COMPONENTS
                .iter()
                .take(n)
                .map(|c| Expr::atom(format!("{name}.{c}"), UINT)),
        );
        if has_levels || is_samples {
            args.push(Expr::atom(format!("{name}.w"), UINT));
        }
        if handle.kind == K::StructuredBuffer {
            args.push(Expr::atom(format!("{name}.y"), UINT));
        }
        vec![format!(
            "{};",
            Expr::call(&format!("{}.GetDimensions", handle.text), &args, UINT).text
        )]
    }
}

impl Expr {
    /// Returns the value as memory of a type takes it.
    pub(crate) fn reinterpret_for_store(self, to: Scalar) -> Self {
        match (self.ty, to) {
            (a, b) if a == b => self,
            (a, b) if a.is_int() && b.is_int() => self,
            (_, Scalar::Bool) => self.cast(to),
            _ => self.reinterpret(to),
        }
    }
}
