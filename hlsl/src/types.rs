//! HLSL's scalar and vector types, and expressions of them.

use trellis_dxil_frontend::module::{Module, Type, TypeId};
use trellis_dxil_frontend::shader::ComponentType;

/// Number of bits that names a type of minimum precision.
pub(crate) const MIN_PRECISION: u8 = 15;

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    Bool,
    /// Integer of 8 (in operands of operations), 16, 32 or 64 bits, or of minimum precision.
    Int {
        bits: u8,
        signed: bool,
    },
    /// Float of 16, 32 or 64 bits, or of minimum precision.
    Float(u8),
}

pub(crate) const INT: Scalar = Scalar::Int {
    bits: 32,
    signed: true,
};
pub(crate) const UINT: Scalar = Scalar::Int {
    bits: 32,
    signed: false,
};
pub(crate) const FLOAT: Scalar = Scalar::Float(32);

impl Scalar {
    /// Returns the type of a number in a module; integers are unsigned. `native`: types of 16 bits
    /// are not minimum precision. `None` for other types.
    pub(crate) fn of(module: &Module, ty: TypeId, native: bool) -> Option<Self> {
        let half = if native { 16 } else { MIN_PRECISION };
        Some(match *module.types.get(ty)? {
            Type::Int(1) => Self::Bool,
            Type::Int(bits @ (8 | 16 | 32 | 64)) => Self::Int {
                bits: if bits == 16 { half } else { bits as u8 },
                signed: false,
            },
            Type::Half => Self::Float(half),
            Type::Float => Self::Float(32),
            Type::Double => Self::Float(64),
            _ => return None,
        })
    }

    pub(crate) fn of_component(ty: ComponentType) -> Self {
        use ComponentType as C;
        let int = |bits, signed| Self::Int { bits, signed };
        match ty {
            C::I1 => Self::Bool,
            C::I16 => int(16, true),
            C::U16 => int(16, false),
            C::I32 => INT,
            C::I64 => int(64, true),
            C::U64 => int(64, false),
            C::F16 | C::SNormF16 | C::UNormF16 => Self::Float(16),
            C::F32 | C::SNormF32 | C::UNormF32 => FLOAT,
            C::F64 | C::SNormF64 | C::UNormF64 => Self::Float(64),
            C::Invalid | C::U32 | C::PackedS8x32 | C::PackedU8x32 => UINT,
        }
    }

    pub(crate) fn is_int(self) -> bool {
        matches!(self, Self::Int { .. })
    }

    /// Returns the integer type of this width with a sign; other types stay as they are.
    pub(crate) fn with_sign(self, signed: bool) -> Self {
        match self {
            Self::Int { bits, .. } => Self::Int { bits, signed },
            other => other,
        }
    }

    /// Returns the name.
    pub(crate) fn name(self) -> &'static str {
        let either = |names: [&'static str; 2], signed| names[usize::from(signed)];
        match self {
            Self::Bool => "bool",
            Self::Float(16) => "float16_t",
            Self::Float(MIN_PRECISION) => "min16float",
            Self::Float(64) => "double",
            Self::Float(_) => "float",
            Self::Int { bits: 64, signed } => either(["uint64_t", "int64_t"], signed),
            Self::Int { bits: 16, signed } => either(["uint16_t", "int16_t"], signed),
            Self::Int {
                bits: MIN_PRECISION,
                signed,
            } => either(["min16uint", "min16int"], signed),
            Self::Int { signed, .. } => either(["uint", "int"], signed),
        }
    }

    /// Returns the type of minimum precision in place of a native one of 16 bits.
    pub(crate) fn without_native(self) -> Self {
        match self {
            Self::Float(16) => Self::Float(MIN_PRECISION),
            Self::Int { bits: 16, signed } => Self::Int {
                bits: MIN_PRECISION,
                signed,
            },
            other => other,
        }
    }

    /// Returns the name of a vector, or of the scalar if it is one component.
    pub(crate) fn vector_name(self, components: u32) -> String {
        match components {
            0 | 1 => self.name().to_owned(),
            n => format!("{}{n}", self.name()),
        }
    }

    /// Returns the size in bytes in a buffer.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Self::Int { bits: 16, .. } | Self::Float(16) => 2,
            Self::Int { bits: 64, .. } | Self::Float(64) => 8,
            _ => 4,
        }
    }
}

/// Binding strength of an operator: an operand that binds weaker than its place is in parentheses.
pub(crate) mod prec {
    pub(crate) const ATOM: u8 = 14;
    pub(crate) const UNARY: u8 = 13;
    pub(crate) const MUL: u8 = 12;
    pub(crate) const ADD: u8 = 11;
    pub(crate) const SHIFT: u8 = 10;
    pub(crate) const RELATION: u8 = 9;
    pub(crate) const EQUAL: u8 = 8;
    pub(crate) const BIT_AND: u8 = 7;
    pub(crate) const BIT_XOR: u8 = 6;
    pub(crate) const BIT_OR: u8 = 5;
    pub(crate) const AND: u8 = 4;
    pub(crate) const OR: u8 = 3;
    pub(crate) const CHOICE: u8 = 2;
    pub(crate) const ANY: u8 = 0;
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) text: String,
    pub(crate) prec: u8,
    /// Type; of a component for a vector.
    pub(crate) ty: Scalar,
    /// Number of components.
    pub(crate) count: u32,
    /// A literal without a suffix, whose sign follows from its context.
    pub(crate) is_literal: bool,
    /// The negation of a comparison.
    pub(crate) opposite: Option<String>,
}

impl Expr {
    pub(crate) fn new(text: impl Into<String>, prec: u8, ty: Scalar) -> Self {
        Self {
            text: text.into(),
            prec,
            ty,
            count: 1,
            is_literal: false,
            opposite: None,
        }
    }

    pub(crate) fn atom(text: impl Into<String>, ty: Scalar) -> Self {
        Self::new(text, prec::ATOM, ty)
    }

    pub(crate) fn with_count(self, count: u32) -> Self {
        Self { count, ..self }
    }

    /// Returns the text for a place of this strength.
    pub(crate) fn at(&self, prec: u8) -> String {
        match self.prec < prec {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }

    /// Returns a call of a function.
    pub(crate) fn call(name: &str, arguments: &[Self], ty: Scalar) -> Self {
        let arguments: Vec<&str> = arguments.iter().map(|a| &*a.text).collect();
        Self::atom(format!("{name}({})", arguments.join(", ")), ty)
    }

    /// Returns the same bits as another type of this width.
    pub(crate) fn reinterpret(self, to: Scalar) -> Self {
        let name = match (self.ty, to) {
            (from, to) if from == to => return self,
            (Scalar::Int { .. }, Scalar::Float(32)) => "asfloat",
            (Scalar::Float(32), Scalar::Int { signed, .. }) => {
                ["asuint", "asint"][usize::from(signed)]
            }
            (Scalar::Int { .. }, Scalar::Float(16)) => "asfloat16",
            (Scalar::Float(16), Scalar::Int { signed, .. }) => {
                ["asuint16", "asint16"][usize::from(signed)]
            }
            _ => return self.cast(to),
        };
        let count = self.count;
        Self::call(name, &[self], to).with_count(count)
    }

    /// Returns the conversion to another type.
    pub(crate) fn cast(self, to: Scalar) -> Self {
        if self.ty == to {
            return self;
        }
        if self.is_literal && to.is_int() {
            let suffix = if to == UINT && !self.text.starts_with('-') {
                "u"
            } else {
                ""
            };
            return Self::new(self.text + suffix, self.prec, to);
        }
        let name = to.vector_name(self.count);
        Self::new(format!("({name}){}", self.at(prec::UNARY)), prec::UNARY, to)
            .with_count(self.count)
    }
}

/// Joins components to a vector: `a.xyz` of components of one, else `float3(…)`.
pub(crate) fn vector(parts: &[Expr], ty: Scalar) -> Expr {
    let swizzle = |part: &Expr| {
        let (base, component) = part.text.rsplit_once('.')?;
        let is_one = component.len() == 1 && "xyzw".contains(component);
        (is_one && part.prec == prec::ATOM).then(|| (base.to_owned(), component.to_owned()))
    };
    match parts {
        [only] => only.clone(),
        [first, ..] => {
            let all: Option<Vec<_>> = parts.iter().map(swizzle).collect();
            if let Some(all) = all.filter(|all| all.iter().all(|part| part.0 == all[0].0)) {
                let components: String = all.iter().map(|part| &*part.1).collect();
                let text = format!("{}.{components}", all[0].0);
                return Expr::atom(text, first.ty).with_count(parts.len() as u32);
            }
            let count = parts.len() as u32;
            Expr::call(&ty.vector_name(count), parts, ty).with_count(count)
        }
        [] => Expr::atom("0", ty),
    }
}
