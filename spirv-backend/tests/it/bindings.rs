//! Queries to binding models, and the effects of their answers on the output.

use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use trellis_spirv_backend::bindings::{
    Binding, BindingError, BindingFile, BindingModel, DefaultBindings, HeapPlace, HeapQuery, Place,
    ResourceQuery,
};
use trellis_spirv_backend::reflect::BindingReflection::{Bound, Unbound};
use trellis_spirv_backend::{Error, Options, convert, disassemble, reflect};

use crate::common::shader;

/// A model that answers by a function, and records its queries.
struct Model<F> {
    asked: Mutex<Vec<(String, ThreadId)>>,
    answer: F,
}

impl<F> Model<F>
where
    F: Fn(&ResourceQuery<'_>) -> Result<Binding, BindingError> + Send + Sync,
{
    fn new(answer: F) -> Arc<Self> {
        let asked = Mutex::default();
        Arc::new(Self { asked, answer })
    }

    fn note(&self, text: String) {
        let asked = (text, thread::current().id());
        self.asked.lock().unwrap().push(asked);
    }

    fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        let me = thread::current().id();
        assert!(asked.iter().all(|(_, thread)| *thread == me));
        asked.iter().map(|(text, _)| text.clone()).collect()
    }
}

impl<F> BindingModel for Model<F>
where
    F: Fn(&ResourceQuery<'_>) -> Result<Binding, BindingError> + Send + Sync,
{
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        let ResourceQuery {
            stage,
            class,
            kind,
            space,
            register,
            range_size,
            resource_index,
            alignment,
            stride,
            has_counter,
            ..
        } = query;
        self.note(format!(
            "{} {class:?} {resource_index} {kind:?} register {register} space {space} range {range_size} alignment {alignment} stride {stride} counter {has_counter}",
            stage.name()
        ));
        (self.answer)(query)
    }

    fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError> {
        let HeapQuery {
            class,
            kind,
            counter,
            ..
        } = query;
        self.note(format!("heap {class:?} {kind:?} counter {counter}"));
        let binding = *kind as u32;
        Ok(HeapPlace::new(9, binding))
    }
}

fn by_register(query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
    let binding = Binding::descriptor(query.class as u32, query.register);
    Ok(if query.has_counter {
        binding.with_counter(Place::descriptor(8, query.register))
    } else {
        binding
    })
}

#[test]
fn each_range_is_asked_about_once_in_the_order_of_the_metadata() {
    let model = Model::new(by_register);
    let options = Options::default().with_bindings(model.clone());
    let output = convert(&shader("buffers/counters.dxil"), &options).unwrap();
    assert_eq!(
        model.asked(),
        [
            "compute Uav 0 StructuredBuffer register 0 space 0 range 1 alignment 8 stride 8 counter true",
            "compute Uav 1 StructuredBuffer register 1 space 0 range 1 alignment 8 stride 8 counter true",
            "compute Uav 2 StructuredBuffer register 2 space 0 range 1 alignment 8 stride 8 counter true",
            "compute Uav 3 StructuredBuffer register 4 space 0 range 1 alignment 8 stride 8 counter true",
            "compute Uav 4 StructuredBuffer register 3 space 0 range 1 alignment 4 stride 4 counter false",
        ],
    );
    let text = disassemble(&output.words).unwrap();
    assert!(text.contains("DescriptorSet 8"), "{text}");
}

#[test]
fn a_heap_is_asked_about_by_view() {
    let model = Model::new(by_register);
    let options = Options::default().with_bindings(model.clone());
    let output = convert(&shader("resources/descriptor_heap.dxil"), &options).unwrap();
    let asked = model.asked();
    assert!(
        asked.iter().any(|text| text.starts_with("heap Srv")),
        "{asked:?}"
    );
    let mut once = asked.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), asked.len(), "{asked:?}");
    let text = disassemble(&output.words).unwrap();
    assert!(text.contains("DescriptorSet 9"), "{text}");
}

#[test]
fn a_refused_unbounded_range_is_one_descriptor() {
    let model = Model::new(|query| {
        if query.range_size == 1 {
            by_register(query)
        } else {
            Err(BindingError::model("no arrays here"))
        }
    });
    let options = Options::default().with_bindings(model.clone());
    let dxil = shader("resources/unbounded_array.dxil");
    let output = convert(&dxil, &options).unwrap();
    let asked = model.asked();
    let of_textures: Vec<&String> = asked.iter().filter(|t| t.contains("Texture2D")).collect();
    let expected = ["4294967295", "1"].map(|range| {
        format!("pixel Srv 0 Texture2D register 0 space 1 range {range} alignment 0 stride 0 counter false")
    });
    assert!(of_textures.into_iter().eq(&expected), "{asked:?}");
    let text = disassemble(&output.words).unwrap();
    assert!(
        !text.contains("OpTypeRuntimeArray %type_2d_image"),
        "{text}"
    );
    assert!(!text.contains("RuntimeDescriptorArray"), "{text}");

    let refuses = Model::new(|_: &ResourceQuery<'_>| Err(BindingError::NoEntry));
    let options = Options::default().with_bindings(refuses);
    let error = convert(&dxil, &options).unwrap_err();
    assert!(matches!(error, Error::Binding { .. }), "{error}");
}

#[test]
fn a_counter_needs_a_place() {
    let model = Model::new(|query| Ok(Binding::descriptor(0, query.register)));
    let options = Options::default().with_bindings(model);
    let error = convert(&shader("buffers/counters.dxil"), &options).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("the counter of") && text.contains("no place for it"),
        "{text}"
    );
}

#[test]
fn what_is_not_used_needs_no_place() {
    // The shader of a library uses few of the library's resources.
    let dxil = shader("raytracing/resources.dxil");
    let entries = trellis_spirv_backend::entry_points(&dxil).unwrap();
    let refuses = Model::new(|_: &ResourceQuery<'_>| Err(BindingError::NoEntry));
    let options = Options::default().with_bindings(refuses);
    let converted =
        |name: &str| convert(&dxil, &options.clone().with_entry(name.to_owned())).is_ok();
    let count = entries
        .iter()
        .filter(|entry| converted(&entry.name))
        .count();
    assert!(count < entries.len(), "some shader uses a resource");
}

/// Returns set and binding of each named variable of a module.
fn bound(options: &Options, shader: &[u8]) -> Vec<(String, [u32; 2])> {
    let reflection = reflect(shader, options).unwrap();
    let resources = reflection.resources.into_iter();
    let mut found = Vec::new();
    for resource in resources {
        let places = [
            (resource.vulkan, ""),
            (
                resource.counter.unwrap_or(Unbound {
                    error: BindingError::NoCounter,
                }),
                ".counter",
            ),
        ];
        for (place, suffix) in places {
            if let Bound { set, binding, .. } = place {
                found.push((format!("{}{suffix}", resource.name), [set, binding]));
            }
        }
    }
    found
}

#[test]
fn resources_without_registers_get_free_bindings() {
    let shader = shader("raytracing/free_registers.dxil");
    let expected = |free: [u32; 4]| {
        [
            ("Scene", 1000),
            ("In", free[0]),
            ("Out", 2000),
            ("Counted", free[1]),
            ("Counted.counter", free[2]),
            ("Constants", free[3]),
        ]
        .map(|(name, binding)| (name.to_owned(), [0, binding]))
    };
    let mut options = Options::default();
    assert_eq!(bound(&options, &shader), expected([8000, 8001, 8002, 8003]));
    let output = convert(&shader, &options.clone().with_entry("Generate".to_owned())).unwrap();
    let text = disassemble(&output.words).unwrap();
    for binding in [1000, 2000, 8000, 8002, 8003] {
        let decoration = format!("Binding {binding}\n");
        assert_eq!(text.matches(&decoration).count(), 1, "{decoration}{text}");
    }
    // Numbers that others have are not free.
    let file = |text: &str| Arc::new(BindingFile::parse(text, DefaultBindings::default()).unwrap());
    options.bindings = file(r#"{ "free": { "set": 0, "binding": 999 } }"#);
    assert_eq!(bound(&options, &shader), expected([999, 1001, 1002, 1003]));
    // A strict file has all bindings.
    options.bindings = file(r#"{ "strict": true }"#);
    assert_eq!(bound(&options, &shader), []);
}
