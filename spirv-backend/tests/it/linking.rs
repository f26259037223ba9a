//! Conversion of libraries that import from each other.

use shader_testkit::{Random, number};
use trellis_spirv_backend::{Options, convert, convert_linked};

const ENTRY: &[u8] = include_bytes!("../../../dxil-interpreter/tests/shaders/linking/entry.dxil");
const FUNCTIONS: &[u8] =
    include_bytes!("../../../dxil-interpreter/tests/shaders/linking/functions.dxil");

#[test]
fn an_import_needs_its_library() {
    let options = Options::default();
    let error = convert(ENTRY, &options).unwrap_err().to_string();
    assert!(
        error.contains("?shade@") && error.contains("`trellis link`"),
        "{error}"
    );
    for debug_info in [false, true] {
        let options = Options::default().with_debug_info(debug_info);
        assert_eq!(
            convert_linked(&[ENTRY, FUNCTIONS], &options).unwrap().entry,
            "main"
        );
    }
}

#[test]
fn damaged_libraries_do_not_panic() {
    let (mut random, files) = (Random(7), [ENTRY.to_vec(), FUNCTIONS.to_vec()]);
    for _ in 0..number("TRELLIS_MUTANTS", 2_000) {
        let [a, b] = [(); 2].map(|()| random.shader(&files));
        _ = convert_linked(&[&a, &b], &Options::default());
    }
}
