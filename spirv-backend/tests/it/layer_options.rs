//! Options whose effect is not an instruction of a corpus shader (`tests/data/outputs/layer_options.txt`).

use trellis_spirv_backend::{Options, convert, convert_entry, disassemble};

use crate::common;

#[test]
fn the_entry_point_of_an_output_has_the_name_in_dxil() {
    let renamed = Options::default().with_entry_point_name(Some("other".to_owned()));
    let output = convert(&common::shader("compute/prefix_sum.dxil"), &renamed).unwrap();
    assert_eq!(output.entry, "main");
}

/// A group of 32 threads has no wave of 64.
#[test]
fn small_groups_have_small_waves() {
    let dxil = common::shader("waves/wave_size.dxil");
    let input = trellis_dxil_frontend::read(&dxil).unwrap();
    let clamps = |threads, options: Options| {
        let mut entry = input.shader.shaders().next().unwrap().clone();
        entry.properties.num_threads = Some(threads);
        let output = convert_entry(&input, &entry, &options).unwrap();
        disassemble(&output.words).unwrap().matches("UMin").count()
    };
    let small = || Options::default().with_small_waves(true);
    assert_eq!(clamps([32, 1, 1], Options::default()), 0);
    assert_eq!(clamps([8, 4, 1], small()), 1);
    assert_eq!(clamps([64, 1, 1], small()), 0);
}
