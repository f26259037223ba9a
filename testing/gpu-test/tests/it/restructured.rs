//! Compute shaders whose control flow `trellis-restructure` structured again, for each of its profiles.
//! The results must be those that the test files expect.

use gpu_test::case::Case;
use gpu_test::compare::differences;
use gpu_test::execute::{self, NotRun};
use gpu_test::spirv_module;
use gpu_test::suite::Loaded;
use gpu_test::vulkan::Device;
use trellis_restructure::{Profile, restructure};

use crate::common;

const SELECTION_MERGE: u32 = 247;
const LOOP_MERGE: u32 = 246;

/// Returns a module without its merge instructions.
fn without_merges(words: &[u32]) -> Vec<u32> {
    let mut out = words[..5].to_vec();
    let mut rest = &words[5..];
    while let Some(&first) = rest.first() {
        let (inst, after) = rest.split_at((first >> 16) as usize);
        if !matches!(first & 0xffff, SELECTION_MERGE | LOOP_MERGE) {
            out.extend_from_slice(inst);
        }
        rest = after;
    }
    out
}

/// Runs a case; returns the differences, or none if the device cannot run it.
fn run(device: &Device, words: &[u32], case: &Case) -> Option<Vec<String>> {
    let module = spirv_module::read(words).unwrap();
    match execute::run(device, &module, case) {
        Ok(observed) => Some(differences(case, &observed)),
        Err(NotRun::Skipped(_)) => None,
        Err(error) => Some(vec![format!("{error:?}")]),
    }
}

#[test]
fn results_are_the_same() {
    let Some(device) = common::device() else {
        return;
    };
    let (mut ran, mut wrong) = (0, Vec::new());
    for test in common::tests(&["control_flow", "waves", "algorithms", "barriers"]) {
        // llvmpipe nests a condition for each break of a flat block, and crashes at 80.
        if test.to_string_lossy().contains("interleaved_breaks_32") {
            continue;
        }
        let loaded = Loaded::read(&test).unwrap();
        let [module] = &loaded.ours[..] else { continue };
        for case in &loaded.file.cases {
            if case.dispatch.is_none() || case.rays.is_some() || case.graph.is_some() {
                continue;
            }
            // Without merge instructions, nothing says with which invocations wave operations run that
            // are on the way out of a loop.
            let mut inputs = vec![("", module.words.clone())];
            if case.wave().is_none() {
                inputs.push((" without merges", without_merges(&module.words)));
            }
            for (what, input) in inputs {
                for (name, profile) in Profile::ALL {
                    let words = restructure(&input, profile).unwrap();
                    match run(&device, &words, case) {
                        Some(found) if found.is_empty() => ran += 1,
                        Some(found) => wrong.push(format!(
                            "{}{what}, {} for {name}: {found:?}",
                            test.display(),
                            case.name
                        )),
                        None => {}
                    }
                }
            }
        }
    }
    println!("{ran} runs");
    assert_eq!(wrong, Vec::<String>::new(), "{ran} runs");
    assert!(ran > 200, "{ran} runs");
}
