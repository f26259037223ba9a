//! Reductions of vectors: all or any of the components, the dot product. (Legalization has split
//! those that are longer than SPIR-V's.)

use rspirv::spirv::{Op, Word};
use trellis_dxil_frontend::dxop::VectorOp;

use super::Emitter;
use crate::error::Error;
use crate::values::{Scalar, Shape};

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: VectorOp) -> Result<(), Error> {
    let shape = e.value_shape(e.arg_value(0)?)?;
    let (one, vector) = (shape.of_lanes(1), e.arg_id(0)?);
    let ty = e.shape_type(one);
    let id = match (op, shape.scalar) {
        (VectorOp::FDot, _) => {
            let other = e.arg_id(1)?;
            e.b.op(Op::Dot, ty, &[vector, other])
        }
        (VectorOp::VectorReduceAnd, Scalar::Bool) => e.b.op(Op::All, ty, &[vector]),
        (VectorOp::VectorReduceOr, Scalar::Bool) => e.b.op(Op::Any, ty, &[vector]),
        (VectorOp::VectorReduceAnd, _) => chain(e, Op::BitwiseAnd, shape, vector),
        (VectorOp::VectorReduceOr, _) => chain(e, Op::BitwiseOr, shape, vector),
    };
    e.set_new_result(one, id);
    Ok(())
}

/// Combines the components of a vector.
fn chain(e: &mut Emitter<'_>, op: Op, shape: Shape, vector: Word) -> Word {
    let ty = e.shape_type(shape.of_lanes(1));
    let first = e.b.extract(ty, vector, 0);
    (1..shape.lanes).fold(first, |sum, lane| {
        let part = e.b.extract(ty, vector, lane);
        e.b.op(op, ty, &[sum, part])
    })
}

/// Returns a vector of the results of a function on each component; its result for a scalar.
pub(super) fn by_component(
    e: &mut Emitter<'_>,
    shape: Shape,
    result: Shape,
    value: Word,
    mut each: impl FnMut(&mut Emitter<'_>, Shape, Word) -> Word,
) -> Word {
    let one = shape.of_lanes(1);
    if shape.lanes == 1 {
        return each(e, one, value);
    }
    let ty = e.shape_type(one);
    let mut parts = smallvec::SmallVec::<[Word; 4]>::new();
    for lane in 0..shape.lanes {
        let part = e.b.extract(ty, value, lane);
        parts.push(each(e, one, part));
    }
    let ty = e.shape_type(result);
    e.b.construct(ty, &parts)
}
