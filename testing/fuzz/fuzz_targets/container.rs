//! Containers: each part and each program, with its listing.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../../dxil-frontend/tests/it/fuzzing.rs"]
mod fuzzing;

fuzz_target!(|bytes: &[u8]| {
    let _ = fuzzing::container(bytes);
});
