//! Intrinsics of AGS and NVAPI: what they become with the option, and that their UAVs are others without.

use trellis_spirv_backend::options::IntrinsicsUav;
use trellis_spirv_backend::{Error, Options, convert, disassemble};

use crate::common;

const NVAPI: IntrinsicsUav = IntrinsicsUav {
    register: 7,
    space: 3,
};

fn with_both() -> Options {
    Options::default()
        .with_ags(Some(IntrinsicsUav::AGS))
        .with_nvapi(Some(NVAPI))
}

fn text(name: &str, options: &Options) -> Result<String, Error> {
    let dxil = common::shader(&format!("vendor/{name}.dxil"));
    Ok(disassemble(&convert(&dxil, options)?.words).unwrap())
}

/// Checks that a shader has these instructions, and nothing of the UAV.
fn has(name: &str, expected: &[&str]) {
    let text = text(name, &with_both()).unwrap_or_else(|e| panic!("{name}: {e}"));
    for part in expected {
        assert!(text.contains(part), "{name}: {part}\n{text}");
    }
    assert!(!text.contains("Binding 2007"), "{name}: the UAV of NVAPI");
    assert!(
        !text.contains("DescriptorSet 2147420894"),
        "{name}: the UAV of AGS"
    );
}

#[test]
fn intrinsics_of_ags() {
    has(
        "ags_waves",
        &[
            "OpGroupNonUniformBroadcastFirst",
            "OpGroupNonUniformShuffle",
            "OpGroupNonUniformBallot",
            "OpGroupNonUniformIAdd",
            "OpGroupNonUniformFAdd",
            "ExclusiveScan",
            "OpGroupNonUniformBitwiseXor",
            "OpBitCount",
        ],
    );
    has(
        "ags_atomics",
        &["OpAtomicUMax", "OpAtomicIAdd", "OpAtomicCompareExchange"],
    );
    has(
        "ags_image_atomics",
        &["R64ui", "OpAtomicUMax", "OpReadClockKHR"],
    );
    has(
        "ags_wave_matrix",
        &[
            "OpCooperativeMatrixLoadKHR",
            "OpCooperativeMatrixMulAddKHR",
            "OpCooperativeMatrixStoreKHR",
            "Float8E4M3EXT",
            "SaturatedToLargestFloat8NormalConversionEXT",
            "Vulkan",
            "OpControlBarrier",
        ],
    );
    has(
        "ags_draw.vs",
        &[
            "BuiltIn DrawIndex",
            "BuiltIn BaseVertex",
            "PhysicalStorageBuffer64",
        ],
    );
    has(
        "ags_draw.ps",
        &["BuiltIn BaryCoordKHR", "BuiltIn BaryCoordNoPerspKHR"],
    );
}

#[test]
fn intrinsics_of_nvapi() {
    has(
        "nvapi_waves",
        &[
            "OpGroupNonUniformShuffle",
            "OpGroupNonUniformAll",
            "OpGroupNonUniformAny",
            "OpGroupNonUniformBallot",
        ],
    );
    has(
        "nvapi_atomics",
        &[
            "OpAtomicFAddEXT",
            "OpAtomicUMax",
            "SPV_EXT_shader_atomic_float_add",
        ],
    );
    has(
        "nvapi_image_atomics",
        &["OpAtomicFAddEXT", "R32f", "R64ui", "OpReadClockKHR"],
    );
    has(
        "nvapi_half_atomics",
        &[
            "SPV_NV_shader_atomic_fp16_vector",
            "AtomicFloat16VectorNV",
            "StorageImageExtendedFormats",
            "OpAtomicFAddEXT",
            "OpAtomicFMinEXT",
            "OpAtomicFMaxEXT",
            "1D 2 0 0 2 Rg16f",
            "2D 2 0 0 2 Rgba16f",
            "3D 2 0 0 2 Rg16f",
        ],
    );
}

/// Both extensions express them.
#[test]
fn hit_objects_of_nvapi() {
    for (nv, suffix) in [(false, "EXT"), (true, "NV")] {
        let options = with_both().with_nv_invocation_reorder(nv);
        let text = text("nvapi_hit_objects", &options).unwrap_or_else(|e| panic!("{e}"));
        for op in [
            "OpHitObjectTraceRay",
            "OpHitObjectRecordMiss",
            "OpHitObjectRecordEmpty",
            "OpReorderThreadWithHitObject",
            "OpHitObjectExecuteShader",
            "OpHitObjectGetAttributes",
            "OpHitObjectGetRayTMax",
            "OpHitObjectGetInstanceCustomIndex",
            "OpHitObjectGetShaderRecordBufferHandle",
        ] {
            let name = format!("{op}{suffix}");
            assert!(text.contains(&name), "{name}\n{text}");
        }
        assert!(!text.contains("OpTraceRayKHR") && !text.contains("OpExecuteCallableKHR"));
    }
}

/// Hits that a shader makes, and clusters, which only NVIDIA's extensions have.
#[test]
fn made_hits_and_clusters_of_nvapi() {
    let options = with_both().with_nv_invocation_reorder(true);
    for (name, expected) in [
        (
            "nvapi_made_hits",
            &[
                "OpHitObjectRecordHitNV",
                "OpHitObjectRecordHitWithIndexNV",
                "OpHitObjectGetClusterIdNV",
                "HitObjectAttributeNV",
            ][..],
        ),
        ("nvapi_cluster_hits", &["BuiltIn ClusterIDNV"]),
        (
            "nvapi_cluster_queries",
            &["OpRayQueryGetIntersectionClusterIdNV"],
        ),
    ] {
        let text = text(name, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        for part in expected {
            assert!(text.contains(part), "{name}: {part}\n{text}");
        }
        let has_clusters = text.contains("SPV_NV_cluster_acceleration_structure");
        assert!(has_clusters && !text.contains("Binding 2007"), "{text}");
        assert!(!text.contains("OpTraceRayKHR") && !text.contains("OpExecuteCallableKHR"));
    }
    // In the order of SPIR-V: instance, primitive, geometry, kind.
    let text = text("nvapi_made_hits", &options).unwrap();
    let made = |op: &str| {
        let line = text.lines().find(|line| line.contains(op)).unwrap();
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let number = |id: &str| {
        let line = text
            .lines()
            .find(|l| l.split_whitespace().next() == Some(id));
        line.and_then(|l| {
            l.split_once("OpConstant %")?
                .1
                .split_once(' ')?
                .1
                .parse()
                .ok()
        })
    };
    let with_index = made("OpHitObjectRecordHitWithIndexNV");
    let numbers: Vec<Option<u32>> = with_index[3..8].iter().map(|id| number(id)).collect();
    assert_eq!(numbers, [Some(6), None, Some(7), Some(255), Some(5)]);
    let error = self::text("nvapi_made_hits", &with_both()).expect_err("it is refused");
    assert!(
        error.to_string().contains("nv_invocation_reorder"),
        "{error}"
    );
}

#[test]
fn without_the_option_the_uav_is_one_like_others() {
    let plain = Options::default();
    let ags = text("ags_waves", &plain).unwrap();
    assert!(ags.contains("OpAtomicCompareExchange") && ags.contains("DescriptorSet 2147420894"));
    let nvapi = text("nvapi_waves", &plain).unwrap();
    assert!(nvapi.contains("Binding 2007") && nvapi.contains("Binding 4007"));
    // At another register it is another one.
    let other = IntrinsicsUav {
        register: 6,
        ..NVAPI
    };
    let other = text("nvapi_waves", &plain.with_nvapi(Some(other))).unwrap();
    assert_eq!(other, nvapi);
}

#[test]
fn what_has_no_translation_is_named() {
    let error = text("ags_matrix", &with_both()).expect_err("it is refused");
    assert!(matches!(error, Error::Unsupported { .. }), "{error}");
    for part in ["AGS", "WaveMatrixLength", "of a type without translation"] {
        assert!(error.to_string().contains(part), "{error}");
    }
}
