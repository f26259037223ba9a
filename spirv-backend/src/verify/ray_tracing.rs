//! Ray tracing stages: which stage may have which instructions, variables and built-ins, and what
//! the instructions take. Sources: `SPV_KHR_ray_tracing`, and the standalone SPIR-V rules of the
//! Vulkan specification (appendix "SPIR-V Environment").

use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionModel, Op, StorageClass, Word};

use super::read::Inst;
use super::types::Ty;
use super::{Failure, Verifier, broken};
use crate::error::VerifyRule;

/// A set of stages: bits of [`bit`].
type Stages = u8;

const RAY_GENERATION: Stages = 1;
const INTERSECTION: Stages = 2;
const ANY_HIT: Stages = 4;
const CLOSEST_HIT: Stages = 8;
const MISS: Stages = 16;
const CALLABLE: Stages = 32;
const ALL: Stages = 63;
/// Stages that a ray has met something in.
const HITS: Stages = INTERSECTION | ANY_HIT | CLOSEST_HIT;
/// Stages that may trace rays.
const TRACING: Stages = RAY_GENERATION | CLOSEST_HIT | MISS;

fn bit(model: Word) -> Stages {
    match ExecutionModel::from_u32(model) {
        Some(ExecutionModel::RayGenerationKHR) => RAY_GENERATION,
        Some(ExecutionModel::IntersectionKHR) => INTERSECTION,
        Some(ExecutionModel::AnyHitKHR) => ANY_HIT,
        Some(ExecutionModel::ClosestHitKHR) => CLOSEST_HIT,
        Some(ExecutionModel::MissKHR) => MISS,
        Some(ExecutionModel::CallableKHR) => CALLABLE,
        _ => 0,
    }
}

/// Returns the stages that may have an instruction; `None` for one that is not about ray tracing
/// pipelines.
fn of_instruction(op: Op) -> Option<Stages> {
    match op {
        Op::TraceRayKHR => Some(TRACING),
        Op::ExecuteCallableKHR => Some(TRACING | CALLABLE),
        Op::ReportIntersectionKHR => Some(INTERSECTION),
        Op::IgnoreIntersectionKHR | Op::TerminateRayKHR => Some(ANY_HIT),
        _ => None,
    }
}

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
        StorageClass::ShaderRecordBufferKHR => Some((ALL, true)),
        _ => None,
    }
}

/// Returns the stages that may have a built-in; `None` for one of other stages too.
fn of_builtin(builtin: BuiltIn) -> Option<Stages> {
    match builtin {
        BuiltIn::LaunchIdKHR | BuiltIn::LaunchSizeKHR => Some(ALL),
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
        let (mut stages, mut others) = (0, false);
        for &model in &self.models {
            let stage = bit(model);
            stages |= stage;
            others |= stage == 0;
        }
        let only_in = |allowed: Stages| !others && stages & !allowed == 0;
        let capability = self
            .capabilities
            .contains(&(Capability::RayTracingKHR as Word));
        let has = |capability: Capability| self.capabilities.contains(&(capability as Word));
        let reorders = has(Capability::ShaderInvocationReorderEXT)
            || has(Capability::ShaderInvocationReorderNV);
        if stages == 0 && !capability && !reorders {
            return Ok(());
        }
        if stages != 0 || reorders {
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
        self.classes(only_in)?;
        self.builtins(only_in)?;
        for inst in self.insts() {
            let inst = &inst;
            self.hit_object(inst, only_in(TRACING), only_in(RAY_GENERATION))?;
            if let Some(allowed) = of_instruction(inst.op()) {
                if !only_in(allowed) {
                    return Err(broken(inst, VerifyRule::StageInstruction));
                }
                self.operands_fit(inst)?;
            }
            if stages != 0 && inst.op() == Op::Kill {
                return Err(broken(inst, VerifyRule::StageInstruction));
            }
            if matches!(inst.op(), Op::Store | Op::CopyMemory)
                && self.class_of(Self::operand(inst, 0)?) == Some(StorageClass::HitAttributeKHR)
                && !only_in(INTERSECTION)
            {
                return Err(broken(inst, VerifyRule::HitAttributeWrite));
            }
        }
        Ok(())
    }

    fn classes(&self, only_in: impl Fn(Stages) -> bool) -> Result<(), Failure> {
        let mut seen: Vec<StorageClass> = Vec::new();
        for &(id, class) in &self.variables {
            let Some(class) = StorageClass::from_u32(class) else {
                continue;
            };
            let Some((allowed, single)) = of_class(class) else {
                continue;
            };
            if !only_in(allowed) {
                return Err(VerifyRule::StageVariable {
                    id,
                    class: class as Word,
                }
                .into());
            }
            if single && seen.contains(&class) {
                return Err(VerifyRule::SecondVariable {
                    id,
                    class: class as Word,
                }
                .into());
            }
            seen.push(class);
        }
        Ok(())
    }

    fn builtins(&self, only_in: impl Fn(Stages) -> bool) -> Result<(), Failure> {
        for inst in self.forward() {
            let &[_, decoration, builtin, ..] = inst.operands else {
                continue;
            };
            if inst.op() != Op::Decorate || decoration != Decoration::BuiltIn as Word {
                continue;
            }
            if let Some(allowed) = BuiltIn::from_u32(builtin).and_then(of_builtin)
                && !only_in(allowed)
            {
                return Err(broken(
                    &inst,
                    VerifyRule::StageBuiltIn { built_in: builtin },
                ));
            }
        }
        Ok(())
    }

    /// Returns the storage class of a pointer.
    fn class_of(&self, pointer: Word) -> Option<StorageClass> {
        match self.types.get(self.type_of(pointer)) {
            Ty::Pointer(class, _) => Some(class),
            _ => None,
        }
    }

    fn operands_fit(&self, inst: &Inst<'_>) -> Result<(), Failure> {
        let ty = |index: usize| {
            inst.operands
                .get(index)
                .map_or(Ty::None, |&id| self.types.get(self.type_of(id)))
        };
        let word = |index| ty(index) == Ty::Int(32);
        let float = |index| ty(index) == Ty::Float(32);
        let floats = |index: usize| {
            inst.operands.get(index).is_some_and(|&id| {
                self.types.components(self.type_of(id)) == Some((Ty::Float(32), 3))
            })
        };
        // A whole variable.
        let data = |index: usize, classes: [StorageClass; 2]| {
            let id = inst.operands.get(index).copied().unwrap_or(0);
            self.id(id).is_some_and(|def| def.is(Op::Variable))
                && self
                    .class_of(id)
                    .is_some_and(|class| classes.contains(&class))
        };
        let fine = match inst.op() {
            Op::TraceRayKHR => {
                let payload = data(
                    10,
                    [
                        StorageClass::RayPayloadKHR,
                        StorageClass::IncomingRayPayloadKHR,
                    ],
                );
                ty(0) == Ty::Opaque
                    && (1..=5).all(word)
                    && floats(6)
                    && float(7)
                    && floats(8)
                    && float(9)
                    && payload
            }
            Op::ExecuteCallableKHR => {
                word(0)
                    && data(
                        1,
                        [
                            StorageClass::CallableDataKHR,
                            StorageClass::IncomingCallableDataKHR,
                        ],
                    )
            }
            Op::ReportIntersectionKHR => {
                self.types.get(inst.result_type) == Ty::Bool && float(0) && word(1)
            }
            _ => true,
        };
        if fine {
            Ok(())
        } else {
            Err(broken(inst, VerifyRule::OperandTypes))
        }
    }
}

#[cfg(test)]
mod tests {
    use rspirv::binary::Assemble;
    use rspirv::dr::{self, Operand};
    use rspirv::spirv::{BuiltIn, Capability, ExecutionModel, Op, StorageClass};

    use crate::options::Options;
    use crate::verify::verify;

    fn module(bytes: &[u8], entry: &str) -> dr::Module {
        let options = Options::default().with_entry(Some(entry.to_owned()));
        dr::load_words(crate::convert(bytes, &options).expect("it converts").words).expect("SPIR-V")
    }

    fn after(bytes: &[u8], entry: &str, change: impl FnOnce(&mut dr::Module)) -> String {
        let mut module = module(bytes, entry);
        assert_eq!(verify(&module.assemble()), Ok(()));
        change(&mut module);
        verify(&module.assemble())
            .expect_err("the change must be found")
            .to_string()
    }

    fn stage(module: &mut dr::Module, model: ExecutionModel) {
        module.entry_points[0].operands[0] = Operand::ExecutionModel(model);
    }

    fn inst(module: &mut dr::Module, op: Op) -> &mut dr::Instruction {
        let blocks = module.functions.iter_mut().flat_map(|f| &mut f.blocks);
        blocks
            .flat_map(|b| &mut b.instructions)
            .find(|i| i.class.opcode == op)
            .unwrap_or_else(|| panic!("the shader has no {op:?}"))
    }

    const FIRST_HIT: &[u8] = include_bytes!("../../../corpus/shaders/raytracing/first_hit.dxil");
    const REPORTS: &[u8] = include_bytes!("../../../corpus/shaders/raytracing/report_hit.dxil");

    #[test]
    fn instructions_have_their_stages() {
        assert!(
            after(FIRST_HIT, "Generate", |m| stage(
                m,
                ExecutionModel::CallableKHR
            ))
            .contains("the stage does not have")
        );
        assert!(
            after(REPORTS, "Any", |m| stage(m, ExecutionModel::ClosestHitKHR))
                .contains("the stage does not have")
        );
        let killed = after(REPORTS, "Any", |m| {
            let old = inst(m, Op::IgnoreIntersectionKHR);
            *old = dr::Instruction::new(Op::Kill, None, None, vec![]);
        });
        assert!(killed.contains("OpKill"), "{killed}");
        assert!(
            after(REPORTS, "Any", |m| stage(m, ExecutionModel::Fragment))
                .contains("the stage does not have")
        );
    }

    #[test]
    fn variables_have_their_stages() {
        let foreign = after(FIRST_HIT, "Missed", |m| {
            stage(m, ExecutionModel::RayGenerationKHR);
        });
        assert!(
            foreign.contains("of storage class IncomingRayPayloadKHR"),
            "{foreign}"
        );
        let second = after(FIRST_HIT, "Missed", |m| {
            let at = m.types_global_values.iter().position(|i| {
                i.class.opcode == Op::Variable
                    && i.operands[0] == Operand::StorageClass(StorageClass::IncomingRayPayloadKHR)
            });
            let mut copy = m.types_global_values[at.expect("a payload")].clone();
            let id = m.header.as_ref().expect("a header").bound;
            m.header.as_mut().expect("a header").bound += 1;
            copy.result_id = Some(id);
            m.types_global_values.push(copy);
            m.entry_points[0].operands.push(Operand::IdRef(id));
        });
        assert!(second.contains("the second of storage class"), "{second}");
        let written = after(FIRST_HIT, "Hit", |m| {
            let attributes = m.types_global_values.iter().find(|i| {
                i.operands.first() == Some(&Operand::StorageClass(StorageClass::HitAttributeKHR))
                    && i.class.opcode == Op::Variable
            });
            let attributes = attributes.and_then(|i| i.result_id).expect("attributes");
            let block = &mut m.functions[0].blocks[0].instructions;
            block.insert(
                0,
                dr::Instruction::new(
                    Op::CopyMemory,
                    None,
                    None,
                    vec![Operand::IdRef(attributes), Operand::IdRef(attributes)],
                ),
            );
        });
        assert!(
            written.contains("outside of an intersection shader"),
            "{written}"
        );
    }

    #[test]
    fn built_ins_have_their_stages() {
        let foreign = after(FIRST_HIT, "Generate", |m| {
            let builtin = m
                .annotations
                .iter_mut()
                .flat_map(|i| &mut i.operands)
                .find(|o| matches!(o, Operand::BuiltIn(_)));
            *builtin.expect("a built-in") = Operand::BuiltIn(BuiltIn::HitKindKHR);
        });
        assert!(
            foreign.contains("does not have built-in HitKindKHR"),
            "{foreign}"
        );
    }

    #[test]
    fn capability_and_operands() {
        let without = after(FIRST_HIT, "Missed", |m| {
            m.capabilities
                .retain(|c| c.operands[0] != Operand::Capability(Capability::RayTracingKHR));
        });
        assert!(
            without.contains("capability RayTracingKHR is required"),
            "{without}"
        );
        let old = after(FIRST_HIT, "Missed", |m| {
            m.header.as_mut().expect("a header").set_version(1, 3);
        });
        assert!(old.contains("require SPIR-V 1.4"), "{old}");
        let payload = after(FIRST_HIT, "Generate", |m| {
            let trace = inst(m, Op::TraceRayKHR);
            trace.operands[10] = trace.operands[0].clone();
        });
        assert!(payload.contains("operand types are not valid"), "{payload}");
        let origin = after(FIRST_HIT, "Generate", |m| {
            let trace = inst(m, Op::TraceRayKHR);
            trace.operands[6] = trace.operands[7].clone();
        });
        assert!(origin.contains("operand types are not valid"), "{origin}");
        let report = after(REPORTS, "Reports", |m| {
            inst(m, Op::ReportIntersectionKHR).operands.swap(0, 1);
        });
        assert!(report.contains("operand types are not valid"), "{report}");
    }
}
