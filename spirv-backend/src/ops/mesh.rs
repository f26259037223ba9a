//! `DispatchMesh`: an amplification shader ends, and its mesh shaders begin.
//!
//! D3D and SPIR-V agree that nothing follows: "ends the amplification shader group's execution"
//! there, a block's last instruction here. Lowering ends the block at the call, so what stands
//! behind it in the DXIL is not translated.

use rspirv::spirv::Op;
use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::DxCall;
use trellis_dxil_frontend::shader::ShaderKind;

use crate::error::Error;
use crate::memory::payload;
use crate::values::Emitter;

/// Emits the end of the block at hand.
pub(crate) fn dispatch(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    if e.entry.kind != ShaderKind::Amplification {
        return Err(e.invalid(format!("{} in a {:?} shader", call.op.name(), e.entry.kind)));
    }
    let mut operands = SmallVec::<[_; 4]>::new();
    for index in 0..3 {
        operands.push(e.arg_id(call, index)?);
    }
    let pointer = e.arg_value(call, 3)?;
    operands.extend(payload::copy(e, pointer)?);
    e.b.op_void_words(Op::EmitMeshTasksEXT, &operands);
    e.block_ended = true;
    Ok(())
}
