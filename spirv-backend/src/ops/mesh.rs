//! Operations of mesh and amplification shaders.
//!
//! After `DispatchMesh` nothing runs: it "ends the amplification shader group's execution" in D3D
//! and is a terminator in SPIR-V. Lowering ends the block at the call, so the instructions after it
//! in the DXIL are not translated.

use rspirv::spirv::{Op, Word};
use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::MeshOp;

use super::Emitter;
use crate::error::Error;
use crate::interface;
use crate::memory::payload;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: MeshOp) -> Result<(), Error> {
    match op {
        MeshOp::SetMeshOutputCounts => {
            let counts = [e.arg_id(0)?, e.arg_id(1)?];
            let constants = [e.arg_value(0)?, e.arg_value(1)?];
            let constants = constants.map(|value| e.const_int(value));
            let counts = possible_counts(e, counts, constants);
            e.b.op_void(Op::SetMeshOutputsEXT, &counts);
            Ok(())
        }
        MeshOp::EmitIndices => interface::emit_mesh_indices(&mut e.f, &mut e.interface),
        MeshOp::StoreVertexOutput | MeshOp::StorePrimitiveOutput => {
            interface::store_mesh(&mut e.f, &mut e.interface)
        }
        MeshOp::DispatchMesh => dispatch(e),
        // Lowering folds the payload's address into its uses.
        MeshOp::GetMeshPayload => Err(e.unsupported(e.call.op)),
    }
}

/// Returns the numbers of vertices and primitives. Constants are limited to the shader's
/// declaration, as Vulkan requires; larger counts are undefined in D3D. With the quirk
/// `robust_mesh_outputs` both are 0 if either is too large.
fn possible_counts(
    e: &mut Emitter<'_>,
    counts: [Word; 2],
    constants: [Option<u64>; 2],
) -> [Word; 2] {
    let Some(mesh) = e.entry.properties.mesh else {
        return counts;
    };
    if !e.options.quirks.robust_mesh_outputs {
        let most = [mesh.max_vertices, mesh.max_primitives];
        let mut limited = counts;
        for ((count, most), value) in limited.iter_mut().zip(most).zip(constants) {
            if value.is_some_and(|value| value > most.into()) {
                *count = e.b.const_u32(most);
            }
        }
        return limited;
    }
    let (bool_ty, zero) = (e.b.ty_bool(), e.b.const_u32(0));
    let mut is_possible = |count, most| {
        let most = e.b.const_u32(most);
        e.b.op(Op::ULessThanEqual, bool_ty, &[count, most])
    };
    let vertices = is_possible(counts[0], mesh.max_vertices);
    let primitives = is_possible(counts[1], mesh.max_primitives);
    let both = e.b.op(Op::LogicalAnd, bool_ty, &[vertices, primitives]);
    counts.map(|count| e.b.word(Op::Select, &[both, count, zero]))
}

/// Ends the current block.
fn dispatch(e: &mut Emitter<'_>) -> Result<(), Error> {
    let mut operands = SmallVec::<[_; 4]>::new();
    for index in 0..3 {
        operands.push(e.arg_id(index)?);
    }
    let pointer = e.arg_value(3)?;
    operands.extend(payload::copy(
        &mut e.f,
        &mut e.memory,
        &mut e.interface,
        pointer,
    )?);
    e.b.op_void(Op::EmitMeshTasksEXT, &operands);
    e.block_ended = true;
    Ok(())
}
