//! The large shaders: all convert, have the sizes that the table of time over size is about, and are
//! next to their sources.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use benches::{large_folder, load_large};
use trellis_corpus::manifest::Manifest;
use trellis_spirv_backend::{Converter, Options};

#[test]
fn all_convert_and_are_large() {
    let shaders = load_large().unwrap();
    assert!(shaders.len() >= 8, "{}", shaders.len());
    let mut converter = Converter::new();
    for shader in &shaders {
        let kilobytes = shader.bytes.len() as f64 / 1024.0;
        assert!(
            (10.0..64.0).contains(&kilobytes),
            "{}: {kilobytes:.1} KB",
            shader.name
        );
        let output = converter.convert(&shader.bytes, &Options::default());
        let output = output.unwrap_or_else(|error| panic!("{}: {error}", shader.name));
        assert!(output.words.len() > 1000, "{}", shader.name);
    }
    let size = |index: usize| shaders[index].bytes.len();
    for index in 1..shaders.len() {
        // No gap in the table.
        assert!(
            size(index) * 2 < size(index - 1) * 3,
            "nothing between {} and {}",
            shaders[index - 1].name,
            shaders[index].name
        );
    }
    assert!(size(0) < 14 << 10 && size(shaders.len() - 1) > 50 << 10);
}

#[test]
fn each_is_next_to_its_source() {
    let manifest = Manifest::load(&large_folder().join("manifest.json")).unwrap();
    let known: BTreeSet<_> = manifest.shaders.iter().map(|s| s.path.clone()).collect();
    for shader in &manifest.shaders {
        assert!(
            large_folder().join(&shader.source).exists(),
            "{}",
            shader.path
        );
    }
    for entry in std::fs::read_dir(large_folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".dxil") {
            assert!(known.contains(&name), "{name} is not in the manifest");
        }
    }
}
