//! Geometry, hull, domain, task and mesh shaders, and fragment shaders after mesh shaders: the rules of
//! SPIR-V 1.6 (2.16.1, 3.6, 3.20, 3.21), of `SPV_EXT_mesh_shader` and of Vulkan's appendix "SPIR-V
//! Environment" for their execution modes, their arrays over vertices and primitives, their patch
//! constants, their streams and their payloads.

use rspirv::spirv::{
    BuiltIn, Capability, Decoration, ExecutionMode as Mode, Op, Scope, StorageClass, Word,
};
use smallvec::SmallVec;

use super::forms::{COMPUTE, CONTROL, EVALUATION, FRAGMENT, GEOMETRY, MESH, Stages, TASK};
use super::read::Inst;
use super::types::Ty;
use super::{Failure, Verifier, broken};
use crate::error::{InterfaceVariable, VariableRule, VerifyRule};

/// The stages whose invocations are in groups.
const GROUPS: Stages = CONTROL | COMPUTE | TASK | MESH;

/// A module-level variable and its decorations, as far as they matter here.
#[derive(Clone, Copy)]
struct Variable {
    id: Word,
    class: Word,
    built_in: Option<BuiltIn>,
    patch: bool,
    per_primitive: bool,
    stream: Word,
    location: Option<Word>,
    component: Word,
}

impl Variable {
    fn is_input(&self) -> bool {
        self.class == StorageClass::Input as Word
    }

    fn is_output(&self) -> bool {
        self.class == StorageClass::Output as Word
    }

    /// Returns the error of a variable that breaks a rule.
    fn breaks(&self, rule: VariableRule) -> Failure {
        let variable = InterfaceVariable::new(self.id, self.is_input(), self.built_in);
        VerifyRule::Variable { variable, rule }.into()
    }
}

/// Execution modes, each with its first number.
type Modes = SmallVec<[(Mode, Option<Word>); 8]>;

/// The lengths of the arrays of a stage; `None` if any is valid.
struct Lengths {
    inputs: Option<Word>,
    outputs: Option<Word>,
    /// Of outputs per primitive.
    primitives: Option<Word>,
}

impl Verifier<'_> {
    /// Checks the rules of the module as a whole.
    pub(super) fn stage_rules(&self) -> Result<(), Failure> {
        let of_class = |class| self.variables.iter().filter(move |v| v.1 == class as Word);
        // Only stages with thread groups have their memory (VUID-StandaloneSpirv-None-04645).
        if let Some(&(id, class)) = of_class(StorageClass::Workgroup).next()
            && !self.only_in(GROUPS & !CONTROL)
        {
            return Err(VerifyRule::StageVariable { id, class }.into());
        }
        let payloads = of_class(StorageClass::TaskPayloadWorkgroupEXT).count();
        let stages = CONTROL | EVALUATION | GEOMETRY | TASK | MESH;
        let meshes = payloads > 0 || self.has(Capability::MeshShadingEXT);
        if self.stages & stages == 0 && !meshes {
            return Ok(());
        }
        let [model] = self.models[..] else {
            return Err(VerifyRule::SeveralEntryPoints.into());
        };
        let capability = match self.stages {
            GEOMETRY => Capability::Geometry,
            CONTROL | EVALUATION => Capability::Tessellation,
            _ => Capability::MeshShadingEXT,
        };
        if !self.has(capability) {
            return Err(VerifyRule::capability(&[capability]).into());
        }
        if payloads > usize::from(self.only_in(TASK | MESH)) {
            let count = payloads;
            return Err(VerifyRule::Payloads { count, model }.into());
        }
        let (modes, variables) = (self.stage_modes(), self.stage_variables());
        let mut lengths = Lengths {
            inputs: None,
            outputs: None,
            primitives: None,
        };
        match self.stages {
            GEOMETRY => lengths.inputs = Some(geometry_modes(&modes)?),
            CONTROL => lengths.outputs = Some(number(&modes, Mode::OutputVertices)?),
            EVALUATION => {
                one_of(&modes, &[Mode::Triangles, Mode::Quads, Mode::Isolines])?;
            }
            MESH => {
                sized(&modes)?;
                let (points, triangles) = (Mode::OutputPoints, Mode::OutputTrianglesEXT);
                one_of(&modes, &[points, Mode::OutputLinesEXT, triangles])?;
                lengths.outputs = Some(number(&modes, Mode::OutputVertices)?);
                lengths.primitives = Some(number(&modes, Mode::OutputPrimitivesEXT)?);
                self.payload_is_read()?;
            }
            TASK => {
                sized(&modes)?;
                return match self.insts().any(|i| i.op() == Op::EmitMeshTasksEXT) {
                    true => Ok(()),
                    false => Err(VerifyRule::NoMeshTasks.into()),
                };
            }
            FRAGMENT => {
                let mut others = variables.iter().filter(|v| !v.is_input());
                return match others.find(|v| v.per_primitive) {
                    Some(v) => Err(v.breaks(VariableRule::PerPrimitive)),
                    None => Ok(()),
                };
            }
            _ => return Ok(()),
        }
        for v in &variables {
            if v.is_output() || v.is_input() && self.stages != MESH {
                self.stage_variable(v, &lengths, &modes)
                    .map_err(|rule| v.breaks(rule))?;
            }
        }
        if self.stages == MESH {
            return Ok(());
        }
        self.locations(variables.iter().filter(|v| v.is_input()))?;
        self.locations(variables.iter().filter(|v| v.is_output()))?;
        self.streams(&variables, &modes)
    }

    /// Checks that `OpSetMeshOutputsEXT` has no more vertices and primitives than are declared.
    pub(super) fn mesh_counts(&self, inst: &Inst<'_>) -> Result<bool, Failure> {
        let modes = self.stage_modes();
        let most = [Mode::OutputVertices, Mode::OutputPrimitivesEXT];
        for (&count, most) in inst.operands.iter().zip(most) {
            let most = modes
                .iter()
                .find(|mode| mode.0 == most)
                .and_then(|mode| mode.1);
            let count = self.constant(count);
            if count.is_some_and(|count| most.is_some_and(|most| count > most)) {
                return Err(broken(inst, VerifyRule::MeshCount));
            }
        }
        Ok(true)
    }

    /// Checks that a mesh shader does not write its payload, which the stage before does.
    fn payload_is_read(&self) -> Result<(), Failure> {
        let class = Some(StorageClass::TaskPayloadWorkgroupEXT);
        for inst in self.insts().filter(|i| i.op() == Op::Store) {
            if self.class_of(Self::operand(&inst, 0)?) == class {
                return Err(broken(&inst, VerifyRule::PayloadWrite));
            }
        }
        Ok(())
    }

    /// Checks the scopes of a barrier (Vulkan, VUID-StandaloneSpirv-OpControlBarrier-04682 and
    /// None-04637, None-07321).
    pub(super) fn barrier_scopes(&self, inst: &Inst<'_>) -> Result<(), Failure> {
        let scopes = 1 + usize::from(inst.op() == Op::ControlBarrier);
        let of_group = |&scope: &Word| self.constant(scope) == Some(Scope::Workgroup as Word);
        match inst.operands.iter().take(scopes).any(of_group) && !self.only_in(GROUPS) {
            true => Err(broken(inst, VerifyRule::StageScope)),
            false => Ok(()),
        }
    }

    fn stage_modes(&self) -> Modes {
        let modes = self.forward().filter_map(|inst| {
            let mode = inst.operands.get(1).copied().and_then(Mode::from_u32)?;
            // No other one has ids here.
            let is_mode = inst.op() == Op::ExecutionMode
                || inst.op() == Op::ExecutionModeId && mode == Mode::LocalSizeId;
            is_mode.then(|| (mode, inst.operands.get(2).copied()))
        });
        modes.collect()
    }

    fn stage_variables(&self) -> Vec<Variable> {
        use Decoration as D;
        let mut list = self.decorations();
        // The others have ids, which none of these has.
        list.0.retain(|decorated| decorated.op == Op::Decorate);
        let variables = self.variables.iter().map(|&(id, class)| Variable {
            id,
            class,
            built_in: list.number(id, D::BuiltIn).and_then(BuiltIn::from_u32),
            patch: list.has(id, None, D::Patch),
            per_primitive: list.has(id, None, D::PerPrimitiveEXT),
            stream: list.number(id, D::Stream).unwrap_or(0),
            location: list.number(id, D::Location),
            component: list.number(id, D::Component).unwrap_or(0),
        });
        variables.collect()
    }

    /// Returns the length of an array type.
    fn array_length(&self, ty: Word) -> Option<Word> {
        let def = self.id(ty).filter(|def| def.is(Op::TypeArray))?;
        let length = *self.read(def.at).ok()?.operands.get(1)?;
        self.constant(length)
    }

    /// Checks one variable: whether it is an array over vertices or primitives, its length, and the
    /// type and decorations of its built-in.
    fn stage_variable(
        &self,
        v: &Variable,
        lengths: &Lengths,
        modes: &Modes,
    ) -> Result<(), VariableRule> {
        let Ty::Pointer(_, mut ty) = self.types.get(self.type_of(v.id)) else {
            return Err(VariableRule::NotAPointer);
        };
        let (model, input) = (self.stages, v.is_input());
        if v.patch && !(model == CONTROL && !input || model == EVALUATION && input) {
            return Err(VariableRule::Patch);
        }
        let expected = match input {
            true => lengths.inputs,
            false if v.per_primitive || v.built_in.is_some_and(is_index) => lengths.primitives,
            false => lengths.outputs,
        };
        let of_primitive = v.patch || model != MESH && v.built_in.is_some_and(is_of_primitive);
        if (input || model & (CONTROL | MESH) != 0) && !of_primitive {
            let Ty::Array(element) = self.types.get(ty) else {
                return Err(VariableRule::NotAnArray);
            };
            let found = self.array_length(ty);
            if found.is_none_or(|found| found == 0 || expected.is_some_and(|n| n != found)) {
                return Err(VariableRule::ArrayLength { found, expected });
            }
            ty = element;
        }
        let is = |letter| self.is_type(ty, letter);
        let floats = matches!(self.types.get(ty), Ty::Array(e) if self.is_type(e, b'f'));
        let of = |n: Word| floats && self.array_length(ty) == Some(n);
        let emits = |topology| modes.iter().any(|mode| mode.0 == topology);
        // In a mesh shader per primitive.
        let once = v.per_primitive == (model == MESH);
        let fits = match v.built_in {
            Some(BuiltIn::Position) => is(b'x') && !v.per_primitive,
            Some(BuiltIn::PointSize) => is(b'f') && !input,
            Some(BuiltIn::TessCoord) => is(b'v') && input && model == EVALUATION,
            Some(BuiltIn::TessLevelOuter) => of(4) && v.patch,
            Some(BuiltIn::TessLevelInner) => of(2) && v.patch,
            Some(BuiltIn::ClipDistance | BuiltIn::CullDistance) => floats && !v.per_primitive,
            Some(BuiltIn::InvocationId) => is(b'w') && input && model != EVALUATION,
            Some(BuiltIn::PrimitiveId) => {
                is(b'w') && once && (input || model & (GEOMETRY | MESH) != 0)
            }
            Some(BuiltIn::Layer | BuiltIn::ViewportIndex) => {
                is(b'w') && once && !input && model != CONTROL
            }
            Some(BuiltIn::PrimitiveShadingRateKHR) => {
                is(b'w') && once && !input && model & (GEOMETRY | MESH) != 0
            }
            Some(BuiltIn::PrimitiveTriangleIndicesEXT) => {
                is(b'i') && !v.per_primitive && emits(Mode::OutputTrianglesEXT)
            }
            Some(BuiltIn::PrimitiveLineIndicesEXT) => {
                is(b'p') && !v.per_primitive && emits(Mode::OutputLinesEXT)
            }
            Some(BuiltIn::CullPrimitiveEXT) => is(b'b') && v.per_primitive,
            Some(_) => true,
            None if v.location.is_none() => return Err(VariableRule::NoLocation),
            None => true,
        };
        match fits {
            true => Ok(()),
            false => Err(VariableRule::BuiltIn),
        }
    }

    /// Checks that no two variables of one side share a component of a location.
    fn locations<'v>(&self, variables: impl Iterator<Item = &'v Variable>) -> Result<(), Failure> {
        let mut taken: Vec<(Word, Word, Word)> = Vec::new();
        for v in variables {
            let (Some(location), Ty::Pointer(_, mut ty)) =
                (v.location, self.types.get(self.type_of(v.id)))
            else {
                continue;
            };
            if (v.is_input() || self.stages == CONTROL)
                && !v.patch
                && let Ty::Array(element) = self.types.get(ty)
            {
                ty = element;
            }
            let mut rows = 1;
            if let Ty::Array(element) = self.types.get(ty) {
                rows = self.array_length(ty).unwrap_or(1);
                ty = element;
            }
            let Some((_, columns)) = self.types.components(ty) else {
                return Err(v.breaks(VariableRule::LocationType));
            };
            if v.component.saturating_add(columns) > 4 {
                return Err(v.breaks(VariableRule::Component));
            }
            // More rows than a signature has registers: not from here, and not worth a list.
            for row in 0..rows.min(128) {
                taken.extend(
                    (v.component..v.component + columns)
                        .map(|c| (location.saturating_add(row), c, v.id)),
                );
            }
        }
        taken.sort_unstable();
        let shared = |[a, b]: &&[(Word, Word, Word); 2]| (a.0, a.1) == (b.0, b.1);
        match taken.array_windows().find(shared) {
            Some([a, b]) => Err(VerifyRule::SharedLocation {
                first: a.2,
                second: b.2,
                location: a.0,
                component: a.1,
            }
            .into()),
            None => Ok(()),
        }
    }

    /// Streams are of geometry shaders that emit points.
    fn streams(&self, variables: &[Variable], modes: &Modes) -> Result<(), Failure> {
        let is_stream = |op| matches!(op, Op::EmitStreamVertex | Op::EndStreamPrimitive);
        let used = self.insts().any(|i| is_stream(i.op()));
        let wrong = |v: &&Variable| v.stream > 3 || v.stream > 0 && (v.is_input() || !used);
        let mut variables = variables.iter().filter(|v| v.is_input() || v.is_output());
        if let Some(v) = variables.find(wrong) {
            return Err(v.breaks(VariableRule::Stream { stream: v.stream }));
        }
        if used && !modes.iter().any(|m| m.0 == Mode::OutputPoints) {
            return Err(VerifyRule::StreamTopology.into());
        }
        Ok(())
    }
}

/// Returns true for the vertices of a mesh shader's primitives.
fn is_index(built_in: BuiltIn) -> bool {
    use BuiltIn::{PrimitiveLineIndicesEXT, PrimitiveTriangleIndicesEXT};
    matches!(
        built_in,
        PrimitiveLineIndicesEXT | PrimitiveTriangleIndicesEXT
    )
}

/// Built-ins that a primitive or invocation has once.
fn is_of_primitive(built_in: BuiltIn) -> bool {
    use BuiltIn as B;
    matches!(
        built_in,
        B::PrimitiveId
            | B::InvocationId
            | B::TessCoord
            | B::PatchVertices
            | B::ViewIndex
            | B::TessLevelOuter
            | B::TessLevelInner
            | B::SubgroupSize
            | B::SubgroupLocalInvocationId
            | B::SubgroupLtMask
    )
}

/// Returns the single mode of these that the module has.
fn one_of(modes: &Modes, wanted: &[Mode]) -> Result<Mode, Failure> {
    let found = modes.iter().map(|m| m.0).filter(|m| wanted.contains(m));
    let found: SmallVec<[Mode; 2]> = found.collect();
    match found[..] {
        [mode] => Ok(mode),
        _ => Err(VerifyRule::mode_count(found.len(), wanted).into()),
    }
}

/// Returns the number of a mode, which must exist and not be zero.
fn number(modes: &Modes, wanted: Mode) -> Result<Word, Failure> {
    let found = modes.iter().find(|m| m.0 == wanted).and_then(|m| m.1);
    found
        .filter(|&n| n > 0)
        .ok_or_else(|| VerifyRule::missing_mode(wanted).into())
}

/// Checks that a stage with groups has their size.
fn sized(modes: &Modes) -> Result<(), Failure> {
    match modes
        .iter()
        .any(|m| matches!(m.0, Mode::LocalSize | Mode::LocalSizeId))
    {
        true => Ok(()),
        false => Err(VerifyRule::missing_mode(Mode::LocalSize).into()),
    }
}

/// Checks the modes of a geometry shader; returns the number of vertices of its input primitive.
fn geometry_modes(modes: &Modes) -> Result<Word, Failure> {
    let inputs = [
        (Mode::InputPoints, 1),
        (Mode::InputLines, 2),
        (Mode::Triangles, 3),
        (Mode::InputLinesAdjacency, 4),
        (Mode::InputTrianglesAdjacency, 6),
    ];
    let input = one_of(modes, &inputs.map(|input| input.0))?;
    let outputs = [
        Mode::OutputPoints,
        Mode::OutputLineStrip,
        Mode::OutputTriangleStrip,
    ];
    one_of(modes, &outputs)?;
    number(modes, Mode::OutputVertices)?;
    number(modes, Mode::Invocations)?;
    let vertices = inputs.iter().find(|(mode, _)| *mode == input);
    Ok(vertices.map_or(0, |(_, vertices)| *vertices))
}

#[cfg(test)]
mod tests;
