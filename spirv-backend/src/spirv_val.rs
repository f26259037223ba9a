//! SPIRV-Tools' validator, in-process (feature `validate`).

use rspirv::spirv::{Capability, ImageOperands, Op};

use crate::error::{Error, Feature};
use crate::target::Target;

/// Capabilities that the SPIRV-Tools of this build (v2025.3) do not know, with their extensions.
const UNKNOWN: [(Capability, &str); 1] = [(
    Capability::ShaderInvocationReorderEXT,
    "SPV_EXT_shader_invocation_reorder",
)];

/// Validates the words as a Vulkan module with scalar block layout, which D3D's buffer layouts
/// need.
#[cfg(feature = "validate")]
pub(crate) fn validate(words: &[u32], target: Target) -> Result<(), Error> {
    run(words, target).map_err(|error| Error::Validate {
        message: error.to_string(),
    })
}

/// As [`validate`], for any module: reports the rejected instruction.
#[cfg(feature = "validate")]
pub(crate) fn diagnose(words: &[u32], target: Target) -> Result<(), Rejection> {
    run(words, target).map_err(|error| {
        let Some(found) = error.diagnostic else {
            return Rejection {
                instruction: 0,
                message: error.to_string(),
                text: String::new(),
            };
        };
        Rejection {
            instruction: found.index,
            message: found.message,
            text: found.notes,
        }
    })
}

#[cfg(feature = "validate")]
fn run(words: &[u32], target: Target) -> Result<(), spirv_tools::Error> {
    use spirv_tools::TargetEnv;
    use spirv_tools::val::{Validator, ValidatorOptions, create};

    let environment = match target {
        Target::Vulkan1_1 => TargetEnv::Vulkan_1_1,
        Target::Vulkan1_2 => TargetEnv::Vulkan_1_2,
        Target::Vulkan1_3 => TargetEnv::Vulkan_1_3,
        Target::Vulkan1_4 => TargetEnv::Vulkan_1_4,
    };
    let options = ValidatorOptions {
        scalar_block_layout: true,
        ..ValidatorOptions::default()
    };
    create(Some(environment)).validate(words, Some(options))
}

/// This build has no validator.
#[cfg(not(feature = "validate"))]
pub(crate) fn validate(_words: &[u32], _target: Target) -> Result<(), Error> {
    Err(Error::NoValidator)
}

/// spirv-val's message about a module that it rejects.
#[cfg(feature = "validate")]
pub(crate) struct Rejection {
    /// The number of the instruction, counted from 1; 0 for the whole module.
    pub(crate) instruction: usize,
    /// The message.
    pub(crate) message: String,
    /// The instruction as text; empty for the whole module.
    pub(crate) text: String,
}

/// Returns a feature of the module that SPIRV-Tools would reject although it is valid: one that is
/// newer than the SPIRV-Tools of this build, or needs an option that they do not offer.
pub(crate) fn cannot_validate(words: &[u32]) -> Option<Feature> {
    let unknown = instructions(words)
        .take_while(|(opcode, _)| *opcode == Op::Capability as u32)
        .find_map(|(_, operands)| {
            let known = |(capability, _): &&(Capability, _)| operands == [*capability as u32];
            UNKNOWN.iter().find(known)
        });
    if let Some(&(_, extension)) = unknown {
        return Some(Feature::ValidateExtension { extension });
    }
    // An operand that is a type is a value for them.
    let mut all = instructions(words);
    if all.any(|(opcode, _)| opcode == Op::IsNodePayloadValidAMDX as u32) {
        return Some(Feature::ValidatePayloadType);
    }
    has_computed_offsets(words).then_some(Feature::ValidateComputedOffsets)
}

/// Returns the opcode and the operands of each instruction of a module.
fn instructions(words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = words.get(5..).unwrap_or_default();
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let length = ((first >> 16) as usize).clamp(1, rest.len());
        let (instruction, after) = rest.split_at(length);
        rest = after;
        Some((first & 0xFFFF, &instruction[1..]))
    })
}

/// Returns whether a sample has an offset that is not constant. The image operands come after type,
/// result, image and coordinate, and a comparison's reference.
fn has_computed_offsets(words: &[u32]) -> bool {
    instructions(words).any(|(opcode, operands)| {
        let mask = match Op::from_u32(opcode) {
            Some(
                Op::ImageSampleImplicitLod
                | Op::ImageSampleExplicitLod
                | Op::ImageSparseSampleImplicitLod
                | Op::ImageSparseSampleExplicitLod,
            ) => operands.get(4),
            Some(
                Op::ImageSampleDrefImplicitLod
                | Op::ImageSampleDrefExplicitLod
                | Op::ImageSparseSampleDrefImplicitLod
                | Op::ImageSparseSampleDrefExplicitLod,
            ) => operands.get(5),
            _ => None,
        };
        mask.is_some_and(|mask| mask & ImageOperands::OFFSET.bits() != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::{cannot_validate, has_computed_offsets};
    use crate::convert::convert;
    use crate::error::Feature;
    use crate::options::Options;

    #[test]
    fn computed_offsets_are_found() {
        let shader = include_bytes!("../tests/data/dynamic_offset.dxil");
        let words = convert(shader, &Options::default().with_dynamic_offsets(true))
            .expect("it converts")
            .words;
        assert!(has_computed_offsets(&words));
        for without in [
            &include_bytes!("../../corpus/shaders/textures/dynamic_offset_gather.dxil")[..],
            include_bytes!("../../corpus/shaders/textures/sample_kinds.dxil"),
        ] {
            let words = convert(without, &Options::default())
                .expect("it converts")
                .words;
            assert!(
                !has_computed_offsets(&words),
                "gathers, and offsets that are constant"
            );
        }
    }

    #[test]
    fn extensions_newer_than_the_validator_are_named() {
        let shader = include_bytes!("../../corpus/shaders/raytracing/hit_objects.dxil");
        let unknown = |nv| {
            let options = Options::default()
                .with_entry(Some("Generate".to_owned()))
                .with_nv_invocation_reorder(nv);
            cannot_validate(&convert(shader, &options).expect("it converts").words)
        };
        let extension = "SPV_EXT_shader_invocation_reorder";
        assert_eq!(
            unknown(false),
            Some(Feature::ValidateExtension { extension })
        );
        assert_eq!(unknown(true), None);
    }

    #[test]
    fn an_operand_that_is_a_type_is_named() {
        let shader = include_bytes!("../../corpus/shaders/work_graphs/recursion.dxil");
        let refused = |entry: &str| {
            let options = Options::default()
                .with_entry(Some(entry.to_owned()))
                .with_shader_enqueue(true);
            cannot_validate(&convert(shader, &options).expect("it converts").words)
        };
        assert_eq!(refused("Walk"), Some(Feature::ValidatePayloadType));
        assert_eq!(refused("Begin"), None);
    }
}
