//! Nodes of work graphs: inputs, outputs, and their records at device addresses.
//!
//! Handles have no instructions: their users find out which output or input they name. An allocation
//! gives the offset of its first record, and `GetNodeRecordPtr` the address of a record.

mod enqueue;
pub(crate) mod flow;
pub(crate) mod functions;

use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};
use trellis_dxil_frontend::dxop::NodeOp;
use trellis_dxil_frontend::module::ValueId;
use trellis_dxil_frontend::shader::{NodeLaunch, NodeOutput, NodeProperties};

use super::Emitter;
use crate::error::{Error, InvalidKind};
pub(crate) use crate::memory::node_handle::properties;
use crate::memory::node_handle::{OutputHandle, Records, output_handle, records};
use crate::nodes::{self, push, spec};
use crate::resources::{NodeFunction, NodeVariable, add_address, widen};

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: NodeOp) -> Result<(), Error> {
    if e.options.extensions.shader_enqueue {
        return enqueue::emit(e, op);
    }
    match op {
        NodeOp::AllocateNodeOutputRecords => allocate(e),
        NodeOp::GetNodeRecordPtr => record_address(e),
        NodeOp::IncrementOutputCount => increment(e),
        // An allocation is in the list already; later dispatches read the records.
        NodeOp::OutputComplete => Ok(()),
        NodeOp::GetInputRecordCount => {
            let id = match properties(e)?.launch {
                NodeLaunch::Coalescing => e.resources.nodes.load(&mut e.f, NodeVariable::Count),
                _ => e.b.const_u32(1),
            };
            e.set_result(0, id);
            Ok(())
        }
        NodeOp::FinishedCrossGroupSharing => finished(e),
        NodeOp::NodeOutputIsValid => is_valid(e),
        NodeOp::GetRemainingRecursionLevels => {
            let id = e
                .resources
                .nodes
                .load_push(&mut e.f, push::RECURSION_LEVELS);
            e.set_result(0, id);
            Ok(())
        }
        // Lowering folds these into their uses.
        NodeOp::CreateNodeOutputHandle
        | NodeOp::IndexNodeHandle
        | NodeOp::AnnotateNodeHandle
        | NodeOp::CreateNodeInputRecordHandle
        | NodeOp::AnnotateNodeRecordHandle => Err(e.unsupported(e.call.op)),
    }
}

/// Returns the number of the node that an output handle names.
fn node_number(e: &mut Emitter<'_>, handle: &OutputHandle<'_>) -> Result<Word, Error> {
    let mut number = first_node(e, handle);
    for &index in &handle.indices {
        let index = e.id(index)?;
        number = e.b.word(Op::IAdd, &[number, index]);
    }
    Ok(number)
}

fn first_node(e: &mut Emitter<'_>, handle: &OutputHandle<'_>) -> Word {
    let name = format!("output_{}", handle.output.id.name);
    let number = spec::OUTPUTS + handle.number.min(spec::OUTPUT_SIZES - spec::OUTPUTS - 1);
    e.resources.nodes.spec_word(&mut e.f, (number, &name), 0)
}

/// Returns the most records that a thread or group may output at once.
fn most_records(node: &NodeProperties, output: &NodeOutput) -> Option<u32> {
    match output.max_records_shared_with {
        // The output's own number is 0 then.
        Some(number) => node.outputs.get(number as usize)?.max_records,
        None => output.max_records,
    }
}

/// Returns a number of records, limited to the node's declaration: more would end up in the memory
/// of others.
fn record_count(e: &mut Emitter<'_>, most: Option<u32>) -> Result<Word, Error> {
    let value = e.arg_value(1)?;
    let id = e.id(value)?;
    let Some(most) = most.filter(|&most| e.const_int(value).is_none_or(|n| n > most.into())) else {
        return Ok(id);
    };
    let (word, most) = (e.b.ty_u32(), e.b.const_u32(most));
    Ok(e.b.ext(GLOp::UMin, word, &[id, most]))
}

/// Emits an allocation of records; its result is the offset of the first one.
fn allocate(e: &mut Emitter<'_>) -> Result<(), Error> {
    let handle = output_handle(e, e.arg_value(0)?)?;
    let stride = nodes::output_stride(handle.output);
    if stride == 0 {
        let detail = format!("records of output {}, which has none", handle.number);
        return Err(e.invalid(InvalidKind::Operand, detail));
    }
    let most = most_records(properties(e)?, handle.output).unwrap_or(nodes::MAX_ALLOCATION);
    let count = record_count(e, Some(most.min(nodes::MAX_ALLOCATION)))?;
    let by_thread = e.arg_const(2)? != 0;
    let is_uniform = handle.indices.iter().all(|&i| e.const_int(i).is_some());
    let function = match (by_thread, is_uniform) {
        (false, _) => NodeFunction::AllocateByGroup,
        (true, true) => NodeFunction::AllocateByWave,
        (true, false) => NodeFunction::AllocateByThread,
    };
    let node = node_number(e, &handle)?;
    let function = e.resources.nodes.function(&mut e.f, function);
    let stride = e.b.const_u32(stride);
    let offset = e.b.word(Op::FunctionCall, &[function, node, count, stride]);
    e.set_result(0, offset);
    Ok(())
}

/// Emits the count of empty records.
fn increment(e: &mut Emitter<'_>) -> Result<(), Error> {
    let handle = output_handle(e, e.arg_value(0)?)?;
    let most = most_records(properties(e)?, handle.output);
    let count = record_count(e, most)?;
    let node = node_number(e, &handle)?;
    if e.arg_const(2)? != 0 {
        functions::count(e, node, count);
    } else {
        let function = e
            .resources
            .nodes
            .function(&mut e.f, NodeFunction::IncrementByGroup);
        let void = e.b.ty_void();
        e.b.op(Op::FunctionCall, void, &[function, node, count]);
    }
    Ok(())
}

/// Emits the address of a record.
fn record_address(e: &mut Emitter<'_>) -> Result<(), Error> {
    let index = e.arg_value(1)?;
    let id = match records(e, e.arg_value(0)?)? {
        Records::Input => input_address(e, index)?,
        Records::Output(handle, offset) => {
            let stride = nodes::output_stride(handle.output);
            let base = e.id(offset)?;
            let offset = if e.const_int(index) == Some(0) {
                base
            } else {
                let index = e.id(index)?;
                let more = e.b.word_with(Op::IMul, index, stride);
                e.b.word(Op::IAdd, &[base, more])
            };
            let records = e.resources.nodes.load_push(&mut e.f, push::OUTPUT_RECORDS);
            let offset = widen(e, offset);
            add_address(e, records, offset)
        }
    };
    e.set_result(0, id);
    Ok(())
}

/// Returns the address of an input record.
fn input_address(e: &mut Emitter<'_>, index: ValueId) -> Result<Word, Error> {
    let node = properties(e)?;
    if input_stride(node) == 0 {
        let detail = "a record of the input, which has none";
        return Err(e.invalid(InvalidKind::Operand, detail));
    }
    if node.launch != NodeLaunch::Coalescing {
        return Ok(e.resources.nodes.load(&mut e.f, NodeVariable::Record));
    }
    if e.is_undef(index) {
        return Err(e.invalid_operand("with an undefined index"));
    }
    let first = e.resources.nodes.load(&mut e.f, NodeVariable::First);
    let index = e.id(index)?;
    let number = e.b.word(Op::IAdd, &[first, index]);
    Ok(functions::record_address(e, number))
}

/// Returns the bytes between records of the input; 0 for empty records.
pub(crate) fn input_stride(node: &NodeProperties) -> u32 {
    node.inputs.first().map_or(0, nodes::input_stride)
}

/// Emits whether the group is the last one with its record.
fn finished(e: &mut Emitter<'_>) -> Result<(), Error> {
    let node = properties(e)?;
    let tracks = node.inputs.first().is_some_and(|input| {
        use trellis_dxil_frontend::shader::NodeIoFlags;
        input.flags.has(NodeIoFlags::TRACKS_SHARING) && nodes::input_stride(input) > 4
    });
    if !tracks || node.launch != NodeLaunch::Broadcasting {
        return Err(e.unsupported_on("an input that does not track who shares it"));
    }
    let record = e.resources.nodes.load(&mut e.f, NodeVariable::Record);
    let at = e.b.const_int(64, u64::from(input_stride(node) - 4));
    let counter = add_address(e, record, at);
    let function = e.resources.nodes.function(&mut e.f, NodeFunction::Finished);
    let id = e.b.flag(Op::FunctionCall, &[function, counter]);
    e.set_result(0, id);
    Ok(())
}

/// Emits whether the node of an output exists, and may get records.
fn is_valid(e: &mut Emitter<'_>) -> Result<(), Error> {
    let node = properties(e)?;
    let handle = output_handle(e, e.arg_value(0)?)?;
    let (boolean, zero) = (e.b.ty_bool(), e.b.const_u32(0));
    let own = node.id.as_ref();
    let id = if own == Some(&handle.output.id) && handle.indices.is_empty() {
        let levels = e
            .resources
            .nodes
            .load_push(&mut e.f, push::RECURSION_LEVELS);
        e.b.op(Op::INotEqual, boolean, &[levels, zero])
    } else if handle.indices.is_empty() {
        let (first, none) = (first_node(e, &handle), e.b.const_u32(nodes::NO_NODE));
        e.b.op(Op::INotEqual, boolean, &[first, none])
    } else {
        let first = first_node(e, &handle);
        let name = format!("nodes_{}", handle.output.id.name);
        let number = spec::OUTPUT_SIZES.saturating_add(handle.number);
        let default = handle.output.array_size.unwrap_or(1);
        let size = e
            .resources
            .nodes
            .spec_word(&mut e.f, (number, &name), default);
        let mut index = zero;
        for &more in &handle.indices {
            let more = e.id(more)?;
            index = e.b.word(Op::IAdd, &[index, more]);
        }
        let function = e.resources.nodes.function(&mut e.f, NodeFunction::IsValid);
        e.b.op(Op::FunctionCall, boolean, &[function, first, index, size])
    };
    e.set_result(0, id);
    Ok(())
}
