//! Expressions: constants, operands, and LLVM's instructions.

use trellis_dxil_frontend::module::{
    BinaryOp, CastOp, Constant, InstId, InstKind, Predicate, Type, TypeId, ValueId, ValueKind,
};
use trellis_structurizer::ir;
use trellis_structurizer_analysis::variables::Source;

use crate::body::Body;
use crate::layout::COMPONENTS;
use crate::plan::Place;
use crate::types::{Expr, INT, Scalar, UINT, prec};

impl Body<'_, '_> {
    pub(crate) fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        Scalar::of(self.p.module, ty, self.p.shader.native_low_precision)
    }

    /// Returns the type of a value: of its components if it is an aggregate, and how many these are.
    pub(crate) fn type_of(&self, ty: TypeId) -> (Scalar, u32) {
        let of = |ty| self.scalar(ty).unwrap_or(UINT);
        match self.p.module.types.get(ty) {
            Some(Type::Struct { fields, name, .. }) if !fields.is_empty() => {
                let is_loaded = name
                    .as_deref()
                    .is_some_and(|n| n.starts_with("dx.types.ResRet"));
                (
                    of(fields[0]),
                    (fields.len() - usize::from(is_loaded)).min(4) as u32,
                )
            }
            Some(Type::Vector { element, len }) => (of(*element), *len),
            _ => (of(ty), 1),
        }
    }

    /// Returns an operand; a literal takes the sign of its context.
    pub(crate) fn operand(&mut self, value: ValueId) -> Expr {
        let Some(data) = self.p.module.value(Some(self.function), value) else {
            return Expr::atom("0", UINT);
        };
        match data.kind {
            ValueKind::Constant(id) => {
                let constant = self.p.module.constants[id].clone();
                self.constant(&constant.value, data.ty)
            }
            ValueKind::Inst(id) if self.plan.place(id) == Place::Inside => self.computed(id),
            _ => self.named(value),
        }
    }

    /// Returns an operand of a type: a literal with a suffix, integers with this sign.
    pub(crate) fn operand_as(&mut self, value: ValueId, ty: Scalar) -> Expr {
        let expr = self.operand(value);
        self.signed(value, expr, ty)
    }

    /// Returns an operand's expression with the sign of an integer type.
    fn signed(&self, value: ValueId, expr: Expr, ty: Scalar) -> Expr {
        if let Scalar::Int { signed, .. } = ty
            && expr.ty.is_int()
        {
            let to = expr.ty.with_sign(signed);
            return self
                .signed_literal(value, to)
                .unwrap_or_else(|| expr.cast(to));
        }
        expr
    }

    /// Returns an operand that is written where an integer of either sign may be.
    pub(crate) fn any_sign(&mut self, value: ValueId) -> Expr {
        let expr = self.operand(value);
        let sign = INT.with_sign(expr.text.starts_with('-'));
        if expr.is_literal {
            expr.cast(sign)
        } else {
            expr
        }
    }

    fn signed_literal(&self, value: ValueId, to: Scalar) -> Option<Expr> {
        let number = self.p.module.const_int(Some(self.function), value)?;
        let Scalar::Int { bits, signed } = to else {
            return None;
        };
        Some(match (bits, signed) {
            (32, true) if number as u32 == 1 << 31 => {
                Expr::new("(int)0x80000000u", prec::UNARY, to)
            }
            (32, true) => integer(i64::from(number as u32 as i32).to_string(), to),
            (32, false) => Expr::atom(format!("{}u", magnitude(number)), to),
            _ => wide(number, to),
        })
    }

    pub(crate) fn constant(&mut self, constant: &Constant, ty: TypeId) -> Expr {
        let scalar = self.scalar(ty).unwrap_or(UINT);
        let number = match constant {
            Constant::Int(number) | Constant::Float(number) => *number,
            Constant::Null | Constant::Undef => 0,
            _ => {
                return self.unwritten("a constant expression", scalar);
            }
        };
        match scalar {
            Scalar::Bool => Expr::atom(["false", "true"][(number & 1) as usize], scalar),
            Scalar::Float(bits) => float(number, bits),
            Scalar::Int { bits: 32, .. } => {
                let signed = number as u32 as i32;
                match signed {
                    0.. => Expr {
                        is_literal: true,
                        ..Expr::atom(magnitude(number), INT)
                    },
                    -0xFFFF..0 => Expr {
                        is_literal: true,
                        ..integer(signed.to_string(), INT)
                    },
                    _ => Expr::atom(format!("{}u", magnitude(number)), UINT),
                }
            }
            Scalar::Int { .. } => wide(number, scalar),
        }
    }

    /// Returns a value that has a name.
    fn named(&mut self, value: ValueId) -> Expr {
        let leaf = self
            .leaves
            .iter()
            .find(|leaf| leaf.0 == value)
            .map(|leaf| leaf.1);
        match leaf {
            Some(value) => self.read(value),
            None => match self.arguments.get(&value) {
                Some((name, ty)) => Expr::atom(name.clone(), *ty),
                None => Expr::atom("0", UINT),
            },
        }
    }

    /// Returns a value of the structurizer's.
    pub(crate) fn read(&mut self, value: ir::Value) -> Expr {
        let source = self.variables.source(value);
        if let Source::Value(value) = source {
            match self.structured.func.value_kind(value) {
                ir::ValueKind::BoolConstant(is_true) => {
                    return Expr::atom(["false", "true"][usize::from(is_true)], Scalar::Bool);
                }
                ir::ValueKind::SelectorConstant(number) => {
                    return Expr::atom(format!("{number}u"), UINT);
                }
                ir::ValueKind::Undef => return Expr::atom("0", UINT),
                ir::ValueKind::Constant { payload } => {
                    let value = ValueId::from_u32(payload);
                    let leaves = std::mem::take(&mut self.leaves);
                    let expr = self.operand(value);
                    self.leaves = leaves;
                    return expr;
                }
                _ => {}
            }
        }
        let (name, ty) = self.slot_name(source);
        Expr::atom(name, ty)
    }

    /// Returns the expression of an instruction's result.
    pub(crate) fn computed(&mut self, id: InstId) -> Expr {
        self.insts.push(id);
        let function = self.function;
        let inst = &function.insts[id];
        let ty = self.type_of(inst.ty).0;
        match inst.kind {
            InstKind::Binary { op, lhs, rhs, .. } => self.binary(op, lhs, rhs),
            InstKind::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            } => self.compare(predicate, lhs, rhs),
            InstKind::Cast { op, value } => self.convert(op, value, ty),
            InstKind::Select { cond, then, else_ } => {
                let cond = self.operand(cond);
                let (then, else_) = (self.any_sign(then), self.any_sign(else_));
                let (then, else_) = common(then, else_);
                let text = format!(
                    "{} ? {} : {}",
                    cond.at(prec::OR),
                    then.at(prec::CHOICE + 1),
                    else_.at(prec::CHOICE)
                );
                Expr::new(text, prec::CHOICE, then.ty)
            }
            InstKind::ExtractValue { aggregate, indices } => {
                let index = function.pool.get(indices.range()).and_then(<[u32]>::first);
                self.component(aggregate, index.copied().unwrap_or(0), ty)
            }
            InstKind::Load { ptr, .. } => match self.pointee(ptr) {
                Some((text, stored)) => Expr::atom(text, stored).reinterpret(ty),
                None => self.unwritten("a load of an address", ty),
            },
            InstKind::Call { .. } => self.call(id),
            InstKind::Phi { .. } => self.unwritten("a phi", ty),
            _ => self.unwritten("a vector instruction", ty),
        }
    }

    fn binary(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Expr {
        use BinaryOp as B;
        let constant = |this: &Self, value| this.p.module.const_int(Some(this.function), value);
        let is_bool = self
            .p
            .module
            .value(Some(self.function), lhs)
            .and_then(|v| self.scalar(v.ty))
            == Some(Scalar::Bool);
        let sign = match op {
            B::SDiv | B::SRem | B::AShr => Some(true),
            B::UDiv | B::URem | B::LShr => Some(false),
            _ => None,
        };
        if is_bool {
            let (a, b) = (self.operand(lhs), self.operand(rhs));
            if op == B::Xor && b.text == "true" {
                return not(a);
            }
            // Arithmetic modulo 2: a product is a conjunction, a sum or difference an inequality.
            let (sign, at) = match op {
                B::And | B::Mul => ("&&", prec::AND),
                B::Or => ("||", prec::OR),
                _ => ("!=", prec::EQUAL),
            };
            return Expr::new(
                format!("{} {sign} {}", a.at(at), b.at(at + 1)),
                at,
                Scalar::Bool,
            );
        }
        // LLVM 3.7 has no negation: it is a subtraction from -0.0.
        if op == B::FSub && self.is_minus_zero(lhs) {
            let b = self.operand(rhs);
            return Expr::new(format!("-{}", b.at(prec::UNARY + 1)), prec::UNARY, b.ty);
        }
        if op == B::Sub && constant(self, lhs) == Some(0) {
            let b = self.operand(rhs);
            return Expr::new(format!("-{}", b.at(prec::UNARY + 1)), prec::UNARY, b.ty);
        }
        let (mut a, mut b) = match sign {
            Some(signed) => {
                let ty = INT.with_sign(signed);
                (self.operand_as(lhs, ty), self.operand_as(rhs, ty))
            }
            None => (self.operand(lhs), self.operand(rhs)),
        };
        // LLVM has no complement either.
        if b.text == "-1" && op == B::Xor {
            return Expr::new(format!("~{}", a.at(prec::UNARY)), prec::UNARY, a.ty);
        }
        let (text, at) = match op {
            B::Add | B::FAdd => ("+", prec::ADD),
            B::Sub | B::FSub => ("-", prec::ADD),
            B::Mul | B::FMul => ("*", prec::MUL),
            B::UDiv | B::SDiv | B::FDiv => ("/", prec::MUL),
            B::URem | B::SRem | B::FRem => ("%", prec::MUL),
            B::Shl => ("<<", prec::SHIFT),
            B::LShr | B::AShr => (">>", prec::SHIFT),
            B::And => ("&", prec::BIT_AND),
            B::Or => ("|", prec::BIT_OR),
            B::Xor => ("^", prec::BIT_XOR),
        };
        if matches!(op, B::Add | B::FAdd) && b.text.starts_with('-') && b.prec == prec::UNARY {
            // A negative number is subtracted. Negation of a float is exact.
            let ty = if b.is_literal { a.ty } else { b.ty };
            return Expr::new(format!("{} - {}", a.at(at), &b.text[1..]), at, ty);
        }
        if op == B::Shl {
            a = if a.is_literal { a.cast(UINT) } else { a };
        } else if a.is_literal && b.is_literal {
            a = a.cast(UINT);
        }
        // A mask reads better as an unsigned number.
        if b.is_literal && matches!(op, B::And | B::Or | B::Xor) && b.text.starts_with('-') {
            b = Expr::atom(
                format!(
                    "{}u",
                    magnitude(u64::from(b.text.parse::<i32>().unwrap_or(0) as u32))
                ),
                UINT,
            );
        }
        let ty = match (a.is_literal, b.is_literal || op == B::Shl) {
            (true, _) => b.ty,
            (_, true) => a.ty,
            _ if a.ty == b.ty => a.ty,
            _ => a.ty.with_sign(false),
        };
        Expr::new(format!("{} {text} {}", a.at(at), b.at(at + 1)), at, ty)
    }

    fn is_minus_zero(&self, value: ValueId) -> bool {
        let constant = self.p.module.constant(Some(self.function), value);
        constant.is_some_and(|c| {
            let sign = match self.p.module.ty(c.ty) {
                Type::Half => 1 << 15,
                Type::Double => 1 << 63,
                _ => 1 << 31,
            };
            c.value == Constant::Float(sign)
        })
    }

    fn compare(&mut self, predicate: Predicate, lhs: ValueId, rhs: ValueId) -> Expr {
        use Predicate as P;
        let (text, sign) = match predicate {
            P::FOeq | P::FUeq | P::IEq => ("==", None),
            P::FOne | P::FUne | P::INe => ("!=", None),
            P::FOgt | P::FUle => (">", None),
            P::FOge | P::FUlt => (">=", None),
            P::FOlt | P::FUge => ("<", None),
            P::FOle | P::FUgt => ("<=", None),
            P::IUgt => (">", Some(false)),
            P::IUge => (">=", Some(false)),
            P::IUlt => ("<", Some(false)),
            P::IUle => ("<=", Some(false)),
            P::ISgt => (">", Some(true)),
            P::ISge => (">=", Some(true)),
            P::ISlt => ("<", Some(true)),
            P::ISle => ("<=", Some(true)),
            P::FFalse => return Expr::atom("false", Scalar::Bool),
            P::FTrue => return Expr::atom("true", Scalar::Bool),
            P::FOrd | P::FUno => {
                let (a, b) = (self.operand(lhs), self.operand(rhs));
                let (not, join) = if predicate == P::FOrd {
                    ("!", "&&")
                } else {
                    ("", "||")
                };
                let text = format!("{not}isnan({}) {join} {not}isnan({})", a.text, b.text);
                return Expr::new(text, prec::OR, Scalar::Bool);
            }
        };
        let (a, b) = match sign {
            Some(signed) => {
                let ty = INT.with_sign(signed);
                let (a, b) = (self.operand_as(lhs, ty), self.operand_as(rhs, ty));
                (a, b)
            }
            None => {
                let (a, b) = (self.operand(lhs), self.operand(rhs));
                common(a, b)
            }
        };
        let at = if sign.is_some() || !matches!(text, "==" | "!=") {
            prec::RELATION
        } else {
            prec::EQUAL
        };
        let mut test = Expr::new(
            format!("{} {text} {}", a.at(at), b.at(at + 1)),
            at,
            Scalar::Bool,
        );
        let opposite = match text {
            "==" => "!=",
            "!=" => "==",
            "<" => ">=",
            ">=" => "<",
            ">" => "<=",
            _ => ">",
        };
        // Not of floats, which may be unordered.
        if !predicate.is_float() || matches!(predicate, P::FOeq | P::FUne) {
            test.opposite = Some(format!("{} {opposite} {}", a.at(at), b.at(at + 1)));
        }
        match predicate {
            // Unordered: true for NaN.
            P::FUle | P::FUlt | P::FUge | P::FUgt => {
                Expr::new(format!("!({})", test.text), prec::UNARY, Scalar::Bool)
            }
            // HLSL's `!=` is unordered.
            P::FOne => {
                let text = format!("{0} < {1} || {0} > {1}", a.at(at), b.at(at + 1));
                Expr::new(text, prec::OR, Scalar::Bool)
            }
            P::FUeq => {
                let text = format!("!({0} < {1} || {0} > {1})", a.at(at), b.at(at + 1));
                Expr::new(text, prec::UNARY, Scalar::Bool)
            }
            _ => test,
        }
    }

    fn convert(&mut self, op: CastOp, value: ValueId, ty: Scalar) -> Expr {
        use CastOp as C;
        let from = self.operand(value);
        match op {
            // A truncation keeps the lowest bit; HLSL's `bool` tests all of them.
            C::Trunc if ty == Scalar::Bool => {
                let text = format!("({} & 1) != 0", from.at(prec::BIT_AND));
                Expr::new(text, prec::EQUAL, ty)
            }
            C::SExt if from.ty == Scalar::Bool => choice(&from, "-1", "0", ty.with_sign(true)),
            C::ZExt if from.ty == Scalar::Bool => from.cast(ty),
            // A set bit is -1 as a signed number.
            C::SIToFP if from.ty == Scalar::Bool => choice(&from, "-1.0", "0.0", ty),
            C::UIToFP | C::ZExt => self.signed(value, from, UINT).cast(ty),
            C::SIToFP => self.signed(value, from, INT).cast(ty),
            C::SExt => self.signed(value, from, INT).cast(ty.with_sign(true)),
            C::FPToSI => from.cast(ty.with_sign(true)),
            C::BitCast => from.reinterpret(ty),
            C::PtrToInt | C::IntToPtr | C::AddrSpaceCast => {
                self.unwritten("a cast of an address", ty)
            }
            C::Trunc | C::FPToUI | C::FPTrunc | C::FPExt => from.cast(ty),
        }
    }

    /// Returns a component of an aggregate.
    fn component(&mut self, aggregate: ValueId, index: u32, ty: Scalar) -> Expr {
        if let Some(expr) = self.component_of_constants(aggregate, index, ty) {
            return expr;
        }
        let whole = self.operand(aggregate);
        let data = self.p.module.value(Some(self.function), aggregate);
        let count = match data.map(|data| data.kind) {
            Some(ValueKind::Inst(id)) => self.components(id),
            _ => None,
        };
        let count = count
            .or_else(|| Some(self.type_of(data?.ty).1))
            .unwrap_or(4);
        let is_status = index > 3 || index >= count;
        let part = match COMPONENTS.get(index as usize) {
            Some(_) if is_status => return self.unwritten("the status of an access", ty),
            Some(_) if count == 1 => whole,
            Some(component) => {
                Expr::atom(format!("{}.{component}", whole.at(prec::ATOM)), whole.ty)
            }
            None => return self.unwritten("the status of an access", ty),
        };
        if ty == Scalar::Bool {
            part.cast(ty)
        } else {
            part
        }
    }

    /// Returns a text in place of an expression that HLSL does not have.
    pub(crate) fn unwritten(&mut self, reason: &str, ty: Scalar) -> Expr {
        self.p.note(reason);
        Expr::atom(format!("UNWRITTEN(\"{reason}\")"), ty)
    }
}

fn integer(text: String, ty: Scalar) -> Expr {
    let at = if text.starts_with('-') {
        prec::UNARY
    } else {
        prec::ATOM
    };
    Expr::new(text, at, ty)
}

fn choice(cond: &Expr, then: &str, else_: &str, ty: Scalar) -> Expr {
    Expr::new(
        format!("{} ? {then} : {else_}", cond.at(prec::OR)),
        prec::CHOICE,
        ty,
    )
}

/// Returns the negation of a condition.
pub(crate) fn not(cond: Expr) -> Expr {
    if let Some(opposite) = cond.opposite {
        return Expr {
            opposite: Some(cond.text),
            ..Expr::new(opposite, cond.prec, Scalar::Bool)
        };
    }
    if let Some(inner) = cond.text.strip_prefix('!')
        && cond.prec == prec::UNARY
    {
        let is_whole = inner.starts_with('(') && inner.ends_with(')');
        return match is_whole {
            true => Expr::new(&inner[1..inner.len() - 1], prec::ANY, Scalar::Bool),
            false => Expr::new(inner, prec::UNARY, Scalar::Bool),
        };
    }
    Expr::new(
        format!("!{}", cond.at(prec::UNARY)),
        prec::UNARY,
        Scalar::Bool,
    )
}

fn magnitude(number: u64) -> String {
    match number {
        0..=0xFFFF => number.to_string(),
        _ => format!("0x{number:X}"),
    }
}

/// Returns a float with these bits: a decimal number that reads as the same one.
pub(crate) fn float(bits: u64, width: u8) -> Expr {
    let ty = Scalar::Float(width);
    let (number, is_plain) = match width {
        64 => {
            let number = f64::from_bits(bits);
            (number, number.is_normal() || number == 0.0)
        }
        32 => {
            let number = f32::from_bits(bits as u32);
            (f64::from(number), number.is_normal() || number == 0.0)
        }
        _ => {
            let number = half(bits as u16);
            (number, number.is_finite())
        }
    };
    if !is_plain {
        return match width {
            64 => Expr::atom(
                format!("asdouble(0x{:X}u, 0x{:X}u)", bits as u32, bits >> 32),
                ty,
            ),
            32 => Expr::atom(format!("asfloat(0x{bits:X}u)"), ty),
            16 => Expr::atom(format!("asfloat16((uint16_t)0x{bits:X}u)"), ty),
            _ => Expr::new(
                format!("(min16float)f16tof32(0x{bits:X}u)"),
                prec::UNARY,
                ty,
            ),
        };
    }
    let digits = match width {
        32 => format!("{:?}", number as f32),
        _ => format!("{number:?}"),
    };
    let text = match width {
        64 => format!("{digits}L"),
        32 => digits,
        _ => format!("({}){digits}", ty.name()),
    };
    let at = if text.starts_with('-') || text.starts_with('(') {
        prec::UNARY
    } else {
        prec::ATOM
    };
    Expr::new(text, at, ty)
}

/// Returns the value of a float of 16 bits.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 => f64::INFINITY,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// Returns a literal of 16 or 64 bits.
fn wide(number: u64, to: Scalar) -> Expr {
    let Scalar::Int { bits, signed } = to else {
        return Expr::atom("0", to);
    };
    match (bits, signed) {
        (64, true) => Expr::new(
            format!("(int64_t){}ull", magnitude(number)),
            prec::UNARY,
            to,
        ),
        (64, false) => Expr::atom(format!("{}ull", magnitude(number)), to),
        _ => {
            let text = if signed {
                (number as i16).to_string()
            } else {
                magnitude(number)
            };
            Expr::new(format!("({}){text}", to.name()), prec::UNARY, to)
        }
    }
}

/// Returns two operands of an operation that does not depend on signs.
fn common(a: Expr, b: Expr) -> (Expr, Expr) {
    match (a.ty, b.ty) {
        (Scalar::Int { signed: x, .. }, Scalar::Int { signed: y, .. }) if x != y => {
            let to = a.ty.with_sign(false);
            (a.cast(to), b.cast(to))
        }
        _ => (a, b),
    }
}
