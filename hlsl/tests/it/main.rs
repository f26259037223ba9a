//! The texts of shaders of the corpus, each next to its source in `tests/printed`.
//! `TRELLIS_BLESS=1` writes them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use trellis_hlsl::{Error, print};

/// The line between the source and the text.
const PRINTED: &str = "// ---- printed ----\n";

/// Shaders, with the source of each.
const SHADERS: [(&str, &str); 10] = [
    ("control_flow/collatz", "control_flow/collatz"),
    (
        "control_flow/fig_nested_returns",
        "control_flow/fig_nested_returns",
    ),
    (
        "control_flow/switch_with_loop",
        "control_flow/switch_with_loop",
    ),
    ("control_flow/discard_early", "control_flow/discard_early"),
    ("algorithms/crc32", "algorithms/crc32"),
    ("buffers/structured", "buffers/structured"),
    ("cbuffers/nested_structs", "cbuffers/nested_structs"),
    ("groupshared/reduction", "groupshared/reduction"),
    ("textures/sample_2d", "textures/sample_2d"),
    ("waves/reductions", "waves/reductions"),
];

/// Buffers have the same members whether their types are in `STAT` or in `RDEF`.
#[test]
fn declarations_of_dxbc_are_those_of_dxil() {
    let declarations = |bytes: &[u8]| {
        let text = print(bytes, None).unwrap().text;
        let (_, declarations) = text.split_once('\n').unwrap();
        declarations.split("void main").next().unwrap().to_owned()
    };
    for shader in [
        "cbuffers/nested_structs",
        "cbuffers/legacy",
        "cbuffers/globals",
        "buffers/structured",
    ] {
        let dxbc = shader_testkit::corpus().join(format!("../dxbc/{shader}.dxbc"));
        let dxbc = std::fs::read(dxbc).unwrap();
        let dxil = shader_testkit::shader(&format!("{shader}.dxil"));
        assert_eq!(declarations(&dxbc), declarations(&dxil), "{shader}");
    }
}

#[test]
fn texts_are_as_committed() {
    for (shader, source) in SHADERS {
        let read =
            |name: String| std::fs::read_to_string(shader_testkit::corpus().join(name)).unwrap();
        let printed = print(&shader_testkit::shader(&format!("{shader}.dxil")), None).unwrap();
        let text = format!(
            "{}{PRINTED}{}",
            read(format!("{source}.hlsl")),
            printed.text
        );
        let name = format!("{}.hlsl", shader.replace('/', "_"));
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/printed")
            .join(name);
        if std::env::var_os("TRELLIS_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(
            std::fs::read_to_string(&path).unwrap_or_default(),
            text,
            "{}",
            path.display()
        );
        assert!(
            printed.unwritten.is_empty(),
            "{shader}: {:?}",
            printed.unwritten
        );
    }
}

/// Constructs without a form in HLSL are counted, and the text has no other expression there.
#[test]
fn what_is_not_hlsl_is_counted() {
    let printed = print(&shader_testkit::shader("ray_query/closest_hit.dxil"), None).unwrap();
    assert_eq!(printed.unwritten["the operation RayQuery_Proceed"], 1);
    assert!(
        printed
            .text
            .contains("// not HLSL: the operation RayQuery_Proceed (1)\n")
    );
    assert!(printed.text.contains("RayQuery_Proceed("));
}

#[test]
fn names_come_from_debug_information() {
    let printed = print(
        &shader_testkit::shader("options/debug_information.zi.dxil"),
        None,
    )
    .unwrap();
    assert!(printed.text.contains("float "), "{}", printed.text);
}

#[test]
fn an_entry_point_that_is_not_there_is_an_error() {
    let shader = shader_testkit::shader("control_flow/collatz.dxil");
    let error = print(&shader, Some("nowhere")).unwrap_err();
    assert!(matches!(error, Error::EntryPoint { .. }) && error.to_string().contains("main"));
}

/// No panic on any input: bytes of shaders are changed at random.
#[test]
fn changed_bytes_do_not_panic() {
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for (shader, _) in SHADERS {
        let shader = shader_testkit::shader(&format!("{shader}.dxil"));
        for _ in 0..200 {
            let mut changed = shader.clone();
            for _ in 0..=random(4) {
                let at = random(changed.len());
                changed[at] ^= 1 << random(8);
            }
            let _ = print(&changed, None);
        }
    }
}
