//! The committed header is the one that the sources make. `TRELLIS_BLESS=1` writes it.

use std::path::Path;

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
