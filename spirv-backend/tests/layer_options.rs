//! Options that translation layers set: each changes the output of a corpus shader, and only as it
//! says.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use trellis_spirv_backend::{Options, Output, convert, disassemble};

fn output(name: &str, options: Options) -> Output {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders");
    let dxil = std::fs::read(path.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let options = options.with_validate(cfg!(feature = "validate"));
    convert(&dxil, &options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns how many instructions of the output, with single spaces, have a text.
fn count(name: &str, options: Options, text: &str) -> usize {
    let assembly = disassemble(&output(name, options).words).unwrap();
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = assembly.lines().map(words);
    lines.filter(|line| line.contains(text)).count()
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
