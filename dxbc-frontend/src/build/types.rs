//! Types, and the overloads of operations.

use trellis_dxil_frontend::dxop::ParamType;
use trellis_dxil_frontend::module::{Type, TypeId, TypeList};

use super::Builder;

/// The overload type of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Overload {
    /// The operation has none.
    None,
    /// `i1`.
    I1,
    /// `i8`.
    I8,
    /// `i16`.
    I16,
    /// `i32`.
    I32,
    /// `i64`.
    I64,
    /// `half`.
    F16,
    /// `float`.
    F32,
    /// `double`.
    F64,
}

impl Overload {
    /// In the order of their types, which are a module's first.
    pub(super) const ALL: [Self; 9] = [
        Self::None,
        Self::I1,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::F16,
        Self::F32,
        Self::F64,
    ];

    /// Returns whether the type is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    pub(super) fn ty(self) -> Type {
        match self {
            Self::None => Type::Void,
            Self::I1 => Type::Int(1),
            Self::I8 => Type::Int(8),
            Self::I16 => Type::Int(16),
            Self::I32 => Type::Int(32),
            Self::I64 => Type::Int(64),
            Self::F16 => Type::Half,
            Self::F32 => Type::Float,
            Self::F64 => Type::Double,
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::I1 => ".i1",
            Self::I8 => ".i8",
            Self::I16 => ".i16",
            Self::I32 => ".i32",
            Self::I64 => ".i64",
            Self::F16 => ".f16",
            Self::F32 => ".f32",
            Self::F64 => ".f64",
        }
    }

    /// Returns the name of the function of a class of operations.
    pub(super) fn function_name(self, class: &str) -> String {
        let first = class.chars().take(1).map(|c| c.to_ascii_lowercase());
        let rest = class.chars().skip(1);
        let name: String = first.chain(rest).collect();
        format!("dx.op.{name}{}", self.suffix())
    }
}

impl Builder {
    /// Returns the number of a type.
    pub fn ty(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.types.get(&ty) {
            return id;
        }
        let id = self.module.types.push(ty.clone());
        self.types.insert(ty, id);
        id
    }

    /// Returns the type of an overload; `void` for none.
    pub fn scalar(&self, overload: Overload) -> TypeId {
        TypeId::from_u32(overload as u32)
    }

    /// Returns the type of pointers to `pointee`: 0 local memory and constants, 3 groupshared.
    pub fn pointer(&mut self, pointee: TypeId, address_space: u32) -> TypeId {
        self.ty(Type::Pointer {
            pointee,
            address_space,
        })
    }

    /// Returns an array type.
    pub fn array(&mut self, element: TypeId, len: u64) -> TypeId {
        self.ty(Type::Array { element, len })
    }

    fn structure(&mut self, name: String, fields: &[Overload]) -> TypeId {
        let fields: TypeList = fields.iter().map(|&field| self.scalar(field)).collect();
        self.ty(Type::Struct {
            name: Some(name.into()),
            fields,
            packed: false,
            opaque: false,
        })
    }

    /// Returns a type of the table of operations. Types that no operation of shader model 6.0 has
    /// are pointers to bytes.
    pub(super) fn param_type(&mut self, ty: ParamType, overload: Overload) -> TypeId {
        use Overload as O;
        let scalar = match ty {
            ParamType::Void => O::None,
            ParamType::I1 | ParamType::I1LikeOverload => O::I1,
            ParamType::I8 | ParamType::U8 => O::I8,
            ParamType::I16 => O::I16,
            ParamType::I32 | ParamType::U32 | ParamType::I32LikeOverload => O::I32,
            ParamType::I64 => O::I64,
            ParamType::Half => O::F16,
            ParamType::Float => O::F32,
            ParamType::Double => O::F64,
            ParamType::Overload => overload,
            ParamType::ResRet => {
                let name = format!("dx.types.ResRet{}", overload.suffix());
                let o = overload;
                return self.structure(name, &[o, o, o, o, O::I32]);
            }
            ParamType::CBufRet => {
                let name = format!("dx.types.CBufRet{}", overload.suffix());
                let len = match overload {
                    O::F64 | O::I64 => 2,
                    O::F16 | O::I16 => 8,
                    _ => 4,
                };
                return self.structure(name, &vec![overload; len]);
            }
            ParamType::TwoI32 => return self.structure("dx.types.twoi32".into(), &[O::I32; 2]),
            ParamType::FourI32 => return self.structure("dx.types.fouri32".into(), &[O::I32; 4]),
            ParamType::Dimensions => {
                return self.structure("dx.types.Dimensions".into(), &[O::I32; 4]);
            }
            ParamType::SplitDouble => {
                return self.structure("dx.types.splitdouble".into(), &[O::I32; 2]);
            }
            ParamType::I32Carry => {
                return self.structure("dx.types.i32c".into(), &[O::I32, O::I1]);
            }
            ParamType::SamplePos => {
                return self.structure("dx.types.SamplePos".into(), &[O::F32; 2]);
            }
            ParamType::Handle => {
                let byte = self.scalar(O::I8);
                let pointer = self.pointer(byte, 0);
                return self.ty(Type::Struct {
                    name: Some("dx.types.Handle".into()),
                    fields: [pointer].as_slice().into(),
                    packed: false,
                    opaque: false,
                });
            }
            _ => {
                let byte = self.scalar(O::I8);
                return self.pointer(byte, 0);
            }
        };
        self.scalar(scalar)
    }
}
