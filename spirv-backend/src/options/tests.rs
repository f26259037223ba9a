//! Tests of the options.

use std::sync::Arc;

use serde_json::Value;
use trellis_structurizer::{Stage, Stages};

use super::{DefaultBindings, MeshOutputs, Options, Target, list};
use crate::bindings::{Binding, BindingError, BindingModel, HeapPlace, HeapQuery, ResourceQuery};

#[test]
fn the_list_has_every_field_of_the_serialized_form() {
    let options = Options::default().with_entry("main".to_owned());
    let Value::Object(fields) = serde_json::to_value(options).unwrap() else {
        panic!("an object");
    };
    let mut expected = Vec::new();
    for (name, value) in &fields {
        match value {
            Value::Object(group) => {
                expected.extend(group.keys().map(|field| format!("{name}.{field}")));
            }
            _ => expected.push(format!(".{name}")),
        }
    }
    let mut listed: Vec<String> = list()
        .unwrap()
        .iter()
        .map(|option| format!("{}.{}", option.group, option.name))
        .collect();
    expected.sort();
    listed.sort();
    assert_eq!(listed, expected);
}

#[test]
fn options_survive_the_round_trip() {
    let mesh = include_bytes!("../../tests/data/primitive_attributes.dxil");
    let mesh = MeshOutputs::read(mesh, None).unwrap();
    let options = Options::default()
        .with_target(Target::Vulkan1_1)
        .with_patch_location(Some(5))
        .with_demote(false)
        .with_point_size(false)
        .with_max_continue_switches(3)
        .with_stages(Stages::ALL.without(Stage::LoopExits))
        .with_max_break_path(7)
        .with_bindings(Arc::new(DefaultBindings {
            uav: 9,
            ..DefaultBindings::default()
        }))
        .with_mesh(Arc::new(mesh))
        .with_names(false);
    let text = serde_json::to_string(&options).unwrap();
    let read: Options = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    assert_eq!(read.mesh, options.mesh);
    let structurizer = read.structurizer_options();
    assert_eq!(structurizer.max_continue_switches, 3);
    assert_eq!(structurizer.max_break_path, 7);
    assert!(!structurizer.stages.contains(Stage::LoopExits));
    assert!(structurizer.stages.contains(Stage::EmptyBlocks));
}

#[test]
fn unknown_names_are_rejected() {
    for (text, message) in [
        (r#"{ "names": true }"#, "unknown field"),
        (r#"{ "debug": { "name": true } }"#, "unknown field"),
        (
            r#"{ "structurizer": { "stages": { "ssa": false } } }"#,
            "unknown stage",
        ),
        (r#"{ "structurizer": { "stage": {} } }"#, "unknown field"),
        (
            r#"{ "bindings": { "shifts": { "tex": 1 } } }"#,
            "unknown field",
        ),
        (r#"{ "mesh": { "output": [] } }"#, "unknown field"),
        (
            r#"{ "mesh": { "outputs": [ { "semantic": "A", "location": 0, "component": 4 } ] } }"#,
            "a component from 0 to 3",
        ),
        (
            r#"{ "bindings": { "bindings": [ { "class": "srv", "register": 0, "range": 0, "set": 0, "binding": 0 } ] } }"#,
            "covers",
        ),
    ] {
        let error = serde_json::from_str::<Options>(text).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn a_model_without_a_file_is_left_out() {
    struct Custom;
    impl BindingModel for Custom {
        fn bind(&self, _: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
            Err(BindingError::NoEntry)
        }
        fn heap(&self, _: &HeapQuery) -> Result<HeapPlace, BindingError> {
            Err(BindingError::NoEntry)
        }
    }
    let options = Options::default().with_bindings(Arc::new(Custom));
    let value = serde_json::to_value(options).unwrap();
    assert_eq!(value.get("bindings"), None);
    let value = serde_json::to_value(Options::default()).unwrap();
    assert_eq!(value["bindings"]["shifts"]["uav"], 2000);
}

#[test]
fn targets_have_names() {
    for target in Target::ALL {
        assert_eq!(target.name().parse(), Ok(target));
        assert_eq!(serde_json::to_value(target).unwrap(), target.name());
    }
    assert!("vulkan2".parse::<Target>().is_err());
}
