//! NVAPI: an intrinsic begins with an increment of the counter of a structured buffer, which gives
//! the number of an element. Stores to the element are its operands and the operation; its results
//! are the results of the next increments, or loads of the element. A store to the member
//! `markUavRef`, and a store to another UAV at the element's number, name a UAV for the intrinsic
//! after it.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::{BinaryOp, CastOp, InstKind, Predicate, ValueId, ValueKind};

use super::writer::Writer;
use super::{hit_object, unsupported};
use crate::error::Error;
use crate::vendor::{FloatAtomic, Private};

/// Words of the element's members.
const OPERATION: u64 = 0;
const FIRST_RESULT: u64 = 3;
pub(super) const SRC0: u64 = 19;
pub(super) const SRC1: u64 = 23;
pub(super) const SRC2: u64 = 27;
const RESULT: u64 = 31;
const MARK_UAV: u64 = 35;
const RESULTS: u64 = 36;
/// Words of the element.
const WORDS: u64 = 64;

/// `AtomicBinOp` of NVAPI's atomic operations from 0; `None` for one that DXIL does not have.
const ATOMICS: [Option<u32>; 9] = [
    Some(1),
    Some(2),
    Some(3),
    Some(0),
    None,
    None,
    Some(7),
    Some(6),
    Some(8),
];
/// Numbers of the atomic operations for floats, and of compare-exchange.
const ADD: u64 = 3;
const MAX: u64 = 6;
const MIN: u64 = 7;
const COMPARE_EXCHANGE: u64 = 9;

/// The current intrinsic.
#[derive(Default)]
pub(super) struct Nvapi {
    /// The number of its element.
    element: Option<ValueId>,
    /// The stored operands, by word.
    stored: FxHashMap<u64, ValueId>,
    /// Its results, once it is written.
    results: Option<SmallVec<[ValueId; 4]>>,
    /// The increments of the counter that gave its results.
    given: SmallVec<[ValueId; 4]>,
    /// The UAV that the next intrinsics are on.
    uav: Option<ValueId>,
    /// The intrinsic's element is the coordinate that names the UAV.
    marks_uav: bool,
}

impl Nvapi {
    /// Rewrites an access to the structured buffer.
    pub(super) fn access(&mut self, w: &mut Writer<'_>) -> Result<bool, Error> {
        let Some(op) = w.call(w.at)?.map(|call| call.op) else {
            return Ok(false);
        };
        let operands = w.operands(w.at)?;
        match op {
            Op::BufferUpdateCounter => self.increment(w)?,
            Op::BufferStore | Op::RawBufferStore => self.store(w, &operands)?,
            Op::BufferLoad | Op::RawBufferLoad => self.load(w, &operands)?,
            _ => return Err(error(w, "an access that is not an intrinsic")),
        }
        Ok(true)
    }

    /// Takes the store that names a UAV, and the parts of loaded results; returns true if the
    /// instruction is one of these.
    pub(super) fn other(&mut self, w: &mut Writer<'_>) -> Result<bool, Error> {
        if let InstKind::ExtractValue { aggregate, indices } = w.rewriter.old.insts[w.at].kind {
            let index = w.rewriter.old.pool.get(indices.start as usize);
            let (Some(fields), Some(&index)) = (w.loads.get(&aggregate), index) else {
                return Ok(false);
            };
            let field = fields.get(index as usize).copied().flatten();
            let value = match field {
                Some(value) => value,
                None => w.number(0),
            };
            w.replace(w.at, value);
            return Ok(true);
        }
        let inst = w.rewriter.old.insts[w.at].kind;
        if w.attributes.is_some() && matches!(inst, InstKind::Store { .. }) {
            return Err(error(w, "a store between the calls that make a hit"));
        }
        let operation = self
            .stored
            .get(&OPERATION)
            .and_then(|&v| w.rewriter.const_int(v));
        if let Some(operation) = operation
            && !self.given.is_empty()
            && hit_object::call(w, self, operation, &self.given)?
        {
            return Ok(true);
        }
        if !self.marks_uav {
            return Ok(false);
        }
        let Some(call) = w.call(w.at)? else {
            return Ok(false);
        };
        let stores = matches!(
            call.op,
            Op::RawBufferStore | Op::BufferStore | Op::TextureStore
        );
        if !stores || call.operand(1) != self.element {
            return Ok(false);
        }
        self.uav = call.operand(0);
        self.marks_uav = false;
        Ok(true)
    }

    /// Ends a block.
    pub(super) fn end(&mut self, w: &mut Writer<'_>) -> Result<(), Error> {
        w.attributes = None;
        if self.stored.contains_key(&OPERATION) && self.results.is_none() {
            return Err(error(
                w,
                "an intrinsic in several blocks, or without a result",
            ));
        }
        Ok(())
    }

    /// Begins an intrinsic, or gives its next result.
    fn increment(&mut self, w: &mut Writer<'_>) -> Result<(), Error> {
        let operation = self
            .stored
            .get(&OPERATION)
            .and_then(|&v| w.rewriter.const_int(v));
        let count = match self.stored.get(&RESULTS) {
            Some(&count) => w.rewriter.const_int(count).unwrap_or(1) as usize,
            None => operation.map_or(1, hit_object::results),
        };
        let waits = self.stored.contains_key(&OPERATION) && !self.is_atomic(w);
        if waits && self.given.len() < count {
            self.write(w)?;
            let results = self.results.as_ref();
            let result = results.and_then(|r| r.get(self.given.len()));
            let Some(&result) = result else {
                return Err(error(w, "a result that its intrinsic does not have"));
            };
            if let Some(named) = w.rewriter.old.insts[w.at].result.expand() {
                self.given.push(named);
                if let Some(object) = w.made_object.take() {
                    w.hit_objects.insert(named, object);
                }
            }
            w.replace(w.at, result);
            return Ok(());
        }
        let uav = self.uav;
        *self = Self {
            element: w.rewriter.old.insts[w.at].result.expand(),
            uav,
            ..Self::default()
        };
        let none = w.undef(w.int);
        w.replace(w.at, none);
        Ok(())
    }

    /// Returns the word of the element that an access begins at.
    fn word(&self, w: &Writer<'_>, operands: &[ValueId]) -> Result<u64, Error> {
        let (element, offset) = (operands.get(1).copied(), operands.get(2));
        let offset = offset.and_then(|&v| w.rewriter.const_int(v));
        match offset {
            Some(offset) if element == self.element && element.is_some() && offset < WORDS * 4 => {
                Ok(offset / 4)
            }
            _ => Err(error(w, "an access to another element than the last")),
        }
    }

    fn store(&mut self, w: &mut Writer<'_>, operands: &[ValueId]) -> Result<(), Error> {
        let word = self.word(w, operands)?;
        let mask = operands
            .get(7)
            .and_then(|&v| w.rewriter.const_int(v))
            .unwrap_or(0);
        for i in 0..4 {
            if mask >> i & 1 != 0 {
                let value = operands[3 + i as usize];
                let ty = w.rewriter.data(value).map(|v| v.ty);
                let value = match ty {
                    Some(ty) if ty == w.float => w.cast(CastOp::BitCast, value, w.int),
                    Some(ty) if ty == w.int => value,
                    _ => return Err(error(w, "an operand that is not a word")),
                };
                self.stored.insert(word + i, value);
            }
        }
        self.marks_uav |= self.stored.contains_key(&MARK_UAV);
        // Its result may be unused, and nothing else of it comes after the operation.
        if word == OPERATION && self.is_atomic(w) {
            self.write(w)?;
        }
        Ok(())
    }

    /// Returns true if the intrinsic is an atomic operation, whose result is only loaded.
    fn is_atomic(&self, w: &Writer<'_>) -> bool {
        let operation = self
            .stored
            .get(&OPERATION)
            .and_then(|&v| w.rewriter.const_int(v));
        matches!(operation, Some(12 | 13 | 20))
    }

    fn load(&mut self, w: &mut Writer<'_>, operands: &[ValueId]) -> Result<(), Error> {
        let word = self.word(w, operands)?;
        let first = match word {
            RESULT.. => RESULT,
            _ => FIRST_RESULT,
        };
        self.write(w)?;
        let Some(start) = word.checked_sub(first) else {
            return Err(error(w, "a load from a field that is not a result"));
        };
        let results = self.results.as_ref().filter(|_| first == RESULT);
        let field = |i: u64| Some(*results?.get((start + i) as usize)?);
        let fields = (0..4).map(field).collect();
        if let Some(result) = w.rewriter.old.insts[w.at].result.expand() {
            w.loads.insert(result, fields);
        }
        Ok(())
    }

    /// Returns the operand that was stored to a word.
    pub(super) fn operand(&self, w: &Writer<'_>, word: u64) -> Result<ValueId, Error> {
        let stored = self.stored.get(&word).copied();
        stored.ok_or_else(|| error(w, "an intrinsic without one of its operands"))
    }

    /// Returns a number that was stored to a word.
    pub(super) fn number(&self, w: &Writer<'_>, word: u64) -> Result<u64, Error> {
        let number = w.rewriter.const_int(self.operand(w, word)?);
        number.ok_or_else(|| error(w, "an intrinsic with an operation that is not a constant"))
    }

    /// Writes the intrinsic, once.
    fn write(&mut self, w: &mut Writer<'_>) -> Result<(), Error> {
        if self.results.is_some() {
            return Ok(());
        }
        let operation = self.number(w, OPERATION)?;
        let first = self.stored.get(&SRC0).copied();
        let result = match (operation, first) {
            (1..=4 | 33, Some(value)) => return self.shuffle(w, operation, value),
            (5, Some(value)) => vote(w, Op::WaveAllTrue, value),
            (6, Some(value)) => vote(w, Op::WaveAnyTrue, value),
            (7, Some(value)) => {
                let ballot = w.ballot(value);
                w.field(ballot, 0)
            }
            (8, _) => w.query(Op::WaveGetLaneIndex),
            (12, Some(_)) => self.half_atomic(w)?,
            (13, Some(_)) => self.float_atomic(w)?,
            (19, Some(_)) => special(w, self.number(w, SRC0)?)?,
            (20, Some(_)) => return self.long_atomic(w),
            (21, Some(_)) => self.matches(w)?,
            (93, _) => w.query(Op::ClusterID),
            (94, Some(flags)) => cluster_of(w, Op::RayQueryCandidateClusterID, flags)?,
            (95, Some(flags)) => cluster_of(w, Op::RayQueryCommittedClusterID, flags)?,
            _ => {
                let results = hit_object::write(w, self, operation)?;
                self.results = Some(results.ok_or_else(|| unknown(w, operation))?);
                return Ok(());
            }
        };
        self.results = Some(SmallVec::from_slice(&[result]));
        Ok(())
    }

    /// Reads a value from another lane of a segment of 32 lanes or fewer: bits 8 to 12 of the third
    /// operand select the bits of the lane's number that the segment keeps, bits 0 to 4 limit the
    /// others. A lane outside gives the lane's own value.
    fn shuffle(&mut self, w: &mut Writer<'_>, operation: u64, value: ValueId) -> Result<(), Error> {
        let (by, mask) = (self.operand(w, SRC0 + 1)?, self.operand(w, SRC0 + 2)?);
        let lane = w.query(Op::WaveGetLaneIndex);
        let (own, group) = (
            w.with(BinaryOp::And, lane, 31),
            w.with(BinaryOp::And, lane, !31),
        );
        let kept = w.with(BinaryOp::LShr, mask, 8);
        let kept = w.with(BinaryOp::And, kept, 31);
        let free = w.with(BinaryOp::Xor, kept, 31);
        let first = w.word(BinaryOp::And, own, kept);
        let limit = w.word(BinaryOp::And, mask, free);
        let last = w.word(BinaryOp::Or, first, limit);
        let from = match operation {
            2 => w.word(BinaryOp::Sub, own, by),
            3 => w.word(BinaryOp::Add, own, by),
            4 => w.word(BinaryOp::Xor, own, by),
            _ => {
                let inside = w.word(BinaryOp::And, by, free);
                w.word(BinaryOp::Or, first, inside)
            }
        };
        let predicate = if operation == 2 {
            Predicate::ISge
        } else {
            Predicate::ISle
        };
        let valid = w.compare(predicate, from, last);
        let from = w.select(valid, from, own);
        let from = w.word(BinaryOp::Or, group, from);
        let result = w.dx(Op::WaveReadLaneAt, &[value, from], w.int);
        let mut results = SmallVec::new();
        if operation == 33 {
            results.push(w.cast(CastOp::ZExt, valid, w.int));
        }
        results.push(result);
        self.results = Some(results);
        Ok(())
    }

    /// Returns the lanes whose one, two or four words are the same.
    fn matches(&self, w: &mut Writer<'_>) -> Result<ValueId, Error> {
        let count = self.number(w, SRC1)?;
        let mut all = w.number(u32::MAX);
        for i in 0..count.min(4) {
            let word = self.operand(w, SRC0 + i)?;
            let lanes = w.words(Op::WaveMatch, &[word], "dx.types.fouri32", 4);
            let lanes = w.field(lanes, 0);
            all = w.word(BinaryOp::And, all, lanes);
        }
        Ok(all)
    }

    /// Returns the UAV that was named last: two operations may follow one name.
    fn uav(&self, w: &Writer<'_>) -> Result<ValueId, Error> {
        (self.uav).ok_or_else(|| error(w, "an atomic operation without a UAV"))
    }

    /// Returns the coordinates of an atomic operation; those that are missing are undefined.
    fn coordinates(&self, w: &mut Writer<'_>) -> [ValueId; 3] {
        [0, 1, 2].map(|i| match self.stored.get(&(SRC0 + i)) {
            Some(&value) => value,
            None => w.undef(w.int),
        })
    }

    /// Writes an operation on two halves. Of a texture of four, `x` counts pairs.
    fn half_atomic(&self, w: &mut Writer<'_>) -> Result<ValueId, Error> {
        let op = match self.number(w, SRC2)? {
            ADD => FloatAtomic::AddHalves,
            MIN => FloatAtomic::MinHalves,
            MAX => FloatAtomic::MaxHalves,
            number => {
                let text = format!("FP16_ATOMIC (12) with operation {number}");
                return Err(error(w, text));
            }
        };
        self.atomic_on_floats(w, op)
    }

    fn float_atomic(&self, w: &mut Writer<'_>) -> Result<ValueId, Error> {
        if self.number(w, SRC2)? != ADD {
            return Err(error(w, "FP32_ATOMIC (13) other than an addition"));
        }
        self.atomic_on_floats(w, FloatAtomic::Add)
    }

    fn atomic_on_floats(&self, w: &mut Writer<'_>, op: FloatAtomic) -> Result<ValueId, Error> {
        let (uav, [x, y, z]) = (self.uav(w)?, self.coordinates(w));
        let (number, value) = (w.number(op.number() as u32), self.operand(w, SRC1)?);
        Ok(w.dx(Op::AtomicBinOp, &[uav, number, x, y, z, value], w.int))
    }

    fn long_atomic(&mut self, w: &mut Writer<'_>) -> Result<(), Error> {
        let (uav, [x, y, z]) = (self.uav(w)?, self.coordinates(w));
        let operation = self.number(w, SRC2)?;
        let value = w.join(self.operand(w, SRC1)?, self.operand(w, SRC1 + 1)?);
        let old = if operation == COMPARE_EXCHANGE {
            let new = w.join(self.operand(w, SRC1 + 2)?, self.operand(w, SRC1 + 3)?);
            w.dx(
                Op::AtomicCompareExchange,
                &[uav, x, y, z, value, new],
                w.long,
            )
        } else {
            let Some(&Some(number)) = ATOMICS.get(operation as usize) else {
                return Err(error(w, "UINT64_ATOMIC (20) with an unknown operation"));
            };
            let number = w.number(number);
            w.dx(Op::AtomicBinOp, &[uav, number, x, y, z, value], w.long)
        };
        self.results = Some(SmallVec::from_slice(&w.split(old)));
        Ok(())
    }
}

/// Returns all bits if a vote succeeds.
fn vote(w: &mut Writer<'_>, op: Op, value: ValueId) -> ValueId {
    let cond = w.is_set(value);
    let result = w.vote(op, cond);
    let (all, none) = (w.number(u32::MAX), w.number(0));
    w.select(result, all, none)
}

/// Reads the cluster of a ray query, which the call names that reads its flags.
fn cluster_of(w: &mut Writer<'_>, op: Op, flags: ValueId) -> Result<ValueId, Error> {
    let query = match w.rewriter.kind_of(flags) {
        Some(ValueKind::Inst(at)) => w.call(at)?.filter(|call| call.op == Op::RayQueryRayFlags),
        _ => None,
    };
    match query.and_then(|call| call.operand(0)) {
        Some(query) => Ok(w.dx(op, &[query], w.int)),
        None => Err(error(w, "a ray query that its flags do not name")),
    }
}

/// Returns a special number: a mask of the lanes before this one, or a word of the device's clock.
fn special(w: &mut Writer<'_>, which: u64) -> Result<ValueId, Error> {
    match which {
        4 => {
            let (lane, one) = (w.query(Op::WaveGetLaneIndex), w.number(1));
            let bit = w.word(BinaryOp::Shl, one, lane);
            Ok(w.word(BinaryOp::Sub, bit, one))
        }
        9 | 10 => {
            let clock = w.private(Private::DeviceClock, &[], w.long);
            Ok(w.split(clock)[which as usize - 9])
        }
        _ => {
            let text = format!("GET_SPECIAL (19) of {which}");
            Err(needing(w, text, Some("SPV_NV_shader_image_footprint")))
        }
    }
}

pub(super) fn error(w: &Writer<'_>, text: impl Into<String>) -> Error {
    needing(w, text, None)
}

/// Returns an error that names the extension that an operation would take.
pub(super) fn needing(
    w: &Writer<'_>,
    text: impl Into<String>,
    needs: Option<&'static str>,
) -> Error {
    unsupported(w.rewriter.old, w.at, "NVAPI", text, needs)
}

/// Names of the operations on hit objects, from 67.
const HIT_OBJECTS: &str = "\
    TRACE_RAY MAKE_HIT MAKE_HIT_WITH_RECORD_INDEX MAKE_MISS REORDER_THREAD INVOKE IS_MISS \
    GET_INSTANCE_ID GET_INSTANCE_INDEX GET_PRIMITIVE_INDEX GET_GEOMETRY_INDEX GET_HIT_KIND \
    GET_RAY_DESC GET_ATTRIBUTES GET_SHADER_TABLE_INDEX LOAD_LOCAL_ROOT_TABLE_CONSTANT IS_HIT IS_NOP \
    MAKE_NOP";

/// Returns the error of an operation without translation.
fn unknown(w: &Writer<'_>, operation: u64) -> Error {
    let index = operation.checked_sub(67).map(|i| i as usize);
    if let Some(name) = index.and_then(|i| HIT_OBJECTS.split(' ').nth(i)) {
        let text = format!("HIT_OBJECT_{name} ({operation})");
        return needing(w, text, Some("SPV_NV_shader_invocation_reorder"));
    }
    let (name, needs) = match operation {
        28 => ("FOOTPRINT", Some("SPV_NV_shader_image_footprint")),
        29 => ("FOOTPRINT_BIAS", Some("SPV_NV_shader_image_footprint")),
        30 => ("GET_SHADING_RATE", Some("SPV_KHR_fragment_shading_rate")),
        31 => ("FOOTPRINT_LEVEL", Some("SPV_NV_shader_image_footprint")),
        32 => ("FOOTPRINT_GRAD", Some("SPV_NV_shader_image_footprint")),
        51 => ("VPRS_EVAL_ATTRIB_AT_SAMPLE", None),
        52 => ("VPRS_EVAL_ATTRIB_SNAPPED", None),
        86 | 97..=99 => (
            "positions of a triangle",
            Some("SPV_KHR_ray_tracing_position_fetch"),
        ),
        87..=92 => (
            "a micromap of displacements",
            Some("SPV_NV_displacement_micromap"),
        ),
        100..=119 => (
            "spheres and swept spheres",
            Some("SPV_NV_linear_swept_spheres"),
        ),
        _ => ("an unknown operation", None),
    };
    needing(w, format!("{name} ({operation})"), needs)
}
