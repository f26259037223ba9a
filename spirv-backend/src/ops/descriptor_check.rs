//! The function that checks a descriptor: `check(index, kind, operation)` returns `index`, or the index of
//! the null descriptor. [`DescriptorChecks`](crate::options::DescriptorChecks) has the layout of the buffers.

use rspirv::spirv::{MemorySemantics, Op, Scope, StorageClass, Word};

use super::Emitter;
use super::node::flow::when;

/// Words of the report: the first fault, and what is known of all resources.
mod report {
    pub(super) const INDEX: u32 = 2;
    pub(super) const HEAP: u32 = 3;
    pub(super) const RESOURCE: u32 = 4;
    pub(super) const FAULTS: u32 = 5;
    pub(super) const OPERATION: u32 = 6;
    pub(super) const EXPECTED: u32 = 7;
    pub(super) const KINDS: u32 = 8;
    pub(super) const FAULT: u32 = 9;
    pub(super) const TIME: u32 = 10;
    pub(super) const EXISTS: u32 = 11;
}

/// Words before the descriptors, and of each one.
const HEAD: u32 = 2;
const WORDS: u32 = 3;

/// What is wrong.
const BEYOND: u32 = 1;
const OTHER_KIND: u32 = 2;
const DESTROYED: u32 = 4;
const TOO_NEW: u32 = 8;

/// A storage buffer of words.
#[derive(Clone, Copy)]
struct Words(Word);

impl Words {
    fn pointer(self, e: &mut Emitter<'_>, at: Word) -> Word {
        let (zero, word) = (e.b.const_u32(0), e.b.ty_u32());
        let class = StorageClass::StorageBuffer;
        e.b.access(class, word, self.0, &[zero, at])
    }

    fn load(self, e: &mut Emitter<'_>, at: Word) -> Word {
        let (pointer, word) = (self.pointer(e, at), e.b.ty_u32());
        e.load(word, pointer)
    }

    fn load_at(self, e: &mut Emitter<'_>, at: u32) -> Word {
        let at = e.b.const_u32(at);
        self.load(e, at)
    }

    fn store(self, e: &mut Emitter<'_>, at: u32, value: Word) {
        let at = e.b.const_u32(at);
        let pointer = self.pointer(e, at);
        e.b.op_void(Op::Store, &[pointer, value]);
    }
}

/// Emits the function, if it is called.
pub(super) fn emit(e: &mut Emitter<'_>) {
    let (Some(id), Some(checks)) = (
        e.resources.check_function(),
        e.options.debug.descriptor_checks,
    ) else {
        return;
    };
    let mut buffer =
        |at, name, is_written| Words(e.resources.words_at(&mut e.f, (at, 1), name, is_written));
    let report = buffer(checks.report, "DescriptorReport", true);
    let heap = buffer(checks.heap, "DescriptorHeapInfo", false);
    let word = e.b.ty_u32();
    let ty = e.b.ty_function(word, &[word; 3]);
    let parameters = e.b.begin_function(id, word, ty, &[word; 3]);
    let label = e.b.id();
    e.b.begin_block(label);
    if let [index, expected, operation] = parameters[..] {
        let count = heap.load_at(e, 0);
        let place = e.b.word_with(Op::IMul, index, WORDS);
        let [resource, time, kinds] = [0, 1, 2].map(|part| {
            let at = e.b.word_with(Op::IAdd, place, HEAD + part);
            heap.load(e, at)
        });
        let faults = [
            is_beyond(e, index, count),
            is_other_kind(e, kinds, expected),
            is_destroyed(e, report, resource),
            is_too_new(e, report, time),
        ];
        let none = e.b.const_u32(0);
        let fault = faults.into_iter().fold(none, |fault, (is_wrong, bit)| {
            let bit = e.bool_to_u32(is_wrong, bit, 0);
            e.b.word(Op::BitwiseOr, &[fault, bit])
        });
        let is_wrong = e.is_nonzero(fault);
        when(e, is_wrong, |e| {
            let (at, one) = (e.b.const_u32(report::FAULTS), e.b.const_u32(1));
            let faults = report.pointer(e, at);
            let before = e.atomic(Op::AtomicIAdd, word, faults, &[one]);
            let is_first = e.b.flag_with(Op::IEqual, before, 0);
            when(e, is_first, |e| {
                let number = heap.load_at(e, 1);
                let shader = [checks.shader as u32, (checks.shader >> 32) as u32];
                let [low, high] = shader.map(|word| e.b.const_u32(word));
                for (at, value) in [
                    (0, low),
                    (1, high),
                    (report::INDEX, index),
                    (report::HEAP, number),
                    (report::RESOURCE, resource),
                    (report::OPERATION, operation),
                    (report::EXPECTED, expected),
                    (report::KINDS, kinds),
                ] {
                    report.store(e, at, value);
                }
                // Who sees the fault sees the other words.
                barrier(e);
                report.store(e, report::FAULT, fault);
            });
        });
        let result = e.b.word(Op::Select, &[is_wrong, count, index]);
        e.b.op_void(Op::ReturnValue, &[result]);
    }
    e.b.finish_function();
    e.b.name(id, "check_descriptor");
}

/// Orders accesses to buffers.
pub(super) fn barrier(e: &mut Emitter<'_>) {
    let scope = e.b.const_u32(Scope::Device as u32);
    let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::UNIFORM_MEMORY;
    let semantics = e.b.const_u32(semantics.bits());
    e.b.op_void(Op::MemoryBarrier, &[scope, semantics]);
}

/// Each returns whether something is wrong, and the bit for it.
fn is_beyond(e: &mut Emitter<'_>, index: Word, count: Word) -> (Word, u32) {
    (flag(e, Op::UGreaterThanEqual, [index, count]), BEYOND)
}

fn is_other_kind(e: &mut Emitter<'_>, kinds: Word, expected: Word) -> (Word, u32) {
    let common = e.b.word(Op::BitwiseAnd, &[kinds, expected]);
    (flag(e, Op::INotEqual, [common, expected]), OTHER_KIND)
}

fn is_destroyed(e: &mut Emitter<'_>, report: Words, resource: Word) -> (Word, u32) {
    let at = e.b.word_with(Op::ShiftRightLogical, resource, 5);
    let at = e.b.word_with(Op::IAdd, at, report::EXISTS);
    let bits = report.load(e, at);
    let shift = e.b.word_with(Op::BitwiseAnd, resource, 31);
    let bit = e.b.word(Op::ShiftRightLogical, &[bits, shift]);
    let bit = e.b.word_with(Op::BitwiseAnd, bit, 1);
    (e.b.flag_with(Op::IEqual, bit, 0), DESTROYED)
}

fn is_too_new(e: &mut Emitter<'_>, report: Words, time: Word) -> (Word, u32) {
    let now = report.load_at(e, report::TIME);
    (flag(e, Op::ULessThan, [now, time]), TOO_NEW)
}

fn flag(e: &mut Emitter<'_>, op: Op, operands: [Word; 2]) -> Word {
    let ty = e.b.ty_bool();
    e.b.op(op, ty, &operands)
}
