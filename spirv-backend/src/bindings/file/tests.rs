//! Tests of binding files.

use super::{
    Binding, BindingFile, BindingFileError, BindingModel, DefaultBindings, DescriptorKind,
    HeapBinding, HeapPlace, HeapQuery, Place, ResourceClass, ResourceQuery, UNBOUNDED,
};
use trellis_dxil_frontend::shader::{ResourceKind, ShaderKind};

fn query(
    class: ResourceClass,
    space: u32,
    register: u32,
    range_size: u32,
) -> ResourceQuery<'static> {
    ResourceQuery {
        stage: ShaderKind::Compute,
        class,
        kind: ResourceKind::Texture2D,
        space,
        register,
        range_size,
        resource_index: 0,
        alignment: 0,
        stride: 0,
        has_counter: false,
        has_status: false,
        name: "t",
    }
}

fn heap(file: &BindingFile, class: ResourceClass, counter: bool) -> Option<HeapBinding> {
    let kind = ResourceKind::RawBuffer;
    file.heap(&HeapQuery::new(
        ShaderKind::Compute,
        class,
        kind,
        0,
        counter,
    ))
    .ok()
    .map(|heap| heap.at)
}

fn parse(text: &str) -> Result<BindingFile, BindingFileError> {
    BindingFile::parse(text, DefaultBindings::default())
}

#[test]
fn entries_and_defaults() {
    let file = parse(
        r#"{ "shifts": { "srv": 50 }, "heaps": { "sampler": { "set": 4, "binding": 1 } },
             "bindings": [
               { "class": "srv", "register": 3, "range": 4, "set": 1, "binding": 7 },
               { "class": "counter", "register": 0, "set": 9, "binding": 9 },
               { "class": "uav", "space": 1, "register": 0, "range": "unbounded", "set": 3, "binding": 0, "kind": "storage_image" } ] }"#,
    )
    .expect("good file");
    let at = |set, binding, kind| Some(Binding::new(Place::Descriptor { set, binding, kind }));
    assert_eq!(
        file.bind(&query(ResourceClass::Srv, 0, 5, 2)).ok(),
        at(1, 9, None)
    );
    assert_eq!(
        file.bind(&query(ResourceClass::Srv, 0, 7, 1)).ok(),
        at(0, 57, None),
        "just past the entry"
    );
    assert_eq!(
        file.bind(&query(ResourceClass::Uav, 1, 2, UNBOUNDED)).ok(),
        at(3, 2, Some(DescriptorKind::StorageImage))
    );
    assert_eq!(
        file.bind(&ResourceQuery {
            has_counter: true,
            ..query(ResourceClass::Uav, 0, 0, 1)
        })
        .ok(),
        Some(Binding::descriptor(0, 2000).with_counter(Place::descriptor(9, 9)))
    );
    assert_eq!(
        file.bind(&query(ResourceClass::CBuffer, 2, 1, 1)).ok(),
        at(2, 1, None)
    );
    assert!(
        file.bind(&query(ResourceClass::Srv, 0, 6, 2)).is_err(),
        "an array that leaves its entry"
    );
    assert_eq!(
        heap(&file, ResourceClass::Sampler, false),
        Some(HeapBinding { set: 4, binding: 1 })
    );
    assert_eq!(
        heap(&file, ResourceClass::Srv, false),
        Some(HeapBinding {
            set: 0,
            binding: 5000
        })
    );
}

#[test]
fn strict_files_have_no_defaults() {
    let file = parse(r#"{ "strict": true }"#).expect("good file");
    assert!(file.bind(&query(ResourceClass::Srv, 0, 0, 1)).is_err());
    assert_eq!(heap(&file, ResourceClass::Srv, false), None);
}

#[test]
fn files_survive_the_round_trip() {
    for text in [
        r#"{}"#,
        r#"{ "strict": true, "heaps": { "counter": { "set": 1, "binding": 2 } } }"#,
        r#"{ "shifts": { "uav": 9 }, "bindings": [
             { "class": "srv", "register": 3, "range": "unbounded", "set": 1, "binding": 7, "kind": "storage_buffer" },
             { "class": "cbv", "space": 2, "register": 0, "set": 0, "binding": 0 } ] }"#,
    ] {
        let file = parse(text).expect("good file");
        let written = serde_json::to_string(&file).expect("JSON");
        let read: BindingFile = serde_json::from_str(&written).expect("good file");
        assert_eq!(serde_json::to_string(&read).expect("JSON"), written);
        for class in [
            ResourceClass::Srv,
            ResourceClass::Uav,
            ResourceClass::CBuffer,
        ] {
            for (space, register) in [(0, 0), (0, 5), (2, 0)] {
                let query = query(class, space, register, 1);
                assert_eq!(file.bind(&query), read.bind(&query));
            }
        }
        for (class, counter) in [
            (ResourceClass::Srv, false),
            (ResourceClass::Sampler, false),
            (ResourceClass::Uav, true),
        ] {
            assert_eq!(heap(&file, class, counter), heap(&read, class, counter));
        }
    }
}

#[test]
fn bad_files() {
    assert!(matches!(parse("{"), Err(BindingFileError::Json(_))));
    assert!(
        matches!(
            parse(r#"{ "binding": [] }"#),
            Err(BindingFileError::Json(_))
        ),
        "unknown field"
    );
    let entry = |body: &str| parse(&format!(r#"{{ "bindings": [ {body} ] }}"#));
    assert!(matches!(
        entry(r#"{ "class": "srv", "register": 0, "range": 0, "set": 0, "binding": 0 }"#),
        Err(BindingFileError::Range { index: 0, .. })
    ));
    assert!(matches!(
        entry(r#"{ "class": "srv", "register": 4294967295, "range": 2, "set": 0, "binding": 0 }"#),
        Err(BindingFileError::Range { index: 0, .. })
    ));
    assert!(matches!(
        entry(
            r#"{ "class": "srv", "register": 4, "set": 0, "binding": 0 },
               { "class": "srv", "register": 0, "range": "unbounded", "set": 0, "binding": 0 }"#
        ),
        Err(BindingFileError::Overlap {
            first: 0,
            second: 1,
            register: 4,
            space: 0
        })
    ));
    for body in [
        r#"{ "class": "srv", "register": 0, "set": 0 }"#,
        r#"{ "class": "cbv", "register": 0, "set": 0, "binding": 0, "place": { "shader_record": { "offset": 0 } } }"#,
    ] {
        let error = entry(body).map(|_| ());
        assert!(matches!(error, Err(BindingFileError::Place { index: 0 })));
    }
    let place =
        r#"{ "class": "cbv", "register": 3, "place": { "shader_record": { "offset": 8 } } }"#;
    let file = entry(place).expect("good file");
    let binding = file.bind(&query(ResourceClass::CBuffer, 0, 3, 1)).ok();
    let record = Place::ShaderRecord {
        offset: 8,
        words: None,
    };
    assert_eq!(binding, Some(Binding::new(record)));
}

#[test]
fn places_of_layers_are_read_and_written() {
    let text = r#"{ "heaps": {
               "resource": { "set": 1, "binding": 0, "offsets": { "set": 1, "binding": 2 } },
               "counter": { "set": 1, "binding": 3, "kind": "device_address" } },
             "bindings": [
               { "class": "srv", "register": 2, "range": 3, "place": { "device_address": { "root_descriptor": 4 } } },
               { "class": "uav", "register": 0, "place": { "record_address": { "offset": 16 } } },
               { "class": "uav", "register": 1, "offsets": { "set": 5, "binding": 6 },
                 "place": { "record_table": { "set": 0, "binding": 1, "record_offset": 8, "size_log2": 5 } } } ] }"#;
    let read = parse(text).expect("good file");
    let again = serde_json::to_string(&read).expect("a file has a text");
    for file in [read, parse(&again).expect("its own text")] {
        let bind = |class, register| file.bind(&query(class, 0, register, 1)).ok();
        let address =
            |root_descriptor| Some(Binding::new(Place::DeviceAddress { root_descriptor }));
        let srvs = [2, 3, 4].map(|register| bind(ResourceClass::Srv, register));
        assert_eq!(srvs, [4, 5, 6].map(address));
        let record = Place::RecordAddress { offset: 16 };
        assert_eq!(bind(ResourceClass::Uav, 0), Some(Binding::new(record)));
        let table = Place::RecordTable {
            set: 0,
            binding: 1,
            kind: None,
            offset: 0,
            record_offset: 8,
            size_log2: 5,
        };
        let (set, binding) = (5, 6);
        let offsets = HeapBinding { set, binding };
        let expected = Binding::new(table).with_offsets(offsets);
        assert_eq!(bind(ResourceClass::Uav, 1), Some(expected));
        let heap = |counter| {
            let (stage, kind) = (ShaderKind::Compute, ResourceKind::StructuredBuffer);
            let query = HeapQuery::new(stage, ResourceClass::Uav, kind, 4, counter);
            file.heap(&query).ok()
        };
        let (set, binding) = (1, 2);
        let resources = HeapPlace::new(1, 0).with_offsets(HeapBinding { set, binding });
        assert_eq!(heap(false), Some(resources));
        let counters = HeapPlace::new(1, 3).with_kind(DescriptorKind::DeviceAddress);
        assert_eq!(heap(true), Some(counters));
    }
    let far = r#"{ "bindings": [ { "class": "srv", "register": 0, "range": 2,
               "place": { "device_address": { "root_descriptor": 4294967295 } } } ] }"#;
    let file = parse(far).expect("each register by itself is checked");
    assert!(file.bind(&query(ResourceClass::Srv, 0, 1, 1)).is_err());
}
