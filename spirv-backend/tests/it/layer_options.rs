//! Options that translation layers set: each changes the output of a corpus shader, and only as it
//! says.

use std::sync::Arc;

use trellis_dxil_frontend::shader::ResourceClass;
use trellis_spirv_backend::bindings::{
    Binding, BindingError, BindingModel, DefaultBindings, HeapBinding, HeapLimit, HeapPlace,
    HeapQuery, Place, ResourceQuery,
};
use trellis_spirv_backend::options::{BranchHint, Component, LoopHint, ViewInstancing};
use trellis_spirv_backend::{Options, Output, Target, convert, convert_entry, disassemble};

use crate::common;

fn output(name: &str, options: Options) -> Output {
    let options = options.with_validate(cfg!(feature = "validate"));
    convert(&common::shader(name), &options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns how many instructions of the output have a text.
fn count(name: &str, options: Options, text: &str) -> usize {
    common::count(&lines(name, options), text)
}

#[test]
fn the_entry_point_has_the_name_of_the_option() {
    let name = "compute/prefix_sum.dxil";
    let own = output(name, Options::default());
    let renamed = Options::default().with_entry_point_name(Some("other".to_owned()));
    assert_eq!(count(name, renamed.clone(), "\"other\""), 1);
    assert_eq!(count(name, Options::default(), "\"other\""), 0);
    assert_eq!(output(name, renamed).entry, own.entry, "the name in DXIL");
}

#[test]
fn the_sample_count_may_be_a_constant() {
    let name = "textures/multisample.dxil";
    assert_eq!(count(name, Options::default(), "OpSpecConstant"), 1);
    let known = Options::default().with_sample_count(Some(4));
    assert_eq!(count(name, known, "OpSpecConstant"), 0);
}

#[test]
fn positions_may_be_invariant() {
    for name in ["vertex_io/view_id.dxil", "tessellation/all_stages.ds.dxil"] {
        assert_eq!(count(name, Options::default(), "Invariant"), 0, "{name}");
        let invariant = Options::default().with_invariant_position(true);
        assert_eq!(count(name, invariant, "Invariant"), 1, "{name}");
    }
    // The position that a pixel shader reads is none.
    let invariant = Options::default().with_invariant_position(true);
    assert_eq!(count("pixel_io/view_id.dxil", invariant, "Invariant"), 0);
}

#[test]
fn the_view_may_be_zero() {
    for name in ["vertex_io/view_id.dxil", "pixel_io/view_id.dxil"] {
        assert!(count(name, Options::default(), "MultiView") > 0, "{name}");
        let one = Options::default().with_multiview(false);
        assert_eq!(count(name, one.clone(), "MultiView"), 0, "{name}");
        assert_eq!(count(name, one, "ViewIndex"), 0, "{name}");
    }
}

#[test]
fn tessellation_factors_have_a_limit() {
    let name = "tessellation/all_stages.dxil";
    let greater = count(name, Options::default(), "OpFOrdGreaterThan");
    let limited = Options::default().with_max_tessellation_factor(Some(8));
    // Four edges of a quad, and two factors inside.
    assert_eq!(count(name, limited, "OpFOrdGreaterThan"), greater + 6);
}

#[test]
fn denormal_numbers_are_kept_where_there_are_such_numbers() {
    let half = "arithmetic/half_native.dxil";
    let double = "arithmetic/double.dxil";
    let float = "compute/prefix_sum.dxil";
    let both = || {
        let options = Options::default().with_denorm_preserve_16(true);
        options.with_denorm_preserve_64(true)
    };
    for (name, mode) in [(half, "DenormPreserve 16"), (double, "DenormPreserve 64")] {
        assert_eq!(count(name, both(), mode), 1, "{name}");
        assert_eq!(
            count(name, Options::default(), "DenormPreserve"),
            0,
            "{name}"
        );
    }
    assert_eq!(count(float, both(), "DenormPreserve"), 0);
}

#[test]
fn all_arithmetic_may_be_precise() {
    let name = "tessellation/bezier.ds.dxil";
    let precise = Options::default().with_force_precise(true);
    let few = count(name, Options::default(), "NoContraction");
    assert!(count(name, precise, "NoContraction") > few);
}

#[test]
fn the_number_of_lanes_may_be_a_constant() {
    let name = "waves/basic.dxil";
    assert!(count(name, Options::default(), "SubgroupSize") > 0);
    let known = Options::default().with_wave_lane_count(Some(32));
    assert_eq!(count(name, known, "SubgroupSize"), 0);
}

/// Returns the instructions of the output, with single spaces.
fn lines(name: &str, options: Options) -> Vec<String> {
    common::lines_of(&output(name, options).words)
}

/// Returns the operands, without the type, of the instruction that has a result.
fn operands<'a>(lines: &'a [String], result: &str) -> Vec<&'a str> {
    let start = format!("{result} = ");
    let found = lines.iter().find_map(|line| line.strip_prefix(&start));
    let found = found.unwrap_or_else(|| panic!("{result} has no instruction"));
    found.split(' ').skip(1).collect()
}

/// Returns the number of components of a variable, and of each store to a component of it which.
fn written(lines: &[String], variable: &str) -> (usize, Vec<u32>) {
    let pointer = operands(lines, variable)[0];
    let ty = operands(lines, pointer)[1];
    let count = match operands(lines, ty)[..] {
        [_, count]
            if lines.contains(&format!(
                "{ty} = OpTypeVector {} {count}",
                operands(lines, ty)[0]
            )) =>
        {
            count.parse().unwrap()
        }
        _ => 1,
    };
    let part = format!(" {variable} ");
    let chains = lines
        .iter()
        .filter(|line| line.contains("OpAccessChain") && line.contains(&part));
    let index = |line: &String| {
        let index = line.rsplit(' ').next().unwrap();
        operands(lines, index)[1].parse().unwrap()
    };
    (count, chains.map(index).collect())
}

#[test]
fn render_targets_are_swizzled() {
    use Component::{A, B, G, R};
    let name = "pixel_io/target_components.dxil";
    let variables = [
        "%out_SV_Target0",
        "%out_SV_Target1",
        "%out_SV_Target2",
        "%out_SV_Target4",
    ];
    let plain = lines(name, Options::default());
    let plain = variables.map(|variable| written(&plain, variable));
    let no = |count| (count, (0..count as u32).collect::<Vec<_>>());
    assert_eq!(plain, [(1, vec![]), no(2), no(3), no(2)]);
    let swizzles = vec![
        [A, R, G, B],
        [R, G, B, A],
        [B, G, R, A],
        [R, G, B, A],
        [A; 4],
    ];
    let swizzled = lines(name, Options::default().with_output_swizzles(swizzles));
    let written_to: Vec<_> = variables[..3]
        .iter()
        .map(|v| written(&swizzled, v))
        .collect();
    assert_eq!(written_to, [(2, vec![1]), no(2), (3, vec![2, 1, 0])]);
    // The shader writes no alpha.
    assert!(swizzled.iter().all(|line| !line.contains(variables[3])));
    let json = r#"{ "interface": { "output_swizzles": [["a", "r", "g", "b"]] } }"#;
    let options: Options = serde_json::from_str(json).unwrap();
    assert_eq!(written(&lines(name, options), variables[0]), (2, vec![1]));
}

#[test]
fn hints_are_a_choice() {
    let (branches, loops) = (
        "control_flow/attributes_if.dxil",
        "control_flow/attributes_loop.dxil",
    );
    let merges = |options: Options, text: &str| count(branches, options, text);
    let plain = || Options::default();
    let dropped = || plain().with_source_hints(false);
    for text in ["Flatten", "DontFlatten"] {
        assert!(merges(plain(), text) > 0, "{text}");
        assert_eq!(merges(dropped(), text), 0, "{text}");
    }
    let all = merges(plain(), "OpSelectionMerge");
    let flattened = dropped().with_branch_hint(Some(BranchHint::Flatten));
    assert_eq!(merges(flattened, " Flatten"), all);
    let branched = plain().with_branch_hint(Some(BranchHint::Branch));
    assert_eq!(
        merges(branched, "DontFlatten"),
        all - merges(plain(), " Flatten")
    );

    let controls = |options: Options, text: &str| count(loops, options, text);
    let all = controls(plain(), "OpLoopMerge");
    let unrolled = controls(plain(), " Unroll");
    assert!(controls(plain(), "DontUnroll") > 0);
    assert_eq!(controls(dropped(), "Unroll"), 0);
    let hint = |options: Options, hint| options.with_loop_hint(Some(hint));
    assert_eq!(controls(hint(dropped(), LoopHint::Unroll), " Unroll"), all);
    assert_eq!(controls(hint(dropped(), LoopHint::Loop), "DontUnroll"), all);
    assert_eq!(controls(hint(plain(), LoopHint::Loop), " Unroll"), unrolled);
}

#[test]
fn quads_are_full_where_a_shader_votes_in_them() {
    let (pixel, compute) = ("waves/quad_vote.dxil", "waves/quad_vote.cs.dxil");
    let helpers = "waves/pixel_include_helpers.dxil";
    let plain = "pixel_io/no_inputs.dxil";
    let quads = || Options::default().with_quad_control(true);
    for name in [pixel, compute] {
        assert_eq!(count(name, Options::default(), "QuadControl"), 0, "{name}");
        assert_eq!(
            count(name, quads(), "OpCapability QuadControl"),
            1,
            "{name}"
        );
        assert!(count(name, quads(), "OpGroupNonUniformQuadA") > 0, "{name}");
        assert_eq!(count(name, quads(), "QuadSwap"), 0, "{name}");
    }
    for mode in ["RequireFullQuads", "QuadDerivatives"] {
        assert_eq!(count(pixel, quads(), mode), 1);
        assert_eq!(count(compute, quads(), mode), 0);
    }
    let reconverges = |name: &str, options: Options| count(name, options, "MaximallyReconverges");
    let maximal = || Options::default().with_maximal_reconvergence(true);
    for (name, expected) in [(pixel, 1), (helpers, 1), (compute, 0), (plain, 0)] {
        assert_eq!(reconverges(name, Options::default()), 0, "{name}");
        assert_eq!(reconverges(name, maximal()), expected, "{name}");
        let forced = Options::default().with_force_maximal_reconvergence(true);
        assert_eq!(reconverges(name, forced), 1, "{name}");
    }
}

#[test]
fn quads_of_a_thread_group_are_declared_from_shader_model_6_6() {
    let (square, before) = ("waves/quad_vote.cs.dxil", "waves/quad.dxil");
    let mode = " DerivativeGroupQuadsKHR";
    let without = || Options::default().with_compute_derivatives(false);
    let capability = "OpCapability ComputeDerivativeGroupQuadsKHR";
    assert_eq!(count(square, Options::default(), capability), 1);
    assert_eq!(count(square, Options::default(), mode), 1);
    assert_eq!(count(square, without(), "DerivativeGroup"), 0);
    assert_eq!(count(before, Options::default(), "DerivativeGroup"), 0);
    // Shaders with derivatives need it in any case.
    let derivatives = "compute/derivatives.dxil";
    assert_eq!(count(derivatives, without(), mode), 1);
}

#[test]
fn computed_indices_stay_inside() {
    let clamps = |name: &str, options: Options| count(name, options, "UMin");
    for (name, option) in [
        (
            "local_arrays/dynamic_index.dxil",
            Options::default().with_robust_local_arrays(true),
        ),
        (
            "groupshared/atomics.dxil",
            Options::default().with_robust_groupshared(true),
        ),
        (
            "local_arrays/constant_table.dxil",
            Options::default().with_robust_tables(true),
        ),
    ] {
        let plain = clamps(name, Options::default());
        assert!(clamps(name, option) > plain, "{name}");
    }
}

/// Two arrays are changed or copies of a copy; with the option all eleven are kept.
#[test]
fn copies_of_constant_buffers_are_kept_on_request() {
    let arrays = |options: Options| {
        let output = output("local_arrays/buffer_copies.dxil", options);
        let assembly = disassemble(&output.words).unwrap();
        let lines = assembly.lines().filter(|line| line.contains("OpVariable"));
        lines.filter(|line| line.ends_with(" Function")).count()
    };
    assert_eq!(arrays(Options::default()), 2);
    let kept = Options::default().with_keep_buffer_copies(true);
    assert!(arrays(kept) > 8);
    let robust = Options::default().with_robust_local_arrays(true);
    assert!(arrays(robust) > 8);
}

/// Vectors are loaded and stored where structs are aligned; with the option only elements are.
#[test]
fn buffers_are_accessed_by_elements_on_request() {
    let accesses = |shader: &str, options: Options| {
        let assembly = disassemble(&output(shader, options).words).unwrap();
        let count = |op: &str| assembly.lines().filter(|line| line.contains(op)).count();
        let vectors = |op: &str| {
            let arrays = assembly.lines().filter(|line| line.contains(op));
            arrays.filter(|line| line.contains("ArrayStride")).count()
        };
        (
            count("OpStore"),
            vectors("ArrayStride 8") + vectors("ArrayStride 16"),
        )
    };
    let shader = "buffers/vector_accesses.dxil";
    let (stores, vectors) = accesses(shader, Options::default());
    assert!(vectors > 0);
    let elements = Options::default().with_scalar_buffers(true);
    let (of_elements, none) = accesses(shader, elements.clone());
    assert!(stores + 10 < of_elements, "{stores} {of_elements}");
    assert_eq!(none, 0);
    let words = |options: Options| {
        let assembly = disassemble(&output("cbuffers/legacy.dxil", options).words).unwrap();
        let pointers = assembly.lines().filter(|line| line.contains("Uniform"));
        pointers
            .filter(|line| line.contains("OpTypePointer"))
            .count()
    };
    assert!(words(Options::default()) < words(elements), "rows only");
}

/// The shader has seven views of the heap of resources and two samplers of the other.
#[test]
fn indices_stay_inside_heaps() {
    let name = "resources/descriptor_heap.dxil";
    let limit = |limit| Options::default().with_heap_limit(Some(limit));
    let at = HeapBinding { set: 6, binding: 5 };
    let minima = count(name, Options::default(), "UMin");
    assert_eq!(minima, 0);
    let of = [
        (HeapLimit::Size(1000), "1000"),
        (HeapLimit::RootConstant(3), "PushConstant"),
        (HeapLimit::UniformBlock(at), "DescriptorSet 6"),
        (HeapLimit::BufferLength { at, pairs: 1 }, "OpArrayLength"),
        (HeapLimit::BufferLength { at, pairs: 2 }, "OpUDiv"),
    ];
    for (from, text) in of {
        assert!(count(name, limit(from), "UMin") >= 9, "{from:?}");
        assert!(count(name, limit(from), text) > 0, "{from:?}");
        assert_eq!(count(name, Options::default(), text), 0, "{from:?}");
    }
    assert!(
        count(name, limit(HeapLimit::Size(1)), "2047") > 0,
        "samplers"
    );
    // Registers of a range that is in no heap have no limit.
    let array = "resources/texture_array.dxil";
    assert_eq!(count(array, limit(HeapLimit::Size(1)), "UMin"), 0);
}

#[test]
fn quirks_change_what_they_name() {
    let plain = Options::default;
    let uniform = "resources/texture_array.dxil";
    let marks = |options| count(uniform, options, "NonUniform");
    assert!(marks(plain().with_non_uniform_indices(true)) > marks(plain()));

    let group = "groupshared/reduction.dxil";
    let coherent = |name: &str, options| count(name, options, "Coherent");
    // Workgroup memory, acquire and release: 264; with UAVs and images 2376.
    let barriers = |name: &str, options| {
        let lines = lines(name, options);
        let waits = lines
            .iter()
            .filter_map(|line| line.strip_prefix("OpControlBarrier "));
        let number = |id: &str| operands(&lines, id)[1].parse::<u32>().unwrap();
        let mut kinds: Vec<Vec<u32>> = waits
            .map(|ids| ids.split(' ').map(number).collect())
            .collect();
        kinds.dedup();
        kinds
    };
    let device = || plain().with_device_barriers(true);
    let coherence = || plain().with_group_coherent_barriers(true);
    assert_eq!(barriers(group, plain()), [[2, 2, 0x108]]);
    assert_eq!(barriers(group, device()), [[2, 1, 0x948]]);
    assert_eq!(barriers(group, coherence()), [[2, 2, 0x108]]);
    assert_eq!(coherent(group, plain()), 0);
    assert!(coherent(group, device()) > 0);
    assert_eq!(coherent(group, coherence()), 0);
    let all = "barriers/all_kinds.dxil";
    let of_device = |options| barriers(all, options).iter().all(|barrier| barrier[1] == 1);
    assert!(!of_device(plain()) && of_device(coherence()));
    assert!(coherent(all, coherence()) > coherent(all, plain()));

    for name in [
        "vertex_io/shading_rate.dxil",
        "pixel_io/shading_rate.dxil",
        "mesh/shading_rate_and_view.dxil",
    ] {
        let rates = |options| count(name, options, "ShadingRate");
        assert!(rates(plain()) > 0, "{name}");
        assert_eq!(rates(plain().with_ignore_shading_rate(true)), 0, "{name}");
    }

    let unary = "arithmetic/float_unary.dxil";
    let clamps = |options| count(unary, options, "NMin");
    assert!(clamps(plain().with_finite_rsqrt(true)) > clamps(plain()));

    // A group of 32 threads has no wave of 64.
    let dxil = common::shader("waves/wave_size.dxil");
    let input = trellis_dxil_frontend::read(&dxil).unwrap();
    let clamps = |threads, options: Options| {
        let mut entry = input.shader.shaders().next().unwrap().clone();
        entry.properties.num_threads = Some(threads);
        let output = convert_entry(&input, &entry, &options).unwrap();
        disassemble(&output.words).unwrap().matches("UMin").count()
    };
    let small = || plain().with_small_waves(true);
    assert_eq!(clamps([32, 1, 1], plain()), 0);
    assert_eq!(clamps([8, 4, 1], small()), 1);
    assert_eq!(clamps([64, 1, 1], small()), 0);
}

/// Constant buffers as root descriptors.
struct Addresses;

impl BindingModel for Addresses {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        if query.class == ResourceClass::CBuffer {
            let root_descriptor = query.resource_index;
            return Ok(Binding::new(Place::DeviceAddress { root_descriptor }));
        }
        DefaultBindings::default().bind(query)
    }

    fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError> {
        DefaultBindings::default().heap(query)
    }
}

#[test]
fn quirks_make_accesses_robust() {
    let plain = Options::default;
    let more = |name: &str, quirk: fn(Options) -> Options, base: Options, text: &str| {
        let before = count(name, base.clone(), text);
        count(name, quirk(base), text) - before
    };
    // Two samples at a level, of a cube and of an array of cubes.
    let cubes = |options: Options| options.with_broken_cube_mips(true);
    let kinds = "textures/sample_kinds.dxil";
    assert_eq!(more(kinds, cubes, plain(), "OpImageQueryLevels"), 2);
    assert_eq!(
        more("textures/sample_2d.dxil", cubes, plain(), "OpImageQuery"),
        0
    );

    let constants = |options: Options| options.with_robust_constant_addresses(true);
    let at_address = plain()
        .with_bindings(Arc::new(Addresses))
        .with_root_descriptors(4);
    let dynamic = "cbuffers/dynamic_index.dxil";
    assert!(more(dynamic, constants, at_address.clone(), "OpULessThan") > 0);
    // Constant rows are in the buffer, and a descriptor has bounds.
    let fixed = "vertex_io/transform.dxil";
    assert_eq!(more(fixed, constants, at_address, "OpULessThan"), 0);
    assert_eq!(more(dynamic, constants, plain(), "OpULessThan"), 0);

    let mesh = |options: Options| options.with_robust_mesh_outputs(true);
    let triangles = "mesh/lines.dxil";
    assert_eq!(more(triangles, mesh, plain(), "OpULessThanEqual"), 2);
    assert!(more(triangles, mesh, plain(), "UMin") > 0);

    let quads = |options: Options| options.with_robust_quad_reads(true);
    let read = "OpGroupNonUniformBallotBitExtract";
    assert!(more("waves/quad.dxil", quads, plain(), read) > 0);
    assert_eq!(more("waves/quad.ps.dxil", quads, plain(), read), 0);

    let waits = |options: Options| options.with_groupshared_barriers(true);
    let group = "groupshared/reduction.dxil";
    assert!(more(group, waits, plain(), "OpControlBarrier") > 0);
    let without = "waves/basic.dxil";
    assert_eq!(more(without, waits, plain(), "OpControlBarrier"), 0);
}

/// The variable is only written in some iterations, so that LLVM has no value for it at first.
#[test]
fn undefined_variables_of_loops_are_zero() {
    let name = "../../spirv-backend/tests/data/undefined_loop_variable.dxil";
    let zero = Options::default().with_undefined_loop_phis(true);
    assert!(count(name, Options::default(), "OpUndef") > 0);
    assert_eq!(count(name, zero, "OpUndef"), 0);
}

#[test]
fn what_is_read_may_have_a_format() {
    let with_format = || Options::default().with_read_without_format(false);
    for (name, formats) in [
        ("buffers/typed.dxil", &["R32ui"][..]),
        ("resources/rasterizer_ordered.dxil", &["R32f"]),
        ("buffers/globally_coherent.sm66.dxil", &["R32ui"]),
    ] {
        assert!(
            count(name, Options::default(), "StorageImageReadWithoutFormat") > 0,
            "{name}"
        );
        assert_eq!(
            count(name, with_format(), "StorageImageReadWithoutFormat"),
            0,
            "{name}"
        );
        for format in formats {
            assert_eq!(
                count(name, Options::default(), format),
                0,
                "{name}: {format}"
            );
            assert!(count(name, with_format(), format) > 0, "{name}: {format}");
        }
    }
    let name = "textures/half_everything.dxil";
    let error = convert(&common::shader(name), &with_format()).unwrap_err();
    assert!(error.to_string().contains("reads no other than"), "{error}");
}

#[test]
fn views_are_instances_of_a_draw_or_of_multiview() {
    let views = |change: &dyn Fn(&mut ViewInstancing)| {
        let mut views = ViewInstancing::default();
        change(&mut views);
        Options::default().with_view_instancing(Some(views))
    };
    let block = Some(HeapBinding { set: 7, binding: 3 });
    let multiview = views(&|views| {
        views.last_stage = true;
        views.instances = Some(40);
        views.viewports = Some(41);
    });
    let draws = views(&|views| {
        views.last_stage = true;
        views.offsets = block;
    });
    let first = views(&|views| views.offsets = block);

    // Vertex and mesh shaders write the layer and viewport of the view.
    for (name, stores) in [
        ("vertex_io/view_id.dxil", 1),
        ("mesh/shading_rate_and_view.dxil", 1),
        ("geometry/point_to_quad.dxil", 1),
        ("tessellation/all_stages.ds.dxil", 1),
    ] {
        let plain = Options::default;
        let stored = |options| count(name, options, "OpStore");
        let has = |options: &Options, text: &str| count(name, options.clone(), text) > 0;
        let added = |options: &Options| stored(options.clone()) - stored(plain());
        assert_eq!(added(&multiview), stores, "{name}");
        assert!(has(&multiview, "BuiltIn ViewportIndex"), "{name}");
        assert!(!has(&multiview, "BuiltIn Layer"), "{name}");
        assert!(
            has(&multiview, "SpecId 40") && has(&multiview, "SpecId 41"),
            "{name}"
        );
        assert_eq!(added(&draws), stores, "{name}");
        assert!(
            has(&draws, "BuiltIn Layer") && !has(&draws, "ViewIndex"),
            "{name}"
        );
        assert!(
            has(&draws, "DescriptorSet 7") && has(&draws, "Binding 3"),
            "{name}"
        );
        assert_eq!(added(&first), 0, "{name}");
    }
    // A pixel shader reads the view.
    let name = "pixel_io/view_id.dxil";
    assert_eq!(count(name, multiview.clone(), "OpBitFieldUExtract"), 1);
    assert_eq!(count(name, multiview.clone(), "SpecId 40"), 1);
    assert_eq!(count(name, first.clone(), "OpBitFieldUExtract"), 1);
    assert_eq!(count(name, first, "MultiView"), 0);
    // A shader whose view is masked makes nothing.
    let masked = views(&|views| {
        views.last_stage = true;
        views.offsets = block;
        views.mask = Some(HeapBinding { set: 8, binding: 0 });
    });
    for name in [
        "vertex_io/view_id.dxil",
        "mesh/shading_rate_and_view.dxil",
        "geometry/point_to_quad.dxil",
        "tessellation/all_stages.ds.dxil",
    ] {
        let has = |text: &str| count(name, masked.clone(), text);
        assert_eq!(has("DescriptorSet 8"), 1, "{name}");
        assert_eq!(
            has("OpFunctionCall"),
            count(name, draws.clone(), "OpFunctionCall") + 1
        );
    }
    // A layer of the shader's own is one of the view's.
    let name = "vertex_io/layer_viewport.dxil";
    let added =
        |options| count(name, options, "OpIAdd") - count(name, Options::default(), "OpIAdd");
    assert_eq!(added(draws.clone()), 1);
    let both = views(&|views| {
        views.last_stage = true;
        views.instances = Some(40);
        views.viewports = Some(41);
        views.offsets = block;
    });
    assert_eq!(added(both.clone()), 2);
    assert_eq!(count(name, both, "SpecId 40"), 0);
    let error = convert(&common::shader(name), &multiview).unwrap_err();
    assert!(error.to_string().contains("view instancing"), "{error}");
}

#[test]
fn accesses_to_shared_memory_say_so_in_vulkans_memory_model() {
    let vulkan = || Options::default().with_vulkan_memory_model(true);
    let name = "buffers/globally_coherent.dxil";
    let plain = lines(name, Options::default());
    let changed = lines(name, vulkan());
    let with = |lines: &[String], part: &str, other: &str| {
        let found = lines
            .iter()
            .filter(|line| line.contains(part) && line.contains(other));
        found.count()
    };
    assert_eq!(with(&plain, "OpMemoryModel", "GLSL450"), 1);
    assert_eq!(with(&changed, "OpMemoryModel", "Vulkan"), 1);
    assert_eq!(with(&changed, "OpCapability VulkanMemoryModel", ""), 1);
    assert!(with(&plain, "OpDecorate", "Coherent") > 0);
    assert_eq!(with(&changed, "OpDecorate", "Coherent"), 0);
    // One store and two loads of a structured buffer, a load and two stores of images.
    assert_eq!(
        with(
            &changed,
            "OpStore",
            "MakePointerAvailable|NonPrivatePointer"
        ),
        1
    );
    assert_eq!(
        with(&changed, "OpLoad", "MakePointerVisible|NonPrivatePointer"),
        2
    );
    assert_eq!(
        with(&changed, "OpImageRead", "MakeTexelVisible|NonPrivateTexel"),
        1
    );
    assert_eq!(
        with(
            &changed,
            "OpImageWrite",
            "MakeTexelAvailable|NonPrivateTexel"
        ),
        2
    );
    // Acquire and release of buffers and images, made available and visible, for the queue family.
    let barrier = changed
        .iter()
        .find_map(|line| line.strip_prefix("OpMemoryBarrier "));
    let barrier: Vec<&str> = barrier
        .unwrap()
        .split(' ')
        .map(|id| operands(&changed, id)[1])
        .collect();
    assert_eq!(barrier, ["5", "26696"]);
    let old = Options::default().with_target(Target::Vulkan1_1);
    let extension = |options| count(name, options, "SPV_KHR_vulkan_memory_model");
    assert_eq!(extension(old.clone()), 0);
    assert_eq!(extension(old.with_vulkan_memory_model(true)), 1);

    let name = "groupshared/reduction.dxil";
    assert_eq!(count(name, Options::default(), "NonPrivatePointer"), 0);
    assert!(count(name, vulkan(), "NonPrivatePointer") > 0);
    assert_eq!(count(name, vulkan(), "MakePointer"), 0);
    // The values of a domain shader are its own.
    assert_eq!(
        count("tessellation/bezier.ds.dxil", vulkan(), "NonPrivate"),
        0
    );
}
