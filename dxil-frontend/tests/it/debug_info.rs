//! Debug information as typed nodes: of a compiled shader, and of damaged records.

use trellis_dxil_frontend::debug_info::{
    DebugNode, Operation, VariableUseKind, VariableUses, arguments, compiler, main_file_name,
    sources,
};
use trellis_dxil_frontend::metadata::{MdId, MdNode};
use trellis_dxil_frontend::module::Module;
use trellis_dxil_frontend::read_with_debug_info;

/// A pixel shader, compiled with `-Zi -Qembed_debug`.
const PIXEL: &[u8] = include_bytes!("../data/pixel_debug.dxil");

fn module() -> Module {
    *read_with_debug_info(PIXEL).unwrap().module
}

#[test]
fn sources_are_those_of_the_compiler() {
    let module = module();
    let metadata = &module.metadata;
    let all: Vec<_> = sources(metadata).collect();
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].name, "pixel.hlsl");
    assert_eq!(all[0].text, include_str!("../data/pixel.hlsl"));
    assert_eq!(main_file_name(metadata).as_deref(), Some("pixel.hlsl"));
    assert!(compiler(metadata).unwrap().starts_with("dxc"));
    assert!(arguments(metadata).any(|argument| argument == "-Zi"));
}

#[test]
fn each_location_is_in_a_function_of_the_source() {
    let module = module();
    let metadata = &module.metadata;
    let lines = sources(metadata).next().unwrap().text.lines().count() as u32;
    let mut locations = 0;
    for location in module.functions.values().flat_map(|f| &f.debug_locs) {
        locations += 1;
        assert!((1..=lines).contains(&location.line), "{location:?}");
        let mut scope = Some(location.scope);
        let function = loop {
            match metadata.debug_node(scope.unwrap()) {
                Some(DebugNode::LexicalBlock(block)) => scope = block.scope,
                Some(DebugNode::Subprogram(function)) => break function,
                other => panic!("{other:?} as a scope"),
            }
        };
        assert!(function.is_definition && function.line <= location.line);
        let Some(DebugNode::File(file)) = metadata.debug_node(function.file.unwrap()) else {
            panic!("a function without a file");
        };
        assert_eq!(file.name.as_deref(), Some("pixel.hlsl"));
        if let Some(at) = location.inlined_at {
            assert!(matches!(
                metadata.debug_node(at),
                Some(DebugNode::Location(_))
            ));
        }
    }
    assert!(locations > 5);
}

#[test]
fn uses_of_variables_name_them_and_their_parts() {
    let module = module();
    let uses = VariableUses::new(&module);
    let (_, main) = (module.functions.iter())
        .find(|(_, f)| !f.debug_locs.is_empty())
        .unwrap();
    let mut names = Vec::new();
    for inst in main.insts.keys() {
        let Some(found) = uses.parse(&module, main, inst) else {
            continue;
        };
        assert_eq!(found.kind, VariableUseKind::Value);
        let (Some(DebugNode::LocalVariable(variable)), Some(DebugNode::Expression(expression))) = (
            module.metadata.debug_node(found.variable),
            module.metadata.debug_node(found.expression),
        ) else {
            panic!("{found:?}");
        };
        let piece = match expression.operations().next() {
            Some(Operation::BitPiece { offset, size }) => format!(" {offset}+{size}"),
            _ => String::new(),
        };
        names.push(format!("{}{piece}", variable.name.unwrap()));
    }
    names.sort();
    names.dedup();
    let expected = "j, p 0+32, p 32+32, s, s 0+32, s 32+32, s 64+32, s 96+32, uv 0+32, uv 32+32";
    assert_eq!(names.join(", "), expected);
}

/// Decoding follows no reference, so that any record has a result.
#[test]
fn damaged_records_are_decoded() {
    let mut module = module();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let count = module.metadata.nodes.len() as u64;
    let records = module.metadata.records.len() as u64;
    for _ in 0..20_000 {
        let value = match next() % 4 {
            0 => next(),
            1 => u64::from(u32::MAX) + next() % 3,
            _ => next() % (count + 3),
        };
        module.metadata.records[(next() % records) as usize] = value;
        let id = MdId::from_u32((next() % count) as u32);
        if let MdNode::Debug { code, .. } = &mut module.metadata.nodes[id] {
            *code = 7 + (next() % 30) as u32;
        }
        match module.metadata.debug_node(id) {
            Some(DebugNode::Expression(expression)) => {
                expression.piece();
                assert!(expression.operations().count() < 64);
            }
            node => drop(node),
        }
    }
    let uses = VariableUses::new(&module);
    for function in module.functions.values() {
        for inst in function.insts.keys() {
            uses.parse(&module, function, inst);
            uses.layout(&module, function, inst);
        }
    }
}
