//! Hit objects and reordering (shader model 6.9), by `SPV_EXT_shader_invocation_reorder` or by
//! `SPV_NV_shader_invocation_reorder`, which has fewer operations.
//!
//! Lowering gives each object a variable of its function (`lower/hit_objects.rs`).

use rspirv::grammar;
use rspirv::spirv::{Capability, Op, StorageClass, Word};
use trellis_dxil_frontend::dxop::HitObjectOp;
use trellis_dxil_frontend::module::ValueId;

use super::Emitter;
use super::ray::{Form, ray, structure};
use super::ray_query::query_variable;
use super::ray_tracing::trace;
use super::state::MadeHit;
use crate::error::{Error, Feature, InvalidKind};
use crate::memory::ray_data::{PARAMETER, PAYLOAD, take_back};
use crate::resources::{add_address, load_at, widen};
use crate::vendor::OPERANDS;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: HitObjectOp) -> Result<(), Error> {
    use HitObjectOp as H;
    let (form, op) = match op {
        H::HitObjectTraceRay => {
            // A hit that NVAPI makes is encoded as its operands and a trace after them, in one
            // block.
            let hit = e.state.hit.take();
            if let Some(hit) = hit.filter(|hit| hit.block == e.b.block_number()) {
                return make_hit(e, hit);
            }
            let object = made(e)?;
            let op = choose(e, Op::HitObjectTraceRayEXT)?;
            return trace(e, op, Some(object));
        }
        H::HitObjectMakeNop => {
            let object = made(e)?;
            let op = choose(e, Op::HitObjectRecordEmptyEXT)?;
            e.b.op_void(op, &[object]);
            return Ok(());
        }
        H::HitObjectMakeMiss => return make_miss(e),
        H::HitObjectInvoke => return invoke(e),
        H::HitObjectAttributes => return attributes(e),
        H::HitObjectSetShaderTableIndex => {
            let op = choose(e, Op::HitObjectSetShaderBindingTableRecordIndexEXT)?;
            let (object, index) = (operand(e)?, e.arg_id(1)?);
            e.b.op_void(op, &[object, index]);
            return Ok(());
        }
        H::MaybeReorderThread => return reorder(e),
        H::HitObjectFromRayQuery => return from_query(e),
        H::HitObjectLoadLocalRootTableConstant => return load_record(e),
        H::HitObjectFromRayQueryWithAttrs | H::HitObjectTriangleObjectPosition => {
            return Err(e.unsupported(e.call.op));
        }
        H::HitObjectClusterID => {
            if !e.options.extensions.nv_invocation_reorder {
                return Err(e.unsupported_on(
                    "a hit object of SPV_EXT_shader_invocation_reorder (the option \
                              `nv_invocation_reorder` makes hit objects of the NV extension)",
                ));
            }
            e.b.caps
                .add(Capability::RayTracingClusterAccelerationStructureNV);
            return read(e, Form::Number, Op::HitObjectGetClusterIdNV);
        }
        H::HitObjectRayFlags => (Form::Number, Op::HitObjectGetRayFlagsEXT),
        H::HitObjectIsMiss => (Form::Flag, Op::HitObjectIsMissEXT),
        H::HitObjectIsHit => (Form::Flag, Op::HitObjectIsHitEXT),
        H::HitObjectIsNop => (Form::Flag, Op::HitObjectIsEmptyEXT),
        H::HitObjectRayTMin => (Form::Float, Op::HitObjectGetRayTMinEXT),
        H::HitObjectRayTCurrent => (Form::Float, Op::HitObjectGetRayTMaxEXT),
        H::HitObjectWorldRayOrigin => (Form::Floats(3), Op::HitObjectGetWorldRayOriginEXT),
        H::HitObjectWorldRayDirection => (Form::Floats(3), Op::HitObjectGetWorldRayDirectionEXT),
        H::HitObjectObjectRayOrigin => (Form::Floats(3), Op::HitObjectGetObjectRayOriginEXT),
        H::HitObjectObjectRayDirection => (Form::Floats(3), Op::HitObjectGetObjectRayDirectionEXT),
        H::HitObjectObjectToWorld3x4 => (Form::Matrix, Op::HitObjectGetObjectToWorldEXT),
        H::HitObjectWorldToObject3x4 => (Form::Matrix, Op::HitObjectGetWorldToObjectEXT),
        H::HitObjectGeometryIndex => (Form::Number, Op::HitObjectGetGeometryIndexEXT),
        H::HitObjectInstanceIndex => (Form::Number, Op::HitObjectGetInstanceIdEXT),
        H::HitObjectInstanceID => (Form::Number, Op::HitObjectGetInstanceCustomIndexEXT),
        H::HitObjectPrimitiveIndex => (Form::Number, Op::HitObjectGetPrimitiveIndexEXT),
        H::HitObjectHitKind => (Form::Number, Op::HitObjectGetHitKindEXT),
        H::HitObjectShaderTableIndex => (
            Form::Number,
            Op::HitObjectGetShaderBindingTableRecordIndexEXT,
        ),
    };
    let op = choose(e, op)?;
    read(e, form, op)
}

/// Returns the instruction of the extension in use for an instruction of
/// `SPV_EXT_shader_invocation_reorder`; the NV extension has the same names.
///
/// # Errors
/// The NV extension does not have the instruction.
fn choose(e: &Emitter<'_>, op: Op) -> Result<Op, Error> {
    if !e.options.extensions.nv_invocation_reorder {
        return Ok(op);
    }
    let name = format!("{op:?}").replace("EXT", "NV");
    let mut all = grammar::INSTRUCTION_TABLE.iter();
    let found = all.find(|inst| inst.opname == name);
    found.map(|inst| inst.opcode).ok_or_else(|| {
        let detail = "SPV_NV_shader_invocation_reorder (SPV_EXT_shader_invocation_reorder has it)";
        e.unsupported_on(detail)
    })
}

/// Returns the variable of a hit object.
fn object(e: &mut Emitter<'_>, value: ValueId) -> Result<Word, Error> {
    let number = e
        .lowered
        .hit_objects
        .variable(value)
        .ok_or_else(|| e.invalid_operand("of an undefined hit object"))?;
    let number = number as usize;
    let known = &mut e.state.hit_objects;
    if known.len() <= number {
        known.resize(number + 1, 0);
    }
    if known[number] == 0 {
        let nv = e.options.extensions.nv_invocation_reorder;
        e.b.caps.add(if nv {
            Capability::ShaderInvocationReorderNV
        } else {
            Capability::ShaderInvocationReorderEXT
        });
        let ty = choose(e, Op::TypeHitObjectEXT)?;
        let ty = e.b.ty_other(ty, &[]);
        e.state.hit_objects[number] = e.f.b.variable(StorageClass::Function, ty, None);
    }
    Ok(e.state.hit_objects[number])
}

/// Returns the variable of the hit object in operand 0.
fn operand(e: &mut Emitter<'_>) -> Result<Word, Error> {
    let value = e.arg_value(0)?;
    object(e, value)
}

/// Returns the variable of the hit object that a call makes.
fn made(e: &mut Emitter<'_>) -> Result<Word, Error> {
    let value = e
        .call
        .result
        .ok_or_else(|| e.invalid_operand("without a result"))?;
    object(e, value)
}

/// Emits `FromRayQuery(query)`: the object of the committed hit, or a miss. D3D gives it no shader
/// until the shader table index is set; here it has index 0.
fn from_query(e: &mut Emitter<'_>) -> Result<(), Error> {
    let op = choose(e, Op::HitObjectRecordFromQueryEXT)?;
    let object = made(e)?;
    let query = query_variable(e)?;
    let attributes = e.memory.object_barycentrics(&mut e.f);
    let (pair, committed) = (e.b.ty_floats(2), e.b.const_u32(1));
    let barycentrics = Op::RayQueryGetIntersectionBarycentricsKHR;
    let barycentrics = e.b.op(barycentrics, pair, &[query, committed]);
    e.b.op_void(Op::Store, &[attributes, barycentrics]);
    let index = e.b.const_u32(0);
    let operands = [object, query, index, attributes];
    e.b.op_void(op, &operands);
    Ok(())
}

/// Emits `LoadLocalRootTableConstant(object, offset)`: a word of the shader record, by its device
/// address.
fn load_record(e: &mut Emitter<'_>) -> Result<(), Error> {
    let object = operand(e)?;
    let op = choose(e, Op::HitObjectGetShaderRecordBufferHandleEXT)?;
    let (word, long) = (e.b.ty_u32(), e.b.ty_int(64));
    let pair = e.b.ty_vec(word, 2);
    let record = e.b.op(op, pair, &[object]);
    let record = e.b.bitcast(long, record);
    let offset = e.arg_id(1)?;
    let offset = widen(e, offset);
    let address = add_address(e, record, offset);
    let id = load_at(e, address, word, 4);
    e.set_result(0, id);
    Ok(())
}

/// Emits `MakeMiss(flags, index, origin, tMin, direction, tMax)`. Only the EXT form has flags, which
/// the NV form cannot give back either.
fn make_miss(e: &mut Emitter<'_>) -> Result<(), Error> {
    let mut operands = vec![made(e)?];
    if !e.options.extensions.nv_invocation_reorder {
        operands.push(e.arg_id(0)?);
    }
    operands.push(e.arg_id(1)?);
    operands.extend(ray(e, 2)?);
    let op = choose(e, Op::HitObjectRecordMissEXT)?;
    e.b.op_void(op, &operands);
    Ok(())
}

/// Records the operands of a hit that the shader makes; `with_record`: the number of its record is
/// given.
pub(super) fn begin_hit(e: &mut Emitter<'_>, with_record: bool) -> Result<Word, Error> {
    if !crate::stage::is_ray_tracing(e.entry.kind) {
        let detail = format!("a hit in a {} shader", e.entry.kind.name());
        return Err(e.invalid(InvalidKind::Stage, detail));
    }
    if !e.options.extensions.nv_invocation_reorder {
        return Err(e.unsupported(Feature::VendorIntrinsic {
            library: "NVAPI",
            operation: "HIT_OBJECT_MAKE_HIT without the option `nv_invocation_reorder`".into(),
            needs: Some("SPV_NV_shader_invocation_reorder"),
        }));
    }
    let mut numbers = [0; 4];
    for (number, index) in numbers.iter_mut().zip(OPERANDS..) {
        *number = e.arg_id(index)?;
    }
    e.state.hit = Some(MadeHit {
        block: e.b.block_number(),
        with_record,
        numbers,
    });
    Ok(e.b.const_u32(0))
}

/// Emits a hit with the number of its record, or with the operands that the number is computed
/// from.
fn make_hit(e: &mut Emitter<'_>, hit: MadeHit) -> Result<(), Error> {
    let object = made(e)?;
    let mut operands = vec![object, structure(e, 0)?];
    operands.extend(hit.numbers);
    // The contributions of the ray and of the geometry to the number of the record, or that number.
    operands.push(e.arg_id(3)?);
    if !hit.with_record {
        operands.push(e.arg_id(4)?);
    }
    operands.extend(ray(e, 6)?);
    operands.push(e.memory.set_object_attributes(&mut e.f, PAYLOAD)?);
    let op = match hit.with_record {
        true => Op::HitObjectRecordHitWithIndexNV,
        false => Op::HitObjectRecordHitNV,
    };
    e.b.op_void(op, &operands);
    Ok(())
}

fn invoke(e: &mut Emitter<'_>) -> Result<(), Error> {
    let object = operand(e)?;
    let payload = e
        .memory
        .hand_over(&mut e.f, PARAMETER, StorageClass::RayPayloadKHR)?;
    let op = choose(e, Op::HitObjectExecuteShaderEXT)?;
    e.b.op_void(op, &[object, payload.variable]);
    take_back(e, &payload)
}

fn attributes(e: &mut Emitter<'_>) -> Result<(), Error> {
    let object = operand(e)?;
    let class = if e.options.extensions.nv_invocation_reorder {
        StorageClass::HitObjectAttributeNV
    } else {
        StorageClass::HitObjectAttributeEXT
    };
    let data = e.memory.object_attributes(&mut e.f, PARAMETER, class)?;
    let op = choose(e, Op::HitObjectGetAttributesEXT)?;
    e.b.op_void(op, &[object, data.variable]);
    take_back(e, &data)
}

/// Emits `MaybeReorderThread(object, hint, bits)`.
fn reorder(e: &mut Emitter<'_>) -> Result<(), Error> {
    let mut operands = vec![operand(e)?];
    let bits = e.arg_value(2)?;
    if e.const_int(bits) != Some(0) {
        operands.extend([e.arg_id(1)?, e.id(bits)?]);
    }
    let op = choose(e, Op::ReorderThreadWithHitObjectEXT)?;
    e.b.op_void(op, &operands);
    Ok(())
}

fn read(e: &mut Emitter<'_>, form: Form, op: Op) -> Result<(), Error> {
    let object = operand(e)?;
    // Declared before all others.
    e.b.ty_f32();
    let ty = form.ty(e);
    let whole = e.b.op(op, ty, &[object]);
    let id = form.part(e, 1, whole)?;
    e.set_result(0, id);
    Ok(())
}
