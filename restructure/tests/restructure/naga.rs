//! naga reads the output for its profile.

use naga::front::spv;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use trellis_restructure::{Profile, restructure};

use crate::common::{corpus, without_merges};

/// Returns whether naga's reader and its validator accept a module.
fn accepts(words: &[u32]) -> Result<(), String> {
    let options = spv::Options {
        adjust_coordinate_space: false,
        ..spv::Options::default()
    };
    let module = spv::Frontend::new(words.iter().copied(), &options)
        .parse()
        .map_err(|error| format!("{error:?}"))?;
    Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|error| format!("{:?}", error.into_inner()))?;
    Ok(())
}

#[test]
fn what_naga_reads_of_dxc_it_reads_without_merge_instructions_too() {
    let (mut read, mut lost) = (0, Vec::new());
    for (path, words) in corpus() {
        // naga panics on some modules.
        let is_read = |words: &[u32]| {
            let result = std::panic::catch_unwind(|| accepts(words));
            result.unwrap_or_else(|_| Err("panics".to_owned()))
        };
        if is_read(&words).is_err() {
            continue;
        }
        for input in [&words, &without_merges(&words)] {
            let result = restructure(input, Profile::Wgsl).unwrap();
            match is_read(&result) {
                Ok(()) => read += 1,
                Err(error) => lost.push(format!("{}: {error}", path.display())),
            }
        }
    }
    assert!(read > 800 && lost.is_empty(), "{read}\n{}", lost.join("\n"));
}
