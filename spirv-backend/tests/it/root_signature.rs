//! Shaders with the layout of their root signature.

use std::sync::Arc;

use trellis_spirv_backend::bindings::{
    BindingError, DescriptorKind, PipelineLayout, Place, RootParameterPlace, RootSignatureBindings,
    RootSignatureError, RootSlot,
};
use trellis_spirv_backend::{Options, convert, disassemble};

use crate::common;

fn shader(name: &str) -> Vec<u8> {
    common::shader(&format!("root_signature/{name}"))
}

fn model(dxil: &[u8]) -> RootSignatureBindings {
    RootSignatureBindings::read(dxil).unwrap()
}

/// Returns the slots, a line each.
fn lines(model: &RootSignatureBindings) -> Vec<String> {
    let line = |slot: &RootSlot| {
        let place = match slot.place {
            Place::Descriptor { set, binding, .. } => format!("set {set} binding {binding}"),
            Place::Heap { set, binding, .. } => format!("array at set {set} binding {binding}"),
            Place::RootConstants { offset } => format!("constants from {offset}"),
            other => format!("{other:?}"),
        };
        let visibility = slot.visibility;
        let (class, space, register, count) = (slot.class, slot.space, slot.register, slot.count);
        format!("{class:?} {register}+{count} space {space} seen by {visibility}: {place}")
    };
    model.slots().iter().map(line).collect()
}

#[test]
fn each_parameter_has_a_place() {
    let expected: [(&str, &[&str]); 2] = [
        (
            "version_1_0.dxil",
            &[
                "CBuffer 0+1 space 0 seen by 0: constants from 0",
                "Srv 0+1 space 0 seen by 0: set 0 binding 0",
                "Uav 0+1 space 0 seen by 0: set 0 binding 1",
            ],
        ),
        (
            "heap_indexed.dxil",
            &["CBuffer 0+1 space 0 seen by 0: constants from 0"],
        ),
    ];
    for (name, expected) in expected {
        assert_eq!(lines(&model(&shader(name))), expected, "{name}");
    }
}

#[test]
fn shaders_convert_with_their_own_signature() {
    for name in ["version_1_0.dxil", "version_1_1.dxil", "heap_indexed.dxil"] {
        let dxil = shader(name);
        let options = Options::default()
            .with_bindings(Arc::new(model(&dxil)))
            .with_validate(cfg!(feature = "validate"));
        let output = convert(&dxil, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = disassemble(&output.words).unwrap();
        assert!(
            text.contains("PushConstant"),
            "{name} has root constants:\n{text}"
        );
    }
}

#[test]
fn root_descriptors_may_be_device_addresses() {
    let dxil = shader("version_1_0.dxil");
    let model = model(&dxil).with_addresses();
    assert_eq!(
        lines(&model),
        [
            "CBuffer 0+1 space 0 seen by 0: constants from 0",
            "Srv 0+1 space 0 seen by 0: DeviceAddress { root_descriptor: 0 }",
            "Uav 0+1 space 0 seen by 0: DeviceAddress { root_descriptor: 1 }",
        ]
    );
    let options = Options::default()
        .with_bindings(Arc::new(model))
        .with_validate(cfg!(feature = "validate"));
    let text = disassemble(&convert(&dxil, &options).unwrap().words).unwrap();
    assert!(!text.contains("DescriptorSet"), "{text}");
    assert!(text.contains("PhysicalStorageBuffer64"), "{text}");
}

#[test]
fn a_register_without_a_parameter_is_an_error() {
    let other = model(&shader("heap_indexed.dxil"));
    let options = Options::default().with_bindings(Arc::new(other));
    let error = convert(&shader("version_1_0.dxil"), &options).unwrap_err();
    assert!(error.to_string().contains("no parameter for it"), "{error}");
}

/// Returns the descriptor sets, a line for each binding.
fn sets(layout: &PipelineLayout) -> Vec<String> {
    let numbered = (0..).zip(&layout.sets);
    let lines = numbered.flat_map(|(number, set): (u32, _)| {
        set.bindings.iter().map(move |b| {
            let part = match (b.static_sampler, b.range) {
                (Some(sampler), _) => format!("sampler s{}", sampler.register),
                (None, Some(range)) if range.counters => format!("counters of {}", range.number),
                (None, Some(range)) => format!("range {}", range.number),
                (None, None) => "root".to_owned(),
            };
            format!(
                "{number}.{}: {part}, {:?} * {}",
                b.binding, b.kinds, b.count
            )
        })
    });
    lines.collect()
}

#[test]
fn a_pipeline_layout_has_the_kinds_of_the_shaders() {
    use RootParameterPlace as P;
    let dxil = shader("version_1_1.dxil");
    let input = trellis_dxil_frontend::read(&dxil).unwrap();
    let model = model(&dxil);
    let tables = [
        "1.0: range 0, [SampledImage] * 8",
        "1.1: range 1, [] * 4294967295",
        "1.2: counters of 1, [] * 4294967295",
        "2.0: range 0, [Sampler] * 2",
    ];

    let layout = model.pipeline_layout([&input.shader]);
    assert_eq!(layout.push_constant_size, 16);
    let places = [
        P::Constants {
            offset: 0,
            count: 4,
        },
        P::Descriptor { binding: 0 },
        P::Descriptor { binding: 1 },
        P::Table { set: 1 },
        P::Table { set: 2 },
    ];
    assert_eq!(layout.parameters, places);
    let root = [
        "0.0: root, [UniformBuffer] * 1",
        "0.1: root, [StorageBuffer] * 1",
        "0.2: sampler s0, [Sampler] * 1",
    ];
    assert_eq!(sets(&layout), [&root[..], &tables].concat());
    let visibilities = layout.sets.iter().flat_map(|set| &set.bindings);
    let visibilities: Vec<u32> = visibilities.map(|b| b.visibility).collect();
    assert_eq!(visibilities, [0, 5, 0, 5, 5, 5, 0]);
    assert_eq!(layout.heap_set, None);

    let layout = model.with_addresses().pipeline_layout([&input.shader]);
    assert_eq!(layout.push_constant_size, 32);
    let places = [
        P::Constants {
            offset: 16,
            count: 4,
        },
        P::Address { offset: 0 },
        P::Address { offset: 8 },
        P::Table { set: 1 },
        P::Table { set: 2 },
    ];
    assert_eq!(layout.parameters, places);
    let root = ["0.0: sampler s0, [Sampler] * 1"];
    assert_eq!(sets(&layout), [&root[..], &tables].concat());
}

/// The offsets of a pipeline layout must equal the block's offsets in the output.
#[test]
fn push_constants_of_a_pipeline_layout_are_those_of_the_output() {
    let dxil = shader("version_1_1.dxil");
    let model = model(&dxil).with_addresses();
    let options = Options::default().with_bindings(Arc::new(model));
    let text = disassemble(&convert(&dxil, &options).unwrap().words).unwrap();
    let mut offsets: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("OpMemberDecorate") && line.contains("Offset"))
        .filter_map(|line| line.rsplit(' ').next())
        .collect();
    // Other blocks begin at 0, too.
    offsets.sort_unstable();
    offsets.dedup();
    assert_eq!(offsets, ["0", "16"], "{text}");
}

#[test]
fn a_pipeline_layout_without_shaders_has_no_kinds() {
    let layout = model(&shader("version_1_0.dxil")).pipeline_layout([]);
    let kinds = |b: &trellis_spirv_backend::bindings::SetBinding| b.kinds.len();
    assert_eq!(layout.sets[0].bindings.iter().map(kinds).max(), Some(0));
    let layout = model(&shader("heap_indexed.dxil")).pipeline_layout([]);
    assert_eq!(layout.heap_set, Some(1));
    assert_eq!(layout.push_constant_size, 8);
}

#[test]
fn views_of_several_kinds_in_one_range_are_listed() {
    let dxil = shader("version_1_1.dxil");
    let mut shader = trellis_dxil_frontend::read(&dxil).unwrap().shader;
    let texture = shader.resources.iter().find(|r| r.lower_bound == 1);
    let mut buffer = texture.unwrap().clone();
    buffer.kind = trellis_dxil_frontend::shader::ResourceKind::StructuredBuffer;
    buffer.lower_bound = 4;
    buffer.range_size = 1;
    shader.resources.push(buffer);
    let layout = model(&dxil).pipeline_layout([&shader]);
    let both = [DescriptorKind::SampledImage, DescriptorKind::StorageBuffer];
    assert_eq!(layout.sets[1].bindings[0].kinds, both);
}

/// A root signature of version 1.0 with `parameters` parameters of `each` 32-bit constants.
fn constants(parameters: u32, each: u32) -> Vec<u8> {
    let (header, list) = (24, 12 * parameters);
    let mut words = vec![1, parameters, header, 0, header + list, 0];
    for number in 0..parameters {
        words.extend([1, 0, header + list + 12 * number]);
    }
    for number in 0..parameters {
        words.extend([number, 0, each]);
    }
    words
        .iter()
        .flat_map(|word: &u32| word.to_le_bytes())
        .collect()
}

#[test]
fn constants_follow_each_other_within_the_limit() {
    let one = RootSignatureBindings::read(&constants(1, 40)).unwrap();
    assert_eq!(one.slots()[0].constants, 40);
    let error = RootSignatureBindings::read(&constants(2, 40)).unwrap_err();
    let reason = BindingError::RootTooLarge {
        word: 79,
        descriptors: 0,
        limit: 256,
    };
    assert_eq!(error, RootSignatureError::Binding(reason));
}

/// No D3D device takes this number of parameters, but a file may have it: the time is linear.
#[test]
fn a_root_signature_may_have_very_many_parameters() {
    let many = RootSignatureBindings::read(&constants(500_000, 0)).unwrap();
    let layout = many.pipeline_layout([]);
    assert_eq!(layout.parameters.len(), 500_000);
    assert_eq!(layout.push_constant_size, 0);
}

#[test]
fn what_has_no_root_signature_is_an_error() {
    let without = include_bytes!("../data/collatz.dxil");
    let error = RootSignatureBindings::read(without).unwrap_err();
    assert_eq!(error, RootSignatureError::Missing);
    for bytes in [&b""[..], b"DXBC", &constants(1, 40)[..30]] {
        let error = RootSignatureBindings::read(bytes).unwrap_err();
        assert!(matches!(error, RootSignatureError::Container(_)), "{error}");
    }
}

#[test]
fn a_reflection_has_the_layout() {
    let dxil = shader("version_1_1.dxil");
    let options = Options::default().with_bindings(Arc::new(model(&dxil)));
    let reflection = trellis_spirv_backend::reflect(&dxil, &options).unwrap();
    assert_eq!(reflection.layout, model(&dxil).slots());
    let json = serde_json::to_value(&reflection).unwrap();
    assert_eq!(json["layout"][0]["place"]["root_constants"]["offset"], 0);
    assert_eq!(json["layout"][3]["place"]["heap"]["set"], 1);
}
