//! The translation of mesh and amplification shaders, and of pixel shaders after them.

use std::sync::Arc;

use trellis_spirv_backend::{MeshOutputs, Options, convert, reflect};

use crate::common::{self, count, decorations};

fn shader(name: &str) -> Vec<u8> {
    common::shader(&format!("mesh/{name}.dxil"))
}

fn lines(name: &str, options: &Options) -> Vec<String> {
    common::lines(&format!("mesh/{name}.dxil"), options)
}

#[test]
fn reflection_describes_the_outputs() {
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
