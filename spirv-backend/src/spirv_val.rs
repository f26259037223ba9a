//! SPIRV-Tools' validator, in-process (feature `validate`).

use crate::error::Error;
use crate::target::Target;

/// Validates the words as a Vulkan module with scalar block layout, which D3D's buffer layouts
/// need.
#[cfg(feature = "validate")]
pub(crate) fn validate(words: &[u32], target: Target) -> Result<(), Error> {
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
    create(Some(environment))
        .validate(words, Some(options))
        .map_err(|error| Error::Validate {
            message: error.to_string(),
        })
}

/// This build has no validator.
#[cfg(not(feature = "validate"))]
pub(crate) fn validate(_words: &[u32], _target: Target) -> Result<(), Error> {
    Err(Error::NoValidator)
}
