//! Resources at device addresses, buffers of offsets, and local root signatures.

use std::path::Path;
use std::sync::Arc;

use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};
use trellis_spirv_backend::bindings::{
    AddressLayout, Binding, BindingError, BindingModel, DescriptorKind, HeapBinding, HeapPlace,
    HeapQuery, OffsetLayout, Place, ResourceQuery,
};
use trellis_spirv_backend::{Error, Options, convert, entry_points};

use crate::common::{count, lines_of, shader};

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

/// Converts each shader of a file, and validates the results where the validator is built in; gives
/// the lines without the indents.
fn converted(name: &str, options: Options, model: Model) -> Result<Vec<String>, Error> {
    let dxil = shader(name);
    let options = options
        .with_bindings(Arc::new(model))
        .with_validate(cfg!(feature = "validate"));
    let mut lines = Vec::new();
    for entry in entry_points(&dxil)? {
        let output = convert(&dxil, &options.clone().with_entry(entry.name.to_string()))?;
        lines.extend(lines_of(&output.words));
    }
    Ok(lines)
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

#[test]
fn root_descriptors_are_device_addresses() {
    let lines = converted("buffers/structured.dxil", with_root(), ROOT).unwrap();
    assert_eq!(
        count(&lines, "OpMemoryModel PhysicalStorageBuffer64 GLSL450"),
        1
    );
    assert_eq!(
        count(&lines, "Capability PhysicalStorageBufferAddresses"),
        1
    );
    assert_eq!(count(&lines, "DescriptorSet"), 0, "{lines:#?}");
    assert_eq!(count(&lines, "Variable StorageBuffer"), 0);
    let through = |line: &&String| line.contains("OpLoad") && line.contains("Aligned 4");
    assert!(lines.iter().any(|line| through(&line)), "{lines:#?}");
    assert!(count(&lines, "OpStore") > 0);
    // What is only read is marked so.
    assert!(count(&lines, "NonWritable") > 0, "{lines:#?}");
}

#[test]
fn every_kind_of_buffer_can_be_at_a_device_address() {
    for name in [
        "atomics/buffer.dxil",
        "atomics/buffer_64.dxil",
        "buffers/byte_address.dxil",
        "buffers/byte_address_typed.dxil",
        "buffers/counters.dxil",
        "buffers/structured_16bit.dxil",
        "buffers/structured_double.dxil",
        "buffers/raw_unaligned_widths.dxil",
        "cbuffers/legacy.dxil",
        "cbuffers/dynamic_index.dxil",
        "cbuffers/not_legacy.dxil",
        "cbuffers/not_legacy_16bit.dxil",
        "cbuffers/sixty_four_bit.dxil",
        "ray_query/closest_hit.dxil",
        "raytracing/resources.dxil",
    ] {
        let lines = converted(name, with_root(), ROOT).unwrap();
        assert_eq!(count(&lines, "Variable Uniform "), 0, "{name}");
        assert_eq!(count(&lines, "Variable StorageBuffer"), 0, "{name}");
        assert!(count(&lines, "PhysicalStorageBuffer64") > 0, "{name}");
    }
    let lines = converted("ray_query/closest_hit.dxil", with_root(), ROOT).unwrap();
    assert!(count(&lines, "OpConvertUToAccelerationStructureKHR") > 0);
    let lines = converted("buffers/globally_coherent.dxil", with_root(), ROOT).unwrap();
    assert!(count(&lines, "0 Coherent") > 0, "{lines:#?}");
}

#[test]
fn older_targets_declare_the_extension() {
    let options = with_root().with_target("vulkan1.1".parse().unwrap());
    let lines = converted("buffers/structured.dxil", options, ROOT).unwrap();
    assert_eq!(count(&lines, "SPV_KHR_physical_storage_buffer"), 1);
}

#[test]
fn the_size_of_a_root_descriptors_buffer_is_zero() {
    let lines = converted("buffers/byte_address.dxil", with_root(), ROOT).unwrap();
    assert_eq!(count(&lines, "OpArrayLength"), 0, "{lines:#?}");
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
fn counters_and_structures_may_be_at_addresses_in_a_heap() {
    let lines = converted("buffers/counters.dxil", Options::default(), TABLES).unwrap();
    assert_eq!(count(&lines, "PhysicalStorageBuffer64"), 1);
    assert_eq!(count(&lines, "Binding 2"), 1, "one buffer of addresses");
    // Views without a counter have the address 0, where nothing may be accessed.
    assert_eq!(count(&lines, "OpAtomicI"), 1, "{lines:#?}");
    assert_eq!(count(&lines, "OpAny"), 1, "{lines:#?}");
    assert!(count(&lines, "OpFunctionCall") > 1);
    let lines = converted("ray_query/closest_hit.dxil", Options::default(), TABLES).unwrap();
    assert!(count(&lines, "OpConvertUToAccelerationStructureKHR") > 0);
    let layout = AddressLayout {
        stride: 6,
        offset: 5,
    };
    let options = Options::default().with_address_layout(layout);
    let lines = converted("buffers/counters.dxil", options, TABLES).unwrap();
    let plain = converted("buffers/counters.dxil", Options::default(), TABLES).unwrap();
    assert!(
        count(&lines, "OpIMul") > count(&plain, "OpIMul"),
        "the stride: {lines:#?}"
    );
}

#[test]
fn buffers_may_begin_within_their_descriptors() {
    for name in [
        "buffers/structured.dxil",
        "buffers/byte_address.dxil",
        "buffers/typed.dxil",
        "buffers/structured_16bit.dxil",
        "atomics/buffer.dxil",
        "atomics/typed_64.dxil",
        "resources/handle_phi_heap_buffers.dxil",
    ] {
        let lines = converted(name, Options::default(), TABLES).unwrap();
        assert_eq!(count(&lines, "Binding 3"), 1, "{name}: {lines:#?}");
        assert!(count(&lines, "OpULessThan") > 0, "{name}");
        assert_eq!(count(&lines, "OpArrayLength"), 0, "{name}");
    }
    let layout = OffsetLayout {
        stride: 2,
        untyped: 1,
        typed: 0,
    };
    let options = Options::default().with_offset_layout(layout);
    let lines = converted("buffers/structured.dxil", options, TABLES).unwrap();
    let plain = converted("buffers/structured.dxil", Options::default(), TABLES).unwrap();
    assert!(count(&lines, "OpIMul") > count(&plain, "OpIMul"));
}

#[test]
fn every_shader_has_a_layout_with_tables_and_root_descriptors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders");
    let manifest = std::fs::read_to_string(folder.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let shaders = manifest["shaders"].as_array().unwrap();
    let (mut converts, mut refused) = (0, Vec::new());
    for entry in shaders {
        let name = entry["path"].as_str().unwrap();
        for (model, options) in [(ROOT, with_root()), (TABLES, Options::default())] {
            // The push constants of a node are its own.
            let options = match name.starts_with("work_graphs/") {
                true => options.with_root_uniform_block(Some(HeapBinding { set: 9, binding: 0 })),
                false => options,
            };
            match converted(name, options, model) {
                Ok(_) => converts += 1,
                Err(error) => refused.push(format!("{name}: {error}")),
            }
        }
    }
    assert!(converts > 1000, "{converts} of {}", shaders.len());
    assert_eq!(refused, Vec::<String>::new());
}

/// Everything is in the shader record, as a local root signature has it.
fn local(query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
    if query.class == ResourceClass::CBuffer && query.range_size != 1 {
        return Ok(descriptor(query));
    }
    let binding = Binding::new(match query.class {
        ResourceClass::CBuffer => Place::ShaderRecord {
            offset: 64 + 64 * query.register,
            words: Some(2),
        },
        ResourceClass::Uav if is_buffer(query.kind) => Place::RecordAddress {
            offset: 8 * query.register,
        },
        class => Place::RecordTable {
            set: 3,
            binding: u32::from(class == ResourceClass::Sampler),
            kind: None,
            offset: query.register,
            record_offset: 40 + 8 * u32::from(class == ResourceClass::Sampler),
            size_log2: 5,
        },
    });
    Ok(if query.has_counter {
        binding.with_counter(Place::RecordAddress { offset: 32 })
    } else {
        binding
    })
}

const LOCAL: Model = Model {
    bind: local,
    heap: no_heap,
};

#[test]
fn a_local_root_signature_is_in_the_shader_record() {
    for name in ["raytracing/resources.dxil", "raytracing/shader_record.dxil"] {
        let lines = converted(name, Options::default(), LOCAL).unwrap();
        assert!(count(&lines, "ShaderRecordBufferKHR") > 0, "{name}");
    }
    // Invocations that run a hit shader together may have different tables.
    let indices = |model| {
        let lines = converted("raytracing/resources.dxil", Options::default(), model).unwrap();
        let decorated = lines.iter().filter(|line| line.ends_with(" NonUniform"));
        decorated.count()
    };
    assert!(indices(LOCAL) > indices(TABLES), "{}", indices(TABLES));
}

#[test]
fn the_local_root_arguments_of_a_node_are_at_an_address() {
    for name in ["work_graphs/recursion.dxil", "work_graphs/coalescing.dxil"] {
        let lines = converted(name, Options::default(), LOCAL).unwrap();
        assert_eq!(count(&lines, "ShaderRecordBufferKHR"), 0, "{name}");
        let base = lines.iter().any(|line| line.ends_with("0 \"Out.base\""));
        assert!(base, "{name}: {lines:#?}");
    }
    let error = converted("work_graphs/recursion.dxil", with_root(), ROOT).unwrap_err();
    assert!(error.to_string().contains("root_uniform_block"), "{error}");
}

#[test]
fn places_that_cannot_be_are_errors() {
    let message = |name: &str, bind: Answer| {
        let heap = no_heap;
        converted(name, with_root(), Model { bind, heap })
            .unwrap_err()
            .to_string()
    };
    let address = |_: &ResourceQuery<'_>| {
        Ok(Binding::new(Place::DeviceAddress {
            root_descriptor: 99,
        }))
    };
    let text = message("buffers/structured.dxil", address);
    assert!(
        text.contains("root descriptor 99 is not one of 40"),
        "{text}"
    );
    let address =
        |_: &ResourceQuery<'_>| Ok(Binding::new(Place::DeviceAddress { root_descriptor: 0 }));
    let text = message("textures/sample_2d.dxil", address);
    assert!(text.contains("device address"), "{text}");
    let text = message("resources/unbounded_array.dxil", address);
    assert!(text.contains("device address"), "{text}");
    for options in [
        Options::default().with_root_descriptors(u32::MAX),
        with_root().with_root_constants(Some(u32::MAX)),
    ] {
        let text = converted("buffers/structured.dxil", options, ROOT).unwrap_err();
        assert!(text.to_string().contains("beyond 16384 bytes"), "{text}");
    }
    let record = |_: &ResourceQuery<'_>| Ok(Binding::new(Place::RecordAddress { offset: 0 }));
    let text = message("buffers/structured.dxil", record);
    assert!(text.contains("only ray tracing shaders"), "{text}");
    let odd = |_: &ResourceQuery<'_>| Ok(Binding::new(Place::RecordAddress { offset: 4 }));
    let text = message("raytracing/resources.dxil", odd);
    assert!(text.contains("multiple of 8 bytes"), "{text}");
}
