//! Options of translation layers that must not change results: the tests of some folders, with all of
//! them on, on a device.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use gpu_test::case::TestFile;
use gpu_test::compare::differences;
use gpu_test::execute::{self, NotRun};
use gpu_test::spirv_module;
use gpu_test::vulkan::{Device, Error};
use trellis_spirv_backend::options::LoopHint;
use trellis_spirv_backend::{Options, convert};

fn device() -> Option<Device> {
    match Device::open(None, true) {
        Ok((device, _)) => Some(device),
        Err(error @ (Error::NoLoader(_) | Error::NoDevice { .. } | Error::Call { .. })) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/shaders")
}

/// Returns the tests in a folder: path of the shader, and the file.
fn tests(folder: &str) -> Vec<(PathBuf, TestFile)> {
    let entries = fs::read_dir(corpus().join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.to_str()?.strip_suffix(".run.json")?.to_owned();
        let file = TestFile::from_json(&fs::read_to_string(&path).unwrap()).unwrap();
        Some((PathBuf::from(format!("{name}.dxil")), file))
    };
    paths.into_iter().filter_map(read).collect()
}

#[test]
fn results_are_the_same() {
    let Some(device) = device() else {
        return;
    };
    let options = Options::default()
        .with_vulkan_memory_model(true)
        .with_robust_local_arrays(true)
        .with_robust_groupshared(true)
        .with_robust_tables(true)
        .with_device_barriers(true)
        .with_non_uniform_indices(true)
        .with_source_hints(false)
        .with_loop_hint(Some(LoopHint::Loop));
    let mut run = 0;
    for folder in [
        "atomics",
        "barriers",
        "buffers",
        "groupshared",
        "local_arrays",
    ] {
        for (shader, file) in tests(folder) {
            // A shader in a process of its own may crash the driver.
            if file.alone || shader.with_extension("bindings.json").exists() {
                continue;
            }
            let name = shader.display();
            let converted = convert(&fs::read(&shader).unwrap(), &options).unwrap();
            let module = spirv_module::read(&converted.words).unwrap();
            for case in file.cases.iter().filter(|case| case.dispatch.is_some()) {
                match execute::run(&device, &module, case) {
                    Ok(observed) => {
                        assert_eq!(differences(case, &observed), Vec::<String>::new(), "{name}");
                        assert_eq!(observed.messages, Vec::<String>::new(), "{name}");
                        run += 1;
                    }
                    Err(NotRun::Skipped(what)) => println!("{name}: skipped: {what}"),
                    Err(NotRun::Failed(what)) => panic!("{name}: {what}"),
                }
            }
        }
    }
    println!("{run} cases");
    assert!(run > 20, "{run} cases");
}
