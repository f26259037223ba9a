//! `WaveMatch` and the `WaveMultiPrefix` operations, without loops and without vendor extensions.
//!
//! `WaveMatch`: two lanes match when they agree on every bit of the value, so one ballot per bit
//! finds all groups at once: each lane removes the lanes whose bit differs from its own. Floats are
//! compared by their bits.
//!
//! `WaveMultiPrefix*`: D3D requires that the masks form a partition of the lanes (all lanes of a
//! mask pass that same mask), as `WaveMatch` makes them. Each lane points to the next lower lane of
//! its mask; by pointer jumping, log2(wave size) rounds of shuffles combine the values of all lower
//! lanes.

use rspirv::spirv::{BuiltIn, GroupOperation, Op, Word};
use trellis_dxil_frontend::dxop::DxCall;

use super::State;
use super::wave::{
    Combine, active_mask, count_mask, mask_type, raw_ballot, set_mask, shuffle, subgroup,
};
use super::{system, wave};
use crate::error::{Error, Feature, InvalidKind};
use crate::values::Shape;
use crate::values::{FunctionBuilder, Scalar};

/// Returns the value as words of which `.1` low bits count.
fn words(
    e: &mut FunctionBuilder<'_>,
    shape: Shape,
    value: Word,
) -> smallvec::SmallVec<[(Word, u32); 2]> {
    if shape.lanes > 1 {
        let one = Shape { lanes: 1, ..shape };
        let ty = e.shape_type(one);
        let mut all = smallvec::SmallVec::new();
        for lane in 0..shape.lanes {
            let part = e.b.extract(ty, value, lane);
            all.extend(words(e, one, part));
        }
        return all;
    }
    let word = e.b.ty_u32();
    let width = shape.width();
    let bits = match shape.scalar {
        Scalar::Float(_) => {
            let ty = e.b.ty_int(width);
            e.b.bitcast(ty, value)
        }
        _ => value,
    };
    if width == 64 {
        let pair_ty = e.b.ty_vec(word, 2);
        let pair = e.b.bitcast(pair_ty, bits);
        let (low, high) = (e.b.extract(word, pair, 0), e.b.extract(word, pair, 1));
        return smallvec::smallvec![(low, 32), (high, 32)];
    }
    let as_word = e.resize_int(
        Shape {
            relaxed: false,
            ..shape.with(Scalar::Int(width))
        },
        32,
        false,
        bits,
    );
    smallvec::smallvec![(as_word, shape.bits())]
}

pub(super) fn wave_match(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
) -> Result<(), Error> {
    let shape = e.value_shape(e.arg_value(call, 0)?)?;
    if shape.scalar == Scalar::Bool {
        return Err(e.unsupported(Feature::on(call.op, shape.to_string())));
    }
    let value = e.arg_id(call, 0)?;
    let (word, bool_ty, mask_ty) = (e.b.ty_u32(), e.b.ty_bool(), mask_type(e));
    let (zero, one) = (e.b.const_u32(0), e.b.const_u32(1));
    // Lanes that differ in some bit.
    let mut differ: Option<Word> = None;
    for (value, bits) in words(e, shape, value) {
        for bit in 0..bits {
            let offset = e.b.const_u32(bit);
            // 0 or all ones.
            let mine = e.b.op(Op::BitFieldSExtract, word, &[value, offset, one]);
            let is_set = e.b.op(Op::INotEqual, bool_ty, &[mine, zero]);
            let set = raw_ballot(e, is_set);
            let spread = e.b.op(Op::CompositeConstruct, mask_ty, &[mine; 4]);
            let other = e.b.op(Op::BitwiseXor, mask_ty, &[set, spread]);
            differ = Some(match differ {
                Some(before) => e.b.op(Op::BitwiseOr, mask_ty, &[before, other]),
                None => other,
            });
        }
    }
    let differ =
        differ.ok_or_else(|| e.invalid(InvalidKind::Type, "WaveMatch of a type without bits"))?;
    let active = active_mask(e, state);
    let same = e.b.op(Op::Not, mask_ty, &[differ]);
    let mask = e.b.op(Op::BitwiseAnd, mask_ty, &[same, active]);
    set_mask(e, call, mask);
    Ok(())
}

/// Returns the four mask operands from `first` on, lanes that do not take part removed.
fn mask_operand(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
    first: usize,
) -> Result<Word, Error> {
    let mut parts = [0; 4];
    for (i, part) in parts.iter_mut().enumerate() {
        *part = e.arg_id(call, first + i)?;
    }
    let ty = mask_type(e);
    let mask = e.b.op(Op::CompositeConstruct, ty, &parts);
    let active = active_mask(e, state);
    Ok(e.b.op(Op::BitwiseAnd, ty, &[mask, active]))
}

pub(super) fn multi_prefix_bit_count(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
) -> Result<(), Error> {
    let mask = mask_operand(e, state, call, 1)?;
    let cond = e.arg_id(call, 0)?;
    let (ty, set) = (mask_type(e), wave::ballot(e, state, cond));
    let both = e.b.op(Op::BitwiseAnd, ty, &[mask, set]);
    let id = count_mask(e, both, GroupOperation::ExclusiveScan);
    e.set(call.inst, 0, id);
    Ok(())
}

pub(super) fn multi_prefix(
    e: &mut FunctionBuilder<'_>,
    state: &mut State,
    call: &DxCall<'_>,
) -> Result<(), Error> {
    let combine = match e.arg_const(call, 5)? {
        0 => Combine::Sum,
        1 => Combine::And,
        2 => Combine::Or,
        3 => Combine::Xor,
        4 => Combine::Product,
        other => {
            return Err(e.invalid(
                InvalidKind::Operand,
                format!("WaveMultiPrefixOp with operation {other}, expected 0 to 4"),
            ));
        }
    };
    let shape = e.shape(call.ty)?;
    let Some((_, op)) = combine.ops(shape.scalar, false) else {
        return Err(e.unsupported(Feature::on(
            call.op,
            format!("{} ({combine:?})", shape.scalar),
        )));
    };
    let value = e.arg_id(call, 0)?;
    let mask = mask_operand(e, state, call, 1)?;
    let (ty, bool_ty) = (e.shape_type(shape), e.b.ty_bool());
    let bools = shape.with(Scalar::Bool);
    let (previous, has_previous) = previous_lane(e, state, mask);
    let (mut sum, mut pointer, mut more) = (value, previous, has_previous);
    // The sum of this lane and of 2^n - 1 lower lanes of the mask after n rounds.
    for _ in 0..rounds(e) {
        let word = e.b.ty_u32();
        let other = shuffle(e, ty, sum, pointer);
        let both = e.b.op(op, ty, &[other, sum]);
        let all_more = e.splat(bools, more);
        sum = e.b.op(Op::Select, ty, &[all_more, both, sum]);
        let other_more = shuffle(e, bool_ty, more, pointer);
        more = e.b.op(Op::LogicalAnd, bool_ty, &[more, other_more]);
        // A lane at the end of its chain points to itself, so that this is harmless without a
        // condition.
        pointer = shuffle(e, word, pointer, pointer);
    }
    let before = shuffle(e, ty, sum, previous);
    let identity = combine.identity(e, shape, false);
    let has_previous = e.splat(bools, has_previous);
    let id = e.b.op(Op::Select, ty, &[has_previous, before, identity]);
    e.set_new(call.inst, shape, id);
    Ok(())
}

/// Returns the next lower lane of the mask (the lane itself if there is none), and whether there is
/// one.
fn previous_lane(e: &mut FunctionBuilder<'_>, state: &mut State, mask: Word) -> (Word, Word) {
    let (word, bool_ty, mask_ty) = (e.b.ty_u32(), e.b.ty_bool(), mask_type(e));
    let bools_ty = e.b.ty_vec(bool_ty, 4);
    let lower_lanes = crate::interface::load_builtin(
        e,
        &mut state.interface,
        BuiltIn::SubgroupLtMask,
        Shape {
            lanes: 4,
            ..Shape::U32
        },
    );
    let lower = e.b.op(Op::BitwiseAnd, mask_ty, &[mask, lower_lanes]);
    let zero = e.b.const_null(mask_ty);
    let nonzero = e.b.op(Op::INotEqual, bools_ty, &[lower, zero]);
    let any = e.b.op(Op::Any, bool_ty, &[nonzero]);
    let scope = subgroup(e);
    let highest =
        e.b.op(Op::GroupNonUniformBallotFindMSB, word, &[scope, lower]);
    let this = system::lane_index(e, state);
    (e.b.op(Op::Select, word, &[any, highest, this]), any)
}

/// Returns log2 of the largest wave that the shader can run with: 128 lanes unless it limits the
/// wave size.
fn rounds(e: &FunctionBuilder<'_>) -> u32 {
    let largest = match e.entry.properties.wave_size {
        Some(size) if size.maximum == 0 => size.minimum,
        Some(size) => size.maximum,
        None => 0,
    };
    if (2..=128).contains(&largest) {
        largest.next_power_of_two().trailing_zeros()
    } else {
        7
    }
}
