//! Every compute shader of the corpus runs to its end or says what it needs that the model does not have.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use dxil_frontend::shader::ShaderKind;
use dxil_interpreter::dispatch::{Binding, Place};
use dxil_interpreter::{Error, Inputs, Options, generate, run_module};

/// Bounds of the numbers for shaders that index a range of resources by them, or loop until certain ones come.
const SMALL: [(&str, u32); 4] =
    [("cbuffers/array_of_buffers.", 6), ("control_flow/infinite_loop_nested.", 2), ("control_flow/state_machine.", 1), ("control_flow/tree_traversal.", 2)];

/// What lies in the heap of shaders that take resources from it: indices and a binding. The constants that they take indices from begin with 7, 12, 17.
const TEXTURE: &str = r#"{"class": "srv", "kind": "texture2d", "format": "R32G32B32A32_FLOAT", "size": [4, 4, 1], "data": {"iota": {"type": "f32"}}}"#;
const HEAPS: [(&str, RangeInclusive<u32>, &str); 7] = [
    ("resources/handle_choice_from_heap.", 0..=200, TEXTURE),
    ("resources/handle_phi_heap.", 0..=200, TEXTURE),
    ("resources/heap_atomics_and_counters.", 7..=7, r#"{"class": "uav", "kind": "structured", "stride": 8, "bytes": 64}"#),
    ("resources/heap_atomics_and_counters.", 12..=12, r#"{"class": "uav", "kind": "texture2d", "format": "R32_UINT", "size": [64, 1, 1]}"#),
    ("resources/heap_atomics_and_counters.", 17..=17, r#"{"class": "uav", "kind": "raw", "bytes": 256}"#),
    ("root_signature/heap_indexed.", 7..=7, r#"{"class": "srv", "kind": "structured", "stride": 4, "bytes": 512}"#),
    ("root_signature/heap_indexed.", 12..=12, r#"{"class": "uav", "kind": "structured", "stride": 4, "bytes": 512}"#),
];

fn shaders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders");
    let mut files = Vec::new();
    for folder in std::fs::read_dir(root).expect("the corpus").map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()) {
        let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "dxil")));
    }
    files.sort();
    files
}

#[test]
fn compute_shaders_run() {
    let (mut ran, mut steps, mut unsupported, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for file in shaders() {
        let bytes = std::fs::read(&file).expect("a shader");
        let input = dxil_frontend::read(&bytes).expect("the corpus is valid");
        let name = format!(
            "{}/{}",
            file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy(),
            file.file_name().unwrap_or_default().to_string_lossy()
        );
        for entry in input.shader.entry_points.iter().filter(|entry| entry.kind == ShaderKind::Compute) {
            let below = SMALL.iter().find(|(prefix, _)| name.starts_with(prefix)).map_or(64, |small| small.1);
            let mut dispatch = generate::dispatch(&input.module, &input.shader, [2, 1, 1], below);
            for (_, indices, binding) in HEAPS.iter().filter(|(prefix, ..)| name.starts_with(prefix)) {
                let binding: Binding = serde_json::from_str(binding).expect("a binding");
                dispatch.bindings.extend(indices.clone().map(|index| Binding { place: Place { heap: Some(index), ..binding.place }, ..binding.clone() }));
            }
            let mut inputs = Inputs::try_from(&dispatch).expect("generated inputs are valid");
            inputs.entry = entry.name.to_string();
            match run_module(&input.module, &input.shader, &inputs, &Options { steps: 1 << 24, ..Options::default() }) {
                Ok(outputs) => {
                    ran += 1;
                    steps += outputs.steps;
                }
                Err(Error::Unsupported { what }) => unsupported.push(format!("{name}: {what}")),
                Err(error) => wrong.push(format!("{name}: {error}")),
            }
        }
    }
    println!("{ran} ran with {steps} lane-instructions; not supported are {}:\n{}", unsupported.len(), unsupported.join("\n"));
    assert!(wrong.is_empty(), "{} failed:\n{}", wrong.len(), wrong.join("\n"));
    // What the model leaves out by design: filters, multisampling, rays.
    let known = ["Sample", "Texture2DMS", "RTAccelerationStructure"];
    let surprising: Vec<&String> = unsupported.iter().filter(|line| !known.iter().any(|known| line.contains(known))).collect();
    assert!(surprising.is_empty(), "not supported: {surprising:?}");
    assert!(ran >= 280, "only {ran} ran");
}
