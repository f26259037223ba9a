//! Geometry, hull and domain shaders: stages that are converted apart fit together, options, and
//! what is refused.

use std::collections::BTreeMap;

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, Op, StorageClass};
use trellis_dxil_frontend::module::Constant;
use trellis_dxil_frontend::shader::{
    InputPrimitive, PrimitiveTopology, SemanticKind, TessellatorDomain, TessellatorPartitioning,
};
use trellis_spirv_backend::{Error, Options, convert, convert_entry, disassemble};

use crate::common;

fn shader(name: &str) -> Vec<u8> {
    common::shader(&format!("{name}.dxil"))
}

fn converted(name: &str, options: &Options) -> Module {
    let words = convert(&shader(name), options)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
        .words;
    rspirv::dr::load_words(words).expect("SPIR-V")
}

fn number(instruction: &Instruction, index: usize) -> Option<u32> {
    match instruction.operands.get(index)? {
        Operand::LiteralBit32(number) => Some(*number),
        Operand::BuiltIn(built_in) => Some(*built_in as u32),
        _ => None,
    }
}

/// Variables at locations on one side of a stage: name without its prefix, by location, component
/// and whether it is a patch constant.
fn located(module: &Module, class: StorageClass) -> BTreeMap<(u32, u32, bool), String> {
    let mut found = BTreeMap::new();
    for variable in module
        .types_global_values
        .iter()
        .filter(|i| i.class.opcode == Op::Variable)
    {
        if variable.operands.first() != Some(&Operand::StorageClass(class)) {
            continue;
        }
        let id = Operand::IdRef(variable.result_id.expect("an id"));
        let decoration = |wanted| {
            module.annotations.iter().find(|i| {
                i.operands[0] == id && i.operands.get(1) == Some(&Operand::Decoration(wanted))
            })
        };
        let Some(location) = decoration(Decoration::Location).and_then(|i| number(i, 2)) else {
            continue;
        };
        let component = decoration(Decoration::Component)
            .and_then(|i| number(i, 2))
            .unwrap_or(0);
        let name = module
            .debug_names
            .iter()
            .find(|i| i.operands[0] == id)
            .map(|i| match &i.operands[1] {
                Operand::LiteralString(name) => name
                    .trim_start_matches("in.")
                    .trim_start_matches("out.")
                    .to_owned(),
                _ => String::new(),
            });
        found.insert(
            (location, component, decoration(Decoration::Patch).is_some()),
            name.unwrap_or_default(),
        );
    }
    found
}

/// Checks that the previous stage writes everything that a stage reads, at the same location and
/// with the same name.
fn linked(before: &Module, after: &Module) {
    let (written, read) = (
        located(before, StorageClass::Output),
        located(after, StorageClass::Input),
    );
    assert!(!read.is_empty(), "nothing is read");
    for (place, name) in &read {
        assert_eq!(written.get(place), Some(name), "{place:?} of {written:?}");
    }
}

#[test]
fn stages_that_are_converted_apart_fit_together() {
    let options = Options::default();
    let pipeline = ["vs", "", "ds", "gs", "ps"].map(|stage| {
        let suffix = if stage.is_empty() {
            String::new()
        } else {
            format!(".{stage}")
        };
        converted(&format!("tessellation/all_stages{suffix}"), &options)
    });
    for [before, after] in pipeline.array_windows() {
        linked(before, after);
    }
    for (before, after) in [
        (
            "tessellation/patch_constants",
            "tessellation/patch_constants.ds",
        ),
        (
            "tessellation/attribute_types",
            "tessellation/attribute_types.ds",
        ),
        (
            "tessellation/attribute_types.half",
            "tessellation/attribute_types.half_ds",
        ),
        (
            "tessellation/output_points",
            "tessellation/output_points.ds",
        ),
        ("geometry/primitive_id", "geometry/pixel_behind"),
        ("geometry/vertex_layer", "geometry/layer_input"),
    ] {
        for io_16bit in [false, true] {
            let options = Options::default().with_io_16bit(io_16bit);
            linked(&converted(before, &options), &converted(after, &options));
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
    let places = located(&domain, StorageClass::Input);
    assert!(
        places
            .keys()
            .all(|&(location, _, patch)| patch == (location >= 20))
            && places.keys().any(|k| k.2),
        "{places:?}"
    );
    // Each side counts its own control points otherwise.
    let other = Options::default().with_patch_location(Some(5));
    assert_ne!(
        located(
            &converted("tessellation/patch_constants.ds", &other),
            StorageClass::Input
        ),
        places
    );
}

/// Converts a shader whose description was changed.
fn changed(
    name: &str,
    change: impl FnOnce(&mut trellis_dxil_frontend::shader::EntryPoint),
) -> Result<String, Error> {
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
    assert_eq!(
        (
            phases.matches("OpLoad").count(),
            phases.matches("OpStore").count()
        ),
        (5, 3),
        "{phases}"
    );
    assert!(
        phases.find("OpStore") < phases.find("OpControlBarrier"),
        "{phases}"
    );
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
        entry.signatures.output.clear();
        if let Some(hull) = &mut entry.properties.hull {
            hull.output_control_points = 0;
        }
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
    let unsupported = |result: Result<String, Error>, wanted: &str| match result {
        Err(Error::Unsupported { feature, .. }) => {
            let text = feature.to_string();
            assert!(text.contains(wanted), "{text}");
        }
        other => panic!("{wanted}: {other:?}"),
    };
    unsupported(
        changed("geometry/streams", |e| {
            e.properties.geometry.as_mut().expect("properties").input = InputPrimitive::Patch(5);
        }),
        "patches of 5 control points",
    );
    unsupported(
        changed("geometry/triangle", |e| {
            e.properties
                .geometry
                .as_mut()
                .expect("properties")
                .max_vertices = 0;
        }),
        "no vertices",
    );
    let shading_rate = |e: &mut trellis_dxil_frontend::shader::EntryPoint| {
        e.signatures.output.last_mut().expect("an output").semantic = SemanticKind::ShadingRate;
    };
    unsupported(
        changed("tessellation/isoline.ds", shading_rate),
        "ShadingRate",
    );
}

#[test]
fn broken_descriptions_are_errors() {
    type Change = fn(&mut trellis_dxil_frontend::shader::EntryPoint);
    let cases: [(&str, Change, &str); 11] = [
        (
            "geometry/triangle",
            |e| e.properties.geometry = None,
            "propert",
        ),
        (
            "geometry/triangle",
            |e| e.properties.geometry.as_mut().expect("properties").input = InputPrimitive::Point,
            "vertex",
        ),
        (
            "geometry/triangle",
            |e| {
                e.properties.geometry.as_mut().expect("properties").output =
                    PrimitiveTopology::Unknown(9);
            },
            "output topology 9",
        ),
        (
            "geometry/streams",
            |e| e.properties.geometry.as_mut().expect("properties").streams = 1,
            "stream 1",
        ),
        (
            "tessellation/isoline",
            |e| e.properties.hull = None,
            "patch-constant function",
        ),
        (
            "tessellation/isoline",
            |e| {
                e.properties
                    .hull
                    .as_mut()
                    .expect("properties")
                    .patch_constant_function = None;
            },
            "patch-constant function",
        ),
        (
            "tessellation/isoline",
            |e| {
                e.properties.hull.as_mut().expect("properties").domain =
                    TessellatorDomain::Unknown(7);
            },
            "domain 7",
        ),
        (
            "tessellation/isoline",
            |e| {
                e.properties.hull.as_mut().expect("properties").partitioning =
                    TessellatorPartitioning::Unknown(0);
            },
            "partitioning 0",
        ),
        (
            "tessellation/isoline",
            |e| {
                e.properties
                    .hull
                    .as_mut()
                    .expect("properties")
                    .input_control_points = 0;
            },
            "declares no vertex count",
        ),
        (
            "tessellation/isoline.ds",
            |e| e.properties.domain = None,
            "without its properties",
        ),
        (
            "tessellation/isoline.ds",
            |e| {
                e.properties
                    .domain
                    .as_mut()
                    .expect("properties")
                    .input_control_points = 40;
            },
            "declares no vertex count",
        ),
    ];
    for (name, change, wanted) in cases {
        match changed(name, change) {
            Err(Error::Invalid { detail, .. }) => {
                assert!(
                    detail.contains(wanted),
                    "{name}: {detail}, {wanted} expected"
                );
            }
            other => panic!("{name}, {wanted}: {other:?}"),
        }
    }
}

/// Reads a shader and makes one operation of DXIL another one that takes the same operands.
fn renamed(name: &str, (from, from_code): (&str, u64), (to, to_code): (&str, u64)) -> String {
    let bytes = shader(name);
    let mut input = trellis_dxil_frontend::read(&bytes).expect("a shader");
    let module = &mut input.module;
    let function = module
        .functions
        .values_mut()
        .find(|f| f.name.starts_with(from))
        .expect("the operation");
    function.name = function.name.replace(from, to).as_str().into();
    let mut changed = 0;
    for constant in module
        .constants
        .values_mut()
        .filter(|c| c.value == Constant::Int(from_code))
    {
        constant.value = Constant::Int(to_code);
        changed += 1;
    }
    assert!(changed > 0, "no constant {from_code}");
    let output = convert_entry(&input, &input.shader.entry_points[0], &Options::default())
        .expect("it converts");
    disassemble(&output.words).expect("text")
}

/// D3D has two operations for a control point in a domain shader; DXC uses the one of inputs.
#[test]
fn a_domain_shader_reads_output_control_points() {
    let plain = disassemble(
        &convert(&shader("tessellation/triangle_odd.ds"), &Options::default())
            .expect("it converts")
            .words,
    )
    .expect("text");
    let text = renamed(
        "tessellation/triangle_odd.ds",
        ("dx.op.loadInput", 4),
        ("dx.op.loadOutputControlPoint", 103),
    );
    assert_eq!(text, plain);
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
        let entry = &mut input.shader.entry_points[0];
        let geometry = entry.properties.geometry.as_mut().expect("its properties");
        geometry.input = InputPrimitive::Patch(points);
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
