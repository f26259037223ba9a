//! Operations on nodes as instructions of `SPV_AMDX_shader_enqueue`.
//!
//! An allocation is a pointer to an array of payloads, and the result of `GetNodeRecordPtr` is the
//! number of a payload in its array ([`crate::memory::node_payload`] accesses them).

use rspirv::spirv::{BuiltIn, Capability, Op, Scope, StorageClass, Word};
use trellis_dxil_frontend::dxop::NodeOp;
use trellis_dxil_frontend::shader::{NodeIoFlags, NodeLaunch};

use crate::error::{Error, InvalidKind};
use crate::memory::node_handle::{OutputHandle, Records, output_handle, properties, records};
use crate::ops::Emitter;
use crate::values::Shape;

/// Emits one operation of this family.
pub(super) fn emit(e: &mut Emitter<'_>, op: NodeOp) -> Result<(), Error> {
    let id = match op {
        NodeOp::AllocateNodeOutputRecords => {
            let handle = output_handle(e, e.arg_value(0)?)?;
            allocate(e, &handle)?
        }
        NodeOp::GetNodeRecordPtr => record_number(e)?,
        NodeOp::IncrementOutputCount => {
            let handle = output_handle(e, e.arg_value(0)?)?;
            let payloads = allocate(e, &handle)?;
            e.b.op_void(Op::EnqueueNodePayloadsAMDX, &[payloads]);
            return Ok(());
        }
        NodeOp::OutputComplete => return complete(e),
        NodeOp::GetInputRecordCount => input_count(e)?,
        NodeOp::FinishedCrossGroupSharing => finished(e)?,
        NodeOp::NodeOutputIsValid => {
            let handle = output_handle(e, e.arg_value(0)?)?;
            let array = e.memory.node_output(&mut e.f, handle.number)?.array;
            let (boolean, index) = (e.b.ty_bool(), node_index(e, &handle)?);
            e.b.op(Op::IsNodePayloadValidAMDX, boolean, &[array, index])
        }
        NodeOp::GetRemainingRecursionLevels => {
            e.b.caps.add(Capability::ShaderEnqueueAMDX);
            let levels = BuiltIn::RemainingRecursionLevelsAMDX;
            e.builtin(levels, Shape::U32)
        }
        // Lowering folds these into their uses.
        NodeOp::CreateNodeOutputHandle
        | NodeOp::IndexNodeHandle
        | NodeOp::AnnotateNodeHandle
        | NodeOp::CreateNodeInputRecordHandle
        | NodeOp::AnnotateNodeRecordHandle => return Err(e.unsupported(e.call.op)),
    };
    e.set_result(0, id);
    Ok(())
}

/// Returns the index in the array of nodes that an output handle names, which has the first node's
/// index as a decoration.
fn node_index(e: &mut Emitter<'_>, handle: &OutputHandle<'_>) -> Result<Word, Error> {
    let mut sum = None;
    for &index in &handle.indices {
        let index = e.id(index)?;
        sum = Some(match sum {
            None => index,
            Some(sum) => e.b.word(Op::IAdd, &[sum, index]),
        });
    }
    Ok(sum.unwrap_or_else(|| e.b.const_u32(0)))
}

/// Emits an allocation for a thread or the group.
fn allocate(e: &mut Emitter<'_>, handle: &OutputHandle<'_>) -> Result<Word, Error> {
    let array = e.memory.node_output(&mut e.f, handle.number)?.array;
    let ptr = e.b.ty_ptr(StorageClass::NodePayloadAMDX, array);
    let scope = match e.arg_const(2)? {
        0 => Scope::Workgroup,
        _ => Scope::Invocation,
    };
    let scope = e.b.const_u32(scope as u32);
    let (count, index) = (e.arg_id(1)?, node_index(e, handle)?);
    let operands = [scope, count, index];
    Ok(e.b.op(Op::AllocateNodePayloadsAMDX, ptr, &operands))
}

/// Emits the end of an allocation: its records are ready.
fn complete(e: &mut Emitter<'_>) -> Result<(), Error> {
    let Records::Output(_, allocation) = records(e, e.arg_value(0)?)? else {
        return Err(e.invalid_operand("of the input"));
    };
    let payloads = e.id(allocation)?;
    e.b.op_void(Op::EnqueueNodePayloadsAMDX, &[payloads]);
    Ok(())
}

/// Returns the number of a record in its array.
fn record_number(e: &mut Emitter<'_>) -> Result<Word, Error> {
    let node = properties(e)?;
    let (what, record, has_several) = match records(e, e.arg_value(0)?)? {
        Records::Input => {
            let record = node.inputs.first().and_then(|input| input.record());
            ("the input", record, node.launch == NodeLaunch::Coalescing)
        }
        Records::Output(handle, _) => ("an output", handle.output.record(), true),
    };
    if record.is_none() {
        let detail = format!("a record of {what}, which has none");
        return Err(e.invalid(InvalidKind::Operand, detail));
    }
    let index = e.arg_value(1)?;
    if !has_several {
        return Ok(e.b.const_u32(0));
    }
    if e.is_undef(index) {
        return Err(e.invalid_operand("with an undefined index"));
    }
    e.id(index)
}

/// Returns the number of records that the group has.
fn input_count(e: &mut Emitter<'_>) -> Result<Word, Error> {
    if properties(e)?.launch != NodeLaunch::Coalescing {
        return Ok(e.b.const_u32(1));
    }
    let (input, _) = e.memory.node_input(&mut e.f)?;
    Ok(e.b.word(Op::NodePayloadArrayLengthAMDX, &[input]))
}

/// Emits whether the group is the last one with its record.
fn finished(e: &mut Emitter<'_>) -> Result<Word, Error> {
    let node = properties(e)?;
    let input = node.inputs.first();
    let tracks = input.is_some_and(|input| {
        input.flags.has(NodeIoFlags::TRACKS_SHARING) && input.record().is_some()
    });
    if !tracks || node.launch != NodeLaunch::Broadcasting {
        return Err(e.unsupported_on("an input that does not track who shares it"));
    }
    let (input, _) = e.memory.node_input(&mut e.f)?;
    Ok(e.b.flag(Op::FinishWritingNodePayloadAMDX, &[input]))
}
