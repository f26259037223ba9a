//! `WaveMatch` and the `WaveMultiPrefix` operations, without vendor extensions: functions that loop
//! over the groups of lanes. All lanes take part in each round, so that the loop is uniform; it
//! ends, since each round removes at least the lowest remaining lane.
//!
//! `WaveMatch`: a round compares all lanes with the lowest remaining lane. Floats are compared by
//! their bits.
//!
//! `WaveMultiPrefix*`: D3D requires that the masks form a partition of the lanes (all lanes of a
//! mask pass that same mask), as `WaveMatch` makes them. A round scans the values of one mask, with
//! the identity for all other lanes.

use rspirv::spirv::{BuiltIn, GroupOperation, Op, Word};
use smallvec::{SmallVec, smallvec};

use super::Emitter;
use super::state::{Combine, WaveFunction};
use super::subgroup::{ballot, count_mask, is_live, mask_type, set_mask};
use super::wave_functions::function_id;
use crate::error::Error;
use crate::values::{Scalar, Shape};

/// Returns the value as words that are equal where the values are.
fn words(e: &mut Emitter<'_>, shape: Shape, value: Word) -> SmallVec<[Word; 8]> {
    if shape.lanes > 1 {
        let one = shape.of_lanes(1);
        let ty = e.shape_type(one);
        let mut all = SmallVec::new();
        for lane in 0..shape.lanes {
            let part = e.b.extract(ty, value, lane);
            all.extend(words(e, one, part));
        }
        return all;
    }
    let width = shape.width();
    let bits = match shape.scalar {
        Scalar::Float(_) => {
            let ty = e.b.ty_int(width);
            e.b.bitcast(ty, value)
        }
        _ => value,
    };
    if width == 64 {
        return SmallVec::from_slice(&e.split_words(bits));
    }
    let ints = Shape {
        relaxed: false,
        ..shape.with(Scalar::Int(width))
    };
    let as_word = e.resize_int(ints, 32, false, bits);
    if width < 32 || shape.bits() == 32 {
        return smallvec![as_word];
    }
    // Integers of minimum precision: their upper bits do not count.
    smallvec![e.b.word_with(Op::BitwiseAnd, as_word, (1 << shape.bits()) - 1)]
}

pub(super) fn wave_match(e: &mut Emitter<'_>) -> Result<(), Error> {
    let shape = e.value_shape(e.arg_value(0)?)?;
    let value = e.arg_id(0)?;
    let (mask_ty, words) = (mask_type(e), words(e, shape, value));
    let is_live = is_live(e);
    let which = WaveFunction::Match { words: words.len() };
    let mut operands = vec![function_id(e, which), is_live];
    operands.extend(words);
    let mask = e.b.op(Op::FunctionCall, mask_ty, &operands);
    set_mask(e, mask);
    Ok(())
}

pub(super) fn multi_prefix_bit_count(e: &mut Emitter<'_>) -> Result<(), Error> {
    let mask = e.arg_vector(1, 4)?;
    let cond = e.arg_id(0)?;
    let (ty, set) = (mask_type(e), ballot(e, cond));
    let both = e.b.op(Op::BitwiseAnd, ty, &[mask, set]);
    let id = count_mask(e, both, GroupOperation::ExclusiveScan);
    e.set_result(0, id);
    Ok(())
}

pub(super) fn multi_prefix(e: &mut Emitter<'_>) -> Result<(), Error> {
    use Combine::{And, Or, Product, Sum, Xor};
    let combine = e.arg_choice(5, "operation", &[Sum, And, Or, Xor, Product])?;
    let shape = e.shape(e.call.ty)?;
    if combine.op(shape.scalar, false).is_none() {
        return Err(e.unsupported_on(format!("{} ({combine:?})", shape.scalar)));
    }
    let value = e.arg_id(0)?;
    let (ty, mask_ty) = (e.shape_type(shape), mask_type(e));
    let is_live = is_live(e);
    let mask = e.arg_vector(1, 4)?;
    // The lane takes part, whatever its mask is, so that the loop ends.
    let lanes = Shape::U32.of_lanes(4);
    let this = e.builtin(BuiltIn::SubgroupEqMask, lanes);
    let mask = e.b.op(Op::BitwiseOr, mask_ty, &[mask, this]);
    let which = WaveFunction::MultiPrefix { combine, shape };
    let function = function_id(e, which);
    let id =
        e.b.op(Op::FunctionCall, ty, &[function, is_live, value, mask]);
    e.set_new_result(shape, id);
    Ok(())
}
