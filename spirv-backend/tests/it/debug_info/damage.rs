//! Damaged debug information: it never makes a conversion fail, and takes little time and memory.

use std::time::Instant;

use shader_testkit::{Random, number};
use trellis_dxil_frontend::metadata::{MdId, MdNode};
use trellis_dxil_frontend::{Input, read_with_debug_info};
use trellis_spirv_backend::{Options, convert, convert_entry};

/// Damages a few debug-info nodes: fields, kinds, and operands of the tuples that they use.
fn damage(input: &mut Input<'_>, random: &mut Random) {
    let metadata = &mut input.module.metadata;
    let nodes = metadata.nodes.len();
    let debug: Vec<MdId> = (metadata.nodes.iter())
        .filter(|(_, node)| matches!(node, MdNode::Debug { .. }))
        .map(|(id, _)| id)
        .collect();
    for _ in 0..=random.below(12) {
        let id = debug[random.below(debug.len())];
        let MdNode::Debug { code, fields } = &mut metadata.nodes[id] else {
            continue;
        };
        let value = match random.below(6) {
            0 => random.any(),
            1 => 0,
            // A circle as a rule.
            2 => u64::from(id.as_u32()) + 1,
            _ => random.below(nodes) as u64 + 1,
        };
        match random.below(8) {
            0 => *code = 7 + random.below(30) as u32,
            _ if fields.is_empty() => {}
            _ => metadata.records[fields.start as usize + random.below(fields.len())] = value,
        }
    }
    for location in input
        .module
        .functions
        .values_mut()
        .flat_map(|f| &mut f.debug_locs)
    {
        if random.below(16) == 0 {
            location.scope = MdId::from_u32(random.below(nodes) as u32);
            location.inlined_at = Some(MdId::from_u32(random.below(nodes) as u32));
        }
    }
}

/// `TRELLIS_DAMAGED` is the number of damaged inputs for each shader.
#[test]
fn damaged_nodes_are_left_out() {
    let mut random = Random(number("TRELLIS_SEED", 0x5eed_0005));
    let count = number("TRELLIS_DAMAGED", 400) as usize;
    let plain = Options::default().with_names(false);
    for (path, bytes) in super::shaders() {
        let expected = convert(&bytes, &plain).unwrap();
        let expected = super::strip::stripped(&expected.words);
        for index in 0..count {
            let mut input = read_with_debug_info(&bytes).unwrap();
            damage(&mut input, &mut random);
            let entry = input.shader.shaders().next().unwrap();
            let options = super::options().with_names(false);
            let output = convert_entry(&input, entry, &options);
            let output =
                output.unwrap_or_else(|error| panic!("{} {index}: {error}", path.display()));
            if index % 8 == 0 {
                assert_eq!(super::strip::stripped(&output.words), expected);
            }
        }
    }
}

/// Bits of the `ILDB` program are flipped: the other program is converted if that cannot be read, so
/// that there is a result as a rule, and never a panic.
#[test]
fn damaged_programs_are_converted_without() {
    let mut random = Random(number("TRELLIS_SEED", 0x5eed_0006));
    let count = number("TRELLIS_DAMAGED", 400) as usize;
    for (path, bytes) in super::shaders() {
        let part = bytes.windows(4).position(|name| name == b"ILDB").unwrap();
        let size = u32::from_le_bytes(*bytes[part + 4..].first_chunk().unwrap()) as usize;
        let mut converted = 0;
        for _ in 0..count {
            let mut damaged = bytes.clone();
            for _ in 0..=random.below(4) {
                damaged[part + 8 + random.below(size)] ^= 1 << random.below(8);
            }
            converted += usize::from(convert(&damaged, &super::options()).is_ok());
        }
        assert!(
            converted * 2 > count,
            "{}: {converted} of {count}",
            path.display()
        );
    }
}

/// Every node refers to one long list: its output is bounded.
#[test]
fn shared_lists_do_not_multiply() {
    let (_, bytes) = &super::shaders()[0];
    let mut input = read_with_debug_info(bytes).unwrap();
    let metadata = &mut input.module.metadata;
    let structure = (metadata.nodes.iter()).find_map(|(_, node)| match *node {
        MdNode::Debug { code: 18, fields } => Some(fields),
        _ => None,
    });
    let fields = structure.unwrap();
    let member = metadata.records[fields.start as usize + 11] - 1;
    let member = metadata.operand(MdId::from_u32(member as u32), 0).unwrap();
    let start = metadata.operands.len() as u32;
    metadata
        .operands
        .extend(std::iter::repeat_n(member.as_u32() + 1, 20_000));
    let operands = trellis_dxil_frontend::module::PoolRange {
        start,
        end: metadata.operands.len() as u32,
    };
    let tuple = metadata.nodes.push(MdNode::Node {
        distinct: false,
        operands,
    });
    // All classes and function types have that list.
    let lists: Vec<usize> = (metadata.nodes.values())
        .filter_map(|node| match node {
            MdNode::Debug { code: 18, fields } => Some(fields.start as usize + 11),
            MdNode::Debug { code: 19, fields } => Some(fields.start as usize + 2),
            _ => None,
        })
        .collect();
    for list in lists {
        metadata.records[list] = u64::from(tuple.as_u32()) + 1;
    }
    let start = Instant::now();
    let entry = input.shader.shaders().next().unwrap();
    let words = convert_entry(&input, entry, &super::options())
        .unwrap()
        .words;
    assert!(words.len() < 1 << 20, "{} words", words.len());
    assert!(start.elapsed().as_secs() < 20);
}
