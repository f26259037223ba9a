//! Ray tracing stages: which stage may have which instructions, variables and built-ins, and the
//! operands of the instructions. Sources: `SPV_KHR_ray_tracing`, and the standalone SPIR-V rules of
//! the Vulkan specification (appendix "SPIR-V Environment").

use rspirv::spirv::{BuiltIn, Capability, Decoration, Op, StorageClass, Word};

use super::forms::{
    ANY_HIT, CALLABLE, CLOSEST_HIT, HITS, INTERSECTION, MISS, RAY_TRACING, Stages, TRACING,
};
use super::types::Ty;
use super::{Failure, Verifier, broken};
use crate::error::VerifyRule;

/// Returns the stages that may have variables of a storage class, and whether only one is
/// permitted.
fn of_class(class: StorageClass) -> Option<(Stages, bool)> {
    match class {
        StorageClass::RayPayloadKHR => Some((TRACING, false)),
        StorageClass::IncomingRayPayloadKHR => Some((ANY_HIT | CLOSEST_HIT | MISS, true)),
        StorageClass::HitAttributeKHR => Some((HITS, true)),
        StorageClass::HitObjectAttributeEXT | StorageClass::HitObjectAttributeNV => {
            Some((TRACING, false))
        }
        StorageClass::CallableDataKHR => Some((TRACING | CALLABLE, false)),
        StorageClass::IncomingCallableDataKHR => Some((CALLABLE, true)),
        StorageClass::ShaderRecordBufferKHR => Some((RAY_TRACING, true)),
        _ => None,
    }
}

/// Returns the stages that may have a built-in; `None` for one of other stages too.
fn of_builtin(builtin: BuiltIn) -> Option<Stages> {
    match builtin {
        BuiltIn::LaunchIdKHR | BuiltIn::LaunchSizeKHR => Some(RAY_TRACING),
        BuiltIn::WorldRayOriginKHR
        | BuiltIn::WorldRayDirectionKHR
        | BuiltIn::RayTminKHR
        | BuiltIn::RayTmaxKHR
        | BuiltIn::IncomingRayFlagsKHR => Some(HITS | MISS),
        BuiltIn::ObjectRayOriginKHR
        | BuiltIn::ObjectRayDirectionKHR
        | BuiltIn::ObjectToWorldKHR
        | BuiltIn::WorldToObjectKHR => Some(HITS),
        BuiltIn::InstanceId | BuiltIn::InstanceCustomIndexKHR | BuiltIn::RayGeometryIndexKHR => {
            Some(HITS)
        }
        BuiltIn::HitKindKHR | BuiltIn::ClusterIDNV => Some(ANY_HIT | CLOSEST_HIT),
        _ => None,
    }
}

impl Verifier<'_> {
    /// Checks the rules of a module as a whole: all of it belongs to each of its entry points.
    pub(super) fn ray_tracing(&self) -> Result<(), Failure> {
        let traces = self.stages & RAY_TRACING != 0;
        let capability = self.has(Capability::RayTracingKHR);
        let reorders = self.has(Capability::ShaderInvocationReorderEXT)
            || self.has(Capability::ShaderInvocationReorderNV);
        if !traces && !capability && !reorders {
            return Ok(());
        }
        if traces || reorders {
            if !capability {
                return Err(VerifyRule::capability(&[Capability::RayTracingKHR]).into());
            }
            if self
                .words
                .get(1)
                .is_none_or(|&version| version < 0x0001_0400)
            {
                return Err(VerifyRule::SpirvVersion.into());
            }
        }
        self.classes()?;
        self.builtins()?;
        for inst in self.insts() {
            let inst = &inst;
            // Hit objects cannot be copied.
            let copies = matches!(inst.op(), Op::Load | Op::CopyObject | Op::Phi | Op::Select);
            if copies && self.types.get(inst.result_type) == Ty::HitObject {
                return Err(broken(inst, VerifyRule::OperandTypes));
            }
            if traces && inst.op() == Op::Kill {
                return Err(broken(inst, VerifyRule::StageInstruction));
            }
            if matches!(inst.op(), Op::Store | Op::CopyMemory)
                && self.class_of(Self::operand(inst, 0)?) == Some(StorageClass::HitAttributeKHR)
                && !self.only_in(INTERSECTION)
            {
                return Err(broken(inst, VerifyRule::HitAttributeWrite));
            }
        }
        Ok(())
    }

    fn classes(&self) -> Result<(), Failure> {
        let mut seen: Vec<Word> = Vec::new();
        for &(id, class) in &self.variables {
            let Some((allowed, single)) = StorageClass::from_u32(class).and_then(of_class) else {
                continue;
            };
            if !self.only_in(allowed) {
                return Err(VerifyRule::StageVariable { id, class }.into());
            }
            if single && seen.contains(&class) {
                return Err(VerifyRule::SecondVariable { id, class }.into());
            }
            seen.push(class);
        }
        Ok(())
    }

    fn builtins(&self) -> Result<(), Failure> {
        for inst in self.forward() {
            let &[_, decoration, built_in, ..] = inst.operands else {
                continue;
            };
            if inst.op() != Op::Decorate || decoration != Decoration::BuiltIn as Word {
                continue;
            }
            let stages = BuiltIn::from_u32(built_in).and_then(of_builtin);
            if stages.is_some_and(|stages| !self.only_in(stages)) {
                return Err(broken(&inst, VerifyRule::StageBuiltIn { built_in }));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
