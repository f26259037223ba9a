//! Errors of the structurizer, the limit of the memory that is kept, and the two forms in which functions
//! are lowered.

use trellis_entity::EntityRef;

use trellis_structurizer::ir::{Block, Function, SelectionHint, Terminator, Type};

use super::{CheckError, Converter, Error, Feature, Limit, MAX_KEPT, structurizer_error};
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
fn memory_beyond_the_limit_is_freed() {
    let (shader, options) = (
        include_bytes!("../../tests/data/collatz.dxil"),
        Options::default(),
    );
    let mut converter = Converter::new();
    assert!(converter.convert(shader, &options).is_ok());
    assert!((1..=MAX_KEPT).contains(&converter.kept_bytes()));
    // Of an error, too.
    for bytes in [&shader[..], &shader[..100]] {
        let func = row_of_selections(1 << 15);
        let result = (converter.structurizer).structurize(func, &options.structurizer_options());
        converter.structurizer.recycle(result.unwrap());
        assert!(converter.kept_bytes() > MAX_KEPT);
        assert_eq!(
            converter.convert(bytes, &options).is_ok(),
            bytes.len() > 100
        );
        assert_eq!(converter.kept_bytes(), 0);
    }
}

fn row_of_selections(count: usize) -> Function {
    let mut func = Function::new();
    let blocks: Vec<Block> = (0..count).map(|_| func.add_block()).collect();
    let cond = func.add_constant(0, Type(0));
    for (index, &block) in blocks.iter().enumerate() {
        let end = match blocks.get(index + 1..index + 3) {
            Some(&[then, else_]) => Terminator::CondBranch {
                cond,
                then,
                else_,
                hint: SelectionHint::None,
            },
            _ => Terminator::Return(None),
        };
        func.set_terminator(block, end);
    }
    func
}

#[test]
fn runs_are_converted_as_single_instructions_are() {
    let folders = ["../corpus/shaders", "../benches/shaders"];
    let mut folders: Vec<_> = folders.map(std::path::PathBuf::from).into();
    let (mut runs, mut insts) = (Converter::new(), Converter::new());
    insts.each_instruction = true;
    let options = Options::default();
    let mut compared = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "dxil")
            {
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
        }
    }
    assert!(compared > 1000, "{compared}");
}
