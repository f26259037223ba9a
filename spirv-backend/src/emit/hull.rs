//! The entry point of a hull shader. D3D has two functions, one that runs for each output control
//! point and one that runs once per patch after them; SPIR-V has one entry point whose invocations
//! are the control points.

use rspirv::spirv::{BuiltIn, MemorySemantics, Op, Scope, Word};
use trellis_dxil_frontend::module::{FunctionId, Type};
use trellis_dxil_frontend::shader::HullProperties;
use trellis_entity::EntityRef;

use crate::error::{Error, InvalidKind};
use crate::interface::copy_control_point;
use crate::ops::Emitter;
use crate::values::Shape;

/// Emits a function that calls both phases.
///
/// Each phase is a separate function, so that a `return` in it ends that phase only and all
/// invocations meet at the barrier. The barrier makes control points that other invocations wrote
/// visible to the first one, which alone runs the patch-constant phase (SPIR-V 1.6,
/// `OpControlBarrier`).
pub(super) fn entry_point(e: &mut Emitter<'_>) -> Result<Word, Error> {
    let Some(HullProperties {
        patch_constant_function: Some(patch),
        output_control_points: points,
        ..
    }) = e.entry.properties.hull
    else {
        return Err(e.invalid_property("a hull shader without a patch-constant function"));
    };
    let (void, id) = (e.b.ty_void(), e.b.id());
    let ty = e.b.ty_function(void, &[]);
    e.b.begin_function(id, void, ty, &[]);
    let (start, then, end) = (e.b.id(), e.b.id(), e.b.id());
    e.b.begin_block(start);
    match e.entry.function {
        // Without control points Vulkan still has one invocation, for the patch constants.
        _ if points == 0 => {}
        Some(function) => call(e, function)?,
        None => copy_control_point(&mut e.f, &mut e.interface)?,
    }
    let (execution, memory) = (
        e.b.const_u32(Scope::Workgroup as u32),
        e.b.const_u32(Scope::Invocation as u32),
    );
    let semantics = e.b.const_u32(MemorySemantics::RELAXED.bits());
    e.b.op_void(Op::ControlBarrier, &[execution, memory, semantics]);
    let point = e.builtin(BuiltIn::InvocationId, Shape::U32);
    let first = e.b.flag_with(Op::IEqual, point, 0);
    e.b.branch_if(first, [then, end], end);
    e.b.begin_block(then);
    call(e, patch)?;
    e.b.op_void(Op::Branch, &[end]);
    e.b.begin_block(end);
    e.b.op_void(Op::Return, &[]);
    e.b.finish_function();
    let name = format!("{}.phases", e.entry.name);
    e.b.name(id, &name);
    Ok(id)
}

fn call(e: &mut Emitter<'_>, function: FunctionId) -> Result<(), Error> {
    let target = e.function_ids.get(function.index()).copied().unwrap_or(0);
    if target == 0 {
        return Err(e.invalid(
            InvalidKind::Function,
            "a phase of the hull shader has no body",
        ));
    }
    let plain = match e.module.ty(e.module.function(function).ty) {
        Type::Function { ret, params, .. } => params.is_empty() && *e.module.ty(*ret) == Type::Void,
        _ => false,
    };
    if !plain {
        return Err(e.invalid(
            InvalidKind::Function,
            "a phase of the hull shader has parameters or a result",
        ));
    }
    let void = e.b.ty_void();
    e.b.op(Op::FunctionCall, void, &[target]);
    Ok(())
}
