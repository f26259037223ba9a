//! The translation of the operations and the stage interface, on the SPIR-V of corpus shaders.

use std::collections::HashMap;

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{
    BuiltIn, Capability, Decoration, GlslStd450Op as GLOp, ImageFormat, ImageOperands, Op,
    StorageClass, Word,
};
use trellis_spirv_backend::options::FloatToInt;
use trellis_spirv_backend::{Options, Target, convert, convert_entry};

use crate::common;

/// Converts a shader of the corpus.
fn module(shader: &str, options: &Options) -> Module {
    let dxil = common::shader(&format!("{shader}.dxil"));
    let output = convert(&dxil, options).unwrap_or_else(|e| panic!("{shader}: {e}"));
    rspirv::dr::load_words(output.words).unwrap_or_else(|e| panic!("{shader}: {e}"))
}

/// Instructions of all functions with one of these opcodes.
fn body<'a>(module: &'a Module, ops: &'a [Op]) -> impl Iterator<Item = &'a Instruction> {
    module
        .functions
        .iter()
        .flat_map(|f| &f.blocks)
        .flat_map(|b| &b.instructions)
        .filter(|i| ops.contains(&i.class.opcode))
}

/// Returns all instructions that have a result, by id.
fn definitions(module: &Module) -> HashMap<Word, &Instruction> {
    module
        .all_inst_iter()
        .filter_map(|i| Some((i.result_id?, i)))
        .collect()
}

fn id(instruction: &Instruction, operand: usize) -> Word {
    instruction.operands[operand].id_ref_any().expect("an id")
}

/// Returns the literal of a scalar constant.
fn constant(definition: &Instruction) -> Option<u64> {
    match (definition.class.opcode, definition.operands.first()) {
        (Op::Constant, Some(Operand::LiteralBit32(v))) => Some((*v).into()),
        (Op::Constant, Some(Operand::LiteralBit64(v))) => Some(*v),
        _ => None,
    }
}

/// Values of a decoration by the id that it decorates.
fn decorations(module: &Module, decoration: Decoration) -> HashMap<Word, u32> {
    let wanted = Operand::Decoration(decoration);
    let value = |i: &Instruction| match i.operands.get(2) {
        Some(Operand::LiteralBit32(v)) => *v,
        Some(Operand::BuiltIn(b)) => *b as u32,
        _ => 0,
    };
    module
        .annotations
        .iter()
        .filter(|i| i.class.opcode == Op::Decorate && i.operands[1] == wanted)
        .map(|i| (id(i, 0), value(i)))
        .collect()
}

fn has_builtin(module: &Module, builtin: BuiltIn) -> bool {
    decorations(module, Decoration::BuiltIn)
        .values()
        .any(|&b| b == builtin as u32)
}

fn has_capability(module: &Module, capability: Capability) -> bool {
    module
        .capabilities
        .iter()
        .any(|i| i.operands[0] == Operand::Capability(capability))
}

#[test]
fn no_division_can_be_by_zero() {
    for shader in [
        "arithmetic/int32",
        "arithmetic/int64",
        "arithmetic/int16",
        "arithmetic/int16.min",
        "arithmetic/division_by_constant",
    ] {
        let module = module(shader, &Options::default());
        let definitions = definitions(&module);
        let mut divisions = 0;
        for division in body(&module, &[Op::UDiv, Op::UMod, Op::SDiv, Op::SRem]) {
            divisions += 1;
            let divisor = definitions[&id(division, 1)];
            // A magnitude is at least 1 after a maximum with 1.
            let is_one = |at| constant(definitions[&id(divisor, at)]) == Some(1);
            let is_max = divisor.class.opcode == Op::ExtInst
                && divisor.operands[1] == Operand::LiteralExtInstInteger(GLOp::UMax as u32);
            let guarded = divisor.class.opcode == Op::Select || is_max && is_one(3);
            assert!(
                guarded || constant(divisor).is_some_and(|c| c != 0),
                "{shader}: {division:?} by {divisor:?}"
            );
        }
        assert!(divisions > 0, "{shader} has divisions");
    }
}

#[test]
fn a_remainder_of_64_bits_is_of_its_quotient() {
    // Drivers make the same instruction of a quotient and of that in its remainder.
    let module = module("arithmetic/int64", &Options::default());
    assert_eq!(body(&module, &[Op::UMod, Op::SRem]).count(), 0);
    let quotients: Vec<_> = body(&module, &[Op::UDiv]).collect();
    let operands = |at: usize| (id(quotients[at], 0), id(quotients[at], 1));
    assert_eq!(quotients.len(), 4);
    assert_eq!(operands(2).0, operands(3).0);
}

#[test]
fn shift_amounts_stay_below_the_width() {
    let module = module("arithmetic/shift_amounts", &Options::default());
    let definitions = definitions(&module);
    let width = |ty: Word| match definitions[&ty].operands[0] {
        Operand::LiteralBit32(width) => u64::from(width),
        ref other => panic!("{other:?}"),
    };
    let mut shifts = 0;
    for shift in body(
        &module,
        &[
            Op::ShiftLeftLogical,
            Op::ShiftRightLogical,
            Op::ShiftRightArithmetic,
        ],
    ) {
        shifts += 1;
        let width = width(shift.result_type.expect("a type"));
        let mut amount = definitions[&id(shift, 1)];
        // A mask taken before a conversion of the amount to the width of the value counts.
        while matches!(amount.class.opcode, Op::UConvert | Op::SConvert) {
            amount = definitions[&id(amount, 0)];
        }
        let bound = match amount.class.opcode {
            Op::BitwiseAnd => (0..2)
                .filter_map(|i| constant(definitions[&id(amount, i)]))
                .min(),
            _ => constant(amount),
        };
        assert!(bound.is_some_and(|b| b < width), "{shift:?} by {amount:?}");
    }
    assert!(shifts >= 9, "{shifts} shifts");
}

#[test]
fn the_w_of_the_position_is_inverted() {
    let module = module("pixel_io/position_w", &Options::default());
    let definitions = definitions(&module);
    let reciprocals: Vec<_> = body(&module, &[Op::FDiv]).collect();
    assert_eq!(reciprocals.len(), 1);
    assert_eq!(
        constant(definitions[&id(reciprocals[0], 0)]),
        Some(1.0f32.to_bits().into())
    );
    let loaded = definitions[&id(reciprocals[0], 1)];
    let pointer = definitions[&id(loaded, 0)];
    assert_eq!(constant(definitions[&id(pointer, 1)]), Some(3));
    assert_eq!(
        decorations(&module, Decoration::BuiltIn).get(&id(pointer, 0)),
        Some(&(BuiltIn::FragCoord as u32))
    );
}

#[test]
fn vertex_and_instance_index_lose_their_base_on_request() {
    let module_d3d = module("vertex_io/system_values", &Options::default());
    assert!(
        has_builtin(&module_d3d, BuiltIn::BaseVertex)
            && has_builtin(&module_d3d, BuiltIn::BaseInstance)
    );
    assert!(has_capability(&module_d3d, Capability::DrawParameters));
    assert_eq!(body(&module_d3d, &[Op::ISub]).count(), 2);
    let vulkan = Options::default()
        .with_vertex_id_zero_based(false)
        .with_instance_id_zero_based(false);
    let module_vulkan = module("vertex_io/system_values", &vulkan);
    assert!(
        !has_builtin(&module_vulkan, BuiltIn::BaseVertex)
            && !has_builtin(&module_vulkan, BuiltIn::BaseInstance)
    );
    assert!(
        has_builtin(&module_vulkan, BuiltIn::VertexIndex)
            && has_builtin(&module_vulkan, BuiltIn::InstanceIndex)
    );
    assert_eq!(body(&module_vulkan, &[Op::ISub]).count(), 0);
}

#[test]
fn dual_source_outputs_share_a_location() {
    let sorted = |map: HashMap<Word, u32>| {
        let mut values: Vec<_> = map.into_values().collect();
        values.sort_unstable();
        values
    };
    let plain = module("pixel_io/dual_source", &Options::default());
    assert!(decorations(&plain, Decoration::Index).is_empty());
    let dual = module(
        "pixel_io/dual_source",
        &Options::default().with_dual_source(true),
    );
    assert_eq!(sorted(decorations(&dual, Decoration::Index)), [0, 1]);
    // Blending with two sources has one target: further outputs have nowhere to go.
    let more = module(
        "pixel_io/target_components",
        &Options::default().with_dual_source(true),
    );
    assert_eq!(sorted(decorations(&more, Decoration::Index)), [0, 1]);
}

#[test]
fn packed_inputs_do_not_overlap() {
    let module = module("pixel_io/packed_inputs", &Options::default());
    let (locations, components) = (
        decorations(&module, Decoration::Location),
        decorations(&module, Decoration::Component),
    );
    let mut places: Vec<_> = module
        .types_global_values
        .iter()
        .filter(|i| {
            i.class.opcode == Op::Variable
                && i.operands[0] == Operand::StorageClass(StorageClass::Input)
        })
        .filter_map(|i| i.result_id)
        .filter_map(|id| {
            Some((
                *locations.get(&id)?,
                components.get(&id).copied().unwrap_or(0),
            ))
        })
        .collect();
    let count = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), count);
    assert!(
        places.iter().any(|&(_, component)| component > 0),
        "the shader packs inputs into one row: {places:?}"
    );
}

#[test]
fn sixteen_bit_stage_io_is_an_option() {
    let wide = module("vertex_io/sixteen_bit", &Options::default());
    assert!(!has_capability(&wide, Capability::StorageInputOutput16));
    let narrow = module(
        "vertex_io/sixteen_bit",
        &Options::default().with_io_16bit(true),
    );
    assert!(has_capability(&narrow, Capability::StorageInputOutput16));
}

#[test]
fn packed_dot_products_follow_the_target_and_the_option() {
    let new = module("arithmetic/packed_dot", &Options::default());
    assert!(body(&new, &[Op::SDot]).count() > 0 && body(&new, &[Op::UDot]).count() > 0);
    let old = module(
        "arithmetic/packed_dot",
        &Options::default().with_target(Target::Vulkan1_1),
    );
    let expanded = module(
        "arithmetic/packed_dot",
        &Options::default().with_integer_dot_product(false),
    );
    for module in [&old, &expanded] {
        assert_eq!(body(module, &[Op::SDot, Op::UDot]).count(), 0);
        assert!(body(module, &[Op::BitFieldSExtract, Op::BitFieldUExtract]).count() > 0);
        assert!(!has_capability(module, Capability::DotProduct));
        assert!(!has_capability(
            module,
            Capability::DotProductInput4x8BitPacked
        ));
    }
}

#[test]
fn helper_lanes_take_part_in_wave_operations_only_on_request() {
    let masked = module("waves/pixel_helper_lanes", &Options::default());
    let definitions = definitions(&masked);
    for ballot in body(&masked, &[Op::GroupNonUniformBallot]) {
        assert_eq!(
            definitions[&id(ballot, 1)].class.opcode,
            Op::LogicalAnd,
            "{ballot:?}"
        );
    }
    let included = module("waves/pixel_include_helpers", &Options::default());
    let definitions = self::definitions(&included);
    let mut sums = 0;
    for sum in body(&included, &[Op::GroupNonUniformFAdd]) {
        sums += 1;
        assert_ne!(definitions[&id(sum, 2)].class.opcode, Op::Select, "{sum:?}");
    }
    assert!(sums > 0);
}

#[test]
fn what_only_helper_lanes_read_first_is_zero() {
    let bytes = common::shader("waves/pixel_include_helpers.dxil");
    let mut input = trellis_dxil_frontend::read(&bytes).unwrap();
    // Without the attribute that includes them.
    for group in &mut input.module.attribute_groups {
        group.attributes.clear();
    }
    let entry = input.shader.shaders().next().unwrap();
    let output = convert_entry(&input, entry, &Options::default()).unwrap();
    let m = rspirv::dr::load_words(output.words).unwrap();
    let read = body(&m, &[Op::GroupNonUniformShuffle]).next().unwrap();
    let definitions = definitions(&m);
    let mut selects = body(&m, &[Op::Select]);
    let select = selects.find(|select| Some(id(select, 1)) == read.result_id);
    let zero = definitions[&id(select.unwrap(), 2)];
    assert_eq!(zero.class.opcode, Op::ConstantNull);
}

#[test]
fn the_sample_count_is_a_specialization_constant() {
    let module = module(
        "textures/multisample",
        &Options::default().with_sample_count_spec_id(7),
    );
    let constants: Vec<_> = module
        .types_global_values
        .iter()
        .filter(|i| i.class.opcode == Op::SpecConstant)
        .collect();
    assert_eq!(constants.len(), 1);
    let id = constants[0].result_id.expect("an id");
    assert_eq!(decorations(&module, Decoration::SpecId).get(&id), Some(&7));
}

#[test]
fn samples_with_computed_offsets_are_an_option() {
    let samples = [
        Op::ImageSampleImplicitLod,
        Op::ImageSampleExplicitLod,
        Op::ImageSampleDrefImplicitLod,
    ];
    let with_offset = |m: &Module, ops: &[Op]| {
        let offset = |o: &Operand| matches!(o, Operand::ImageOperands(mask) if mask.contains(ImageOperands::OFFSET));
        body(m, ops)
            .filter(|i| i.operands.iter().any(offset))
            .count()
    };
    let m = module(
        "../../spirv-backend/tests/data/dynamic_offset",
        &Options::default().with_dynamic_offsets(true),
    );
    let shader = include_bytes!("../data/dynamic_offset.dxil");
    let error = convert(shader, &Options::default())
        .expect_err("not by default")
        .to_string();
    assert!(error.contains("--dynamic-offsets"), "{error}");
    assert_eq!(
        (with_offset(&m, &samples), body(&m, &samples).count()),
        (4, 4)
    );
    assert!(has_capability(&m, Capability::ImageGatherExtended));
    // Gathers may have them anyway.
    let gathers = [Op::ImageGather, Op::ImageDrefGather];
    let m = module("textures/dynamic_offset_gather", &Options::default());
    assert_eq!(with_offset(&m, &gathers), body(&m, &gathers).count());
}

#[test]
fn points_have_the_size_of_d3d() {
    let m = module("vertex_io/transform", &Options::default());
    assert!(has_builtin(&m, BuiltIn::PointSize));
    let m = module(
        "vertex_io/transform",
        &Options::default().with_point_size(false),
    );
    assert!(!has_builtin(&m, BuiltIn::PointSize));
    assert!(
        !has_builtin(
            &module("vertex_io/no_position", &Options::default()),
            BuiltIn::PointSize
        ),
        "nothing is drawn"
    );
}

#[test]
fn a_raw_gather_of_64_bits_takes_both_components() {
    // Direct3D's view of this texture is R32G32_UINT.
    let module = module("textures/gather_raw", &Options::default());
    let definitions = definitions(&module);
    let components: Vec<_> = body(&module, &[Op::ImageGather])
        .map(|gather| constant(definitions[&id(gather, 2)]))
        .collect();
    assert_eq!(components, [Some(0), Some(0), Some(0), Some(1), Some(0)]);
}

#[test]
fn the_size_of_a_level_that_is_not_there_is_zero() {
    let m = module("textures/dimensions", &Options::default());
    let defs = definitions(&m);
    let sizes: Vec<_> = body(&m, &[Op::ImageQuerySizeLod]).collect();
    let known = |size: &&Instruction| defs.get(&id(size, 1)).copied().and_then(constant) == Some(0);
    let first = sizes.iter().copied().filter(|size| known(size)).count();
    assert!(first > 0 && sizes.len() > first);
    let others = sizes.iter().filter(|size| !known(size));
    let others: Vec<_> = others.filter_map(|size| size.result_id).collect();
    let chosen = body(&m, &[Op::Select]).filter(|select| others.contains(&id(select, 1)));
    assert_eq!(chosen.count(), sizes.len() - first);
}

#[test]
fn without_quads_there_are_no_derivatives() {
    let m = module("compute/samples_without_quads", &Options::default());
    let samples: Vec<_> = body(&m, &[Op::ImageSampleExplicitLod]).collect();
    assert_eq!(samples.len(), 2);
    for sample in samples {
        let grad = Operand::ImageOperands(ImageOperands::GRAD);
        assert_eq!(sample.operands.get(2), Some(&grad));
    }
    assert_eq!(
        body(&m, &[Op::ImageSampleImplicitLod, Op::ImageQueryLod]).count(),
        0
    );
    let m = module("compute/derivatives_without_quads", &Options::default());
    assert_eq!(body(&m, &[Op::DPdxCoarse, Op::DPdyFine]).count(), 0);
}

#[test]
fn feedback_maps_are_images_of_64_bits() {
    let m = module("sampler_feedback/kinds", &Options::default());
    // Ten operations mark two levels each.
    let atomics: Vec<_> = body(&m, &[Op::AtomicOr]).collect();
    assert_eq!(atomics.len(), 20);
    let format = Operand::ImageFormat(ImageFormat::R64ui);
    let images = m.types_global_values.iter();
    let images = images.filter(|i| i.class.opcode == Op::TypeImage && i.operands.contains(&format));
    assert_eq!(images.count(), 2, "one with layers, one without");
    // The level of implicit samples, and of those with a bias before it is clamped.
    let defined = definitions(&m);
    let components: Vec<_> = body(&m, &[Op::CompositeExtract])
        .filter(|i| defined[&id(i, 0)].class.opcode == Op::ImageQueryLod)
        .map(|i| i.operands[1].clone())
        .collect();
    let expected = [0, 0, 1, 0, 1, 0].map(Operand::LiteralBit32);
    assert_eq!(components, expected);
    let caps: Vec<_> = m
        .capabilities
        .iter()
        .map(|i| i.operands[0].clone())
        .collect();
    for capability in [Capability::Int64ImageEXT, Capability::Int64Atomics] {
        assert!(caps.contains(&Operand::Capability(capability)));
    }
    // An image that decides about the texel of a map by a non-uniform index.
    assert!(decorations(&m, Decoration::NonUniform).len() > 1);
}

#[test]
fn a_precise_mad_is_rounded_twice() {
    let count = |options: &Options, op| {
        let module = module("arithmetic/precise_mad", options);
        let list = [op];
        body(&module, &list).count()
    };
    let fused = |options: &Options| {
        let module = module("arithmetic/precise_mad", options);
        let fma = Operand::LiteralExtInstInteger(GLOp::Fma as u32);
        let list = [Op::ExtInst];
        body(&module, &list)
            .filter(|i| i.operands[1] == fma)
            .count()
    };
    let plain = Options::default();
    // A half, a float and a double.
    assert_eq!((count(&plain, Op::FMul), count(&plain, Op::FAdd)), (3, 3));
    assert_eq!(fused(&plain), 0);
    let module = module("arithmetic/precise_mad", &plain);
    let exact = decorations(&module, Decoration::NoContraction);
    let list = [Op::FMul, Op::FAdd];
    assert!(body(&module, &list).all(|i| exact.contains_key(&i.result_id.unwrap_or(0))));
    let mut quirk = Options::default();
    quirk.quirks.precise_fma = true;
    assert_eq!((count(&quirk, Op::FMul), fused(&quirk)), (0, 3));
}

#[test]
fn floats_become_integers_by_the_device_on_request() {
    let count = |shader: &str, op: GLOp, options: &Options| {
        let module = module(shader, options);
        let op = Operand::LiteralExtInstInteger(op as u32);
        let list = [Op::ExtInst];
        body(&module, &list).filter(|i| i.operands[1] == op).count()
    };
    let native = Options::default().with_float_to_int(FloatToInt::Native);
    // Of the last shader the conversions to 64 bits are clamped, and a float that becomes 16 bits after
    // the conversion to 32.
    for (shader, clamped, bounds) in [("casts", 0, 0), ("half_native", 0, 0), ("casts_wide", 2, 1)]
    {
        let shader = format!("arithmetic/{shader}");
        assert!(count(&shader, GLOp::NClamp, &Options::default()) > clamped);
        assert_eq!(count(&shader, GLOp::NClamp, &native), clamped, "{shader}");
        assert_eq!(count(&shader, GLOp::SClamp, &native), bounds, "{shader}");
    }
}

#[test]
fn halves_that_were_floats_keep_their_bits() {
    let module = module("arithmetic/half_packing", &Options::default());
    let types = definitions(&module);
    let is_half = |i: &&Instruction| {
        let ty = i.result_type.and_then(|ty| types.get(&ty));
        ty.is_some_and(|ty| ty.operands.first() == Some(&Operand::LiteralBit32(16)))
    };
    // Some are converted to floats, none back.
    let conversions = [Op::FConvert];
    assert_eq!(body(&module, &conversions).filter(is_half).count(), 0);
    // Addresses with constants are sums; what may have bits in common, and what joins two variables, is
    // still joined by `|`.
    let (or, add) = ([Op::BitwiseOr], [Op::IAdd]);
    assert_eq!(body(&module, &or).count(), 2);
    assert!(body(&module, &add).count() >= 3);
}

#[test]
fn a_critical_section_spans_the_accesses_only() {
    let list = [
        Op::BeginInvocationInterlockEXT,
        Op::EndInvocationInterlockEXT,
        Op::ImageRead,
        Op::ImageWrite,
        Op::Load,
        Op::Return,
    ];
    let module = module("resources/rasterizer_ordered", &Options::default());
    let ops: Vec<Op> = body(&module, &list).map(|i| i.class.opcode).collect();
    let begin = ops.iter().position(|&op| op == list[0]).expect("a begin");
    // The position and the color are loaded before.
    assert!(ops[..begin].iter().all(|&op| op == Op::Load), "{ops:?}");
    assert!(begin >= 6, "{ops:?}");
    assert!(ops[begin..].contains(&Op::ImageRead));
    assert!(ops.ends_with(&[Op::EndInvocationInterlockEXT, Op::Return]));
}
