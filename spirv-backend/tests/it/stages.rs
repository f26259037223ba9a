//! Geometry, hull and domain shaders: stages that are converted apart fit together, options, and
//! refused inputs.

use std::collections::BTreeMap;

use trellis_dxil_frontend::Input;
use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::Constant;
use trellis_dxil_frontend::shader::{
    DomainProperties, EntryPoint, GeometryProperties, HullProperties, InputPrimitive,
    PrimitiveTopology, SemanticKind, TessellatorDomain, TessellatorPartitioning,
};
use trellis_spirv_backend::{Error, Options, convert, convert_entry, disassemble};

use crate::common;

fn shader(name: &str) -> Vec<u8> {
    common::shader(&format!("{name}.dxil"))
}

fn converted(name: &str, options: &Options) -> Vec<String> {
    common::lines(&format!("{name}.dxil"), options)
}

/// Returns the variables at locations on one side of a stage, `in.` or `out.`: names without that prefix, by
/// location, component and whether it is a patch constant.
fn located(lines: &[String], side: &str) -> BTreeMap<(u32, u32, bool), String> {
    let mut found = BTreeMap::new();
    for line in lines.iter().filter_map(|l| l.strip_prefix("OpName ")) {
        let (id, name) = line.split_once(' ').unwrap();
        let Some(name) = name.trim_matches('"').strip_prefix(side) else {
            continue;
        };
        let start = format!("OpDecorate {id} ");
        let all = || lines.iter().filter_map(|l| l.strip_prefix(&start));
        let number = |name| all().find_map(|d| d.strip_prefix(name)?.parse().ok());
        if let Some(location) = number("Location ") {
            let component = number("Component ").unwrap_or(0);
            let is_patch = all().any(|d| d == "Patch");
            found.insert((location, component, is_patch), name.to_owned());
        }
    }
    found
}

/// Checks that the previous stage writes everything that a stage reads, at the same location and
/// with the same name.
fn linked(before: &[String], after: &[String]) {
    let (written, read) = (located(before, "out."), located(after, "in."));
    assert!(!read.is_empty(), "nothing is read");
    for (place, name) in &read {
        assert_eq!(written.get(place), Some(name), "{place:?} of {written:?}");
    }
}

#[test]
fn stages_that_are_converted_apart_fit_together() {
    let options = Options::default();
    let pipeline = [".vs", "", ".ds", ".gs", ".ps"]
        .map(|stage| converted(&format!("tessellation/all_stages{stage}"), &options));
    for [before, after] in pipeline.array_windows() {
        linked(before, after);
    }
    for (folder, before, after) in [
        ("tessellation", "patch_constants", "patch_constants.ds"),
        ("tessellation", "attribute_types", "attribute_types.ds"),
        (
            "tessellation",
            "attribute_types.half",
            "attribute_types.half_ds",
        ),
        ("tessellation", "output_points", "output_points.ds"),
        ("geometry", "primitive_id", "pixel_behind"),
        ("geometry", "vertex_layer", "layer_input"),
    ] {
        let [before, after] = [before, after].map(|name| format!("{folder}/{name}"));
        for io_16bit in [false, true] {
            let options = Options::default().with_io_16bit(io_16bit);
            linked(&converted(&before, &options), &converted(&after, &options));
        }
    }
}

#[test]
fn patch_constants_begin_at_the_location_of_the_option() {
    let options = Options::default().with_patch_location(Some(20));
    let (hull, domain) = (
        converted("tessellation/patch_constants", &options),
        converted("tessellation/patch_constants.ds", &options),
    );
    linked(&hull, &domain);
    let places = located(&domain, "in.");
    let is_right = |&(location, _, patch): &(u32, u32, bool)| patch == (location >= 20);
    assert!(places.keys().all(is_right), "{places:?}");
    assert!(places.keys().any(|k| k.2), "{places:?}");
    // Each side counts its own control points otherwise.
    let other = Options::default().with_patch_location(Some(5));
    let other = converted("tessellation/patch_constants.ds", &other);
    assert_ne!(located(&other, "in."), places);
}

fn geometry(entry: &mut EntryPoint) -> &mut GeometryProperties {
    entry.properties.geometry.as_mut().unwrap()
}

fn hull(entry: &mut EntryPoint) -> &mut HullProperties {
    entry.properties.hull.as_mut().unwrap()
}

fn domain(entry: &mut EntryPoint) -> &mut DomainProperties {
    entry.properties.domain.as_mut().unwrap()
}

/// Converts a shader whose description was changed.
fn changed(name: &str, change: impl FnOnce(&mut EntryPoint)) -> Result<String, Error> {
    let bytes = shader(name);
    let input = trellis_dxil_frontend::read(&bytes).expect("a shader");
    let mut entry = input.shader.entry_points[0].clone();
    change(&mut entry);
    convert_entry(&input, &entry, &Options::default())
        .map(|output| disassemble(&output.words).expect("text"))
}

#[test]
fn a_hull_shader_without_control_point_function_passes_them_through() {
    let text =
        changed("tessellation/clip_layer", |entry| entry.function = None).expect("it converts");
    // Position, clip and cull distances, each as a whole, at the point of the invocation.
    assert_eq!(text.matches("OpCopyMemory").count(), 0);
    let phases = &text[text.rfind("OpFunction ").expect("a function")..];
    let counts = ["OpLoad", "OpStore"].map(|op| phases.matches(op).count());
    assert_eq!(counts, [5, 3], "{phases}");
    let places = ["OpStore", "OpControlBarrier"].map(|op| phases.find(op));
    assert!(places[0] < places[1], "{phases}");
    let no_input = changed("tessellation/output_points", |entry| entry.function = None);
    let of_another_type = changed("tessellation/clip_layer", |entry| {
        entry.function = None;
        entry.signatures.input[0].semantic = SemanticKind::CullDistance;
    });
    for refused in [no_input, of_another_type] {
        assert!(
            matches!(&refused, Err(Error::Invalid { detail, .. }) if detail.contains("that is not an input")),
            "{refused:?}"
        );
    }
}

#[test]
fn a_layer_of_several_columns_is_refused() {
    let refused = changed("pixel_io/layer_viewport.vs", |entry| {
        let outputs = entry.signatures.output.iter_mut();
        let position = { outputs }.find(|element| element.semantic == SemanticKind::Position);
        position.expect("a position").semantic = SemanticKind::RenderTargetArrayIndex;
    });
    assert!(
        matches!(&refused, Err(Error::Invalid { detail, .. }) if detail.contains("of 1 rows and 4 columns")),
        "{refused:?}"
    );
}

#[test]
fn a_hull_shader_without_control_points_has_one_invocation() {
    let text = changed("tessellation/patch_constants", |entry| {
        hull(entry).output_control_points = 0;
    });
    let text = text.expect("it converts");
    assert!(text.contains("OutputVertices 1\n"), "{text}");
    assert_eq!(
        text.matches("OpFunctionCall").count(),
        1,
        "the control-point function is not called"
    );
}

#[test]
fn what_has_no_form_in_vulkan_is_refused_by_name() {
    let refused = |wanted: &str, name, change: fn(&mut EntryPoint)| match changed(name, change) {
        Err(Error::Unsupported { feature, .. }) => {
            let text = feature.to_string();
            assert!(text.contains(wanted), "{text}");
        }
        other => panic!("{wanted}: {other:?}"),
    };
    refused("patches of 5 control points", "geometry/streams", |e| {
        geometry(e).input = InputPrimitive::Patch(5);
    });
    refused("no vertices", "geometry/triangle", |e| {
        geometry(e).max_vertices = 0;
    });
    refused("ShadingRate", "tessellation/isoline.ds", |e| {
        e.signatures.output.last_mut().unwrap().semantic = SemanticKind::ShadingRate;
    });
}

#[test]
fn broken_descriptions_are_errors() {
    let broken = |wanted: &str, name, change: fn(&mut EntryPoint)| match changed(name, change) {
        Err(Error::Invalid { detail, .. }) => {
            assert!(detail.contains(wanted), "{name}: {detail}, not {wanted}");
        }
        other => panic!("{name}, {wanted}: {other:?}"),
    };
    broken("propert", "geometry/triangle", |e| {
        e.properties.geometry = None;
    });
    broken("vertex", "geometry/triangle", |e| {
        geometry(e).input = InputPrimitive::Point;
    });
    broken("output topology 9", "geometry/triangle", |e| {
        geometry(e).output = PrimitiveTopology::Unknown(9);
    });
    broken("stream 1", "geometry/streams", |e| {
        geometry(e).streams = 1;
    });
    let name = "tessellation/isoline";
    broken("patch-constant function", name, |e| {
        e.properties.hull = None;
    });
    broken("patch-constant function", name, |e| {
        hull(e).patch_constant_function = None;
    });
    broken("domain 7", name, |e| {
        hull(e).domain = TessellatorDomain::Unknown(7);
    });
    broken("partitioning 0", name, |e| {
        hull(e).partitioning = TessellatorPartitioning::Unknown(0);
    });
    broken("declares no vertex count", name, |e| {
        hull(e).input_control_points = 0;
    });
    let name = "tessellation/isoline.ds";
    broken("without its properties", name, |e| {
        e.properties.domain = None;
    });
    broken("declares no vertex count", name, |e| {
        domain(e).input_control_points = 40;
    });
}

/// D3D has two operations for a control point in a domain shader; DXC uses the one for inputs.
#[test]
fn a_domain_shader_reads_output_control_points() {
    let bytes = shader("tessellation/triangle_odd.ds");
    let mut input = trellis_dxil_frontend::read(&bytes).unwrap();
    let words = |input: &Input<'_>| {
        let entry = &input.shader.entry_points[0];
        convert_entry(input, entry, &Options::default())
            .unwrap()
            .words
    };
    let plain = words(&input);
    // The other operation takes the same operands.
    let module = &mut input.module;
    let mut functions = module.functions.values_mut();
    let function = functions.find(|f| f.name.starts_with("dx.op.loadInput"));
    function.unwrap().name = "dx.op.loadOutputControlPoint.f32".into();
    let mut changed = 0;
    for constant in module.constants.values_mut() {
        if constant.value == Constant::Int(Op::LoadInput.code().into()) {
            constant.value = Constant::Int(Op::LoadOutputControlPoint.code().into());
            changed += 1;
        }
    }
    assert!(changed > 0);
    assert!(words(&input) == plain);
}

#[test]
fn patches_before_a_geometry_shader_are_primitives_of_as_many_vertices() {
    let bytes = shader("geometry/patch_of_three");
    let mut input = trellis_dxil_frontend::read(&bytes).expect("a shader");
    for (points, mode) in [
        (1, Some("InputPoints")),
        (2, Some("InputLines")),
        (3, Some("Triangles")),
        (4, Some("InputLinesAdjacency")),
        (5, None),
        (6, Some("InputTrianglesAdjacency")),
        (7, None),
    ] {
        geometry(&mut input.shader.entry_points[0]).input = InputPrimitive::Patch(points);
        // The shader reads three vertices.
        let output = convert_entry(&input, &input.shader.entry_points[0], &Options::default());
        match (output, mode) {
            (Ok(output), Some(mode)) => {
                let text = disassemble(&output.words).expect("text");
                assert!(text.contains(&format!(" {mode}\n")), "{points}: {text}");
            }
            (Err(error), None) => assert!(
                error
                    .to_string()
                    .contains(&format!("patches of {points} control points")),
                "{error}"
            ),
            (Err(error), Some(_)) if points < 3 => assert!(error.to_string().contains("vert")),
            (other, _) => panic!("{points}: {other:?}"),
        }
    }
}

#[test]
fn streams_are_of_points() {
    let result = changed("geometry/streams", |entry| {
        let geometry = entry.properties.geometry.as_mut().expect("its properties");
        geometry.output = PrimitiveTopology::TriangleStrip;
    });
    let error = result
        .expect_err("Vulkan has streams of points only")
        .to_string();
    assert!(
        error.contains("streams of primitives that are not points"),
        "{error}"
    );
}

#[test]
fn stages_without_groups_have_neither_barriers_nor_memory_of_groups() {
    let library = include_bytes!("../data/groups_in_vertex.dxil");
    for (entry, reason) in [
        ("barrier", "Barrier for a group in a Vertex shader"),
        ("memory", "shared_word@@3IA` in a Vertex shader"),
    ] {
        let options = Options::default().with_entry(Some(entry.to_owned()));
        let error = convert(library, &options).expect_err("there is no group");
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn constant_counts_of_a_mesh_shader_are_what_it_declares_at_most() {
    let text = changed("mesh/triangle", |entry| {
        let mesh = entry.properties.mesh.as_mut().expect("its properties");
        mesh.max_primitives = 0;
    });
    let text = text.expect("it converts");
    let line = text.lines().find(|line| line.contains("OpSetMeshOutputs"));
    let count = line.and_then(|line| line.split_whitespace().last());
    let zero = format!("{} = OpConstant %", count.expect("a count"));
    let zero = text
        .lines()
        .find(|line| line.trim_start().starts_with(&zero));
    assert!(zero.is_some_and(|line| line.ends_with(" 0")), "{text}");
}

#[test]
fn factors_that_are_apart_share_their_variable() {
    let mut shader = common::shader("../dxbc/tessellation/factors_read.dxbc");
    // The second of the four factors has no system value.
    shader[340] ^= 1 << 5;
    let output = convert(&shader, &Options::default()).expect("it converts");
    let lines = common::lines_of(&output.words);
    let expected = ["BuiltIn TessLevelOuter", "Patch"];
    assert_eq!(common::decorations(&lines, "SV_TessFactor"), expected);
}
