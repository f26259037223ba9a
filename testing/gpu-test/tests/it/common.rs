//! Shared functions of the tests.

use std::path::{Path, PathBuf};

use gpu_test::case::TestFile;
use gpu_test::suite;
use gpu_test::vulkan::{Device, Error};
pub(crate) use shader_testkit::corpus;

/// Returns the tests in some folders of the corpus, as the shaders' paths without `.dxil`.
pub(crate) fn tests(folders: &[&str]) -> Vec<PathBuf> {
    let of = |folder: &&str| format!("shaders/{folder}/");
    let folders: Vec<String> = folders.iter().map(of).collect();
    suite::find(&corpus(), &folders).unwrap()
}

/// Returns the path of one of the files of a test.
pub(crate) fn path(test: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", test.display()))
}

/// Reads the cases of a test.
pub(crate) fn cases(test: &Path) -> TestFile {
    let text = std::fs::read_to_string(path(test, ".run.json")).unwrap();
    TestFile::from_json(&text).unwrap()
}

/// Opens the first device, with the validation layer; `None` if there is no device, which is said.
pub(crate) fn device() -> Option<Device> {
    match Device::open(None, true) {
        Ok((device, _)) => Some(device),
        Err(error @ (Error::Setup(_) | Error::Call { .. })) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}
