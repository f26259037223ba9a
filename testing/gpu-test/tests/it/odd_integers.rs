//! Integers of 5 and 33 bits after conversion, on a device: the interpreter's test of them.

use std::path::Path;

use gpu_test::case::Case;
use gpu_test::compare::differences;
use gpu_test::execute;
use gpu_test::spirv_module;
use gpu_test::vulkan::{Device, Error};
use trellis_dxil_interpreter::dispatch::Dispatch;

#[test]
fn integers_of_odd_widths_compute_as_narrow_ones_do() {
    let file = |suffix: &str| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../dxil-interpreter/tests/shaders/odd_integers")
            .with_extension(suffix)
    };
    let dxil = std::fs::read(file("dxil")).unwrap();
    let converted =
        trellis_spirv_backend::convert(&dxil, &trellis_spirv_backend::Options::default()).unwrap();
    let module = spirv_module::read(&converted.words).unwrap();
    let dispatch = Dispatch::from_json(&std::fs::read_to_string(file("json")).unwrap()).unwrap();
    let case = Case {
        name: "odd integers".to_owned(),
        dispatch: Some(dispatch),
        ..Case::default()
    };
    let device = match Device::open(None, true) {
        Ok((device, _)) => device,
        Err(error @ (Error::Setup(_) | Error::Call { .. })) => {
            println!("skipped: {error}");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let observed = execute::run(&device, &module, &case).unwrap();
    assert_eq!(differences(&case, &observed), Vec::<String>::new());
    assert_eq!(observed.messages, Vec::<String>::new());
}
