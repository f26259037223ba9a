//! All shaders of the corpus with resources at device addresses, in tables and with buffers of offsets.

use std::sync::Arc;

use shader_testkit::shaders;
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};
use trellis_spirv_backend::bindings::{
    Binding, BindingError, BindingModel, DescriptorKind, HeapBinding, HeapPlace, HeapQuery, Place,
    ResourceQuery,
};
use trellis_spirv_backend::{Error, Options, convert, entry_points};

type Answer = fn(&ResourceQuery<'_>) -> Result<Binding, BindingError>;

/// A model of two functions.
struct Model {
    bind: Answer,
    heap: fn(&HeapQuery) -> HeapPlace,
}

impl BindingModel for Model {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        (self.bind)(query)
    }
    fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError> {
        Ok((self.heap)(query))
    }
}

/// Converts each shader of a file, and validates the results where the validator is built in.
fn convert_all(dxil: &[u8], options: Options, model: Model) -> Result<(), Error> {
    let options = options
        .with_bindings(Arc::new(model))
        .with_validate(cfg!(feature = "validate"));
    for entry in entry_points(dxil)? {
        convert(dxil, &options.clone().with_entry(entry.name.to_string()))?;
    }
    Ok(())
}

fn no_heap(_: &HeapQuery) -> HeapPlace {
    HeapPlace::new(9, 0)
}

fn descriptor(query: &ResourceQuery<'_>) -> Binding {
    let binding = Binding::descriptor(query.class as u32, query.register);
    if query.has_counter {
        binding.with_counter(Place::descriptor(8, query.register))
    } else {
        binding
    }
}

fn is_buffer(kind: ResourceKind) -> bool {
    matches!(
        kind,
        ResourceKind::RawBuffer
            | ResourceKind::StructuredBuffer
            | ResourceKind::CBuffer
            | ResourceKind::RTAccelerationStructure
    )
}

/// Buffers, counters and acceleration structures of one register are root descriptors: a number for
/// each class and register.
fn root(query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
    let number = 8 * query.class as u32 + query.register % 8;
    let mut binding = descriptor(query);
    if is_buffer(query.kind) && query.range_size == 1 {
        binding.place = Place::DeviceAddress {
            root_descriptor: number,
        };
        if query.has_counter {
            binding.counter = Some(Place::DeviceAddress {
                root_descriptor: 32 + query.register % 8,
            });
        }
    }
    Ok(binding)
}

const ROOT: Model = Model {
    bind: root,
    heap: no_heap,
};

fn with_root() -> Options {
    Options::default().with_root_descriptors(40)
}

/// All resources are in one heap, counters and acceleration structures by address.
fn heap_of(query: &HeapQuery) -> HeapPlace {
    let by_address = query.counter || query.kind == ResourceKind::RTAccelerationStructure;
    let is_sampler = query.class == ResourceClass::Sampler;
    let place = HeapPlace::new(3, u32::from(is_sampler));
    match query.kind {
        _ if by_address => HeapPlace::new(3, 2).with_kind(DescriptorKind::DeviceAddress),
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TypedBuffer => {
            place.with_offsets(OFFSETS)
        }
        _ => place,
    }
}

const OFFSETS: HeapBinding = HeapBinding { set: 3, binding: 3 };

fn in_table(query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
    if query.class == ResourceClass::CBuffer && query.range_size != 1 {
        return Ok(descriptor(query));
    }
    let heap = |binding, kind| Place::Heap {
        set: 3,
        binding,
        kind,
        offset: query.register,
        root_constant: Some(query.class as u32),
    };
    let addresses = heap(2, Some(DescriptorKind::DeviceAddress));
    let is_sampler = query.class == ResourceClass::Sampler;
    let mut binding = Binding::new(heap(u32::from(is_sampler), None));
    match query.kind {
        ResourceKind::RTAccelerationStructure => binding = Binding::new(addresses),
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TypedBuffer => {
            binding = binding.with_offsets(OFFSETS);
        }
        _ => {}
    }
    Ok(if query.has_counter {
        binding.with_counter(addresses)
    } else {
        binding
    })
}

const TABLES: Model = Model {
    bind: in_table,
    heap: heap_of,
};

#[test]
fn every_shader_has_a_layout_with_tables_and_root_descriptors() {
    let (mut converts, mut refused) = (0, Vec::new());
    for (name, dxil) in shaders() {
        for (model, options) in [(ROOT, with_root()), (TABLES, Options::default())] {
            // The push constants of a node are its own.
            let options = match name.starts_with("work_graphs/") {
                true => options.with_root_uniform_block(Some(HeapBinding { set: 9, binding: 0 })),
                false => options,
            };
            match convert_all(&dxil, options, model) {
                Ok(()) => converts += 1,
                Err(error) => refused.push(format!("{name}: {error}")),
            }
        }
    }
    assert!(converts > 1000, "{converts}");
    assert_eq!(refused, Vec::<String>::new());
}
