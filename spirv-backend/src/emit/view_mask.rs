//! The entry point of a shader whose views may be masked: it calls the shader for the others.

use rspirv::spirv::{Op, Word};
use trellis_dxil_frontend::shader::ShaderKind;

use crate::error::Error;
use crate::interface;
use crate::ops::Emitter;

/// Returns true if the views of the shader may be masked.
pub(super) fn applies(e: &Emitter<'_>) -> bool {
    let views = e.options.interface.view_instancing;
    let is_masked = views.is_some_and(|views| views.last_stage && views.mask.is_some());
    is_masked
        && matches!(
            e.entry.kind,
            ShaderKind::Vertex | ShaderKind::Domain | ShaderKind::Geometry | ShaderKind::Mesh
        )
}

/// Emits a function that calls the shader unless its view is masked. A geometry or mesh shader
/// makes nothing then, and the vertices of other stages are all at one place.
pub(super) fn entry_point(e: &mut Emitter<'_>, shader: Word) -> Result<Word, Error> {
    let (void, id) = (e.b.ty_void(), e.b.id());
    let ty = e.b.ty_function(void, &[]);
    e.b.begin_function(id, void, ty, &[]);
    let (start, masked, drawn, end) = (e.b.id(), e.b.id(), e.b.id(), e.b.id());
    e.b.begin_block(start);
    let is_masked = interface::is_masked(&mut e.f, &mut e.interface)?;
    let is_masked = is_masked.unwrap_or_else(|| e.b.const_bool(false));
    e.b.branch_if(is_masked, [masked, drawn], end);
    e.b.begin_block(masked);
    if matches!(e.entry.kind, ShaderKind::Vertex | ShaderKind::Domain) {
        interface::hide(&mut e.f, &mut e.interface);
    }
    e.b.op_void(Op::Branch, &[end]);
    e.b.begin_block(drawn);
    e.b.op(Op::FunctionCall, void, &[shader]);
    e.b.op_void(Op::Branch, &[end]);
    e.b.begin_block(end);
    e.b.op_void(Op::Return, &[]);
    e.b.finish_function();
    let name = format!("{}.views", e.entry.name);
    e.b.name(id, &name);
    Ok(id)
}
