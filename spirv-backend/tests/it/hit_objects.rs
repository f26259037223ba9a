//! Hit objects and reordering by both extensions.

use trellis_spirv_backend::{Error, Options, convert, disassemble};

use crate::common;

fn generate(name: &str, options: Options) -> Result<String, Error> {
    entry(name, "Generate", options)
}

fn entry(name: &str, entry: &str, options: Options) -> Result<String, Error> {
    let bytes = common::shader(&format!("raytracing/{name}"));
    let options = options.with_entry(Some(entry.to_owned()));
    Ok(disassemble(&convert(&bytes, &options)?.words).unwrap())
}

#[test]
fn both_extensions() {
    for name in ["hit_objects.dxil", "hit_objects.od.dxil"] {
        for (nv, suffix) in [(false, "EXT"), (true, "NV")] {
            let options = Options::default().with_nv_invocation_reorder(nv);
            let text = generate(name, options).unwrap_or_else(|e| panic!("{name}: {e}"));
            for op in [
                "OpHitObjectTraceRay",
                "OpHitObjectRecordMiss",
                "OpReorderThreadWithHitObject",
                "OpHitObjectExecuteShader",
                "OpHitObjectGetAttributes",
                "OpHitObjectGetRayTMax",
            ] {
                assert!(
                    text.contains(&format!("{op}{suffix}")),
                    "{name}: {op}{suffix}"
                );
            }
        }
    }
}

#[test]
fn operations_of_one_extension() {
    let name = "hit_object_table_index.dxil";
    let text = generate(name, Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(text.contains("OpHitObjectSetShaderBindingTableRecordIndexEXT"));
    assert!(text.contains("OpHitObjectGetRayFlagsEXT"));
    assert!(text.contains("OpHitObjectRecordEmptyEXT"));
    let options = Options::default().with_nv_invocation_reorder(true);
    let error = generate(name, options).expect_err("NV has no such operation");
    assert!(
        error
            .to_string()
            .contains("SPV_EXT_shader_invocation_reorder"),
        "{error}"
    );
}

#[test]
fn objects_of_queries() {
    let name = "hit_object_from_query.dxil";
    let text = generate(name, Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(text.contains("OpHitObjectRecordFromQueryEXT"));
    assert!(text.contains("OpRayQueryGetIntersectionBarycentricsKHR"));
    let options = Options::default().with_nv_invocation_reorder(true);
    let error = generate(name, options).expect_err("NV has no such operation");
    assert!(
        error
            .to_string()
            .contains("SPV_EXT_shader_invocation_reorder"),
        "{error}"
    );
}

#[test]
fn constants_of_local_root_signatures() {
    for (nv, suffix) in [(false, "EXT"), (true, "NV")] {
        let options = Options::default().with_nv_invocation_reorder(nv);
        let text = entry("hit_object_from_query.dxil", "Constants", options);
        let text = text.unwrap_or_else(|e| panic!("{e}"));
        assert!(text.contains(&format!("OpHitObjectGetShaderRecordBufferHandle{suffix}")));
        assert!(text.contains("PhysicalStorageBuffer64"));
    }
}

/// A thread that was reordered finds what it wrote.
#[test]
fn barriers_for_reordering() {
    let text = generate("reorder_memory.dxil", Options::default());
    let text = text.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(text.matches("OpMemoryBarrier").count(), 2);
    assert_eq!(text.matches(" Coherent").count(), 2);
}
