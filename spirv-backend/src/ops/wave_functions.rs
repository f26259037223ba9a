//! The functions that `WaveMatch` and `WaveMultiPrefix` call, each emitted once: a loop over the
//! groups of lanes, in which all lanes take part. The first parameter is whether the lane is in a
//! group. The set of remaining lanes is a truth value per lane, not a mask of four words: drivers
//! keep truth values of all lanes in one scalar register.

use rspirv::spirv::{Capability, GroupOperation, LoopControl, Op, Word};

use super::Emitter;
use super::state::{Combine, WaveFunction};
use super::subgroup::{mask_type, raw_ballot, shuffle, subgroup};
use crate::values::{Scalar, Shape};

/// Returns the id of a function that is to be called.
pub(super) fn function_id(e: &mut Emitter<'_>, which: WaveFunction) -> Word {
    if let Some(&(_, id)) = e.wave_functions.iter().find(|known| known.0 == which) {
        return id;
    }
    let id = e.b.id();
    e.wave_functions.push((which, id));
    id
}

/// Emits the functions that are called.
pub(super) fn emit_all(e: &mut Emitter<'_>) {
    for (which, id) in std::mem::take(&mut e.wave_functions) {
        match which {
            WaveFunction::Match { words } => emit_match(e, id, words),
            WaveFunction::MultiPrefix { combine, shape } => {
                emit_prefix(e, id, combine, shape);
            }
        }
    }
}

fn emit_match(e: &mut Emitter<'_>, function: Word, words: usize) {
    let (word, mask_ty, bool_ty) = (e.b.ty_u32(), mask_type(e), e.b.ty_bool());
    let mut parameters = vec![bool_ty];
    parameters.resize(1 + words, word);
    let none = e.b.const_null(mask_ty);
    let lanes = Shape::U32.with(Scalar::Bool).of_lanes(4);
    let name = "wave_match";
    each_group(
        e,
        (function, name),
        mask_ty,
        &parameters,
        none,
        |e, round| {
            let mut inside = round.is_left;
            for &mine in &round.parameters[1..] {
                let theirs = shuffle(e, word, mine, round.leader);
                let equal = e.b.op(Op::IEqual, bool_ty, &[mine, theirs]);
                inside = e.b.op(Op::LogicalAnd, bool_ty, &[inside, equal]);
            }
            let group = raw_ballot(e, inside);
            let splat = e.splat(lanes, inside);
            let result = [splat, group, round.result];
            (inside, e.b.op(Op::Select, mask_ty, &result))
        },
    );
}

fn emit_prefix(e: &mut Emitter<'_>, function: Word, combine: Combine, shape: Shape) {
    // The caller has checked that there is one.
    let Some(op) = combine.op(shape.scalar, false) else {
        return;
    };
    let (ty, mask_ty, bool_ty) = (e.shape_type(shape), mask_type(e), e.b.ty_bool());
    let identity = combine.identity(e, shape, false);
    e.b.caps.add(Capability::GroupNonUniformArithmetic);
    let parameters = [bool_ty, ty, mask_ty];
    let name = "wave_multi_prefix";
    each_group(
        e,
        (function, name),
        ty,
        &parameters,
        identity,
        |e, round| {
            let (value, mask, scope) = (round.parameters[1], round.parameters[2], subgroup(e));
            let extract = Op::GroupNonUniformBallotBitExtract;
            let inside = e.b.op(extract, bool_ty, &[scope, mask, round.leader]);
            let inside = e.b.op(Op::LogicalAnd, bool_ty, &[round.is_left, inside]);
            let splat = e.splat(shape.with(Scalar::Bool), inside);
            let value = e.b.op(Op::Select, ty, &[splat, value, identity]);
            let scan = GroupOperation::ExclusiveScan as Word;
            let prefix = e.b.op(op, ty, &[scope, scan, value]);
            let result = [splat, prefix, round.result];
            (inside, e.b.op(Op::Select, ty, &result))
        },
    );
}

/// The inputs of a round of the loop.
struct Round<'a> {
    parameters: &'a [Word],
    /// Whether this lane remains.
    is_left: Word,
    /// The lowest remaining lane.
    leader: Word,
    /// The result so far.
    result: Word,
}

/// Emits a function that runs `round` for each group; it gives whether this lane is in the group, as
/// the leader must be, and the new result. Without a live lane there is one round.
fn each_group(
    e: &mut Emitter<'_>,
    (function, name): (Word, &str),
    result_ty: Word,
    parameters: &[Word],
    start: Word,
    round: impl FnOnce(&mut Emitter<'_>, &Round<'_>) -> (Word, Word),
) {
    let bool_ty = e.b.ty_bool();
    let ty = e.b.ty_function(result_ty, parameters);
    let parameters = e.b.begin_function(function, result_ty, ty, parameters);
    let [entry, header, next, merge] = [(); 4].map(|()| e.b.id());
    e.b.begin_block(entry);
    e.b.op_void(Op::Branch, &[header]);
    e.b.begin_block(header);
    let (is_left, left_phi) = e.b.phi(bool_ty, 2);
    let (result, result_phi) = e.b.phi(result_ty, 2);
    let (left, scope) = (raw_ballot(e, is_left), subgroup(e));
    let leader = e.b.word(Op::GroupNonUniformBallotFindLSB, &[scope, left]);
    let (inside, new) = round(
        e,
        &Round {
            parameters: &parameters,
            is_left,
            leader,
            result,
        },
    );
    let outside = e.b.op(Op::LogicalNot, bool_ty, &[inside]);
    let rest = e.b.op(Op::LogicalAnd, bool_ty, &[is_left, outside]);
    e.b.caps.add(Capability::GroupNonUniformVote);
    let more = e.b.op(Op::GroupNonUniformAny, bool_ty, &[scope, rest]);
    e.b.op_void(Op::LoopMerge, &[merge, next, LoopControl::NONE.bits()]);
    e.b.op_void(Op::Branch, &[next]);
    e.b.begin_block(next);
    e.b.op_void(Op::BranchConditional, &[more, header, merge]);
    e.b.begin_block(merge);
    e.b.op_void(Op::ReturnValue, &[new]);
    for (phi, first, later) in [(left_phi, parameters[0], rest), (result_phi, start, new)] {
        e.b.set_phi(phi, 0, first, entry);
        e.b.set_phi(phi, 1, later, next);
    }
    e.b.finish_function();
    e.b.name(function, name);
}
