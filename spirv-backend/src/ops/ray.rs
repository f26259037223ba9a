//! Rays: the operands that traces of all kinds share, and values that operations read in parts.
//!
//! D3D's *instance index* is SPIR-V's *instance id*, and D3D's *instance ID* is SPIR-V's *custom
//! index*. The numbers of ray flags and hit kinds are the same.

use rspirv::spirv::{Capability, Op, Word};

use super::Emitter;
use crate::error::{Error, InvalidKind};
use crate::resources::{Access, arg_handle};

/// `RAY_FLAG_SKIP_TRIANGLES` and `RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES`.
const SKIP_FLAGS: u64 = 0x300;
/// `RAY_FLAG_FORCE_OMM_2_STATE`.
const OPACITY_MICROMAP_FLAG: u64 = 0x400;

/// The form of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A boolean.
    Flag,
    /// `u32`.
    Number,
    /// `f32`.
    Float,
    /// Three `u32`, one of which the call selects.
    Numbers,
    /// A number of `f32`, one of which the call selects.
    Floats(u32),
    /// Four columns of three floats, one of which the call selects by row and column.
    Matrix,
}

impl Form {
    /// Returns the type.
    pub(super) fn ty(self, e: &mut Emitter<'_>) -> Word {
        let (element, len) = match self {
            Self::Flag => (e.b.ty_bool(), 1),
            Self::Number => (e.b.ty_u32(), 1),
            Self::Numbers => (e.b.ty_u32(), 3),
            Self::Float => (e.b.ty_f32(), 1),
            Self::Floats(len) => (e.b.ty_f32(), len),
            Self::Matrix => (e.b.ty_f32(), 3),
        };
        let ty = e.b.ty_vec(element, len);
        match self {
            Self::Matrix => e.b.ty_other(Op::TypeMatrix, &[ty, 4]),
            _ => ty,
        }
    }

    /// Returns the part of a value that a call selects by its operands from `first` on.
    pub(super) fn part(
        self,
        e: &mut Emitter<'_>,
        first: usize,
        whole: Word,
    ) -> Result<Word, Error> {
        let element = match self {
            Self::Flag | Self::Number | Self::Float => return Ok(whole),
            Self::Numbers => e.b.ty_u32(),
            Self::Floats(_) | Self::Matrix => e.b.ty_f32(),
        };
        Ok(match self {
            Self::Matrix => {
                let (row, column) = (index(e, first, 3)?, index(e, first + 1, 4)?);
                e.b.op(Op::CompositeExtract, element, &[whole, column, row])
            }
            Self::Floats(len) => {
                let component = index(e, first, len)?;
                e.b.extract(element, whole, component)
            }
            _ => {
                let component = index(e, first, 3)?;
                e.b.extract(element, whole, component)
            }
        })
    }
}

/// Returns operand `at`, a constant below `bound`.
fn index(e: &Emitter<'_>, at: usize, bound: u32) -> Result<u32, Error> {
    match e.arg_const(at)? {
        number if number < u64::from(bound) => Ok(number as u32),
        number => {
            let what = format!("operand {at} is {number}, expected a number below {bound}");
            let what = format!("{}: {what}", e.call.op.name());
            Err(e.invalid(InvalidKind::Operand, what))
        }
    }
}

/// Loads the acceleration structure in operand `at`.
pub(super) fn structure(e: &mut Emitter<'_>, at: usize) -> Result<Word, Error> {
    let handle = arg_handle(e, at)?;
    Ok(e.load_descriptor(&handle, Access::AccelerationStructure)?
        .id)
}

/// Returns origin, least distance, direction and greatest distance of the ray in the operands from
/// `first` on.
pub(super) fn ray(e: &mut Emitter<'_>, first: usize) -> Result<[Word; 4], Error> {
    Ok([
        e.arg_vector(first, 3)?,
        e.arg_id(first + 3)?,
        e.arg_vector(first + 4, 3)?,
        e.arg_id(first + 7)?,
    ])
}

/// Declares the capabilities that ray flags need; computed flags may have any value.
pub(super) fn declare_flags(e: &mut Emitter<'_>, known: u64, is_computed: bool) {
    if known & OPACITY_MICROMAP_FLAG != 0 {
        e.b.caps.add(Capability::RayTracingOpacityMicromapEXT);
    }
    if known & SKIP_FLAGS != 0 || is_computed {
        e.b.caps.add(Capability::RayTraversalPrimitiveCullingKHR);
    }
}
