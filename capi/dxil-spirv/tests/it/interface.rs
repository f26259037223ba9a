//! Remappers of stage inputs and outputs, and options of the shader's interface, compared with the Rust
//! API.

#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "the interface is one for C: each block passes pointers to what is alive during the call"
)]

use std::ffi::{CStr, c_void};
use std::sync::Arc;

use crate::common::{self, Blob, Converter, last_line, listen, shader};
use dxil_spirv_c_shared::abi::*;
use dxil_spirv_c_shared::api::*;
use trellis_dxil_frontend::shader::SemanticKind;
use trellis_spirv_backend::bindings::HeapBinding;
use trellis_spirv_backend::options::IntrinsicsUav;
use trellis_spirv_backend::options::{BranchHint, Component, ViewInstancing};
use trellis_spirv_backend::stage_io::{
    ElementPlace, ElementQuery, StageIoError, StageIoModel, StreamOutput, StreamOutputQuery,
};
use trellis_spirv_backend::{Options, convert_entry};

fn defaults() -> Options {
    Options::default()
        .with_bindings(Arc::new(common::Plain))
        .with_entry_point_name(Some("main".to_owned()))
        .with_multiview(false)
        .with_preserve_nan(false)
        .with_dynamic_offsets(true)
        .with_integer_dot_product(false)
        .with_ags(Some(IntrinsicsUav::AGS))
        .with_point_size(false)
}

/// Converts a shader in Rust.
fn rust(bytes: &[u8], options: &Options) -> Vec<u32> {
    let input = trellis_dxil_frontend::read(bytes).unwrap();
    let entry = input.shader.shaders().next().unwrap();
    convert_entry(&input, entry, options).unwrap().words
}

/// What a remapper was asked: semantic, index, first row, rows.
type Asked = Vec<(String, u32, u32, u32)>;

unsafe fn ask(asked: *mut c_void, semantic: *const std::ffi::c_char, numbers: [u32; 3]) {
    let (asked, semantic) = unsafe { (&mut *asked.cast::<Asked>(), CStr::from_ptr(semantic)) };
    let [index, row, rows] = numbers;
    asked.push((semantic.to_str().unwrap().to_owned(), index, row, rows));
}

unsafe extern "C" fn vertex_input(
    asked: *mut c_void,
    d3d: *const D3dVertexInput,
    vulkan: *mut VulkanVertexInput,
) -> Bool {
    let d3d = unsafe { *d3d };
    unsafe {
        ask(
            asked,
            d3d.semantic,
            [d3d.semantic_index, d3d.start_row, d3d.rows],
        );
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
        ask(
            asked,
            d3d.semantic,
            [d3d.semantic_index, d3d.start_row, d3d.rows],
        );
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
        ask(asked, d3d.semantic, [d3d.semantic_index, 0, 0]);
        if CStr::from_ptr(d3d.semantic)
            .to_bytes()
            .eq_ignore_ascii_case(b"SV_Position")
        {
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
        Ok(position
            .then(|| StreamOutput::new(1, 32, 4))
            .into_iter()
            .collect())
    }
}

/// A vertex shader without resources, with several inputs and outputs.
fn vertex_shader() -> Vec<u8> {
    let found = common::shaders().into_iter().find(|(_, bytes)| {
        let input = trellis_dxil_frontend::read(bytes).unwrap();
        let entry = input.shader.shaders().next().unwrap();
        let user = |list: &[trellis_dxil_frontend::shader::SignatureElement]| {
            let arbitrary = list
                .iter()
                .filter(|e| e.semantic == SemanticKind::Arbitrary);
            arbitrary.count() > 1
        };
        let signatures = &entry.signatures;
        input.shader.resources.is_empty()
            && entry.kind == trellis_dxil_frontend::shader::ShaderKind::Vertex
            && user(&signatures.input)
            && user(&signatures.output)
            && signatures
                .output
                .iter()
                .any(|e| e.semantic == SemanticKind::Position)
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
    let user = |e: &&trellis_dxil_frontend::shader::SignatureElement| {
        e.semantic == SemanticKind::Arbitrary
    };
    assert_eq!(inputs.len(), signatures.input.iter().filter(user).count());
    assert!(inputs.iter().all(|(_, _, _, rows)| *rows > 0));
    // Each user output once, by semantic and index only.
    assert_eq!(outputs.len(), signatures.output.iter().filter(user).count());
    assert!(
        outputs
            .iter()
            .all(|(_, _, row, rows)| (*row, *rows) == (0, 0))
    );
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

fn with(name: &str, set: impl FnOnce(&Converter)) -> Vec<u32> {
    let blob = Blob::parse(&shader(name)).unwrap();
    let converter = blob.converter();
    set(&converter);
    converter.run().unwrap()
}

fn base(ty: OptionType) -> OptionBase {
    OptionBase { ty }
}

#[test]
fn swizzles_of_render_targets() {
    let name = "pixel_io/all_targets.dxil";
    // Red gets alpha, green red, blue green, alpha blue.
    let swizzles = [0b10_01_00_11];
    let given = OptionOutputSwizzle {
        base: base(option::OUTPUT_SWIZZLE),
        swizzles: swizzles.as_ptr(),
        swizzle_count: 1,
    };
    let words = with(name, |converter| {
        assert_eq!(converter.option(&given), result::SUCCESS);
    });
    use Component::{A, B, G, R};
    let expected = defaults().with_output_swizzles(vec![[A, R, G, B]]);
    assert!(words == rust(&shader(name), &expected));
    assert!(words != rust(&shader(name), &defaults()));
    let identity = [0b11_10_01_00; 8];
    let given = OptionOutputSwizzle {
        swizzles: identity.as_ptr(),
        swizzle_count: 8,
        ..given
    };
    let words = with(name, |converter| {
        assert_eq!(converter.option(&given), result::SUCCESS);
    });
    assert!(words == rust(&shader(name), &defaults()));
}

#[test]
fn view_instances() {
    let name = "pixel_io/view_id.dxil";
    let plain = with(name, |_| {});
    assert!(
        plain == rust(&shader(name), &defaults()),
        "0 without the option"
    );
    let given = OptionViewInstancing {
        base: base(option::VIEW_INSTANCING),
        enabled: TRUE,
        last_pre_rasterization_stage: FALSE,
        view_index_to_view_instance_spec_id: 7,
        view_instance_to_viewport_spec_id: u32::MAX,
    };
    let mut compatible = FALSE;
    let words = with(name, |converter| {
        assert_eq!(converter.option(&given), result::SUCCESS);
        converter.run().unwrap();
        let code =
            unsafe { dxil_spv_converter_is_multiview_compatible(converter.0, &raw mut compatible) };
        assert_eq!((code, compatible), (result::SUCCESS, TRUE));
    });
    let mut views = ViewInstancing::default();
    views.instances = Some(7);
    let expected = defaults().with_view_instancing(Some(views));
    assert!(words == rust(&shader(name), &expected));

    let given = OptionViewInstancing {
        view_index_to_view_instance_spec_id: u32::MAX,
        ..given
    };
    let words = with(name, |converter| {
        assert_eq!(converter.option(&given), result::SUCCESS);
        let kind = meta_descriptor_kind::UBO_CONTAINING_CONSTANT;
        let meta = meta_descriptor::DYNAMIC_VIEW_INSTANCING_OFFSETS;
        let code = unsafe { dxil_spv_converter_set_meta_descriptor(converter.0, meta, kind, 3, 4) };
        assert_eq!(code, result::SUCCESS);
    });
    let mut views = ViewInstancing::default();
    views.offsets = Some(HeapBinding { set: 3, binding: 4 });
    let expected = defaults().with_view_instancing(Some(views));
    assert!(words == rust(&shader(name), &expected));
}

#[test]
fn packed_dot_products() {
    let name = "arithmetic/packed_dot.dxil";
    let expanded = rust(&shader(name), &defaults());
    let dot = rust(&shader(name), &defaults().with_integer_dot_product(true));
    assert!(expanded != dot);
    assert!(with(name, |_| {}) == expanded, "off by default");
    for (supported, expected) in [(TRUE, &dot), (FALSE, &expanded)] {
        let given = OptionShaderI8Dot {
            base: base(option::SHADER_I8_DOT),
            supported,
        };
        let words = with(name, |converter| {
            assert_eq!(converter.option(&given), result::SUCCESS);
        });
        assert!(words == *expected);
    }
}

#[test]
fn hints_and_quirks() {
    let name = "control_flow/discard_early.dxil";
    let given = OptionBranchControl {
        base: base(option::BRANCH_CONTROL),
        use_shader_metadata: FALSE,
        force_unroll: FALSE,
        force_loop: FALSE,
        force_flatten: TRUE,
        force_branch: FALSE,
    };
    let words = with(name, |converter| {
        assert_eq!(converter.option(&given), result::SUCCESS);
    });
    let expected = defaults()
        .with_source_hints(false)
        .with_branch_hint(Some(BranchHint::Flatten));
    assert!(words == rust(&shader(name), &expected));
    assert!(words != rust(&shader(name), &defaults()));

    let name = "pixel_io/shading_rate.dxil";
    let words = with(name, |converter| {
        let quirk = quirk::IGNORE_PRIMITIVE_SHADING_RATE;
        assert_eq!(converter.quirk(quirk), result::SUCCESS);
    });
    assert!(words == rust(&shader(name), &defaults().with_ignore_shading_rate(true)));
    assert!(words != rust(&shader(name), &defaults()));
}

#[test]
fn memory_model_and_robust_arrays() {
    let name = "buffers/globally_coherent.dxil";
    let given = OptionVulkanMemoryModel {
        base: base(option::VULKAN_MEMORY_MODEL),
        enabled: TRUE,
    };
    let words = with(name, |converter| {
        assert_eq!(converter.option(&given), result::SUCCESS);
    });
    let expected = defaults().with_vulkan_memory_model(true);
    assert!(words == rust(&shader(name), &expected));
    assert!(words != rust(&shader(name), &defaults()));

    let name = "local_arrays/dynamic_index.dxil";
    let given = OptionExtendedRobustness {
        base: base(option::EXTENDED_ROBUSTNESS),
        robust_group_shared: FALSE,
        robust_alloca: TRUE,
        robust_constant_lut: FALSE,
    };
    let words = with(name, |converter| {
        assert_eq!(converter.option(&given), result::SUCCESS);
    });
    let expected = defaults().with_robust_local_arrays(true);
    assert!(words == rust(&shader(name), &expected));
    assert!(words != rust(&shader(name), &defaults()));
}

#[test]
fn masked_views() {
    let bytes = vertex_shader();
    let blob = Blob::parse(&bytes).unwrap();
    let converter = blob.converter();
    let given = OptionViewInstancing {
        base: base(option::VIEW_INSTANCING),
        enabled: TRUE,
        last_pre_rasterization_stage: TRUE,
        view_index_to_view_instance_spec_id: 7,
        view_instance_to_viewport_spec_id: 8,
    };
    assert_eq!(converter.option(&given), result::SUCCESS);
    let mask = meta_descriptor::DYNAMIC_VIEW_INSTANCING_MASK;
    let set =
        |kind| unsafe { dxil_spv_converter_set_meta_descriptor(converter.0, mask, kind, 3, 5) };
    assert_eq!(set(meta_descriptor_kind::PUSH_BDA), result::SUCCESS);
    assert_eq!(
        set(meta_descriptor_kind::UBO_CONTAINING_CONSTANT),
        result::SUCCESS
    );
    let mut views = ViewInstancing::default();
    views.last_stage = true;
    views.instances = Some(7);
    views.viewports = Some(8);
    views.mask = Some(HeapBinding { set: 3, binding: 5 });
    let masked = converter.run().unwrap();
    assert!(masked == rust(&bytes, &defaults().with_view_instancing(Some(views))));
    assert_eq!(set(meta_descriptor_kind::INVALID), result::SUCCESS);
    views.mask = None;
    let plain = converter.run().unwrap();
    assert!(plain == rust(&bytes, &defaults().with_view_instancing(Some(views))));
    assert!(plain != masked);
}
