//! Conversion of libraries that import from each other.

use shader_testkit::{Random, number, shaders};
use trellis_dxil_frontend::link;
use trellis_dxil_frontend::shader::ShaderKind;
use trellis_spirv_backend::{Options, convert, convert_entry, convert_linked, read};

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

#[test]
fn a_library_alone_stays_the_same() {
    let options = Options::default().with_debug_info(false);
    let mut count = 0;
    for (name, bytes) in shaders() {
        let input = read(&bytes, &options).unwrap();
        if input.shader.kind != ShaderKind::Library {
            continue;
        }
        let linked = link(&[(&input).into()]).unwrap();
        for (old, new) in input.shader.shaders().zip(linked.shader.shaders()) {
            let [old, new] = [(&input, old), (&linked, new)].map(|(input, entry)| {
                convert_entry(input, entry, &options).map_err(|error| error.to_string())
            });
            assert!(old == new, "{name}: {:?}", new.map(|output| output.entry));
            count += 1;
        }
    }
    assert!(count > 200, "{count} entry points");
}
