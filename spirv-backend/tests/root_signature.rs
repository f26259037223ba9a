//! Shaders with the layout of their own root signature.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use trellis_spirv_backend::bindings::{
    BindingError, Place, RootSignatureBindings, RootSignatureError, RootSlot,
};
use trellis_spirv_backend::{Options, convert, disassemble};

fn shader(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders/root_signature");
    std::fs::read(path.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
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

/// A root signature of version 1.0 with so many parameters of 32-bit constants, 40 each.
fn constants(parameters: u32) -> Vec<u8> {
    let (header, list) = (24, 12 * parameters);
    let mut words = vec![1, parameters, header, 0, header + list, 0];
    for number in 0..parameters {
        words.extend([1, 0, header + list + 12 * number]);
    }
    for number in 0..parameters {
        words.extend([number, 0, 40]);
    }
    words
        .iter()
        .flat_map(|word: &u32| word.to_le_bytes())
        .collect()
}

#[test]
fn constants_follow_each_other_within_the_limit() {
    let one = RootSignatureBindings::read(&constants(1)).unwrap();
    assert_eq!(one.slots()[0].constants, 40);
    let error = RootSignatureBindings::read(&constants(2)).unwrap_err();
    let reason = BindingError::RootTooLarge {
        word: 79,
        descriptors: 0,
        limit: 256,
    };
    assert_eq!(error, RootSignatureError::Binding(reason));
}

#[test]
fn what_has_no_root_signature_is_an_error() {
    let without = include_bytes!("data/collatz.dxil");
    let error = RootSignatureBindings::read(without).unwrap_err();
    assert_eq!(error, RootSignatureError::Missing);
    for bytes in [&b""[..], b"DXBC", &constants(1)[..30]] {
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
