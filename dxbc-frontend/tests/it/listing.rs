//! Listings of the shaders in `tests/shaders`, FXC's outputs for the sources next to them. Each
//! equals D3DDisassemble's, except for the comments that the crate does not print. A line `// fxc.SUFFIX: PROFILE ENTRY OPTIONS` of a source
//! describes each output.
//!
//! `TRELLIS_BLESS=1 cargo test -p trellis-dxbc-frontend --test it listing::` rewrites the files.

use std::path::Path;

use shader_testkit::files;
use trellis_dxbc_frontend::disasm::disassemble;
use trellis_dxbc_frontend::tokens::Program;
use trellis_dxil_frontend::container::Container;

#[test]
fn listings_are_as_committed() {
    let bless = std::env::var_os("TRELLIS_BLESS").is_some_and(|v| v == "1");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shaders");
    let mut wrong = Vec::new();
    for path in files(&folder, "dxbc") {
        let bytes = std::fs::read(&path).unwrap();
        let container = Container::open(&bytes).unwrap();
        let program = Program::read(&container).unwrap();
        let text = disassemble(&program, Some(&container)).unwrap();
        let expected = path.with_extension("asm");
        if bless {
            std::fs::write(&expected, &text).unwrap();
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != text {
            wrong.push(expected);
        }
    }
    assert!(wrong.is_empty(), "listings changed: {wrong:?}");
}
