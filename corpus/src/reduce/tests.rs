//! Tests of the reduction on shaders of the project.

use trellis_dxil::frontend::dxop::{DxCall, Op};
use trellis_dxil::{Error, Options, convert};

use super::{ReduceError, Summary, reduce, remove};

/// Samples with an offset that is computed: not supported without an option.
const OFFSET: &[u8] = include_bytes!("../../../spirv-backend/tests/data/dynamic_offset.dxil");
const SWITCH: &[u8] = include_bytes!("../../shaders/control_flow/clip_in_switch.dxil");

/// Returns the result and the summary.
fn reduced(bytes: &[u8], mut test: impl FnMut(&[u8]) -> bool) -> (Vec<u8>, Summary) {
    let mut last = Vec::new();
    let summary = reduce(bytes, &mut test, &mut |progress| {
        last = progress.bytes.to_vec();
    });
    let summary = summary.expect("the condition holds for the shader");
    assert_eq!(last.len(), summary.after);
    (last, summary)
}

/// Returns the operations of a shader, in order.
fn operations(bytes: &[u8]) -> Vec<Op> {
    let Ok(input) = trellis_dxil::frontend::read(bytes) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for function in input.module.functions.values() {
        for inst in function.insts.keys() {
            if let Ok(Some(call)) = DxCall::parse(&input.module, function, inst) {
                found.push(call.op);
            }
        }
    }
    found
}

#[test]
fn a_shader_that_is_not_supported_stays_so_and_becomes_small() {
    let fails = |bytes: &[u8]| match convert(bytes, &Options::default()) {
        Err(Error::Unsupported { feature, .. }) => {
            let text = feature.to_string();
            text.contains("an offset that is not a constant")
        }
        _ => false,
    };
    let (small, summary) = reduced(OFFSET, fails);
    assert!(fails(&small));
    assert!(small.len() * 5 < OFFSET.len() * 2, "{summary:?}");
    let left = operations(&small);
    assert_eq!(left.len(), 8, "of {}: {left:?}", operations(OFFSET).len());
    assert_eq!(left.last(), Some(&Op::Sample));
    // The same again, with nothing more to remove.
    assert_eq!(reduced(OFFSET, fails).0, small);
    let (again, summary) = reduced(&small, fails);
    assert_eq!((again, summary.improvements), (small, 0));
}

/// A single operation is kept in a shader with a switch, which converts all the time.
#[test]
fn control_flow_is_removed() {
    let holds = |bytes: &[u8]| {
        operations(bytes).contains(&Op::StoreOutput) && convert(bytes, &Options::default()).is_ok()
    };
    let (small, _) = reduced(SWITCH, holds);
    let input = trellis_dxil::frontend::read(&small).expect("a shader");
    let function = { input.module.functions.values() }
        .find(|function| !function.is_declaration)
        .expect("the entry point");
    assert_eq!(function.blocks.len(), 1);
    assert_eq!(operations(&small), [Op::StoreOutput]);
    let container = input.container.expect("a container");
    assert_eq!(container.parts().len(), 1, "the program alone");
}

#[test]
fn a_condition_that_does_not_hold_is_an_error() {
    let result = |bytes: &[u8], holds: bool| reduce(bytes, &mut |_| holds, &mut |_| {});
    assert_eq!(result(SWITCH, false), Err(ReduceError::NotInteresting));
    assert!(matches!(
        result(b"DXBC", true),
        Err(ReduceError::Unread { .. })
    ));
    // Not if it depends on the bytes.
    let same = reduce(SWITCH, &mut |bytes| bytes == SWITCH, &mut |_| {});
    assert_eq!(same, Err(ReduceError::Encoding));
}

/// Whatever is kept is a file, and no file is a panic: each condition that a hash decides.
#[test]
fn random_conditions_end() {
    for seed in 0..4 {
        let test = |bytes: &[u8]| {
            let hash = blake3::keyed_hash(&[seed; 32], bytes);
            let _ = trellis_dxil::frontend::read(bytes);
            bytes == SWITCH || hash.as_bytes()[0] & 3 != 0
        };
        let mut last = Vec::new();
        let result = reduce(SWITCH, &mut { test }, &mut |progress| {
            last = progress.bytes.to_vec();
        });
        assert!(matches!(result, Ok(_) | Err(ReduceError::Encoding)));
    }
}

#[test]
fn chunks_are_halved_down_to_single_items() {
    let mut left: Vec<u32> = Vec::new();
    let items: Vec<u32> = (0..20).collect();
    remove(&items, |removed| {
        let holds = !removed.contains(&3) && !removed.contains(&17);
        if holds {
            left = items
                .iter()
                .copied()
                .filter(|i| !removed.contains(i))
                .collect();
        }
        holds
    });
    assert_eq!(left, [3, 17]);
}
