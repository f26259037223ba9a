//! Buffer definitions in the header: the HLSL fields of constant and structured buffers with their
//! offsets.

use super::text::Text;
use crate::module::{Module, Type, TypeId};
use crate::shader::{
    FieldAnnotation, Resource, ResourceClass, ResourceKind, Shader, TypeAnnotations,
};

/// Column of the `; Offset` comments.
const OFFSET_COLUMN: usize = 54;

struct Buffers<'a> {
    t: &'a mut Text,
    m: &'a Module,
    annotations: &'a TypeAnnotations,
    /// 16-bit types take two bytes, not four.
    native_16: bool,
    /// Steps that [`Buffers::size_and_align`] may still take: it bounds the work on structures that
    /// share fields many times over.
    steps: u32,
    /// Fields lie as in a structured buffer, rather than at the offsets of the annotations
    /// for a constant buffer.
    packed: bool,
}

pub(super) fn write(t: &mut Text, m: &Module, shader: &Shader, annotations: &TypeAnnotations) {
    let mut b = Buffers {
        t,
        m,
        annotations,
        native_16: shader.native_low_precision,
        steps: 1 << 20,
        packed: false,
    };
    for class in [
        ResourceClass::CBuffer,
        ResourceClass::Srv,
        ResourceClass::Uav,
    ] {
        for r in shader.resources.iter().filter(|r| r.class == class) {
            b.resource(r);
        }
    }
}

impl Buffers<'_> {
    fn type_of(&self, ty: TypeId) -> Option<&Type> {
        self.m.types.get(ty)
    }

    fn resource(&mut self, r: &Resource) {
        let Some(mut ty) = r.symbol_type else { return };
        // A range of resources is an array of them.
        while let Some(Type::Array { element, .. }) = self.type_of(ty) {
            ty = *element;
        }
        let mut outer = None;
        let (kind, name) = match (r.class, r.kind) {
            (ResourceClass::CBuffer, _) => ("cbuffer", &*r.name),
            (_, ResourceKind::TBuffer) => ("tbuffer", &*r.name),
            (_, ResourceKind::StructuredBuffer) => {
                let Some(Type::Struct { fields, .. }) = self.type_of(ty) else {
                    return;
                };
                let Some(&element) = fields.first() else {
                    return;
                };
                outer = self
                    .annotations
                    .structure(ty)
                    .and_then(|a| a.fields.first())
                    .cloned();
                ty = element;
                ("Resource bind info for", "$Element")
            }
            _ => return,
        };
        let size = match (r.class, r.stride) {
            (ResourceClass::CBuffer, _) => r.cbuffer_size,
            (_, Some(stride)) => stride,
            _ => self.annotations.structure(ty).map_or(0, |a| a.size),
        };
        if matches!(self.type_of(ty), Some(Type::Struct { .. }))
            && self.annotations.structure(ty).is_none()
        {
            // Without annotations, names and offsets are not available.
            return;
        }
        self.t.fmt(format_args!("; {kind} {}\n; {{\n;\n", r.name));
        self.packed = r.kind == ResourceKind::StructuredBuffer;
        let element = FieldAnnotation {
            name: name.into(),
            offset: None,
            ..outer.unwrap_or_default()
        };
        self.field(ty, &element, 3, 0, Some(size));
        self.t.push(";\n; }\n;\n");
    }

    /// Writes a field with its offset; `size` is given for the outermost one. The depth of the
    /// recursion is the type's, which the reader bounds.
    fn field(
        &mut self,
        ty: TypeId,
        a: &FieldAnnotation,
        indent: usize,
        base: u32,
        size: Option<u32>,
    ) {
        if self.t.full {
            return;
        }
        let offset = base.saturating_add(a.offset.unwrap_or(0));
        let mut dims = String::new();
        let mut inner = ty;
        let matrix_depth = usize::from(a.matrix.is_some());
        // The innermost array of a matrix is the matrix itself.
        while let Some(Type::Array { element, len }) = self.type_of(inner) {
            let (element, len) = (*element, *len);
            if matrix_depth == 1 && !matches!(self.type_of(element), Some(Type::Array { .. })) {
                break;
            }
            dims.push_str(&format!("[{len}]"));
            inner = element;
        }
        match self.type_of(inner) {
            Some(Type::Struct { name, fields, .. }) if a.matrix.is_none() => {
                let (name, fields) = (name.as_deref().unwrap_or("").to_owned(), fields.to_vec());
                self.t.fmt(format_args!(
                    ";{:indent$}struct {name}\n;{:indent$}{{\n;\n",
                    "", ""
                ));
                if let Some(s) = self.annotations.structure(inner) {
                    let mut next = 0u64;
                    for (&f, a) in fields.iter().zip(&s.fields) {
                        if self.packed {
                            let (size, align) = self.size_and_align(f);
                            next = next.next_multiple_of(align);
                            let packed = FieldAnnotation {
                                offset: Some(next.min(u32::MAX.into()) as u32),
                                ..a.clone()
                            };
                            self.field(f, &packed, indent + 4, offset, None);
                            next = next.saturating_add(size).min(1 << 40);
                        } else {
                            self.field(f, a, indent + 4, offset, None);
                        }
                    }
                }
                self.t.fmt(format_args!(
                    ";{:indent$}\n;{:indent$}}} {}{dims};",
                    "", "", a.name
                ));
            }
            _ => {
                let ty = self.hlsl_type(inner, a);
                self.t
                    .fmt(format_args!(";{:indent$}{ty} {}{dims};", "", a.name));
            }
        }
        self.t.pad_to(OFFSET_COLUMN);
        self.t.fmt(format_args!("; Offset: {offset:>4}"));
        if let Some(size) = size {
            self.t.fmt(format_args!(" Size: {size:>5}"));
        }
        self.t.push("\n");
        if size.is_none()
            && a.matrix.is_none()
            && matches!(self.type_of(inner), Some(Type::Struct { .. }))
        {
            self.t.push(";\n");
        }
    }

    /// Returns the size and alignment in bytes in a structured buffer. Without recursion: a
    /// structure's fields are summed on the way up an explicit stack.
    fn size_and_align(&mut self, ty: TypeId) -> (u64, u64) {
        // A frame: structure, next field, size so far, alignment so far, factor of the arrays
        // around it.
        let mut stack: Vec<(TypeId, usize, u64, u64, u64)> = Vec::new();
        let mut ty = ty;
        while let Some(left) = self.steps.checked_sub(1) {
            self.steps = left;
            let mut factor = 1u64;
            while let Some(Type::Array { element, len }) = self.type_of(ty) {
                factor = factor.saturating_mul(*len);
                ty = *element;
            }
            let scalar = |t: &Type| match t {
                Type::Double | Type::Int(64) => 8,
                Type::Half | Type::Int(16) if self.native_16 => 2,
                _ => 4,
            };
            let mut done = match self.type_of(ty) {
                Some(Type::Struct { .. }) => {
                    stack.push((ty, 0, 0, 1, factor));
                    None
                }
                Some(Type::Vector { element, len }) => {
                    let s = self.type_of(*element).map_or(4, scalar);
                    Some((s * u64::from(*len) * factor.min(1 << 32), s))
                }
                Some(t) => Some((scalar(t) * factor.min(1 << 32), scalar(t))),
                None => Some((0, 1)),
            };
            // Return the result to the enclosing structure, or continue with its next field.
            loop {
                let Some((struct_ty, next, size, align, factor)) = stack.last_mut() else {
                    return done.unwrap_or((0, 1));
                };
                if let Some((s, a)) = done.take() {
                    *size = size.next_multiple_of(a).saturating_add(s).min(1 << 40);
                    *align = (*align).max(a);
                    *next += 1;
                }
                match self.m.types.get(*struct_ty) {
                    Some(Type::Struct { fields, .. }) if *next < fields.len() => {
                        ty = fields[*next];
                        break;
                    }
                    _ => {
                        done = Some((
                            size.next_multiple_of(*align)
                                .saturating_mul(*factor)
                                .min(1 << 40),
                            *align,
                        ));
                        stack.pop();
                    }
                }
            }
        }
        (0, 1)
    }

    fn hlsl_type(&self, ty: TypeId, a: &FieldAnnotation) -> String {
        let (scalar, len) = match self.type_of(ty) {
            Some(Type::Vector { element, len }) => (*element, Some(*len)),
            _ => (ty, None),
        };
        let base = match a.component {
            Some(2) if !self.native_16 => "min16i",
            Some(3) if !self.native_16 => "min16ui",
            Some(8) if !self.native_16 => "min16float",
            Some(1) => "bool",
            Some(2) => "int16_t",
            Some(3) => "uint16_t",
            Some(4) => "int",
            Some(5) => "uint",
            Some(6) => "int64_t",
            Some(7) => "uint64_t",
            Some(8) => "half",
            Some(9) => "float",
            Some(10) => "double",
            Some(11) => "snorm half",
            Some(12) => "unorm half",
            Some(13) => "snorm float",
            Some(14) => "unorm float",
            _ => match self.type_of(scalar) {
                Some(Type::Half) => "half",
                Some(Type::Float) => "float",
                Some(Type::Double) => "double",
                Some(Type::Int(1)) => "bool",
                Some(Type::Int(16)) => "int16_t",
                Some(Type::Int(64)) => "int64_t",
                _ => "int",
            },
        };
        match (a.matrix, len) {
            (Some([rows, cols, orientation]), _) => {
                let order = match orientation {
                    1 => "row_major ",
                    2 => "column_major ",
                    _ => "",
                };
                format!("{order}{base}{rows}x{cols}")
            }
            (None, Some(len)) => format!("{base}{len}"),
            (None, None) => base.to_owned(),
        }
    }
}
