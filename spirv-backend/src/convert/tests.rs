//! Errors of the structurizer, the limit of the memory that is kept, and the two forms in which functions
//! are lowered.

use shader_testkit::{corpus, files};
use trellis_entity::EntityRef;

use super::{CheckError, Converter, Error, Feature, Limit, structurizer_error};
use crate::options::Options;

#[test]
fn functions_that_are_too_large_or_invalid_are_no_bugs() {
    use trellis_structurizer::Error as Structurizer;
    let limit = 1;
    for error in [
        Structurizer::TooLarge { blocks: 2, limit },
        Structurizer::ResultTooLarge { limit },
    ] {
        let error = structurizer_error("main", error);
        assert!(!error.kind().is_bug());
        assert!(matches!(
            error,
            Error::Unsupported {
                feature: Feature::TooLarge(Limit::ControlFlow),
                ..
            }
        ));
    }
    let (block, value) = (EntityRef::new(3), EntityRef::new(4));
    let unknown = CheckError::NotDominated { block, value };
    let invalid = structurizer_error("main", Structurizer::Malformed(unknown));
    assert!(matches!(invalid, Error::Invalid { .. }), "{invalid}");
    let what = "a rule";
    let bug = structurizer_error("main", Structurizer::Internal { what });
    assert!(bug.kind().is_bug());
}

#[test]
fn runs_are_converted_as_single_instructions_are() {
    let (mut runs, mut insts) = (Converter::new(), Converter::new());
    insts.each_instruction = true;
    let options = Options::default();
    let mut compared = 0;
    let folders = [corpus(), "../benches/shaders".into()];
    for path in folders.iter().flat_map(|folder| files(folder, "dxil")) {
        let bytes = std::fs::read(&path).unwrap();
        let input = crate::read(&bytes, &options).unwrap();
        for entry in input.shader.shaders() {
            let expected = insts.convert_entry(&input, entry, &options);
            let output = runs.convert_entry(&input, entry, &options);
            let same = format!("{output:?}") == format!("{expected:?}");
            assert!(same, "{}: {}", path.display(), entry.name);
            compared += usize::from(output.is_ok());
        }
    }
    assert!(compared > 1000, "{compared}");
}
