//! Handles of nodes and of their records: which input or output they name.
//!
//! Handles have no instructions: their users follow them to the operation that makes them.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::{DxCall, Op as Dx};
use trellis_dxil_frontend::module::ValueId;
use trellis_dxil_frontend::shader::{NodeOutput, NodeProperties};

use crate::error::{Error, Feature, InvalidKind, Limit};
use crate::values::FunctionBuilder;

/// Steps from a handle to the operation that creates it; compilers make a handful.
const MAX_STEPS: usize = 64;

/// An output that a handle names.
pub(crate) struct OutputHandle<'a> {
    pub(crate) number: u32,
    pub(crate) output: &'a NodeOutput,
    /// Indices in its array of nodes, whose sum counts.
    pub(crate) indices: SmallVec<[ValueId; 1]>,
}

/// The target of a handle of records.
pub(crate) enum Records<'a> {
    /// The input.
    Input,
    /// An allocation, whose offset is the value.
    Output(OutputHandle<'a>, ValueId),
}

/// Returns the properties of the node.
pub(crate) fn properties<'a>(e: &FunctionBuilder<'a>) -> Result<&'a NodeProperties, Error> {
    let entry = e.entry;
    let missing = || e.invalid_property("an operation on nodes in a shader without a launch type");
    entry.properties.node.as_deref().ok_or_else(missing)
}

/// Returns the operation that makes a handle.
fn maker<'a>(e: &FunctionBuilder<'a>, value: ValueId) -> Result<DxCall<'a>, Error> {
    let unknown = || {
        let what = "a handle of a node that is selected at run time";
        e.unsupported(Feature::on(Dx::AnnotateNodeHandle, what))
    };
    let (inst, _) = e.def(value).ok_or_else(unknown)?;
    let call = e.parse(inst)?;
    call.ok_or_else(unknown)
}

fn too_long(e: &FunctionBuilder<'_>) -> Error {
    e.unsupported(Limit::AddressSteps)
}

/// Returns the output that a handle of a node names.
pub(crate) fn output_handle<'a>(
    e: &FunctionBuilder<'a>,
    mut value: ValueId,
) -> Result<OutputHandle<'a>, Error> {
    let mut indices = SmallVec::new();
    for _ in 0..MAX_STEPS {
        let call = maker(e, value)?;
        match call.op {
            Dx::AnnotateNodeHandle => value = e.operand_of(&call, 0)?,
            Dx::IndexNodeHandle => {
                indices.push(e.operand_of(&call, 1)?);
                value = e.operand_of(&call, 0)?;
            }
            Dx::CreateNodeOutputHandle => {
                let number = e.constant_of(&call, 0)?;
                let outputs = &properties(e)?.outputs;
                let output = usize::try_from(number).ok().and_then(|at| outputs.get(at));
                let Some(output) = output else {
                    let detail = format!("output {number} of a node with {}", outputs.len());
                    return Err(e.invalid(InvalidKind::Operand, detail));
                };
                return Ok(OutputHandle {
                    number: number as u32,
                    output,
                    indices,
                });
            }
            other => return Err(e.unsupported(Feature::on(other, "a handle of a node"))),
        }
    }
    Err(too_long(e))
}

/// Returns the target of a handle of records.
pub(crate) fn records<'a>(
    e: &FunctionBuilder<'a>,
    mut value: ValueId,
) -> Result<Records<'a>, Error> {
    for _ in 0..MAX_STEPS {
        let call = maker(e, value)?;
        match call.op {
            Dx::AnnotateNodeRecordHandle => value = e.operand_of(&call, 0)?,
            Dx::CreateNodeInputRecordHandle => return Ok(Records::Input),
            Dx::AllocateNodeOutputRecords => {
                let output = output_handle(e, e.operand_of(&call, 0)?)?;
                return Ok(Records::Output(output, value));
            }
            other => return Err(e.unsupported(Feature::on(other, "a handle of records"))),
        }
    }
    Err(too_long(e))
}
