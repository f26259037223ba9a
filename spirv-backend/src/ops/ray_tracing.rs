//! Operations of ray tracing pipelines: traces and calls, reported hits, system values.

use rspirv::spirv::{BuiltIn, Capability, Op, StorageClass, Word};
use trellis_dxil_frontend::dxop::RayTracingOp;
use trellis_dxil_frontend::shader::ShaderKind;

use super::Emitter;
use super::ray::{Form, declare_flags, ray, structure};
use crate::error::{Error, Feature};
use crate::interface;
use crate::memory::ray_data::take_back;
use crate::memory::ray_data::{PARAMETER, PAYLOAD};

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: RayTracingOp) -> Result<(), Error> {
    let kind = e.entry.kind;
    if op == RayTracingOp::HitKind && kind == ShaderKind::Intersection {
        return Err(e.unsupported(Feature::OperationInStage {
            op: e.call.op,
            stage: kind,
        }));
    }
    let (builtin, form) = match op {
        RayTracingOp::TraceRay => return trace(e, Op::TraceRayKHR, None),
        RayTracingOp::CallShader => return call_shader(e),
        RayTracingOp::ReportHit => return report_hit(e),
        RayTracingOp::DispatchRaysIndex => (BuiltIn::LaunchIdKHR, Form::Numbers),
        RayTracingOp::DispatchRaysDimensions => (BuiltIn::LaunchSizeKHR, Form::Numbers),
        RayTracingOp::WorldRayOrigin => (BuiltIn::WorldRayOriginKHR, Form::Floats(3)),
        RayTracingOp::WorldRayDirection => (BuiltIn::WorldRayDirectionKHR, Form::Floats(3)),
        RayTracingOp::ObjectRayOrigin => (BuiltIn::ObjectRayOriginKHR, Form::Floats(3)),
        RayTracingOp::ObjectRayDirection => (BuiltIn::ObjectRayDirectionKHR, Form::Floats(3)),
        RayTracingOp::ObjectToWorld => (BuiltIn::ObjectToWorldKHR, Form::Matrix),
        RayTracingOp::WorldToObject => (BuiltIn::WorldToObjectKHR, Form::Matrix),
        RayTracingOp::RayTMin => (BuiltIn::RayTminKHR, Form::Float),
        RayTracingOp::RayTCurrent => (BuiltIn::RayTmaxKHR, Form::Float),
        RayTracingOp::RayFlags => (BuiltIn::IncomingRayFlagsKHR, Form::Number),
        RayTracingOp::HitKind => (BuiltIn::HitKindKHR, Form::Number),
        RayTracingOp::InstanceIndex => (BuiltIn::InstanceId, Form::Number),
        RayTracingOp::InstanceID => (BuiltIn::InstanceCustomIndexKHR, Form::Number),
        RayTracingOp::PrimitiveIndex => (BuiltIn::PrimitiveId, Form::Number),
        RayTracingOp::GeometryIndex => (BuiltIn::RayGeometryIndexKHR, Form::Number),
        RayTracingOp::ClusterID => {
            e.b.caps
                .add(Capability::RayTracingClusterAccelerationStructureNV);
            (BuiltIn::ClusterIDNV, Form::Number)
        }
        RayTracingOp::TriangleObjectPosition => return Err(e.unsupported(e.call.op)),
    };
    let ty = form.ty(e);
    let whole = interface::load_builtin_of(&mut e.f, &mut e.interface, builtin, ty);
    let id = form.part(e, 0, whole)?;
    e.set_result(0, id);
    Ok(())
}

fn call_shader(e: &mut Emitter<'_>) -> Result<(), Error> {
    let index = e.arg_id(0)?;
    let data = e
        .memory
        .hand_over(&mut e.f, PARAMETER, StorageClass::CallableDataKHR)?;
    e.b.op_void(Op::ExecuteCallableKHR, &[index, data.variable]);
    take_back(e, &data)
}

fn report_hit(e: &mut Emitter<'_>) -> Result<(), Error> {
    let (t, kind) = (e.arg_id(0)?, e.arg_id(1)?);
    e.memory.set_attributes(&mut e.f, 2)?;
    let id = e.b.flag(Op::ReportIntersectionKHR, &[t, kind]);
    e.set_result(0, id);
    Ok(())
}

/// Emits `TraceRay(structure, flags, mask, group offset, group stride, miss index, origin, tMin,
/// direction, tMax, payload)`, by an instruction that may have a hit object before its other operands.
pub(super) fn trace(e: &mut Emitter<'_>, op: Op, object: Option<Word>) -> Result<(), Error> {
    let flags = e.const_or_absent(e.arg_value(1)?);
    declare_flags(e, flags.unwrap_or(0), flags.is_none());
    let mut operands: Vec<Word> = object.into_iter().collect();
    operands.push(structure(e, 0)?);
    for index in 1..=5 {
        operands.push(e.arg_id(index)?);
    }
    operands.extend(ray(e, 6)?);
    let payload = e
        .memory
        .hand_over(&mut e.f, PAYLOAD, StorageClass::RayPayloadKHR)?;
    operands.push(payload.variable);
    e.b.op_void(op, &operands);
    take_back(e, &payload)
}
