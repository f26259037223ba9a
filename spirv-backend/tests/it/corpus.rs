//! The checked-in corpus, from bytes to verified words.

use shader_testkit::{corpus, files, shader, shaders};
use trellis_dxil_frontend::shader::ShaderKind;
use trellis_spirv_backend::bindings::{HeapBinding, HeapLimit};
use trellis_spirv_backend::options::{DescriptorChecks, ValueChecks};
use trellis_spirv_backend::{Error, Options, Target, convert, convert_all, disassemble};

/// Shaders of the corpus with features that this version does not translate, and the required
/// error. (The README's table has the reasons.)
const UNSUPPORTED: &[(&str, &str)] = &[];

fn expected_error(name: &str, target: Target) -> Option<&'static str> {
    if name.starts_with("mesh/") && !name.ends_with(".ps.dxil") && target == Target::Vulkan1_1 {
        return Some("before SPIR-V 1.4");
    }
    let traces = [
        "raytracing/",
        "vendor/nvapi_hit_objects.dxil",
        "vendor/nvapi_cluster_hits.dxil",
        "vendor/nvapi_made_hits.dxil",
    ];
    if traces.iter().any(|start| name.starts_with(start)) && target == Target::Vulkan1_1 {
        return Some("before SPIR-V 1.4");
    }
    UNSUPPORTED
        .iter()
        .find(|(prefix, _)| name.starts_with(prefix))
        .map(|(_, what)| *what)
}

/// Converts the corpus and lists unexpected results.
fn failures(options: &Options) -> Vec<String> {
    let mut failures = Vec::new();
    for (name, bytes) in shaders() {
        let entries = match convert_all(&bytes, options) {
            Ok(entries) => entries,
            Err(error) => {
                failures.push(format!("{name}: {error}"));
                continue;
            }
        };
        for result in entries {
            match (result, expected_error(&name, options.target)) {
                (Ok(output), None) => match disassemble(&output.words) {
                    Ok(text) if text.contains("OpEntryPoint") => {}
                    _ => failures.push(format!("{name}: `{}` has no text", output.entry)),
                },
                // A compute shader of a library of ray tracing shaders.
                (Ok(output), Some(_)) if output.stage == ShaderKind::Compute => {}
                (Ok(output), Some(_)) => failures.push(format!(
                    "{name}: `{}` converts now: take it off the list",
                    output.entry
                )),
                (Err(Error::Unsupported { feature, .. }), Some(expected))
                    if feature.to_string().contains(expected) => {}
                (Err(error), _) => failures.push(format!("{name}: {error}")),
            }
        }
    }
    failures
}

#[test]
fn every_shader_converts_or_names_what_is_unsupported() {
    let failures = failures(&Options::default());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn other_targets_and_options() {
    for target in [Target::Vulkan1_1, Target::Vulkan1_2, Target::Vulkan1_4] {
        let failures = failures(&Options::default().with_target(target));
        assert!(
            failures.is_empty(),
            "{}: {}",
            target.name(),
            failures.join("\n")
        );
    }
    let other = Options::default()
        .with_names(false)
        .with_demote(false)
        .with_vertex_id_zero_based(false)
        .with_instance_id_zero_based(false);
    let failures = failures(&other);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn descriptors_and_values_are_checked() {
    let at = |binding| HeapBinding { set: 9, binding };
    let options = Options::default()
        .with_robust_structured_buffers(true)
        .with_descriptor_checks(Some(DescriptorChecks {
            report: at(0),
            heap: at(1),
            shader: 7,
        }))
        .with_value_checks(Some(ValueChecks {
            control: at(2),
            values: at(3),
            shader: 7,
            stores_only: false,
        }));
    let failures = failures(&options);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn vulkans_memory_model_and_everything_robust() {
    let options = Options::default()
        .with_vulkan_memory_model(true)
        .with_robust_local_arrays(true)
        .with_robust_groupshared(true)
        .with_robust_tables(true)
        .with_robust_mesh_outputs(true)
        .with_robust_quad_reads(true)
        .with_groupshared_barriers(true)
        .with_undefined_loop_phis(true)
        .with_broken_cube_mips(true)
        .with_heap_limit(Some(HeapLimit::Size(1000)))
        .with_non_uniform_indices(true)
        .with_device_barriers(true)
        .with_quad_control(true)
        .with_force_maximal_reconvergence(true)
        .with_validate(cfg!(feature = "validate"));
    for target in [Target::Vulkan1_1, Target::Vulkan1_3] {
        let failures = failures(&options.clone().with_target(target));
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }
}

#[test]
fn same_words_each_time_and_from_each_thread() {
    let shaders = shaders();
    let options = Options::default();
    let words = |bytes: &[u8]| {
        convert_all(bytes, &options)
            .map(|all| {
                all.into_iter()
                    .map(|r| r.map(|o| o.words).ok())
                    .collect::<Vec<_>>()
            })
            .ok()
    };
    let first: Vec<_> = shaders.iter().map(|(_, bytes)| words(bytes)).collect();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (shaders, first, words) = (&shaders, &first, &words);
            scope.spawn(move || {
                // Each thread starts elsewhere, so that different shaders are in work at the same
                // time.
                for index in (0..shaders.len())
                    .map(|i| (i + thread * 37) % shaders.len())
                    .step_by(4)
                {
                    assert!(
                        words(&shaders[index].1) == first[index],
                        "{}",
                        shaders[index].0
                    );
                }
            });
        }
    });
}

/// FXC's nesting: `if`, `loop` and `switch` are constructs of the result, and there are no others.
#[test]
fn the_nesting_of_dxbc_is_recovered() {
    let mut others = Vec::new();
    for path in files(&corpus().join("../dxbc"), "dxbc") {
        let bytes = std::fs::read(&path).expect("readable");
        for output in convert_all(&bytes, &Options::default()).expect("readable") {
            let report = output.expect("it converts").structurizer;
            let added = [
                report.selectors,
                report.breakable_blocks,
                report.dispatch_headers,
            ];
            if added != [0; 3] {
                let name = path.file_stem().expect("a name").to_string_lossy();
                others.push((name.into_owned(), added));
            }
        }
    }
    // Derivatives on exits of a loop are moved after it, where all invocations meet.
    let expected = [("derivative_on_break_path".to_owned(), [2, 0, 0])];
    assert_eq!(others, expected);
}

#[test]
fn entry_points_by_name() {
    let bytes = shader("control_flow/collatz.dxil");
    let entries = trellis_spirv_backend::entry_points(&bytes).expect("readable");
    assert_eq!(
        (entries[0].name.as_str(), entries[0].stage),
        ("main", ShaderKind::Compute)
    );
    let named = |name: &str| convert(&bytes, &Options::default().with_entry(name.to_owned()));
    assert_eq!(named("main").expect("it converts").entry, "main");
    let error = named("other").expect_err("the entry point does not exist");
    assert_eq!(
        error.to_string(),
        "no entry point `other`; the module has: `main`"
    );
}
