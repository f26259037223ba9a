//! The entry point of a node of a work graph: it finds out which records it has, and calls the node
//! for them.
//!
//! A dispatch has a row of groups for the records, in x and y. A group of a broadcasting node walks
//! over a part of its record's grid, with the dispatch's size in z as stride; with a single record
//! the dispatch has the grid itself.

use rspirv::spirv::{BuiltIn, GlslStd450Op as GLOp, Op, Word};
use trellis_dxil_frontend::shader::{ComponentType, DispatchGrid, NodeLaunch, NodeProperties};

use crate::error::{Error, InterfaceFeature};
use crate::memory::barrier;
use crate::nodes::{GROUPS_PER_ROW, push, spec};
use crate::ops::Emitter;
use crate::ops::node::flow::{choose, when};
use crate::ops::node::functions::record_address;
use crate::ops::node::{input_stride, properties};
use crate::resources::{NodeVariable, add_address, declare_group_size, load_at};
use crate::values::Shape;

const TRIPLE: Shape = Shape::U32.of_lanes(3);

/// Emits a function that calls the node, `shader`, for the records of the group or thread.
///
/// # Errors
/// The node's launch type, grid or group size is missing or invalid.
pub(super) fn entry_point(e: &mut Emitter<'_>, shader: Word) -> Result<Word, Error> {
    let node = properties(e)?;
    if e.resources.has_root_push_constants() {
        return Err(e.unsupported(InterfaceFeature::NodeRootConstants));
    }
    let Some(threads) = super::entry::threads_of_group(e) else {
        return Err(e.invalid_property("a node without a thread group size"));
    };
    let (void, id) = (e.b.ty_void(), e.b.id());
    let ty = e.b.ty_function(void, &[]);
    e.b.begin_function(id, void, ty, &[]);
    let start = e.b.id();
    e.b.begin_block(start);
    match node.launch {
        NodeLaunch::Broadcasting => broadcasting(e, (node, threads), shader)?,
        NodeLaunch::Coalescing => coalescing(e, node, shader),
        NodeLaunch::Thread => thread(e, node, shader),
        NodeLaunch::Unknown(number) => {
            return Err(e.invalid_property(format!("a node of launch type {number}")));
        }
    }
    e.b.op_void(Op::Return, &[]);
    e.b.finish_function();
    let name = format!("{}.records", e.entry.name);
    e.b.name(id, &name);
    Ok(id)
}

fn call(e: &mut Emitter<'_>, shader: Word) {
    let void = e.b.ty_void();
    e.b.op(Op::FunctionCall, void, &[shader]);
}

/// Returns the number of the group within the dispatch.
fn group_number(e: &mut Emitter<'_>, group: Word) -> Word {
    let (word, row) = (e.b.ty_u32(), e.b.const_u32(GROUPS_PER_ROW));
    let (x, y) = (e.b.extract(word, group, 0), e.b.extract(word, group, 1));
    let before = e.b.op(Op::IMul, word, &[y, row]);
    e.b.op(Op::IAdd, word, &[before, x])
}

fn load_group(e: &mut Emitter<'_>) -> Word {
    e.builtin(BuiltIn::WorkgroupId, TRIPLE)
}

/// Loads the word whose address is a push constant.
fn word_at(e: &mut Emitter<'_>, offset: u32) -> Word {
    let (address, word) = (e.resources.nodes.load_push(&mut e.f, offset), e.b.ty_u32());
    load_at(e, address, word, 4)
}

/// Sets the address of the record of a thread or group, if the node has records.
fn find_record(e: &mut Emitter<'_>, node: &NodeProperties, number: Word) -> Option<Word> {
    let uses_record = e.resources.nodes.reads(NodeVariable::Record);
    if input_stride(node) == 0 || !uses_record && grid_field(node).is_none() {
        return None;
    }
    let address = record_address(e, number);
    e.resources
        .nodes
        .store(&mut e.f, NodeVariable::Record, address);
    Some(address)
}

/// A thread for each record.
fn thread(e: &mut Emitter<'_>, node: &NodeProperties, shader: Word) {
    let boolean = e.b.ty_bool();
    let name = (spec::GROUP_SIZE, "threads_of_group");
    let threads = e.resources.nodes.spec_word(&mut e.f, name, 1);
    declare_group_size(e, threads);
    let group = load_group(e);
    let group = group_number(e, group);
    let local = e.builtin(BuiltIn::LocalInvocationIndex, Shape::U32);
    let first = word_at(e, push::FIRST);
    let before = e.b.word(Op::IMul, &[group, threads]);
    let number = e.b.word(Op::IAdd, &[before, local]);
    let number = e.b.word(Op::IAdd, &[number, first]);
    let end = word_at(e, push::END);
    let exists = e.b.op(Op::ULessThan, boolean, &[number, end]);
    when(e, exists, |e| {
        find_record(e, node, number);
        call(e, shader);
    });
}

/// A group for several records.
fn coalescing(e: &mut Emitter<'_>, node: &NodeProperties, shader: Word) {
    let word = e.b.ty_u32();
    let input = node.inputs.first();
    let most = input.and_then(|input| input.max_records).unwrap_or(1);
    let most = e.b.const_u32(most.max(1));
    let group = load_group(e);
    let group = group_number(e, group);
    let first = word_at(e, push::FIRST);
    let before = e.b.op(Op::IMul, word, &[group, most]);
    let number = e.b.op(Op::IAdd, word, &[before, first]);
    let end = word_at(e, push::END);
    let inside = e.b.ext(GLOp::UMin, word, &[number, end]);
    let left = e.b.op(Op::ISub, word, &[end, inside]);
    let count = e.b.ext(GLOp::UMin, word, &[left, most]);
    e.resources
        .nodes
        .store(&mut e.f, NodeVariable::First, number);
    e.resources
        .nodes
        .store(&mut e.f, NodeVariable::Count, count);
    call(e, shader);
}

/// Returns the field with the grid, if the records have one.
fn grid_field(node: &NodeProperties) -> Option<DispatchGrid> {
    let is_broadcasting = node.launch == NodeLaunch::Broadcasting;
    node.input_record()?.grid.filter(|_| is_broadcasting)
}

/// A grid of groups for each record.
fn broadcasting(
    e: &mut Emitter<'_>,
    (node, threads): (&NodeProperties, [u32; 3]),
    shader: Word,
) -> Result<(), Error> {
    let Some(grid) = node.max_dispatch_grid.or(node.dispatch_grid) else {
        return Err(e.invalid_property("a broadcasting node without a grid"));
    };
    let (word, boolean) = (e.b.ty_u32(), e.b.ty_bool());
    let one_record = (spec::ONE_RECORD, "one_record");
    let one_record = e.resources.nodes.spec_bool(&mut e.f, one_record, false);
    let group = load_group(e);
    let first = word_at(e, push::FIRST);
    let number = group_number(e, group);
    let number = e.b.op(Op::IAdd, word, &[number, first]);
    let number = e.b.op(Op::Select, word, &[one_record, first, number]);
    let record = find_record(e, node, number);
    let [x, y, z] = grid_size(e, (node, grid), record)?;

    // A group walks from its own number in steps of the groups of its record.
    let plane = e.b.op(Op::IMul, word, &[x, y]);
    let all = e.b.op(Op::IMul, word, &[plane, z]);
    let depth = e.b.extract(word, group, 2);
    let groups = e.builtin(BuiltIn::NumWorkgroups, TRIPLE);
    let step = e.b.extract(word, groups, 2);
    let (zero, one) = (e.b.const_u32(0), e.b.const_u32(1));
    let [begin, step, all] = [[zero, depth], [one, step], [one, all]]
        .map(|[single, several]| e.b.op(Op::Select, word, &[one_record, single, several]));
    let [before, header, body, next, merge] = [(); 5].map(|()| e.b.id());
    e.b.op_void(Op::Branch, &[before]);
    e.b.begin_block(before);
    e.b.op_void(Op::Branch, &[header]);
    e.b.begin_block(header);
    let (at, operands) = e.b.phi(word, 2);
    let more = e.b.op(Op::ULessThan, boolean, &[at, all]);
    e.b.op_void(Op::LoopMerge, &[merge, next, 0]);
    e.b.op_void(Op::BranchConditional, &[more, body, merge]);
    e.b.begin_block(body);
    let place = GridGroup {
        group,
        one_record,
        at,
        size: [x, y, plane],
    };
    set_place(e, threads, place);
    call(e, shader);
    // The next group may use groupshared memory as soon as all threads are done with this one.
    barrier::group_barrier(e);
    e.b.op_void(Op::Branch, &[next]);
    e.b.begin_block(next);
    let after = e.b.op(Op::IAdd, word, &[at, step]);
    e.b.op_void(Op::Branch, &[header]);
    e.b.set_phi(operands, 0, begin, before);
    e.b.set_phi(operands, 1, after, next);
    e.b.begin_block(merge);
    Ok(())
}

/// Returns the size of the grid of a record: the record's, if it has one, limited to the node's
/// declaration.
fn grid_size(
    e: &mut Emitter<'_>,
    (node, grid): (&NodeProperties, [u32; 3]),
    record: Option<Word>,
) -> Result<[Word; 3], Error> {
    let names = ["grid_x", "grid_y", "grid_z"];
    let mut size = [0; 3];
    for (index, size) in size.iter_mut().enumerate() {
        let name = (spec::GRID[index], names[index]);
        *size = e.resources.nodes.spec_word(&mut e.f, name, grid[index]);
    }
    let (Some(field), Some(record)) = (grid_field(node), record) else {
        return Ok(size);
    };
    let bits = match field.component {
        ComponentType::U16 => 16,
        _ => 32,
    };
    if !field.offset.is_multiple_of(bits / 8) {
        return Err(e.invalid_property(format!("SV_DispatchGrid at offset {}", field.offset)));
    }
    let in_record = (spec::GRID_IN_RECORD, "grid_in_record");
    let default = node.max_dispatch_grid.is_some();
    let in_record = e.resources.nodes.spec_bool(&mut e.f, in_record, default);
    let (word, one) = (e.b.ty_u32(), e.b.const_u32(1));
    let most = size;
    for (index, size) in (0..).zip(&mut size) {
        let most = most[index as usize];
        *size = choose(
            e,
            in_record,
            word,
            |e| {
                if index >= field.components {
                    return one;
                }
                let offset = u64::from(field.offset) + u64::from(index * bits / 8);
                let offset = e.b.const_int(64, offset);
                let address = add_address(e, record, offset);
                let id = if bits == 16 {
                    load_half(e, address)
                } else {
                    load_at(e, address, word, 4)
                };
                e.b.ext(GLOp::UMin, word, &[id, most])
            },
            |_| most,
        );
    }
    Ok(size)
}

/// Loads the 16-bit number at an address as the part of a word, so that the device needs no 16-bit
/// types.
fn load_half(e: &mut Emitter<'_>, address: Word) -> Word {
    let (long, word) = (e.b.ty_int(64), e.b.ty_u32());
    let mask = e.b.const_int(64, !3);
    let whole = e.b.op(Op::BitwiseAnd, long, &[address, mask]);
    let whole = load_at(e, whole, word, 4);
    let (two, eight, bits) = (e.b.const_u32(2), e.b.const_u32(8), e.b.const_u32(16));
    let low = e.b.op(Op::UConvert, word, &[address]);
    let low = e.b.op(Op::BitwiseAnd, word, &[low, two]);
    let shift = e.b.op(Op::IMul, word, &[low, eight]);
    e.b.op(Op::BitFieldUExtract, word, &[whole, shift, bits])
}

/// Where a group is in its record's grid.
struct GridGroup {
    /// The group of the dispatch.
    group: Word,
    /// The dispatch has the grid.
    one_record: Word,
    /// Number of the group in the grid.
    at: Word,
    /// Groups of a row, rows of a plane, groups of a plane.
    size: [Word; 3],
}

/// Sets the ids of a broadcasting node's group and threads.
fn set_place(e: &mut Emitter<'_>, threads: [u32; 3], place: GridGroup) {
    let reads = |which| e.resources.nodes.reads(which);
    let reads_thread = reads(NodeVariable::Thread);
    if !reads_thread && !reads(NodeVariable::Group) {
        return;
    }
    let (word, boolean) = (e.b.ty_u32(), e.b.ty_bool());
    let triple = e.b.ty_vec(word, 3);
    let [x, y, plane] = place.size;
    let row = e.b.op(Op::UDiv, word, &[place.at, x]);
    let parts = [
        e.b.op(Op::UMod, word, &[place.at, x]),
        e.b.op(Op::UMod, word, &[row, y]),
        e.b.op(Op::UDiv, word, &[place.at, plane]),
    ];
    let computed = e.b.construct(triple, &parts);
    let booleans = e.b.ty_vec(boolean, 3);
    let one_record = e.b.construct(booleans, &[place.one_record; 3]);
    let group =
        e.b.op(Op::Select, triple, &[one_record, place.group, computed]);
    e.resources
        .nodes
        .store(&mut e.f, NodeVariable::Group, group);
    if reads_thread {
        let local = e.builtin(BuiltIn::LocalInvocationId, TRIPLE);
        let threads = threads.map(|count| e.b.const_u32(count));
        let threads = e.b.const_composite(triple, &threads);
        let first = e.b.op(Op::IMul, triple, &[group, threads]);
        let thread = e.b.op(Op::IAdd, triple, &[first, local]);
        e.resources
            .nodes
            .store(&mut e.f, NodeVariable::Thread, thread);
    }
}
