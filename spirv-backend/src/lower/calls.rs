//! Calls: DXIL operations, functions of the shader, and discards.

use trellis_dxil_frontend::dxop::{DxCall, Effects as OpEffects, FamilyOp, Op};
use trellis_dxil_frontend::module::{CallArg, Inst, InstId, PoolRange, Type, ValueId, ValueKind};
use trellis_structurizer::ir::{self, Effects, Terminator};

use super::function::Lowering;
use super::hit_objects::only_reads;
use super::{ADDRESS, OFFSET, SyntheticInst, allocates_query, is_handle_op, is_node_handle_op};
use crate::error::{Error, Feature, InvalidKind, PointerFeature, TypePosition, untranslated};
use crate::vendor;

impl Lowering<'_> {
    #[inline(always)]
    pub(super) fn call(
        &mut self,
        to: &mut ir::Block,
        id: InstId,
        inst: &Inst,
        callee: ValueId,
        args: PoolRange,
    ) -> Result<(), Error> {
        if let Some(call) = self
            .source
            .ops
            .parse(self.source.module, self.function, id)?
        {
            if !call.info().stages.has(self.source.stage) {
                let stage = self.source.stage.name();
                let what = format!("{} in a {stage} shader", call.op.name());
                return Err(self.invalid(InvalidKind::Stage, what));
            }
            let mismatch = self.type_mismatch(&call, callee);
            // Operations on matrices check their operands themselves.
            let is_private = || vendor::is_on_matrices(self.source.module, self.function, &call);
            if let Some(index) = mismatch.filter(|_| !is_private()) {
                return Err(self.operand_type(&call, index));
            }
            return self.dx_op(to, id, inst, &call);
        }
        let callee = self.source.module.value(None, callee).map(|v| v.kind);
        let Some(ValueKind::Function(target)) = callee else {
            return Err(self.unsupported(PointerFeature::IndirectCall));
        };
        let function = self.source.module.function(target);
        if function.is_declaration {
            // Debug and lifetime markers have no effect on results.
            if function.name.starts_with("llvm.dbg.") || function.name.starts_with("llvm.lifetime.")
            {
                return Ok(());
            }
            return Err(self.unsupported(Feature::Call {
                function: function.name.to_string(),
            }));
        }
        for arg in self.function.call_args(args) {
            let ty = match arg {
                CallArg::Value(v) => self
                    .source
                    .module
                    .value(Some(self.function), v)
                    .map(|v| v.ty),
                CallArg::Metadata(_) => None,
            };
            if let Some(ty) = ty.filter(|&ty| !self.is_plain(ty)) {
                let ty = self.type_name(ty);
                return Err(self.unsupported(Feature::ty(
                    ty,
                    TypePosition::Argument {
                        function: function.name.to_string(),
                    },
                )));
            }
        }
        if !self.out.callees.contains(&target) {
            self.out.callees.push(target);
        }
        // The function may hold anything: nothing may move across it.
        self.append(
            *to,
            (id, inst),
            self.function.operands(&inst.kind),
            Effects::SIDE_EFFECT | Effects::READS_MEMORY | Effects::CONVERGENT,
        )
    }

    /// Does the same as [`DxCall::type_mismatch`], once for consecutive calls of an operation by the same
    /// function if all calls have the types that the function declares.
    #[inline(always)]
    fn type_mismatch(&mut self, call: &DxCall<'_>, callee: ValueId) -> Option<usize> {
        let fitting = &mut self.lists.fitting[call.op as usize];
        if fitting.expand() == Some(callee) {
            return None;
        }
        let module = self.source.module;
        let mismatch = call.type_mismatch(module, self.function);
        let ty = module.types.get(call.callee.ty);
        if mismatch.is_none()
            && self.source.has_declared_types
            && matches!(ty, Some(Type::Function { vararg: false, .. }))
        {
            *fitting = callee.into();
        }
        mismatch
    }

    /// Returns the error of an operation whose operand `index`, or result, has another type.
    #[cold]
    fn operand_type(&self, call: &DxCall<'_>, index: usize) -> Error {
        // Without a translation the operands do not matter.
        if untranslated(call.op).is_some() {
            return self.unsupported(call.op);
        }
        let (info, name) = (call.info(), call.op.name());
        let what = match info.params.get(index) {
            Some(param) => format!("operand `{}` of {name} has another type", param.name),
            None => format!("{name} has a result or overload of another type"),
        };
        self.invalid(InvalidKind::Operand, what)
    }

    fn dx_op(
        &mut self,
        to: &mut ir::Block,
        id: InstId,
        inst: &Inst,
        call: &DxCall<'_>,
    ) -> Result<(), Error> {
        let operands = call.args.iter().map(|&arg| ValueId::from_u32(arg));
        // The payload is a variable, and the result of `GetMeshPayload` its address.
        if is_handle_op(call.op) || is_node_handle_op(call.op) || call.op == Op::GetMeshPayload {
            return self.folded(id, operands);
        }
        let result = match call.op {
            Op::AllocateNodeOutputRecords => Some(OFFSET),
            Op::GetNodeRecordPtr => Some(ADDRESS),
            _ => None,
        };
        if let Some(result) = result {
            return self.append_as(*to, (id, inst), operands, op_effects(call.op), result);
        }
        if allocates_query(call.op) {
            // A number that may be stored and chosen like any other.
            self.set_known(id, inst, self.out.queries.len() as u64);
            self.out.queries.push(id);
            return Ok(());
        }
        if call.op == Op::Discard {
            return self.discard(to, id, call);
        }
        self.append(*to, (id, inst), operands, op_effects(call.op))
    }

    /// Lowers a discard with a condition to a block that runs if the condition holds.
    fn discard(&mut self, to: &mut ir::Block, id: InstId, call: &DxCall<'_>) -> Result<(), Error> {
        let cond = call
            .operand(0)
            .ok_or_else(|| self.invalid(InvalidKind::Operand, "a discard without a condition"))?;
        let known = self.literal(cond).or_else(|| self.known_number(cond));
        if known.is_some_and(|c| c & 1 == 0) {
            return Ok(());
        }
        self.end_run();
        let then = self.func.add_block();
        let rest = self.func.add_block();
        self.out.discards.push(id);
        if known.is_some() {
            self.func.set_terminator(*to, Terminator::Branch(then));
        } else {
            self.lists.discards.push((id, *to, cond, [then, rest]));
        }
        if self.source.demote {
            self.append_synthetic(then, SyntheticInst::Demote);
            self.func.set_terminator(then, Terminator::Branch(rest));
        } else {
            self.func.set_terminator(then, Terminator::Kill);
        }
        *to = rest;
        Ok(())
    }
}

/// Effects of a DXIL operation, in the structurizer's terms.
#[inline(always)]
fn op_effects(op: Op) -> Effects {
    if let FamilyOp::HitObject(op) = op.classify() {
        // The object is a variable.
        return if only_reads(op) {
            Effects::READS_MEMORY
        } else {
            Effects::SIDE_EFFECT | Effects::READS_MEMORY | Effects::CONVERGENT
        };
    }
    if matches!(op, Op::TraceRay | Op::CallShader | Op::ReportHit) {
        // Other shaders run, after which the lanes of a wave may be others.
        return Effects::SIDE_EFFECT | Effects::READS_MEMORY | Effects::CONVERGENT;
    }
    let info = op.effects();
    let mut effects = Effects::NONE;
    // Mesh shading has operations that all threads of the group run together.
    if info.any(OpEffects::CONVERGENT) || matches!(op, Op::SetMeshOutputCounts | Op::DispatchMesh) {
        effects |= Effects::CONVERGENT;
    }
    // The threads of a group or wave allocate, count and wait together.
    if matches!(
        op,
        Op::AllocateNodeOutputRecords
            | Op::OutputComplete
            | Op::IncrementOutputCount
            | Op::FinishedCrossGroupSharing
    ) {
        return Effects::SIDE_EFFECT | Effects::READS_MEMORY | Effects::CONVERGENT;
    }
    // DXIL calls it a function of nothing, but a hull shader reads its own outputs.
    if op == Op::LoadPatchConstant {
        return Effects::READS_MEMORY;
    }
    if info.any(
        OpEffects::WRITES
            .union(OpEffects::BARRIER)
            .union(OpEffects::NO_RETURN),
    ) {
        effects |= Effects::SIDE_EFFECT | Effects::READS_MEMORY;
    } else if info.any(OpEffects::READ_ONLY) && !reads_constant_memory(op) {
        effects |= Effects::READS_MEMORY;
    }
    effects
}

/// Returns whether an operation reads memory that no instruction of the shader can write.
fn reads_constant_memory(op: Op) -> bool {
    matches!(
        op,
        Op::CBufferLoad | Op::CBufferLoadLegacy | Op::GetDimensions | Op::LoadInput
    )
}
