//! Types, constants and operands in LLVM's syntax.

use super::Listing;
use super::text::{float, widen};
use crate::metadata::{MdId, MdNode};
use crate::module::{
    ArithFlags, BlockId, Constant, Function, Module, Predicate, Type, TypeId, ValueId, ValueKind,
    VectorOp,
};

/// Returns true for a value type whose only content is zero, as LLVM folds it.
fn is_zero(module: &Module, f: Option<&Function>, v: ValueId) -> bool {
    match module.constant(f, v).map(|c| &c.value) {
        Some(Constant::Null | Constant::Int(0) | Constant::Float(0)) => true,
        Some(Constant::Data(elements)) => elements.iter().all(|&e| e == 0),
        _ => false,
    }
}

impl Listing<'_> {
    /// Writes a type. The reader bounds its depth ([`crate::limits::MAX_TYPE_DEPTH`]).
    pub(super) fn ty(&mut self, ty: TypeId) {
        if self.t.full {
            return;
        }
        let Some(data) = self.m.types.get(ty) else {
            return self.t.push("<badtype>");
        };
        match data {
            Type::Void => self.t.push("void"),
            Type::Half => self.t.push("half"),
            Type::Float => self.t.push("float"),
            Type::Double => self.t.push("double"),
            Type::Int(bits) | Type::WideInt(bits) => self.t.fmt(format_args!("i{bits}")),
            Type::Label => self.t.push("label"),
            Type::Metadata => self.t.push("metadata"),
            Type::Pointer {
                pointee,
                address_space,
            } => {
                self.ty(*pointee);
                if *address_space != 0 {
                    self.t.fmt(format_args!(" addrspace({address_space})"));
                }
                self.t.push("*");
            }
            Type::Vector { element, len } => {
                self.t.fmt(format_args!("<{len} x "));
                self.ty(*element);
                self.t.push(">");
            }
            Type::Array { element, len } => {
                self.t.fmt(format_args!("[{len} x "));
                self.ty(*element);
                self.t.push("]");
            }
            Type::Struct {
                name: Some(name), ..
            } => self.t.name("%", name),
            Type::Struct { .. } => self.struct_body(ty),
            Type::Function {
                ret,
                params,
                vararg,
            } => {
                self.ty(*ret);
                self.t.push(" (");
                for (i, p) in params.iter().enumerate() {
                    self.comma(i);
                    self.ty(*p);
                }
                if *vararg {
                    self.comma(params.len());
                    self.t.push("...");
                }
                self.t.push(")");
            }
        }
    }

    /// Fields of a structure.
    pub(super) fn struct_body(&mut self, ty: TypeId) {
        let Some(Type::Struct {
            fields,
            packed,
            opaque,
            ..
        }) = self.m.types.get(ty)
        else {
            return;
        };
        if *opaque {
            return self.t.push("opaque");
        }
        self.t.push(if *packed { "<{" } else { "{" });
        for (i, f) in fields.iter().enumerate() {
            self.t.push(if i == 0 { " " } else { ", " });
            self.ty(*f);
        }
        self.t.push(if fields.is_empty() { "" } else { " " });
        self.t.push(if *packed { "}>" } else { "}" });
    }

    pub(super) fn comma(&mut self, index: usize) {
        if index > 0 {
            self.t.push(", ");
        }
    }

    pub(super) fn type_of(&self, f: Option<&Function>, v: ValueId) -> Option<TypeId> {
        self.m.value(f, v).map(|v| v.ty)
    }

    /// Writes the type of a value; a block has none.
    pub(super) fn type_name(&mut self, f: Option<&Function>, v: ValueId) {
        match self.type_of(f, v) {
            Some(ty) => self.ty(ty),
            None => self.t.push("<badtype>"),
        }
    }

    /// Writes an operand with its type.
    pub(super) fn typed(&mut self, f: Option<&Function>, v: ValueId) {
        self.type_name(f, v);
        self.t.push(" ");
        self.value(f, v);
    }

    /// Writes an operand.
    pub(super) fn value(&mut self, f: Option<&Function>, v: ValueId) {
        if self.t.full {
            return;
        }
        let m = self.m;
        let Some(data) = m.value(f, v) else {
            return self.t.push("<badref>");
        };
        match data.kind {
            ValueKind::Global(g) => self.global_name(
                m.globals.get(g).map_or("", |g| &g.name),
                g.as_u32() as usize,
            ),
            ValueKind::Function(id) => self.global_name(
                m.functions.get(id).map_or("", |f| &f.name),
                m.globals.len() + id.as_u32() as usize,
            ),
            ValueKind::Constant(c) => match m.constants.get(c) {
                Some(constant) => self.constant(f, constant.ty, &constant.value),
                None => self.t.push("<badref>"),
            },
            ValueKind::Argument(_) | ValueKind::Inst(_) => self.local_name(f, v),
        }
    }

    /// Writes a global's or function's name, or its number among the unnamed ones; `index` counts
    /// globals, then functions.
    pub(super) fn global_name(&mut self, name: &str, index: usize) {
        if name.is_empty() {
            let globals = self.m.globals.values().map(|g| &g.name);
            let names = globals.chain(self.m.functions.values().map(|f| &f.name));
            let number = names.take(index).filter(|n| n.is_empty()).count();
            self.t.fmt(format_args!("@{number}"));
        } else {
            self.t.name("@", name);
        }
    }

    /// Writes the name or number of a value of the function.
    pub(super) fn local_name(&mut self, f: Option<&Function>, v: ValueId) {
        let named = f.and_then(|f| f.value_name(v));
        let number = (v.as_u32() as usize)
            .checked_sub(self.m.values.len())
            .and_then(|local| self.locals.as_ref()?.value(local));
        match (named, number) {
            (Some(name), _) => self.t.name("%", name),
            (None, Some(n)) => self.t.fmt(format_args!("%{n}")),
            (None, None) => self.t.push("<badref>"),
        }
    }

    /// Writes the name or number of a block.
    pub(super) fn block_name(&mut self, f: &Function, b: BlockId) {
        match f.block_name(b) {
            Some(name) => self.t.name("%", name),
            None => match self.locals.as_ref().and_then(|l| l.block(b)) {
                Some(n) => self.t.fmt(format_args!("%{n}")),
                None => self.t.push("<badref>"),
            },
        }
    }

    /// Writes a number of a scalar type from its bits.
    pub(super) fn scalar(&mut self, ty: TypeId, bits: u64) {
        match self.m.types.get(ty) {
            Some(Type::Int(1)) => self.t.push(if bits & 1 != 0 { "true" } else { "false" }),
            Some(Type::Int(width)) => {
                let shift = 64 - (*width).clamp(1, 64);
                self.t
                    .fmt(format_args!("{}", (bits << shift) as i64 >> shift));
            }
            Some(Type::Half) => self.t.fmt(format_args!("0xH{:04X}", bits & 0xFFFF)),
            Some(Type::Float) => self.t.push(&float(widen(bits as u32))),
            Some(Type::Double) => self.t.push(&float(f64::from_bits(bits))),
            _ => self.t.push("<badref>"),
        }
    }

    /// Writes a constant. The reader bounds its depth ([`crate::limits::MAX_CONSTANT_DEPTH`]).
    fn constant(&mut self, f: Option<&Function>, ty: TypeId, constant: &Constant) {
        let m = self.m;
        match constant {
            Constant::Null => match m.types.get(ty) {
                Some(Type::Int(_) | Type::Half | Type::Float | Type::Double) => self.scalar(ty, 0),
                Some(Type::Pointer { .. }) => self.t.push("null"),
                _ => self.t.push("zeroinitializer"),
            },
            Constant::Undef => self.t.push("undef"),
            Constant::Int(bits) | Constant::Float(bits) => self.scalar(ty, *bits),
            Constant::Aggregate(_) => {
                let operands: Vec<ValueId> = constant.operands(&m.const_operands).collect();
                self.aggregate(f, ty, &operands);
            }
            Constant::Data(elements) => self.data(ty, elements),
            Constant::String(bytes, nul) => {
                if bytes.iter().all(|&b| b == 0) {
                    return self.t.push("zeroinitializer");
                }
                self.t.push("c");
                let mut bytes = bytes.to_vec();
                if *nul {
                    bytes.push(0);
                }
                self.t.quoted(&bytes);
            }
            Constant::Binary { .. }
            | Constant::Cast { .. }
            | Constant::Gep { .. }
            | Constant::Select(_)
            | Constant::Cmp { .. }
            | Constant::VectorOp { .. } => self.constant_expression(f, ty, constant),
        }
    }

    /// Writes an array, structure or vector whose elements are any constants.
    fn aggregate(&mut self, f: Option<&Function>, ty: TypeId, operands: &[ValueId]) {
        let m = self.m;
        let is_undef = |o| m.constant(f, o).is_some_and(|c| c.value == Constant::Undef);
        if !operands.is_empty() && operands.iter().all(|&o| is_zero(m, f, o)) {
            return self.t.push("zeroinitializer");
        }
        if !operands.is_empty() && operands.iter().all(|&o| is_undef(o)) {
            return self.t.push("undef");
        }
        let (open, close, space) = match m.types.get(ty) {
            Some(Type::Struct { packed: true, .. }) => ("<{", "}>", " "),
            Some(Type::Struct { .. }) => ("{", "}", " "),
            Some(Type::Vector { .. }) => ("<", ">", ""),
            _ => ("[", "]", ""),
        };
        let space = if operands.is_empty() { "" } else { space };
        self.t.push(open);
        self.t.push(space);
        for (i, &o) in operands.iter().enumerate() {
            self.comma(i);
            self.typed(f, o);
        }
        self.t.push(space);
        self.t.push(close);
    }

    /// Writes an operation on constants.
    fn constant_expression(&mut self, f: Option<&Function>, ty: TypeId, constant: &Constant) {
        match constant {
            Constant::Binary { op, flags, .. } => {
                self.t.lower_case(op);
                self.flags(*flags);
            }
            Constant::Cast { op, .. } => self.t.lower_case(op),
            Constant::Gep { inbounds, .. } => self.getelementptr(*inbounds),
            Constant::Select(_) => self.t.push("select"),
            Constant::Cmp { predicate, .. } => {
                self.t.push(compare(*predicate));
                self.predicate(*predicate);
            }
            Constant::VectorOp { op, .. } => self.t.push(match op {
                VectorOp::Extract => "extractelement",
                VectorOp::Insert => "insertelement",
                VectorOp::Shuffle => "shufflevector",
            }),
            _ => {}
        }
        self.t.push(" (");
        if let Constant::Gep { source, .. } = constant {
            self.ty(*source);
            self.t.push(", ");
        }
        for (i, o) in constant.operands(&self.m.const_operands).enumerate() {
            self.comma(i);
            self.typed(f, o);
        }
        if let Constant::Cast { .. } = constant {
            self.t.push(" to ");
            self.ty(ty);
        }
        self.t.push(")");
    }

    /// Writes the operation of a `getelementptr`.
    pub(super) fn getelementptr(&mut self, inbounds: bool) {
        self.t.push("getelementptr");
        self.t.push(if inbounds { " inbounds" } else { "" });
    }

    /// Writes LLVM's name of a predicate after a space.
    pub(super) fn predicate(&mut self, predicate: Predicate) {
        self.t.push(" ");
        // Without the letter that distinguishes floats from integers.
        let name = format!("{predicate:?}").to_ascii_lowercase();
        self.t.push(&name[1..]);
    }

    /// Writes an array or vector of plain numbers.
    fn data(&mut self, ty: TypeId, elements: &[u64]) {
        if elements.iter().all(|&e| e == 0) {
            return self.t.push("zeroinitializer");
        }
        let (element, vector) = match self.m.types.get(ty) {
            Some(Type::Vector { element, .. }) => (*element, true),
            Some(Type::Array { element, .. }) => (*element, false),
            _ => return self.t.push("<badref>"),
        };
        if !vector && self.m.types.get(element) == Some(&Type::Int(8)) {
            self.t.push("c");
            return self
                .t
                .quoted(&elements.iter().map(|&e| e as u8).collect::<Vec<_>>());
        }
        self.t.push(if vector { "<" } else { "[" });
        for (i, &e) in elements.iter().enumerate() {
            if self.t.full {
                return;
            }
            self.comma(i);
            self.ty(element);
            self.t.push(" ");
            self.scalar(element, e);
        }
        self.t.push(if vector { ">" } else { "]" });
    }

    /// Flags after an operation's name.
    pub(super) fn flags(&mut self, flags: ArithFlags) {
        if flags.has(ArithFlags::FAST) {
            self.t.push(" fast");
        } else {
            for (bit, name) in [
                (ArithFlags::NNAN, " nnan"),
                (ArithFlags::NINF, " ninf"),
                (ArithFlags::NSZ, " nsz"),
                (ArithFlags::ARCP, " arcp"),
            ] {
                if flags.has(bit) {
                    self.t.push(name);
                }
            }
        }
        for (bit, name) in [
            (ArithFlags::NUW, " nuw"),
            (ArithFlags::NSW, " nsw"),
            (ArithFlags::EXACT, " exact"),
        ] {
            if flags.has(bit) {
                self.t.push(name);
            }
        }
    }

    /// Writes metadata as an operand: a number, a string, or a value with its type.
    pub(super) fn metadata(&mut self, f: Option<&Function>, id: MdId) {
        let md = &self.m.metadata;
        match md.nodes.get(id) {
            Some(MdNode::String(range)) => {
                self.t.push("!");
                self.t.quoted(md.strings.get(range.range()).unwrap_or(&[]));
            }
            Some(MdNode::Value { ty, value }) => {
                self.ty(*ty);
                self.t.push(" ");
                self.value(f, *value);
            }
            Some(MdNode::Node { .. } | MdNode::Debug { .. }) => match self.slots.of(id) {
                Some(n) => self.t.fmt(format_args!("!{n}")),
                None => self.t.push("<badref>"),
            },
            None => self.t.push("<badref>"),
        }
    }
}

/// Returns the operation that a predicate belongs to.
pub(super) fn compare(predicate: Predicate) -> &'static str {
    if predicate.is_float() { "fcmp" } else { "icmp" }
}
