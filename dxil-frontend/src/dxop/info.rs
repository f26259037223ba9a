//! Facts about an operation, as the table has them.

use super::Op;
use crate::kinds::{ShaderKind, Version};

/// Type of a parameter or result in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ParamType {
    /// No value.
    Void,
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
    /// `i8`, unsigned by meaning.
    U8,
    /// `i32`, unsigned by meaning.
    U32,
    /// `half`.
    Half,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `float*`.
    FloatPtr,
    /// `%dx.types.Handle`.
    Handle,
    /// `%dx.types.ResBind`.
    ResBind,
    /// `%dx.types.ResourceProperties`.
    ResProperties,
    /// `%dx.types.NodeHandle`.
    NodeHandle,
    /// `%dx.types.NodeRecordHandle`.
    NodeRecordHandle,
    /// `%dx.types.NodeInfo`.
    NodeProperties,
    /// `%dx.types.NodeRecordInfo`.
    NodeRecordProperties,
    /// `%dx.types.HitObject`.
    HitObject,
    /// The overload type.
    Overload,
    /// First of several overload types.
    Overload0,
    /// Second of several overload types.
    Overload1,
    /// Third of several overload types.
    Overload2,
    /// Fourth of several overload types.
    Overload3,
    /// Groupshared pointer to the second overload type.
    GroupsharedOverload1,
    /// Element of the overload vector.
    OverloadElement,
    /// `i1`, or a vector of `i1` as long as the overload.
    I1LikeOverload,
    /// `i32`, or a vector of `i32` as long as the overload.
    I32LikeOverload,
    /// `%dx.types.ResRet.<overload>`: four values and a status, or a vector and a status.
    ResRet,
    /// `%dx.types.CBufRet.<overload>`: 16 bytes of the overload type.
    CBufRet,
    /// Vector of four of the overload, `%dx.types.fouri8`-like structures included.
    OverloadVec4,
    /// Vector of nine of the overload.
    OverloadVec9,
    /// Pointer to a user-defined structure.
    UserType,
    /// A resource object of a library.
    Object,
    /// `%dx.types.twoi32`.
    TwoI32,
    /// `%dx.types.i32c`: `i32` and carry `i1`.
    I32Carry,
    /// `%dx.types.fouri32`.
    FourI32,
    /// `%dx.types.splitdouble`.
    SplitDouble,
    /// `%dx.types.Dimensions`.
    Dimensions,
    /// `%dx.types.SamplePos`.
    SamplePos,
    /// `<2 x i32>`.
    Int2,
}

/// A parameter of an operation, not counting the opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Param {
    /// DXIL's name, such as `coord0`.
    pub name: &'static str,
    /// Type.
    pub ty: ParamType,
}

/// Set of stages, one bit for each [`ShaderKind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Stages(pub u16);

#[expect(missing_docs, reason = "D3D's own names")]
impl Stages {
    pub const PIXEL: Self = Self::of(ShaderKind::Pixel);
    pub const VERTEX: Self = Self::of(ShaderKind::Vertex);
    pub const GEOMETRY: Self = Self::of(ShaderKind::Geometry);
    pub const HULL: Self = Self::of(ShaderKind::Hull);
    pub const DOMAIN: Self = Self::of(ShaderKind::Domain);
    pub const COMPUTE: Self = Self::of(ShaderKind::Compute);
    pub const LIBRARY: Self = Self::of(ShaderKind::Library);
    pub const RAY_GENERATION: Self = Self::of(ShaderKind::RayGeneration);
    pub const INTERSECTION: Self = Self::of(ShaderKind::Intersection);
    pub const ANY_HIT: Self = Self::of(ShaderKind::AnyHit);
    pub const CLOSEST_HIT: Self = Self::of(ShaderKind::ClosestHit);
    pub const MISS: Self = Self::of(ShaderKind::Miss);
    pub const CALLABLE: Self = Self::of(ShaderKind::Callable);
    pub const MESH: Self = Self::of(ShaderKind::Mesh);
    pub const AMPLIFICATION: Self = Self::of(ShaderKind::Amplification);
    pub const NODE: Self = Self::of(ShaderKind::Node);
    pub const ALL: Self = Self(u16::MAX);
}

impl Stages {
    /// Returns the set of one stage.
    pub const fn of(kind: ShaderKind) -> Self {
        Self(1 << kind as u16)
    }
    /// Returns whether a shader of this kind may use the operation.
    pub const fn has(self, kind: ShaderKind) -> bool {
        self.0 & (1 << kind as u16) != 0
    }
}

/// Effects of an operation in addition to computing its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Effects(pub u16);

impl Effects {
    /// The result depends on the operands alone.
    pub const READ_NONE: Self = Self(1);
    /// May read memory or state, writes none.
    pub const READ_ONLY: Self = Self(1 << 1);
    /// Computes a derivative across the quad.
    pub const DERIVATIVE: Self = Self(1 << 2);
    /// Takes the level of detail from derivatives of its coordinates.
    pub const IMPLICIT_LOD: Self = Self(1 << 3);
    /// Must not be made control-dependent on more or fewer conditions: derivatives, implicit LOD,
    /// wave, quad and barriers.
    pub const CONVERGENT: Self = Self(1 << 4);
    /// Wave operation.
    pub const WAVE: Self = Self(1 << 5);
    /// Quad operation.
    pub const QUAD: Self = Self(1 << 6);
    /// Memory or execution barrier.
    pub const BARRIER: Self = Self(1 << 7);
    /// Control does not come back.
    pub const NO_RETURN: Self = Self(1 << 8);
    /// May write memory, emit, discard or change other state.
    pub const WRITES: Self = Self(1 << 9);
    /// A number that DXIL reserves: no module may use it.
    pub const RESERVED: Self = Self(1 << 10);

    /// Returns whether any effect of `mask` is set.
    pub const fn any(self, mask: Self) -> bool {
        self.0 & mask.0 != 0
    }
    /// Returns whether all effects of `mask` are set.
    pub const fn has(self, mask: Self) -> bool {
        self.0 & mask.0 == mask.0
    }
    /// Returns the union of both sets.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Facts about an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OpInfo {
    /// The operation.
    pub op: Op,
    /// DXIL's opcode: below `CORE_OPS`, or `0x8000_0000 + n` for an experimental one.
    pub code: u32,
    /// DXIL's name, such as `Round_ne`.
    pub name: &'static str,
    /// Class: the function is `dx.op.` + the class with its first letter in lower case.
    pub class: &'static str,
    /// Parameters after the opcode.
    pub params: &'static [Param],
    /// Result.
    pub returns: ParamType,
    /// Permitted overloads, a letter each: `v` none, `h` `f` `d` floats, `1` i1, `8` i8, `w` i16,
    /// `i` i32, `l` i64, `u` user type, `o` object; after `<` the overloads for vectors.
    pub overloads: &'static str,
    /// First shader model that has the operation.
    pub min_shader_model: Version,
    /// Stages that may use it.
    pub stages: Stages,
    /// Effects.
    pub effects: Effects,
}
