//! A minimized folder of the project's own shaders has all features of the whole folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use trellis_corpus::backend::Backend;
use trellis_corpus::inputs::{Filter, Input, collect};
use trellis_corpus::minimize::{Minimized, copy, minimize};
use trellis_dxil::Options;

fn minimized(inputs: &[Input], jobs: usize) -> Minimized {
    let backend = Backend::new(Options::default());
    minimize(inputs, &backend, Some(jobs), &|| {}).unwrap()
}

fn features(result: &Minimized) -> BTreeSet<String> {
    let brought = result.chosen.iter().flat_map(|chosen| &chosen.brings);
    brought.cloned().collect()
}

#[test]
fn all_features_are_kept_and_threads_do_not_matter() {
    let shaders = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders/control_flow");
    let folder = tempfile::tempdir().unwrap();
    // A shader that is not read is a feature, too, and a copy is not chosen.
    fs::write(folder.path().join("broken.dxil"), b"DXBC").unwrap();
    fs::copy(
        shaders.join("if_else_nested.dxil"),
        folder.path().join("copy.dxil"),
    )
    .unwrap();
    let arguments = [shaders, folder.path().to_owned()];
    let mut inputs = collect(&arguments, &Filter::default()).unwrap();
    let one = minimized(&inputs, 1);
    assert_eq!(one, minimized(&inputs, 3));
    assert_eq!(one.shaders, inputs.len() as u64);
    assert!(one.chosen.len() * 2 < inputs.len(), "{}", one.chosen.len());
    assert_eq!(features(&one).len() as u64, one.features);
    assert!(features(&one).contains("failure:read"));
    assert!(features(&one).contains("stage:compute"));

    let out = tempfile::tempdir().unwrap();
    let written = copy(&inputs, &one, out.path()).unwrap();
    assert_eq!(written.len(), one.chosen.len());
    let copied = collect(&[out.path().to_owned()], &Filter::default()).unwrap();
    let again = minimized(&copied, 2);
    assert_eq!(features(&again), features(&one));
    assert_eq!(again.chosen.len(), one.chosen.len(), "all are needed");

    // The order of the inputs decides nothing but which of two equal files is named.
    inputs.reverse();
    let reversed = minimized(&inputs, 2);
    let hashes = |result: &Minimized| -> Vec<String> {
        let hashes = result.chosen.iter().map(|chosen| chosen.hash.clone());
        hashes.collect()
    };
    assert_eq!(hashes(&reversed), hashes(&one));
}
