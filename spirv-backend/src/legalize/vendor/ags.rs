//! AGS: an intrinsic is a compare-exchange on a raw buffer, or several. The address has the operation in
//! bits 0 to 7, an immediate in bits 8 to 23, the number of the compare-exchange (*phase*) in bits 24 and
//! 25, and 5 in the upper four bits. The operands are the value to compare with and the new value, the
//! result is the old value.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::{
    BinaryOp, CastOp, InstId, Predicate, TypeId, ValueId, ValueKind,
};

use super::unsupported;
use super::wave_matrix::{self, WaveMatrix};
use super::writer::Writer;
use crate::error::Error;
use crate::vendor::Private;

/// The upper four bits of each operation.
const MAGIC: u64 = 5;
/// Positions of the operands of a compare-exchange.
const ADDRESS: usize = 1;
const FIRST: usize = 4;
const SECOND: usize = 5;

/// `AtomicBinOp` of each operation on 64 bits from 1 to 7.
const ATOMICS: [u32; 7] = [6, 7, 1, 2, 3, 0, 8];
/// The operation on 64 bits that compares.
const COMPARE_EXCHANGE: u64 = 8;

/// An intrinsic of several phases, some still to come.
#[derive(Default)]
pub(super) struct Ags {
    /// The operation.
    operation: u64,
    /// The phases so far.
    phases: SmallVec<[InstId; 4]>,
    /// The clock that the first phase read.
    clock: Option<ValueId>,
    /// The UAV of an atomic operation, which a store between the phases names, and the number of its
    /// coordinates.
    uav: Option<(ValueId, usize)>,
    /// An operation on matrices.
    matrix: WaveMatrix,
}

/// One compare-exchange.
#[derive(Clone, Copy)]
pub(super) struct Phase {
    pub(super) operation: u64,
    pub(super) immediate: u64,
    pub(super) number: u64,
    pub(super) first: ValueId,
    pub(super) second: ValueId,
}

impl Ags {
    /// Rewrites an access to the UAV.
    pub(super) fn intrinsic(&mut self, w: &mut Writer<'_>) -> Result<bool, Error> {
        let phase = phase(w)?;
        if wave_matrix::is_one(phase.operation) {
            let result = self.matrix.phase(w, phase)?;
            let value = result.unwrap_or_else(|| w.undef(w.int));
            w.replace(w.at, value);
            return Ok(true);
        }
        if phase.number == 0 {
            *self = Self::default();
        } else if self.phases.len() as u64 != phase.number || self.operation != phase.operation {
            return Err(error(w, phase.operation, "without the earlier phases"));
        }
        self.operation = phase.operation;
        self.phases.push(w.at);
        let result = match phase.operation {
            0x12 => Some(reduce(w, phase)?),
            0x13 => Some(scan(w, phase)?),
            0x07..=0x0C => select_of_three(w, phase)?,
            0x14 => self.load_word(w, phase)?,
            0x18 => self.atomic(w, phase)?,
            0x1F | 0x20 => Some(self.clock(w, phase)),
            0x1C => Some(to_half(w, phase)?),
            _ => Some(simple(w, phase)?),
        };
        let value = result.unwrap_or_else(|| w.undef(w.int));
        w.replace(w.at, value);
        Ok(true)
    }

    /// Takes the store that names the UAV of an atomic operation on 64 bits; returns true if the
    /// instruction is one.
    pub(super) fn other(&mut self, w: &mut Writer<'_>) -> Result<bool, Error> {
        if self.matrix.other(w)? {
            return Ok(true);
        }
        if self.operation != 0x18 || self.phases.len() != 2 {
            return Ok(false);
        }
        let result = w.rewriter.old.insts[self.phases[0]].result.expand();
        let Some(call) = w.call(w.at)? else {
            return Ok(false);
        };
        let coordinates = match call.op {
            Op::RawBufferStore | Op::BufferStore => 1,
            Op::TextureStore => 3,
            _ => return Ok(false),
        };
        let of_phase = call.operand(1).is_some() && call.operand(1) == result;
        if !of_phase {
            return Ok(false);
        }
        let given = (0..coordinates).take_while(|i| call.operand(1 + i) == result);
        self.uav = call.operand(0).map(|uav| (uav, given.count()));
        Ok(true)
    }

    /// Reads a clock once, in the first phase, which gives the low word.
    fn clock(&mut self, w: &mut Writer<'_>, phase: Phase) -> ValueId {
        let device = phase.operation == 0x20;
        let clock = match self.clock {
            Some(clock) => clock,
            None if device => w.private(Private::DeviceClock, &[], w.long),
            None => w.words(Op::CycleCounterLegacy, &[], "dx.types.twoi32", 2),
        };
        self.clock = Some(clock);
        let word = phase.number.min(1);
        if device {
            w.split(clock)[word as usize]
        } else {
            w.field(clock, word as u32)
        }
    }

    fn load_word(&mut self, w: &mut Writer<'_>, phase: Phase) -> Result<Option<ValueId>, Error> {
        if phase.number == 0 {
            return Ok(None);
        }
        let address = w.operands(self.phases[0])?;
        let operands = [address[FIRST], address[SECOND], phase.first];
        Ok(Some(w.private(Private::LoadWord, &operands, w.int)))
    }

    /// Writes an atomic operation on 64 bits in the last of its phases: coordinates and value, then the
    /// value that is compared with.
    fn atomic(&mut self, w: &mut Writer<'_>, phase: Phase) -> Result<Option<ValueId>, Error> {
        let compares = phase.immediate == COMPARE_EXCHANGE;
        let last = if compares { 3 } else { 2 };
        if phase.number < last {
            return Ok(None);
        }
        let Some((uav, coordinates)) = self.uav else {
            return Err(error(w, phase.operation, "without a UAV"));
        };
        let mut words = SmallVec::<[ValueId; 8]>::new();
        for &at in &self.phases {
            let operands = w.operands(at)?;
            words.extend([operands[FIRST], operands[SECOND]]);
        }
        let absent = w.undef(w.int);
        let at = |i: usize| if i < coordinates { words[i] } else { absent };
        let coordinates = [at(0), at(1), at(2)];
        let value = w.join(words[3], words[4]);
        let [x, y, z] = coordinates;
        let old = if compares {
            let compare = w.join(words[5], words[6]);
            w.dx(
                Op::AtomicCompareExchange,
                &[uav, x, y, z, compare, value],
                w.long,
            )
        } else {
            let number = (phase.immediate as usize).checked_sub(1);
            let Some(&number) = number.and_then(|i| ATOMICS.get(i)) else {
                return Err(error(w, phase.operation, "with an unknown operation"));
            };
            let number = w.number(number);
            w.dx(Op::AtomicBinOp, &[uav, number, x, y, z, value], w.long)
        };
        let [low, high] = w.split(old);
        w.replace(self.phases[0], low);
        Ok(Some(high))
    }
}

/// Reads the access to the UAV at the current instruction.
fn phase(w: &Writer<'_>) -> Result<Phase, Error> {
    let call = w.call(w.at)?;
    let operands = w.operands(w.at)?;
    let exchanges = call.is_some_and(|call| call.op == Op::AtomicCompareExchange);
    let address = operands.get(ADDRESS).and_then(|&v| w.rewriter.const_int(v));
    match (address, &operands[..]) {
        (Some(code), &[_, _, _, _, first, second]) if exchanges && code >> 28 == MAGIC => {
            Ok(Phase {
                operation: code & 0xFF,
                immediate: code >> 8 & 0xFFFF,
                number: code >> 24 & 3,
                first,
                second,
            })
        }
        _ => Err(unsupported(
            w.rewriter.old,
            w.at,
            "AGS",
            "an access that is not an intrinsic",
            None,
        )),
    }
}

/// Returns an error that names an operation.
pub(super) fn error(w: &Writer<'_>, operation: u64, why: &str) -> Error {
    needing(w, operation, why, None)
}

/// Returns an error that names an operation and the extension that it would take.
fn needing(w: &Writer<'_>, operation: u64, why: &str, needs: Option<&'static str>) -> Error {
    let name = name(operation);
    let space = if why.is_empty() { "" } else { " " };
    let text = format!("{name} ({operation:#04x}){space}{why}");
    unsupported(w.rewriter.old, w.at, "AGS", text, needs)
}

/// Rewrites an intrinsic whose phases are independent.
fn simple(w: &mut Writer<'_>, phase: Phase) -> Result<ValueId, Error> {
    let Phase {
        operation,
        immediate,
        number,
        first,
        second,
    } = phase;
    let (immediate, int) = (immediate as u32, w.int);
    Ok(match operation {
        0x01 => w.dx(Op::WaveReadLaneFirst, &[first], int),
        0x02 => {
            let lane = w.number(immediate);
            w.dx(Op::WaveReadLaneAt, &[first, lane], int)
        }
        0x1D => w.dx(Op::WaveReadLaneAt, &[first, second], int),
        0x03 => w.query(Op::WaveGetLaneIndex),
        0x19 => w.query(Op::WaveGetLaneCount),
        0x1A => w.query(Op::StartInstanceLocation),
        0x1B => w.query(Op::StartVertexLocation),
        0x17 => w.private(Private::DrawIndex, &[], int),
        0x04 => swizzle(w, first, immediate),
        0x05 => {
            let ballot = w.ballot(first);
            w.field(ballot, number.min(1) as u32)
        }
        0x06 => bits_before(w, first, second),
        0x0D => return barycentric(w, phase),
        0x36 if immediate & 0xFF < 4 => w.coded(Private::Float8, immediate & 0x103, &[first], int),
        _ => return Err(needing(w, operation, "", needs(operation))),
    })
}

/// Reads a value from the lane that a pattern gives, in groups of 32 lanes: three masks of five bits,
/// that are combined with the lane's number by and, or, and exclusive or; or, with bit 15, two bits for
/// each lane of a quad.
fn swizzle(w: &mut Writer<'_>, value: ValueId, pattern: u32) -> ValueId {
    let lane = w.query(Op::WaveGetLaneIndex);
    let from = if pattern >> 15 != 0 {
        let number = w.with(BinaryOp::And, lane, 3);
        let shift = w.with(BinaryOp::Shl, number, 1);
        let table = w.number(pattern & 0xFF);
        let chosen = w.word(BinaryOp::LShr, table, shift);
        let chosen = w.with(BinaryOp::And, chosen, 3);
        let quad = w.with(BinaryOp::And, lane, !3);
        w.word(BinaryOp::Or, quad, chosen)
    } else {
        let kept = w.with(BinaryOp::And, lane, !0x1F | pattern & 0x1F);
        let set = w.with(BinaryOp::Or, kept, pattern >> 5 & 0x1F);
        w.with(BinaryOp::Xor, set, pattern >> 10 & 0x1F)
    };
    w.dx(Op::WaveReadLaneAt, &[value, from], w.int)
}

/// Counts the bits of a mask for the lanes before this one.
fn bits_before(w: &mut Writer<'_>, low: ValueId, high: ValueId) -> ValueId {
    let lane = w.query(Op::WaveGetLaneIndex);
    let (one, all, none, half) = (w.number(1), w.number(u32::MAX), w.number(0), w.number(32));
    let in_word = w.with(BinaryOp::And, lane, 31);
    let bit = w.word(BinaryOp::Shl, one, in_word);
    let before = w.word(BinaryOp::Sub, bit, one);
    let is_low = w.compare(Predicate::IUlt, lane, half);
    let mut sum = none;
    for (word, mask) in [(low, [before, all]), (high, [none, before])] {
        let mask = w.select(is_low, mask[0], mask[1]);
        let bits = w.word(BinaryOp::And, word, mask);
        let count = w.dx(Op::Countbits, &[bits], w.int);
        sum = w.word(BinaryOp::Add, sum, count);
    }
    sum
}

/// Returns the bits of the second or third barycentric coordinate, in phases 0 and 1.
fn barycentric(w: &mut Writer<'_>, phase: Phase) -> Result<ValueId, Error> {
    let perspective = match phase.immediate {
        1 => 0,
        4 => 1,
        _ => {
            let why = "of a centroid, of samples, or for a pull model";
            return Err(error(w, phase.operation, why));
        }
    };
    let (perspective, index) = (
        w.number(perspective),
        w.number(phase.number.min(1) as u32 + 1),
    );
    Ok(w.private(Private::Barycentric, &[perspective, index], w.int))
}

/// Returns a selection of three values, in its second phase; nothing in the first.
fn select_of_three(w: &mut Writer<'_>, phase: Phase) -> Result<Option<ValueId>, Error> {
    if phase.number == 0 {
        return Ok(None);
    }
    // The second operand is the result of the first phase.
    let before = match w.rewriter.kind_of(phase.second) {
        Some(ValueKind::Inst(at)) => w.operands(at)?,
        _ => SmallVec::new(),
    };
    let &[_, _, _, _, a, b] = &before[..] else {
        return Err(error(w, phase.operation, "of phases in several blocks"));
    };
    // Even numbers are the float operations: minimum, median, maximum.
    let floats = phase.operation.is_multiple_of(2);
    let (ty, least, most) = match floats {
        true => (w.float, Op::FMin, Op::FMax),
        false => (w.int, Op::UMin, Op::UMax),
    };
    let [a, b, c] = [a, b, phase.first].map(|v| cast_if(w, floats, v, ty));
    let value = match phase.operation {
        0x07 | 0x08 => {
            let first = w.dx(least, &[a, b], ty);
            w.dx(least, &[first, c], ty)
        }
        0x0B | 0x0C => {
            let first = w.dx(most, &[a, b], ty);
            w.dx(most, &[first, c], ty)
        }
        _ => {
            let (low, high) = (w.dx(least, &[a, b], ty), w.dx(most, &[a, b], ty));
            let inner = w.dx(least, &[high, c], ty);
            w.dx(most, &[low, inner], ty)
        }
    };
    Ok(Some(cast_if(w, floats, value, w.int)))
}

/// Returns the bits of a value as another type, if it or the type is a float.
fn cast_if(w: &mut Writer<'_>, floats: bool, value: ValueId, ty: TypeId) -> ValueId {
    match floats {
        true => w.cast(CastOp::BitCast, value, ty),
        false => value,
    }
}

/// An operation of a reduction or scan.
enum Combine {
    /// DXIL's number, whether it is of floats, and whether it is unsigned.
    Arithmetic(u8, bool, bool),
    /// `WaveActiveBit`'s number.
    Bits(u8),
}

/// Returns the operation that a number of 1 to 15 is: add, multiply, minimum and maximum, each of floats,
/// signed and unsigned integers; and, or, exclusive or.
fn combine(w: &Writer<'_>, phase: Phase) -> Result<Combine, Error> {
    Ok(match phase.immediate & 0xFF {
        number @ 1..=12 => {
            let (op, ty) = ((number - 1) / 3, (number - 1) % 3);
            Combine::Arithmetic(op as u8, ty == 0, ty == 2)
        }
        number @ 13..=15 => Combine::Bits((number - 13) as u8),
        _ => return Err(error(w, phase.operation, "with an unknown operation")),
    })
}

fn reduce(w: &mut Writer<'_>, phase: Phase) -> Result<ValueId, Error> {
    Ok(match combine(w, phase)? {
        Combine::Bits(op) => {
            let op = w.small(op);
            w.dx(Op::WaveActiveBit, &[phase.first, op], w.int)
        }
        Combine::Arithmetic(op, floats, unsigned) => {
            wave(w, Op::WaveActiveOp, phase.first, (op, floats, unsigned)).1
        }
    })
}

/// Rewrites a scan; an inclusive one combines the exclusive one with the lane's own value.
fn scan(w: &mut Writer<'_>, phase: Phase) -> Result<ValueId, Error> {
    let Combine::Arithmetic(op, floats, unsigned) = combine(w, phase)? else {
        return Err(error(w, phase.operation, "of bits"));
    };
    let (before, bits) = wave(w, Op::WavePrefixOp, phase.first, (op, floats, unsigned));
    match phase.immediate >> 8 {
        1 => {}
        2 => return Ok(bits),
        _ => {
            return Err(error(
                w,
                phase.operation,
                "that is neither inclusive nor exclusive",
            ));
        }
    }
    let ty = if floats { w.float } else { w.int };
    let own = cast_if(w, floats, phase.first, ty);
    let sum = match (op, floats, unsigned) {
        (0, true, _) => w.binary(BinaryOp::FAdd, before, own, ty),
        (0, false, _) => w.binary(BinaryOp::Add, before, own, ty),
        (1, true, _) => w.binary(BinaryOp::FMul, before, own, ty),
        (1, false, _) => w.binary(BinaryOp::Mul, before, own, ty),
        (2, true, _) => w.dx(Op::FMin, &[before, own], ty),
        (2, false, true) => w.dx(Op::UMin, &[before, own], ty),
        (2, false, false) => w.dx(Op::IMin, &[before, own], ty),
        (_, true, _) => w.dx(Op::FMax, &[before, own], ty),
        (_, false, true) => w.dx(Op::UMax, &[before, own], ty),
        (_, false, false) => w.dx(Op::IMax, &[before, own], ty),
    };
    Ok(cast_if(w, floats, sum, w.int))
}

/// Writes an operation of a wave; returns its result and the bits of that.
fn wave(
    w: &mut Writer<'_>,
    which: Op,
    value: ValueId,
    (op, floats, unsigned): (u8, bool, bool),
) -> (ValueId, ValueId) {
    let (op, sign) = (w.small(op), w.small(u8::from(unsigned)));
    let ty = if floats { w.float } else { w.int };
    let value = cast_if(w, floats, value, ty);
    let result = w.dx(which, &[value, op, sign], ty);
    (result, cast_if(w, floats, result, w.int))
}

/// Converts a float to a half: to the nearest (1), rounded down (2) or rounded up (3).
fn to_half(w: &mut Writer<'_>, phase: Phase) -> Result<ValueId, Error> {
    let negative = match phase.immediate {
        1 => {
            let value = w.cast(CastOp::BitCast, phase.first, w.float);
            return Ok(w.dx(Op::LegacyF32ToF16, &[value], w.int));
        }
        2 => 0x8000,
        3 => 0,
        _ => return Err(error(w, phase.operation, "with an unknown rounding")),
    };
    let sign = w.with(BinaryOp::LShr, phase.first, 16);
    let sign = w.with(BinaryOp::And, sign, 0x8000);
    let magnitude = w.with(BinaryOp::And, phase.first, 0x7FFF_FFFF);
    let (half, exact) = toward_zero(w, magnitude);
    // Numbers of one sign are rounded to the greater magnitude; after the greatest half comes
    // infinity.
    let (negative, zero, one) = (w.number(negative), w.number(0), w.number(1));
    let away = w.compare(Predicate::IEq, sign, negative);
    let step = w.select(away, one, zero);
    let step = w.select(exact, zero, step);
    let half = w.word(BinaryOp::Add, half, step);
    let (infinity, no_number) = (w.number(0x7F80_0000), w.number(0x7E00));
    let is_number = w.compare(Predicate::IUle, magnitude, infinity);
    let half = w.select(is_number, half, no_number);
    Ok(w.word(BinaryOp::Or, sign, half))
}

/// Returns the half next to a float without sign in the direction of 0, and whether it is the same
/// number.
fn toward_zero(w: &mut Writer<'_>, magnitude: ValueId) -> (ValueId, ValueId) {
    // A normal one: the exponent has another bias.
    let normal = w.with(BinaryOp::Sub, magnitude, 112 << 23);
    let normal = w.with(BinaryOp::LShr, normal, 13);
    let lost = w.with(BinaryOp::And, magnitude, 0x1FFF);
    // A denormal one: the fraction with its first bit, in units of 2^-24.
    let exponent = w.with(BinaryOp::LShr, magnitude, 23);
    let (scale, most) = (w.number(126), w.number(25));
    let shift = w.word(BinaryOp::Sub, scale, exponent);
    let shift = w.dx(Op::UMin, &[shift, most], w.int);
    let fraction = w.with(BinaryOp::And, magnitude, 0x7F_FFFF);
    let fraction = w.with(BinaryOp::Or, fraction, 0x80_0000);
    let denormal = w.word(BinaryOp::LShr, fraction, shift);
    let back = w.word(BinaryOp::Shl, denormal, shift);
    let lost_bits = w.word(BinaryOp::Xor, fraction, back);
    let (least, end, infinity) = (
        w.number(113 << 23),
        w.number(143 << 23),
        w.number(0x7F80_0000),
    );
    let is_denormal = w.compare(Predicate::IUlt, magnitude, least);
    let half = w.select(is_denormal, denormal, normal);
    let lost = w.select(is_denormal, lost_bits, lost);
    // 0 has no first bit; numbers beyond the greatest half are not halves.
    let (zero, one) = (w.number(0), w.number(1));
    let is_zero = w.compare(Predicate::IEq, magnitude, zero);
    let lost = w.select(is_zero, zero, lost);
    let is_beyond = w.compare(Predicate::IUge, magnitude, end);
    let greatest = w.number(0x7BFF);
    let half = w.select(is_beyond, greatest, half);
    let lost = w.select(is_beyond, one, lost);
    let is_infinite = w.compare(Predicate::IEq, magnitude, infinity);
    let infinite = w.number(0x7C00);
    let half = w.select(is_infinite, infinite, half);
    let lost = w.select(is_infinite, zero, lost);
    (half, w.compare(Predicate::IEq, lost, zero))
}

/// Returns the name of an operation.
fn name(operation: u64) -> &'static str {
    const NAMES: &str = "\
        ? Readfirstlane Readlane LaneId Swizzle Ballot MBCnt Min3U Min3F Med3U Med3F Max3U Max3F \
        BaryCoord VtxParam ? ? ? WaveReduce WaveScan LoadDwAtAddr ? ? DrawIndex AtomicU64 GetWaveSize \
        BaseInstance BaseVertex FloatConversion ReadlaneAt ? ShaderClock ShaderRealtimeClock Halt \
        IntersectBvhNode BufferStoreByte BufferStoreShort ShaderMarker FloatOpWithRoundMode ? \
        WaveMatrixMulAcc WaveMatrixUavLoad WaveMatrixUavStore WaveMatrixGlobalLoad \
        WaveMatrixGlobalStore WaveMatrixLdsLoad WaveMatrixLdsStore WaveMatrixElementFill \
        WaveMatrixElementExtract WaveMatrixLength WaveMatrixCopy WaveMatrixFill \
        MatrixSparsityIndexLoad MatrixElementWiseArithmetic Float8Conversion BuiltIn1 BuiltInArg";
    NAMES.split(' ').nth(operation as usize).unwrap_or("?")
}

/// Returns the SPIR-V extension with which an operation could be expressed.
fn needs(operation: u64) -> Option<&'static str> {
    match operation {
        0x0E => Some("SPV_KHR_fragment_shader_barycentric"),
        0x28..=0x33 => Some("SPV_KHR_cooperative_matrix"),
        _ => None,
    }
}
