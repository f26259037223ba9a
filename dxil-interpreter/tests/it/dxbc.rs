//! Compute shaders in both forms: `tests/dxbc` has FXC's output (model 5.0 or 5.1; `-Od` where the
//! corpus has that) of shaders of the corpus, which computes the same as DXC's.

use std::path::Path;

use shader_testkit::{files, shader};
use trellis_dxil_interpreter::{Inputs, Options, generate, run};

#[test]
fn outputs_of_both_compilers_compute_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dxbc");
    let options = Options::default();
    let (mut compared, mut different) = (0, Vec::new());
    for path in files(&folder, "dxbc") {
        let name = path.strip_prefix(&folder).unwrap().with_extension("");
        let name = name.to_str().unwrap().replace('\\', "/");
        let dxil = shader(&format!("{name}.dxil"));
        let dxbc = std::fs::read(&path).unwrap();
        let input = trellis_dxil_frontend::read(&dxil).unwrap();
        let dispatch = generate::dispatch(&input.module, &input.shader, [2, 1, 1], 64);
        let inputs = Inputs::try_from(&dispatch).unwrap();
        let outputs = |bytes: &[u8]| run(bytes, &inputs, &options).map(|o| o.resources);
        let expected = outputs(&dxil).unwrap_or_else(|error| panic!("{name}: {error}"));
        if outputs(&dxbc).as_ref() != Ok(&expected) {
            different.push(name);
        }
        compared += 1;
    }
    assert!(different.is_empty(), "{different:?}");
    assert_eq!(compared, 27);
}
