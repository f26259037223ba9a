//! `WaveMatch` and the `WaveMultiPrefix` operations, without vendor extensions: functions that loop
//! over the groups of lanes. All lanes take part in each round, so that the loop is uniform; it
//! ends, since each round removes at least the lowest lane that is left.
//!
//! `WaveMatch`: a round compares all lanes with the lowest lane that is left. Floats are compared by
//! their bits.
//!
//! `WaveMultiPrefix*`: D3D requires that the masks form a partition of the lanes (all lanes of a
//! mask pass that same mask), as `WaveMatch` makes them. A round scans the values of one mask, with
//! the identity for all other lanes.

use rspirv::spirv::{BuiltIn, GroupOperation, Op, Word};
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::dxop::DxCall;

use super::Emitter;
use super::wave::{self, Combine, count_mask, is_live, mask_type, set_mask};
use super::wave_functions::{WaveFunction, function_id};
use crate::error::{Error, InvalidKind};
use crate::values::{Scalar, Shape};

/// Words that one call compares at most; SPIR-V permits 255 parameters.
const WORDS: usize = 8;

/// Returns the value as words that are equal where the values are.
fn words(e: &mut Emitter<'_>, shape: Shape, value: Word) -> SmallVec<[Word; 2]> {
    if shape.lanes > 1 {
        let one = Shape { lanes: 1, ..shape };
        let ty = e.shape_type(one);
        let mut all = SmallVec::new();
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
        return smallvec![low, high];
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
    let mask = e.b.const_u32((1 << shape.bits()) - 1);
    smallvec![e.b.op(Op::BitwiseAnd, word, &[as_word, mask])]
}

pub(super) fn wave_match(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let shape = e.value_shape(e.arg_value(call, 0)?)?;
    if shape.scalar == Scalar::Bool {
        return Err(e.unsupported_on(call, shape.to_string()));
    }
    let value = e.arg_id(call, 0)?;
    let (mask_ty, all) = (mask_type(e), words(e, shape, value));
    let is_live = is_live(e);
    let mut mask = None;
    for part in all.chunks(WORDS) {
        let which = WaveFunction::Match { words: part.len() };
        let mut operands: SmallVec<[Word; WORDS + 2]> = SmallVec::new();
        operands.extend([function_id(e, which), is_live]);
        operands.extend_from_slice(part);
        let same = e.b.op(Op::FunctionCall, mask_ty, &operands);
        mask = Some(match mask {
            Some(before) => e.b.op(Op::BitwiseAnd, mask_ty, &[before, same]),
            None => same,
        });
    }
    let mask =
        mask.ok_or_else(|| e.invalid(InvalidKind::Type, "WaveMatch of a type without bits"))?;
    set_mask(e, call, mask);
    Ok(())
}

/// Returns the four mask operands from `first` on.
fn mask_operand(e: &mut Emitter<'_>, call: &DxCall<'_>, first: usize) -> Result<Word, Error> {
    let mut parts = [0; 4];
    for (i, part) in parts.iter_mut().enumerate() {
        *part = e.arg_id(call, first + i)?;
    }
    let ty = mask_type(e);
    Ok(e.b.op(Op::CompositeConstruct, ty, &parts))
}

pub(super) fn multi_prefix_bit_count(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let mask = mask_operand(e, call, 1)?;
    let cond = e.arg_id(call, 0)?;
    let (ty, set) = (mask_type(e), wave::ballot(e, cond));
    let both = e.b.op(Op::BitwiseAnd, ty, &[mask, set]);
    let id = count_mask(e, both, GroupOperation::ExclusiveScan);
    e.set(call.inst, 0, id);
    Ok(())
}

pub(super) fn multi_prefix(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
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
    if combine.op(shape.scalar, false).is_none() {
        return Err(e.unsupported_on(call, format!("{} ({combine:?})", shape.scalar)));
    }
    let value = e.arg_id(call, 0)?;
    let (ty, mask_ty) = (e.shape_type(shape), mask_type(e));
    let is_live = is_live(e);
    let mask = mask_operand(e, call, 1)?;
    // The lane takes part, whatever its mask says, so that the loop ends.
    let lanes = Shape {
        lanes: 4,
        ..Shape::U32
    };
    let this = e.builtin(BuiltIn::SubgroupEqMask, lanes);
    let mask = e.b.op(Op::BitwiseOr, mask_ty, &[mask, this]);
    let which = WaveFunction::MultiPrefix { combine, shape };
    let function = function_id(e, which);
    let id =
        e.b.op(Op::FunctionCall, ty, &[function, is_live, value, mask]);
    e.set_new(call.inst, shape, id);
    Ok(())
}
