//! Types of a call's operands and result, compared with the table.

use super::{DxCall, ParamType};
use crate::module::{Function, Module, Type, TypeId, ValueId};

impl DxCall<'_> {
    /// Returns the first operand, counted after the opcode, whose type is not the table's, or the
    /// number of operands if it is the result; `None` if all types are.
    ///
    /// The reader does not check this: the function that is called decides the types, the opcode
    /// the operation. Types that the table only names (structures, objects of libraries) must be
    /// structures or pointers.
    pub fn type_mismatch(&self, module: &Module, function: &Function) -> Option<usize> {
        let info = self.info();
        let overload = self.overload(module, function);
        let fits = |expected: ParamType, found: TypeId| {
            module.types.get(found).is_some_and(|found_type| {
                fits(
                    module,
                    expected,
                    found_type,
                    (overload == Some(found), overload),
                )
            })
        };
        let wrong = info.params.iter().zip(self.args).position(|(param, &arg)| {
            let value = module.value(Some(function), ValueId::from_u32(arg));
            !value.is_some_and(|value| fits(param.ty, value.ty))
        });
        if wrong.is_some() {
            return wrong;
        }
        if overload.is_some_and(|ty| !permits(module, info.overloads, ty))
            || !fits(info.returns, self.ty)
        {
            return Some(info.params.len());
        }
        None
    }
}

/// Returns whether a type is one that the table names. `overload`: whether it is the overload type,
/// and that type.
#[inline(always)]
fn fits(
    module: &Module,
    expected: ParamType,
    found: &Type,
    overload: (bool, Option<TypeId>),
) -> bool {
    let vector_of = |bits: u32| match (found, overload.1.and_then(|ty| module.types.get(ty))) {
        (Type::Vector { element, len }, Some(Type::Vector { len: other, .. })) => {
            len == other && module.types.get(*element) == Some(&Type::Int(bits))
        }
        (Type::Vector { .. }, _) | (_, Some(Type::Vector { .. })) => false,
        (found, _) => *found == Type::Int(bits),
    };
    match expected {
        ParamType::Void => *found == Type::Void,
        ParamType::I1 => *found == Type::Int(1),
        ParamType::I8 | ParamType::U8 => *found == Type::Int(8),
        ParamType::I16 => *found == Type::Int(16),
        ParamType::I32 | ParamType::U32 => *found == Type::Int(32),
        ParamType::I64 => *found == Type::Int(64),
        ParamType::Half => *found == Type::Half,
        ParamType::Float => *found == Type::Float,
        ParamType::Double => *found == Type::Double,
        ParamType::Overload => overload.0,
        ParamType::I1LikeOverload => vector_of(1),
        ParamType::I32LikeOverload => vector_of(32),
        ParamType::OverloadElement => match overload.1.and_then(|ty| module.types.get(ty)) {
            Some(Type::Vector { element, .. }) => module.types.get(*element) == Some(found),
            _ => true,
        },
        ParamType::TwoI32 | ParamType::SplitDouble => has_fields(module, found, &[32; 2]),
        ParamType::FourI32 | ParamType::Dimensions => has_fields(module, found, &[32; 4]),
        ParamType::I32Carry => has_fields(module, found, &[32, 1]),
        ParamType::Handle
        | ParamType::ResBind
        | ParamType::ResProperties
        | ParamType::NodeHandle
        | ParamType::NodeRecordHandle
        | ParamType::NodeProperties
        | ParamType::NodeRecordProperties
        | ParamType::HitObject
        | ParamType::ResRet
        | ParamType::CBufRet
        | ParamType::SamplePos => matches!(found, Type::Struct { .. }),
        ParamType::FloatPtr | ParamType::GroupsharedOverload1 => {
            matches!(found, Type::Pointer { .. })
        }
        ParamType::Overload0
        | ParamType::Overload1
        | ParamType::Overload2
        | ParamType::Overload3
        | ParamType::OverloadVec4
        | ParamType::OverloadVec9
        | ParamType::UserType
        | ParamType::Object
        | ParamType::Int2 => *found != Type::Void,
    }
}

/// Returns whether a type is a structure of integers, or of vectors of them, of these widths.
fn has_fields(module: &Module, ty: &Type, widths: &[u32]) -> bool {
    let has_width = |(&field, &width): (&TypeId, &u32)| match module.types.get(field) {
        Some(Type::Vector { element, .. }) => module.types.get(*element) == Some(&Type::Int(width)),
        field => field == Some(&Type::Int(width)),
    };
    matches!(ty, Type::Struct { fields, .. }
        if fields.len() == widths.len() && fields.iter().zip(widths).all(has_width))
}

/// Returns whether a type is one of the overloads, a letter each, after `<` the overloads for
/// vectors.
fn permits(module: &Module, overloads: &str, ty: TypeId) -> bool {
    let (scalars, vectors) = overloads.split_once('<').unwrap_or((overloads, ""));
    let letter = |ty: TypeId| match module.types.get(ty) {
        Some(Type::Half) => Some('h'),
        Some(Type::Float) => Some('f'),
        Some(Type::Double) => Some('d'),
        Some(Type::Int(1)) => Some('1'),
        Some(Type::Int(8)) => Some('8'),
        Some(Type::Int(16)) => Some('w'),
        Some(Type::Int(32)) => Some('i'),
        Some(Type::Int(64)) => Some('l'),
        _ => None,
    };
    let any = |list: &str| list.contains(['u', 'o']);
    match module.types.get(ty) {
        Some(Type::Vector { element, .. }) => {
            any(overloads) || letter(*element).is_some_and(|letter| vectors.contains(letter))
        }
        _ => any(overloads) || letter(ty).is_some_and(|letter| scalars.contains(letter)),
    }
}
