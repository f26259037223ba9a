//! The metadata of real shaders, and typed errors for invalid metadata.

use trellis_dxil_frontend::metadata::{MdId, MdNode};
use trellis_dxil_frontend::module::{
    Constant, ConstantData, Module, PoolRange, Type, ValueData, ValueKind,
};
use trellis_dxil_frontend::shader::*;
use trellis_dxil_frontend::{Error, Input, names_from_stat, read};

use crate::nodes::Writer;

macro_rules! data {
    ($name:literal) => {
        include_bytes!(concat!("../data/", $name, ".dxil"))
    };
}

fn shader(bytes: &[u8]) -> Input<'_> {
    read(bytes).unwrap()
}

/// Returns the first entry point.
fn entry(bytes: &[u8]) -> EntryPoint {
    shader(bytes).shader.entry_points.swap_remove(0)
}

const V6_0: Version = Version { major: 6, minor: 0 };

#[test]
fn pixel_shader() {
    let input = shader(data!("pixel"));
    let s = &input.shader;
    assert_eq!(
        (s.kind, s.model, s.dxil_version),
        (ShaderKind::Pixel, V6_0, Version { major: 1, minor: 0 })
    );
    let e = &s.entry_points[0];
    assert_eq!(&*e.name, "main");
    assert_eq!(&*input.module.function(e.function.unwrap()).name, "main");
    let fact = |e: &SignatureElement| {
        let place = (e.start_row, e.cols, e.usage_mask);
        format!(
            "{} {:?} {:?} {:?} {place:?}",
            e.name, e.ty, e.semantic, e.interpolation
        )
    };
    let facts: Vec<_> = e.signatures.input.iter().map(fact).collect();
    let expected = [
        "SV_Position F32 Position LinearNoperspective (0, 4, 3)",
        "TEXCOORD F32 Arbitrary Linear (1, 2, 3)",
        "ID U32 Arbitrary Constant (2, 1, 15)",
    ];
    assert_eq!(facts, expected);
    assert_eq!(e.signatures.output[0].semantic, SemanticKind::Target);
    let fact = |r: &Resource| {
        let place = (r.id, r.space, r.lower_bound, r.range_size);
        format!("{:?} {:?} {place:?}", r.class, r.kind)
    };
    let facts: Vec<_> = s.resources.iter().map(fact).collect();
    let expected = [
        "Srv Texture2D (0, 0, 0, 1)",
        "Srv StructuredBuffer (1, 0, 1, 1)",
        "Uav Texture2D (0, 2, 0, 4)",
        "CBuffer CBuffer (0, 0, 0, 1)",
        "Sampler Sampler (0, 0, 0, 1)",
    ];
    assert_eq!(facts, expected);
    assert_eq!(s.resources[1].stride, Some(24));
    let buffer = s.resource(ResourceClass::CBuffer, 0).unwrap();
    assert_eq!(buffer.cbuffer_size, 60);
    assert!(s.resource(ResourceClass::Uav, 1).is_none());
}

#[test]
fn names_come_from_stat() {
    let mut input = shader(data!("pixel"));
    assert!(input.shader.resources.iter().all(|r| r.name.is_empty()));
    assert!(names_from_stat(&input.container.unwrap(), &mut input.shader).unwrap());
    let names = input.shader.resources.iter().map(|r| &*r.name);
    assert!(names.eq(["tex", "sb", "rw", "C", "smp"]));
}

#[test]
fn compute_shader() {
    let input = shader(data!("compute"));
    let s = &input.shader;
    assert_eq!(s.entry_points[0].properties.num_threads, Some([8, 4, 2]));
    let uav = s.resource(ResourceClass::Uav, 1).unwrap();
    assert!(uav.globally_coherent);
    assert_eq!(uav.component, Some(ComponentType::UNormF32));
    assert!(!s.native_low_precision);
    let s = shader(data!("compute_16bit")).shader;
    assert_eq!(s.model, Version { major: 6, minor: 6 });
    assert!(s.native_low_precision);
    let size = s.entry_points[0].properties.wave_size;
    assert_eq!(size, Some(WaveSize::exactly(16)));
    let sampler = s.resource(ResourceClass::Sampler, 0).unwrap();
    assert_eq!(sampler.range_size, UNBOUNDED);
    assert_ne!(s.feature_flags & 1 << 18, 0, "native low precision");
}

#[test]
fn denorm_mode() {
    assert_eq!(shader(data!("denorm_preserve")).shader.denorm_mode, 1);
    assert_eq!(shader(data!("compute")).shader.denorm_mode, 0);
}

#[test]
fn geometry_hull_domain_mesh_and_amplification() {
    let expected = GeometryProperties {
        input: InputPrimitive::Triangle,
        max_vertices: 6,
        streams: 1,
        output: PrimitiveTopology::TriangleStrip,
        instances: 1,
    };
    let properties = entry(data!("geometry")).properties;
    assert_eq!(properties.geometry, Some(expected));
    let input = shader(data!("hull"));
    let hull = input.shader.entry_points[0].properties.hull.unwrap();
    let function = hull.patch_constant_function.unwrap();
    assert!(input.module.function(function).name.contains("pc"));
    let expected = HullProperties {
        patch_constant_function: Some(function),
        input_control_points: 3,
        output_control_points: 3,
        domain: TessellatorDomain::Triangle,
        partitioning: TessellatorPartitioning::FractionalOdd,
        output_primitive: TessellatorOutputPrimitive::TriangleCw,
        max_factor: 15.0,
    };
    assert_eq!(hull, expected);
    let patch_constants = &input.shader.entry_points[0].signatures.patch_constant;
    assert_eq!(patch_constants.len(), 3);
    let expected = DomainProperties {
        domain: TessellatorDomain::Triangle,
        input_control_points: 3,
    };
    let properties = entry(data!("domain")).properties;
    assert_eq!(properties.domain, Some(expected));
    let expected = MeshProperties {
        max_vertices: 64,
        max_primitives: 32,
        topology: MeshTopology::Triangle,
        payload_size: 64,
    };
    let properties = entry(data!("mesh")).properties;
    assert_eq!(properties.num_threads, Some([32, 1, 1]));
    assert_eq!(properties.mesh, Some(expected));
    let s = shader(data!("amplification")).shader;
    assert_eq!(s.kind, ShaderKind::Amplification);
    assert_eq!(s.model, Version { major: 6, minor: 5 });
    let properties = &s.entry_points[0].properties;
    assert_eq!(properties.num_threads, Some([4, 1, 1]));
    let expected = AmplificationProperties { payload_size: 64 };
    assert_eq!(properties.amplification, Some(expected));
}

#[test]
fn library() {
    let input = shader(data!("library"));
    let s = &input.shader;
    assert_eq!(s.kind, ShaderKind::Library);
    let entries: Vec<_> = s
        .entry_points
        .iter()
        .map(|e| (e.function.is_some(), e.kind, e.properties.payload_size))
        .collect();
    assert_eq!(
        entries,
        [
            (false, ShaderKind::Library, None),
            (true, ShaderKind::ClosestHit, Some(16)),
            (true, ShaderKind::Miss, Some(16)),
            (true, ShaderKind::RayGeneration, None)
        ]
    );
    assert_eq!(s.entry_points[1].properties.attribute_size, Some(8));
    assert!(s.resources.iter().all(|r| r.global.is_some()));
    TypeAnnotations::read(&input.module).unwrap();
}

#[test]
fn annotations_of_structures() {
    let bytes = data!("vertex");
    let container = trellis_dxil_frontend::container::Container::open(bytes).unwrap();
    let program = container.reflection_program().unwrap().unwrap();
    let input = Input::read_program(container, program).unwrap();
    let annotations = TypeAnnotations::read(&input.module).unwrap();
    let all: Vec<_> = annotations
        .structs
        .iter()
        .flat_map(|s| &s.fields)
        .map(|f| (&*f.name, f.offset, f.matrix))
        .collect();
    for field in [
        ("mvp", Some(0), Some([4, 4, 1])),
        ("q", Some(64), Some([3, 2, 2])),
        ("s", Some(96), None),
        ("b", Some(16), None),
    ] {
        assert!(all.contains(&field), "{field:?} in {all:?}");
    }
}

#[test]
fn view_id_state_of_a_vertex_shader() {
    // Three inputs, six outputs; outputs 0, 4 and 5 depend on the view id; output 3 on input 2.
    let words = [3, 6, 0b11_0001, 1, 2, 0b1100];
    assert_eq!(ViewIdState::decode(&words, ShaderKind::Vertex, false), None);
    let state = ViewIdState::decode(&words, ShaderKind::Vertex, true).unwrap();
    assert_eq!(
        state.streams[0],
        Dependence {
            outputs: 6,
            view_id: vec![0b11_0001],
            inputs: vec![vec![1], vec![2], vec![0b1100]]
        }
    );
    assert_eq!(
        ViewIdState::decode(&[u32::MAX, 1], ShaderKind::Vertex, false),
        None
    );
    assert_eq!(
        ViewIdState::decode(&[4096, 4096, 0], ShaderKind::Vertex, false),
        None
    );
}

/// Properties of shader models that the available compiler does not emit, written into the metadata
/// of another shader.
#[test]
fn newer_property_tags() {
    let mut w = Writer::of(*shader(data!("compute_16bit")).module);
    let numbers = [16, 64, 32].map(|v| w.int(v));
    let range = w.tuple(&numbers);
    let tags = [w.int(23), range, w.int(99), numbers[0], w.int(8), w.int(15)];
    let list = w.tuple(&tags);
    let entry = named(&w.module, "dx.entryPoints");
    change_operand(&mut w.module, entry, 4, list);
    let s = Shader::read(&w.module, None).unwrap();
    assert_eq!(
        s.entry_points[0].properties.wave_size,
        Some(WaveSize {
            minimum: 16,
            maximum: 64,
            preferred: 32,
        })
    );
    assert_eq!(s.entry_points[0].kind, ShaderKind::Node);
    assert_eq!(
        s.entry_points[0].properties.other,
        [(99, MdId::from_u32(numbers[0] - 1))]
    );
    let bad = w.int(99);
    let list = w.tuple(&[tags[4], bad]);
    change_operand(&mut w.module, entry, 4, list);
    let e = Shader::read(&w.module, None).unwrap_err().to_string();
    assert!(
        e.ends_with("shader kind: is 99, expected a shader kind, 0 to 15"),
        "{e}"
    );
}

/// Mesa's form of an unbounded range.
#[test]
fn a_range_of_no_registers_is_unbounded() {
    let mut w = Writer::of(*shader(data!("pixel")).module);
    let zero = w.int(0);
    let metadata = &w.module.metadata;
    let srvs = metadata.operand(named(&w.module, "dx.resources"), 0);
    let texture = metadata.operand(srvs.unwrap(), 0).unwrap();
    change_operand(&mut w.module, texture, 5, zero);
    let sizes = |s: &Shader| s.resources.iter().map(|r| r.range_size).collect::<Vec<_>>();
    let mut expected = sizes(&shader(data!("pixel")).shader);
    expected[0] = UNBOUNDED;
    assert_eq!(sizes(&Shader::read(&w.module, None).unwrap()), expected);
}

/// Mesa's form of the array of words.
#[test]
fn view_id_state_as_an_aggregate() {
    let mut module = shader(data!("vertex")).module;
    let expected = view_id_state(&module).unwrap().unwrap();
    let array = |c: &ConstantData| match &c.value {
        Constant::Data(words) => words.iter().map(|&w| w as u32).eq(expected.iter().copied()),
        _ => false,
    };
    let array = module.constants.position(array).unwrap();
    let ty = module.types.position(|ty| *ty == Type::Int(32)).unwrap();
    let start = module.const_operands.len() as u32;
    for &word in &expected {
        let value = Constant::Int(word.into());
        let id = module.constants.push(ConstantData { ty, value });
        let kind = ValueKind::Constant(id);
        module.const_operands.push(module.values.len() as u32);
        module.values.push(ValueData { ty, kind });
    }
    let end = module.const_operands.len() as u32;
    module.constants[array].value = Constant::Aggregate(PoolRange { start, end });
    assert_eq!(view_id_state(&module).unwrap(), Some(expected));
}

/// Returns the entry of the first operand of a named node.
fn named(m: &Module, name: &str) -> MdId {
    m.metadata.named(name).unwrap()[0]
}

fn change_operand(m: &mut Module, node: MdId, operand: usize, to: u32) {
    let MdNode::Node { operands, .. } = m.metadata.nodes[node] else {
        panic!("a tuple")
    };
    m.metadata.operands[operands.start as usize + operand] = to;
}

fn error_of(change: impl Fn(&mut Module)) -> ShaderError {
    let mut module = shader(data!("pixel")).module;
    change(&mut module);
    match Shader::read(&module, None) {
        Err(Error::Shader(e)) => *e,
        other => panic!("{other:?}"),
    }
}

#[test]
fn malformed_metadata_is_named() {
    let e = error_of(|m| m.metadata.named.retain(|(n, _)| &**n != "dx.shaderModel"));
    assert_eq!(e.to_string(), "shader metadata: dx.shaderModel: missing");
    let e = error_of(|m| {
        let node = named(m, "dx.shaderModel");
        let strings = m.metadata.strings.len() as u32;
        m.metadata.strings.extend(b"zs");
        m.metadata.nodes.push(MdNode::String(PoolRange {
            start: strings,
            end: strings + 2,
        }));
        let text = m.metadata.nodes.len() as u32;
        change_operand(m, node, 0, text);
    });
    assert_eq!(
        e.kind,
        ShaderErrorKind::Text {
            found: "zs".into(),
            expected: "ps, vs, gs, hs, ds, cs, lib, ms or as"
        }
    );
    let e = error_of(|m| {
        let node = named(m, "dx.entryPoints");
        let string = m
            .metadata
            .nodes
            .position(|n| matches!(n, MdNode::String(_)))
            .unwrap();
        change_operand(m, node, 2, string.as_u32() + 1);
    });
    assert_eq!(
        e.kind,
        ShaderErrorKind::Kind {
            expected: "a tuple"
        }
    );
    let e = error_of(|m| {
        let node = named(m, "dx.resources");
        let MdNode::Node { operands, .. } = &mut m.metadata.nodes[node] else {
            panic!("a tuple")
        };
        operands.end -= 1;
    });
    assert_eq!(
        e.kind,
        ShaderErrorKind::Count {
            found: 3,
            expected: "4: SRVs, UAVs, constant buffers, samplers"
        }
    );
    assert!(e.place.starts_with("dx.resources (entry "), "{}", e.place);
}

#[test]
fn numbers_out_of_range_are_named() {
    // Every integer constant of the pixel shader's metadata becomes 77: kinds, rows and columns are
    // then out of range.
    let e = error_of(|m| {
        for c in m.constants.values_mut() {
            if matches!(c.value, Constant::Int(_) | Constant::Null) {
                c.value = Constant::Int(77);
            }
        }
    });
    assert!(
        matches!(e.kind, ShaderErrorKind::Value { found: 77, .. }),
        "{e}"
    );
}
