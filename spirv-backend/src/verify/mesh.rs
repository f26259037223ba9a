//! Mesh shading: the rules of SPV_EXT_mesh_shader and of Vulkan's appendix "SPIR-V Environment" for
//! mesh, task, and the fragment shaders after them.

use rspirv::spirv::{
    BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass, Word,
};
use smallvec::SmallVec;

use super::read::Inst;
use super::types::Ty;
use super::{Failure, Verifier, broken};
use crate::error::{InterfaceVariable, VariableRule, VerifyRule};

/// The declarations of a module about its outputs.
#[derive(Default)]
struct Modes {
    sized: bool,
    vertices: Option<Word>,
    primitives: Option<Word>,
    topologies: SmallVec<[ExecutionMode; 1]>,
}

/// Decorations of a variable, as far as they matter here.
#[derive(Clone, Copy, Default)]
struct Decorated {
    built_in: Option<BuiltIn>,
    per_primitive: bool,
}

const MESH: Word = ExecutionModel::MeshEXT as Word;
const TASK: Word = ExecutionModel::TaskEXT as Word;
const FRAGMENT: Word = ExecutionModel::Fragment as Word;

impl Verifier<'_> {
    /// Checks the rules of the module as a whole.
    pub(super) fn mesh_shading(&self) -> Result<(), Failure> {
        let declared = self
            .capabilities
            .contains(&(Capability::MeshShadingEXT as Word));
        let payloads = self
            .variables
            .iter()
            .filter(|v| v.1 == StorageClass::TaskPayloadWorkgroupEXT as Word)
            .count();
        let models = &self.models;
        if !declared {
            let of_stage = models.iter().any(|m| [MESH, TASK].contains(m));
            return if of_stage || payloads > 0 {
                Err(VerifyRule::capability(&[Capability::MeshShadingEXT]).into())
            } else {
                Ok(())
            };
        }
        let [model] = models[..] else {
            return Err(VerifyRule::SeveralEntryPoints.into());
        };
        if payloads > 1 || (payloads == 1 && ![MESH, TASK].contains(&model)) {
            return Err(VerifyRule::Payloads {
                count: payloads,
                model,
            }
            .into());
        }
        match model {
            MESH => self.mesh_shader(),
            TASK => self.task_shader(),
            FRAGMENT => self.per_primitive_inputs(),
            _ => Ok(()),
        }
    }

    /// Checks `OpEmitMeshTasksEXT` and `OpSetMeshOutputsEXT`.
    pub(super) fn mesh_instruction(&self, inst: &Inst<'_>) -> Result<bool, Failure> {
        let model = if inst.op() == Op::EmitMeshTasksEXT {
            TASK
        } else {
            MESH
        };
        if !self.models.contains(&model) {
            return Err(broken(inst, VerifyRule::StageInstruction));
        }
        let numbers = if inst.op() == Op::EmitMeshTasksEXT {
            3
        } else {
            2
        };
        for index in 0..numbers {
            if self.types.get(self.type_of(Self::operand(inst, index)?)) != Ty::Int(32) {
                return Ok(false);
            }
        }
        if model == MESH {
            let modes = self.modes()?;
            for (index, most) in [modes.vertices, modes.primitives].into_iter().enumerate() {
                let count = self.constant(Self::operand(inst, index)?);
                if count.is_some_and(|count| most.is_some_and(|most| count > most)) {
                    return Err(broken(inst, VerifyRule::MeshCount));
                }
            }
        }
        let payload = inst.operands.get(numbers);
        Ok(payload.is_none_or(|&id| {
            self.variables
                .contains(&(id, StorageClass::TaskPayloadWorkgroupEXT as Word))
        }))
    }

    fn modes(&self) -> Result<Modes, Failure> {
        let mut modes = Modes::default();
        for inst in self.forward() {
            if !matches!(inst.op(), Op::ExecutionMode | Op::ExecutionModeId) {
                continue;
            }
            let number = inst.operands.get(2).copied();
            match inst
                .operands
                .get(1)
                .copied()
                .and_then(ExecutionMode::from_u32)
            {
                Some(ExecutionMode::LocalSize | ExecutionMode::LocalSizeId) => modes.sized = true,
                Some(ExecutionMode::OutputVertices) => modes.vertices = number,
                Some(ExecutionMode::OutputPrimitivesEXT) => modes.primitives = number,
                Some(
                    mode @ (ExecutionMode::OutputPoints
                    | ExecutionMode::OutputLinesEXT
                    | ExecutionMode::OutputTrianglesEXT),
                ) => modes.topologies.push(mode),
                _ => {}
            }
        }
        Ok(modes)
    }

    fn decorated(&self, id: Word) -> Result<Decorated, Failure> {
        let mut found = Decorated::default();
        for inst in self.forward() {
            if inst.op() != Op::Decorate || inst.operands.first() != Some(&id) {
                continue;
            }
            match inst.operands.get(1).copied().and_then(Decoration::from_u32) {
                Some(Decoration::PerPrimitiveEXT) => found.per_primitive = true,
                Some(Decoration::BuiltIn) => {
                    found.built_in = inst.operands.get(2).copied().and_then(BuiltIn::from_u32);
                }
                _ => {}
            }
        }
        Ok(found)
    }

    fn task_shader(&self) -> Result<(), Failure> {
        if !self.modes()?.sized {
            return Err(VerifyRule::missing_mode(ExecutionMode::LocalSize).into());
        }
        if self.insts().any(|i| i.op() == Op::EmitMeshTasksEXT) {
            Ok(())
        } else {
            Err(VerifyRule::NoMeshTasks.into())
        }
    }

    fn mesh_shader(&self) -> Result<(), Failure> {
        let modes = self.modes()?;
        let missing = |mode| Err(VerifyRule::missing_mode(mode).into());
        if !modes.sized {
            return missing(ExecutionMode::LocalSize);
        }
        let Some(vertices @ 1..) = modes.vertices else {
            return missing(ExecutionMode::OutputVertices);
        };
        let Some(primitives @ 1..) = modes.primitives else {
            return missing(ExecutionMode::OutputPrimitivesEXT);
        };
        let [topology] = modes.topologies[..] else {
            return Err(VerifyRule::mode_count(
                modes.topologies.len(),
                &[
                    ExecutionMode::OutputPoints,
                    ExecutionMode::OutputLinesEXT,
                    ExecutionMode::OutputTrianglesEXT,
                ],
            )
            .into());
        };
        for &(id, class) in &self.variables {
            if class == StorageClass::Output as Word {
                self.mesh_output(id, vertices, primitives, topology)?;
            }
        }
        // A payload is written by the stage before.
        for inst in self.insts().filter(|i| i.op() == Op::Store) {
            if matches!(
                self.types.get(self.type_of(Self::operand(&inst, 0)?)),
                Ty::Pointer(StorageClass::TaskPayloadWorkgroupEXT, _)
            ) {
                return Err(broken(&inst, VerifyRule::PayloadWrite));
            }
        }
        Ok(())
    }

    /// Checks that an output is an array over all vertices or all primitives.
    fn mesh_output(
        &self,
        id: Word,
        vertices: Word,
        primitives: Word,
        topology: ExecutionMode,
    ) -> Result<(), Failure> {
        let decorated = self.decorated(id)?;
        let wrong = |rule| {
            let variable = InterfaceVariable::new(id, false, decorated.built_in);
            Err(VerifyRule::Variable { variable, rule }.into())
        };
        let Ty::Pointer(_, array) = self.types.get(self.type_of(id)) else {
            return wrong(VariableRule::NotAPointer);
        };
        let Ty::Array(element) = self.types.get(array) else {
            return wrong(VariableRule::NotAnArray);
        };
        let scalar = self.types.components(element);
        let (fits, of_primitive) = match decorated.built_in {
            None => (true, decorated.per_primitive),
            Some(BuiltIn::PrimitiveTriangleIndicesEXT) => (
                topology == ExecutionMode::OutputTrianglesEXT
                    && scalar == Some((Ty::Int(32), 3))
                    && !decorated.per_primitive,
                true,
            ),
            Some(BuiltIn::PrimitiveLineIndicesEXT) => (
                topology == ExecutionMode::OutputLinesEXT
                    && scalar == Some((Ty::Int(32), 2))
                    && !decorated.per_primitive,
                true,
            ),
            Some(BuiltIn::CullPrimitiveEXT) => (
                scalar == Some((Ty::Bool, 1)) && decorated.per_primitive,
                true,
            ),
            Some(
                BuiltIn::PrimitiveId
                | BuiltIn::Layer
                | BuiltIn::ViewportIndex
                | BuiltIn::PrimitiveShadingRateKHR,
            ) => (
                scalar == Some((Ty::Int(32), 1)) && decorated.per_primitive,
                true,
            ),
            Some(BuiltIn::Position) => (
                scalar == Some((Ty::Float(32), 4)) && !decorated.per_primitive,
                false,
            ),
            Some(BuiltIn::ClipDistance | BuiltIn::CullDistance) => (
                matches!(self.types.get(element), Ty::Array(f) if self.types.get(f) == Ty::Float(32))
                    && !decorated.per_primitive,
                false,
            ),
            Some(_) => (true, decorated.per_primitive),
        };
        if !fits {
            return wrong(VariableRule::BuiltIn);
        }
        let length = self
            .id(array)
            .and_then(|def| self.read(def.at).ok())
            .and_then(|def| {
                def.operands
                    .get(1)
                    .and_then(|&length| self.constant(length))
            });
        let wanted = if of_primitive { primitives } else { vertices };
        if length == Some(wanted) {
            Ok(())
        } else {
            wrong(VariableRule::ArrayLength {
                found: length,
                expected: Some(wanted),
            })
        }
    }

    /// Checks that `PerPrimitiveEXT` is on inputs.
    fn per_primitive_inputs(&self) -> Result<(), Failure> {
        for &(id, class) in &self.variables {
            if class != StorageClass::Input as Word && self.decorated(id)?.per_primitive {
                return Err(VerifyRule::Variable {
                    variable: InterfaceVariable::new(id, false, None),
                    rule: VariableRule::PerPrimitive,
                }
                .into());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rspirv::binary::Assemble;
    use rspirv::dr::{self, Operand};
    use rspirv::spirv::{Capability, Decoration, ExecutionMode, ExecutionModel, Op};

    use crate::options::Options;
    use crate::verify::verify;

    const MESH: &[u8] = include_bytes!("../../../corpus/shaders/mesh/primitive_attributes.dxil");
    const TASK: &[u8] = include_bytes!("../../../corpus/shaders/mesh/payload_shared.as.dxil");

    /// Changes a converted shader, and gives the verifier's answer.
    fn after(shader: &[u8], change: impl FnOnce(&mut dr::Module)) -> String {
        let words = crate::convert(shader, &Options::default())
            .expect("it converts")
            .words;
        let mut module = dr::load_words(words).expect("SPIR-V");
        assert_eq!(verify(&module.assemble()), Ok(()));
        change(&mut module);
        verify(&module.assemble())
            .expect_err("the change must be found")
            .to_string()
    }

    fn without_mode(module: &mut dr::Module, mode: ExecutionMode) {
        let before = module.execution_modes.len();
        module
            .execution_modes
            .retain(|i| i.operands[1] != Operand::ExecutionMode(mode));
        assert!(
            module.execution_modes.len() < before,
            "the shader has no {mode:?}"
        );
    }

    fn change_model(module: &mut dr::Module, model: ExecutionModel) {
        module.entry_points[0].operands[0] = Operand::ExecutionModel(model);
    }

    #[test]
    fn modes_and_capability() {
        for mode in [
            ExecutionMode::LocalSize,
            ExecutionMode::OutputVertices,
            ExecutionMode::OutputPrimitivesEXT,
        ] {
            assert!(
                after(MESH, |m| without_mode(m, mode))
                    .contains(&format!("execution mode {mode:?} is required")),
                "{mode:?}"
            );
        }
        assert!(
            after(MESH, |m| without_mode(m, ExecutionMode::OutputTrianglesEXT))
                .contains("none of the execution modes")
        );
        assert!(
            after(TASK, |m| without_mode(m, ExecutionMode::LocalSize))
                .contains("execution mode LocalSize is required")
        );
        for shader in [MESH, TASK] {
            let text = after(shader, |m| {
                m.capabilities
                    .retain(|c| c.operands[0] != Operand::Capability(Capability::MeshShadingEXT));
            });
            assert!(
                text.contains("capability MeshShadingEXT is required"),
                "{text}"
            );
        }
    }

    #[test]
    fn instructions_belong_to_their_stage() {
        assert!(
            after(MESH, |m| change_model(m, ExecutionModel::TaskEXT))
                .contains("the stage does not have this instruction")
        );
        assert!(
            after(TASK, |m| change_model(m, ExecutionModel::MeshEXT))
                .contains("the stage does not have this instruction")
        );
        let none = after(TASK, |m| {
            let block = m.functions[0].blocks.last_mut().expect("a block");
            *block.instructions.last_mut().expect("an end") =
                dr::Instruction::new(Op::Return, None, None, vec![]);
        });
        assert!(none.contains("without OpEmitMeshTasksEXT"), "{none}");
        let payload = after(TASK, |m| {
            let input = m.entry_points[0].operands.iter().rev().find_map(|o| {
                if let Operand::IdRef(id) = o {
                    Some(*id)
                } else {
                    None
                }
            });
            let group = m
                .types_global_values
                .iter()
                .find(|i| i.class.opcode == Op::Variable)
                .and_then(|i| i.result_id)
                .or(input)
                .expect("a variable");
            let block = m.functions[0].blocks.last_mut().expect("a block");
            block.instructions.last_mut().expect("an end").operands[3] = Operand::IdRef(group);
        });
        assert!(payload.contains("operand types are not valid"), "{payload}");
    }

    #[test]
    fn outputs_are_arrays_of_the_declared_length() {
        let longer = after(MESH, |m| {
            let mode = m
                .execution_modes
                .iter_mut()
                .find(|i| i.operands[1] == Operand::ExecutionMode(ExecutionMode::OutputVertices))
                .expect("a mode");
            mode.operands[2] = Operand::LiteralBit32(99);
        });
        assert!(longer.contains("99 are required"), "{longer}");
        let plain = after(MESH, |m| {
            m.annotations.retain(|i| {
                i.operands.get(1) != Some(&Operand::Decoration(Decoration::PerPrimitiveEXT))
            });
        });
        assert!(plain.contains("output %"), "{plain}");
    }
}
