//! Operations of ray tracing pipelines: traces and calls, reported hits, system values.
//!
//! D3D's *instance index* is SPIR-V's *instance id*, and D3D's *instance ID* is SPIR-V's *custom
//! index*. The numbers of ray flags and hit kinds are the same.

use rspirv::spirv::{BuiltIn, Capability, Op, StorageClass, Word};
use trellis_dxil_frontend::dxop::{DxCall, RayTracingOp};
use trellis_dxil_frontend::shader::ShaderKind;

use super::Emitter;
use super::ray_query::{OPACITY_MICROMAP_FLAG, SKIP_FLAGS, index_below, matrix_type};
use crate::error::{Error, Feature, InvalidKind};
use crate::interface;
use crate::memory::ray_data::take_back;
use crate::memory::ray_data::{PARAMETER, PAYLOAD};
use crate::resources::Access;
use crate::resources::arg_handle;
use crate::values::Scalar;
use crate::values::Shape;

/// A system value: the built-in, and its form.
#[derive(Clone, Copy)]
enum Value {
    /// `u32`.
    Number,
    /// `f32`.
    Float,
    /// Three `u32`, one of which the call selects.
    Numbers,
    /// Three `f32`, one of which the call selects.
    Floats,
    /// Four columns of three floats, one of which the call selects by row and column.
    Matrix,
}

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, call: &DxCall<'_>, op: RayTracingOp) -> Result<(), Error> {
    let kind = e.entry.kind;
    if op == RayTracingOp::HitKind && kind == ShaderKind::Intersection {
        return Err(e.unsupported(Feature::OperationInStage {
            op: call.op,
            stage: kind,
        }));
    }
    if !call.info().stages.has(kind) || !crate::stage::is_ray_tracing(kind) {
        return Err(e.invalid_call(
            InvalidKind::Stage,
            call,
            format!("in a {} shader", kind.name()),
        ));
    }
    let (builtin, value) = match op {
        RayTracingOp::TraceRay => return trace(e, call),
        RayTracingOp::CallShader => return call_shader(e, call),
        RayTracingOp::ReportHit => return report_hit(e, call),
        RayTracingOp::DispatchRaysIndex => (BuiltIn::LaunchIdKHR, Value::Numbers),
        RayTracingOp::DispatchRaysDimensions => (BuiltIn::LaunchSizeKHR, Value::Numbers),
        RayTracingOp::WorldRayOrigin => (BuiltIn::WorldRayOriginKHR, Value::Floats),
        RayTracingOp::WorldRayDirection => (BuiltIn::WorldRayDirectionKHR, Value::Floats),
        RayTracingOp::ObjectRayOrigin => (BuiltIn::ObjectRayOriginKHR, Value::Floats),
        RayTracingOp::ObjectRayDirection => (BuiltIn::ObjectRayDirectionKHR, Value::Floats),
        RayTracingOp::ObjectToWorld => (BuiltIn::ObjectToWorldKHR, Value::Matrix),
        RayTracingOp::WorldToObject => (BuiltIn::WorldToObjectKHR, Value::Matrix),
        RayTracingOp::RayTMin => (BuiltIn::RayTminKHR, Value::Float),
        RayTracingOp::RayTCurrent => (BuiltIn::RayTmaxKHR, Value::Float),
        RayTracingOp::RayFlags => (BuiltIn::IncomingRayFlagsKHR, Value::Number),
        RayTracingOp::HitKind => (BuiltIn::HitKindKHR, Value::Number),
        RayTracingOp::InstanceIndex => (BuiltIn::InstanceId, Value::Number),
        RayTracingOp::InstanceID => (BuiltIn::InstanceCustomIndexKHR, Value::Number),
        RayTracingOp::PrimitiveIndex => (BuiltIn::PrimitiveId, Value::Number),
        RayTracingOp::GeometryIndex => (BuiltIn::RayGeometryIndexKHR, Value::Number),
        RayTracingOp::ClusterID => {
            e.b.caps
                .add(Capability::RayTracingClusterAccelerationStructureNV);
            (BuiltIn::ClusterIDNV, Value::Number)
        }
        RayTracingOp::TriangleObjectPosition => return Err(e.unsupported(call.op)),
    };
    let id = load(e, call, builtin, value)?;
    e.set(call.inst, 0, id);
    Ok(())
}

fn call_shader(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let index = e.arg_id(call, 0)?;
    let data = e
        .memory
        .hand_over(&mut e.f, call, PARAMETER, StorageClass::CallableDataKHR)?;
    e.b.op_void(Op::ExecuteCallableKHR, &[index, data.variable]);
    take_back(e, &data)
}

fn report_hit(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let (t, kind) = (e.arg_id(call, 0)?, e.arg_id(call, 1)?);
    e.memory.set_attributes(&mut e.f, call, 2)?;
    let ty = e.b.ty_bool();
    let id = e.b.op(Op::ReportIntersectionKHR, ty, &[t, kind]);
    e.set(call.inst, 0, id);
    Ok(())
}

/// Emits `TraceRay(structure, flags, mask, group offset, group stride, miss index, origin, tMin,
/// direction, tMax, payload)`.
fn trace(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    trace_by(e, call, Op::TraceRayKHR, None)
}

/// Emits a trace by an instruction that may have a hit object before its other operands.
pub(super) fn trace_by(
    e: &mut Emitter<'_>,
    call: &DxCall<'_>,
    op: Op,
    object: Option<Word>,
) -> Result<(), Error> {
    let flags_value = e.arg_value(call, 1)?;
    // Flags that the shader computes may hold anything.
    let flags = if e.is_undef(flags_value) {
        Some(0)
    } else {
        e.const_int(flags_value)
    };
    if flags.is_none_or(|flags| flags & SKIP_FLAGS != 0) {
        e.b.caps.add(Capability::RayTraversalPrimitiveCullingKHR);
    }
    if flags.is_some_and(|flags| flags & OPACITY_MICROMAP_FLAG != 0) {
        e.b.caps.add(Capability::RayTracingOpacityMicromapEXT);
    }
    let handle = arg_handle(e, call, 0)?;
    let structure = e
        .load_descriptor(&handle, Access::AccelerationStructure)?
        .id;
    let mut operands: Vec<Word> = object.into_iter().collect();
    operands.push(structure);
    for index in 1..=5 {
        operands.push(e.arg_id(call, index)?);
    }
    operands.extend([
        e.arg_vector(call, 6, 3)?,
        e.arg_id(call, 9)?,
        e.arg_vector(call, 10, 3)?,
        e.arg_id(call, 13)?,
    ]);
    let payload = e
        .memory
        .hand_over(&mut e.f, call, PAYLOAD, StorageClass::RayPayloadKHR)?;
    operands.push(payload.variable);
    e.b.op_void(op, &operands);
    take_back(e, &payload)
}

fn load(
    e: &mut Emitter<'_>,
    call: &DxCall<'_>,
    builtin: BuiltIn,
    value: Value,
) -> Result<Word, Error> {
    let vector = |scalar| Shape {
        scalar,
        lanes: 3,
        relaxed: false,
    };
    Ok(match value {
        Value::Number => e.builtin(builtin, Shape::U32),
        Value::Float => e.builtin(builtin, Shape::F32),
        Value::Numbers | Value::Floats => {
            let component = index_below(e, call, 0, 3)?;
            let scalar = if matches!(value, Value::Numbers) {
                Scalar::Int(32)
            } else {
                Scalar::Float(32)
            };
            let whole = e.builtin(builtin, vector(scalar));
            let ty = e.scalar_type(scalar);
            e.b.extract(ty, whole, component)
        }
        Value::Matrix => {
            let (row, column) = (index_below(e, call, 0, 3)?, index_below(e, call, 1, 4)?);
            let ty = matrix_type(e);
            let whole = interface::load_builtin_of(&mut e.f, &mut e.interface, builtin, ty);
            let float = e.b.ty_f32();
            e.b.op(Op::CompositeExtract, float, &[whole, column, row])
        }
    })
}
