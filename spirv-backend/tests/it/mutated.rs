//! Shaders of the corpus with one wrong thing, which `cargo campaign mutate` found to become invalid
//! SPIR-V.

use rspirv::spirv::Capability;
use trellis_dxil_frontend::Input;
use trellis_dxil_frontend::dxop::{DxCall, Op};
use trellis_dxil_frontend::module::{Constant, InstKind, ValueId, ValueKind};
use trellis_dxil_frontend::shader::{ResourceKind, ShaderKind};
use trellis_spirv_backend::{Error, InvalidKind, Options, convert_entry};

use crate::common;

/// Converts a shader after the calls of one operation got the code of another.
fn with_code(shader: &str, from: Op, to: Op) -> Result<Vec<u32>, Error> {
    let bytes = common::shader(shader);
    let mut input = trellis_dxil_frontend::read(&bytes).expect("the corpus is valid");
    let mut codes = Vec::new();
    for function in input.module.functions.values() {
        for (id, inst) in function.insts.iter() {
            let call = DxCall::parse(&input.module, function, id).expect("the corpus is valid");
            let InstKind::Call { args, .. } = inst.kind else {
                continue;
            };
            if call.is_some_and(|call| call.op == from) {
                let code = ValueId::from_u32(function.pool[args.start as usize]);
                let value = input.module.value(Some(function), code);
                let Some(ValueKind::Constant(id)) = value.map(|value| value.kind) else {
                    panic!("the code of an operation is constant");
                };
                codes.push(id);
            }
        }
    }
    assert!(!codes.is_empty(), "{shader} has no {from}");
    for id in codes {
        input.module.constants[id].value = Constant::Int(to.info().code.into());
    }
    let entry = &input.shader.entry_points[0];
    convert_entry(&input, entry, &Options::default()).map(|output| output.words)
}

#[track_caller]
fn refused(result: Result<Vec<u32>, Error>, expected: InvalidKind) {
    match result {
        Err(Error::Invalid { kind, .. }) => assert_eq!(kind, expected),
        other => panic!("{:?}", other.map(|words| words.len())),
    }
}

#[test]
fn an_operation_on_other_types_is_an_error() {
    // The number of the thread, an integer, as an operation on floats.
    let shader = "arithmetic/int32.dxil";
    assert!(with_code(shader, Op::ThreadId, Op::ThreadId).is_ok());
    refused(
        with_code(shader, Op::ThreadId, Op::FAbs),
        InvalidKind::Operand,
    );
}

#[test]
fn a_division_has_no_carry() {
    let shader = "arithmetic/add_with_carry.dxil";
    assert!(with_code(shader, Op::UAddc, Op::USubb).is_ok());
    refused(with_code(shader, Op::UAddc, Op::UDiv), InvalidKind::Operand);
}

#[test]
fn a_branch_on_a_later_value_is_an_error() {
    let bytes = common::shader("control_flow/collatz.dxil");
    let mut input = trellis_dxil_frontend::read(&bytes).expect("the corpus is valid");
    let functions = input.module.functions.values_mut();
    let function = { functions }.find(|f| !f.is_declaration).unwrap();
    let mut branches: Vec<_> = function.insts.values_mut().collect();
    branches.retain(|inst| matches!(inst.kind, InstKind::CondBr { .. }));
    let [first, .., last] = &mut branches[..] else {
        panic!("it has several branches");
    };
    if let (InstKind::CondBr { cond, .. }, InstKind::CondBr { cond: later, .. }) =
        (&mut first.kind, &last.kind)
    {
        *cond = *later;
    }
    let entry = &input.shader.entry_points[0];
    let result = convert_entry(&input, entry, &Options::default());
    refused(result.map(|output| output.words), InvalidKind::Value);
}

/// The opcode determines an operation, not the name of the called function.
#[test]
fn operations_by_other_names_are_the_same() {
    for shader in [
        "pixel_io/unused_and_void.dxil",
        "pixel_io/barycentrics.dxil",
        "atomics/texture.dxil",
        "atomics/typed_64.dxil",
        "atomics/float_compare_typed.dxil",
        "atomics/heap_typed_64.dxil",
        "barriers/memory_flags.dxil",
        "cbuffers/not_legacy.dxil",
        "mesh/amplification_loops.dxil",
        "raytracing/any_hit_loop.dxil",
        "resources/rasterizer_ordered.dxil",
        "work_graphs/barriers.dxil",
    ] {
        let bytes = common::shader(shader);
        let mut input = trellis_dxil_frontend::read(&bytes).expect("the corpus is valid");
        let mut options = Options::default().with_shader_enqueue(true);
        options.extensions.read_without_format = false;
        let convert = |input: &Input<'_>| {
            let entry = input.shader.shaders().next().expect("one");
            convert_entry(input, entry, &options).map(|output| output.words)
        };
        let expected = convert(&input).expect("it converts");
        for (number, function) in input.module.functions.values_mut().enumerate() {
            if function.name.starts_with("dx.op.") {
                function.name = format!("dx.op.x{number}").into();
            }
        }
        assert_eq!(convert(&input).expect("it converts"), expected, "{shader}");
    }
}

#[test]
fn a_number_that_the_stage_lacks_is_an_error() {
    let shader = "compute/identifiers.dxil";
    let index = Op::FlattenedThreadIdInGroup;
    assert!(with_code(shader, index, index).is_ok());
    let lacking = [
        Op::StartInstanceLocation,
        Op::SampleIndex,
        Op::IgnoreHit,
        Op::RayTMin,
    ];
    for op in lacking {
        refused(with_code(shader, index, op), InvalidKind::Stage);
    }
    let hull = "tessellation/bicubic_patch.dxil";
    for op in [Op::DerivCoarseX, Op::ThreadId, Op::Discard, Op::EmitStream] {
        refused(with_code(hull, Op::Sqrt, op), InvalidKind::Stage);
    }
}

/// Converts a shader whose read-only 2D textures are made writable, and writable ones read-only.
fn with_other_class(shader: &str) -> Result<Vec<u32>, Error> {
    /// `Texture2D`, and the flag of writable resources, in a handle's properties.
    const CODES: [u64; 2] = [2, 2 | 1 << 12];
    let bytes = common::shader(shader);
    let mut input = trellis_dxil_frontend::read(&bytes).expect("the corpus is valid");
    for constant in input.module.constants.values_mut() {
        match constant.value {
            Constant::Int(code) if CODES.contains(&code) => {
                constant.value = Constant::Int(code ^ 1 << 12);
            }
            _ => {}
        }
    }
    let entry = &input.shader.entry_points[0];
    convert_entry(&input, entry, &Options::default()).map(|output| output.words)
}

#[test]
fn only_writable_textures_have_atomics_and_only_others_samples() {
    let atomics = with_other_class("atomics/float_compare_typed.dxil");
    refused(atomics, InvalidKind::Resource);
    let samples = with_other_class("options/shader_models.sm66.dxil");
    refused(samples, InvalidKind::Resource);
}

#[test]
fn a_group_without_threads_is_an_error() {
    let bytes = common::shader("arithmetic/int32.dxil");
    let mut input = trellis_dxil_frontend::read(&bytes).expect("the corpus is valid");
    let mut entry = input.shader.entry_points.remove(0);
    entry.properties.num_threads = Some([64, 0, 1]);
    let result = convert_entry(&input, &entry, &Options::default());
    refused(
        result.map(|output| output.words),
        InvalidKind::StageProperty,
    );
}

/// `IgnoreHit` ends its block only in any-hit shaders, and is refused in others.
#[test]
fn a_hit_ignored_in_a_closest_hit_shader_is_an_error() {
    let bytes = common::shader("raytracing/report_hit.dxil");
    let mut input = trellis_dxil_frontend::read(&bytes).expect("the corpus is valid");
    let entries = &mut input.shader.entry_points;
    let any_hit = {
        entries
            .iter()
            .position(|entry| entry.kind == ShaderKind::AnyHit)
    };
    let mut entry = entries.remove(any_hit.expect("there is one"));
    let converted = convert_entry(&input, &entry, &Options::default());
    assert!(converted.is_ok());
    entry.kind = ShaderKind::ClosestHit;
    let result = convert_entry(&input, &entry, &Options::default());
    refused(result.map(|output| output.words), InvalidKind::Stage);
}

#[test]
fn a_stream_of_inputs_is_an_error() {
    let bytes = common::shader("tessellation/displacement.ds.dxil");
    let mut input = trellis_dxil_frontend::read(&bytes).expect("the corpus is valid");
    let mut entry = input.shader.entry_points.remove(0);
    for element in &mut entry.signatures.input {
        element.stream = 1;
    }
    let result = convert_entry(&input, &entry, &Options::default());
    refused(result.map(|output| output.words), InvalidKind::Signature);
}

#[test]
fn an_amplification_shader_that_dispatches_nothing_is_an_error() {
    let bytes = common::shader("mesh/instance_batches.as_split.dxil");
    let mut input = trellis_dxil_frontend::read(&bytes).expect("the corpus is valid");
    // Each block but the first repeats without end.
    for function in input.module.functions.values_mut() {
        for (target, block) in function.blocks.iter().skip(1) {
            let end = block.insts.last().expect("a terminator");
            function.insts[end].kind = InstKind::Br { target };
        }
    }
    let entry = input.shader.entry_points[0].clone();
    let result = convert_entry(&input, &entry, &Options::default());
    refused(result.map(|output| output.words), InvalidKind::ControlFlow);
}

/// Rasterizer-ordered views have no order in a compute shader: its entry point has no critical
/// section.
#[test]
fn ordered_views_in_a_compute_shader_are_plain() {
    let bytes = common::shader("textures/load_store_2d.dxil");
    let mut input = trellis_dxil_frontend::read(&bytes).expect("the corpus is valid");
    let mut ordered = 0;
    for resource in &mut input.shader.resources {
        if resource.kind == ResourceKind::Texture2D {
            resource.rasterizer_ordered = true;
            ordered += 1;
        }
    }
    assert!(ordered > 0);
    let entry = &input.shader.entry_points[0];
    let output = convert_entry(&input, entry, &Options::default()).expect("it converts");
    let module = rspirv::dr::load_words(output.words).expect("SPIR-V");
    let interlock = Capability::FragmentShaderPixelInterlockEXT;
    assert!(
        !module
            .capabilities
            .iter()
            .any(|c| c.operands[0] == interlock.into())
    );
}
