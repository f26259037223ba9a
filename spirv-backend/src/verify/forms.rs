//! Instructions that only some stages have: which stages, and the kinds of their operands. Sources:
//! `SPV_KHR_ray_tracing`, `SPV_EXT_shader_invocation_reorder`, `SPV_NV_shader_invocation_reorder`,
//! `SPV_EXT_mesh_shader`, `SPV_AMDX_shader_enqueue`, SPIR-V 1.6 (3.52.20).

use rspirv::grammar;
use rspirv::spirv::{ExecutionModel as Model, Op, Scope, StorageClass as Class, Word};

use super::read::Inst;
use super::types::Ty;
use super::{Failure, Verifier, broken};
use crate::error::VerifyRule;

/// A set of execution models: bits of [`stage`].
pub(super) type Stages = u32;

/// Returns the bit of an execution model; all models that are never emitted have one bit.
pub(super) const fn stage(model: Word) -> Stages {
    const RAYS: Word = Model::RayGenerationKHR as Word;
    const CALLABLES: Word = Model::CallableKHR as Word;
    const TASKS: Word = Model::TaskEXT as Word;
    match model {
        0..=5 => 1 << model,
        RAYS..=CALLABLES => 1 << (6 + model - RAYS),
        TASKS => 1 << 12,
        _ if model == TASKS + 1 => 1 << 13,
        _ => 1 << 14,
    }
}

pub(super) const CONTROL: Stages = stage(Model::TessellationControl as Word);
pub(super) const EVALUATION: Stages = stage(Model::TessellationEvaluation as Word);
pub(super) const GEOMETRY: Stages = stage(Model::Geometry as Word);
pub(super) const FRAGMENT: Stages = stage(Model::Fragment as Word);
pub(super) const COMPUTE: Stages = stage(Model::GLCompute as Word);
pub(super) const TASK: Stages = stage(Model::TaskEXT as Word);
pub(super) const MESH: Stages = stage(Model::MeshEXT as Word);
pub(super) const RAY_GENERATION: Stages = stage(Model::RayGenerationKHR as Word);
pub(super) const INTERSECTION: Stages = stage(Model::IntersectionKHR as Word);
pub(super) const ANY_HIT: Stages = stage(Model::AnyHitKHR as Word);
pub(super) const CLOSEST_HIT: Stages = stage(Model::ClosestHitKHR as Word);
pub(super) const MISS: Stages = stage(Model::MissKHR as Word);
pub(super) const CALLABLE: Stages = stage(Model::CallableKHR as Word);
/// Stages that a ray has met something in.
pub(super) const HITS: Stages = INTERSECTION | ANY_HIT | CLOSEST_HIT;
/// Stages that may trace rays.
pub(super) const TRACING: Stages = RAY_GENERATION | CLOSEST_HIT | MISS;
/// All stages of ray tracing.
pub(super) const RAY_TRACING: Stages = TRACING | HITS | CALLABLE;

/// Returns the stages that have an instruction, and its signature: the letter of its result (`-`
/// without one), then its operands' as for [`misfit`]. [`Verifier::is`] defines the letters.
pub(super) fn form(op: Op) -> Option<(Stages, &'static str)> {
    Some(match op {
        Op::TraceRayKHR => (TRACING, "-awwwwwvfvfP"),
        Op::ExecuteCallableKHR => (TRACING | CALLABLE, "-wC"),
        Op::ReportIntersectionKHR => (INTERSECTION, "bfw"),
        Op::IgnoreIntersectionKHR | Op::TerminateRayKHR => (ANY_HIT, "-"),

        Op::HitObjectTraceRayEXT | Op::HitObjectTraceRayNV => (TRACING, "-oawwwwwvfvfP"),
        Op::HitObjectRecordMissEXT => (TRACING, "-owwvfvf"),
        Op::HitObjectRecordMissNV => (TRACING, "-owvfvf"),
        Op::HitObjectRecordHitNV => (TRACING, "-oawwwwwwvfvfA"),
        Op::HitObjectRecordHitWithIndexNV => (TRACING, "-oawwwwwvfvfA"),
        Op::HitObjectRecordFromQueryEXT => (TRACING, "-oqwA"),
        Op::HitObjectRecordEmptyEXT | Op::HitObjectRecordEmptyNV => (TRACING, "-o"),
        Op::HitObjectExecuteShaderEXT | Op::HitObjectExecuteShaderNV => (TRACING, "-oP"),
        Op::HitObjectGetAttributesEXT | Op::HitObjectGetAttributesNV => (TRACING, "-oA"),
        Op::HitObjectSetShaderBindingTableRecordIndexEXT => (TRACING, "-ow"),
        Op::ReorderThreadWithHitObjectEXT => (RAY_GENERATION, "-o?ww"),
        Op::ReorderThreadWithHitObjectNV => (RAY_GENERATION, "-o?ww"),
        Op::HitObjectGetShaderRecordBufferHandleEXT => (TRACING, "po"),
        Op::HitObjectGetShaderRecordBufferHandleNV => (TRACING, "po"),
        Op::HitObjectIsMissEXT | Op::HitObjectIsMissNV => (TRACING, "bo"),
        Op::HitObjectIsHitEXT | Op::HitObjectIsHitNV => (TRACING, "bo"),
        Op::HitObjectIsEmptyEXT | Op::HitObjectIsEmptyNV => (TRACING, "bo"),
        Op::HitObjectGetRayTMinEXT | Op::HitObjectGetRayTMinNV => (TRACING, "fo"),
        Op::HitObjectGetRayTMaxEXT | Op::HitObjectGetRayTMaxNV => (TRACING, "fo"),
        Op::HitObjectGetWorldRayOriginEXT | Op::HitObjectGetWorldRayOriginNV => (TRACING, "vo"),
        Op::HitObjectGetWorldRayDirectionEXT => (TRACING, "vo"),
        Op::HitObjectGetWorldRayDirectionNV => (TRACING, "vo"),
        Op::HitObjectGetObjectRayOriginEXT | Op::HitObjectGetObjectRayOriginNV => (TRACING, "vo"),
        Op::HitObjectGetObjectRayDirectionEXT => (TRACING, "vo"),
        Op::HitObjectGetObjectRayDirectionNV => (TRACING, "vo"),
        Op::HitObjectGetObjectToWorldEXT | Op::HitObjectGetObjectToWorldNV => (TRACING, "mo"),
        Op::HitObjectGetWorldToObjectEXT | Op::HitObjectGetWorldToObjectNV => (TRACING, "mo"),
        Op::HitObjectGetGeometryIndexEXT | Op::HitObjectGetGeometryIndexNV => (TRACING, "wo"),
        Op::HitObjectGetInstanceIdEXT | Op::HitObjectGetInstanceIdNV => (TRACING, "wo"),
        Op::HitObjectGetInstanceCustomIndexEXT => (TRACING, "wo"),
        Op::HitObjectGetInstanceCustomIndexNV => (TRACING, "wo"),
        Op::HitObjectGetPrimitiveIndexEXT | Op::HitObjectGetPrimitiveIndexNV => (TRACING, "wo"),
        Op::HitObjectGetHitKindEXT | Op::HitObjectGetHitKindNV => (TRACING, "wo"),
        Op::HitObjectGetShaderBindingTableRecordIndexEXT => (TRACING, "wo"),
        Op::HitObjectGetShaderBindingTableRecordIndexNV => (TRACING, "wo"),
        Op::HitObjectGetRayFlagsEXT | Op::HitObjectGetClusterIdNV => (TRACING, "wo"),

        Op::EmitMeshTasksEXT => (TASK, "-www?T"),
        Op::SetMeshOutputsEXT => (MESH, "-ww"),
        Op::EmitVertex | Op::EndPrimitive => (GEOMETRY, "-"),
        Op::EmitStreamVertex | Op::EndStreamPrimitive => (GEOMETRY, "-S"),

        Op::AllocateNodePayloadsAMDX => (COMPUTE, "Nsww"),
        Op::EnqueueNodePayloadsAMDX => (COMPUTE, "-e"),
        Op::NodePayloadArrayLengthAMDX => (COMPUTE, "wl"),
        Op::IsNodePayloadValidAMDX => (COMPUTE, "byw"),
        Op::FinishWritingNodePayloadAMDX => (COMPUTE, "bn"),
        _ => return None,
    })
}

/// Returns the first operand that does not fit a signature, if one does not: a letter per operand;
/// then `?` and the letters of operands that may be missing together, or `*` and the letter of any
/// number of operands.
pub(super) fn misfit(
    signature: &str,
    operands: &[Word],
    is: impl Fn(Word, u8) -> bool,
) -> Option<usize> {
    let end = signature.find(['?', '*']).unwrap_or(signature.len());
    let (fixed, rest) = signature.as_bytes().split_at(end);
    let counts = match (operands.len().checked_sub(end), rest) {
        (Some(0), _) | (Some(_), [b'*', ..]) => true,
        (Some(more), [_, optional @ ..]) => more == optional.len(),
        _ => false,
    };
    if !counts {
        return Some(operands.len());
    }
    let mut letters = fixed.iter().chain(rest.get(1..).unwrap_or_default());
    let last = signature.as_bytes().last();
    let fits = |&id: &Word| {
        letters
            .next()
            .or(last)
            .is_some_and(|&letter| is(id, letter))
    };
    operands.iter().map(fits).position(|fits| !fits)
}

impl Verifier<'_> {
    /// Returns true if all entry points are in some of these stages: all of a module belongs to each.
    pub(super) fn only_in(&self, stages: Stages) -> bool {
        self.stages & !stages == 0
    }

    /// Checks an instruction that only some stages have.
    #[inline(never)]
    pub(super) fn form(&self, inst: &Inst<'_>) -> Result<bool, Failure> {
        let Some((stages, signature)) = form(inst.op()) else {
            return Ok(true);
        };
        self.need(inst, grammar::INSTRUCTION_TABLE.get(inst.op()).capabilities)?;
        if !self.only_in(stages) {
            return Err(broken(inst, VerifyRule::StageInstruction));
        }
        let (result, operands) = signature.split_at(1);
        let result = result
            .bytes()
            .all(|letter| self.is_type(inst.result_type, letter));
        Ok(result && misfit(operands, inst.operands, |id, letter| self.is(id, letter)).is_none())
    }

    /// Returns the storage class of a pointer.
    pub(super) fn class_of(&self, pointer: Word) -> Option<Class> {
        match self.types.get(self.type_of(pointer)) {
            Ty::Pointer(class, _) => Some(class),
            _ => None,
        }
    }

    /// Returns true for an operand of a kind.
    pub(super) fn is(&self, id: Word, letter: u8) -> bool {
        let def = |op| self.id(id).is_some_and(|def| def.is(op));
        let one_of = |classes: &[Class]| {
            def(Op::Variable)
                && self
                    .class_of(id)
                    .is_some_and(|class| classes.contains(&class))
        };
        match letter {
            // A variable of a ray payload, a hit object's attributes, callable data, a task payload.
            b'P' => one_of(&[Class::RayPayloadKHR, Class::IncomingRayPayloadKHR]),
            b'A' => one_of(&[Class::HitObjectAttributeEXT, Class::HitObjectAttributeNV]),
            b'C' => one_of(&[Class::CallableDataKHR, Class::IncomingCallableDataKHR]),
            b'T' => one_of(&[Class::TaskPayloadWorkgroupEXT]),
            // A node's input payload; allocated payloads; one of both.
            b'n' => one_of(&[Class::NodePayloadAMDX]),
            b'e' => def(Op::AllocateNodePayloadsAMDX),
            b'l' => self.is(id, b'n') || self.is(id, b'e'),
            // The type of a payload array.
            b'y' => matches!(self.types.get(id), Ty::PayloadArray(_)),
            // The constant number of a stream, or scope of payloads.
            b'S' => self.constant(id).is_some_and(|stream| stream < 4),
            b's' => self.constant(id).is_some_and(|scope| {
                scope == Scope::Invocation as Word || scope == Scope::Workgroup as Word
            }),
            // A constant word, string, or boolean.
            b'k' => {
                (def(Op::Constant) || def(Op::SpecConstant)) && self.is_type(self.type_of(id), b'w')
            }
            b't' => def(Op::ConstantStringAMDX) || def(Op::SpecConstantStringAMDX),
            b'B' => def(Op::ConstantTrue) || def(Op::ConstantFalse),
            _ => self.is_type(self.type_of(id), letter),
        }
    }

    /// Returns true for the type of an operand or result of a kind.
    pub(super) fn is_type(&self, ty: Word, letter: u8) -> bool {
        let components = self.types.components(ty);
        match (letter, self.types.get(ty)) {
            (b'-', _)
            | (b'b', Ty::Bool)
            | (b'w', Ty::Int(32))
            | (b'f', Ty::Float(32))
            // An acceleration structure.
            | (b'a', Ty::Opaque) => true,
            (b'p', _) => components == Some((Ty::Int(32), 2)),
            (b'i', _) => components == Some((Ty::Int(32), 3)),
            (b'x', _) => components == Some((Ty::Float(32), 4)),
            (b'v', _) => components == Some((Ty::Float(32), 3)),
            // A matrix of four columns.
            (b'm', Ty::Matrix(column, 4)) => self.is_type(column, b'v'),
            // A pointer to a hit object, to a ray query, to payloads.
            (b'o', Ty::Pointer(Class::Function | Class::Private, pointee)) => {
                self.types.get(pointee) == Ty::HitObject
            }
            (b'q', Ty::Pointer(Class::Function | Class::Private, pointee)) => {
                self.types.get(pointee) == Ty::Opaque
            }
            (b'N', Ty::Pointer(Class::NodePayloadAMDX, array)) => self.is(array, b'y'),
            _ => false,
        }
    }
}
