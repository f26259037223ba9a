//! Tests of the crate's public interface.
//!
//! The shaders in `tests/shaders` are FXC's outputs for the sources next to them: a line
//! `// fxc.SUFFIX: PROFILE ENTRY OPTIONS` of a source describes each.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod assembler;
mod coverage;
mod decode;
mod definitions;
mod growth;
mod listing;
mod translate;

use std::path::Path;

use shader_testkit::files;

/// Compares texts made from all shaders with the files that have another extension.
fn compare(extension: &str, text: impl Fn(&[u8]) -> String) {
    let bless = std::env::var_os("TRELLIS_BLESS").is_some_and(|v| v == "1");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shaders");
    let mut wrong = Vec::new();
    for path in files(&folder, "dxbc") {
        let text = text(&std::fs::read(&path).unwrap());
        let expected = path.with_extension(extension);
        if bless {
            std::fs::write(&expected, &text).unwrap();
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != text {
            wrong.push(expected);
        }
    }
    assert!(wrong.is_empty(), "these changed: {wrong:?}");
}
