//! Enumerations and constants.

/// Version of the interface: major, minor, patch. 2.63 to 2.68 are one ABI.
pub const VERSION: [u32; 3] = [2, 68, 0];

/// `dxil_spv_bool`.
pub type Bool = u8;

pub const TRUE: Bool = 1;
pub const FALSE: Bool = 0;

/// Declares an enumeration: a type alias, and a module with its numbers and a list of them.
macro_rules! enumeration {
    ($($(#[$meta:meta])* $alias:ident = $ty:ident in $module:ident {
        $($name:ident = $value:expr,)+
    })+) => { $(
        $(#[$meta])*
        pub type $alias = $ty;
        $(#[$meta])*
        pub mod $module {
            $(pub const $name: $ty = $value;)+
            /// All of them, with their names.
            pub const ALL: &[(&str, $ty)] = &[$((stringify!($name), $name)),+];
        }
    )+ };
}

enumeration! {
    /// `dxil_spv_result`.
    ResultCode = i32 in result {
        SUCCESS = 0,
        ERROR_OUT_OF_MEMORY = -1,
        ERROR_GENERIC = -2,
        ERROR_UNSUPPORTED_FEATURE = -3,
        ERROR_PARSER = -4,
        ERROR_FAILED_VALIDATION = -5,
        ERROR_INVALID_ARGUMENT = -6,
        ERROR_NO_DATA = -7,
    }
    /// `dxil_spv_shader_stage`.
    Stage = u32 in stage {
        UNKNOWN = 0,
        VERTEX = 1,
        HULL = 2,
        DOMAIN = 3,
        GEOMETRY = 4,
        PIXEL = 5,
        COMPUTE = 6,
        INTERSECTION = 7,
        CLOSEST_HIT = 8,
        MISS = 9,
        ANY_HIT = 10,
        RAY_GENERATION = 11,
        CALLABLE = 12,
        AMPLIFICATION = 13,
        MESH = 14,
    }
    /// `dxil_spv_resource_kind`: DXIL's numbers.
    Kind = u32 in kind {
        INVALID = 0,
        TEXTURE_1D = 1,
        TEXTURE_2D = 2,
        TEXTURE_2DMS = 3,
        TEXTURE_3D = 4,
        TEXTURE_CUBE = 5,
        TEXTURE_1D_ARRAY = 6,
        TEXTURE_2D_ARRAY = 7,
        TEXTURE_2D_MS_ARRAY = 8,
        TEXTURE_CUBE_ARRAY = 9,
        TYPED_BUFFER = 10,
        RAW_BUFFER = 11,
        STRUCTURED_BUFFER = 12,
        CONSTANT_BUFFER = 13,
        SAMPLER = 14,
        TBUFFER = 15,
        RT_ACCELERATION_STRUCTURE = 16,
        FEEDBACK_TEXTURE_2D = 17,
        FEEDBACK_TEXTURE_2D_ARRAY = 18,
    }
    /// `dxil_spv_resource_class`.
    Class = u32 in class {
        SRV = 0,
        UAV = 1,
        CBV = 2,
        SAMPLER = 3,
    }
    /// `dxil_spv_vulkan_descriptor_type`.
    DescriptorType = u32 in descriptor_type {
        IDENTITY = 0,
        SSBO = 1,
        TEXEL_BUFFER = 2,
        BUFFER_DEVICE_ADDRESS = 3,
        UBO = 4,
        INPUT_ATTACHMENT = 5,
    }
    /// `dxil_spv_rdat_subobject_kind`.
    SubobjectKind = u32 in subobject_kind {
        STATE_OBJECT_CONFIG = 0,
        GLOBAL_ROOT_SIGNATURE = 1,
        LOCAL_ROOT_SIGNATURE = 2,
        SUBOBJECT_TO_EXPORTS_ASSOCIATION = 8,
        RAYTRACING_SHADER_CONFIG = 9,
        RAYTRACING_PIPELINE_CONFIG = 10,
        HIT_GROUP = 11,
        RAYTRACING_PIPELINE_CONFIG1 = 12,
    }
    /// `dxil_spv_hit_group_type`.
    HitGroupType = u32 in hit_group_type {
        TRIANGLE = 0,
        PROCEDURAL = 1,
    }
    /// `dxil_spv_shader_quirk`.
    Quirk = u32 in quirk {
        NONE = 0,
        FORCE_DEVICE_MEMORY_BARRIERS_THREAD_GROUP_COHERENCE = 1,
        ASSUME_BROKEN_SUB_8X8_CUBE_MIPS = 2,
        ROBUST_PHYSICAL_CBV_FORWARDING = 3,
        MESH_OUTPUTS_ROBUSTNESS = 4,
        AGGRESSIVE_NONUNIFORM = 5,
        ROBUST_PHYSICAL_CBV = 6,
        PROMOTE_GROUP_TO_DEVICE_MEMORY_BARRIER = 7,
        GROUP_SHARED_AUTO_BARRIER = 8,
        FIXUP_LOOP_HEADER_UNDEF_PHIS = 9,
        FIXUP_RSQRT_INF_NAN = 10,
        IGNORE_PRIMITIVE_SHADING_RATE = 11,
        ROBUST_COMPUTE_QUAD_BROADCAST = 12,
        PRECISE_FMA = 13,
        CLAMP_WAVE_SIZE_TO_THREAD_GROUP_32 = 14,
        FORCE_NONUNIFORM = 16,
    }
    /// `dxil_spv_meta_descriptor`.
    MetaDescriptor = u32 in meta_descriptor {
        RESOURCE_DESCRIPTOR_HEAP_SIZE = 0,
        RAW_DESCRIPTOR_HEAP_VIEW = 1,
        DYNAMIC_VIEW_INSTANCING_OFFSETS = 2,
        DYNAMIC_VIEW_INSTANCING_MASK = 3,
    }
    /// `dxil_spv_meta_descriptor_kind`.
    MetaDescriptorKind = u32 in meta_descriptor_kind {
        INVALID = 0,
        PUSH_CONSTANT = 1,
        PUSH_BDA = 2,
        UBO_CONTAINING_CONSTANT = 3,
        UBO_CONTAINING_BDA = 4,
        READONLY_SSBO = 5,
    }
    /// `dxil_spv_node_launch_type`.
    NodeLaunchType = u32 in node_launch_type {
        INVALID = 0,
        BROADCASTING = 1,
        COALESCING = 2,
        THREAD = 3,
    }
    /// `dxil_spv_vulkan_shader_stage_io_flags`.
    StageIoFlags = u32 in stage_io_flags {
        NONE = 0,
        PER_PRIMITIVE = 1,
    }
    /// `dxil_spv_log_level`.
    LogLevel = u32 in log_level {
        DEBUG = 0,
        WARN = 1,
        ERROR = 2,
    }
    /// `dxil_spv_shader_feature`.
    ShaderFeature = u32 in shader_feature {
        NATIVE_16BIT_OPERATIONS = 0,
    }
    /// `dxil_spv_instruction_instrumentation_type`.
    InstrumentationType = u32 in instrumentation_type {
        FULL_NAN_INF = 0,
        EXTERNALLY_VISIBLE_WRITE_NAN_INF = 1,
        FLUSH_NAN_TO_ZERO = 2,
        EXPECT_ASSUME = 3,
        BUFFER_SYNCHRONIZATION_VALIDATION = 4,
    }
    /// `dxil_spv_option`.
    OptionType = u32 in option {
        INVALID = 0,
        SHADER_DEMOTE_TO_HELPER = 1,
        DUAL_SOURCE_BLENDING = 2,
        OUTPUT_SWIZZLE = 3,
        RASTERIZER_SAMPLE_COUNT = 4,
        ROOT_CONSTANT_INLINE_UNIFORM_BLOCK = 5,
        BINDLESS_CBV_SSBO_EMULATION = 6,
        PHYSICAL_STORAGE_BUFFER = 7,
        SBT_DESCRIPTOR_SIZE_LOG2 = 8,
        SSBO_ALIGNMENT = 9,
        TYPED_UAV_READ_WITHOUT_FORMAT = 10,
        SHADER_SOURCE_FILE = 11,
        BINDLESS_TYPED_BUFFER_OFFSETS = 12,
        BINDLESS_OFFSET_BUFFER_LAYOUT = 13,
        STORAGE_INPUT_OUTPUT_16BIT = 14,
        DESCRIPTOR_QA = 15,
        MIN_PRECISION_NATIVE_16BIT = 16,
        SHADER_I8_DOT = 17,
        SHADER_RAY_TRACING_PRIMITIVE_CULLING = 18,
        INVARIANT_POSITION = 19,
        SCALAR_BLOCK_LAYOUT = 20,
        BARYCENTRIC_KHR = 21,
        ROBUST_PHYSICAL_CBV_LOAD = 22,
        ARITHMETIC_RELAXED_PRECISION = 23,
        PHYSICAL_ADDRESS_DESCRIPTOR_INDEXING = 24,
        FORCE_SUBGROUP_SIZE = 25,
        DENORM_PRESERVE_SUPPORT = 26,
        STRICT_HELPER_LANE_WAVE_OPS = 27,
        SUBGROUP_PARTITIONED_NV = 28,
        DEAD_CODE_ELIMINATE = 29,
        PRECISE_CONTROL = 30,
        SAMPLE_GRAD_OPTIMIZATION_CONTROL = 31,
        OPACITY_MICROMAP = 32,
        BRANCH_CONTROL = 33,
        SUBGROUP_PROPERTIES = 34,
        DESCRIPTOR_HEAP_ROBUSTNESS = 35,
        COMPUTE_SHADER_DERIVATIVES_NV = 36,
        QUAD_CONTROL_RECONVERGENCE = 37,
        RAW_ACCESS_CHAINS_NV = 38,
        DRIVER_VERSION = 39,
        COMPUTE_SHADER_DERIVATIVES = 40,
        INSTRUCTION_INSTRUMENTATION = 41,
        SHADER_QUIRK = 42,
        EXTENDED_ROBUSTNESS = 43,
        MAX_TESS_FACTOR = 44,
        VULKAN_MEMORY_MODEL = 45,
        FLOAT8_SUPPORT = 46,
        NVAPI = 47,
        EXTENDED_NON_SEMANTIC = 48,
        VIEW_INSTANCING = 49,
        MIXED_FLOAT_DOT_PRODUCT = 50,
        COMPUTE_SHADER_DERIVATIVES_QUAD = 51,
    }
}
