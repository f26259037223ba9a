//! Remappers of stage inputs and outputs, and options of the shader's interface, compared with the Rust
//! API.

use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

use crate::common::{Blob, Converter, defaults, get, last_line, listen, rust};
use c_testkit::{shader, shaders};
use dxil_spirv_c_shared::abi::*;
use dxil_spirv_c_shared::api::*;
use trellis_dxil_frontend::shader::{SemanticKind, ShaderKind, SignatureElement};
use trellis_spirv_backend::Options;
use trellis_spirv_backend::bindings::HeapBinding;
use trellis_spirv_backend::options::{BranchHint, Component, ValueChecks, ViewInstancing};
use trellis_spirv_backend::stage_io::{
    ElementPlace, ElementQuery, StageIoError, StageIoModel, StreamOutput, StreamOutputQuery,
};

/// Queries of a remapper: semantic, index, first row, rows.
type Asked = Vec<(String, u32, u32, u32)>;

unsafe fn ask(asked: *mut c_void, semantic: *const c_char, index: u32, [row, rows]: [u32; 2]) {
    let (asked, semantic) = unsafe { (&mut *asked.cast::<Asked>(), CStr::from_ptr(semantic)) };
    asked.push((semantic.to_str().unwrap().to_owned(), index, row, rows));
}

unsafe extern "C" fn vertex_input(
    asked: *mut c_void,
    d3d: *const D3dVertexInput,
    vulkan: *mut VulkanVertexInput,
) -> Bool {
    let d3d = unsafe { *d3d };
    unsafe {
        let rows = [d3d.start_row, d3d.rows];
        ask(asked, d3d.semantic, d3d.semantic_index, rows);
        (*vulkan).location = 8 + d3d.start_row;
    }
    TRUE
}

unsafe extern "C" fn stage_io(
    asked: *mut c_void,
    d3d: *const D3dShaderStageIo,
    vulkan: *mut VulkanShaderStageIo,
) -> Bool {
    let d3d = unsafe { *d3d };
    unsafe {
        let rows = [d3d.start_row, d3d.rows];
        ask(asked, d3d.semantic, d3d.semantic_index, rows);
        (*vulkan).location += 16;
    }
    TRUE
}

unsafe extern "C" fn stream_output(
    asked: *mut c_void,
    d3d: *const D3dStreamOutput,
    vulkan: *mut VulkanStreamOutput,
) -> Bool {
    let d3d = unsafe { *d3d };
    unsafe {
        ask(asked, d3d.semantic, d3d.semantic_index, [0; 2]);
        let semantic = CStr::from_ptr(d3d.semantic).to_bytes();
        if semantic.eq_ignore_ascii_case(b"SV_Position") {
            *vulkan = VulkanStreamOutput {
                offset: 4,
                stride: 32,
                buffer_index: 1,
                enable: TRUE,
            };
        }
    }
    TRUE
}

unsafe extern "C" fn refuse(
    _: *mut c_void,
    _: *const D3dShaderStageIo,
    _: *mut VulkanShaderStageIo,
) -> Bool {
    FALSE
}

/// The same answers in Rust.
struct Same;

impl StageIoModel for Same {
    fn vertex_input(&self, query: &ElementQuery<'_>) -> Result<u32, StageIoError> {
        Ok(8 + query.start_row)
    }
    fn output(&self, query: &ElementQuery<'_>) -> Result<ElementPlace, StageIoError> {
        let mut place = query.default;
        if query.system_value == SemanticKind::Arbitrary {
            place.location += 16;
        }
        Ok(place)
    }
    fn stream_output(
        &self,
        query: &StreamOutputQuery<'_>,
    ) -> Result<Vec<StreamOutput>, StageIoError> {
        let position = query.system_value == SemanticKind::Position;
        Ok(Vec::from_iter(
            position.then(|| StreamOutput::new(1, 32, 4)),
        ))
    }
}

fn is_user(element: &&SignatureElement) -> bool {
    element.semantic == SemanticKind::Arbitrary
}

/// A vertex shader without resources, with several inputs and outputs.
fn vertex_shader() -> Vec<u8> {
    let found = shaders().into_iter().find(|(_, bytes)| {
        let input = trellis_dxil_frontend::read(bytes).unwrap();
        let entry = input.shader.shaders().next().unwrap();
        let (inputs, outputs) = (&entry.signatures.input, &entry.signatures.output);
        let users = |list: &[SignatureElement]| list.iter().filter(is_user).count();
        let is_position = |e: &SignatureElement| e.semantic == SemanticKind::Position;
        input.shader.resources.is_empty()
            && entry.kind == ShaderKind::Vertex
            && users(inputs) > 1
            && users(outputs) > 1
            && outputs.iter().any(is_position)
    });
    found.expect("the corpus has such a shader").1
}

#[test]
fn elements_are_where_the_remappers_say() {
    listen();
    let bytes = vertex_shader();
    let blob = Blob::parse(&bytes).unwrap();
    let converter = blob.converter();
    let (mut inputs, mut outputs, mut captures) = (Asked::new(), Asked::new(), Asked::new());
    let data = |list: &mut Asked| std::ptr::from_mut(list).cast::<c_void>();
    unsafe {
        let c = converter.0;
        dxil_spv_converter_set_vertex_input_remapper(c, Some(vertex_input), data(&mut inputs));
        dxil_spv_converter_set_stage_output_remapper(c, Some(stage_io), data(&mut outputs));
        dxil_spv_converter_set_stream_output_remapper(c, Some(stream_output), data(&mut captures));
    }
    let words = converter.run().unwrap();
    let expected = rust(&bytes, &defaults().with_stage_io(Arc::new(Same)));
    assert!(words == expected);
    assert!(words != rust(&bytes, &defaults()));

    let input = trellis_dxil_frontend::read(&bytes).unwrap();
    let signatures = &input.shader.shaders().next().unwrap().signatures;
    assert_eq!(
        inputs.len(),
        signatures.input.iter().filter(is_user).count()
    );
    assert!(inputs.iter().all(|(_, _, _, rows)| *rows > 0));
    // Each user output once, by semantic and index only.
    assert_eq!(
        outputs.len(),
        signatures.output.iter().filter(is_user).count()
    );
    let mut rows = outputs.iter().map(|(_, _, row, rows)| (*row, *rows));
    assert!(rows.all(|rows| rows == (0, 0)));
    let mut distinct = outputs.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), outputs.len());
    assert_eq!(captures.len(), signatures.output.len());

    unsafe {
        dxil_spv_converter_set_stage_output_remapper(converter.0, Some(refuse), data(&mut outputs));
    }
    assert_eq!(converter.run(), Err(result::ERROR_GENERIC));
    assert!(last_line(log_level::ERROR).unwrap().contains("no place"));
}

/// Checks that the settings that `set` makes have the effect of options in Rust, on a shader that
/// they change.
fn check(name: &str, set: impl FnOnce(&Converter), expected: &Options) {
    let bytes = shader(name);
    let converter = Blob::parse(&bytes).unwrap().converter();
    set(&converter);
    let words = converter.run().unwrap();
    assert!(words == rust(&bytes, expected), "{name}");
    assert!(words != rust(&bytes, &defaults()), "{name}");
}

/// Checks that the settings that `set` makes have no effect on a shader.
fn check_same(name: &str, set: impl FnOnce(&Converter)) {
    let bytes = shader(name);
    let converter = Blob::parse(&bytes).unwrap().converter();
    set(&converter);
    assert!(
        converter.run().unwrap() == rust(&bytes, &defaults()),
        "{name}"
    );
}

fn set_meta(converter: &Converter, meta: MetaDescriptor, kind: MetaDescriptorKind, binding: u32) {
    let set = dxil_spv_converter_set_meta_descriptor;
    let code = unsafe { set(converter.0, meta, kind, 3, binding) };
    assert_eq!(code, result::SUCCESS);
}

#[test]
fn swizzles_of_render_targets() {
    let name = "pixel_io/all_targets.dxil";
    // Red gets alpha, green red, blue green, alpha blue.
    let swizzles = [0b10_01_00_11];
    let set = |converter: &Converter, list: &[u32]| {
        converter.set(option::OUTPUT_SWIZZLE, |o: &mut OptionOutputSwizzle| {
            (o.swizzles, o.swizzle_count) = (list.as_ptr(), list.len() as u32);
        });
    };
    use Component::{A, B, G, R};
    let expected = defaults().with_output_swizzles(vec![[A, R, G, B]]);
    check(name, |converter| set(converter, &swizzles), &expected);
    check_same(name, |converter| set(converter, &[0b11_10_01_00; 8]));
}

#[test]
fn view_instances() {
    let name = "pixel_io/view_id.dxil";
    // It is 0 without the option.
    check_same(name, |_| {});
    let enable = |converter: &Converter, instance| {
        converter.set(option::VIEW_INSTANCING, |o: &mut OptionViewInstancing| {
            o.enabled = TRUE;
            o.view_index_to_view_instance_spec_id = instance;
            o.view_instance_to_viewport_spec_id = u32::MAX;
        });
    };
    let set = |converter: &Converter| {
        enable(converter, 7);
        converter.run().unwrap();
        let is_compatible = dxil_spv_converter_is_multiview_compatible;
        assert_eq!(
            get(|to| unsafe { is_compatible(converter.0, to) }),
            Ok(TRUE)
        );
    };
    let mut views = ViewInstancing::default();
    views.instances = Some(7);
    check(name, set, &defaults().with_view_instancing(Some(views)));

    let set = |converter: &Converter| {
        enable(converter, u32::MAX);
        let meta = meta_descriptor::DYNAMIC_VIEW_INSTANCING_OFFSETS;
        set_meta(
            converter,
            meta,
            meta_descriptor_kind::UBO_CONTAINING_CONSTANT,
            4,
        );
    };
    let mut views = ViewInstancing::default();
    views.offsets = Some(HeapBinding { set: 3, binding: 4 });
    check(name, set, &defaults().with_view_instancing(Some(views)));
}

#[test]
fn packed_dot_products() {
    let name = "arithmetic/packed_dot.dxil";
    let set = |converter: &Converter, supported| {
        converter.set(option::SHADER_I8_DOT, |o: &mut OptionShaderI8Dot| {
            o.supported = supported;
        });
    };
    let expected = defaults().with_integer_dot_product(true);
    check(name, |converter| set(converter, TRUE), &expected);
    check_same(name, |converter| set(converter, FALSE));
    // It is off by default.
    check_same(name, |_| {});
}

#[test]
fn hints_and_quirks() {
    let set = |converter: &Converter| {
        converter.set(option::BRANCH_CONTROL, |o: &mut OptionBranchControl| {
            o.force_flatten = TRUE;
        });
    };
    let expected = defaults()
        .with_source_hints(false)
        .with_branch_hint(Some(BranchHint::Flatten));
    check("control_flow/discard_early.dxil", set, &expected);

    let set = |converter: &Converter| {
        let quirk = quirk::IGNORE_PRIMITIVE_SHADING_RATE;
        converter.quirk(quirk);
    };
    let expected = defaults().with_ignore_shading_rate(true);
    check("pixel_io/shading_rate.dxil", set, &expected);
}

#[test]
fn memory_model_and_robust_arrays() {
    let set = |converter: &Converter| {
        converter.set(
            option::VULKAN_MEMORY_MODEL,
            |o: &mut OptionVulkanMemoryModel| o.enabled = TRUE,
        );
    };
    let expected = defaults().with_vulkan_memory_model(true);
    check("buffers/globally_coherent.dxil", set, &expected);

    let set = |converter: &Converter| {
        converter.set(
            option::EXTENDED_ROBUSTNESS,
            |o: &mut OptionExtendedRobustness| o.robust_alloca = TRUE,
        );
    };
    let expected = defaults().with_robust_local_arrays(true);
    check("local_arrays/dynamic_index.dxil", set, &expected);
}

#[test]
fn checks_of_values() {
    let at = |set, binding| HeapBinding { set, binding };
    let number = option::INSTRUCTION_INSTRUMENTATION;
    for (kind, stores_only) in [(0, false), (1, true)] {
        let set = |converter: &Converter| {
            converter.set(number, |o: &mut OptionInstructionInstrumentation| {
                (o.enabled, o.version, o.instrumentation) = (TRUE, 2, kind);
                (o.control_desc_set, o.control_binding) = (1, 2);
                (o.payload_desc_set, o.payload_binding) = (3, 4);
                o.shader_hash = 5;
            });
        };
        let checks = ValueChecks {
            control: at(1, 2),
            values: at(3, 4),
            shader: 5,
            stores_only,
        };
        let expected = defaults().with_value_checks(Some(checks));
        check("arithmetic/float_unary.dxil", set, &expected);
    }
}

#[test]
fn masked_views() {
    let bytes = vertex_shader();
    let blob = Blob::parse(&bytes).unwrap();
    let converter = blob.converter();
    converter.set(option::VIEW_INSTANCING, |o: &mut OptionViewInstancing| {
        o.enabled = TRUE;
        o.last_pre_rasterization_stage = TRUE;
        o.view_index_to_view_instance_spec_id = 7;
        o.view_instance_to_viewport_spec_id = 8;
    });
    let mask = meta_descriptor::DYNAMIC_VIEW_INSTANCING_MASK;
    let set = |kind| set_meta(&converter, mask, kind, 5);
    set(meta_descriptor_kind::PUSH_BDA);
    set(meta_descriptor_kind::UBO_CONTAINING_CONSTANT);
    let mut views = ViewInstancing::default();
    views.last_stage = true;
    views.instances = Some(7);
    views.viewports = Some(8);
    views.mask = Some(HeapBinding { set: 3, binding: 5 });
    let masked = converter.run().unwrap();
    assert!(masked == rust(&bytes, &defaults().with_view_instancing(Some(views))));
    set(meta_descriptor_kind::INVALID);
    views.mask = None;
    let plain = converter.run().unwrap();
    assert!(plain == rust(&bytes, &defaults().with_view_instancing(Some(views))));
    assert!(plain != masked);
}
