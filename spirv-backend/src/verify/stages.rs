//! Geometry, hull and domain shaders: the rules of SPIR-V 1.6 (2.16.1, 3.6, 3.20, 3.21, 3.52.20)
//! and of Vulkan's appendix "SPIR-V Environment" for their execution modes, their arrays over
//! vertices, their patch constants and their streams.

use rspirv::spirv::{
    BuiltIn, Capability, Decoration, ExecutionMode as Mode, ExecutionModel, Op, Scope,
    StorageClass, Word,
};
use smallvec::SmallVec;

use super::read::Inst;
use super::types::Ty;
use super::{Failure, Verifier, broken};
use crate::error::{InterfaceVariable, VariableRule, VerifyRule};

const CONTROL: Word = ExecutionModel::TessellationControl as Word;
const EVALUATION: Word = ExecutionModel::TessellationEvaluation as Word;
const GEOMETRY: Word = ExecutionModel::Geometry as Word;

/// The execution models whose invocations are in groups.
const GROUPS: [Word; 4] = [
    CONTROL,
    ExecutionModel::GLCompute as Word,
    ExecutionModel::TaskEXT as Word,
    ExecutionModel::MeshEXT as Word,
];

/// A stage variable and its decorations, as far as they matter here.
#[derive(Clone, Copy)]
struct Variable {
    id: Word,
    input: bool,
    built_in: Option<BuiltIn>,
    patch: bool,
    stream: Word,
    location: Option<Word>,
    component: Word,
}

impl Variable {
    /// Returns the variable as errors name it.
    fn shown(&self) -> InterfaceVariable {
        InterfaceVariable::new(self.id, self.input, self.built_in)
    }

    /// Returns the error of a variable that breaks a rule.
    fn breaks(&self, rule: VariableRule) -> Failure {
        let variable = self.shown();
        VerifyRule::Variable { variable, rule }.into()
    }
}

/// Execution modes, each with its first number.
type Modes = SmallVec<[(Mode, Option<Word>); 8]>;

impl Verifier<'_> {
    /// Checks the rules of the module as a whole.
    pub(super) fn vertex_stages(&self) -> Result<(), Failure> {
        let models = &self.models;
        self.groupshared(models)?;
        if !models
            .iter()
            .any(|model| [CONTROL, EVALUATION, GEOMETRY].contains(model))
        {
            return Ok(());
        }
        let [model] = models[..] else {
            return Err(VerifyRule::SeveralEntryPoints.into());
        };
        let capability = if model == GEOMETRY {
            Capability::Geometry
        } else {
            Capability::Tessellation
        };
        if !self.capabilities.contains(&(capability as Word)) {
            return Err(VerifyRule::capability(&[capability]).into());
        }
        let (modes, variables) = (self.stage_modes()?, self.stage_variables()?);
        let [inputs, outputs] = match model {
            GEOMETRY => [Some(geometry_modes(&modes)?), None],
            CONTROL => [None, Some(number(&modes, Mode::OutputVertices)?)],
            _ => {
                one_of(&modes, &[Mode::Triangles, Mode::Quads, Mode::Isolines])?;
                [None, None]
            }
        };
        for variable in &variables {
            let arrayed = variable.input || model == CONTROL;
            let length = if variable.input { inputs } else { outputs };
            self.stage_variable(variable, model, arrayed, length)
                .map_err(|rule| VerifyRule::Variable {
                    variable: variable.shown(),
                    rule,
                })?;
        }
        for input in [true, false] {
            self.locations(&variables, input, model)?;
        }
        self.streams(&variables, &modes)
    }

    /// Checks that only stages with thread groups have their memory (VUID-StandaloneSpirv-None-04645).
    fn groupshared(&self, models: &[Word]) -> Result<(), Failure> {
        let class = StorageClass::Workgroup as Word;
        let Some(&(id, _)) = self.variables.iter().find(|v| v.1 == class) else {
            return Ok(());
        };
        if models
            .iter()
            .all(|model| *model != CONTROL && GROUPS.contains(model))
        {
            return Ok(());
        }
        Err(VerifyRule::StageVariable { id, class }.into())
    }

    /// Checks `OpEmitVertex` and similar instructions.
    pub(super) fn vertex_instruction(&self, inst: &Inst<'_>) -> Result<bool, Failure> {
        if !self.models.contains(&GEOMETRY) {
            return Err(broken(inst, VerifyRule::StageInstruction));
        }
        let Some(&stream) = inst.operands.first() else {
            return Ok(true);
        };
        if !self
            .capabilities
            .contains(&(Capability::GeometryStreams as Word))
        {
            return Err(broken(
                inst,
                VerifyRule::capability(&[Capability::GeometryStreams]),
            ));
        }
        Ok(self.constant(stream).is_some_and(|stream| stream < 4))
    }

    /// Checks the scopes of a barrier (Vulkan, VUID-StandaloneSpirv-OpControlBarrier-04682 and
    /// None-04637, None-07321).
    pub(super) fn barrier_scopes(&self, inst: &Inst<'_>) -> Result<(), Failure> {
        let scopes = if inst.op() == Op::ControlBarrier {
            2
        } else {
            1
        };
        let of_group = |&scope: &Word| self.constant(scope) == Some(Scope::Workgroup as Word);
        let of_group = inst.operands.iter().take(scopes).any(of_group);
        if of_group && self.models.iter().any(|model| !GROUPS.contains(model)) {
            return Err(broken(inst, VerifyRule::StageScope));
        }
        Ok(())
    }

    fn stage_modes(&self) -> Result<Modes, Failure> {
        let mut modes = Modes::new();
        for inst in self.forward() {
            if inst.op() == Op::ExecutionMode
                && let Some(mode) = inst.operands.get(1).copied().and_then(Mode::from_u32)
            {
                modes.push((mode, inst.operands.get(2).copied()));
            }
        }
        Ok(modes)
    }

    fn stage_variables(&self) -> Result<Vec<Variable>, Failure> {
        let stage = |class: Word| {
            class == StorageClass::Input as Word || class == StorageClass::Output as Word
        };
        let made = |&(id, class): &(Word, Word)| Variable {
            id,
            input: class == StorageClass::Input as Word,
            built_in: None,
            patch: false,
            stream: 0,
            location: None,
            component: 0,
        };
        let mut list: Vec<Variable> = self
            .variables
            .iter()
            .filter(|v| stage(v.1))
            .map(made)
            .collect();
        list.sort_unstable_by_key(|v| v.id);
        for inst in self.forward() {
            let (Op::Decorate, [id, decoration, rest @ ..]) = (inst.op(), inst.operands) else {
                continue;
            };
            let Ok(index) = list.binary_search_by_key(id, |v| v.id) else {
                continue;
            };
            let (variable, number) = (&mut list[index], rest.first().copied());
            match Decoration::from_u32(*decoration) {
                Some(Decoration::BuiltIn) => variable.built_in = number.and_then(BuiltIn::from_u32),
                Some(Decoration::Patch) => variable.patch = true,
                Some(Decoration::Stream) => variable.stream = number.unwrap_or(0),
                Some(Decoration::Location) => variable.location = number,
                Some(Decoration::Component) => variable.component = number.unwrap_or(0),
                _ => {}
            }
        }
        Ok(list)
    }

    /// Returns the length of an array type.
    fn array_length(&self, ty: Word) -> Option<Word> {
        let def = self.id(ty).filter(|def| def.is(Op::TypeArray))?;
        self.read(def.at)
            .ok()?
            .operands
            .get(1)
            .and_then(|&length| self.constant(length))
    }

    /// Checks one variable: whether it is an array over vertices, its length, and the type of its
    /// built-in. `arrayed`: a variable that is not a patch constant is an array over vertices, of
    /// that many if it is known.
    fn stage_variable(
        &self,
        v: &Variable,
        model: Word,
        arrayed: bool,
        length: Option<Word>,
    ) -> Result<(), VariableRule> {
        let Ty::Pointer(_, mut ty) = self.types.get(self.type_of(v.id)) else {
            return Err(VariableRule::NotAPointer);
        };
        if v.patch && !(model == CONTROL && !v.input || model == EVALUATION && v.input) {
            return Err(VariableRule::Patch);
        }
        let of_primitive = v.patch || v.built_in.is_some_and(is_of_primitive);
        if arrayed && !of_primitive {
            let Ty::Array(element) = self.types.get(ty) else {
                return Err(VariableRule::NotAnArray);
            };
            let found = self.array_length(ty);
            if found.is_none_or(|found| found == 0 || length.is_some_and(|wanted| wanted != found))
            {
                return Err(VariableRule::ArrayLength {
                    found,
                    expected: length,
                });
            }
            ty = element;
        }
        let scalar = self.types.components(ty);
        let floats = |n: Word| {
            matches!(self.types.get(ty), Ty::Array(e) if self.types.get(e) == Ty::Float(32))
                && self.array_length(ty) == Some(n)
        };
        let fits = match v.built_in {
            Some(BuiltIn::Position) => scalar == Some((Ty::Float(32), 4)),
            Some(BuiltIn::PointSize) => scalar == Some((Ty::Float(32), 1)) && !v.input,
            Some(BuiltIn::TessCoord) => {
                scalar == Some((Ty::Float(32), 3)) && v.input && model == EVALUATION
            }
            Some(BuiltIn::TessLevelOuter) => floats(4) && v.patch,
            Some(BuiltIn::TessLevelInner) => floats(2) && v.patch,
            Some(BuiltIn::ClipDistance | BuiltIn::CullDistance) => {
                matches!(self.types.get(ty), Ty::Array(e) if self.types.get(e) == Ty::Float(32))
            }
            Some(BuiltIn::InvocationId) => {
                scalar == Some((Ty::Int(32), 1)) && v.input && model != EVALUATION
            }
            Some(BuiltIn::PrimitiveId) => {
                scalar == Some((Ty::Int(32), 1)) && (v.input || model == GEOMETRY)
            }
            Some(BuiltIn::Layer | BuiltIn::ViewportIndex) => {
                scalar == Some((Ty::Int(32), 1)) && !v.input && model != CONTROL
            }
            Some(BuiltIn::PrimitiveShadingRateKHR) => {
                scalar == Some((Ty::Int(32), 1)) && !v.input && model == GEOMETRY
            }
            Some(_) => true,
            None if v.location.is_none() => {
                return Err(VariableRule::NoLocation);
            }
            None => true,
        };
        if fits {
            Ok(())
        } else {
            Err(VariableRule::BuiltIn)
        }
    }

    /// Checks that no two variables of one side share a component of a location.
    fn locations(&self, variables: &[Variable], input: bool, model: Word) -> Result<(), Failure> {
        let mut taken: Vec<(Word, Word, Word)> = Vec::new();
        for v in variables.iter().filter(|v| v.input == input) {
            let (Some(location), Ty::Pointer(_, mut ty)) =
                (v.location, self.types.get(self.type_of(v.id)))
            else {
                continue;
            };
            if (input || model == CONTROL)
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
        match taken
            .array_windows()
            .find(|[a, b]| (a.0, a.1) == (b.0, b.1))
        {
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
        let used = self
            .insts()
            .any(|i| matches!(i.op(), Op::EmitStreamVertex | Op::EndStreamPrimitive));
        if let Some(v) = variables
            .iter()
            .find(|v| v.stream > 3 || (v.stream > 0 && (v.input || !used)))
        {
            return Err(v.breaks(VariableRule::Stream { stream: v.stream }));
        }
        if used && !modes.iter().any(|m| m.0 == Mode::OutputPoints) {
            return Err(VerifyRule::StreamTopology.into());
        }
        Ok(())
    }
}

/// Built-ins that a primitive or invocation has once.
fn is_of_primitive(built_in: BuiltIn) -> bool {
    use BuiltIn as B;
    matches!(
        built_in,
        B::PrimitiveId
            | B::InvocationId
            | B::TessCoord
            | B::TessLevelOuter
            | B::TessLevelInner
            | B::PatchVertices
            | B::ViewIndex
    ) || matches!(
        built_in,
        B::SubgroupSize | B::SubgroupLocalInvocationId | B::SubgroupLtMask
    )
}

/// Returns the one of these modes that the module has.
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
    modes
        .iter()
        .find(|m| m.0 == wanted)
        .and_then(|m| m.1)
        .filter(|&n| n > 0)
        .ok_or_else(|| VerifyRule::missing_mode(wanted).into())
}

/// Checks the modes of a geometry shader; the answer is the number of vertices of its input
/// primitive.
fn geometry_modes(modes: &Modes) -> Result<Word, Failure> {
    let input = one_of(
        modes,
        &[
            Mode::InputPoints,
            Mode::InputLines,
            Mode::InputLinesAdjacency,
            Mode::Triangles,
            Mode::InputTrianglesAdjacency,
        ],
    )?;
    one_of(
        modes,
        &[
            Mode::OutputPoints,
            Mode::OutputLineStrip,
            Mode::OutputTriangleStrip,
        ],
    )?;
    number(modes, Mode::OutputVertices)?;
    number(modes, Mode::Invocations)?;
    Ok(match input {
        Mode::InputPoints => 1,
        Mode::InputLines => 2,
        Mode::Triangles => 3,
        Mode::InputLinesAdjacency => 4,
        _ => 6,
    })
}

#[cfg(test)]
mod tests;
