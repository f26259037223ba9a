//! The library's results are the same as the Rust API's.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use crate::common::{self, Converter, Options, Shader, call, make, text};
use c_testkit::{shader, shaders};
use trellis::abi::*;
use trellis::api::*;
use trellis_dxil::bindings::{self, DefaultBindings, RootSignatureBindings};
use trellis_dxil::stage_io::{self, StageIoError, StageIoModel, StreamOutput, StreamOutputQuery};
use trellis_dxil::{MeshOutputs, Target};

const NULL: *mut c_void = ptr::null_mut();

fn words(shader: &Shader, options: &Options) -> Vec<u32> {
    let module = shader.convert(Some(options), None).unwrap();
    module.words().to_vec()
}

/// Converts a shader in Rust.
fn rust(bytes: &[u8], options: &trellis_dxil::Options) -> Vec<u32> {
    trellis_dxil::convert(bytes, options).unwrap().words
}

#[test]
fn the_corpus_is_the_same() {
    let options = trellis_dxil::Options::default();
    let converter = Converter::new(None);
    let mut modules = 0;
    for (name, bytes) in shaders() {
        let shader = Shader::load(&bytes).unwrap();
        let expected = trellis_dxil::convert_all(&bytes, &options).unwrap();
        let entries = trellis_dxil::entry_points(&bytes).unwrap();
        let count = unsafe { trellis_shader_entry_count(shader.0) };
        assert_eq!(count, entries.len(), "{name}");
        for (index, (entry, expected)) in entries.iter().zip(expected).enumerate() {
            let (found, facts) = shader.entry(index).unwrap();
            assert_eq!((&found, facts.stage), (&entry.name, entry.stage as Stage));
            match (converter.convert(&shader, Some(&entry.name)), expected) {
                (Ok(module), Ok(expected)) => {
                    modules += 1;
                    assert!(module.words() == expected.words, "{name}");
                    let (found, info) = module.info();
                    assert_eq!((found, info.stage), (expected.entry, entry.stage as Stage));
                    let location = expected.patch_location.unwrap_or(TRELLIS_UNKNOWN);
                    assert_eq!(info.patch_location, location);
                }
                (Err(failed), Err(expected)) => assert_eq!(failed.text, expected.to_string()),
                (found, expected) => panic!("{name}: {found:?} {expected:?}"),
            }
        }
        let expected =
            trellis_dxil::reflect_input(&trellis_dxil::frontend::read(&bytes).unwrap(), &options);
        let json: serde_json::Value = serde_json::from_str(&shader.reflect(None).unwrap()).unwrap();
        assert_eq!(json["stage"], expected.unwrap().stage);
    }
    assert!(modules > 100, "{modules} modules");
}

#[test]
fn a_reflection_is_that_of_the_command() {
    let bytes = shader("buffers/counters.dxil");
    let expected = trellis_dxil::reflect(&bytes, &trellis_dxil::Options::default()).unwrap();
    let json = Shader::load(&bytes).unwrap().reflect(None).unwrap();
    assert_eq!(json, serde_json::to_string(&expected).unwrap());
}

#[test]
fn options_have_an_effect() {
    let bytes = shader("buffers/counters.dxil");
    let options = Options::new();
    options.set("target", "vulkan1.1").unwrap();
    options.set("debug.names", "false").unwrap();
    options
        .set("interface.entry_point_name", "\"shader\"")
        .unwrap();
    options.set("bindings.shifts", r#"{"uav": 7}"#).unwrap();
    let expected = trellis_dxil::Options::default()
        .with_target(Target::Vulkan1_1)
        .with_names(false)
        .with_entry_point_name(Some("shader".to_owned()))
        .with_bindings(Arc::new(DefaultBindings {
            uav: 7,
            ..DefaultBindings::default()
        }));
    let expected = rust(&bytes, &expected);
    let shader = Shader::load(&bytes).unwrap();
    let converter = Converter::new(Some(&options));
    let converted = || converter.convert(&shader, None).unwrap().words().to_vec();
    assert!(words(&shader, &options) == expected);
    assert!(converted() == expected);

    let json = r#"{ "target": "vulkan1.1" }"#;
    let (data, length) = common::parts(Some(json));
    call(|error| unsafe { trellis_options_load(options.0, data, length, error) }).unwrap();
    let other = trellis_dxil::Options::default().with_target(Target::Vulkan1_1);
    assert!(converted() == expected, "a copy");
    call(|error| unsafe { trellis_converter_set_options(converter.0, options.0, error) }).unwrap();
    assert!(converted() == rust(&bytes, &other));
    let list = common::Text(make(|to, error| unsafe { trellis_options_list(to, error) }).unwrap());
    let expected = trellis_dxil::options::list().unwrap();
    assert_eq!(list.get(), serde_json::to_string(&expected).unwrap());
}

/// Answers as `DefaultBindings` does, and counts the questions.
unsafe extern "C" fn bind(
    userdata: *mut c_void,
    query: *const ResourceQuery,
    binding: *mut Binding,
) -> Answer {
    let (query, binding) = unsafe { (&*query, &mut *binding) };
    assert_eq!(query.size, size_of::<ResourceQuery>());
    text(query.name, query.name_length);
    unsafe { *userdata.cast::<u32>() += 1 };
    let shift = [1000, 2000, 0, 3000][query.resource_class as usize];
    let place = |shift| Place {
        kind: TRELLIS_PLACE_DESCRIPTOR,
        set: query.register_space,
        binding: query.register_index + shift,
        ..Place::default()
    };
    binding.place = place(shift);
    if query.has_counter == 1 {
        binding.counter = place(4000);
    }
    TRELLIS_ANSWERED
}

unsafe extern "C" fn heap(
    userdata: *mut c_void,
    query: *const HeapQuery,
    place: *mut HeapPlace,
) -> Answer {
    let (query, place) = unsafe { (&*query, &mut *place) };
    assert_eq!(query.size, size_of::<HeapQuery>());
    unsafe { *userdata.cast::<u32>() += 1 };
    place.binding = match query.resource_class {
        _ if query.counter == 1 => 7000,
        TRELLIS_CLASS_SAMPLER => 6000,
        _ => 5000,
    };
    TRELLIS_ANSWERED
}

#[test]
fn callbacks_say_where_resources_are() {
    let mut asked = 0u32;
    let options = Options::new();
    let userdata = (&raw mut asked).cast();
    options.bindings(Some(bind), Some(heap), userdata).unwrap();
    let plain = trellis_dxil::Options::default();
    for name in [
        "buffers/counters.dxil",
        "buffers/structured.dxil",
        "cbuffers/dynamic_index.dxil",
        "resources/descriptor_heap.dxil",
        "textures/sample_kinds.dxil",
    ] {
        let bytes = shader(name);
        asked = 0;
        let converted = words(&Shader::load(&bytes).unwrap(), &options);
        assert!(converted == rust(&bytes, &plain), "{name}");
        assert!(asked > 0, "{name}");
    }
    // The last setting counts.
    asked = 0;
    options.set("bindings.shifts.uav", "2000").unwrap();
    let shader = Shader::of_corpus("buffers/counters.dxil");
    shader.convert(Some(&options), None).unwrap();
    assert_eq!(asked, 0);
    options.bindings(Some(bind), None, userdata).unwrap();
    let json = shader.reflect(Some(&options)).unwrap();
    assert!(asked > 0 && json.contains("\"binding\":2000"), "{json}");
}

#[test]
fn a_root_signature_is_a_binding_model() {
    let bytes = shader("root_signature/version_1_0.dxil");
    let shader = Shader::load(&bytes).unwrap();
    let model = RootSignatureBindings::read(&bytes).unwrap();
    let options = Options::new();
    let set = |flags| {
        let data = bytes.as_ptr().cast();
        call(|error| unsafe {
            trellis_options_set_root_signature(options.0, data, bytes.len(), flags, error)
        })
    };
    set(0).unwrap();
    let plain = trellis_dxil::Options::default().with_bindings(Arc::new(model.clone()));
    assert!(words(&shader, &options) == rust(&bytes, &plain));
    let json = shader.reflect(Some(&options)).unwrap();
    assert!(json.contains("\"layout\""), "{json}");

    set(TRELLIS_ROOT_ADDRESSES).unwrap();
    let model = model.with_addresses();
    let is_address = |place| matches!(place, bindings::Place::DeviceAddress { .. });
    let addresses = (model.slots().iter()).filter(|slot| is_address(slot.place));
    let count = u32::try_from(addresses.count()).unwrap();
    let plain = trellis_dxil::Options::default()
        .with_root_descriptors(count)
        .with_bindings(Arc::new(model));
    let expected = trellis_dxil::convert(&bytes, &plain);
    match (shader.convert(Some(&options), None), expected) {
        (Ok(module), Ok(expected)) => assert!(module.words() == expected.words),
        (Err(failed), Err(expected)) => assert_eq!(failed.text, expected.to_string()),
        other => panic!("{other:?}"),
    }
    assert_eq!(set(2).unwrap_err().status, TRELLIS_INVALID_ARGUMENT);
}

unsafe extern "C" fn element(
    userdata: *mut c_void,
    query: *const ElementQuery,
    place: *mut ElementPlace,
) -> Answer {
    let (query, place) = unsafe { (&*query, &mut *place) };
    assert_eq!(query.size, size_of::<ElementQuery>());
    assert!(!text(query.semantic, query.semantic_length).is_empty());
    unsafe { *userdata.cast::<u32>() += 1 };
    place.location += 3;
    TRELLIS_ANSWERED
}

unsafe extern "C" fn capture(
    _: *mut c_void,
    query: *const ElementQuery,
    captures: *mut Capture,
    capacity: usize,
    count: *mut usize,
) -> Answer {
    let query = unsafe { &*query };
    let semantic = text(query.semantic, query.semantic_length);
    assert!(capacity > 0);
    let is_position = semantic.eq_ignore_ascii_case("SV_Position");
    if is_position {
        let capture = Capture {
            stride: 16,
            ..Capture::default()
        };
        unsafe { captures.write(capture) };
    }
    unsafe { count.write(is_position.into()) };
    TRELLIS_ANSWERED
}

struct Moved;

impl StageIoModel for Moved {
    fn output(
        &self,
        query: &stage_io::ElementQuery<'_>,
    ) -> Result<stage_io::ElementPlace, StageIoError> {
        let mut place = query.default;
        place.location += 3;
        Ok(place)
    }

    fn stream_output(
        &self,
        query: &StreamOutputQuery<'_>,
    ) -> Result<Vec<StreamOutput>, StageIoError> {
        let is_position = query.semantic.eq_ignore_ascii_case("SV_Position");
        Ok(Vec::from_iter(
            is_position.then(|| StreamOutput::new(0, 16, 0)),
        ))
    }
}

#[test]
fn callbacks_say_where_inputs_and_outputs_are() {
    let bytes = shader("vertex_io/packed.dxil");
    let plain = trellis_dxil::Options::default();
    let unmoved = rust(&bytes, &plain);
    let expected = rust(&bytes, &plain.with_stage_io(Arc::new(Moved)));
    assert!(unmoved != expected);
    let mut asked = 0u32;
    let options = Options::new();
    let functions = StageIo {
        output: Some(element),
        capture: Some(capture),
        ..StageIo::default()
    };
    options
        .stage_io(&functions, (&raw mut asked).cast())
        .unwrap();
    let shader = Shader::load(&bytes).unwrap();
    assert!(words(&shader, &options) == expected);
    assert!(asked > 0);
    options.stage_io(&StageIo::default(), NULL).unwrap();
    assert!(words(&shader, &options) == unmoved);
    let copy =
        Options(make(|to, error| unsafe { trellis_options_copy(options.0, to, error) }).unwrap());
    assert!(words(&shader, &copy) == unmoved);
}

#[test]
fn a_pixel_shader_follows_a_mesh_shader() {
    let mesh = shader("../../spirv-backend/tests/data/primitive_attributes.dxil");
    let outputs = Arc::new(MeshOutputs::read(&mesh, None).unwrap());
    let mesh = Shader::load(&mesh).unwrap();
    let options = Options::new();
    let set = |mesh| {
        call(|error| unsafe { trellis_options_set_mesh(options.0, mesh, ptr::null(), 0, error) })
    };
    set(mesh.0).unwrap();
    let mut checked = 0;
    for (name, bytes) in shaders() {
        let plain = trellis_dxil::Options::default().with_mesh(Arc::clone(&outputs));
        let shader = Shader::load(&bytes).unwrap();
        if shader.entry(0).map(|(_, entry)| entry.stage) != Ok(TRELLIS_STAGE_PIXEL) {
            continue;
        }
        if let Ok(expected) = trellis_dxil::convert(&bytes, &plain) {
            let module = shader.convert(Some(&options), None).unwrap();
            assert!(module.words() == expected.words, "{name}");
            checked += 1;
        }
    }
    assert!(checked > 5);
    set(ptr::null_mut()).unwrap();
    let pixel = Shader::of_corpus("control_flow/discard_in_loop.dxil");
    assert_eq!(set(pixel.0).unwrap_err().status, TRELLIS_INVALID_SHADER);
}

#[test]
fn modules_are_printed() {
    let shader = Shader::of_corpus("buffers/counters.dxil");
    let module = shader.convert(None, None).unwrap();
    drop(shader);
    let print = |to, error| unsafe { trellis_module_disassemble(module.0, to, error) };
    let text = common::Text(make(print).unwrap()).get();
    assert!(text.contains("OpEntryPoint GLCompute"));
}

#[test]
fn facts_of_groups() {
    let (name, entry) = Shader::of_corpus("buffers/counters.dxil").entry(0).unwrap();
    assert_eq!(
        (name.as_str(), entry.stage),
        ("main", TRELLIS_STAGE_COMPUTE)
    );
    assert!(entry.workgroup_size.iter().all(|&size| size > 0));
}

#[test]
fn libraries_link() {
    let files: [&[u8]; 2] = [
        include_bytes!("../../../../dxil-interpreter/tests/shaders/linking/entry.dxil"),
        include_bytes!("../../../../dxil-interpreter/tests/shaders/linking/functions.dxil"),
    ];
    let [entry, functions] = files.map(|bytes| Shader::load(bytes).unwrap());
    let linked = Shader::link(&[&entry, &functions]).unwrap();
    let expected = trellis_dxil::convert_linked(&files, &trellis_dxil::Options::default()).unwrap();
    let module = linked.convert(None, Some("main")).unwrap();
    assert!(module.words() == expected.words);
    let failed = Shader::link(&[&entry, &entry]).unwrap_err();
    assert_eq!(
        failed.text,
        "cannot read the input: two libraries define `?first@@YAMXZ`"
    );
    let none = ptr::null_mut();
    let (null, mut to) = (ptr::null(), ptr::null_mut());
    let status = unsafe { trellis_shader_link(null, 1, &raw mut to, none) };
    assert_ne!(status, TRELLIS_OK);
}
