//! Ray queries (shader model 6.5): traversal of an acceleration structure by the shader itself.
//!
//! DXIL names a query by the `i32` that `AllocateRayQuery` returns; SPIR-V has variables of
//! `OpTypeRayQueryKHR`. Each allocation is one variable of its function, also when it is in a loop:
//! `TraceRayInline` initializes the query again. The number counts the allocations of the function.
//! Where a query is not known when the shader is translated (an array of queries, a choice), all
//! queries of the function are in one array and the number is the index in it.
//!
//! The numbers of D3D's candidate types and committed states are SPIR-V's.
//! Sources: the DirectX Raytracing functional specification, `SPV_KHR_ray_query`.

mod state;

use rspirv::spirv::{Capability, Op as SpvOp, StorageClass, Word};
use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::{DxCall, Op, RayQueryOp};
use trellis_dxil_frontend::module::{InstKind, ValueId};

use crate::error::{Error, InterfaceFeature};
use crate::lower::{allocates_query, takes_query};
use crate::ops::Emitter;
use crate::ops::ray::{declare_flags, ray, structure};
use crate::ops::state::{Query, QueryArray, QueryFlags};
use state::{Action, COMMITTED, Read, intersection};

/// `RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS`, a flag of a query.
const ALLOW_OPACITY_MICROMAPS: u64 = 1;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: RayQueryOp) -> Result<(), Error> {
    match Action::of(op) {
        Action::Read(state) => read(e, state),
        Action::Change(op) => change(e, op),
        // Lowering gives an allocation its number.
        Action::Allocate | Action::Unsupported => Err(e.unsupported(e.call.op)),
    }
}

/// Returns the variable of the query in operand 0.
pub(super) fn query_variable(e: &mut Emitter<'_>) -> Result<Word, Error> {
    Ok(query(e)?.variable)
}

/// Emits an instruction that changes the state of a query.
fn change(e: &mut Emitter<'_>, op: SpvOp) -> Result<(), Error> {
    let query = query(e)?;
    let operand = query.variable;
    match op {
        SpvOp::RayQueryInitializeKHR => trace(e, query)?,
        SpvOp::RayQueryProceedKHR => {
            let id = e.b.flag(op, &[operand]);
            e.set_result(0, id);
        }
        SpvOp::RayQueryGenerateIntersectionKHR => {
            let t = e.arg_id(1)?;
            e.b.op_void(op, &[operand, t]);
        }
        _ => e.b.op_void(op, &[operand]),
    }
    if e.state.ray_queries.array.is_some() {
        e.state.ray_queries.known.clear();
    } else {
        let known = &mut e.state.ray_queries.known;
        known.retain(|known| known.1 != operand);
    }
    Ok(())
}

/// Emits a read of the state of a query.
fn read(e: &mut Emitter<'_>, (op, form): Read) -> Result<(), Error> {
    if op == SpvOp::RayQueryGetIntersectionClusterIdNV {
        e.b.caps
            .add(Capability::RayTracingClusterAccelerationStructureNV);
    }
    let query = query(e)?;
    let ty = form.ty(e);
    let whole = load_state(e, op, query.variable, intersection(e.call.op), ty);
    let id = match op {
        _ if e.call.op == Op::RayQueryCommittedRayT => committed_t(e, query, ty, whole),
        SpvOp::RayQueryGetIntersectionCandidateAABBOpaqueKHR => {
            e.b.op(SpvOp::LogicalNot, ty, &[whole])
        }
        _ => form.part(e, 1, whole)?,
    };
    e.set_result(0, id);
    Ok(())
}

/// Returns `t` if a hit is committed, else the ray's `TMax`: SPIR-V leaves `t` undefined there.
fn committed_t(e: &mut Emitter<'_>, query: Query, float: Word, t: Word) -> Word {
    let Some(t_max) = query.t_max else { return t };
    let number = e.b.ty_u32();
    let status = load_state(
        e,
        SpvOp::RayQueryGetIntersectionTypeKHR,
        query.variable,
        COMMITTED,
        number,
    );
    let hit = e.is_nonzero(status);
    let t_max = e.load(float, t_max);
    e.b.op(SpvOp::Select, float, &[hit, t, t_max])
}

/// Returns the allocation that makes a value, if one does.
fn allocation<'a>(e: &Emitter<'a>, value: ValueId) -> Result<Option<DxCall<'a>>, Error> {
    Ok(match e.def(value) {
        Some((inst, _)) => e.parse(inst)?.filter(|c| allocates_query(c.op)),
        None => None,
    })
}

/// Returns the query in operand 0 of a call.
fn query(e: &mut Emitter<'_>) -> Result<Query, Error> {
    let value = e.arg_value(0)?;
    if !std::mem::replace(&mut e.state.ray_queries.are_known, true) {
        e.b.caps.add(Capability::RayQueryKHR);
        look_through(e)?;
    }
    if let Some(array) = e.state.ray_queries.array {
        return element(e, array, value);
    }
    let Some(allocation) = allocation(e, value)? else {
        return Err(e.unsupported(InterfaceFeature::ForeignRayQuery {
            op: e.call.op.name(),
            value,
        }));
    };
    if let Some(&query) = e.state.ray_queries.queries.get(&allocation.inst) {
        return Ok(query);
    }
    let flags = QueryFlags {
        any: allocation_flags(e, &allocation)?,
        chosen: None,
    };
    let ty = e.b.ty_other(SpvOp::TypeRayQueryKHR, &[]);
    let variable = local(e, ty, None);
    let t_max = e
        .state
        .ray_queries
        .asked_for_t
        .binary_search(&value)
        .is_ok()
        .then(|| {
            let float = e.b.ty_f32();
            local(e, float, None)
        });
    let query = Query {
        variable,
        flags,
        t_max,
    };
    e.state.ray_queries.queries.insert(allocation.inst, query);
    Ok(query)
}

/// Returns the ray flags of an allocation, and declares the capabilities that its other flags need.
fn allocation_flags(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<u64, Error> {
    let has_flag =
        call.op == Op::AllocateRayQuery2 && e.constant_of(call, 1)? & ALLOW_OPACITY_MICROMAPS != 0;
    if has_flag || e.options.extensions.query_micromaps {
        e.b.caps.add(Capability::RayTracingOpacityMicromapEXT);
    }
    e.constant_of(call, 0)
}

/// Returns a variable of the function, or an array of `count`.
fn local(e: &mut Emitter<'_>, ty: Word, count: Option<u32>) -> Word {
    let ty = count.map_or(ty, |count| e.b.ty_array(ty, count));
    e.b.variable(StorageClass::Function, ty, None)
}

/// Collects the queries whose `CommittedRayT` the function reads, and whether a query is chosen
/// at run time. Then all are in one array, in which the handle is the index.
fn look_through(e: &mut Emitter<'_>) -> Result<(), Error> {
    let (mut handles, mut chosen) = (Vec::new(), false);
    for (id, inst) in e.function.insts.iter() {
        if matches!(inst.kind, InstKind::Call { .. })
            && let Some(call) = e.parse(id)?
            && takes_query(call.op)
            && let Some(handle) = call.operand(0)
        {
            chosen |= allocation(e, handle)?.is_none();
            if call.op == Op::RayQueryCommittedRayT {
                handles.push(handle);
            }
        }
    }
    handles.sort_unstable();
    let count = e.lowered.queries.len() as u32;
    if chosen && count > 0 {
        let ty = e.b.ty_other(SpvOp::TypeRayQueryKHR, &[]);
        let variable = local(e, ty, Some(count));
        let float = e.b.ty_f32();
        let t_max = (!handles.is_empty()).then(|| local(e, float, Some(count)));
        e.state.ray_queries.array = Some(QueryArray { variable, t_max });
    }
    e.state.ray_queries.asked_for_t = handles;
    Ok(())
}

/// Returns an element of the array of queries.
fn element(e: &mut Emitter<'_>, array: QueryArray, handle: ValueId) -> Result<Query, Error> {
    let index = e.id(handle)?;
    enter_block(e);
    if let Some(&(_, query)) = e
        .state
        .ray_queries
        .elements
        .iter()
        .find(|known| known.0 == index)
    {
        return Ok(query);
    }
    let pointer = |e: &mut Emitter<'_>, variable: Word, ty: Word| {
        e.b.access(StorageClass::Function, ty, variable, &[index])
    };
    let (query_ty, float) = (e.b.ty_other(SpvOp::TypeRayQueryKHR, &[]), e.b.ty_f32());
    let variable = pointer(e, array.variable, query_ty);
    let t_max = array.t_max.map(|variable| pointer(e, variable, float));
    let query = Query {
        variable,
        flags: flags_of(e, index)?,
        t_max,
    };
    e.state.ray_queries.elements.push((index, query));
    Ok(query)
}

/// Returns the flags of the query with a number that is known at run time.
fn flags_of(e: &mut Emitter<'_>, index: Word) -> Result<QueryFlags, Error> {
    let lowered = e.lowered;
    let mut all = Vec::with_capacity(lowered.queries.len());
    for &inst in &lowered.queries {
        if let Some(call) = e.parse(inst)? {
            all.push(allocation_flags(e, &call)?);
        }
    }
    let any = all.iter().fold(0, |any, flags| any | flags);
    let first = all.first().copied().unwrap_or(0);
    if all.iter().all(|&flags| flags == first) {
        return Ok(QueryFlags { any, chosen: None });
    }
    let bool_ty = e.b.ty_bool();
    let mut chosen = e.b.const_u32(first as u32);
    for (k, &flags) in all.iter().enumerate().skip(1) {
        let (k, flags) = (e.b.const_u32(k as u32), e.b.const_u32(flags as u32));
        let is = e.b.op(SpvOp::IEqual, bool_ty, &[index, k]);
        chosen = e.b.word(SpvOp::Select, &[is, flags, chosen]);
    }
    Ok(QueryFlags {
        any,
        chosen: Some(chosen),
    })
}

/// Emits `TraceRayInline(query, structure, flags, mask, origin, tMin, direction, tMax)`.
fn trace(e: &mut Emitter<'_>, query: Query) -> Result<(), Error> {
    let flags = ray_flags(e, query)?;
    let (structure, mask) = (structure(e, 1)?, e.arg_id(3)?);
    let ray = ray(e, 4)?;
    let mut operands = vec![query.variable, structure, flags, mask];
    operands.extend(ray);
    e.b.op_void(SpvOp::RayQueryInitializeKHR, &operands);
    if let Some(variable) = query.t_max {
        e.b.op_void(SpvOp::Store, &[variable, ray[3]]);
    }
    Ok(())
}

/// Returns the flags of the ray combined with its query's.
fn ray_flags(e: &mut Emitter<'_>, query: Query) -> Result<Word, Error> {
    let value = e.arg_value(2)?;
    let dynamic = e.const_or_absent(value);
    let known = query.flags.any | dynamic.unwrap_or(0);
    declare_flags(e, known, dynamic.is_none());
    let constant = if query.flags.chosen.is_some() {
        dynamic.unwrap_or(0)
    } else {
        known
    };
    let mut ids: SmallVec<[Word; 3]> = SmallVec::new();
    ids.extend(query.flags.chosen);
    if dynamic.is_none() {
        ids.push(e.id(value)?);
    }
    if constant != 0 || ids.is_empty() {
        ids.push(e.b.const_u32(constant as u32));
    }
    let mut all = ids[0];
    for &more in &ids[1..] {
        all = e.b.word(SpvOp::BitwiseOr, &[all, more]);
    }
    Ok(all)
}

/// Drops the results that are known in a block at its end.
fn enter_block(e: &mut Emitter<'_>) {
    let block = e.b.block_number();
    if e.state.ray_queries.block != block {
        e.state.ray_queries.block = block;
        e.state.ray_queries.known.clear();
        e.state.ray_queries.elements.clear();
    }
}

/// Reads the whole state value; the same id again within a block until the query changes.
fn load_state(
    e: &mut Emitter<'_>,
    op: SpvOp,
    query: Word,
    intersection: Option<u32>,
    ty: Word,
) -> Word {
    enter_block(e);
    let found = e
        .state
        .ray_queries
        .known
        .iter()
        .find(|k| (k.0, k.1, k.2) == (op, query, intersection));
    if let Some(known) = found {
        return known.3;
    }
    let mut operands = vec![query];
    operands.extend(intersection.map(|which| e.b.const_u32(which)));
    let id = e.b.op(op, ty, &operands);
    e.state
        .ray_queries
        .known
        .push((op, query, intersection, id));
    id
}
