//! Hit objects: variables that only their own instructions use, in the stages that may trace rays.
//! Sources: `SPV_EXT_shader_invocation_reorder`, `SPV_NV_shader_invocation_reorder`.

use rspirv::spirv::{Capability, Op, StorageClass, Word};

use super::read::Inst;
use super::types::Ty;
use super::{Failure, Verifier, broken};
use crate::error::VerifyRule;

/// A kind of operand or result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    /// A pointer to a hit object.
    Object,
    Structure,
    Word,
    Float,
    /// Three floats.
    Floats,
    /// A variable of a ray payload.
    Payload,
    /// A pointer to a ray query.
    Query,
    /// Two words.
    Pair,
    /// A variable of a hit object's attributes.
    Attributes,
    Flag,
    /// Four columns of three floats.
    Matrix,
}

/// What an instruction takes, and gives.
struct Form {
    capability: Capability,
    operands: &'static [Is],
    result: Option<Is>,
}

const EXT: Capability = Capability::ShaderInvocationReorderEXT;
const NV: Capability = Capability::ShaderInvocationReorderNV;
const CLUSTER: Capability = Capability::RayTracingClusterAccelerationStructureNV;

/// Returns the form of an instruction on hit objects; `None` for another.
fn form(op: Op) -> Option<Form> {
    use Is::{Attributes, Flag, Float, Floats, Matrix, Object, Payload, Structure};
    const TRACE: &[Is] = &[
        Object,
        Structure,
        Is::Word,
        Is::Word,
        Is::Word,
        Is::Word,
        Is::Word,
        Floats,
        Float,
        Floats,
        Float,
        Payload,
    ];
    let made = |capability, operands| {
        Some(Form {
            capability,
            operands,
            result: None,
        })
    };
    let (capability, result) = match op {
        Op::HitObjectTraceRayEXT => return made(EXT, TRACE),
        Op::HitObjectTraceRayNV => return made(NV, TRACE),
        Op::HitObjectRecordMissEXT => {
            return made(
                EXT,
                &[Object, Is::Word, Is::Word, Floats, Float, Floats, Float],
            );
        }
        Op::HitObjectRecordMissNV => {
            return made(NV, &[Object, Is::Word, Floats, Float, Floats, Float]);
        }
        Op::HitObjectRecordHitNV => {
            return made(
                NV,
                &[
                    Object,
                    Structure,
                    Is::Word,
                    Is::Word,
                    Is::Word,
                    Is::Word,
                    Is::Word,
                    Is::Word,
                    Floats,
                    Float,
                    Floats,
                    Float,
                    Attributes,
                ],
            );
        }
        Op::HitObjectRecordHitWithIndexNV => {
            return made(
                NV,
                &[
                    Object,
                    Structure,
                    Is::Word,
                    Is::Word,
                    Is::Word,
                    Is::Word,
                    Is::Word,
                    Floats,
                    Float,
                    Floats,
                    Float,
                    Attributes,
                ],
            );
        }
        Op::HitObjectGetClusterIdNV => (CLUSTER, Is::Word),
        Op::HitObjectRecordFromQueryEXT => {
            return made(EXT, &[Object, Is::Query, Is::Word, Attributes]);
        }
        Op::HitObjectGetShaderRecordBufferHandleEXT => (EXT, Is::Pair),
        Op::HitObjectGetShaderRecordBufferHandleNV => (NV, Is::Pair),
        Op::HitObjectRecordEmptyEXT => return made(EXT, &[Object]),
        Op::HitObjectRecordEmptyNV => return made(NV, &[Object]),
        Op::HitObjectExecuteShaderEXT => return made(EXT, &[Object, Payload]),
        Op::HitObjectExecuteShaderNV => return made(NV, &[Object, Payload]),
        Op::HitObjectGetAttributesEXT => return made(EXT, &[Object, Attributes]),
        Op::HitObjectGetAttributesNV => return made(NV, &[Object, Attributes]),
        Op::HitObjectSetShaderBindingTableRecordIndexEXT => {
            return made(EXT, &[Object, Is::Word]);
        }
        Op::ReorderThreadWithHitObjectEXT => return made(EXT, &[Object, Is::Word, Is::Word]),
        Op::ReorderThreadWithHitObjectNV => return made(NV, &[Object, Is::Word, Is::Word]),
        Op::HitObjectIsMissEXT | Op::HitObjectIsHitEXT | Op::HitObjectIsEmptyEXT => (EXT, Flag),
        Op::HitObjectIsMissNV | Op::HitObjectIsHitNV | Op::HitObjectIsEmptyNV => (NV, Flag),
        Op::HitObjectGetRayTMinEXT | Op::HitObjectGetRayTMaxEXT => (EXT, Float),
        Op::HitObjectGetRayTMinNV | Op::HitObjectGetRayTMaxNV => (NV, Float),
        Op::HitObjectGetWorldRayOriginEXT
        | Op::HitObjectGetWorldRayDirectionEXT
        | Op::HitObjectGetObjectRayOriginEXT
        | Op::HitObjectGetObjectRayDirectionEXT => (EXT, Floats),
        Op::HitObjectGetWorldRayOriginNV
        | Op::HitObjectGetWorldRayDirectionNV
        | Op::HitObjectGetObjectRayOriginNV
        | Op::HitObjectGetObjectRayDirectionNV => (NV, Floats),
        Op::HitObjectGetObjectToWorldEXT | Op::HitObjectGetWorldToObjectEXT => (EXT, Matrix),
        Op::HitObjectGetObjectToWorldNV | Op::HitObjectGetWorldToObjectNV => (NV, Matrix),
        Op::HitObjectGetRayFlagsEXT
        | Op::HitObjectGetGeometryIndexEXT
        | Op::HitObjectGetInstanceIdEXT
        | Op::HitObjectGetInstanceCustomIndexEXT
        | Op::HitObjectGetPrimitiveIndexEXT
        | Op::HitObjectGetHitKindEXT
        | Op::HitObjectGetShaderBindingTableRecordIndexEXT => (EXT, Is::Word),
        Op::HitObjectGetGeometryIndexNV
        | Op::HitObjectGetInstanceIdNV
        | Op::HitObjectGetInstanceCustomIndexNV
        | Op::HitObjectGetPrimitiveIndexNV
        | Op::HitObjectGetHitKindNV
        | Op::HitObjectGetShaderBindingTableRecordIndexNV => (NV, Is::Word),
        _ => return None,
    };
    Some(Form {
        capability,
        operands: &[Object],
        result: Some(result),
    })
}

/// Returns true for an instruction that only ray generation shaders may have.
fn reorders(op: Op) -> bool {
    matches!(
        op,
        Op::ReorderThreadWithHitObjectEXT | Op::ReorderThreadWithHitObjectNV
    )
}

impl Verifier<'_> {
    /// Checks an instruction on hit objects, or that an instruction is not on them. `tracing` and
    /// `generating`: all entry points may trace rays, or are ray generation shaders.
    pub(super) fn hit_object(
        &self,
        inst: &Inst<'_>,
        tracing: bool,
        generating: bool,
    ) -> Result<(), Failure> {
        let op = inst.op();
        let Some(form) = form(op) else {
            // They cannot be copied.
            let moved = match op {
                Op::Load | Op::CopyObject | Op::Phi | Op::Select => inst.result_type,
                _ => 0,
            };
            return match self.types.get(moved) {
                Ty::HitObject => Err(broken(inst, VerifyRule::OperandTypes)),
                _ => Ok(()),
            };
        };
        if !self.capabilities.contains(&(form.capability as Word)) {
            return Err(VerifyRule::capability(&[form.capability]).into());
        }
        if !tracing || reorders(op) && !generating {
            return Err(broken(inst, VerifyRule::StageInstruction));
        }
        let count = inst.operands.len();
        let fits = count == form.operands.len() || reorders(op) && count == 1;
        let operands = inst.operands.iter().zip(form.operands);
        let result = form.result.is_none_or(|is| self.has(inst.result_type, is));
        if fits && result && operands.into_iter().all(|(&id, &is)| self.fits(id, is)) {
            Ok(())
        } else {
            Err(broken(inst, VerifyRule::OperandTypes))
        }
    }

    fn fits(&self, id: Word, is: Is) -> bool {
        let class = |classes: [StorageClass; 2]| {
            self.id(id).is_some_and(|def| def.is(Op::Variable))
                && matches!(self.types.get(self.type_of(id)), Ty::Pointer(class, _) if classes.contains(&class))
        };
        match is {
            Is::Payload => class([
                StorageClass::RayPayloadKHR,
                StorageClass::IncomingRayPayloadKHR,
            ]),
            Is::Attributes => class([
                StorageClass::HitObjectAttributeEXT,
                StorageClass::HitObjectAttributeNV,
            ]),
            _ => self.has(self.type_of(id), is),
        }
    }

    /// Returns true if a type is that of an operand or result.
    fn has(&self, ty: Word, is: Is) -> bool {
        let floats = |ty| self.types.components(ty) == Some((Ty::Float(32), 3));
        match (is, self.types.get(ty)) {
            (Is::Object, Ty::Pointer(StorageClass::Function | StorageClass::Private, pointee)) => {
                self.types.get(pointee) == Ty::HitObject
            }
            (Is::Query, Ty::Pointer(StorageClass::Function | StorageClass::Private, pointee)) => {
                self.types.get(pointee) == Ty::Opaque
            }
            (Is::Structure, Ty::Opaque)
            | (Is::Word, Ty::Int(32))
            | (Is::Float, Ty::Float(32))
            | (Is::Flag, Ty::Bool) => true,
            (Is::Floats, _) => floats(ty),
            (Is::Pair, _) => self.types.components(ty) == Some((Ty::Int(32), 2)),
            (Is::Matrix, Ty::Matrix(column, 4)) => floats(column),
            _ => false,
        }
    }
}
