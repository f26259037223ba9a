//! Types, constants and operands in LLVM's syntax.

use super::Listing;
use super::text::{float, widen};
use crate::metadata::{MdId, MdNode};
use crate::module::{
    ArithFlags, BinaryOp, BlockId, CastOp, Constant, Function, Module, Predicate, Type, TypeId,
    ValueId, ValueKind, VectorOp,
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
            let names = self
                .m
                .globals
                .values()
                .map(|g| &g.name)
                .chain(self.m.functions.values().map(|f| &f.name));
            let number = names.take(index).filter(|n| n.is_empty()).count();
            self.t.fmt(format_args!("@{number}"));
        } else {
            self.t.name("@", name);
        }
    }

    /// Writes the name or number of a value of the function.
    pub(super) fn local_name(&mut self, f: Option<&Function>, v: ValueId) {
        let named = f.and_then(|f| {
            f.value_names
                .binary_search_by_key(&v.as_u32(), |(v, _)| v.as_u32())
                .ok()
                .map(|i| &f.value_names[i].1)
        });
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
        match f
            .block_names
            .binary_search_by_key(&b.as_u32(), |(b, _)| b.as_u32())
        {
            Ok(i) => self.t.name("%", &f.block_names[i].1),
            Err(_) => match self.locals.as_ref().and_then(|l| l.block(b)) {
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
            Constant::Aggregate(range) => {
                let operands = m.const_operands.get(range.range()).unwrap_or(&[]);
                self.aggregate(f, ty, operands);
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
    fn aggregate(&mut self, f: Option<&Function>, ty: TypeId, operands: &[u32]) {
        let m = self.m;
        if !operands.is_empty()
            && operands
                .iter()
                .all(|&o| is_zero(m, f, ValueId::from_u32(o)))
        {
            return self.t.push("zeroinitializer");
        }
        if !operands.is_empty()
            && operands.iter().all(|&o| {
                m.constant(f, ValueId::from_u32(o))
                    .is_some_and(|c| c.value == Constant::Undef)
            })
        {
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
            self.typed(f, ValueId::from_u32(o));
        }
        self.t.push(space);
        self.t.push(close);
    }

    /// Writes an operation on constants.
    fn constant_expression(&mut self, f: Option<&Function>, ty: TypeId, constant: &Constant) {
        let m = self.m;
        match constant {
            Constant::Binary {
                op,
                flags,
                operands,
            } => {
                self.t.push(binary(*op));
                self.flags(*flags);
                self.expression(f, operands);
                self.t.push(")");
            }
            Constant::Cast { op, value } => {
                self.t.push(cast(*op));
                self.expression(f, &[*value]);
                self.t.push(" to ");
                self.ty(ty);
                self.t.push(")");
            }
            Constant::Gep {
                inbounds,
                source,
                operands,
            } => {
                self.t.push(if *inbounds {
                    "getelementptr inbounds ("
                } else {
                    "getelementptr ("
                });
                self.ty(*source);
                for &o in m.const_operands.get(operands.range()).unwrap_or(&[]) {
                    self.t.push(", ");
                    self.typed(f, ValueId::from_u32(o));
                }
                self.t.push(")");
            }
            Constant::Select(operands) => {
                self.t.push("select");
                self.expression(f, operands);
                self.t.push(")");
            }
            Constant::Cmp {
                predicate,
                operands,
            } => {
                self.t.push(if is_float_predicate(*predicate) {
                    "fcmp "
                } else {
                    "icmp "
                });
                self.t.push(predicate_name(*predicate));
                self.expression(f, operands);
                self.t.push(")");
            }
            Constant::VectorOp { op, operands } => {
                self.t.push(match op {
                    VectorOp::Extract => "extractelement",
                    VectorOp::Insert => "insertelement",
                    VectorOp::Shuffle => "shufflevector",
                });
                let operands: Vec<ValueId> = m
                    .const_operands
                    .get(operands.range())
                    .unwrap_or(&[])
                    .iter()
                    .map(|&o| ValueId::from_u32(o))
                    .collect();
                self.expression(f, &operands);
                self.t.push(")");
            }
            _ => {}
        }
    }

    fn expression(&mut self, f: Option<&Function>, operands: &[ValueId]) {
        self.t.push(" (");
        for (i, &o) in operands.iter().enumerate() {
            self.comma(i);
            self.typed(f, o);
        }
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
            Some(MdNode::Missing) | None => self.t.push("<badref>"),
        }
    }
}

/// LLVM's name of a binary operation.
pub(super) fn binary(op: BinaryOp) -> &'static str {
    use BinaryOp as B;
    match op {
        B::Add => "add",
        B::FAdd => "fadd",
        B::Sub => "sub",
        B::FSub => "fsub",
        B::Mul => "mul",
        B::FMul => "fmul",
        B::UDiv => "udiv",
        B::SDiv => "sdiv",
        B::FDiv => "fdiv",
        B::URem => "urem",
        B::SRem => "srem",
        B::FRem => "frem",
        B::Shl => "shl",
        B::LShr => "lshr",
        B::AShr => "ashr",
        B::And => "and",
        B::Or => "or",
        B::Xor => "xor",
    }
}

/// LLVM's name of a cast.
pub(super) fn cast(op: CastOp) -> &'static str {
    use CastOp as C;
    match op {
        C::Trunc => "trunc",
        C::ZExt => "zext",
        C::SExt => "sext",
        C::FPToUI => "fptoui",
        C::FPToSI => "fptosi",
        C::UIToFP => "uitofp",
        C::SIToFP => "sitofp",
        C::FPTrunc => "fptrunc",
        C::FPExt => "fpext",
        C::PtrToInt => "ptrtoint",
        C::IntToPtr => "inttoptr",
        C::BitCast => "bitcast",
        C::AddrSpaceCast => "addrspacecast",
    }
}

/// Returns whether a predicate compares floats.
pub(super) fn is_float_predicate(p: Predicate) -> bool {
    use Predicate as P;
    !matches!(
        p,
        P::IEq
            | P::INe
            | P::IUgt
            | P::IUge
            | P::IUlt
            | P::IUle
            | P::ISgt
            | P::ISge
            | P::ISlt
            | P::ISle
    )
}

/// LLVM's name of a predicate.
pub(super) fn predicate_name(p: Predicate) -> &'static str {
    use Predicate as P;
    match p {
        P::FFalse => "false",
        P::FOeq => "oeq",
        P::FOgt => "ogt",
        P::FOge => "oge",
        P::FOlt => "olt",
        P::FOle => "ole",
        P::FOne => "one",
        P::FOrd => "ord",
        P::FUno => "uno",
        P::FUeq => "ueq",
        P::FUgt | P::IUgt => "ugt",
        P::FUge | P::IUge => "uge",
        P::FUlt | P::IUlt => "ult",
        P::FUle | P::IUle => "ule",
        P::FUne => "une",
        P::FTrue => "true",
        P::IEq => "eq",
        P::INe => "ne",
        P::ISgt => "sgt",
        P::ISge => "sge",
        P::ISlt => "slt",
        P::ISle => "sle",
    }
}
