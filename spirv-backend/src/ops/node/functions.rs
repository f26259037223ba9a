//! The functions that operations on nodes call, each emitted once.
//!
//! The counters are words: bytes of output records, allocations, then the records of each node. An
//! allocation is two words of a list after them: the node's number in the upper 24 bits and the
//! records less one in the lower 8, and the offset of the first record.

use rspirv::spirv::{
    BuiltIn, Capability, GlslStd450Op as GLOp, GroupOperation, MemoryAccess, Op, Scope, Word,
};

use super::flow::{choose, when};
use crate::memory::barrier::group_barrier;
use crate::memory::node_handle::properties;
use crate::nodes::{self, push, spec};
use crate::ops::Emitter;
use crate::resources::{NodeFunction, add_address, count_at, load_at, pointer_at, widen};
use crate::values::Shape;

/// Words before the counter of the first node.
const COUNTERS_BEFORE_NODES: u32 = 2;

/// Returns the address of a counter, or of a word after them.
pub(super) fn counter_address(e: &mut Emitter<'_>, index: Word) -> Word {
    let counters = e.resources.nodes.load_push(&mut e.f, push::COUNTERS);
    let (long, four) = (e.b.ty_int(64), e.b.const_int(64, 4));
    let index = widen(e, index);
    let offset = e.b.op(Op::IMul, long, &[index, four]);
    add_address(e, counters, offset)
}

/// Adds records to a node's.
pub(super) fn count(e: &mut Emitter<'_>, node: Word, records: Word) {
    let index = plus(e, node, COUNTERS_BEFORE_NODES);
    add_to_counter(e, index, records);
}

fn plus(e: &mut Emitter<'_>, word: Word, more: u32) -> Word {
    e.b.word_with(Op::IAdd, word, more)
}

/// Returns the address of the input record with a number.
pub(crate) fn record_address(e: &mut Emitter<'_>, number: Word) -> Word {
    let function = e
        .resources
        .nodes
        .function(&mut e.f, NodeFunction::RecordAddress);
    let long = e.b.ty_int(64);
    e.b.op(Op::FunctionCall, long, &[function, number])
}

/// Emits the functions that are called.
pub(crate) fn emit_all(e: &mut Emitter<'_>) {
    // Functions may call others, which are added at the end.
    let mut index = 0;
    while let Some((which, id)) = e.resources.nodes.function_at(index) {
        emit(e, which, id);
        index += 1;
    }
}

fn emit(e: &mut Emitter<'_>, which: NodeFunction, id: Word) {
    let word = e.b.ty_u32();
    let (result, parameters, name): (_, &[Word], _) = match which {
        NodeFunction::RecordAddress => (e.b.ty_int(64), &[word], "record_address"),
        NodeFunction::Allocate => (word, &[word; 3], "allocate"),
        NodeFunction::AllocateByWave => (word, &[word; 3], "allocate_by_wave"),
        NodeFunction::AllocateByThread => (word, &[word; 3], "allocate_by_thread"),
        NodeFunction::AllocateByGroup => (word, &[word; 3], "allocate_by_group"),
        NodeFunction::IncrementByGroup => (e.b.ty_void(), &[word; 2], "increment_by_group"),
        NodeFunction::Finished => (e.b.ty_bool(), &[e.b.ty_int(64)], "finished_sharing"),
        NodeFunction::IsValid => (e.b.ty_bool(), &[word; 3], "output_is_valid"),
    };
    let ty = e.b.ty_function(result, parameters);
    let ids = e.b.begin_function(id, result, ty, parameters);
    let label = e.b.id();
    e.b.begin_block(label);
    let value = match (which, &ids[..]) {
        (NodeFunction::RecordAddress, &[number]) => Some(address_of_record(e, number)),
        (NodeFunction::Allocate, &[node, count, stride]) => Some(allocate(e, node, count, stride)),
        (NodeFunction::AllocateByWave, &[node, count, stride]) => {
            Some(allocate_by_wave(e, node, count, stride))
        }
        (NodeFunction::AllocateByThread, &[node, count, stride]) => {
            Some(allocate_if_any(e, [node, count, stride]))
        }
        (NodeFunction::AllocateByGroup, &[node, count, stride]) => {
            let shared = by_first_thread(e, |e| allocate_if_any(e, [node, count, stride]));
            Some(shared)
        }
        (NodeFunction::IncrementByGroup, &[node, records]) => {
            let first = is_first_thread(e);
            when(e, first, |e| count(e, node, records));
            None
        }
        (NodeFunction::Finished, &[counter]) => Some(finished(e, counter)),
        (NodeFunction::IsValid, &[first, index, size]) => Some(is_valid(e, first, index, size)),
        _ => None,
    };
    match value {
        Some(value) => e.b.op_void(Op::ReturnValue, &[value]),
        None => e.b.op_void(Op::Return, &[]),
    }
    e.b.finish_function();
    e.b.name(id, name);
}

/// Emits the address of the input record with a number: an entry's records are contiguous; other
/// nodes' are found by a list of offsets.
fn address_of_record(e: &mut Emitter<'_>, number: Word) -> Word {
    let (long, word) = (e.b.ty_int(64), e.b.ty_u32());
    let records = e.resources.nodes.load_push(&mut e.f, push::RECORDS);
    let stride = e
        .resources
        .nodes
        .load_push(&mut e.f, push::STRIDE_OR_OFFSETS);
    let is_entry = is_entry(e);
    let indirect = (spec::IS_INDIRECT, "is_indirect");
    let indirect = e.resources.nodes.spec_bool(&mut e.f, indirect, false);
    let number = widen(e, number);
    choose(
        e,
        is_entry,
        long,
        |e| {
            let load = |e: &mut Emitter<'_>| load_at(e, records, long, 8);
            let base = choose(e, indirect, long, load, |_| records);
            let load = |e: &mut Emitter<'_>| {
                let stride = load_at(e, stride, word, 4);
                widen(e, stride)
            };
            let lower = |e: &mut Emitter<'_>| {
                let stride = e.b.op(Op::UConvert, word, &[stride]);
                widen(e, stride)
            };
            let stride = choose(e, indirect, long, load, lower);
            let offset = e.b.op(Op::IMul, long, &[number, stride]);
            add_address(e, base, offset)
        },
        |e| {
            let four = e.b.const_int(64, 4);
            let at = e.b.op(Op::IMul, long, &[number, four]);
            let at = add_address(e, stride, at);
            let offset = load_at(e, at, word, 4);
            let offset = widen(e, offset);
            add_address(e, records, offset)
        },
    )
}

/// Returns the specialization constant that is true if the records are an entry's.
fn is_entry(e: &mut Emitter<'_>) -> Word {
    let default = properties(e).is_ok_and(|node| node.is_program_entry);
    let name = (spec::IS_ENTRY, "is_entry");
    e.resources.nodes.spec_bool(&mut e.f, name, default)
}

/// Emits an allocation of one record at least: space, the node's records, and an entry of the list.
fn allocate(e: &mut Emitter<'_>, node: Word, records: Word, stride: Word) -> Word {
    let word = e.b.ty_u32();
    let bytes = e.b.op(Op::IMul, word, &[records, stride]);
    let bytes = plus(e, bytes, nodes::ALLOCATION_ALIGNMENT - 1);
    let mask = e.b.const_u32(!(nodes::ALLOCATION_ALIGNMENT - 1));
    let bytes = e.b.op(Op::BitwiseAnd, word, &[bytes, mask]);
    let (zero, one) = (e.b.const_u32(0), e.b.const_u32(1));
    let offset = add_to_counter(e, zero, bytes);
    count(e, node, records);
    let number = add_to_counter(e, one, one);
    let (eight, two) = (e.b.const_u32(8), e.b.const_u32(2));
    let head = e.b.op(Op::ShiftLeftLogical, word, &[node, eight]);
    let less = e.b.op(Op::ISub, word, &[records, one]);
    // More than that would change the node's number.
    let most = e.b.const_u32(nodes::MAX_ALLOCATION - 1);
    let less = e.b.ext(GLOp::UMin, word, &[less, most]);
    let head = e.b.op(Op::BitwiseOr, word, &[head, less]);
    let list = e.resources.nodes.load_push(&mut e.f, push::ALLOCATIONS);
    let at = e.b.op(Op::IMul, word, &[number, two]);
    let at = e.b.op(Op::IAdd, word, &[at, list]);
    let at = plus(e, at, COUNTERS_BEFORE_NODES);
    let address = counter_address(e, at);
    let four = e.b.const_int(64, 4);
    let second = add_address(e, address, four);
    for (address, value) in [(address, head), (second, offset)] {
        let pointer = pointer_at(e, address, word);
        let aligned = MemoryAccess::ALIGNED.bits();
        e.b.op_void(Op::Store, &[pointer, value, aligned, 4]);
    }
    offset
}

fn call_allocate(e: &mut Emitter<'_>, operands: [Word; 3]) -> Word {
    let function = e.resources.nodes.function(&mut e.f, NodeFunction::Allocate);
    let [node, records, stride] = operands;
    e.b.word(Op::FunctionCall, &[function, node, records, stride])
}

/// Emits an allocation unless the number of records is 0.
fn allocate_if_any(e: &mut Emitter<'_>, operands: [Word; 3]) -> Word {
    let (word, zero) = (e.b.ty_u32(), e.b.const_u32(0));
    let any = e.is_nonzero(operands[1]);
    choose(e, any, word, |e| call_allocate(e, operands), |_| zero)
}

/// Emits one allocation for all threads of a wave that run here: a thread's records follow the
/// records of the threads before it.
fn allocate_by_wave(e: &mut Emitter<'_>, node: Word, records: Word, stride: Word) -> Word {
    e.b.caps.add(Capability::GroupNonUniformArithmetic);
    e.b.caps.add(Capability::GroupNonUniformBallot);
    let (word, boolean, zero) = (e.b.ty_u32(), e.b.ty_bool(), e.b.const_u32(0));
    let wave = e.b.const_u32(Scope::Subgroup as u32);
    let sum = |e: &mut Emitter<'_>, how: GroupOperation| {
        let operands = [wave, how as Word, records];
        e.b.op(Op::GroupNonUniformIAdd, word, &operands)
    };
    let all = sum(e, GroupOperation::Reduce);
    let before = sum(e, GroupOperation::ExclusiveScan);
    let elected = e.b.op(Op::GroupNonUniformElect, boolean, &[wave]);
    let any = e.is_nonzero(all);
    let is_it = e.b.op(Op::LogicalAnd, boolean, &[elected, any]);
    let offset = choose(
        e,
        is_it,
        word,
        |e| call_allocate(e, [node, all, stride]),
        |_| zero,
    );
    let offset =
        e.b.op(Op::GroupNonUniformBroadcastFirst, word, &[wave, offset]);
    let more = e.b.op(Op::IMul, word, &[before, stride]);
    e.b.op(Op::IAdd, word, &[offset, more])
}

fn is_first_thread(e: &mut Emitter<'_>) -> Word {
    let (boolean, zero) = (e.b.ty_bool(), e.b.const_u32(0));
    let thread = e.builtin(BuiltIn::LocalInvocationIndex, Shape::U32);
    e.b.op(Op::IEqual, boolean, &[thread, zero])
}

/// Emits code that only the first thread of the group runs; all threads get its value. The
/// groupshared word may be used again right after.
fn by_first_thread(e: &mut Emitter<'_>, value: impl FnOnce(&mut Emitter<'_>) -> Word) -> Word {
    let shared = e.resources.nodes.shared_word(&mut e.f);
    let first = is_first_thread(e);
    when(e, first, |e| {
        let value = value(e);
        e.b.op_void(Op::Store, &[shared, value]);
    });
    group_barrier(e);
    let word = e.b.ty_u32();
    let id = e.load(word, shared);
    group_barrier(e);
    id
}

/// Emits whether the group is the last one with its record, whose counter is at an address.
fn finished(e: &mut Emitter<'_>, counter: Word) -> Word {
    let (boolean, one) = (e.b.ty_bool(), e.b.const_u32(1));
    let left = by_first_thread(e, |e| count_at(e, Op::AtomicISub, counter, one));
    e.b.op(Op::IEqual, boolean, &[left, one])
}

/// Emits whether the node at an index of an output exists. The counters of nodes that are missing
/// between others have a bit for that; in an array whose size is not known all nodes exist.
fn is_valid(e: &mut Emitter<'_>, first: Word, index: Word, size: Word) -> Word {
    let (boolean, word) = (e.b.ty_bool(), e.b.ty_u32());
    let none = e.b.const_u32(nodes::NO_NODE);
    let exists = e.b.op(Op::INotEqual, boolean, &[first, none]);
    let is_inside = e.b.op(Op::ULessThan, boolean, &[index, size]);
    let is_inside = e.b.op(Op::LogicalAnd, boolean, &[exists, is_inside]);
    let is_known = e.b.op(Op::INotEqual, boolean, &[size, none]);
    let has_counter = e.b.op(Op::LogicalAnd, boolean, &[is_inside, is_known]);
    choose(
        e,
        has_counter,
        boolean,
        |e| {
            let node = e.b.op(Op::IAdd, word, &[first, index]);
            let at = plus(e, node, COUNTERS_BEFORE_NODES);
            let address = counter_address(e, at);
            let pointer = pointer_at(e, address, word);
            let count = e.atomic(Op::AtomicLoad, word, pointer, &[]);
            let missing = e.b.const_u32(nodes::MISSING_NODE);
            let missing = e.b.op(Op::BitwiseAnd, word, &[count, missing]);
            let zero = e.b.const_u32(0);
            e.b.op(Op::IEqual, boolean, &[missing, zero])
        },
        |_| is_inside,
    )
}

/// Adds to the counter of a node; gives the old value.
fn add_to_counter(e: &mut Emitter<'_>, word_index: Word, value: Word) -> Word {
    let address = counter_address(e, word_index);
    count_at(e, Op::AtomicIAdd, address, value)
}
