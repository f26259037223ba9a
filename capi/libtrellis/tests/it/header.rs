//! The committed header matches the sources. `TRELLIS_BLESS=1` writes it.

use std::path::Path;
use std::process::Command;

use c_testkit::run;
use trellis::abi;

#[test]
fn the_header_is_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let bindings = cbindgen::Builder::new()
        .with_crate(folder)
        .with_config(config)
        .generate()
        .unwrap();
    let mut made = Vec::new();
    bindings.write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let path = folder.join("include/trellis.h");
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    if made != written && std::env::var_os("TRELLIS_BLESS").is_some() {
        std::fs::write(path, made).unwrap();
        return;
    }
    assert!(made == written, "TRELLIS_BLESS=1 writes include/trellis.h");
}

/// Compilers of C89 have no comments of C++, among others.
#[test]
fn the_header_is_c89() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("a.c");
    let twice =
        "#include <trellis.h>\n#include <trellis.h>\ntrellis_bool a = TRELLIS_API_VERSION;\n";
    std::fs::write(&source, twice).unwrap();
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut compile = Command::new("cc");
    compile.args([
        "-std=c89",
        "-pedantic",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsyntax-only",
    ]);
    run(compile.arg("-I").args([&include, &source]), folder.path());
}

#[test]
fn the_version_is_that_of_the_package() {
    let numbers = [
        abi::TRELLIS_VERSION_MAJOR,
        abi::TRELLIS_VERSION_MINOR,
        abi::TRELLIS_VERSION_PATCH,
    ];
    let version = numbers.map(|number| number.to_string()).join(".");
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
}
