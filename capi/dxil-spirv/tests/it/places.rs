//! Answers of remappers, compared with the same places in Rust: all shaders of the corpus give the
//! same words.

use std::ffi::CString;
use std::sync::Arc;

use crate::common::{self, Answer, Blob, Converter, Remap, class_of, defaults, listen};
use c_testkit::{shader, shaders};
use dxil_spirv_c_shared::abi::*;
use dxil_spirv_c_shared::api::*;
use trellis_spirv_backend::bindings::{
    AddressLayout, Binding, BindingError, BindingModel, DescriptorKind, HeapBinding, HeapLimit,
    HeapPlace, HeapQuery, OffsetLayout, Place, ResourceQuery,
};
use trellis_spirv_backend::options::DescriptorChecks;
use trellis_spirv_backend::{Options, convert_entry};

/// A question, in both forms.
#[derive(Clone, Copy)]
struct Question {
    class: Class,
    kind: Kind,
    number: u32,
    space: u32,
    register: u32,
    alignment: u32,
}

impl Question {
    fn is_heap(self) -> bool {
        self.register == u32::MAX
    }

    fn is_untyped(self) -> bool {
        [kind::RAW_BUFFER, kind::STRUCTURED_BUFFER].contains(&self.kind)
    }

    fn is_typed(self) -> bool {
        self.kind == kind::TYPED_BUFFER
    }

    fn is_rtas(self) -> bool {
        self.kind == kind::RT_ACCELERATION_STRUCTURE
    }
}

/// A layout, as a client and in Rust.
struct Layout {
    name: &'static str,
    answer: fn(Question) -> Answer,
    configure: fn(&Converter),
    place: fn(Question) -> Binding,
    heap: fn(Question, bool) -> HeapPlace,
    options: fn(Options) -> Options,
}

/// The layout in Rust.
struct Model(&'static Layout);

impl BindingModel for Model {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        if query.register == u32::MAX {
            return Err(BindingError::model("it has no register"));
        }
        let question = Question {
            class: class_of(query.class),
            kind: query.kind as u32,
            number: query.resource_index,
            space: query.space,
            register: query.register,
            alignment: query.alignment,
        };
        let mut binding = (self.0.place)(question);
        if !query.has_counter {
            binding.counter = None;
        }
        Ok(binding)
    }

    fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError> {
        let question = Question {
            class: class_of(query.class),
            kind: query.kind as u32,
            number: 0,
            space: u32::MAX,
            register: u32::MAX,
            alignment: query.alignment,
        };
        Ok((self.0.heap)(question, query.counter))
    }
}

fn plain(set: u32, binding: u32) -> VulkanBinding {
    VulkanBinding {
        set,
        binding,
        ..VulkanBinding::default()
    }
}

fn in_heap(set: u32, binding: u32, offset: u32, constant: u32) -> VulkanBinding {
    VulkanBinding {
        bindless: Bindless {
            heap_root_offset: offset,
            use_heap: TRUE,
        },
        root_constant_index: constant,
        ..plain(set, binding)
    }
}

fn typed(at: VulkanBinding, descriptor_type: DescriptorType) -> VulkanBinding {
    VulkanBinding {
        descriptor_type,
        ..at
    }
}

/// Returns an answer with storage buffers, unless it has another kind.
fn storage(q: Question, mut answer: Answer) -> Answer {
    let identity = |at: VulkanBinding| at.descriptor_type == descriptor_type::IDENTITY;
    if q.is_untyped() && identity(answer.at) {
        answer.at.descriptor_type = descriptor_type::SSBO;
    }
    if identity(answer.counter) {
        answer.counter.descriptor_type = descriptor_type::SSBO;
    }
    answer
}

/// Root descriptors by address where that is possible, and constant buffers as root constants.
const ROOTS: Layout = Layout {
    name: "root descriptors",
    answer: |q| {
        if q.is_heap() {
            let at = in_heap(0, 0, 0, 0);
            let counter = at;
            let plain = Answer::default();
            return storage(
                q,
                Answer {
                    at,
                    counter,
                    ..plain
                },
            );
        }
        let at = plain(q.class, q.number);
        let address = VulkanBinding {
            root_constant_index: q.class * 8 + q.number,
            ..typed(at, descriptor_type::BUFFER_DEVICE_ADDRESS)
        };
        let answer = Answer {
            at: if q.is_untyped() || q.is_rtas() || q.class == class::CBV && q.number % 2 == 1 {
                address
            } else {
                at
            },
            counter: plain(7, q.number),
            words: (q.class == class::CBV && q.number == 0).then_some(4),
            ..Answer::default()
        };
        storage(q, answer)
    },
    configure: |converter| unsafe {
        dxil_spv_converter_set_root_descriptor_count(converter.0, 40);
        dxil_spv_converter_set_root_constant_word_count(converter.0, 20);
        converter.set(
            option::ROOT_CONSTANT_INLINE_UNIFORM_BLOCK,
            |o: &mut OptionRootConstantInlineUniformBlock| {
                o.desc_set = 9;
                o.binding = 3;
                o.enable = TRUE;
            },
        );
    },
    place: |q| {
        let address = Place::DeviceAddress {
            root_descriptor: q.class * 8 + q.number,
        };
        let place = if q.class == class::CBV && q.number == 0 {
            Place::RootConstants { offset: 4 }
        } else if q.is_untyped() || q.is_rtas() || q.class == class::CBV && q.number % 2 == 1 {
            address
        } else {
            Place::descriptor(q.class, q.number)
        };
        Binding::new(place).with_counter(Place::descriptor(7, q.number))
    },
    heap: |_, _| HeapPlace::new(0, 0),
    options: |options| {
        options
            .with_root_descriptors(40)
            .with_root_constants(Some(20))
            .with_root_uniform_block(Some(HeapBinding { set: 9, binding: 3 }))
    },
};

/// Tables as heaps, with offset buffers, and counters and acceleration structures by address.
const HEAPS: Layout = Layout {
    name: "heaps",
    answer: |q| {
        let mut at = if q.is_heap() {
            in_heap(q.class, 1, 0, u32::MAX)
        } else {
            in_heap(q.class, 0, 10 + q.register, q.class)
        };
        if q.is_untyped() || q.is_rtas() {
            at.descriptor_type = descriptor_type::SSBO;
        }
        Answer {
            at,
            counter: VulkanBinding {
                set: 7,
                descriptor_type: descriptor_type::IDENTITY,
                ..at
            },
            offsets: plain(15, 2),
            ..Answer::default()
        }
    },
    configure: |converter| {
        unsafe { dxil_spv_converter_set_root_constant_word_count(converter.0, 8) };
        converter.set(
            option::PHYSICAL_STORAGE_BUFFER,
            |o: &mut OptionPhysicalStorageBuffer| o.enable = TRUE,
        );
        converter.set(option::SSBO_ALIGNMENT, |o: &mut OptionSsboAlignment| {
            o.alignment = 64;
        });
        converter.set(
            option::BINDLESS_TYPED_BUFFER_OFFSETS,
            |o: &mut OptionBindlessTypedBufferOffsets| o.enable = TRUE,
        );
        converter.set(
            option::BINDLESS_OFFSET_BUFFER_LAYOUT,
            |o: &mut OptionBindlessOffsetBufferLayout| {
                o.untyped_offset = 1;
                o.stride = 2;
            },
        );
        converter.set(
            option::PHYSICAL_ADDRESS_DESCRIPTOR_INDEXING,
            |o: &mut OptionPhysicalAddressDescriptorIndexing| {
                o.element_stride = 4;
                o.element_offset = 3;
            },
        );
        converter.set(
            option::BINDLESS_CBV_SSBO_EMULATION,
            |o: &mut OptionBindlessCbvSsboEmulation| o.enable = TRUE,
        );
    },
    place: |q| {
        let heap = |set, kind| Place::Heap {
            set,
            binding: 0,
            kind,
            offset: 10 + q.register,
            root_constant: Some(q.class),
        };
        let binding = Binding::new(heap(q.class, kind_in_heap(q)))
            .with_counter(heap(7, Some(DescriptorKind::DeviceAddress)));
        if has_offset(q) {
            binding.with_offsets(OFFSETS)
        } else {
            binding
        }
    },
    heap: |q, counter| {
        if counter {
            return HeapPlace::new(7, 1).with_kind(DescriptorKind::DeviceAddress);
        }
        let mut place = HeapPlace::new(q.class, 1);
        place.kind = kind_in_heap(q);
        place.offsets = has_offset(q).then_some(OFFSETS);
        place
    },
    options: |options| {
        let (untyped, typed, stride) = (1, 0, 2);
        options
            .with_root_constants(Some(8))
            .with_offset_layout(OffsetLayout {
                stride,
                untyped,
                typed,
            })
            .with_address_layout(AddressLayout {
                stride: 4,
                offset: 3,
            })
    },
};

const OFFSETS: HeapBinding = HeapBinding {
    set: 15,
    binding: 2,
};

fn kind_in_heap(q: Question) -> Option<DescriptorKind> {
    match q.class {
        class::CBV => Some(DescriptorKind::StorageBuffer),
        _ => q.is_rtas().then_some(DescriptorKind::DeviceAddress),
    }
}

fn has_offset(q: Question) -> bool {
    q.is_typed() || q.is_untyped() && q.alignment & 63 != 0
}

/// A local root signature: constants, a descriptor, and tables.
const RECORD: Layout = Layout {
    name: "shader record",
    answer: |q| {
        let answer = Answer {
            at: if q.is_heap() {
                in_heap(q.class, 1, 0, 0)
            } else {
                in_heap(q.class, 0, 99, 0)
            },
            counter: in_heap(7, 0, 99, 0),
            ..Answer::default()
        };
        storage(q, answer)
    },
    configure: |converter| unsafe {
        converter.set(
            option::SBT_DESCRIPTOR_SIZE_LOG2,
            |o: &mut OptionSbtDescriptorSizeLog2| {
                o.size_log2_srv_uav_cbv = 6;
                o.size_log2_sampler = 5;
            },
        );
        dxil_spv_converter_add_local_root_constants(converter.0, 0, 0, 5);
        dxil_spv_converter_add_local_root_descriptor(converter.0, class::UAV, 0, 0);
        let table = dxil_spv_converter_add_local_root_descriptor_table;
        assert_eq!(
            dxil_spv_converter_begin_local_root_descriptor_table(converter.0),
            0
        );
        table(converter.0, class::SRV, 0, 0, u32::MAX, 3);
        table(converter.0, class::CBV, 0, 1, 20, 4);
        assert_eq!(
            dxil_spv_converter_end_local_root_descriptor_table(converter.0),
            0
        );
        table(converter.0, class::SAMPLER, 0, 0, 16, 2);
    },
    place: |q| {
        let table = |offset, record_offset, size_log2| Place::RecordTable {
            set: q.class,
            binding: 0,
            kind: None,
            offset,
            record_offset,
            size_log2,
        };
        let heap = |set| Place::Heap {
            set,
            binding: 0,
            kind: None,
            offset: 99,
            root_constant: Some(0),
        };
        let place = match (q.class, q.space, q.register) {
            (class::CBV, 0, 0) => Place::ShaderRecord {
                offset: 0,
                words: Some(5),
            },
            (class::UAV, 0, 0) => Place::RecordAddress { offset: 24 },
            (class::SRV, 0, register) => table(3 + register, 32, 6),
            (class::CBV, 0, register) if register <= 20 => table(4 + register - 1, 32, 6),
            (class::SAMPLER, 0, register) if register < 16 => table(2 + register, 40, 5),
            _ => heap(q.class),
        };
        match place {
            Place::RecordAddress { .. } => Binding::new(place),
            _ => Binding::new(place).with_counter(heap(7)),
        }
    },
    heap: |q, counter| {
        HeapPlace::new(
            if counter { 7 } else { q.class },
            if counter { 0 } else { 1 },
        )
    },
    options: |options| options,
};

fn compare(layout: &'static Layout) -> (usize, usize) {
    let (mut converted, mut refused) = (0, 0);
    for (name, bytes) in shaders() {
        let input = trellis_dxil_frontend::read(&bytes).unwrap();
        let converter = Blob::parse(&bytes).unwrap().converter();
        let mut remap = Remap::new(|class, d3d, _| {
            let question = Question {
                class,
                kind: d3d.kind,
                number: d3d.resource_index,
                space: d3d.register_space,
                register: d3d.register_index,
                alignment: d3d.alignment,
            };
            (TRUE, (layout.answer)(question))
        });
        converter.remap(&mut remap);
        (layout.configure)(&converter);
        let options = (layout.options)(defaults().with_bindings(Arc::new(Model(layout))));
        for entry in input.shader.shaders() {
            let mangled = CString::new(&*entry.name).unwrap();
            converter.entry(&mangled);
            match (convert_entry(&input, entry, &options), converter.run()) {
                (Ok(rust), Ok(c)) => {
                    assert!(rust.words == c, "{}: {name}: {}", layout.name, entry.name);
                    converted += 1;
                }
                // Nodes of work graphs have separate push constants, and the layouts' remappers
                // have no place for a resource without a register. Matrices of AGS have no translation.
                (Err(error), Err(_)) => {
                    let known = ["`root_uniform_block`", "it has no register", "WaveMatrix"];
                    let error = error.to_string();
                    refused += usize::from(!known.iter().any(|known| error.contains(known)));
                }
                (rust, c) => {
                    let lines = common::lines();
                    panic!(
                        "{}: {name}: {:?}, {:?}, {lines:?}",
                        layout.name,
                        rust.err(),
                        c.err()
                    );
                }
            }
        }
    }
    (converted, refused)
}

/// A buffer of DXBC whose residency status is used is asked about as a typed one, as only texel buffers
/// have it.
#[test]
fn buffers_of_dxbc_with_a_status_are_typed() {
    let shaders = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../dxbc-frontend/tests/shaders"
    );
    let bytes = std::fs::read(format!("{shaders}/sparse.dxbc")).unwrap();
    let blob = Blob::parse(&bytes).unwrap();
    let mut asked = Vec::new();
    let mut remap = Remap::new(|of, d3d, _| {
        if of == class::SRV {
            asked.push((d3d.register_index, d3d.kind, d3d.alignment));
        }
        (TRUE, Answer::at(plain(of, d3d.register_index)))
    });
    let converter = blob.converter();
    converter.remap(&mut remap);
    let words = converter.run().unwrap();
    drop(remap);
    asked.sort_unstable();
    let typed = kind::TYPED_BUFFER;
    let expected = [
        (0, kind::TEXTURE_2D, 0),
        (1, typed, 0),
        (2, typed, 0),
        (3, typed, 0),
    ];
    assert_eq!(asked, expected);
    // Of a texel, a typed texel, and two and four words.
    let text = trellis_spirv_backend::disassemble(&words).unwrap();
    assert_eq!(text.matches("OpImageSparseFetch").count(), 8);
}

#[test]
fn root_descriptors_and_constants() {
    listen();
    let (converted, refused) = compare(&ROOTS);
    assert!(
        converted > 10 * refused && converted > 500,
        "{converted}, {refused}"
    );
}

#[test]
fn heaps_with_offset_buffers_and_addresses() {
    listen();
    let (converted, refused) = compare(&HEAPS);
    assert!(refused == 0 && converted > 600, "{converted}, {refused}");
}

/// Heaps whose indices are kept inside: the size follows from the length of the addresses.
const LIMITED: Layout = Layout {
    name: "limited heaps",
    configure: |converter| {
        (HEAPS.configure)(converter);
        set_robustness(converter);
    },
    options: |options| {
        let at = HeapBinding {
            set: class::SRV,
            binding: 1,
        };
        let limit = HeapLimit::BufferLength { at, pairs: 4 };
        (HEAPS.options)(options).with_heap_limit(Some(limit))
    },
    ..HEAPS
};

/// The same, with the size in a uniform block.
const LIMITED_BY_BLOCK: Layout = Layout {
    name: "limited heaps with a block",
    configure: |converter| unsafe {
        (LIMITED.configure)(converter);
        let code = dxil_spv_converter_set_meta_descriptor(
            converter.0,
            meta_descriptor::RESOURCE_DESCRIPTOR_HEAP_SIZE,
            meta_descriptor_kind::UBO_CONTAINING_CONSTANT,
            3,
            9,
        );
        assert_eq!(code, result::SUCCESS);
    },
    options: |options| {
        let at = HeapBinding { set: 3, binding: 9 };
        (HEAPS.options)(options).with_heap_limit(Some(HeapLimit::UniformBlock(at)))
    },
    ..HEAPS
};

/// Heaps whose descriptors are checked.
const CHECKED: Layout = Layout {
    name: "checked heaps",
    configure: |converter| {
        (HEAPS.configure)(converter);
        converter.set(option::DESCRIPTOR_QA, |o: &mut OptionDescriptorQa| {
            (o.enabled, o.version, o.shader_hash) = (TRUE, 2, 5);
            (o.global_desc_set, o.global_binding) = (9, 1);
            (o.heap_desc_set, o.heap_binding) = (9, 2);
        });
    },
    options: |options| {
        let at = |binding| HeapBinding { set: 9, binding };
        (HEAPS.options)(options).with_descriptor_checks(Some(DescriptorChecks {
            report: at(1),
            heap: at(2),
            shader: 5,
        }))
    },
    ..HEAPS
};

fn set_robustness(converter: &Converter) {
    let enable = |o: &mut OptionDescriptorHeapRobustness| o.enabled = TRUE;
    converter.set(option::DESCRIPTOR_HEAP_ROBUSTNESS, enable);
}

#[test]
fn indices_stay_inside_heaps() {
    listen();
    for layout in [&LIMITED, &LIMITED_BY_BLOCK, &CHECKED] {
        let (converted, refused) = compare(layout);
        assert!(refused == 0 && converted > 600, "{converted}, {refused}");
    }
}

#[test]
fn a_heap_needs_addresses_for_its_size() {
    listen();
    let bytes = shader("resources/descriptor_heap.dxil");
    let converter = Blob::parse(&bytes).unwrap().converter();
    set_robustness(&converter);
    let image = Answer::at(typed(plain(0, 0), descriptor_type::TEXEL_BUFFER));
    let mut remap = Remap::new(|_, _, _| (TRUE, image));
    converter.remap(&mut remap);
    assert!(converter.run().is_err());
    let line = common::last_line(log_level::ERROR).unwrap();
    assert!(line.contains("the size of the heap"), "{line}");
}

#[test]
fn local_root_signatures() {
    listen();
    // Only ray tracing shaders have a record.
    let (converted, refused) = compare(&RECORD);
    assert!(converted > 80 && refused > 0, "{converted}, {refused}");
}
