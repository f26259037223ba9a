//! All options of the interface, and what they do here. The README lists those without effect; a test
//! compares.

use crate::abi::{OptionType, option};

/// What an option does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// What it does in the reference.
    Same,
    /// A part of what it does in the reference; the rest has no effect.
    Part(&'static str),
    /// Nothing, for the reason.
    None(&'static str),
}

/// An option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionRow {
    /// Its number.
    pub number: OptionType,
    /// Its name, without `DXIL_SPV_OPTION_`.
    pub name: &'static str,
    /// What it does.
    pub effect: Effect,
}

macro_rules! table {
    ($($name:ident: $effect:expr,)+) => {
        /// All options, by number.
        pub const TABLE: &[OptionRow] = &[
            $(OptionRow { number: option::$name, name: stringify!($name), effect: $effect }),+
        ];
    };
}

use Effect::{None, Part, Same};

const DEBUGGING: &str = "instrumentation is not supported";
const SPEED: &str = "no observable difference";

table! {
    SHADER_DEMOTE_TO_HELPER: Same,
    DUAL_SOURCE_BLENDING: Same,
    OUTPUT_SWIZZLE: Same,
    RASTERIZER_SAMPLE_COUNT: Same,
    ROOT_CONSTANT_INLINE_UNIFORM_BLOCK: Same,
    BINDLESS_CBV_SSBO_EMULATION: Same,
    PHYSICAL_STORAGE_BUFFER: Same,
    SBT_DESCRIPTOR_SIZE_LOG2: Same,
    SSBO_ALIGNMENT: Same,
    TYPED_UAV_READ_WITHOUT_FORMAT: Same,
    SHADER_SOURCE_FILE: None("the output has no file name"),
    BINDLESS_TYPED_BUFFER_OFFSETS: Same,
    BINDLESS_OFFSET_BUFFER_LAYOUT: Same,
    STORAGE_INPUT_OUTPUT_16BIT: Same,
    DESCRIPTOR_QA: None(DEBUGGING),
    MIN_PRECISION_NATIVE_16BIT: Same,
    SHADER_I8_DOT: Same,
    SHADER_RAY_TRACING_PRIMITIVE_CULLING: None("used where the shader requires it"),
    INVARIANT_POSITION: Same,
    SCALAR_BLOCK_LAYOUT: None(SPEED),
    BARYCENTRIC_KHR: None("barycentrics always use KHR"),
    ROBUST_PHYSICAL_CBV_LOAD: None("obsolete in dxil-spirv"),
    ARITHMETIC_RELAXED_PRECISION: None("relaxed precision is always allowed"),
    PHYSICAL_ADDRESS_DESCRIPTOR_INDEXING: Same,
    FORCE_SUBGROUP_SIZE: Same,
    DENORM_PRESERVE_SUPPORT: Same,
    STRICT_HELPER_LANE_WAVE_OPS: None("wave operations are always strict"),
    SUBGROUP_PARTITIONED_NV: None(SPEED),
    DEAD_CODE_ELIMINATE: None("dead code is always removed"),
    PRECISE_CONTROL: Part("`propagate_precise` has no effect"),
    SAMPLE_GRAD_OPTIMIZATION_CONTROL: None(SPEED),
    OPACITY_MICROMAP: None("used where the shader requires it"),
    BRANCH_CONTROL: Same,
    SUBGROUP_PROPERTIES: None(SPEED),
    DESCRIPTOR_HEAP_ROBUSTNESS: Same,
    COMPUTE_SHADER_DERIVATIVES_NV: None("obsolete in dxil-spirv"),
    QUAD_CONTROL_RECONVERGENCE: Same,
    RAW_ACCESS_CHAINS_NV: None(SPEED),
    DRIVER_VERSION: None("no driver workarounds"),
    COMPUTE_SHADER_DERIVATIVES: Part("`supports_nv` has no effect; derivatives always use KHR"),
    INSTRUCTION_INSTRUMENTATION: None(DEBUGGING),
    SHADER_QUIRK: Same,
    EXTENDED_ROBUSTNESS: Same,
    MAX_TESS_FACTOR: Same,
    VULKAN_MEMORY_MODEL: Same,
    FLOAT8_SUPPORT: None("AGS matrices use `SPV_EXT_float8`"),
    NVAPI: Part("footprints, positions, micromaps and spheres are not supported"),
    EXTENDED_NON_SEMANTIC: None(DEBUGGING),
    VIEW_INSTANCING: Same,
    MIXED_FLOAT_DOT_PRODUCT: None(SPEED),
    COMPUTE_SHADER_DERIVATIVES_QUAD: None("quads are used where the group size allows it"),
}

/// Returns the option with a number.
pub fn row(number: OptionType) -> Option<&'static OptionRow> {
    let index = number.checked_sub(1)? as usize;
    TABLE.get(index)
}

#[cfg(test)]
mod tests {
    use super::{TABLE, option, row};

    #[test]
    fn the_table_has_every_option_at_its_number() {
        assert_eq!(TABLE.len(), 51);
        for (expected, row) in (1..).zip(TABLE) {
            assert_eq!(row.number, expected, "{}", row.name);
        }
        assert_eq!(option::ALL.len(), 52);
        assert_eq!(row(0), None);
        assert_eq!(row(52), None);
        assert_eq!(row(51).unwrap().name, "COMPUTE_SHADER_DERIVATIVES_QUAD");
    }
}
