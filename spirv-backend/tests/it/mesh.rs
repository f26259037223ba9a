//! The translation of mesh and amplification shaders, and of pixel shaders after them.

use std::sync::Arc;

use trellis_spirv_backend::{MeshOutputs, Options, Target, convert, reflect};

use crate::common::{self, count, decorations};

fn shader(name: &str) -> Vec<u8> {
    common::shader(&format!("mesh/{name}.dxil"))
}

fn lines(name: &str, options: &Options) -> Vec<String> {
    common::lines(&format!("mesh/{name}.dxil"), options)
}

#[test]
fn what_the_stages_declare() {
    let l = lines("primitive_attributes", &Options::default());
    for (part, times) in [
        ("OpCapability MeshShadingEXT", 1),
        ("OpExtension \"SPV_EXT_mesh_shader\"", 1),
        ("OpEntryPoint MeshEXT", 1),
        ("LocalSize 8 1 1", 1),
        ("OutputVertices 24", 1),
        ("OutputPrimitivesEXT 8", 1),
        ("OutputTrianglesEXT", 1),
        ("OpSetMeshOutputsEXT", 1),
        ("OpCapability Geometry", 0),
    ] {
        assert_eq!(count(&l, part), times, "{part}\n{}", l.join("\n"));
    }
    assert_eq!(
        count(&lines("lines", &Options::default()), "OutputLinesEXT"),
        1
    );
    let l = lines("payload_shared.as", &Options::default());
    assert_eq!(
        (
            count(&l, "OpEntryPoint TaskEXT"),
            count(&l, "OpEmitMeshTasksEXT"),
            count(&l, "OpReturn")
        ),
        (1, 1, 0),
        "{}",
        l.join("\n")
    );
}

#[test]
fn primitives_have_locations_after_those_of_vertices() {
    let l = lines("primitive_attributes", &Options::default());
    assert_eq!(decorations(&l, "out.TEXCOORD0"), ["Location 1"]);
    assert_eq!(decorations(&l, "out.CORNER0"), ["Location 2"]);
    assert_eq!(
        decorations(&l, "out.COLOR0"),
        ["Location 4", "PerPrimitiveEXT"]
    );
    assert_eq!(
        decorations(&l, "out.SV_PrimitiveID"),
        ["BuiltIn PrimitiveId", "PerPrimitiveEXT"]
    );
    let reflection =
        reflect(&shader("primitive_attributes"), &Options::default()).expect("it can be read");
    let mesh = reflection.entry_points[0].mesh.expect("a mesh shader");
    assert_eq!(
        (
            mesh.topology,
            mesh.max_vertices,
            mesh.max_primitives,
            mesh.primitive_location
        ),
        ("triangle", 24, 8, 3)
    );
    assert_eq!(
        reflect(&shader("payload_large.as"), &Options::default())
            .expect("it can be read")
            .entry_points[0]
            .payload_size,
        Some(16384)
    );
}

#[test]
fn a_pixel_shader_is_linked_by_semantic() {
    let mesh = MeshOutputs::read(&shader("primitive_attributes"), None).expect("a mesh shader");
    assert_eq!(
        mesh.location("color", 0)
            .map(|p| (p.location, p.component, p.per_primitive)),
        Some((4, 0, true)),
        "semantics have no case"
    );
    assert_eq!(mesh.location("COLOR", 1), None);
    let linked = Options::default().with_mesh(Some(Arc::new(mesh)));
    let l = lines("primitive_attributes.ps", &linked);
    assert_eq!(decorations(&l, "in.TEXCOORD0"), ["Location 1"]);
    assert_eq!(decorations(&l, "in.CORNER0"), ["Location 2", "Flat"]);
    assert_eq!(
        decorations(&l, "in.COLOR0"),
        ["Location 4", "PerPrimitiveEXT"]
    );
    assert_eq!(
        decorations(&l, "in.PLACE0"),
        ["Location 5", "PerPrimitiveEXT", "Flat"]
    );
    assert_eq!(
        decorations(&l, "in.SV_PrimitiveID"),
        ["BuiltIn PrimitiveId", "PerPrimitiveEXT", "Flat"]
    );
    assert_eq!(
        (
            count(&l, "OpCapability MeshShadingEXT"),
            count(&l, "OpCapability Geometry")
        ),
        (1, 0),
        "{}",
        l.join("\n")
    );
    // After a vertex shader no input is per primitive.
    let l = lines("primitive_attributes.ps", &Options::default());
    assert_eq!(
        (count(&l, "PerPrimitiveEXT"), count(&l, "MeshShadingEXT")),
        (0, 0)
    );
    let error =
        convert(&shader("lines.ps"), &linked).expect_err("another mesh shader's pixel shader");
    assert!(
        error.to_string().contains("the mesh shader has no output "),
        "{error}"
    );
    assert!(
        MeshOutputs::read(&shader("lines.ps"), None)
            .is_err_and(|e| e.to_string().contains("where a mesh shader is required"))
    );
}

#[test]
fn nothing_follows_dispatch_mesh() {
    let l = lines("amplification_waves.as", &Options::default());
    let end = l
        .iter()
        .position(|line| line.starts_with("OpEmitMeshTasksEXT"))
        .expect("an end");
    assert_eq!(l[end + 1], "OpFunctionEnd");
    assert_eq!(
        count(&l, "OpConstant %uint 99"),
        0,
        "the store after it is missing: {}",
        l.join("\n")
    );
}

#[test]
fn payloads_of_both_stages_have_one_type() {
    // The element type and the length.
    let payload = |name: &str| {
        let l = lines(name, &Options::default());
        let of = |id: &str| {
            l.iter()
                .find_map(|l| l.strip_prefix(&format!("{id} = ")))
                .unwrap_or_else(|| panic!("{name}: no {id}"))
                .to_owned()
        };
        let variable = l
            .iter()
            .find(|l| l.contains("OpVariable") && l.ends_with("TaskPayloadWorkgroupEXT"))
            .expect("a payload");
        let word =
            |line: &str, index: usize| line.split(' ').nth(index).expect("an operand").to_owned();
        let array = of(&word(&of(&word(variable, 3)), 2));
        (of(&word(&array, 1)), word(&of(&word(&array, 2)), 2))
    };
    for name in [
        "payload_shared",
        "payload_local",
        "payload_mixed_widths",
        "payload_large",
        "amplification_loops",
        "calls",
    ] {
        assert_eq!(payload(name), payload(&format!("{name}.as")), "{name}");
    }
}

#[test]
fn a_groupshared_payload_is_copied_by_all_threads() {
    // 36 words, 16 threads: two rounds of all, one of four threads.
    let l = lines("payload_shared.as", &Options::default());
    assert_eq!(
        (count(&l, "OpLoopMerge"), count(&l, "OpSelectionMerge")),
        (0, 2),
        "one of the shader, one for the rest\n{}",
        l.join("\n")
    );
    let barriers: Vec<usize> = l
        .iter()
        .enumerate()
        .filter(|(_, l)| l.contains("OpControlBarrier"))
        .map(|(i, _)| i)
        .collect();
    assert_eq!(barriers.len(), 1);
    let copied = |l: &&String| l.contains("OpStore");
    assert_eq!(l[barriers[0]..].iter().filter(copied).count(), 3);
    // 4096 words, 8 threads: a loop besides the shader's own.
    assert_eq!(
        count(
            &lines("payload_large.as", &Options::default()),
            "OpLoopMerge"
        ),
        2
    );
}

#[test]
fn older_targets() {
    let options = |target| Options::default().with_target(target);
    let error = convert(&shader("triangle"), &options(Target::Vulkan1_1))
        .expect_err("SPIR-V 1.3 has no mesh shaders");
    assert!(error.to_string().contains("before SPIR-V 1.4"), "{error}");
    assert!(convert(&shader("triangle"), &options(Target::Vulkan1_2)).is_ok());
}

#[test]
fn a_shader_without_primitives_declares_one() {
    let l = lines("no_primitives", &Options::default());
    for part in [
        "OutputVertices 4",
        "OutputPrimitivesEXT 1",
        "OutputTrianglesEXT",
    ] {
        assert_eq!(count(&l, part), 1, "{part}\n{}", l.join("\n"));
    }
}
